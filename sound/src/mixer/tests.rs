//! What is heard, measured in the samples.

use ironlands_scene::{
    Affine, Anchor, ClipIdx, EmitterWindow, HourWindow, Scene, Sound, SoundClip, SoundPlay,
    SoundReach, SoundSource, SoundStart, SoundState,
};

use super::*;
use crate::SoundRecording;

const RATE: u32 = 22_050;
const FRAMES_PER_SEC: u32 = 30;

/// A WAV file of a tone of a second, 16 bits, one channel.
fn tone(hertz: f32) -> Arc<[u8]> {
    let mut file = Cursor::new(Vec::new());
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
    for i in 0..RATE {
        let phase = i as f32 / RATE as f32 * hertz * std::f32::consts::TAU;
        writer
            .write_sample((phase.sin() * 16_384.0) as i16)
            .unwrap();
    }
    writer.finalize().unwrap();
    file.into_inner().into()
}

fn place(x: f32, y: f32) -> SoundSource {
    let at = Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, 0.0]]);
    SoundSource::Around {
        anchor: Anchor::Place(at),
        reach: SoundReach {
            near: 10.0,
            far: 200.0,
        },
    }
}

fn scene(source: SoundSource, play: SoundPlay) -> Scene {
    Scene {
        clips: vec![SoundClip {
            name: "tone".to_owned(),
            file: tone(441.0),
        }],
        sounds: vec![Sound {
            name: "tone".to_owned(),
            clip: ClipIdx(0),
            source,
            play,
            gain: 1.0,
            rate: 1.0,
            hours: None,
        }],
        ..Scene::default()
    }
}

/// What is heard in some seconds: left and right samples. The listener looks along +x; `at` is where it is.
fn record(scene: &Scene, secs: u32, at: impl Fn(f64) -> Vec3, hour: Option<f32>) -> Vec<[f32; 2]> {
    scene.validate().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sound.wav");
    let mut recording = SoundRecording::create(&path, scene).unwrap();
    for frame in 0..=secs * FRAMES_PER_SEC {
        let secs = f64::from(frame) / f64::from(FRAMES_PER_SEC);
        let frame = SoundFrame {
            secs,
            hour,
            listener: Listener {
                position: at(secs),
                right: Vec3::NEG_Y,
            },
            world_from_nodes: &[],
            states: &[],
        };
        recording.advance(&frame).unwrap();
    }
    recording.finish(secs.into()).unwrap();
    let mut reader = hound::WavReader::open(&path).unwrap();
    let samples: Vec<i16> = reader.samples::<i16>().map(Result::unwrap).collect();
    let (pairs, _) = samples.as_chunks::<2>();
    assert_eq!(pairs.len() as u32, secs * reader.spec().sample_rate);
    (pairs.iter())
        .map(|pair| pair.map(|it| f32::from(it) / 32_767.0))
        .collect()
}

/// Root mean square of each side within a span of seconds.
fn loudness(samples: &[[f32; 2]], from: f64, to: f64) -> [f32; 2] {
    let [from, to] = [from, to].map(|secs| (secs * 44_100.0) as usize);
    let span = &samples[from..to];
    [0, 1].map(|side| {
        let sum: f32 = span.iter().map(|pair| pair[side] * pair[side]).sum();
        (sum / span.len() as f32).sqrt()
    })
}

/// How often the left side rises through zero in a second, in a span of seconds.
fn pitch(samples: &[[f32; 2]], from: f64, to: f64) -> f64 {
    let [first, last] = [from, to].map(|secs| (secs * 44_100.0) as usize);
    let rises = samples[first..last].windows(2);
    let n = rises.filter(|it| it[0][0] <= 0.0 && it[1][0] > 0.0).count();
    n as f64 / (to - from)
}

fn still(_: f64) -> Vec3 {
    Vec3::ZERO
}

fn assert_near(found: f32, expected: f32) {
    assert!(
        (found - expected).abs() <= 0.02 * expected,
        "{found}, not {expected}"
    );
}

#[test]
fn loudness_falls_with_distance() {
    // Half of full scale: the root mean square of a sine is less by the root of two. The middle of two sides keeps it.
    let full = 0.5 / 2_f32.sqrt();
    for (x, share) in [(5.0, 1.0), (20.0, 0.5), (80.0, 0.125), (300.0, 0.0)] {
        let heard = record(
            &scene(place(x, 0.0), SoundPlay::Loop(vec![])),
            1,
            still,
            None,
        );
        let [left, right] = loudness(&heard, 0.3, 0.9);
        assert_near(left, full * share);
        assert_near(right, full * share);
    }
}

#[test]
fn what_stands_on_the_left_is_louder_on_the_left() {
    for (y, left_is_louder) in [(20.0, true), (-20.0, false)] {
        let heard = record(
            &scene(place(0.0, y), SoundPlay::Loop(vec![])),
            1,
            still,
            None,
        );
        let [left, right] = loudness(&heard, 0.3, 0.9);
        let (near, far) = if left_is_louder {
            (left, right)
        } else {
            (right, left)
        };
        assert!(near > 2.0 * far && far > 0.0, "{left} {right}");
    }
}

