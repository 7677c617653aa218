//! Regions from above as pictures: north is up, a pixel is one or more cells.
//!
//! Out: plain RGBA bytes, rows from the north. Deliberately absent: image files.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "pixels of a picture in memory, and cells of a region"
)]

mod labels;
#[cfg(test)]
mod tests;

use super::cell::{Cell, Nswe};
use super::diff::{Change, RegionDiff};
use super::grid::{CELLS_PER_REGION_SIDE, RegionId};
use super::region::{Block, Region};

/// An RGBA picture, four bytes a pixel, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels along the top.
    pub width: usize,
    /// Pixels along the side.
    pub height: usize,
    /// `width * height * 4` bytes: red, green, blue, opacity.
    pub rgba: Vec<u8>,
}

/// Which layer of a cell is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShownLayer {
    /// What the sun shines on.
    #[default]
    Highest,
    /// The ground under bridges and roofs.
    Lowest,
}

/// What colors say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coloring {
    /// How high the ground is.
    #[default]
    Height,
    /// The same, darker, with closed sides in red: the more of them, the redder.
    Nswe,
    /// What blocks are: flat in green, complex in blue, multilayer in orange.
    Blocks,
}

/// How a region is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureOptions {
    /// Which layer is seen.
    pub layer: ShownLayer,
    /// What colors say.
    pub coloring: Coloring,
    /// A power of two up to 2048. A pixel is the mean of up to 4 x 4 of its cells.
    pub cells_per_pixel: usize,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            layer: ShownLayer::default(),
            coloring: Coloring::default(),
            cells_per_pixel: 1,
        }
    }
}

/// Cells along a side of a pixel whose mean it is, at most.
const MAX_SAMPLES: usize = 4;

/// Colors of the ground from low to high, with their heights: bed of the sea, beach, grass, heath, rock, snow. The
/// level's land has the same.
pub(super) const RAMP: [(i16, [u8; 3]); 14] = [
    (-6500, [14, 30, 74]),
    (-4690, [32, 72, 118]),
    (-4630, [52, 100, 128]),
    (-4560, [186, 172, 126]),
    (-4380, [116, 140, 76]),
    (-3800, [86, 128, 60]),
    (-3500, [98, 136, 62]),
    (-3100, [124, 148, 70]),
    (-2600, [148, 152, 84]),
    (-2000, [152, 142, 92]),
    (-1000, [150, 136, 98]),
    (800, [128, 116, 106]),
    (3200, [176, 172, 172]),
    (5200, [242, 244, 248]),
];

/// Colors of the kinds of blocks: flat, complex, multilayer.
pub(super) const KIND_COLORS: [[u8; 3]; 3] = [[98, 134, 88], [84, 122, 176], [206, 134, 62]];

/// How many points of a slope make a cell as bright or dark as can be.
const STEEP: f32 = 48.0;

impl Picture {
    /// A transparent picture.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            rgba: vec![0; width * height * 4],
        }
    }

    /// A region from above, lit from the north-west.
    ///
    /// The picture has `2048 / cells_per_pixel` pixels a side. `None` if that number is no power of two up to 2048.
    pub fn from_region(region: &Region, options: &PictureOptions) -> Option<Self> {
        let cells_per_pixel = options.cells_per_pixel;
        if !cells_per_pixel.is_power_of_two() || cells_per_pixel > CELLS_PER_REGION_SIDE {
            return None;
        }
        let side = CELLS_PER_REGION_SIDE / cells_per_pixel;
        let n_samples = cells_per_pixel.min(MAX_SAMPLES);
        let samples = Samples {
            region,
            options,
            step: cells_per_pixel / n_samples,
        };
        let mut picture = Self::new(side, side);
        for x in 0..side {
            for y in 0..side {
                let first = (x * cells_per_pixel, y * cells_per_pixel);
                picture.set(x, y, samples.mean(first, n_samples));
            }
        }
        Some(picture)
    }

    /// Marks the cells that differ over this picture of a region, whose pixels are this many cells wide: red where
    /// layers came or went, yellow where heights changed, blue where sides did.
    pub fn mark(&mut self, diff: &RegionDiff, cells_per_pixel: usize) {
        let cells_per_pixel = cells_per_pixel.max(1);
        for changed in &diff.cells {
            let x = usize::from(changed.cell.x) % CELLS_PER_REGION_SIDE / cells_per_pixel;
            let y = usize::from(changed.cell.y) % CELLS_PER_REGION_SIDE / cells_per_pixel;
            let color = if changed.change.contains(Change::LAYERS) {
                [255, 40, 40]
            } else if changed.change.intersects(Change::HEIGHT | Change::FLAT_LOW) {
                [255, 220, 40]
            } else {
                [60, 140, 255]
            };
            if x < self.width && y < self.height {
                self.set(x, y, color);
            }
        }
    }

    /// Makes it gray and dark, so that marks stand out.
    pub fn fade(&mut self) {
        for pixel in self.rgba.chunks_exact_mut(4) {
            let sum: u16 = pixel[..3].iter().map(|&c| u16::from(c)).sum();
            pixel[..3].fill((sum / 6) as u8);
        }
    }

    /// A map of many regions, each a square of `side` pixels; what lies between them is transparent. `None` without
    /// a region. A picture of another size is left out.
    pub fn mosaic<'a>(
        tiles: impl IntoIterator<Item = (RegionId, &'a Self)> + Clone,
        side: usize,
    ) -> Option<Self> {
        let ids = || tiles.clone().into_iter().map(|(id, _)| id);
        let (min_x, max_x) = (ids().map(RegionId::x).min()?, ids().map(RegionId::x).max()?);
        let (min_y, max_y) = (ids().map(RegionId::y).min()?, ids().map(RegionId::y).max()?);
        let n = |min: u8, max: u8| usize::from(max - min) + 1;
        let mut map = Self::new(n(min_x, max_x) * side, n(min_y, max_y) * side);
        for (id, tile) in tiles {
            if (tile.width, tile.height) != (side, side) {
                continue;
            }
            let left = usize::from(id.x() - min_x) * side;
            let top = usize::from(id.y() - min_y) * side;
            for (y, row) in tile.rgba.chunks_exact(side * 4).enumerate() {
                let start = ((top + y) * map.width + left) * 4;
                map.rgba[start..start + row.len()].copy_from_slice(row);
            }
        }
        Some(map)
    }

    fn set(&mut self, x: usize, y: usize, [r, g, b]: [u8; 3]) {
        let at = (y * self.width + x) * 4;
        self.rgba[at..at + 4].copy_from_slice(&[r, g, b, 255]);
    }
}

