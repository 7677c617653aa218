//! Blocks to records: layers as planes, each as small as its heights and sides allow.
//!
//! A layer's heights are stored above their lowest, or above a slope that is fitted to them, whichever takes fewer
//! bits. Layers go from the ground up, so that each covers a part of the cells of the one below.

use super::plane::{FITTED, FULL, IN_NIBBLES, IN_PATTERNS, POINTS, Pattern};
use super::{MARK_FLAT, MARK_MULTILAYER};
use ironlands_assets_loader::lineage2::{Block, Cell};
use std::collections::HashMap;

/// Patterns of sides that are worth a place in the table, by content.
pub(super) type PatternIds = HashMap<Pattern, u16>;

/// A layer before it becomes bytes.
#[derive(Clone)]
pub(super) struct Layer {
    mask: u64,
    heights: [i16; 64],
    sides: [u8; 64],
}

impl Layer {
    const NONE: Self = Self {
        mask: 0,
        heights: [0; 64],
        sides: [0; 64],
    };

    fn set(&mut self, cell: usize, layer: Cell) {
        self.mask |= 1 << cell;
        self.heights[cell] = layer.height;
        self.sides[cell] = layer.nswe.sides().bits();
    }

    fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let mut left = self.mask;
        std::iter::from_fn(move || {
            let cell = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (cell < 64).then_some(cell as usize)
        })
    }

    /// Sides by cell, if they differ; cells without this layer have none.
    pub(super) fn pattern(&self) -> Option<Pattern> {
        let mut cells = self.cells();
        let first = self.sides[cells.next()?];
        cells.any(|cell| self.sides[cell] != first).then(|| {
            let mut pattern = [0; 32];
            for cell in self.cells() {
                pattern[cell / 2] |= self.sides[cell] << (cell % 2 * 4);
            }
            pattern
        })
    }

    /// Cells that have this layer.
    pub(super) fn n_cells(&self) -> usize {
        self.mask.count_ones() as usize
    }

    fn put(&self, patterns: &PatternIds, out: &mut Vec<u8>) {
        let n = self.n_cells();
        let is_in_steps = self.cells().all(|cell| self.heights[cell] % 8 == 0);
        let unit = if is_in_steps { 8 } else { 1 };
        let fit = Fit::best(self, unit);
        let pattern = self.pattern();
        let id = pattern.and_then(|pattern| patterns.get(&pattern).copied());
        let sides = match (pattern, id) {
            (None, _) => self.cells().next().map_or(0, |cell| self.sides[cell]),
            (Some(_), None) => IN_NIBBLES,
            (Some(_), Some(_)) => IN_PATTERNS,
        };
        let is_fitted = (fit.slope_x, fit.slope_y) != (0, 0);
        let flags = fit.width as u8
            | if is_fitted { FITTED } else { 0 }
            | if n == 64 { FULL } else { 0 }
            | if is_in_steps { 0 } else { POINTS };
        out.extend([flags, sides]);
        out.extend((fit.base as i16).to_le_bytes());
        if is_fitted {
            out.extend([fit.slope_x as u8, fit.slope_y as u8]);
        }
        if n < 64 {
            out.extend(self.mask.to_le_bytes());
        }
        if let Some(id) = id {
            out.extend(id.to_le_bytes());
        }
        let deltas = self
            .cells()
            .map(|cell| fit.residual(self, unit, cell) - fit.base);
        put_bits(deltas, fit.width, out);
        if sides == IN_NIBBLES {
            put_bits(self.cells().map(|cell| i32::from(self.sides[cell])), 4, out);
        }
    }
}

/// How heights are brought near to zero.
#[derive(Clone, Copy)]
struct Fit {
    base: i32,
    width: u32,
    /// Eighths of a unit a cell; fits a signed byte.
    slope_x: i32,
    slope_y: i32,
}

impl Fit {
    /// Plain, or above a slope if that is smaller with the two bytes that it takes.
    fn best(layer: &Layer, unit: i32) -> Self {
        let plain = Self::with_slope(layer, unit, (0, 0));
        let n = layer.n_cells() as u32;
        if plain.width * n <= 16 {
            return plain;
        }
        let fitted = Self::with_slope(layer, unit, slope(layer, unit));
        let fits = i16::try_from(fitted.base).is_ok();
        let bytes = |fit: &Self| (fit.width * n).div_ceil(8);
        if fits && bytes(&fitted) + 2 < bytes(&plain) {
            fitted
        } else {
            plain
        }
    }

    fn with_slope(layer: &Layer, unit: i32, (slope_x, slope_y): (i32, i32)) -> Self {
        let mut fit = Self {
            base: 0,
            width: 0,
            slope_x,
            slope_y,
        };
        let (mut low, mut high) = (i32::MAX, i32::MIN);
        for cell in layer.cells() {
            let residual = fit.residual(layer, unit, cell);
            low = low.min(residual);
            high = high.max(residual);
        }
        fit.base = low;
        fit.width = u32::BITS - (high - low).leading_zeros();
        fit
    }

