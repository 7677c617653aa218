//! Zones and figures of Evil Islands, to stand on and point at.
//!
//! In: typed files of a zone or a figure. Out: a [`World`](ironlands_sim_world::World): land, and figures that move. Figures
//! go to public formats and come back ([`exchange`]).
//!
//! Deliberately absent: readers of formats, drawing.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

pub mod exchange;
pub mod figure;
mod figure_world;
mod kind;
mod world;

pub use figure_world::FigureWorld;
pub use ironlands_assets_evil_islands as formats;
pub use kind::{CameraZero, EvilIslands, EvilIslandsOptions, open_zone, rig_of, sheet_of};
pub use world::{EvilIslandsWorld, SOLID};
