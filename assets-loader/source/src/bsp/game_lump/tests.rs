use std::io::Write as _;

use lzma_rust2::{LzmaOptions, LzmaWriter};
use proptest::prelude::*;

use super::*;

use ironlands_assets_proof::{
    assert_refuses_every_truncation, assert_survives_mutations, hex, set16, set32,
};

/// Where the lump of the facts stands in its file.
const BASE: u64 = 0x1000;
/// Length of the directory of two rows, behind which the sub-lumps stand.
const BODY: usize = 4 + 2 * 16;

/// Two sub-lumps typed from the document: five bytes of an unknown one and no detail props.
fn hand_typed_lump() -> Vec<u8> {
    hex("02 00 00 00 \
         74 6C 70 64  00 00  01 00  24 10 00 00  05 00 00 00 \
         70 72 70 64  00 00  04 00  29 10 00 00  0C 00 00 00 \
         0A 0B 0C 0D 0E \
         00 00 00 00 00 00 00 00 00 00 00 00 \
         00 00 00")
}

/// Records of 60 bytes: the 56 of all versions and the scale of fading.
fn hand_typed_props() -> Vec<u8> {
    let name = [&b"models/a.mdl"[..], &[0; 116]].concat();
    let record = hex("\
        00 00 80 3F 00 00 00 40 00 00 40 40  00 00 00 00 00 00 B4 42 00 00 00 00 \
        00 00  01 00  02 00  06 82  FF FF FF FF  00 00 C8 42 00 00 48 43 \
        00 00 80 3F 00 00 80 3F 00 00 80 3F  00 00 00 3F");
    [
        hex("01 00 00 00"),
        name,
        hex("03 00 00 00  07 00 08 00 09 00  01 00 00 00"),
        record,
    ]
    .concat()
}

const MODEL_COUNT: usize = 0;
const LEAF_COUNT: usize = 4 + 128;
const PROP_COUNT: usize = LEAF_COUNT + 4 + 6;
const PROP: usize = PROP_COUNT + 4;

fn hand_typed_prop() -> StaticProp {
    StaticProp {
        origin: [1.0, 2.0, 3.0],
        angles: [0.0, 90.0, 0.0],
        model: 0,
        first_leaf: 1,
        n_leaves: 2,
        solid: 6,
        byte_1f: 0x82,
        skin: -1,
        fade_distances: [100.0, 200.0],
        lighting_origin: [1.0; 3],
        forced_fade_scale: 0.5,
        ..StaticProp::default()
    }
}

#[test]
fn the_directory_agrees_with_the_facts() {
    let lump = GameLump::read(&hand_typed_lump(), BASE).unwrap();
    let told: Vec<_> = lump
        .sub_lumps()
        .iter()
        .map(|s| (s.id(), s.version()))
        .collect();
    assert_eq!(
        told,
        [(SubLumpId(*b"dplt"), 1), (SubLumpId::DETAIL_PROPS, 4)]
    );
    assert_eq!(lump.sub_lumps()[0].stored(), [10, 11, 12, 13, 14]);
    assert_eq!(lump.detail_props(), Ok(Some(DetailProps::default())));
    assert_eq!(lump.static_props(20), Ok(None));
    assert_eq!(lump.write(BASE), Ok(hand_typed_lump()));
}

#[test]
fn offsets_move_with_the_lump() {
    let lump = GameLump::read(&hand_typed_lump(), BASE).unwrap();
    let mut moved = hand_typed_lump();
    set32(&mut moved, 12, 0x0002_0024);
    set32(&mut moved, 28, 0x0002_0029);
    assert_eq!(lump.write(0x2_0000), Ok(moved.clone()));
    assert_eq!(GameLump::read(&moved, 0x2_0000), Ok(lump.clone()));
    let error = lump.write(0x7FFF_FFF0).unwrap_err();
    assert_eq!(error.field, "sub-lump offset");
}

#[test]
fn static_props_agree_with_the_facts() {
    let props = StaticProps::read(&hand_typed_props(), 5, 19).unwrap();
    let expected = StaticProps {
        version: 5,
        layout: PropLayout::V5,
        models: vec![ModelName::new("models/a.mdl").unwrap()],
        leaves: vec![7, 8, 9],
        props: vec![hand_typed_prop()],
    };
    assert_eq!(props, expected);
    assert_eq!(props.write(), Ok(hand_typed_props()));
    assert_eq!(props.leaves_of(&props.props[0]), [8, 9]);
    assert_eq!(props.props[0].flags(props.layout), 0x82);
    assert_eq!(props.models[0].path(), "models/a.mdl");
}

