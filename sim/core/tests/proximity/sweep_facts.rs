//! What moving spheres and capsules touch, fact by fact.

use crate::common::{ALL, SQUARE, index, square};
use glam::Vec3;
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::{ShapeHit, TriangleIndex};

/// A square at height 0: faces 0 and 1.
fn ground() -> TriangleIndex {
    index(&square(0.0), &SQUARE, &[0x1, 0x2])
}

/// The wall x = 0, faces 0 and 1, from (0,0,0) to (0,10,10).
fn wall() -> TriangleIndex {
    let corners = [
        [0.0, 0.0, 0.0],
        [0.0, 10.0, 0.0],
        [0.0, 10.0, 10.0],
        [0.0, 0.0, 10.0],
    ];
    index(&corners, &SQUARE, &[0; 2])
}

fn sphere(
    index: &TriangleIndex,
    center: [f32; 3],
    radius: f32,
    motion: [f32; 3],
) -> Option<ShapeHit> {
    index.cast_sphere(Vec3::from(center), radius, Vec3::from(motion), ALL)
}

fn capsule(
    index: &TriangleIndex,
    [a, b]: [[f32; 3]; 2],
    radius: f32,
    motion: [f32; 3],
) -> Option<ShapeHit> {
    index.cast_capsule(
        Vec3::from(a),
        Vec3::from(b),
        radius,
        Vec3::from(motion),
        ALL,
    )
}

/// The same but for the last digits of the normal.
fn assert_hit(found: Option<ShapeHit>, expected: Option<ShapeHit>, what: &dyn std::fmt::Debug) {
    let turned = expected.map(|hit| ShapeHit {
        normal: found
            .map(|found| found.normal)
            .filter(|n| n.distance(hit.normal) < 1e-7)
            .unwrap_or(hit.normal),
        ..hit
    });
    assert_eq!(found, turned, "{what:?}");
}

fn hit(
    face: u32,
    t: f32,
    position: [f32; 3],
    contact: [f32; 3],
    normal: [f32; 3],
) -> Option<ShapeHit> {
    let [position, contact, normal] = [position, contact, normal].map(Vec3::from);
    let material = face as u16;
    Some(ShapeHit {
        face,
        t,
        position,
        contact,
        normal,
        material,
    })
}

