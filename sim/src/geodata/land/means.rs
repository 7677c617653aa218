//! What is seen of many cells at once: their mean height, what they mostly are.

use super::columns::{Sheet, StepGrid, for_blocks};
use crate::geodata::Geodata;
use crate::geodata::pack::{BlockView, Layer};
use ironlands_assets_loader::lineage2::Nswe;
use ironlands_assets_loader::lineage2::level_scene::LandMark;

/// Layers that are farther apart are two sheets.
const APART: i32 = 64;
/// Up to this level the lowest and the highest layer are kept apart.
const MAX_TWO_SHEETS_LEVEL: u8 = 2;

/// Sides in the order of their bits.
const SIDES: [Nswe; 4] = [Nswe::EAST, Nswe::WEST, Nswe::SOUTH, Nswe::NORTH];

/// Cells of a step, added up.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mean {
    n: i32,
    /// Of the highest layers, of the lowest, and of the highest where they are apart.
    sum_high: i32,
    sum_low: i32,
    n_apart: i32,
    sum_apart: i32,
    sum_layer: i32,
    /// Cells by mark.
    kinds: [u16; 4],
    /// Cells along each side, and how many of them are open to it: highest layers, lowest layers.
    n_along: [u16; 4],
    n_open_high: [u16; 4],
    n_open_low: [u16; 4],
    range: Option<[i16; 2]>,
}

/// The means of all steps of a grid.
pub(super) fn means(geodata: &Geodata, grid: &StepGrid) -> Vec<Mean> {
    let mut means = vec![Mean::default(); grid.side * grid.side];
    let level = grid.level;
    for_blocks(geodata, grid, |corner, block, mark| {
        let step = |cell: u16| {
            let (x, y) = (corner.x + (cell >> 3), corner.y + (cell & 7));
            grid.index_of(i32::from(x >> level), i32::from(y >> level))
        };
        match block {
            BlockView::Flat { high, .. } => {
                // Parts of the block that are in one step.
                let part = 1_u16 << level.min(3);
                for x in (0..8).step_by(usize::from(part)) {
                    for y in (0..8).step_by(usize::from(part)) {
                        if let Some(index) = step(x << 3 | y) {
                            let touched = sides_touched(level, corner.x + x, corner.y + y, part);
                            means[index].add_flat(*high, part, touched, mark);
                        }
                    }
                }
            }
            BlockView::Complex(_) | BlockView::Multilayer(_) => {
                // A block that lies in one step is added at once.
                let whole = (level >= 3).then(|| step(0));
                for cell in 0..64 {
                    let Some(index) = whole.unwrap_or_else(|| step(cell)) else {
                        continue;
                    };
                    let (x, y) = (corner.x + (cell >> 3), corner.y + (cell & 7));
                    let touched = sides_touched(level, x, y, 1);
                    means[index].add_cell(block, u32::from(cell), touched, mark);
                }
            }
        }
    });
    means
}

/// Sides of a step that a square of cells in it touches.
#[inline]
fn sides_touched(level: u8, x: u16, y: u16, side: u16) -> Nswe {
    let last = (1_u32 << level) - 1;
    let (x, y) = (u32::from(x) & last, u32::from(y) & last);
    let end = u32::from(side - 1);
    let mut touched = Nswe::empty();
    touched.set(Nswe::EAST, x + end == last);
    touched.set(Nswe::WEST, x == 0);
    touched.set(Nswe::SOUTH, y + end == last);
    touched.set(Nswe::NORTH, y == 0);
    touched
}

impl Mean {
    fn add_flat(&mut self, z: i16, side: u16, touched: Nswe, mark: LandMark) {
        let n = i32::from(side) * i32::from(side);
        let sum = n * i32::from(z);
        self.n += n;
        self.sum_high += sum;
        self.sum_low += sum;
        self.kinds[mark as usize & 3] += n as u16;
        self.cover([z, z]);
        for (at, bit) in SIDES.into_iter().enumerate() {
            if touched.contains(bit) {
                self.n_along[at] += side;
                self.n_open_high[at] += side;
                self.n_open_low[at] += side;
            }
        }
    }

