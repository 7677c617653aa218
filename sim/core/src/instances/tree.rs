//! The top level: a tree of boxes, four a node.
//!
//! Nodes lie in the order of a walk that takes parents first, so a look at them from the last to the first finds
//! children before parents, and a subtree is a range. That is all that refitting the boxes needs, on one thread
//! or on many, and its sums are taken in the same order on any number of them.

use std::ops::Range;

use super::bounds::Bounds;

/// Boxes of a node.
pub(super) const WIDTH: usize = 4;

/// Levels at most: those that are cut where it pays, and those below them that are cut in halves.
pub(super) const MAX_DEPTH: usize = 24 + 13;

/// What waits on a walk: three children at each level, and those of the last.
pub(super) const STACK_SIZE: usize = (WIDTH - 1) * MAX_DEPTH + 1;

/// Nodes of a subtree that is one thread's work.
pub(super) const NODES_PER_TASK: usize = 1024;

/// A ray hits a box if it does so with numbers this much off: twice what the roundings of a direction and of the
/// three steps from a side of a box to a `t` make together, on both sides.
const SLACK: f32 = 1.0 + 8.0 * f32::EPSILON;

#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Those parts that fit one thread, in order.
    pub(super) subtrees: Vec<Subtree>,
    /// The nodes above them, in order.
    pub(super) top: Vec<u32>,
    /// Sum of the areas of all boxes, and what it was when the tree was built.
    pub(super) area: f64,
    pub(super) built_area: f64,
}

/// Two cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Node {
    /// Smallest x, y, z, largest x, y, z, each of all four boxes.
    sides: [[f32; WIDTH]; 6],
    children: [Child; WIDTH],
}

/// An instance or a node; an empty box, if there is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Child(u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildKind {
    Instance(usize),
    Node(usize),
}

#[derive(Debug, Clone)]
pub(super) struct Subtree {
    pub nodes: Range<usize>,
    pub area: f64,
}

/// A ray as boxes need it. Its `t` counts in lengths of a direction whose largest part is 1 to 2.
pub(super) struct BoxRay {
    origin: [f32; 3],
    per_direction: [f32; 3],
    /// For each axis, which row of a node's sides it enters at and which it leaves at.
    rows: [[usize; 3]; 2],
}

impl Tree {
    /// How often the area of all boxes is what it was when the tree was built; 1 if both are 0.
    pub fn area_growth(&self) -> f64 {
        if self.area == self.built_area {
            return 1.0;
        }
        self.area / self.built_area
    }

    /// Fits all boxes to the bounds of instances, those of unlike subtrees on all threads.
    pub fn refit(&mut self, bounds: &[Bounds]) {
        refit_subtrees(&mut self.subtrees, &mut self.nodes, 0, bounds);
        let mut area: f64 = self.subtrees.iter().map(|subtree| subtree.area).sum();
        for &node in self.top.iter().rev() {
            area += fit(&mut self.nodes, node as usize, 0, bounds);
        }
        self.area = area;
    }

    /// Shows `visit` the instances whose bounds a ray hits at `limit` or before, the nearer boxes first. `visit`
    /// returns the limit from there on; one below 0 ends the walk.
    pub fn walk(&self, ray: &BoxRay, limit: f32, mut visit: impl FnMut(usize) -> f32) {
        let mut limit = limit * SLACK;
        let mut stack = [(0.0_f32, Child::node(0)); STACK_SIZE];
        let mut n_waiting = usize::from(!self.nodes.is_empty());
        while n_waiting > 0 {
            n_waiting -= 1;
            let (t, child) = stack[n_waiting];
            if t > limit {
                continue;
            }
            match child.kind() {
                ChildKind::Instance(instance) => limit = visit(instance) * SLACK,
                ChildKind::Node(node) => {
                    let node = &self.nodes[node];
                    let (enters, is_met) = node.meet(ray, limit);
                    let first = n_waiting;
                    for lane in 0..WIDTH {
                        if !is_met[lane] {
                            continue;
                        }
                        // The nearest last, where it is taken first.
                        let mut at = n_waiting;
                        while at > first && stack[at - 1].0 < enters[lane] {
                            stack[at] = stack[at - 1];
                            at -= 1;
                        }
                        stack[at] = (enters[lane], node.children[lane]);
                        n_waiting += 1;
                    }
                }
            }
        }
    }

    /// Shows `visit` the instances whose bounds overlap a box, in no particular order.
    pub fn for_overlapping(&self, overlapped: &Bounds, mut visit: impl FnMut(usize)) {
        let mut stack = [Child::node(0); STACK_SIZE];
        let mut n_waiting = usize::from(!self.nodes.is_empty());
        while n_waiting > 0 {
            n_waiting -= 1;
            match stack[n_waiting].kind() {
                ChildKind::Instance(instance) => visit(instance),
                ChildKind::Node(node) => {
                    let node = &self.nodes[node];
                    for lane in (0..WIDTH).filter(|&lane| node.overlaps(lane, overlapped)) {
                        stack[n_waiting] = node.children[lane];
                        n_waiting += 1;
                    }
                }
            }
        }
    }
}

