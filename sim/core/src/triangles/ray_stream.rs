//! Many rays at once: level by level down the tree, rather than ray by ray.
//!
//! A single ray spends most of its time waiting: each node says which to read next, and the processor guesses wrong.
//! Here every step is a loop over a flat list of pairs, so that it works on many rays while one waits. What this pays
//! for is order: faces behind the nearest are visited, too. Rays that cross too many faces are cast one at a time
//! instead.

use super::TriangleIndex;
use super::pairs::{N_OWNERS, Pairs, write_lanes};
use super::simd::{self, LaneMask, N_F64, N_LANES, SimdVector};
use super::slabs::Slabs;
use super::tree::MAX_LEVELS;
use crate::MaskFilter;
use crate::ray_triangle::{Crossing, RayFaces, ShearedRay};

/// Rays that are taken together.
pub(super) const N_RAYS: usize = N_OWNERS;

/// What is done with the faces that rays cross.
pub(super) trait CrossingVisitor {
    /// The ray of this number crosses the face at a place, at any t.
    fn visit_crossing(&mut self, ray: usize, place: u32, crossing: Crossing);

    /// Whether nothing more can change what this ray has met.
    fn is_done(&self, ray: usize) -> bool {
        let _ = ray;
        false
    }
}

/// Rays that are cast together, and lists of what they lead to. Kept from some rays to the next, so that nothing need
/// be cleared but what says how much there is.
pub(super) struct RayStream<'a> {
    index: &'a TriangleIndex,
    filter: MaskFilter,
    farthest: f32,
    /// Number of rays.
    n: usize,
    rays: [ShearedRay; N_RAYS],
    slabs: [Slabs; N_RAYS],
    /// Below zero for inactive rays.
    reaches: [f32; N_RAYS],
    lists: [Pairs; 3],
}

impl<'a> RayStream<'a> {
    #[inline(always)]
    pub fn new(index: &'a TriangleIndex, filter: MaskFilter) -> Self {
        Self {
            index,
            filter,
            farthest: index.farthest,
            n: 0,
            rays: [const { ShearedRay::UNUSED }; N_RAYS],
            slabs: [const { Slabs::UNUSED }; N_RAYS],
            reaches: [f32::NEG_INFINITY; N_RAYS],
            lists: [const { Pairs::EMPTY }; 3],
        }
    }

    /// Forgets all rays.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.n = 0;
    }

    /// Adds a ray, at most [`N_RAYS`] of them; `None` is one that hits nothing.
    #[inline(always)]
    pub fn add(&mut self, ray: Option<ShearedRay>, t_max: f32) {
        let i = self.n % N_RAYS;
        self.n += 1;
        self.reaches[i] = f32::NEG_INFINITY;
        // A NaN fails the comparison too.
        let is_reaching = t_max >= 0.0;
        if let (Some(ray), true) = (ray, is_reaching) {
            self.slabs[i] = Slabs::new(&ray, self.farthest);
            self.reaches[i] = self.slabs[i].reach(t_max);
            self.rays[i] = ray;
        }
    }

    /// Lists the active rays, each with the root.
    #[inline(always)]
    fn list_roots(&mut self) {
        let roots = &mut self.lists[0];
        roots.n = 0;
        for (ray, &reach) in self.reaches[..self.n].iter().enumerate() {
            roots.add_if(reach >= 0.0 && self.index.tree.n_nodes() != 0, 0, ray);
        }
    }

    /// Leads a visitor to every face that a ray crosses within its box tests for `0.0..=t_max`: those that it crosses
    /// there, and some beyond. `None` if the rays hit too much to be taken together; then nothing was visited.
    #[inline(always)]
    pub fn visit_all<L: SimdVector>(&mut self, visitor: &mut impl CrossingVisitor) -> Option<()> {
        self.list_roots();
        let tree = &self.index.tree;
        let [nodes, children, faces] = &mut self.lists;
        let (mut nodes, mut children) = (nodes, children);
        for _ in 0..tree.n_levels {
            let mut n_children = 0;
            for pair in 0..nodes.n {
                let (node, ray) = nodes.get(pair);
                let node = tree.node(node);
                let (mask, _) = self.slabs[ray].children::<L>(node, self.reaches[ray]);
                n_children = children.put_lanes::<L>(n_children, node.first_child(), mask, ray)?;
            }
            children.n = n_children;
            std::mem::swap(&mut nodes, &mut children);
        }
        let at_blocks = AtBlocks {
            index: self.index,
            filter: self.filter,
            rays: &self.rays,
        };
        at_blocks.prefetch(nodes);
        at_blocks.list_faces::<L>(nodes, faces)?;
        at_blocks.visit_crossing(faces, visitor);
        Some(())
    }

    /// Leads a visitor to faces that rays cross, until it has enough for a ray or there are no more: all rays go down
    /// the BVH in lockstep, each with its own traversal.
    #[inline(always)]
    pub fn visit_until_done<L: SimdVector>(
        &mut self,
        ways: &mut [NodeStack; N_RAYS],
        visitor: &mut impl CrossingVisitor,
    ) {
        self.list_roots();
        let tree = &self.index.tree;
        let mut going = [0; N_RAYS];
        let mut n_going = 0;
        for pair in 0..self.lists[0].n {
            let (root, ray) = self.lists[0].get(pair);
            ways[ray].n = 0;
            ways[ray].add_lanes::<L>(root, 1);
            going[n_going % N_RAYS] = ray as u8;
            n_going += 1;
        }
        let [nodes, blocks, faces] = &mut self.lists;
        let at_blocks = AtBlocks {
            index: self.index,
            filter: self.filter,
            rays: &self.rays,
        };
        while n_going != 0 {
            (nodes.n, blocks.n) = (0, 0);
            for i in 0..std::mem::take(&mut n_going) {
                let ray = usize::from(going[i]) % N_RAYS;
                let is_going = ways[ray].n != 0 && !visitor.is_done(ray);
                let next = ways[ray].next();
                let is_node = (next as usize) < tree.n_nodes();
                going[n_going] = ray as u8;
                n_going += usize::from(is_going);
                nodes.add_if(is_going & is_node, next, ray);
                blocks.add_if(is_going & !is_node, next, ray);
            }
            at_blocks.prefetch(blocks);
            for pair in 0..nodes.n {
                let (node, ray) = nodes.get(pair);
                let node = tree.node(node);
                let (mask, _) = self.slabs[ray].children::<L>(node, self.reaches[ray]);
                ways[ray].add_lanes::<L>(node.first_child(), mask);
            }
            // A block of each of so few rays cannot be too much.
            if at_blocks.list_faces::<L>(blocks, faces).is_some() {
                at_blocks.visit_crossing(faces, visitor);
            }
        }
    }
}

