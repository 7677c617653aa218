//! Traversal of the BVH by a ray: nearest boxes first.

use super::simd::{LaneMask, Line, N_LANES, SimdVector, max};
use super::tree::{MAX_LEVELS, NodeRef, Tree};
use crate::ray_triangle::ShearedRay;
use arrayvec::ArrayVec;
use glam::Vec3A;

/// A ray against boxes: between the two planes of each axis at once (Kay and Kajiya 1986).
///
/// Distances count along the axis on which the ray moves most, so that neither a long nor a short direction takes
/// them out of f32. Boxes are widened by more than all rounding of this file and of the ray itself can move a plane:
/// some 24 roundings of 2^-24 of the largest coordinate in play; without end where coordinates are so large that
/// their differences may overflow.
pub(super) struct Slabs {
    /// Where it enters and leaves, less and more the widening. It begins where t that are so little below zero become
    /// zero when they are rounded.
    line: Line,
    /// The widening along the ray.
    pad: f32,
    /// Distance a t.
    speed: f32,
    /// Along which axes the ray enters boxes at their high side. Numbers rather than branches, which could not be
    /// foreseen.
    is_back: [bool; 3],
}

const PAD: f32 = 32.0 / (1 << 24) as f32;
/// Coordinates beyond the largest f32, divided by this, make boxes endless.
const HEADROOM: f32 = 16.0;
/// Slower than this, as part of its speed along the axis on which it is fastest, a ray does not move along an axis:
/// within any world it deviates by less than the widening.
const LEAST_PART: f32 = 1e-12;
/// More than t may be rounded by where it is below all normal numbers. A normal number itself: one below them took a
/// quarter of the time of a ray.
const T_STEP: f32 = f32::MIN_POSITIVE;

impl Slabs {
    /// Of no ray.
    pub const UNUSED: Self = Self {
        line: Line {
            inverse: [0.0; 3],
            enter: [0.0; 3],
            leave: [0.0; 3],
            begin: 0.0,
        },
        pad: 0.0,
        speed: 0.0,
        is_back: [false; 3],
    };

    /// For an index with no coordinate larger than `farthest`.
    #[inline(always)]
    pub fn new(ray: &ShearedRay, farthest: f32) -> Self {
        let direction = Vec3A::from_array(ray.direction_f32);
        let moving = direction.abs().max(Vec3A::splat(LEAST_PART));
        let inverse = moving.copysign(direction).recip();
        let origin = Vec3A::from_array(ray.origin_f32);
        let farthest = max(origin.abs().max_element(), farthest);
        // Endless, too, where distances may overflow.
        let pads = inverse.abs() * (farthest * HEADROOM) * (PAD / HEADROOM)
            + inverse.abs() * f32::MIN_POSITIVE;
        let at_zero = -origin * inverse;
        Self {
            line: Line {
                inverse: inverse.to_array(),
                enter: (at_zero - pads).to_array(),
                leave: (at_zero + pads).to_array(),
                begin: -T_STEP * ray.speed_f32.max(1.0),
            },
            pad: farthest * HEADROOM * (PAD / HEADROOM) + f32::MIN_POSITIVE,
            speed: ray.speed_f32,
            is_back: inverse.cmplt(Vec3A::ZERO).into(),
        }
    }

    /// How far boxes may begin that matter for `0.0..=t`.
    #[inline(always)]
    pub fn reach(&self, t: f32) -> f32 {
        (t * (1.0 + 4.0 * f32::EPSILON) + T_STEP) * self.speed + self.pad
    }

    /// Children of a node that the ray hits within a reach, and where it enters each.
    #[inline(always)]
    pub fn children<L: SimdVector>(&self, node: NodeRef, reach: f32) -> (LaneMask, L) {
        let [x, y, z] = self.is_back.map(|is_back| 3 * usize::from(is_back));
        let near = [node.side(x), node.side(1 + y), node.side(2 + z)];
        let far = [node.side(3 - x), node.side(4 - y), node.side(5 - z)];
        let (hit, enters) = L::enter_boxes(near, far, &self.line, reach);
        (node.held() & hit, enters)
    }
}

/// What a ray does at each block that it reaches.
pub(super) trait FaceVisitor {
    /// Faces of a block that the ray may cross.
    fn candidates<L: SimdVector>(&self, block: usize) -> LaneMask;
    /// Decides on a face; the largest t that matters from now on, negative to end the traversal.
    fn decide(&mut self, block: usize, lane: usize) -> f32;
}

/// Leads a visitor to the faces that a ray may cross for `0.0..=t_max`, block by block in about the order of the ray.
#[inline(always)]
pub(super) fn walk<L: SimdVector>(
    tree: &Tree,
    slabs: &Slabs,
    t_max: f32,
    visitor: &mut impl FaceVisitor,
) {
    if tree.n_nodes() == 0 {
        return;
    }
    let mut node = tree.node(0);
    let mut reach = slabs.reach(t_max);
    let mut open = OpenBoxes::new();
    loop {
        let (children, enters) = slabs.children::<L>(node, reach);
        let enters = enters.store();
        if let Some(first_block) = (node.first_child() as usize).checked_sub(tree.n_nodes()) {
            let mut children = children;
            while children != 0 {
                let lane = children.trailing_zeros() as usize;
                children &= children - 1;
                let is_beyond = enters[lane % N_LANES] > reach;
                if is_beyond {
                    continue;
                }
                let block = first_block + lane;
                let mut candidates = visitor.candidates::<L>(block);
                while candidates != 0 {
                    let limit = visitor.decide(block, candidates.trailing_zeros() as usize);
                    candidates &= candidates - 1;
                    if limit < 0.0 {
                        return;
                    }
                    reach = slabs.reach(limit);
                }
            }
        } else {
            open.add(node.first_child(), children, &enters);
        }
        let Some(next) = open.nearest_within(reach) else {
            return;
        };
        node = tree.node(next as u32);
    }
}

/// Nodes and blocks that are still to be visited, the nearest on top: how far each is, and its number.
pub(super) struct OpenBoxes(ArrayVec<(f32, u32), { MAX_LEVELS * (N_LANES - 1) + 1 }>);

impl OpenBoxes {
    #[inline(always)]
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    #[inline(always)]
    pub fn push(&mut self, distance: f32, number: u32) {
        self.0.push((distance, number));
    }

    /// Takes the one on top, if it is within a reach; what is not is dropped.
    #[inline(always)]
    pub fn nearest_within(&mut self, reach: f32) -> Option<usize> {
        while let Some((distance, number)) = self.0.pop() {
            let is_beyond = distance > reach;
            if !is_beyond {
                return Some(number as usize);
            }
        }
        None
    }

    /// Puts children on top, the nearest last, the others in no order: what is near is found early, and then most
    /// of them are dropped unseen.
    #[inline(always)]
    pub fn add(&mut self, first_child: u32, mut children: LaneMask, distances: &[f32; N_LANES]) {
        let (mut nearest, mut least) = (self.0.len(), f32::INFINITY);
        while children != 0 {
            let lane = children.trailing_zeros();
            children &= children - 1;
            let distance = distances[lane as usize % N_LANES];
            if distance < least {
                (nearest, least) = (self.0.len(), distance);
            }
            self.push(distance, first_child + lane);
        }
        if let Some(last) = self.0.len().checked_sub(1) {
            self.0.swap(nearest.min(last), last);
        }
    }
}
