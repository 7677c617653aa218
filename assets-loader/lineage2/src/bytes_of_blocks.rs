//! What the binary formats share: cells, columns and blocks to bytes and back. Dossier sections 2.1 to 2.4.
//!
//! Errors name block and cell; nothing is reserved that the bytes at hand could not fill.

use std::borrow::Cow;

use super::cell::{Cell, Nswe};
use super::flat::Flat;
use super::multilayer::Columns;
use super::region::{
    BLOCKS_PER_SIDE, Block, BlockRef, CELLS_PER_BLOCK, MAX_LAYERS, N_BLOCKS, Region,
};
use super::{RegionId, Tolerance};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};

/// How a format writes a cell-layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellForm {
    /// Height and sides in one word.
    Word,
    /// A byte of sides and diagonals, and a height.
    NsweAndHeight,
}

impl CellForm {
    #[inline]
    pub(super) fn size(self) -> usize {
        match self {
            Self::Word => 2,
            Self::NsweAndHeight => 3,
        }
    }

    /// Cell-layers to the start of `to`.
    #[inline]
    fn put_cells(self, bytes: &[u8], to: &mut [Cell]) {
        match self {
            Self::Word => {
                let (words, _) = bytes.as_chunks();
                for (to, &word) in to.iter_mut().zip(words) {
                    *to = Cell::from_word(u16::from_le_bytes(word));
                }
            }
            Self::NsweAndHeight => {
                let (cells, _) = bytes.as_chunks();
                for (to, &[nswe, low, high]) in to.iter_mut().zip(cells) {
                    let nswe = Nswe::from_bits_retain(nswe);
                    *to = Cell::new(i16::from_le_bytes([low, high]), nswe);
                }
            }
        }
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
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "64 cells of two or three bytes"
    )]
    #[inline]
    pub(super) fn take_complex<'b>(
        self,
        r: &mut Reader<'_>,
        buffer: &'b mut BlockBuffer,
    ) -> Result<BlockRef<'b>, FormatError> {
        let bytes = r.bytes("complex block", CELLS_PER_BLOCK * self.size())?;
        let cells = buffer.layers.first_chunk_mut::<CELLS_PER_BLOCK>();
        let cells = cells.expect("room for more than that");
        self.put_cells(bytes, cells);
        Ok(BlockRef::Complex(cells))
    }

    /// Takes 64 columns, each with its number of layers in `N` bytes in front.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "offsets in memory, and a column of at most 64 KiB that was compared with the end"
    )]
    #[inline(always)]
    pub(super) fn take_columns<'b, const N: usize>(
        self,
        r: &mut Reader<'_>,
        tolerance: Tolerance,
        buffer: &'b mut BlockBuffer,
    ) -> Result<Columns<'b>, FormatError> {
        let limit = most_layers(tolerance);
        // The bytes themselves: 64 times in turn, a place in a register is faster than a reader's.
        let bytes = r.clone().rest();
        let mut at = 0;
        buffer.clear();
        for cell in 0..CELLS_PER_BLOCK {
            let count = bytes.get(at..).and_then(<[u8]>::first_chunk::<N>);
            let count = count.map_or(0, |&count| count_of(count));
            let end = at + N + usize::from(count) * self.size();
            if !(1..=limit).contains(&count) || end > bytes.len() {
                let error = self.column_error::<N>(r, at, limit);
                return Err(in_cell(error, cell));
            }
            buffer.put_column(self, &bytes[at + N..], (cell, usize::from(count)));
            at = end;
        }
        r.bytes("columns", at)?;
        Ok(buffer.columns(self))
    }

    /// What is wrong with the column that begins `at` bytes behind the cursor.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "at most 65,535 layers of two or three bytes"
    )]
    #[cold]
    fn column_error<const N: usize>(self, r: &Reader<'_>, at: usize, limit: u16) -> FormatError {
        let mut r = r.clone();
        let mut take_count = || {
            r.bytes("columns", at)?;
            let place = r.clone();
            let count = count_of(r.array::<N>("layer count")?);
            if (1..=limit).contains(&count) {
                return Ok(count);
            }
            Err(place.unexpected("layer count", format!("1 to {limit}"), count))
        };
        take_count().map_or_else(
            |error| error,
            |count| {
                let kind = FormatErrorKind::Truncated {
                    needed: u64::from(count) * self.size() as u64,
                    available: r.remaining() as u64,
                };
                r.error("layers", kind)
            },
        )
    }
}

