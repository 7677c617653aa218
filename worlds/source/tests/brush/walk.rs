//! Walking as the game does: steps, slopes, ladders, water, corners.

use crate::common::*;
use glam::Vec3;
use ironlands_assets_source::bsp::Contents;
use ironlands_assets_source::entities::{Entities, Entity};
use ironlands_sim_brush::{CastScratch, ShapeCast};
use ironlands_sim_world::{WalkInput, Walker, World};
use ironlands_world_source::{Game, SourceWorld, content_bits};

const STEP_SECS: f32 = 1.0 / 120.0;
const SOLID: Contents = Contents::SOLID;
const LADDER: Contents = Contents::from_bits_retain(0x3000_0008);

/// A level of a floor at 0 and other brushes.
fn level(brushes: &[(Vec<Half>, Contents)]) -> SourceWorld {
    let mut maker = Maker::default();
    let far = Vec3::new(2000.0, 2000.0, 0.0);
    maker.add(&box_sides(-far - Vec3::Z * 64.0, far), SOLID);
    for (sides, contents) in brushes {
        maker.add(sides, *contents);
    }
    maker.end_model(&mut Numbers(1));
    maker.map.models[0].mins = [-2000.0, -2000.0, -64.0];
    maker.map.models[0].maxs = [2000.0, 2000.0, 500.0];
    SourceWorld::new(&maker.map, &Entities::default(), &[]).expect("a valid map")
}

fn solid_box(mins: [f32; 3], maxs: [f32; 3]) -> (Vec<Half>, Contents) {
    (box_sides(mins.into(), maxs.into()), SOLID)
}

/// A slope up from the floor at `x`, as wide as a street and 400 deep.
fn slope(x: f32, degrees: f32) -> (Vec<Half>, Contents) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let mut sides = box_sides(
        Vec3::new(x, -300.0, -10.0),
        Vec3::new(x + 400.0, 300.0, 600.0),
    );
    sides.push(half(Vec3::new(-sin, 0.0, cos), Vec3::X * x));
    (sides, SOLID)
}

fn standing_at(feet: Vec3) -> Walker {
    Walker::new(feet + Vec3::Z * 64.0, 64.0)
}

/// Looks along +x, and goes there as fast as walkers do.
fn ahead() -> WalkInput {
    WalkInput {
        view: Vec3::X,
        right: Vec3::NEG_Y,
        ahead: 1.0,
        speed: 250.0,
        ..WalkInput::default()
    }
}

/// Looks along +x and stands.
fn still() -> WalkInput {
    WalkInput {
        ahead: 0.0,
        ..ahead()
    }
}

/// Walks for a time and checks that nothing solid is entered.
fn walk_for(world: &SourceWorld, walker: &mut Walker, wish: &WalkInput, secs: f32) {
    for _ in 0..(secs / STEP_SECS) as usize {
        assert!(world.walk(walker, wish, STEP_SECS));
        assert!(!is_stuck(world, walker), "{walker:?}");
    }
}

fn is_stuck(world: &SourceWorld, walker: &Walker) -> bool {
    let height = if walker.crouched { 36.0 } else { 72.0 };
    let bounds = [Vec3::new(-16.0, -16.0, 0.0), Vec3::new(16.0, 16.0, height)];
    let mask = content_bits(Contents::MASK_PLAYER_SOLID_BRUSH_ONLY);
    let still = ShapeCast::from_box(walker.feet, walker.feet, bounds, mask);
    world
        .brushes()
        .cast_shape(&still, &mut CastScratch::default())
        .start_solid
}

#[test]
fn a_walker_comes_to_its_speed_and_stops_when_it_wants_nothing() {
    let world = level(&[]);
    let mut walker = standing_at(Vec3::Z);
    walk_for(&world, &mut walker, &ahead(), 1.0);
    assert!((walker.velocity.x - 250.0).abs() < 5.0, "{walker:?}");
    assert!(walker.on_ground && (walker.feet.z - 0.03125).abs() < 1e-3);
    let from = walker.feet.x;
    walk_for(&world, &mut walker, &still(), 1.0);
    assert_eq!(walker.velocity, Vec3::ZERO);
    assert!(walker.feet.x - from < 100.0);
    let before = walker;
    walk_for(&world, &mut walker, &still(), 5.0);
    assert_eq!(walker.feet, before.feet, "who stands stands still");
}

