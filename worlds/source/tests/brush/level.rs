//! A Source level as camera, picking and HUD query it.

use crate::common::*;
use glam::Vec3;
use ironlands_assets_source::bsp::{Contents, Edge, Face, Texdata, Texinfo};
use ironlands_assets_source::entities::{Entities, Entity};
use ironlands_scene::TileShape;
use ironlands_sim_brush::{PropHull, PropSolid};
use ironlands_sim_core::Ray;
use ironlands_sim_world::{Clock, Play, Poses};
use ironlands_sim_world::{Fact, World, WorldHit};
use ironlands_world_source::SourceWorld;

/// A floor slab with a face on its top, a house of one slab above it, water beside, a door, and a barrel.
fn level() -> SourceWorld {
    let numbers = &mut Numbers(0);
    let mut maker = Maker::default();
    maker.add(
        &box_sides(
            Vec3::new(-512.0, -512.0, -16.0),
            Vec3::new(512.0, 512.0, 0.0),
        ),
        Contents::SOLID,
    );
    maker.add(
        &box_sides(Vec3::new(-64.0, -64.0, 128.0), Vec3::new(64.0, 64.0, 144.0)),
        Contents::SOLID,
    );
    maker.add(
        &box_sides(Vec3::new(200.0, 200.0, 0.0), Vec3::new(300.0, 300.0, 50.0)),
        Contents::WATER,
    );
    maker.add(
        &box_sides(
            Vec3::new(-300.0, 200.0, 0.0),
            Vec3::new(-200.0, 210.0, 90.0),
        ),
        Contents::WINDOW,
    );
    maker.end_model(numbers);
    maker.add(
        &box_sides(Vec3::new(-8.0, -32.0, 0.0), Vec3::new(8.0, 32.0, 96.0)),
        Contents::SOLID,
    );
    maker.end_model(numbers);
    let map = &mut maker.map;
    map.vertices = vec![
        [-512.0, -512.0, 0.0],
        [-512.0, 512.0, 0.0],
        [512.0, 512.0, 0.0],
        [512.0, -512.0, 0.0],
    ];
    map.edges = [[0, 0], [0, 1], [1, 2], [2, 3], [3, 0]]
        .map(|vertices| Edge { vertices })
        .to_vec();
    map.surfedges = vec![1, 2, 3, 4];
    map.faces = vec![Face {
        plane: map.brush_sides[4].plane, // up
        n_edges: 4,
        disp_info: -1,
        ..Face::default()
    }];
    map.texinfos = vec![Texinfo {
        flags: 0x820,
        ..Texinfo::default()
    }];
    map.texdata = vec![Texdata::default()];
    map.texture_name_offsets = vec![3];
    map.texture_names = b"ab\0concrete/floor01\0".to_vec();
    map.models[0].mins = [-512.0, -512.0, -16.0];
    map.models[0].maxs = [512.0, 512.0, 144.0];

    let mut entities = Entities::default();
    let mut world = Entity::new("worldspawn");
    world.push("world_mins", "-400 -400 -16");
    world.push("world_maxs", "400 400 200");
    let mut door = Entity::new("func_door");
    door.push("model", "*1");
    door.push("origin", "100 0 0");
    door.push("targetname", "gate");
    door.push("OnOpen", "a");
    door.push("OnOpen", "b");
    entities.entities = vec![world, door];
    let barrel = PropHull {
        prop: 3,
        origin: Vec3::new(0.0, -200.0, 0.0),
        angles: Vec3::ZERO,
        mins: Vec3::new(-12.0, -12.0, 0.0),
        maxs: Vec3::new(12.0, 12.0, 40.0),
        solid: PropSolid::TurnedBox,
    };
    SourceWorld::new(&maker.map, &entities, &[barrel]).expect("a valid map")
}

fn down(world: &SourceWorld, x: f32, y: f32) -> WorldHit {
    let ray = Ray {
        origin: Vec3::new(x, y, 120.0),
        direction: Vec3::NEG_Z * 2.0,
    };
    world
        .cast_ray(&ray, 1e6, &Poses::default())
        .expect("something below")
}