#[test]
fn loops_are_heard_in_their_windows_and_hours() {
    let window = EmitterWindow {
        start_secs: 0.5,
        duration_secs: 0.5,
        period_secs: Some(1.5),
    };
    let mut scene = scene(SoundSource::Everywhere, SoundPlay::Loop(vec![window]));
    let heard = record(&scene, 3, still, None);
    // Seconds; changes take 30 ms and begin with a frame.
    for (from, to, is_heard) in [
        (0.0, 0.5, false),
        (0.6, 1.0, true),
        (1.15, 2.0, false),
        (2.1, 2.5, true),
        (2.65, 3.0, false),
    ] {
        let [left, _] = loudness(&heard, from, to);
        assert_eq!(left > 0.3, is_heard, "{from}: {left}");
        assert_eq!(left == 0.0, !is_heard, "{from}: {left}");
    }
    scene.sounds[0].hours = Some(HourWindow {
        from: 20.0,
        to: 6.0,
    });
    let by_day = record(&scene, 1, still, Some(12.0));
    assert!(by_day.iter().all(|it| *it == [0.0; 2]));
    let by_night = record(&scene, 1, still, Some(23.0));
    assert!(loudness(&by_night, 0.6, 1.0)[0] > 0.3);
}

#[test]
fn a_sound_that_starts_is_heard_to_its_end() {
    let start = SoundStart {
        at_secs: 0.5,
        period_secs: Some(2.0),
    };
    let heard = record(
        &scene(place(1.0, 0.0), SoundPlay::Once(vec![start])),
        4,
        still,
        None,
    );
    for (from, to, is_heard) in [
        (0.0, 0.5, false),
        (0.55, 1.5, true),
        (1.6, 2.5, false),
        (2.55, 3.5, true),
        (3.6, 4.0, false),
    ] {
        let [left, _] = loudness(&heard, from, to);
        assert_eq!(left > 0.3, is_heard, "{from}: {left}");
        assert_eq!(left == 0.0, !is_heard, "{from}: {left}");
    }
}

#[test]
fn what_is_neared_is_heard_higher() {
    let mut scene = scene(place(100.0, 0.0), SoundPlay::Loop(vec![]));
    let hertz = [0.0, 300.0].map(|speed_of_sound| {
        scene.speed_of_sound = speed_of_sound;
        // 60 a second toward it.
        let heard = record(
            &scene,
            1,
            |secs| Vec3::new(60.0 * secs as f32, 0.0, 0.0),
            None,
        );
        pitch(&heard, 0.3, 0.9)
    });
    assert!((hertz[0] - 441.0).abs() < 4.0, "{hertz:?}");
    assert!((hertz[1] - 441.0 * 300.0 / 240.0).abs() < 6.0, "{hertz:?}");
}

#[test]
fn rates_change_the_pitch() {
    let mut scene = scene(SoundSource::Everywhere, SoundPlay::Loop(vec![]));
    scene.sounds[0].rate = 0.5;
    let heard = record(&scene, 1, still, None);
    assert!((pitch(&heard, 0.1, 0.9) - 220.5).abs() < 4.0);
}

#[test]
fn sounds_follow_the_nodes_that_carry_them() {
    let carried = |scene: &mut Scene| {
        scene.models = vec![ironlands_scene::Model {
            nodes: vec![ironlands_scene::ModelNode::default()],
            ..Default::default()
        }];
        scene.instances = vec![ironlands_scene::Instance::default()];
        scene.sounds[0].source = SoundSource::Around {
            anchor: Anchor::Node {
                instance: 0,
                node: 0,
                node_from_emitter: Affine::IDENTITY,
            },
            reach: SoundReach {
                near: 10.0,
                far: 200.0,
            },
        };
    };
    let mut scene = scene(SoundSource::Everywhere, SoundPlay::Loop(vec![]));
    carried(&mut scene);
    let mut mixer = Mixer::<crate::Capture>::new(&scene).unwrap();
    let hear = |nodes: &[Affine]| {
        let frame = SoundFrame {
            secs: 0.0,
            hour: None,
            listener: Listener::default(),
            world_from_nodes: nodes,
            states: &[],
        };
        mixer.voices[0].place.hear(&frame, Vec3::ZERO).gain
    };
    let at = |x| {
        Affine([
            [1.0, 0.0, 0.0, x],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ])
    };
    assert_eq!(hear(&[]), 1.0, "at rest");
    assert_eq!(hear(&[at(40.0)]), 0.25);
    mixer.set_volume(0.5);
}

