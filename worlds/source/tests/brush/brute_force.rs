//! The tree against a loop over all brushes, and batches against single queries.

use crate::common::*;
use glam::Vec3;
use ironlands_sim_brush::{CastResult, CastScratch, ShapeCast};

#[test]
fn the_tree_returns_the_same_as_a_loop_over_all_brushes() {
    let room = Vec3::splat(1200.0);
    let mut n = [0; 4];
    for seed in 0..25 {
        let numbers = &mut Numbers(seed);
        let n_brushes = 1 + numbers.below(120);
        let maker = random_maker(numbers, n_brushes);
        let world = maker.world();
        let mut scratch = CastScratch::default();
        for _ in 0..1500 {
            let sweep = random_sweep(numbers, -room, room);
            let found = world.cast_shape(&sweep, &mut scratch);
            let expected = plain_sweep(&maker.map, 0..maker.map.brushes.len(), &sweep);
            assert_eq!(
                found.fraction, expected.fraction as f32,
                "{seed}: {sweep:?}"
            );
            assert_eq!(found.start_solid, expected.start_solid, "{seed}: {sweep:?}");
            assert_eq!(found.all_solid, expected.all_solid, "{seed}: {sweep:?}");
            assert_eq!(
                found.hit.is_some(),
                expected.brush.is_some(),
                "{seed}: {sweep:?}"
            );
            n[0] += usize::from(found.hit.is_some());
            n[1] += usize::from(found.start_solid);
            n[2] += usize::from(found.all_solid);
            n[3] += usize::from(found.fraction == 1.0);
        }
    }
    assert!(n.iter().all(|&n| n > 300), "all kinds of results: {n:?}");
}

#[test]
fn a_batch_returns_to_the_bit_what_single_queries_do_on_any_number_of_threads() {
    let numbers = &mut Numbers(7);
    let world = random_maker(numbers, 100).world();
    let room = Vec3::splat(1200.0);
    let sweeps: Vec<ShapeCast> = (0..3001)
        .map(|_| random_sweep(numbers, -room, room))
        .collect();
    let mut scratch = CastScratch::default();
    let singles: Vec<CastResult> = sweeps
        .iter()
        .map(|it| world.cast_shape(it, &mut scratch))
        .collect();
    for n_threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap();
        let mut batch = vec![CastResult::default(); sweeps.len()];
        pool.install(|| world.cast_shape_batch(&sweeps, &mut batch));
        assert!(batch == singles, "{n_threads} threads");
    }
}

#[test]
fn a_scratch_that_served_another_world_returns_the_same() {
    let numbers = &mut Numbers(11);
    let worlds = [100, 3, 60].map(|n| random_maker(numbers, n).world());
    let mut shared = CastScratch::default();
    let room = Vec3::splat(1200.0);
    for i in 0..3000 {
        let sweep = random_sweep(numbers, -room, room);
        let world = &worlds[i % 3];
        assert_eq!(
            world.cast_shape(&sweep, &mut shared),
            trace(world, &sweep),
            "{sweep:?}"
        );
    }
}

#[test]
fn who_was_stopped_stands_outside_of_what_stopped_him() {
    let numbers = &mut Numbers(5);
    let room = Vec3::splat(1200.0);
    let maker = random_maker(numbers, 80);
    let world = maker.world();
    let mut n_stopped = 0;
    for _ in 0..5000 {
        let sweep = random_sweep(numbers, -room, room);
        let found = trace(&world, &sweep);
        if found.start_solid || found.hit.is_none() {
            continue;
        }
        n_stopped += 1;
        let there = ShapeCast {
            start: found.end,
            end: found.end,
            ..sweep
        };
        assert!(!trace(&world, &there).start_solid, "{sweep:?}: {found:?}");
    }
    assert!(n_stopped > 500, "{n_stopped}");
}

#[test]
fn contents_of_a_point_are_those_of_all_brushes_around_it() {
    let mut n_inside = 0;
    for seed in 0..20 {
        let numbers = &mut Numbers(seed);
        let maker = random_maker(numbers, 60);
        let world = maker.world();
        for _ in 0..1000 {
            let point = numbers.vector(Vec3::splat(-1200.0), Vec3::splat(1200.0));
            let is_in = |brush: &&ironlands_assets_source::bsp::Brush| {
                let sides =
                    &maker.map.brush_sides[brush.first_side as usize..][..brush.n_sides as usize];
                sides.iter().all(|side| {
                    let plane = &maker.map.planes[side.plane as usize];
                    let normal = Vec3::from_array(plane.normal).as_dvec3();
                    normal.dot(point.as_dvec3()) <= f64::from(plane.dist)
                })
            };
            let expected = maker.map.brushes.iter().filter(is_in);
            let expected = expected.fold(0, |all, brush| all | brush.contents);
            assert_eq!(world.contents_at(point).bits(), expected, "{seed}: {point}");
            n_inside += usize::from(expected != 0);
        }
    }
    assert!(n_inside > 500, "{n_inside}");
}
