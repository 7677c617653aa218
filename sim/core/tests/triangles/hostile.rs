//! Hostile worlds and queries: not a number, huge, tiny, flat, repeated or thin.

use crate::common::{ALL, faces, index, simd_levels};
use crate::soup::Soup;
use crate::worlds::{Numbers, Query};
use glam::{Vec2, Vec3};
use ironlands_sim_core::Ray;
use ironlands_sim_core::triangles::{Overlap, TriangleIndex};

/// Numbers that arithmetic stumbles over.
const HARD: [f32; 18] = [
    0.0,
    -0.0,
    1.0e-45,
    -1.0e-45,
    1.0e-38,
    f32::MIN_POSITIVE,
    1.0e-20,
    1.0,
    -3.5,
    1.0e7,
    -1.0e20,
    1.0e30,
    f32::MAX / 4.0,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

fn hard_vector(numbers: &mut Numbers) -> Vec3 {
    Vec3::from_array([0; 3].map(|_| numbers.one_of(&HARD)))
}

/// Runs all queries; a result must at least be a face, a number, and the same in a batch.
fn query_all(index: &TriangleIndex, n_faces: u32, q: &Query) {
    let Vec3 { x, y, z } = q.point;
    let [a, b] = q.ends();
    let [low, high] = q.corners();
    let hit = index.cast_ray(&q.ray, q.t_max, ALL);
    if let Some(hit) = hit {
        assert!(
            hit.face < n_faces && (0.0..=q.t_max).contains(&hit.t) && hit.t.is_finite(),
            "{hit:?} {q:?}"
        );
        assert!(
            hit.position.is_finite() && hit.normal.is_finite(),
            "{hit:?} {q:?}"
        );
    }
    let mut in_batch = [None];
    index.cast_ray_batch(&[q.ray], &[q.t_max], ALL, &mut in_batch);
    assert_eq!(in_batch[0], hit, "{q:?}");
    let mut is_hit = [false];
    index.cast_segment_batch(&[[a, b]], ALL, &mut is_hit);
    assert_eq!(is_hit[0], index.cast_segment(a, b, ALL), "{q:?}");
    let height = index.height_at(x, y, ALL);
    if let Some(height) = height {
        assert!(
            height.face < n_faces && height.z.is_finite() && height.normal.is_finite(),
            "{height:?} {q:?}"
        );
    }
    let mut in_batch = [None];
    index.height_at_batch(&[Vec2::new(x, y)], ALL, &mut in_batch);
    assert_eq!(in_batch[0], height, "{q:?}");
    let floor = index.height_at_or_below(x, y, z, ALL);
    assert!(floor.is_none_or(|hit| hit.z <= z), "{floor:?} {q:?}");
    let ceiling = index.height_at_or_above(x, y, z, ALL);
    assert!(ceiling.is_none_or(|hit| hit.z >= z), "{ceiling:?} {q:?}");
    let mut found = Vec::new();
    for overlap in [Overlap::Bounds, Overlap::Exact] {
        index.faces_in_aabb(low, high, ALL, overlap, &mut found);
        assert!(found.iter().all(|&face| face < n_faces));
    }
    let nearest = index.closest_point(q.point, q.t_max, ALL);
    if let Some(nearest) = nearest {
        assert!(
            (0.0..=q.t_max).contains(&nearest.distance) && nearest.distance.is_finite(),
            "{nearest:?} {q:?}"
        );
    }
}

#[test]
fn no_numbers_break_an_index_or_a_query() {
    for seed in 0..300 {
        let mut numbers = Numbers(seed);
        let mut soup = Soup::scattered(12, 30, 4.0, 0.0, seed);
        for position in &mut soup.positions {
            if numbers.below(2) == 0 {
                *position = hard_vector(&mut numbers).to_array();
            }
        }
        let index = soup.index();
        for _ in 0..60 {
            let query = Query {
                ray: Ray {
                    origin: hard_vector(&mut numbers),
                    direction: hard_vector(&mut numbers),
                },
                t_max: numbers.one_of(&HARD),
                point: hard_vector(&mut numbers),
                half_size: hard_vector(&mut numbers),
            };
            query_all(&index, 30, &query);
            let mut query = Query::any(&soup, &mut numbers);
            query_all(&index, 30, &query);
            query.ray.direction[numbers.below(3)] = numbers.one_of(&HARD);
            query.point[numbers.below(3)] = numbers.one_of(&HARD);
            query_all(&index, 30, &query);
        }
    }
}

#[test]
fn no_faces_and_one_face_are_queried() {
    let mut numbers = Numbers(5);
    let empty = index(&[], &[], &[]);
    let triangle = [[1.0, 1.0, 1.0], [3.0, 1.0, 2.0], [1.0, 4.0, 3.0]];
    let one = index(&triangle, &[[0, 1, 2]], &[0]);
    let none = TriangleIndex::new(&triangle, &[None, None]).expect("no face names a vertex");
    for _ in 0..2_000 {
        let point = Vec3::from_array([0; 3].map(|_| numbers.below(9) as f32 * 0.5));
        let ray = Ray {
            origin: point,
            direction: hard_vector(&mut numbers),
        };
        let query = Query {
            ray,
            t_max: f32::INFINITY,
            point,
            half_size: Vec3::ONE,
        };
        for index in [&empty, &none, &one] {
            query_all(index, index.n_faces() as u32, &query);
        }
        assert_eq!(empty.closest_point(point, f32::INFINITY, ALL), None);
        assert_eq!(none.cast_ray(&ray, f32::INFINITY, ALL), None);
        let inside = (point.x - 1.0) / 2.0 + (point.y - 1.0) / 3.0 <= 1.0
            && point.truncate().min_element() >= 1.0;
        assert_eq!(
            one.height_at(point.x, point.y, ALL).is_some(),
            inside,
            "{point}"
        );
        assert!(one.closest_point(point, f32::INFINITY, ALL).is_some());
    }
}

/// Compares an index of a hard world with plain loops.
fn check(soup: &Soup, n_queries: u64, what: &str) {
    let index = soup.index();
    let mut found = Vec::new();
    for i in 0..n_queries {
        let mut numbers = Numbers(i << 20 | 3);
        let q = Query::any(soup, &mut numbers);
        let (origin, direction) = (q.ray.origin, q.ray.direction);
        if direction != Vec3::ZERO && origin.is_finite() && direction.is_finite() {
            let hit = index
                .cast_ray(&q.ray, q.t_max, ALL)
                .map(|hit| (hit.face, hit.t));
            let plain = soup.plain_ray(origin, direction, q.t_max, ALL);
            assert_eq!(hit, plain.map(|met| (met.face, met.at)), "{what}: {q:?}");
        }
        let [a, b] = q.ends();
        if a.is_finite() && b.is_finite() {
            let plain = soup.plain_segment([a, b], ALL);
            assert_eq!(index.cast_segment(a, b, ALL), plain, "{what}: {q:?}");
        }
        let height = index
            .height_at(q.point.x, q.point.y, ALL)
            .map(|hit| (hit.face, hit.z));
        let plain = soup.plain_height(q.point.x, q.point.y, ALL);
        assert_eq!(height, plain.map(|met| (met.face, met.at)), "{what}: {q:?}");
        index.faces_in_aabb(
            q.corners()[0],
            q.corners()[1],
            ALL,
            Overlap::Bounds,
            &mut found,
        );
        found.sort_unstable();
        assert_eq!(found, soup.plain_box(q.corners(), ALL), "{what}: {q:?}");
        let near = index
            .closest_point(q.point, f32::INFINITY, ALL)
            .map(|near| near.distance);
        assert!(soup.is_distance(q.point, near), "{what}: {near:?} {q:?}");
    }
}

#[test]
fn huge_and_tiny_worlds_return_what_plain_loops_do() {
    for k in (-140..=122).step_by(6).chain(120..=122) {
        let by = 2.0_f64.powi(k) as f32;
        check(
            &Soup::scattered(60, 100, 16.0, 0.0, 5).scaled(by),
            60,
            &format!("2^{k}"),
        );
    }
    for extent in [1.0e7, 1.0e20, f32::MAX / 4.0, 1.0e-20, 1.0e-38] {
        check(
            &Soup::scattered(60, 100, extent, 0.0, 6),
            200,
            &format!("{extent}"),
        );
    }
}

#[test]
fn a_world_larger_than_f32_returns_the_same_as_plain_loops_do() {
    let mut numbers = Numbers(1);
    let mut soup = Soup::scattered(60, 100, 1.0, 0.0, 7);
    for position in &mut soup.positions {
        *position = position.map(|v| (v * 2.0 - 1.0) * f32::MAX);
    }
    let index = soup.index();
    for _ in 0..500 {
        let mut somewhere =
            || Vec3::from_array([0; 3].map(|_| numbers.between(-1.0, 1.0) * f32::MAX));
        let (a, b, c) = (somewhere(), somewhere(), somewhere());
        assert_eq!(
            index.cast_segment(a, b, ALL),
            soup.plain_segment([a, b], ALL),
            "{a} {b}"
        );
        for t_max in [0.5, 1.5, f32::INFINITY] {
            let hit = index.cast_ray(
                &Ray {
                    origin: a,
                    direction: b,
                },
                t_max,
                ALL,
            );
            let plain = soup.plain_ray(a, b, t_max, ALL);
            assert_eq!(
                hit.map(|hit| (hit.face, hit.t)),
                plain.map(|met| (met.face, met.at))
            );
        }
        let plain = soup
            .plain_height(a.x, a.y, ALL)
            .map(|met| (met.face, met.at));
        assert_eq!(
            index.height_at(a.x, a.y, ALL).map(|hit| (hit.face, hit.z)),
            plain
        );
        let [low, high] = [a.min(b), a.max(b)];
        for [low, high] in [[low, high], [c, c + 0.1 * (high * 0.5 - low * 0.5)]] {
            let mut found = Vec::new();
            index.faces_in_aabb(low, high, ALL, Overlap::Bounds, &mut found);
            found.sort_unstable();
            assert_eq!(found, soup.plain_box([low, high], ALL), "{low} {high}");
        }
        let near = index
            .closest_point(a, f32::INFINITY, ALL)
            .map(|near| near.distance);
        assert!(soup.is_distance(a, near), "{a} {near:?}");
    }
}

#[test]
fn flat_worlds_return_what_plain_loops_do() {
    for mask in 1..7 {
        let mut soup = Soup::terrain(12, Vec3::new(-40.0, 3.0, 1.0), 9);
        for position in &mut soup.positions {
            for (axis, value) in position.iter_mut().enumerate() {
                if mask >> axis & 1 != 0 {
                    *value = 2.5;
                }
            }
        }
        check(&soup, 300, &format!("flat along {mask:03b}"));
    }
}

#[test]
fn walls_and_needles_return_what_plain_loops_do() {
    let mut walls = Soup::terrain(16, Vec3::ZERO, 12);
    let (x, y) = (0, 1);
    for face in walls.triangles.clone() {
        let [a, _, c] = face.map(|v| v as usize);
        walls.positions[c][x] = walls.positions[a][x];
        walls.positions[c][y] = walls.positions[a][y];
    }
    check(&walls, 500, "walls");
    let mut needles = Soup::scattered(300, 0, 100.0, 0.0, 13);
    for first in 0..100 {
        let [a, b] = [0, 1].map(|i| Vec3::from_array(needles.positions[3 * first + i]));
        let beside = Numbers(first as u64).point_beside(a.lerp(b, 0.7));
        needles.positions[3 * first + 2] = beside.to_array();
        needles.add([0, 1, 2].map(|i| 3 * first as u32 + i), 0);
    }
    check(&needles, 2_000, "needles");
}

#[test]
fn long_strips_return_what_plain_loops_do() {
    for axis in 0..2 {
        let mut soup = Soup::scattered(900, 0, 1.0, 0.0, 18);
        for (i, position) in soup.positions.iter_mut().enumerate() {
            position[axis] = i as f32 + 0.25 * position[axis];
        }
        for first in 0..890 {
            // Every eighth lies over a hundred others.
            let last = if first % 8 == 0 && first < 790 {
                100
            } else {
                2
            };
            soup.add([first, first + 1, first + last], 0);
        }
        check(&soup, 400, "strip");
    }
}

#[test]
fn a_huge_face_over_tiny_ones_returns_the_same_as_plain_loops_do() {
    let mut soup = Soup::terrain(24, Vec3::ZERO, 14);
    let first = soup.positions.len() as u32;
    soup.positions.extend([
        [-1.0e6, -1.0e6, 30.0],
        [2.0e6, -1.0e6, 31.0],
        [0.0, 2.0e6, 30.0],
    ]);
    soup.add([first, first + 1, first + 2], 0);
    check(&soup, 500, "under a roof");
    let by_face = soup.index().memory_bytes() / soup.triangles.len();
    assert!(by_face <= 64, "{by_face} bytes a face");
}

#[test]
fn a_point_far_from_a_tiny_face_is_not_over_it() {
    for power in (44..=60).step_by(2) {
        let size = 2.0_f32.powi(-power);
        let mut soup = Soup::scattered(60, 100, 1.0, 0.0, power as u64).scaled(size);
        let first = soup.positions.len() as u32;
        let floor = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        soup.positions.extend(floor.map(|[x, y]| [x, y, -1.0]));
        soup.add([first, first + 1, first + 2], 0);
        soup.add([first, first + 2, first + 3], 0);

        let mut numbers = Numbers(power as u64);
        let mut coordinate = || numbers.between(-1.0, 1.0);
        let points: Vec<Vec2> = (0..2_000)
            .map(|_| Vec2::new(coordinate(), coordinate()))
            .collect();
        let plain = points.iter().map(|p| soup.plain_height(p.x, p.y, ALL));
        let plain: Vec<_> = plain.map(|met| met.map(|met| (met.face, met.at))).collect();
        assert!(plain.iter().flatten().all(|&(_, z)| z == -1.0), "{power}");
        for level in simd_levels() {
            let index = soup.index().with_simd_level(level);
            let mut in_batch = vec![None; points.len()];
            index.height_at_batch(&points, ALL, &mut in_batch);
            for ((&Vec2 { x, y }, in_batch), &plain) in points.iter().zip(in_batch).zip(&plain) {
                let single = index.height_at(x, y, ALL);
                assert_eq!(single, in_batch, "{level:?}, 2^-{power}: {x} {y}");
                let single = single.map(|hit| (hit.face, hit.z));
                assert_eq!(single, plain, "{level:?}, 2^-{power}: {x} {y}");
            }
        }
    }
}

#[test]
fn memory_is_in_proportion_whatever_the_faces_are() {
    let n = 100_000;
    let copies = index(
        &[[0.0, 0.0, 0.0], [9.0, 0.0, 1.0], [0.0, 9.0, 2.0]],
        &vec![[0, 1, 2]; n],
        &vec![0; n],
    );
    assert_eq!(copies.height_at(1.0, 1.0, ALL).map(|hit| hit.face), Some(0));
    let ray = Ray {
        origin: Vec3::ONE * 2.0,
        direction: Vec3::NEG_Z,
    };
    assert_eq!(copies.cast_ray(&ray, 9.0, ALL).map(|hit| hit.face), Some(0));
    let mut nearest = Vec::new();
    copies.nearest_faces(Vec3::ONE, 3, 9.0, ALL, &mut nearest);
    assert_eq!(
        nearest.iter().map(|near| near.face).collect::<Vec<_>>(),
        [0, 1, 2]
    );
    let scattered = Soup::scattered(3 * n as u32, n as u32, 100.0, 0.0, 15);
    let points = index(&[[1.0; 3]], &vec![[0, 0, 0]; n], &vec![0; n]);
    let thin = Soup::scattered(1000, n as u32, 100.0, 0.0, 15);
    let thin: Vec<_> = thin
        .positions
        .iter()
        .map(|[x, y, z]| [*x * 1e20, *y * 1e-20, *z])
        .collect();
    let corners: Vec<_> = (0..n as u32)
        .map(|i| [i % 1000, (i + 1) % 1000, (i + 7) % 1000])
        .collect();
    let thin = TriangleIndex::new(&thin, &faces(&corners, &vec![0; n])).expect("in range");
    for (index, what) in [
        (copies, "copies"),
        (scattered.index(), "scattered"),
        (points, "points"),
        (thin, "thin"),
    ] {
        let by_face = index.memory_bytes() / n;
        assert!(by_face <= 160, "{what}: {by_face} bytes a face");
    }
}

#[test]
fn a_world_times_a_power_of_two_returns_times_that_power() {
    let plain = Soup::terrain(16, Vec3::new(-30.0, 5.0, 2.0), 16);
    let index = plain.index();
    for k in (-60..=60).step_by(12) {
        let by = 2.0_f32.powi(k);
        let scaled = plain.clone().scaled(by).index();
        for i in 0..400 {
            let q = Query::any(&plain, &mut Numbers(i << 20));
            let Vec3 { x, y, .. } = q.point;
            let ray = Ray {
                origin: q.ray.origin * by,
                direction: q.ray.direction * by,
            };
            assert_eq!(
                scaled
                    .cast_ray(&ray, q.t_max, ALL)
                    .map(|hit| (hit.face, hit.t)),
                index
                    .cast_ray(&q.ray, q.t_max, ALL)
                    .map(|hit| (hit.face, hit.t)),
                "2^{k} {q:?}"
            );
            assert_eq!(
                scaled
                    .height_at(x * by, y * by, ALL)
                    .map(|hit| (hit.face, hit.z)),
                index.height_at(x, y, ALL).map(|hit| (hit.face, hit.z * by)),
                "2^{k} {q:?}"
            );
            assert_eq!(
                scaled
                    .closest_point(q.point * by, f32::INFINITY, ALL)
                    .map(|near| (near.face, near.distance)),
                index
                    .closest_point(q.point, f32::INFINITY, ALL)
                    .map(|near| (near.face, near.distance * by)),
                "2^{k} {q:?}"
            );
        }
    }
}

#[test]
fn directions_of_any_length_meet_the_same_faces() {
    for (world, powers) in [
        (1.0, -140..=124),
        (1e-6, -120..=127),
        (1e-10, -110..=127),
        (1e10, -149..=127),
    ] {
        let soup = Soup::scattered(60, 100, 16.0, 0.0, 5).scaled(world);
        let index = soup.index();
        for power in powers.step_by(3).chain(120..=127) {
            let by = 2.0_f64.powi(power) as f32;
            let mut numbers = Numbers(power as u64);
            for _ in 0..40 {
                let origin = numbers.vector(Vec3::ZERO, Vec3::splat(16.0 * world));
                let direction = numbers.vector(Vec3::NEG_ONE, Vec3::ONE) * by;
                if direction == Vec3::ZERO {
                    continue;
                }
                let hit = index.cast_ray(&Ray { origin, direction }, f32::INFINITY, ALL);
                let plain = soup.plain_ray(origin, direction, f32::INFINITY, ALL);
                assert_eq!(
                    hit.map(|hit| (hit.face, hit.t)),
                    plain.map(|met| (met.face, met.at)),
                    "world of {world}, {origin} {direction}"
                );
            }
        }
    }
}

#[test]
fn boxes_without_end_hold_what_they_meet() {
    let soup = Soup::terrain(12, Vec3::ZERO, 17);
    let index = soup.index();
    let mut found = Vec::new();
    let mut numbers = Numbers(3);
    for _ in 0..500 {
        let mut low = soup.point_on_face(&mut numbers);
        let mut high = low.max(soup.point_on_face(&mut numbers));
        for axis in 0..3 {
            if numbers.below(2) == 0 {
                low[axis] = f32::NEG_INFINITY;
            }
            if numbers.below(2) == 0 {
                high[axis] = f32::INFINITY;
            }
        }
        index.faces_in_aabb(low, high, ALL, Overlap::Bounds, &mut found);
        found.sort_unstable();
        assert_eq!(found, soup.plain_box([low, high], ALL), "{low} {high}");
    }
    for (low, high) in [
        (Vec3::INFINITY, Vec3::NEG_INFINITY),
        (Vec3::NAN, Vec3::ONE),
        (Vec3::INFINITY, Vec3::INFINITY),
    ] {
        index.faces_in_aabb(low, high, ALL, Overlap::Exact, &mut found);
        assert_eq!(found, [0_u32; 0]);
    }
}
