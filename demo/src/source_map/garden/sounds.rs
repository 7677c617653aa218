//! What is heard in the garden: a wheel that creaks as it turns, and a chime that a timer strikes.

use std::f64::consts::TAU;

use super::pinwheel;
use crate::source_map::entities::EntityPlan;
use crate::vector::add;

/// Samples per second; they have 8 bits.
const RATE: u32 = 11_025;
const CREAK: &str = "garden/creak.wav";
const CHIME: &str = "garden/chime.wav";

/// The entities that sound, and the timer.
pub fn entities() -> Vec<EntityPlan> {
    let sound = |name: &str, wave: &str| {
        EntityPlan::new("ambient_generic")
            .with("targetname", name)
            .with("message", wave)
            .with("pitch", 100)
    };
    vec![
        sound("creak", CREAK)
            .at(add(pinwheel::PLACE, [0.0, 0.0, 96.0]))
            .with("health", 6)
            .with("radius", 900)
            .with("spawnflags", 0),
        // Silent at first, and played once.
        sound("chime", CHIME)
            .at([1148.0, 480.0, 100.0])
            .with("health", 8)
            .with("radius", 1250)
            .with("spawnflags", 48),
        EntityPlan::new("logic_timer")
            .at([1120.0, 480.0, 100.0])
            .with("targetname", "chime_timer")
            .with("UseRandomTime", 1)
            .with("LowerRandomBound", 4)
            .with("UpperRandomBound", 9)
            .with("OnTimer", "chime,PlaySound,,0,-1"),
    ]
}

/// Recordings, by path in the pakfile.
pub fn files() -> Vec<(String, Vec<u8>)> {
    // A turn of three seconds creaks thrice.
    let creak = |secs: f64| {
        let part = secs / 0.5;
        let loud = if part < 1.0 {
            libm::sin(part * TAU / 2.0)
        } else {
            0.0
        };
        let pitch = 520.0 + 60.0 * libm::sin(TAU * part);
        let rough = 0.6 + 0.4 * libm::sin(TAU * secs * 43.0);
        0.5 * loud * rough * libm::sin(TAU * pitch * secs)
    };
    let chime = |secs: f64| {
        let tone = |hertz: f64, fall: f64| libm::sin(TAU * hertz * secs) * libm::exp(-secs / fall);
        0.45 * tone(1174.7, 0.4) + 0.25 * tone(2349.3, 0.2) + 0.15 * tone(3237.0, 0.1)
    };
    vec![
        (format!("sound/{CREAK}"), wave(1.0, true, creak)),
        (format!("sound/{CHIME}"), wave(1.4, false, chime)),
    ]
}

/// A WAV file of some seconds; one that loops has a cue at its beginning.
fn wave(secs: f64, loops: bool, sample: impl Fn(f64) -> f64) -> Vec<u8> {
    let n_samples = (secs * f64::from(RATE)) as u32 & !1;
    let samples = (0..n_samples).map(|at| {
        let value = sample(f64::from(at) / f64::from(RATE)).clamp(-1.0, 1.0);
        (128.0 + 127.0 * value) as u8
    });
    let samples: Vec<u8> = samples.collect();
    let words = |words: &[u32]| words.iter().flat_map(|it| it.to_le_bytes()).collect();
    let chunk =
        |id: &[u8; 4], data: Vec<u8>| [&id[..], &(data.len() as u32).to_le_bytes(), &data].concat();
    // PCM and one channel; samples and bytes per second; a byte each, of 8 bits.
    let format = chunk(b"fmt ", words(&[0x0001_0001, RATE, RATE, 0x0008_0001]));
    // One cue: its name, then its place in the chunk of samples.
    let data_id = u32::from_le_bytes(*b"data");
    let cue = match loops {
        true => chunk(b"cue ", words(&[1, 1, 0, data_id, 0, 0, 0])),
        false => Vec::new(),
    };
    let body = [&b"WAVE"[..], &format, &chunk(b"data", samples), &cue].concat();
    chunk(b"RIFF", body)
}
