//! Faces in a box.

use super::{TerrainIndex, Triangle};
use glam::{DVec3, Vec3};
use ironlands_assets_loader::parkan::face_mask::FaceFilter;
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

impl TerrainIndex {
    /// The faces in a box, each once, in query order: tiles x-major, then slot order. Replaces what `faces` held.
    ///
    /// Engine axes, world units. The box is closed and may be infinite; one with a NaN or with `min > max` on any
    /// axis holds nothing. Allocates only when `faces` must grow.
    pub fn faces_in_aabb(
        &self,
        min: Vec3,
        max: Vec3,
        filter: FaceFilter,
        overlap: Overlap,
        faces: &mut Vec<u32>,
    ) {
        faces.clear();
        let meets_terrain = min.cmple(max).all()
            && min.cmple(self.bounds_max).all()
            && max.cmpge(self.bounds_min).all();
        if !meets_terrain || self.triangles.is_empty() {
            return;
        }
        let plan = (
            min.truncate().to_array().map(f64::from),
            max.truncate().to_array().map(f64::from),
        );
        self.grid.for_triangles_near(plan, |at| {
            let triangle = &self.triangles[at];
            if filter.accepts(triangle.flags) && overlaps(triangle, min, max, overlap) {
                faces.push(at as u32);
            }
        });
        faces.sort_unstable();
        for at in faces.iter_mut() {
            *at = self.triangles[*at as usize].face;
        }
    }

    /// [`faces_in_aabb`](Self::faces_in_aabb) for many boxes `[min, max]` on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn faces_in_aabbs(
        &self,
        boxes: &[[Vec3; 2]],
        filter: FaceFilter,
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

fn overlaps(triangle: &Triangle, min: Vec3, max: Vec3, overlap: Overlap) -> bool {
    let [a, b, c] = [0, 1, 2].map(|i| triangle.corner(i));
    let bounds_overlap = a.min(b).min(c).cmple(max).all() && a.max(b).max(c).cmpge(min).all();
    bounds_overlap && (overlap == Overlap::Bounds || faces_box_exactly(triangle, min, max))
}

/// Separating axes of a triangle and a box whose bounds overlap: the plane of the face and the nine crosses of
/// an edge with an axis of the box (Akenine-Möller 2001).
fn faces_box_exactly(triangle: &Triangle, min: Vec3, max: Vec3) -> bool {
    // The part of an infinite box that matters is as large as the face.
    let corners = [0, 1, 2].map(|i| triangle.corner(i));
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
