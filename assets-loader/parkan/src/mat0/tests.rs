use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

proof! {
    Mat0 {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_material(),
        growth: 16,
        runs: 2_000,
        records: records(),
        context: |material| MaterialVersion(material.version),
        also: |material, _| {
            let _track = material.first_track();
            let _phase = material.microtexture_phase();
        },
    }
}

fn phase(texture: &[u8; 16]) -> Phase {
    Phase {
        ambient: [1, 2, 3, 100],
        diffuse: [4, 5, 6, 7],
        specular: [8, 9, 10, 11],
        emissive: [12, 13, 14, 15],
        power: 16,
        cell: -2,
        texture: *texture,
    }
}

#[rustfmt::skip]
const PHASE: [u8; 34] = [
    1, 2, 3, 100, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 254,
    b'L', b'0', b'5', b'.', b'0', 0, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD,
];
const TEXTURE: &[u8; 16] = b"L05.0\0\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD";

fn plain(version: u32) -> Mat0 {
    Mat0 {
        version,
        class: 0xFF,
        unknown_05: 0xFF,
        speed_factor: 1.0,
        damage_per_sec: 0.0,
        phases: vec![phase(TEXTURE)],
        tracks: Vec::new(),
    }
}

fn animated() -> Mat0 {
    let key = |phase, end_ms, unknown_4| TrackKey {
        phase,
        end_ms,
        unknown_4,
    };
    Mat0 {
        class: 2,
        unknown_05: 6,
        speed_factor: 0.5,
        damage_per_sec: 1000.0,
        tracks: vec![Track {
            head: 0x11,
            keys: vec![key(0, 500, 0), key(0, 0x1234, 7)],
        }],
        ..plain(6)
    }
}

/// The first phase and the first key of each file that has one.
fn records() -> Vec<RecordPlace> {
    let places = facts().into_iter().flat_map(|Fact { value, bytes, .. }| {
        let material = value.unwrap();
        let phase = material.phases.first().copied();
        let mut keys = material.tracks.iter().flat_map(|it| &it.keys);
        let key = keys.next().copied();
        let phase = phase.map(|phase| RecordPlace::from_value(&bytes, &phase, ()));
        [
            phase,
            key.map(|key| RecordPlace::from_value(&bytes, &key, ())),
        ]
    });
    places.flatten().collect()
}

/// Bytes typed from the dossier's table.
fn facts() -> Vec<Fact<Mat0>> {
    let with_phase = |head: &[u8]| [head, &PHASE].concat();
    let rows = [
        (
            "no phase",
            Mat0 {
                phases: Vec::new(),
                ..plain(0)
            },
            vec![0, 0, 0, 0],
        ),
        (
            "version 1 stores counts only",
            plain(1),
            with_phase(&[1, 0, 0, 0]),
        ),
        (
            "version 2 adds the class and a byte",
            Mat0 {
                class: 2,
                unknown_05: 6,
                ..plain(2)
            },
            with_phase(&[1, 0, 0, 0, 2, 6]),
        ),
        (
            "version 3 adds the speed factor",
            Mat0 {
                speed_factor: 0.5,
                ..plain(3)
            },
            with_phase(&[1, 0, 0, 0, 255, 255, 0, 0, 0, 0x3F]),
        ),
        (
            "version 4 adds the damage",
            Mat0 {
                damage_per_sec: 1000.0,
                ..plain(4)
            },
            with_phase(&[1, 0, 0, 0, 255, 255, 0, 0, 0x80, 0x3F, 0, 0, 0x7A, 0x44]),
        ),
        (
            "version 6 with a track",
            animated(),
            [
                &with_phase(&[1, 0, 1, 0, 2, 6, 0, 0, 0, 0x3F, 0, 0, 0x7A, 0x44])[..],
                &[0x11, 0, 0, 0, 2, 0],
                &[0, 0, 0xF4, 0x01, 0, 0],
                &[0, 0, 0x34, 0x12, 7, 0],
            ]
            .concat(),
        ),
    ];
    let fact = |(name, value, bytes): (_, Mat0, Vec<u8>)| {
        let version = MaterialVersion(value.version);
        Fact::new(name, value, bytes).with_context(version)
    };
    rows.map(fact).into()
}

