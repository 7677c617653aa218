//! Effects as emitters, lights and sounds of a scene.
//!
//! In: an effect, the materials and recordings of its blocks, where it is and how its time passes. Out: emitters, each
//! with what drives its clock, lights and sounds. Document: "Parkan: what is settled since", sections 3.2 to 3.8; where
//! that leaves something open, the choice is said at its place.
//!
//! Deliberately absent: which effects a level has ([`crate::level_effects`]).

mod blocks;
mod clock;
mod lights;
mod looks;
mod sounds;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ironlands_scene::{Affine, Anchor, Emitter, Scene, SoundClip};

pub use self::clock::EffectClock;
pub(crate) use self::lights::{Shining, lights};
pub(crate) use self::looks::first_frame;
pub(crate) use self::sounds::{SPEED_OF_SOUND, SceneSounds, SoundFiles};
use crate::fxid::{Emits, Fxid};
use crate::material_table::{MaterialResolver, MaterialTable};
use ironlands_assets_core::bytes::{Finding, Severity};

/// What findings of this module name as their format.
const FORMAT: &str = "parkan effects";

/// An effect and what its blocks are drawn with.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedEffect {
    /// Name of its entry.
    pub name: String,
    /// The effect.
    pub fxid: Arc<Fxid>,
    /// For each block the index of its material; `None` for those without.
    pub materials: Vec<Option<usize>>,
    /// For each block the recording that it plays; `None` for those that play none.
    pub clips: Vec<Option<SoundClip>>,
}

/// An effect at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedEffect {
    /// What carries it, and where it is on that.
    pub anchor: Anchor,
    /// How its time passes.
    pub clock: EffectClock,
    /// Distinguishes it from others that are equal.
    pub seed: u32,
    /// Where bolts lead from it; without a place they have no length.
    pub bolts_to: Option<[f32; 3]>,
}

/// An emitter, and what its clock shows.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectEmitter {
    /// The emitter.
    pub emitter: Emitter,
    /// What drives it.
    pub drive: EmitterDrive,
}

/// What drives the clock of an emitter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmitterDrive {
    /// Of the effect.
    pub clock: EffectClock,
    /// What the emitter follows.
    pub follows: Follows,
}

/// What the clock of an emitter follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    /// The time of the effect, in lengths of its duration.
    EffectTime,
    /// Seconds since the effect's start.
    Seconds,
}

impl EmitterDrive {
    /// Whether the emitter is on some seconds after the effect's start, and what its clock shows then.
    pub fn at(&self, secs: f64) -> (bool, f32) {
        let clock_secs = match self.follows {
            Follows::EffectTime => self.clock.time(secs) * self.clock.duration_secs(),
            Follows::Seconds => self.clock.since_begin(secs) as f32,
        };
        (self.clock.is_on(secs), clock_secs)
    }
}

impl LoadedEffect {
    /// Resolves the materials of an effect, and opens its recordings.
    pub(crate) fn new(
        name: String,
        fxid: Arc<Fxid>,
        resolver: &mut MaterialResolver<'_>,
        sounds: &mut SoundFiles<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut material = |emits: &Emits| match emits {
            Emits::Light(_) | Emits::Sound(_) | Emits::Nothing => None,
            _ => Some(resolver.material(emits.resource()?.resource())),
        };
        let materials = fxid.blocks.iter().map(|it| material(&it.emits)).collect();
        let clips = sounds::clips(&fxid.blocks, sounds, findings);
        Self {
            name,
            fxid,
            materials,
            clips,
        }
    }

    /// Its emitters at a place, and what is left out.
    pub fn emitters(
        &self,
        placed: &PlacedEffect,
        table: &MaterialTable,
    ) -> (Vec<EffectEmitter>, Vec<Finding>) {
        let mut emitters = Vec::new();
        let mut findings = Vec::new();
        for (idx, block) in self.fxid.blocks.iter().enumerate() {
            let material = self.materials.get(idx).copied().flatten();
            let made = blocks::emitters_of(self, placed, idx, block, (table, material));
            let n_made = made.len();
            emitters.extend(made.into_iter().filter(is_possible));
            if emitters.len() < n_made {
                let message = format!("effect {}: block {idx} cannot be drawn", self.name);
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
            }
        }
        (emitters, findings)
    }
}

/// Whether a scene may hold it: numbers from a file may be anything.
fn is_possible(made: &EffectEmitter) -> bool {
    let scene = Scene {
        emitters: vec![Emitter {
            anchor: Anchor::Place(Affine::IDENTITY),
            frames: vec![Default::default()],
            ..made.emitter.clone()
        }],
        ..Scene::default()
    };
    let place = match &made.emitter.anchor {
        Anchor::Place(place) => place,
        Anchor::Node {
            node_from_emitter, ..
        } => node_from_emitter,
        Anchor::Eye { .. } => &Affine::IDENTITY,
    };
    scene.validate().is_ok() && place.is_finite()
}

/// The same place with a frame within it.
fn within(anchor: &Anchor, inner: &Affine) -> Anchor {
    match anchor {
        Anchor::Place(place) => Anchor::Place(place.times(inner)),
        Anchor::Node {
            instance,
            node,
            node_from_emitter,
        } => Anchor::Node {
            instance: *instance,
            node: *node,
            node_from_emitter: node_from_emitter.times(inner),
        },
        Anchor::Eye { .. } => anchor.clone(),
    }
}

/// Axes that are stretched by factors.
pub(crate) fn stretched([x, y, z]: [f32; 3]) -> Affine {
    Affine([[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]])
}

/// Moved by a vector.
pub(crate) fn moved([x, y, z]: [f32; 3]) -> Affine {
    Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]])
}