#[test]
fn a_fall_is_that_of_gravity() {
    let world = level(&[]);
    let mut walker = standing_at(Vec3::Z * 400.0);
    let mut secs = 0.0;
    while !walker.on_ground {
        walk_for(&world, &mut walker, &still(), 1.5 * STEP_SECS);
        secs += STEP_SECS;
        assert!(secs < 3.0);
    }
    let expected = (2.0 * 400.0 / 800.0_f32).sqrt();
    assert!((secs - expected).abs() < 3.0 * STEP_SECS, "{secs}");
}

#[test]
fn a_step_of_16_is_climbed_and_one_of_20_is_not() {
    for (height, is_climbed) in [(16.0, true), (17.9, true), (20.0, false), (72.0, false)] {
        let world = level(&[solid_box([100.0, -300.0, 0.0], [600.0, 300.0, height])]);
        let mut walker = standing_at(Vec3::Z);
        walk_for(&world, &mut walker, &ahead(), 1.5);
        assert_eq!(walker.feet.x > 200.0, is_climbed, "{height}: {walker:?}");
        assert_eq!(walker.feet.z > 1.0, is_climbed, "{height}: {walker:?}");
    }
}

#[test]
fn stairs_lead_up_and_down_again_without_a_hop() {
    let steps = (0..12).map(|i| {
        let (x, z) = (100.0 + 16.0 * i as f32, 16.0 * (i + 1) as f32);
        solid_box([x, -100.0, 0.0], [600.0, 100.0, z])
    });
    let world = level(&steps.collect::<Vec<_>>());
    let mut walker = standing_at(Vec3::Z);
    walk_for(&world, &mut walker, &ahead(), 2.0);
    assert!((walker.feet.z - 192.03125).abs() < 0.01, "{walker:?}");
    let back = WalkInput {
        ahead: -1.0,
        ..ahead()
    };
    for _ in 0..240 {
        walk_for(&world, &mut walker, &back, 1.5 * STEP_SECS);
        assert!(walker.on_ground, "{walker:?}");
    }
    assert!(walker.feet.z < 0.1 && walker.feet.x < 80.0, "{walker:?}");
}

#[test]
fn the_eye_glides_over_steps() {
    let world = level(&[solid_box([100.0, -300.0, 0.0], [600.0, 300.0, 16.0])]);
    let mut walker = standing_at(Vec3::Z);
    walk_for(&world, &mut walker, &still(), 1.0);
    let mut eye = walker.eye();
    for _ in 0..180 {
        walk_for(&world, &mut walker, &ahead(), 1.5 * STEP_SECS);
        assert!(
            (walker.eye().z - eye.z).abs() < 3.0,
            "{eye} to {}",
            walker.eye()
        );
        eye = walker.eye();
    }
    assert!((eye.z - 80.0).abs() < 0.5, "{eye}");
}

#[test]
fn a_slope_of_40_degrees_is_walked_up_and_one_of_50_is_slid_down() {
    let world = level(&[slope(100.0, 40.0)]);
    let mut walker = standing_at(Vec3::Z);
    walk_for(&world, &mut walker, &ahead(), 1.2);
    assert!(walker.feet.z > 60.0, "{walker:?}");
    walk_for(&world, &mut walker, &still(), 1.5);
    let from = walker.feet;
    walk_for(&world, &mut walker, &still(), 2.0);
    assert!(walker.feet.distance(from) < 1e-3, "{from}: {walker:?}");
    assert!(walker.on_ground);

    let world = level(&[slope(100.0, 50.0)]);
    let mut walker = standing_at(Vec3::Z);
    walk_for(&world, &mut walker, &ahead(), 3.0);
    assert!(walker.feet.z < 20.0, "{walker:?}");
    let mut walker = standing_at(Vec3::new(180.0, 0.0, 150.0));
    walk_for(&world, &mut walker, &still(), 3.0);
    assert!(walker.feet.z < 1.0 && walker.feet.x < 100.0, "{walker:?}");
}