/// The number of layers in one or two bytes.
#[expect(clippy::indexing_slicing, reason = "a count has one or two bytes")]
#[inline]
fn count_of<const N: usize>(bytes: [u8; N]) -> u16 {
    let mut word = [0; 2];
    word[..N].copy_from_slice(&bytes);
    u16::from_le_bytes(word)
}

/// Layers that a cell may have.
#[inline]
fn most_layers(tolerance: Tolerance) -> u16 {
    if tolerance.contains(Tolerance::MANY_LAYERS) {
        u16::from(u8::MAX)
    } else {
        MAX_LAYERS as u16
    }
}

/// The cells of one block while it is read, so that nothing is reserved for each.
pub(super) struct BlockBuffer {
    ends: [u16; CELLS_PER_BLOCK],
    n_layers: usize,
    /// The layers as the file has them, with room for the longest columns that there can be, and for [`AHEAD`].
    bytes: Box<[u8]>,
    layers: Box<[Cell]>,
}

/// Bytes of a column that are copied before its length is checked: most have fewer, and the branch on the length
/// would be mispredicted.
const AHEAD: usize = 16;

impl BlockBuffer {
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "64 columns of at most 255 layers"
    )]
    pub(super) fn new() -> Self {
        let longest = CELLS_PER_BLOCK * usize::from(u8::MAX);
        let most_bytes = longest * CellForm::NsweAndHeight.size() + AHEAD;
        Self {
            ends: [0; CELLS_PER_BLOCK],
            n_layers: 0,
            bytes: vec![0; most_bytes].into(),
            layers: vec![Cell::default(); longest].into(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.n_layers = 0;
    }

    /// Puts the `n` layers of a cell, at most 255, which `bytes` begin with; the cells come in turn.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "64 columns of at most 255 layers, for which there is room"
    )]
    #[inline]
    pub(super) fn put_column(&mut self, form: CellForm, bytes: &[u8], (cell, n): (usize, usize)) {
        let n_bytes = n * form.size();
        let to = &mut self.bytes[self.n_layers * form.size()..];
        match (bytes.first_chunk::<AHEAD>(), to.first_chunk_mut()) {
            (Some(ahead), Some(to)) if n_bytes <= AHEAD => *to = *ahead,
            _ => copy(&bytes[..n_bytes], to),
        }
        self.n_layers += n;
        // 64 columns of at most 255 layers.
        self.ends[cell] = self.n_layers as u16;
    }

    /// All columns that were taken.
    #[expect(clippy::indexing_slicing, reason = "as many layers as were put in")]
    pub(super) fn columns(&mut self, form: CellForm) -> Columns<'_> {
        let layers = &mut self.layers[..self.n_layers];
        form.put_cells(&self.bytes, layers);
        Columns::from_checked_parts(&self.ends, layers)
    }
}

