//! Moving spheres and capsules: what they touch first.

use super::TriangleIndex;
use super::moving_capsule::{MovingCapsule, Touch};
use super::near::FaceRef;
use crate::MaskFilter;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Queries that one rayon task takes at least.
const MIN_QUERIES_PER_TASK: usize = 32;
/// A stretch of a long motion is this many times as long as the shape is large, or as a face is on average: longer,
/// and the box around a slanting stretch holds many faces that are not near it.
const STRETCH: f64 = 4.0;
/// Most stretches of one motion.
const MAX_STRETCHES: f64 = 4096.0;
/// Rounding of positions in f64, in parts of the largest coordinate, with room.
const ROUNDING: f64 = 1e-13;

/// What a moving sphere or capsule touches first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeHit {
    /// Index of the face.
    pub face: u32,
    /// Part of the motion made until then, `0.0..=1.0`.
    pub t: f32,
    /// Center of the sphere, or the capsule's end `a`, at that moment; world units.
    pub position: Vec3,
    /// The point of the face that is touched, world units.
    pub contact: Vec3,
    /// Unit vector from the contact toward the center, or the nearest point of the axis. Where these lie on the
    /// face itself: the face's normal, against the motion; of a face without area against the motion, or up.
    pub normal: Vec3,
    /// Material word of the face.
    pub material: u16,
}

impl TriangleIndex {
    /// The first face that a sphere touches while its center moves straight from `center` by `motion`; either side
    /// of a face, its edges and vertices count. Of equal `t` (as f32) the face nearest to the center, then the
    /// lowest index.
    ///
    /// Engine axes, world units. Touching is being at most `radius` away. What is touched at the start counts, with
    /// t = 0, only if the motion brings the center nearer to it at once: a sphere that lies against a wall, or has
    /// sunk into it, is free to leave it and to slide along it. A center that lies on a face is free of that face.
    /// Without motion every face that is touched counts, so this is an overlap test that finds the deepest.
    /// With `radius` 0 it is a ray of t at most 1. Faces without area count as the segment or point that they
    /// cover, except for rays. A non-finite number or a negative radius touches nothing.
    ///
    /// Exact: no stepping, and nothing is too thin to be hit. The cost grows with the faces near the motion, up to the
    /// first touch.
    pub fn cast_sphere(
        &self,
        center: Vec3,
        radius: f32,
        motion: Vec3,
        filter: MaskFilter,
    ) -> Option<ShapeHit> {
        self.cast_capsule(center, center, radius, motion, filter)
    }

    /// [`cast_sphere`](Self::cast_sphere) for a capsule: all points at most `radius` from the segment `a` to `b`,
    /// upright or not. Where that speaks of the center read the nearest point of the segment. A face that the
    /// segment itself goes through at the start does not hold it. Equal ends are a sphere.
    pub fn cast_capsule(
        &self,
        a: Vec3,
        b: Vec3,
        radius: f32,
        motion: Vec3,
        filter: MaskFilter,
    ) -> Option<ShapeHit> {
        let sweep = MovingCapsule::from_capsule([a, b], radius, motion)?;
        let first = self.first_touch(&sweep, filter)?;
        Some(ShapeHit::new(self, &sweep, &first))
    }

