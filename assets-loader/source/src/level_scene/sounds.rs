//! Entities that sound: `ambient_generic`, soundscapes, doors and what else moves. What their keys mean is from Valve's
//! developer wiki and the stock games.

mod door_options;
mod footsteps;
mod movers;
mod recordings;
mod sentences;

use std::collections::HashMap;

use ironlands_scene::effects::standing_at;
use ironlands_scene::{
    Anchor, ClipIdx, Sound, SoundClip, SoundPlay, SoundReach, SoundSource, SoundStart,
};

pub use self::footsteps::{Footsteps, StepSurface, surface_names};
use self::movers::{MoverSound, mover_sounds};
use self::recordings::{has_loop, length_secs};
use super::FORMAT;
use super::brush_models::entity_name;
use super::emitters::has_flag;
use super::owners::{Owner, by_name};
use super::placement::world_from_model;
use crate::bsp::is_place;
use crate::entities::Entity;
use crate::level::{SourceLevel, prop_model};
use crate::missing_files::{MissingFiles, MissingKind};
use crate::sentences::Sentences;
use crate::sound_scripts::{SoundScripts, reach_of_level, reach_of_radius, wave_path};
use crate::soundscapes::Soundscapes;
use ironlands_assets_core::bytes::{Finding, Severity};

/// The class of what plays one sound.
pub const SPEAKER: &str = "ambient_generic";
/// Beginning of the classes that say what a place sounds like, and those that take another one's sound.
pub const SOUNDSCAPE: &str = "env_soundscape";
const SOUNDSCAPE_PROXY: &str = "env_soundscape_proxy";
/// Places that a soundscape names at most.
const N_POSITIONS: usize = 8;
/// Bits of its `spawnflags`.
const EVERYWHERE: i32 = 1;
const PLAYS_ONCE: i32 = 32;
/// How far it is heard where that is not written.
const USUAL_RADIUS: f32 = 1250.0;
/// Most sounds of a map, and recordings to choose from; real ones have far fewer.
const MAX_SOUNDS: usize = 4096;
const MAX_WAVES: usize = 64;
/// The level of a recording that a mover names.
const MOVER_DB: f32 = 75.0;
/// Endings of recordings; other names are those of tables.
const RECORDINGS: [&str; 3] = [".wav", ".mp3", ".ogg"];

/// What is heard of a map.
#[derive(Debug, Default)]
pub struct LevelSounds {
    /// Recordings, each once.
    pub clips: Vec<SoundClip>,
    /// In file order of the entities.
    pub sounds: Vec<Sound>,
    /// Whose they are; those of steps, which come last, belong to none.
    pub owners: Vec<SoundOwner>,
    /// The steps of a walker.
    pub footsteps: Footsteps,
    /// Entities of soundscapes with the numbers of their echoes, which are not heard.
    pub echoes: Vec<(usize, i32)>,
}

/// The entity of a sound, and when that sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoundOwner {
    /// Its index.
    pub entity: usize,
    /// The entity that carries it along, where it has a place of its own in the scene.
    pub carrier: Option<usize>,
    /// When it sounds.
    pub heard: Heard,
}

/// When the sound of an entity is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// As the inputs of the entity say.
    AsTold,
    /// The same, as a part of a sentence.
    AsWord {
        /// How long it is from when the sentence begins, in milliseconds.
        after_ms: u32,
    },
    /// Where the soundscape is heard that the entity is.
    InSoundscape,
    /// When one of these outputs fires, also if that ends the entity.
    AtOutputs(&'static [&'static str]),
    /// From when the entity begins to move until it arrives.
    Moving(Motion),
    /// When a door begins to move, until it is closed.
    UntilClosed,
    /// When the entity begins to move from rest.
    Departing,
    /// When the entity has come to rest.
    Arriving,
    /// From time to time while a train runs.
    Pinging,
}

/// How an entity moves while it sounds, and how that sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// In any way.
    Any,
    /// As a door opens.
    Opening,
    /// As a door closes.
    Closing,
    /// As a fan turns: the slower, the lower and the fainter.
    Turning,
    /// As a train runs.
    Running {
        /// Pitch at rest and as a fast one, in hundredths of that of the recording.
        pitches: [u16; 2],
    },
}

