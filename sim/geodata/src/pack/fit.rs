//! How the heights of a layer are brought near to zero: above their lowest, or above a slope.
//!
//! All 64 cells are gone through, those without the layer too: loops without jumps are done several cells at a time.

use super::layers::Layer;

/// Heights of a layer in units of 8 points, or of one where they are no multiples.
pub(super) struct Units<'a> {
    /// Whether a unit is 8 points.
    pub is_in_steps: bool,
    layer: &'a Layer,
    /// 0 in cells without the layer.
    heights: [i16; 64],
    low: i16,
    high: i16,
}

/// A plane below the heights of a layer.
#[derive(Clone, Copy)]
pub(super) struct Fit {
    /// The lowest height above the slope.
    pub base: i16,
    /// Bits of the highest one above the lowest.
    pub width: u32,
    /// Eighths of a unit a cell; fits a signed byte.
    pub slope_x: i16,
    pub slope_y: i16,
}

impl<'a> Units<'a> {
    pub(super) fn new(layer: &'a Layer) -> Self {
        let is_in_steps = layer.heights.iter().fold(0, |bits, height| bits | height) & 7 == 0;
        let shift = if is_in_steps { 3 } else { 0 };
        let (low, high) = bounds(&own_cells(layer, &layer.heights));
        Self {
            is_in_steps,
            layer,
            heights: layer.heights.map(|height| height >> shift),
            low: low >> shift,
            high: high >> shift,
        }
    }

    pub(super) fn n_cells(&self) -> usize {
        self.layer.mask.count_ones() as usize
    }

    /// The slope of least squares, in eighths of a unit a cell.
    fn slope(&self) -> (i16, i16) {
        let (mut n, mut sx, mut sy) = (0_i64, 0_i64, 0_i64);
        let (mut sxx, mut syy, mut sxy) = (0, 0, 0);
        let (mut sh, mut sxh) = (0, 0);
        let mut columns = [0; 8];
        for (x, row) in (0..).zip(self.heights.chunks_exact(8)) {
            let cells = ROWS[usize::from((self.layer.mask >> (8 * x)) as u8)];
            let [n_row, sy_row, syy_row] = cells.map(i64::from);
            n += n_row;
            sx += x * n_row;
            sy += sy_row;
            sxx += x * x * n_row;
            syy += syy_row;
            sxy += x * sy_row;
            for (column, height) in columns.iter_mut().zip(row) {
                *column += i32::from(*height);
            }
            let sh_row = i64::from(row.iter().map(|&height| i32::from(height)).sum::<i32>());
            sh += sh_row;
            sxh += x * sh_row;
        }
        let syh = (0..)
            .zip(columns)
            .map(|(y, sh)| y * i64::from(sh))
            .sum::<i64>();
        let (vx, vy, vxy) = (n * sxx - sx * sx, n * syy - sy * sy, n * sxy - sx * sy);
        let (cx, cy) = (n * sxh - sx * sh, n * syh - sy * sh);
        let det = (vx * vy - vxy * vxy) as f64;
        if det == 0.0 {
            return (0, 0);
        }
        let eighths = |numerator: i64| {
            let slope = 8.0 * numerator as f64 / det;
            // To the nearest, which the cast makes of the next half.
            (slope + 0.5_f64.copysign(slope)).clamp(-128.0, 127.0) as i16
        };
        let in_x = eighths(cx * vy - cy * vxy);
        let in_y = eighths(cy * vx - cx * vxy);
        (in_x, in_y)
    }
}

/// Cells of a row by its bits in the mask: how many, the sum of their y, and that of its squares.
const ROWS: [[u8; 3]; 256] = {
    let mut rows = [[0; 3]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut y = 0;
        while y < 8 {
            if bits >> y & 1 != 0 {
                let [n, sum, squares] = rows[bits];
                rows[bits] = [n + 1, sum + y, squares + y * y];
            }
            y += 1;
        }
        bits += 1;
    }
    rows
};

impl Fit {
    /// Plain, or above a slope if that is smaller with the two bytes that it takes; and the heights above it, of cells
    /// without the layer any number.
    pub(super) fn best(units: &Units<'_>) -> (Self, [i16; 64]) {
        let plain = Self::between(units.low, units.high, (0, 0));
        let n = units.n_cells() as u32;
        // No slope rises by more across a block.
        let room = 2 * 7 * 16;
        let may_overflow = units.low < i16::MIN + room || units.high > i16::MAX - room;
        if plain.width * n <= 16 || may_overflow {
            return (plain, units.heights);
        }
        let slope = units.slope();
        if slope == (0, 0) {
            return (plain, units.heights);
        }
        let residuals = above(&units.heights, slope);
        let (low, high) = bounds(&own_cells(units.layer, &residuals));
        let fitted = Self::between(low, high, slope);
        let bytes = |fit: &Self| (fit.width * n).div_ceil(8);
        if bytes(&fitted) + 2 < bytes(&plain) {
            (fitted, residuals)
        } else {
            (plain, units.heights)
        }
    }

    fn between(low: i16, high: i16, (slope_x, slope_y): (i16, i16)) -> Self {
        Self {
            base: low,
            width: u16::BITS - high.wrapping_sub(low).cast_unsigned().leading_zeros(),
            slope_x,
            slope_y,
        }
    }

    pub(super) fn is_sloped(&self) -> bool {
        (self.slope_x, self.slope_y) != (0, 0)
    }
}

fn above(heights: &[i16; 64], (slope_x, slope_y): (i16, i16)) -> [i16; 64] {
    let in_row = [0, 1, 2, 3, 4, 5, 6, 7].map(|y| y * slope_y);
    let (rows, _) = heights.as_chunks::<8>();
    let mut residuals = [0; 64];
    for ((x, row), to) in (0..).zip(rows).zip(residuals.as_chunks_mut::<8>().0) {
        *to = std::array::from_fn(|y| row[y].wrapping_sub((x * slope_x + in_row[y]) >> 3));
    }
    residuals
}

/// The lowest and the highest.
#[inline]
fn bounds(heights: &[i16; 64]) -> (i16, i16) {
    let low = heights.iter().fold(i16::MAX, |low, &it| low.min(it));
    let high = heights.iter().fold(i16::MIN, |high, &it| high.max(it));
    (low, high)
}

/// The same with one of the layer's cells in place of all that lack it, so that they change no bound.
fn own_cells(layer: &Layer, all: &[i16; 64]) -> [i16; 64] {
    let one = all[layer.mask.trailing_zeros() as usize & 63];
    std::array::from_fn(|cell| all[cell] & layer.own[cell] | one & !layer.own[cell])
}