#[test]
fn under_a_ceiling_of_40_one_creeps_and_stays_ducked_until_there_is_room() {
    let world = level(&[solid_box([100.0, -300.0, 40.0], [300.0, 300.0, 100.0])]);
    let mut walker = standing_at(Vec3::Z);
    walk_for(&world, &mut walker, &ahead(), 1.0);
    assert!(walker.feet.x < 84.1, "{walker:?}");
    let duck = WalkInput {
        crouch: true,
        ..ahead()
    };
    walk_for(&world, &mut walker, &duck, 1.0);
    assert!(walker.crouched && walker.feet.x > 120.0, "{walker:?}");
    assert!((walker.eye_height - 28.0).abs() < 0.1);
    walk_for(&world, &mut walker, &still(), 1.0);
    assert!(walker.crouched, "no room to stand up");
    walk_for(&world, &mut walker, &ahead(), 3.0);
    assert!(!walker.crouched && walker.feet.x > 316.0, "{walker:?}");
    assert!((walker.eye_height - 64.0).abs() < 0.1);
}

#[test]
fn a_jump_is_45_units_high_and_one_press_is_one_jump() {
    let world = level(&[]);
    let mut walker = standing_at(Vec3::Z * 0.03125);
    walk_for(&world, &mut walker, &still(), 0.5);
    let jump = WalkInput {
        jump: true,
        ..still()
    };
    let mut heights = Vec::new();
    for _ in 0..360 {
        walk_for(&world, &mut walker, &jump, 1.5 * STEP_SECS);
        heights.push(walker.feet.z);
    }
    let highest = heights.iter().copied().fold(0.0, f32::max);
    assert!((highest - 45.0).abs() < 1.5, "{highest}");
    assert!(
        heights[120..].iter().all(|height| *height < 0.1),
        "it does not jump again"
    );
}

#[test]
fn a_jump_with_drawn_up_feet_lands_on_a_box_of_60() {
    let world = level(&[solid_box([40.0, -300.0, 0.0], [600.0, 300.0, 60.0])]);
    let mut walker = standing_at(Vec3::Z);
    walk_for(&world, &mut walker, &ahead(), 0.5);
    walk_for(
        &world,
        &mut walker,
        &WalkInput {
            jump: true,
            ..ahead()
        },
        0.15,
    );
    walk_for(
        &world,
        &mut walker,
        &WalkInput {
            crouch: true,
            ..ahead()
        },
        1.0,
    );
    walk_for(&world, &mut walker, &ahead(), 0.5);
    assert!(walker.feet.z > 59.0 && !walker.crouched, "{walker:?}");
}

#[test]
fn a_ladder_is_climbed_to_the_ledge_and_down_again() {
    let world = level(&[
        solid_box([108.0, -300.0, 0.0], [600.0, 300.0, 200.0]),
        (
            box_sides(Vec3::new(104.0, -20.0, 0.0), Vec3::new(108.0, 20.0, 200.0)),
            LADDER,
        ),
    ]);
    let mut walker = standing_at(Vec3::Z);
    walk_for(&world, &mut walker, &ahead(), 1.0);
    assert!(walker.on_ladder() && walker.feet.z > 50.0, "{walker:?}");
    let held = walker.feet;
    walk_for(&world, &mut walker, &still(), 1.0);
    assert!(
        walker.on_ladder() && walker.feet == held,
        "it holds on: {walker:?}"
    );
    walk_for(
        &world,
        &mut walker,
        &WalkInput {
            ahead: -1.0,
            ..ahead()
        },
        0.1,
    );
    assert!(walker.feet.z < held.z - 10.0, "{walker:?}");
    walk_for(&world, &mut walker, &ahead(), 3.0);
    assert!(
        !walker.on_ladder() && walker.feet.z > 199.9 && walker.feet.x > 150.0,
        "{walker:?}"
    );
    let mut beside = standing_at(Vec3::new(0.0, 100.0, 1.0));
    walk_for(&world, &mut beside, &ahead(), 2.0);
    assert!(beside.feet.z < 1.0, "a wall is no ladder: {beside:?}");
    let mut jumper = standing_at(Vec3::Z);
    walk_for(&world, &mut jumper, &ahead(), 0.8);
    assert!(jumper.on_ladder());
    walk_for(
        &world,
        &mut jumper,
        &WalkInput {
            jump: true,
            ..still()
        },
        0.2,
    );
    assert!(!jumper.on_ladder() && jumper.feet.x < 60.0, "{jumper:?}");
}

