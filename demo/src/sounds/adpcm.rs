//! Samples as MS ADPCM: four bits a sample, in blocks that can be decoded alone.
//!
//! A block begins with a pair of coefficients, a step and two samples. Each further sample is predicted from the two
//! before it; what is stored is the error in steps, and the step grows and shrinks with it.

use ironlands_assets_parkan::wav::{Coding, Wav};

use super::RATE;
use crate::DemoError;

const BLOCK_SIZE: usize = 512;
/// Coefficients, step, two samples.
const HEAD: usize = 7;
const SAMPLES_PER_BLOCK: usize = (BLOCK_SIZE - HEAD) * 2 + 2;
/// Pairs of coefficients by which samples are predicted, in 256ths; every decoder knows these seven.
const COEFFICIENTS: [[i32; 2]; 7] = [
    [256, 0],
    [512, -256],
    [0, 0],
    [192, 64],
    [240, 0],
    [460, -208],
    [392, -232],
];
/// By which the step changes after each error, in 256ths.
const ADAPTATION: [i32; 16] = [
    230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230,
];
const LEAST_STEP: i32 = 16;

/// A WAV file of one channel; the last block is filled up with silence.
pub fn coded(samples: &[i16]) -> Result<Vec<u8>, DemoError> {
    let blocks = samples.chunks(SAMPLES_PER_BLOCK).flat_map(|samples| {
        let mut block = samples.to_vec();
        block.resize(SAMPLES_PER_BLOCK, 0);
        coded_block(&block)
    });
    let blocks: Vec<u8> = blocks.collect();
    let coding = Coding {
        tag: Coding::MS_ADPCM,
        channels: 1,
        rate: RATE,
        bytes_per_sec: RATE * BLOCK_SIZE as u32 / SAMPLES_PER_BLOCK as u32,
        block_size: BLOCK_SIZE as u16,
        bits: 4,
    };
    let words = [32, SAMPLES_PER_BLOCK as u16, COEFFICIENTS.len() as u16];
    let coefficients = COEFFICIENTS.as_flattened().iter().map(|it| *it as u16);
    let extra = words.into_iter().chain(coefficients);
    let extra = extra.flat_map(u16::to_le_bytes).collect();
    Ok(Wav::new(coding, extra, blocks).write()?)
}

/// With the coefficients that err least.
fn coded_block(samples: &[i16]) -> Vec<u8> {
    let tries = (0..COEFFICIENTS.len()).map(|index| with_coefficients(samples, index));
    let best = tries.min_by_key(|(error, _)| *error);
    best.map(|(_, block)| block).unwrap_or_default()
}

/// The block, and the sum of the squares of its errors.
fn with_coefficients(samples: &[i16], index: usize) -> (i64, Vec<u8>) {
    let [first, second] = [samples[0], samples[1]];
    let mut before = [i32::from(second), i32::from(first)];
    let predicted = |[last, older]: [i32; 2]| {
        let [a, b] = COEFFICIENTS[index];
        (last * a + older * b) >> 8
    };
    // A step that the first errors fit in.
    let start = i32::from(samples[2]) - predicted(before);
    let mut step = (start.abs() / 4).max(LEAST_STEP);
    let mut block = vec![index as u8];
    block.extend((step as i16).to_le_bytes());
    block.extend(second.to_le_bytes());
    block.extend(first.to_le_bytes());
    let mut sum = 0;
    let mut nibbles = Vec::with_capacity(samples.len());
    for sample in &samples[2..] {
        let sample = i32::from(*sample);
        let guess = predicted(before);
        let error = (sample - guess + if sample < guess { -step / 2 } else { step / 2 }) / step;
        let nibble = error.clamp(-8, 7);
        let decoded = (guess + nibble * step).clamp(i16::MIN.into(), i16::MAX.into());
        sum += i64::from(sample - decoded).pow(2);
        before = [decoded, before[0]];
        let nibble = (nibble & 15) as u8;
        step = ((step * ADAPTATION[usize::from(nibble)]) >> 8).max(LEAST_STEP);
        nibbles.push(nibble);
    }
    let (pairs, _) = nibbles.as_chunks::<2>();
    block.extend(pairs.iter().map(|[high, low]| high << 4 | low));
    (sum, block)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decoder as the format is described everywhere.
    fn decoded(file: &[u8]) -> Vec<i16> {
        let wav = Wav::read(file).unwrap();
        let word = |block: &[u8], at: usize| i16::from_le_bytes([block[at], block[at + 1]]);
        let mut samples = Vec::new();
        for block in wav.samples().chunks(BLOCK_SIZE) {
            let [a, b] = COEFFICIENTS[usize::from(block[0])];
            let mut step = i32::from(word(block, 1));
            let (mut last, mut older) = (i32::from(word(block, 3)), i32::from(word(block, 5)));
            samples.extend([older as i16, last as i16]);
            for byte in &block[HEAD..] {
                for nibble in [byte >> 4, byte & 15] {
                    let signed = i32::from(nibble) - if nibble > 7 { 16 } else { 0 };
                    let sample = ((last * a + older * b) >> 8) + signed * step;
                    let sample = sample.clamp(-32_768, 32_767);
                    step = (step * ADAPTATION[usize::from(nibble)] / 256).max(LEAST_STEP);
                    (last, older) = (sample, last);
                    samples.push(sample as i16);
                }
            }
        }
        samples
    }

    #[test]
    fn what_is_coded_comes_back_nearly() {
        for samples in [
            super::super::bang(),
            super::super::fire(),
            super::super::hum(),
        ] {
            let found = decoded(&coded(&samples).unwrap());
            assert_eq!(
                found.len().div_ceil(SAMPLES_PER_BLOCK),
                samples.len().div_ceil(SAMPLES_PER_BLOCK)
            );
            let pairs = || samples.iter().zip(&found);
            let power: f64 = samples.iter().map(|it| f64::from(*it).powi(2)).sum();
            let errors: f64 = pairs()
                .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2))
                .sum();
            // Of noise, whose next sample nothing foretells, three of the four bits give the size: 18 dB.
            assert!(errors < power / 63.0, "{errors} of {power}");
        }
    }
}