/// Sounds of all entities, and of steps on faces. `instances` are the owners of those of the scene, and `surfaces` the
/// [names](surface_names) of what faces are made of.
pub fn sounds(
    level: &SourceLevel,
    instances: &[Option<Owner>],
    surfaces: &HashMap<i32, String>,
    missing: &mut MissingFiles,
    findings: &mut Vec<Finding>,
) -> LevelSounds {
    let owned = instances.iter().enumerate().rev();
    let owned = owned.filter_map(|(instance, it)| Some((it.as_ref()?.entity, instance)));
    let mut maker = Maker {
        level,
        named: by_name(&level.entities),
        instances: owned.collect(),
        scripts: None,
        soundscapes: None,
        sentences: None,
        known: HashMap::new(),
        made: LevelSounds::default(),
        missing,
        findings,
    };
    let entities = level.entities.entities.iter().enumerate();
    for (index, entity) in entities {
        if maker.made.sounds.len() >= MAX_SOUNDS {
            let message = format!("it has more than {MAX_SOUNDS} sounds; the others are not heard");
            maker
                .findings
                .push(Finding::new(Severity::Warning, FORMAT, message));
            break;
        }
        let class = entity.class().to_ascii_lowercase();
        if class == SPEAKER {
            maker.add_speaker(index, entity);
        } else if class.starts_with(SOUNDSCAPE) {
            maker.add_soundscape(index, entity);
        } else {
            maker.add_mover(index, entity, &class);
        }
    }
    maker.add_footsteps(surfaces);
    maker.made
}

/// Whether an entity plays its sound until it is stopped: it says so, and so does the recording.
pub fn loops(entity: &Entity) -> bool {
    !has_flag(entity, PLAYS_ONCE)
}

/// A recording and how it is played.
struct Played {
    wave: String,
    /// Whether a table names it.
    is_named: bool,
    gain: f32,
    rate: f32,
    reach: Option<SoundReach>,
}

/// A recording of the scene.
#[derive(Debug, Clone, Copy)]
struct KnownClip {
    index: ClipIdx,
    /// Whether it is one that loops.
    loops: bool,
    /// How long it plays, if that is known.
    secs: Option<f32>,
}

struct Maker<'a> {
    level: &'a SourceLevel,
    /// The entities of each name, in lower case.
    named: HashMap<String, Vec<usize>>,
    /// The first instance of each entity.
    instances: HashMap<usize, usize>,
    /// Opened when a name is first looked for.
    scripts: Option<SoundScripts>,
    soundscapes: Option<Soundscapes>,
    sentences: Option<Sentences>,
    /// Recordings by their paths; `None` for one that is missing.
    known: HashMap<String, Option<KnownClip>>,
    made: LevelSounds,
    missing: &'a mut MissingFiles,
    findings: &'a mut Vec<Finding>,
}

