//! The layers of all steps of a tile and of those around it.

use super::partners::Side;
use super::peaks::{Cliffs, Square, peaks, peaks_of_layer};
use super::{SIDE, kind_of, steps_of_world};
use crate::Geodata;
use crate::pack::{BlockView, Layer};
use ironlands_scene::TileKey;
use ironlands_sim_regions::GeoCell;
use ironlands_sim_regions::tiles::{LandMark, N_LEVELS};

/// Steps along a side of a tile with one around it.
const TILE_SIDE: usize = SIDE + 2;
/// Steps along a side of a block with one around it.
const BLOCK_SIDE: usize = 8 + 2;

/// A square of steps of a level, counted in engine axes from the world's south-west corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StepGrid {
    pub level: u8,
    /// Number of its first step along x and y; may be -1.
    pub first: [i32; 2],
    /// Steps along its side.
    pub side: usize,
}

/// Ground at one height in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sheet {
    pub z: i16,
    /// What counts for the limit of a step up to it, where the profile says so.
    pub low: i16,
    /// As [`Facet::open_sides`](ironlands_scene::Facet::open_sides), which are those of the game.
    pub open_sides: u8,
    pub layer: u8,
    pub mark: LandMark,
    /// Whether it is a cell of a flat block.
    pub is_flat: bool,
    /// Of solid ground of more than a cell.
    pub cliffs: Cliffs,
}

/// A flat block whose heights are farther apart was not made of a slope (dossier section 4.3).
const MAX_FLAT_PAIR: i32 = 32;
/// Blocks along a side of a region.
const BLOCKS_PER_REGION: i32 = 256;
/// Cells side by side that differ by no more are a slope.
const MAX_SLOPE: i32 = 32;

impl Sheet {
    /// Whether it and the neighbor that it continues in are a slope, of which `max_slope` is the steepest, rather
    /// than joined by a wall. The ground of larger steps may rise as much by a cliff between some of their cells: it
    /// does if one cliff is half of the rise.
    #[inline]
    pub fn is_slope(&self, beside: &Self, side: Side, max_slope: i32) -> bool {
        let rise = i32::from(self.z).abs_diff(beside.z.into());
        if rise > max_slope.unsigned_abs() {
            return false;
        }
        let border = match side {
            Side::East => self.cliffs.east,
            Side::West => beside.cliffs.east,
            Side::South => self.cliffs.south,
            Side::North => beside.cliffs.south,
        };
        let cliff = border.max(self.cliffs.inside).max(beside.cliffs.inside);
        u32::from(cliff) * 2 < rise || rise <= MAX_SLOPE.unsigned_abs()
    }

    /// Height of the slope that it stands for. The two heights of a flat block are the highest and the lowest of the
    /// cells that it was made of, so the middle is nearest to all of them.
    #[inline]
    pub fn z_of_slope(&self) -> i32 {
        i32::from(middle_of_flat(self.z, self.low))
    }
}

/// Height of the slope that a flat block with these heights stands for.
pub(super) fn middle_of_flat(high: i16, low: i16) -> i16 {
    let is_slope = (0..=MAX_FLAT_PAIR).contains(&(i32::from(high) - i32::from(low)));
    if is_slope {
        i16::midpoint(high, low)
    } else {
        high
    }
}

/// The sheets of a square of steps, one row after another from the south.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    /// Steps along its side.
    pub side: usize,
    pub sheets: Vec<Sheet>,
    places: Vec<Place>,
}

/// Where the sheets of a step are, from the ground up.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    start: u32,
    n: u8,
}

impl StepGrid {
    /// The steps of a tile and one more all around; `None` if the tree has no such tile.
    pub fn around_tile(key: TileKey) -> Option<Self> {
        let n_tiles = 1_u32 << (N_LEVELS - 1).checked_sub(key.level)?;
        let first = |at: u32| at as i32 * SIDE as i32 - 1;
        (key.x < n_tiles && key.y < n_tiles).then(|| Self {
            level: key.level,
            first: [first(key.x), first(key.y)],
            side: TILE_SIDE,
        })
    }

    /// The cells of a block and one more all around.
    pub fn around_block(cell: GeoCell) -> Self {
        let south = steps_of_world(0) - 1 - i32::from(cell.y | 7);
        Self {
            level: 0,
            first: [i32::from(cell.x & !7) - 1, south - 1],
            side: BLOCK_SIDE,
        }
    }

    /// Place in the grid of a step that is counted as cells are, from the north-west.
    #[inline]
    pub fn index_of(&self, step_x: i32, step_y: i32) -> Option<usize> {
        let along = |at: i32, first: i32| {
            usize::try_from(at - first)
                .ok()
                .filter(|&at| at < self.side)
        };
        let x = along(step_x, self.first[0])?;
        let y = along(steps_of_world(self.level) - 1 - step_y, self.first[1])?;
        Some(y * self.side + x)
    }

    /// Cells that it covers, as first and one past the last, along x and y from the north-west.
    pub fn cells(&self) -> [(i32, i32); 2] {
        let n_steps = steps_of_world(self.level);
        let side = self.side as i32;
        let range = |first: i32| {
            let cells = |step: i32| step.clamp(0, n_steps) << self.level;
            (cells(first), cells(first + side))
        };
        let [x, y] = self.first;
        [range(x), range(n_steps - y - side)]
    }