#[test]
fn water_is_sunk_into_slowly_swum_through_and_jumped_out_of() {
    let world = level(&[
        (
            box_sides(
                Vec3::new(-200.0, -200.0, 0.0),
                Vec3::new(100.0, 200.0, 190.0),
            ),
            Contents::WATER,
        ),
        solid_box([100.0, -300.0, 0.0], [600.0, 300.0, 200.0]),
    ]);
    let mut walker = standing_at(Vec3::Z * 100.0);
    walk_for(&world, &mut walker, &still(), 1.0);
    assert!(walker.feet.z > 30.0 && walker.feet.z < 90.0, "{walker:?}");
    let up = WalkInput {
        view: Vec3::Z,
        ..ahead()
    };
    let from = walker.feet.z;
    walk_for(&world, &mut walker, &up, 0.3);
    assert!(walker.feet.z > from + 20.0, "{walker:?}");
    let out = WalkInput {
        jump: true,
        ..ahead()
    };
    walk_for(&world, &mut walker, &out, 3.0);
    assert!(walker.feet.z > 199.0 && walker.feet.x > 150.0, "{walker:?}");
}

#[test]
fn corners_and_wedges_hold_and_let_go_again() {
    let wedge = |turn: f32| {
        let (sin, cos) = turn.to_radians().sin_cos();
        let normal = Vec3::new(-sin, cos, 0.0);
        let mut sides = box_sides(Vec3::new(50.0, -300.0, 0.0), Vec3::new(400.0, 300.0, 200.0));
        sides.push(half(normal, Vec3::new(200.0, 0.0, 0.0)));
        (sides, SOLID)
    };
    let world = level(&[
        wedge(25.0),
        wedge(180.0 - 25.0),
        solid_box([300.0, -300.0, 0.0], [400.0, 300.0, 200.0]),
    ]);
    for aside in [-1.0, -0.3, 0.0, 0.4, 1.0] {
        let mut walker = standing_at(Vec3::Z);
        let into = WalkInput { aside, ..ahead() };
        walk_for(&world, &mut walker, &into, 3.0);
        let held = walker.feet;
        walk_for(
            &world,
            &mut walker,
            &WalkInput {
                ahead: -1.0,
                ..ahead()
            },
            1.0,
        );
        assert!(
            walker.feet.x < held.x - 100.0,
            "{aside}: {held} to {}",
            walker.feet
        );
    }
}

#[test]
fn no_speed_leads_through_a_thin_wall() {
    let world = level(&[solid_box([300.0, -300.0, 0.0], [301.0, 300.0, 200.0])]);
    let mut walker = standing_at(Vec3::Z);
    walk_for(
        &world,
        &mut walker,
        &WalkInput {
            speed: 1000.0,
            ..ahead()
        },
        3.0,
    );
    walker.velocity = Vec3::X * 3500.0;
    walk_for(&world, &mut walker, &ahead(), 1.0);
    assert!(walker.feet.x < 284.0 && walker.feet.x > 283.9, "{walker:?}");
}

#[test]
fn who_was_put_into_a_wall_comes_out_of_it() {
    let world = level(&[solid_box([100.0, -300.0, 0.0], [164.0, 300.0, 200.0])]);
    let mut walker = standing_at(Vec3::new(110.0, 0.0, 10.0));
    assert!(is_stuck(&world, &walker));
    walk_for(&world, &mut walker, &still(), 1.0);
    assert!(walker.on_ground, "{walker:?}");
}

#[test]
fn nobody_falls_below_the_world() {
    let world = level(&[]);
    let mut walker = standing_at(Vec3::new(5000.0, 0.0, 100.0));
    walk_for(&world, &mut walker, &still(), 5.0);
    assert_eq!(walker.feet.z, -128.0);
    walk_for(
        &world,
        &mut walker,
        &WalkInput {
            ahead: -1.0,
            ..ahead()
        },
        1.0,
    );
    assert!(walker.feet.x < 5000.0, "{walker:?}");
}

#[test]
fn numbers_that_are_none_move_nobody() {
    let world = level(&[]);
    let sound = standing_at(Vec3::Z * 50.0);
    let bad = [
        WalkInput {
            view: Vec3::NAN,
            ..ahead()
        },
        WalkInput {
            right: Vec3::INFINITY,
            ..ahead()
        },
        WalkInput {
            speed: f32::NAN,
            ..ahead()
        },
        WalkInput {
            ahead: f32::INFINITY,
            ..ahead()
        },
    ];
    for wish in bad {
        let mut walker = sound;
        assert!(world.walk(&mut walker, &wish, STEP_SECS));
        assert_eq!(walker, sound, "{wish:?}");
    }
    for secs in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let mut walker = sound;
        world.walk(&mut walker, &ahead(), secs);
        assert_eq!(walker, sound, "{secs}");
    }
    let mut lost = Walker {
        feet: Vec3::NAN,
        ..sound
    };
    world.walk(&mut lost, &ahead(), STEP_SECS);
    assert!(lost.feet.is_nan());
}

