//! Who lives in the village: peasants, a child and guards, and what they do all day.

use ironlands_assets_evil_islands::mob::UnitStats;
use ironlands_assets_evil_islands::mob::view::{
    ActionPoint, GuardPoint, ObjectKind, Unit, UnitLogic,
};

use super::{Plan, Player, Thing, degrees_toward};
use crate::evil_islands::figures::HUMAN;
use crate::evil_islands::island::{BRIDGE, SQUARE};

/// Object type of a human.
const HUMAN_TYPE: u32 = 50;
/// Behaviors that a unit has.
const N_LOGICS: usize = 5;
/// Kinds of behavior: none, guarding a circle, walking a path.
const IDLE: u32 = 0;
const GUARD: u32 = 1;
const PATH: u32 = 2;

/// Parts that all figures show.
const BODY: [&str; 15] = [
    "hp", "bd", "hd", "lh1", "lh2", "lh3", "rh1", "rh2", "rh3", "ll1", "ll2", "ll3", "rl1", "rl2",
    "rl3",
];

/// A villager.
struct Person {
    thing: Thing,
    at: [f64; 2],
    looks_at: [f64; 2],
    prototype: &'static str,
    player: Player,
    /// Parts beside those of the body.
    wears: &'static [&'static str],
    logic: UnitLogic,
}

/// Puts them on the land.
pub fn settle(plan: &mut Plan<'_>) {
    for person in everybody(plan) {
        let degrees = degrees_toward(person.at, person.looks_at);
        let parts = BODY.iter().chain(person.wears);
        let body_parts = parts.map(|part| (*part).to_owned()).collect();
        let is_armed = person.wears.contains(&"rh3.sword");
        let list = |name: &str, has: bool| match has {
            true => vec![name.to_owned()],
            false => Vec::new(),
        };
        let mut logics = vec![person.logic];
        logics.resize(N_LOGICS, UnitLogic::default());
        let unit = Unit {
            needs_import: true,
            prototype: person.prototype.to_owned(),
            armors: list("Steel Helmet", is_armed),
            weapons: list("Steel Sword", is_armed),
            spells: Vec::new(),
            quick_items: Vec::new(),
            quest_items: Vec::new(),
            stats: Some(stats(is_armed)),
            logics,
        };
        let object = plan.put(&person.thing, person.at, degrees);
        object.object_type = HUMAN_TYPE;
        object.player = person.player as u8;
        object.use_in_script = true;
        object.body_parts = body_parts;
        object.kind = ObjectKind::Unit(Box::new(unit));
    }
}

fn stats(is_armed: bool) -> UnitStats {
    let hp = if is_armed { 40 } else { 18 };
    UnitStats {
        hp,
        max_hp: hp,
        mp: 10,
        max_mp: 10,
        speed_run: 4.5,
        speed_walk: 1.6,
        speed_crouch: 1.0,
        speed_crawl: 0.5,
        vision_arc: 120.0,
        attack_distance: if is_armed { 1.4 } else { 0.9 },
        attack: if is_armed { 14.0 } else { 3.0 },
        defence: if is_armed { 12.0 } else { 2.0 },
        damage_min: if is_armed { 4.0 } else { 1.0 },
        damage_range: if is_armed { 3.0 } else { 1.0 },
        sight: 24.0,
        hearing: 12.0,
        ..UnitStats::default()
    }
}

/// A walk from place to place and back to the first, with a look around at each.
fn walk(plan: &Plan<'_>, places: &[[f64; 2]]) -> UnitLogic {
    let point = |at: &[f64; 2]| GuardPoint {
        position: plan.above(*at, 0.0),
        actions: vec![ActionPoint {
            look_at: plan.above(SQUARE, 1.5),
            wait_segments: 45,
            turn_speed: 3,
            flags: 0,
        }],
    };
    UnitLogic {
        model: PATH,
        is_cyclic: true,
        is_used: true,
        patrol: places.iter().map(point).collect(),
        ..UnitLogic::default()
    }
}

fn everybody(plan: &Plan<'_>) -> Vec<Person> {
    let human = |name, texture, complection| Thing {
        name,
        template: HUMAN,
        textures: [texture, "arms00"],
        complection,
    };
    let guarding = |at: [f64; 2], radius: f32| UnitLogic {
        model: GUARD,
        guard_radius: radius,
        guard_point: plan.above(at, 0.0),
        is_used: true,
        ..UnitLogic::default()
    };
    let idle = UnitLogic {
        model: IDLE,
        is_used: true,
        ..UnitLogic::default()
    };
    let patrol = [
        [80.0, 51.0],
        [73.5, 51.0],
        [56.0, 51.0],
        [41.0, 51.0],
        [56.0, 50.6],
        [74.0, 50.6],
    ];
    let field = [[44.5, 56.5], [53.5, 56.5], [53.5, 59.5], [44.5, 59.5]];
    vec![
        Person {
            thing: human("GuardOnPatrol", "human01", [0.7, 0.8, 0.75]),
            at: patrol[0],
            looks_at: BRIDGE,
            prototype: "Island Guard",
            player: Player::Guards,
            wears: &["hd.armor01", "rh3.sword", "bd.cape"],
            logic: walk(plan, &patrol),
        },
        Person {
            thing: human("GuardAtTheBridge", "human01", [0.4, 1.0, 0.55]),
            at: [58.6, 52.6],
            looks_at: [40.0, 46.0],
            prototype: "Island Guard",
            player: Player::Guards,
            wears: &["hd.armor01", "rh3.sword", "bd.cape"],
            logic: guarding([58.6, 52.6], 12.0),
        },
        Person {
            thing: human("Miller", "human00", [0.05, 0.65, 0.5]),
            at: [89.4, 50.6],
            looks_at: [92.0, 48.0],
            prototype: "Island Peasant",
            player: Player::Villagers,
            wears: &["hr.01"],
            logic: idle.clone(),
        },
        Person {
            thing: human("Child", "human02", [0.7, 0.2, 0.02]),
            at: [92.6, 49.2],
            looks_at: [89.4, 50.6],
            prototype: "Island Child",
            player: Player::Villagers,
            wears: &["hr.01"],
            logic: idle,
        },
        Person {
            thing: human("Farmer", "human00", [0.6, 0.3, 0.65]),
            at: field[0],
            looks_at: field[1],
            prototype: "Island Peasant",
            player: Player::Villagers,
            wears: &["hr.01"],
            logic: walk(plan, &field),
        },
        Person {
            thing: human("Traveller", "human02", [0.9, 0.35, 0.95]),
            at: [79.0, 49.6],
            looks_at: BRIDGE,
            prototype: "Island Peasant",
            player: Player::Villagers,
            wears: &["hr.01", "bd.cape"],
            logic: walk(plan, &[[79.0, 49.6], [86.0, 50.4]]),
        },
    ]
}