    /// Place in the grid of the step that a cell is in.
    #[inline]
    pub fn index_of_cell(&self, x: u16, y: u16) -> Option<usize> {
        self.index_of(i32::from(x >> self.level), i32::from(y >> self.level))
    }

    /// Layers that differ by more are no slope, however large steps are: a step is as many cells.
    pub fn max_slope(&self) -> i32 {
        MAX_SLOPE << self.level
    }
}

impl Columns {
    /// All layers of all cells.
    pub fn from_cells(geodata: &Geodata, grid: &StepGrid) -> Self {
        let mut columns = Self::empty(grid.side);
        let [xs, ys] = grid.cells();
        for_blocks(geodata, grid, |corner, block, mark| {
            // Of a block around the grid few cells are in it.
            let inside = |corner: u16, (first, end): (i32, i32)| {
                let corner = i32::from(corner);
                corner.max(first)..end.min(corner + 8)
            };
            for x in inside(corner.x, xs) {
                for y in inside(corner.y, ys) {
                    if let Some(index) = grid.index_of(x, y) {
                        let cell = (x & 7) << 3 | y & 7;
                        columns.set(index, |sheets| {
                            push_layers(block, cell as u32, mark, sheets);
                        });
                    }
                }
            }
        });
        columns
    }

    /// The peaks of the cells of larger steps, of which `push` adds those that are shown.
    pub fn from_peaks(
        geodata: &Geodata,
        grid: &StepGrid,
        push: impl Fn(&Square, &mut Vec<Sheet>),
    ) -> Self {
        let mut columns = Self::empty(grid.side);
        for (index, peaks) in peaks(geodata, grid).iter().enumerate() {
            if let Some(square) = peaks.square() {
                columns.set(index, |sheets| push(&square, sheets));
            }
        }
        columns
    }

    /// One layer above the lowest of larger steps, as if there were no other.
    pub fn from_layer(geodata: &Geodata, grid: &StepGrid, layer: u8) -> Self {
        let mut columns = Self::empty(grid.side);
        let layer = peaks_of_layer(geodata, grid, layer);
        for (index, sheet) in layer.into_iter().enumerate() {
            columns.set(index, |sheets| sheets.extend(sheet));
        }
        columns
    }

    pub fn empty(side: usize) -> Self {
        Self {
            side,
            sheets: Vec::with_capacity(side * side),
            places: vec![Place::default(); side * side],
        }
    }

    /// Gives a step its sheets, at most 255.
    pub fn set(&mut self, index: usize, push: impl FnOnce(&mut Vec<Sheet>)) {
        let start = self.sheets.len();
        push(&mut self.sheets);
        self.places[index] = Place {
            start: start as u32,
            n: (self.sheets.len() - start) as u8,
        };
    }

    /// Places of a step's sheets, from the ground up.
    #[inline]
    pub fn range(&self, index: usize) -> std::ops::Range<usize> {
        let Place { start, n } = self.places[index];
        start as usize..start as usize + usize::from(n)
    }

    /// Whether there are any within the outermost steps.
    pub fn has_land(&self) -> bool {
        self.inside().any(|index| self.places[index].n > 0)
    }

    /// Most sheets of a step within the outermost.
    pub fn max_sheets(&self) -> u8 {
        self.inside()
            .map(|index| self.places[index].n)
            .max()
            .unwrap_or(0)
    }

    /// All steps but the outermost.
    fn inside(&self) -> impl Iterator<Item = usize> {
        let side = self.side;
        (1..side - 1).flat_map(move |y| (1..side - 1).map(move |x| y * side + x))
    }
}

/// Adds all layers of a cell, from the ground up.
pub(super) fn push_layers(
    block: &BlockView<'_>,
    cell: u32,
    mark: LandMark,
    sheets: &mut Vec<Sheet>,
) {
    let low_of_flat = match block {
        BlockView::Flat { low, .. } => Some(*low),
        BlockView::Complex(_) | BlockView::Multilayer(_) => None,
    };
    block.layers_up(cell, |Layer { z, index }| {
        // Heights come from files, where they have 16 bits.
        let z = z as i16;
        sheets.push(Sheet {
            z,
            low: low_of_flat.unwrap_or(z),
            open_sides: block.nswe(cell, index).sides().bits(),
            layer: index,
            mark,
            is_flat: low_of_flat.is_some(),
            cliffs: Cliffs::default(),
        });
        true
    });
}

/// Calls `each` with all loaded blocks that a grid touches: its north-west cell, the block, its mark.
pub(super) fn for_blocks(
    geodata: &Geodata,
    grid: &StepGrid,
    mut each: impl FnMut(GeoCell, &BlockView<'_>, LandMark),
) {
    let [xs, ys] = grid.cells();
    let blocks = |(first, end): (i32, i32)| first >> 3..(end + 7) >> 3;
    for x in blocks(xs) {
        let mut ys = blocks(ys);
        while let Some(y) = ys.next() {
            // Cells of the world fit 16 bits.
            let corner = GeoCell {
                x: (x << 3) as u16,
                y: (y << 3) as u16,
            };
            let Some(block) = geodata.block(corner) else {
                // So are all others down to the end of the region.
                ys.start = (y | (BLOCKS_PER_REGION - 1)) + 1;
                continue;
            };
            let mark = match geodata.is_edited(corner) {
                true => LandMark::Edited,
                false => kind_of(&block),
            };
            each(corner, &block, mark);
        }
    }
}
