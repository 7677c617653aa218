//! Faces in a box.

use super::TriangleIndex;
use super::blocks::Block;
use super::lanes::{Kernel, LaneMask, Lanes};
use super::tree::WideBox;
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
    pub fn faces_in_aabbs(
        &self,
        boxes: &[[Vec3; 2]],
        filter: MaskFilter,
        overlap: Overlap,
        faces: &mut [Vec<u32>],
    ) {
        assert_eq!(boxes.len(), faces.len(), "one answer a box");
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

impl Kernel for BoxQuery<'_> {
    type Answer = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self {
            index,
            min,
            max,
            filter,
            overlap,
            faces,
        } = self;
        let (low, high) = (min.to_array(), max.to_array());
        let area = WideBox::new(min, max, index.bounds());
        let mut blocks = index.tree.blocks_in::<L>(area);
        while let Some(block_idx) = blocks.next::<L>() {
            let block = &index.blocks[block_idx];
            let mut found = block.held()
                & !faces_beside::<L>(block, low, high)
                & index.seen_lanes(block_idx, filter);
            if overlap == Overlap::Exact {
                // Those wholly in the box need no test, and in a large box these are most.
                let mut doubtful = found & faces_across::<L>(block, low, high);
                while doubtful != 0 {
                    let lane = doubtful.trailing_zeros() as usize;
                    doubtful &= doubtful - 1;
                    if !meets_box(&block.face_corners(lane), min, max) {
                        found &= !(1 << lane);
                    }
                }
            }
            // All sixteen, and then those that are too many off again: no loop, no branch.
            let n = faces.len() + found.count_ones() as usize;
            faces.extend_from_slice(&L::compress(&block.faces, found));
            faces.truncate(n);
        }
    }
}

/// Lanes whose face's bounds do not meet a box. Comparing is exact in f32.
#[inline(always)]
pub(super) fn faces_beside<L: Lanes>(block: &Block, low: [f32; 3], high: [f32; 3]) -> LaneMask {
    let along = block.all_corners::<L>();
    let mut beside = 0;
    for (axis, [a, b, c]) in along.into_iter().enumerate() {
        beside |= L::splat(high[axis]).is_below(a.min(b).min(c));
        beside |= a.max(b).max(c).is_below(L::splat(low[axis]));
    }
    beside
}

/// Lanes some part of whose face's bounds is outside a box.
#[inline(always)]
fn faces_across<L: Lanes>(block: &Block, low: [f32; 3], high: [f32; 3]) -> LaneMask {
    let along = block.all_corners::<L>();
    let mut across = 0;
    for (axis, [a, b, c]) in along.into_iter().enumerate() {
        across |= a.min(b).min(c).is_below(L::splat(low[axis]));
        across |= L::splat(high[axis]).is_below(a.max(b).max(c));
    }
    across
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
