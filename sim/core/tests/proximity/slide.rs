//! Where a motion along faces leads.

use crate::common::{ALL, index};
use crate::plain;
use crate::soup::{Soup, point, soup};
use glam::Vec3;
use ironlands_sim_core::triangles::{Slide, TriangleIndex};
use proptest::prelude::*;

/// The gap that is kept, in parts of the radius.
const SKIN: f32 = 0.01;

/// A flat square of 16 by 16 units at height 0, in cells of one unit.
fn floor() -> TriangleIndex {
    let positions: Vec<_> = (0..17 * 17)
        .map(|i| [(i / 17) as f32, (i % 17) as f32, 0.0])
        .collect();
    let cells = (0..16_u32).flat_map(|x| (0..16).map(move |y| 17 * x + y));
    let triangles: Vec<_> = cells
        .flat_map(|at| [[at, at + 17, at + 18], [at, at + 18, at + 1]])
        .collect();
    index(&positions, &triangles, &vec![0; triangles.len()])
}

/// The inside of a box from zero to `size`, with a pillar of a quarter of its width in the middle.
fn room(size: Vec3) -> Soup {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let quarter = size * Vec3::new(0.375, 0.375, 0.0);
    for (low, high) in [(Vec3::ZERO, size), (quarter, size - quarter)] {
        let first = positions.len() as u32;
        let corner = |i: u32| {
            [0, 1, 2].map(|axis| {
                if i >> axis & 1 == 0 {
                    low[axis]
                } else {
                    high[axis]
                }
            })
        };
        positions.extend((0..8).map(corner));
        let sides = [
            [0, 1, 3, 2],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 3, 7, 6],
            [0, 2, 6, 4],
            [1, 3, 7, 5],
        ];
        triangles.extend(sides.iter().flat_map(|[a, b, c, d]| {
            [[a, b, c], [a, c, d]].map(|face| face.map(|corner| first + corner))
        }));
    }
    let masks = vec![0; triangles.len()];
    Soup {
        positions,
        triangles,
        masks,
    }
}

fn slide(index: &TriangleIndex, center: [f32; 3], motion: [f32; 3]) -> Slide {
    index.slide_sphere(Vec3::from(center), 0.5, Vec3::from(motion), ALL)
}

fn assert_near(found: Slide, expected: [f32; 3]) {
    assert!(
        found.position.distance(Vec3::from(expected)) < 1e-4,
        "{found:?} {expected:?}"
    );
}

fn least_distance(soup: &Soup, a: Vec3, b: Vec3) -> f64 {
    let [a, b] = [a, b].map(Vec3::as_dvec3);
    let faces = 0..soup.triangles.len();
    faces
        .map(|face| plain::segment_to_triangle(a, b, soup.corners(face)))
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn a_free_motion_is_made() {
    let end = slide(&floor(), [3.0, 3.0, 4.0], [5.0, 1.0, -2.0]);
    assert_eq!(
        (end.position, end.first_hit),
        (Vec3::new(8.0, 4.0, 2.0), None)
    );
}

#[test]
fn a_motion_into_a_face_stops_short_of_it_and_goes_on_along_it() {
    let end = slide(&floor(), [3.3, 3.1, 2.0], [0.0, 0.0, -9.0]);
    assert_near(end, [3.3, 3.1, 0.5 + SKIN * 0.5]);
    assert!(
        end.first_hit
            .is_some_and(|hit| hit.normal.distance(Vec3::Z) < 1e-6)
    );
    // Down by 1.5 of 3 it hits the floor; all of the motion along it is made.
    assert_near(
        slide(&floor(), [3.3, 3.1, 2.0], [9.0, 4.0, -3.0]),
        [12.3, 7.1, 0.5 + SKIN * 0.5],
    );
}

#[test]
fn a_motion_along_a_floor_of_many_faces_is_made_whole() {
    // At the gap, touching, sunk in by rounding, and with weight.
    for height in [0.5 + SKIN * 0.5, 0.5, 0.5_f32.next_down(), 0.4999] {
        for weight in [0.0, -1e-7, -0.2] {
            let end = slide(&floor(), [2.0, 2.5, height], [11.0, 9.5, weight]);
            assert!(
                (end.position - Vec3::new(13.0, 12.0, 0.5))
                    .truncate()
                    .length()
                    < 1e-3,
                "{end:?}"
            );
            assert!(
                (0.49..0.6).contains(&end.position.z),
                "{height} {weight} {end:?}"
            );
        }
    }
}

#[test]
fn a_step_against_a_wall_again_and_again_stays_where_it_is() {
    let floor = floor();
    let mut at = [3.3, 3.1, 0.6];
    let first = slide(&floor, at, [0.0, 0.0, -0.3]).position;
    for _ in 0..100 {
        at = slide(&floor, at, [0.0, 0.0, -0.3]).position.to_array();
    }
    assert!(first.distance(Vec3::from(at)) < 1e-5, "{first} {at:?}");
}

#[test]
fn between_two_walls_the_motion_goes_along_their_edge_and_in_a_corner_nowhere() {
    let room = room(Vec3::splat(16.0)).index();
    let gap = 0.5 + SKIN * 0.5;
    let end = slide(&room, [1.0, 1.0, 4.0], [-3.0, -2.0, 5.0]);
    assert_near(end, [gap, gap, 9.0]);
    let end = slide(&room, [1.0, 1.0, 1.0], [-3.0, -2.0, -5.0]);
    assert_near(end, [gap, gap, gap]);
    let end = slide(&room, [gap, gap, gap], [-3.0, -2.0, -5.0]);
    assert_near(end, [gap, gap, gap]);
}

#[test]
fn in_a_narrow_groove_the_motion_goes_along_it() {
    // Two upright walls that meet in the line x = y = 0, 60 degrees apart: along one is into the other.
    let slope = 30.0_f32.to_radians().tan();
    let wall = |y: f32| {
        [
            [0.0, 0.0, 0.0],
            [10.0, y, 0.0],
            [10.0, y, 20.0],
            [0.0, 0.0, 20.0],
        ]
    };
    let positions = [wall(10.0 * slope), wall(-10.0 * slope)].concat();
    let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let groove = index(&positions, &triangles, &[0; 4]);
    let end = slide(&groove, [5.0, 0.5, 5.0], [-9.0, 1.0, 6.0]);
    // Twice the gap from the line, since the sine of half the angle is a half.
    assert!(
        end.position.distance(Vec3::new(1.01, 0.0, 11.0)) < 0.03,
        "{end:?}"
    );
}

#[test]
fn a_wall_that_is_left_behind_does_not_hold() {
    // Up a ramp that ends in the air, against a ceiling, and on under it: along the ceiling is into the ramp's plane.
    let positions = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 2.0],
        [2.0, 4.0, 2.0],
        [0.0, 4.0, 0.0],
        [-1.0, 0.0, 4.0],
        [20.0, 0.0, 4.0],
        [20.0, 4.0, 4.0],
        [-1.0, 4.0, 4.0],
    ];
    let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let index = index(&positions, &triangles, &[0; 4]);
    let end = slide(&index, [-2.0, 2.0, 0.6], [12.0, 0.0, 0.0]);
    // The ramp takes half of the 10.1 that are left at it; the ceiling takes no more of x.
    assert!(
        end.position.distance(Vec3::new(4.95, 2.0, 3.5)) < 0.03,
        "{end:?}"
    );
}

