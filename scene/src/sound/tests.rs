use super::*;

#[test]
fn sounds_halve_with_each_doubling_of_the_distance() {
    let reach = SoundReach {
        near: 10.0,
        far: 100.0,
    };
    let rows = [
        (0.0, 1.0),
        (10.0, 1.0),
        (20.0, 0.5),
        (80.0, 0.125),
        (100.0, 0.0),
    ];
    for (distance, gain) in rows {
        assert_eq!(reach.gain_at(distance), gain, "{distance}");
    }
    let endless = SoundReach {
        far: f32::INFINITY,
        ..reach
    };
    assert_eq!(endless.gain_at(10_240.0), 10.0 / 10_240.0);
}

#[test]
fn each_start_is_in_one_of_the_spans_between_frames() {
    let rows: [(f32, Option<f32>, &[f64]); 4] = [
        (0.0, None, &[0.0]),
        (1.5, None, &[1.5]),
        (0.5, Some(2.0), &[0.5, 2.5, 4.5, 6.5, 8.5]),
        (12.0, Some(1.0), &[]),
    ];
    for (at_secs, period_secs, expected) in rows {
        let start = SoundStart {
            at_secs,
            period_secs,
        };
        for per_sec in [1, 7, 30] {
            let time = |frame: i32| f64::from(frame) / f64::from(per_sec);
            let found: Vec<i32> = (0..10 * per_sec)
                .filter(|frame| start.is_within(time(frame - 1), time(*frame)))
                .collect();
            let due = |secs: &f64| (secs * f64::from(per_sec)).ceil() as i32;
            let expected: Vec<i32> = expected.iter().map(due).collect();
            assert_eq!(found, expected, "{start:?} at {per_sec} a second");
        }
    }
}

#[test]
fn loops_play_while_a_window_is_open() {
    let window = |start_secs, duration_secs| EmitterWindow {
        start_secs,
        duration_secs,
        period_secs: Some(4.0),
    };
    let sound = |play| Sound {
        name: "hum".to_owned(),
        clip: ClipIdx(0),
        source: SoundSource::Everywhere,
        play,
        gain: 1.0,
        rate: 1.0,
        hours: None,
    };
    let always = sound(SoundPlay::Loop(Vec::new()));
    assert!(always.loops_at(0.0) && always.loops_at(1e6));
    assert!(!always.starts_within(0.0, 10.0));
    let at_times = sound(SoundPlay::Loop(vec![window(0.0, 1.0), window(2.0, 0.5)]));
    let found = [0.5, 1.5, 2.25, 3.0, 4.5].map(|secs| at_times.loops_at(secs));
    assert_eq!(found, [true, false, true, false, true]);
    let once = sound(SoundPlay::Once(vec![SoundStart {
        at_secs: 1.0,
        period_secs: None,
    }]));
    assert!(once.starts_within(0.5, 1.5) && !once.loops_at(1.0));
}