/// The tails of section 9.2, one distinct value a field, each with what must be read from it.
#[test]
fn every_layout_agrees_with_the_facts() {
    let base = || StaticProp {
        forced_fade_scale: 0.5,
        ..hand_typed_prop()
    };
    let dx = || StaticProp {
        dx_levels: [80, 95],
        ..base()
    };
    let sdk = || StaticProp {
        sdk2013_flags: 0x110,
        lightmap_size: [32, 64],
        ..dx()
    };
    let v8 = || StaticProp {
        cpu_gpu_levels: [1, 2, 3, 4],
        diffuse: [5, 6, 7, 8],
        ..base()
    };
    let v9 = || StaticProp {
        disable_x360: 0xAABB_CC01,
        ..v8()
    };
    let v10 = || StaticProp {
        flags_ex: 9,
        ..v9()
    };
    let tinted = |prop: StaticProp| StaticProp {
        diffuse: [5, 6, 7, 8],
        ..prop
    };
    let (half, dx_hex, tint) = ("00 00 00 3F", "50 00 5F 00", "05 06 07 08");
    let sdk_hex = format!("{half} {dx_hex} 10 01 00 00 20 00 40 00");
    let v8_hex = format!("{half} 01 02 03 04 {tint}");
    let v9_hex = format!("{v8_hex} 01 CC BB AA");
    let v10_hex = format!("{v9_hex} 09 00 00 00");
    let scaled = |scale| StaticProp { scale, ..v10() };
    let plain = StaticProp {
        forced_fade_scale: 1.0,
        ..base()
    };
    let unknown = StaticProp {
        unknown_38: hex("01 02 03"),
        ..plain.clone()
    };
    let more = StaticProp {
        flags_ex: 9,
        ..tinted(sdk())
    };
    let facts = [
        (4, 17, PropLayout::V4, String::new(), plain),
        (5, 19, PropLayout::V5, half.into(), base()),
        (6, 20, PropLayout::V6, format!("{half} {dx_hex}"), dx()),
        (
            7,
            20,
            PropLayout::V7Tint,
            format!("{half} {dx_hex} {tint}"),
            tinted(dx()),
        ),
        (7, 20, PropLayout::Sdk2013, sdk_hex.clone(), sdk()),
        (10, 20, PropLayout::Sdk2013, sdk_hex.clone(), sdk()),
        (
            11,
            20,
            PropLayout::Sdk2013Tint,
            format!("{sdk_hex} {tint}"),
            tinted(sdk()),
        ),
        (
            11,
            20,
            PropLayout::Sdk2013More,
            format!("{sdk_hex} {tint} 09 00 00 00"),
            more,
        ),
        (8, 20, PropLayout::V8, v8_hex.clone(), v8()),
        (9, 21, PropLayout::V9, v9_hex.clone(), v9()),
        (10, 21, PropLayout::V10, v10_hex.clone(), v10()),
        (
            11,
            21,
            PropLayout::V11,
            format!("{v10_hex} 00 00 00 40"),
            scaled([2.0; 3]),
        ),
        (
            12,
            25,
            PropLayout::V11,
            format!("{v10_hex} 00 00 00 40"),
            scaled([2.0; 3]),
        ),
        (
            13,
            25,
            PropLayout::V13,
            format!("{v10_hex} 00 00 00 40 00 00 80 3F 00 00 00 3F"),
            scaled([2.0, 1.0, 0.5]),
        ),
        (
            5,
            19,
            PropLayout::Unknown { record_size: 59 },
            "01 02 03".into(),
            unknown,
        ),
    ];
    for (version, bsp_version, layout, tail, prop) in facts {
        let mut bytes = hand_typed_props();
        bytes.truncate(PROP + 56);
        bytes.extend(hex(&tail));
        if version >= 12 {
            let wide = hex("07 00 00 00 08 00 00 00 09 00 00 00");
            bytes.splice(LEAF_COUNT + 4..PROP_COUNT, wide);
        }
        let read = StaticProps::read(&bytes, version, bsp_version).unwrap();
        assert_eq!(read.layout, layout, "version {version}");
        assert_eq!(read.props, [prop], "version {version}");
        assert_eq!(read.leaves, [7, 8, 9], "version {version}");
        assert_eq!(read.write(), Ok(bytes), "version {version}");
        let flags = read.props[0].flags(layout);
        let is_sdk = tail.contains("10 01 00 00");
        assert_eq!(
            flags,
            if is_sdk { 0x110 } else { 0x82 },
            "version {version}"
        );
    }
}

