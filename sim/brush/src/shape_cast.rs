//! Shape casts of boxes and rays, single and in batches.

use super::BrushWorld;
use super::map::ContentBits;
use super::motion::{Best, Motion, Stop};
use super::query::{CastHit, CastResult, CastTargets, Obstacle, ShapeCast};
use super::scratch::CastScratch;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Beyond any map: farther away, motions are followed only where they get nearer than that.
pub(super) const FAR: f64 = (1 << 20) as f64;
/// Shape casts of one task.
const CHUNK: usize = 128;

impl BrushWorld {
    /// How far a box or ray gets (sections 7.3 to 7.6). It stops [`SURFACE_GAP`](super::SURFACE_GAP) in front of
    /// planes. A shape cast with a number that is not finite, or with a box turned inside out, hits nothing.
    ///
    /// `scratch` may have served other worlds. The cost depends on what is near the motion, not on the map; allocates
    /// nothing once the scratch has grown.
    pub fn cast_shape(&self, cast: &ShapeCast, scratch: &mut CastScratch) -> CastResult {
        let Some(motion) = Motion::new(cast) else {
            return CastResult::unobstructed(cast.end);
        };
        let Some((near, [from, to])) = motion.clipped(FAR) else {
            return CastResult::unobstructed(cast.end);
        };
        let mut best = self.first_stop(&near, cast.targets, scratch);
        if matches!(best.stop, Stop::Nothing) && !best.all_solid {
            best.fraction = 1.0;
        } else {
            best.fraction = from + (to - from) * best.fraction;
        }
        self.result_from(cast, &motion, &best)
    }

    /// [`cast_shape`](Self::cast_shape) for many shapes, on all threads of rayon's pool; the same to the bit as single
    /// calls.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn cast_shape_batch(&self, casts: &[ShapeCast], results: &mut [CastResult]) {
        assert_eq!(casts.len(), results.len(), "a place for each result");
        casts
            .par_chunks(CHUNK)
            .zip(results.par_chunks_mut(CHUNK))
            .for_each_init(CastScratch::default, |scratch, (casts, results)| {
                for (cast, result) in casts.iter().zip(results) {
                    *result = self.cast_shape(cast, scratch);
                }
            });
    }

    pub(super) fn first_stop(
        &self,
        motion: &Motion,
        targets: CastTargets,
        scratch: &mut CastScratch,
    ) -> Best {
        let mut best = Best::NOTHING;
        if motion.is_ray() {
            self.first_stop_of::<true>(motion, targets, scratch, &mut best);
        } else {
            self.first_stop_of::<false>(motion, targets, scratch, &mut best);
        }
        best
    }

    fn first_stop_of<const RAY: bool>(
        &self,
        motion: &Motion,
        targets: CastTargets,
        scratch: &mut CastScratch,
        best: &mut Best,
    ) {
        let ray = motion.box_ray();
        let first_of = |share, brushes: [u32; 2]| {
            let is_of_world = |brush: &u32| (*brush as usize) < self.n_file_brushes;
            if brushes.iter().all(is_of_world) {
                self.tree
                    .first_of::<RAY>(motion, share, brushes, &mut scratch.spans)
            } else {
                brushes.into_iter().min().unwrap_or_default()
            }
        };
        self.convex_bodies
            .cast::<RAY>(motion, &ray, targets, best, first_of);
        if targets == CastTargets::WorldBrushes {
            return;
        }
        self.displacement_cells
            .cast::<RAY>(&self.displacements, motion, &ray, best);
    }

    /// The result in the caller's numbers.
    fn result_from(&self, cast: &ShapeCast, motion: &Motion, best: &Best) -> CastResult {
        let start = cast.start.as_dvec3();
        CastResult {
            fraction: best.fraction as f32,
            end: match best.fraction {
                1.0 => cast.end,
                fraction => (start + fraction * motion.delta).as_vec3(),
            },
            start_solid: best.start_solid,
            all_solid: best.all_solid,
            hit: self.hit_of(&best.stop),
        }
    }

    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "what stops a motion is one of the sides or triangles that were just tested"
    )]
    fn hit_of(&self, stop: &Stop) -> Option<CastHit> {
        match *stop {
            Stop::Nothing => None,
            Stop::Side { brush, side } => {
                let plane = &self.sides[side as usize];
                Some(CastHit {
                    normal: Vec3::from_array(plane.normal),
                    dist: plane.dist,
                    contents: ContentBits::from_bits_retain(self.brushes[brush as usize].contents),
                    texinfo: u32::try_from(self.side_texinfos[side as usize]).ok(),
                    obstacle: self.owner_of(brush),
                    element: side,
                })
            }
            Stop::Triangle {
                displacement,
                element,
                normal,
                dist,
                ..
            } => {
                let own = &self.displacements[displacement as usize];
                Some(CastHit {
                    normal: normal.as_vec3(),
                    dist: dist as f32,
                    contents: ContentBits::from_bits_retain(own.contents),
                    texinfo: u32::try_from(own.texinfo).ok(),
                    obstacle: Obstacle::Displacement {
                        disp_info: displacement,
                        triangle: element - own.first_element,
                    },
                    element,
                })
            }
        }
    }

    /// Whose a brush is.
    #[expect(
        clippy::indexing_slicing,
        reason = "each brush behind those of the file is added with its owner"
    )]
    pub(super) fn owner_of(&self, brush: u32) -> Obstacle {
        match (brush as usize).checked_sub(self.n_file_brushes) {
            None => Obstacle::World { brush },
            Some(i) => self.owners[i],
        }
    }
}

impl Motion {
    /// The part of it that is nowhere farther than `far` from the middle of the world along an axis, and the shares at
    /// which that begins and ends; `None` if there is no such part.
    fn clipped(&self, far: f64) -> Option<(Self, [f64; 2])> {
        let is_near = |point: DVec3| point.abs().max_element() <= far;
        if is_near(self.start) && is_near(self.end) {
            return Some((*self, [0.0, 1.0]));
        }
        let [mut from, mut to] = [(0.0, self.start), (1.0, self.end)];
        for axis in 0..3 {
            let far = far + self.half[axis];
            if self.delta[axis] == 0.0 {
                if self.start[axis].abs() > far {
                    return None;
                }
                continue;
            }
            // The border itself, since the fraction of a long motion is too coarse to lead there.
            let at_border = |border: f64| {
                let share = (border - self.start[axis]) / self.delta[axis];
                let mut point = self.start + share * self.delta;
                point[axis] = border;
                (share, point)
            };
            let first = at_border(-far.copysign(self.delta[axis]));
            let last = at_border(far.copysign(self.delta[axis]));
            if first.0 > from.0 {
                from = first;
            }
            if last.0 < to.0 {
                to = last;
            }
        }
        let ((from, start), (to, end)) = (from, to);
        (from <= to).then_some((
            Self {
                start,
                end,
                delta: end - start,
                ..*self
            },
            [from, to],
        ))
    }
}
