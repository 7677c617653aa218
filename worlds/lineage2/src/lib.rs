//! Lineage II geodata, to walk on and point at.
//!
//! In: region files, packed as they are loaded, and zones that are kept beside them. Out: a [`World`](ironlands_sim_world::World) whose walkers move by the rules of the servers, and
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

#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "counts of files, and of cells and pixels of regions that are loaded; members of JSON objects made here"
)]
mod commands;
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "cells of areas of a bounded size, and layers of cells that are there"
)]
pub mod edit;
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "points of the grid of regions and settings of a bounded size; corners of squares, which have four"
)]
mod editor;
mod error;
mod kind;
mod land_box;
mod load;
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "tiles of at most 4096 cells a layer, whose polygons have at most six corners"
)]
mod nav_mesh_file;
mod sea_guess;
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "coordinates are widened before they are multiplied; lines and columns of a text"
)]
pub mod server;
mod world;
mod zone_store;

pub use commands::{KeptZones, region_files};
pub use editor::GeodataEditor;
pub use error::Lineage2Error;
pub use ironlands_assets_lineage2 as formats;
pub use kind::{Lineage2, Lineage2Options, open_level};
pub use load::{
    LeftOut, LoadError, LoadProgress, LoadedRegions, load_readable_regions, load_regions,
    profile_of_formats,
};
pub use nav_mesh_file::{TooManyPolygons, nav_mesh_set};
pub use world::{GeodataWorld, SharedWorld};
pub use zone_store::{ZoneStore, ZoneStoreError, checksums, zone_file};
