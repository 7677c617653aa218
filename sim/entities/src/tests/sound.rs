//! Sounds that are switched, called, faded and swayed, update by update. An update of 0.2 seconds is 13 ticks, the nearest
//! number to 12.8; the first is after 6, the nearest to 6.4.

use super::{Boxes, TICK, entity, pass};
use crate::{Kind, Modulation, Oscillator, OscillatorWave, Simulation, Speaker, SpeakerMoment};

const FIRST_UPDATE: u64 = 6;
const UPDATE: u64 = 13;

fn simulation(speaker: Speaker) -> Simulation {
    Simulation::new(vec![entity("horn", Kind::Speaker(speaker), &[])], TICK)
}

/// A loop that begins with the level.
fn playing(modulation: Modulation) -> Simulation {
    simulation(Speaker::new(true, true, modulation))
}

fn moment(simulation: &Simulation) -> SpeakerMoment {
    let Kind::Speaker(speaker) = &simulation.entities()[0].kind else {
        panic!("it is a speaker");
    };
    speaker.moment()
}

/// Pitch and volume in hundredths.
fn heard(simulation: &Simulation) -> [i64; 2] {
    let SpeakerMoment { volume, rate, .. } = moment(simulation);
    [rate, volume].map(|it| (it * 100.0).round() as i64)
}

/// What is heard after each of some updates, the first of which is due after some ticks.
fn updates(simulation: &mut Simulation, first: u64, n: usize) -> Vec<[i64; 2]> {
    let ticks = std::iter::once(first).chain(std::iter::repeat(UPDATE));
    ticks
        .take(n)
        .map(|n_ticks| {
            pass(simulation, n_ticks, &mut Boxes::default());
            heard(simulation)
        })
        .collect()
}

fn send(simulation: &mut Simulation, input: &str, parameter: &str) {
    simulation.send(0, input, parameter);
    pass(simulation, 1, &mut Boxes::default());
}

#[test]
fn a_loop_is_switched_and_not_begun_twice() {
    let mut simulation = simulation(Speaker::new(true, false, Modulation::new(50.0)));
    let mut shapes = Boxes::default();
    pass(&mut simulation, 3, &mut shapes);
    assert!(!moment(&simulation).is_on);
    let mut facts = Vec::new();
    for input in [
        "PlaySound",
        "PlaySound",
        "StopSound",
        "ToggleSound",
        "ToggleSound",
    ] {
        simulation.send(0, input, "");
        pass(&mut simulation, 2, &mut shapes);
        let SpeakerMoment { is_on, n_calls, .. } = moment(&simulation);
        facts.push((is_on, n_calls));
    }
    let expected = [(true, 1), (true, 1), (false, 1), (true, 2), (false, 2)];
    assert_eq!(facts, expected);
}

#[test]
fn what_plays_once_is_called_each_time() {
    let mut simulation = simulation(Speaker::new(false, true, Modulation::new(100.0)));
    let mut shapes = Boxes::default();
    assert_eq!(moment(&simulation).n_calls, 0);
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(moment(&simulation).n_calls, 1, "it begins with the level");
    for input in ["PlaySound", "StopSound", "PlaySound"] {
        simulation.send(0, input, "");
        pass(&mut simulation, 1, &mut shapes);
    }
    assert_eq!(moment(&simulation).n_calls, 3);
    assert!(moment(&simulation).is_on, "it continues to its end");
}

/// Pitch and volume of preset 3 of `ambient_generic`: speeds of 50, 75, 10 and 75.
fn starter() -> Modulation {
    Modulation {
        pitch: 255.0,
        start_pitch: 100.0,
        spin_up: 12.75,
        spin_down: 6.5,
        start_volume: 10.0,
        fade_in: 22.75,
        fade_out: 6.5,
        ..Modulation::new(100.0)
    }
}

#[test]
fn ramps_of_speeds_and_times_are_those_of_the_games() {
    // (101 - speed) / 4; and the whole part of 25600 / (5 * secs), divided by 256.
    let speeds = [0.0, 1.0, 10.0, 50.0, 75.0, 100.0].map(Modulation::ramp_of_speed);
    assert_eq!(speeds, [0.0, 25.0, 22.75, 12.75, 6.5, 0.25]);
    let times = [0.0, 1.0, 2.0, 3.0, 100.0].map(Modulation::ramp_of_secs);
    assert_eq!(times, [0.0, 20.0, 10.0, 1706.0 / 256.0, 51.0 / 256.0]);
}