fn value<'a>(facts: &'a [Fact], label: &str) -> Option<&'a str> {
    facts
        .iter()
        .find(|fact| fact.label == label)
        .map(|fact| &*fact.value)
}

#[test]
fn rays_meet_planes_themselves_and_say_what_they_are() {
    let world = level();
    let hit = down(&world, 10.0, 20.0);
    assert_eq!(
        (hit.t, hit.position, hit.normal),
        (60.0, Vec3::new(10.0, 20.0, 0.0), Vec3::Z)
    );
    let facts = world.describe(&hit);
    assert_eq!(value(&facts, "position"), Some("10.00 20.00 0.00"));
    assert_eq!(value(&facts, "brush"), Some("0"));
    assert_eq!(value(&facts, "face"), Some("0"));
    assert_eq!(value(&facts, "material"), Some("concrete/floor01"));
    assert_eq!(
        value(&facts, "surface flags"),
        Some("NO_PORTAL, BUMP_LIGHT")
    );
    assert_eq!(value(&facts, "contents"), Some("SOLID"));
    assert!(value(&facts, "leaf").is_some() && value(&facts, "cluster").is_some());
    let area: f32 = world
        .outline(&hit, &Poses::default(), TileShape::Slopes)
        .iter()
        .map(area)
        .sum();
    assert_eq!(area, 1024.0 * 1024.0);
}

fn area([a, b, c]: &[Vec3; 3]) -> f32 {
    (*b - *a).cross(*c - *a).z * 0.5
}

#[test]
fn entities_props_and_water_are_reported() {
    let world = level();
    let door = down(&world, 100.0, 0.0);
    assert_eq!(door.position.z, 96.0);
    let facts = world.describe(&door);
    assert_eq!(value(&facts, "brush"), Some("4 of model 1, entity 1"));
    assert_eq!(value(&facts, "classname"), Some("func_door"));
    assert_eq!(value(&facts, "targetname"), Some("gate"));
    let outputs = facts.iter().filter(|fact| fact.label == "OnOpen");
    assert_eq!(outputs.count(), 2);
    let outline = world.outline(&door, &Poses::default(), TileShape::Slopes);
    assert_eq!(
        outline.iter().map(area).sum::<f32>(),
        16.0 * 64.0,
        "the top of the door"
    );

    let barrel = down(&world, 5.0, -195.0);
    assert_eq!(barrel.position.z, 40.0);
    assert_eq!(value(&world.describe(&barrel), "static prop"), Some("3"));
    assert_eq!(
        world
            .outline(&barrel, &Poses::default(), TileShape::Slopes)
            .len(),
        12
    );

    let water = down(&world, 250.0, 250.0);
    assert_eq!(value(&world.describe(&water), "contents"), Some("WATER"));
    let other = WorldHit {
        element: u32::MAX,
        ..water
    };
    assert!(world.describe(&other).is_empty());
    assert!(
        world
            .outline(&other, &Poses::default(), TileShape::Slopes)
            .is_empty()
    );
}

#[test]
fn walls_hide_and_water_and_glass_do_not() {
    let world = level();
    let sees = |a: [f32; 3], b: [f32; 3]| {
        let (a, b) = (Vec3::from(a), Vec3::from(b));
        let there = world.line_of_sight(a, b, &Poses::default());
        assert_eq!(there, world.line_of_sight(b, a, &Poses::default()));
        there
    };
    assert!(sees([0.0, 50.0, 100.0], [0.0, 300.0, 100.0]));
    assert!(!sees([0.0, 0.0, 100.0], [0.0, 0.0, 200.0]), "the roof");
    assert!(!sees([50.0, 0.0, 50.0], [150.0, 0.0, 50.0]), "the door");
    assert!(
        !sees([0.0, -150.0, 20.0], [0.0, -250.0, 20.0]),
        "the barrel"
    );
    assert!(
        sees([250.0, 250.0, 100.0], [250.0, 250.0, 10.0]),
        "into water"
    );
    assert!(
        sees([-250.0, 100.0, 50.0], [-250.0, 300.0, 50.0]),
        "through glass"
    );
    assert!(sees([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]));
    assert!(!world.line_of_sight(Vec3::NAN, Vec3::NAN, &Poses::default()));
}