/// Cells of a region that pixels are made of.
struct Samples<'a> {
    region: &'a Region,
    options: &'a PictureOptions,
    /// Cells from one to the next.
    step: usize,
}

impl Samples<'_> {
    /// The mean color of a square of cells.
    fn mean(&self, (x, y): (usize, usize), n_samples: usize) -> [u8; 3] {
        let mut sum = [0.0; 3];
        for at_x in 0..n_samples {
            for at_y in 0..n_samples {
                let color = self.color(x + at_x * self.step, y + at_y * self.step);
                sum = [0, 1, 2].map(|i| sum[i] + color[i]);
            }
        }
        let n = (n_samples * n_samples) as f32;
        sum.map(|c| (c / n).round() as u8)
    }

    fn color(&self, x: usize, y: usize) -> [f32; 3] {
        let Some(cell) = self.cell(x, y) else {
            return [0.0; 3];
        };
        let before = self.cell(x.saturating_sub(self.step), y.saturating_sub(self.step));
        let slope = before.map_or(0, |before| {
            i32::from(cell.height) - i32::from(before.height)
        });
        // What rises to the south-east faces the light.
        let steepness = (slope as f32 / self.step as f32 / STEEP).clamp(-1.0, 1.0);
        let light = 1.0 + 0.45 * steepness;
        let color = match self.options.coloring {
            Coloring::Height => ramp(cell.height),
            Coloring::Nswe => with_closed_sides(ramp(cell.height), cell.nswe),
            Coloring::Blocks => {
                // A region has 256 blocks a side.
                let [flat, complex, multilayer] = KIND_COLORS;
                let color = match self.region.block((x >> 3) as u8, (y >> 3) as u8) {
                    Block::Flat(_) => flat,
                    Block::Complex(_) => complex,
                    Block::Multilayer(_) => multilayer,
                };
                color.map(f32::from)
            }
        };
        color.map(|c| (c * light).clamp(0.0, 255.0))
    }

    fn cell(&self, x: usize, y: usize) -> Option<Cell> {
        let shown = |layers: &[Cell]| {
            let by_height = layers.iter().copied();
            match self.options.layer {
                ShownLayer::Highest => by_height.max_by_key(|cell| cell.height),
                ShownLayer::Lowest => by_height.min_by_key(|cell| cell.height),
            }
        };
        self.region.with_layers(x, y, shown)?
    }
}

fn with_closed_sides(ground: [f32; 3], nswe: Nswe) -> [f32; 3] {
    let n_closed = (Nswe::ALL_SIDES - nswe.sides()).bits().count_ones() as f32;
    let red = [236.0, 40.0, 32.0];
    let share = 0.25 * n_closed;
    [0, 1, 2].map(|i| ground[i] * 0.6 * (1.0 - share) + red[i] * share)
}

/// The color of a height.
pub(super) fn ramp(height: i16) -> [f32; 3] {
    let after = RAMP.iter().position(|&(at, _)| height < at);
    let (low, high) = match after {
        Some(0) => (RAMP[0], RAMP[0]),
        Some(after) => (RAMP[after - 1], RAMP[after]),
        None => (RAMP[RAMP.len() - 1], RAMP[RAMP.len() - 1]),
    };
    let span = f32::from(high.0) - f32::from(low.0);
    let share = if span > 0.0 {
        (f32::from(height) - f32::from(low.0)) / span
    } else {
        0.0
    };
    [0, 1, 2].map(|i| f32::from(low.1[i]) * (1.0 - share) + f32::from(high.1[i]) * share)
}
