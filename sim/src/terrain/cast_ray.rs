//! Rays and segments.

use super::grid::Entry;
use super::{TerrainIndex, Triangle};
use crate::Ray;
use crate::ray_triangle::{Crossing, ShearedRay};
use glam::Vec3;
use ironlands_assets_loader::parkan::face_mask::{FaceFilter, FaceFlags};
use rayon::prelude::*;

/// Queries that one rayon task takes at least; below it the task costs more than the work.
const MIN_QUERIES_PER_TASK: usize = 64;

/// Where a ray meets the terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// Face of the file.
    pub face: u32,
    /// Distance in lengths of the ray's direction.
    pub t: f32,
    /// Weights of the face's three vertices, sum 1.
    pub barycentrics: [f32; 3],
    /// The point, computed on the face rather than along the ray; world units.
    pub position: Vec3,
    /// Unit normal of the face by its winding, whichever side was hit.
    pub normal: Vec3,
    /// The ray came from the side that `normal` points to.
    pub front: bool,
}

/// Which sides of a face stop a ray.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sides {
    /// Both. The winding of real files is not known (Q-M19), so this is the rule.
    #[default]
    Both,
    /// The front alone, unless the face carries [`FaceFlags::TWO_SIDED`].
    FrontUnlessTwoSided,
}

impl TerrainIndex {
    /// The nearest face that a ray crosses, from either side; of equal `t` the face with the lowest index.
    ///
    /// Engine axes, world units. `t` counts in lengths of `direction`, `0.0..=t_max`; `t_max` may be infinite.
    /// A non-finite ray, a zero direction, a NaN or negative `t_max` hit nothing, and a ray within the plane of a
    /// face does not hit that face. Visits grid cells in ray order: the cost grows with the cells crossed.
    pub fn cast_ray(&self, ray: &Ray, t_max: f32, filter: FaceFilter) -> Option<RayHit> {
        self.cast_ray_at_sides(ray, t_max, filter, Sides::Both)
    }

    /// [`cast_ray`](Self::cast_ray) with a choice of the sides that stop the ray.
    pub fn cast_ray_at_sides(
        &self,
        ray: &Ray,
        t_max: f32,
        filter: FaceFilter,
        sides: Sides,
    ) -> Option<RayHit> {
        let ray = ShearedRay::new(ray)?;
        let mut nearest: Option<(f32, &Triangle, Crossing)> = None;
        let mut t_limit = t_max.min(f32::MAX); // an overflowing t is no answer
        self.walk(&ray, t_max, |entries| {
            for entry in entries {
                let triangle = &self.triangles[entry.triangle()];
                if !filter.accepts(triangle.flags) {
                    continue;
                }
                let Some(crossing) = ray.cross(&triangle.vertices) else {
                    continue;
                };
                let is_seen = crossing.front
                    || sides == Sides::Both
                    || triangle.flags.contains(FaceFlags::TWO_SIDED);
                let t = crossing.t as f32;
                let is_nearest = match nearest {
                    Some((nearest_t, other, _)) if t == nearest_t => triangle.face < other.face,
                    _ => (0.0..=t_limit).contains(&t),
                };
                if is_seen && is_nearest {
                    t_limit = t;
                    nearest = Some((t, triangle, crossing));
                }
            }
            t_limit
        });
        nearest.map(|(t, triangle, crossing)| RayHit::new(t, triangle, &crossing))
    }

    /// Is anything between two points? Both ends included; a segment of no length meets nothing.
    ///
    /// Engine axes, world units. Non-finite points: `false`. Stops at the first face found, in no stated order.
    pub fn segment_hit(&self, a: Vec3, b: Vec3, filter: FaceFilter) -> bool {
        let Some(ray) = ShearedRay::between(a, b) else {
            return false;
        };
        let mut is_hit = false;
        self.walk(&ray, 1.0, |entries| {
            is_hit = entries.iter().any(|entry| {
                let triangle = &self.triangles[entry.triangle()];
                filter.accepts(triangle.flags)
                    && ray
                        .cross(&triangle.vertices)
                        .is_some_and(|c| (0.0..=1.0).contains(&(c.t as f32)))
            });
            if is_hit { f32::NEG_INFINITY } else { 1.0 }
        });
        is_hit
    }

    /// [`cast_ray`](Self::cast_ray) for many rays, each with its own `t_max`, on all threads.
    ///
    /// # Panics
    /// If the three slices differ in length.
    pub fn cast_rays(
        &self,
        rays: &[Ray],
        t_max: &[f32],
        filter: FaceFilter,
        hits: &mut [Option<RayHit>],
    ) {
        assert_eq!(rays.len(), hits.len(), "one answer a ray");
        assert_eq!(rays.len(), t_max.len(), "one t_max a ray");
        hits.par_iter_mut()
            .zip(rays.par_iter().zip(t_max))
            .with_min_len(MIN_QUERIES_PER_TASK)
            .for_each(|(hit, (ray, &t_max))| *hit = self.cast_ray(ray, t_max, filter));
    }

    /// [`segment_hit`](Self::segment_hit) for many segments on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn segments_hit(&self, segments: &[[Vec3; 2]], filter: FaceFilter, hits: &mut [bool]) {
        assert_eq!(segments.len(), hits.len(), "one answer a segment");
        hits.par_iter_mut()
            .zip(segments)
            .with_min_len(MIN_QUERIES_PER_TASK)
            .for_each(|(hit, &[a, b])| *hit = self.segment_hit(a, b, filter));
    }

    fn walk(&self, ray: &ShearedRay, t_max: f32, visit: impl FnMut(&[Entry]) -> f32) {
        // A NaN t_max fails the comparison too.
        if t_max >= 0.0 {
            let z = (self.bounds_min.z, self.bounds_max.z);
            self.grid
                .walk(ray.origin, ray.direction, f64::from(t_max), z, visit);
        }
    }
}

impl RayHit {
    fn new(t: f32, triangle: &Triangle, crossing: &Crossing) -> Self {
        Self {
            face: triangle.face,
            t,
            barycentrics: crossing.weights.map(|w| w as f32),
            position: triangle.point(crossing.weights),
            normal: triangle.normal(),
            front: crossing.front,
        }
    }
}
