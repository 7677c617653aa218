//! Brush entities and static props where they stand.

use crate::bodies::{Body, check_sweep, turn};
use crate::common::*;
use glam::Vec3;
use ironlands_assets_source::bsp::{Contents, Face, Texinfo};
use ironlands_assets_source::entities::{Entities, Entity};
use ironlands_sim_brush::{
    BrushWorld, BrushWorldError, ContentBits, Obstacle, PropHull, PropSolid, ShapeCast,
};
use ironlands_world_source::{MapWorldError, brush_world, content_bits};

const SOLID: ContentBits = content_bits(Contents::MASK_SOLID);
const LOW: Vec3 = Vec3::new(-20.0, -30.0, -40.0);
const HIGH: Vec3 = Vec3::new(25.0, 10.0, 60.0);

/// An empty world, a brush model of one box, and entities.
fn maker() -> Maker {
    let mut maker = Maker::default();
    let numbers = &mut Numbers(0);
    let far = Vec3::splat(5000.0);
    maker.add(&box_sides(far, far + Vec3::ONE), Contents::SOLID);
    maker.end_model(numbers);
    maker.add(&box_sides(LOW, HIGH), Contents::SOLID);
    maker.end_model(numbers);
    maker
}

fn entity(class: &str, pairs: &[(&str, &str)]) -> Entity {
    let mut entity = Entity::new(class);
    entity.push("model", "*1");
    for (key, value) in pairs {
        entity.push(key, value);
    }
    entity
}

fn entities(entity: Entity) -> Entities {
    let mut entities = Entities::default();
    entities.entities.push(Entity::new("worldspawn"));
    entities.entities.push(entity);
    entities
}

fn world(maker: &Maker, entity: Entity) -> BrushWorld {
    brush_world(&maker.map, &entities(entity), &[]).expect("a valid map")
}

fn holds(world: &BrushWorld) -> bool {
    let ray = ShapeCast::from_ray(Vec3::Z * 500.0, Vec3::Z * -500.0, ContentBits::all());
    trace(world, &ray).hit.is_some()
}

#[test]
fn classes_keys_and_flags_say_what_is_solid() {
    type Row = (&'static str, &'static [(&'static str, &'static str)], bool);
    let rows: [Row; 22] = [
        ("func_brush", &[], true),
        (
            "func_brush",
            &[("Solidity", "0"), ("StartDisabled", "1")],
            false,
        ),
        ("func_brush", &[("solidity", "1")], false),
        (
            "func_brush",
            &[("Solidity", "2"), ("StartDisabled", "1")],
            true,
        ),
        ("func_wall", &[], true),
        ("func_door", &[], true),
        ("func_door", &[("spawnflags", "4")], false),
        ("func_door_rotating", &[("spawnflags", "8")], false),
        ("func_door_rotating", &[("spawnflags", "1")], true),
        ("func_movelinear", &[("spawnflags", "8")], false),
        ("func_rotating", &[("spawnflags", "64")], false),
        ("func_tracktrain", &[("spawnflags", "8")], false),
        ("func_button", &[("spawnflags", "1")], true),
        ("func_breakable_surf", &[], true),
        ("func_physbox", &[], true),
        ("FUNC_WALL", &[], true),
        ("trigger_multiple", &[], false),
        ("func_illusionary", &[], false),
        ("func_areaportalwindow", &[], false),
        ("func_occluder", &[], false),
        ("func_ladder", &[], false),
        ("func_of_a_game_nobody_knows", &[], true),
    ];
    let maker = maker();
    for (class, pairs, expected) in rows {
        assert_eq!(
            holds(&world(&maker, entity(class, pairs))),
            expected,
            "{class} {pairs:?}"
        );
    }
    let mut worldspawn = entity("worldspawn", &[]);
    worldspawn.pairs.retain(|(key, _)| key != b"model");
    assert!(!holds(&world(&maker, worldspawn)));
}

