use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

proof! {
    Mission {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_mission(),
        // An object of 36 bytes takes five times as much.
        growth: 16,
        // Of each of 21 versions.
        runs: 200,
        records: [RecordPlace::from_fields(0, [("version", 4), ("path count", 4)])],
    }
}

/// One field as the dossier lists it: the first version that stores it, and its bytes.
type Field = (u32, &'static [u8]);

/// A clan of every version, field by field.
#[rustfmt::skip]
const CLAN: [Field; 10] = [
    (0, b"\x03\0\0\0Plr"), // name
    (0, b"\xFE\xFF\xFF\xFF"), // id -2
    (0, b"\0\0\x80\x3F\0\0\0\xC0"), // x 1, y -2
    (0, b"\x01\0\0\0"), // player
    (2, b"\x05\0\0\0SCR\\a"), // script base
    (3, b"\x01\0\0\0\x01\0\0\0\0\0\x80\x3F\0\0\0\x40\0\0\x40\x40\0\0\x80\x40\0\0\xA0\x40"), // one group of one
    (4, b"\x05\0\0\0a.trf"), // research
    (5, b"\x07\0\0\0"), // brains
    (6, b"\x01\0\0\0"), // relations
    (6, b"\x02\0\0\0\xC0\xE0\x01\0\0\0"), // to a clan whose name is Cyrillic
];

/// An object of every version, field by field.
#[rustfmt::skip]
const OBJECT: [Field; 14] = [
    (0, b"\x02\0\0\0"), // kind: environment
    (0, b"\x02\0\0\x80"), // flags 0x80000002
    (0, b"\x04\0\0\0tree"), // resource
    (3, b"\xFF\xFF\xFF\xFF"), // clan -1
    (4, b"\x09\0\0\0"), // order
    (0, b"\0\0\x80\x3F\0\0\0\x40\0\0\x40\x40"), // position 1 2 3
    (0, b"\0\0\0\0\0\0\0\0\0\0\0\x3F"), // orientation 0 0 0.5
    (10, b"\0\0\0\x40\0\0\0\x40\0\0\0\x40"), // scale 2 2 2
    (7, b"\x01\0\0\0T"), // instance name
    (8, b"\x05\0\0\0"), // word
    (9, b"\xFE\xFF\xFF\xFF\x08\0\0\0"), // links -2 and 8
    (6, b"\x01\0\0\0\x02\0\0\0"), // schema, two properties
    (6, b"\x01\0\0\0\x01\0\0\0\xFD\xFF\xFF\xFF\x03\0\0\0\x04\0\0\0Type"), // int 1 -3 3
    (6, b"\0\0\0\0\0\0\0\0\0\0\0\x3F\0\0\x80\x3F\x04\0\0\0Type"), // float 0 0.5 1 of the same name
];

/// The tail, field by field.
#[rustfmt::skip]
const TAIL: [Field; 5] = [
    (0, b"\x13\0\0\0DATA\\MAPS\\KM_2\\land"), // land base path
    (2, b"\x01\0\0\0"), // flag
    (2, b"\x03\0\0\0A\0\xCD"), // description with garbage
    (5, b"\x01\0\0\0\x01\0\0\0"), // schema, one extra
    (5, b"\0\0\x80\x3F\0\0\0\x40\0\0\x40\x40\x01\0\0\0\x02\0\0\0\x03\0\0\0\xFF\xFF\xFF\xFF"),
];

fn stored(fields: &[Field], version: u32) -> Vec<u8> {
    let stored = fields.iter().filter(|(since, _)| *since <= version);
    stored.flat_map(|(_, bytes)| bytes.to_vec()).collect()
}

fn clan(version: u32) -> Clan {
    let mut clan = Clan {
        name: b"Plr".to_vec(),
        id: -2,
        position: [1.0, -2.0],
        type_word: 1,
        ..Clan::default()
    };
    if version >= 2 {
        clan.script_base = b"SCR\\a".to_vec();
    }
    if version >= 3 {
        clan.groups = vec![vec![[1.0, 2.0, 3.0, 4.0, 5.0]]];
    }
    if version >= 4 {
        clan.research = b"a.trf".to_vec();
    }
    if version >= 5 {
        clan.brains = 7;
    }
    if version >= 6 {
        clan.relations = vec![Relation {
            clan: vec![0xC0, 0xE0],
            relation: 1,
        }];
    }
    clan
}

fn object(version: u32) -> Object {
    let mut object = Object {
        kind_word: 2,
        flags: 0x8000_0002,
        resource: b"tree".to_vec(),
        clan_idx: -1,
        position: [1.0, 2.0, 3.0],
        orientation: [0.0, 0.0, 0.5],
        ..Object::default()
    };
    if version >= 4 {
        object.order = 9;
    }
    if version >= 6 {
        object.properties = vec![
            Property::int("Type", [1, -3, 3]),
            Property::float("Type", [0.0, 0.5, 1.0]),
        ];
    }
    if version >= 7 {
        object.instance_name = b"T".to_vec();
    }
    if version >= 8 {
        object.unknown_word = 5;
    }
    if version >= 9 {
        object.links = [-2, 8];
    }
    if version >= 10 {
        object.scale = [2.0; 3];
    }
    object
}

/// A mission of one path, one clan and one object, of these versions, and its bytes.
fn fact(clan_version: u32, object_version: u32) -> (Mission, Vec<u8>) {
    let mut mission = Mission {
        paths: vec![Path {
            id: -1,
            points: vec![[1.0, 2.0, 0.5]],
        }],
        clan_version,
        clans: vec![clan(clan_version)],
        object_version,
        objects: vec![object(object_version)],
        land_base: br"DATA\MAPS\KM_2\land".to_vec(),
        ..Mission::default()
    };
    if object_version >= 2 {
        mission.unknown_flag = 1;
        mission.description = b"A\0\xCD".to_vec();
    }
    if object_version >= 5 {
        mission.extras = vec![Extra {
            position: [1.0, 2.0, 3.0],
            unknown_0c: [1, 2, 3, u32::MAX],
        }];
    }
    let bytes = [
        b"\x01\0\0\0\x01\0\0\0".to_vec(),
        b"\xFF\xFF\xFF\xFF\x01\0\0\0\0\0\x80\x3F\0\0\0\x40\0\0\0\x3F".to_vec(),
        clan_version.to_le_bytes().to_vec(),
        b"\x01\0\0\0".to_vec(),
        stored(&CLAN, clan_version),
        object_version.to_le_bytes().to_vec(),
        b"\x01\0\0\0".to_vec(),
        stored(&OBJECT, object_version),
        stored(&TAIL, object_version),
    ];
    (mission, bytes.concat())
}

/// Every version, the ones before and after those that are known too.
fn facts() -> Vec<Fact<Mission>> {
    let clans = (0..=7).map(|version| (version, OBJECT_VERSION));
    let objects = (0..=11).map(|version| (CLAN_VERSION, version));
    let facts = clans.chain(objects).map(|(clans, objects)| {
        let (mission, bytes) = fact(clans, objects);
        Fact::new(version_name(clans, objects), mission, bytes)
    });
    let empty = b"\x01\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0\x0A\0\0\0\0\0\0\0\
        \0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0";
    let empty = Fact::new("nothing", Mission::default(), empty);
    facts.chain([empty]).collect()
}

fn version_name(clans: u32, objects: u32) -> &'static str {
    // Facts have fixed names; a test may leave a few bytes behind.
    format!("clans {clans}, objects {objects}").leak()
}

