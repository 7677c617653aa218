//! Single results that follow from the document by hand.

use crate::common::*;
use glam::Vec3;
use ironlands_assets_source::bsp::{Contents, Leaf, Model, Node, Plane};
use ironlands_assets_source::entities::Entities;
use ironlands_sim_brush::{ContentBits, Obstacle, ShapeCast};
use ironlands_world_source::{brush_world, content_bits};

const PLAYER: [Vec3; 2] = [Vec3::new(-16.0, -16.0, 0.0), Vec3::new(16.0, 16.0, 72.0)];
const SOLID: ContentBits = content_bits(Contents::MASK_SOLID);

fn floor() -> Maker {
    let mut maker = Maker::from_boxes(&[[
        Vec3::new(-512.0, -512.0, -16.0),
        Vec3::new(512.0, 512.0, 0.0),
    ]]);
    maker.end_model(&mut Numbers(0));
    maker
}

#[test]
fn a_box_stops_a_gap_above_the_floor() {
    let world = floor().world();
    let start = Vec3::new(5.0, -7.0, 100.0);
    let found = trace(
        &world,
        &ShapeCast::from_box(start, start - Vec3::Z * 200.0, PLAYER, SOLID),
    );
    assert_eq!(found.end, Vec3::new(5.0, -7.0, 0.03125));
    assert_eq!(found.fraction, ((100.0 - 0.03125) / 200.0) as f32);
    let hit = found.hit.unwrap();
    assert_eq!((hit.normal, hit.dist), (Vec3::Z, 0.0));
    assert_eq!(hit.obstacle, Obstacle::World { brush: 0 });
    assert_eq!(hit.contents, ContentBits::SOLID);
    assert_eq!(hit.texinfo, None);
}

#[test]
fn a_ray_stops_a_gap_in_front_of_a_plane_and_meets_no_bevel() {
    // A roof over the origin: its ridge is at 10, and only the added plane across z lies there.
    let mut maker = Maker::default();
    let mut sides = box_sides(Vec3::splat(-64.0), Vec3::splat(64.0));
    sides.truncate(4);
    sides.push(half(Vec3::new(1.0, 0.0, 1.0), Vec3::Z * 10.0));
    sides.push(half(Vec3::new(-1.0, 0.0, 1.0), Vec3::Z * 10.0));
    sides.push(half(Vec3::NEG_Z, Vec3::Z * -64.0));
    maker.add(&sides, Contents::SOLID);
    maker.end_model(&mut Numbers(0));
    let world = maker.world();
    let start = Vec3::new(0.0, 3.0, 50.0);
    let ray = trace(
        &world,
        &ShapeCast::from_ray(start, start - Vec3::Z * 100.0, SOLID),
    );
    // The gap is measured across the slope.
    let expected = 10.0 + 0.03125 * 2.0_f32.sqrt();
    assert!((ray.end.z - expected).abs() < 1e-4, "{ray:?}");
    let small = [Vec3::splat(-1.0), Vec3::splat(1.0)];
    let small = trace(
        &world,
        &ShapeCast::from_box(start, start - Vec3::Z * 100.0, small, SOLID),
    );
    assert_eq!(
        small.end.z,
        10.0 + 1.0 + 0.03125,
        "the ridge, not its planes"
    );
    assert_eq!(small.hit.unwrap().normal, Vec3::Z);
}

#[test]
fn masks_let_through_what_they_do_not_name() {
    let mut maker = Maker::default();
    for (z, contents) in [
        (0.0, Contents::SOLID),
        (100.0, Contents::WATER),
        (200.0, Contents::PLAYER_CLIP),
    ] {
        let low = Vec3::new(-64.0, -64.0, z);
        maker.add(
            &box_sides(low, low + Vec3::new(128.0, 128.0, 10.0)),
            contents,
        );
    }
    maker.end_model(&mut Numbers(0));
    let world = maker.world();
    let (start, end) = (Vec3::Z * 300.0, Vec3::Z * -300.0);
    for (mask, top) in [
        (SOLID, 10.0),
        (content_bits(Contents::MASK_WATER), 110.0),
        (content_bits(Contents::MASK_PLAYER_SOLID), 210.0),
    ] {
        assert_eq!(
            trace(&world, &ShapeCast::from_ray(start, end, mask)).end.z,
            top + 0.03125
        );
    }
    assert_eq!(
        trace(
            &world,
            &ShapeCast::from_ray(start, end, ContentBits::empty())
        )
        .fraction,
        1.0
    );
}

