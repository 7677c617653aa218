//! Entities that act on one another, as panels and keys reach them.

use glam::Vec3;

/// The entities of a level that live: they have inputs and outputs, move, and are used.
///
/// Entities are named by their index in [`World::entities`](crate::World::entities). Time passes for them when the world is
/// [posed](crate::World::pose).
pub trait LivingEntities: Send + Sync {
    /// The inputs that an entity knows; empty for one that is not there.
    fn inputs_of(&self, entity: usize) -> Vec<&'static str>;

    /// What an entity is doing, in a few words; empty where there is nothing to say.
    fn state_of(&self, entity: usize) -> String;

    /// Sends an input to an entity, with a parameter or an empty text; it is received in the next tick.
    fn send(&self, entity: usize, input: &str, parameter: &str);

    /// Uses what a character at a position points at and reaches; returns what that is, `None` if nothing can be used.
    fn use_from(&self, eye: Vec3, direction: Vec3) -> Option<String>;

    /// The last outputs that fired and inputs that were sent by hand, the latest first, at most `n`.
    fn fired(&self, n: usize) -> Vec<FiredOutput>;
}

/// A connection of an output that fired.
#[derive(Debug, Clone, PartialEq)]
pub struct FiredOutput {
    /// When, in seconds since the level began.
    pub time_secs: f64,
    /// Name or class of the entity and its output; empty for an input that was sent by hand.
    pub source: String,
    /// Name of the target, the input, and what is sent with it.
    pub sent: String,
    /// Seconds until the input is received.
    pub delay_secs: f64,
}
