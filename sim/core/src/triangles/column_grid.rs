//! The column grid: which blocks are above or below each cell of the ground plane.
//!
//! For heights alone. The tree would do, but each of its levels waits for the one above; here a point leads to its
//! blocks in one read: five of six cells have two at most, and their numbers stand in the cell itself.

use super::blocks::Block;
use super::grid::{BlockCells, Grid};
use super::simd::{self, Kernel, SimdLevel, SimdVector};
use super::tree::Bounds;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

/// Faces that share a cell, about: more makes more cells with lists, less makes the grid larger than the cache.
const FACES_PER_CELL: usize = 1;
/// Cells a side, at most.
const MAX_CELLS: f64 = 4096.0;
/// Cells that one rayon task fills, about.
const CELLS_PER_TASK: u32 = 1 << 16;
/// A grid may list this many blocks per face; beyond it cells are made larger.
const ENTRIES_PER_FACE: u64 = 8;

/// Blocks by cell of a grid over the ground plane.
#[derive(Debug, Clone)]
pub(super) struct ColumnGrid {
    grid: Grid,
    /// Number of a block without faces.
    no_block: u32,
    /// Cell `x * n[1] + y`; behind the last the one of all points outside, which is empty.
    cells: Vec<Cell>,
    /// Number of the last.
    outside: u32,
    /// Of each cell with more than two blocks: how many more than one, and then these.
    lists: Vec<u32>,
}

/// The blocks over a cell, ascending: two, where there are fewer a block without faces in their place. Or the first
/// one, and where the list of the others begins.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    first: u32,
    /// Marked with [`LIST`], if it is a list.
    second: u32,
}

const LIST: u32 = 1 << 31;

impl Cell {
    /// Contents of the cell: two blocks, or one and no number of a block.
    #[inline(always)]
    pub fn blocks(self) -> [u32; 2] {
        [self.first, self.second]
    }

    /// The second block; a number beyond all blocks, if it has a list.
    #[inline(always)]
    pub fn second_block(self) -> u32 {
        self.second
    }

    #[inline(always)]
    pub fn has_list(self) -> bool {
        self.second >= LIST
    }
}

/// Cells of some columns while blocks are put into them.
struct Filling<'a> {
    grid: &'a Grid,
    /// Number of no block.
    none: u32,
    /// Columns of cells: x of the first, and behind the last.
    columns: [u32; 2],
    /// Number of the first cell of these columns.
    first_cell: u32,
    cells: &'a mut [Cell],
    /// How many each cell has, up to two: small, and so is a branch that is nearly always taken.
    n_blocks: Vec<u8>,
    /// Third and further blocks, as cell << 32 | block.
    others: Vec<u64>,
}

impl Filling<'_> {
    #[inline(always)]
    fn add(&mut self, cell_idx: u32, block_idx: u32) {
        let place = (cell_idx - self.first_cell) as usize;
        let n_before = &mut self.n_blocks[place];
        if *n_before < 2 {
            let cell = &mut self.cells[place];
            let is_first = *n_before == 0;
            cell.first = if is_first { block_idx } else { cell.first };
            cell.second = if is_first { self.none } else { block_idx };
            *n_before += 1;
        } else {
            let cell = u64::from(cell_idx) << 32;
            self.others.push(cell | u64::from(block_idx));
        }
    }
}

struct FillingRun<'a> {
    blocks: &'a [Block],
    /// First and last column of each block.
    columns: &'a [[u32; 2]],
    filling: Filling<'a>,
}

impl Kernel for FillingRun<'_> {
    /// Third and further blocks, ascending.
    type Output = Vec<u64>;

    #[inline(always)]
    fn run<L: SimdVector>(self) -> Vec<u64> {
        let Self {
            blocks,
            columns,
            mut filling,
        } = self;
        let [begin, end] = filling.columns;
        for ((block_idx, block), &[first, last]) in (0..).zip(blocks).zip(columns) {
            if first >= end || last < begin {
                continue;
            }
            let cells = BlockCells::<L>::new(filling.grid, block);
            for x in first.max(begin)..=last.min(end - 1) {
                let column = cells.column(x);
                for run in (cells.low[1]..=cells.high[1]).step_by(64) {
                    // Whether a face has a corner in a cell is known without a test.
                    let all = u64::MAX >> (63 - (cells.high[1] - run).min(63));
                    let mut under = cells.corner_cells(x, run);
                    let mut others = all & !under;
                    while others != 0 {
                        let y = others.trailing_zeros();
                        under |= u64::from(column.is_under_face(run + y)) << y;
                        others &= others - 1;
                    }
                    while under != 0 {
                        let y = run + under.trailing_zeros();
                        filling.add(filling.grid.number(x, y), block_idx);
                        under &= under - 1;
                    }
                }
            }
        }
        filling.others.sort_unstable();
        filling.others
    }
}

