//! The faces nearest to a point.

use super::near::{FaceRef, Wanted};
use super::nearest_stream::{N_POINTS, NearestRun};
use super::point_triangle::{Faces, NearestPoints};
use super::{SimdLevel, TriangleIndex};
use crate::MaskFilter;
use glam::Vec3;
use rayon::prelude::*;
use std::cmp::Ordering;

/// A face and its point nearest to the query point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestFace {
    /// Index of the face.
    pub face: u32,
    /// Distance to it, world units.
    pub distance: f32,
    /// The point of the face that is nearest, world units.
    pub position: Vec3,
    /// Weights of the face's three vertices at that point, sum 1.
    pub barycentrics: [f32; 3],
    /// Unit normal of the face by its winding; zero for a face without area.
    pub normal: Vec3,
    /// Material word of the face.
    pub material: u16,
}

impl TriangleIndex {
    /// The face nearest to a point; of equal distances (as f32) the face with the lowest index.
    ///
    /// Engine axes, world units. Only faces at most `max_distance` away count, the distance as f32; it may be
    /// infinite. Edges and vertices belong to their faces, and a face without area is the segment or the point
    /// that it covers. A non-finite point and a NaN or negative distance find nothing, nor is a face found whose
    /// distance f32 cannot hold.
    pub fn closest_point(
        &self,
        point: Vec3,
        max_distance: f32,
        filter: MaskFilter,
    ) -> Option<NearestFace> {
        let mut limit = distance_limit(point, max_distance)?;
        let mut nearest: Option<(f32, FaceRef)> = None;
        self.for_faces_by_distance(point, filter, limit, Wanted::One, |face, distance| {
            let is_nearest = nearest.is_none_or(|(least, other)| {
                distance < least || (distance == least && face.face < other.face)
            });
            if is_nearest {
                limit = distance;
                nearest = Some((distance, face));
            }
            limit
        });
        nearest.map(|(distance, face)| NearestFace::new(self, point, distance, &face))
    }

    /// The `k` faces nearest to a point, nearest first, of equal distances the lower index first. Replaces what
    /// `faces` held; fewer than `k` where there are no more. Allocates only when `faces` must grow.
    ///
    /// Which faces count: as in [`closest_point`](Self::closest_point). Costs `log k` a face that comes among the
    /// first `k`.
    pub fn nearest_faces(
        &self,
        point: Vec3,
        k: usize,
        max_distance: f32,
        filter: MaskFilter,
        faces: &mut Vec<NearestFace>,
    ) {
        faces.clear();
        let Some(mut limit) = distance_limit(point, max_distance).filter(|_| k > 0) else {
            return;
        };
        self.for_faces_by_distance(point, filter, limit, Wanted::Many, |face, distance| {
            offer(faces, k, NearestFace::new(self, point, distance, &face));
            if faces.len() == k {
                limit = faces[0].distance;
            }
            limit
        });
        faces.sort_unstable_by(by_distance);
    }

    /// Lists of corners only pay where a few instructions compress sixteen numbers.
    fn takes_points_together(&self) -> bool {
        self.instructions != SimdLevel::Portable
    }

    /// [`closest_point`](Self::closest_point) for many points on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn closest_point_batch(
        &self,
        points: &[Vec3],
        max_distance: f32,
        filter: MaskFilter,
        faces: &mut [Option<NearestFace>],
    ) {
        assert_eq!(points.len(), faces.len(), "one result per point");
        faces
            .par_chunks_mut(N_POINTS)
            .zip(points.par_chunks(N_POINTS))
            .for_each(|(faces, points)| {
                if !self.takes_points_together() {
                    for (face, &point) in faces.iter_mut().zip(points) {
                        *face = self.closest_point(point, max_distance, filter);
                    }
                    return;
                }
                self.instructions.run(NearestRun {
                    index: self,
                    points,
                    max_distance,
                    filter,
                    faces,
                });
            });
    }
}

impl NearestFace {
    fn new(index: &TriangleIndex, point: Vec3, distance: f32, face: &FaceRef) -> Self {
        let mut faces = Faces::<1>::new();
        faces.set(0, &face.vertices);
        let nearest = faces.nearest_points(&point.to_array().map(|along| [along]));
        Self::from_point(index, face.place, distance, &nearest, 0)
    }

    /// Of the face at a place, whose nearest point has this number.
    #[inline(always)]
    pub(super) fn from_point<const N: usize>(
        index: &TriangleIndex,
        place: u32,
        distance: f32,
        nearest: &NearestPoints<N>,
        i: usize,
    ) -> Self {
        Self {
            face: index.face_at(place),
            distance,
            position: Vec3::from_array(nearest.positions.map(|along| along[i])),
            barycentrics: nearest.weights.map(|weights| weights[i]),
            normal: Vec3::from_array(nearest.normals.map(|along| along[i])),
            material: index.material_at(place),
        }
    }
}

/// The distance within which faces count; `None` where no face can. A distance that overflows is no result, and -0 is
/// made 0, so that the bits are in order too.
pub(super) fn distance_limit(point: Vec3, max_distance: f32) -> Option<f32> {
    // A NaN distance fails the comparison too.
    (point.is_finite() && max_distance >= 0.0).then_some(max_distance.min(f32::MAX) + 0.0)
}

fn by_distance(a: &NearestFace, b: &NearestFace) -> Ordering {
    let key = |face: &NearestFace| (face.distance, face.face);
    let ((a, a_face), (b, b_face)) = (key(a), key(b));
    a.total_cmp(&b).then(a_face.cmp(&b_face))
}

/// Adds a face to the nearest `k > 0`, or puts it in the place of the farthest of them. `heap` is a binary heap
/// with the farthest first: insertion in order would take `k` moves a face, which a large `k` makes a hang.
fn offer(heap: &mut Vec<NearestFace>, k: usize, face: NearestFace) {
    if heap.len() < k {
        heap.push(face);
        let mut at = heap.len() - 1;
        while at > 0 && by_distance(&heap[at], &heap[(at - 1) / 2]).is_gt() {
            heap.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    } else if by_distance(&face, &heap[0]).is_lt() {
        heap[0] = face;
        sink_first(heap);
    }
}

fn sink_first(heap: &mut [NearestFace]) {
    let mut at = 0;
    loop {
        let children = 2 * at + 1..heap.len().min(2 * at + 3);
        let Some(farther) = children.max_by(|&a, &b| by_distance(&heap[a], &heap[b])) else {
            return;
        };
        if by_distance(&heap[farther], &heap[at]).is_lt() {
            return;
        }
        heap.swap(at, farther);
        at = farther;
    }
}
