//! The crate `obvhs`: a compressed 8-wide tree (CWBVH) for rays, its binary tree for boxes; no nearest point.

use crate::peer::{Boxed, PerBox, PerQuery, found};
use crate::{Form, Found, Mesh, Peer, RayQuery};
use ::obvhs::BvhBuildParams;
use ::obvhs::aabb::Aabb;
use ::obvhs::bvh2::Bvh2;
use ::obvhs::bvh2::builder::build_bvh2_from_tris;
use ::obvhs::cwbvh::CwBvh;
use ::obvhs::cwbvh::builder::build_cwbvh_from_tris;
use ::obvhs::ray::{Ray, RayHit};
use ::obvhs::rt_triangle::RtTriangle;
use ::obvhs::triangle::Triangle;
use glam::{Vec3, Vec3A};
use ironlands_sim_core::triangles::Overlap;
use std::time::Duration;

/// Both trees at the preset `medium_build`; the triangles lie in the order of the leaves, as its examples have it.
pub struct Obvhs {
    for_rays: CwBvh,
    ray_triangles: Vec<RtTriangle>,
    for_boxes: Bvh2,
    /// Bounds of the triangles in the order of the leaves of `for_boxes`.
    bounds: Vec<Aabb>,
}

impl Obvhs {
    /// Builds both trees.
    pub fn new(mesh: &Mesh) -> Self {
        let triangle = |corners: [Vec3; 3]| {
            let [v0, v1, v2] = corners.map(Vec3A::from);
            Triangle { v0, v1, v2 }
        };
        let triangles: Vec<_> = mesh.corners().map(triangle).collect();
        let (preset, mut time) = (BvhBuildParams::medium_build(), Duration::ZERO);
        let for_rays = build_cwbvh_from_tris(&triangles, preset, &mut time);
        let for_boxes = build_bvh2_from_tris(&triangles, preset, &mut time);
        let in_order = |indices: &[u32]| -> Vec<Triangle> {
            indices.iter().map(|&i| triangles[i as usize]).collect()
        };
        let ray_triangles = in_order(&for_rays.primitive_indices);
        let bounds = in_order(&for_boxes.primitive_indices);
        Self {
            ray_triangles: ray_triangles.iter().map(RtTriangle::from).collect(),
            bounds: bounds.iter().map(Triangle::aabb).collect(),
            for_rays,
            for_boxes,
        }
    }

    fn closest(&self, ray: Ray) -> Option<(u32, f32)> {
        let mut hit = RayHit::none();
        let test = |ray: &Ray, at: usize| self.ray_triangles[at].intersect(ray);
        let is_hit = self.for_rays.ray_traverse(ray, &mut hit, test);
        is_hit.then(|| {
            let triangle = self.for_rays.primitive_indices[hit.primitive_id as usize];
            (triangle, hit.t)
        })
    }
}

fn ray(query: &RayQuery) -> Ray {
    let (origin, direction) = (query.ray.origin, query.ray.direction);
    Ray::new(origin.into(), direction.into(), 0.0, query.t_max)
}

impl Peer for Obvhs {
    fn name(&self) -> &'static str {
        "obvhs"
    }

    fn version(&self) -> String {
        env!("VERSION_OBVHS").to_owned()
    }

    fn heights<'a>(&'a self, from: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query = |&from: &Vec3| self.closest(Ray::new_inf(from.into(), Vec3A::NEG_Z));
        PerQuery::boxed(from, form, run_query, found)
    }

    fn rays<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        PerQuery::boxed(rays, form, |query| self.closest(ray(query)), found)
    }

    fn segments<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, bool>> {
        let run_query = |query: &RayQuery| {
            let test = |ray: &Ray, at: usize| self.ray_triangles[at].intersect(ray);
            !self.for_rays.ray_traverse_miss(ray(query), test)
        };
        PerQuery::boxed(rays, form, run_query, |_, is_hit| is_hit)
    }

    fn boxes<'a>(
        &'a self,
        boxes: &'a [[Vec3; 2]],
        overlap: Overlap,
        form: Form,
    ) -> Option<Boxed<'a, Vec<u32>>> {
        if overlap == Overlap::Exact {
            return None;
        }
        PerBox::boxed(boxes, form, |&[min, max], list| {
            let query = Aabb::new(min.into(), max.into());
            list.clear();
            self.for_boxes.aabb_traverse(query, |tree, node| {
                let leaf = &tree.nodes[node as usize];
                let first = leaf.first_index as usize;
                for at in first..first + leaf.prim_count as usize {
                    if self.bounds[at].intersect_aabb(&query) {
                        list.push(tree.primitive_indices[at]);
                    }
                }
                true
            });
        })
    }

    fn nearest<'a>(&'a self, _: &'a [Vec3], _: Form) -> Option<Boxed<'a, Option<Found>>> {
        None
    }
}
