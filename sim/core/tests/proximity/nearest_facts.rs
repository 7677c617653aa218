//! What the nearest face is, fact by fact.

use crate::common::{ALL, SQUARE, index, square};
use glam::Vec3;
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::{NearestFace, TriangleIndex};

const INF: f32 = f32::INFINITY;

fn ground() -> TriangleIndex {
    index(&square(1.0), &SQUARE, &[0x1, 0x2])
}

fn k_nearest(
    index: &TriangleIndex,
    point: [f32; 3],
    k: usize,
    max_distance: f32,
) -> Vec<(u32, f32)> {
    let mut faces = vec![];
    index.nearest_faces(Vec3::from(point), k, max_distance, ALL, &mut faces);
    faces
        .iter()
        .map(|near| (near.face, near.distance))
        .collect()
}

#[test]
fn the_nearest_point_is_on_the_inside_an_edge_or_a_corner() {
    let index = index(
        &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]],
        &[[0, 1, 2]],
        &[0],
    );
    for (point, position, distance, barycentrics) in [
        ([1.0, 1.0, 5.0], [1.0, 1.0, 0.0], 5.0, [0.5, 0.25, 0.25]),
        ([1.0, 1.0, -2.0], [1.0, 1.0, 0.0], 2.0, [0.5, 0.25, 0.25]),
        ([1.0, 2.0, 0.0], [1.0, 2.0, 0.0], 0.0, [0.25, 0.25, 0.5]),
        ([3.0, -3.0, 4.0], [3.0, 0.0, 0.0], 5.0, [0.25, 0.75, 0.0]),
        ([-3.0, 2.0, -4.0], [0.0, 2.0, 0.0], 5.0, [0.5, 0.0, 0.5]),
        (
            [3.0, 3.0, 0.0],
            [2.0, 2.0, 0.0],
            2.0_f32.sqrt(),
            [0.0, 0.5, 0.5],
        ),
        ([-3.0, -4.0, 12.0], [0.0, 0.0, 0.0], 13.0, [1.0, 0.0, 0.0]),
        ([7.0, -4.0, 0.0], [4.0, 0.0, 0.0], 5.0, [0.0, 1.0, 0.0]),
        ([-1.0, 6.0, 2.0], [0.0, 4.0, 0.0], 3.0, [0.0, 0.0, 1.0]),
    ] {
        let expected = NearestFace {
            face: 0,
            distance,
            position: Vec3::from(position),
            barycentrics,
            normal: Vec3::Z,
            material: 0,
        };
        assert_eq!(
            index.closest_point(Vec3::from(point), INF, ALL),
            Some(expected),
            "{point:?}"
        );
    }
}

#[test]
fn of_equal_distances_the_lowest_face_wins() {
    // The diagonal belongs to both faces, and the first corner does.
    for point in [[2.0, 2.0, 9.0], [0.3, 0.3, 7.1], [-3.1, -2.7, 4.9]] {
        let nearest = ground().closest_point(Vec3::from(point), INF, ALL);
        assert_eq!(nearest.map(|near| near.face), Some(0), "{point:?}");
        let both = k_nearest(&ground(), point, 2, INF);
        assert_eq!((both[0].0, both[1].0), (0, 1));
        assert_eq!(both[0].1.to_bits(), both[1].1.to_bits(), "{point:?}");
    }
}

#[test]
fn masks_hide_faces() {
    let over_0 = Vec3::new(3.0, 1.0, 2.0);
    let face = |required, forbidden| {
        let filter = MaskFilter {
            required,
            forbidden,
        };
        ground()
            .closest_point(over_0, INF, filter)
            .map(|near| near.face)
    };
    assert_eq!(face(0, 0), Some(0));
    assert_eq!(face(0x2, 0), Some(1));
    assert_eq!(face(0, 0x1), Some(1));
    assert_eq!(face(0x3, 0), None);
}

#[test]
fn the_distance_limit_is_inclusive() {
    let over = Vec3::new(3.0, 1.0, 4.0);
    let found = |max_distance| ground().closest_point(over, max_distance, ALL).is_some();
    assert!(found(3.0));
    assert!(!found(3.0_f32.next_down()));
    assert_eq!(k_nearest(&ground(), [3.0, 1.0, 1.0], 5, 0.0), [(0, 0.0)]);
    assert_eq!(k_nearest(&ground(), [3.0, 1.0, 1.0], 5, -0.0), [(0, 0.0)]);
}

