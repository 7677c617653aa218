//! The sound of the file that is looked at, played once.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::browser::Preview;
use crate::hearing::Hearing;
use crate::renderer::FrameState;
use crate::scene::{ClipIdx, Scene, Sound, SoundClip, SoundPlay, SoundSource, SoundStart};

/// The sound that plays, if one does.
#[derive(Default)]
pub struct SoundView {
    playing: Option<Playing>,
}

struct Playing {
    path: PathBuf,
    hearing: Hearing,
    since: Instant,
    secs: f64,
}

impl SoundView {
    /// Plays a sound from its beginning; false if there is no device.
    pub fn play(&mut self, preview: &Preview, volume: f32) -> bool {
        let Some(wave) = &preview.wave else {
            return true;
        };
        let hearing = Hearing::open(&scene_of(&preview.data));
        self.playing = hearing.map(|mut hearing| {
            // What begins at 0 is heard in a frame of that time alone.
            hearing.hear(&FrameState::default(), 0.0, volume);
            Playing {
                path: preview.path.clone(),
                hearing,
                since: Instant::now(),
                secs: wave.secs,
            }
        });
        self.playing.is_some()
    }

    pub fn stop(&mut self) {
        self.playing = None;
    }

    /// Stops it when another file is looked at.
    pub fn follow(&mut self, preview: Option<&Preview>) {
        let path = preview.map(|preview| &preview.path);
        self.playing.take_if(|it| path != Some(&it.path));
    }

    /// Has it heard until now; returns how much of it was.
    pub fn advance(&mut self, volume: f32) -> Option<f64> {
        let playing = self.playing.as_mut()?;
        let secs = playing.since.elapsed().as_secs_f64();
        if secs > playing.secs {
            self.playing = None;
            return None;
        }
        playing.hearing.hear(&FrameState::default(), secs, volume);
        Some(secs)
    }
}

/// A scene with one sound, which is heard everywhere.
fn scene_of(file: &Arc<[u8]>) -> Scene {
    Scene {
        clips: vec![SoundClip {
            name: "sound".to_owned(),
            file: Arc::clone(file),
        }],
        sounds: vec![Sound {
            name: "sound".to_owned(),
            clip: ClipIdx(0),
            source: SoundSource::Everywhere,
            play: SoundPlay::Once(vec![SoundStart {
                at_secs: 0.0,
                period_secs: None,
            }]),
            gain: 1.0,
            rate: 1.0,
            hours: None,
        }],
        ..Scene::default()
    }
}
