//! The eye: where it is, where it looks, and how held keys move it.
//!
//! In: time that passed, the state of the keys ([`Controls`]), mouse movement, and the ground and walls
//! around a point ([`Surroundings`]).
//! Out: a [`Pose`] to draw from. Movement runs in fixed steps, so the way flown does not depend on the
//! frame rate; drawing interpolates between the last two steps. Looking is applied at once, because a late
//! view is felt and a sum of mouse movements does not depend on the frame rate either.
//!
//! Engine axes: right-handed, +Z up; lengths are the level's own unit, angles radians.
//! Deliberately absent: windows, keys, GPU.

mod eye;
mod orbit;
mod path;
mod walk;

use std::f32::consts::{PI, TAU};
use std::time::Duration;

use glam::{Vec2, Vec3};
use ironlands_sim::world::{Gait, WalkInput, Walker};

pub use eye::Eye;
pub use orbit::Orbit;
pub use path::{PathView, ViewAngles};
pub use walk::{EYE_HEIGHT, standing};

/// One step of movement: 1/120 s.
pub const STEP: Duration = Duration::from_nanos(1_000_000_000 / 120);

/// Time that one [`Rig::advance`] makes up for at most. A longer pause (a breakpoint, a moved window) is
/// dropped: the eye stays near where its owner left it.
pub const LONGEST_ADVANCE: Duration = Duration::from_millis(250);

/// Looking stops this close below straight up and above straight down, where yaw would lose its meaning.
pub const PITCH_LIMIT_RAD: f32 = 89.0 * PI / 180.0;

/// Speeds that the wheel reaches while flying, in units per second.
const FLY_SPEEDS: [f32; 2] = [0.5, 2000.0];
/// Speeds that the wheel reaches while walking: slow enough that no step jumps over a cliff.
const WALK_SPEEDS: [f32; 2] = [0.5, 50.0];
/// One notch of the wheel multiplies the speed by this.
const SPEED_PER_NOTCH: f32 = 1.2;
/// The fast key multiplies the speed by this.
const FAST_FACTOR: f32 = 4.0;
/// Radians per mouse count: a hand's 10 cm on an 800 dpi mouse (3150 counts) turn once around, and a bit.
const LOOK_RAD_PER_COUNT: f32 = 0.0022;
/// How fast the turning keys turn.
const TURN_RAD_PER_SEC: f32 = 1.6;
/// Time constant of the velocity toward what the keys request: no jerk, no drift.
const VELOCITY_EASE_SECS: f32 = 0.06;

/// Position and direction of the eye.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position in the world.
    pub position: Vec3,
    /// Turn about +Z from +X toward +Y, in `-PI..PI`.
    pub yaw_rad: f32,
    /// Above the horizon positive, within [`PITCH_LIMIT_RAD`] of it.
    pub pitch_rad: f32,
}

impl Pose {
    /// Wraps the yaw and clamps the pitch to their ranges.
    pub fn new(position: Vec3, yaw_rad: f32, pitch_rad: f32) -> Self {
        Self {
            position,
            yaw_rad: wrap_angle(yaw_rad),
            pitch_rad: pitch_rad.clamp(-PITCH_LIMIT_RAD, PITCH_LIMIT_RAD),
        }
    }

    /// Unit vector along the line of sight.
    pub fn forward(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw_rad.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch_rad.sin_cos();
        Vec3::new(cos_pitch * cos_yaw, cos_pitch * sin_yaw, sin_pitch)
    }

    /// Unit vector to the right of the line of sight, level.
    pub fn right(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw_rad.sin_cos();
        Vec3::new(sin_yaw, -cos_yaw, 0.0)
    }
}

/// What the held keys request; each axis in `-1.0..=1.0`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Controls {
    /// Along the line of sight (flying) or the ground (walking).
    pub forward: f32,
    /// To the right.
    pub right: f32,
    /// Up the world's z axis; while walking, jump (up) or duck (down) where the world knows that.
    pub up: f32,
    /// Turn to the left.
    pub turn_left: f32,
    /// Turn upward.
    pub turn_up: f32,
    /// Several times the speed.
    pub fast: bool,
}

