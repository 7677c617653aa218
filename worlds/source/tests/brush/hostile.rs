//! Numbers that no level has, and maps that are none.

use crate::common::*;
use glam::Vec3;
use ironlands_assets_source::bsp::{Brush, Leaf, Map, Model};
use ironlands_assets_source::entities::Entities;
use ironlands_sim_brush::{
    BrushWorld, BrushWorldError, CastResult, ContentBits, PropHull, PropSolid, ShapeCast,
};
use ironlands_world_source::brush_world;

fn world() -> BrushWorld {
    let slab = |z: f32| {
        [
            Vec3::new(-512.0, -512.0, z - 16.0),
            Vec3::new(512.0, 512.0, z),
        ]
    };
    let mut maker = Maker::from_boxes(&[slab(0.0), slab(-100.0), slab(-200.0), slab(-300.0)]);
    maker.end_model(&mut Numbers(0));
    maker.world()
}

#[test]
fn what_is_not_finite_or_turned_inside_out_meets_nothing() {
    let world = world();
    let sound = ShapeCast::from_box(
        Vec3::Z,
        -Vec3::Z,
        [Vec3::NEG_ONE, Vec3::ONE],
        ContentBits::all(),
    );
    assert!(trace(&world, &sound).start_solid);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for (i, axis) in [0, 1, 2]
            .into_iter()
            .flat_map(|axis| [0, 1, 2, 3].map(|i| (i, axis)))
        {
            let mut sweep = sound;
            [
                &mut sweep.start,
                &mut sweep.end,
                &mut sweep.mins,
                &mut sweep.maxs,
            ][i][axis] = bad;
            let found = trace(&world, &sweep);
            let expected = CastResult {
                fraction: 1.0,
                end: Vec3::ZERO,
                ..CastResult::default()
            };
            let found = CastResult {
                end: Vec3::ZERO, // NaN is not itself
                ..found
            };
            assert_eq!(found, expected, "{sweep:?}");
        }
        assert_eq!(world.place_at(Vec3::new(0.0, bad, 0.0)), None);
        assert!(world.contents_at(Vec3::new(0.0, bad, -1.0)).is_empty());
    }
    let inside_out = ShapeCast {
        mins: Vec3::ONE,
        maxs: Vec3::NEG_ONE,
        ..sound
    };
    assert_eq!(trace(&world, &inside_out).fraction, 1.0);
}

#[test]
fn ways_from_one_end_of_all_numbers_to_the_other_meet_what_lies_between() {
    let world = world();
    for far in [1e7, 1e20, f32::MAX] {
        let found = trace(
            &world,
            &ShapeCast::from_ray(Vec3::Z * far, Vec3::Z * -far, ContentBits::SOLID),
        );
        let hit = found.hit.expect("the highest slab");
        assert_eq!((hit.normal, hit.dist), (Vec3::Z, 0.0), "{far}");
        assert_eq!(found.fraction, 0.5);
        let past = Vec3::X * 1000.0;
        let misses = ShapeCast::from_ray(
            past + Vec3::Z * far,
            past - Vec3::Z * far,
            ContentBits::SOLID,
        );
        assert_eq!(trace(&world, &misses).fraction, 1.0);
        let away = ShapeCast::from_ray(
            Vec3::splat(far),
            Vec3::new(far, far, -far),
            ContentBits::SOLID,
        );
        assert_eq!(trace(&world, &away).fraction, 1.0);
    }
    let huge = [Vec3::splat(-1e30), Vec3::splat(1e30)];
    let found = trace(
        &world,
        &ShapeCast::from_box(Vec3::ZERO, Vec3::X, huge, ContentBits::SOLID),
    );
    assert!(found.all_solid);
}

#[test]
fn an_empty_map_is_empty() {
    for map in [
        Map::default(),
        Map {
            leaves: vec![Default::default()],
            ..Map::default()
        },
    ] {
        let world = brush_world(&map, &Entities::default(), &[]).unwrap();
        let sweep = ShapeCast::from_ray(Vec3::Z, -Vec3::Z, ContentBits::all());
        assert_eq!(trace(&world, &sweep).fraction, 1.0);
        assert!(world.contents_at(Vec3::ZERO).is_empty());
    }
}

