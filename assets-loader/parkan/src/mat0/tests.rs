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
            let _animation = material.first_animation();
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
        texture_stage: 255,
        texture: *texture,
    }
}

#[rustfmt::skip]
const PHASE: [u8; 34] = [
    1, 2, 3, 100, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 255,
    b'L', b'0', b'5', b'.', b'0', 0, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD,
];
const TEXTURE: &[u8; 16] = b"L05.0\0\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD\xCD";

fn plain(version: u32) -> Mat0 {
    Mat0 {
        version,
        source_blend: 255,
        destination_blend: 255,
        alpha_multiplier: 1.0,
        emissive_intensity: 0.0,
        phases: vec![phase(TEXTURE)],
        animations: Vec::new(),
    }
}

fn animated() -> Mat0 {
    Mat0 {
        source_blend: 5,
        destination_blend: 6,
        alpha_multiplier: 0.5,
        emissive_intensity: 1000.0,
        animations: vec![Animation {
            head: 0x11,
            keys: vec![
                AnimationKey {
                    stage: 0,
                    duration_ms: 500,
                    unknown_4: 0,
                },
                AnimationKey {
                    stage: 0,
                    duration_ms: 0x1234,
                    unknown_4: 7,
                },
            ],
        }],
        ..plain(6)
    }
}

/// Bytes typed from the dossier's table.
/// The first phase and the first key of each file that has one.
fn records() -> Vec<RecordPlace> {
    let places = facts().into_iter().flat_map(|Fact { value, bytes, .. }| {
        let material = value.unwrap();
        let phase = material.phases.first().copied();
        let mut keys = material.animations.iter().flat_map(|it| &it.keys);
        let key = keys.next().copied();
        let phase = phase.map(|phase| RecordPlace::from_value(&bytes, &phase, ()));
        [
            phase,
            key.map(|key| RecordPlace::from_value(&bytes, &key, ())),
        ]
    });
    places.flatten().collect()
}

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
            "version 2 adds blend codes",
            Mat0 {
                source_blend: 5,
                destination_blend: 6,
                ..plain(2)
            },
            with_phase(&[1, 0, 0, 0, 5, 6]),
        ),
        (
            "version 3 adds the alpha multiplier",
            Mat0 {
                alpha_multiplier: 0.5,
                ..plain(3)
            },
            with_phase(&[1, 0, 0, 0, 255, 255, 0, 0, 0, 0x3F]),
        ),
        (
            "version 4 adds the emissive intensity",
            Mat0 {
                emissive_intensity: 1000.0,
                ..plain(4)
            },
            with_phase(&[1, 0, 0, 0, 255, 255, 0, 0, 0x80, 0x3F, 0, 0, 0x7A, 0x44]),
        ),
        (
            "version 6 with an animation",
            animated(),
            [
                &with_phase(&[1, 0, 1, 0, 5, 6, 0, 0, 0, 0x3F, 0, 0, 0x7A, 0x44])[..],
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
    let head = |head| Animation {
        head,
        keys: Vec::new(),
    };
    assert_eq!(head(0).mode(), Some(AnimationMode::Loop));
    assert_eq!(head(0x11).mode(), Some(AnimationMode::PingPong));
    assert_eq!(head(0x11).interpolation_mask(), 2);
    assert_eq!(head(2).mode(), Some(AnimationMode::Clamp));
    assert_eq!(head(3).mode(), Some(AnimationMode::Random));
    assert_eq!(head(4).mode(), None);
}

#[test]
fn floats_keep_their_bits() {
    let quiet_nan_with_payload = 0xFFC1_2345;
    let mut mat = plain(6);
    mat.alpha_multiplier = f32::from_bits(quiet_nan_with_payload);
    mat.emissive_intensity = -0.0;
    let back = Mat0::read(&mat.write().unwrap(), 6).unwrap();
    assert_eq!(back.alpha_multiplier.to_bits(), quiet_nan_with_payload);
    assert_eq!(back.emissive_intensity.to_bits(), 0x8000_0000);
}

fn damage() -> Vec<Damage> {
    let good = facts().pop().unwrap().bytes;
    let rows: [(&str, usize, &[u8], &str, u64); 4] = [
        ("two phases more than fit", 0, &[3, 0], "phase count", 14),
        ("20 animations", 2, &[20, 0], "animation count", 2),
        ("hostile key count", 52, &[0xFF, 0xFF], "key count", 52),
        (
            "fewer animations",
            2,
            &[0, 0],
            "after the last animation",
            48,
        ),
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
                source_blend: 5,
                ..plain(1)
            },
            "blend codes",
        ),
        (
            Mat0 {
                alpha_multiplier: 0.5,
                ..plain(2)
            },
            "alpha multiplier",
        ),
        (
            Mat0 {
                emissive_intensity: -0.0,
                ..plain(3)
            },
            "emissive intensity",
        ),
    ];
    for (mat, field) in refused {
        assert_eq!(mat.write().unwrap_err().field, field);
        assert!(Mat0 { version: 6, ..mat }.write().is_ok());
    }
    let mut mat = plain(6);
    mat.animations = vec![
        Animation {
            head: 0,
            keys: Vec::new()
        };
        20
    ];
    assert_eq!(mat.write().unwrap_err().field, "animation count");
    mat.animations.pop();
    assert!(mat.write().is_ok());
    mat.phases = vec![phase(TEXTURE); 65_536];
    assert_eq!(mat.write().unwrap_err().field, "phase count");
}

