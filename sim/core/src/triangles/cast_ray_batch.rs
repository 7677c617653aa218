//! Rays and segments in batches: what is done with the faces that each meets.

use super::TriangleIndex;
use super::cast_ray::{Nearest, RayHit};
use super::ray_stream::{CrossingVisitor, N_RAYS, NodeStack, RayStream};
use super::simd::{Kernel, SimdLevel, SimdVector};
use crate::ray_triangle::{Crossing, ShearedRay};
use crate::{MaskFilter, Ray};
use glam::Vec3;

impl TriangleIndex {
    /// Whether rays are faster together. Without wide registers a step costs more than waiting for one saves
    /// (`README.md`, "SIMD levels").
    fn is_wide(&self) -> bool {
        self.instructions != SimdLevel::Portable
    }

    /// Casts rays one at a time. In a function of its own, so that the loops over many keep their registers.
    #[inline(never)]
    fn cast_each(
        &self,
        rays: &[Ray],
        t_max: &[f32],
        filter: MaskFilter,
        hits: &mut [Option<RayHit>],
    ) {
        for ((hit, ray), &t_max) in hits.iter_mut().zip(rays).zip(t_max) {
            *hit = self.cast_ray(ray, t_max, filter);
        }
    }
}

/// The rays of one task.
pub(super) struct RayRun<'a> {
    pub index: &'a TriangleIndex,
    pub rays: &'a [Ray],
    pub t_max: &'a [f32],
    pub filter: MaskFilter,
    pub hits: &'a mut [Option<RayHit>],
}

impl Kernel for RayRun<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdVector>(self) {
        let Self {
            index,
            rays,
            t_max,
            filter,
            hits,
        } = self;
        let mut stream = RayStream::new(index, filter);
        let mut nearest = [const { None }; N_RAYS];
        let batches = rays.chunks(N_RAYS).zip(t_max.chunks(N_RAYS));
        for (hits, (rays, t_max)) in hits.chunks_mut(N_RAYS).zip(batches) {
            stream.clear();
            nearest.fill_with(|| None);
            for (ray, &t_max) in rays.iter().zip(t_max) {
                stream.add(ShearedRay::new(ray), t_max);
            }
            let mut visitor = NearestHits {
                index,
                t_max,
                nearest: &mut nearest,
            };
            let met = index.is_wide().then(|| stream.visit_all::<L>(&mut visitor));
            match met.flatten() {
                Some(()) => {
                    for (hit, nearest) in hits.iter_mut().zip(&nearest) {
                        *hit = nearest.as_ref().map(|n| RayHit::new(index, n));
                    }
                }
                None => index.cast_each(rays, t_max, filter, hits),
            }
        }
    }
}

struct NearestHits<'a> {
    index: &'a TriangleIndex,
    t_max: &'a [f32],
    nearest: &'a mut [Option<Nearest>; N_RAYS],
}

impl CrossingVisitor for NearestHits<'_> {
    #[inline(always)]
    fn visit_crossing(&mut self, ray: usize, place: u32, crossing: Crossing) {
        Nearest::keep(
            &mut self.nearest[ray],
            self.index,
            self.t_max[ray],
            place,
            crossing,
        );
    }
}

/// The segments of one task.
pub(super) struct SegmentRun<'a> {
    pub index: &'a TriangleIndex,
    pub segments: &'a [[Vec3; 2]],
    pub filter: MaskFilter,
    pub hits: &'a mut [bool],
}

impl Kernel for SegmentRun<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdVector>(self) {
        let Self {
            index,
            segments,
            filter,
            hits,
        } = self;
        if !index.is_wide() {
            for (hit, &[a, b]) in hits.iter_mut().zip(segments) {
                *hit = index.cast_segment(a, b, filter);
            }
            return;
        }
        let mut stream = RayStream::new(index, filter);
        let mut ways = [const { NodeStack::EMPTY }; N_RAYS];
        for (hits, segments) in hits.chunks_mut(N_RAYS).zip(segments.chunks(N_RAYS)) {
            stream.clear();
            for &[a, b] in segments {
                stream.add(ShearedRay::between(a, b), 1.0);
            }
            hits.fill(false);
            stream.visit_until_done::<L>(&mut ways, &mut AnyHits { hits });
        }
    }
}

struct AnyHits<'a> {
    hits: &'a mut [bool],
}

impl CrossingVisitor for AnyHits<'_> {
    #[inline(always)]
    fn visit_crossing(&mut self, ray: usize, _place: u32, crossing: Crossing) {
        self.hits[ray] |= (0.0..=1.0).contains(&(crossing.t as f32));
    }

    #[inline(always)]
    fn is_done(&self, ray: usize) -> bool {
        self.hits[ray]
    }
}