#[test]
fn pitch_and_volume_rise_as_a_sound_begins_and_fall_before_it_ends() {
    let mut simulation = playing(starter());
    assert_eq!(heard(&simulation), [100, 10]);
    pass(&mut simulation, FIRST_UPDATE - 1, &mut Boxes::default());
    assert_eq!(heard(&simulation), [100, 10], "a tick before the update");
    // 100 + 12.75 and 10 + 22.75 times the number of the update, without fractions.
    let rising = updates(&mut simulation, 1, 5);
    let expected = [[112, 32], [125, 55], [138, 78], [151, 100], [163, 100]];
    assert_eq!(rising, expected);
    let risen = updates(&mut simulation, UPDATE, 8);
    assert_eq!(risen[6..], [[253, 100], [255, 100]], "the 12th and 13th");
    pass(&mut simulation, 100, &mut Boxes::default());
    assert_eq!(heard(&simulation), [255, 100], "it stays");
    send(&mut simulation, "StopSound", "");
    // It rose to 265.75 before it was stopped: one more update is too high to hear.
    let falling = updates(&mut simulation, FIRST_UPDATE, 4);
    assert_eq!(falling, [[255, 93], [252, 87], [246, 80], [239, 74]]);
    let fallen = updates(&mut simulation, UPDATE, 9);
    assert_eq!(fallen[8], [181, 15], "100 - 13 * 6.5");
    assert!(moment(&simulation).is_on);
    // 9 is below the volume at which it ends.
    pass(&mut simulation, UPDATE - 1, &mut Boxes::default());
    assert!(moment(&simulation).is_on);
    pass(&mut simulation, 1, &mut Boxes::default());
    assert!(!moment(&simulation).is_on);
    send(&mut simulation, "PlaySound", "");
    assert_eq!(
        (heard(&simulation), moment(&simulation).n_calls),
        ([100, 10], 2)
    );
    assert_eq!(updates(&mut simulation, FIRST_UPDATE, 1), [[112, 32]]);
}

#[test]
fn a_sound_that_ends_slowly_may_begin_again() {
    let mut simulation = playing(starter());
    pass(&mut simulation, 200, &mut Boxes::default());
    for (input, is_on, n_calls) in [
        ("StopSound", true, 1),
        ("StopSound", true, 1),
        ("PlaySound", true, 2),
        ("PlaySound", true, 2),
    ] {
        send(&mut simulation, input, "");
        let now = moment(&simulation);
        assert_eq!((now.is_on, now.n_calls), (is_on, n_calls), "{input}");
    }
    assert_eq!(heard(&simulation), [100, 10]);
}

#[test]
fn inputs_change_volume_and_pitch_at_once_or_in_whole_seconds() {
    let mut simulation = playing(Modulation::new(80.0));
    send(&mut simulation, "FadeOut", "2.9");
    assert_eq!(
        updates(&mut simulation, FIRST_UPDATE, 3),
        [[100, 70], [100, 60], [100, 50]]
    );
    send(&mut simulation, "FadeIn", "4");
    assert_eq!(
        updates(&mut simulation, FIRST_UPDATE, 2),
        [[100, 55], [100, 60]]
    );
    assert_eq!(
        updates(&mut simulation, UPDATE, 5)[4],
        [100, 80],
        "not more than its own"
    );
    send(&mut simulation, "Volume", "4.26");
    send(&mut simulation, "Pitch", "150.9");
    assert_eq!(heard(&simulation), [150, 43]);
    send(&mut simulation, "FadeOut", "0.5");
    pass(&mut simulation, 100, &mut Boxes::default());
    assert_eq!(heard(&simulation), [150, 43], "no whole second");
    send(&mut simulation, "FadeOut", "1");
    assert_eq!(
        updates(&mut simulation, FIRST_UPDATE, 2),
        [[150, 23], [150, 3]]
    );
    pass(&mut simulation, UPDATE, &mut Boxes::default());
    assert!(!moment(&simulation).is_on, "it has faded");
    send(&mut simulation, "PlaySound", "");
    assert!(!moment(&simulation).is_on, "it was never stopped");
    send(&mut simulation, "FadeIn", "1");
    assert_eq!(updates(&mut simulation, FIRST_UPDATE, 1), [[150, 20]]);
    let now = moment(&simulation);
    assert_eq!((now.is_on, now.n_calls), (true, 2), "a change begins it");
}

