use std::path::Path;

use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::format::{ConversionOptions, ConversionRequest};
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof, set32};

/// Where things of [`bytes`] stand: section, keyframe and its slots.
const SECTION: usize = 12;
const KEYFRAME: usize = SECTION + 72;
const SLOTS: usize = KEYFRAME + 40;
const TEXTS: usize = SLOTS + 88;
const NUMBERS: usize = TEXTS + 6 * 4 + 3;
const SOUNDS: usize = NUMBERS + 16;
const START: usize = SOUNDS + 4 + 4 + 5;

proof! {
    Ske {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_sky(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_file::<SkyTime>(&bytes(3), KEYFRAME + 4, ()).refused_from(0),
            RecordPlace::from_file::<Slots>(&bytes(3), SLOTS, ()).refused_from(0),
        ],
        also: |sky, _| drop(sky.to_json()),
    }
}

fn time_bytes(hour: u32, minute: u32) -> Vec<u8> {
    [0, 0, 0, hour, minute, 0, 0, 0]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect()
}

fn slots() -> Slots {
    let four = |first: u8| [0, 1, 2, 3].map(|k| [first + k, 0, 0, 255]);
    Slots {
        unknown_00: [0xCD; 4],
        horizon: four(1),
        fog_start: 0.1,
        fog_end: 1.0,
        ring_3: four(7),
        ring_2: four(11),
        apex: [15, 16, 17, 128],
        unknown_40: [0; 4],
        flare: [0, 0, 0, 17],
        clouds: [18, 18, 18, 18],
        sun: [100, 150, 200, 0],
        scene: [30, 45, 60, 0],
        counter: [30, 45, 60, 0],
    }
}

fn slots_bytes() -> Vec<u8> {
    let four = |first: u8| {
        (0..4)
            .flat_map(move |k| [first + k, 0, 0, 255])
            .collect::<Vec<u8>>()
    };
    let parts = [
        vec![0xCD; 4],
        four(1),
        0.1_f32.to_le_bytes().to_vec(),
        vec![0, 0, 0x80, 0x3F],
        four(7),
        four(11),
        vec![15, 16, 17, 128, 0, 0, 0, 0, 0, 0, 0, 17, 18, 18, 18, 18],
        vec![100, 150, 200, 0, 30, 45, 60, 0, 30, 45, 60, 0],
    ];
    parts.concat()
}

fn keyframe(version: u32) -> Keyframe {
    Keyframe {
        version,
        time: SkyTime::at(6, 30),
        opcode: 0,
        slots: slots(),
        texts: [b"sun".to_vec(), vec![], vec![], vec![], vec![], vec![]],
        numbers: [1.0, 0.5, 1.0, 0.5],
        sounds: if version == 3 {
            vec![b"a.wav".to_vec()]
        } else {
            Vec::new()
        },
    }
}

fn sky(version: u32) -> Ske {
    Ske {
        sections: vec![SkySection {
            unknown_00: 1,
            end: SkyTime::at(23, 59),
            day: SkyTime::at(0, 15),
            keyframes: vec![keyframe(version)],
        }],
        start: SkyTime::at(9, 5),
        unknown_word: 0,
        flag: 1,
    }
}

fn bytes(version: u32) -> Vec<u8> {
    let word = |value: u32| value.to_le_bytes().to_vec();
    let mut slots = slots_bytes();
    if version == 1 {
        slots.truncate(80);
    }
    let sounds = match version {
        3 => [word(1), word(5), b"a.wav".to_vec()].concat(),
        _ => Vec::new(),
    };
    let numbers = [1.0_f32, 0.5, 1.0, 0.5];
    let parts = [
        vec![0xFF; 4],
        word(5),
        word(1),
        word(1),
        word(1),
        time_bytes(23, 59),
        time_bytes(0, 15),
        word(version),
        time_bytes(6, 30),
        word(0),
        slots,
        word(3),
        b"sun".to_vec(),
        vec![0; 20],
        numbers.into_iter().flat_map(f32::to_le_bytes).collect(),
        sounds,
        time_bytes(9, 5),
        word(0),
        word(1),
    ];
    parts.concat()
}

fn facts() -> Vec<Fact<Ske>> {
    vec![
        Fact::new("version 3", sky(3), bytes(3)),
        Fact::new("version 2", sky(2), bytes(2)),
        Fact::new("version 1", sky(1), bytes(1)),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &bytes(3),
        [
            (|it| it[0] = 0, "head", 0),
            (|it| set32(it, 8, u32::MAX), "section count", 8),
            (
                |it| set32(it, SECTION + 4, 9),
                "keyframe count",
                SECTION as u64 + 4,
            ),
            (
                |it| set32(it, KEYFRAME, 0),
                "keyframe version",
                KEYFRAME as u64,
            ),
            (
                |it| set32(it, KEYFRAME, 4),
                "keyframe version",
                KEYFRAME as u64,
            ),
            (|it| set32(it, TEXTS, 1 << 20), "text length", TEXTS as u64),
            (
                |it| set32(it, SOUNDS, 1 << 20),
                "sound count",
                SOUNDS as u64,
            ),
            (
                |it| set32(it, SOUNDS + 4, 1 << 20),
                "sound length",
                SOUNDS as u64 + 4,
            ),
            (
                |it| it.truncate(START + 30),
                "unread end",
                START as u64 + 28,
            ),
            (|it| it.push(0), "after the flag", START as u64 + 40),
        ],
    )
}

