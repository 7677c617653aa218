//! The index against plain loops over all faces that decide by the same formula: equal to the bit, for many queries.

use crate::common::some_of;
use crate::plain::Met;
use crate::soup::Soup;
use crate::worlds::{self, Numbers, Query};
use glam::Vec3;
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::{HeightHit, Overlap, RayHit, TriangleIndex};
use rayon::prelude::*;

fn ray(hit: RayHit) -> Met {
    Met {
        face: hit.face,
        at: hit.t,
    }
}

fn height(hit: HeightHit) -> Met {
    Met {
        face: hit.face,
        at: hit.z,
    }
}

/// Compares all results of one query.
fn check(soup: &Soup, index: &TriangleIndex, q: &Query, filter: MaskFilter) {
    let (origin, direction) = (q.ray.origin, q.ray.direction);
    if direction != Vec3::ZERO {
        assert_eq!(
            index.cast_ray(&q.ray, q.t_max, filter).map(ray),
            soup.plain_ray(origin, direction, q.t_max, filter),
            "{q:?} {filter:?}"
        );
    }
    let [a, b] = q.ends();
    assert_eq!(
        index.cast_segment(a, b, filter),
        soup.plain_segment([a, b], filter),
        "{q:?} {filter:?}"
    );
    check_heights(soup, index, q.point, filter);
    let mut faces = Vec::new();
    let [low, high] = q.corners();
    index.faces_in_aabb(low, high, filter, Overlap::Bounds, &mut faces);
    faces.sort_unstable();
    assert_eq!(
        faces,
        soup.plain_box([low, high], filter),
        "{q:?} {filter:?}"
    );
}

fn check_heights(soup: &Soup, index: &TriangleIndex, point: Vec3, filter: MaskFilter) {
    let at @ [x, y, z] = point.to_array();
    for (hit, plain) in [
        (
            index.height_at(x, y, filter),
            soup.plain_height(x, y, filter),
        ),
        (
            index.height_at_or_below(x, y, z, filter),
            soup.plain_floor(at, filter),
        ),
        (
            index.height_at_or_above(x, y, z, filter),
            soup.plain_ceiling(at, filter),
        ),
    ] {
        assert_eq!(hit.map(height), plain, "{point} {filter:?}");
    }
}

/// Queries a world on all threads.
fn check_world(soup: &Soup, n_queries: u64, seed: u64) {
    let index = soup.index();
    (0..n_queries).into_par_iter().for_each(|i| {
        let mut numbers = Numbers(seed << 32 | i);
        let filter = worlds::filter(&mut numbers);
        check(soup, &index, &Query::any(soup, &mut numbers), filter);
    });
}

fn check_worlds(n_queries: u64) {
    check_world(&Soup::terrain(24, Vec3::ZERO, 3), n_queries, 4);
    // Far away f32 is coarse: many queries lie within its rounding of an edge.
    check_world(
        &Soup::terrain(16, Vec3::new(3.0e5, -7.0e5, 100.0), 5),
        n_queries,
        6,
    );
    check_world(
        &Soup::terrain(16, Vec3::new(9.9e6, 1.1e7, 0.0), 7),
        n_queries,
        8,
    );
    for seed in 0..8 {
        check_world(
            &Soup::scattered(60, 300, 16.0, 0.0, seed),
            n_queries / 8,
            9 + seed,
        );
        check_world(
            &Soup::scattered(60, 300, 8.0, 0.5, seed),
            n_queries / 8,
            19 + seed,
        );
    }
}

#[test]
fn many_results_are_those_of_plain_loops() {
    check_worlds(some_of(24_000));
}

#[test]
#[ignore = "long: millions of queries; ./test --long runs it"]
fn millions_of_results_are_those_of_plain_loops() {
    check_worlds(1_000_000);
}