impl Maker<'_> {
    fn add(&mut self, entity: usize, carrier: Option<usize>, heard: Heard, sound: Sound) {
        self.made.sounds.push(sound);
        self.made.owners.push(SoundOwner {
            entity,
            carrier,
            heard,
        });
    }

    fn add_speaker(&mut self, index: usize, entity: &Entity) -> Option<()> {
        let name = entity.get("message").filter(|it| !it.trim().is_empty())?;
        let radius = entity.number("radius").unwrap_or(USUAL_RADIUS);
        let reach = reach_of_radius(radius);
        if name.starts_with('!') {
            return self.add_sentence(index, entity, (&name, reach));
        }
        let played = self.played(entity, &name, reach)?;
        let clip = self.clip(&wave_path(&played.wave))?;
        let reach = played.reach.filter(|_| !has_flag(entity, EVERYWHERE));
        let (source, carrier) = match reach {
            Some(reach) => self.place(index, entity)?.around(Some(reach)),
            None => (SoundSource::Everywhere, None),
        };
        let sound = Sound {
            name: format!("{} ({name})", entity_name(entity)),
            clip: clip.index,
            source,
            play: match clip.loops && loops(entity) {
                true => SoundPlay::Loop(Vec::new()),
                false => SoundPlay::OnCall,
            },
            // Volume and pitch of the entity, which inputs change, are those of its state.
            gain: played.gain,
            rate: played.rate,
            hours: None,
        };
        self.add(index, carrier, Heard::AsTold, sound);
        Some(())
    }

    /// What a door, a button, a wheel, a train or what breaks sounds like.
    fn add_mover(&mut self, index: usize, entity: &Entity, class: &str) {
        let model = prop_model(entity);
        let model = model.and_then(|key| self.level.models.get(&key));
        let text = model.map_or(&[][..], |it| &it.key_values);
        for sound in mover_sounds(entity, class, text) {
            self.add_mover_sound(index, entity, &sound);
        }
    }

    fn add_mover_sound(&mut self, index: usize, entity: &Entity, sound: &MoverSound) -> Option<()> {
        let MoverSound {
            name,
            is_usual,
            volume,
            own_rate,
            heard,
        } = sound;
        // Games without the usual sounds are silent there.
        if *is_usual && self.scripts().get(name).is_none() {
            return None;
        }
        let played = self.played(entity, name, reach_of_level(MOVER_DB))?;
        let clip = self.clip(&wave_path(&played.wave))?;
        let (source, carrier) = self.place(index, entity)?.around(played.reach);
        let (play, heard) = match (heard, clip.loops) {
            (Heard::Moving(_), true) => (SoundPlay::Loop(Vec::new()), *heard),
            (Heard::UntilClosed, true) => (SoundPlay::Loop(Vec::new()), Heard::Moving(Motion::Any)),
            _ => (SoundPlay::OnCall, *heard),
        };
        let runs = matches!(heard, Heard::Moving(Motion::Running { .. }));
        let sound = Sound {
            name: format!("{} ({name})", entity_name(entity)),
            clip: clip.index,
            source,
            play,
            // Tables say how loud their sounds are.
            gain: match played.is_named && own_rate.is_none() {
                true => played.gain,
                false => *volume,
            },
            // The pitch of a train is that of its speed.
            rate: own_rate.unwrap_or(if runs { 1.0 } else { played.rate }),
            hours: None,
        };
        self.add(index, carrier, heard, sound);
        Some(())
    }

    fn scripts(&mut self) -> &SoundScripts {
        let Self {
            level, findings, ..
        } = self;
        self.scripts
            .get_or_insert_with(|| SoundScripts::open(&level.game_files, &level.name(), findings))
    }

    /// A recording that is named itself, or by a table.
    fn played(
        &mut self,
        entity: &Entity,
        name: &str,
        reach_of_recordings: Option<SoundReach>,
    ) -> Option<Played> {
        if name.starts_with('!') {
            let message = format!(
                "{} moves with the sentence {name}, which is not heard",
                entity_name(entity)
            );
            self.findings
                .push(Finding::new(Severity::Note, FORMAT, message));
            return None;
        }
        let path = name.trim().to_lowercase();
        if RECORDINGS.iter().any(|ending| path.ends_with(ending)) {
            return Some(Played {
                wave: name.to_owned(),
                is_named: false,
                gain: 1.0,
                rate: 1.0,
                reach: reach_of_recordings,
            });
        }
        let entry = self.scripts().get(name).cloned();
        let Some((entry, wave)) = entry.and_then(|it| {
            let wave = it.waves.first()?.clone();
            Some((it, wave))
        }) else {
            self.missing
                .add(format!("sound {}", name.trim()), MissingKind::Sound);
            return None;
        };
        Some(Played {
            wave,
            is_named: true,
            gain: entry.volume,
            rate: entry.rate,
            reach: reach_of_level(entry.level_db),
        })
    }

    /// All that a place sounds like. Sounds that come from time to time do so in turn, at the middle of their times.
    fn add_soundscape(&mut self, index: usize, entity: &Entity) {
        let name = self.soundscape_source(entity).get("soundscape");
        let name = name.unwrap_or_default().trim().to_owned();
        if name.is_empty() {
            return;
        }
        let Self {
            level, findings, ..
        } = self;
        let scapes = self
            .soundscapes
            .get_or_insert_with(|| Soundscapes::open(&level.game_files, &level.name(), findings));
        let Some(parts) = scapes.parts(&name) else {
            self.missing
                .add(format!("soundscape {name}"), MissingKind::Sound);
            return;
        };
        if let Some(dsp) = scapes.dsp(&name) {
            self.made.echoes.push((index, dsp));
        }
        for part in parts {
            let source = match part.position {
                None => Some((SoundSource::Everywhere, None)),
                Some(position) => {
                    let place = self.position(entity, position);
                    place.map(|it| it.around(part.reach))
                }
            };
            let Some((source, carrier)) = source else {
                continue;
            };
            let n_waves = part.waves.len().min(MAX_WAVES);
            for (number, wave) in part.waves.iter().take(n_waves).enumerate() {
                if self.made.sounds.len() >= MAX_SOUNDS {
                    return;
                }
                let Some(KnownClip { index: clip, .. }) = self.clip(&wave_path(wave)) else {
                    continue;
                };
                let play = match part.every_secs {
                    None => SoundPlay::Loop(Vec::new()),
                    Some(secs) => SoundPlay::Once(vec![SoundStart {
                        at_secs: secs * (number as f32 + 0.5),
                        period_secs: Some(secs * n_waves as f32),
                    }]),
                };
                let sound = Sound {
                    name: format!("{name} ({wave})"),
                    clip,
                    source: source.clone(),
                    play,
                    gain: part.volume,
                    rate: part.rate,
                    hours: None,
                };
                self.add(index, carrier, Heard::InSoundscape, sound);
                if part.every_secs.is_none() {
                    // One of them is enough.
                    break;
                }
            }
        }
    }

    /// The entity whose soundscape an entity plays.
    fn soundscape_source<'e>(&'e self, entity: &'e Entity) -> &'e Entity {
        let main = entity.get("MainSoundscapeName");
        let main = main.filter(|_| entity.class().eq_ignore_ascii_case(SOUNDSCAPE_PROXY));
        main.and_then(|name| self.named(&name))
            .and_then(|index| self.level.entities.entities.get(index))
            .unwrap_or(entity)
    }

    /// One of the places that a soundscape names.
    fn position(&self, entity: &Entity, position: usize) -> Option<SoundPlace> {
        let name = entity.get(&format!("position{position}"));
        let name = name.filter(|it| position < N_POSITIONS && !it.is_empty())?;
        let index = self.named(&name)?;
        self.place(index, self.level.entities.entities.get(index)?)
    }

    /// The middle of the brushes of an entity, in its own axes; its origin if it has none.
    fn middle(&self, index: usize) -> [f32; 3] {
        let entity = self.level.entities.entities.get(index);
        let model = entity.and_then(Entity::brush_model);
        let model = model.and_then(|model| self.level.map.models.get(model));
        let middle = model.map(|it| {
            let [x, y, z] = it.mins;
            let [u, v, w] = it.maxs;
            [0.5 * (x + u), 0.5 * (y + v), 0.5 * (z + w)]
        });
        middle.filter(|it| is_place(*it)).unwrap_or_default()
    }

    fn named(&self, name: &str) -> Option<usize> {
        let named = self.named.get(&name.trim().to_ascii_lowercase());
        named.and_then(|it| it.first()).copied()
    }

    fn clip(&mut self, path: &str) -> Option<KnownClip> {
        if let Some(known) = self.known.get(path) {
            return *known;
        }
        let opened = match self.level.game_files.open(path) {
            Ok(Some(data)) => Some(data),
            Ok(None) => {
                self.missing.add(path, MissingKind::Sound);
                None
            }
            Err(error) => {
                let finding = Finding::new(Severity::Warning, FORMAT, error.to_string());
                self.findings.push(finding);
                None
            }
        };
        let clip = opened.map(|data| {
            // No more than there are sounds.
            let known = KnownClip {
                index: ClipIdx(self.made.clips.len() as u32),
                loops: has_loop(&data).unwrap_or(false),
                secs: length_secs(&data),
            };
            self.made.clips.push(SoundClip {
                name: path.to_owned(),
                file: data.into(),
            });
            known
        });
        self.known.insert(path.to_owned(), clip);
        clip
    }

    /// Where it sounds: with `SourceEntityName` on that entity, else where it is.
    fn place(&self, index: usize, entity: &Entity) -> Option<SoundPlace> {
        let source = entity.get("SourceEntityName").filter(|it| !it.is_empty());
        let entities = &self.level.entities.entities;
        let named = source.and_then(|source| self.named(&source));
        let index = named.unwrap_or(index);
        if let Some(&instance) = self.instances.get(&index) {
            let anchor = Anchor::Node {
                // Scenes number their instances with 32 bits.
                instance: instance as u32,
                node: 0,
                node_from_emitter: world_from_model(self.middle(index), [0.0; 3], [1.0; 3]),
            };
            return Some(SoundPlace {
                anchor,
                carrier: None,
            });
        }
        let origin = entities.get(index)?.origin().filter(|it| is_place(*it))?;
        Some(SoundPlace {
            anchor: standing_at(origin),
            carrier: Some(index),
        })
    }
}

/// Where something sounds.
struct SoundPlace {
    anchor: Anchor,
    /// As of [`SoundOwner`].
    carrier: Option<usize>,
}

impl SoundPlace {
    /// A sound that is heard around it, or everywhere where it has no reach; and what carries it.
    fn around(self, reach: Option<SoundReach>) -> (SoundSource, Option<usize>) {
        let Self { anchor, carrier } = self;
        match reach {
            Some(reach) => (SoundSource::Around { anchor, reach }, carrier),
            None => (SoundSource::Everywhere, None),
        }
    }
}