#[test]
fn starts_in_solid_are_reported_and_those_who_come_out_move() {
    let world = floor().world();
    let inside = Vec3::Z * -8.0;
    let out = trace(&world, &ShapeCast::from_ray(inside, Vec3::Z * 50.0, SOLID));
    assert!(out.start_solid && !out.all_solid && out.fraction == 1.0);
    let stays = trace(&world, &ShapeCast::from_ray(inside, Vec3::Z * -4.0, SOLID));
    assert!(stays.start_solid && stays.all_solid);
    assert_eq!((stays.fraction, stays.end, stays.hit), (0.0, inside, None));
    let still = trace(&world, &ShapeCast::from_ray(inside, inside, SOLID));
    assert!(still.start_solid && still.all_solid);
}

#[test]
fn a_box_that_touches_is_inside_and_one_a_hair_away_is_not() {
    let world = floor().world();
    let at = |z: f32| {
        let at = Vec3::Z * z;
        trace(&world, &ShapeCast::from_box(at, at, PLAYER, SOLID)).start_solid
    };
    assert!(at(0.0));
    assert!(!at(1e-6));
    assert!(at(-16.0) && at(-87.9) && !at(-88.1));
}

#[test]
fn a_box_need_not_be_centered_on_its_origin() {
    let world = floor().world();
    let bounds = [Vec3::new(10.0, 20.0, 30.0), Vec3::new(11.0, 21.0, 31.0)];
    let start = Vec3::Z * 100.0;
    let found = trace(
        &world,
        &ShapeCast::from_box(start, Vec3::Z * -100.0, bounds, SOLID),
    );
    assert_eq!(found.end.z, -30.0 + 0.03125);
}

#[test]
fn a_leaf_knows_its_place() {
    let maker = floor();
    let place = maker.world().place_at(Vec3::ZERO).unwrap();
    assert_eq!((place.leaf, place.cluster, place.area), (1, Some(1), 0));
    assert_eq!(place.contents, ContentBits::SOLID);
}

/// Where two brushes stop a box at the same share of its motion, the original names the one in the leaf that the motion
/// reaches first.
#[test]
fn of_two_brushes_with_one_floor_the_first_along_the_tree_stops_a_box() {
    let west = [Vec3::new(-64.0, -64.0, -16.0), Vec3::new(0.0, 64.0, 0.0)];
    let east = [Vec3::new(0.0, -64.0, -16.0), Vec3::new(64.0, 64.0, 0.0)];
    let mut map = Maker::from_boxes(&[west, east]).map;
    map.planes.push(Plane {
        normal: [1.0, 0.0, 0.0],
        dist: 0.0,
        kind: 0,
    });
    map.nodes.push(Node {
        plane: map.planes.len() as i32 - 1,
        children: [-3, -2], // in front is the east
        ..Node::default()
    });
    let leaf = |first_leaf_brush| Leaf {
        first_leaf_brush,
        n_leaf_brushes: 1,
        ..Leaf::default()
    };
    map.leaves = vec![Leaf::default(), leaf(0), leaf(1)];
    map.leaf_brushes = vec![0, 1];
    map.models.push(Model::default());
    let world = brush_world(&map, &Entities::default(), &[]).expect("the map is valid");
    for (to_the_east, brush) in [(8.0, 1), (0.0, 1), (-8.0, 0)] {
        // The plane between them is in the middle of the motion, and of neither box.
        let start = Vec3::new(to_the_east, 0.0, 10.0);
        let sweep = ShapeCast::from_box(start, Vec3::new(-to_the_east, 0.0, -10.0), PLAYER, SOLID);
        let hit = trace(&world, &sweep).hit.unwrap();
        assert_eq!(hit.obstacle, Obstacle::World { brush }, "{to_the_east}");
    }
}
