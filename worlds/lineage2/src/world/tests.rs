use super::*;
use ironlands_assets_lineage2::level_scene::{region_tile, tile_tree};
use ironlands_assets_lineage2::{Cell, Nswe, RegionId, ZERO_REGION};
use ironlands_sim_geodata::RegionPack;
use ironlands_sim_geodata::test_world::{Ground, bridge, cell, open, random, roof};

fn world(ground: &Ground) -> GeodataWorld {
    GeodataWorld::new(ground.geodata(), Profile::ACIS)
}

/// The middle of a cell of the zero region, engine axes.
fn middle(x: i32, y: i32, z: f32) -> Vec3 {
    Vec3::new((x * 16 + 8) as f32, -((y * 16 + 8) as f32), z)
}

fn cast(world: &GeodataWorld, from: Vec3, to: Vec3) -> Option<WorldHit> {
    let ray = Ray {
        origin: from,
        direction: to - from,
    };
    world.cast_ray(&ray, 1.0, &Poses::default())
}

fn down(world: &GeodataWorld, x: i32, y: i32) -> WorldHit {
    cast(world, middle(x, y, 9000.0), middle(x, y, -9000.0)).unwrap()
}

fn relate(world: &GeodataWorld, from: &WorldHit, to: &WorldHit) -> Option<Relation> {
    let relation = world.relate(from, to, TileShape::Plateaus, &AtomicBool::new(false));
    assert_eq!(world.relates(from, to), relation.is_some());
    relation
}

fn fact<'a>(facts: &'a [Fact], label: &str) -> &'a str {
    let fact = facts.iter().find(|fact| fact.label == label);
    fact.map_or("", |fact| &fact.value)
}

#[test]
fn a_cell_is_reported_in_the_numbers_of_the_game() {
    let world = world(&bridge());
    let hit = down(&world, 17, 3);
    assert_eq!((hit.position, hit.normal), (middle(17, 3, 160.0), Vec3::Z));
    let facts = world.describe(&hit);
    for (label, value) in [
        ("region", "20_18"),
        ("block", "2, 0 (number 512), multilayer"),
        ("cell", "1, 3 (number 11)"),
        ("layer", "2 of 2"),
        ("height", "160"),
        ("open sides", "SWE"),
        ("cell center", "280, 56, 160"),
        ("point", "280.0, 56.0, 160.0"),
        ("wall", ""),
    ] {
        assert_eq!(fact(&facts, label), value, "{label}");
    }
    // From below it is another layer, and the other side.
    let from_below = cast(&world, middle(17, 3, 100.0), middle(17, 3, 300.0)).unwrap();
    assert_eq!(from_below.normal, -Vec3::Z);
    let under = cast(&world, middle(17, 3, 100.0), middle(17, 3, -300.0)).unwrap();
    assert_eq!(fact(&world.describe(&under), "layer"), "1 of 2");
    let square = world.outline(&hit, &Poses::default(), TileShape::Plateaus);
    assert_eq!(square.len(), 2);
    assert!(square.as_flattened().iter().all(|corner| corner.z == 160.0));
}

#[test]
fn both_heights_of_a_flat_are_reported() {
    let mut ground = Ground::new();
    ground.flat(3, 3, 40, 16);
    let world = world(&ground);
    let facts = world.describe(&down(&world, 25, 26));
    assert_eq!(fact(&facts, "height"), "40, for steps also 16");
    let level = world.describe(&down(&world, 50, 50));
    assert_eq!(
        fact(&level, "height"),
        "0",
        "a second one that says nothing new"
    );
    assert_eq!(fact(&facts, "block"), "3, 3 (number 771), flat");
    assert_eq!(fact(&facts, "open sides"), "NSWE");
}