/// What is done where rays have come to blocks.
struct AtBlocks<'a> {
    index: &'a TriangleIndex,
    filter: MaskFilter,
    rays: &'a [ShearedRay; N_RAYS],
}

impl AtBlocks<'_> {
    #[inline(always)]
    fn prefetch(&self, blocks: &Pairs) {
        for &number in &blocks.things[..blocks.n] {
            simd::prefetch(&self.index.blocks[number as usize - self.index.tree.n_nodes()]);
        }
    }

    /// Lists the faces of blocks that their ray may cross; `None` if there are too many.
    #[inline(always)]
    fn list_faces<L: SimdVector>(&self, blocks: &Pairs, faces: &mut Pairs) -> Option<()> {
        let mut n = 0;
        for pair in 0..blocks.n {
            let (number, ray) = blocks.get(pair);
            let block_idx = number as usize - self.index.tree.n_nodes();
            let mask = self
                .index
                .candidates_along::<L>(block_idx, &self.rays[ray], self.filter);
            n = faces.put_lanes::<L>(n, (block_idx * N_LANES) as u32, mask, ray)?;
        }
        faces.n = n;
        Some(())
    }

    #[inline(always)]
    fn visit_crossing(&self, faces: &Pairs, visitor: &mut impl CrossingVisitor) {
        for begin in (0..faces.n).step_by(N_F64) {
            let mut at_once = RayFaces::<N_F64>::new();
            let n = (faces.n - begin).min(N_F64);
            for i in 0..n {
                let (place, ray) = faces.get(begin + i);
                let ray = &self.rays[ray];
                at_once.set(i, ray, self.index.corners_along(place, ray));
            }
            let crossings = at_once.crossings();
            for i in 0..n {
                let (place, ray) = faces.get(begin + i);
                if let Some(crossing) = crossings.get(i) {
                    visitor.visit_crossing(ray, place, crossing);
                }
            }
        }
    }
}

/// What one ray must still visit: nodes, and behind their numbers blocks.
pub(super) struct NodeStack {
    things: [u32; MAX_LEVELS * (N_LANES - 1) + 1 + N_LANES],
    n: usize,
}

impl NodeStack {
    pub const EMPTY: Self = Self {
        things: [0; _],
        n: 0,
    };

    #[inline(always)]
    fn add_lanes<L: SimdVector>(&mut self, first: u32, mask: LaneMask) {
        self.n += write_lanes::<L>(first, mask, &mut self.things[self.n..]);
    }

    /// The last one; anything, if there is none.
    #[inline(always)]
    fn next(&mut self) -> u32 {
        self.n = self.n.saturating_sub(1);
        self.things[self.n]
    }
}
