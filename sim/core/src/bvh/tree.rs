//! Nodes, their refitting and their traversal.
//!
//! Nodes lie in the order of a walk that takes parents first, so a look at them from the last to the first finds
//! children before parents, and a subtree is a range. That is all that refitting the boxes needs, on one thread
//! or on many, and its sums are taken in the same order on any number of them.

use arrayvec::ArrayVec;
use std::ops::Range;

use super::bounds::Bounds;

/// Boxes of a node.
pub(super) const WIDTH: usize = 4;

/// Levels at most: those that are cut where it pays, and those below them that are cut in halves.
pub(super) const MAX_DEPTH: usize = 24 + 13;

/// What is still to be visited at most: three children at each level, and those of the last.
const STACK_SIZE: usize = (WIDTH - 1) * MAX_DEPTH + 1;

/// Children that a ray hits and where, in lengths of its direction.
type Waiting = ArrayVec<(f32, Child), STACK_SIZE>;

/// Nodes of a subtree that is one thread's work.
pub(super) const NODES_PER_TASK: usize = 1024;

/// A ray hits a box if it does so with numbers this much off: twice what the roundings of a direction and of the
/// three steps from a side of a box to a `t` make together, on both sides.
const SLACK: f32 = 1.0 + 8.0 * f32::EPSILON;

/// A tree over boxes, which are called by their position in the slice that they come from.
#[derive(Debug, Clone, Default)]
pub struct Bvh {
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
    /// By axis the smallest and the largest coordinates, each of all four boxes.
    sides: [[[f32; WIDTH]; 2]; 3],
    children: [Child; WIDTH],
}

/// An item or a node; an empty box, if there is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Child(u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildKind {
    Item(usize),
    Node(usize),
}

#[derive(Debug, Clone)]
pub(super) struct Subtree {
    pub nodes: Range<usize>,
    pub area: f64,
}

/// A ray or a moving box as boxes need it. Its `t` counts in lengths of its direction.
pub struct BoxRay {
    /// What is compared with the side of a box where the ray enters it, and with that where it leaves it.
    origins: [[f32; 3]; 2],
    per_direction: [f32; 3],
    /// By axis 1 if it enters boxes at their largest coordinate, else 0. A number rather than a branch, which could not
    /// be foreseen.
    is_back: [usize; 3],
}

impl Bvh {
    /// How often the area of all boxes is what it was when the tree was built; 1 if both are 0.
    pub fn area_growth(&self) -> f64 {
        if self.area == self.built_area {
            return 1.0;
        }
        self.area / self.built_area
    }

    /// Fits the tree to boxes that have moved, unlike subtrees on all threads. As many as it was built from.
    pub fn refit(&mut self, bounds: &[Bounds]) {
        refit_subtrees(&mut self.subtrees, &mut self.nodes, 0, bounds);
        let mut area: f64 = self.subtrees.iter().map(|subtree| subtree.area).sum();
        for &node in self.top.iter().rev() {
            area += fit(&mut self.nodes, node as usize, 0, bounds);
        }
        self.area = area;
    }

    /// Calls `visit` with the boxes that a ray hits at `limit` or before, roughly the nearer ones first. `visit` returns
    /// the limit from there on; one below 0 ends the traversal.
    #[inline]
    pub fn cast_ray(&self, ray: &BoxRay, limit: f32, mut visit: impl FnMut(usize) -> f32) {
        if self.nodes.is_empty() {
            return;
        }
        let mut limit = limit * SLACK;
        let mut waiting = Waiting::new();
        let mut child = Some(Child::node(0));
        while let Some(next) = child {
            child = match next.kind() {
                ChildKind::Item(item) => {
                    limit = visit(item) * SLACK;
                    None
                }
                ChildKind::Node(node) => self.nodes[node].nearest_child(ray, limit, &mut waiting),
            };
            while child.is_none()
                && let Some((enter, nearest)) = waiting.pop()
            {
                child = (enter <= limit).then_some(nearest);
            }
        }
    }

