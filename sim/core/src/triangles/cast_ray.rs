//! Rays and segments.

use super::blocks::{Block, normal_of};
use super::cast_ray_batch::{RayRun, SegmentRun};
use super::ray_stream::N_RAYS;
use super::simd::{Kernel, LaneMask, N_LANES, SimdVector, Slack, Winding, max};
use super::slabs::{FaceVisitor, Slabs};
use super::visit_faces::{MAX_LISTED, visit_faces};
use super::{TriangleIndex, point_of};
use crate::ray_triangle::{Crossing, ShearedRay};
use crate::{MaskFilter, Ray};
use glam::Vec3;
use rayon::prelude::*;

/// Boxes that a ray may hit to be led to all of them; behind more of them what is hit first saves more than order costs.
const RAY_LIMIT: usize = 8;
/// Rays that one rayon task takes.
const RAYS_PER_TASK: usize = 4 * N_RAYS;

/// Where a ray hits the terrain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// Index of the face.
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
    /// Material word of the face.
    pub material: u16,
}

/// Which sides of a face stop a ray.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sides {
    /// Both. The winding of real files is not known (Q-M19), so this is the rule.
    #[default]
    Both,
    /// The front alone, unless the face's mask has one of these bits.
    FrontUnless(u32),
}

impl Sides {
    fn see_back_of(self, mask: u32) -> bool {
        match self {
            Self::Both => true,
            Self::FrontUnless(two_sided) => mask & two_sided != 0,
        }
    }
}

impl TriangleIndex {
    /// The nearest face that a ray crosses, from either side; of equal `t` the face with the lowest index.
    ///
    /// Engine axes, world units. `t` counts in lengths of `direction`, `0.0..=t_max`; `t_max` may be infinite.
    /// A non-finite ray, a zero direction, a NaN or negative `t_max` hit nothing, and a ray within the plane of a
    /// face does not hit that face. Visits what lies near the ray, roughly in its order: the cost grows with the
    /// distance to the hit, and little with the size of the mesh.
    pub fn cast_ray(&self, ray: &Ray, t_max: f32, filter: MaskFilter) -> Option<RayHit> {
        self.cast_ray_at_sides(ray, t_max, filter, Sides::Both)
    }

    /// [`cast_ray`](Self::cast_ray) with a choice of the sides that stop the ray.
    pub fn cast_ray_at_sides(
        &self,
        ray: &Ray,
        t_max: f32,
        filter: MaskFilter,
        sides: Sides,
    ) -> Option<RayHit> {
        self.instructions.run(RayQuery {
            index: self,
            ray,
            t_max,
            filter,
            sides,
        })
    }

    /// Is anything between two points? Both ends included; a segment of no length hits nothing.
    ///
    /// Engine axes, world units. Non-finite points: `false`. Stops at the first face found, in no stated order.
    pub fn cast_segment(&self, a: Vec3, b: Vec3, filter: MaskFilter) -> bool {
        self.instructions.run(SegmentQuery {
            index: self,
            ends: [a, b],
            filter,
        })
    }

    /// [`cast_ray`](Self::cast_ray) for many rays, each with its own `t_max`, on all threads.
    ///
    /// # Panics
    /// If the three slices differ in length.
    pub fn cast_ray_batch(
        &self,
        rays: &[Ray],
        t_max: &[f32],
        filter: MaskFilter,
        hits: &mut [Option<RayHit>],
    ) {
        assert_eq!(rays.len(), hits.len(), "one result per ray");
        assert_eq!(rays.len(), t_max.len(), "one t_max a ray");
        hits.par_chunks_mut(RAYS_PER_TASK)
            .zip(
                rays.par_chunks(RAYS_PER_TASK)
                    .zip(t_max.par_chunks(RAYS_PER_TASK)),
            )
            .for_each(|(hits, (rays, t_max))| {
                self.instructions.run(RayRun {
                    index: self,
                    rays,
                    t_max,
                    filter,
                    hits,
                });
            });
    }

