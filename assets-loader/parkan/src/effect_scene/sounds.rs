//! What effects sound like (section 3.5): blocks of type 2 as sounds of a scene.
//!
//! A sound stays where its block has it at the beginning of its window.

use std::collections::HashMap;

use ironlands_scene::{
    ClipIdx, EmitterWindow, HourWindow, Sound, SoundClip, SoundPlay, SoundReach, SoundSource,
};

use super::{FORMAT, LoadedEffect, PlacedEffect, moved, within};
use crate::fxid::{self, Emits};
use crate::registry::ObjectRef;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::missing_file;
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_core::vfs::Vfs;

/// Meters, which world units are, per second.
pub(crate) const SPEED_OF_SOUND: f32 = 343.0;
/// Kinds of sounds from here on are loops.
const FIRST_LOOP: u32 = 2;
/// Least distance within which a sound is full, for those that say 0.
const LEAST_NEAR: f32 = 1.0;
const WAV_MAGIC: &[u8] = b"RIFF";

/// The recordings of a game, each opened once.
pub(crate) struct SoundFiles<'v> {
    vfs: &'v Vfs,
    /// By archive and entry in lower case; `None` for one that could not be opened, which has been said.
    known: HashMap<(String, Vec<u8>), Option<SoundClip>>,
}

impl<'v> SoundFiles<'v> {
    pub(crate) fn new(vfs: &'v Vfs) -> Self {
        Self {
            vfs,
            known: HashMap::new(),
        }
    }

    /// The recording that a block names.
    pub(crate) fn clip(
        &mut self,
        sound: &ObjectRef,
        findings: &mut Vec<Finding>,
    ) -> Option<SoundClip> {
        let archive = decode_cp1251(sound.archive()).to_ascii_lowercase();
        let entry = sound.resource();
        if archive.is_empty() || entry.is_empty() {
            return None;
        }
        let key = (archive.clone(), entry.to_ascii_lowercase());
        let open = || {
            let name = decode_cp1251(entry).into_owned();
            let data = self.vfs.open_entry(&archive, entry);
            let data = data.map_err(|error| findings.push(missing_file(FORMAT, &error)));
            let data = data.ok()?;
            if !data.starts_with(WAV_MAGIC) {
                let message = format!("sound {name} is no WAV file");
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
                return None;
            }
            Some(SoundClip {
                name,
                file: data[..].into(),
            })
        };
        self.known.entry(key).or_insert_with(open).clone()
    }
}

/// For each block of an effect its recording.
pub(super) fn clips(
    blocks: &[fxid::Block],
    files: &mut SoundFiles<'_>,
    findings: &mut Vec<Finding>,
) -> Vec<Option<SoundClip>> {
    let mut clip = |block: &fxid::Block| match &block.emits {
        Emits::Sound(sound) => files.clip(&sound.sound, findings),
        _ => None,
    };
    blocks.iter().map(&mut clip).collect()
}

/// The sounds of a scene, and the recordings that they name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SceneSounds {
    pub(crate) clips: Vec<SoundClip>,
    pub(crate) sounds: Vec<Sound>,
}

impl SceneSounds {
    /// Adds those of an effect at a place.
    pub(crate) fn add(
        &mut self,
        effect: &LoadedEffect,
        placed: &PlacedEffect,
        hours: Option<HourWindow>,
    ) {
        for (block, clip) in effect.fxid.blocks.iter().zip(&effect.clips) {
            let (Emits::Sound(sound), Some(clip)) = (&block.emits, clip) else {
                continue;
            };
            let Some(play) = play_of(sound, placed) else {
                continue;
            };
            let is_loop = matches!(play, SoundPlay::Loop(_));
            let [near, far] = sound.distances;
            let [at, _] = sound.position;
            let [rate, _] = sound.rate;
            let near = if near.is_finite() {
                near.max(LEAST_NEAR)
            } else {
                LEAST_NEAR
            };
            let is_place = at.iter().all(|it| it.is_finite());
            let sound = Sound {
                name: format!("{} of {}", clip.name, effect.name),
                clip: ClipIdx::default(),
                source: SoundSource::Around {
                    anchor: within(&placed.anchor, &moved(if is_place { at } else { [0.0; 3] })),
                    reach: SoundReach {
                        near,
                        // Only what plays once ends there.
                        far: match !is_loop && far >= near {
                            true => far,
                            false => f32::INFINITY,
                        },
                    },
                },
                play,
                gain: 1.0,
                rate: if rate.is_finite() && rate > 0.0 {
                    rate
                } else {
                    1.0
                },
                hours,
            };
            self.push(clip, sound);
        }
    }

    /// Adds a sound that plays a recording.
    pub(crate) fn push(&mut self, clip: &SoundClip, sound: Sound) {
        let clip = index_of(&mut self.clips, clip);
        self.sounds.push(Sound { clip, ..sound });
    }

    /// Adds all of others.
    pub(crate) fn extend(&mut self, others: &Self) {
        for sound in &others.sounds {
            if let Some(clip) = others.clips.get(sound.clip.0 as usize) {
                self.push(clip, sound.clone());
            }
        }
    }