/// Apart, lest the compiler makes one copy of any length out of two.
#[expect(
    clippy::indexing_slicing,
    reason = "64 columns of at most 255 layers, for which there is room"
)]
#[cold]
fn copy(bytes: &[u8], to: &mut [u8]) {
    to[..bytes.len()].copy_from_slice(bytes);
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

    /// Reads the blocks of a region, whose multilayer form is counts and layers, from the cursor to its end, and calls
    /// `each` with every one. Returns the bytes after the last one.
    #[inline]
    pub(super) fn visit(
        &self,
        r: &mut Reader<'_>,
        tolerance: Tolerance,
        each: impl FnMut(BlockRef<'_>),
    ) -> Result<Vec<u8>, FormatError> {
        visit_blocks(
            r,
            (N_BLOCKS, Self::MIN_SIZE),
            |r, buffer, _| self.take(r, tolerance, buffer),
            each,
        )?;
        take_trailing(r, tolerance)
    }

    /// Takes a block whose multilayer form is counts and layers.
    #[inline(always)]
    pub(super) fn take<'b>(
        &self,
        r: &mut Reader<'_>,
        tolerance: Tolerance,
        buffer: &'b mut BlockBuffer,
    ) -> Result<BlockRef<'b>, FormatError> {
        self.take_with(r, buffer, |r, buffer| {
            self.form.take_columns::<1>(r, tolerance, buffer)
        })
    }

    /// Takes a block whose multilayer form `take_multilayer` knows.
    #[inline(always)]
    pub(super) fn take_with<'a, 'b>(
        &self,
        r: &mut Reader<'a>,
        buffer: &'b mut BlockBuffer,
        take_multilayer: impl FnOnce(
            &mut Reader<'a>,
            &'b mut BlockBuffer,
        ) -> Result<Columns<'b>, FormatError>,
    ) -> Result<BlockRef<'b>, FormatError> {
        let [kind] = r.peek("block type")?;
        let is_known = kind == self.flat || kind == self.complex || kind == self.multilayer;
        if !is_known {
            return Err(self.wrong_type(r, kind));
        }
        r.u8("block type")?;
        if kind == self.flat {
            Ok(BlockRef::Flat((self.flat_of_word)(r.i16("flat height")?)))
        } else if kind == self.complex {
            self.form.take_complex(r, buffer)
        } else {
            Ok(BlockRef::Multilayer(take_multilayer(r, buffer)?))
        }
    }

    #[cold]
    fn wrong_type(&self, r: &Reader<'_>, kind: u8) -> FormatError {
        let expected = format!(
            "{:#04x} flat, {:#04x} complex or {:#04x} multilayer",
            self.flat, self.complex, self.multilayer
        );
        r.unexpected("block type", expected, format!("{kind:#04x}"))
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

/// Takes `n_blocks` blocks, each of at least `min_size` bytes, by `take`, which gets the place of the block, and calls
/// `each` with them in turn.
#[inline]
pub(super) fn visit_blocks<'a>(
    r: &mut Reader<'a>,
    (n_blocks, min_size): (usize, usize),
    mut take: impl for<'b> FnMut(
        &mut Reader<'a>,
        &'b mut BlockBuffer,
        usize,
    ) -> Result<BlockRef<'b>, FormatError>,
    mut each: impl FnMut(BlockRef<'_>),
) -> Result<(), FormatError> {
    let n_blocks = r.claim("blocks", n_blocks as u64, min_size)?;
    let mut buffer = BlockBuffer::new();
    for index in 0..n_blocks {
        each(take(r, &mut buffer, index).map_err(|error| in_block(error, index))?);
    }
    Ok(())
}

/// A region of all blocks that were taken.
pub(super) fn whole_region(
    r: &Reader<'_>,
    id: RegionId,
    blocks: Vec<Block>,
) -> Result<Region, FormatError> {
    Region::new(id, blocks).map_err(|error| r.unexpected("blocks", "a whole region", error))
}

/// The bytes after the last block.
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

/// The number of layers of a column as a byte; more than `limit` is an error.
pub(super) fn layer_count(w: &Writer, column: &[Cell], limit: usize) -> Result<u8, FormatError> {
    u8::try_from(column.len())
        .ok()
        .filter(|&count| usize::from(count) <= limit)
        .ok_or_else(|| w.too_large("layer count", column.len() as u64, limit as u64))
}

/// The same error, attributed to a cell of a block.
pub(super) fn in_cell(mut error: FormatError, cell: usize) -> FormatError {
    error.field = Cow::Owned(format!("cell {cell}, {}", error.field));
    error
}

/// The same error, attributed to a block.
pub(super) fn in_block(mut error: FormatError, index: usize) -> FormatError {
    let (x, y) = (index / BLOCKS_PER_SIDE, index % BLOCKS_PER_SIDE);
    error.field = Cow::Owned(format!("block {x}, {y}, {}", error.field));
    error
}
