//! Lineage II geodata, to walk on and point at.
//!
//! In: packed regions. Out: a [`World`](ironlands_sim_world::World) whose walkers move by the rules of the servers, and
//! which makes the tiles of land that are seen.
//!
//! Deliberately absent: reading bytes, drawing.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod world;

pub use world::GeodataWorld;
