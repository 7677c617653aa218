//! Which sounds play, and how each is heard, from frame to frame.

#[cfg(test)]
mod tests;

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use glam::Vec3;
use ironlands_scene::{
    Affine, Anchor, Scene, Sound, SoundClip, SoundPlay, SoundReach, SoundSource, SoundState,
};
use kira::backend::Backend;
use kira::sound::PlaybackState;
use kira::sound::static_sound::{StaticSoundData, StaticSoundHandle};
use kira::{AudioManager, AudioManagerSettings, Decibels, Panning, PlaybackRate, Tween};

use crate::SoundError;
use crate::listener::{Heard, Listener, doppler};

/// Most sounds that are heard at once; the faintest are left out.
const MAX_VOICES: usize = 48;
/// What is fainter is not heard.
const FAINTEST: f32 = 0.001;
/// In which changes are spread out, so that none clicks: a frame takes about as long.
const CHANGE: Tween = Tween {
    start_time: kira::StartTime::Immediate,
    duration: Duration::from_millis(30),
    easing: kira::Easing::Linear,
};
/// Over longer spans nothing begins and nothing has a speed: time was set.
const LONGEST_FRAME_SECS: f64 = 0.5;

/// Plays the sounds of a scene.
pub struct Mixer<B: Backend> {
    manager: AudioManager<B>,
    clips: Vec<Clip>,
    voices: Vec<Voice>,
    speed_of_sound: f32,
    /// Time of the last update.
    last_secs: Option<f64>,
    /// How each voice is heard, and how loud those that are: of one frame, kept so that no frame takes memory.
    heard: Vec<Option<Heard>>,
    gains: Vec<f32>,
}

/// A frame of a level, as it is heard.
#[derive(Debug, Clone, Copy)]
pub struct SoundFrame<'a> {
    /// Time of the level.
    pub secs: f64,
    /// Hour of the day, if the level has one.
    pub hour: Option<f32>,
    /// Who hears.
    pub listener: Listener,
    /// World from node for every node of every instance, as [`Scene::rest_poses`]; where one is missing, its sounds are
    /// at rest.
    pub world_from_nodes: &'a [Affine],
    /// What the level makes of each sound; where one is missing, it is as it is by itself.
    pub states: &'a [SoundState],
}

/// A clip, decoded when it is first heard.
struct Clip {
    source: SoundClip,
    decoded: Option<Option<StaticSoundData>>,
}

/// A sound and what it is doing.
struct Voice {
    sound: Sound,
    place: Place,
    playing: Option<StaticSoundHandle>,
    last_distance: Option<f32>,
    /// How often it had been called by the last update.
    n_calls: u64,
}

/// Where a sound is.
enum Place {
    Everywhere,
    Fixed(Vec3, SoundReach),
    /// On a node, by its index among all nodes.
    Moving {
        node: usize,
        node_from_sound: Affine,
        at_rest: Vec3,
        reach: SoundReach,
    },
}

impl<B: Backend> Mixer<B> {
    /// A mixer of the sounds of a scene, which must have passed [`Scene::validate`].
    ///
    /// # Errors
    /// [`SoundError::Device`] if there is no device, or it does not open.
    pub fn new(scene: &Scene) -> Result<Self, SoundError>
    where
        B::Settings: Default,
        B::Error: std::fmt::Debug,
    {
        let manager = AudioManager::new(AudioManagerSettings {
            capacities: Default::default(),
            main_track_builder: Default::default(),
            internal_buffer_size: 128,
            backend_settings: B::Settings::default(),
        });
        let manager =
            manager.map_err(|error: B::Error| SoundError::Device(format!("{error:?}")))?;
        let rest = scene.rest_poses();
        let first_nodes: Vec<usize> = (scene.instances.iter())
            .scan(0, |next, instance| {
                let first = *next;
                *next += scene.models[instance.model.0 as usize].nodes.len();
                Some(first)
            })
            .collect();
        let voices = scene.sounds.iter().map(|sound| Voice {
            place: Place::new(&sound.source, &first_nodes, &rest),
            sound: sound.clone(),
            playing: None,
            last_distance: None,
            n_calls: 0,
        });
        Ok(Self {
            manager,
            voices: voices.collect(),
            clips: (scene.clips.iter())
                .map(|clip| Clip {
                    source: clip.clone(),
                    decoded: None,
                })
                .collect(),
            speed_of_sound: scene.speed_of_sound,
            last_secs: None,
            heard: Vec::new(),
            gains: Vec::new(),
        })
    }

    /// What it plays through.
    pub fn backend_mut(&mut self) -> &mut B {
        self.manager.backend_mut()
    }