/// `nodes` begin with the one numbered `first`, which is not behind the first subtree.
fn refit_subtrees(subtrees: &mut [Subtree], nodes: &mut [Node], first: usize, bounds: &[Bounds]) {
    match subtrees {
        [] => {}
        [subtree] => {
            let Range { start, end } = subtree.nodes;
            let own = &mut nodes[start - first..end - first];
            subtree.area = (0..own.len())
                .rev()
                .map(|node| fit(own, node, start, bounds))
                .sum();
        }
        _ => {
            let (left, right) = subtrees.split_at_mut(subtrees.len() / 2);
            let middle = right[0].nodes.start;
            let (left_nodes, right_nodes) = nodes.split_at_mut(middle - first);
            rayon::join(
                || refit_subtrees(left, left_nodes, first, bounds),
                || refit_subtrees(right, right_nodes, middle, bounds),
            );
        }
    }
}

/// Fits a node to its children, which are fitted; the area of its boxes. `nodes` begin with the one numbered `first`.
fn fit(nodes: &mut [Node], node: usize, first: usize, bounds: &[Bounds]) -> f64 {
    let mut area = 0.0;
    for lane in 0..WIDTH {
        let child = nodes[node].children[lane];
        if child == Child::NONE {
            continue;
        }
        let fitted = match child.kind() {
            ChildKind::Instance(instance) => bounds[instance],
            ChildKind::Node(child) => nodes[child - first].bounds(),
        };
        area += fitted.half_area();
        nodes[node].set_box(lane, &fitted);
    }
    area
}

impl Node {
    pub const EMPTY: Self = Self {
        sides: [
            [f32::INFINITY; WIDTH],
            [f32::INFINITY; WIDTH],
            [f32::INFINITY; WIDTH],
            [f32::NEG_INFINITY; WIDTH],
            [f32::NEG_INFINITY; WIDTH],
            [f32::NEG_INFINITY; WIDTH],
        ],
        children: [Child::NONE; WIDTH],
    };

    pub fn children_mut(&mut self) -> &mut [Child; WIDTH] {
        &mut self.children
    }

    pub fn children(&self) -> impl Iterator<Item = ChildKind> {
        let children = self.children.iter();
        children
            .filter(|it| **it != Child::NONE)
            .map(|it| it.kind())
    }

    fn lane(&self, lane: usize) -> Bounds {
        Bounds {
            min: [0, 1, 2].map(|axis| self.sides[axis][lane]),
            max: [3, 4, 5].map(|axis| self.sides[axis][lane]),
        }
    }

    fn set_box(&mut self, lane: usize, bounds: &Bounds) {
        for axis in 0..3 {
            self.sides[axis][lane] = bounds.min[axis];
            self.sides[axis + 3][lane] = bounds.max[axis];
        }
    }

    fn bounds(&self) -> Bounds {
        let lanes = (0..WIDTH).map(|lane| self.lane(lane));
        lanes.fold(Bounds::EMPTY, |bounds, lane| bounds.join(&lane))
    }

    /// Where a ray enters each box, and whether it hits it at `limit` or before.
    #[inline]
    fn meet(&self, ray: &BoxRay, limit: f32) -> ([f32; WIDTH], [bool; WIDTH]) {
        let (mut enters, mut leaves) = ([0.0_f32; WIDTH], [limit; WIDTH]);
        for axis in 0..3 {
            let near = &self.sides[ray.rows[0][axis]];
            let far = &self.sides[ray.rows[1][axis]];
            for lane in 0..WIDTH {
                let enter = (near[lane] - ray.origin[axis]) * ray.per_direction[axis];
                let leave = (far[lane] - ray.origin[axis]) * ray.per_direction[axis];
                // A NaN, of a ray along a side, changes nothing.
                enters[lane] = if enter > enters[lane] {
                    enter
                } else {
                    enters[lane]
                };
                leaves[lane] = if leave < leaves[lane] {
                    leave
                } else {
                    leaves[lane]
                };
            }
        }
        let is_met = std::array::from_fn(|lane| enters[lane] <= leaves[lane] * SLACK);
        (enters, is_met)
    }

    fn overlaps(&self, lane: usize, Bounds { min, max }: &Bounds) -> bool {
        let own = self.lane(lane);
        (0..3).all(|axis| own.min[axis] <= max[axis] && own.max[axis] >= min[axis])
            && own.min[0] <= own.max[0]
    }
}

impl Child {
    const INSTANCE: u32 = 1 << 31;
    const NONE: Self = Self(u32::MAX);

    pub fn instance(instance: u32) -> Self {
        Self(instance | Self::INSTANCE)
    }

    pub const fn node(node: u32) -> Self {
        Self(node)
    }

    #[inline]
    fn kind(self) -> ChildKind {
        if self.0 & Self::INSTANCE != 0 {
            ChildKind::Instance((self.0 & !Self::INSTANCE) as usize)
        } else {
            ChildKind::Node(self.0 as usize)
        }
    }

    /// The same child where all nodes are shifted by this number.
    pub fn moved(self, n_nodes: u32) -> Self {
        match self.kind() {
            ChildKind::Instance(_) => self,
            ChildKind::Node(_) => Self(self.0 + n_nodes),
        }
    }
}

impl BoxRay {
    /// From an origin along a direction whose largest part is 1 to 2.
    pub fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        let is_forward = direction.map(|d| d > 0.0 || (d == 0.0 && d.is_sign_positive()));
        let row = |axis: usize, is_largest: bool| if is_largest { axis + 3 } else { axis };
        Self {
            origin,
            per_direction: direction.map(|d| 1.0 / d),
            rows: [
                std::array::from_fn(|axis| row(axis, !is_forward[axis])),
                std::array::from_fn(|axis| row(axis, is_forward[axis])),
            ],
        }
    }
}