#[test]
fn detail_props_agree_with_the_facts() {
    let name = [&b"models/d.mdl"[..], &[0; 116]].concat();
    let bytes = [
        hex("01 00 00 00"),
        name,
        hex("01 00 00 00  00 00 80 3F 00 00 00 40 00 00 40 40 00 00 80 40 \
             00 00 00 00 00 00 00 3F 00 00 80 3E 00 00 80 3F \
             01 00 00 00  00 00 80 3F 00 00 00 40 00 00 40 40  00 00 00 00 00 00 B4 42 00 00 00 00 \
             05 00 06 00  01 02 03 FE  07 00 00 00  08 09 0A 0B  02 AA BB CC  01 DD EE FF  00 00 00 3F"),
    ]
    .concat();
    let value = DetailProps {
        models: vec![ModelName::new("models/d.mdl").unwrap()],
        sprites: vec![DetailSprite {
            upper_left: [1.0, 2.0],
            lower_right: [3.0, 4.0],
            upper_left_uv: [0.0, 0.5],
            lower_right_uv: [0.25, 1.0],
        }],
        objects: vec![DetailObject {
            origin: [1.0, 2.0, 3.0],
            angles: [0.0, 90.0, 0.0],
            detail_model: 5,
            leaf: 6,
            lighting: [1, 2, 3, 0xFE],
            first_light_style: 7,
            n_light_styles: 8,
            sway: 9,
            shape_angle: 10,
            shape_size: 11,
            orientation: 2,
            unknown_29: [0xAA, 0xBB, 0xCC],
            kind: 1,
            unknown_2d: [0xDD, 0xEE, 0xFF],
            scale: 0.5,
        }],
    };
    assert_eq!(DetailProps::read(&bytes, 4).as_ref(), Ok(&value));
    assert_eq!(value.write().as_ref(), Ok(&bytes));
    assert_eq!(DetailProps::read(&bytes, 3).unwrap_err().field, "version");
    assert_refuses_every_truncation(&bytes, |data| DetailProps::read(data, 4).map(drop));
}

/// What the strict reader must name: what is changed, the field, and where it stands in the lump.
type Damage = (fn(&mut Vec<u8>), &'static str, usize);

#[test]
fn damage_is_named_where_it_stands() {
    let damages: [Damage; 7] = [
        (|d| set32(d, 0, 4), "sub-lump count", 0),
        (|d| set32(d, 0, u32::MAX), "sub-lump count", 0),
        (|d| set32(d, 16, u32::MAX), "sub-lump length", 16),
        (|d| set32(d, 16, 100), "sub-lump offset", 12),
        (|d| set32(d, 12, 0x1023), "sub-lump offset", 12),
        (|d| set32(d, 12, 0x0FFF), "sub-lump offset", 12),
        (|d| set32(d, 28, 0x1028), "sub-lump offset", 28),
    ];
    for (change, field, offset) in damages {
        let mut lump = hand_typed_lump();
        change(&mut lump);
        let error = GameLump::read(&lump, BASE).unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, BASE + offset as u64));
    }
}

#[test]
fn damage_is_named_where_it_stands_in_static_props() {
    let damages: [Damage; 7] = [
        (|d| set32(d, MODEL_COUNT, 3), "model count", MODEL_COUNT),
        (|d| set32(d, LEAF_COUNT, 80), "leaf count", LEAF_COUNT),
        (|d| set32(d, PROP_COUNT, 2), "prop count", PROP_COUNT),
        (|d| set32(d, PROP_COUNT, 0), "after the last prop", PROP),
        (|d| set16(d, PROP + 24, 1), "prop model", PROP + 24),
        (|d| set16(d, PROP + 26, 2), "prop leaf count", PROP + 28),
        (|d| set16(d, PROP + 28, 3), "prop leaf count", PROP + 28),
    ];
    for (change, field, offset) in damages {
        let mut props = hand_typed_props();
        change(&mut props);
        let error = StaticProps::read(&props, 5, 19).unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, offset as u64));
    }
}

#[test]
fn every_truncation_is_refused() {
    // The last three bytes are padding after the last sub-lump.
    let lump = hand_typed_lump();
    assert_refuses_every_truncation(&lump[..lump.len() - 3], |data| {
        GameLump::read(data, BASE).map(drop)
    });
    // A record that is cut is one of another layout, as far as 56 bytes are left.
    let props = hand_typed_props();
    assert_refuses_every_truncation(&props[..PROP + 56], |data| {
        StaticProps::read(data, 5, 19).map(drop)
    });
}

