//! What a mission says of its level, as entities to look up: clans, paths, ore deposits and objects with their properties.
//!
//! Document: Parkan dossier, section 10.1.

use glam::{Vec2, Vec3};
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_parkan::mission::{
    Clan, ClanType, Extra, Mission, Object, ObjectKind, Path, Property,
};
use ironlands_assets_parkan::placement::name_of;
use ironlands_sim_world::{Fact, WorldEntity};

/// Characters of a clan's name that each of its objects repeats: files decide how long names are.
const MAX_CLAN_NAME: usize = 64;

/// All entities, in the order of the file; `ground_at` is the height of the ground.
pub fn mission_entities(
    mission: &Mission,
    ground_at: impl Fn(Vec2) -> Option<f32>,
) -> Vec<WorldEntity> {
    let paths = mission.paths.iter().map(path_entity);
    let mut n_owned = vec![0usize; mission.clans.len()];
    for object in &mission.objects {
        let clan = usize::try_from(object.clan_idx).ok();
        if let Some(n_owned) = clan.and_then(|index| n_owned.get_mut(index)) {
            *n_owned = n_owned.saturating_add(1);
        }
    }
    let clans = mission.clans.iter().zip(n_owned);
    let clans = clans.map(|(clan, n_owned)| clan_entity(clan, n_owned, &ground_at));
    let objects = mission.objects.iter();
    let objects = objects.map(|object| object_entity(mission, object));
    let deposits = mission.extras.iter().map(deposit_entity);
    paths.chain(clans).chain(objects).chain(deposits).collect()
}

fn path_entity(path: &Path) -> WorldEntity {
    let steps = path.points.iter().zip(path.points.iter().skip(1));
    let lengths = steps.map(|(from, to)| Vec3::from(*from).distance(Vec3::from(*to)));
    let first = path.points.first();
    WorldEntity {
        class: "path".to_owned(),
        name: path.id.to_string(),
        position: first.copied().and_then(finite),
        facts: vec![
            Fact::new("points", path.points.len().to_string()),
            Fact::new("length", format!("{:.1}", lengths.sum::<f32>())),
        ],
    }
}

fn clan_entity(
    clan: &Clan,
    n_owned: usize,
    ground_at: impl Fn(Vec2) -> Option<f32>,
) -> WorldEntity {
    let [x, y] = clan.position;
    let z = ground_at(Vec2::new(x, y)).unwrap_or_default();
    let relations = clan.relations.iter();
    let relations = relations.map(|it| format!("{} {}", text(&it.clan), it.relation));
    let player = match clan.clan_type() {
        Some(ClanType::Environment) => "no one".to_owned(),
        Some(ClanType::Player) => "the player".to_owned(),
        Some(ClanType::Ai) => "the computer".to_owned(),
        Some(ClanType::Neutral) => "no one, neutral".to_owned(),
        None => format!("type {}", clan.type_word),
    };
    WorldEntity {
        class: "clan".to_owned(),
        name: text(&clan.name),
        position: finite([x, y, z]),
        facts: with_text([
            ("number", clan.id.to_string()),
            ("played by", player),
            ("objects", n_owned.to_string()),
            ("relations", relations.collect::<Vec<_>>().join(", ")),
            ("scripts", text(&clan.script_base)),
            ("research tree", text(&clan.research)),
        ]),
    }
}

fn object_entity(mission: &Mission, object: &Object) -> WorldEntity {
    let class = match object.kind() {
        Some(ObjectKind::Building) => "building".to_owned(),
        Some(ObjectKind::Warbot) => "warbot".to_owned(),
        Some(ObjectKind::Environment) => "environment".to_owned(),
        Some(ObjectKind::Stone) => "stone".to_owned(),
        None => format!("kind {}", object.kind_word),
    };
    let clan = usize::try_from(object.clan_idx).ok();
    let clan = clan.map(|index| match mission.clans.get(index) {
        Some(clan) => text(&clan.name).chars().take(MAX_CLAN_NAME).collect(),
        None => format!("{index}, which is missing"),
    });
    let properties: Vec<_> = object.properties.iter().map(property_text).collect();
    let [_, _, turn] = object.orientation;
    WorldEntity {
        class,
        name: name_of(object),
        position: finite(object.position),
        facts: with_text([
            ("resource", text(&object.resource)),
            ("clan", clan.unwrap_or_default()),
            ("order", object.order.to_string()),
            ("turned by", format!("{:.0}°", turn.to_degrees())),
            ("properties", properties.join(", ")),
        ]),
    }
}

