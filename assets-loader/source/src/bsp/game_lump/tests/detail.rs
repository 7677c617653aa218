//! Detail props.

use super::*;

proof! {
    DetailProps {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_details(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_value(&hand_typed(), &typed().sprites[0], ()),
            RecordPlace::from_value(&hand_typed(), &typed().objects[0], ()),
        ],
    }
}

fn typed() -> DetailProps {
    DetailProps {
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
    }
}

fn hand_typed() -> Vec<u8> {
    let name = [&b"models/d.mdl"[..], &[0; 116]].concat();
    [
        hex("01 00 00 00"),
        name,
        hex("01 00 00 00  00 00 80 3F 00 00 00 40 00 00 40 40 00 00 80 40 \
             00 00 00 00 00 00 00 3F 00 00 80 3E 00 00 80 3F \
             01 00 00 00  00 00 80 3F 00 00 00 40 00 00 40 40  00 00 00 00 00 00 B4 42 00 00 00 00 \
             05 00 06 00  01 02 03 FE  07 00 00 00  08 09 0A 0B  02 AA BB CC  01 DD EE FF  00 00 00 3F"),
    ]
    .concat()
}

fn facts() -> Vec<Fact<DetailProps>> {
    vec![Fact::new("one of each", typed(), hand_typed())]
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 4] = [
        (|d| set32(d, 0, 9), "model count", 0),
        (|d| set32(d, 132, 3), "sprite count", 132),
        (|d| set32(d, 168, u32::MAX), "object count", 168),
        (|d| d.push(0), "after the last object", 224),
    ];
    Damage::from_changes(&hand_typed(), changes)
}

#[test]
fn other_versions_are_not_supported() {
    let error = DetailProps::read(&hand_typed(), 3).unwrap_err();
    assert_eq!(error.field, "version");
}

prop_compose! {
    fn any_object()(
        (origin, angles) in (props::any_f32x3(), props::any_f32x3()),
        (detail_model, leaf, first_light_style) in any::<(u16, u16, u32)>(),
        bytes in any::<[u8; 8]>(),
        (lighting, unknown_29, unknown_2d) in any::<([u8; 4], [u8; 3], [u8; 3])>(),
    ) -> DetailObject {
        let [n_light_styles, sway, shape_angle, shape_size, orientation, kind, ..] = bytes;
        DetailObject {
            origin, angles, detail_model, leaf, lighting, first_light_style, n_light_styles, sway, shape_angle,
            shape_size, orientation, unknown_29, kind, unknown_2d,
            scale: origin[0],
        }
    }
}

fn any_details() -> impl Strategy<Value = DetailProps> {
    let objects = prop::collection::vec(any_object(), 0..4);
    (0..3_usize, 0..3_usize, objects).prop_map(|(n_models, n_sprites, objects)| DetailProps {
        models: vec![typed().models[0]; n_models],
        sprites: vec![typed().sprites.remove(0); n_sprites],
        objects,
    })
}
