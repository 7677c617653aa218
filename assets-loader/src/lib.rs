//! Bytes to typed data and back, and typed data to a [`Scene`](ironlands_scene::Scene).
//!
//! In: the files of a level as their owners have them. Out: typed files that mirror the bytes, writers that
//! give the same bytes back, checks, and the conversion of a level to a scene. One folder a world, one file
//! a format; whoever knows one format module knows all.
//!
//! Deliberately absent: GPU, windows, queries (`sim` has those), printing.

pub mod archive;
pub mod bytes;
pub mod evil_islands;
mod findings;
pub mod inspect;
pub mod level;
pub mod lineage2;
mod mips;
pub mod parkan;
pub mod source;
pub mod text;
pub mod unpack;
pub mod vfs;

#[cfg(test)]
mod test_support;
