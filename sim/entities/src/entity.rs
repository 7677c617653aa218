//! An entity: its name, connections, place and kind.

use crate::{Kind, Place};

/// What an entity sends when something happens to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    /// The output that it belongs to, such as `OnTrigger`.
    pub output: String,
    /// Name or class of the target; an asterisk stands for any end.
    pub target: String,
    /// The input that it receives.
    pub input: String,
    /// Sent in place of the value of the output, unless it is empty.
    pub parameter: String,
    /// Seconds until the input is received; at least 0.
    pub delay_secs: f64,
    /// How often it still fires; `None` is without end.
    pub times_left: Option<u32>,
}

/// An entity of a simulation: what it is and what it has become.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// Name; empty = none.
    pub name: String,
    /// Class, by which it is found where no entity has the name.
    pub class: String,
    /// Connections of its outputs, in file order.
    pub connections: Vec<Connection>,
    /// Place in its parent, or in the world.
    pub place: Place,
    /// The entity that carries it, by its index.
    pub parent: Option<usize>,
    /// Whether it has a shape that stops bodies while it is there.
    pub is_solid: bool,
    /// Whether it is drawn.
    pub is_shown: bool,
    /// Whether it is gone for good.
    pub is_removed: bool,
    /// What it does.
    pub kind: Kind,
}

impl Entity {
    /// A kind of entity at the origin, without name and connections.
    pub fn new(kind: Kind) -> Self {
        Self {
            name: String::new(),
            class: String::new(),
            connections: Vec::new(),
            place: Place::default(),
            parent: None,
            is_solid: false,
            is_shown: true,
            is_removed: false,
            kind,
        }
    }

    /// Whether it stops bodies now.
    pub fn stops_bodies(&self) -> bool {
        self.is_solid && !self.is_removed
    }

    /// Whether it is drawn now.
    pub fn is_drawn(&self) -> bool {
        self.is_shown && !self.is_removed
    }
}
