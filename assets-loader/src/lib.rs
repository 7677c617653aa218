//! Bytes to typed data and back, and typed data to a [`Scene`](ironlands_scene::Scene).
//!
//! In: the files of a level as their owners have them. Out: typed files that mirror the bytes, writers that
//! give the same bytes back, checks, and the conversion of a level to a scene. One folder a world, one file
//! a format; whoever knows one format module knows all.
//!
//! Deliberately absent: GPU, windows, queries (`sim` has those), printing.

pub mod archive;
pub mod formats;
pub mod inspect;
pub mod level;

pub use ironlands_assets_core::{bytes, format, report, text, unpack, vfs};
pub use ironlands_assets_evil_islands as evil_islands;
pub use ironlands_assets_lineage2 as lineage2;
pub use ironlands_assets_parkan as parkan;
pub use ironlands_assets_source as source;

#[cfg(test)]
ironlands_assets_proof::count_memory!();