    /// Calls `visit` with the boxes that overlap a box, in no particular order.
    #[inline]
    pub fn for_overlapping(&self, overlapped: &Bounds, mut visit: impl FnMut(usize)) {
        let mut stack = ArrayVec::<Child, STACK_SIZE>::new();
        if !self.nodes.is_empty() {
            stack.push(Child::node(0));
        }
        while let Some(child) = stack.pop() {
            match child.kind() {
                ChildKind::Item(item) => visit(item),
                ChildKind::Node(node) => {
                    let node = &self.nodes[node];
                    for lane in (0..WIDTH).filter(|&lane| node.overlaps(lane, overlapped)) {
                        stack.push(node.children[lane]);
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
            ChildKind::Item(item) => bounds[item],
            ChildKind::Node(child) => nodes[child - first].bounds(),
        };
        area += fitted.half_area();
        nodes[node].set_box(lane, &fitted);
    }
    area
}

impl Node {
    pub const EMPTY: Self = Self {
        sides: [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3],
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
            min: [0, 1, 2].map(|axis| self.sides[axis][0][lane]),
            max: [0, 1, 2].map(|axis| self.sides[axis][1][lane]),
        }
    }

    fn set_box(&mut self, lane: usize, bounds: &Bounds) {
        for axis in 0..3 {
            self.sides[axis][0][lane] = bounds.min[axis];
            self.sides[axis][1][lane] = bounds.max[axis];
        }
    }

    fn bounds(&self) -> Bounds {
        let lanes = (0..WIDTH).map(|lane| self.lane(lane));
        lanes.fold(Bounds::EMPTY, |bounds, lane| bounds.join(&lane))
    }

    /// Where a ray enters each box, and a bit for each that it hits at `limit` or before.
    #[inline(always)]
    fn hit_children(&self, ray: &BoxRay, limit: f32) -> ([f32; WIDTH], u32) {
        let (mut enters, mut leaves) = ([0.0_f32; WIDTH], [limit; WIDTH]);
        for axis in 0..3 {
            let is_back = ray.is_back[axis] & 1;
            let (near, far) = (&self.sides[axis][is_back], &self.sides[axis][1 - is_back]);
            for lane in 0..WIDTH {
                let enter = (near[lane] - ray.origins[0][axis]) * ray.per_direction[axis];
                let leave = (far[lane] - ray.origins[1][axis]) * ray.per_direction[axis];
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
        let is_hit = |lane: usize| enters[lane] <= leaves[lane] * SLACK;
        let hit = (0..WIDTH).fold(0, |hit, lane| hit | u32::from(is_hit(lane)) << lane);
        (enters, hit)
    }

    /// The nearest child that a ray hits at `limit` or before; the others that it hits wait, in no order: sorting them
    /// costs more than it saves.
    #[inline(always)]
    fn nearest_child(&self, ray: &BoxRay, limit: f32, waiting: &mut Waiting) -> Option<Child> {
        let (enters, hit) = self.hit_children(ray, limit);
        let enter_of = |lane: &usize| enters[*lane];
        let nearest = lanes_of(hit).min_by(|a, b| enter_of(a).total_cmp(&enter_of(b)))?;
        for lane in lanes_of(hit & !(1 << nearest)) {
            waiting.push((enters[lane], self.children[lane]));
        }
        Some(self.children[nearest])
    }

    fn overlaps(&self, lane: usize, Bounds { min, max }: &Bounds) -> bool {
        let own = self.lane(lane);
        (0..3).all(|axis| own.min[axis] <= max[axis] && own.max[axis] >= min[axis])
            && own.min[0] <= own.max[0]
    }
}

impl Child {
    const ITEM: u32 = 1 << 31;
    const NONE: Self = Self(u32::MAX);

    pub fn item(item: u32) -> Self {
        Self(item | Self::ITEM)
    }

    pub const fn node(node: u32) -> Self {
        Self(node)
    }

    #[inline]
    fn kind(self) -> ChildKind {
        if self.0 & Self::ITEM != 0 {
            ChildKind::Item((self.0 & !Self::ITEM) as usize)
        } else {
            ChildKind::Node(self.0 as usize)
        }
    }

    /// The same child where all nodes are shifted by this number.
    pub fn moved(self, n_nodes: u32) -> Self {
        match self.kind() {
            ChildKind::Item(_) => self,
            ChildKind::Node(_) => Self(self.0 + n_nodes),
        }
    }
}

impl BoxRay {
    /// From an origin along a direction whose largest part is neither so large nor so small that its inverse is no
    /// normal number; a direction of zero stays at the origin.
    #[inline]
    pub fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        Self::from_box(origin, direction, [0.0; 3])
    }

    /// The center of a box of this half size, which hits what any of its points does.
    #[inline]
    pub fn from_box(center: [f32; 3], direction: [f32; 3], half: [f32; 3]) -> Self {
        let ahead: [f32; 3] = std::array::from_fn(|axis| half[axis].copysign(direction[axis]));
        Self {
            origins: [
                std::array::from_fn(|axis| center[axis] + ahead[axis]),
                std::array::from_fn(|axis| center[axis] - ahead[axis]),
            ],
            per_direction: direction.map(|d| 1.0 / d),
            is_back: direction.map(|d| usize::from(d.is_sign_negative())),
        }
    }
}

/// The bits that are set, lowest first.
#[inline(always)]
fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lane < WIDTH).then_some(lane)
    })
}
