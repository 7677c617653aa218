//! Rays and segments against instances.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::placement::{LocalRay, Placement, WorldRay, power_of_two, world_point};
use super::{Instance, InstanceIndex};
use crate::bvh::BoxRay;
use crate::triangles::RayHit;
use crate::{MaskFilter, Ray};

/// Queries that one rayon task takes at least; below it the task costs more than the work.
const MIN_QUERIES_PER_TASK: usize = 64;

/// What a query sees: a face is there if its instance passes one filter and the face itself the other. Their bits
/// mean different things, whose and which things are shown against what a face is made of, so they are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct InstanceFilter {
    /// For [`Instance::mask`].
    pub instances: MaskFilter,
    /// For the masks of faces in their shapes.
    pub faces: MaskFilter,
}

impl InstanceFilter {
    /// Sees everything.
    pub const ALL: Self = Self {
        instances: MaskFilter::ALL,
        faces: MaskFilter::ALL,
    };
}

/// Where a ray hits an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstanceHit {
    /// Position of the instance in the index.
    pub instance: u32,
    /// [`Instance::id`].
    pub id: u32,
    /// The face, as the shape's index calls it.
    pub face: u32,
    /// Distance in lengths of the ray's direction.
    pub t: f32,
    /// Weights of the face's three vertices, sum 1.
    pub barycentrics: [f32; 3],
    /// The point, computed on the face rather than along the ray; world units.
    pub position: Vec3,
    /// Unit normal of the face in the world by its winding there, whichever side was hit.
    pub normal: Vec3,
    /// The ray came from the side that `normal` points to.
    pub front: bool,
    /// Material word of the face.
    pub material: u16,
}

impl InstanceIndex {
    /// The nearest face of any instance that a ray crosses, from either side; of equal `t` that of the instance with
    /// the lowest number, and of its faces the one that its shape's index names.
    ///
    /// Engine axes, world units. `t` counts in lengths of `direction`, `0.0..=t_max`; `t_max` may be infinite.
    /// A non-finite ray, a zero direction, a NaN or negative `t_max` hit nothing, and a ray within the plane of a
    /// face does not hit that face. A ray is rounded to f32 in the space of each shape: it may be off there by some
    /// 1e-7 of the shape's size and coordinates, and its `t` by as much as that is worth. Visits boxes in ray order:
    /// the cost grows with the logarithm of the instances, and with those whose bounds the ray hits before the hit.
    pub fn cast_ray(&self, ray: &Ray, t_max: f32, filter: InstanceFilter) -> Option<InstanceHit> {
        // A NaN fails the comparison too.
        let is_reaching = t_max >= 0.0;
        if !(is_reaching && ray.origin.is_finite() && ray.direction.is_finite()) {
            return None;
        }
        let world = WorldRay::new(ray.origin, ray.direction.as_dvec3());
        let (boxes, length) = world.box_ray(ray.origin)?;
        // An overflowing t is no hit.
        let mut t_limit = t_max.min(f32::MAX);
        let mut nearest: Option<(usize, f32, RayHit)> = None;
        let box_limit = |t: f32| (f64::from(t) * length) as f32;
        self.bvh.cast_ray(&boxes, box_limit(t_limit), |instance| {
            // What is rounded to the limit counts, so that of equal t the lowest number can be found.
            let t_max = f64::from(t_limit.next_up());
            let Some(local) = self.enter(instance, &world, t_max, filter) else {
                return box_limit(t_limit);
            };
            let (local_ray, local_t_max) = local.to_ray(t_max);
            let shape = &self.shapes[self.instances[instance].shape as usize];
            if let Some(hit) = shape.cast_ray(&local_ray, local_t_max, filter.faces) {
                let t = local.world_t(hit.t) as f32;
                let is_nearest = match nearest {
                    Some((other, nearest_t, _)) if t == nearest_t => instance < other,
                    _ => t <= t_limit,
                };
                if is_nearest {
                    t_limit = t;
                    nearest = Some((instance, t, hit));
                }
            }
            box_limit(t_limit)
        });
        let (instance, t, hit) = nearest?;
        self.hit(instance, t, &hit)
    }

