//! Tiles of 16 x 16 blocks, and the cells and blocks in them.

use crate::pack::TILE_SIDE;
use ironlands_sim_regions::GeoCell;

/// Cells along a side of a tile.
pub(super) const TILE_CELLS: u16 = 8 * TILE_SIDE as u16;
/// Tiles along a side of the grid.
pub(super) const TILES_PER_SIDE: u32 = 65536 / TILE_CELLS as u32;

/// A tile of the grid, x-major.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TileId(pub u32);

impl TileId {
    pub(super) fn from_cell(cell: GeoCell) -> Self {
        let [x, y] = [cell.x, cell.y].map(|at| u32::from(at / TILE_CELLS));
        Self(x * TILES_PER_SIDE + y)
    }

    /// Its north-west cell.
    pub(super) fn first_cell(self) -> GeoCell {
        let [x, y] = [self.0 / TILES_PER_SIDE, self.0 % TILES_PER_SIDE];
        // Both are below 512.
        let [x, y] = [x, y].map(|at| at as u16 * TILE_CELLS);
        GeoCell { x, y }
    }
}

/// The north-west cell of a block of a tile.
pub(super) fn corner_of(tile: TileId, block: u16) -> GeoCell {
    let first = tile.first_cell();
    GeoCell {
        x: first.x + block / TILE_SIDE as u16 * 8,
        y: first.y + block % TILE_SIDE as u16 * 8,
    }
}

/// A cell of a block, `0..64`.
pub(super) fn cell_of(corner: GeoCell, at: u16) -> GeoCell {
    GeoCell {
        x: corner.x | at >> 3,
        y: corner.y | (at & 7),
    }
}

/// The block of its tile that a cell lies in, x-major.
pub(super) fn block_of(cell: GeoCell) -> usize {
    let side = TILE_SIDE as u16;
    usize::from(cell.x / 8 % side) * TILE_SIDE + usize::from(cell.y / 8 % side)
}
