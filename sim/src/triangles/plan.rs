//! The plan: which blocks stand over each cell of the ground plane.
//!
//! For heights alone. The tree would do, but each of its levels waits for the one above; here a point leads to its
//! blocks in one read: five of six cells have two at most, and their numbers stand in the cell itself.

use super::blocks::Block;
use super::lanes::{self, N_LANES};
use super::set_lanes;
use super::tree::Bounds;
use glam::Vec2;

/// Faces that share a cell, about: more makes more cells with lists, less makes the plan larger than the cache.
const FACES_PER_CELL: usize = 1;
/// Cells a side, at most.
const MAX_CELLS: f64 = 4096.0;
/// A plan may list this many blocks a face; beyond it cells are made larger.
const ENTRIES_PER_FACE: u64 = 8;

/// Blocks by cell of a grid over the ground plane.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    low: Vec2,
    high: Vec2,
    cells_per_unit: Vec2,
    n: [u32; 2],
    /// Number of a block without faces.
    no_block: u32,
    /// Cell `x * n[1] + y`; behind the last the one of all points outside, which is empty.
    cells: Vec<Cell>,
    /// Of each cell with more than two blocks: how many more than one, and then these.
    lists: Vec<u32>,
}

/// The blocks over a cell, ascending: two, where there are fewer a block without faces in their place. Or the first
/// one, and where the list of the others begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    first: u32,
    /// Marked with [`LIST`], if it is a list.
    second: u32,
}

const LIST: u32 = 1 << 31;

/// The cells in which the vertices of a block are. Those of a face's bounds are between the least and the most of its
/// corners: no cell falls while a coordinate grows.
struct VertexCells {
    /// By axis, then by vertex.
    cells: [[u32; N_LANES]; 2],
    low: [u32; 2],
    high: [u32; 2],
}

