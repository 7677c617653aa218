use ironlands_assets_proof::{Damage, Fact, Truncations, proof};
use proptest::prelude::*;

use super::*;

proof! {
    Entities {
        facts: facts(),
        damage: damage(),
        // Between entities the text may end; a test of its own shows where it may not.
        truncations: Truncations::Valid,
        values: any_entities(),
        // Short pairs grow most: two vectors a pair of six bytes, and those of the copy that is written.
        growth: 64,
        runs: 2_000,
        also: use_entities,
    }
}

const TWO: &[u8] = b"{\n\"world_maxs\" \"64 64 64\"\n\"classname\" \"worldspawn\"\n}\n\
    {\n\"OnTrigger\" \"door,Open,,0.5,-1\"\n\"onTrigger\" \"lamp\x1BTurn On\x1Ba,b\x1B0\x1B1\"\n\
    \"classname\" \"logic_relay\"\n}\n\0";

fn two() -> Entities {
    let mut entities = Entities::new(EntitySyntax::Plain);
    let mut world = Entity::default();
    world.push("world_maxs", "64 64 64");
    world.push("classname", "worldspawn");
    let mut relay = Entity::default();
    relay.push("OnTrigger", "door,Open,,0.5,-1");
    relay.push("onTrigger", "lamp\x1BTurn On\x1Ba,b\x1B0\x1B1");
    relay.push("classname", "logic_relay");
    entities.entities = vec![world, relay];
    entities
}

fn facts() -> Vec<Fact<Entities>> {
    vec![
        Fact::new("nothing", Entities::default(), b"\0"),
        Fact::new("two entities", two(), TWO),
        Fact::from_bytes("two entities with escapes", TWO).with_context(EntitySyntax::Escapes),
    ]
}

#[test]
fn usual_entities_have_no_findings() {
    assert_eq!(Entities::default().check(), []);
    assert_eq!(two().check(), []);
}

fn use_entities(entities: &Entities, _: &[u8]) {
    for entity in &entities.entities {
        entity.outputs();
        entity.light("world_maxs");
    }
}

#[test]
fn other_spelling_is_kept_until_it_is_edited() {
    let text =
        b" // a comment { \"\r\n{ \"classname\"\t\"worldspawn\" \"a\"\"}\" }\r\n{}{\n}\n \0\0";
    let mut entities = Entities::read(text, EntitySyntax::Plain).unwrap();
    assert_eq!(entities.entities.len(), 3);
    assert_eq!(entities.entities[0].get("A").as_deref(), Some("}"));
    assert_eq!(entities.write().as_deref(), Ok(text.as_slice()));
    entities.entities[0].push("b", "1");
    let written = entities.write().unwrap();
    let expected =
        b"{\n\"classname\" \"worldspawn\"\n\"a\" \"}\"\n\"b\" \"1\"\n}\n\r\n{}{\n}\n \0\0";
    assert_eq!(
        written.escape_ascii().to_string(),
        expected.escape_ascii().to_string()
    );
}

#[test]
fn version_17_has_escapes() {
    let text = br#"{
"classname" "worldspawn"
"message" "say \"a\\b\" c:\dir\"
}"#;
    assert!(
        Entities::read(text, EntitySyntax::Escapes).is_err(),
        "the last quote is escaped"
    );
    let text = b"{\n\"message\" \"say \\\"a\\\\\" \"path\" \"c:\\dir\\new\"\n}\n\0";
    let entities = Entities::read(text, EntitySyntax::Escapes).unwrap();
    assert_eq!(
        entities.entities[0].get("message").as_deref(),
        Some("say \"a\\")
    );
    assert_eq!(
        entities.entities[0].get("path").as_deref(),
        Some("c:\\dir\\new")
    );
    assert_eq!(entities.write().as_deref(), Ok(text.as_slice()));
    let plain = Entities::read(b"{\n\"path\" \"c:\\\"\n}\n\0", EntitySyntax::Plain).unwrap();
    assert_eq!(plain.entities[0].get("path").as_deref(), Some("c:\\"));
    assert_eq!(EntitySyntax::from_version(17), EntitySyntax::Escapes);
    assert_eq!(EntitySyntax::from_version(18), EntitySyntax::Plain);
}