    /// [`cast_sphere`](Self::cast_sphere) for many spheres on all threads.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn cast_sphere_batch(
        &self,
        centers: &[Vec3],
        radii: &[f32],
        motions: &[Vec3],
        filter: MaskFilter,
        hits: &mut [Option<ShapeHit>],
    ) {
        assert_eq!(centers.len(), hits.len(), "one result per sphere");
        assert_eq!(centers.len(), radii.len(), "one radius a sphere");
        assert_eq!(centers.len(), motions.len(), "one motion a sphere");
        hits.par_iter_mut()
            .zip(centers.par_iter().zip(radii).zip(motions))
            .with_min_len(MIN_QUERIES_PER_TASK)
            .for_each(|(hit, ((&center, &radius), &motion))| {
                *hit = self.cast_sphere(center, radius, motion, filter);
            });
    }

    /// The face that is touched first, by t as f32, distance as f32, and index.
    pub(super) fn first_touch(
        &self,
        sweep: &MovingCapsule,
        filter: MaskFilter,
    ) -> Option<FirstTouch> {
        if self.n_faces() == 0 {
            return None;
        }
        let (low, high) = self.bounds();
        let (low, high) = (low.as_dvec3(), high.as_dvec3());
        let margin = ROUNDING
            * sweep
                .largest_coordinate()
                .max(low.abs().max(high.abs()).max_element());
        let [begin, end] = sweep.times_in(low, high, margin)?;
        let n_stretches = self.n_stretches(sweep, end - begin);
        let t_of = |border: f64| begin + (end - begin) * (border / n_stretches);
        let mut first: Option<FirstTouch> = None;
        let mut stretch = 0.0;
        while stretch < n_stretches {
            let times = [t_of(stretch), t_of(stretch + 1.0)];
            let is_first = stretch == 0.0;
            let [low, high] = sweep.bounds_during(times, 2.0 * margin);
            self.for_faces_near(low, high, filter, |face| {
                let [face_low, face_high] = face.bounds();
                let Some([near_from, _]) = sweep.times_in(face_low, face_high, margin) else {
                    return;
                };
                // Each face in the stretch in which it comes near, and only while it can be the first.
                let is_news = is_first || near_from >= times[0];
                let is_late = first
                    .as_ref()
                    .is_some_and(|f| near_from as f32 > f.touch.t as f32);
                if !is_news || is_late {
                    return;
                }
                let touch = sweep
                    .touch(&face.vertices)
                    .map(|touch| FirstTouch { touch, face });
                if let Some(touch) =
                    touch.filter(|t| first.as_ref().is_none_or(|f| t.key() < f.key()))
                {
                    first = Some(touch);
                }
            });
            if first
                .as_ref()
                .is_some_and(|f| (f.touch.t as f32) < times[1] as f32)
            {
                break;
            }
            stretch += 1.0;
        }
        first
    }

    /// Into how many stretches to cut a part of a motion: a whole number, 1 at least.
    fn n_stretches(&self, sweep: &MovingCapsule, part: f64) -> f64 {
        let (low, high) = self.bounds();
        let extent = low.as_dvec3().distance(high.as_dvec3());
        let face_size = extent / (self.n_faces() as f64).sqrt();
        let shape_size = sweep.radius + sweep.axis.length();
        let n = part * sweep.motion.length() / (STRETCH * face_size.max(shape_size));
        // 0 / 0 where everything is one point.
        if n > 1.0 {
            n.ceil().min(MAX_STRETCHES)
        } else {
            1.0
        }
    }
}

/// The face that is touched first so far.
pub(super) struct FirstTouch {
    pub touch: Touch,
    pub face: FaceRef,
}

impl FirstTouch {
    fn key(&self) -> (f32, f32, u32) {
        let Touch { t, distance } = self.touch;
        (t as f32, distance as f32, self.face.face)
    }
}

impl ShapeHit {
    pub(super) fn new(index: &TriangleIndex, sweep: &MovingCapsule, first: &FirstTouch) -> Self {
        let FirstTouch { touch, face } = first;
        let contact = sweep.contact(touch, &face.vertices);
        Self {
            face: face.face,
            t: touch.t as f32,
            position: (sweep.start + touch.t * sweep.motion).as_vec3(),
            contact: contact.point.as_vec3(),
            normal: contact.normal.as_vec3(),
            material: index.material_at(face.place),
        }
    }
}

impl MovingCapsule {
    /// `None` for what touches nothing: non-finite numbers, a negative radius.
    pub(super) fn from_capsule([a, b]: [Vec3; 2], radius: f32, motion: Vec3) -> Option<Self> {
        let is_sound = a.is_finite() && b.is_finite() && motion.is_finite();
        if !is_sound || !radius.is_finite() || radius < 0.0 {
            return None;
        }
        let [a, b, motion] = [a, b, motion].map(Vec3::as_dvec3);
        Some(Self::new(a, b - a, f64::from(radius), motion))
    }

    /// Bounds of the shape during a part of the motion, grown by `margin`, never smaller by rounding to f32.
    fn bounds_during(&self, [begin, end]: [f64; 2], margin: f64) -> [Vec3; 2] {
        let reach = DVec3::splat(self.radius + margin);
        let (from, to) = (
            self.start + begin * self.motion,
            self.start + end * self.motion,
        );
        let low = from.min(to) + self.axis.min(DVec3::ZERO) - reach;
        let high = from.max(to) + self.axis.max(DVec3::ZERO) + reach;
        let down = |v: f64| (v as f32).next_down();
        let up = |v: f64| (v as f32).next_up();
        [
            Vec3::from_array(low.to_array().map(down)),
            Vec3::from_array(high.to_array().map(up)),
        ]
    }

    fn largest_coordinate(&self) -> f64 {
        let start = self.start.abs().max_element() + self.axis.abs().max_element();
        start + self.motion.abs().max_element() + self.radius
    }
}