#[test]
fn heads_split_into_mode_and_mask() {
    let head = |head| Track {
        head,
        keys: Vec::new(),
    };
    assert_eq!(head(0).mode(), Some(TrackMode::Loop));
    assert_eq!(head(0x11).mode(), Some(TrackMode::PingPong));
    assert_eq!(head(0x11).interpolation_mask(), 2);
    assert_eq!(head(2).mode(), Some(TrackMode::Clamp));
    assert_eq!(head(3).mode(), Some(TrackMode::Random));
    assert_eq!(head(4).mode(), None);
}

#[test]
fn floats_keep_their_bits() {
    let quiet_nan_with_payload = 0xFFC1_2345;
    let mut mat = plain(6);
    mat.speed_factor = f32::from_bits(quiet_nan_with_payload);
    mat.damage_per_sec = -0.0;
    let back = Mat0::read(&mat.write().unwrap(), 6).unwrap();
    assert_eq!(back.speed_factor.to_bits(), quiet_nan_with_payload);
    assert_eq!(back.damage_per_sec.to_bits(), 0x8000_0000);
}

fn damage() -> Vec<Damage> {
    let good = facts().pop().unwrap().bytes;
    let rows: [(&str, usize, &[u8], &str, u64); 4] = [
        ("two phases more than fit", 0, &[3, 0], "phase count", 14),
        ("20 tracks", 2, &[20, 0], "track count", 2),
        ("hostile key count", 52, &[0xFF, 0xFF], "key count", 52),
        ("fewer tracks", 2, &[0, 0], "after the last track", 48),
    ];
    let damaged = rows.map(|(name, at, bytes, field, offset)| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        Damage::new(name, bad, field, offset)
    });
    damaged.into()
}

#[test]
fn values_that_a_version_does_not_store_are_not_written() {
    let refused = [
        (
            Mat0 {
                class: 5,
                ..plain(1)
            },
            "class and byte 5",
        ),
        (
            Mat0 {
                speed_factor: 0.5,
                ..plain(2)
            },
            "speed factor",
        ),
        (
            Mat0 {
                damage_per_sec: -0.0,
                ..plain(3)
            },
            "damage per second",
        ),
    ];
    for (mat, field) in refused {
        assert_eq!(mat.write().unwrap_err().field, field);
        assert!(Mat0 { version: 6, ..mat }.write().is_ok());
    }
    let mut mat = plain(6);
    mat.tracks = vec![
        Track {
            head: 0,
            keys: Vec::new()
        };
        20
    ];
    assert_eq!(mat.write().unwrap_err().field, "track count");
    mat.tracks.pop();
    assert!(mat.write().is_ok());
    mat.phases = vec![phase(TEXTURE); 65_536];
    assert_eq!(mat.write().unwrap_err().field, "phase count");
}

#[test]
fn broken_rules_are_found() {
    assert_eq!(plain(6).check(), []);
    let key = |end_ms| TrackKey {
        phase: 1,
        end_ms,
        unknown_4: 1,
    };
    let bad = Mat0 {
        version: 5,
        class: 11,
        unknown_05: 0,
        speed_factor: f32::NAN,
        phases: vec![phase(b"NODOTINSIXTEEN01")],
        tracks: vec![Track {
            head: 7,
            keys: vec![key(10), key(9)],
        }],
        ..plain(6)
    };
    let messages: Vec<_> = bad
        .check()
        .into_iter()
        .map(|finding| finding.message)
        .collect();
    assert_eq!(
        messages,
        [
            "version 5; all known files have 6",
            "class 11; known are 0 to 10, and 255 for none",
            "byte 5 is 0; all known files have 255",
            "speed factor or damage per second is not finite",
            "phase 0: texture name \"NODOTINSIXTEEN01\" has no dot (Bad texture name.)",
            "track 0: mode 7 is unknown",
            "track 0: a key names phase 1 of 1",
            "track 0: a key names phase 1 of 1",
            "track 0: word 4 of a key is 1",
            "track 0: word 4 of a key is 1",
            "track 0: a key ends before the one before it",
        ]
    );
}

/// A track of phase 0 whose keys end at these times.
fn timed(ends_ms: &[u16]) -> Mat0 {
    let key = |end_ms: &u16| TrackKey {
        phase: 0,
        end_ms: *end_ms,
        unknown_4: 0,
    };
    let mut mat = plain(6);
    mat.tracks = vec![Track {
        head: 0,
        keys: ends_ms.iter().map(key).collect(),
    }];
    mat
}

