//! What the binary formats share: cells, columns and blocks to bytes and back. Dossier sections 2.1 to 2.4.
//!
//! Errors tell block and cell; nothing is reserved that the bytes at hand could not fill.

use std::borrow::Cow;

use super::cell::{Cell, Nswe};
use super::flat::Flat;
use super::multilayer::Multilayer;
use super::region::{BLOCKS_PER_SIDE, Block, CELLS_PER_BLOCK, MAX_LAYERS, N_BLOCKS, Region};
use super::{RegionId, Tolerance};
use crate::bytes::{FormatError, Reader, Writer};

/// How a format writes a cell-layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellForm {
    /// Height and sides in one word.
    Word,
    /// A byte of sides and diagonals, and a height.
    NsweAndHeight,
}

impl CellForm {
    fn size(self) -> usize {
        match self {
            Self::Word => 2,
            Self::NsweAndHeight => 3,
        }
    }

    fn cell(self, bytes: &[u8]) -> Cell {
        match (self, bytes) {
            (Self::Word, &[low, high]) => Cell::from_word(u16::from_le_bytes([low, high])),
            (Self::NsweAndHeight, &[nswe, low, high]) => Cell::new(
                i16::from_le_bytes([low, high]),
                Nswe::from_bits_retain(nswe),
            ),
            _ => unreachable!("chunks of the size of a cell"),
        }
    }

    /// Takes `n` cell-layers.
    pub(super) fn take<'a>(
        self,
        r: &mut Reader<'a>,
        field: &'static str,
        n: usize,
    ) -> Result<impl Iterator<Item = Cell> + use<'a>, FormatError> {
        let bytes = r.bytes(field, n.saturating_mul(self.size()))?;
        let cells = bytes.chunks_exact(self.size());
        Ok(cells.map(move |bytes| self.cell(bytes)))
    }

    /// Appends cell-layers.
    pub(super) fn put(self, w: &mut Writer, cells: &[Cell]) {
        for cell in cells {
            match self {
                Self::Word => w.u16(cell.to_word()),
                Self::NsweAndHeight => {
                    w.u8(cell.nswe.bits());
                    w.i16(cell.height);
                }
            }
        }
    }

    /// Takes the 64 cells of a complex block.
    pub(super) fn take_complex(self, r: &mut Reader<'_>) -> Result<Block, FormatError> {
        let mut cells = Box::new([Cell::default(); CELLS_PER_BLOCK]);
        let taken = self.take(r, "complex block", CELLS_PER_BLOCK)?;
        cells
            .iter_mut()
            .zip(taken)
            .for_each(|(to, cell)| *to = cell);
        Ok(Block::Complex(cells))
    }

    /// Takes 64 columns, each with its number of layers in front, which `take_count` takes and returns.
    pub(super) fn take_columns(
        self,
        r: &mut Reader<'_>,
        tolerance: Tolerance,
        take_count: impl Fn(&mut Reader<'_>) -> Result<u16, FormatError>,
    ) -> Result<Multilayer, FormatError> {
        let mut ends = [0; CELLS_PER_BLOCK];
        let mut layers = Vec::with_capacity(2 * CELLS_PER_BLOCK);
        for (cell, end) in ends.iter_mut().enumerate() {
            let at = r.clone();
            let column = take_count(r).and_then(|count| {
                let n_layers = checked_layers(&at, count, tolerance)?;
                self.take(r, "layers", n_layers)
            });
            layers.extend(column.map_err(|error| in_cell(error, cell))?);
            // 64 columns of at most 255 layers.
            *end = layers.len() as u16;
        }
        Ok(Multilayer::of_checked_parts(ends, layers))
    }
}

/// Blocks with a type byte in front: `.l2j`, `.l2d` and what is like them.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByteBlocks {
    pub flat: u8,
    pub complex: u8,
    pub multilayer: u8,
    pub form: CellForm,
    /// What the word of a flat block means.
    pub flat_of_word: fn(i16) -> Flat,
}

impl ByteBlocks {
    /// Bytes of the smallest block, a flat one.
    pub(super) const MIN_SIZE: usize = 3;

    /// Takes a block whose multilayer form is counts and layers.
    pub(super) fn take(
        &self,
        r: &mut Reader<'_>,
        tolerance: Tolerance,
    ) -> Result<Block, FormatError> {
        self.take_with(r, |r| {
            self.form
                .take_columns(r, tolerance, |r| r.u8("layer count").map(u16::from))
        })
    }