    /// [`cast_segment`](Self::cast_segment) for many segments on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn cast_segment_batch(
        &self,
        segments: &[[Vec3; 2]],
        filter: MaskFilter,
        hits: &mut [bool],
    ) {
        assert_eq!(segments.len(), hits.len(), "one result per segment");
        hits.par_chunks_mut(RAYS_PER_TASK)
            .zip(segments.par_chunks(RAYS_PER_TASK))
            .for_each(|(hits, segments)| {
                self.instructions.run(SegmentRun {
                    index: self,
                    segments,
                    filter,
                    hits,
                });
            });
    }
}

impl TriangleIndex {
    /// Faces of a block that a filter sees and a ray may cross, at any t.
    #[inline(always)]
    pub(super) fn candidates_along<L: SimdVector>(
        &self,
        block_idx: usize,
        ray: &ShearedRay,
        filter: MaskFilter,
    ) -> LaneMask {
        candidates_along::<L>(&self.blocks[block_idx], ray) & self.matching_lanes(block_idx, filter)
    }
}

#[derive(Clone, Copy)]
struct RayQuery<'a> {
    index: &'a TriangleIndex,
    ray: &'a Ray,
    t_max: f32,
    filter: MaskFilter,
    sides: Sides,
}

/// The nearest face so far.
pub(super) struct Nearest {
    pub t: f32,
    /// Block and lane, as `block * 16 + lane`.
    place: u32,
    crossing: Crossing,
}

impl Nearest {
    /// Keeps the nearer of a face and that found so far, if it counts for `0.0..=t_max`; of equal t that of the lower
    /// index.
    #[inline(always)]
    pub fn keep(
        nearest: &mut Option<Self>,
        index: &TriangleIndex,
        t_max: f32,
        place: u32,
        crossing: Crossing,
    ) {
        // No negative zero; and an overflowing t is no hit.
        let t = crossing.t as f32 + 0.0;
        let is_nearest = match nearest {
            Some(other) if t == other.t => index.face_at(place) < index.face_at(other.place),
            Some(other) => (0.0..other.t).contains(&t),
            None => (0.0..=t_max.min(f32::MAX)).contains(&t),
        };
        if is_nearest {
            *nearest = Some(Self { t, place, crossing });
        }
    }
}

impl Kernel for RayQuery<'_> {
    type Output = Option<RayHit>;

    #[inline(always)]
    fn run<L: SimdVector>(self) -> Option<RayHit> {
        let Self { index, t_max, .. } = self;
        // Prepared here, where it stays in registers: reading as one what was written singly takes long.
        let ray = ShearedRay::new(self.ray)?;
        // A NaN fails the comparison too.
        let is_reaching = t_max >= 0.0;
        if !is_reaching {
            return None;
        }
        let slabs = Slabs::new(&ray, index.farthest);
        let mut search = RaySearch {
            query: self,
            ray,
            nearest: None,
        };
        let limit = (L::N_F64 >= 4).then_some(RAY_LIMIT);
        visit_faces::<L>(&index.tree, &slabs, t_max, limit, &mut search);
        search.nearest.map(|nearest| RayHit::new(index, &nearest))
    }
}

struct RaySearch<'a> {
    query: RayQuery<'a>,
    ray: ShearedRay,
    nearest: Option<Nearest>,
}

impl FaceVisitor for RaySearch<'_> {
    #[inline(always)]
    fn candidates<L: SimdVector>(&self, block_idx: usize) -> LaneMask {
        let RayQuery { index, filter, .. } = self.query;
        index.candidates_along::<L>(block_idx, &self.ray, filter)
    }

    #[inline(always)]
    fn decide(&mut self, block_idx: usize, lane: usize) -> f32 {
        let RayQuery {
            index,
            sides,
            t_max,
            ..
        } = self.query;
        let corners = index.blocks[block_idx].corners_along(lane, &self.ray);
        if let Some(crossing) = self.ray.cross_along(corners) {
            let is_seen = crossing.front
                || sides == Sides::Both
                || sides.see_back_of(index.attributes[block_idx].masks[lane]);
            if is_seen {
                let place = (block_idx * N_LANES + lane) as u32;
                Nearest::keep(&mut self.nearest, index, t_max, place, crossing);
            }
        }
        self.nearest.as_ref().map_or(t_max, |nearest| nearest.t)
    }
}

