//! The tree over the blocks: sixteen children a node.
//!
//! Bounds of children are f32, one SIMD vector a side, so that a ray or a box is compared with all of them in a few
//! instructions and nothing is computed for a node alone. All blocks lie equally deep, and the children of a node lie
//! next to each other.

use super::build::BLOCKS_PER_TASK;
use super::simd::{LaneMask, N_LANES, SimdVector};
use glam::Vec3;
use rayon::prelude::*;

/// Children a node.
const WIDTH: usize = N_LANES;
/// Levels of nodes, at most: 16^6 blocks are more than `build::MAX_FACES` can fill, with five faces a block or more.
pub(super) const MAX_LEVELS: usize = 6;

/// Bounds of sixteen children.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
struct Node {
    /// Low along x, y, z, then high; by child. Without meaning where there is no child.
    sides: [[f32; WIDTH]; 6],
}

/// Which children a node has. Apart from the bounds, which fill whole cache lines.
#[derive(Debug, Clone, Copy)]
struct Links {
    /// Number of the first child: a node, or on the last level a block, counted on behind all nodes.
    first_child: u32,
    /// Lanes that hold a child.
    held: LaneMask,
}

/// A node: its children and their bounds.
#[derive(Clone, Copy)]
pub(super) struct NodeRef<'a> {
    node: &'a Node,
    links: Links,
}

/// Nodes from the root down; blocks are called by their position.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Of each node.
    links: Vec<Links>,
    /// Levels of nodes; none without blocks.
    pub n_levels: usize,
}

/// Smallest and largest corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub low: Vec3,
    pub high: Vec3,
}

impl Bounds {
    pub const EMPTY: Self = Self {
        low: Vec3::INFINITY,
        high: Vec3::NEG_INFINITY,
    };

    /// Of a point.
    pub fn from_point(point: Vec3) -> Self {
        Self {
            low: point,
            high: point,
        }
    }

    pub fn join(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// Halves are added, for the sum of two f32 may be more than f32 holds.
    pub fn center(self) -> Vec3 {
        0.5 * self.low + 0.5 * self.high
    }
}

/// A closed box.
#[derive(Clone, Copy)]
pub(super) struct Area {
    low: [f32; 3],
    high: [f32; 3],
    /// Axes along which it reaches over all that there is: nothing is beside it there.
    is_whole: [bool; 3],
}

impl Area {
    /// For an index with these bounds.
    #[inline(always)]
    pub fn new(low: Vec3, high: Vec3, (index_low, index_high): (Vec3, Vec3)) -> Self {
        Self {
            low: low.to_array(),
            high: high.to_array(),
            is_whole: (low.cmple(index_low) & high.cmpge(index_high)).into(),
        }
    }

    /// All that is not farther from a point along any axis than a distance, and a little more.
    #[inline(always)]
    pub fn around(point: [f32; 3], distance: f32) -> Self {
        Self {
            low: point.map(|along| (along - distance).next_down()),
            high: point.map(|along| (along + distance).next_up()),
            is_whole: [false; 3],
        }
    }

    /// The corners, by axis.
    #[inline(always)]
    pub fn corners(&self) -> [[f32; 3]; 2] {
        [self.low, self.high]
    }

    /// Whether it reaches over all that there is along an axis.
    #[inline(always)]
    pub fn is_whole(&self, axis: usize) -> bool {
        self.is_whole[axis]
    }

    /// Children of a node that meet it.
    #[inline(always)]
    fn children_of<L: SimdVector>(&self, node: NodeRef) -> LaneMask {
        node.held()
            & !(self.beside::<L>(node, 0) | self.beside::<L>(node, 1) | self.beside::<L>(node, 2))
    }

    #[inline(always)]
    fn beside<L: SimdVector>(&self, node: NodeRef, axis: usize) -> LaneMask {
        if self.is_whole[axis] {
            return 0;
        }
        let (low, high) = (L::load(node.side(axis)), L::load(node.side(axis + 3)));
        L::splat(self.high[axis]).is_below(low) | high.is_below(L::splat(self.low[axis]))
    }
}

/// The blocks that may meet a box, in order, those of one node together. No `Iterator`, whose adapters hold closures:
/// what is called for a block is compiled for the kernel's instructions only where it stands in the kernel itself.
pub(super) struct BlocksIn<'a> {
    tree: &'a Tree,
    area: Area,
    /// For each level the children that are still to be visited.
    open: [(u32, LaneMask); MAX_LEVELS],
    depth: usize,
}

impl BlocksIn<'_> {
    /// The next blocks: number of the first child of their node, and which of its children they are.
    #[inline(always)]
    pub fn next<L: SimdVector>(&mut self) -> Option<(u32, LaneMask)> {
        let n_nodes = self.tree.n_nodes() as u32;
        loop {
            let (first, children) = &mut self.open[self.depth];
            if *children == 0 {
                self.depth = self.depth.checked_sub(1)?;
                continue;
            }
            if *first >= n_nodes {
                return Some((*first - n_nodes, std::mem::take(children)));
            }
            let node = self.tree.node(*first + children.trailing_zeros());
            *children &= *children - 1;
            self.depth += 1;
            self.open[self.depth] = (node.first_child(), self.area.children_of::<L>(node));
        }
    }
}

