//! What is heard of a level: the sound of its frames, and playing that through the machine's device.

use ironlands_sound::{Device, Listener, Mixer, SoundFrame};

use crate::renderer::FrameState;
use crate::scene::Scene;

/// What is heard where a picture is taken from, at a time of the level.
pub fn sound_frame(state: &FrameState, secs: f64) -> SoundFrame<'_> {
    SoundFrame {
        secs,
        hour: state.hour,
        listener: Listener {
            position: state.camera.position,
            right: state.camera.right(),
        },
        world_from_nodes: &state.poses,
        states: &state.sounds,
    }
}

/// Plays a level while it is flown.
pub struct Hearing {
    mixer: Mixer<Device>,
    /// Time of the last frame.
    last_secs: Option<f64>,
    volume: f32,
}

impl Hearing {
    /// Opens the device for a level; `None` where nothing sounds, or no device is there, which is a note.
    pub fn open(scene: &Scene) -> Option<Self> {
        if scene.sounds.is_empty() {
            return None;
        }
        let mixer = Mixer::new(scene);
        let mixer = mixer.inspect_err(|error| log::info!("nothing is heard: {error}"));
        Some(Self {
            mixer: mixer.ok()?,
            last_secs: None,
            volume: 1.0,
        })
    }

    /// Has a frame heard at a volume. While time stands still, nothing is.
    pub fn hear(&mut self, state: &FrameState, secs: f64, volume: f32) {
        let stands_still = self.last_secs.replace(secs) == Some(secs);
        self.set_volume(if stands_still { 0.0 } else { volume });
        self.mixer.update(&sound_frame(state, secs));
    }

    /// Silences what plays until the next frame.
    pub fn hush(&mut self) {
        self.set_volume(0.0);
    }

    fn set_volume(&mut self, volume: f32) {
        if self.volume != volume {
            self.volume = volume;
            self.mixer.set_volume(volume);
        }
    }
}
