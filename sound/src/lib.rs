//! Plays the sounds of a [`Scene`](ironlands_scene::Scene): through the machine's device, or into a WAV file, sample by
//! sample the same on every machine.
//!
//! In: sounds as plain data, and for each frame the time and where the listener is. [`Mixer`] decides what is heard and
//! how loud, from which side and how high it is; the `kira` crate decodes, resamples and mixes.
//!
//! Deliberately absent: which sounds a level has, and what occludes them.

#[cfg(target_os = "linux")]
mod alsa;
mod capture;
mod listener;
mod mixer;
mod wave;

pub use capture::{Capture, SoundRecording};
pub use listener::{Heard, Listener};
pub use mixer::{Mixer, SoundFrame};
pub use wave::Wave;

#[cfg(target_os = "linux")]
pub use alsa::Alsa as Device;
#[cfg(not(target_os = "linux"))]
pub use kira::backend::cpal::CpalBackend as Device;

use thiserror::Error;

/// Why nothing is heard.
#[derive(Debug, Error)]
pub enum SoundError {
    /// The device does not open, or there is none.
    #[error("no sound device: {0}")]
    Device(String),
    /// It is no sound file, or one of an unknown coding.
    #[error("cannot decode the sound: {0}")]
    Decode(String),
    /// The recording cannot be written.
    #[error("cannot write the sound: {0}")]
    Write(#[from] hound::Error),
}
