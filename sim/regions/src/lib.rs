//! Cells, blocks and regions of layered height fields, and the grid that they lie in. Document: the geodata dossier.
//!
//! Plain data between readers and queries: readers fill it, queries pack it, and neither sees the other. Coordinates
//! are the game's own: x to the east, y to the south, z up, in points.
//!
//! Deliberately absent: files and folders, movement, sight and paths, drawing.

pub mod cell;
pub mod flat;
pub mod grid;
pub mod multilayer;
pub mod region;
pub mod tiles;
pub mod zones;

pub use cell::{Cell, MAX_STORED_HEIGHT, MIN_STORED_HEIGHT, Nswe};
pub use flat::{Flat, FlatRule};
pub use grid::{
    BLOCK_SIZE, CELL_SIZE, CELLS_PER_REGION_SIDE, GeoCell, OutsideWorld, REGION_SIZE, RegionId,
    ZERO_REGION,
};
pub use multilayer::{Columns, Multilayer};
pub use region::{
    BLOCKS_PER_SIDE, Block, BlockRef, CELLS_PER_BLOCK, CELLS_PER_BLOCK_SIDE, Complex, MAX_LAYERS,
    N_BLOCKS, Region, WrongBlockCount,
};
