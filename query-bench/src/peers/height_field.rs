//! parry3d's `HeightField`: a grid of heights, walked cell by cell. It holds regular terrain only.

use super::parry::vector;
use crate::peer::{Boxed, PerQuery, found};
use crate::synthetic::SIDE;
use crate::{Form, Found, Mesh, Peer, RayQuery};
use glam::Vec3;
use ironlands_sim_core::triangles::Overlap;
use parry3d::math::Vector;
use parry3d::query::{PointQuery, Ray, RayCast};
use parry3d::shape::HeightField as ParryField;
use parry3d::utils::Array2;

/// A height field of [`Layout::Regular`](crate::synthetic::Layout). Its y is up and its middle is the origin, so
/// queries are rotated before they are run. Results name its own triangles, which are numbered otherwise.
pub struct HeightField {
    field: ParryField,
}

impl HeightField {
    /// Takes the heights of a regular synthetic terrain of `n_cells` by `n_cells` cells.
    ///
    /// # Panics
    /// If the mesh has fewer vertices than that.
    pub fn new(mesh: &Mesh, n_cells: usize) -> Self {
        let n_side = n_cells + 1;
        // Its rows run along its z, which is our y, and its storage is column by column.
        let columns = (0..n_side).flat_map(|x| (0..n_side).map(move |y| (x, y)));
        let heights = columns.map(|(x, y)| mesh.positions[y * n_side + x][2]);
        let heights = Array2::new(n_side, n_side, heights.collect());
        let field = ParryField::new(heights, Vector::new(SIDE, 1.0, SIDE));
        Self { field }
    }

    fn ray(&self, query: &RayQuery) -> Ray {
        let Vec3 { x, y, z } = query.ray.direction;
        Ray::new(point(query.ray.origin), vector(Vec3::new(x, z, y)))
    }
}

fn point(Vec3 { x, y, z }: Vec3) -> Vector {
    Vector::new(x - SIDE / 2.0, z, y - SIDE / 2.0)
}

impl Peer for HeightField {
    fn name(&self) -> &'static str {
        "field"
    }

    fn version(&self) -> String {
        env!("VERSION_PARRY3D").to_owned()
    }

    fn heights<'a>(&'a self, from: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let down = Vector::new(0.0, -1.0, 0.0);
        let run_query = move |&from: &Vec3| {
            let ray = Ray::new(point(from), down);
            let hit = self
                .field
                .cast_local_ray_and_get_normal(&ray, f32::MAX, true);
            hit.map(|hit| (hit.subshape, hit.time_of_impact))
        };
        PerQuery::boxed(from, form, run_query, found)
    }

    fn rays<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query = |query: &RayQuery| {
            let ray = self.ray(query);
            let hit = self
                .field
                .cast_local_ray_and_get_normal(&ray, query.t_max, true);
            hit.map(|hit| (hit.subshape, hit.time_of_impact))
        };
        PerQuery::boxed(rays, form, run_query, found)
    }

    fn segments<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, bool>> {
        let run_query = |query: &RayQuery| {
            self.field
                .intersects_local_ray(&self.ray(query), query.t_max)
        };
        PerQuery::boxed(rays, form, run_query, |_, is_hit| is_hit)
    }

    /// Its cells are not compared with the triangles' own bounds: another query.
    fn boxes<'a>(&'a self, _: &'a [[Vec3; 2]], _: Overlap, _: Form) -> Option<Boxed<'a, Vec<u32>>> {
        None
    }

    fn nearest<'a>(&'a self, points: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let run_query = |&query: &Vec3| {
            let projection = self.field.project_local_point(point(query), true);
            Some((projection.subshape, projection.point.distance(point(query))))
        };
        PerQuery::boxed(points, form, run_query, found)
    }
}