#[test]
fn keys_hold_the_end_of_their_interval() {
    // The dossier's example, HLP_RAY_R: a loop of 200 ms.
    let keys = [(0, 50), (1, 100), (2, 150), (1, 200)];
    let mut mat = timed(&keys.map(|(_, end_ms)| end_ms));
    for (key, (phase, _)) in mat.tracks[0].keys.iter_mut().zip(keys) {
        key.phase = phase;
    }
    let durations: Vec<_> = mat.tracks[0].durations_ms().collect();
    assert_eq!(durations, [(0, 50), (1, 50), (2, 50), (1, 50)]);
    // A key that ends before the one before it takes no time, and takes none from those after it.
    let durations = |ends_ms: &[u16]| -> Vec<u16> {
        let mat = timed(ends_ms);
        let durations = mat.tracks[0].durations_ms();
        durations.map(|(_, duration_ms)| duration_ms).collect()
    };
    assert_eq!(durations(&[100, 20, 130]), [100, 0, 30]);
    assert_eq!(durations(&[0, 0, u16::MAX]), [0, 0, u16::MAX]);
}

#[test]
fn the_microtexture_begins_the_second_track_or_the_only_one() {
    let mut mat = plain(6);
    assert_eq!(mat.microtexture_phase(), 0);
    mat.tracks = timed(&[10]).tracks;
    mat.tracks[0].keys[0].phase = 3;
    assert_eq!(mat.microtexture_phase(), 3);
    mat.tracks.extend(timed(&[10]).tracks);
    mat.tracks[1].keys[0].phase = 5;
    assert_eq!(mat.microtexture_phase(), 5);
}

#[test]
fn the_first_track_plays_or_says_why_not() {
    assert_eq!(plain(6).first_track(), Ok(None));
    let mut mat = timed(&[10]);
    let track = mat.tracks[0].clone();
    assert_eq!(mat.first_track(), Ok(Some(&track)));

    mat.tracks[0].head = 6;
    let unknown = TrackProblem::UnknownMode { mode: 6 };
    assert_eq!(mat.first_track(), Err(unknown));
    mat.tracks[0] = track.clone();
    mat.tracks[0].keys[0].phase = 1;
    let missing = TrackProblem::MissingPhase {
        phase: 1,
        n_phases: 1,
    };
    assert_eq!(mat.first_track(), Err(missing));
    mat.tracks[0].keys.clear();
    assert_eq!(mat.first_track(), Err(TrackProblem::NoKeys));
    let message = &mat.check()[0].message;
    assert_eq!(message, "track 0: it has no keys");
    mat.tracks[0] = track.clone();
    mat.tracks[0].keys = vec![track.keys[0]; 1024];
    assert!(mat.first_track().is_ok());
    mat.tracks[0].keys.push(track.keys[0]);
    let too_long = TrackProblem::TooLong { count: 1025 };
    assert_eq!(mat.first_track(), Err(too_long));

    // What is wrong with the others does not matter.
    mat.tracks.insert(0, track.clone());
    assert_eq!(mat.first_track(), Ok(Some(&track)));
}

prop_compose! {
    fn any_phase()(
        colors in any::<[[u8; 4]; 4]>(),
        bytes in any::<[u8; 2]>(),
        texture in any::<[u8; 16]>(),
    ) -> Phase {
        let [ambient, diffuse, specular, emissive] = colors;
        let [power, cell] = bytes;
        let cell = cell.cast_signed();
        Phase { ambient, diffuse, specular, emissive, power, cell, texture }
    }
}

prop_compose! {
    fn any_track()(
        head in any::<u32>(),
        keys in prop::collection::vec(any::<[u16; 3]>(), 0..5),
    ) -> Track {
        let key = |[phase, end_ms, unknown_4]: [u16; 3]| TrackKey { phase, end_ms, unknown_4 };
        Track { head, keys: keys.into_iter().map(key).collect() }
    }
}

prop_compose! {
    fn any_material()(
        version in 4u32..,
        bytes in any::<[u8; 2]>(),
        floats in any::<[f32; 2]>(),
        phases in prop::collection::vec(any_phase(), 0..4),
        tracks in prop::collection::vec(any_track(), 0..20),
    ) -> Mat0 {
        let [class, unknown_05] = bytes;
        let [speed_factor, damage_per_sec] = floats;
        Mat0 { version, class, unknown_05, speed_factor, damage_per_sec, phases, tracks }
    }
}
