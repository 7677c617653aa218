//! A shape cast in the numbers that tests use, and what it has found so far.

use super::query::ShapeCast;
use glam::{DVec3, Vec3};

/// The gap that is kept to surfaces.
pub(super) const EPS: f64 = super::SURFACE_GAP as f64;

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
        triangle: u32,
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

/// When a motion is inside of a convex body: from the last plane that it enters to the first that it leaves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inside {
    enter: f64,
    leave: f64,
    is_start_outside: bool,
    is_end_outside: bool,
}

/// What a convex body does to a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meeting {
    /// Nothing.
    Miss,
    /// Stops it there; the last plane for which [`Inside::cut`] was true is the one that is hit.
    Enter(f64),
    /// It starts inside and comes out.
    StartsInside,
    /// It starts and ends inside.
    StaysInside,
}

/// What a plane does to a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// All of the motion is in front.
    Miss,
    /// It is entered later than the planes before.
    Later,
    /// Nothing new.
    Kept,
}

impl Inside {
    pub const START: Self = Self {
        enter: -1.0,
        leave: 1.0,
        is_start_outside: false,
        is_end_outside: false,
    };

    /// Takes in a plane from its distances to start and end, the box counted in (section 7.3).
    #[inline(always)]
    pub fn cut(&mut self, d1: f64, d2: f64) -> Cut {
        self.is_start_outside |= d1 > 0.0;
        self.is_end_outside |= d2 > 0.0;
        if d1 > 0.0 && d2 > 0.0 {
            return Cut::Miss;
        }
        if d1 <= 0.0 && d2 <= 0.0 {
            return Cut::Kept;
        }
        if d1 > d2 {
            let enter = (d1 - EPS).max(0.0) / (d1 - d2);
            if enter > self.enter {
                self.enter = enter;
                return Cut::Later;
            }
        } else {
            self.leave = self.leave.min((d1 + EPS) / (d1 - d2));
        }
        Cut::Kept
    }

    /// After all planes.
    #[inline(always)]
    pub fn meeting(&self) -> Meeting {
        if !self.is_start_outside {
            return if self.is_end_outside {
                Meeting::StartsInside
            } else {
                Meeting::StaysInside
            };
        }
        if self.enter < self.leave && self.enter > -1.0 {
            Meeting::Enter(self.enter.max(0.0))
        } else {
            Meeting::Miss
        }
    }
}

impl Best {
    /// Takes in what a body does to the motion.
    #[inline(always)]
    pub fn take(&mut self, meeting: Meeting, stop: impl FnOnce() -> Stop) {
        match meeting {
            Meeting::Miss => {}
            Meeting::Enter(fraction) => {
                if fraction < self.fraction {
                    self.fraction = fraction;
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