#[test]
fn an_unknown_class_whose_faces_are_those_of_triggers_is_empty() {
    let mut maker = maker();
    maker.map.faces = vec![Face::default()];
    maker.map.models[1].n_faces = 1;
    maker.map.texinfos = vec![Texinfo::default()];
    for (flags, expected) in [(0, true), (0x440, false)] {
        maker.map.texinfos[0].flags = flags;
        let unknown = entity("func_of_a_game_nobody_knows", &[]);
        assert_eq!(holds(&world(&maker, unknown)), expected, "{flags:#x}");
        assert!(
            holds(&world(&maker, entity("func_wall", &[]))),
            "a known one is what it is"
        );
    }
}

#[test]
fn a_moved_model_is_met_where_it_stands() {
    let world = world(&maker(), entity("func_wall", &[("origin", "100 200 300")]));
    let start = Vec3::new(110.0, 190.0, 1000.0);
    let found = trace(
        &world,
        &ShapeCast::from_ray(start, start.with_z(0.0), SOLID),
    );
    assert_eq!(found.end.z, 360.0 + 0.03125);
    let hit = found.hit.unwrap();
    let expected = Obstacle::Entity {
        entity: 1,
        model: 1,
        brush: 1,
    };
    assert_eq!(
        (hit.obstacle, hit.normal, hit.dist),
        (expected, Vec3::Z, 360.0)
    );
    assert_eq!(
        world.contents_at(Vec3::new(100.0, 200.0, 300.0)),
        ContentBits::SOLID
    );
    assert!(world.contents_at(Vec3::ZERO).is_empty());
    let among_world =
        ShapeCast::from_ray(start, start.with_z(0.0), SOLID).with_world_brushes_only();
    assert_eq!(trace(&world, &among_world).fraction, 1.0);
    let surface = world.surface(hit.element).unwrap();
    assert_eq!(
        (surface.obstacle, surface.brush_side),
        (expected, Some(6 + 4))
    );
    assert_eq!(
        world.model_from_world(1, Vec3::new(101.0, 202.0, 303.0)),
        Some(Vec3::new(1.0, 2.0, 3.0))
    );
}

#[test]
fn a_quarter_turn_is_exact() {
    let world = world(&maker(), entity("func_wall", &[("angles", "0 90 0")]));
    // Local +x becomes +y: the box reaches 25 along y, and 30 along x.
    for (from, expected) in [
        (Vec3::Y, 25.0),
        (Vec3::X, 30.0),
        (Vec3::NEG_Y, 20.0),
        (Vec3::NEG_X, 10.0),
    ] {
        let found = trace(
            &world,
            &ShapeCast::from_ray(from * 500.0, Vec3::ZERO, SOLID),
        );
        assert_eq!(found.end, from * (expected + 0.03125));
    }
}

#[test]
fn turned_models_stop_boxes_as_their_corners_do() {
    let numbers = &mut Numbers(3);
    let maker = maker();
    let mut n_hits = 0;
    for _ in 0..60 {
        let angles = numbers.vector(Vec3::splat(-180.0), Vec3::splat(180.0));
        let origin = numbers.vector(Vec3::splat(-50.0), Vec3::splat(50.0));
        let pairs = [("angles", angles), ("origin", origin)];
        let text = pairs.map(|(key, Vec3 { x, y, z })| (key, format!("{x} {y} {z}")));
        let text: Vec<_> = text
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        let world = world(&maker, entity("func_brush", &text));
        let bodies = [(true, Body::turned_box(origin, turn(angles), LOW, HIGH))];
        for _ in 0..40 {
            n_hits += usize::from(check_sweep(&world, &sweep(numbers), &bodies, |_| 0));
        }
    }
    assert!(n_hits > 500, "{n_hits}");
}

