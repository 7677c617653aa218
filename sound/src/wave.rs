//! A sound's samples as a picture of them needs them.

use std::io::Cursor;
use std::sync::Arc;

use kira::sound::static_sound::StaticSoundData;

use crate::SoundError;

/// The shape of a sound over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Wave {
    /// Lowest and highest sample of each of equal parts of its time, left and right channel together, `-1.0..=1.0`.
    pub extremes: Vec<[f32; 2]>,
    /// How long it is.
    pub secs: f64,
    /// Samples a second.
    pub sample_rate: u32,
}

impl Wave {
    /// Decodes a whole WAV file; `n_parts` is the number of [`extremes`](Self::extremes) at most.
    ///
    /// # Errors
    /// [`SoundError::Decode`].
    pub fn decode(file: Arc<[u8]>, n_parts: usize) -> Result<Self, SoundError> {
        let sound = StaticSoundData::from_cursor(Cursor::new(file));
        let sound = sound.map_err(|error| SoundError::Decode(error.to_string()))?;
        let n_frames = sound.frames.len();
        let n_parts = n_parts.min(n_frames).max(1);
        let of_part = |part: usize| {
            let [start, end] = [part, part + 1].map(|it| it * n_frames / n_parts);
            let samples = sound.frames[start..end].iter();
            let samples = samples.flat_map(|frame| [frame.left, frame.right]);
            samples.fold([0.0_f32; 2], |[low, high], sample| {
                [low.min(sample), high.max(sample)]
            })
        };
        Ok(Self {
            extremes: (0..n_parts).map(of_part).collect(),
            secs: n_frames as f64 / f64::from(sound.sample_rate.max(1)),
            sample_rate: sound.sample_rate,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A WAV file of one channel.
    fn wav(samples: &[i16]) -> Arc<[u8]> {
        let mut file = Cursor::new(Vec::new());
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: 8000,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
        for sample in samples {
            writer.write_sample(*sample).unwrap();
        }
        writer.finalize().unwrap();
        file.into_inner().into()
    }

    #[test]
    fn a_wave_has_the_extremes_of_each_part_of_its_time() {
        let mut samples = vec![0_i16; 4000];
        samples[3] = i16::MAX;
        samples[2001] = i16::MIN;
        let wave = Wave::decode(wav(&samples), 4).unwrap();
        assert_eq!((wave.secs, wave.sample_rate), (0.5, 8000));
        let expected = [[0.0, 1.0], [0.0, 0.0], [-1.0, 0.0], [0.0, 0.0]];
        for (found, expected) in wave
            .extremes
            .iter()
            .flatten()
            .zip(expected.iter().flatten())
        {
            // 16 bits have a step of a 32768th.
            assert!((found - expected).abs() < 1e-4, "{:?}", wave.extremes);
        }
    }

    #[test]
    fn what_is_no_sound_is_an_error() {
        let error = Wave::decode(Arc::from(&b"RIFFnothing"[..]), 10).unwrap_err();
        assert!(error.to_string().starts_with("cannot decode the sound"));
    }
}
