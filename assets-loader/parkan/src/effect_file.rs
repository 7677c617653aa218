//! One effect alone: an entry of an archive, as in `effects.rlb/SMOKE`, or the usual effect of an explosion, as large as
//! it is.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironlands_scene::{Aabb, Anchor, Scene, Spawn};

use crate::effect_scene::{
    EffectClock, EffectEmitter, EmitterDrive, Follows, LoadedEffect, PlacedEffect, SPEED_OF_SOUND,
    SceneSounds, SoundFiles, stretched,
};
use crate::expl::Expl;
use crate::fxid::Fxid;
use crate::game_files;
use crate::material_scene::to_texture;
use crate::material_table::{MaterialResolver, MaterialTable};
use crate::model_file::{VIEW_FROM, split};
use crate::texm::PixelOptions;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::Format;
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_core::vfs::{Vfs, VfsError};

/// Where bolts lead to: ahead, world units.
const BOLTS_TO: [f32; 3] = [20.0, 0.0, 0.0];
/// Moments at which particles are looked at for the box around them all.
const N_MOMENTS: u16 = 24;

/// An effect, and what its materials are.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectFile {
    /// The archive and the entry in it.
    pub path: PathBuf,
    /// The effect.
    pub effect: LoadedEffect,
    /// What its blocks name in `Material.lib` and `Textures.lib`.
    pub materials: MaterialTable,
    /// What it had to do without.
    pub findings: Vec<Finding>,
    emitters: Vec<EffectEmitter>,
    sounds: SceneSounds,
}

impl EffectFile {
    /// Opens an entry of an archive as an effect.
    ///
    /// # Errors
    /// There is no such entry, or it is broken.
    pub fn open(path: &Path) -> Result<Self, VfsError> {
        let (folder, name) = split(path);
        let vfs = game_files::of_level(folder)?;
        let stem = path.file_name().unwrap_or_default().to_string_lossy();
        let is_explosion = Path::new(&name)
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case(Expl::EXTENSIONS.concat()));
        let (fxid, size, of_explosion) = match is_explosion {
            true => open_explosion(&vfs, &name)?,
            false => (vfs.open_as(&name, Fxid::read)?, 1.0, Vec::new()),
        };
        let mut resolver = MaterialResolver::new(&vfs);
        let mut sounds = SoundFiles::new(&vfs);
        let mut of_sounds = Vec::new();
        let stem = stem.into_owned();
        let fxid = Arc::new(fxid);
        let effect = LoadedEffect::new(stem, fxid, &mut resolver, &mut sounds, &mut of_sounds);
        let (materials, mut findings) = resolver.finish();
        findings.extend(of_sounds);
        findings.extend(of_explosion);
        let placed = PlacedEffect {
            anchor: Anchor::Place(stretched([size; 3])),
            clock: EffectClock::alone(&effect.fxid.header),
            seed: 0,
            bolts_to: Some(BOLTS_TO),
        };
        let (emitters, left_out) = effect.emitters(&placed, &materials);
        findings.extend(left_out);
        let mut sounds = SceneSounds::default();
        sounds.add(&effect, &placed, None);
        let mut file = Self {
            path: path.to_owned(),
            effect,
            materials,
            findings,
            emitters,
            sounds,
        };
        // As the pictures do.
        let length_secs = file.length_secs();
        if !placed.clock.is_loop() {
            file.sounds.repeat(length_secs);
        }
        Ok(file)
    }

    /// The effect alone, at the origin, with nothing but the sky around it. The scene passes [`Scene::validate`].
    ///
    /// `pixels` reads texture formats whose channel order is not certain.
    pub fn to_scene(&self, pixels: PixelOptions) -> Scene {
        let bounds = self.bounds();
        let half: f32 = (0..3)
            .map(|axis: usize| {
                let side = bounds.max.get(axis).zip(bounds.min.get(axis));
                side.map_or(0.0, |(max, min)| 0.25 * (max - min) * (max - min))
            })
            .sum();
        let textures = self.materials.textures.iter();
        Scene {
            name: self.effect.name.clone(),
            textures: textures.map(|it| to_texture(it, pixels)).collect(),
            emitters: self.emitters.iter().map(|it| it.emitter.clone()).collect(),
            clips: self.sounds.clips.clone(),
            sounds: self.sounds.sounds.clone(),
            speed_of_sound: SPEED_OF_SOUND,
            sun: crate::level_scene::sun(),
            spawns: vec![Spawn::model_view(bounds.center(), half.sqrt(), VIEW_FROM)],
            ..Scene::default()
        }
    }

    /// What drives the emitters of its scene, in their order.
    pub fn drives(&self) -> Vec<EmitterDrive> {
        self.emitters.iter().map(|it| it.drive).collect()
    }

    /// Seconds until all that happens in it has happened: its duration, and the lives of particles after it.
    pub fn length_secs(&self) -> f32 {
        let ends = self.emitters.iter().map(|it| {
            let EmitterDrive { clock, follows } = it.drive;
            let duration_secs = clock.duration_secs();
            let lives_on = follows == Follows::Seconds && clock.is_on(f64::from(duration_secs));
            duration_secs
                + if lives_on {
                    it.emitter.life_secs[1]
                } else {
                    0.0
                }
        });
        ends.fold(1.0, f32::max)
    }

    /// Around all particles at all times, as seen from afar.
    pub fn bounds(&self) -> Aabb {
        let mut corners = Vec::new();
        for moment in 0..=N_MOMENTS {
            let share = f32::from(moment) / f32::from(N_MOMENTS);
            let secs = f64::from(self.length_secs() * share);
            for EffectEmitter { emitter, drive } in &self.emitters {
                let (is_on, clock_secs) = drive.at(secs);
                if is_on {
                    emitter.add_corners(clock_secs, &mut corners);
                }
            }
        }
        let finite = corners.iter().filter(|it| it.iter().all(|v| v.is_finite()));
        Aabb::around(finite).unwrap_or(Aabb {
            min: [-1.0; 3],
            max: [1.0; 3],
        })
    }
}

/// The usual effect of an explosion, its size, and what else there is to know of it.
fn open_explosion(vfs: &Vfs, name: &str) -> Result<(Fxid, f32, Vec<Finding>), VfsError> {
    let explosion = vfs.open_as(name, Expl::read)?;
    let mut findings = vec![Finding::new(
        Severity::Note,
        Expl::NAME,
        explosion.summary(),
    )];
    let radius = explosion.head.radius;
    let size = match radius.is_finite() && radius > 0.0 {
        true => radius,
        false => 1.0,
    };
    let Some(effect) = explosion.named().map(|(_, effect)| effect).next() else {
        let message = "it has no effect";
        findings.push(Finding::new(Severity::Warning, Expl::NAME, message));
        return Ok((Fxid::default(), size, findings));
    };
    let [archive, resource] = [effect.archive(), effect.resource()].map(decode_cp1251);
    let fxid = vfs.open_as(&format!("{archive}/{resource}"), Fxid::read)?;
    Ok((fxid, size, findings))
}
