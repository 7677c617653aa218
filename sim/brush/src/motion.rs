//! A shape cast in the numbers that tests use, and what it has found so far.

use super::query::ShapeCast;
use glam::{DVec3, Vec3};
use ironlands_sim_core::bvh::BoxRay;

/// The gap that is kept to surfaces.
pub(super) const EPS: f64 = super::SURFACE_GAP as f64;

/// Of a coordinate: some times what rounding it to f32 and adding another makes.
const ROUNDING: f64 = 1.0 / (1 << 21) as f64;

/// The motion of a box's center.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motion {
    pub start: DVec3,
    pub end: DVec3,
    /// `end - start`.
    pub delta: DVec3,
    /// Half the size of the box; zero for a ray.
    pub half: DVec3,
    /// Contents.
    pub mask: i32,
}

impl Motion {
    /// `None` for a shape cast with a number that is not finite, or a box turned inside out.
    pub fn new(cast: &ShapeCast) -> Option<Self> {
        let ShapeCast {
            start,
            end,
            mins,
            maxs,
            ..
        } = *cast;
        let is_sound =
            [start, end, mins, maxs].into_iter().all(Vec3::is_finite) && mins.cmple(maxs).all();
        let [mins, maxs] = [mins, maxs].map(Vec3::as_dvec3);
        let middle = (mins + maxs) * 0.5;
        let (start, end) = (start.as_dvec3() + middle, end.as_dvec3() + middle);
        is_sound.then_some(Self {
            start,
            end,
            delta: end - start,
            half: (maxs - mins) * 0.5,
            mask: cast.mask.bits(),
        })
    }

    /// The motion for boxes that are rounded to f32, whose `t` is the share of it. Its own rounding is counted in.
    pub fn box_ray(&self) -> BoxRay {
        let half = self.half + (self.start.abs() + self.half) * ROUNDING;
        let [center, direction, half] = [self.start, self.delta, half].map(|it| it.as_vec3());
        BoxRay::from_box(center.to_array(), direction.to_array(), half.to_array())
    }

    pub fn is_ray(&self) -> bool {
        self.half == DVec3::ZERO
    }
}

/// The first thing that stops a motion, among those tested so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub fraction: f64,
    pub start_solid: bool,
    pub all_solid: bool,
    pub stop: Stop,
}

/// What stops a motion.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stop {
    Nothing,
    Side {
        brush: u32,
        side: u32,
    },
    Triangle {
        displacement: u32,
        /// Counted on from the last side.
        element: u32,
        /// Of the plane that was hit.
        normal: DVec3,
        dist: f64,
    },
}

impl Best {
    pub const NOTHING: Self = Self {
        fraction: 1.0,
        start_solid: false,
        all_solid: false,
        stop: Stop::Nothing,
    };
}

/// When a motion is inside of a convex body: from the last plane that it enters to the first that it leaves. Planes
/// are taken in `N` at a time, in lanes of their own, and without branches: which planes a motion crosses, and how,
/// cannot be foreseen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inside<const N: usize> {
    enter: [f64; N],
    leave: [f64; N],
    /// How far start and end are in front of a plane, and the nearer of them; 0 if of none.
    start: [f64; N],
    end: [f64; N],
    nearer: [f64; N],
}

/// What a convex body does to a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meeting {
    /// Nothing.
    Miss,
    /// Stops it there.
    Enter(f64),
    /// It starts inside and comes out.
    StartsInside,
    /// It starts and ends inside.
    StaysInside,
}

/// Where a motion enters a plane by its distances to start and end, the box counted in (section 7.3); -1 if it does not.
#[inline(always)]
pub(super) fn entry(d1: f64, d2: f64) -> f64 {
    let at = greater(d1 - EPS, 0.0) / (d1 - d2);
    if (d1 > d2) & (d1 > 0.0) { at } else { -1.0 }
}

/// Where it leaves a plane; 1 if it does not.
#[inline(always)]
fn exit(d1: f64, d2: f64) -> f64 {
    let at = (d1 + EPS) / (d1 - d2);
    if (d1 <= d2) & (d2 > 0.0) { at } else { 1.0 }
}

/// One instruction, which `f64::max` is not.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

impl<const N: usize> Inside<N> {
    pub const START: Self = Self {
        enter: [-1.0; N],
        leave: [1.0; N],
        start: [0.0; N],
        end: [0.0; N],
        nearer: [0.0; N],
    };

    /// Takes in planes from their distances to start and end.
    #[expect(clippy::indexing_slicing, reason = "there are N lanes")]
    #[inline(always)]
    pub fn cut(&mut self, d1: &[f64; N], d2: &[f64; N]) {
        for i in 0..N {
            self.enter[i] = greater(self.enter[i], entry(d1[i], d2[i]));
            self.leave[i] = lesser(self.leave[i], exit(d1[i], d2[i]));
            self.start[i] = greater(self.start[i], d1[i]);
            self.end[i] = greater(self.end[i], d2[i]);
            self.nearer[i] = greater(self.nearer[i], lesser(d1[i], d2[i]));
        }
    }

    /// Whether all of the motion is in front of a plane.
    #[inline(always)]
    pub fn is_missed(&self) -> bool {
        self.nearer.into_iter().fold(0.0, greater) > 0.0
    }

    /// Where it enters the last plane; -1 if it enters none.
    #[inline(always)]
    pub fn enter(&self) -> f64 {
        self.enter.into_iter().fold(-1.0, greater)
    }

    /// After all planes, none of which is missed.
    #[inline(always)]
    pub fn meeting(&self) -> Meeting {
        let is_outside = |distances: [f64; N]| distances.into_iter().fold(0.0, greater) > 0.0;
        if !is_outside(self.start) {
            return if is_outside(self.end) {
                Meeting::StartsInside
            } else {
                Meeting::StaysInside
            };
        }
        let (enter, leave) = (self.enter(), self.leave.into_iter().fold(1.0, lesser));
        if enter < leave && enter > -1.0 {
            Meeting::Enter(greater(enter, 0.0))
        } else {
            Meeting::Miss
        }
    }
}

impl Best {
    /// Takes in what a body does to the motion. `is_before` returns whether the body comes before what stops the
    /// motion at the same share of it.
    #[inline(always)]
    pub fn take(
        &mut self,
        meeting: Meeting,
        is_before: impl FnOnce(f64, &Stop) -> bool,
        stop: impl FnOnce() -> Stop,
    ) {
        match meeting {
            Meeting::Miss => {}
            Meeting::Enter(share) => {
                let is_tie = share == self.fraction && !matches!(self.stop, Stop::Nothing);
                if share < self.fraction || is_tie && is_before(share, &self.stop) {
                    self.fraction = share;
                    self.stop = stop();
                }
            }
            Meeting::StartsInside => self.start_solid = true,
            Meeting::StaysInside => {
                self.start_solid = true;
                self.all_solid = true;
                self.fraction = 0.0;
                self.stop = Stop::Nothing;
            }
        }
    }
}
