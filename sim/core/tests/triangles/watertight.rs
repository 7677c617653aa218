//! Nothing slips through a surface: rays and heights through its edges and corners, along them, and from on it.

use crate::common::{ALL, index};
use crate::soup::Soup;
use crate::worlds::Numbers;
use glam::{Vec2, Vec3};
use ironlands_sim_core::Ray;
use ironlands_sim_core::triangles::{RayHit, TriangleIndex};
use rayon::prelude::*;

/// A closed surface: a sphere of rings, whose vertices are moved in and out at random so that they are no round
/// numbers, with one vertex at each pole.
fn ball(n_rings: u32, n_segments: u32, center: Vec3, seed: u64) -> Soup {
    let mut numbers = Numbers(seed);
    let mut soup = Soup::scattered(0, 0, 1.0, 0.0, 0);
    let mut add = |direction: Vec3| {
        let position = center + direction * numbers.between(9.0, 11.0);
        soup.positions.push(position.to_array());
    };
    add(Vec3::Z);
    for ring in 1..n_rings {
        let down = ring as f32 / n_rings as f32 * std::f32::consts::PI;
        for segment in 0..n_segments {
            let turn = segment as f32 / n_segments as f32 * std::f32::consts::TAU;
            let (s, c) = (down.sin(), down.cos());
            add(Vec3::new(s * turn.cos(), s * turn.sin(), c));
        }
    }
    add(Vec3::NEG_Z);
    let last = soup.positions.len() as u32 - 1;
    let at = |ring: u32, segment: u32| match ring {
        0 => 0,
        _ if ring == n_rings => last,
        _ => 1 + (ring - 1) * n_segments + segment % n_segments,
    };
    for (ring, i) in (0..n_rings).flat_map(|ring| (0..n_segments).map(move |i| (ring, i))) {
        let [a, b] = [at(ring, i), at(ring, i + 1)];
        let [c, d] = [at(ring + 1, i), at(ring + 1, i + 1)];
        if ring > 0 {
            soup.add([a, c, b], 0);
        }
        if ring + 1 < n_rings {
            soup.add([b, c, d], 0);
        }
    }
    soup
}

/// Aims: every vertex, and points of every edge.
fn aims(soup: &Soup) -> Vec<Vec3> {
    let vertex = |v: u32| Vec3::from_array(soup.positions[v as usize]);
    let edges = soup
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let parts = [0.0, 0.5, 0.25, 0.3, 0.99];
    edges
        .flat_map(|(a, b)| parts.map(|part| vertex(a).lerp(vertex(b), part)))
        .collect()
}

fn batch(index: &TriangleIndex, ray: Ray, t_max: f32) -> Option<RayHit> {
    let mut hit = [None];
    index.cast_ray_batch(&[ray], &[t_max], ALL, &mut hit);
    hit[0]
}

/// No ray leaves a closed surface from inside.
fn check_ball(center: Vec3, seed: u64) {
    let soup = ball(24, 32, center, seed);
    let index = soup.index();
    let aims = aims(&soup);
    aims.par_iter().enumerate().for_each(|(i, &aim)| {
        let mut numbers = Numbers(seed << 32 | i as u64);
        let inside = numbers.vector(center - Vec3::splat(3.0), center + Vec3::splat(3.0));
        for origin in [center, inside] {
            let way = aim - origin;
            let ray = Ray {
                origin,
                direction: way,
            };
            let hit = index.cast_ray(&ray, f32::INFINITY, ALL);
            let hit = hit.unwrap_or_else(|| panic!("no face at {aim} from {origin}"));
            // From elsewhere an edge may be a ridge that the ray only grazes, and far away an aim is rounded to a
            // place beside its steep faces.
            let is_aim = (hit.t - 1.0).abs() < 1e-3 && !hit.front;
            let is_doubtful = origin != center || center.abs().max_element() > 1e4;
            assert!(is_aim || is_doubtful, "{hit:?} at {aim} from {origin}");
            assert_eq!(batch(&index, ray, f32::INFINITY), Some(hit));
            let outside = origin + 3.0 * way;
            assert!(
                index.cast_segment(origin, outside, ALL),
                "{aim} from {origin}"
            );
            assert!(
                index.cast_segment(outside, origin, ALL),
                "{aim} to {origin}"
            );
            let back = Ray {
                origin: outside,
                direction: -way,
            };
            let hit = index.cast_ray(&back, 3.0, ALL);
            assert!(hit.is_some(), "{aim} from {outside}");
        }
    });
}