#[test]
fn words_and_names_are_reported() {
    let (mission, _) = fact(6, 10);
    assert_eq!(mission.land_folder(), Some(&b"KM_2"[..]));
    assert_eq!(mission.path(-1), Some(&mission.paths[0]));
    assert_eq!(mission.path(0), None);
    assert_eq!(mission.clans[0].clan_type(), Some(ClanType::Player));
    let object = &mission.objects[0];
    assert_eq!(object.kind(), Some(ObjectKind::Environment));
    // Of two properties of one name the first is found; the order is kept.
    let first = object.property("TYPE").unwrap();
    assert_eq!((first.as_int(), first.as_float()), (Some(-3), None));
    let second = &object.properties[1];
    assert_eq!((second.as_int(), second.as_float()), (None, Some(0.5)));
    assert_eq!(object.property("Typ"), None);
    for (land_base, folder) in [
        (&b"land"[..], None),
        (b"/land", None),
        (b"SC_3/land", Some(&b"SC_3"[..])),
        (b"", None),
    ] {
        let mission = Mission {
            land_base: land_base.to_vec(),
            ..Mission::default()
        };
        assert_eq!(mission.land_folder(), folder);
    }
}

#[test]
fn floats_keep_their_bits() {
    let quiet_nan_with_payload = f32::from_bits(0xFFC1_2345);
    let (mut mission, _) = fact(6, 10);
    mission.objects[0].position[0] = quiet_nan_with_payload;
    mission.objects[0].scale[1] = -0.0;
    let bytes = mission.write().unwrap();
    let back = Mission::read(&bytes).unwrap();
    assert_eq!(back.objects[0].position[0].to_bits(), 0xFFC1_2345);
    assert_eq!(back.objects[0].scale[1].to_bits(), 0x8000_0000);
    assert_eq!(back.write().unwrap(), bytes);
}

