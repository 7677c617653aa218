//! The demo's sounds: in, nothing; out, `sounds.lib`, whose entries effects name.
//!
//! Synthesized from noise and waves. Loops end as they begin: what would follow the end is faded into the beginning.

mod adpcm;

use ironlands_assets_parkan::nres::{Entry, NRes};
use ironlands_assets_parkan::wav::{self, Coding, Wav};

use crate::DemoError;
use crate::noise::Rng;

/// Samples per second, as all sounds of the game have.
const RATE: u32 = 22_050;
/// How long the end of a loop and what is before its beginning go into each other.
const FADE_SECS: f64 = 0.2;

/// `sounds.lib`.
pub fn archive() -> Result<Vec<u8>, DemoError> {
    let entries = [
        ("fx_bang.wav", adpcm::coded(&bang())?),
        ("fx_fire.wav", adpcm::coded(&fire())?),
        ("fx_gun.wav", plain(&gun())?),
        ("fx_hum.wav", plain(&hum())?),
        ("fx_thunder.wav", adpcm::coded(&thunder())?),
        ("atm_rain1.wav", adpcm::coded(&rain())?),
    ];
    let entry = |(name, bytes): (&str, Vec<u8>)| Entry::new(wav::TYPE_ID, 0, 0, 0, name, bytes);
    let entries = entries.into_iter().map(entry).collect::<Result<_, _>>()?;
    Ok(NRes::from_entries(entries).write()?)
}

/// 16-bit samples as they are.
fn plain(samples: &[i16]) -> Result<Vec<u8>, DemoError> {
    let coding = Coding {
        tag: Coding::PCM,
        channels: 1,
        rate: RATE,
        bytes_per_sec: 2 * RATE,
        block_size: 2,
        bits: 16,
    };
    let bytes = samples.iter().flat_map(|it| it.to_le_bytes()).collect();
    Ok(Wav::new(coding, Vec::new(), bytes).write()?)
}

/// A blast that rumbles away.
fn bang() -> Vec<i16> {
    let mut noise = Noise::new(11);
    let mut rumble = Noise::new(12);
    sampled(2.2, |secs| {
        let crack = noise.low(0.35) * fall(secs, 0.09);
        let boom = rumble.low(0.03) * 3.2 * fall(secs, 0.7) * rise(secs, 0.02);
        let thump = wave(secs * (34.0 + 30.0 * fall(secs, 0.15))) * 0.5 * fall(secs, 0.35);
        1.1 * crack + boom + thump
    })
}

/// A shot.
fn gun() -> Vec<i16> {
    let mut noise = Noise::new(21);
    sampled(0.5, |secs| {
        let crack = noise.low(0.6) * fall(secs, 0.035);
        let tail = noise.low(0.1) * 0.9 * fall(secs, 0.12);
        let thump = wave(secs * 70.0) * 0.5 * fall(secs, 0.06);
        crack + tail + thump
    })
}

/// Flames that rush, and wood that cracks.
fn fire() -> Vec<i16> {
    let mut rush = Noise::new(31);
    let mut gusts = Noise::new(32);
    let mut hiss = Noise::new(33);
    let mut cracks = Rng::new(34);
    let mut crack = 0.0;
    looped(3.0, |_| {
        let gust = 0.6 + 14.0 * gusts.low(0.0006);
        // Some ten a second, each as loud as it likes.
        if cracks.unit() < 10.0 / f64::from(RATE) {
            crack = 0.15 + 0.75 * cracks.unit() * cracks.unit();
        }
        crack *= 0.994;
        rush.low(0.02) * 1.1 * gust + hiss.low(0.9) * (0.02 + crack)
    })
}

/// A crack that rolls on from far away.
fn thunder() -> Vec<i16> {
    let mut crack = Noise::new(41);
    let mut roll = Noise::new(42);
    let mut swell = Noise::new(43);
    sampled(4.0, |secs| {
        let swelling = 0.7 + 18.0 * swell.low(0.0004);
        let rolling = roll.low(0.02) * 3.0 * fall(secs, 1.2) * rise(secs, 0.15) * swelling;
        crack.low(0.3) * 0.9 * fall(secs, 0.12) + rolling * rise(4.0 - secs, 0.8)
    })
}

/// Drops without number, and a few that are near.
fn rain() -> Vec<i16> {
    let mut rush = Noise::new(51);
    let mut hiss = Noise::new(52);
    let mut drops = Rng::new(53);
    let mut drop = 0.0;
    looped(3.0, |_| {
        if drops.unit() < 60.0 / f64::from(RATE) {
            drop = 0.1 + 0.3 * drops.unit() * drops.unit();
        }
        drop *= 0.985;
        rush.low(0.25) * 0.45 + hiss.low(0.9) * (0.12 + drop)
    })
}