#[test]
fn a_wall_is_reported_with_who_crosses_it() {
    let world = world(&roof());
    // The roof is over cells 16 to 23; its western side, from outside and from inside.
    let outside = cast(&world, middle(10, 18, 200.0), middle(20, 18, 200.0)).unwrap();
    let inside = cast(&world, middle(20, 18, 200.0), middle(10, 18, 200.0)).unwrap();
    for (hit, normal) in [(outside, -Vec3::X), (inside, Vec3::X)] {
        assert_eq!((hit.normal, hit.position.x), (normal, 256.0));
        let facts = world.describe(&hit);
        assert_eq!(fact(&facts, "wall"), "400 high, 0 to 400");
        assert_eq!(fact(&facts, "crossing"), "open one way");
        assert_eq!(fact(&facts, "block"), "2, 2 (number 514), complex");
        let corners = world.outline(&hit, &Poses::default(), TileShape::Plateaus);
        let corners = corners.as_flattened();
        assert!(corners.iter().all(|corner| corner.x == 256.0));
        let heights = corners.iter().map(|corner| corner.z);
        assert_eq!(heights.clone().fold(f32::MAX, f32::min), 0.0);
        assert_eq!(heights.fold(f32::MIN, f32::max), 400.0);
    }
    for (from, to, normal) in [
        ((18, 10), (18, 20), Vec3::Y),
        ((18, 30), (18, 20), -Vec3::Y),
        ((30, 18), (20, 18), Vec3::X),
    ] {
        let hit = cast(
            &world,
            middle(from.0, from.1, 100.0),
            middle(to.0, to.1, 100.0),
        )
        .unwrap();
        assert_eq!(hit.normal, normal);
        assert_eq!(fact(&world.describe(&hit), "wall"), "400 high, 0 to 400");
    }
}

#[test]
fn hits_of_other_worlds_mean_nothing() {
    let world = world(&roof());
    let hit = down(&world, 18, 18);
    let others = [
        WorldHit { element: 7, ..hit },
        WorldHit {
            position: hit.position + Vec3::X * 40.0,
            ..hit
        },
        WorldHit {
            position: hit.position + Vec3::Z * 40.0,
            ..hit
        },
        WorldHit {
            position: Vec3::NAN,
            ..hit
        },
    ];
    for other in others {
        assert_eq!(world.describe(&other), []);
        assert!(
            world
                .outline(&other, &Poses::default(), TileShape::Plateaus)
                .is_empty()
        );
        assert_eq!(relate(&world, &other, &hit), None);
        assert_eq!(relate(&world, &hit, &other), None);
    }
}

#[test]
fn ground_is_the_highest_below_else_the_lowest_above() {
    let world = world(&bridge());
    let at = |z: f32| {
        let Vec3 { x, y, .. } = middle(17, 3, 0.0);
        world.ground_below(x, y, z)
    };
    assert_eq!(at(500.0), Some(160.0));
    assert_eq!(at(160.0), Some(160.0));
    assert_eq!(at(159.9), Some(0.0));
    assert_eq!(at(-70.0), Some(0.0));
    assert_eq!(at(f32::NAN), None);
    assert_eq!(world.ground_below(-5.0, -5.0, 0.0), None, "another region");
    assert_eq!(world.ground_below(f32::MAX, 0.0, 0.0), None);
    assert_eq!(world.ground_below(f32::NAN, 0.0, 0.0), None);
}

#[test]
fn walls_and_bridges_hide_what_is_behind() {
    let world = world(&roof());
    let sees = |a: Vec3, b: Vec3| world.line_of_sight(a, b, &Poses::default());
    assert!(!sees(middle(10, 18, 30.0), middle(30, 18, 30.0)));
    assert!(sees(middle(10, 18, 30.0), middle(10, 40, 30.0)));
    assert!(sees(middle(10, 18, 430.0), middle(30, 18, 430.0)));
    assert!(!sees(middle(18, 18, 430.0), middle(18, 18, 30.0)));
    assert!(!sees(Vec3::NAN, Vec3::ZERO));
    assert!(sees(middle(10, 18, 30.0), middle(10, 18, 30.0)));
}