impl VertexCells {
    /// Calls `visit` once with x and y of each cell that the bounds of a block's faces touch.
    #[inline(always)]
    fn for_cells_of(&self, block: &Block, mut visit: impl FnMut(u32, u32)) {
        let Self { cells, low, high } = self;
        let [n_x, n_y] = [0, 1].map(|axis| high[axis] - low[axis]);
        // One bit a cell, one word a column; what is larger than that is listed everywhere in its bounds.
        let mut columns = [0_u64; 64];
        if n_x.max(n_y) >= 64 {
            for x in low[0]..=high[0] {
                (low[1]..=high[1]).for_each(|y| visit(x, y));
            }
            return;
        }
        for lane in set_lanes(block.with_area()) {
            let [a, b, c] = block.face_vertices(lane);
            let [x, y] = cells;
            let first = [x, y].map(|of| of[a].min(of[b]).min(of[c]));
            let last = [x, y].map(|of| of[a].max(of[b]).max(of[c]));
            let bits = (u64::MAX >> (63 - (last[1] - first[1]))) << (first[1] - low[1]);
            for column in first[0]..=last[0] {
                columns[(column - low[0]) as usize % 64] |= bits;
            }
        }
        for (x, &column) in (low[0]..=high[0]).zip(&columns) {
            let mut bits = column;
            while bits != 0 {
                visit(x, low[1] + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }
}

impl Plan {
    /// Lists each block in the cells that the bounds of its faces touch. The block behind the last has no faces.
    ///
    /// `bounds` are those of the blocks, `all` those of all together.
    pub fn new(blocks: &[Block], bounds: &[Bounds], all: Bounds, n_faces: usize) -> Self {
        let Bounds { low, high } = all;
        let mut plan = Self::sized(low.truncate(), high.truncate(), n_faces);
        // Many large faces: a hostile file could ask for blocks x cells entries.
        let budget = ENTRIES_PER_FACE * n_faces as u64;
        while plan.n != [1, 1] && plan.n_entries_at_most(bounds, budget) > budget {
            let n = plan.n.map(|n| n.div_ceil(2));
            plan = Self::with_cells(plan.low, plan.high, n);
        }
        plan.fill(blocks);
        plan
    }

    fn sized(low: Vec2, high: Vec2, n_faces: usize) -> Self {
        let extent = high.as_dvec2() - low.as_dvec2();
        let n_wanted = (n_faces / FACES_PER_CELL).max(1) as f64;
        let aspect = if extent.min_element() > 0.0 {
            extent.x / extent.y
        } else {
            1.0
        };
        let n_x = (n_wanted * aspect).sqrt().ceil().clamp(1.0, MAX_CELLS);
        let n_y = (n_wanted / n_x).ceil().clamp(1.0, MAX_CELLS);
        Self::with_cells(low, high, [n_x as u32, n_y as u32])
    }

    fn with_cells(low: Vec2, high: Vec2, n: [u32; 2]) -> Self {
        let per_unit = |axis: usize| {
            let extent = f64::from(high[axis]) - f64::from(low[axis]);
            let per_unit = (f64::from(n[axis]) / extent) as f32;
            // Of an empty or tiny extent all is in the first cell.
            if per_unit.is_finite() { per_unit } else { 0.0 }
        };
        Self {
            low,
            high,
            cells_per_unit: Vec2::new(per_unit(0), per_unit(1)),
            n,
            no_block: 0,
            cells: Vec::new(),
            lists: Vec::new(),
        }
    }

    fn fill(&mut self, blocks: &[Block]) {
        let n_cells = self.n[0] as usize * self.n[1] as usize;
        let none = blocks.len() as u32;
        let empty = Cell {
            first: none,
            second: none,
        };
        let mut cells = vec![empty; n_cells + 1];
        // How many each cell has, up to two: small, and so is a branch that is nearly always taken.
        let mut n_blocks = vec![0_u8; n_cells];
        // Third and further blocks, as cell << 32 | block.
        let mut others = Vec::new();
        for (block_idx, block) in (0..).zip(blocks) {
            self.vertices_of(block).for_cells_of(block, |x, y| {
                let cell_idx = x * self.n[1] + y;
                let n_before = &mut n_blocks[cell_idx as usize];
                if *n_before < 2 {
                    let cell = &mut cells[cell_idx as usize];
                    let is_first = *n_before == 0;
                    cell.first = if is_first { block_idx } else { cell.first };
                    cell.second = if is_first { none } else { block_idx };
                    *n_before += 1;
                } else {
                    others.push(u64::from(cell_idx) << 32 | u64::from(block_idx));
                }
            });
        }
        others.sort_unstable();
        for others in others.chunk_by(|a, b| a >> 32 == b >> 32) {
            let cell = &mut cells[(others[0] >> 32) as usize];
            let begin = self.lists.len() as u32;
            self.lists.extend([others.len() as u32 + 1, cell.second]);
            self.lists.extend(others.iter().map(|&other| other as u32));
            cell.second = LIST | begin;
        }
        self.cells = cells;
        self.no_block = none;
    }

    /// Entries that blocks ask for, faces counted singly; stops counting behind a budget.
    fn n_entries_at_most(&self, blocks: &[Bounds], budget: u64) -> u64 {
        let mut n = 0;
        for Bounds { low, high } in blocks {
            let [low, high] = [low, high].map(|corner| self.cell_of(corner.truncate()));
            n += u64::from(high[0] - low[0] + 1) * u64::from(high[1] - low[1] + 1);
            if n > budget {
                break;
            }
        }
        n
    }

    fn vertices_of(&self, block: &Block) -> VertexCells {
        let mut cells = [[0; N_LANES]; 2];
        let vertices = block.coordinates(0).iter().zip(block.coordinates(1));
        for (vertex, (&x, &y)) in vertices.enumerate() {
            let [x, y] = self.cell_of(Vec2::new(x, y));
            cells[0][vertex] = x;
            cells[1][vertex] = y;
        }
        let least = |cells: &[u32; N_LANES]| cells.iter().fold(u32::MAX, |a, &b| a.min(b));
        let most = |cells: &[u32; N_LANES]| cells.iter().fold(0, |a, &b| a.max(b));
        VertexCells {
            low: [least(&cells[0]), least(&cells[1])],
            high: [most(&cells[0]), most(&cells[1])],
            cells,
        }
    }

    /// Number of the cell under a point: that of an empty one outside, and for a point that is not finite.
    #[inline(always)]
    pub fn cell_under(&self, point: Vec2) -> usize {
        let is_inside = point.cmpge(self.low).all() && point.cmple(self.high).all();
        let [x, y] = self.cell_of(point);
        let cell = (x * self.n[1] + y) as usize;
        if is_inside {
            cell
        } else {
            self.cells.len() - 1
        }
    }

    /// Asks for a cell that will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, cell: usize) {
        lanes::prefetch(&self.cells[cell]);
    }

    /// The blocks over a cell: two of them, and where there are more the others. Where there are fewer, a block without
    /// faces stands in for them, so that whoever looks at both needs no branch.
    #[inline(always)]
    pub fn blocks_over(&self, cell: usize) -> ([u32; 2], &[u32]) {
        let Cell { first, second } = self.cells[cell];
        if second < LIST {
            return ([first, second], &[]);
        }
        let begin = (second - LIST) as usize;
        let n = self.lists[begin] as usize;
        let others = &self.lists[begin + 1..=begin + n];
        ([first, others[0]], &others[1..])
    }

    /// The block that stands for none.
    #[inline(always)]
    pub fn no_block(&self) -> u32 {
        self.no_block
    }

    pub fn memory_bytes(&self) -> usize {
        size_of_val(self.cells.as_slice()) + size_of_val(self.lists.as_slice())
    }

    /// Never falls while a coordinate grows, rounding included: a point within the bounds of a face is in a cell
    /// between those of their corners, and no margin is needed.
    #[inline(always)]
    fn cell_of(&self, point: Vec2) -> [u32; 2] {
        let cell = (point - self.low) * self.cells_per_unit;
        // A float cast saturates.
        [
            (cell.x as u32).min(self.n[0] - 1),
            (cell.y as u32).min(self.n[1] - 1),
        ]
    }
}