/// How the eye moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Freely, through everything.
    Fly,
    /// On the ground: as the world's own game has it, or at [`EYE_HEIGHT`] above it.
    Walk,
}

/// What a walker meets. World axes and units.
pub trait Surroundings {
    /// Height (z) of the ground for who is at a point: the highest at or below it, else the lowest above it;
    /// `None` where there is none.
    fn ground_below(&self, at: Vec3) -> Option<f32>;

    /// The way that a capsule, all points at most `radius` from the segment `a` to `b`, comes when it is to move by
    /// `motion`: short of walls and along them. `motion` where there are none.
    fn slide(&self, a: Vec3, b: Vec3, radius: f32, motion: Vec3) -> Vec3;

    /// Moves a walker as the world's own game does; `false` where it has no way of its own, which is the default.
    fn walk(&self, _walker: &mut Walker, _wish: &WalkInput, _step_secs: f32) -> bool {
        false
    }

    /// The gait of a character that [`walk`](Self::walk) moves; `None` if there are no characters.
    fn gait(&self) -> Option<Gait> {
        None
    }
}

/// The eye with its momentum: what a window keeps from frame to frame.
#[derive(Debug, Clone)]
pub struct Rig {
    mode: Mode,
    /// After the last step.
    pose: Pose,
    /// Before the last step; only its position is drawn from.
    previous_position: Vec3,
    velocity: Vec3,
    fly_speed: f32,
    walk_speed: f32,
    /// Slowest and fastest that the wheel reaches while walking.
    walk_speeds: [f32; 2],
    /// The body that a world with a way of walking of its own moves; out of date once the eye was moved otherwise.
    walker: Option<Walker>,
    /// Time that passed since the last step, shorter than [`STEP`].
    unspent: Duration,
}

impl Rig {
    /// An eye at rest. `fly_speed` is in units per second; walking starts at 6.
    pub fn new(pose: Pose, mode: Mode, fly_speed: f32) -> Self {
        Self {
            mode,
            pose,
            previous_position: pose.position,
            velocity: Vec3::ZERO,
            fly_speed: fly_speed.clamp(FLY_SPEEDS[0], FLY_SPEEDS[1]),
            walk_speed: walk::DEFAULT_SPEED,
            walk_speeds: WALK_SPEEDS,
            walker: None,
            unspent: Duration::ZERO,
        }
    }

    /// The same at the walking speed of a world, if that has one of its own.
    #[must_use]
    pub fn with_gait(self, gait: Option<Gait>) -> Self {
        match gait {
            Some(Gait { speed, speeds, .. }) => Self {
                walk_speed: speed,
                walk_speeds: speeds,
                ..self
            },
            None => self,
        }
    }

    /// How it moves now.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Changes between flying and walking; the eye glides down to the ground.
    pub fn toggle_mode(&mut self) {
        self.mode = match self.mode {
            Mode::Fly => Mode::Walk,
            Mode::Walk => Mode::Fly,
        };
        self.velocity = Vec3::ZERO;
    }

    /// Speed of the present mode without the fast key, in units per second.
    pub fn speed(&self) -> f32 {
        match self.mode {
            Mode::Fly => self.fly_speed,
            Mode::Walk => self.walk_speed,
        }
    }

    /// Changes the speed of the present mode by notches of the wheel; upward is faster.
    pub fn change_speed(&mut self, notches: f32) {
        let (speed, [slowest, fastest]) = match self.mode {
            Mode::Fly => (&mut self.fly_speed, FLY_SPEEDS),
            Mode::Walk => (&mut self.walk_speed, self.walk_speeds),
        };
        *speed = (*speed * SPEED_PER_NOTCH.powf(notches)).clamp(slowest, fastest);
    }

    /// Turns the view by mouse movement in counts; right and down positive, as the system reports it.
    pub fn look(&mut self, right: f32, down: f32) {
        self.turn(-right * LOOK_RAD_PER_COUNT, -down * LOOK_RAD_PER_COUNT);
    }

    /// Puts the eye somewhere else, at rest.
    pub fn jump_to(&mut self, pose: Pose) {
        self.pose = pose;
        self.previous_position = pose.position;
        self.velocity = Vec3::ZERO;
        self.unspent = Duration::ZERO;
    }

