//! Motion in steps: forces that depend on where a particle is, and constraints that hold it.
//!
//! Every particle is stepped from its own birth, in steps of one length, so that where it is follows from its number and
//! its age alone, as for motion in closed form. What that costs is bounded by [`Stepped::MAX_STEPS`] and
//! [`MAX_STEP_COST`].

use glam::Vec3;

use super::motion::{Throw, responses};
use super::random::{noise, scattered, unit_of};

/// Most that the steps and modulations of a scene's particles may cost together for one frame, as the number of steps without
/// forces.
pub const MAX_STEP_COST: u64 = 1 << 22;

/// Motion that is integrated (Verlet's method). Places, directions and accelerations are in the axes of the emitter.
#[derive(Debug, Clone, PartialEq)]
pub struct Stepped {
    /// How particles leave. Its gravity, drag and wind act in each step; its sway is added to where the steps lead.
    pub throw: Throw,
    /// Length of a step; above 0.
    pub step_secs: f32,
    /// What accelerates particles besides.
    pub forces: Vec<Force>,
    /// What is done to them after each step, one after the other.
    pub constraints: Vec<Constraint>,
    /// Particles are not shown farther away from the emitter than this, and none as a longer streak; above 0.
    pub reach: f32,
}

/// What accelerates a particle: units per second squared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Force {
    /// Straight to a place: `strength` divided by the distance to the power of `falloff`. Distances below 1 count as 1.
    Pull {
        /// The place.
        to: [f32; 3],
        /// Below 0 it pushes away.
        strength: f32,
        /// 0 is the same at all distances, 2 is gravity of a point.
        falloff: f32,
    },
    /// Around an axis, the same at all distances; counter-clockwise seen from where the axis leads.
    Twist {
        /// A place on the axis.
        center: [f32; 3],
        /// Of unit length.
        axis: [f32; 3],
        /// How strong it is.
        strength: f32,
    },
    /// Another one in each step, at random in a box.
    Random {
        /// Least along each axis.
        least: [f32; 3],
        /// Greatest along each axis.
        greatest: [f32; 3],
    },
    /// From one acceleration to another between two times since the emitter's window began.
    Timed {
        /// The times, the first not after the second.
        secs: [f32; 2],
        /// At and before the first, at and after the second.
        accelerations: [[f32; 3]; 2],
    },
    /// From one acceleration to another between two distances from a plane, whose back counts as its front.
    Layered {
        /// A place on the plane.
        point: [f32; 3],
        /// Of unit length.
        normal: [f32; 3],
        /// The distances, the first not after the second.
        distances: [f32; 2],
        /// Up to the first, from the second on.
        accelerations: [[f32; 3]; 2],
    },
    /// By noise of the place.
    Turbulence {
        /// How fast the noise changes: its cells are as long as the inverse.
        scale: f32,
        /// Along each axis at most.
        strength: [f32; 3],
    },
}

/// What holds a particle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constraint {
    /// It is no faster than this.
    Speed {
        /// At least 0.
        most: f32,
    },
    /// It is turned about an axis, and the way that it goes with it.
    Turn {
        /// A place on the axis.
        center: [f32; 3],
        /// Of unit length.
        axis: [f32; 3],
        /// Counter-clockwise seen from where the axis leads.
        rad_per_sec: f32,
    },
    /// Its steps are shorter near a place, down to none there.
    Slow {
        /// The place.
        center: [f32; 3],
        /// From here on steps have their length; above 0.
        radius: f32,
    },
    /// Its distance from a line segment, whose ends may be one place.
    Distance {
        /// The ends.
        ends: [[f32; 3]; 2],
        /// Least and greatest.
        range: [f32; 2],
    },
    /// It stays in front of a plane.
    Plane {
        /// A place on it.
        point: [f32; 3],
        /// Of unit length; leads to the front.
        normal: [f32; 3],
        /// How much of the speed toward the plane leads away from it then, and how much of that along it is left.
        kept: [f32; 2],
        /// Whether it is gone when it touches the plane.
        is_deadly: bool,
    },
}

