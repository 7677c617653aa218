//! Our own index, asked in the common form.

use crate::peer::{AllAtOnce, BoxByBox, Boxed, OneByOne};
use crate::{Form, Found, Mesh, Peer, RayQuestion};
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

    fn heights<'a>(&'a self, from: &'a [Vec3], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let found = |from: &Vec3, hit: Option<HeightHit>| {
            hit.map(|hit| Found {
                triangle: hit.face,
                at: from.z - hit.z,
            })
        };
        match form {
            Form::Single => {
                let ask = |from: &Vec3| self.index.height_at(from.x, from.y, ALL);
                OneByOne::boxed(from, form, ask, found)
            }
            Form::Batch => {
                let points: Vec<Vec2> = from.iter().map(|from| from.truncate()).collect();
                let ask = move |hits: &mut [_]| self.index.heights_at(&points, ALL, hits);
                AllAtOnce::boxed(from.len(), ask, move |i, &hit| found(&from[i], hit))
            }
        }
    }

    fn rays<'a>(&'a self, rays: &'a [RayQuestion], form: Form) -> Option<Boxed<'a, Option<Found>>> {
        let found = |hit: Option<RayHit>| {
            hit.map(|hit| Found {
                triangle: hit.face,
                at: hit.t,
            })
        };
        match form {
            Form::Single => {
                let ask = |asked: &RayQuestion| self.index.cast_ray(&asked.ray, asked.t_max, ALL);
                OneByOne::boxed(rays, form, ask, move |_, hit| found(hit))
            }
            Form::Batch => {
                let t_max: Vec<f32> = rays.iter().map(|asked| asked.t_max).collect();
                let rays: Vec<_> = rays.iter().map(|asked| asked.ray).collect();
                let n_rays = rays.len();
                let ask = move |hits: &mut [_]| self.index.cast_rays(&rays, &t_max, ALL, hits);
                AllAtOnce::boxed(n_rays, ask, move |_, &hit| found(hit))
            }
        }
    }

    /// A segment is what its two ends say, so the far end is computed before the clock runs.
    fn segments<'a>(&'a self, rays: &'a [RayQuestion], form: Form) -> Option<Boxed<'a, bool>> {
        let ends = |asked: &RayQuestion| [asked.ray.origin, asked.ray.at(asked.t_max)];
        match form {
            Form::Single => {
                let ask = move |asked: &RayQuestion| {
                    let [a, b] = ends(asked);
                    self.index.segment_hit(a, b, ALL)
                };
                OneByOne::boxed(rays, form, ask, |_, is_hit| is_hit)
            }
            Form::Batch => {
                let segments: Vec<[Vec3; 2]> = rays.iter().map(ends).collect();
                let ask = move |hits: &mut [_]| self.index.segments_hit(&segments, ALL, hits);
                AllAtOnce::boxed(rays.len(), ask, |_, &is_hit| is_hit)
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
            Form::Single => BoxByBox::boxed(boxes, form, move |&[min, max], faces| {
                self.index.faces_in_aabb(min, max, ALL, overlap, faces)
            }),
            Form::Batch => {
                let ask =
                    move |lists: &mut [_]| self.index.faces_in_aabbs(boxes, ALL, overlap, lists);
                AllAtOnce::boxed(boxes.len(), ask, |_, list: &Vec<u32>| list.clone())
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
                let ask = |&point: &Vec3| self.index.closest_point(point, f32::INFINITY, ALL);
                OneByOne::boxed(points, form, ask, move |_, nearest| found(nearest))
            }
            Form::Batch => {
                let ask = |nearest: &mut [_]| {
                    self.index
                        .closest_points(points, f32::INFINITY, ALL, nearest)
                };
                AllAtOnce::boxed(points.len(), ask, move |_, &nearest| found(nearest))
            }
        }
    }
}
