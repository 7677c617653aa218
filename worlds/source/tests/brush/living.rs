//! Living entities of a map: where rays and walkers meet them, and who is carried.

use crate::common::*;
use glam::Vec3;
use ironlands_assets_source::bsp::Contents;
use ironlands_assets_source::entities::{Entities, Entity};
use ironlands_sim_core::Ray;
use ironlands_sim_world::{Clock, LivingEntities, Play, Poses, WalkInput, Walker, World};
use ironlands_world_source::SourceWorld;

/// Seconds of a tick, and of a step of the walker.
const TICK: f64 = 0.015;
const STEP: f32 = 1.0 / 120.0;
const LIFT: usize = 1;
const DOOR: usize = 2;

/// A floor with a lift at the origin, 100 x 100 x 8 units, that goes up by 92 at 100 a second, and a door east of it that
/// turns around its edge by 90 degrees in a second.
fn world() -> SourceWorld {
    let mut maker = Maker::default();
    let numbers = &mut Numbers(0);
    maker.add(
        &box_sides(
            Vec3::new(-512.0, -512.0, -16.0),
            Vec3::new(512.0, 512.0, 0.0),
        ),
        Contents::SOLID,
    );
    maker.end_model(numbers);
    maker.add(
        &box_sides(Vec3::new(-50.0, -50.0, 0.0), Vec3::new(50.0, 50.0, 8.0)),
        Contents::SOLID,
    );
    maker.end_model(numbers);
    maker.add(
        &box_sides(Vec3::new(-2.0, 0.0, 0.0), Vec3::new(2.0, 64.0, 100.0)),
        Contents::SOLID,
    );
    maker.end_model(numbers);
    maker.map.models[1].mins = [-50.0, -50.0, 0.0];
    maker.map.models[1].maxs = [50.0, 50.0, 100.0];
    let mut entities = Entities::default();
    let entity = |class: &str, pairs: &[(&str, &str)]| {
        let mut entity = Entity::new(class);
        for (key, value) in pairs {
            entity.push(key, value);
        }
        entity
    };
    entities.entities = vec![
        entity("worldspawn", &[]),
        entity(
            "func_door",
            &[
                ("model", "*1"),
                ("targetname", "lift"),
                ("movedir", "-90 0 0"),
                ("speed", "100"),
                ("lip", "8"),
                ("wait", "-1"),
                ("OnFullyOpen", "hinge,Open,,0,-1"),
            ],
        ),
        entity(
            "func_door_rotating",
            &[
                ("model", "*2"),
                ("targetname", "hinge"),
                ("origin", "200 0 0"),
                ("distance", "90"),
                ("speed", "90"),
                ("spawnflags", "272"),
                ("wait", "-1"),
            ],
        ),
    ];
    SourceWorld::new(&maker.map, &entities, &[]).expect("a valid map")
}

fn at(time_secs: f64, play: Play) -> Clock {
    Clock { time_secs, play }
}

fn pose(world: &SourceWorld, n_ticks: u32) {
    let clock = at(f64::from(n_ticks) * TICK, Play::Level);
    world.pose(&clock, &mut Poses::default());
}

fn height_below(world: &SourceWorld, x: f32, y: f32) -> f32 {
    let ray = Ray {
        origin: Vec3::new(x, y, 400.0),
        direction: Vec3::NEG_Z,
    };
    let hit = world.cast_ray(&ray, 1e6, &Poses::default());
    hit.expect("the floor").position.z
}