#[test]
fn broken_rules_are_found() {
    assert_eq!(plain(6).check(), []);
    let bad = Mat0 {
        version: 5,
        source_blend: 14,
        destination_blend: 0,
        alpha_multiplier: f32::NAN,
        phases: vec![phase(b"NODOTINSIXTEEN01")],
        animations: vec![Animation {
            head: 7,
            keys: vec![AnimationKey {
                stage: 1,
                duration_ms: 0,
                unknown_4: 1,
            }],
        }],
        ..plain(6)
    };
    let messages: Vec<_> = bad
        .check()
        .into_iter()
        .map(|finding| finding.message)
        .collect();
    assert_eq!(messages.len(), 8, "{messages:#?}");
    assert!(messages.contains(&"animation 0: a key names phase 1 of 1".to_owned()));
}

/// An animation of phase 0 with these times.
fn timed(durations_ms: &[u16]) -> Mat0 {
    let key = |duration_ms: &u16| AnimationKey {
        stage: 0,
        duration_ms: *duration_ms,
        unknown_4: 0,
    };
    let mut mat = plain(6);
    mat.animations = vec![Animation {
        head: 0,
        keys: durations_ms.iter().map(key).collect(),
    }];
    mat
}

#[test]
fn times_that_could_be_moments_are_noted() {
    // Q-T3: they begin at 0, never decrease, and the last is more than half of their sum.
    let rows: [(&[u16], Option<[&str; 2]>); 8] = [
        (&[0, 100], Some(["100 ms", "100 ms"])),
        (&[0, 30, 30, 100], Some(["160 ms", "100 ms"])),
        (&[0, 50, 50], None),
        (&[0, 100, 20], None),
        (&[1, 10, 100], None),
        (&[40, 40, 40], None),
        (&[0, 0], None),
        (&[0], None),
    ];
    for (times, readings) in rows {
        let findings = timed(times).check();
        match readings {
            None => assert_eq!(findings, [], "{times:?}"),
            Some([cycle, end]) => {
                assert_eq!(findings.len(), 1, "{times:?}: {findings:?}");
                assert_eq!(findings[0].severity, Severity::Note);
                let message = &findings[0].message;
                let both = format!("a cycle of {cycle}; read as moments they would end at {end}");
                assert!(message.contains(&both), "{times:?}: {message}");
            }
        }
    }
}

#[test]
fn the_first_animation_plays_or_says_why_not() {
    assert_eq!(plain(6).first_animation(), Ok(None));
    let mut mat = timed(&[10]);
    let animation = mat.animations[0].clone();
    assert_eq!(mat.first_animation(), Ok(Some(&animation)));

    mat.animations[0].head = 6;
    let unknown = AnimationProblem::UnknownMode { mode: 6 };
    assert_eq!(mat.first_animation(), Err(unknown));
    mat.animations[0] = animation.clone();
    mat.animations[0].keys[0].stage = 1;
    let missing = AnimationProblem::MissingPhase {
        phase: 1,
        n_phases: 1,
    };
    assert_eq!(mat.first_animation(), Err(missing));
    mat.animations[0].keys.clear();
    assert_eq!(mat.first_animation(), Err(AnimationProblem::NoKeys));
    let message = &mat.check()[0].message;
    assert_eq!(message, "animation 0: it has no keys");
    mat.animations[0] = animation.clone();
    mat.animations[0].keys = vec![animation.keys[0]; 1024];
    assert!(mat.first_animation().is_ok());
    mat.animations[0].keys.push(animation.keys[0]);
    let too_long = AnimationProblem::TooLong { count: 1025 };
    assert_eq!(mat.first_animation(), Err(too_long));

    // What is wrong with the others does not matter.
    mat.animations.insert(0, animation.clone());
    assert_eq!(mat.first_animation(), Ok(Some(&animation)));
}

prop_compose! {
    fn any_phase()(
        colors in any::<[[u8; 4]; 4]>(),
        bytes in any::<[u8; 2]>(),
        texture in any::<[u8; 16]>(),
    ) -> Phase {
        let [ambient, diffuse, specular, emissive] = colors;
        let [power, texture_stage] = bytes;
        Phase { ambient, diffuse, specular, emissive, power, texture_stage, texture }
    }
}

prop_compose! {
    fn any_animation()(
        head in any::<u32>(),
        keys in prop::collection::vec(any::<[u16; 3]>(), 0..5),
    ) -> Animation {
        let key = |[stage, duration_ms, unknown_4]: [u16; 3]| AnimationKey { stage, duration_ms, unknown_4 };
        Animation { head, keys: keys.into_iter().map(key).collect() }
    }
}

prop_compose! {
    fn any_material()(
        version in 4u32..,
        blends in any::<[u8; 2]>(),
        floats in any::<[f32; 2]>(),
        phases in prop::collection::vec(any_phase(), 0..4),
        animations in prop::collection::vec(any_animation(), 0..20),
    ) -> Mat0 {
        let [source_blend, destination_blend] = blends;
        let [alpha_multiplier, emissive_intensity] = floats;
        Mat0 {
            version, source_blend, destination_blend, alpha_multiplier, emissive_intensity, phases, animations,
        }
    }
}
