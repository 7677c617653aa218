//! Maps of the Source engine, to walk through and point at.
//!
//! In: typed lumps and entities of a map. Out: a [`World`](ironlands_sim_world::World) whose walkers move by the rules of
//! the game, and whose entities live (`life`). Maps go to the format of their editor ([`exchange`]).
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

mod brush_map;
pub mod exchange;
mod game;
mod kind;
mod life;
mod light_paths;
mod model_world;
mod solid_entities;
mod world;

pub use brush_map::{MapWorldError, brush_map, brush_world, content_bits};
pub use game::Game;
pub use ironlands_assets_source as formats;
pub use kind::{EntityInput, LightRange, Source, SourceOptions, open_level, prop_hulls};
pub use light_paths::light_paths;
pub use model_world::{ModelWorld, sheet_of};
pub use world::SourceWorld;