/// How high a jump from the floor leads by the rules of a game.
fn jump_height(game: Game) -> f32 {
    let mut maker = Maker::default();
    let far = Vec3::new(2000.0, 2000.0, 0.0);
    maker.add(&box_sides(-far - Vec3::Z * 64.0, far), SOLID);
    maker.end_model(&mut Numbers(1));
    let world = SourceWorld::for_game(&maker.map, &Entities::default(), &[], game);
    let world = world.expect("a valid map");
    let mut walker = Walker::new(Vec3::Z * 100.0, world.gait().expect("a gait").eye_height);
    for _ in 0..300 {
        world.walk(&mut walker, &still(), STEP_SECS);
    }
    let floor = walker.feet.z;
    let jump = WalkInput {
        jump: true,
        ..still()
    };
    let mut highest = floor;
    for _ in 0..200 {
        world.walk(&mut walker, &jump, STEP_SECS);
        highest = highest.max(walker.feet.z);
    }
    highest - floor
}

#[test]
fn characters_of_each_game_run_and_jump_by_its_settings() {
    // The height is that of the speed at which the feet leave the floor: v^2 / 2g.
    for (game, folder, speed, height) in [
        (Game::Engine, "/maps/x.bsp", 250.0, 45.0),
        (
            Game::HalfLife2,
            "/games/HL2/maps/x.bsp",
            190.0,
            160.0 * 160.0 / 1200.0,
        ),
        (
            Game::Portal,
            "/games/Portal/portal/maps/x.bsp",
            190.0,
            160.0 * 160.0 / 1200.0,
        ),
        (
            Game::CounterStrikeSource,
            "/s/cstrike/maps/x.bsp",
            250.0,
            57.0,
        ),
        (
            Game::TeamFortress2,
            "/s/tf/custom/mine/maps/x.bsp",
            300.0,
            289.0 * 289.0 / 1600.0,
        ),
    ] {
        assert_eq!(Game::from_map_path(folder.as_ref()), game, "{folder}");
        let world = SourceWorld::for_game(&level_map(), &Entities::default(), &[], game);
        let gait = world.expect("a valid map").gait().expect("a gait");
        assert_eq!(gait.speed, speed, "{game:?}");
        let jumped = jump_height(game);
        // Steps of 1/120 s miss the top by up to g t^2 / 8.
        assert!(
            (jumped - height).abs() < 0.05,
            "{game:?}: {jumped} of {height}"
        );
    }
}

fn level_map() -> ironlands_assets_source::bsp::Map {
    let mut maker = Maker::default();
    maker.add(&box_sides(Vec3::splat(-64.0), Vec3::ZERO), SOLID);
    maker.end_model(&mut Numbers(1));
    maker.map
}

#[test]
fn a_ladder_without_brushes_is_climbed_along_its_line() {
    let mut maker = Maker::default();
    maker.add(
        &box_sides(
            Vec3::new(-500.0, -500.0, -64.0),
            Vec3::new(500.0, 500.0, 0.0),
        ),
        SOLID,
    );
    maker.add(
        &box_sides(Vec3::new(64.0, -500.0, 0.0), Vec3::new(500.0, 500.0, 200.0)),
        SOLID,
    );
    maker.end_model(&mut Numbers(1));
    maker.map.models[0].mins = [-500.0, -500.0, -64.0];
    maker.map.models[0].maxs = [500.0, 500.0, 200.0];
    let mut entities = Entities::default();
    let mut ladder = Entity::new("func_useableladder");
    ladder.push("point0", "44 0 204");
    ladder.push("point1", "44 0 1");
    entities.entities = vec![Entity::new("worldspawn"), ladder];
    let climb = |y: f32| {
        let world = SourceWorld::new(&maker.map, &entities, &[]).expect("a valid map");
        let mut walker = standing_at(Vec3::new(0.0, y, 1.0));
        let up = WalkInput {
            view: Vec3::new(0.6, 0.0, 0.8),
            ..ahead()
        };
        for _ in 0..330 {
            world.walk(&mut walker, &up, STEP_SECS);
        }
        walker.feet
    };
    let top = climb(0.0);
    assert!(top.z >= 200.0 && top.x > 100.0, "{top}");
    assert!(climb(60.0).z < 1.0, "beside it there is only the wall");
}