#[test]
fn all_land_has_tiles_and_bounds() {
    let mut east = random(3);
    east.region.id = RegionId::new(21, 19).unwrap();
    let packs = [roof(), east].map(|it| (it.region.id, RegionPack::new(&it.region)));
    let ids = packs.each_ref().map(|it| it.0);
    let world = GeodataWorld::new(Geodata::new(packs), Profile::PTS);
    let tree = tile_tree(&ids);
    for key in tree.around_land() {
        let tile = world.tile(key, TileShape::Slopes.into()).unwrap();
        assert!(!tile.facets.is_empty(), "{key:?}");
        assert!(tree.z_range[0] <= tile.z_range[0] && tile.z_range[1] <= tree.z_range[1]);
    }
    let beside = TileKey {
        x: 0,
        ..region_tile(ZERO_REGION)
    };
    assert_eq!(
        world.tile(beside, TileShape::Slopes.into()).unwrap().facets,
        []
    );
    let (min, max) = world.bounds();
    assert_eq!((min.x, max.x), (0.0, 65536.0));
    assert_eq!((min.y, max.y), (-65536.0, 0.0));
    assert_eq!((min.z, max.z), (0.0, 400.0));
    let nothing = GeodataWorld::new(Geodata::default(), Profile::PTS);
    assert_eq!(nothing.bounds(), (Vec3::ZERO, Vec3::ZERO));
    assert_eq!(cast(&nothing, Vec3::Z, -Vec3::Z), None);
}

/// Walks toward a direction for some seconds, from standing on the ground of a cell.
fn walk_from(world: &GeodataWorld, start: Vec3, toward: Vec3, secs: f32) -> Walker {
    let mut walker = Walker::new(start + Vec3::Z * EYE_HEIGHT, EYE_HEIGHT);
    walker.on_ground = true;
    go_on(world, &mut walker, toward, secs);
    walker
}

fn go_on(world: &GeodataWorld, walker: &mut Walker, toward: Vec3, secs: f32) {
    let view = toward.normalize();
    let wish = WalkInput {
        view,
        right: view.cross(Vec3::Z),
        ahead: 1.0,
        speed: 160.0,
        ..WalkInput::default()
    };
    for _ in 0..(secs * 60.0) as usize {
        assert!(world.walk(walker, &wish, 1.0 / 60.0));
    }
}

#[test]
fn a_walker_goes_up_the_ramp_and_along_the_side_of_the_bridge() {
    let world = world(&bridge());
    assert_eq!(world.gait().unwrap().eye_height, EYE_HEIGHT);
    // To the north-east: the northern side is closed all along.
    let walker = walk_from(&world, middle(0, 4, 16.0), Vec3::new(1.0, 0.4, 0.0), 2.0);
    assert_eq!(walker.feet.z, 160.0, "{walker:?}");
    assert!(walker.on_ground);
    assert!(walker.feet.x > 200.0 && walker.feet.x < 320.0, "{walker:?}");
    assert!((-64.0..=-48.0).contains(&walker.feet.y), "{walker:?}");
    assert!((walker.eye_height - EYE_HEIGHT).abs() < 20.0);
    // Under the bridge one goes through.
    let walker = walk_from(&world, middle(17, 0, 0.0), -Vec3::Y, 1.0);
    assert_eq!(walker.feet.z, 0.0);
    assert!(walker.feet.y < -150.0, "{walker:?}");
}

#[test]
fn a_walker_falls_from_a_roof_and_does_not_get_up_to_it() {
    let world = world(&roof());
    let mut walker = walk_from(&world, middle(20, 18, 400.0), Vec3::X, 0.6);
    assert!(
        !walker.on_ground && walker.feet.z < 400.0 && walker.feet.z > 0.0,
        "{walker:?}"
    );
    assert!(walker.velocity.z < 0.0);
    go_on(&world, &mut walker, Vec3::X, 1.5);
    assert_eq!(
        (walker.feet.z, walker.on_ground, walker.velocity.z),
        (0.0, true, 0.0)
    );
    go_on(&world, &mut walker, -Vec3::X, 4.0);
    assert_eq!(walker.feet.z, 0.0);
    assert!(
        (384.0..386.0).contains(&walker.feet.x),
        "before the wall: {walker:?}"
    );
    // Against it at an angle one goes along it.
    go_on(&world, &mut walker, Vec3::new(-1.0, 0.3, 0.0), 0.5);
    assert!((384.0..386.0).contains(&walker.feet.x), "{walker:?}");
    assert!(walker.feet.y > middle(20, 18, 0.0).y + 10.0, "{walker:?}");
}