#[test]
fn what_fades_for_twenty_seconds_stays_barely_heard() {
    for (secs, is_heard) in [("19", false), ("20", true)] {
        let mut simulation = playing(Modulation::new(100.0));
        send(&mut simulation, "FadeOut", secs);
        pass(&mut simulation, 120 * UPDATE, &mut Boxes::default());
        assert_eq!(moment(&simulation).is_on, is_heard, "{secs}");
        if is_heard {
            assert_eq!(heard(&simulation)[1], 1);
        }
    }
}

fn swaying(wave: OscillatorWave, rate: f64, depths: [f64; 2]) -> Modulation {
    Modulation {
        oscillator: Some(Oscillator {
            wave,
            rate,
            pitch_depth: depths[0],
            volume_depth: depths[1],
        }),
        ..Modulation::new(50.0)
    }
}

#[test]
fn an_oscillator_sways_up_and_down() {
    let triangle = swaying(OscillatorWave::Triangle, 100.0, [20.0, 0.0]);
    // At 100, 200, 255, 155, 55, 0, 100: by 0.2 of what is between there and 128, without fractions.
    let pitches = updates(&mut playing(triangle), FIRST_UPDATE, 7);
    let pitches = pitches.into_iter().map(|[pitch, _]| pitch);
    let expected = [95, 114, 125, 105, 86, 75, 95];
    assert_eq!(pitches.collect::<Vec<_>>(), expected);
    // Preset 7: the volume rises from 10 by 15.25 to 50, 12 louder in the lower half of the way, and 12 fainter in the
    // upper one.
    let square = Modulation {
        start_volume: 10.0,
        fade_in: 15.25,
        ..swaying(OscillatorWave::Square, 50.0, [0.0, 10.0])
    };
    let volumes = updates(&mut playing(square), FIRST_UPDATE, 9);
    let volumes = volumes.into_iter().map(|[_, volume]| volume);
    let expected = [37, 52, 38, 38, 38, 38, 38, 38, 62];
    assert_eq!(volumes.collect::<Vec<_>>(), expected);
}

#[test]
fn chance_sways_from_the_first_turn_on() {
    let random = swaying(OscillatorWave::Random, 200.0, [20.0, 0.0]);
    let mut simulation = playing(random);
    let pitches = updates(&mut simulation, FIRST_UPDATE, 40);
    let pitches: Vec<i64> = pitches.into_iter().map(|[pitch, _]| pitch).collect();
    assert_eq!(pitches[0], 75, "lowest before it turns at 255");
    assert!(
        pitches.iter().all(|it| (75..=125).contains(it)),
        "{pitches:?}"
    );
    // At 200, 255, 55, 0, 200, 255: it turns at the second update and every fourth after that.
    for four in pitches[1..37].chunks_exact(4) {
        assert!(four.iter().all(|it| it == &four[0]), "{pitches:?}");
    }
    let mut chosen: Vec<i64> = pitches[1..].to_vec();
    chosen.dedup();
    assert!(chosen.len() > 5, "{pitches:?}");
}

#[test]
fn calls_raise_the_pitch_of_a_sound_that_counts_them() {
    // Preset 23: five steps of 36 from 75, at a speed of 88.
    let mut simulation = playing(Modulation {
        pitch: 255.0,
        start_pitch: 75.0,
        spin_up: 3.25,
        n_steps: 5,
        ..Modulation::new(100.0)
    });
    let mut pitches = Vec::new();
    for _ in 0..7 {
        pass(&mut simulation, 30 * UPDATE, &mut Boxes::default());
        pitches.push(heard(&simulation)[0]);
        send(&mut simulation, "StopSound", "");
    }
    assert_eq!(pitches, [111, 147, 183, 219, 255, 255, 255]);
    assert!(moment(&simulation).is_on, "it never stops");
}