    /// Lets `elapsed` pass in whole steps; what is left over counts toward the next call.
    ///
    /// More than [`LONGEST_ADVANCE`] is cut to it. `surroundings` are used only while walking.
    pub fn advance(
        &mut self,
        elapsed: Duration,
        controls: &Controls,
        surroundings: &dyn Surroundings,
    ) {
        self.unspent += elapsed.min(LONGEST_ADVANCE);
        while self.unspent >= STEP {
            self.unspent -= STEP;
            self.step(controls, surroundings);
        }
    }

    /// Where to draw from: between the last two steps, by the time that is left over.
    pub fn pose(&self) -> Pose {
        let between = self.unspent.as_secs_f32() / STEP.as_secs_f32();
        Pose {
            position: self.previous_position.lerp(self.pose.position, between),
            ..self.pose
        }
    }

    fn step(&mut self, controls: &Controls, surroundings: &dyn Surroundings) {
        let step_secs = STEP.as_secs_f32();
        let turn = TURN_RAD_PER_SEC * step_secs;
        self.turn(controls.turn_left * turn, controls.turn_up * turn);

        self.previous_position = self.pose.position;
        let speed = self.speed() * if controls.fast { FAST_FACTOR } else { 1.0 };
        if self.mode == Mode::Walk && self.walk_as_in_game(controls, speed, surroundings) {
            return;
        }
        let wanted = self.direction(controls) * speed;
        self.velocity += (wanted - self.velocity) * ease(VELOCITY_EASE_SECS);
        self.pose.position = match self.mode {
            Mode::Fly => self.pose.position + self.velocity * step_secs,
            Mode::Walk => walk::step(
                self.pose.position,
                &mut self.velocity,
                step_secs,
                surroundings,
            ),
        };
    }

    /// Walks as the world's own game does, if it has a way.
    fn walk_as_in_game(
        &mut self,
        controls: &Controls,
        speed: f32,
        surroundings: &dyn Surroundings,
    ) -> bool {
        let Some(gait) = surroundings.gait() else {
            return false;
        };
        let is_current = |walker: &Walker| walker.eye() == self.pose.position;
        let mut walker = self.walker.filter(is_current).unwrap_or_else(|| Walker {
            velocity: self.velocity,
            ..Walker::new(self.pose.position, gait.eye_height)
        });
        let shares = Vec2::new(controls.forward, controls.right).clamp_length_max(1.0);
        let wish = WalkInput {
            view: self.pose.forward(),
            right: self.pose.right(),
            ahead: shares.x,
            aside: shares.y,
            speed,
            jump: controls.up > 0.0,
            crouch: controls.up < 0.0,
        };
        let is_walking = surroundings.walk(&mut walker, &wish, STEP.as_secs_f32());
        if is_walking {
            self.pose.position = walker.eye();
            self.velocity = walker.velocity;
            self.walker = Some(walker);
        }
        is_walking
    }

    /// Where the keys point, no longer than 1: two keys at once are not faster than one.
    fn direction(&self, controls: &Controls) -> Vec3 {
        let right = self.pose.right();
        let direction = match self.mode {
            Mode::Fly => {
                self.pose.forward() * controls.forward
                    + right * controls.right
                    + Vec3::Z * controls.up
            }
            Mode::Walk => Vec3::Z.cross(right) * controls.forward + right * controls.right,
        };
        direction.clamp_length_max(1.0)
    }

    fn turn(&mut self, left_rad: f32, up_rad: f32) {
        let Pose {
            position,
            yaw_rad,
            pitch_rad,
        } = self.pose;
        self.pose = Pose::new(position, yaw_rad + left_rad, pitch_rad + up_rad);
    }
}

/// Share of the way to a goal that one step goes, if it is to be 1/e away after `time_secs`.
fn ease(time_secs: f32) -> f32 {
    1.0 - (-STEP.as_secs_f32() / time_secs).exp()
}

/// The same angle in `-PI..PI`.
fn wrap_angle(angle_rad: f32) -> f32 {
    (angle_rad + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests;
