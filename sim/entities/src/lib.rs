//! Entities that act on one another by inputs and outputs, and movers among them: doors, buttons, trains, counters.
//!
//! In: plain [`Entity`] values whose connections and places are those of a level, the body of a walker, and what collides
//! with it ([`Shapes`]). Out: where all is after each tick ([`Simulation::world_from_entity`]), what of it is there,
//! and which outputs fired ([`Simulation::log`]). World axes (right-handed, +Z up), units of the level, angles in degrees
//! as pitch, yaw and roll.
//!
//! Within a tick, entities move and think in their order, then triggers look for the body, then events are delivered
//! whose time has come, with those that they cause without delay. Motion that begins in a tick is seen from the next tick
//! on. Nothing depends on anything but the entities, the ticks and what was sent in them.
//!
//! Deliberately absent: files, names of classes, which keys describe a mover, drawing, collision itself.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod animator;
mod body;
mod button;
mod door;
mod effect;
mod entity;
mod event;
mod fader;
mod gate;
mod kind;
mod light;
mod logic;
mod modulation;
mod names;
mod place;
mod rotator;
mod settings;
mod simulation;
mod slide;
mod speaker;
mod switch;
#[cfg(test)]
mod tests;
mod train;
mod trigger;

pub use animator::{Animator, Clip, RandomClips};
pub use body::{Arrival, Body, Shapes};
pub use button::Button;
pub use door::{Door, DoorOpening};
pub use effect::{Effect, EffectMoment};
pub use entity::{Connection, Entity};
pub use event::{Activator, LogEntry};
pub use fader::Fader;
pub use gate::Gate;
pub use kind::Kind;
pub use light::SwitchedLight;
pub use logic::{AutoStart, Branch, Case, Compare, Counter, Relay, Timer};
pub use modulation::{Modulation, Oscillator, OscillatorWave};
pub use names::matches_name;
pub use place::{Place, direction_of};
pub use rotator::Rotator;
pub use settings::Settings;
pub use simulation::{COMMON_INPUTS, Moves, Simulation};
pub use slide::{Slide, Way};
pub use speaker::{Speaker, SpeakerMoment};
pub use switch::{Breakable, Switch};
pub use train::{Track, Train};
pub use trigger::{Trigger, TriggerEffect};
