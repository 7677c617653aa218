//! A loop over everything: a ball around each instance, and all triangles of those whose ball a ray hits.

use glam::{DVec3, Mat4, Vec3};
use ironlands_sim::instances::InstanceIndex;
use ironlands_sim::triangles::Overlap;
use ironlands_sim::{MaskFilter, Ray};

/// Shapes and instances as plain arrays.
pub struct Plain {
    shapes: Vec<Shape>,
    instances: Vec<(usize, Mat4)>,
}

struct Shape {
    center: Vec3,
    radius: f32,
    triangles: Vec<[Vec3; 3]>,
}

impl Plain {
    /// The same instances at the same places.
    pub fn new(index: &InstanceIndex) -> Self {
        let shapes = index.shapes().iter().map(|shape| {
            let (min, max) = shape.bounds();
            let mut faces = Vec::new();
            let endless = [Vec3::NEG_INFINITY, Vec3::INFINITY];
            let [low, high] = endless;
            shape.faces_in_aabb(low, high, MaskFilter::ALL, Overlap::Bounds, &mut faces);
            let triangles = faces.iter().filter_map(|face| shape.face_corners(*face));
            Shape {
                center: (min + max) * 0.5,
                radius: min.distance(max) * 0.5,
                triangles: triangles.collect(),
            }
        });
        let instances = index.instances().iter();
        Self {
            shapes: shapes.collect(),
            instances: instances
                .map(|it| (it.shape as usize, it.world_from_local.to_mat4()))
                .collect(),
        }
    }

    /// The `t` of the nearest triangle, up to `t_max`.
    pub fn cast_ray(&self, ray: &Ray, t_max: f32) -> Option<f32> {
        let mut nearest: Option<f32> = None;
        for (shape, world_from_local) in &self.instances {
            let shape = &self.shapes[*shape];
            if shape.triangles.is_empty() || !may_meet(ray, shape, world_from_local) {
                continue;
            }
            for triangle in &shape.triangles {
                let corners = triangle.map(|v| world_from_local.transform_point3(v).as_dvec3());
                let limit = nearest.unwrap_or(t_max);
                nearest = crossing(corners, ray)
                    .map(|t| t as f32)
                    .filter(|t| (0.0..=limit).contains(t))
                    .or(nearest);
            }
        }
        nearest
    }
}

/// Whether a ray comes near a ball: false only if it misses it.
fn may_meet(ray: &Ray, shape: &Shape, world_from_local: &Mat4) -> bool {
    let center = world_from_local.transform_point3(shape.center);
    let axes = [0, 1, 2].map(|i| world_from_local.col(i).length());
    let scale = axes.into_iter().fold(0.0, f32::max);
    let slack = 1.0e-5 * (center.abs().max_element() + ray.origin.abs().max_element());
    let radius = shape.radius * scale + slack;
    let to_center = center - ray.origin;
    let direction = ray.direction.normalize_or_zero();
    let along = to_center.dot(direction);
    (to_center - direction * along).length() <= radius && along >= -radius
}

/// Möller and Trumbore.
fn crossing([a, b, c]: [DVec3; 3], ray: &Ray) -> Option<f64> {
    let (e1, e2) = (b - a, c - a);
    let direction = ray.direction.as_dvec3();
    let p = direction.cross(e2);
    let determinant = e1.dot(p);
    let s = ray.origin.as_dvec3() - a;
    let q = s.cross(e1);
    let (v, w) = (s.dot(p) / determinant, direction.dot(q) / determinant);
    let is_inside = v >= 0.0 && w >= 0.0 && v + w <= 1.0;
    is_inside.then(|| e2.dot(q) / determinant)
}