#[test]
fn a_closed_surface_does_not_leak() {
    check_ball(Vec3::ZERO, 1);
    check_ball(Vec3::new(1.7, -3.3, 0.9), 2);
    check_ball(Vec3::new(7.0e3, -9.0e3, 50.0), 3);
    // Here f32 has 128 steps a unit or fewer.
    check_ball(Vec3::new(1.0e5, 7.0e4, -9.0e4), 4);
}

#[test]
fn ground_without_gaps_has_a_height_over_every_edge_and_corner() {
    for origin in [
        Vec3::ZERO,
        Vec3::new(3.0e5, -7.0e5, 0.0),
        Vec3::new(8.0e6, 9.0e6, 9.0),
    ] {
        let soup = Soup::terrain(24, origin, 11);
        let index = soup.index();
        let aims = aims(&soup);
        let plan: Vec<Vec2> = aims.iter().map(|aim| aim.truncate()).collect();
        let mut heights = vec![None; plan.len()];
        index.height_at_batch(&plan, ALL, &mut heights);
        let (low, high) = soup.bounds();
        for (aim, height) in plan.iter().zip(&heights) {
            assert_eq!(index.height_at(aim.x, aim.y, ALL), *height);
            // Points rounded outward from the border lie outside; what is well inside has ground.
            let is_inside = (*aim - low.truncate()).min_element() > 16.0
                && (high.truncate() - *aim).min_element() > 16.0;
            assert!(height.is_some() || !is_inside, "a hole at {aim}");
            if is_inside {
                let origin = aim.extend(high.z + 10.0);
                let ray = Ray {
                    origin,
                    direction: Vec3::NEG_Z,
                };
                let hit = index.cast_ray(&ray, f32::INFINITY, ALL);
                let (hit, height) = (hit.expect("ground below"), height.expect("ground"));
                assert_eq!(
                    hit.face, height.face,
                    "a fall and a height meet the same face"
                );
                assert!(index.cast_segment(origin, aim.extend(low.z - 10.0), ALL));
            }
        }
    }
}

/// A wall of unit squares, each of two faces, in the plane where `axis` is 5.
fn wall(axis: usize, n: u32) -> TriangleIndex {
    let side = 0..=n;
    let at = |x: u32, y: u32| {
        let mut position = [5.0; 3];
        position[(axis + 1) % 3] = x as f32;
        position[(axis + 2) % 3] = y as f32;
        position
    };
    let positions: Vec<_> = side
        .clone()
        .flat_map(|x| side.clone().map(move |y| at(x, y)))
        .collect();
    let row = n + 1;
    let corners = (0..n).flat_map(|x| (0..n).map(move |y| x * row + y));
    let triangles: Vec<_> = corners
        .flat_map(|at| [[at, at + row, at + row + 1], [at, at + row + 1, at + 1]])
        .collect();
    index(&positions, &triangles, &vec![0; triangles.len()])
}

#[test]
fn rays_along_an_axis_meet_corners_and_edges_exactly() {
    for axis in 0..3 {
        let wall = wall(axis, 20);
        for (x, y) in (0..=40).flat_map(|x| (0..=40).map(move |y| (x, y))) {
            for sign in [1.0, -1.0] {
                let mut origin = Vec3::splat(5.0 - 2.0 * sign);
                origin[(axis + 1) % 3] = x as f32 * 0.5;
                origin[(axis + 2) % 3] = y as f32 * 0.5;
                let mut direction = Vec3::splat(-0.0);
                direction[axis] = sign;
                let ray = Ray { origin, direction };
                let hit = wall.cast_ray(&ray, 2.0, ALL);
                assert_eq!(hit.map(|hit| hit.t), Some(2.0), "{ray:?}");
                assert_eq!(batch(&wall, ray, 2.0), hit);
                assert_eq!(
                    wall.cast_ray(&ray, 2.0_f32.next_down(), ALL),
                    None,
                    "{ray:?}"
                );
                let end = origin + 2.0 * direction;
                assert!(
                    wall.cast_segment(origin, end, ALL),
                    "ends on a face: {ray:?}"
                );
                assert!(
                    wall.cast_segment(end, origin, ALL),
                    "begins on a face: {ray:?}"
                );
                let mut short = end;
                short[axis] -= sign * 1e-5;
                assert!(!wall.cast_segment(origin, short, ALL), "{ray:?}");
                let on_it = Ray {
                    origin: end,
                    direction,
                };
                assert_eq!(wall.cast_ray(&on_it, 1.0, ALL).map(|hit| hit.t), Some(0.0));
            }
        }
    }
}