/// A particle before its first step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    pub place: Vec3,
    pub velocity: Vec3,
    /// When it was born, since the emitter's window began.
    pub born_secs: f32,
    /// A number of its own.
    pub seed: u32,
}

/// A particle between two steps.
#[derive(Clone, Copy)]
struct Step {
    before: Vec3,
    now: Vec3,
}

impl Stepped {
    /// A particle that is older stays where it has come to, without a speed.
    pub const MAX_STEPS: u32 = 900;

    /// Steps under a steady acceleration.
    pub(super) fn stepper(&self, gravity: Vec3) -> Stepper<'_> {
        let [kept, thrown, fallen] = responses(self.throw.drag_per_sec, self.step_secs);
        Stepper {
            stepped: self,
            gravity,
            kept,
            thrown,
            fallen,
        }
    }

    /// What a step costs, as the number of steps without forces.
    pub(super) fn step_cost(&self) -> u64 {
        let of_force = |force: &Force| match force {
            Force::Turbulence { .. } => 8,
            _ => 1,
        };
        let forces: u64 = self.forces.iter().map(of_force).sum();
        1 + forces + self.constraints.len() as u64
    }
}

/// What the steps of all particles of an emitter share.
pub(super) struct Stepper<'a> {
    pub stepped: &'a Stepped,
    /// Acceleration that is the same everywhere and always, in the axes of the emitter.
    gravity: Vec3,
    /// Of a step: as [`responses`] has them.
    kept: f32,
    thrown: f32,
    fallen: f32,
}

impl Stepper<'_> {
    /// Place and velocity after a time since birth; `None` for a particle that a plane or its distance has ended.
    pub fn after(&self, start: &Start, secs: f32) -> Option<[Vec3; 2]> {
        let step_secs = self.stepped.step_secs;
        let n_steps = (secs / step_secs).min(Stepped::MAX_STEPS as f32);
        let whole = n_steps as u32;
        let mut pull = self.acceleration(start, start.place, 0);
        // So that steps under a steady acceleration lead exactly where the closed form leads.
        let way = start.velocity * self.thrown + pull * (self.fallen - step_secs * self.thrown);
        let back = if self.kept > 1e-6 {
            way / self.kept
        } else {
            Vec3::ZERO
        };
        let mut step = Step {
            before: start.place - back,
            now: start.place,
        };
        for index in 1..=whole {
            step = self.next(step, pull)?;
            pull = self.acceleration(start, step.now, index);
        }
        let way = self.next(step, pull)?.now - step.now;
        let place = step.now + way * (n_steps - whole as f32);
        let reach = self.stepped.reach;
        let velocity = match whole < Stepped::MAX_STEPS {
            true => way / step_secs,
            false => Vec3::ZERO,
        };
        (place.length_squared() <= reach * reach).then_some([place, velocity])
    }

    fn next(&self, Step { before, now }: Step, pull: Vec3) -> Option<Step> {
        let step_secs = self.stepped.step_secs;
        let mut step = Step {
            before: now,
            now: now + (now - before) * self.kept + pull * (step_secs * self.thrown),
        };
        let mut constraints = self.stepped.constraints.iter();
        constraints
            .all(|it| it.hold(&mut step, step_secs))
            .then_some(step)
    }

    fn acceleration(&self, start: &Start, place: Vec3, index: u32) -> Vec3 {
        let secs = start.born_secs + index as f32 * self.stepped.step_secs;
        let forces = self.stepped.forces.iter().enumerate();
        forces.fold(self.gravity, |sum, (number, force)| {
            let seed = start.seed ^ scattered(index.wrapping_mul(64).wrapping_add(number as u32));
            sum + force.at(place, secs, seed)
        })
    }
}

