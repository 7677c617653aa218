//! Every query has one result, to the bit: at all SIMD levels of the processor, single and in batches, on
//! any number of threads.

use crate::common::{simd_levels, some_of};
use crate::soup::Soup;
use crate::worlds::{self, Numbers, Query};
use glam::{Vec2, Vec3};
use ironlands_sim_core::triangles::{Overlap, Sides, TriangleIndex};
use ironlands_sim_core::{MaskFilter, Ray};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt::Debug;

/// Unlike `==`, this distinguishes -0 from 0.
fn bits(result: impl Debug) -> String {
    format!("{result:?}")
}

/// Results of all kinds of single queries.
fn single(index: &TriangleIndex, q: &Query, filter: MaskFilter) -> String {
    let Vec3 { x, y, z } = q.point;
    let [a, b] = q.ends();
    let [low, high] = q.corners();
    let [mut by_bounds, mut exact] = [vec![], vec![]];
    index.faces_in_aabb(low, high, filter, Overlap::Bounds, &mut by_bounds);
    index.faces_in_aabb(low, high, filter, Overlap::Exact, &mut exact);
    let mut nearest = vec![];
    index.nearest_faces(q.point, 5, f32::INFINITY, filter, &mut nearest);
    let motion = 0.2 * q.ray.direction.clamp_length_max(100.0);
    let radius = q.half_size.x;
    bits((
        index.cast_ray(&q.ray, q.t_max, filter),
        index.cast_ray_at_sides(&q.ray, q.t_max, filter, Sides::FrontUnless(2)),
        index.cast_segment(a, b, filter),
        index.height_at(x, y, filter),
        index.height_at_or_below(x, y, z, filter),
        index.height_at_or_above(x, y, z, filter),
        (by_bounds, exact),
        index.closest_point(q.point, q.t_max, filter),
        nearest,
        index.cast_sphere(q.point, radius, motion, filter),
        index.slide_sphere(q.point, radius, motion, filter),
    ))
}

/// Results of the queries that single calls and batches share, one after another.
fn one_by_one(index: &TriangleIndex, queries: &[Query], filter: MaskFilter) -> Vec<String> {
    let results = queries.iter().map(|q| {
        let [a, b] = q.ends();
        let [low, high] = q.corners();
        let mut faces = vec![];
        index.faces_in_aabb(low, high, filter, Overlap::Exact, &mut faces);
        bits((
            index.cast_ray(&q.ray, q.t_max, filter),
            index.cast_segment(a, b, filter),
            index.height_at(q.point.x, q.point.y, filter),
            faces,
            index.closest_point(q.point, q.t_max, filter),
        ))
    });
    results.collect()
}

/// The same by batches.
fn in_batches(index: &TriangleIndex, queries: &[Query], filter: MaskFilter) -> Vec<String> {
    let n = queries.len();
    let rays: Vec<Ray> = queries.iter().map(|q| q.ray).collect();
    let t_max: Vec<f32> = queries.iter().map(|q| q.t_max).collect();
    let plan: Vec<Vec2> = queries.iter().map(Query::plan).collect();
    let points: Vec<Vec3> = queries.iter().map(|q| q.point).collect();
    let ends: Vec<_> = queries.iter().map(Query::ends).collect();
    let boxes: Vec<_> = queries.iter().map(Query::corners).collect();
    let (mut hits, mut blocked) = (vec![None; n], vec![false; n]);
    let (mut heights, mut faces) = (vec![None; n], vec![vec![9]; n]);
    index.cast_ray_batch(&rays, &t_max, filter, &mut hits);
    index.cast_segment_batch(&ends, filter, &mut blocked);
    index.height_at_batch(&plan, filter, &mut heights);
    index.faces_in_aabb_batch(&boxes, filter, Overlap::Exact, &mut faces);
    // One limit serves a whole batch, so each limit is a batch of its own.
    let nearest = points.iter().zip(&t_max).map(|(point, &t_max)| {
        let mut nearest = [None];
        index.closest_point_batch(&[*point], t_max, filter, &mut nearest);
        nearest[0]
    });
    let nearest: Vec<_> = nearest.collect();
    (0..n)
        .map(|i| bits((hits[i], blocked[i], heights[i], &faces[i], nearest[i])))
        .collect()
}

fn assert_same(queries: &[Query], results: &[String], expected: &[String], how: &str) {
    for ((query, result), expected) in queries.iter().zip(results).zip(expected) {
        assert_eq!(result, expected, "{how}: {query:?}");
    }
}

/// `None` where no thread can be started: there the calling thread does all work.
fn pool(n_threads: usize) -> Option<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).build();
    match cfg!(target_family = "wasm") {
        true => pool.ok(),
        false => Some(pool.expect("threads can be started")),
    }
}

/// Runs all queries on one world in all forms.
fn check(soup: &Soup, n_queries: usize, seed: u64) {
    let queries = Query::many(soup, n_queries, seed);
    let indices: Vec<_> = simd_levels()
        .map(|set| (set, soup.index().with_simd_level(set)))
        .collect();
    let portable = &indices[0].1;
    let pools = [1, 4].map(pool);
    let mut numbers = Numbers(seed);
    for part in queries.chunks(200) {
        let filter = worlds::filter(&mut numbers);
        let expected: Vec<_> = part.iter().map(|q| single(portable, q, filter)).collect();
        let shared = one_by_one(portable, part, filter);
        for (set, index) in &indices {
            let results: Vec<_> = part.iter().map(|q| single(index, q, filter)).collect();
            assert_same(part, &results, &expected, &format!("{set:?}, single"));
            for pool in &pools {
                let batches = || {
                    (
                        in_batches(index, part, filter),
                        rayon::current_num_threads(),
                    )
                };
                let (results, n_threads) = match pool {
                    Some(pool) => pool.install(batches),
                    None => batches(),
                };
                let how = format!("{set:?}, {n_threads} threads");
                assert_same(part, &results, &shared, &how);
            }
        }
    }
}

#[test]
fn a_terrain_with_houses_returns_the_same_in_all_ways() {
    let soup = Soup::terrain(48, Vec3::new(-100.0, 3.0, 7.0), 1);
    assert!((5_000..10_000).contains(&soup.triangles.len()));
    check(&soup, some_of(4_000) as usize, 2);
}

#[test]
fn scattered_faces_return_the_same_in_all_ways() {
    for seed in 0..some_of(30) {
        check(&Soup::scattered(60, 300, 16.0, 0.0, seed), 200, seed);
        check(&Soup::scattered(60, 300, 8.0, 0.5, seed), 200, seed);
        check(&Soup::scattered(30, 7, 8.0, 0.5, seed), 200, seed);
    }
}
