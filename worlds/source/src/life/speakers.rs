//! What plays a sound, by its keys: how that changes as it plays. What the keys and presets of `ambient_generic` mean is
//! from the source SDK of 2013 and Valve's developer wiki.

use ironlands_assets_source::entities::Entity;
use ironlands_assets_source::level_scene::speaker_loops;
use ironlands_sim_entities::{Modulation, Oscillator, OscillatorWave, Speaker};

use super::keys::{has_flag, number, number_or};

/// Bit of `spawnflags`: not at first.
const IS_SILENT: u32 = 16;
/// The pitch where that is not written, in hundredths.
const USUAL_PITCH: f64 = 100.0;
const HIGHEST_PITCH: f64 = 255.0;
const HIGHEST_RATE: f64 = 1000.0;
/// Hundredths of a step of volume.
const VOLUME_STEP: f64 = 10.0;

/// The numbers of a preset: pitch, start pitch, speeds of spinning up and down, volume, start volume, speeds of fading in
/// and out, wave, rate, depth of pitch and of volume, steps.
type Preset = [u16; 13];
const PRESETS: [Preset; 27] = [
    [255, 75, 95, 95, 10, 1, 50, 95, 0, 0, 0, 0, 0],
    [255, 85, 70, 88, 10, 1, 20, 88, 0, 0, 0, 0, 0],
    [255, 100, 50, 75, 10, 1, 10, 75, 0, 0, 0, 0, 0],
    [100, 100, 0, 0, 10, 1, 90, 90, 0, 0, 0, 0, 0],
    [100, 100, 0, 0, 10, 1, 80, 80, 0, 0, 0, 0, 0],
    [100, 100, 0, 0, 10, 1, 50, 70, 0, 0, 0, 0, 0],
    [100, 100, 0, 0, 5, 1, 40, 50, 1, 50, 0, 10, 0],
    [100, 100, 0, 0, 5, 1, 40, 50, 1, 150, 0, 10, 0],
    [100, 100, 0, 0, 5, 1, 40, 50, 1, 750, 0, 10, 0],
    [128, 100, 50, 75, 10, 1, 30, 40, 2, 8, 20, 0, 0],
    [128, 100, 50, 75, 10, 1, 30, 40, 2, 25, 20, 0, 0],
    [128, 100, 50, 75, 10, 1, 30, 40, 2, 70, 20, 0, 0],
    [50, 50, 0, 0, 10, 1, 20, 50, 0, 0, 0, 0, 0],
    [70, 70, 0, 0, 10, 1, 20, 50, 0, 0, 0, 0, 0],
    [90, 90, 0, 0, 10, 1, 20, 50, 0, 0, 0, 0, 0],
    [120, 120, 0, 0, 10, 1, 20, 50, 0, 0, 0, 0, 0],
    [180, 180, 0, 0, 10, 1, 20, 50, 0, 0, 0, 0, 0],
    [255, 255, 0, 0, 10, 1, 20, 50, 0, 0, 0, 0, 0],
    [200, 75, 90, 90, 10, 1, 50, 90, 2, 100, 20, 0, 0],
    [255, 75, 97, 90, 10, 1, 50, 90, 1, 40, 50, 0, 0],
    [100, 100, 0, 0, 10, 1, 30, 50, 3, 15, 20, 0, 0],
    [160, 160, 0, 0, 10, 1, 50, 50, 3, 500, 25, 0, 0],
    [255, 75, 88, 0, 10, 1, 40, 0, 0, 0, 0, 0, 5],
    [200, 20, 95, 70, 10, 1, 70, 70, 3, 20, 50, 0, 0],
    [180, 100, 50, 60, 10, 1, 40, 60, 2, 90, 100, 100, 0],
    [60, 60, 0, 0, 10, 1, 40, 70, 3, 80, 20, 50, 0],
    [128, 90, 10, 10, 10, 1, 20, 40, 1, 5, 10, 20, 0],
];

/// Begins unless it is to be silent at first; one that plays once begins only when it is called.
pub(super) fn speaker(entity: &Entity) -> Speaker {
    let loops = speaker_loops(entity);
    let begins = loops && !has_flag(entity, IS_SILENT);
    Speaker::new(loops, begins, modulation(entity))
}

/// That of a preset, whatever the other keys say; of these without one.
fn modulation(entity: &Entity) -> Modulation {
    // The cast saturates: what is below 1 is none.
    let preset = number(entity, "preset") as usize;
    let preset = preset.checked_sub(1).and_then(|it| PRESETS.get(it));
    preset.map_or_else(|| of_keys(entity), of_preset)
}

fn of_preset(preset: &Preset) -> Modulation {
    let [
        pitch,
        start_pitch,
        spin_up,
        spin_down,
        volume,
        start_volume,
        fade_in,
        fade_out,
        wave,
        rate,
        pitch_depth,
        volume_depth,
        steps,
    ] = preset.map(f64::from);
    Modulation {
        pitch,
        start_pitch,
        spin_up: Modulation::ramp_of_speed(spin_up),
        spin_down: Modulation::ramp_of_speed(spin_down),
        volume: volume * VOLUME_STEP,
        start_volume: start_volume * VOLUME_STEP,
        fade_in: Modulation::ramp_of_speed(fade_in),
        fade_out: Modulation::ramp_of_speed(fade_out),
        oscillator: oscillator(wave, rate, [pitch_depth, volume_depth]),
        n_steps: steps as u32,
    }
}

