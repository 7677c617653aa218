//! Heights: what stands over a point of the ground plane.

use super::{TerrainIndex, Triangle};
use crate::ray_triangle::has_both_signs;
use glam::{Vec2, Vec3};
use ironlands_assets_loader::parkan::face_mask::FaceFilter;
use rayon::prelude::*;

/// Queries that one rayon task takes at least.
const MIN_QUERIES_PER_TASK: usize = 256;

/// A face over a point of the ground plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightHit {
    /// Face of the file.
    pub face: u32,
    /// Height of the face there, world units.
    pub z: f32,
    /// Weights of the face's three vertices, sum 1.
    pub barycentrics: [f32; 3],
    /// Unit normal of the face, turned to point up.
    pub normal: Vec3,
}

impl TerrainIndex {
    /// The highest face over a point; of equal heights the face with the lowest index.
    ///
    /// Engine axes, world units. Edges belong to the faces on both sides, either winding counts; a face that
    /// stands upright has no height. `None` outside the terrain, over a gap and for a non-finite point.
    pub fn height_at(&self, x: f32, y: f32, filter: FaceFilter) -> Option<HeightHit> {
        self.best_height(x, y, filter, |_| true, |z, best| z > best)
    }

    /// The highest face at or below `z`: the floor of who stands there. Else as [`height_at`](Self::height_at).
    pub fn height_at_or_below(
        &self,
        x: f32,
        y: f32,
        z: f32,
        filter: FaceFilter,
    ) -> Option<HeightHit> {
        self.best_height(x, y, filter, |face_z| face_z <= z, |z, best| z > best)
    }

    /// The lowest face at or above `z`. Else as [`height_at`](Self::height_at).
    pub fn height_at_or_above(
        &self,
        x: f32,
        y: f32,
        z: f32,
        filter: FaceFilter,
    ) -> Option<HeightHit> {
        self.best_height(x, y, filter, |face_z| face_z >= z, |z, best| z < best)
    }

    /// Unit normal of the highest face over a point, turned to point up. `None` as [`height_at`](Self::height_at).
    pub fn normal_at(&self, x: f32, y: f32, filter: FaceFilter) -> Option<Vec3> {
        self.height_at(x, y, filter).map(|hit| hit.normal)
    }

    /// [`height_at`](Self::height_at) for many points on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn heights_at(&self, points: &[Vec2], filter: FaceFilter, hits: &mut [Option<HeightHit>]) {
        assert_eq!(points.len(), hits.len(), "one answer a point");
        hits.par_iter_mut()
            .zip(points)
            .with_min_len(MIN_QUERIES_PER_TASK)
            .for_each(|(hit, point)| *hit = self.height_at(point.x, point.y, filter));
    }

    fn best_height(
        &self,
        x: f32,
        y: f32,
        filter: FaceFilter,
        counts: impl Fn(f32) -> bool,
        is_better: impl Fn(f32, f32) -> bool,
    ) -> Option<HeightHit> {
        let (x, y) = (f64::from(x), f64::from(y));
        let mut best: Option<(f32, &Triangle, [f64; 3])> = None;
        for entry in self.grid.at_point(x, y) {
            let triangle = &self.triangles[entry.triangle()];
            let Some((z, weights)) = filter
                .accepts(triangle.flags)
                .then(|| height_of(triangle, x, y))
                .flatten()
            else {
                continue;
            };
            let replaces = best.as_ref().is_none_or(|&(best_z, best_triangle, _)| {
                is_better(z, best_z) || (z == best_z && triangle.face < best_triangle.face)
            });
            if counts(z) && replaces {
                best = Some((z, triangle, weights));
            }
        }
        best.map(|(z, triangle, weights)| {
            let normal = triangle.normal();
            HeightHit {
                face: triangle.face,
                z,
                barycentrics: weights.map(|w| w as f32),
                normal: if normal.z < 0.0 { -normal } else { normal },
            }
        })
    }
}

/// Height of a face over a point and the weights of its vertices. The same edge functions as for rays, straight
/// down, so that heights do not leak between faces either.
fn height_of(triangle: &Triangle, x: f64, y: f64) -> Option<(f32, [f64; 3])> {
    let [a, b, c] = triangle
        .vertices
        .map(|v| [f64::from(v[0]) - x, f64::from(v[1]) - y]);
    let u = c[0] * b[1] - c[1] * b[0];
    let v = a[0] * c[1] - a[1] * c[0];
    let w = b[0] * a[1] - b[1] * a[0];
    if has_both_signs([u, v, w]) {
        return None;
    }
    let area = u + v + w;
    if area == 0.0 {
        return None; // upright
    }
    let weights = [u / area, v / area, w / area];
    let z: f64 = (0..3)
        .map(|i| weights[i] * f64::from(triangle.vertices[i][2]))
        .sum();
    Some((z as f32, weights))
}