#[test]
fn rays_meet_movers_where_they_are_and_say_what_they_do() {
    let world = world();
    assert_eq!(height_below(&world, 0.0, 0.0), 8.0);
    world.send(LIFT, "Open", "");
    // The input is received in tick 1; 1.5 units in each tick from the second on.
    pose(&world, 11);
    assert_eq!(height_below(&world, 0.0, 0.0), 8.0 + 15.0);
    assert_eq!(world.state_of(LIFT), "opening");
    // 92 units take 61.33 ticks.
    pose(&world, 62);
    assert_eq!(world.state_of(LIFT), "opening");
    pose(&world, 63);
    assert_eq!(
        (world.state_of(LIFT), height_below(&world, 0.0, 0.0)),
        ("open".into(), 100.0)
    );
    assert_eq!(height_below(&world, 200.0, 60.0), 100.0);
    // 90 degrees at 90 a second, in 66.67 ticks: it turns from +Y to -X.
    pose(&world, 63 + 67);
    assert_eq!(world.state_of(DOOR), "open");
    assert_eq!(height_below(&world, 200.0, 60.0), 0.0);
    assert_eq!(height_below(&world, 140.0, 0.0), 100.0);
    let ray = Ray {
        origin: Vec3::new(150.0, 60.0, 50.0),
        direction: Vec3::NEG_Y,
    };
    let hit = world
        .cast_ray(&ray, 100.0, &Poses::default())
        .expect("the door");
    assert!(
        (hit.position.y - 2.0).abs() < 1e-3 && hit.normal.y > 0.999,
        "{hit:?}"
    );
    let facts = world.describe(&hit);
    let state = facts.iter().find(|fact| fact.label == "state");
    assert_eq!(state.map(|it| &*it.value), Some("open"));
    assert!(!world.line_of_sight(
        Vec3::new(150.0, 60.0, 50.0),
        Vec3::new(150.0, -60.0, 50.0),
        &Poses::default()
    ));
    assert_eq!(
        world
            .outline(&hit, &Poses::default(), Default::default())
            .len(),
        2
    );
}

#[test]
fn what_stands_still_is_where_the_level_begins_and_time_may_go_back() {
    let world = world();
    world.send(LIFT, "Open", "");
    pose(&world, 200);
    world.pose(&at(0.0, Play::Still), &mut Poses::default());
    assert_eq!(height_below(&world, 0.0, 0.0), 8.0);
    pose(&world, 100);
    world.send(LIFT, "Open", "");
    pose(&world, 110);
    assert_eq!(height_below(&world, 0.0, 0.0), 8.0 + 13.5);
    pose(&world, 5);
    assert_eq!(height_below(&world, 0.0, 0.0), 8.0);
}

#[test]
fn a_walker_is_carried_by_a_lift_and_uses_a_door() {
    let world = world();
    let mut walker = Walker::new(Vec3::new(0.0, 0.0, 73.0), 64.0);
    let still = WalkInput {
        view: Vec3::X,
        right: Vec3::NEG_Y,
        ..WalkInput::default()
    };
    let step = |walker: &mut Walker| assert!(world.walk(walker, &still, STEP));
    for _ in 0..60 {
        step(&mut walker);
    }
    assert!(
        walker.on_ground && (walker.feet.z - 8.0).abs() < 0.1,
        "{walker:?}"
    );
    world.send(LIFT, "Open", "");
    for tick in 1..=80 {
        pose(&world, tick);
        step(&mut walker);
        let lift = height_below(&world, 40.0, 40.0);
        assert!(walker.on_ground, "tick {tick}");
        assert!(
            (walker.feet.z - lift).abs() < 0.1,
            "tick {tick}: {} {lift}",
            walker.feet.z
        );
    }
    assert!((walker.feet.z - 100.0).abs() < 0.1);
    // The door opens by itself with the lift; used from its west, it closes again.
    pose(&world, 200);
    assert_eq!(world.state_of(DOOR), "open");
    let used = world.use_from(Vec3::new(150.0, 50.0, 60.0), Vec3::NEG_Y * 3.0);
    assert_eq!(used.as_deref(), Some("hinge"));
    assert_eq!(
        world.use_from(Vec3::new(150.0, 100.0, 60.0), Vec3::NEG_Y),
        None,
        "too far"
    );
    assert_eq!(
        world.use_from(Vec3::new(0.0, 0.0, 180.0), Vec3::NEG_Z),
        None,
        "lifts are not used"
    );
    pose(&world, 201);
    assert_eq!(world.state_of(DOOR), "closing");
    let fired = world.fired(10);
    assert_eq!(
        (&*fired[0].source, &*fired[0].sent),
        ("lift OnFullyOpen", "hinge Open")
    );
}
