//! Static props in all layouts.

use ironlands_assets_core::format::Format;

use super::*;

proof! {
    StaticProps {
        facts: facts(),
        damage: damage(),
        // A record that is cut is one of another layout; a test of its own shows where it is none.
        truncations: Truncations::Valid,
        values: any_props_of_version_5(),
        growth: 64,
        // Of each of 17 files.
        runs: 200,
        records: records(),
        damage_context: versions(5, 19),
        context: |_| versions(5, 19),
    }
}

/// A prop of each layout.
fn records() -> Vec<RecordPlace> {
    let place = |fact: Fact<StaticProps>| {
        let StaticProps { layout, props, .. } = fact.value?;
        Some(RecordPlace::from_value(&fact.bytes, &props[0], layout))
    };
    facts().into_iter().filter_map(place).collect()
}

fn versions(sub_lump: u16, map: u32) -> PropVersions {
    PropVersions { sub_lump, map }
}

/// One prop of version 5.
fn typed(prop: StaticProp) -> StaticProps {
    StaticProps {
        version: 5,
        layout: PropLayout::V5,
        models: vec![ModelName::new("models/a.mdl").unwrap()],
        leaves: vec![7, 8, 9],
        props: vec![prop],
    }
}

#[test]
fn props_know_their_leaves_and_models() {
    let props = typed(hand_typed_prop());
    assert_eq!(props.leaves_of(&props.props[0]), [8, 9]);
    assert_eq!(props.props[0].flags(props.layout), 0x82);
    assert_eq!(props.models[0].path(), "models/a.mdl");
}

/// The tails of section 9.2, one distinct value a field, each with what must be read from it, and the flags of both
/// places that they are kept in.
fn facts() -> Vec<Fact<StaticProps>> {
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
    let facts = facts.map(|(version, bsp_version, layout, tail, prop)| {
        let mut bytes = hand_typed_props();
        bytes.truncate(PROP + 56);
        bytes.extend(hex(&tail));
        if version >= 12 {
            let wide = hex("07 00 00 00 08 00 00 00 09 00 00 00");
            bytes.splice(LEAF_COUNT + 4..PROP_COUNT, wide);
        }
        let value = StaticProps {
            version,
            layout,
            ..typed(prop)
        };
        let name = "a layout of section 9.2";
        Fact::new(name, value, bytes).with_context(versions(version, bsp_version))
    });
    let first = Fact::new("version 5", typed(hand_typed_prop()), hand_typed_props());
    let first = first.with_context(versions(5, 19));
    // Records of 60 bytes are of no layout of that version.
    let other = Fact::from_bytes("read as version 10", hand_typed_props());
    let other = other.with_context(versions(10, 20));
    [first, other].into_iter().chain(facts).collect()
}

/// Flags stand in one byte of all layouts, or in a word of those of one family.
#[test]
fn flags_are_where_the_layout_has_them() {
    for props in facts().into_iter().filter_map(|fact| fact.value) {
        let is_sdk = props.props[0].sdk2013_flags == 0x110;
        let flags = props.props[0].flags(props.layout);
        assert_eq!(
            flags,
            if is_sdk { 0x110 } else { 0x82 },
            "{:?}",
            props.layout
        );
    }
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 7] = [
        (
            |d| set32(d, MODEL_COUNT, 3),
            "model count",
            MODEL_COUNT as u64,
        ),
        (
            |d| set32(d, LEAF_COUNT, 80),
            "leaf count",
            LEAF_COUNT as u64,
        ),
        (|d| set32(d, PROP_COUNT, 2), "prop count", PROP_COUNT as u64),
        (
            |d| set32(d, PROP_COUNT, 0),
            "after the last prop",
            PROP as u64,
        ),
        (|d| set16(d, PROP + 24, 1), "prop model", PROP as u64 + 24),
        (
            |d| set16(d, PROP + 26, 2),
            "prop leaf count",
            PROP as u64 + 28,
        ),
        (
            |d| set16(d, PROP + 28, 3),
            "prop leaf count",
            PROP as u64 + 28,
        ),
    ];
    Damage::from_changes(&hand_typed_props(), changes)
}

/// A record that is cut is one of another layout, as far as 56 bytes are left.
#[test]
fn every_truncation_before_the_tail_is_refused() {
    for fact in facts() {
        let wide = if fact.context.sub_lump >= 12 { 6 } else { 0 };
        for len in 0..PROP + 56 + wide {
            let read = <StaticProps as Format>::read(&fact.bytes[..len], &fact.context);
            assert!(read.is_err(), "{:?}: {len} bytes", fact.context);
        }
    }
}

pub(super) fn any_f32x3() -> impl Strategy<Value = [f32; 3]> {
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

/// Only what the layout holds comes back.
fn any_props_of_version_5() -> impl Strategy<Value = StaticProps> {
    let prop = any_prop().prop_map(|prop| StaticProp {
        forced_fade_scale: prop.forced_fade_scale,
        ..plain(prop)
    });
    prop::collection::vec(prop, 0..4).prop_map(|props| StaticProps {
        props,
        leaves: vec![1, 2, 3, 4],
        models: models(),
        ..typed(StaticProp::default())
    })
}

/// A prop without what only some layouts hold.
fn plain(prop: StaticProp) -> StaticProp {
    let StaticProp {
        origin,
        angles,
        lighting_origin,
        model,
        first_leaf,
        n_leaves,
        solid,
        byte_1f,
        skin,
        fade_distances,
        ..
    } = prop;
    StaticProp {
        origin,
        angles,
        lighting_origin,
        model,
        first_leaf,
        n_leaves,
        solid,
        byte_1f,
        skin,
        fade_distances,
        ..StaticProp::default()
    }
}

fn models() -> Vec<ModelName> {
    let names = ["a.mdl", "b.mdl", "c.mdl"];
    names.map(|name| ModelName::new(name).unwrap()).to_vec()
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
            models: models(),
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