#[test]
fn a_sound_that_is_carried_is_heard_where_it_is() {
    let around = SoundSource::Around {
        anchor: Anchor::Place(Affine::IDENTITY),
        reach: SoundReach {
            near: 10.0,
            far: 200.0,
        },
    };
    let mut mixer = Mixer::<crate::Capture>::new(&scene(around, SoundPlay::Loop(vec![]))).unwrap();
    let mut is_heard = |secs, moved| {
        let state = SoundState {
            moved,
            ..SoundState::default()
        };
        mixer.update(&SoundFrame {
            secs,
            hour: None,
            listener: Listener::default(),
            world_from_nodes: &[],
            states: &[state],
        });
        mixer.n_playing() == 1
    };
    assert!(is_heard(0.0, [0.0; 3]));
    assert!(is_heard(0.1, [0.0, 150.0, 0.0]));
    assert!(!is_heard(0.2, [0.0, 0.0, 250.0]));
}

#[test]
fn states_switch_loops_and_call_sounds() {
    let mut scene = scene(SoundSource::Everywhere, SoundPlay::Loop(vec![]));
    scene.sounds.push(Sound {
        play: SoundPlay::OnCall,
        ..scene.sounds[0].clone()
    });
    let heard = |state: &dyn Fn(f64) -> [SoundState; 2]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sound.wav");
        let mut recording = SoundRecording::create(&path, &scene).unwrap();
        for frame in 0..=4 * FRAMES_PER_SEC {
            let secs = f64::from(frame) / f64::from(FRAMES_PER_SEC);
            let frame = SoundFrame {
                secs,
                hour: None,
                listener: Listener::default(),
                world_from_nodes: &[],
                states: &state(secs),
            };
            recording.advance(&frame).unwrap();
        }
        recording.finish(4.0).unwrap();
        let mut reader = hound::WavReader::open(&path).unwrap();
        let samples: Vec<i16> = reader.samples::<i16>().map(Result::unwrap).collect();
        let pairs = samples.as_chunks::<2>().0.iter();
        let samples: Vec<[f32; 2]> = pairs
            .map(|it| it.map(|it| f32::from(it) / 32_767.0))
            .collect();
        [0.3, 1.3, 2.3, 3.3].map(|from| loudness(&samples, from, from + 0.4)[0])
    };
    let off = SoundState {
        is_on: false,
        ..SoundState::default()
    };
    let half = SoundState {
        gain: 0.5,
        ..SoundState::default()
    };
    let [full, silent, halved, again] = heard(&|secs| match secs as u32 {
        1 => [off, off],
        2 => [half, off],
        _ => [SoundState::default(), off],
    });
    assert_eq!(silent, 0.0);
    assert_near(halved, 0.5 * full);
    assert_near(again, full);
    // Called at 0 s, 1 s and 3 s; a clip is as long as a second.
    let [first, called, after, again] = heard(&|secs| {
        let n_calls = [4, 5, 5, 6, 6][secs as usize];
        let state = SoundState {
            n_calls,
            ..SoundState::default()
        };
        [off, state]
    });
    assert_near(first, full);
    assert_eq!(after, 0.0);
    assert_near(called, full);
    assert_near(again, full);
}

#[test]
fn a_long_frame_cuts_no_sound_and_time_that_goes_back_does() {
    let scene = scene(SoundSource::Everywhere, SoundPlay::OnCall);
    let mut mixer = Mixer::<crate::Capture>::new(&scene).unwrap();
    let mut n_playing = |secs, n_calls| {
        let state = SoundState {
            n_calls,
            ..SoundState::default()
        };
        mixer.update(&SoundFrame {
            secs,
            hour: None,
            listener: Listener::default(),
            world_from_nodes: &[],
            states: &[state],
        });
        mixer.n_playing()
    };
    assert_eq!([n_playing(0.9, 3), n_playing(1.0, 4)], [0, 1]);
    // Longer than a frame: what plays continues, and nothing begins.
    assert_eq!([n_playing(1.8, 4), n_playing(5.0, 5)], [1, 1]);
    assert_eq!([n_playing(3.0, 4), n_playing(3.1, 5)], [0, 1]);
    assert_eq!(n_playing(0.0, 0), 0);
}

#[test]
fn a_clip_that_cannot_be_decoded_is_silent() {
    let mut scene = scene(SoundSource::Everywhere, SoundPlay::Loop(vec![]));
    for file in [
        &b""[..],
        b"RIFF",
        b"no sound at all, but long enough to look at",
    ] {
        scene.clips[0].file = file.into();
        let heard = record(&scene, 1, still, None);
        assert!(heard.iter().all(|it| *it == [0.0; 2]));
    }
}

#[test]
fn only_the_loudest_of_very_many_are_heard() {
    let one = scene(place(20.0, 0.0), SoundPlay::Loop(vec![]));
    let mut scene = one.clone();
    for index in 0..200 {
        let mut sound = one.sounds[0].clone();
        sound.source = place(20.0 + index as f32 * 0.1, 0.0);
        scene.sounds.push(sound);
    }
    let mut mixer = Mixer::<crate::Capture>::new(&scene).unwrap();
    for secs in [0.0, 0.03] {
        mixer.update(&SoundFrame {
            secs,
            hour: None,
            listener: Listener::default(),
            world_from_nodes: &[],
            states: &[],
        });
    }
    assert_eq!(mixer.n_playing(), MAX_VOICES);
}
