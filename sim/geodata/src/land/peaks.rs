//! The peaks of many cells: the highest ground, what is over it, and whether there are cliffs.
//!
//! A step is as high as the highest of its cells, so a tower keeps its height from afar, and no step has a height that
//! none of its cells has. Solid ground and what hangs over it, as roofs and bridges, are kept apart at every level:
//! between the two there is nothing to be seen.

use super::columns::{Sheet, StepGrid, for_blocks};
use crate::Geodata;
use crate::pack::{BlockView, Layer};
use ironlands_sim_regions::tiles::LandMark;
use ironlands_sim_regions::{GeoCell, Nswe};

/// Ground and what is over it are two sheets if they are farther apart.
const APART: i32 = 64;
/// Cells side by side that differ by no more are a slope.
const MAX_SLOPE: i32 = 32;
/// Blocks along a side of the world.
const BLOCKS_PER_SIDE: usize = 8192;

/// Sides in the order of their bits.
const SIDES: [Nswe; 4] = [Nswe::EAST, Nswe::WEST, Nswe::SOUTH, Nswe::NORTH];

/// The largest differences between cells side by side that are no slope; 0 without.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cliffs {
    /// Within a step.
    pub inside: u16,
    /// Over its border to the step in the east, ...
    pub east: u16,
    /// ... and in the south.
    pub south: u16,
}

/// What is shown of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Square {
    /// The highest solid ground: of the lowest layers.
    pub ground: Sheet,
    /// The highest of all layers, where it is another one.
    pub top: Option<Sheet>,
}

/// Cells of a step, gathered.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Peaks {
    ground: Peak,
    top: Peak,
    /// Cells by mark.
    kinds: [u32; 4],
    range: Option<[i16; 2]>,
    n_layers: u8,
    cliffs: Cliffs,
}

/// Layers of cells of a step.
#[derive(Debug, Clone, Copy, Default)]
struct Peak {
    /// The highest, and its number.
    highest: Option<(i16, u8)>,
    /// Cells along each side, and how many of them are open to it.
    n_along: [u16; 4],
    n_open: [u16; 4],
}

/// Heights of the lowest and of the highest layer of each cell of a block.
pub(super) struct Ends {
    pub lowest: [i16; 64],
    pub highest: [i16; 64],
}

/// The peaks of all steps of a grid.
pub(super) fn peaks(geodata: &Geodata, grid: &StepGrid) -> Vec<Peaks> {
    peaks_and_ends(geodata, grid, |_, _, _| {})
}

