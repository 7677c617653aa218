//! Many rays at once: level by level down the tree, rather than ray by ray.
//!
//! A single ray spends most of its time waiting: each node says which to read next, and the processor guesses
//! wrong. Here every step is a loop over a flat list of pairs, so that it works on many rays while one waits. What
//! this pays for is order: faces behind the nearest are met too. Rays that meet very much go one by one instead.

use super::TriangleIndex;
use super::cast_ray::candidates_along;
use super::lanes::{self, LaneMask, Lanes, N_F64, N_LANES};
use super::pairs::{N_OWNERS, Pairs, write_lanes};
use super::slabs::Slabs;
use super::tree::MAX_LEVELS;
use crate::MaskFilter;
use crate::ray_triangle::{Crossing, RayFaces, ShearedRay};

/// Rays that are taken together.
pub(super) const N_RAYS: usize = N_OWNERS;

/// What is done with the faces that rays cross.
pub(super) trait CrossingVisitor {
    /// The ray of this number crosses the face at a place, at any t.
    fn meet(&mut self, ray: usize, place: u32, crossing: Crossing);

    /// Whether nothing more can change what this ray has met.
    fn is_done(&self, ray: usize) -> bool {
        let _ = ray;
        false
    }
}

/// Rays of one call, those that are of use.
pub(super) struct Rays<'a> {
    index: &'a TriangleIndex,
    filter: MaskFilter,
    sheared: &'a [Option<ShearedRay>],
    slabs: [Slabs; N_RAYS],
    reaches: [f32; N_RAYS],
}

impl<'a> Rays<'a> {
    #[inline(always)]
    pub fn new(
        index: &'a TriangleIndex,
        filter: MaskFilter,
        sheared: &'a [Option<ShearedRay>],
        t_max: impl Fn(usize) -> f32,
    ) -> Self {
        let mut rays = Self {
            index,
            filter,
            sheared,
            slabs: [const { Slabs::UNUSED }; N_RAYS],
            reaches: [f32::NEG_INFINITY; N_RAYS],
        };
        for (i, ray) in sheared.iter().enumerate() {
            // A NaN fails the comparison too.
            let t_max = t_max(i);
            let is_reaching = t_max >= 0.0;
            if let (Some(ray), true) = (ray, is_reaching) {
                rays.slabs[i] = Slabs::new(ray, index.bounds());
                rays.reaches[i] = rays.slabs[i].reach(t_max);
            }
        }
        rays
    }

    /// The rays that are of use, each with the root.
    #[inline(always)]
    fn at_root(&self) -> Pairs {
        let mut pairs = Pairs::new();
        for (ray, &reach) in self.reaches[..self.sheared.len()].iter().enumerate() {
            pairs.add_if(reach >= 0.0 && !self.index.tree.nodes.is_empty(), 0, ray);
        }
        pairs
    }

    /// Leads a visitor to every face that a ray crosses within its box tests for `0.0..=t_max`: those that it crosses
    /// there, and some beyond. `None` if the rays meet too much to be taken together; then nothing was visited.
    #[inline(always)]
    pub fn meet_all<L: Lanes>(&self, visitor: &mut impl CrossingVisitor) -> Option<()> {
        let (mut pairs, mut children) = (self.at_root(), Pairs::new());
        for _ in 0..self.index.tree.n_levels {
            children.n = 0;
            for pair in 0..pairs.n {
                let (node, ray) = pairs.get(pair);
                let node = &self.index.tree.nodes[node as usize];
                let (mask, _) = self.slabs[ray].children::<L>(node, self.reaches[ray]);
                children.add_lanes::<L>(node.first_child, mask, ray);
                if children.is_full() {
                    return None;
                }
            }
            std::mem::swap(&mut pairs, &mut children);
        }
        self.prefetch_blocks(&pairs);
        let mut faces = Pairs::new();
        self.add_faces_of_blocks::<L>(&pairs, &mut faces)?;
        self.meet(&faces, visitor);
        Some(())
    }