impl Force {
    fn at(&self, place: Vec3, secs: f32, seed: u32) -> Vec3 {
        match *self {
            Self::Pull {
                to,
                strength,
                falloff,
            } => {
                let way = Vec3::from(to) - place;
                let distance = way.length();
                match distance > 0.0 {
                    true => way * (strength / (distance * distance.max(1.0).powf(falloff))),
                    false => Vec3::ZERO,
                }
            }
            Self::Twist {
                center,
                axis,
                strength,
            } => {
                let around = Vec3::from(axis).cross(place - Vec3::from(center));
                around.normalize_or_zero() * strength
            }
            Self::Random { least, greatest } => {
                let shares = [0, 1, 2].map(|axis: u32| unit_of(scattered(seed.wrapping_add(axis))));
                mixed([least, greatest], Vec3::from(shares))
            }
            Self::Timed {
                secs: times,
                accelerations,
            } => mixed(accelerations, Vec3::splat(share_of(secs, times))),
            Self::Layered {
                point,
                normal,
                distances,
                accelerations,
            } => {
                let distance = (place - Vec3::from(point)).dot(normal.into()).abs();
                mixed(accelerations, Vec3::splat(share_of(distance, distances)))
            }
            Self::Turbulence { scale, strength } => {
                // Three noises, far enough apart to have nothing in common.
                let at = [0.0, 89.3, 173.9].map(|by| noise(place * scale + Vec3::splat(by)));
                Vec3::from(at) * Vec3::from(strength)
            }
        }
    }
}

impl Constraint {
    /// Whether the particle is still there.
    fn hold(&self, step: &mut Step, step_secs: f32) -> bool {
        let Step { before, now } = *step;
        match *self {
            Self::Speed { most } => {
                step.now = before + (now - before).clamp_length_max(most * step_secs);
            }
            Self::Turn {
                center,
                axis,
                rad_per_sec,
            } => {
                let center = Vec3::from(center);
                let turn = glam::Quat::from_axis_angle(axis.into(), rad_per_sec * step_secs);
                step.before = center + turn * (before - center);
                step.now = center + turn * (now - center);
            }
            Self::Slow { center, radius } => {
                let share = now.distance(center.into()) / radius;
                step.now = before + (now - before) * share.min(1.0);
            }
            Self::Distance { ends, range } => {
                let nearest = nearest_on(ends, now);
                let way = now - nearest;
                let length = way.length().clamp(range[0], range[1]);
                step.now = nearest + way.try_normalize().unwrap_or(Vec3::Z) * length;
            }
            Self::Plane {
                point,
                normal,
                kept: [bounce, slide],
                is_deadly,
            } => {
                let normal = Vec3::from(normal);
                let depth = (now - Vec3::from(point)).dot(normal);
                if depth < 0.0 {
                    step.now = now - normal * depth;
                    let way = now - before;
                    let toward = normal * way.dot(normal).min(0.0);
                    step.before = step.now - (way - toward) * slide + toward * bounce;
                    return !is_deadly;
                }
            }
        }
        true
    }
}

fn nearest_on([from, to]: [[f32; 3]; 2], place: Vec3) -> Vec3 {
    let [from, to] = [from, to].map(Vec3::from);
    let way = to - from;
    let length_sq = way.length_squared();
    match length_sq > 0.0 {
        true => from + way * ((place - from).dot(way) / length_sq).clamp(0.0, 1.0),
        false => from,
    }
}

/// How much of the way between two numbers a third one has come, `0.0..=1.0`.
pub(super) fn share_of(value: f32, [from, to]: [f32; 2]) -> f32 {
    match to > from {
        true => ((value - from) / (to - from)).clamp(0.0, 1.0),
        false => f32::from(u8::from(value >= from)),
    }
}

fn mixed([from, to]: [[f32; 3]; 2], shares: Vec3) -> Vec3 {
    let [from, to] = [from, to].map(Vec3::from);
    from + (to - from) * shares
}