fn damage() -> Vec<Damage> {
    let rows: [(&'static str, &[u8], &'static str, u64); 7] = [
        ("open quote", &b"{\n\"a\" \"b\n}\n\0"[..], "value", 6),
        ("open key", b"{\n\"a", "key", 2),
        ("open brace", b"{\n\"a\" \"b\"\n", "key", 10),
        ("no value", b"{\n\"a\"\n}\n\0", "value", 6),
        ("no quotes", b"{\n a b\n}\n", "key", 3),
        ("text between", b"{\n}\nx{\n}\n", "after the last entity", 4),
        (
            "text after the end",
            b"{\n}\n\0\0x",
            "after the last entity",
            6,
        ),
    ];
    let rows = rows.map(|(name, text, field, offset)| Damage::new(name, text, field, offset));
    rows.to_vec()
}

#[test]
fn a_quote_without_escapes_is_not_written() {
    let mut quoted = Entities::default();
    quoted.entities.push(Entity::new("a\"b"));
    assert_eq!(quoted.write().unwrap_err().field, "text");
}

/// Cut between entities, the text is whole.
#[test]
fn truncation_inside_of_an_entity_is_refused() {
    let whole = [0, 52, 53];
    let end = TWO.len() - 2;
    for len in 0..end {
        let read = Entities::read(&TWO[..len], EntitySyntax::Plain);
        assert_eq!(read.is_ok(), whole.contains(&len), "{len} bytes");
    }
}

#[test]
fn keys_are_found_whatever_their_case_and_the_first_counts() {
    let entities = two();
    let relay = &entities.entities[1];
    assert_eq!(relay.class(), "logic_relay");
    assert_eq!(relay.get("ONTRIGGER").as_deref(), Some("door,Open,,0.5,-1"));
    assert_eq!(relay.get("origin"), None);
    assert_eq!(entities.world(), Some(&entities.entities[0]));
    assert_eq!(entities.of_class("logic").count(), 1);
}

#[test]
fn outputs_are_split_at_escapes_or_commas() {
    let entities = two();
    let outputs = entities.entities[1].outputs();
    let parts: Vec<[&str; 6]> = outputs
        .iter()
        .map(|o| {
            [
                &*o.event,
                &*o.target,
                &*o.input,
                &*o.parameter,
                &*o.delay,
                &*o.times_to_fire,
            ]
        })
        .collect();
    let expected = [
        ["OnTrigger", "door", "Open", "", "0.5", "-1"],
        ["onTrigger", "lamp", "Turn On", "a,b", "0", "1"],
    ];
    assert_eq!(parts, expected);
    let mut entity = Entity::default();
    entity.push("OnUser1", "script,Run,f(1,2),0,-1");
    entity.push("message", "one, two, three");
    entity.push("points", "1,2");
    let outputs = entity.outputs();
    assert_eq!(outputs.len(), 1);
    assert_eq!(outputs[0].parameter, "f(1,2)");
}

#[test]
fn values_are_numbers_only_if_all_of_them_is() {
    let mut entity = Entity::new("light");
    for (key, value) in [
        ("origin", " 1  -2.5\t3e1 "),
        ("angles", "0 90"),
        ("bad", "1 2 x"),
        ("far", "inf 0 0"),
        ("model", "*12"),
        ("hammerid", "345"),
        ("spawnflags", "-1"),
        ("scale", "1.5"),
    ] {
        entity.push(key, value);
    }
    assert_eq!(entity.origin(), Some([1.0, -2.5, 30.0]));
    assert_eq!(entity.angles(), None);
    assert_eq!(entity.vec3("bad"), None);
    assert_eq!(entity.vec3("far"), None);
    assert_eq!(entity.brush_model(), Some(12));
    assert_eq!(entity.hammer_id(), Some(345));
    assert_eq!(entity.integer("spawnflags"), Some(-1));
    assert_eq!(entity.number("scale"), Some(1.5));
    assert_eq!(entity.name(), None);
}