#[test]
fn rays_within_a_plane_of_round_numbers_pass_its_faces() {
    for axis in 0..3 {
        let wall = wall(axis, 12);
        for (start, to) in [
            ([-1.0, 3.0], [1.0, 0.0]),
            ([2.0, -1.0], [0.0, 1.0]),
            ([-1.0, -1.0], [1.0, 1.0]),
            ([3.0, 4.0], [-0.5, 0.25]),
        ] {
            let mut ray = Ray {
                origin: Vec3::splat(5.0),
                direction: Vec3::ZERO,
            };
            for (i, across) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate() {
                ray.origin[across] = start[i];
                ray.direction[across] = to[i];
            }
            assert_eq!(wall.cast_ray(&ray, f32::INFINITY, ALL), None, "{ray:?}");
            assert_eq!(batch(&wall, ray, f32::INFINITY), None, "{ray:?}");
            assert!(!wall.cast_segment(ray.origin, ray.at(9.0), ALL));
        }
    }
}

/// A ray through points of a face, in its plane as far as f32 can say.
fn ray_in_plane([a, b, c]: [Vec3; 3], numbers: &mut Numbers) -> Ray {
    let along = numbers.one_of(&[1.0, 2.0, 0.5, 0.25]);
    let across = numbers.one_of(&[-1.0, 0.5, 0.0, 0.25, 1.0]);
    let direction = along * (b - a) + across * (c - a);
    let through = numbers.one_of(&[a, b, c, a.midpoint(b), b.midpoint(c)]);
    let before = numbers.one_of(&[0.0, 0.5, 1.0, 2.0]);
    Ray {
        origin: through - before * direction,
        direction,
    }
}

#[test]
fn a_face_seen_edge_on_is_met_where_it_is() {
    let n_hits: usize = (0..200_000_u64)
        .into_par_iter()
        .map(|i| {
            let mut numbers = Numbers(i << 20);
            let corners = [0; 3].map(|_| numbers.vector(Vec3::ZERO, Vec3::splat(16.0)));
            let index = index(&corners.map(|v| v.to_array()), &[[0, 1, 2]], &[0]);
            let ray = ray_in_plane(corners, &mut numbers);
            let Some(hit) = index.cast_ray(&ray, f32::INFINITY, ALL) else {
                return 0;
            };
            let at = ray.at(hit.t);
            assert!(
                at.distance(hit.position) < 1e-4,
                "{ray:?} {corners:?} {hit:?}"
            );
            let (low, high) = index.bounds();
            assert!(
                at.distance(at.clamp(low, high)) < 1e-4,
                "{ray:?} {corners:?} {hit:?}"
            );
            // Boxes that the ray does not reach are not looked into: a hit must be within its own reach.
            assert_eq!(
                index.cast_ray(&ray, hit.t, ALL),
                Some(hit),
                "{ray:?} {corners:?}"
            );
            1
        })
        .sum();
    assert!(n_hits > 10_000, "{n_hits}");
}

#[test]
fn faces_seen_edge_on_hide_no_others() {
    (0..100_000_u64).into_par_iter().for_each(|i| {
        let mut numbers = Numbers(i << 20);
        let soup = Soup::scattered(12, 8, 16.0, 0.0, i % 50);
        let index = soup.index();
        let face = soup.triangles[numbers.below(soup.triangles.len())];
        let corners = face.map(|v| Vec3::from_array(soup.positions[v as usize]));
        let ray = ray_in_plane(corners, &mut numbers);
        if ray.direction == Vec3::ZERO {
            return;
        }
        for t_max in [0.25, 0.5, 1.0, 2.0, 100.0] {
            let plain = soup.plain_ray(ray.origin, ray.direction, t_max, ALL);
            let hit = index.cast_ray(&ray, t_max, ALL);
            assert_eq!(batch(&index, ray, t_max), hit, "{ray:?} {t_max}");
            let key = hit.map(|hit| (hit.face, hit.t));
            assert_eq!(key, plain.map(|met| (met.face, met.at)), "{ray:?} {t_max}");
        }
    });
}
