//! Geodata of Lineage II: how high the ground is, and where one may go. Document: the geodata dossier.
//!
//! A region of 2048 x 2048 cells is a file; [`Region`] is what all formats become, and each format is a file here:
//! [`conv_dat`] and [`l2j`] in their servers' own layouts, [`l2g`] (a key over `.l2j`), [`l2m`] (offsets for every
//! cell), [`l2d`] and [`rp`] (diagonals said aloud), [`path_txt`]. [`RegionFile`] is any of them, [`RegionFolder`] a
//! folder of them. [`convert`] goes between them and says what is lost, [`diff`] compares two, [`picture`] draws one
//! from above. A set of regions is a level: [`level`] says which, [`level_scene`] what is drawn before any is read,
//! [`level_mesh`] makes triangles of them for other programs. [`zone_file`] is what paths over a set need to know of it,
//! kept beside it, and [`nav_mesh_set`] a navigation mesh of it for other programs.
//!
//! Deliberately absent: all regions at once, movement, sight and paths (`sim::geodata`); drawing.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod border;
mod bytes_of_blocks;
mod checks;
pub mod conv_dat;
pub mod convert;
mod copies;
mod diagonals;
pub mod diff;
pub mod formats;
mod inspect;
pub mod l2d;
pub mod l2g;
pub mod l2j;
pub mod l2m;
pub mod level;
pub mod level_mesh;
pub mod level_scene;
mod names;
pub mod nav_mesh_set;
pub mod path_txt;
pub mod picture;
mod region_file;
mod region_folder;
pub mod rp;
mod stats;
mod steps;
pub mod zone_file;

pub use border::RegionEdges;
pub use copies::{BlockHashes, check_copies};
pub use diagonals::derive_diagonals;
pub use inspect::SET;
pub use ironlands_sim_regions::{
    BLOCK_SIZE, BLOCKS_PER_SIDE, Block, BlockRef, CELL_SIZE, CELLS_PER_BLOCK, CELLS_PER_BLOCK_SIDE,
    CELLS_PER_REGION_SIDE, Cell, Columns, Complex, Flat, FlatRule, GeoCell, MAX_LAYERS,
    MAX_STORED_HEIGHT, MIN_STORED_HEIGHT, Multilayer, N_BLOCKS, Nswe, OutsideWorld, REGION_SIZE,
    Region, RegionId, WrongBlockCount, ZERO_REGION,
};
use ironlands_sim_regions::{cell, flat, grid, multilayer, region};
pub use names::{GeodataFormat, RegionFileName};
pub use region_file::{RegionContext, RegionFile};
pub use region_folder::{FolderError, RegionFolder, RegionPath};
pub use stats::RegionStats;
pub use steps::check_steps;

bitflags::bitflags! {
    /// What a reader lets pass besides what the document allows; nothing of it is known in real files.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Tolerance: u32 {
        /// There may be bytes after the last block. They are kept and written back.
        const TRAILING_BYTES = 1 << 0;
        /// A cell may have up to 255 layers. They are kept; writers refuse more than [`MAX_LAYERS`].
        const MANY_LAYERS = 1 << 1;
    }
}

impl Tolerance {
    /// No leniency; all known real files pass.
    pub const STRICT: Self = Self::empty();
}

#[cfg(test)]
mod test_regions;

#[cfg(test)]
ironlands_assets_proof::count_memory!();