/// A machine: a chord whose parts beat. All of them have whole cycles in its length.
fn hum() -> Vec<i16> {
    sampled(2.0, |secs| {
        let tones = [
            (55.0, 0.3),
            (110.0, 0.24),
            (110.5, 0.2),
            (165.0, 0.1),
            (220.5, 0.08),
        ];
        tones
            .iter()
            .map(|(hertz, loudness)| wave(secs * hertz) * loudness)
            .sum()
    })
}

/// Noise through a filter.
struct Noise {
    random: Rng,
    last: f64,
}

impl Noise {
    fn new(seed: u32) -> Self {
        Self {
            random: Rng::new(seed),
            last: 0.0,
        }
    }

    /// The next sample: only a share of each change gets through, the smaller the duller.
    fn low(&mut self, share: f64) -> f64 {
        let white = 2.0 * self.random.unit() - 1.0;
        self.last += share * (white - self.last);
        self.last
    }
}

/// Something like a sine of this many cycles, from parabolas.
fn wave(cycles: f64) -> f64 {
    let x = 2.0 * (cycles - cycles.floor()) - 1.0;
    let half = -4.0 * x * (1.0 - x.abs());
    // Weighs the parabola and its square so that the third harmonic all but vanishes.
    0.775 * half + 0.225 * half * half.abs()
}

/// From 1 toward 0; half of it is gone after some seconds.
fn fall(secs: f64, half_secs: f64) -> f64 {
    // Without a platform's powers: a curve that has the same half.
    let x = secs / half_secs;
    1.0 / (1.0 + x * x)
}

/// From 0 to 1 within some seconds.
fn rise(secs: f64, full_secs: f64) -> f64 {
    (secs / full_secs).min(1.0)
}

fn n_samples(secs: f64) -> usize {
    (secs * f64::from(RATE)) as usize
}

/// Samples of a function of seconds, faded out at the end.
fn sampled(secs: f64, mut sound: impl FnMut(f64) -> f64) -> Vec<i16> {
    let n = n_samples(secs);
    let at = |index: usize| index as f64 / f64::from(RATE);
    (0..n).map(|index| to_sample(sound(at(index)))).collect()
}

/// As [`sampled`], but what follows the end leads into the beginning.
fn looped(secs: f64, mut sound: impl FnMut(f64) -> f64) -> Vec<i16> {
    let [n, n_fade] = [n_samples(secs), n_samples(FADE_SECS)];
    let at = |index: usize| index as f64 / f64::from(RATE);
    let samples: Vec<f64> = (0..n + n_fade).map(|index| sound(at(index))).collect();
    (0..n)
        .map(|index| match index < n_fade {
            // Noise adds by its power: weights whose squares sum to one.
            true => {
                let share = index as f64 / n_fade as f64;
                samples[index] * share.sqrt() + samples[n + index] * (1.0 - share).sqrt()
            }
            false => samples[index],
        })
        .map(to_sample)
        .collect()
}

fn to_sample(value: f64) -> i16 {
    (value.clamp(-1.0, 1.0) * f64::from(i16::MAX)) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_have_no_seam() {
        for (name, samples) in [("fire", fire()), ("hum", hum()), ("rain", rain())] {
            let steps = samples
                .windows(2)
                .map(|it| (i32::from(it[1]) - i32::from(it[0])).abs());
            let largest = steps.max().unwrap();
            let seam = i32::from(samples[0]) - i32::from(*samples.last().unwrap());
            assert!(seam.abs() <= largest, "{name}: {seam}, {largest}");
        }
    }

    #[test]
    fn sounds_are_loud_and_seldom_cut() {
        for (name, samples) in [
            ("bang", bang()),
            ("gun", gun()),
            ("fire", fire()),
            ("hum", hum()),
            ("thunder", thunder()),
            ("rain", rain()),
        ] {
            let power: f64 = samples
                .iter()
                .map(|it| f64::from(*it) * f64::from(*it))
                .sum();
            let loudness = (power / samples.len() as f64).sqrt() / 32_767.0;
            assert!(loudness > 0.03, "{name}: {loudness}");
            let n_cut = samples
                .iter()
                .filter(|it| it.unsigned_abs() >= 32_767)
                .count();
            assert!(
                n_cut * 50 < samples.len(),
                "{name}: {n_cut} of {}",
                samples.len()
            );
        }
    }
}