#[test]
fn more_than_sixteen_sections_are_refused() {
    let section = sky(3).sections[0].clone();
    let many = Ske {
        sections: vec![section; 17],
        ..sky(3)
    };
    assert_eq!(many.write().unwrap_err().field, "section count");
}

#[test]
fn what_a_version_does_not_store_is_not_written() {
    let refused = |version, change: fn(&mut Keyframe)| {
        let mut sky = sky(version);
        change(&mut sky.sections[0].keyframes[0]);
        sky.write().unwrap_err().field.into_owned()
    };
    assert_eq!(refused(1, |it| it.slots.scene[0] = 0), "scene color");
    assert_eq!(refused(2, |it| it.sounds.push(vec![])), "sound count");
    assert_eq!(refused(3, |it| it.version = 4), "keyframe version");
}

#[test]
fn opcodes_are_events() {
    let event = |opcode| {
        Keyframe {
            opcode,
            ..keyframe(3)
        }
        .event()
    };
    assert_eq!(event(0), SkyEvent::Sun { begins: true });
    assert_eq!(event(4), SkyEvent::Rain { begins: false });
    assert_eq!(event(5), SkyEvent::Snow { begins: true });
    assert_eq!(event(9), SkyEvent::Lightning { begins: false });
    assert_eq!([2, 7, 10].map(event), [SkyEvent::None; 3]);
    assert!(!keyframe(3).is_moon());
    assert_eq!(
        (SkyTime::at(6, 30).hours(), sky(3).sections[0].day_secs()),
        (6.5, 900.0)
    );
}

#[test]
fn what_no_known_sky_has_is_found() {
    assert_eq!(sky(3).check(), []);
    let mut bad = sky(3);
    let section = &mut bad.sections[0];
    section.day = SkyTime::default();
    section.keyframes.push(Keyframe {
        time: SkyTime::at(24, 0),
        opcode: 10,
        numbers: [f32::NAN; 4],
        slots: Slots {
            fog_end: 0.0,
            ..slots()
        },
        ..keyframe(3)
    });
    section.keyframes.push(keyframe(3));
    let severities: Vec<_> = bad.check().iter().map(|it| it.severity).collect();
    use Severity::{Error, Note, Warning};
    let expected = [Warning, Warning, Warning, Warning, Error, Note];
    assert_eq!(severities, expected, "{:#?}", bad.check());
    assert_eq!(Ske::default().check().len(), 1);
}

#[test]
fn json_comes_back_byte_for_byte_and_says_what_it_cannot_hold() {
    let [json] = Ske::conversions() else {
        panic!("one conversion");
    };
    let options = ConversionOptions::default();
    let request = ConversionRequest {
        file: Path::new("sky.ske"),
        interchange: Path::new("sky.json"),
        options: &options,
    };
    for version in [1, 2, 3] {
        let data = bytes(version);
        let exported = (json.export.unwrap())(&data, &request).unwrap();
        let (path, text) = &exported.files[0];
        assert_eq!(path, Path::new("sky.json"));
        assert_eq!(
            (json.import.unwrap())(text, &request).unwrap(),
            data,
            "{version}"
        );
    }
    let mut endless = sky(3);
    endless.sections[0].keyframes[0].numbers[0] = f32::INFINITY;
    let found = endless.check();
    assert!(found[0].severity == Severity::Error && found[0].offset > Some(0));
    assert!((json.export.unwrap())(&endless.write().unwrap(), &request).is_err());
    assert!((json.import.unwrap())(b"{}", &request).is_err());
}

prop_compose! {
    fn any_keyframe()(
        version in 2u32..=3,
        words in any::<[u32; 9]>(),
        noise in any::<[u8; 32]>(),
        more in any::<[u8; 32]>(),
        last in any::<[u8; 24]>(),
        texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..5), 6),
        numbers in any::<[f32; 4]>(),
        sounds in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..5), 0..3),
    ) -> Keyframe {
        let slots = [&noise[..], &more, &last].concat();
        let time: Vec<u8> = words[..8].iter().flat_map(|it| it.to_le_bytes()).collect();
        Keyframe {
            version,
            time: SkyTime::read(&mut Reader::new(FORMAT, &time), ()).unwrap(),
            opcode: words[8],
            slots: Slots::read(&mut Reader::new(FORMAT, &slots), ()).unwrap(),
            texts: texts.try_into().unwrap(),
            numbers,
            sounds: if version == 3 { sounds } else { Vec::new() },
        }
    }
}

prop_compose! {
    fn any_sky()(
        keyframes in prop::collection::vec(prop::collection::vec(any_keyframe(), 0..4), 0..3),
        unknown_word in any::<u32>(),
        flag in any::<u32>(),
    ) -> Ske {
        let section = |keyframes| SkySection {
            unknown_00: 1,
            end: SkyTime::at(23, 59),
            day: SkyTime::at(24, 0),
            keyframes,
        };
        Ske {
            sections: keyframes.into_iter().map(section).collect(),
            start: SkyTime::at(12, 0),
            unknown_word,
            flag,
        }
    }
}
