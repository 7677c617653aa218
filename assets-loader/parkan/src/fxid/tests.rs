use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof, set32};

proof! {
    Fxid {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_effect(),
        growth: 96,
        runs: 1_000,
        records: [
            RecordPlace::from_fields(0, [("block count", 4)]),
            RecordPlace::new::<Header>(4, ()),
        ],
        also: |effect, _| drop(effect.blocks.iter().map(Block::summary).collect::<Vec<_>>()),
    }
}

/// Where blocks begin.
const HEAD: usize = 60;

/// Floats that are each as large as their offset in the block.
fn offsets(range: std::ops::Range<usize>) -> Vec<u8> {
    let floats = range.step_by(4).map(|at| at as f32);
    floats.flat_map(f32::to_le_bytes).collect()
}

fn word(value: u32) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

fn reference(archive: &str, resource: &str) -> Vec<u8> {
    let field = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize(32, 0);
        bytes
    };
    [field(archive), field(resource)].concat()
}

fn smoke() -> ObjectRef {
    ObjectRef::new("material.lib", "SMOKE").unwrap()
}

fn three(at: u8) -> [f32; 3] {
    [0, 4, 8].map(|step| f32::from(at + step))
}

fn ramp(at: u8) -> Ramp {
    Ramp {
        low: at.into(),
        high: (at + 4).into(),
        exponent: (at + 8).into(),
    }
}

fn channel(at: u8) -> Channel {
    Channel {
        low: three(at),
        high: three(at + 12),
        exponent: three(at + 24),
    }
}

fn spread(at: u8) -> SpreadChannel {
    SpreadChannel {
        low: three(at),
        high: three(at + 12),
        jitter: three(at + 24),
        exponent: three(at + 36),
    }
}

fn sprite() -> Sprite {
    Sprite {
        mode: 7,
        phase: ramp(8),
        fade: ramp(20),
        window: [32.0, 36.0],
        position: channel(40),
        direction: [three(76), three(88)],
        size: channel(100),
        material: smoke(),
    }
}

fn sprite_bytes() -> Vec<u8> {
    [word(7), offsets(8..136), reference("material.lib", "SMOKE")].concat()
}

fn burst() -> Burst {
    Burst {
        mode: 1,
        fade: ramp(8),
        window: [20.0, 24.0],
        life_secs: 28.0,
        phase_rate: 32.0,
        n_groups: 3,
        n_particles: 5,
        position: spread(44),
        size: spread(92),
        unknown_8c: 140.0,
        material: smoke(),
    }
}

fn burst_bytes() -> Vec<u8> {
    let parts = [
        word(1),
        offsets(8..36),
        word(3),
        word(5),
        offsets(44..144),
        reference("material.lib", "SMOKE"),
    ];
    parts.concat()
}

