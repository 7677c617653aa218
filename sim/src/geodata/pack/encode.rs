//! Blocks to records: layers as planes, each as small as its heights and sides allow.
//!
//! A layer's heights are stored above their lowest, or above a slope that is fitted to them, whichever takes fewer
//! bits. Layers go from the ground up, so that each covers a part of the cells of the one below. Which patterns of
//! sides are worth a place in the table is known only behind the last block, so a layer is a [`Draft`] first.

use super::fit::{Fit, Units};
use super::patterns::Patterns;
use super::plane::{FITTED, FULL, IN_NIBBLES, IN_PATTERNS, POINTS, Pattern};
use super::{MARK_FLAT, MARK_MULTILAYER};
use ironlands_assets_loader::lineage2::{Block, Cell, Flat};

/// A layer of a block.
#[derive(Clone)]
pub(super) struct Layer {
    /// Cells that have it.
    mask: u64,
    /// 0 in all others, as sides are.
    heights: [i16; 64],
    sides: [u8; 64],
}

/// Layers as bytes, all but what depends on the table of patterns.
#[derive(Default)]
pub(super) struct Drafts {
    layers: Vec<Draft>,
    bytes: Vec<u8>,
    scratch: Vec<Layer>,
}

/// A layer of [`Drafts`].
#[derive(Clone, Copy)]
pub(super) struct Draft {
    /// Where its bytes end; the header comes first, then the deltas.
    end: u32,
    header_len: u8,
    mask: u64,
    /// Place of its pattern; `None` if all its sides are the same.
    pattern: Option<u32>,
}

impl Layer {
    const NONE: Self = Self {
        mask: 0,
        heights: [0; 64],
        sides: [0; 64],
    };

    #[inline]
    fn set(&mut self, cell: usize, layer: Cell) {
        self.mask |= 1 << cell;
        self.heights[cell] = layer.height;
        self.sides[cell] = layer.nswe.sides().bits();
    }

    fn of_complex(cells: &[Cell; 64]) -> Self {
        Self {
            mask: u64::MAX,
            heights: std::array::from_fn(|cell| cells[cell].height),
            sides: std::array::from_fn(|cell| cells[cell].nswe.sides().bits()),
        }
    }

    /// Sides of the first cell, and of all cells if they differ.
    fn sides(&self) -> (u8, Option<Pattern>) {
        let first = self.sides[self.mask.trailing_zeros() as usize & 63];
        let one: Pattern = [first * 0x11; 32];
        let all: Pattern =
            std::array::from_fn(|pair| self.sides[2 * pair] | self.sides[2 * pair + 1] << 4);
        if self.mask == u64::MAX {
            return (first, (all != one).then_some(all));
        }
        let mut sides = self.sides.iter().enumerate();
        let differs = sides.any(|(cell, &sides)| self.mask >> cell & 1 != 0 && sides != first);
        (first, differs.then_some(all))
    }
}

impl Drafts {
    /// Adds the layers of a block, from the ground up, and returns how many; a flat block has none.
    pub(super) fn add(&mut self, block: &Block, patterns: &mut Patterns) -> usize {
        match block {
            Block::Flat(_) => 0,
            Block::Complex(cells) => {
                self.add_layer(&Layer::of_complex(cells), patterns);
                1
            }
            Block::Multilayer(multilayer) => {
                let mut layers = std::mem::take(&mut self.scratch);
                layers.clear();
                for (cell, column) in multilayer.columns().enumerate() {
                    if layers.len() < column.len() {
                        layers.resize(column.len(), Layer::NONE);
                    }
                    if column.is_sorted_by(|a, b| a.height >= b.height) {
                        for (layer, &source) in layers.iter_mut().zip(column.iter().rev()) {
                            layer.set(cell, source);
                        }
                        continue;
                    }
                    // Highest first, equal ones as in the file; then from the ground up.
                    let mut sorted = column.to_vec();
                    sorted.sort_by_key(|layer| std::cmp::Reverse(layer.height));
                    for (layer, &source) in layers.iter_mut().zip(sorted.iter().rev()) {
                        layer.set(cell, source);
                    }
                }
                for layer in &layers {
                    self.add_layer(layer, patterns);
                }
                self.scratch = layers;
                self.scratch.len()
            }
        }
    }