    /// Sets the loudness of everything, `0.0..=1.0`.
    pub fn set_volume(&mut self, volume: f32) {
        let volume = decibels(volume);
        self.manager.main_track().set_volume(volume, CHANGE);
    }

    /// Begins, ends and changes sounds so that what is heard is that of a frame. Times between two updates belong to
    /// the second, so that each start is heard once.
    pub fn update(&mut self, frame: &SoundFrame<'_>) {
        let last = self.last_secs.replace(frame.secs);
        let passed = last.map(|last| frame.secs - last);
        let passed = passed.filter(|passed| (0.0..=LONGEST_FRAME_SECS).contains(passed));
        // At the very first frame what begins right then does.
        let from = match (last, passed) {
            (None, _) => frame.secs - f64::EPSILON.sqrt(),
            (Some(_), None) => frame.secs,
            (Some(last), Some(_)) => last,
        };
        if passed.is_none() {
            let went_back = last.is_some_and(|last| frame.secs < last);
            self.jump(frame.secs, went_back);
        }
        let Self { heard, gains, .. } = self;
        heard.clear();
        let states = frame.states.iter().copied();
        let states = || {
            states
                .clone()
                .chain(std::iter::repeat(SoundState::default()))
        };
        let voices = self.voices.iter().zip(states());
        heard.extend(voices.map(|(voice, state)| voice.hear(frame, from, state)));
        leave_out_faintest(heard, gains);
        for ((voice, heard), state) in self.voices.iter_mut().zip(heard).zip(states()) {
            let is_called = voice.is_called(state);
            voice.n_calls = state.n_calls;
            let Some(heard) = *heard else {
                voice.stop();
                continue;
            };
            let speed = voice.speed(heard.distance, passed);
            let rate = voice.sound.rate * state.rate * doppler(speed, self.speed_of_sound);
            if is_called || voice.is_due(from, frame.secs) {
                voice.stop();
                let clip = &mut self.clips[voice.sound.clip.0 as usize];
                voice.playing = clip.data().and_then(|data| {
                    let data = voice.started(&data, frame.secs, heard, rate);
                    // Where no more fit, those that there are go on.
                    self.manager.play(data).ok()
                });
            } else if let Some(playing) = &mut voice.playing {
                playing.set_volume(decibels(heard.gain * voice.sound.gain), CHANGE);
                playing.set_panning(Panning(heard.side), CHANGE);
                playing.set_playback_rate(PlaybackRate(rate.into()), CHANGE);
            }
        }
    }

    /// Forgets calls of the time before a jump; where time went back, what they began is no longer heard.
    fn jump(&mut self, secs: f64, went_back: bool) {
        // What was called as the level began is heard.
        let n_calls = match secs <= LONGEST_FRAME_SECS {
            true => 0,
            false => u64::MAX,
        };
        for voice in &mut self.voices {
            voice.n_calls = n_calls;
            if went_back && matches!(voice.sound.play, SoundPlay::OnCall) {
                voice.stop();
            }
        }
    }

    /// How many sounds play.
    pub fn n_playing(&self) -> usize {
        let playing = self.voices.iter().filter(|voice| voice.is_playing());
        playing.count()
    }
}

impl Voice {
    /// How it is heard at a frame, as the level has it; `None` if it is not.
    fn hear(&self, frame: &SoundFrame<'_>, from: f64, state: SoundState) -> Option<Heard> {
        let sound = &self.sound;
        let is_there = match (sound.hours, frame.hour) {
            (Some(hours), Some(hour)) => hours.contains(hour),
            _ => true,
        };
        let is_wanted = match &sound.play {
            SoundPlay::Loop(_) => sound.loops_at(frame.secs),
            SoundPlay::Once(_) => sound.starts_within(from, frame.secs) || self.is_playing(),
            SoundPlay::OnCall => self.is_called(state) || self.is_playing(),
        };
        if !is_there || !is_wanted || !state.is_on {
            return None;
        }
        let heard = self.place.hear(frame, state.moved.into());
        let heard = Heard {
            gain: heard.gain * state.gain,
            ..heard
        };
        (heard.gain * sound.gain >= FAINTEST).then_some(heard)
    }

    /// Whether it was called since the last update.
    fn is_called(&self, state: SoundState) -> bool {
        let is_on_call = matches!(self.sound.play, SoundPlay::OnCall);
        is_on_call && state.n_calls > self.n_calls
    }

    fn is_playing(&self) -> bool {
        let playing = self.playing.as_ref();
        playing.is_some_and(|it| it.state() != PlaybackState::Stopped)
    }