/// Each type with its content, and the bytes after its word by the offsets of the document.
fn blocks() -> Vec<(Emits, u32, Vec<u8>)> {
    let light = Light {
        kind: 5,
        window: [8.0, 12.0],
        position: [three(16), three(28)],
        direction: [three(40), three(52)],
        color: [[64.0, 68.0, 72.0, 76.0], [80.0, 84.0, 88.0, 92.0]],
        color_jitter: [96.0, 100.0, 104.0, 108.0],
        range: [112.0, 116.0],
        range_jitter: 120.0,
        attenuation: three(124),
        unknown_88: [1, 2, 3, 4, 5, 6],
        material: ObjectRef::new("material.lib", "r_lightray_w").unwrap(),
    };
    let light_bytes = [
        word(5),
        offsets(8..136),
        (1..=6).flat_map(word).collect(),
        reference("material.lib", "r_lightray_w"),
    ];
    let sound = Sound {
        kind: 2,
        window: [8.0, 12.0],
        position: [three(16), three(28)],
        direction: [three(40), three(52)],
        distances: [64.0, 68.0],
        rate: [72.0, 76.0],
        device_mode: 1,
        sound: ObjectRef::new("sounds.lib", "hum.wav").unwrap(),
    };
    let sound_bytes = [
        word(2),
        offsets(8..80),
        word(1),
        reference("sounds.lib", "hum.wav"),
    ];
    let bolt = Bolt {
        fade: [4.0, 8.0],
        window: [12.0, 16.0],
        n_sprites: 9,
        width: [24.0, 28.0],
        repeat_length: 32.0,
        segment_length: 36.0,
        phase: [40.0, 44.0],
        material: smoke(),
    };
    let bolt_bytes = [
        offsets(4..20),
        word(9),
        offsets(24..48),
        reference("material.lib", "SMOKE"),
    ];
    let stream = Stream {
        fade: ramp(4),
        window: [16.0, 20.0],
        interval_secs: [24.0, 28.0],
        phase_exponent: 32.0,
        n_particles: 40,
        unknown_28: spread(40),
        position: spread(88),
        size: spread(136),
        material: smoke(),
    };
    let stream_bytes = [
        offsets(4..36),
        word(40),
        offsets(40..184),
        reference("material.lib", "SMOKE"),
    ];
    let glow = Glow {
        sprite: sprite(),
        full_distance: 200.0,
    };
    let dome = Dome {
        sprite: sprite(),
        fineness: 2,
        unknown_cc: 1,
    };
    let glow_bytes = [sprite_bytes(), offsets(200..204)].concat();
    let dome_bytes = [sprite_bytes(), word(2), word(1)].concat();
    vec![
        (Emits::Light(light), 1, light_bytes.concat()),
        (Emits::Sound(sound), 2, sound_bytes.concat()),
        (Emits::Sprite(sprite()), 3, sprite_bytes()),
        (Emits::Glow(glow), 4, glow_bytes),
        (Emits::Bolt(bolt), 5, bolt_bytes.concat()),
        (Emits::Nothing, 6, Vec::new()),
        (Emits::Burst(burst()), 7, burst_bytes()),
        (Emits::Stream(stream), 8, stream_bytes.concat()),
        (Emits::Dome(dome), 9, dome_bytes),
        (Emits::Debris(burst()), 10, burst_bytes()),
    ]
}

fn header() -> Header {
    Header {
        mode: 2,
        duration_secs: 8.0,
        time_jitter: 12.0,
        flag_bits: 0x2022,
        setting: 0x106,
        random_offset: three(24),
        tested_point: three(36),
        scale: three(48),
    }
}

fn file(blocks: &[Vec<u8>]) -> Vec<u8> {
    let head = [
        word(blocks.len() as u32),
        word(2),
        offsets(8..16),
        word(0x2022),
        word(0x106),
        offsets(24..60),
    ];
    [head.concat(), blocks.concat()].concat()
}

fn facts() -> Vec<Fact<Fxid>> {
    let effect = |blocks| Fxid {
        header: header(),
        blocks,
    };
    let mut facts = vec![Fact::new("a head alone", effect(Vec::new()), file(&[]))];
    let mut all = (Vec::new(), Vec::new());
    for (emits, type_word, content) in blocks() {
        let (_, name) = emits.type_and_name();
        let block = Block::new(emits);
        let bytes = [word(type_word), content.clone()].concat();
        facts.push(Fact::new(name, effect(vec![block]), file(&[bytes])));
        let flagged = Block {
            flag_bits: 0x100,
            emits,
        };
        all.0.push(flagged);
        all.1.push([word(0x100 | type_word), content].concat());
    }
    facts.push(Fact::new("all, flagged", effect(all.0), file(&all.1)));
    facts
}

#[test]
fn blocks_have_the_sizes_of_the_document() {
    let sizes = [224, 148, 200, 204, 112, 4, 208, 248, 208, 208];
    for ((emits, _, content), size) in blocks().into_iter().zip(sizes) {
        assert_eq!((emits.size(), 4 + content.len()), (size, size), "{emits:?}");
    }
}

fn damage() -> Vec<Damage> {
    let sprite = [word(3), sprite_bytes()].concat();
    let good = file(&[sprite.clone(), sprite]);
    let mut damage = Damage::from_changes(
        &good,
        [
            (|it| it.truncate(0), "block count", 0),
            (|it| set32(it, 0, u32::MAX), "block count", 0),
            (|it| set32(it, HEAD, 0), "block type", 60),
            (|it| set32(it, HEAD, 11), "block type", 60),
            (|it| set32(it, 0, 3), "block type", 60 + 400),
            (|it| it.truncate(HEAD + 30), "fade", 60 + 28),
            (|it| it.truncate(HEAD + 199), "resource", 60 + 168),
            (|it| it.truncate(30), "random offset", 28),
            (|it| set32(it, 0, 1), "after the last block", 60 + 200),
        ],
    );
    damage.push(Damage::new("no scale", &file(&[])[..58], "scale", 56));
    damage
}