/// The numbers of dossier section 8.3.
#[test]
fn light_is_as_bright_as_the_compiler_says() {
    let mut sun = Entity::new("light_environment");
    sun.push("_light", "233 225 201 700");
    sun.push("angles", "0 43 0");
    sun.push("pitch", "-60");
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 6e-5);
    let intensity = sun.light("_light").unwrap().intensity();
    assert!(near(intensity, [2.2509, 2.0844, 1.6263]), "{intensity:?}");
    let direction = sun.light_direction().unwrap();
    assert!(near(direction, [0.3657, 0.3410, -0.8660]), "{direction:?}");
    let mut lamp = Entity::new("light");
    lamp.push("_light", "255 255 255 200");
    let value = lamp.light("_light").unwrap();
    let [red, _, _] = value.point_intensity([0.0, 0.0, 1.0]);
    assert!((red - 7843.1).abs() < 0.1, "{red}");
    let bright = LightValue {
        brightness: 400.0,
        ..value
    };
    let [red, _, _] = bright.point_intensity([500_000.0, 0.0, 1.0]);
    assert!((red - 800_000.0).abs() < 1.0, "{red}");
    lamp.push("_ambient", "255 255 255");
    assert_eq!(lamp.light("_ambient").unwrap().intensity(), [1.0; 3]);
    assert_eq!(lamp.light_direction(), None);
}

#[test]
fn limits_of_the_original_are_reported() {
    let mut entities = Entities::default();
    let mut entity = Entity::new("light");
    entity.push("a_key_that_is_longer_than_32_bytes", "1");
    entity.push("message", &"x".repeat(1025));
    entities.entities = vec![entity, Entity::default()];
    let messages: Vec<String> = entities.check().into_iter().map(|f| f.message).collect();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert_eq!(messages[0], "entity 0 is no worldspawn");
    assert_eq!(messages[3], "entity 1 has no class");
}

/// Without quotes, which only one syntax can hold.
fn any_entities() -> impl Strategy<Value = Entities> {
    let text = |most| {
        let byte = any::<u8>().prop_filter("no quote", |byte| *byte != b'"');
        prop::collection::vec(byte, 0..most)
    };
    prop::collection::vec((text(20), text(40)), 0..8).prop_map(|pairs| {
        let mut entities = Entities::new(EntitySyntax::Plain);
        entities.entities.push(Entity { pairs, text: None });
        entities
    })
}

proptest! {
    #[test]
    fn any_pairs_come_back(
        pairs in prop::collection::vec(
            (prop::collection::vec(any::<u8>(), 0..20), prop::collection::vec(any::<u8>(), 0..40)),
            0..8,
        ),
        has_escapes in any::<bool>(),
    ) {
        let syntax = if has_escapes { EntitySyntax::Escapes } else { EntitySyntax::Plain };
        let mut entities = Entities::new(syntax);
        entities.entities.push(Entity { pairs: pairs.clone(), text: None });
        let has_quote = pairs.iter().any(|(k, v)| k.contains(&b'"') || v.contains(&b'"'));
        match entities.write() {
            Ok(text) => {
                let read = Entities::read(&text, syntax).unwrap();
                prop_assert_eq!(&read, &entities);
                prop_assert_eq!(read.write().unwrap(), text);
            }
            Err(_) => prop_assert!(has_quote && !has_escapes),
        }
    }

    #[test]
    fn text_in_the_alphabet_of_the_grammar_comes_back(text in "[{}\" \n/a\\\\]{0,40}") {
        for syntax in [EntitySyntax::Plain, EntitySyntax::Escapes] {
            if let Ok(entities) = Entities::read(text.as_bytes(), syntax) {
                prop_assert_eq!(entities.write().unwrap(), text.as_bytes());
            }
        }
    }
}