impl ColumnGrid {
    /// Lists each block in the cells that the bounds of its faces touch. The block behind the last has no faces.
    ///
    /// `bounds` are those of the blocks, `all` those of all together.
    pub fn new(blocks: &[Block], bounds: &[Bounds], all: Bounds, n_faces: usize) -> Self {
        let Bounds { low, high } = all;
        let mut column_grid =
            Self::with_grid(Self::sized(low.truncate(), high.truncate(), n_faces));
        // Many large faces: a hostile file could require blocks x cells entries.
        let budget = ENTRIES_PER_FACE * n_faces as u64;
        while column_grid.grid.n() != [1, 1]
            && column_grid.n_entries_at_most(bounds, budget) > budget
        {
            column_grid = Self::with_grid(column_grid.grid.coarser());
        }
        column_grid.fill(blocks, bounds);
        column_grid
    }

    fn sized(low: Vec2, high: Vec2, n_faces: usize) -> Grid {
        let extent = high.as_dvec2() - low.as_dvec2();
        let n_wanted = (n_faces / FACES_PER_CELL).max(1) as f64;
        let aspect = if extent.min_element() > 0.0 {
            extent.x / extent.y
        } else {
            1.0
        };
        let n_x = (n_wanted * aspect).sqrt().ceil().clamp(1.0, MAX_CELLS);
        let n_y = (n_wanted / n_x).ceil().clamp(1.0, MAX_CELLS);
        Grid::new(low, high, [n_x as u32, n_y as u32])
    }

    fn with_grid(grid: Grid) -> Self {
        Self {
            no_block: 0,
            cells: Vec::new(),
            outside: grid.n_cells(),
            lists: Vec::new(),
            grid,
        }
    }

    fn fill(&mut self, blocks: &[Block], bounds: &[Bounds]) {
        let grid = &self.grid;
        let n_cells = grid.n_cells() as usize;
        let none = blocks.len() as u32;
        let empty = Cell {
            first: none,
            second: none,
        };
        let column_of = |corner: Vec3| grid.cell_of(corner.truncate())[0];
        let columns = bounds.iter().map(|b| [column_of(b.low), column_of(b.high)]);
        let columns: Vec<_> = columns.collect();
        let [n_x, n_y] = grid.n();
        let n_columns = CELLS_PER_TASK.div_ceil(n_y);
        let mut cells = vec![empty; n_cells + 1];
        let parts = cells[..n_cells].par_chunks_mut((n_columns * n_y) as usize);
        let others = (0..n_x)
            .into_par_iter()
            .step_by(n_columns as usize)
            .zip(parts);
        let others = others.map(|(begin, cells)| {
            SimdLevel::detect().run(FillingRun {
                blocks,
                columns: &columns,
                filling: Filling {
                    grid,
                    none,
                    columns: [begin, n_x.min(begin + n_columns)],
                    first_cell: grid.number(begin, 0),
                    n_blocks: vec![0; cells.len()],
                    cells,
                    others: Vec::new(),
                },
            })
        });
        let others: Vec<Vec<u64>> = others.collect();
        for others in others
            .iter()
            .flat_map(|part| part.chunk_by(|a, b| a >> 32 == b >> 32))
        {
            let cell = &mut cells[(others[0] >> 32) as usize];
            let begin = self.lists.len() as u32;
            self.lists.extend([others.len() as u32 + 1, cell.second]);
            self.lists.extend(others.iter().map(|&other| other as u32));
            cell.second = LIST | begin;
        }
        self.cells = cells;
        self.no_block = none;
    }

    /// Entries that blocks need, counted face by face; stops counting beyond a budget.
    fn n_entries_at_most(&self, blocks: &[Bounds], budget: u64) -> u64 {
        let mut n = 0;
        for Bounds { low, high } in blocks {
            let [low, high] = [low, high].map(|corner| self.grid.cell_of(corner.truncate()));
            n += u64::from(high[0] - low[0] + 1) * u64::from(high[1] - low[1] + 1);
            if n > budget {
                break;
            }
        }
        n
    }

    /// Number of the cell under a point; for one that is outside or not finite that of an empty cell, but for what
    /// [`Grid::number_at`] says.
    #[inline(always)]
    pub fn cell_under(&self, point: Vec2) -> u32 {
        self.grid.number_at(point, self.outside)
    }

    /// Prefetches a cell that will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, cell: u32) {
        simd::prefetch(&self.cells[cell as usize]);
    }

    /// The blocks over a cell: two of them, and where there are more the others. Where there are fewer, a block without
    /// faces stands for them, so that callers need no branch.
    #[inline(always)]
    pub fn blocks_over(&self, cell: u32) -> ([u32; 2], &[u32]) {
        let cell = self.cell(cell);
        if !cell.has_list() {
            return (cell.blocks(), &[]);
        }
        let others = self.listed(cell);
        ([cell.first, others[0]], &others[1..])
    }

    #[inline(always)]
    pub fn cell(&self, cell: u32) -> Cell {
        self.cells[cell as usize]
    }

    /// The blocks of a cell with a list, all but the first.
    #[inline(always)]
    pub fn listed(&self, cell: Cell) -> &[u32] {
        let begin = (cell.second - LIST) as usize;
        let n = self.lists[begin] as usize;
        &self.lists[begin + 1..=begin + n]
    }

    /// The block that stands for none.
    #[inline(always)]
    pub fn no_block(&self) -> u32 {
        self.no_block
    }

    pub fn memory_bytes(&self) -> usize {
        size_of_val(self.cells.as_slice()) + size_of_val(self.lists.as_slice())
    }
}
