//! What is solid beside the world's own brushes, under a tree of boxes.

use super::motion::{Best, Motion};
use glam::DVec3;

/// How far from its box a thing may still stop a motion: as for the leaves of the map's tree.
const SLACK: f64 = 1.0;
/// Most members of a leaf.
const LEAF_SIZE: usize = 2;
/// More than the depth of a tree that halves its members with each node.
const STACK_SIZE: usize = 48;

/// Something with a box around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Member {
    /// Smallest and largest corner; may be infinite.
    pub bounds: [DVec3; 2],
    pub body: Body,
}

/// What a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Brush(u32),
    Displacement(u32),
}

/// A binary tree over members.
#[derive(Debug, Clone, Default)]
pub(super) struct BodyTree {
    members: Vec<Member>,
    /// Children stand behind their parents.
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: [DVec3; 2],
    /// First member, or left child; the right one is the next.
    first: u32,
    /// Members; 0 = a node with children.
    n_members: u32,
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "ranges of members are halves of ranges; a tree that halves is less deep than its stack"
)]
impl BodyTree {
    pub fn new(mut members: Vec<Member>) -> Self {
        let mut nodes = Vec::new();
        let mut to_build = Vec::new();
        if !members.is_empty() {
            nodes.push(Node::from_members(&members, 0));
            to_build.push((0, 0..members.len()));
        }
        while let Some((node_idx, range)) = to_build.pop() {
            let slice = &mut members[range.clone()];
            if slice.len() <= LEAF_SIZE {
                nodes[node_idx] = Node::from_members(slice, range.start);
                continue;
            }
            let [min, max]: [DVec3; 2] = nodes[node_idx].bounds;
            let size = max - min;
            let axis = (0..3).fold(0, |best, i| if size[i] > size[best] { i } else { best });
            let middle = |member: &Member| member.bounds[0][axis] + member.bounds[1][axis];
            let half = slice.len() / 2;
            slice.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
            let left = nodes.len();
            nodes.push(Node::from_members(&slice[..half], 0));
            nodes.push(Node::from_members(&slice[half..], 0));
            nodes[node_idx].first = left as u32;
            nodes[node_idx].n_members = 0;
            to_build.push((left, range.start..range.start + half));
            to_build.push((left + 1, range.start + half..range.end));
        }
        Self { members, nodes }
    }

    /// Visits all bodies near a motion, as far as it is known to get.
    #[inline]
    pub fn cast(&self, motion: &Motion, best: &mut Best, mut visit: impl FnMut(Body, &mut Best)) {
        if self.nodes.is_empty() {
            return;
        }
        let slabs = Slabs {
            start: motion.start,
            inverse: motion.delta.recip(),
            margin: motion.half + SLACK,
        };
        let mut stack = [0_u32; STACK_SIZE];
        let mut n_stacked = 1;
        while n_stacked > 0 {
            n_stacked -= 1;
            let node = &self.nodes[stack[n_stacked] as usize];
            if !slabs.overlaps(&node.bounds, best.fraction) {
                continue;
            }
            let first = node.first;
            if node.n_members == 0 {
                stack[n_stacked] = first;
                stack[n_stacked + 1] = first + 1;
                n_stacked += 2;
                continue;
            }
            for member in &self.members[first as usize..(first + node.n_members) as usize] {
                if slabs.overlaps(&member.bounds, best.fraction) {
                    visit(member.body, best);
                }
            }
        }
    }
}

impl Node {
    fn from_members(members: &[Member], first: usize) -> Self {
        let bounds = members.iter().map(|member| member.bounds);
        let around = |[a_min, a_max]: [DVec3; 2], [b_min, b_max]: [DVec3; 2]| {
            [a_min.min(b_min), a_max.max(b_max)]
        };
        Self {
            bounds: bounds.reduce(around).unwrap_or_default(),
            first: first as u32,
            n_members: members.len() as u32,
        }
    }
}

/// A motion made ready for many boxes.
pub(super) struct Slabs {
    pub start: DVec3,
    /// One over the motion; infinite where it stands still.
    pub inverse: DVec3,
    /// Added to all sides of boxes.
    pub margin: DVec3,
}

impl Slabs {
    /// Whether a box is hit before a share of the motion. What cannot be decided, as with infinite numbers, counts as
    /// hit.
    #[inline(always)]
    pub fn overlaps(&self, [min, max]: &[DVec3; 2], before: f64) -> bool {
        let (mut enter, mut leave) = (0.0_f64, before);
        for axis in 0..3 {
            let low = min[axis] - self.margin[axis] - self.start[axis];
            let high = max[axis] + self.margin[axis] - self.start[axis];
            let (a, b) = (low * self.inverse[axis], high * self.inverse[axis]);
            // `max` and `min` pass over NaN: of 0 times infinity, on the border and along it.
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        enter <= leave
    }
}
