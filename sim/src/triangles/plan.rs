//! The plan: which blocks stand over each cell of the ground plane.
//!
//! For heights alone. The tree would do, but each of its levels waits for the one above; here a point leads to its
//! blocks in two reads.

use super::blocks::Block;
use super::lanes;
use super::set_lanes;
use glam::{Vec2, Vec3};

/// Faces that share a cell, about: more makes lists longer, less makes the plan larger than the cache.
const FACES_PER_CELL: usize = 2;
/// Cells a side, at most.
const MAX_CELLS: f64 = 4096.0;
/// A plan may list this many blocks a face; beyond it cells are made larger.
const ENTRIES_PER_FACE: u64 = 8;
/// Blocks that [`Plan::fours`] reads at once.
const FOUR: usize = 4;

/// Blocks by cell of a grid over the ground plane, end to end.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    low: Vec2,
    high: Vec2,
    cells_per_unit: Vec2,
    n: [u32; 2],
    /// Blocks of cell `x * n[1] + y` are `blocks[starts[cell]..starts[cell + 1]]`, ascending.
    starts: Vec<u32>,
    /// Behind the last list stand three more, so that it can be read by fours.
    blocks: Vec<u32>,
}

/// Where the blocks of a cell stand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct List {
    begin: u32,
    end: u32,
}

/// Some blocks.
pub(super) struct Four {
    pub blocks: [u32; FOUR],
    /// How many of them count.
    pub n: usize,
}

impl Plan {
    /// Lists each block in the cells that the bounds of its faces touch.
    pub fn new(blocks: &[Block], low: Vec3, high: Vec3, n_faces: usize) -> Self {
        let mut plan = Self::sized(low.truncate(), high.truncate(), n_faces);
        // Many large faces: a hostile file could ask for blocks x cells entries.
        let budget = ENTRIES_PER_FACE * n_faces as u64;
        while plan.n != [1, 1] && plan.n_entries_at_most(blocks, budget) > budget {
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
            starts: Vec::new(),
            blocks: Vec::new(),
        }
    }

    fn fill(&mut self, blocks: &[Block]) {
        let n_cells = self.n[0] as usize * self.n[1] as usize;
        let mut cells_of_blocks = Vec::with_capacity(2 * n_cells);
        let mut starts = vec![0_u32; n_cells + 1];
        for (block_idx, block) in blocks.iter().enumerate() {
            self.for_cells_of(block, |cell| {
                cells_of_blocks.push((cell, block_idx as u32));
                starts[cell as usize + 1] += 1;
            });
        }
        for cell in 0..n_cells {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        self.blocks = vec![0; cells_of_blocks.len() + FOUR];
        for (cell, block_idx) in cells_of_blocks {
            let next = &mut next[cell as usize];
            self.blocks[*next as usize] = block_idx;
            *next += 1;
        }
        self.starts = starts;
    }

    /// Entries that blocks ask for, faces counted singly; stops counting behind a budget.
    fn n_entries_at_most(&self, blocks: &[Block], budget: u64) -> u64 {
        let mut n = 0;
        for block in blocks {
            let [low, high] = self.cells_in_plan_bounds(block);
            n += u64::from(high[0] - low[0] + 1) * u64::from(high[1] - low[1] + 1);
            if n > budget {
                break;
            }
        }
        n
    }

    fn cells_in_plan_bounds(&self, block: &Block) -> [[u32; 2]; 2] {
        let (low, high) = block.plan_bounds();
        [self.cell_of(low), self.cell_of(high)]
    }

    /// Calls `visit` once with each cell that the bounds of a block's faces touch.
    fn for_cells_of(&self, block: &Block, mut visit: impl FnMut(u32)) {
        let [[low_x, low_y], [high_x, high_y]] = self.cells_in_plan_bounds(block);
        // One bit a cell, one word a column; what is larger than that is listed everywhere in its bounds.
        let mut columns = [0_u64; 64];
        let is_small = high_x - low_x < 64 && high_y - low_y < 64;
        if is_small {
            for lane in set_lanes(block.with_area()) {
                let corners = block.face_corners(lane).map(|[x, y, _]| Vec2::new(x, y));
                let [a, b, c] = corners;
                let (low, high) = (self.cell_of(a.min(b).min(c)), self.cell_of(a.max(b).max(c)));
                let bits = (u64::MAX >> (63 - (high[1] - low[1]))) << (low[1] - low_y);
                for x in low[0]..=high[0] {
                    columns[(x - low_x) as usize] |= bits;
                }
            }
        }
        for x in low_x..=high_x {
            let first = x * self.n[1];
            if !is_small {
                (low_y..=high_y).for_each(|y| visit(first + y));
                continue;
            }
            let mut bits = columns[(x - low_x) as usize];
            while bits != 0 {
                visit(first + low_y + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    /// The list of the blocks over a point: empty outside, and for a point that is not finite.
    #[inline(always)]
    pub fn list_over(&self, point: Vec2) -> List {
        let is_inside = point.cmpge(self.low).all() && point.cmple(self.high).all();
        if !is_inside {
            return List { begin: 0, end: 0 };
        }
        let [x, y] = self.cell_of(point);
        let cell = (x * self.n[1] + y) as usize;
        List {
            begin: self.starts[cell],
            end: self.starts[cell + 1],
        }
    }

    /// The blocks of a list.
    #[inline(always)]
    pub fn blocks(&self, list: List) -> &[u32] {
        &self.blocks[list.begin as usize..list.end as usize]
    }

    /// Asks for a list that will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, list: List) {
        lanes::prefetch(&self.blocks[list.begin as usize]);
    }

    /// The blocks of a list, four at a time. What stands behind the last is of another cell.
    #[inline(always)]
    pub fn fours(&self, list: List) -> impl Iterator<Item = Four> {
        (list.begin..list.end).step_by(FOUR).map(move |begin| {
            let blocks = &self.blocks[begin as usize..begin as usize + FOUR];
            Four {
                blocks: [blocks[0], blocks[1], blocks[2], blocks[3]],
                n: ((list.end - begin) as usize).min(FOUR),
            }
        })
    }

    pub fn memory_bytes(&self) -> usize {
        size_of_val(self.starts.as_slice()) + size_of_val(self.blocks.as_slice())
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