#[derive(Clone, Copy)]
struct SegmentQuery<'a> {
    index: &'a TriangleIndex,
    ends: [Vec3; 2],
    filter: MaskFilter,
}

impl Kernel for SegmentQuery<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: SimdVector>(self) -> bool {
        let Self { index, ends, .. } = self;
        let Some(ray) = ShearedRay::between(ends[0], ends[1]) else {
            return false;
        };
        let slabs = Slabs::new(&ray, index.farthest);
        let mut search = SegmentSearch {
            query: self,
            ray,
            is_hit: false,
        };
        let limit = (L::N_F64 >= 4).then_some(MAX_LISTED);
        visit_faces::<L>(&index.tree, &slabs, 1.0, limit, &mut search);
        search.is_hit
    }
}

struct SegmentSearch<'a> {
    query: SegmentQuery<'a>,
    ray: ShearedRay,
    is_hit: bool,
}

impl FaceVisitor for SegmentSearch<'_> {
    #[inline(always)]
    fn candidates<L: SimdVector>(&self, block_idx: usize) -> LaneMask {
        let SegmentQuery { index, filter, .. } = self.query;
        index.candidates_along::<L>(block_idx, &self.ray, filter)
    }

    #[inline(always)]
    fn decide(&mut self, block_idx: usize, lane: usize) -> f32 {
        let block = &self.query.index.blocks[block_idx];
        let crossing = self.ray.cross_along(block.corners_along(lane, &self.ray));
        self.is_hit = crossing.is_some_and(|c| (0.0..=1.0).contains(&(c.t as f32)));
        if self.is_hit { -1.0 } else { 1.0 }
    }
}

/// Lanes whose face a ray may cross, at any t: all that it does, and few others.
///
/// The test of [`ShearedRay::cross`] in f32. The block lies within `near` of the origin along each axis, and the
/// shear is at most 1, so a sheared coordinate is off by less than `error`; of a face that the ray crosses it is
/// less than twice the block's size. Two products of such are off by less than the margin.
#[inline(always)]
fn candidates_along<L: SimdVector>(block: &Block, ray: &ShearedRay) -> LaneMask {
    let anchor = block.anchor();
    let [kx, ky, kz] = [ray.axis(0), ray.axis(1), ray.axis(2)];
    let origin = ray.origin_f32;
    let away = |axis: usize| (anchor[axis] - origin[axis]).abs();
    let near = max(max(away(0), away(1)), away(2)) + block.size();
    let error = 4.0 * f32::EPSILON * near;
    let reach = 2.0 * block.size() + error;
    // Where products of sheared coordinates overflow, so does the margin, and nothing is left out.
    let margin = max(6.0 * reach * error, reach * reach * f32::MIN_POSITIVE) + f32::MIN_POSITIVE;

    // Sixteen vertices are sheared rather than the three corners of sixteen faces.
    let depth = L::load(block.coordinates(kz)).sub(L::splat(origin[kz]));
    let x = L::load(block.coordinates(kx)).sub(L::splat(origin[kx]));
    let y = L::load(block.coordinates(ky)).sub(L::splat(origin[ky]));
    // Turned by half a turn, which changes no edge function.
    let x = depth.mul_sub(L::splat(ray.shear_f32[0]), x);
    let y = depth.mul_sub(L::splat(ray.shear_f32[1]), y);
    let slack = Slack {
        position: error,
        edge: margin,
    };
    block.with_area() & L::faces_around_origin(x, y, block.corners(), slack, Winding::Any)
}

impl RayHit {
    #[inline(always)]
    pub(super) fn new(index: &TriangleIndex, nearest: &Nearest) -> Self {
        let Nearest {
            t,
            place,
            ref crossing,
        } = *nearest;
        let corners = index.corners_at(place);
        Self {
            face: index.face_at(place),
            t,
            barycentrics: crossing.weights.map(|w| w as f32),
            position: point_of(&corners, crossing.weights),
            normal: normal_of(&corners),
            front: crossing.front,
            material: index.material_at(place),
        }
    }
}