    fn add_layer(&mut self, layer: &Layer, patterns: &mut Patterns) {
        let units = Units::new(layer.mask, &layer.heights);
        let fit = Fit::best(&units);
        let (sides, pattern) = layer.sides();
        let n = units.n_cells();
        let flags = fit.width as u8
            | if fit.is_sloped() { FITTED } else { 0 }
            | if n == 64 { FULL } else { 0 }
            | if units.is_in_steps { 0 } else { POINTS };
        let start = self.bytes.len();
        self.bytes.extend([flags, sides]);
        self.bytes.extend((fit.base as i16).to_le_bytes());
        if fit.is_sloped() {
            self.bytes.extend([fit.slope_x as u8, fit.slope_y as u8]);
        }
        if n < 64 {
            self.bytes.extend(layer.mask.to_le_bytes());
        }
        let header_len = (self.bytes.len() - start) as u8;
        let deltas = fit
            .residuals(&units)
            .map(|it| it.wrapping_sub(fit.base) as u16);
        put_bits(
            &of_cells(&deltas, layer.mask),
            n,
            fit.width,
            &mut self.bytes,
        );
        self.layers.push(Draft {
            end: self.bytes.len() as u32,
            header_len,
            mask: layer.mask,
            pattern: pattern.map(|pattern| patterns.count(pattern, n)),
        });
    }

    /// The next `n` layers after the first `start`, as a record.
    pub(super) fn put(&self, start: usize, n: usize, patterns: &Patterns, out: &mut Vec<u8>) {
        if n == 1 {
            self.put_layer(start, patterns, out);
            return;
        }
        let record = out.len();
        // At most 255 layers of less than 200 bytes.
        out.extend([MARK_MULTILAYER, n as u8]);
        let offsets = out.len();
        out.resize(offsets + 2 * (n - 1), 0);
        for index in 0..n {
            if index > 0 {
                let offset = ((out.len() - record) as u16).to_le_bytes();
                out[offsets + 2 * (index - 1)..][..2].copy_from_slice(&offset);
            }
            self.put_layer(start + index, patterns, out);
        }
    }

    fn put_layer(&self, index: usize, patterns: &Patterns, out: &mut Vec<u8>) {
        let draft = self.layers[index];
        let start = index
            .checked_sub(1)
            .map_or(0, |before| self.layers[before].end);
        let bytes = &self.bytes[start as usize..draft.end as usize];
        let (header, deltas) = bytes.split_at(usize::from(draft.header_len));
        let place = out.len();
        out.extend_from_slice(header);
        let Some(pattern) = draft.pattern else {
            out.extend_from_slice(deltas);
            return;
        };
        if let Some(id) = patterns.id(pattern) {
            out[place + 1] = IN_PATTERNS;
            out.extend(id.to_le_bytes());
            out.extend_from_slice(deltas);
            return;
        }
        out[place + 1] = IN_NIBBLES;
        out.extend_from_slice(deltas);
        let sides = patterns.get(pattern);
        let sides: [u16; 64] =
            std::array::from_fn(|cell| u16::from(sides[cell / 2] >> (cell % 2 * 4) & 0xF));
        let n = draft.mask.count_ones() as usize;
        put_bits(&of_cells(&sides, draft.mask), n, 4, out);
    }
}

/// The numbers of the cells of a mask, one after another.
fn of_cells(numbers: &[u16; 64], mask: u64) -> [u16; 64] {
    if mask == u64::MAX {
        return *numbers;
    }
    let mut packed = [0; 64];
    let mut left = mask;
    for to in packed.iter_mut().take(mask.count_ones() as usize) {
        *to = numbers[left.trailing_zeros() as usize & 63];
        left &= left.wrapping_sub(1);
    }
    packed
}

/// The first `n` numbers with `width` bits each, at most 16, the first in the lowest bits; the last byte is filled with
/// zeros. So must be what follows the numbers.
fn put_bits(numbers: &[u16; 64], n: usize, width: u32, out: &mut Vec<u8>) {
    // Eight numbers take `width` bytes; more are written and written over.
    let mut bytes = [0; 8 * 16];
    let mut at = 0;
    for row in numbers.chunks_exact(8).take(n.div_ceil(8)) {
        let pair = |first: usize| u64::from(row[first]) | u64::from(row[first + 1]) << width;
        let four = |first: usize| u128::from(pair(first) | pair(first + 2) << (2 * width));
        let eight = four(0) | four(4) << (4 * width);
        bytes[at..at + 16].copy_from_slice(&eight.to_le_bytes());
        at += width as usize;
    }
    out.extend_from_slice(&bytes[..(n * width as usize).div_ceil(8)]);
}

/// The record of a flat block.
pub(super) fn put_flat(flat: Flat, out: &mut Vec<u8>) {
    out.extend([MARK_FLAT, 0]);
    out.extend(flat.high().to_le_bytes());
    out.extend(flat.low().to_le_bytes());
}
