//! Figures whose parts turn and whose vertices move (Evil Islands dossier sections 9.5 and 9.6).
//!
//! In: a `Figure`, once, as a [`Rig`]; a complection, once for each character, as a [`Build`]; an animation and a
//! frame, per pose. Out: world from node for each part, and how much of each morph target shows. A [`Crowd`] does so
//! for all figures of a level, on all threads, and casts rays at them. Nothing is allocated for a pose.
//!
//! A part turns about the axes of the model after its parent has turned: its own rotation stands on the left.
//!
//! Deliberately absent: which animation a character plays and when, and where on the ground it stands.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod crowd;
mod hits;
mod pose;
mod rig;
#[cfg(test)]
mod tests;

pub use self::crowd::{Actor, Crowd};
pub use self::pose::{FrameAt, Posed};
pub use self::rig::{Build, FIGURE_FRAMES_PER_SEC, Rig};