#[test]
fn who_has_sunk_in_is_lifted_out() {
    let end = slide(&floor(), [3.3, 3.1, 0.2], [2.0, 1.0, -0.1]);
    assert_near(end, [5.3, 4.1, 0.5 + SKIN * 0.5]);
    let from_below = slide(&floor(), [3.3, 3.1, -0.2], [2.0, 1.0, 0.1]);
    assert_near(from_below, [5.3, 4.1, -0.5 - SKIN * 0.5]);
    let still = slide(&floor(), [3.3, 3.1, 0.2], [0.0; 3]);
    assert_near(still, [3.3, 3.1, 0.5 + SKIN * 0.5]);
    let on_the_floor = slide(&floor(), [3.3, 3.1, 0.0], [2.0, 1.0, -0.1]);
    assert_near(on_the_floor, [5.3, 4.1, 0.5 + SKIN * 0.5]);
}

#[test]
fn what_is_no_number_moves_nothing() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    for (radius, motion) in [
        (nan, Vec3::X),
        (-1.0, Vec3::X),
        (inf, Vec3::X),
        (1.0, Vec3::X * nan),
        (1.0, Vec3::Y * inf),
    ] {
        let end = floor().slide_sphere(Vec3::ONE, radius, motion, ALL);
        assert_eq!((end.position, end.first_hit), (Vec3::ONE, None));
    }
    let lost = floor().slide_sphere(Vec3::new(inf, 0.0, 0.0), 1.0, Vec3::X, ALL);
    assert_eq!(lost.position, Vec3::new(inf, 0.0, 0.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn who_walks_in_a_room_stays_in_it_and_out_of_its_walls(
        size in [4.0_f32..20.0, 4.0_f32..20.0, 2.0_f32..9.0],
        motions in prop::collection::vec([-9.0_f32..9.0, -9.0_f32..9.0, -9.0_f32..9.0], 60),
        radius in 0.0625_f32..0.4,
        height in 0.0_f32..1.0,
        whole in any::<bool>(),
    ) {
        let soup = room(Vec3::from(size));
        let index = soup.index();
        let up = Vec3::Z * height;
        let mut at = Vec3::splat(0.45);
        for motion in motions {
            let motion = if whole { motion.map(f32::round) } else { motion };
            let before = at;
            at = index.slide_capsule(at, at + up, radius, Vec3::from(motion), ALL).position;
            prop_assert!(at.cmpgt(Vec3::ZERO).all() && at.cmplt(Vec3::from(size)).all(), "{} left for {}", before, at);
            let gap = least_distance(&soup, at, at + up);
            prop_assert!(gap > f64::from(radius) - 1e-5, "{} from the wall, from {} by {:?}", gap, before, motion);
            prop_assert!(at.distance(before) <= Vec3::from(motion).length() * 1.001 + radius);
        }
    }

    #[test]
    fn no_slide_ends_in_a_face(
        soup in soup(),
        starts in prop::collection::vec((point(), [-4.0_f32..4.0, -4.0_f32..4.0, -4.0_f32..4.0]), 20),
        radius in 0.0625_f32..0.5,
    ) {
        let index = soup.index();
        for (start, motion) in starts {
            let start = Vec3::from(start);
            let was_free = least_distance(&soup, start, start) > f64::from(radius);
            if was_free {
                let end = index.slide_sphere(start, radius, Vec3::from(motion), ALL).position;
                let gap = least_distance(&soup, end, end);
                prop_assert!(gap > f64::from(radius) - 1e-5, "{} of {} at {}", gap, radius, end);
            }
        }
    }
}