/// The same; calls `each` with the north-west cell of each block, the block and its heights.
pub(super) fn peaks_and_ends(
    geodata: &Geodata,
    grid: &StepGrid,
    mut each: impl FnMut(GeoCell, &BlockView<'_>, &Ends),
) -> Vec<Peaks> {
    let mut peaks = vec![Peaks::default(); grid.side * grid.side];
    let mut cliffs = CliffFinder::new(grid);
    for_blocks(geodata, grid, |corner, block, mark| {
        let step = |cell: u16| grid.index_of_cell(corner.x + (cell >> 3), corner.y + (cell & 7));
        let mut ends = Ends {
            lowest: [0; 64],
            highest: [0; 64],
        };
        match block {
            BlockView::Flat { high, .. } => {
                ends.lowest = [*high; 64];
                ends.highest = ends.lowest;
                // Parts of the block that are in one step.
                let part = 1_u16 << grid.level.min(3);
                for x in (0..8).step_by(usize::from(part)) {
                    for y in (0..8).step_by(usize::from(part)) {
                        if let Some(index) = step(x << 3 | y) {
                            let touched =
                                sides_touched(grid.level, corner.x + x, corner.y + y, part);
                            peaks[index].add_flat(*high, part, touched, mark);
                        }
                    }
                }
            }
            BlockView::Complex(_) | BlockView::Multilayer(_) => {
                // A block that lies in one step is added at once.
                let whole = (grid.level >= 3).then(|| step(0));
                for cell in 0..64 {
                    let Some([low, high]) = ends_of(block, u32::from(cell)) else {
                        continue;
                    };
                    // Heights come from files, where they have 16 bits.
                    ends.lowest[usize::from(cell)] = low.z as i16;
                    ends.highest[usize::from(cell)] = high.z as i16;
                    let Some(index) = whole.unwrap_or_else(|| step(cell)) else {
                        continue;
                    };
                    let (x, y) = (corner.x + (cell >> 3), corner.y + (cell & 7));
                    let touched = sides_touched(grid.level, x, y, 1);
                    peaks[index].add_cell(block, u32::from(cell), [low, high], touched, mark);
                }
            }
        }
        let is_flat = matches!(block, BlockView::Flat { .. });
        cliffs.add_block(corner, &ends.lowest, is_flat, &mut peaks);
        each(corner, block, &ends);
    });
    peaks
}

/// The highest of a layer above the lowest in each step, by its number from the ground up; `None` where no cell has it.
pub(super) fn peaks_of_layer(geodata: &Geodata, grid: &StepGrid, layer: u8) -> Vec<Option<Sheet>> {
    let mut peaks = vec![Peaks::default(); grid.side * grid.side];
    for_blocks(geodata, grid, |corner, block, mark| {
        if !matches!(block, BlockView::Multilayer(_)) {
            return;
        }
        for cell in 0..64 {
            let (x, y) = (corner.x + (cell >> 3), corner.y + (cell & 7));
            let Some(index) = grid.index_of_cell(x, y) else {
                continue;
            };
            block.layers_up(u32::from(cell), |found| {
                if found.index == layer {
                    let touched = sides_touched(grid.level, x, y, 1);
                    let open = block.nswe(u32::from(cell), layer);
                    peaks[index].kinds[mark as usize & 3] += 1;
                    let z = found.z as i16;
                    peaks[index].ground.add(z, layer, touched, open);
                }
                found.index < layer
            });
        }
    });
    let sheet = |peaks: &Peaks| peaks.ground.sheet(peaks.mark(), Cliffs::default());
    peaks.iter().map(sheet).collect()
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

impl Peaks {
    fn add_flat(&mut self, z: i16, side: u16, touched: Nswe, mark: LandMark) {
        self.kinds[mark as usize & 3] += u32::from(side) * u32::from(side);
        self.n_layers = self.n_layers.max(1);
        self.cover([z, z]);
        for peak in [&mut self.ground, &mut self.top] {
            peak.raise(z, 0);
            for (at, bit) in SIDES.into_iter().enumerate() {
                if touched.contains(bit) {
                    peak.n_along[at] += side;
                    peak.n_open[at] += side;
                }
            }
        }
    }

    #[inline]
    fn add_cell(
        &mut self,
        block: &BlockView<'_>,
        cell: u32,
        [low, high]: [Layer; 2],
        touched: Nswe,
        mark: LandMark,
    ) {
        self.kinds[mark as usize & 3] += 1;
        self.n_layers = self.n_layers.max(high.index + 1);
        // Heights come from files, where they have 16 bits.
        let [low_z, high_z] = [low, high].map(|layer| layer.z as i16);
        self.cover([low_z, high_z]);
        let open = |layer: Layer| match touched.is_empty() {
            true => touched,
            false => block.nswe(cell, layer.index),
        };
        self.ground.add(low_z, low.index, touched, open(low));
        self.top.add(high_z, high.index, touched, open(high));
    }

    fn cover(&mut self, [low, high]: [i16; 2]) {
        let [min, max] = self.range.unwrap_or([low, high]);
        self.range = Some([min.min(low), max.max(high)]);
    }

    /// Smallest and largest height of all layers.
    pub fn range(&self) -> Option<[i16; 2]> {
        self.range
    }

    /// Layers of the cell that has most of them.
    pub fn n_layers(&self) -> u8 {
        self.n_layers
    }

    /// What is shown; `None` where no cell is.
    pub fn square(&self) -> Option<Square> {
        let ground = self.ground.sheet(self.mark(), self.cliffs)?;
        let top = self.top.sheet(self.mark(), Cliffs::default());
        Some(Square {
            ground,
            top: top.filter(|top| top.z > ground.z),
        })
    }

    /// What most cells are; of two the one that is more.
    fn mark(&self) -> LandMark {
        let most = (0_u8..).zip(self.kinds).max_by_key(|&(_, n)| n);
        most.and_then(|(number, _)| LandMark::from_number(number))
            .unwrap_or(LandMark::Flat)
    }
}

impl Peak {
    #[inline]
    fn add(&mut self, z: i16, layer: u8, touched: Nswe, open: Nswe) {
        self.raise(z, layer);
        if touched.is_empty() {
            return;
        }
        for (at, bit) in SIDES.into_iter().enumerate() {
            if touched.contains(bit) {
                self.n_along[at] += 1;
                self.n_open[at] += u16::from(open.contains(bit));
            }
        }
    }

    #[inline]
    fn raise(&mut self, z: i16, layer: u8) {
        if self.highest.is_none_or(|(highest, _)| highest < z) {
            self.highest = Some((z, layer));
        }
    }

    fn sheet(&self, mark: LandMark, cliffs: Cliffs) -> Option<Sheet> {
        let (z, layer) = self.highest?;
        Some(Sheet {
            z,
            low: z,
            open_sides: self.open_sides(),
            layer,
            mark,
            is_flat: false,
            cliffs,
        })
    }

    /// A side is open where half of the cells along it are.
    fn open_sides(&self) -> u8 {
        let open = SIDES.into_iter().zip(self.n_open).zip(self.n_along);
        open.filter(|&((_, n_open), n)| u32::from(n_open) * 2 >= u32::from(n))
            .fold(Nswe::empty(), |open, ((side, _), _)| open | side)
            .bits()
    }
}

impl Square {
    /// One sheet, or two where something is high over the ground.
    pub fn push_sheets(&self, sheets: &mut Vec<Sheet>) {
        let Self { ground, top } = self;
        match top {
            Some(top) if i32::from(top.z) - i32::from(ground.z) > APART => {
                sheets.extend([*ground, *top]);
            }
            // It is the same ground, with the cliffs of that.
            Some(top) => sheets.push(Sheet {
                cliffs: ground.cliffs,
                ..*top
            }),
            None => sheets.push(*ground),
        }
    }

    /// The lowest layer alone.
    pub fn push_ground(&self, sheets: &mut Vec<Sheet>) {
        sheets.push(self.ground);
    }

    /// The highest of all.
    pub fn highest(&self) -> &Sheet {
        self.top.as_ref().unwrap_or(&self.ground)
    }
}

/// Finds cliffs between blocks and in them, as blocks come by.
struct CliffFinder<'a> {
    grid: &'a StepGrid,
    /// The last column of each block in the column of blocks before, by the number of the block along y.
    west: Vec<Option<BlockEdge>>,
    /// The last row of the block before.
    north: Option<BlockEdge>,
}

/// Ground along a side of a block.
#[derive(Clone, Copy)]
struct BlockEdge {
    /// Cells of the block's north-west corner.
    corner: GeoCell,
    z: [i16; 8],
    is_flat: bool,
}

impl<'a> CliffFinder<'a> {
    fn new(grid: &'a StepGrid) -> Self {
        Self {
            grid,
            west: vec![None; BLOCKS_PER_SIDE],
            north: None,
        }
    }

    /// Takes the next block, x before y.
    fn add_block(
        &mut self,
        corner: GeoCell,
        ground: &[i16; 64],
        is_flat: bool,
        peaks: &mut [Peaks],
    ) {
        let edge = |of: fn(usize) -> usize| BlockEdge {
            corner,
            z: std::array::from_fn(|at| ground[of(at)]),
            is_flat,
        };
        let row = usize::from(corner.y >> 3);
        let west = self.west[row].replace(edge(|y| 56 + y));
        let north = self.north.replace(edge(|x| x << 3 | 7));
        // A region that is not there may be in between.
        if let Some(west) = west.filter(|it| it.corner.x + 8 == corner.x) {
            self.compare(&west, &edge(|y| y), true, peaks);
        }
        let is_beside = |it: &BlockEdge| it.corner.x == corner.x && it.corner.y + 8 == corner.y;
        if let Some(north) = north.filter(is_beside) {
            self.compare(&north, &edge(|x| x << 3), false, peaks);
        }
        if !is_flat {
            self.look_inside(corner, ground, peaks);
        }
    }

    /// Of two blocks side by side: the western and the eastern one, or the northern and the southern.
    fn compare(&self, a: &BlockEdge, b: &BlockEdge, is_east: bool, peaks: &mut [Peaks]) {
        // All cells along the border of two flat blocks are the same.
        let n = if a.is_flat && b.is_flat && self.grid.level >= 3 {
            1
        } else {
            8
        };
        for at in 0..n {
            let rise = a.z[at].abs_diff(b.z[at]);
            if i32::from(rise) > MAX_SLOPE {
                // A side has eight cells.
                let along = at as u16;
                let cells = match is_east {
                    true => [(7, along), (0, along)],
                    false => [(along, 7), (along, 0)],
                };
                self.note([a.corner, b.corner], cells, rise, is_east, peaks);
            }
        }
    }

    fn look_inside(&self, corner: GeoCell, ground: &[i16; 64], peaks: &mut [Peaks]) {
        for x in 0..8_u16 {
            for y in 0..8_u16 {
                let z = |x: u16, y: u16| ground[usize::from(x << 3 | y)];
                for (beside, is_east) in [((x + 1, y), true), ((x, y + 1), false)] {
                    if beside.0 > 7 || beside.1 > 7 {
                        continue;
                    }
                    let rise = z(x, y).abs_diff(z(beside.0, beside.1));
                    if i32::from(rise) > MAX_SLOPE {
                        self.note([corner; 2], [(x, y), beside], rise, is_east, peaks);
                    }
                }
            }
        }
    }

    /// Notes a cliff between two cells of blocks, the second to the east or south of the first.
    fn note(
        &self,
        corners: [GeoCell; 2],
        cells: [(u16, u16); 2],
        rise: u16,
        is_east: bool,
        peaks: &mut [Peaks],
    ) {
        let step = |at: usize| {
            let (x, y) = cells[at];
            self.grid
                .index_of_cell(corners[at].x + x, corners[at].y + y)
        };
        let Some(first) = step(0) else {
            return;
        };
        let cliffs = &mut peaks[first].cliffs;
        let cliff = match (step(1) == Some(first), is_east) {
            (true, _) => &mut cliffs.inside,
            (false, true) => &mut cliffs.east,
            (false, false) => &mut cliffs.south,
        };
        *cliff = rise.max(*cliff);
    }
}

/// The lowest and the highest layer.
#[inline]
pub(super) fn ends_of(block: &BlockView<'_>, cell: u32) -> Option<[Layer; 2]> {
    let mut ends: Option<[Layer; 2]> = None;
    block.layers_up(cell, |layer| {
        ends = Some([ends.map_or(layer, |[low, _]| low), layer]);
        true
    });
    ends
}
