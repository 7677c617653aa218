//! The nearest faces against plain loops over all faces of a soup.
//!
//! The plain distance is found by search, so it agrees to a few roundings of f64, not to the bit: distances are
//! compared as f32 with room for one rounding.

use crate::plain;
use crate::soup::{Soup, filter, point, soup};
use glam::{DVec3, Vec3};
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::NearestFace;
use proptest::prelude::*;

/// Distances of f64 that are farther apart than this are distinguished by f32 too, up to a distance of 16.
const DOUBT: f64 = 2e-6;

/// Inside the soup's space and around it.
fn query_point() -> impl Strategy<Value = Vec3> {
    (point(), prop::sample::select(vec![1.0, 1.0, 2.0]))
        .prop_map(|(point, scale)| Vec3::from(point) * scale - Vec3::splat(4.0 * (scale - 1.0)))
}

fn plain_distances(soup: &Soup, point: Vec3, filter: MaskFilter) -> Vec<(u32, f64)> {
    let faces = soup.accepted(filter);
    faces
        .map(|face| {
            (
                face as u32,
                plain::to_triangle(point.as_dvec3(), soup.corners(face)),
            )
        })
        .collect()
}

/// Is all that a hit says true of its face?
fn check_face(near: &NearestFace, corners: [DVec3; 3], point: Vec3) -> Result<(), TestCaseError> {
    let distance = f64::from(near.distance);
    let plain = plain::to_triangle(point.as_dvec3(), corners);
    prop_assert!(
        (distance - plain).abs() <= DOUBT,
        "{} is {}",
        distance,
        plain
    );
    let position = near.position.as_dvec3();
    prop_assert!((position.distance(point.as_dvec3()) - plain).abs() <= DOUBT);
    let weighted: DVec3 = (0..3)
        .map(|i| f64::from(near.barycentrics[i]) * corners[i])
        .sum();
    prop_assert!(weighted.distance(position) <= DOUBT);
    prop_assert!(near.barycentrics.iter().all(|w| (0.0..=1.0).contains(w)));
    let normal = (corners[1] - corners[0])
        .cross(corners[2] - corners[0])
        .normalize_or_zero();
    prop_assert!(near.normal.as_dvec3().distance(normal) <= 1e-6);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_nearest_face_is_that_of_the_plain_loop(
        soup in soup(),
        points in prop::collection::vec((query_point(), prop::sample::select(vec![0.5, 2.0, f32::INFINITY])), 20),
        filter in filter(),
    ) {
        let index = soup.index();
        for (point, max_distance) in points {
            let plain = plain_distances(&soup, point, filter);
            let least = plain.iter().map(|(_, d)| *d).fold(f64::INFINITY, f64::min);
            let Some(near) = index.closest_point(point, max_distance, filter) else {
                prop_assert!(least > f64::from(max_distance) - DOUBT || plain.is_empty());
                continue;
            };
            prop_assert!(near.distance <= max_distance);
            prop_assert!((f64::from(near.distance) - least).abs() <= DOUBT, "{} not {}", near.distance, least);
            check_face(&near, soup.corners(near.face as usize), point)?;
            prop_assert_eq!(u32::from(near.material), near.face);
            for (face, distance) in plain.iter().filter(|(face, _)| *face < near.face) {
                let is_tied = [distance - 1e-9, distance + 1e-9].iter().all(|d| *d as f32 == near.distance);
                prop_assert!(!is_tied, "face {} is as near", face);
            }
        }
    }

    #[test]
    fn the_k_nearest_are_those_of_the_plain_loop(
        soup in soup(),
        points in prop::collection::vec((query_point(), 0_usize..90, prop::sample::select(vec![1.0, f32::INFINITY])), 12),
        filter in filter(),
    ) {
        let index = soup.index();
        let mut faces = Vec::new();
        for (point, k, max_distance) in points {
            index.nearest_faces(point, k, max_distance, filter, &mut faces);
            let mut plain = plain_distances(&soup, point, filter);
            plain.sort_by(|a, b| a.1.total_cmp(&b.1));
            let n_within = |limit: f64| plain.iter().filter(|(_, d)| *d <= limit).count().min(k);
            let limit = f64::from(max_distance);
            prop_assert!((n_within(limit - DOUBT)..=n_within(limit + DOUBT)).contains(&faces.len()));
            prop_assert!(faces.is_sorted_by(|a, b| (a.distance, a.face) < (b.distance, b.face)));
            for (near, (_, distance)) in faces.iter().zip(&plain) {
                prop_assert!((f64::from(near.distance) - distance).abs() <= DOUBT);
                prop_assert!(soup.accepted(filter).any(|face| face == near.face as usize));
                check_face(near, soup.corners(near.face as usize), point)?;
            }
            let nearest = index.closest_point(point, max_distance, filter);
            prop_assert_eq!(nearest.filter(|_| k > 0), faces.first().copied());
        }
    }

    #[test]
    fn a_world_of_another_size_returns_the_same(
        soup in soup(),
        points in prop::collection::vec(query_point(), 10),
        exponent in prop::sample::select(vec![-90, 60, 118]),
    ) {
        // Powers of two change no digit, and 2^118 times 16 still is an f32.
        let scale = 2.0_f32.powi(exponent);
        let positions = soup.positions.iter().map(|p| p.map(|v| v * scale)).collect();
        let (index, scaled) = (soup.index(), Soup { positions, ..soup }.index());
        for point in points {
            let near = index.closest_point(point, f32::INFINITY, crate::common::ALL).expect("a face");
            let expected = NearestFace { distance: near.distance * scale, position: near.position * scale, ..near };
            prop_assert_eq!(scaled.closest_point(point * scale, f32::INFINITY, crate::common::ALL), Some(expected));
        }
    }

    #[test]
    fn batches_return_what_single_calls_do_on_any_number_of_threads(
        soup in soup(),
        points in prop::collection::vec(query_point(), 300),
        max_distance in prop::sample::select(vec![-0.0, 3.0, 1e6, f32::INFINITY]),
        filter in filter(),
    ) {
        let index = soup.index();
        let single: Vec<_> = points.iter().map(|&point| index.closest_point(point, max_distance, filter)).collect();
        for n_threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads can be started");
            let mut faces = vec![None; points.len()];
            pool.install(|| index.closest_point_batch(&points, max_distance, filter, &mut faces));
            prop_assert_eq!(&faces, &single);
        }
    }
}
