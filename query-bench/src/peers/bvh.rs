//! The crate `bvh`: a binary SAH tree over shapes of the caller's.
//!
//! Rays are cast through its iterator without allocation, by a query whose reach shrinks to the nearest hit so
//! far; that beats its ordered iterator, which fills a heap. Its own triangle test sees one side only.

use super::triangle::Triangle;
use crate::peer::{Boxed, PerBox, PerQuery, found};
use crate::{Form, Found, Mesh, Peer, RayQuery};
use ::bvh::aabb::{Aabb, Bounded, IntersectsAabb};
use ::bvh::bounding_hierarchy::BHShape;
use ::bvh::bvh::Bvh;
use ::bvh::point_query::PointDistance;
use ::bvh::ray::Ray;
use glam::{Vec3, Vec3A};
use ironlands_sim_core::triangles::Overlap;
use nalgebra::{Point3, Vector3};
use std::cell::Cell;

/// A `Bvh` as `Bvh::build` makes it.
pub struct BvhCrate {
    tree: Bvh<f32, 3>,
    shapes: Vec<Shape>,
}

impl BvhCrate {
    /// Builds the tree.
    pub fn new(mesh: &Mesh) -> Self {
        let shape = |(triangle, corners): (usize, _)| Shape {
            corners: Triangle::new(corners),
            triangle: triangle as u32,
            node: 0,
        };
        let mut shapes: Vec<Shape> = mesh.corners().enumerate().map(shape).collect();
        let tree = Bvh::build(&mut shapes);
        Self { tree, shapes }
    }

    fn closest(&self, origin: Vec3, direction: Vec3, t_max: f32) -> Option<(u32, f32)> {
        let reach = Reach::new(origin, direction, t_max);
        let mut best = None;
        for shape in self.tree.traverse_iterator(&reach, &self.shapes) {
            if let Some(t) = reach.t_of(shape) {
                best = Some((shape.triangle, t));
                reach.t_max.set(t);
            }
        }
        best
    }

    fn is_blocked(&self, query: &RayQuery) -> bool {
        let reach = Reach::new(query.ray.origin, query.ray.direction, query.t_max);
        let mut shapes = self.tree.traverse_iterator(&reach, &self.shapes);
        shapes.any(|shape| reach.t_of(shape).is_some())
    }
}

#[derive(Debug, Clone, Copy)]
struct Shape {
    corners: Triangle,
    triangle: u32,
    node: usize,
}

impl Bounded<f32, 3> for Shape {
    fn aabb(&self) -> Aabb<f32, 3> {
        let Triangle([a, b, c]) = self.corners;
        Aabb::with_bounds(point(a.min(b).min(c).into()), point(a.max(b).max(c).into()))
    }
}

impl BHShape<f32, 3> for Shape {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

impl PointDistance<f32, 3> for Shape {
    fn distance_squared(&self, point: Point3<f32>) -> f32 {
        let point = Vec3A::new(point.x, point.y, point.z);
        self.corners.distance_squared(point)
    }
}

/// A ray up to the nearest hit so far.
struct Reach {
    ray: Ray<f32, 3>,
    origin: Vec3A,
    direction: Vec3A,
    t_max: Cell<f32>,
}

impl Reach {
    fn new(origin: Vec3, direction: Vec3, t_max: f32) -> Self {
        Self {
            ray: Ray::new(
                point(origin),
                Vector3::new(direction.x, direction.y, direction.z),
            ),
            origin: origin.into(),
            direction: direction.into(),
            t_max: Cell::new(t_max),
        }
    }

    fn t_of(&self, shape: &Shape) -> Option<f32> {
        shape
            .corners
            .t_of(self.origin, self.direction, self.t_max.get())
    }
}

impl IntersectsAabb<f32, 3> for Reach {
    fn intersects_aabb(&self, aabb: &Aabb<f32, 3>) -> bool {
        let slice = self.ray.intersection_slice_for_aabb(aabb);
        slice.is_some_and(|(entry, _)| entry <= self.t_max.get())
    }
}

fn point(v: Vec3) -> Point3<f32> {
    Point3::new(v.x, v.y, v.z)
}

impl Peer for BvhCrate {
    fn name(&self) -> &'static str {
        "bvh"
    }

    fn version(&self) -> String {
        env!("VERSION_BVH").to_owned()
    }

    fn heights<'a>(&'a self, from: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query = |&from: &Vec3| self.closest(from, Vec3::NEG_Z, f32::MAX);
        PerQuery::boxed(from, form, run_query, found)
    }

    fn rays<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query =
            |query: &RayQuery| self.closest(query.ray.origin, query.ray.direction, query.t_max);
        PerQuery::boxed(rays, form, run_query, found)
    }

    fn segments<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, bool>> {
        PerQuery::boxed(rays, form, |query| self.is_blocked(query), |_, hit| hit)
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
            let query = Aabb::with_bounds(point(min), point(max));
            let shapes = self.tree.traverse_iterator(&query, &self.shapes);
            list.clear();
            list.extend(shapes.map(|shape| shape.triangle));
        })
    }

    fn nearest<'a>(&'a self, points: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query = |&query: &Vec3| {
            let nearest = self.tree.nearest_to(point(query), &self.shapes);
            nearest.map(|(shape, distance)| (shape.triangle, distance))
        };
        PerQuery::boxed(points, form, run_query, found)
    }
}