    /// Whether it must be begun: a loop that does not play, or a start within the times.
    fn is_due(&self, from: f64, to: f64) -> bool {
        let is_idle = self.sound.loops_at(to) && !self.is_playing();
        is_idle || self.sound.starts_within(from, to)
    }

    /// Its clip from where it is at a time.
    fn started(
        &self,
        data: &StaticSoundData,
        secs: f64,
        heard: Heard,
        rate: f32,
    ) -> StaticSoundData {
        let data = data
            .volume(decibels(heard.gain * self.sound.gain))
            .panning(Panning(heard.side))
            .playback_rate(PlaybackRate(rate.into()));
        let length = data.duration().as_secs_f64();
        match self.sound.loops_at(secs) && length > 0.0 {
            // Loops of one clip that come into reach one after the other stay together.
            true => {
                let position = (secs * f64::from(self.sound.rate)).rem_euclid(length);
                data.start_position(position).loop_region(0.0..)
            }
            false => data,
        }
    }

    fn stop(&mut self) {
        if let Some(mut playing) = self.playing.take() {
            playing.stop(CHANGE);
        }
    }

    /// World units per second by which its distance grows.
    fn speed(&mut self, distance: f32, passed: Option<f64>) -> f32 {
        let last = self.last_distance.replace(distance);
        match (last, passed) {
            (Some(last), Some(passed)) if passed > 0.0 => {
                ((f64::from(distance) - f64::from(last)) / passed) as f32
            }
            _ => 0.0,
        }
    }
}

impl Place {
    fn new(source: &SoundSource, first_nodes: &[usize], rest: &[Affine]) -> Self {
        let SoundSource::Around { anchor, reach } = source else {
            return Self::Everywhere;
        };
        match anchor {
            Anchor::Eye { .. } => Self::Everywhere,
            Anchor::Place(place) => Self::Fixed(origin(place), *reach),
            Anchor::Node {
                instance,
                node,
                node_from_emitter,
            } => {
                let node = first_nodes[*instance as usize] + *node as usize;
                Self::Moving {
                    node,
                    node_from_sound: *node_from_emitter,
                    at_rest: origin(&rest[node].times(node_from_emitter)),
                    reach: *reach,
                }
            }
        }
    }

    /// `moved`: how far from its place a sound is that has a fixed one.
    fn hear(&self, frame: &SoundFrame<'_>, moved: Vec3) -> Heard {
        match self {
            Self::Everywhere => Heard {
                gain: 1.0,
                side: 0.0,
                distance: 0.0,
            },
            Self::Fixed(place, reach) => frame.listener.hear(*place + moved, reach),
            Self::Moving {
                node,
                node_from_sound,
                at_rest,
                reach,
            } => {
                let node = frame.world_from_nodes.get(*node);
                // What is hidden is at no place.
                let node = node.filter(|node| node.0 != [[0.0; 4]; 3]);
                let place = node.map(|node| origin(&node.times(node_from_sound)));
                frame.listener.hear(place.unwrap_or(*at_rest), reach)
            }
        }
    }
}

impl Clip {
    /// Its samples; `None` for a file that cannot be decoded, which is said once.
    fn data(&mut self) -> Option<StaticSoundData> {
        let SoundClip { name, file } = &self.source;
        let decoded = self.decoded.get_or_insert_with(|| {
            let decoded = StaticSoundData::from_cursor(Cursor::new(Arc::clone(file)));
            decoded
                .inspect_err(|error| log::warn!("{name} cannot be played: {error}"))
                .ok()
        });
        decoded.clone()
    }
}

/// Keeps the loudest. The list of their gains comes empty or from the last frame.
fn leave_out_faintest(heard: &mut [Option<Heard>], gains: &mut Vec<f32>) {
    gains.clear();
    gains.extend(heard.iter().flatten().map(|it| it.gain));
    if gains.len() <= MAX_VOICES {
        return;
    }
    let (_, least, _) = gains.select_nth_unstable_by(MAX_VOICES - 1, |a, b| b.total_cmp(a));
    let least = *least;
    let mut n_kept = 0;
    for it in heard {
        let is_kept = it.is_some_and(|it| it.gain >= least) && n_kept < MAX_VOICES;
        n_kept += usize::from(is_kept);
        if !is_kept {
            *it = None;
        }
    }
}

fn origin(affine: &Affine) -> Vec3 {
    let [x, y, z] = affine.0;
    Vec3::new(x[3], y[3], z[3])
}

fn decibels(gain: f32) -> Decibels {
    match gain > FAINTEST {
        true => Decibels(20.0 * gain.log10()),
        false => Decibels::SILENCE,
    }
}
