//! The tree over the blocks: sixteen children a node, their bounds in bytes.
//!
//! Bounds of children are numbers of steps from the corner of their node, rounded outward: 128 bytes a node, so
//! that the tree over a hundred thousand faces stays in the first cache. All blocks lie equally deep, and the
//! children of a node lie next to each other.

use super::simd::{LaneMask, N_LANES, SimdVector};
use glam::{Vec3, Vec4};

/// Steps over a node's extent: the largest byte.
const N_STEPS: f32 = 255.0;
/// Children a node.
const WIDTH: usize = N_LANES;
/// Levels of nodes, at most: 16^6 blocks are more than `build::MAX_FACES` can fill, with five faces a block or more.
pub(super) const MAX_LEVELS: usize = 6;

/// Sixteen boxes within one.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Node {
    /// Corner of the node, then the length of a step; along each axis. Together, so that four may be read at once.
    scale: [f32; 6],
    /// Number of the first child: a node, or on the last level a block, counted on behind all nodes.
    pub first_child: u32,
    /// Lanes that hold a child.
    held: u32,
    /// Low bounds along x, y, z, then high bounds; by child.
    bounds: [[u8; WIDTH]; 6],
}

/// Nodes from the root down; blocks are called by their position.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
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

/// A closed box, widened by more than rounding can move the bounds of a node's children. Halved: the extent of a node
/// may be more than f32 holds.
#[derive(Clone, Copy)]
pub(super) struct WideBox {
    low: [f32; 3],
    high: [f32; 3],
    /// Axes along which it reaches over all that there is: nothing is beside it there.
    is_whole: [bool; 3],
}

impl WideBox {
    /// For an index with these bounds.
    #[inline(always)]
    pub fn new(low: Vec3, high: Vec3, (index_low, index_high): (Vec3, Vec3)) -> Self {
        let farthest = index_low.abs().max(index_high.abs()).max_element();
        let slack = Vec3::splat(4.0 * f32::EPSILON * farthest + f32::MIN_POSITIVE);
        Self {
            low: (0.5 * low - slack).to_array(),
            high: (0.5 * high + slack).to_array(),
            is_whole: (low.cmple(index_low) & high.cmpge(index_high)).into(),
        }
    }

    /// Whether it reaches over all that there is along an axis.
    #[inline(always)]
    pub fn is_whole(&self, axis: usize) -> bool {
        self.is_whole[axis]
    }

    /// Children of a node that may meet it.
    #[inline(always)]
    fn children_of<L: SimdVector>(&self, node: &Node) -> LaneMask {
        node.held()
            & !(self.beside::<L>(node, 0) | self.beside::<L>(node, 1) | self.beside::<L>(node, 2))
    }

    #[inline(always)]
    fn beside<L: SimdVector>(&self, node: &Node, axis: usize) -> LaneMask {
        if self.is_whole[axis] {
            return 0;
        }
        let (origin, step) = node.scale(axis);
        let (origin, step) = (L::splat(0.5 * origin), L::splat(0.5 * step));
        let low = node.bound::<L>(axis).mul(step).add(origin);
        let high = node.bound::<L>(axis + 3).mul(step).add(origin);
        L::splat(self.high[axis]).is_below(low) | high.is_below(L::splat(self.low[axis]))
    }
}

/// The blocks that may meet a box, in order, those of one node together. No `Iterator`, whose adapters hold closures:
/// what is called for a block is compiled for the kernel's instructions only where it stands in the kernel itself.
pub(super) struct BlocksIn<'a> {
    tree: &'a Tree,
    area: WideBox,
    /// For each level the children that are still to be visited.
    open: [(u32, LaneMask); MAX_LEVELS],
    depth: usize,
}

impl BlocksIn<'_> {
    /// The next blocks: number of the first child of their node, and which of its children they are.
    #[inline(always)]
    pub fn next<L: SimdVector>(&mut self) -> Option<(u32, LaneMask)> {
        let n_nodes = self.tree.nodes.len() as u32;
        loop {
            let (first, children) = &mut self.open[self.depth];
            if *children == 0 {
                self.depth = self.depth.checked_sub(1)?;
                continue;
            }
            if *first >= n_nodes {
                return Some((*first - n_nodes, std::mem::take(children)));
            }
            let node = &self.tree.nodes[(*first + children.trailing_zeros()) as usize];
            *children &= *children - 1;
            self.depth += 1;
            self.open[self.depth] = (node.first_child, self.area.children_of::<L>(node));
        }
    }
}

impl Node {
    #[inline(always)]
    pub fn held(&self) -> LaneMask {
        self.held as LaneMask
    }

    /// Corner and length of a step along an axis.
    #[inline(always)]
    pub fn scale(&self, axis: usize) -> (f32, f32) {
        (self.scale[axis], self.scale[axis + 3])
    }

    /// The corner, and something behind it.
    #[inline(always)]
    pub fn corner(&self) -> Vec4 {
        Vec4::from_slice(&self.scale[..4])
    }

    /// Something, and the steps behind it.
    #[inline(always)]
    pub fn steps(&self) -> Vec4 {
        Vec4::from_slice(&self.scale[2..])
    }