/// A stream as section 1.4 has it, by the encoder of the library.
fn packed(content: &[u8]) -> Vec<u8> {
    let options = LzmaOptions::with_preset(6);
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false).unwrap();
    writer.write_all(content).unwrap();
    let properties = writer.props();
    let stream = writer.finish().unwrap();
    let word = |n: usize| (n as u32).to_le_bytes();
    [
        &b"LZMA"[..],
        &word(content.len()),
        &word(stream.len()),
        &[properties],
        &options.dict_size.to_le_bytes(),
        &stream,
    ]
    .concat()
}

/// A compressed lump as repacking tools leave it: a row without length marks the end of the last stream.
fn packed_lump() -> Vec<u8> {
    let (props, details) = (packed(&hand_typed_props()), packed(&[0; 12]));
    let first = BASE as usize + 4 + 3 * 16;
    let row = |id: &[u8; 4], flags: u16, version: u16, offset: usize, len: usize| {
        let words = [(offset as u32).to_le_bytes(), (len as u32).to_le_bytes()].concat();
        [
            &id[..],
            &flags.to_le_bytes(),
            &version.to_le_bytes(),
            &words,
        ]
        .concat()
    };
    let second = first + props.len();
    [
        3_u32.to_le_bytes().to_vec(),
        row(b"prps", 1, 5, first, hand_typed_props().len()),
        row(b"prpd", 1, 4, second, 12),
        row(&[0; 4], 0, 0, second + details.len(), 0),
        props,
        details,
    ]
    .concat()
}

#[test]
fn compressed_sub_lumps_are_unpacked_and_kept() {
    let bytes = packed_lump();
    let lump = GameLump::read(&bytes, BASE).unwrap();
    assert!(lump.sub_lumps()[0].is_compressed());
    let props = lump.static_props(19).unwrap().unwrap();
    assert_eq!(props.props, [hand_typed_prop()]);
    assert_eq!(lump.detail_props(), Ok(Some(DetailProps::default())));
    assert_eq!(lump.write(BASE), Ok(bytes));
}

#[test]
fn the_mark_after_compressed_sub_lumps_moves_with_an_edit() {
    let mut lump = GameLump::read(&packed_lump(), BASE).unwrap();
    lump.set(SubLumpId::STATIC_PROPS, 5, hand_typed_props());
    let bytes = lump.write(0).unwrap();
    let mark = u32::from_le_bytes(bytes[44..48].try_into().unwrap());
    assert_eq!(mark as usize, bytes.len());
    let again = GameLump::read(&bytes, 0).unwrap();
    assert_eq!(again.static_props(19), lump.static_props(19));
    assert_eq!(again.detail_props(), Ok(Some(DetailProps::default())));
    assert!(!again.sub_lumps()[0].is_compressed());
}

#[test]
fn sub_lumps_are_replaced_in_place_and_added_at_the_end() {
    let mut lump = GameLump::read(&hand_typed_lump(), BASE).unwrap();
    lump.set(SubLumpId(*b"dplt"), 2, vec![1, 2]);
    let props = StaticProps::read(&hand_typed_props(), 5, 19).unwrap();
    lump.set_static_props(&props).unwrap();
    let again = GameLump::read(&lump.write(77).unwrap(), 77).unwrap();
    assert_eq!(again, lump);
    let told: Vec<_> = again
        .sub_lumps()
        .iter()
        .map(|s| (s.id(), s.stored().len()))
        .collect();
    let props_len = hand_typed_props().len();
    let expected = [(SubLumpId(*b"dplt"), 2), (SubLumpId::DETAIL_PROPS, 12)];
    assert_eq!(told[..2], expected);
    assert_eq!(told[2], (SubLumpId::STATIC_PROPS, props_len));
    assert_eq!(again.static_props(19), Ok(Some(props)));
    let mut fresh = GameLump::default();
    fresh.set_detail_props(&DetailProps::default()).unwrap();
    assert_eq!(fresh.write(0).unwrap().len(), 4 + 16 + 12);
}

#[test]
fn sub_lumps_stand_in_any_order_with_gaps() {
    let mut bytes = hand_typed_lump();
    // The first of the directory comes last, with a byte before it.
    set32(&mut bytes, 12, 0x1024 + 13);
    set32(&mut bytes, 28, 0x1024);
    let body = [vec![0; 12], vec![0x77], hex("0A 0B 0C 0D 0E")].concat();
    bytes.splice(BODY.., body);
    let lump = GameLump::read(&bytes, BASE).unwrap();
    assert_eq!(lump.sub_lumps()[0].stored(), [10, 11, 12, 13, 14]);
    assert_eq!(lump.write(BASE), Ok(bytes));
}

