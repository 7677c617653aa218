//! Rays and segments in batches: what is done with the faces that each meets.

use super::TriangleIndex;
use super::cast_ray::{Nearest, RayHit};
use super::lanes::{Instructions, Kernel, Lanes};
use super::ray_stream::{CrossingVisitor, N_RAYS, Rays};
use crate::ray_triangle::{Crossing, ShearedRay};
use crate::{MaskFilter, Ray};
use glam::Vec3;

impl TriangleIndex {
    /// Whether rays are faster together. Without wide registers a step costs more than waiting for one saves
    /// (`README.md`, "Instruction sets").
    fn is_wide(&self) -> bool {
        self.instructions != Instructions::Portable
    }
}

/// Rays that are cast together, at most [`N_RAYS`].
pub(super) struct RayRun<'a> {
    pub index: &'a TriangleIndex,
    pub rays: &'a [Ray],
    pub t_max: &'a [f32],
    pub filter: MaskFilter,
    pub hits: &'a mut [Option<RayHit>],
}

impl Kernel for RayRun<'_> {
    type Answer = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self {
            index,
            rays,
            t_max,
            filter,
            hits,
        } = self;
        let mut sheared = [const { None }; N_RAYS];
        for (sheared, ray) in sheared.iter_mut().zip(rays) {
            *sheared = ShearedRay::new(ray);
        }
        let mut nearest = NearestOfMany {
            index,
            t_max,
            nearest: [const { None }; N_RAYS],
        };
        let sheared = &sheared[..rays.len()];
        let together = Rays::new(index, filter, sheared, |i| t_max[i]);
        let met = index
            .is_wide()
            .then(|| together.meet_all::<L>(&mut nearest));
        match met.flatten() {
            Some(()) => {
                for (hit, nearest) in hits.iter_mut().zip(&nearest.nearest) {
                    *hit = nearest.as_ref().map(|n| RayHit::new(index, n));
                }
            }
            None => {
                for ((hit, ray), &t_max) in hits.iter_mut().zip(rays).zip(t_max) {
                    *hit = index.cast_ray(ray, t_max, filter);
                }
            }
        }
    }
}

struct NearestOfMany<'a> {
    index: &'a TriangleIndex,
    t_max: &'a [f32],
    nearest: [Option<Nearest>; N_RAYS],
}

impl CrossingVisitor for NearestOfMany<'_> {
    #[inline(always)]
    fn meet(&mut self, ray: usize, place: u32, crossing: Crossing) {
        Nearest::keep(
            &mut self.nearest[ray],
            self.index,
            self.t_max[ray],
            place,
            crossing,
        );
    }
}

/// Segments that are asked together, at most [`N_RAYS`].
pub(super) struct SegmentRun<'a> {
    pub index: &'a TriangleIndex,
    pub segments: &'a [[Vec3; 2]],
    pub filter: MaskFilter,
    pub hits: &'a mut [bool],
}

impl Kernel for SegmentRun<'_> {
    type Answer = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self {
            index,
            segments,
            filter,
            hits,
        } = self;
        let mut sheared = [const { None }; N_RAYS];
        for (sheared, &[a, b]) in sheared.iter_mut().zip(segments) {
            *sheared = ShearedRay::between(a, b);
        }
        hits.fill(false);
        let sheared = &sheared[..segments.len()];
        if index.is_wide() {
            let together = Rays::new(index, filter, sheared, |_| 1.0);
            together.meet_until_done::<L>(&mut AnyOfMany { hits });
        } else {
            for (hit, &[a, b]) in hits.iter_mut().zip(segments) {
                *hit = index.segment_hit(a, b, filter);
            }
        }
    }
}

struct AnyOfMany<'a> {
    hits: &'a mut [bool],
}

impl CrossingVisitor for AnyOfMany<'_> {
    #[inline(always)]
    fn meet(&mut self, ray: usize, _place: u32, crossing: Crossing) {
        self.hits[ray] |= (0.0..=1.0).contains(&(crossing.t as f32));
    }

    #[inline(always)]
    fn is_done(&self, ray: usize) -> bool {
        self.hits[ray]
    }
}