fn of_keys(entity: &Entity) -> Modulation {
    let whole = |key: &str, highest: f64| number(entity, key).trunc().clamp(0.0, highest);
    let speed = |key: &str| Modulation::ramp_of_speed(whole(key, 100.0));
    let volume = number_or(entity, "health", Speaker::FULL_VOLUME).trunc();
    let pitch = number_or(entity, "pitch", USUAL_PITCH).trunc();
    Modulation {
        pitch: pitch.clamp(0.0, HIGHEST_PITCH),
        start_pitch: whole("pitchstart", HIGHEST_PITCH),
        spin_up: speed("spinup"),
        spin_down: speed("spindown"),
        volume: (volume * VOLUME_STEP).clamp(0.0, 100.0),
        start_volume: whole("volstart", Speaker::FULL_VOLUME) * VOLUME_STEP,
        fade_in: fade(entity, "fadeinsecs", "fadein"),
        fade_out: fade(entity, "fadeoutsecs", "fadeout"),
        oscillator: oscillator(
            number(entity, "lfotype").trunc(),
            whole("lforate", HIGHEST_RATE),
            ["lfomodpitch", "lfomodvol"].map(|key| whole(key, 100.0)),
        ),
        n_steps: whole("cspinup", 100.0) as u32,
    }
}

/// The ramp of a key of seconds; an old one has a speed.
fn fade(entity: &Entity, key: &str, old_key: &str) -> f64 {
    match entity.number(key) {
        Some(secs) => Modulation::ramp_of_secs(f64::from(secs).trunc().clamp(0.0, 100.0)),
        None => Modulation::ramp_of_speed(number(entity, old_key).trunc()),
    }
}

/// None for type 0; types that are unknown are triangles.
fn oscillator(wave: f64, rate: f64, [pitch_depth, volume_depth]: [f64; 2]) -> Option<Oscillator> {
    let wave = match wave {
        0.0 => return None,
        1.0 => OscillatorWave::Square,
        3.0 => OscillatorWave::Random,
        _ => OscillatorWave::Triangle,
    };
    Some(Oscillator {
        wave,
        rate,
        pitch_depth,
        volume_depth,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_pairs(pairs: &[(&str, &str)]) -> Modulation {
        let mut entity = Entity::new("ambient_generic");
        for (key, value) in pairs {
            entity.push(key, value);
        }
        modulation(&entity)
    }

    #[test]
    fn keys_are_ramps_volumes_and_an_oscillator() {
        assert_eq!(of_pairs(&[]), Modulation::new(100.0));
        assert_eq!(of_pairs(&[("health", "6.9")]), Modulation::new(60.0));
        assert_eq!(of_pairs(&[("health", "11")]), Modulation::new(100.0));
        let full = of_pairs(&[
            ("health", "5"),
            ("pitch", "300"),
            ("pitchstart", "40"),
            ("spinup", "1"),
            ("spindown", "100"),
            ("volstart", "2"),
            ("fadein", "3"),
            ("fadeinsecs", "2"),
            ("fadeout", "33"),
            ("lfotype", "4"),
            ("lforate", "1001"),
            ("lfomodpitch", "-1"),
            ("lfomodvol", "12"),
            ("cspinup", "3"),
        ]);
        let expected = Modulation {
            pitch: 255.0,
            start_pitch: 40.0,
            spin_up: 25.0,
            spin_down: 0.25,
            volume: 50.0,
            start_volume: 20.0,
            fade_in: 10.0,
            // (101 - 33) / 4.
            fade_out: 17.0,
            oscillator: Some(Oscillator {
                wave: OscillatorWave::Triangle,
                rate: 1000.0,
                pitch_depth: 0.0,
                volume_depth: 12.0,
            }),
            n_steps: 3,
        };
        assert_eq!(full, expected);
    }

    #[test]
    fn presets_are_sets_of_these_keys() {
        let keys = [
            ("pitch", "200"),
            ("pitchstart", "75"),
            ("spinup", "90"),
            ("spindown", "90"),
            ("health", "10"),
            ("volstart", "1"),
            ("fadein", "50"),
            ("fadeout", "90"),
            ("lfotype", "2"),
            ("lforate", "100"),
            ("lfomodpitch", "20"),
        ];
        assert_eq!(of_pairs(&[("preset", "19")]), of_pairs(&keys));
        let whatever = [("preset", "19"), ("pitch", "1"), ("health", "2")];
        assert_eq!(of_pairs(&whatever), of_pairs(&keys));
        for none in ["0", "-1", "28", "no"] {
            assert_eq!(
                of_pairs(&[("preset", none)]),
                Modulation::new(100.0),
                "{none}"
            );
        }
        let last = of_pairs(&[("preset", "27")]);
        assert_eq!(
            (last.pitch, last.spin_down, last.fade_out),
            (128.0, 22.75, 15.25)
        );
        let counting = of_pairs(&[("preset", "23")]);
        assert_eq!((counting.n_steps, counting.spin_down), (5, 0.0));
    }
}