#[test]
fn faces_without_area_are_segments_and_points() {
    let positions = [
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [9.0, 9.0, 9.0],
    ];
    let index = index(&positions, &[[0, 1, 2], [3, 3, 3], [2, 0, 2]], &[0; 3]);
    assert_eq!(k_nearest(&index, [2.0, 3.0, 4.0], 1, INF), [(0, 5.0)]);
    assert_eq!(k_nearest(&index, [9.0, 9.0, 7.0], 1, INF), [(1, 2.0)]);
    let nearest = index
        .closest_point(Vec3::new(-3.0, 4.0, 0.0), INF, ALL)
        .expect("three faces");
    assert_eq!(
        (nearest.face, nearest.position, nearest.normal),
        (0, Vec3::ZERO, Vec3::ZERO)
    );
    assert_eq!(nearest.barycentrics.iter().sum::<f32>(), 1.0);
}

#[test]
fn k_may_be_nothing_or_more_than_there_is() {
    let point = [3.0, 1.0, 2.0];
    assert_eq!(k_nearest(&ground(), point, 0, INF), []);
    assert_eq!(k_nearest(&ground(), point, 1, INF), [(0, 1.0)]);
    let all = [(0, 1.0), (1, 3.0_f32.sqrt())]; // one unit above, and sqrt 2 from the diagonal
    assert_eq!(k_nearest(&ground(), point, 2, INF), all);
    assert_eq!(k_nearest(&ground(), point, usize::MAX, INF), all);
    let mut faces = vec![
        ground()
            .closest_point(Vec3::ZERO, INF, ALL)
            .expect("a face");
        9
    ];
    ground().nearest_faces(Vec3::from(point), 0, INF, ALL, &mut faces);
    assert!(faces.is_empty());
}

#[test]
fn what_is_no_number_finds_nothing() {
    let ground = ground();
    let mut faces = Vec::new();
    for (point, max_distance) in [
        ([f32::NAN, 0.0, 0.0], INF),
        ([0.0, INF, 0.0], INF),
        ([0.0, 0.0, -INF], INF),
        ([0.0; 3], f32::NAN),
        ([0.0; 3], -1.0),
        ([0.0; 3], -INF),
    ] {
        let point = Vec3::from(point);
        assert_eq!(ground.closest_point(point, max_distance, ALL), None);
        faces.extend(ground.closest_point(Vec3::ZERO, INF, ALL));
        ground.nearest_faces(point, 3, max_distance, ALL, &mut faces);
        assert!(faces.is_empty(), "{point} {max_distance}");
    }
    let empty = index(&[], &[], &[]);
    assert_eq!(empty.closest_point(Vec3::ZERO, INF, ALL), None);
    let broken = index(
        &[[f32::NAN, 0.0, 0.0], [0.0, 0.0, 0.0]],
        &[[0, 1, 1], [1, 1, 1]],
        &[0; 2],
    );
    assert_eq!(k_nearest(&broken, [0.0; 3], 9, INF), [(1, 0.0)]);
}

#[test]
fn a_distance_that_overflows_is_no_result() {
    let far = [f32::MAX, f32::MAX, 0.0];
    let index = index(&[far, far, far], &[[0, 1, 2]], &[0]);
    assert_eq!(index.closest_point(-Vec3::from(far), INF, ALL), None);
    let beside = Vec3::new(f32::MAX, 0.0, 0.0);
    let nearest = index
        .closest_point(beside, INF, ALL)
        .map(|near| near.distance);
    assert_eq!(nearest, Some(f32::MAX));
}

#[test]
fn a_sliver_a_million_times_as_long_as_wide_is_measured_from_its_own_points() {
    let positions = [[0.0, 0.0, 0.0], [1e6, 1.0, 0.0], [5e5, 0.5 + 1e-6, 0.25]];
    let index = index(&positions, &[[0, 1, 2]], &[0]);
    for (i, z) in [(0, 0.5), (1, 1e-3), (2, 30.0)] {
        let point = Vec3::new(2e5 + i as f32 * 3e5, 0.4, z);
        let near = index.closest_point(point, INF, ALL).expect("a face");
        let corners = positions.map(|p| Vec3::from(p).as_dvec3());
        let plain = crate::plain::to_triangle(point.as_dvec3(), corners);
        assert!(
            (f64::from(near.distance) - plain).abs() <= 1e-7 * plain + 1e-9,
            "{near:?} {plain}"
        );
    }
}