    fn residual(&self, layer: &Layer, unit: i32, cell: usize) -> i32 {
        let (x, y) = ((cell >> 3) as i32, (cell & 7) as i32);
        i32::from(layer.heights[cell]) / unit - ((x * self.slope_x + y * self.slope_y) >> 3)
    }
}

/// The slope of least squares, in eighths of a unit a cell.
fn slope(layer: &Layer, unit: i32) -> (i32, i32) {
    let n = layer.n_cells() as i64;
    let (mut sx, mut sy, mut sh) = (0, 0, 0);
    let (mut sxx, mut syy, mut sxy, mut sxh, mut syh) = (0, 0, 0, 0, 0);
    for cell in layer.cells() {
        let (x, y) = ((cell >> 3) as i64, (cell & 7) as i64);
        let h = i64::from(i32::from(layer.heights[cell]) / unit);
        sx += x;
        sy += y;
        sh += h;
        sxx += x * x;
        syy += y * y;
        sxy += x * y;
        sxh += x * h;
        syh += y * h;
    }
    let (vx, vy, vxy) = (n * sxx - sx * sx, n * syy - sy * sy, n * sxy - sx * sy);
    let (cx, cy) = (n * sxh - sx * sh, n * syh - sy * sh);
    let det = (vx * vy - vxy * vxy) as f64;
    if det == 0.0 {
        return (0, 0);
    }
    let eighths = |numerator: i64| (8.0 * numerator as f64 / det).round().clamp(-128.0, 127.0);
    let in_x = eighths(cx * vy - cy * vxy);
    let in_y = eighths(cy * vx - cx * vxy);
    (in_x as i32, in_y as i32)
}

/// Numbers of `width` bits, the first in the lowest bits; the last byte is filled with zeros.
fn put_bits(numbers: impl Iterator<Item = i32>, width: u32, out: &mut Vec<u8>) {
    let (mut word, mut n_bits) = (0_u64, 0);
    for number in numbers {
        word |= u64::from(number as u32) << n_bits;
        n_bits += width;
        while n_bits >= 8 {
            out.push(word as u8);
            word >>= 8;
            n_bits -= 8;
        }
    }
    if n_bits > 0 {
        out.push(word as u8);
    }
}

/// Calls `each` with the layers of a block from the ground up; a flat block has none.
pub(super) fn with_layers(block: &Block, scratch: &mut Vec<Layer>, mut each: impl FnMut(&[Layer])) {
    let mut n_used = 0;
    let mut layer_of = |scratch: &mut Vec<Layer>, index: usize| {
        if index >= scratch.len() {
            scratch.push(Layer::NONE);
        }
        if index >= n_used {
            scratch[index].mask = 0;
            n_used = index + 1;
        }
    };
    match block {
        Block::Flat(_) => {}
        Block::Complex(cells) => {
            layer_of(scratch, 0);
            for (cell, &layer) in cells.iter().enumerate() {
                scratch[0].set(cell, layer);
            }
        }
        Block::Multilayer(multilayer) => {
            for (cell, column) in multilayer.columns().enumerate() {
                if column.is_sorted_by(|a, b| a.height >= b.height) {
                    for (index, &layer) in column.iter().rev().enumerate() {
                        layer_of(scratch, index);
                        scratch[index].set(cell, layer);
                    }
                    continue;
                }
                // Highest first, equal ones as in the file; then from the ground up.
                let mut sorted = column.to_vec();
                sorted.sort_by_key(|layer| std::cmp::Reverse(layer.height));
                for (index, &layer) in sorted.iter().rev().enumerate() {
                    layer_of(scratch, index);
                    scratch[index].set(cell, layer);
                }
            }
        }
    }
    each(&scratch[..n_used]);
}

/// The record of a block.
pub(super) fn put_block(
    block: &Block,
    scratch: &mut Vec<Layer>,
    patterns: &PatternIds,
    out: &mut Vec<u8>,
) {
    if let Block::Flat(flat) = block {
        out.extend([MARK_FLAT, 0]);
        out.extend(flat.high().to_le_bytes());
        out.extend(flat.low().to_le_bytes());
        return;
    }
    with_layers(block, scratch, |layers| {
        if let [only] = layers {
            only.put(patterns, out);
            return;
        }
        let start = out.len();
        // At most 255 layers of less than 200 bytes.
        out.extend([MARK_MULTILAYER, layers.len() as u8]);
        let offsets = out.len();
        out.resize(offsets + 2 * (layers.len() - 1), 0);
        for (index, layer) in layers.iter().enumerate() {
            if index > 0 {
                let offset = ((out.len() - start) as u16).to_le_bytes();
                out[offsets + 2 * (index - 1)..][..2].copy_from_slice(&offset);
            }
            layer.put(patterns, out);
        }
    });
}