    /// Has everything begin again after each period, as an effect alone does.
    pub(crate) fn repeat(&mut self, period_secs: f32) {
        for sound in &mut self.sounds {
            match &mut sound.play {
                SoundPlay::Once(starts) => {
                    for start in starts {
                        start.period_secs = Some(period_secs);
                    }
                }
                SoundPlay::Loop(windows) => {
                    for window in windows {
                        let left = period_secs - window.start_secs;
                        window.duration_secs = window.duration_secs.min(left).max(0.0);
                        window.period_secs = Some(period_secs);
                    }
                }
                SoundPlay::OnCall => {}
            }
        }
    }
}

/// When a block is heard; `None` for never.
fn play_of(sound: &fxid::Sound, placed: &PlacedEffect) -> Option<SoundPlay> {
    if sound.kind < FIRST_LOOP {
        let [trigger, _] = sound.window;
        return Some(SoundPlay::Once(vec![placed.clock.start(trigger)?]));
    }
    let open = placed.clock.open(sound.window).into_iter();
    let end_secs = placed.clock.end_secs();
    let end_secs = end_secs.map_or(f32::INFINITY, |end| end + placed.clock.begins_secs());
    let before_end = |window: EmitterWindow| EmitterWindow {
        duration_secs: window.duration_secs.min(end_secs - window.start_secs),
        ..window
    };
    let windows: Option<Vec<_>> = open.map(|it| it.map(before_end)).collect();
    match windows {
        // One of them is always open.
        None => Some(SoundPlay::Loop(Vec::new())),
        Some(windows) if windows.is_empty() => None,
        Some(windows) => Some(SoundPlay::Loop(windows)),
    }
}

fn index_of(clips: &mut Vec<SoundClip>, clip: &SoundClip) -> ClipIdx {
    let known = clips.iter().position(|it| it == clip);
    let index = known.unwrap_or_else(|| {
        clips.push(clip.clone());
        clips.len().saturating_sub(1)
    });
    ClipIdx(index as u32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ironlands_scene::{Affine, Anchor};

    use super::super::EffectClock;
    use super::*;
    use crate::fxid::{Block, Fxid, Header};

    fn block(kind: u32, window: [f32; 2]) -> Block {
        Block::new(Emits::Sound(fxid::Sound {
            kind,
            window,
            position: [[1.0, 2.0, 3.0], [9.0; 3]],
            direction: [[0.0; 3]; 2],
            distances: [20.0, 80.0],
            rate: [1.5, 2.0],
            device_mode: 0,
            sound: ObjectRef::new("sounds.lib", "hum.wav").unwrap(),
        }))
    }

    /// The scene's sounds of blocks, in an effect that goes from 0 to 1 in 4 seconds by a mode.
    fn sounds(mode: u32, blocks: Vec<Block>) -> SceneSounds {
        let header = Header {
            mode,
            duration_secs: 4.0,
            ..Header::default()
        };
        let clip = SoundClip {
            name: "hum.wav".to_owned(),
            file: WAV_MAGIC.into(),
        };
        let effect = LoadedEffect {
            name: "test".to_owned(),
            materials: vec![None; blocks.len()],
            clips: vec![Some(clip); blocks.len()],
            fxid: Arc::new(Fxid { header, blocks }),
        };
        let placed = PlacedEffect {
            anchor: Anchor::Place(moved([10.0, 0.0, 0.0])),
            clock: EffectClock::in_level(&header, None, 0.0),
            seed: 0,
            bolts_to: None,
        };
        let mut sounds = SceneSounds::default();
        sounds.add(&effect, &placed, None);
        let scene = ironlands_scene::Scene {
            clips: sounds.clips.clone(),
            sounds: sounds.sounds.clone(),
            ..Default::default()
        };
        scene.validate().unwrap();
        sounds
    }

    #[test]
    fn loops_go_on_where_what_plays_once_ends() {
        let SceneSounds { clips, sounds } =
            sounds(2, vec![block(0, [0.25, 1.0]), block(2, [0.25, 0.5])]);
        assert_eq!(clips.len(), 1, "one recording for both");
        let reach = |far| SoundSource::Around {
            anchor: Anchor::Place(Affine([
                [1.0, 0.0, 0.0, 11.0],
                [0.0, 1.0, 0.0, 2.0],
                [0.0, 0.0, 1.0, 3.0],
            ])),
            reach: SoundReach { near: 20.0, far },
        };
        assert_eq!(sounds[0].source, reach(80.0));
        assert_eq!(sounds[1].source, reach(f32::INFINITY));
        assert_eq!(sounds[0].rate, 1.5);
        let started = [0.5, 1.5, 4.5, 5.5].map(|secs| sounds[0].starts_within(secs, secs + 1.0));
        assert_eq!(started, [true, false, true, false]);
        let looping = [0.5, 1.5, 2.5, 5.5].map(|secs| sounds[1].loops_at(secs));
        assert_eq!(looping, [false, true, false, true]);
    }

    #[test]
    fn what_waits_is_silent() {
        let SceneSounds { sounds, .. } =
            sounds(0, vec![block(0, [0.25, 1.0]), block(2, [0.25, 0.5])]);
        assert_eq!(sounds, []);
    }

    #[test]
    fn a_whole_loop_is_always_heard() {
        let SceneSounds { sounds, .. } = sounds(2, vec![block(3, [0.0, 1.0])]);
        assert_eq!(sounds[0].play, SoundPlay::Loop(Vec::new()));
    }
}
