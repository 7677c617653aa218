//! What the formats of all worlds are made with: bytes, findings, text, files, and the budget of unpacking.
//!
//! In: bytes and paths. Out: cursors, typed errors with an offset, names looked up in folders and archives.
//!
//! Deliberately absent: any format of any world.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

// Derived records name the crate that they are of.
#[cfg(test)]
extern crate self as ironlands_assets_core;

pub mod bytes;
pub mod findings;
pub mod format;
pub mod formats;
pub mod inspect;
pub mod mips;
pub mod near;
pub mod record;
pub mod report;
pub mod text;
pub mod unpack;
pub mod vfs;