fn damage() -> Vec<Damage> {
    let (_, good) = fact(6, 10);
    // The path takes 8..28, the clans begin at 28, their first and only one at 36.
    let objects = 36 + stored(&CLAN, 6).len();
    let tail = objects + 8 + stored(&OBJECT, 10).len();
    let rows: [(&str, usize, &[u8], &str, usize); 11] = [
        ("another version", 0, &[2], "version", 0),
        ("hostile path count", 4, &[0xFF; 4], "path count", 4),
        (
            "hostile point count",
            12,
            &[0xFF; 4],
            "path point count",
            12,
        ),
        ("hostile clan count", 32, &[0xFF; 4], "clan count", 32),
        ("hostile name", 36, &[0xFF; 4], "clan name", 36),
        ("hostile groups", 68, &[0xFF; 4], "clan group count", 68),
        ("hostile group", 72, &[0xFF; 4], "clan group size", 72),
        (
            "hostile object count",
            objects + 4,
            &[0xFF; 4],
            "object count",
            objects + 4,
        ),
        (
            "hostile resource",
            objects + 16,
            &[0xFF; 4],
            "object resource",
            objects + 16,
        ),
        (
            "hostile land base",
            tail,
            &[0xFF; 4],
            "land base path",
            tail,
        ),
        (
            "one extra less",
            tail + 23 + 4 + 7 + 4,
            &[0],
            "after the last extra",
            tail + 23 + 4 + 7 + 8,
        ),
    ];
    let damaged = rows.map(|(name, at, bytes, field, offset)| {
        let mut bad = good.clone();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        Damage::new(name, bad, field, offset as u64)
    });
    damaged.into()
}

#[test]
fn values_that_a_version_does_not_store_are_not_written() {
    let (latest, _) = fact(6, 10);
    let refusal = |clan_version, object_version| {
        let mission = Mission {
            clan_version,
            object_version,
            ..latest.clone()
        };
        mission.write().map_err(|error| error.field)
    };
    let of_clans = [
        "script base",
        "group count",
        "research",
        "brains",
        "relation count",
    ];
    for (version, field) in (1..).zip(of_clans) {
        assert_eq!(refusal(version, 10).unwrap_err(), format!("clan {field}"));
    }
    for (version, field) in [(3, "object order"), (9, "object scale")] {
        assert_eq!(refusal(6, version).unwrap_err(), field);
    }
    assert!(refusal(6, 10).is_ok());
    let old = Mission {
        object_version: 1,
        ..Mission::default()
    };
    assert!(old.write().is_ok());
    let object = |edit: fn(&mut Object)| {
        let mut object = Object::default();
        edit(&mut object);
        Mission {
            objects: vec![object],
            ..old.clone()
        }
    };
    let rows = [
        (object(|it| it.clan_idx = 0), "object clan"),
        (object(|it| it.instance_name.push(b'A')), "object name"),
        (object(|it| it.unknown_word = 1), "object word"),
        (object(|it| it.links = [0, 1]), "object link"),
        (object(|it| it.property_schema = 0), "property schema"),
        (
            object(|it| it.properties.push(Property::int("", [0; 3]))),
            "property count",
        ),
        (
            Mission {
                unknown_flag: 1,
                ..old.clone()
            },
            "tail flag",
        ),
        (
            Mission {
                description: vec![0],
                ..old.clone()
            },
            "description",
        ),
        (
            Mission {
                extras_schema: 2,
                ..old.clone()
            },
            "extras schema",
        ),
        (
            Mission {
                extras: latest.extras.clone(),
                ..old.clone()
            },
            "extra count",
        ),
    ];
    for (mission, field) in rows {
        assert_eq!(mission.write().unwrap_err().field, field);
    }
}

fn severities(findings: &[Finding]) -> Vec<(Severity, &str)> {
    let reported = findings.iter().map(|f| (f.severity, f.message.as_str()));
    reported.collect()
}

#[test]
fn a_usual_mission_has_no_findings() {
    let (mut mission, _) = fact(6, 10);
    mission.clans[0].type_word = 0;
    mission.clans[0].relations[0].clan = b"PLR".to_vec();
    mission.objects[0].clan_idx = 0;
    assert_eq!(mission.check(), []);
}