#[test]
fn who_walks_off_the_land_goes_on_level_and_broken_numbers_move_nobody() {
    let world = world(&Ground::new());
    let walker = walk_from(&world, middle(2, 2, 0.0), -Vec3::X, 3.0);
    assert_eq!((walker.feet.z, walker.on_ground), (0.0, true));
    assert!(
        (0.0..1.0).contains(&walker.feet.x),
        "the edge is the end: {walker:?}"
    );
    let walker = walk_from(&world, Vec3::new(-500.0, 500.0, 30.0), Vec3::X, 1.0);
    assert_eq!((walker.feet.z, walker.on_ground), (30.0, false));
    assert!((walker.feet.x + 340.0).abs() < 1.0, "{walker:?}");

    let mut walker = walk_from(&world, middle(2, 2, 0.0), Vec3::X, 0.1);
    let before = walker;
    for (ahead, secs) in [(f32::NAN, 0.1), (1.0, f32::NAN), (1.0, 0.0), (1.0, -1.0)] {
        let wish = WalkInput {
            right: Vec3::X,
            ahead,
            speed: 10.0,
            ..WalkInput::default()
        };
        world.walk(&mut walker, &wish, secs);
        assert_eq!(walker, before);
    }
}

#[test]
fn two_places_are_related_by_sight_walk_and_path() {
    let world = world(&roof());
    let (west, east, top) = (
        down(&world, 10, 18),
        down(&world, 30, 18),
        down(&world, 18, 18),
    );
    let around = relate(&world, &west, &east).unwrap();
    for (label, value) in [
        ("distance", "320 (320 along the ground, 0 up)"),
        ("line of sight", "none"),
        ("straight walk", "stopped by a step too high at 255, 296, 0"),
    ] {
        assert_eq!(fact(&around.facts, label), value, "{label}");
    }
    // 20 cells, of which as many are diagonal as it is around the corner: rows 15 or 24 are the nearest that are free.
    let path = fact(&around.facts, "path");
    assert!(path.starts_with("cost 224, length "), "{path}");
    let lines = |relation: &Relation, color: [u8; 4]| -> Vec<Vec3> {
        let of_color = relation.lines.iter().filter(|vertex| vertex.color == color);
        of_color.map(|vertex| vertex.position.into()).collect()
    };
    let sight = lines(&around, [235, 60, 50, 255]);
    let eyes = [(10, 18), (30, 18)].map(|(x, y)| middle(x, y, EYE_HEIGHT).floor());
    assert_eq!(sight.iter().map(|at| at.floor()).collect::<Vec<_>>(), eyes);
    let path = lines(&around, [250, 225, 60, 255]);
    assert!(path.len() > 8 && path.len() % 2 == 0);
    assert!(path.iter().all(|at| at.z == 4.0));
    assert_eq!(around.lines.len() % 2, 0);

    // Down from the roof there is a way, and none back.
    let fallen = relate(&world, &top, &west).unwrap();
    assert_eq!(fact(&fallen.facts, "straight walk"), "arrives");
    assert!(fact(&fallen.facts, "path").starts_with("cost 80, "));
    let heights: Vec<f32> = lines(&fallen, [255; 4]).iter().map(|at| at.z).collect();
    assert!(heights.contains(&404.0) && heights.contains(&4.0));
    let up = relate(&world, &west, &top).unwrap();
    assert!(
        fact(&up.facts, "path").starts_with("none: no way leads there"),
        "{:?}",
        up.facts
    );
    assert!(lines(&up, [250, 225, 60, 255]).is_empty());
    let same = relate(&world, &west, &west).unwrap();
    assert_eq!(fact(&same.facts, "line of sight"), "both ways");
    assert_eq!(fact(&same.facts, "straight walk"), "arrives");
}