#[test]
fn names_of_models_fit_their_field() {
    assert_eq!(ModelName::new(&"x".repeat(127)).unwrap().path().len(), 127);
    assert_eq!(ModelName::new(&"x".repeat(128)), None);
    assert_eq!(ModelName::new("a\0b"), None);
}

fn any_f32x3() -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(prop::num::f32::NORMAL | prop::num::f32::ZERO)
}

prop_compose! {
    fn any_prop()(
        origin in any_f32x3(),
        angles in any_f32x3(),
        lighting_origin in any_f32x3(),
        scale in any_f32x3(),
        (model, first_leaf, n_leaves) in (0..3_u16, 0..3_u16, 0..3_u16),
        (solid, byte_1f, skin) in any::<(u8, u8, i32)>(),
        fade_distances in any::<[u16; 2]>(),
        bytes in any::<([u16; 2], [u8; 4], [u8; 4], u32, u32, [u16; 2], u32)>(),
    ) -> StaticProp {
        let (dx_levels, cpu_gpu_levels, diffuse, disable_x360, sdk2013_flags, lightmap_size, flags_ex) = bytes;
        StaticProp {
            origin, angles, lighting_origin, scale, model, first_leaf, n_leaves, solid, byte_1f, skin,
            fade_distances: fade_distances.map(f32::from),
            forced_fade_scale: origin[0],
            dx_levels, cpu_gpu_levels, diffuse, disable_x360, sdk2013_flags, lightmap_size, flags_ex,
            unknown_38: Vec::new(),
        }
    }
}

proptest! {
    #[test]
    fn any_props_survive_writing(
        (version, bsp_version) in prop::sample::select(vec![
            (4, 17), (5, 19), (6, 20), (7, 19), (7, 20), (8, 20), (9, 21), (10, 20), (10, 21), (11, 20), (11, 21), (12, 25), (13, 25),
        ]),
        props in prop::collection::vec(any_prop(), 0..4),
        base in 0..1_u64 << 30,
    ) {
        let value = StaticProps {
            version,
            layout: PropLayout::usual(version, bsp_version),
            models: ["a.mdl", "b.mdl", "c.mdl"].map(|name| ModelName::new(name).unwrap()).to_vec(),
            leaves: vec![1, 2, 3, 4],
            props,
        };
        let bytes = value.write().unwrap();
        let mut lump = GameLump::default();
        lump.set_static_props(&value).unwrap();
        let lump = GameLump::read(&lump.write(base).unwrap(), base).unwrap();
        // Fields that the layout lacks do not come back, so bytes are compared and not values.
        let again = lump.static_props(bsp_version).unwrap().unwrap();
        prop_assert_eq!(again.layout, value.layout);
        prop_assert_eq!(again.write().unwrap(), bytes);
        prop_assert_eq!(again.props.len(), value.props.len());
        for (again, value) in again.props.iter().zip(&value.props) {
            prop_assert_eq!((again.origin, again.angles, again.model), (value.origin, value.angles, value.model));
        }
    }
}

fn survive(runs: u64) {
    // The properties of a stream ask for up to 12 MiB of the decoder's tables, whatever its size.
    for (good, max_growth) in [(hand_typed_lump(), 64), (packed_lump(), 1 << 17)] {
        assert_survives_mutations(&good, runs, max_growth, |data| {
            let lump = GameLump::read(data, BASE)?;
            assert_eq!(lump.write(BASE).as_deref(), Ok(data));
            for sub_lump in lump.sub_lumps() {
                let content = sub_lump.content()?;
                if let Ok(props) = StaticProps::read(&content, sub_lump.version(), 20) {
                    assert_eq!(props.write().as_deref(), Ok(&content[..]));
                }
            }
            Ok(())
        });
    }
    assert_survives_mutations(&hand_typed_props(), runs, 64, |data| {
        let props = StaticProps::read(data, 10, 20)?;
        assert_eq!(props.write().as_deref(), Ok(data));
        Ok(())
    });
}

#[test]
fn damage_never_panics() {
    survive(2_000);
}

#[test]
#[ignore = "long: 100,000 mutations"]
fn damage_never_panics_at_length() {
    survive(100_000);
}