#[test]
fn the_ground_is_the_highest_below_else_the_lowest_above() {
    let world = level();
    let rows = [
        ([0.0, 0.0, 500.0], Some(144.0)),
        ([0.0, 0.0, 127.0], Some(0.0)),
        ([0.0, 0.0, 136.0], Some(144.0)), // sunk into the roof
        ([0.0, 0.0, -5.0], Some(0.0)),
        ([0.0, 0.0, -500.0], Some(0.0)),
        ([250.0, 250.0, 100.0], Some(0.0)), // the bed of the water
        ([100.0, 0.0, 200.0], Some(96.0)),
        ([600.0, 0.0, 200.0], None),
        ([f32::NAN, 0.0, 0.0], None),
    ];
    for ([x, y, z], expected) in rows {
        assert_eq!(world.ground_below(x, y, z), expected, "{x} {y} {z}");
    }
}

#[test]
fn a_capsule_slides_as_the_box_around_it() {
    let world = level();
    let (a, b) = (Vec3::new(50.0, 0.0, 20.0), Vec3::new(50.0, 0.0, 60.0));
    let free = Vec3::new(-20.0, 5.0, 1.0);
    assert_eq!(world.slide(a, b, 10.0, free), free);
    let slid = world.slide(a, b, 10.0, Vec3::new(100.0, 30.0, 0.0));
    assert!(
        (slid.x - (92.0 - 10.0 - 0.03125 - 50.0)).abs() < 1e-3,
        "{slid}"
    );
    assert!(slid.y > 25.0, "{slid}");
}

#[test]
fn it_knows_its_bounds_entities_and_gait() {
    let world = level();
    let expected = (
        Vec3::new(-400.0, -400.0, -16.0),
        Vec3::new(400.0, 400.0, 200.0),
    );
    assert_eq!(world.bounds(), expected);
    let [spawn, door] = world.entities() else {
        panic!("{:?}", world.entities());
    };
    assert_eq!((spawn.class.as_str(), spawn.position), ("worldspawn", None));
    assert_eq!(
        (door.class.as_str(), door.name.as_str()),
        ("func_door", "gate")
    );
    assert_eq!(door.position, Some(Vec3::new(100.0, 0.0, 0.0)));
    let labels: Vec<_> = door.facts.iter().map(|fact| &*fact.label).collect();
    assert_eq!(
        labels,
        [
            "classname",
            "model",
            "origin",
            "targetname",
            "OnOpen",
            "OnOpen"
        ]
    );
    let gait = world.gait().unwrap();
    assert_eq!((gait.speed, gait.eye_height), (250.0, 64.0));
}

#[test]
fn nothing_in_it_moves() {
    let world = level();
    let mut poses = Poses::from(vec![ironlands_sim_core::RowMatrix([0.0; 16])]);
    let clock = Clock {
        time_secs: 1.0,
        play: Play::default(),
    };
    world.pose(&clock, &mut poses);
    assert!(poses.world_from_nodes().is_empty());
    assert_eq!(world.last_frame(), 0.0);
}

#[test]
fn rays_that_are_none_meet_nothing() {
    let world = level();
    let rays = [
        (Vec3::NAN, Vec3::Z, 1.0),
        (Vec3::Z * 50.0, Vec3::ZERO, 1e6),
        (Vec3::Z * 50.0, Vec3::splat(f32::INFINITY), 1e6),
        (Vec3::Z * 50.0, Vec3::NEG_Z, f32::NAN),
        (Vec3::Z * 50.0, Vec3::NEG_Z, -1.0),
        (Vec3::Z * 50.0, Vec3::NEG_Z, 49.0),
    ];
    for (origin, direction, t_max) in rays {
        let ray = Ray { origin, direction };
        assert_eq!(
            world.cast_ray(&ray, t_max, &Poses::default()),
            None,
            "{ray:?} {t_max}"
        );
    }
    let ray = Ray {
        origin: Vec3::Z * 50.0,
        direction: Vec3::NEG_Z,
    };
    assert_eq!(
        world
            .cast_ray(&ray, f32::INFINITY, &Poses::default())
            .unwrap()
            .t,
        50.0
    );
}
