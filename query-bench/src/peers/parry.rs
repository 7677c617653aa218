//! parry3d's `TriMesh`: a binary BVH over triangles, made for collision.

use crate::peer::{Boxed, PerBox, PerQuery, found};
use crate::{Form, Found, Mesh, Peer, RayQuery};
use glam::Vec3;
use ironlands_sim_core::triangles::Overlap;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::query::details::intersection_test_aabb_triangle;
use parry3d::query::{Ray, RayCast};
use parry3d::shape::{CompositeShapeRef, TriMesh};

/// A `TriMesh` as `TriMesh::new` makes it, without flags.
pub struct Parry {
    mesh: TriMesh,
}

impl Parry {
    /// Vertices in parry's type, which its constructor takes by value.
    pub fn vertices(mesh: &Mesh) -> Vec<Vector> {
        let vector = |&[x, y, z]: &[f32; 3]| Vector::new(x, y, z);
        mesh.positions.iter().map(vector).collect()
    }

    /// Builds the tree.
    ///
    /// # Panics
    /// If the mesh has no triangle.
    pub fn new(mesh: &Mesh) -> Self {
        Self::build(Self::vertices(mesh), mesh.triangles.clone())
    }

    /// Builds the tree of what is already in its types: what a build costs, without the copies.
    ///
    /// # Panics
    /// If there is no triangle.
    pub fn build(vertices: Vec<Vector>, triangles: Vec<[u32; 3]>) -> Self {
        let mesh = TriMesh::new(vertices, triangles).expect("a mesh that has triangles");
        Self { mesh }
    }

    fn closest(&self, ray: &Ray, t_max: f32) -> Option<(u32, f32)> {
        CompositeShapeRef(&self.mesh).cast_local_ray(ray, t_max, true)
    }
}

pub(super) fn vector(v: Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn ray(query: &RayQuery) -> Ray {
    Ray::new(vector(query.ray.origin), vector(query.ray.direction))
}

impl Peer for Parry {
    fn name(&self) -> &'static str {
        "parry"
    }

    fn version(&self) -> String {
        env!("VERSION_PARRY3D").to_owned()
    }

    fn memory_bytes(&self) -> Option<usize> {
        Some(self.mesh.total_memory_size())
    }

    fn heights<'a>(&'a self, from: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let down = vector(Vec3::NEG_Z);
        let run_query = move |&from: &Vec3| self.closest(&Ray::new(vector(from), down), f32::MAX);
        PerQuery::boxed(from, form, run_query, found)
    }

    fn rays<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query = |query: &RayQuery| self.closest(&ray(query), query.t_max);
        PerQuery::boxed(rays, form, run_query, found)
    }

    fn segments<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, bool>> {
        let run_query = |query: &RayQuery| self.mesh.intersects_local_ray(&ray(query), query.t_max);
        PerQuery::boxed(rays, form, run_query, |_, is_hit| is_hit)
    }

    /// The leaves of its tree are the bounds of the triangles; the exact form adds its own test of each.
    fn boxes<'a>(
        &'a self,
        boxes: &'a [[Vec3; 2]],
        overlap: Overlap,
        form: Form,
    ) -> Option<Boxed<'a, Vec<u32>>> {
        let aabb = |&[min, max]: &[Vec3; 2]| Aabb::new(vector(min), vector(max));
        match overlap {
            Overlap::Bounds => PerBox::boxed(boxes, form, move |query, list| {
                list.clear();
                list.extend(self.mesh.bvh().intersect_aabb(&aabb(query)));
            }),
            Overlap::Exact => PerBox::boxed(boxes, form, move |query, list| {
                let aabb = aabb(query);
                let is_in = |&triangle: &u32| {
                    intersection_test_aabb_triangle(&aabb, &self.mesh.triangle(triangle))
                };
                list.clear();
                list.extend(self.mesh.bvh().intersect_aabb(&aabb).filter(is_in));
            }),
        }
    }

    fn nearest<'a>(&'a self, points: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query = |&point: &Vec3| {
            let shape = CompositeShapeRef(&self.mesh);
            let found = shape.project_local_point(vector(point), f32::MAX, true);
            found.map(|(triangle, projection)| (triangle, projection.point.distance(vector(point))))
        };
        PerQuery::boxed(points, form, run_query, found)
    }
}