#[test]
fn flags_in_the_place_of_a_type_are_not_written() {
    let effect = Fxid {
        header: header(),
        blocks: vec![Block {
            flag_bits: 1,
            emits: Emits::Nothing,
        }],
    };
    assert_eq!(effect.write().unwrap_err().field, "block type");
}

#[test]
fn modes_are_known_by_their_numbers() {
    use TimeMode::{Channel, Damage, Loop, Once, OneLessChannel, Speed, SpeedOrSpin, Waiting};
    let rows = [
        (0, Some(Waiting)),
        (1, Some(Once)),
        (2, Some(Loop)),
        (3, Some(TimeMode::Falling)),
        (4, Some(Channel)),
        (8, Some(Speed)),
        (9, Some(TimeMode::Spin)),
        (13, Some(OneLessChannel)),
        (14, Some(Damage)),
        (15, Some(SpeedOrSpin)),
        (17, Some(Channel)),
        (18, None),
    ];
    for (word, mode) in rows {
        assert_eq!(TimeMode::from_word(word), mode, "{word}");
    }
}

fn good() -> Fxid {
    let sprite = Sprite {
        window: [0.0, 1.0],
        ..sprite()
    };
    Fxid {
        header: header(),
        blocks: vec![
            Block::new(Emits::Nothing),
            Block {
                flag_bits: OVERLAY,
                emits: Emits::Sprite(sprite),
            },
        ],
    }
}

#[test]
fn what_no_known_effect_has_is_found_at_its_block() {
    assert_eq!(good().check(), []);
    let reported = |effect: &Fxid| -> Vec<(Severity, Option<u64>)> {
        let findings: Vec<Finding> = effect.check();
        findings.iter().map(|it| (it.severity, it.offset)).collect()
    };
    use Severity::{Note, Warning};
    let mut bad = good();
    bad.header.mode = 18;
    bad.header.duration_secs = f32::NAN;
    bad.header.flag_bits = 0x4000_0000;
    bad.blocks[1].flag_bits = 0x300;
    let Emits::Sprite(sprite) = &mut bad.blocks[1].emits else {
        panic!("it is one");
    };
    sprite.window = [0.5, 0.25];
    sprite.material.resource_field = [0; 32];
    let expected = [
        (Warning, Some(4)),
        (Warning, Some(8)),
        (Note, Some(16)),
        (Warning, Some(64)),
        (Note, Some(64)),
        (Warning, Some(64)),
    ];
    assert_eq!(reported(&bad), expected, "{:#?}", bad.check());
}

#[test]
fn an_effect_is_described_by_its_time_and_its_blocks() {
    let effect = good();
    assert_eq!(effect.summary(), "Loop, 8 s: 1 sprite, 1 nothing");
    let expected = "sprite from 0 to 1, overlay, material.lib/SMOKE";
    assert_eq!(effect.blocks[1].summary(), expected);
}

prop_compose! {
    /// Any block, from any bytes in the place of its fields.
    fn any_block()(
        type_word in 1u32..=10,
        flags in 0u32..0x100_0000,
        noise in prop::collection::vec(any::<u8>(), 248),
    ) -> Block {
        let bytes = [word(flags << 8 | type_word), noise].concat();
        Block::read(&mut Reader::new(FORMAT, &bytes)).unwrap()
    }
}

prop_compose! {
    fn any_effect()(
        noise in any::<[u8; 32]>(),
        rest in any::<[u8; 24]>(),
        blocks in prop::collection::vec(any_block(), 0..6),
    ) -> Fxid {
        let bytes = [&noise[..], &rest].concat();
        let header = Header::read(&mut Reader::new(FORMAT, &bytes), ()).unwrap();
        Fxid { header, blocks }
    }
}

/// An effect of one stream.
pub(crate) fn smoking(header: Header) -> Fxid {
    let even = SpreadChannel {
        low: [1.0; 3],
        high: [1.0; 3],
        exponent: [1.0; 3],
        ..SpreadChannel::default()
    };
    let stream = Stream {
        fade: Ramp {
            low: 1.0,
            high: 0.0,
            exponent: 1.0,
        },
        window: [0.0, 1.0],
        interval_secs: [0.25; 2],
        phase_exponent: 1.0,
        n_particles: 4,
        unknown_28: SpreadChannel::default(),
        position: SpreadChannel::default(),
        size: even,
        material: smoke(),
    };
    Fxid {
        header,
        blocks: vec![Block::new(Emits::Stream(stream))],
    }
}