    /// Bounds of the children as numbers of steps: 0 to 2 low along x, y, z, 3 to 5 high.
    #[inline(always)]
    pub fn bound<L: SimdVector>(&self, side: usize) -> L {
        L::from_bytes(&self.bounds[side])
    }

    fn from_children(children: &[Bounds], first_child: u32) -> Self {
        let own = children.iter().copied().fold(Bounds::EMPTY, Bounds::join);
        let mut node = Self {
            scale: [own.low.x, own.low.y, own.low.z, 0.0, 0.0, 0.0],
            first_child,
            held: (1_u32 << children.len()) - 1,
            bounds: [[0; WIDTH]; 6],
        };
        for axis in 0..3 {
            let extent = f64::from(own.high[axis]) - f64::from(own.low[axis]);
            // A little more than needed, and never zero: steps are divided by.
            let least = f64::from(own.low[axis].abs().max(own.high[axis].abs())) * 1e-7 + 1e-30;
            let step = (extent / f64::from(N_STEPS) * (1.0 + 1e-6)).max(least) as f32;
            node.scale[axis + 3] = step;
            for (child, bounds) in children.iter().enumerate() {
                let steps = |position: f32| {
                    (f64::from(position) - f64::from(own.low[axis])) / f64::from(step)
                };
                node.bounds[axis][child] = steps(bounds.low[axis]).floor() as u8;
                node.bounds[axis + 3][child] = steps(bounds.high[axis]).ceil() as u8;
            }
        }
        node
    }
}

impl Tree {
    /// The blocks that may meet a box.
    #[inline(always)]
    pub fn blocks_in<L: SimdVector>(&self, area: WideBox) -> BlocksIn<'_> {
        let mut open = [(0, 0); MAX_LEVELS];
        if let Some(root) = self.nodes.first() {
            open[0] = (root.first_child, area.children_of::<L>(root));
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
        let mut tree = Self {
            nodes: Vec::new(),
            n_levels,
        };
        // Level by level from the root: the blocks of each node are a run of the order.
        let mut runs: Vec<_> = std::iter::once(0..blocks.len()).collect();
        for level in (0..n_levels).rev() {
            let capacity = WIDTH.pow(level as u32);
            let mut next = Vec::with_capacity(blocks.len().div_ceil(capacity));
            for run in runs {
                split(&mut order, blocks, run, capacity, &mut next);
            }
            runs = next;
        }
        tree.nodes = Self::nodes_over(blocks, &order, n_levels);
        (tree, order)
    }

    /// Nodes of all levels, root first, once the order is known: every run of 16 is a node, on every level.
    fn nodes_over(blocks: &[Bounds], order: &[u32], n_levels: usize) -> Vec<Node> {
        let mut bounds: Vec<_> = order.iter().map(|&i| blocks[i as usize]).collect();
        let mut levels = Vec::new();
        for _ in 0..n_levels {
            let runs = bounds.chunks(WIDTH).enumerate();
            let nodes: Vec<_> = runs
                .map(|(i, run)| Node::from_children(run, (i * WIDTH) as u32))
                .collect();
            let joined = bounds.chunks(WIDTH);
            bounds = joined
                .map(|run| run.iter().copied().fold(Bounds::EMPTY, Bounds::join))
                .collect();
            levels.push(nodes);
        }
        let mut first = 0;
        let mut all: Vec<Node> = Vec::new();
        for mut nodes in levels.into_iter().rev() {
            first += nodes.len();
            // Children, be they nodes or blocks, are numbered on behind all nodes down to this level.
            nodes
                .iter_mut()
                .for_each(|node| node.first_child += first as u32);
            all.append(&mut nodes);
        }
        all
    }
}

/// Sorts a run of blocks into runs of `capacity` next to each other in space, the last one may be shorter: halves
/// along the longest axis, until they fit.
fn split(
    order: &mut [u32],
    blocks: &[Bounds],
    run: std::ops::Range<usize>,
    capacity: usize,
    runs: &mut Vec<std::ops::Range<usize>>,
) {
    let n_parts = run.len().div_ceil(capacity);
    if n_parts <= 1 {
        runs.push(run);
        return;
    }
    let center = |i: u32| blocks[i as usize].center();
    let part = &mut order[run.clone()];
    let centers = part.iter().map(|&i| Bounds::from_point(center(i)));
    let Bounds { low, high } = centers.fold(Bounds::EMPTY, Bounds::join);
    let axis = (high - low).max_position();
    let middle = n_parts / 2 * capacity;
    // Whole numbers in the order of the floats, and blocks below them: one comparison, of two registers.
    let keys = part.iter().map(|&i| {
        let bits = center(i)[axis].to_bits();
        let is_negative = bits >> 31 == 1;
        let rank = if is_negative { !bits } else { bits | 1 << 31 };
        u64::from(rank) << 32 | u64::from(i)
    });
    let mut keys: Vec<u64> = keys.collect();
    keys.select_nth_unstable(middle);
    for (block, key) in part.iter_mut().zip(keys) {
        *block = key as u32;
    }
    split(order, blocks, run.start..run.start + middle, capacity, runs);
    split(order, blocks, run.start + middle..run.end, capacity, runs);
}
