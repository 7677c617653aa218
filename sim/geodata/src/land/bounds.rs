//! How low and how high all is that a ray can hit in a square of cells and at its sides, by squares within squares.
//!
//! Of 8 x 8 cells (a block), 32 x 32 and 256 x 256. In both shapes: a corner of a slope is a mean of cells around it,
//! so nothing is lower or higher than the cells of the square and the one next to each.

use super::columns::middle_of_flat;
use super::peaks::{Ends, ends_of};
use super::way::{Exit, Square, Way};
use crate::Geodata;
use crate::pack::BlockView;
use ironlands_sim_regions::{BLOCKS_PER_SIDE, GeoCell, N_BLOCKS, RegionId};

/// By how much slopes may exceed the cells that they are made of, points: corners of flat blocks are rounded to whole
/// eighths. With what a ray may be off by.
const SLACK: f64 = 8.0;
/// Blocks, squares of 32 cells and of 256 cells: powers of two of their sides.
const BLOCK: u8 = 3;
const SQUARE: u8 = 5;
const FIELD: u8 = 8;
/// Squares and fields along a side of a region.
const N_SQUARES: usize = 64;
const N_FIELDS: usize = 8;
/// Blocks along a side of a region with one around it.
const N_AROUND: usize = BLOCKS_PER_SIDE + 2;

/// Lowest and highest.
type Range = [i16; 2];

/// Of a region; x-major from the north-west, as cells are.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    fields: Box<[Range]>,
    squares: Box<[Range]>,
    /// In parts of 255 of the range of their square, outward: half of the memory.
    blocks: Box<[[u8; 2]]>,
}

impl Bounds {
    /// The largest square around a cell that holds nothing which a ray may hit, and where the ray leaves it.
    #[inline]
    pub fn empty_square(&self, cell: GeoCell, way: &Way<'_>) -> Option<(Square, Exit)> {
        let place = |level: u8, n: usize| {
            let along = |at: u16| usize::from(at >> level) % n;
            along(cell.x) * n + along(cell.y)
        };
        let missed = |level: u8, [low, high]: [f64; 2]| {
            let square = way.square(1 << level);
            let exit = way.exit(&square);
            let [from, to] = way.heights(&exit);
            let is_missed = from.max(to) < low - SLACK || from.min(to) > high + SLACK;
            is_missed.then_some((square, exit))
        };
        let field = self.fields[place(FIELD, N_FIELDS)];
        let square = self.squares[place(SQUARE, N_SQUARES)];
        let block = self.blocks[place(BLOCK, BLOCKS_PER_SIDE)];
        missed(FIELD, field.map(f64::from))
            .or_else(|| missed(SQUARE, square.map(f64::from)))
            .or_else(|| missed(BLOCK, range_of(block, square)))
    }
}

/// Gathers the heights of a region, block by block.
pub(super) struct BoundsBuilder {
    /// The region's first block.
    first: [i32; 2],
    /// Of its blocks and those around it.
    blocks: Vec<Touched>,
}

/// What a block adds to the ranges around it: by the side that it is on, the range of its cells that touch that side or
/// corner; in the middle that of all.
type Touched = [[Range; 3]; 3];

/// No cell at all.
const NOTHING: Range = [i16::MAX, i16::MIN];

impl BoundsBuilder {
    /// Looks at the blocks around the region.
    pub fn new(geodata: &Geodata, id: RegionId) -> Self {
        let first = id.first_cell();
        let mut bounds = Self {
            first: [first.x, first.y].map(|at| i32::from(at >> BLOCK)),
            blocks: vec![[[NOTHING; 3]; 3]; N_AROUND * N_AROUND],
        };
        let last = N_AROUND as i32 - 2;
        let along = (-1..=last).flat_map(|at| [[at, -1], [at, last], [-1, at], [last, at]]);
        for at in along {
            let [x, y] = [0, 1].map(|axis| u16::try_from((bounds.first[axis] + at[axis]) << BLOCK));
            if let (Ok(x), Ok(y)) = (x, y) {
                let corner = GeoCell { x, y };
                bounds.add_around(geodata, corner);
            }
        }
        bounds
    }

    fn add_around(&mut self, geodata: &Geodata, corner: GeoCell) {
        let Some(block) = geodata.block(corner) else {
            return;
        };
        let mut ends = Ends {
            lowest: [0; 64],
            highest: [0; 64],
        };
        let cells = ends.lowest.iter_mut().zip(&mut ends.highest);
        for (cell, (lowest, highest)) in (0..).zip(cells) {
            if let Some([low, high]) = ends_of(&block, cell) {
                // Heights come from files, where they have 16 bits.
                (*lowest, *highest) = (low.z as i16, high.z as i16);
            }
        }
        self.add(corner, &block, &ends);
    }

