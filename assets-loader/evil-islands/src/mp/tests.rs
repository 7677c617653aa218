use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, hex, proof, prove_tolerantly_read, set16, set32,
};

proof! {
    Mp {
        facts: [Fact::new("two by three sectors", as_value(), hand_typed())],
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_header(),
        growth: 8,
        runs: 2_000,
        records: [
            RecordPlace::new::<Header>(4, ()),
            RecordPlace::new::<Material>(MATERIALS, ()),
            RecordPlace::new::<AnimatedTiles>(ANIMATED, ()),
        ],
        of_bytes: prove_tolerantly_read::<Mp>,
    }
}

const MATERIALS: usize = 38;
const GROUND_TYPES: usize = MATERIALS + 44;
const ANIMATED: usize = GROUND_TYPES + 3 * 4;

/// A zone of 2 by 3 sectors with one material, three ground types and one animation.
fn hand_typed() -> Vec<u8> {
    hex(
        "72 F6 4A CE 00 00 C8 42 02 00 00 00 03 00 00 00 01 00 00 00 00 02 00 00 \
         03 00 00 00 40 00 00 00 01 00 01 00 00 00 \
         03 00 00 00 00 00 00 3F 00 00 80 3E 00 00 80 3F 00 00 40 3F \
         00 00 00 3E 00 00 00 40 CD CC CC 3D 01 02 03 04 05 06 07 08 09 0A 0B 0C \
         00 00 00 00 06 00 00 00 0D 00 00 00 \
         01 00 02 00",
    )
}

fn as_value() -> Mp {
    Mp {
        max_altitude: 100.0,
        x_sectors: 2,
        y_sectors: 3,
        n_textures: 1,
        texture_size: 512,
        tile_size: 64,
        materials: vec![Material {
            kind: 3,
            diffuse: [0.5, 0.25, 1.0, 0.75],
            self_illumination: 0.125,
            wave_multiplier: 2.0,
            warp_speed: 0.1,
            unknown_20: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
        }],
        ground_types: vec![0, 6, 13],
        animated_tiles: vec![AnimatedTiles { first: 1, count: 2 }],
        trailing: Vec::new(),
    }
}

#[test]
fn kinds_have_the_names_of_the_document() {
    assert_eq!(hand_typed().len(), 38 + 44 + 4 * 3 + 4);
    assert_eq!(as_value().materials[0].kind_name(), Some("water"));
    let names = as_value().ground_types.into_iter().map(ground_type_name);
    assert!(names.eq([Some("grass"), Some("water"), Some("lava")]));
    assert_eq!(
        (ground_type_name(15), ground_type_name(16)),
        (Some("high rock"), None)
    );
    assert!(as_value().animated_tiles[0].tiles().eq([1, 2]));
}

/// What is changed, and how; the field that must be named, and where it stands.
type Row = (&'static str, fn(&mut Vec<u8>), &'static str, usize);

fn damage() -> Vec<Damage> {
    let rows: [Row; 10] = [
        ("another magic", |f| f[0] = 0x73, "magic", 0),
        (
            "an endless altitude",
            |f| set32(f, 4, 0x7F80_0000),
            "max altitude",
            4,
        ),
        (
            "an altitude that is no number",
            |f| set32(f, 4, 0x7FC0_0000),
            "max altitude",
            4,
        ),
        ("no sector in x", |f| set32(f, 8, 0), "sectors in x", 8),
        ("no sector in y", |f| set32(f, 12, 0), "sectors in y", 12),
        ("no texture", |f| set32(f, 16, 0), "texture count", 16),
        (
            "more tiles than bytes",
            |f| set32(f, 24, u32::MAX),
            "tile count",
            24,
        ),
        (
            "more materials than bytes",
            |f| set16(f, 32, 9),
            "material count",
            32,
        ),
        (
            "more animated tiles than bytes",
            |f| set32(f, 34, u32::MAX),
            "animated tile count",
            34,
        ),
        (
            "a byte more",
            |f| f.push(0),
            "after the animated tiles",
            ANIMATED + 4,
        ),
    ];
    let rows = rows.map(|(name, change, field, offset)| {
        let mut file = hand_typed();
        change(&mut file);
        Damage::new(name, file, field, offset as u64)
    });
    rows.to_vec()
}

#[test]
fn trailing_bytes_are_kept_and_reported_where_they_are_waived() {
    let mut file = hand_typed();
    file.extend([7, 8]);
    let mp = Mp::read_with(&file, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(mp.trailing, [7, 8]);
    assert_eq!(mp.write(), Ok(file));
    assert!(
        mp.check()
            .iter()
            .any(|it| it.message.contains("2 bytes after"))
    );
}

/// A header that breaks no rule.
fn sound() -> Mp {
    Mp {
        ground_types: vec![0; 64],
        ..as_value()
    }
}

/// What is changed, and words of the expected message.
type Break = (fn(&mut Mp), &'static str);

#[test]
fn each_rule_is_checked() {
    assert_eq!(sound().check(), []);
    let breaks: [Break; 12] = [
        (|mp| mp.max_altitude = 0.0, "largest altitude of 0 m"),
        (|mp| mp.x_sectors = 1001, "1001 sectors in x"),
        (|mp| mp.y_sectors = u32::MAX, "sectors in y"),
        (|mp| mp.n_textures = 257, "257 textures"),
        (|mp| mp.tile_size = 63, "tiles of 63"),
        (|mp| mp.tile_size = u32::MAX, "eight tiles"),
        (
            |mp| mp.ground_types.truncate(63),
            "ground types of 63 tiles",
        ),
        (
            |mp| mp.ground_types[7..9].fill(16),
            "tile 7 has the unknown ground type 16, and 1 more",
        ),
        (|mp| mp.animated_tiles[0].count = 0, "there are none"),
        (|mp| mp.animated_tiles[0].first = 63, "end at tile 65 of 64"),
        (|mp| mp.materials[0].kind = 4, "type 4"),
        (|mp| mp.materials[0].diffuse[3] = f32::NAN, "no color"),
    ];
    for (change, words) in breaks {
        let mut mp = sound();
        change(&mut mp);
        let findings = mp.check();
        let is_reported = findings.iter().any(|it| it.message.contains(words));
        assert!(is_reported, "{words}: {findings:?}");
    }
}

prop_compose! {
    fn any_header()(
        max_altitude in -1e30f32..1e30,
        sizes in any::<[u32; 5]>(),
        materials in prop::collection::vec((any::<u32>(), -1e9f32..1e9, any::<[u8; 12]>()), 0..5),
        ground_types in prop::collection::vec(any::<u32>(), 0..80),
        animated in prop::collection::vec(any::<(u16, u16)>(), 0..5),
    ) -> Mp {
        let [x_sectors, y_sectors, n_textures, texture_size, tile_size] = sizes;
        let material = |(kind, number, unknown_20)| Material {
            kind,
            diffuse: [number, 0.5, -number, 1.0],
            self_illumination: number,
            wave_multiplier: 2.0,
            warp_speed: -0.0,
            unknown_20,
        };
        Mp {
            max_altitude,
            x_sectors: x_sectors.max(1),
            y_sectors: y_sectors.max(1),
            n_textures: n_textures.max(1),
            texture_size,
            tile_size,
            materials: materials.into_iter().map(material).collect(),
            ground_types,
            animated_tiles: animated
                .into_iter()
                .map(|(first, count)| AnimatedTiles { first, count })
                .collect(),
            trailing: Vec::new(),
        }
    }
}
