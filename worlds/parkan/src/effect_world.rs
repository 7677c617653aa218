//! An effect alone. There is nothing to hit.

use glam::Vec3;
use ironlands_assets_parkan::effect_file::EffectFile;
use ironlands_assets_parkan::effect_scene::EmitterDrive;
use ironlands_scene::{EmitterState, TileShape};
use ironlands_sim_core::Ray;
use ironlands_sim_world::{Clock, Fact, Play, Poses, World, WorldHit};

/// Frames that a second of an effect is counted in: as many as models play where nothing else is said.
const FRAMES_PER_SEC: f32 = 15.0;

/// Nothing but what an effect emits.
#[derive(Debug, Clone)]
pub struct EffectWorld {
    drives: Vec<EmitterDrive>,
    bounds: (Vec3, Vec3),
    length_secs: f32,
}

impl EffectWorld {
    /// A world of this effect alone.
    pub fn new(effect: &EffectFile) -> Self {
        let bounds = effect.bounds();
        Self {
            drives: effect.drives(),
            bounds: (bounds.min.into(), bounds.max.into()),
            length_secs: effect.length_secs(),
        }
    }
}

impl World for EffectWorld {
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
        drive(&self.drives, secs, moments);
    }

    fn last_frame(&self) -> f32 {
        self.length_secs * FRAMES_PER_SEC
    }
}

/// Sets emitters to where their drives have them some seconds after the start of all effects.
pub(crate) fn drive(drives: &[EmitterDrive], secs: f64, moments: &mut [EmitterState]) {
    for (drive, moment) in drives.iter().zip(moments) {
        (moment.is_on, moment.clock_secs) = drive.at(secs);
    }
}
