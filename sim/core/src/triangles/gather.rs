//! Faces in a box.

use super::TriangleIndex;
use super::blocks::Block;
use super::pairs::write_lanes;
use super::simd::{Kernel, LaneMask, N_LANES, SimdVector};
use super::tree::Area;
use crate::MaskFilter;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// When a face counts as being in a box. Touching counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlap {
    /// Its bounds overlap the box.
    #[default]
    Bounds,
    /// Some point of the face itself lies in the box (separating axes).
    Exact,
}

impl TriangleIndex {
    /// The faces in a box, each once, in the order of the index: the same for the same triangles, near faces near
    /// each other. Replaces what `faces` held.
    ///
    /// Engine axes, world units. The box is closed and may be infinite; one with a NaN or with `min > max` on any
    /// axis holds nothing. Allocates only when `faces` must grow.
    pub fn faces_in_aabb(
        &self,
        min: Vec3,
        max: Vec3,
        filter: MaskFilter,
        overlap: Overlap,
        faces: &mut Vec<u32>,
    ) {
        faces.clear();
        let meets_terrain = min.cmple(max).all()
            && min.cmple(self.bounds_max).all()
            && max.cmpge(self.bounds_min).all();
        if !meets_terrain || self.n_faces == 0 {
            return;
        }
        self.instructions.run(BoxQuery {
            index: self,
            min,
            max,
            filter,
            overlap,
            faces,
        });
    }

    /// [`faces_in_aabb`](Self::faces_in_aabb) for many boxes `[min, max]` on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn faces_in_aabb_batch(
        &self,
        boxes: &[[Vec3; 2]],
        filter: MaskFilter,
        overlap: Overlap,
        faces: &mut [Vec<u32>],
    ) {
        assert_eq!(boxes.len(), faces.len(), "one result per box");
        faces
            .par_iter_mut()
            .zip(boxes)
            .for_each(|(faces, &[min, max])| self.faces_in_aabb(min, max, filter, overlap, faces));
    }
}

struct BoxQuery<'a> {
    index: &'a TriangleIndex,
    min: Vec3,
    max: Vec3,
    filter: MaskFilter,
    overlap: Overlap,
    faces: &'a mut Vec<u32>,
}

/// Blocks whose faces are looked at together.
const N_BLOCKS: usize = 64;

impl Kernel for BoxQuery<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdVector>(mut self) {
        let area = Area::new(self.min, self.max, self.index.bounds());
        let mut blocks_in = self.index.tree.blocks_in::<L>(area);
        // There is always room for the blocks of one more node.
        let (mut blocks, mut n) = ([0; N_BLOCKS + N_LANES], 0);
        loop {
            let next = blocks_in.next::<L>();
            if let Some((first, children)) = next {
                n += write_lanes::<L>(first, children, &mut blocks[n..]);
            }
            if next.is_none() || n > N_BLOCKS {
                self.add_faces::<L>(&blocks[..n], &area);
                n = 0;
            }
            if next.is_none() {
                return;
            }
        }
    }
}

impl BoxQuery<'_> {
    /// Adds the faces of some blocks.
    #[inline(always)]
    fn add_faces<L: SimdVector>(&mut self, blocks: &[u32], area: &Area) {
        let Self {
            index,
            filter,
            min,
            max,
            ..
        } = *self;
        // Room for all, so that nothing is called within the loop, which would empty the registers.
        let mut n = self.faces.len();
        self.faces.resize(n + blocks.len() * N_LANES, 0);
        for &block_idx in blocks {
            let block_idx = block_idx as usize;
            let block = &index.blocks[block_idx];
            let sides = CornerSides::<L>::new(block, area);
            let mut found =
                block.held() & !sides.beside() & index.matching_lanes(block_idx, filter);
            if self.overlap == Overlap::Exact {
                // Those wholly in the box need no test, and in a large box these are most.
                let mut doubtful = found & sides.across();
                while doubtful != 0 {
                    let lane = doubtful.trailing_zeros() as usize;
                    doubtful &= doubtful - 1;
                    if !meets_box(&block.face_corners(lane), min, max) {
                        found &= !(1 << lane);
                    }
                }
            }
            // All sixteen; those that are too many will be overwritten: no loop, no branch.
            if let Some(room) = self.faces[n..].first_chunk_mut() {
                L::compress_numbers(&block.faces, found, room);
            }
            n += found.count_ones() as usize;
        }
        self.faces.truncate(n);
    }
}

/// Beyond which sides of a box the corners of a block's faces are, a flag for each side. Comparing is exact in f32.
pub(super) struct CornerSides<L: SimdVector>(L::CornerFlags);

impl<L: SimdVector> CornerSides<L> {
    #[inline(always)]
    pub fn new(block: &Block, area: &Area) -> Self {
        let [low, high] = area.corners();
        // Sixteen vertices are compared rather than the three corners of sixteen faces.
        let mut sides = L::no_flags();
        for axis in 0..3 {
            if !area.is_whole(axis) {
                let vertices = L::load(block.coordinates(axis));
                sides = vertices.add_flag_below(L::splat(low[axis]), sides, 1 << axis);
                sides = L::splat(high[axis]).add_flag_below(vertices, sides, 8 << axis);
            }
        }
        Self(L::pick_flags(sides, block.corners()))
    }

    /// Lanes whose face's bounds do not meet the box.
    #[inline(always)]
    pub fn beside(&self) -> LaneMask {
        L::have_common_flag(self.0)
    }

    /// SimdVector some part of whose face's bounds is outside the box.
    #[inline(always)]
    fn across(&self) -> LaneMask {
        L::have_flag(self.0)
    }
}

/// Separating axes of a triangle and a box whose bounds overlap: the plane of the face and the nine crosses of
/// an edge with an axis of the box (Akenine-Möller 2001).
fn meets_box(corners: &[[f32; 3]; 3], min: Vec3, max: Vec3) -> bool {
    // The part of an infinite box that matters is as large as the face.
    let corners = corners.map(Vec3::from_array);
    let low = min
        .max(corners[0].min(corners[1]).min(corners[2]))
        .as_dvec3();
    let high = max
        .min(corners[0].max(corners[1]).max(corners[2]))
        .as_dvec3();
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let edges = [b - a, c - b, a - c];
    let axes_of = |edge: DVec3| {
        [
            DVec3::new(0.0, -edge.z, edge.y),
            DVec3::new(edge.z, 0.0, -edge.x),
            DVec3::new(-edge.y, edge.x, 0.0),
        ]
    };
    let normal = edges[0].cross(edges[1]);
    edges
        .into_iter()
        .flat_map(axes_of)
        .chain([normal])
        .all(|axis| {
            let on_axis = [axis.dot(a), axis.dot(b), axis.dot(c)];
            let (least, most) = (
                on_axis[0].min(on_axis[1]).min(on_axis[2]),
                on_axis[0].max(on_axis[1]).max(on_axis[2]),
            );
            let near = DVec3::select(axis.cmpge(DVec3::ZERO), low, high);
            let far = DVec3::select(axis.cmpge(DVec3::ZERO), high, low);
            axis.dot(near) <= most && axis.dot(far) >= least
        })
}