fn sweep(numbers: &mut Numbers) -> ShapeCast {
    let room = Vec3::splat(200.0);
    let half = numbers.vector(Vec3::ONE, Vec3::splat(40.0));
    let toward = numbers.vector(-room * 0.3, room * 0.3);
    ShapeCast::from_box(numbers.vector(-room, room), toward, [-half, half], SOLID)
}

fn prop(solid: PropSolid, origin: Vec3, angles: Vec3) -> PropHull {
    PropHull {
        prop: 17,
        origin,
        angles,
        mins: LOW,
        maxs: HIGH,
        solid,
    }
}

#[test]
fn props_are_boxes_of_their_kind() {
    let numbers = &mut Numbers(4);
    let map = maker().map;
    let mut n_hits = 0;
    for i in 0..60 {
        let angles = numbers.vector(Vec3::splat(-180.0), Vec3::splat(180.0));
        let origin = numbers.vector(Vec3::splat(-50.0), Vec3::splat(50.0));
        let solid = [PropSolid::TurnedBox, PropSolid::WorldBox][i % 2];
        let hull = prop(solid, origin, angles);
        let world = brush_world(&map, &Entities::default(), &[hull]).unwrap();
        let turned = Body::turned_box(origin, turn(angles), LOW, HIGH);
        let body = match solid {
            PropSolid::WorldBox => {
                let far = turned
                    .corners
                    .iter()
                    .fold(turned.corners[0], |far, it| far.max(*it));
                let near = turned.corners.iter().fold(far, |near, it| near.min(*it));
                Body::turned_box(Vec3::ZERO, turn(Vec3::ZERO), near.as_vec3(), far.as_vec3())
            }
            _ => turned,
        };
        let bodies = [(true, body)];
        for _ in 0..40 {
            let sweep = sweep(numbers);
            let is_hit = check_sweep(&world, &sweep, &bodies, |hit| {
                assert_eq!(hit.obstacle, Obstacle::Prop { prop: 17 });
                assert_eq!(world.surface(hit.element).unwrap().obstacle, hit.obstacle);
                assert_eq!(world.triangles_of(hit.element).len(), 12);
                0
            });
            n_hits += usize::from(is_hit);
        }
    }
    assert!(n_hits > 500, "{n_hits}");
}

#[test]
fn props_that_are_not_solid_or_no_box_are_not_there() {
    let map = maker().map;
    let sound = prop(PropSolid::TurnedBox, Vec3::ZERO, Vec3::ZERO);
    let none = [
        PropHull {
            solid: PropSolid::from_file(0),
            ..sound
        },
        PropHull {
            solid: PropSolid::from_file(9),
            ..sound
        },
        PropHull {
            mins: HIGH,
            maxs: LOW,
            ..sound
        },
        PropHull {
            origin: Vec3::NAN,
            ..sound
        },
        PropHull {
            angles: Vec3::INFINITY,
            ..sound
        },
    ];
    for (hull, expected) in none.iter().map(|it| (it, false)).chain([(&sound, true)]) {
        let world = brush_world(&map, &Entities::default(), &[*hull]).unwrap();
        assert_eq!(holds(&world), expected, "{hull:?}");
    }
    assert_eq!(
        [2, 6].map(PropSolid::from_file),
        [PropSolid::WorldBox, PropSolid::TurnedBox]
    );
}

#[test]
fn an_entity_whose_model_is_not_there_stops_nothing() {
    let maker = maker();
    let mut wrong = entity("func_wall", &[]);
    wrong.pairs.retain(|(key, _)| key != b"model");
    wrong.push("model", "*7");
    assert!(!holds(&world(&maker, wrong)));
}

#[test]
fn entities_whose_brushes_would_fill_the_memory_are_refused() {
    let maker = maker();
    let mut many = Entities::default();
    many.entities = vec![entity("func_wall", &[]); 200_000];
    let error = brush_world(&maker.map, &many, &[]).unwrap_err();
    assert!(
        matches!(
            error,
            MapWorldError::Brushes(BrushWorldError::TooManySides { .. })
        ),
        "{error}"
    );
}