    /// Adds a block by its north-west cell.
    pub fn add(&mut self, corner: GeoCell, block: &BlockView<'_>, ends: &Ends) {
        let touched = match *block {
            BlockView::Flat { high, low } => {
                let middle = middle_of_flat(high, low);
                [[[middle.min(high), middle.max(high)]; 3]; 3]
            }
            BlockView::Complex(_) | BlockView::Multilayer(_) => touched(ends),
        };
        // Blocks are those of the region or around it.
        let along = |at: u16, axis: usize| (i32::from(at >> BLOCK) - self.first[axis] + 1) as usize;
        let at = along(corner.x, 0) * N_AROUND + along(corner.y, 1);
        self.blocks[at] = touched;
    }

    /// The bounds, once all blocks are there.
    pub fn finish(self) -> Bounds {
        let places = || (0..N_BLOCKS).map(|at| (at / BLOCKS_PER_SIDE, at % BLOCKS_PER_SIDE));
        let blocks: Vec<Range> = places().map(|(x, y)| self.range(x, y)).collect();
        let squares = gathered(&blocks, BLOCKS_PER_SIDE, N_SQUARES);
        let per_square = BLOCKS_PER_SIDE / N_SQUARES;
        let square_of = |(x, y)| squares[x / per_square * N_SQUARES + y / per_square];
        let parts = blocks.iter().zip(places());
        Bounds {
            blocks: parts
                .map(|(&block, place)| parts_of(block, square_of(place)))
                .collect(),
            fields: gathered(&squares, N_SQUARES, N_FIELDS),
            squares,
        }
    }

    /// Of a block with the cells around it.
    fn range(&self, x: usize, y: usize) -> Range {
        let mut range = NOTHING;
        for dx in 0..3 {
            for dy in 0..3 {
                let beside = &self.blocks[(x + dx) * N_AROUND + y + dy];
                range = around(range, beside[2 - dx][2 - dy]);
            }
        }
        range
    }
}

fn touched(ends: &Ends) -> Touched {
    let (lowest, _) = ends.lowest.as_chunks::<8>();
    let (highest, _) = ends.highest.as_chunks::<8>();
    // First along x, eight rows at a time.
    let (mut low, mut high) = (lowest[0], highest[0]);
    for x in 1..8 {
        for y in 0..8 {
            low[y] = low[y].min(lowest[x][y]);
            high[y] = high[y].max(highest[x][y]);
        }
    }
    let columns = [
        (lowest[0], highest[0]),
        (low, high),
        (lowest[7], highest[7]),
    ];
    columns.map(|(low, high)| {
        let all = (1..8).fold([low[0], high[0]], |range, y| {
            around(range, [low[y], high[y]])
        });
        [[low[0], high[0]], all, [low[7], high[7]]]
    })
}

/// Ranges of `n` x `n` larger squares, of those of `n_finer` x `n_finer`.
fn gathered(finer: &[Range], n_finer: usize, n: usize) -> Box<[Range]> {
    let mut ranges = vec![NOTHING; n * n];
    let scale = n_finer / n;
    for (at, &range) in finer.iter().enumerate() {
        let larger = &mut ranges[at / n_finer / scale * n + at % n_finer / scale];
        *larger = around(*larger, range);
    }
    ranges.into()
}

/// A range as parts of one around it, of which it is not a smaller one.
fn parts_of(range: Range, whole: Range) -> [u8; 2] {
    let [low, high] = range.map(i32::from);
    let [whole_low, whole_high] = whole.map(i32::from);
    let size = (whole_high - whole_low).max(1);
    let [from_low, from_high] = [low, high].map(|z| (z - whole_low) * 255);
    // Within the whole, so 0 to 255.
    [from_low / size, (from_high + size - 1) / size].map(|parts| parts as u8)
}

/// The other way round, within the slack.
#[inline]
fn range_of(parts: [u8; 2], whole: Range) -> [f64; 2] {
    let [low, high] = whole.map(f64::from);
    parts.map(|part| low + f64::from(part) * ((high - low) / 255.0))
}

fn around(a: Range, b: Range) -> Range {
    [a[0].min(b[0]), a[1].max(b[1])]
}
