//! How the heights of a layer are brought near to zero: above their lowest, or above a slope.
//!
//! All 64 cells are gone through, those without the layer too: loops without jumps are done several cells at a time.

/// Heights of a layer in units of 8 points, or of one where they are no multiples.
pub(super) struct Units {
    /// Whether a unit is 8 points.
    pub is_in_steps: bool,
    mask: u64,
    /// 0 in cells without the layer.
    heights: [i32; 64],
    low: i32,
    high: i32,
}

/// A plane below the heights of a layer.
#[derive(Clone, Copy)]
pub(super) struct Fit {
    /// The lowest height above the slope.
    pub base: i32,
    /// Bits of the highest one above the lowest.
    pub width: u32,
    /// Eighths of a unit a cell; fits a signed byte.
    pub slope_x: i32,
    pub slope_y: i32,
}

impl Units {
    pub(super) fn new(mask: u64, heights: &[i16; 64]) -> Self {
        let is_in_steps = heights.iter().fold(0, |bits, height| bits | height) & 7 == 0;
        let shift = if is_in_steps { 3 } else { 0 };
        let own = own_cells(mask, heights);
        let low = own.iter().fold(i16::MAX, |low, &it| low.min(it));
        let high = own.iter().fold(i16::MIN, |high, &it| high.max(it));
        Self {
            is_in_steps,
            mask,
            heights: heights.map(|height| i32::from(height) >> shift),
            low: i32::from(low) >> shift,
            high: i32::from(high) >> shift,
        }
    }

    pub(super) fn n_cells(&self) -> usize {
        self.mask.count_ones() as usize
    }

    /// The slope of least squares, in eighths of a unit a cell.
    fn slope(&self) -> (i32, i32) {
        let (mut n, mut sx, mut sy) = (0_i64, 0_i64, 0_i64);
        let (mut sxx, mut syy, mut sxy) = (0, 0, 0);
        let (mut sh, mut sxh) = (0, 0);
        let mut columns = [0; 8];
        for (x, row) in (0..).zip(self.heights.chunks_exact(8)) {
            let cells = ROWS[usize::from((self.mask >> (8 * x)) as u8)];
            let [n_row, sy_row, syy_row] = cells.map(i64::from);
            n += n_row;
            sx += x * n_row;
            sy += sy_row;
            sxx += x * x * n_row;
            syy += syy_row;
            sxy += x * sy_row;
            for (column, height) in columns.iter_mut().zip(row) {
                *column += height;
            }
            let sh_row = i64::from(row.iter().sum::<i32>());
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
        let eighths = |numerator: i64| (8.0 * numerator as f64 / det).round().clamp(-128.0, 127.0);
        let in_x = eighths(cx * vy - cy * vxy);
        let in_y = eighths(cy * vx - cx * vxy);
        (in_x as i32, in_y as i32)
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
    /// Plain, or above a slope if that is smaller with the two bytes that it takes.
    pub(super) fn best(units: &Units) -> Self {
        let plain = Self::between(units.low, units.high, (0, 0));
        let n = units.n_cells() as u32;
        if plain.width * n <= 16 {
            return plain;
        }
        let slope = units.slope();
        if slope == (0, 0) {
            return plain;
        }
        let residuals = own_cells(units.mask, &above(&units.heights, slope));
        let low = residuals.iter().fold(i32::MAX, |low, &it| low.min(it));
        let high = residuals.iter().fold(i32::MIN, |high, &it| high.max(it));
        let fitted = Self::between(low, high, slope);
        let fits = i16::try_from(fitted.base).is_ok();
        let bytes = |fit: &Self| (fit.width * n).div_ceil(8);
        if fits && bytes(&fitted) + 2 < bytes(&plain) {
            fitted
        } else {
            plain
        }
    }

    fn between(low: i32, high: i32, (slope_x, slope_y): (i32, i32)) -> Self {
        Self {
            base: low,
            width: u32::BITS - (high - low).leading_zeros(),
            slope_x,
            slope_y,
        }
    }

    /// Heights above the slope, of cells without the layer any number.
    pub(super) fn residuals(&self, units: &Units) -> [i32; 64] {
        if self.is_sloped() {
            above(&units.heights, (self.slope_x, self.slope_y))
        } else {
            units.heights
        }
    }

    pub(super) fn is_sloped(&self) -> bool {
        (self.slope_x, self.slope_y) != (0, 0)
    }
}

fn above(heights: &[i32; 64], (slope_x, slope_y): (i32, i32)) -> [i32; 64] {
    let in_row: [i32; 8] = std::array::from_fn(|y| y as i32 * slope_y);
    let mut residuals = *heights;
    for (x, row) in (0..).zip(residuals.chunks_exact_mut(8)) {
        for (height, rise) in row.iter_mut().zip(in_row) {
            *height -= (x * slope_x + rise) >> 3;
        }
    }
    residuals
}

/// The same with one of the cells of a mask in place of all others, so that they change no bound.
fn own_cells<T: Copy>(mask: u64, all: &[T; 64]) -> [T; 64] {
    let mut own = *all;
    if mask != u64::MAX {
        let one = all[mask.trailing_zeros() as usize & 63];
        for (cell, it) in own.iter_mut().enumerate() {
            *it = if mask >> cell & 1 != 0 { *it } else { one };
        }
    }
    own
}