    /// Is anything between two points? Both ends included; a segment of no length hits nothing.
    ///
    /// Engine axes, world units. Non-finite points: `false`. Rounds as [`cast_ray`](Self::cast_ray) does. Stops at
    /// the first face found, in no stated order.
    pub fn cast_segment(&self, a: Vec3, b: Vec3, filter: InstanceFilter) -> bool {
        if !(a.is_finite() && b.is_finite()) {
            return false;
        }
        // The difference is taken in f64, so that the end is `b`.
        let world = WorldRay::new(a, b.as_dvec3() - a.as_dvec3());
        let Some((boxes, length)) = world.box_ray(a) else {
            return false;
        };
        let mut is_hit = false;
        self.bvh.cast_ray(&boxes, length as f32, |instance| {
            is_hit = self
                .enter(instance, &world, 1.0, filter)
                .is_some_and(|local| {
                    let [a, b] = local.to_segment();
                    let shape = &self.shapes[self.instances[instance].shape as usize];
                    shape.cast_segment(a, b, filter.faces)
                });
            if is_hit { -1.0 } else { length as f32 }
        });
        is_hit
    }

    /// [`cast_ray`](Self::cast_ray) for many rays, each with its own `t_max`, on all threads.
    ///
    /// # Panics
    /// If the three slices differ in length.
    pub fn cast_ray_batch(
        &self,
        rays: &[Ray],
        t_max: &[f32],
        filter: InstanceFilter,
        hits: &mut [Option<InstanceHit>],
    ) {
        assert_eq!(rays.len(), hits.len(), "one result per ray");
        assert_eq!(rays.len(), t_max.len(), "one t_max a ray");
        (hits, rays, t_max)
            .into_par_iter()
            .with_min_len(MIN_QUERIES_PER_TASK)
            .for_each(|(hit, ray, &t_max)| *hit = self.cast_ray(ray, t_max, filter));
    }

    /// [`cast_segment`](Self::cast_segment) for many segments on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn cast_segment_batch(
        &self,
        segments: &[[Vec3; 2]],
        filter: InstanceFilter,
        hits: &mut [bool],
    ) {
        assert_eq!(segments.len(), hits.len(), "one result per segment");
        (hits, segments)
            .into_par_iter()
            .with_min_len(MIN_QUERIES_PER_TASK)
            .for_each(|(hit, &[a, b])| *hit = self.cast_segment(a, b, filter));
    }

    /// The ray in an instance's space, if the filter sees it and the ray hits its box.
    fn enter(
        &self,
        instance: usize,
        world: &WorldRay,
        t_max: f64,
        filter: InstanceFilter,
    ) -> Option<LocalRay> {
        let Instance {
            shape,
            mask,
            id: _,
            world_from_local,
        } = &self.instances[instance];
        if !filter.instances.accepts(*mask) {
            return None;
        }
        let shape_box = &self.shape_boxes[*shape as usize];
        Placement::new(world_from_local)?.enter(world, t_max, shape_box)
    }

    fn hit(&self, instance: usize, t: f32, hit: &RayHit) -> Option<InstanceHit> {
        let Instance {
            id,
            world_from_local,
            ..
        } = &self.instances[instance];
        let placement = Placement::new(world_from_local)?;
        let normal = placement.world_normal(hit.normal.as_dvec3());
        Some(InstanceHit {
            instance: instance as u32,
            id: *id,
            face: hit.face,
            t,
            barycentrics: hit.barycentrics,
            position: world_point(world_from_local, hit.position.as_dvec3()).as_vec3(),
            normal: normal.as_vec3(),
            front: hit.front != placement.is_mirrored,
            material: hit.material,
        })
    }
}

impl WorldRay {
    fn new(origin: Vec3, direction: DVec3) -> Self {
        Self {
            origin: origin.as_dvec3(),
            direction,
        }
    }

    /// The ray for boxes, and what its `t` is multiplied by; `None` for a zero direction.
    fn box_ray(&self, origin: Vec3) -> Option<(BoxRay, f64)> {
        let length = power_of_two(self.direction.abs().max_element())?;
        let direction = (self.direction / length).as_vec3();
        let boxes = BoxRay::new(origin.to_array(), direction.to_array());
        Some((boxes, length))
    }
}
