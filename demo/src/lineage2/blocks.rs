//! Columns as blocks: flat, complex and multilayer ones by the rule of the game's own builder. Dossier section 2.3.1.

use ironlands_assets_lineage2::{
    BLOCKS_PER_SIDE, Block, CELLS_PER_BLOCK, CELLS_PER_BLOCK_SIDE, CELLS_PER_REGION_SIDE, Cell,
    Flat, Multilayer, N_BLOCKS, Nswe, Region, RegionId,
};
use rayon::prelude::*;

use super::ground_builder::{GroundBuilder, MAX_STEP};
use super::sides::layers;
use crate::DemoError;

/// A region, `regions_west` regions east of the first.
pub fn region(
    builder: &GroundBuilder,
    id: RegionId,
    regions_west: usize,
) -> Result<Region, DemoError> {
    let first_x = regions_west * CELLS_PER_REGION_SIDE;
    let blocks = (0..N_BLOCKS)
        .into_par_iter()
        .map(|index| {
            let x = first_x + index / BLOCKS_PER_SIDE * CELLS_PER_BLOCK_SIDE;
            let y = index % BLOCKS_PER_SIDE * CELLS_PER_BLOCK_SIDE;
            block(builder, x, y)
        })
        .collect::<Option<Vec<_>>>();
    let blocks = blocks.ok_or(DemoError::TooMany {
        what: "layers of a cell",
        value: usize::from(u8::MAX),
    })?;
    Ok(Region::new(id, blocks)?)
}

/// The block whose first cell is given; `None` if a cell has more layers than a block can hold.
fn block(builder: &GroundBuilder, x: usize, y: usize) -> Option<Block> {
    let columns: Vec<Vec<Cell>> = (0..CELLS_PER_BLOCK)
        .map(|cell| {
            let x = x + cell / CELLS_PER_BLOCK_SIDE;
            let y = y + cell % CELLS_PER_BLOCK_SIDE;
            layers(builder, [x as i32, y as i32])
        })
        .collect();
    if columns.iter().any(|column| column.len() > 1) {
        let multilayer = Multilayer::new(columns.iter().map(Vec::as_slice))?;
        return Some(Block::Multilayer(Box::new(multilayer)));
    }
    let cells: Vec<Cell> = columns.into_iter().flatten().collect();
    let heights = || cells.iter().map(|cell| cell.height);
    let (high, low) = (heights().max()?, heights().min()?);
    let is_open = cells.iter().all(|cell| cell.nswe == Nswe::ALL_SIDES);
    if is_open && high - low <= MAX_STEP {
        return Some(Block::Flat(Flat::new(high, low)));
    }
    Some(Block::Complex(cells.try_into().ok()?))
}