fn deposit_entity(deposit: &Extra) -> WorldEntity {
    let words = deposit.unknown_0c.map(|word| format!("{word:#x}"));
    WorldEntity {
        class: "ore deposit".to_owned(),
        name: String::new(),
        position: finite(deposit.position),
        facts: vec![Fact::new("unknown words", words.join(" "))],
    }
}

fn property_text(property: &Property) -> String {
    let name = text(&property.name);
    match (property.as_int(), property.as_float()) {
        (Some(value), _) => format!("{name} {value}"),
        (None, Some(value)) => format!("{name} {value}"),
        (None, None) => name,
    }
}

/// Facts without those that have no text.
fn with_text<const N: usize>(facts: [(&str, String); N]) -> Vec<Fact> {
    let facts = facts.into_iter().filter(|(_, text)| !text.is_empty());
    facts.map(|(label, text)| Fact::new(label, text)).collect()
}

fn text(bytes: &[u8]) -> String {
    decode_cp1251(bytes).into_owned()
}

fn finite(position: [f32; 3]) -> Option<Vec3> {
    let position = Vec3::from(position);
    position.is_finite().then_some(position)
}

#[cfg(test)]
mod tests {
    use ironlands_assets_parkan::mission::{NO_CLAN, Relation};

    use super::*;

    fn facts(entity: &WorldEntity) -> Vec<(&str, &str)> {
        let facts = entity.facts.iter();
        facts.map(|it| (&*it.label, &*it.value)).collect()
    }

    #[test]
    fn a_mission_names_its_paths_clans_objects_and_deposits() {
        let clan = |name: &str, type_word, position| Clan {
            name: name.into(),
            type_word,
            position,
            ..Clan::default()
        };
        let long = "ours".repeat(100);
        let mut ours = clan(&long, 1, [3.0, 4.0]);
        ours.relations = vec![Relation {
            clan: b"trees".to_vec(),
            relation: 1,
        }];
        let mission = Mission {
            paths: vec![Path {
                id: 7,
                points: vec![[1.0, 1.0, 5.0], [4.0, 5.0, 5.0]],
            }],
            clans: vec![clan("trees", 0, [f32::NAN, 0.0]), ours],
            objects: vec![
                Object {
                    clan_idx: 1,
                    resource: b"plant".to_vec(),
                    position: [2.0, 3.0, 4.0],
                    order: 5,
                    properties: vec![
                        Property::int("Ore", [0, 50, 100]),
                        Property::float("Life", [0.0, 0.5, 1.0]),
                    ],
                    ..Object::default()
                },
                Object {
                    kind_word: 9,
                    clan_idx: NO_CLAN,
                    position: [f32::INFINITY; 3],
                    ..Object::default()
                },
            ],
            extras: vec![Extra {
                position: [6.0, 6.0, 5.0],
                unknown_0c: [1, 2, 0, 0xff],
            }],
            ..Mission::default()
        };
        let entities = mission_entities(&mission, |at| Some(at.x + 10.0));
        let [path, trees, ours, plant, other, ore] = &entities[..] else {
            panic!("{entities:?}");
        };
        assert_eq!((&*path.class, &*path.name), ("path", "7"));
        assert_eq!(facts(path), [("points", "2"), ("length", "5.0")]);
        assert_eq!(trees.position, None);
        assert_eq!(ours.position, Some(Vec3::new(3.0, 4.0, 13.0)));
        assert!(facts(ours).contains(&("played by", "the player")));
        assert!(facts(ours).contains(&("objects", "1")));
        assert!(facts(ours).contains(&("relations", "trees 1")));
        assert_eq!((&*plant.class, &*plant.name), ("building", "plant"));
        assert_eq!(ours.name, long);
        assert!(facts(plant).contains(&("clan", &long[..MAX_CLAN_NAME])));
        assert!(facts(plant).contains(&("order", "5")));
        assert!(facts(plant).contains(&("properties", "Ore 50, Life 0.5")));
        assert_eq!((&*other.class, other.position), ("kind 9", None));
        assert_eq!(ore.position, Some(Vec3::new(6.0, 6.0, 5.0)));
        assert_eq!(facts(ore), [("unknown words", "0x1 0x2 0x0 0xff")]);
    }
}