#[test]
fn maps_that_name_what_is_not_there_are_refused() {
    let sound = random_maker(&mut Numbers(3), 30).map;
    type Break = (&'static str, fn(&mut Map));
    let breaks: [Break; 9] = [
        ("node 0 names plane 99999", |map| map.nodes[0].plane = 99999),
        ("node 0 names plane -1", |map| map.nodes[0].plane = -1),
        ("node 0 names node 5000", |map| {
            map.nodes[0].children[1] = 5000
        }),
        ("node 0 names leaf -9000", |map| {
            map.nodes[0].children[0] = -9000
        }),
        ("leaf brush 2 names brush 777", |map| {
            map.leaf_brushes[2] = 777
        }),
        ("leaf 1 names leaf brush", |map| {
            map.leaves[1].first_leaf_brush = u32::MAX
        }),
        ("brush 4 names brush side", |map| {
            map.brushes[4].n_sides = i32::MAX
        }),
        ("brush 4 names brush side", |map| {
            map.brushes[4].first_side = -2
        }),
        ("brush side 7 names plane", |map| {
            map.brush_sides[7].plane = u32::MAX
        }),
    ];
    for (expected, break_it) in breaks {
        let mut map = sound.clone();
        break_it(&mut map);
        let error = brush_world(&map, &Entities::default(), &[]).unwrap_err();
        assert!(
            error.to_string().starts_with(expected),
            "{error}, not {expected}"
        );
    }
    let mut ring = sound.clone();
    ring.nodes[1].children[0] = 0;
    let error = brush_world(&ring, &Entities::default(), &[]).unwrap_err();
    assert_eq!(error, BrushWorldError::NodeReachedTwice { node: 0 }.into());
    let headless = Map {
        models: vec![Model {
            head_node: i32::MAX,
            ..Model::default()
        }],
        ..sound
    };
    assert!(brush_world(&headless, &Entities::default(), &[]).is_err());
}

#[test]
fn more_props_than_any_map_has_are_refused() {
    let prop = PropHull {
        prop: 0,
        origin: Vec3::ZERO,
        angles: Vec3::ZERO,
        mins: Vec3::NEG_ONE,
        maxs: Vec3::ONE,
        solid: PropSolid::No,
    };
    let props = vec![prop; 1 << 18 | 1];
    let error = brush_world(&Map::default(), &Entities::default(), &props).unwrap_err();
    assert_eq!(
        error,
        BrushWorldError::TooManyProps { limit: 1 << 18 }.into()
    );
}

#[test]
fn where_empty_ranges_begin_means_nothing() {
    let mut map = random_maker(&mut Numbers(3), 30).map;
    map.leaves.push(Leaf {
        first_leaf_brush: u32::MAX,
        ..Leaf::default()
    });
    map.brushes.push(Brush {
        first_side: -7,
        n_sides: 0,
        contents: 1,
    });
    brush_world(&map, &Entities::default(), &[]).expect("nothing is missing");
}

#[test]
fn a_chain_of_nodes_as_deep_as_the_largest_map_is_no_trouble() {
    let mut maker = random_maker(&mut Numbers(3), 1);
    let map = &mut maker.map;
    let leaf = map.models[0].head_node;
    let n = 1 << 20;
    map.nodes = (0..n)
        .map(|i| ironlands_assets_source::bsp::Node {
            plane: 0,
            children: [leaf.min(-1), i + 1],
            ..Default::default()
        })
        .collect();
    map.nodes[n as usize - 1].children[1] = leaf;
    map.models[0].head_node = 0;
    let world = maker.world();
    let far = Vec3::splat(2000.0);
    let found = trace(
        &world,
        &ShapeCast::from_box(far, -far, [Vec3::NEG_ONE, Vec3::ONE], ContentBits::all()),
    );
    assert!(found.fraction <= 1.0);
}