    /// Takes a block whose multilayer form `take_multilayer` knows.
    pub(super) fn take_with<'a>(
        &self,
        r: &mut Reader<'a>,
        take_multilayer: impl FnOnce(&mut Reader<'a>) -> Result<Multilayer, FormatError>,
    ) -> Result<Block, FormatError> {
        let at = r.clone();
        let kind = r.u8("block type")?;
        if kind == self.flat {
            return Ok(Block::Flat((self.flat_of_word)(r.i16("flat height")?)));
        }
        if kind == self.complex {
            return self.form.take_complex(r);
        }
        if kind == self.multilayer {
            return Ok(Block::Multilayer(Box::new(take_multilayer(r)?)));
        }
        let expected = format!(
            "{:#04x} flat, {:#04x} complex or {:#04x} multilayer",
            self.flat, self.complex, self.multilayer
        );
        Err(at.unexpected("block type", expected, format!("{kind:#04x}")))
    }

    /// Appends a block whose multilayer form is counts and layers.
    pub(super) fn put(&self, w: &mut Writer, block: &Block) -> Result<(), FormatError> {
        match block {
            Block::Flat(flat) => {
                w.u8(self.flat);
                w.i16(flat.first_word());
            }
            Block::Complex(cells) => {
                w.u8(self.complex);
                self.form.put(w, &cells[..]);
            }
            Block::Multilayer(multilayer) => {
                w.u8(self.multilayer);
                for column in multilayer.columns() {
                    w.u8(layer_count(w, column, MAX_LAYERS)?);
                    self.form.put(w, column);
                }
            }
        }
        Ok(())
    }
}

/// Takes `n_blocks` blocks, each of at least `min_size` bytes, by `take`, which gets the place of the block.
pub(super) fn take_blocks<'a>(
    r: &mut Reader<'a>,
    n_blocks: usize,
    min_size: usize,
    mut take: impl FnMut(&mut Reader<'a>, usize) -> Result<Block, FormatError>,
) -> Result<Vec<Block>, FormatError> {
    let n_blocks = r.claim("blocks", n_blocks as u64, min_size)?;
    let mut blocks = Vec::with_capacity(n_blocks);
    for index in 0..n_blocks {
        blocks.push(take(r, index).map_err(|error| in_block(error, index))?);
    }
    Ok(blocks)
}

/// Takes the blocks of a whole region.
pub(super) fn take_region<'a>(
    r: &mut Reader<'a>,
    id: RegionId,
    min_size: usize,
    take: impl FnMut(&mut Reader<'a>, usize) -> Result<Block, FormatError>,
) -> Result<Region, FormatError> {
    let blocks = take_blocks(r, N_BLOCKS, min_size, take)?;
    Region::new(id, blocks).map_err(|error| r.unexpected("blocks", "a whole region", error))
}

/// What stands after the last block.
pub(super) fn take_trailing(
    r: &mut Reader<'_>,
    tolerance: Tolerance,
) -> Result<Vec<u8>, FormatError> {
    if tolerance.contains(Tolerance::TRAILING_BYTES) {
        return Ok(r.rest().to_vec());
    }
    r.clone().finish("after the last block")?;
    Ok(Vec::new())
}

/// A number of layers that may be; the error stands at `at`.
pub(super) fn checked_layers(
    at: &Reader<'_>,
    count: u16,
    tolerance: Tolerance,
) -> Result<usize, FormatError> {
    let count = usize::from(count);
    let limit = if tolerance.contains(Tolerance::MANY_LAYERS) {
        usize::from(u8::MAX)
    } else {
        MAX_LAYERS
    };
    if (1..=limit).contains(&count) {
        return Ok(count);
    }
    Err(at.unexpected("layer count", format!("1 to {limit}"), count))
}

/// The number of layers of a column as a byte; more than `limit` is an error.
pub(super) fn layer_count(w: &Writer, column: &[Cell], limit: usize) -> Result<u8, FormatError> {
    u8::try_from(column.len())
        .ok()
        .filter(|&count| usize::from(count) <= limit)
        .ok_or_else(|| w.too_large("layer count", column.len() as u64, limit as u64))
}

/// The same error, told to be in a cell of a block.
pub(super) fn in_cell(mut error: FormatError, cell: usize) -> FormatError {
    error.field = Cow::Owned(format!("cell {cell}, {}", error.field));
    error
}

/// The same error, told to be in a block.
pub(super) fn in_block(mut error: FormatError, index: usize) -> FormatError {
    let (x, y) = (index / BLOCKS_PER_SIDE, index % BLOCKS_PER_SIDE);
    error.field = Cow::Owned(format!("block {x}, {y}, {}", error.field));
    error
}