#[test]
fn a_closed_yard_has_no_way_out() {
    let mut ground = Ground::new();
    ground.block(1, 1, |x, y| {
        let mut sides = Nswe::ALL_SIDES;
        sides.set(Nswe::WEST, x != 0);
        sides.set(Nswe::EAST, x != 7);
        sides.set(Nswe::NORTH, y != 0);
        sides.set(Nswe::SOUTH, y != 7);
        vec![match (x, y) {
            (3, 3) => open(8),
            _ => Cell::new(0, sides),
        }]
    });
    let world = world(&ground);
    let relation = relate(&world, &down(&world, 10, 10), &down(&world, 30, 12)).unwrap();
    assert_eq!(
        fact(&relation.facts, "straight walk"),
        "stopped by a closed side at 255, 177, 0"
    );
    assert_eq!(fact(&relation.facts, "path"), "none: no way leads there");
    let inside = Walker::new(middle(10, 10, EYE_HEIGHT), EYE_HEIGHT);
    let walker = walk_from(&world, inside.feet, Vec3::X, 2.0);
    assert!((255.0..256.0).contains(&walker.feet.x), "{walker:?}");
    assert_eq!(cell(15, 10), cell_at(walker.feet.x, walker.feet.y).unwrap());
}

/// How few cells are looked at then, `sim::geodata::path` tests.
#[test]
fn a_stopped_search_has_no_result() {
    let world = world(&roof());
    let (west, top) = (down(&world, 10, 18), down(&world, 18, 18));
    for is_canceled in [false, true] {
        let cancel = AtomicBool::new(is_canceled);
        let relation = world.relate(&west, &top, TileShape::Slopes, &cancel);
        assert_eq!(relation.is_some(), !is_canceled);
    }
}

#[test]
fn what_is_picked_is_pointed_out_where_it_is_drawn() {
    let world = world(&random(3));
    let mut state = 99_u64;
    let mut draw = |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % (n * 4)) as f32 / 4.0 + 0.1
    };
    for shape in [TileShape::Slopes, TileShape::Plateaus] {
        let (mut n_ground, mut n_walls) = (0, 0);
        for _ in 0..500 {
            let origin = Vec3::new(draw(620), -draw(620), 30.0 + draw(200));
            let target = Vec3::new(draw(620), -draw(620), -draw(20));
            let ray = Ray {
                origin,
                direction: target - origin,
            };
            // Some begin below the ground.
            let Some(hit) = world.pick(&ray, 1.0, &Poses::default(), shape) else {
                continue;
            };
            let met = ray.at(hit.t);
            let outline = world.outline(&hit, &Poses::default(), shape);
            let is_there = outline.iter().any(|&[a, b, c]| {
                let normal = (b - a).cross(c - a).normalize();
                let is_inside = [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| {
                    normal.dot((to - from).normalize().cross(met - from)) > -0.01
                });
                is_inside && normal.dot(met - a).abs() < 0.01
            });
            assert!(is_there, "{shape:?} {ray:?}: {hit:?} {met} {outline:?}");
            let facts = world.describe(&hit);
            match fact(&facts, "wall") {
                "" => {
                    n_ground += 1;
                    let height = fact(&facts, "height").split(',').next().unwrap();
                    assert_eq!(height, hit.position.z.to_string());
                }
                _ => n_walls += 1,
            }
        }
        assert!(n_ground > 50 && n_walls > 15, "{n_ground} {n_walls}");
    }
}

#[test]
fn a_walk_goes_up_slopes_as_they_are_drawn_and_up_steps_where_cells_are_level() {
    let world = world(&bridge());
    let (foot, top) = (down(&world, 0, 4), down(&world, 12, 4));
    for (shape, has_steps) in [(TileShape::Slopes, false), (TileShape::Plateaus, true)] {
        let relation = world.relate(&foot, &top, shape, &AtomicBool::new(false));
        let lines = relation.unwrap().lines;
        let ends = lines.chunks(2).filter(|ends| ends[0].color == [255; 4]);
        let ends: Vec<[Vec3; 2]> = ends
            .map(|ends| [ends[0], ends[1]].map(|end| end.position.into()))
            .collect();
        let is_step = |[a, b]: &[Vec3; 2]| {
            let along = (*b - *a).truncate().length();
            (b.z - a.z).abs() > 4.0 * along
        };
        assert_eq!(ends.iter().any(is_step), has_steps, "{shape:?} {ends:?}");
        let heights = || ends.iter().flatten().map(|end| end.z);
        assert!(heights().fold(f32::MAX, f32::min) <= 20.0, "{shape:?}");
        assert_eq!(heights().fold(f32::MIN, f32::max), 164.0, "{shape:?}");
    }
}
