//! What every format becomes: the 65,536 blocks of a region. Dossier sections 1.1 and 3.1.

use thiserror::Error;

use super::cell::{Cell, Nswe};
use super::flat::Flat;
use super::grid::{CELLS_PER_REGION_SIDE, RegionId};
use super::multilayer::{Columns, Multilayer};

/// Blocks along a side of a region.
pub const BLOCKS_PER_SIDE: usize = 256;

/// Blocks of a region. The seed says one less; all real files have this many.
pub const N_BLOCKS: usize = BLOCKS_PER_SIDE * BLOCKS_PER_SIDE;

/// Cells along a side of a block.
pub const CELLS_PER_BLOCK_SIDE: usize = 8;

/// Cells of a block.
pub const CELLS_PER_BLOCK: usize = CELLS_PER_BLOCK_SIDE * CELLS_PER_BLOCK_SIDE;

/// Most layers of a cell that are written, and read unless a tolerance says more.
pub const MAX_LAYERS: usize = 125;

/// The cells of a block with one layer each, x-major.
pub type Complex = Box<[Cell; CELLS_PER_BLOCK]>;

/// 8 x 8 cells. Cells are x-major: the place of cell (x, y) is `x * 8 + y`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Block {
    /// Not divided.
    Flat(Flat),
    /// One layer a cell.
    Complex(Complex),
    /// One or more layers a cell.
    Multilayer(Box<Multilayer>),
}

/// A block that is borrowed: of a [`Region`], or of a file while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockRef<'a> {
    /// Not divided.
    Flat(Flat),
    /// One layer a cell.
    Complex(&'a [Cell; CELLS_PER_BLOCK]),
    /// One or more layers a cell.
    Multilayer(Columns<'a>),
}

/// A region in memory as it was read, for conversion and editing. Queries use `sim::geodata`, which is far smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Its number, by the file's name.
    pub id: RegionId,
    blocks: Vec<Block>,
}

/// Too few or too many blocks for a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{n_blocks} blocks, a region has {N_BLOCKS}")]
pub struct WrongBlockCount {
    /// Blocks that there are.
    pub n_blocks: usize,
}

impl Region {
    /// A region of [`N_BLOCKS`] blocks, x-major: the place of block (x, y) is `x * 256 + y`.
    ///
    /// # Errors
    /// If there are more or fewer blocks.
    pub fn new(id: RegionId, blocks: Vec<Block>) -> Result<Self, WrongBlockCount> {
        if blocks.len() != N_BLOCKS {
            return Err(WrongBlockCount {
                n_blocks: blocks.len(),
            });
        }
        Ok(Self { id, blocks })
    }

    /// A region of one flat ground.
    pub fn flat(id: RegionId, height: i16) -> Self {
        Self {
            id,
            blocks: vec![Block::Flat(Flat::from_height(height)); N_BLOCKS],
        }
    }

    /// All blocks, x-major; always [`N_BLOCKS`].
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// All blocks, to be changed.
    pub fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.blocks
    }

    /// A block by its numbers in x and y.
    pub fn block(&self, x: u8, y: u8) -> &Block {
        &self.blocks[usize::from(x) * BLOCKS_PER_SIDE + usize::from(y)]
    }

    /// Calls `each` with the layers of a cell, `0..2048` in x and y, in the order of the file; a flat block has one
    /// at its upper height. Nothing is called outside.
    pub fn with_layers<T>(&self, x: usize, y: usize, each: impl FnOnce(&[Cell]) -> T) -> Option<T> {
        if x >= CELLS_PER_REGION_SIDE || y >= CELLS_PER_REGION_SIDE {
            return None;
        }
        let block = &self.blocks[(x >> 3) * BLOCKS_PER_SIDE + (y >> 3)];
        let cell = (x & 7) * CELLS_PER_BLOCK_SIDE + (y & 7);
        Some(block.with_layers(cell, each))
    }
}

impl From<BlockRef<'_>> for Block {
    fn from(block: BlockRef<'_>) -> Self {
        match block {
            BlockRef::Flat(flat) => Self::Flat(flat),
            BlockRef::Complex(cells) => Self::Complex(Box::new(*cells)),
            BlockRef::Multilayer(columns) => Self::Multilayer(Box::new(columns.to_multilayer())),
        }
    }
}

impl Block {
    /// The same, borrowed.
    pub fn borrowed(&self) -> BlockRef<'_> {
        match self {
            Self::Flat(flat) => BlockRef::Flat(*flat),
            Self::Complex(cells) => BlockRef::Complex(cells),
            Self::Multilayer(multilayer) => BlockRef::Multilayer(multilayer.borrowed()),
        }
    }

    /// Calls `each` with the layers of a cell, `0..64`.
    pub fn with_layers<T>(&self, cell: usize, each: impl FnOnce(&[Cell]) -> T) -> T {
        match self {
            Self::Flat(flat) => each(&[Cell::new(flat.high(), Nswe::ALL_SIDES)]),
            Self::Complex(cells) => each(&cells[cell..=cell]),
            Self::Multilayer(multilayer) => each(multilayer.layers(cell)),
        }
    }

    /// All cell-layers but those of a flat block, which stores none.
    pub fn stored_layers(&self) -> &[Cell] {
        match self {
            Self::Flat(_) => &[],
            Self::Complex(cells) => &cells[..],
            Self::Multilayer(multilayer) => multilayer.all_layers(),
        }
    }

    /// The same, to be changed.
    pub fn stored_layers_mut(&mut self) -> &mut [Cell] {
        match self {
            Self::Flat(_) => &mut [],
            Self::Complex(cells) => &mut cells[..],
            Self::Multilayer(multilayer) => multilayer.all_layers_mut(),
        }
    }

    /// Whether each cell is stored and has one layer, as in a complex block.
    pub fn has_one_layer_per_cell(&self) -> bool {
        self.stored_layers().len() == CELLS_PER_BLOCK
    }
}