    /// Leads a visitor to faces that rays cross, until it has enough for a ray or there are no more: all rays go down
    /// the tree in step, each its own way.
    #[inline(always)]
    pub fn meet_until_done<L: Lanes>(&self, visitor: &mut impl CrossingVisitor) {
        let mut ways = [const { Way::EMPTY }; N_RAYS];
        let mut going = self.at_root();
        for pair in 0..going.n {
            let (root, ray) = going.get(pair);
            ways[ray].add_lanes::<L>(root, 1);
        }
        let (mut nodes, mut blocks, mut faces) = (Pairs::new(), Pairs::new(), Pairs::new());
        while going.n != 0 {
            (nodes.n, blocks.n, faces.n) = (0, 0, 0);
            let n_going = std::mem::take(&mut going.n);
            for pair in 0..n_going {
                let (_, ray) = going.get(pair);
                let is_going = ways[ray].n != 0 && !visitor.is_done(ray);
                let next = ways[ray].next();
                let is_node = (next as usize) < self.index.tree.nodes.len();
                going.add_if(is_going, 0, ray);
                nodes.add_if(is_going & is_node, next, ray);
                blocks.add_if(is_going & !is_node, next, ray);
            }
            self.prefetch_blocks(&blocks);
            for pair in 0..nodes.n {
                let (node, ray) = nodes.get(pair);
                let node = &self.index.tree.nodes[node as usize];
                let (mask, _) = self.slabs[ray].children::<L>(node, self.reaches[ray]);
                ways[ray].add_lanes::<L>(node.first_child, mask);
            }
            // A block of each of so few rays cannot be too much.
            if self.add_faces_of_blocks::<L>(&blocks, &mut faces).is_some() {
                self.meet(&faces, visitor);
            }
        }
    }

    #[inline(always)]
    fn prefetch_blocks(&self, pairs: &Pairs) {
        for &number in &pairs.things[..pairs.n] {
            lanes::prefetch(&self.index.blocks[number as usize - self.index.tree.nodes.len()]);
        }
    }

    /// The faces of blocks that their ray may cross; `None` if there are too many.
    #[inline(always)]
    fn add_faces_of_blocks<L: Lanes>(&self, blocks: &Pairs, faces: &mut Pairs) -> Option<()> {
        for pair in 0..blocks.n {
            let (number, ray) = blocks.get(pair);
            let block_idx = number as usize - self.index.tree.nodes.len();
            let Some(sheared) = &self.sheared[ray] else {
                continue;
            };
            let mask = candidates_along::<L>(&self.index.blocks[block_idx], sheared)
                & self.index.seen_lanes(block_idx, self.filter);
            faces.add_lanes::<L>((block_idx * N_LANES) as u32, mask, ray);
            if faces.is_full() {
                return None;
            }
        }
        Some(())
    }

    #[inline(always)]
    fn meet(&self, faces: &Pairs, visitor: &mut impl CrossingVisitor) {
        for begin in (0..faces.n).step_by(N_F64) {
            let mut at_once = RayFaces::<N_F64>::new();
            let n = (faces.n - begin).min(N_F64);
            for i in 0..n {
                let (place, ray) = faces.get(begin + i);
                if let Some(ray) = &self.sheared[ray] {
                    at_once.set(i, ray, &self.index.corners_at(place));
                }
            }
            let crossings = at_once.crossings();
            for i in 0..n {
                let (place, ray) = faces.get(begin + i);
                if let Some(crossing) = crossings.get(i) {
                    visitor.meet(ray, place, crossing);
                }
            }
        }
    }
}

/// What one ray is still to visit: nodes, and behind their numbers blocks.
struct Way {
    things: [u32; MAX_LEVELS * (N_LANES - 1) + 1 + N_LANES],
    n: usize,
}

impl Way {
    const EMPTY: Self = Self {
        things: [0; _],
        n: 0,
    };

    #[inline(always)]
    fn add_lanes<L: Lanes>(&mut self, first: u32, mask: LaneMask) {
        self.n += write_lanes::<L>(first, mask, &mut self.things[self.n..]);
    }

    /// The last one; anything, if there is none.
    #[inline(always)]
    fn next(&mut self) -> u32 {
        self.n = self.n.saturating_sub(1);
        self.things[self.n]
    }
}
