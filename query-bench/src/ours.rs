//! Our own index behind the common interface.

use crate::peer::{Boxed, InBatch, PerBox, PerQuery};
use crate::{Form, Found, Mesh, Peer, RayQuery};
use glam::{Vec2, Vec3};
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::TriangleIndex;
use ironlands_sim_core::triangles::{Face, HeightHit, NearestFace, Overlap, RayHit, TriangleError};

const ALL: MaskFilter = MaskFilter::ALL;

/// A [`TriangleIndex`] over a mesh, every face unmasked.
pub struct Ours {
    /// The index; a face is called by the triangle's position in the mesh.
    pub index: TriangleIndex,
}

impl Ours {
    /// The faces of a mesh as the index takes them.
    pub fn faces(mesh: &Mesh) -> Vec<Option<Face>> {
        let face = |&corners: &[u32; 3]| {
            Some(Face {
                corners,
                ..Face::default()
            })
        };
        mesh.triangles.iter().map(face).collect()
    }

    /// Builds the index.
    ///
    /// # Errors
    /// If a triangle names a vertex that is not there, or there are too many.
    pub fn new(mesh: &Mesh) -> Result<Self, TriangleError> {
        let index = TriangleIndex::new(&mesh.positions, &Self::faces(mesh))?;
        Ok(Self { index })
    }
}

impl Peer for Ours {
    fn memory_bytes(&self) -> Option<usize> {
        Some(self.index.memory_bytes())
    }

    fn name(&self) -> &'static str {
        "ours"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn heights<'a>(&'a self, from: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let found = |from: &Vec3, hit: Option<HeightHit>| {
            hit.map(|hit| Found {
                triangle: hit.face,
                at: from.z - hit.z,
            })
        };
        match form {
            Form::Single => {
                let run_query = |from: &Vec3| self.index.height_at(from.x, from.y, ALL);
                PerQuery::boxed(from, form, run_query, found)
            }
            Form::Batch => {
                let points: Vec<Vec2> = from.iter().map(|from| from.truncate()).collect();
                let run_query =
                    move |hits: &mut [_]| self.index.height_at_batch(&points, ALL, hits);
                InBatch::boxed(from.len(), run_query, move |i, &hit| found(&from[i], hit))
            }
        }
    }

    fn rays<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let found = |hit: Option<RayHit>| {
            hit.map(|hit| Found {
                triangle: hit.face,
                at: hit.t,
            })
        };
        match form {
            Form::Single => {
                let run_query =
                    |query: &RayQuery| self.index.cast_ray(&query.ray, query.t_max, ALL);
                PerQuery::boxed(rays, form, run_query, move |_, hit| found(hit))
            }
            Form::Batch => {
                let t_max: Vec<f32> = rays.iter().map(|query| query.t_max).collect();
                let rays: Vec<_> = rays.iter().map(|query| query.ray).collect();
                let n_rays = rays.len();
                let run_query =
                    move |hits: &mut [_]| self.index.cast_ray_batch(&rays, &t_max, ALL, hits);
                InBatch::boxed(n_rays, run_query, move |_, &hit| found(hit))
            }
        }
    }

    /// A segment is what its two ends say, so the far end is computed before the clock runs.
    fn segments<'a>(&'a self, rays: &'a [RayQuery], form: Form) -> Option<Boxed<'a, bool>> {
        let ends = |query: &RayQuery| [query.ray.origin, query.ray.at(query.t_max)];
        match form {
            Form::Single => {
                let run_query = move |query: &RayQuery| {
                    let [a, b] = ends(query);
                    self.index.cast_segment(a, b, ALL)
                };
                PerQuery::boxed(rays, form, run_query, |_, is_hit| is_hit)
            }
            Form::Batch => {
                let segments: Vec<[Vec3; 2]> = rays.iter().map(ends).collect();
                let run_query =
                    move |hits: &mut [_]| self.index.cast_segment_batch(&segments, ALL, hits);
                InBatch::boxed(rays.len(), run_query, |_, &is_hit| is_hit)
            }
        }
    }

    fn boxes<'a>(
        &'a self,
        boxes: &'a [[Vec3; 2]],
        overlap: Overlap,
        form: Form,
    ) -> Option<Boxed<'a, Vec<u32>>> {
        match form {
            Form::Single => PerBox::boxed(boxes, form, move |&[min, max], faces| {
                self.index.faces_in_aabb(min, max, ALL, overlap, faces)
            }),
            Form::Batch => {
                let run_query = move |lists: &mut [_]| {
                    self.index.faces_in_aabb_batch(boxes, ALL, overlap, lists)
                };
                InBatch::boxed(boxes.len(), run_query, |_, list: &Vec<u32>| list.clone())
            }
        }
    }

    fn nearest<'a>(&'a self, points: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let found = |nearest: Option<NearestFace>| {
            nearest.map(|nearest| Found {
                triangle: nearest.face,
                at: nearest.distance,
            })
        };
        match form {
            Form::Single => {
                let run_query = |&point: &Vec3| self.index.closest_point(point, f32::INFINITY, ALL);
                PerQuery::boxed(points, form, run_query, move |_, nearest| found(nearest))
            }
            Form::Batch => {
                let run_query = |nearest: &mut [_]| {
                    self.index
                        .closest_point_batch(points, f32::INFINITY, ALL, nearest)
                };
                InBatch::boxed(points.len(), run_query, move |_, &nearest| found(nearest))
            }
        }
    }
}
