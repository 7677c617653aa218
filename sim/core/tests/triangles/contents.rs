//! Which faces the triangle index holds, what a box finds of them, and what it refuses.

use crate::common::{ALL, DOWN, SQUARE, faces, index, square};
use glam::Vec3;
use ironlands_sim_core::Ray;
use ironlands_sim_core::triangles::{Overlap, TriangleError, TriangleIndex};

#[test]
fn faces_without_area_are_in_boxes_only() {
    let positions = [
        [0.0, 0.0, 0.0],
        [4.0, 4.0, 4.0],
        [2.0, 2.0, 2.0],
        [0.0, 4.0, 0.0],
    ];
    let index = index(&positions, &[[0, 1, 2], [3, 3, 3], [0, 3, 0]], &[0, 0, 0]);
    let mut faces = vec![77];
    index.faces_in_aabb(
        Vec3::splat(1.0),
        Vec3::splat(3.0),
        ALL,
        Overlap::Exact,
        &mut faces,
    );
    assert_eq!(faces, [0]);
    index.faces_in_aabb(
        Vec3::splat(f32::NEG_INFINITY),
        Vec3::splat(f32::INFINITY),
        ALL,
        Overlap::Exact,
        &mut faces,
    );
    faces.sort_unstable();
    assert_eq!(faces, [0, 1, 2]);
    assert_eq!(index.height_at(2.0, 2.0, ALL), None);
    assert_eq!(
        index.cast_ray(
            &Ray {
                origin: Vec3::new(2.0, 2.0, 9.0),
                direction: DOWN
            },
            99.0,
            ALL
        ),
        None
    );
    assert_eq!(index.face_normal(0), Some(Vec3::ZERO));
}

#[test]
fn a_box_touches_closed_and_exactly() {
    let index = index(
        &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]],
        &[[0, 1, 2]],
        &[0],
    );
    let held = |min: [f32; 3], max: [f32; 3], overlap| {
        let mut faces = Vec::new();
        index.faces_in_aabb(Vec3::from(min), Vec3::from(max), ALL, overlap, &mut faces);
        !faces.is_empty()
    };
    for (min, max, by_bounds, exact) in [
        ([4.0, 0.0, 0.0], [5.0, 1.0, 1.0], true, true), // a corner
        ([2.0, 2.0, 0.0], [5.0, 5.0, 1.0], true, true), // the long edge
        ([2.1, 2.1, 0.0], [5.0, 5.0, 1.0], true, false), // behind the long edge
        ([1.0, 1.0, -1.0], [1.0, 1.0, 1.0], true, true), // an upright line
        ([1.0, 1.0, 0.1], [2.0, 2.0, 1.0], false, false), // above
        ([2.0, 2.0, 1.0], [1.0, 1.0, -1.0], false, false), // turned round
        ([f32::NAN, 1.0, -1.0], [2.0, 2.0, 1.0], false, false),
    ] {
        assert_eq!(
            held(min, max, Overlap::Bounds),
            by_bounds,
            "{min:?} {max:?}"
        );
        assert_eq!(held(min, max, Overlap::Exact), exact, "{min:?} {max:?}");
    }
}

#[test]
fn faces_with_non_finite_vertices_are_not_there() {
    let mut positions = square(1.0).to_vec();
    positions.extend([[f32::NAN, 0.0, 0.0], [0.0, f32::INFINITY, 0.0]]);
    let index = index(&positions, &[[0, 1, 4], [0, 1, 2], [0, 5, 2]], &[0, 0, 0]);
    assert_eq!(index.n_faces(), 1);
    assert_eq!(
        index.bounds(),
        (Vec3::new(0.0, 0.0, 1.0), Vec3::new(4.0, 4.0, 1.0))
    );
    assert_eq!(index.height_at(3.0, 1.0, ALL).map(|hit| hit.face), Some(1));
    assert_eq!(index.face_corners(0), None);
}

#[test]
fn an_empty_terrain_finds_nothing() {
    let index = index(&[], &[], &[]);
    assert_eq!(index.height_at(0.0, 0.0, ALL), None);
    assert_eq!(
        index.cast_ray(
            &Ray {
                origin: Vec3::Z,
                direction: DOWN
            },
            10.0,
            ALL
        ),
        None
    );
    let mut faces = vec![1];
    index.faces_in_aabb(
        Vec3::splat(-1.0),
        Vec3::splat(1.0),
        ALL,
        Overlap::Bounds,
        &mut faces,
    );
    assert!(faces.is_empty());
}

#[test]
fn many_faces_over_the_whole_world_do_not_eat_memory() {
    // 60,000 faces that each cover everything: without a limit the grid would hold 10^9 entries.
    let triangles: Vec<_> = (0..60_000).map(|i| SQUARE[i % 2]).collect();
    let index = index(&square(1.0), &triangles, &vec![0; triangles.len()]);
    assert_eq!(index.height_at(3.0, 1.0, ALL).map(|hit| hit.face), Some(0));
}

#[test]
fn broken_tables_are_named() {
    let error = TriangleIndex::new(&square(0.0), &faces(&[[0, 1, 4]], &[0])).err();
    assert_eq!(
        error,
        Some(TriangleError::VertexOutOfRange {
            face: 0,
            vertex: 4,
            n_vertices: 4
        })
    );
}

#[test]
fn faces_that_are_not_there_or_not_finite_are_not_listed() {
    let mut positions = square(1.0).to_vec();
    positions.push([f32::NAN, 0.0, 0.0]);
    let mut faces = faces(&[[0, 1, 2], [0, 2, 3], [0, 1, 4], [1, 2, 3]], &[0; 4]);
    faces[1] = None;
    let index = TriangleIndex::new(&positions, &faces).expect("indices are in range");
    assert_eq!(index.faces().collect::<Vec<_>>(), [0, 3]);
}
