//! An effect alone, to be looked at from all sides. There is nothing to hit.

use std::fmt::Debug;

use glam::Vec3;
use ironlands_scene::{Aabb, EmitterState, TileShape};
use ironlands_sim_core::Ray;
use ironlands_sim_world::{Clock, Fact, Play, Poses, World, WorldHit};

/// Frames that a second of an effect is counted in: as many as models play where nothing else is said.
const FRAMES_PER_SEC: f32 = 15.0;

/// What decides over the emitters of an effect.
pub trait EffectDrive: Debug + Send + Sync {
    /// Sets them to where they are some seconds after the start of the effect.
    fn drive(&self, secs: f64, moments: &mut [EmitterState]);
}

/// Emitters that follow the time of their effect alone.
#[derive(Debug, Clone, Copy)]
pub struct SameClock;

impl EffectDrive for SameClock {
    fn drive(&self, secs: f64, moments: &mut [EmitterState]) {
        for moment in moments {
            moment.clock_secs = secs as f32;
        }
    }
}

/// Nothing but what an effect emits, again and again.
#[derive(Debug, Clone)]
pub struct EffectWorld<D> {
    drive: D,
    bounds: (Vec3, Vec3),
    length_secs: f32,
}

impl<D: EffectDrive> EffectWorld<D> {
    /// A world of one effect, with the box around all of it and the seconds that it takes, which are above 0.
    pub fn new(drive: D, bounds: Aabb, length_secs: f32) -> Self {
        Self {
            drive,
            bounds: (bounds.min.into(), bounds.max.into()),
            length_secs,
        }
    }
}

impl<D: EffectDrive> World for EffectWorld<D> {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    fn cast_ray(&self, _: &Ray, _: f32, _: &Poses) -> Option<WorldHit> {
        None
    }

    fn line_of_sight(&self, a: Vec3, b: Vec3, _: &Poses) -> bool {
        a.is_finite() && b.is_finite()
    }

    fn ground_below(&self, _x: f32, _y: f32, _z: f32) -> Option<f32> {
        None
    }

    fn describe(&self, _: &WorldHit) -> Vec<Fact> {
        Vec::new()
    }

    fn outline(&self, _: &WorldHit, _: &Poses, _: TileShape) -> Vec<[Vec3; 3]> {
        Vec::new()
    }

    fn emit(&self, clock: &Clock, moments: &mut [EmitterState]) {
        let secs = match clock.play {
            Play::Frame(frame) | Play::Figure { frame, .. } => f64::from(frame / FRAMES_PER_SEC),
            Play::Still => 0.0,
            Play::Level | Play::All { .. } => clock.time_secs % f64::from(self.length_secs),
        };
        self.drive.drive(secs, moments);
    }

    fn last_frame(&self) -> f32 {
        self.length_secs * FRAMES_PER_SEC
    }
}
