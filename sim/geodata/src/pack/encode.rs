//! Blocks to records: layers as planes, each as small as its heights and sides allow.
//!
//! A layer's heights are stored above their lowest, or above a slope that is fitted to them, whichever takes fewer
//! bits. Layers go from the ground up, so that each covers a part of the cells of the one below. Which patterns of
//! sides are worth a place in the table is known only behind the last block, so a layer is a [`Draft`] first.

use super::fit::{Fit, Units};
use super::layers::{Layer, Stack};
use super::patterns::Patterns;
use super::plane::{FITTED, FULL, IN_NIBBLES, IN_PATTERNS, POINTS};
use super::{MARK_FLAT, MARK_MULTILAYER};
use ironlands_sim_regions::BlockRef;

/// Layers as bytes, all but what depends on the table of patterns.
#[derive(Default)]
pub(super) struct Drafts {
    layers: Vec<Draft>,
    bytes: Vec<u8>,
    stack: Stack,
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

impl Drafts {
    /// Adds the layers of a block, from the ground up, and returns how many; a flat block has none.
    pub(super) fn add(&mut self, block: BlockRef<'_>, patterns: &mut Patterns) -> usize {
        match block {
            BlockRef::Flat(_) => 0,
            BlockRef::Complex(cells) => {
                self.add_layer(&Layer::from_complex(cells), patterns);
                1
            }
            BlockRef::Multilayer(columns) => {
                let mut stack = std::mem::take(&mut self.stack);
                let layers = stack.set_columns(columns);
                let n_layers = layers.len();
                for layer in layers {
                    self.add_layer(layer, patterns);
                }
                self.stack = stack;
                n_layers
            }
        }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.layers.clear();
        self.bytes.clear();
    }

    /// All layers that were added.
    pub(super) fn len(&self) -> usize {
        self.layers.len()
    }

    fn add_layer(&mut self, layer: &Layer, patterns: &mut Patterns) {
        let units = Units::new(layer);
        let (fit, residuals) = Fit::best(&units);
        let (sides, pattern) = layer.sides();
        let n = units.n_cells();
        let flags = fit.width as u8
            | if fit.is_sloped() { FITTED } else { 0 }
            | if n == 64 { FULL } else { 0 }
            | if units.is_in_steps { 0 } else { POINTS };
        let start = self.bytes.len();
        let [low, high] = fit.base.to_le_bytes();
        self.bytes.extend([flags, sides, low, high]);
        if fit.is_sloped() {
            self.bytes.extend([fit.slope_x as u8, fit.slope_y as u8]);
        }
        if n < 64 {
            self.bytes.extend(layer.mask.to_le_bytes());
        }
        let header_len = (self.bytes.len() - start) as u8;
        let deltas = residuals.map(|it| it.wrapping_sub(fit.base).cast_unsigned());
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
            pattern: pattern.map(|pattern| patterns.count(&pattern, n)),
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
        let Some(pattern) = draft.pattern else {
            out.extend_from_slice(bytes);
            return;
        };
        let (header, deltas) = bytes.split_at(usize::from(draft.header_len));
        let place = out.len();
        out.extend_from_slice(header);
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

/// The numbers of the cells of a layer, one after another.
fn of_cells(numbers: &[u16; 64], mask: u64) -> [u16; 64] {
    if mask == u64::MAX {
        return *numbers;
    }
    let mut packed = [0; 64];
    let mut n = 0;
    // Each is written, and written over unless it is one of them: that is cheaper than to look for the next one.
    for (cell, &number) in numbers.iter().enumerate() {
        packed[n & 63] = number;
        n += (mask >> cell & 1) as usize;
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
pub(super) fn put_flat([high, low]: [i16; 2], out: &mut Vec<u8>) {
    out.extend([MARK_FLAT, 0]);
    out.extend(high.to_le_bytes());
    out.extend(low.to_le_bytes());
}