#[test]
fn a_sphere_touches_the_inside_an_edge_or_a_corner() {
    let index = ground();
    for (center, radius, motion, expected) in [
        // Onto the inside of face 0, and from below of face 1.
        (
            [3.0, 1.0, 5.0],
            1.0,
            [0.0, 0.0, -8.0],
            hit(0, 0.5, [3.0, 1.0, 1.0], [3.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        ),
        (
            [1.0, 3.0, -5.0],
            1.0,
            [0.0, 0.0, 8.0],
            hit(1, 0.5, [1.0, 3.0, -1.0], [1.0, 3.0, 0.0], [0.0, 0.0, -1.0]),
        ),
        // 3 beside the edge y = 0, of face 0, so at height 4.
        (
            [2.0, -3.0, 8.0],
            5.0,
            [0.0, 0.0, -16.0],
            hit(0, 0.25, [2.0, -3.0, 4.0], [2.0, 0.0, 0.0], [0.0, -0.6, 0.8]),
        ),
        // 3 beside the corner (4, 0), along the diagonal of nothing.
        (
            [7.0, 0.0, 8.0],
            5.0,
            [0.0, 0.0, -8.0],
            hit(0, 0.5, [7.0, 0.0, 4.0], [4.0, 0.0, 0.0], [0.6, 0.0, 0.8]),
        ),
        // The corner (4, 4) belongs to both faces.
        (
            [4.0, 7.0, 8.0],
            5.0,
            [0.0, 0.0, -8.0],
            hit(0, 0.5, [4.0, 7.0, 4.0], [4.0, 4.0, 0.0], [0.0, 0.6, 0.8]),
        ),
        // In the plane, against the edge x = 4.
        (
            [10.0, 1.0, 0.0],
            2.0,
            [-8.0, 0.0, 0.0],
            hit(0, 0.5, [6.0, 1.0, 0.0], [4.0, 1.0, 0.0], [1.0, 0.0, 0.0]),
        ),
        // Stops short, passes by, goes away.
        ([3.0, 1.0, 5.0], 1.0, [0.0, 0.0, -3.9], None),
        ([9.1, 0.0, 8.0], 5.0, [0.0, 0.0, -8.0], None),
        ([3.0, 1.0, 5.0], 1.0, [0.0, 0.0, 8.0], None),
        // The end of the motion counts.
        (
            [3.0, 1.0, 5.0],
            1.0,
            [0.0, 0.0, -4.0],
            hit(0, 1.0, [3.0, 1.0, 1.0], [3.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        ),
    ] {
        assert_hit(
            sphere(&index, center, radius, motion),
            expected,
            &(center, motion),
        );
    }
}

#[test]
fn a_capsule_touches_with_an_end_or_its_side() {
    let index = wall();
    for (axis, radius, motion, expected) in [
        // Upright against the wall: all of the side is as near, so the contact is any of it.
        (
            [[5.0, 7.0, 6.0], [6.0, 7.0, 7.0]],
            1.0,
            [-8.0, 0.0, 0.0],
            hit(0, 0.5, [1.0, 7.0, 6.0], [0.0, 7.0, 6.0], [1.0, 0.0, 0.0]),
        ),
        // The end `b` leads.
        (
            [[7.0, 7.0, 6.0], [5.0, 7.0, 6.0]],
            1.0,
            [-8.0, 0.0, 0.0],
            hit(0, 0.5, [3.0, 7.0, 6.0], [0.0, 7.0, 6.0], [1.0, 0.0, 0.0]),
        ),
        // Across the edge y = 0 of face 1, 5 above it: the middle of the side.
        (
            [[-2.0, -4.0, 5.0], [2.0, -4.0, 5.0]],
            1.0,
            [0.0, 6.0, 0.0],
            hit(1, 0.5, [-2.0, -1.0, 5.0], [0.0, 0.0, 5.0], [0.0, -1.0, 0.0]),
        ),
        // Over the upper corner (0, 10, 10), which both faces share.
        (
            [[-2.0, 10.0, 14.0], [2.0, 10.0, 14.0]],
            2.0,
            [0.0, 0.0, -4.0],
            hit(
                0,
                0.5,
                [-2.0, 10.0, 12.0],
                [0.0, 10.0, 10.0],
                [0.0, 0.0, 1.0],
            ),
        ),
        (
            [[-2.0, 10.0, 14.0], [2.0, 10.0, 14.0]],
            2.0,
            [0.0, 0.0, 4.0],
            None,
        ),
        (
            [[1.1, 7.0, 6.0], [1.1, 7.0, 9.0]],
            1.0,
            [0.0, -4.0, 0.0],
            None,
        ),
    ] {
        assert_hit(
            capsule(&index, axis, radius, motion),
            expected,
            &(axis, motion),
        );
    }
}

#[test]
fn what_is_touched_at_the_start_holds_only_who_comes_nearer() {
    let index = wall();
    // Against the wall, sunk into it, and behind its plane by less than the radius.
    for x in [1.0, 0.25, -0.25] {
        let side = f32::signum(x);
        let go = |motion: [f32; 3]| sphere(&index, [x, 7.0, 6.0], 1.0, motion);
        let expected = hit(0, 0.0, [x, 7.0, 6.0], [0.0, 7.0, 6.0], [side, 0.0, 0.0]);
        assert_hit(go([-3.0 * side, 0.0, 0.0]), expected, &x);
        assert_hit(go([-0.1 * side, 2.0, 0.0]), expected, &x);
        assert_eq!(go([0.0, 2.0, -1.0]), None);
        assert_eq!(go([0.1 * side, 2.0, 0.0]), None);
        assert_eq!(go([30.0 * side, 0.0, 0.0]), None);
        let go = |motion| capsule(&index, [[x, 7.0, 6.0], [2.0 * x, 7.0, 8.0]], 1.0, motion);
        assert_hit(go([-3.0 * side, 0.0, 0.0]), expected, &x);
        assert_eq!(go([0.0, 2.0, -1.0]), None);
        assert_eq!(go([30.0 * side, 0.0, 0.0]), None);
    }
}

#[test]
fn who_is_on_a_face_is_free_of_it_and_not_of_others() {
    let corners = [
        [0.0, 0.0, 0.0],
        [0.0, 10.0, 0.0],
        [0.0, 10.0, 10.0],
        [-5.0, 0.0, 0.0],
        [-5.0, 10.0, 0.0],
        [-5.0, 10.0, 10.0],
    ];
    let index = index(&corners, &[[0, 1, 2], [3, 4, 5]], &[0; 2]);
    let behind = hit(1, 0.5, [-4.0, 7.0, 5.0], [-5.0, 7.0, 5.0], [1.0, 0.0, 0.0]);
    assert_hit(
        sphere(&index, [0.0, 7.0, 5.0], 1.0, [-8.0, 0.0, 0.0]),
        behind,
        &"",
    );
    // The axis goes through the first face and is not held by it.
    let through = [[2.0, 7.0, 5.0], [-1.0, 7.0, 5.0]];
    let behind = hit(1, 0.5, [-1.0, 7.0, 5.0], [-5.0, 7.0, 5.0], [1.0, 0.0, 0.0]);
    assert_hit(capsule(&index, through, 1.0, [-6.0, 0.0, 0.0]), behind, &"");
}

#[test]
fn without_motion_the_deepest_face_is_found() {
    let index = wall();
    let still = [0.0; 3];
    let expected = hit(0, 0.0, [0.75, 7.0, 6.0], [0.0, 7.0, 6.0], [1.0, 0.0, 0.0]);
    assert_hit(sphere(&index, [0.75, 7.0, 6.0], 1.0, still), expected, &"");
    assert_hit(sphere(&index, [0.75, 7.0, 6.0], 0.75, still), expected, &"");
    assert_eq!(sphere(&index, [0.75, 7.0, 6.0], 0.74, still), None);
    // Both are touched, face 1 is nearer.
    assert_eq!(
        sphere(&index, [0.75, 5.0, 6.0], 3.0, still).map(|hit| hit.face),
        Some(1)
    );
    let on_face = hit(0, 0.0, [0.0, 7.0, 6.0], [0.0, 7.0, 6.0], [1.0, 0.0, 0.0]);
    assert_hit(sphere(&index, [0.0, 7.0, 6.0], 0.0, still), on_face, &"");
    let through = capsule(&index, [[-1.0, 7.0, 6.0], [1.0, 7.0, 6.0]], 0.5, still).expect("a face");
    assert_eq!((through.face, through.t, through.normal), (0, 0.0, Vec3::X));
}

#[test]
fn masks_hide_faces() {
    let over_0 = Vec3::new(3.0, 1.0, 5.0);
    let face = |required, forbidden| {
        let filter = MaskFilter {
            required,
            forbidden,
        };
        let hit = ground().cast_sphere(over_0, 2.0, Vec3::new(0.0, 0.0, -8.0), filter);
        hit.map(|hit| hit.face)
    };
    assert_eq!(face(0, 0), Some(0));
    assert_eq!(face(0x2, 0), Some(1));
    assert_eq!(face(0, 0x1), Some(1));
    assert_eq!(face(0, 0x3), None);
}

#[test]
fn faces_without_area_are_segments_and_points() {
    let corners = [
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [9.0, 9.0, 0.0],
    ];
    let index = index(&corners, &[[0, 1, 2], [3, 3, 3]], &[0; 2]);
    let line = hit(0, 0.25, [3.0, 3.0, 4.0], [3.0, 0.0, 0.0], [0.0, 0.6, 0.8]);
    assert_hit(
        sphere(&index, [3.0, 3.0, 8.0], 5.0, [0.0, 0.0, -16.0]),
        line,
        &"",
    );
    let point = hit(1, 0.5, [9.0, 6.0, 4.0], [9.0, 9.0, 0.0], [0.0, -0.6, 0.8]);
    assert_hit(
        sphere(&index, [9.0, 6.0, 8.0], 5.0, [0.0, 0.0, -8.0]),
        point,
        &"",
    );
    assert_eq!(
        sphere(&index, [3.0, 0.0, 8.0], 0.0, [0.0, 0.0, -16.0]),
        None
    );
}

#[test]
fn a_long_way_finds_the_first_of_many() {
    // A thousand fences, one every ten units.
    let fence = |x: f32| [[x, -5.0, -5.0], [x, 5.0, -5.0], [x, 0.0, 9.0]];
    let corners: Vec<_> = (1..=1000).flat_map(|i| fence(10.0 * i as f32)).collect();
    let faces: Vec<_> = (0..1000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let index = index(&corners, &faces, &vec![0; 1000]);
    let way = [10_000.0, 0.0, 0.0];
    let first = sphere(&index, [0.0; 3], 1.0, way).expect("a fence");
    assert_eq!((first.face, first.position.x), (0, 9.0));
    assert_eq!(
        sphere(&index, [5000.0, 0.0, 0.0], 1.0, way).map(|hit| hit.face),
        Some(500)
    );
    let last = sphere(&index, [9995.0, 0.0, 0.0], 1.0, way).expect("a fence");
    assert_eq!((last.face, last.position.x), (999, 9999.0));
    assert_eq!(sphere(&index, [0.0, 0.0, 20.0], 1.0, way), None);
    let slanting =
        sphere(&index, [0.0, 0.0, 5000.0], 1.0, [10_000.0, 0.0, -5000.0]).expect("a fence");
    assert!(slanting.face > 990, "{slanting:?}");
    // The same from as far away as f32 goes.
    let far = sphere(&index, [-1e30, 0.0, 0.0], 1.0, [2e30, 0.0, 0.0]);
    assert!(far.is_some());
}

#[test]
fn a_face_that_comes_near_early_and_is_touched_late_does_not_hide_one_between() {
    // Fences at x = 501 to 900, and a slanting face over all of the motion, hit at x = 950.
    let fence = |x: f32| [[x, -5.0, -5.0], [x, 5.0, -5.0], [x, 0.0, 9.0]];
    let mut corners: Vec<_> = (501..=900).flat_map(|x| fence(x as f32)).collect();
    corners.extend([
        [0.0, -99.0, -950.0],
        [0.0, 99.0, -950.0],
        [1000.0, 0.0, 50.0],
    ]);
    let faces: Vec<_> = (0..401).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let way = [1000.0, 0.0, 0.0];
    let all = index(&corners, &faces, &[0; 401]);
    assert_eq!(
        sphere(&all, [0.0; 3], 1.0, way).map(|hit| (hit.face, hit.t)),
        Some((0, 0.5))
    );
    let last = index(&corners, &faces[400..], &[0]);
    assert!(sphere(&last, [0.0; 3], 1.0, way).is_some_and(|hit| (0.94..0.95).contains(&hit.t)));
}

#[test]
fn what_is_no_number_touches_nothing() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let index = ground();
    let (over, down) = ([3.0, 1.0, 5.0], [0.0, 0.0, -8.0]);
    for (center, radius, motion) in [
        ([nan, 1.0, 5.0], 1.0, down),
        ([3.0, inf, 5.0], 1.0, down),
        (over, nan, down),
        (over, inf, down),
        (over, -1.0, down),
        (over, 1.0, [0.0, 0.0, -inf]),
        (over, 1.0, [0.0, nan, -8.0]),
    ] {
        assert_eq!(
            sphere(&index, center, radius, motion),
            None,
            "{center:?} {radius} {motion:?}"
        );
        assert_eq!(
            capsule(&index, [[3.0, 1.0, 6.0], center], radius, motion),
            None
        );
    }
    let empty = crate::common::index(&[], &[], &[]);
    assert_eq!(sphere(&empty, over, 9.0, down), None);
    assert!(sphere(&index, over, -0.0, down).is_some());
    assert!(sphere(&index, over, f32::MAX, [f32::MAX; 3]).is_none());
}