impl NodeRef<'_> {
    #[inline(always)]
    pub fn held(self) -> LaneMask {
        self.links.held
    }

    /// Number of the first child: a node, or on the last level a block, counted on behind all nodes.
    #[inline(always)]
    pub fn first_child(self) -> u32 {
        self.links.first_child
    }

    /// Bounds of the children: 0 to 2 low along x, y, z, 3 to 5 high. Anything where there is no child.
    #[inline(always)]
    pub fn side(&self, side: usize) -> &[f32; WIDTH] {
        &self.node.sides[side]
    }
}

impl Node {
    fn new(children: &[Bounds]) -> Self {
        let mut node = Self {
            sides: [[0.0; WIDTH]; 6],
        };
        for (child, Bounds { low, high }) in children.iter().enumerate() {
            for axis in 0..3 {
                node.sides[axis][child] = low[axis];
                node.sides[axis + 3][child] = high[axis];
            }
        }
        node
    }
}

impl Tree {
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The node of a number below [`n_nodes`](Self::n_nodes).
    #[inline(always)]
    pub fn node(&self, number: u32) -> NodeRef<'_> {
        NodeRef {
            node: &self.nodes[number as usize],
            links: self.links[number as usize],
        }
    }

    pub fn memory_bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.links.as_slice())
    }

    /// The blocks that may meet a box.
    #[inline(always)]
    pub fn blocks_in<L: SimdVector>(&self, area: Area) -> BlocksIn<'_> {
        let mut open = [(0, 0); MAX_LEVELS];
        if !self.nodes.is_empty() {
            let root = self.node(0);
            open[0] = (root.first_child(), area.children_of::<L>(root));
        }
        BlocksIn {
            tree: self,
            area,
            open,
            depth: 0,
        }
    }

    /// A tree over boxes, and the order in which the blocks must stand. Equal input, equal tree.
    pub fn new(blocks: &[Bounds]) -> (Self, Vec<u32>) {
        let mut order: Vec<u32> = (0..blocks.len() as u32).collect();
        let mut n_levels = 0;
        while blocks.len() > WIDTH.pow(n_levels as u32) {
            n_levels += 1;
        }
        n_levels = n_levels.max(usize::from(!blocks.is_empty()));
        // Level by level from the root: the blocks of each node are a run of the order.
        for level in (0..n_levels).rev() {
            let capacity = WIDTH.pow(level as u32);
            let runs = order.par_chunks_mut(WIDTH * capacity);
            runs.with_min_len(BLOCKS_PER_TASK / (WIDTH * capacity) + 1)
                .for_each(|run| split(run, blocks, capacity));
        }
        (Self::from_order(blocks, &order, n_levels), order)
    }

    /// Nodes of all levels once the order is known: every run of 16 is a node, on every level.
    fn from_order(blocks: &[Bounds], order: &[u32], n_levels: usize) -> Self {
        let mut bounds: Vec<_> = order.iter().map(|&i| blocks[i as usize]).collect();
        // From the blocks up.
        let mut levels = Vec::new();
        for _ in 0..n_levels {
            let runs = bounds.chunks(WIDTH);
            let joined = runs.map(|run| run.iter().copied().fold(Bounds::EMPTY, Bounds::join));
            let joined = joined.collect();
            levels.push(std::mem::replace(&mut bounds, joined));
        }
        let mut tree = Self {
            n_levels,
            ..Self::default()
        };
        let mut first_child = 0;
        for children in levels.into_iter().rev() {
            // Children, be they nodes or blocks, are numbered on behind all nodes down to this level.
            first_child += children.len().div_ceil(WIDTH) as u32;
            for (run, first) in children.chunks(WIDTH).zip((first_child..).step_by(WIDTH)) {
                tree.nodes.push(Node::new(run));
                tree.links.push(Links {
                    first_child: first,
                    held: LaneMask::MAX >> (WIDTH - run.len()),
                });
            }
        }
        tree
    }
}

/// Sorts a run of blocks into runs of `capacity` next to each other in space, the last one may be shorter: halves
/// along the longest axis, until they fit.
fn split(run: &mut [u32], blocks: &[Bounds], capacity: usize) {
    let n_parts = run.len().div_ceil(capacity);
    if n_parts <= 1 {
        return;
    }
    let center = |i: u32| blocks[i as usize].center();
    let centers = run.iter().map(|&i| Bounds::from_point(center(i)));
    let Bounds { low, high } = centers.fold(Bounds::EMPTY, Bounds::join);
    let axis = (high - low).max_position();
    let middle = n_parts / 2 * capacity;
    // Whole numbers in the order of the floats, and blocks below them: one comparison, of two registers.
    let keys = run.iter().map(|&i| {
        let bits = center(i)[axis].to_bits();
        let is_negative = bits >> 31 == 1;
        let rank = if is_negative { !bits } else { bits | 1 << 31 };
        u64::from(rank) << 32 | u64::from(i)
    });
    let mut keys: Vec<u64> = keys.collect();
    keys.select_nth_unstable(middle);
    for (block, key) in run.iter_mut().zip(keys) {
        *block = key as u32;
    }
    let (low, high) = run.split_at_mut(middle);
    if low.len() > BLOCKS_PER_TASK {
        rayon::join(
            || split(low, blocks, capacity),
            || split(high, blocks, capacity),
        );
    } else {
        split(low, blocks, capacity);
        split(high, blocks, capacity);
    }
}