    #[inline]
    fn add_cell(&mut self, block: &BlockView<'_>, cell: u32, touched: Nswe, mark: LandMark) {
        let Some([low, high]) = ends_of(block, cell) else {
            return;
        };
        self.n += 1;
        self.sum_high += high.z;
        self.sum_low += low.z;
        self.sum_layer += i32::from(high.index);
        if high.z - low.z > APART {
            self.n_apart += 1;
            self.sum_apart += high.z;
        }
        self.kinds[mark as usize & 3] += 1;
        // Heights come from files, where they have 16 bits.
        self.cover([low.z as i16, high.z as i16]);
        if touched.is_empty() {
            return;
        }
        let open_high = block.nswe(cell, high.index);
        let open_low = match low.index == high.index {
            true => open_high,
            false => block.nswe(cell, low.index),
        };
        for (at, bit) in SIDES.into_iter().enumerate() {
            if touched.contains(bit) {
                self.n_along[at] += 1;
                self.n_open_high[at] += u16::from(open_high.contains(bit));
                self.n_open_low[at] += u16::from(open_low.contains(bit));
            }
        }
    }

    fn cover(&mut self, [low, high]: [i16; 2]) {
        let [min, max] = self.range.unwrap_or([low, high]);
        self.range = Some([min.min(low), max.max(high)]);
    }

    /// Smallest and largest height of all layers.
    pub fn range(&self) -> Option<[i16; 2]> {
        self.range
    }

    /// What is shown: one sheet, or two where most cells have layers that are far apart.
    pub fn push_sheets(&self, level: u8, sheets: &mut Vec<Sheet>) {
        if self.n == 0 {
            return;
        }
        let sheet = |z: i16, n_open: &[u16; 4], layer: u8| Sheet {
            z,
            low: z,
            open_sides: self.open_sides(n_open),
            layer,
            mark: self.mark(),
            is_flat: false,
        };
        let is_apart = level <= MAX_TWO_SHEETS_LEVEL && self.n_apart * 2 >= self.n;
        if is_apart {
            let low = mean(self.sum_low, self.n);
            let high = mean(self.sum_apart, self.n_apart);
            if i32::from(high) - i32::from(low) > APART {
                sheets.push(sheet(low, &self.n_open_low, 0));
                sheets.push(sheet(high, &self.n_open_high, 1));
                return;
            }
        }
        // Layers are counted in bytes.
        let layer = mean(self.sum_layer, self.n) as u8;
        sheets.push(sheet(mean(self.sum_high, self.n), &self.n_open_high, layer));
    }

    /// A side is open where half of the cells along it are.
    fn open_sides(&self, n_open: &[u16; 4]) -> u8 {
        let open = SIDES.into_iter().zip(n_open).zip(self.n_along);
        open.filter(|&((_, &n_open), n)| u32::from(n_open) * 2 >= u32::from(n))
            .fold(Nswe::empty(), |open, ((side, _), _)| open | side)
            .bits()
    }

    /// What most cells are; of two the one that is more.
    fn mark(&self) -> LandMark {
        let most = (0_u8..).zip(self.kinds).max_by_key(|&(_, n)| n);
        most.and_then(|(number, _)| LandMark::of_number(number))
            .unwrap_or(LandMark::Flat)
    }
}

/// The lowest and the highest layer.
#[inline]
fn ends_of(block: &BlockView<'_>, cell: u32) -> Option<[Layer; 2]> {
    let mut ends: Option<[Layer; 2]> = None;
    block.layers_up(cell, |layer| {
        ends = Some([ends.map_or(layer, |[low, _]| low), layer]);
        true
    });
    ends
}

/// The mean, rounded.
pub(super) fn mean(sum: i32, n: i32) -> i16 {
    // A mean of numbers of 16 bits has no more.
    (2 * i64::from(sum) + i64::from(n)).div_euclid(2 * i64::from(n)) as i16
}
