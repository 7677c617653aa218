//! The blocks that one ray may hit, level by level down the tree.
//!
//! A traversal that is led by what it has found needs the processor to predict how many children a ray hits, and it is
//! often wrong: most nodes lead to none, one or two. Here two nodes are looked at in each step whether there is a
//! second or not, and their children are written without a branch. What this pays for is order, so that it is for rays
//! that hit few boxes, and for registers so wide that a node looked at for nothing costs less than a wrong guess.

use super::pairs::write_lanes;
use super::simd::{LaneMask, N_LANES, SimdVector};
use super::slabs::{FaceVisitor, Slabs, walk};
use super::tree::Tree;

/// Nodes of a level, or blocks, at most.
pub(super) const MAX_LISTED: usize = 32;

/// Nodes of a level, or blocks, counted on behind the nodes.
struct Numbers {
    numbers: [u32; MAX_LISTED + 2 * N_LANES],
    n: usize,
}

impl Numbers {
    const EMPTY: Self = Self {
        numbers: [0; _],
        n: 0,
    };

    /// One, and the next or the same again, whose lanes count no more than the mask says.
    #[inline(always)]
    fn pair(&self, i: usize) -> ([u32; 2], LaneMask) {
        let first = self.numbers[i];
        let has_second = i + 1 < self.n;
        let second = if has_second {
            self.numbers[i + 1]
        } else {
            first
        };
        ([first, second], if has_second { LaneMask::MAX } else { 0 })
    }

    /// Adds the children of a [`pair`](Self::pair) of nodes that a ray hits within a reach. There must be room for all.
    #[inline(always)]
    fn add_children<L: SimdVector>(
        &mut self,
        tree: &Tree,
        slabs: &Slabs,
        reach: f32,
        ([first, second], counts): ([u32; 2], LaneMask),
    ) {
        let (first, second) = (tree.node(first), tree.node(second));
        let (of_first, _) = slabs.children::<L>(first, reach);
        let (of_second, _) = slabs.children::<L>(second, reach);
        let (of_second, n) = (of_second & counts, self.n);
        let n = n + write_lanes::<L>(first.first_child(), of_first, &mut self.numbers[n..]);
        self.n = n + write_lanes::<L>(second.first_child(), of_second, &mut self.numbers[n..]);
    }
}

/// Leads a visitor to the faces that a ray may cross for `0.0..=t_max`: in no order if the ray hits `limit` nodes of any
/// level or blocks at most, else as [`walk`] does. The limit is [`MAX_LISTED`] at most; none if lists do not pay.
#[inline(always)]
pub(super) fn visit_faces<L: SimdVector>(
    tree: &Tree,
    slabs: &Slabs,
    t_max: f32,
    limit: Option<usize>,
    visitor: &mut impl FaceVisitor,
) {
    let Some(limit) = limit else {
        walk::<L>(tree, slabs, t_max, visitor);
        return;
    };
    let mut lists = [const { Numbers::EMPTY }; 2];
    let [nodes, children] = &mut lists;
    let (mut nodes, mut children) = (nodes, children);
    let reach = slabs.reach(t_max);
    nodes.n = usize::from(tree.n_nodes() != 0);
    for _ in 0..tree.n_levels {
        children.n = 0;
        for i in (0..nodes.n).step_by(2) {
            children.add_children::<L>(tree, slabs, reach, nodes.pair(i));
            if children.n > limit {
                walk::<L>(tree, slabs, t_max, visitor);
                return;
            }
        }
        std::mem::swap(&mut nodes, &mut children);
    }
    let blocks = nodes;
    for i in (0..blocks.n).step_by(2) {
        let (pair, counts) = blocks.pair(i);
        let [first, second] = pair.map(|number| number as usize - tree.n_nodes());
        let of_first = visitor.candidates::<L>(first);
        let of_second = visitor.candidates::<L>(second) & counts;
        let mut candidates = u32::from(of_first) | u32::from(of_second) << N_LANES;
        while candidates != 0 {
            let place = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            let block = if place < N_LANES { first } else { second };
            if visitor.decide(block, place % N_LANES) < 0.0 {
                return;
            }
        }
    }
}
