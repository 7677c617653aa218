//! Sound without a device: samples on demand, and into a WAV file.

use std::convert::Infallible;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use hound::{SampleFormat, WavSpec, WavWriter};
use ironlands_scene::Scene;
use kira::backend::{Backend, Renderer};

use crate::{Mixer, SoundError, SoundFrame};

/// Samples per second and side.
const SAMPLE_RATE: u32 = 44_100;
const CHANNELS: u16 = 2;

/// Hands out samples as they are asked for.
#[derive(Default)]
pub struct Capture {
    renderer: Option<Renderer>,
    samples: Vec<f32>,
}

impl Backend for Capture {
    type Settings = ();
    type Error = Infallible;

    fn setup(_: (), _internal_buffer_size: usize) -> Result<(Self, u32), Infallible> {
        Ok((Self::default(), SAMPLE_RATE))
    }

    fn start(&mut self, renderer: Renderer) -> Result<(), Infallible> {
        self.renderer = Some(renderer);
        Ok(())
    }
}

impl Capture {
    /// The next samples, left and right in turn.
    fn pull(&mut self, n_frames: usize) -> &[f32] {
        self.samples.clear();
        self.samples.resize(n_frames * usize::from(CHANNELS), 0.0);
        if let Some(renderer) = &mut self.renderer {
            renderer.on_start_processing();
            renderer.process(&mut self.samples, CHANNELS);
        }
        &self.samples
    }
}

/// What would be heard, as a WAV file of 16-bit samples in two channels.
pub struct SoundRecording {
    mixer: Mixer<Capture>,
    file: WavWriter<BufWriter<File>>,
    n_written: u64,
    start_secs: Option<f64>,
}

impl SoundRecording {
    /// A recording of the sounds of a scene. A file that is there is replaced.
    ///
    /// # Errors
    /// [`SoundError::Write`] if the file cannot be made.
    pub fn create(path: &Path, scene: &Scene) -> Result<Self, SoundError> {
        let spec = WavSpec {
            channels: CHANNELS,
            sample_rate: SAMPLE_RATE,
            bits_per_sample: 16,
            sample_format: SampleFormat::Int,
        };
        Ok(Self {
            mixer: Mixer::new(scene)?,
            file: WavWriter::create(path, spec)?,
            n_written: 0,
            start_secs: None,
        })
    }

    /// Writes what is heard up to a frame, then has the frame's changes heard.
    ///
    /// # Errors
    /// [`SoundError::Write`] if the disk refuses.
    pub fn advance(&mut self, frame: &SoundFrame<'_>) -> Result<(), SoundError> {
        self.write_until(frame.secs)?;
        self.mixer.update(frame);
        Ok(())
    }

    /// Writes what is heard up to a time, and ends the file.
    ///
    /// # Errors
    /// [`SoundError::Write`] if the disk refuses.
    pub fn finish(mut self, end_secs: f64) -> Result<(), SoundError> {
        self.write_until(end_secs)?;
        Ok(self.file.finalize()?)
    }

    fn write_until(&mut self, secs: f64) -> Result<(), SoundError> {
        let start_secs = *self.start_secs.get_or_insert(secs);
        let due = (secs - start_secs).max(0.0) * f64::from(SAMPLE_RATE);
        let n_frames = (due.round() as u64).saturating_sub(self.n_written);
        self.n_written += n_frames;
        for sample in self.mixer.backend_mut().pull(n_frames as usize) {
            // The mixer keeps samples within -1 and 1.
            let sample = (sample * f32::from(i16::MAX)).round() as i16;
            self.file.write_sample(sample)?;
        }
        Ok(())
    }
}