#[test]
fn broken_rules_are_found() {
    let mut mission = Mission {
        clan_version: 7,
        object_version: 11,
        extras_schema: 2,
        ..fact(6, 10).0
    };
    mission.land_base = b"land".to_vec();
    mission.paths.push(mission.paths[0].clone());
    mission.paths[1].points[0][2] = f32::INFINITY;
    mission.clans.push(Clan {
        type_word: 4,
        groups: vec![Vec::new()],
        position: [f32::NAN, 0.0],
        ..Clan::default()
    });
    mission.extras[0].position[0] = f32::NAN;
    mission.objects.push(Object {
        kind_word: 4,
        flags: 0,
        clan_idx: 2,
        scale: [f32::NAN; 3],
        property_schema: 0,
        properties: vec![Property {
            type_word: 2,
            ..Property::int("P", [0; 3])
        }],
        ..Object::default()
    });
    use Severity::{Error, Note, Warning};
    let expected = [
        (Warning, "clan version 7 is none of 1 to 6"),
        (Warning, "object version 11 is none of 1 to 10"),
        (Note, "the word before the extras is 2, not 1"),
        (Warning, "the land base path \"land\" names no folder"),
        (Warning, "path id -1 is there more than once"),
        (Warning, "clan 1 \"\": unknown type 4"),
        (
            Warning,
            "clan 0 \"Plr\": 1 groups, only the environment has any",
        ),
        (
            Warning,
            "clan 1 \"\": 1 groups, only the environment has any",
        ),
        (Note, "clan 1 \"\": a group that does not hold one item"),
        (Warning, "clan 0 \"Plr\": no clan \"Аа\""),
        (Warning, "object 1 \"\": unknown kind 4"),
        (Note, "object 1 \"\": flags 0x0"),
        (Warning, "object 1 \"\": no resource"),
        (Warning, "object 1 \"\": clan 2 of 2"),
        (Note, "object 1 \"\": property schema 0, not 1"),
        (Warning, "object 1 \"\": property \"P\" of type 2"),
        (
            Error,
            "object 1 \"\": stands nowhere, a number is not finite",
        ),
        (Error, "clan 1: its position is not finite"),
        (Error, "path -1: a point is not finite"),
        (Error, "extra 0: its position is not finite"),
    ];
    assert_eq!(severities(&mission.check()), expected);
    // The file has paths before clans, objects and extras.
    let findings = mission.check();
    let errors = findings.iter().filter(|it| it.severity == Error);
    let offsets: Vec<u64> = errors.map(|it| it.offset.unwrap()).collect();
    let [object, clan, path, extra] = offsets[..] else {
        panic!("four: {offsets:?}");
    };
    assert!(
        path < clan && clan < object && object < extra,
        "{offsets:?}"
    );
    let bytes = mission.write().unwrap();
    let id = mission.paths[1].id.to_le_bytes();
    assert!(bytes[path as usize..].starts_with(&id));
}

fn any_text() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..8)
}

prop_compose! {
    fn any_clan()(
        name in any_text(),
        numbers in any::<(i32, [f32; 2], u32, i32)>(),
        paths in (any_text(), any_text()),
        groups in prop::collection::vec(prop::collection::vec(any::<[f32; 5]>(), 0..3), 0..3),
        relations in prop::collection::vec((any_text(), any::<i32>()), 0..3),
    ) -> Clan {
        let (id, position, type_word, brains) = numbers;
        let (script_base, research) = paths;
        let relation = |(clan, relation)| Relation { clan, relation };
        let relations = relations.into_iter().map(relation).collect();
        Clan { name, id, position, type_word, script_base, groups, research, brains, relations }
    }
}

prop_compose! {
    fn any_object()(
        words in any::<[u32; 5]>(),
        texts in (any_text(), any_text()),
        clan_idx in any::<i32>(),
        vectors in any::<[[f32; 3]; 3]>(),
        links in any::<[i32; 2]>(),
        properties in prop::collection::vec((any::<u32>(), any::<[u32; 3]>(), any_text()), 0..4),
    ) -> Object {
        let [kind_word, flags, order, unknown_word, property_schema] = words;
        let (resource, instance_name) = texts;
        let [position, orientation, scale] = vectors;
        let property = |(type_word, words, name)| Property { type_word, words, name };
        let properties = properties.into_iter().map(property).collect();
        Object {
            kind_word, flags, resource, clan_idx, order, position, orientation, scale, instance_name,
            unknown_word, links, property_schema, properties,
        }
    }
}

prop_compose! {
    fn any_mission()(
        versions in (6u32.., 10u32..),
        paths in prop::collection::vec((any::<i32>(), prop::collection::vec(any::<[f32; 3]>(), 0..3)), 0..3),
        clans in prop::collection::vec(any_clan(), 0..3),
        objects in prop::collection::vec(any_object(), 0..3),
        texts in (any_text(), any_text()),
        words in any::<[u32; 2]>(),
        extras in prop::collection::vec(any::<([f32; 3], [u32; 4])>(), 0..3),
    ) -> Mission {
        let (clan_version, object_version) = versions;
        let (land_base, description) = texts;
        let [unknown_flag, extras_schema] = words;
        let path = |(id, points)| Path { id, points };
        let extra = |(position, unknown_0c)| Extra { position, unknown_0c };
        Mission {
            paths: paths.into_iter().map(path).collect(),
            clan_version, clans, object_version, objects, land_base, unknown_flag, description, extras_schema,
            extras: extras.into_iter().map(extra).collect(),
        }
    }
}
