//! Levels and models of Parkan: Iron Strategy, to stand on and point at.
//!
//! In: typed files of a level. Out: a [`World`](ironlands_sim_world::World): terrain, areals, and the objects that stand and move
//! in it. Models go to public formats and come back ([`exchange`]).
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

mod areal_map;
mod drives;
pub mod exchange;
mod floors;
mod kind;
pub mod mission_entities;
mod model_world;
pub mod motion;
pub mod skeleton;
pub mod terrain;
mod walls;
mod world;

pub use areal_map::{areal_map, category_bit};
pub use ironlands_assets_parkan as formats;
pub use kind::{
    Parkan, ParkanError, ParkanOptions, level_of_mission, open_effect, open_level, open_model,
    world_of,
};
pub use model_world::ModelWorld;
pub use world::{ParkanWorld, ParkanWorldError, Surface};
