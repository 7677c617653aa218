//! What heights, rays and segments promise, fact by fact.

use crate::common::{ALL, DOWN, SQUARE, index, square};
use glam::Vec3;
use ironlands_sim_core::triangles::{Sides, TriangleIndex};
use ironlands_sim_core::{MaskFilter, Ray};

/// Three squares above each other, the lowest first; the middle one is water, the top one two-sided.
fn floors() -> TriangleIndex {
    let positions: Vec<_> = [1.0, 2.0, 5.0].into_iter().flat_map(square).collect();
    let triangles: Vec<_> = (0..3)
        .flat_map(|i| SQUARE.map(|t| t.map(|v| v + 4 * i)))
        .collect();
    index(
        &positions,
        &triangles,
        &[0, 0, 0x2_0000, 0x2_0000, 0x8, 0x8],
    )
}

/// A slightly bumpy ball: closed, and each point of it is seen from anywhere near its middle.
fn ball() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    const RINGS: u32 = 24;
    const SIDES: u32 = 31;
    let mut positions = vec![[0.3, 0.2, -9.7], [-0.1, 0.4, 10.3]];
    for ring in 1..RINGS {
        for side in 0..SIDES {
            let (polar, around) = (
                ring as f32 / RINGS as f32 * std::f32::consts::PI,
                side as f32 / SIDES as f32 * std::f32::consts::TAU,
            );
            let radius = 10.0 + ((ring * 7 + side * 13) % 5) as f32 * 0.05;
            let flat = radius * polar.sin();
            positions.push([
                flat * around.cos(),
                flat * around.sin(),
                -radius * polar.cos(),
            ]);
        }
    }
    let at = |ring: u32, side: u32| 2 + (ring - 1) * SIDES + side % SIDES;
    let mut triangles = Vec::new();
    for side in 0..SIDES {
        triangles.push([0, at(1, side + 1), at(1, side)]);
        triangles.push([1, at(RINGS - 1, side), at(RINGS - 1, side + 1)]);
        for ring in 1..RINGS - 1 {
            triangles.push([at(ring, side), at(ring, side + 1), at(ring + 1, side + 1)]);
            triangles.push([at(ring, side), at(ring + 1, side + 1), at(ring + 1, side)]);
        }
    }
    (positions, triangles)
}

#[test]
fn rays_do_not_leak_through_edges_and_vertices() {
    let (positions, triangles) = ball();
    let index = index(&positions, &triangles, &vec![0; triangles.len()]);
    let corner = |v: u32| Vec3::from_array(positions[v as usize]);
    for origin in [
        Vec3::ZERO,
        Vec3::new(1.0, -2.0, 3.0),
        Vec3::new(-3.3, 0.7, -1.9),
    ] {
        for (face, &[a, b, c]) in triangles.iter().enumerate() {
            for target in [
                corner(a),
                corner(b),
                corner(c),
                (corner(a) + corner(b)) / 2.0,
                (corner(b) + corner(c)) / 2.0,
            ] {
                let direction = target - origin;
                let hit = index.cast_ray(&Ray { origin, direction }, f32::INFINITY, ALL);
                let t = hit
                    .unwrap_or_else(|| panic!("leak at face {face} from {origin}"))
                    .t;
                assert!(t < 1.0001, "face {face} from {origin}: t {t}");
                assert!(
                    index.cast_segment(origin, origin + 1.01 * direction, ALL),
                    "face {face} from {origin}"
                );
            }
        }
    }
}

#[test]
fn the_ball_is_hit_from_behind_inside_and_from_the_front_outside() {
    let (positions, triangles) = ball();
    let index = index(&positions, &triangles, &vec![0; triangles.len()]);
    for direction in [
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Y,
        Vec3::NEG_Y,
        Vec3::Z,
        Vec3::NEG_Z,
        Vec3::new(1.0, 2.0, -3.0),
    ] {
        let inside = Ray {
            origin: Vec3::new(0.1, 0.2, 0.3),
            direction,
        };
        let outside = Ray {
            origin: inside.at(50.0),
            direction: -direction,
        };
        let behind = index
            .cast_ray(&inside, 100.0, ALL)
            .expect("the ball is closed");
        let ahead = index
            .cast_ray(&outside, 100.0, ALL)
            .expect("the ball is closed");
        assert!(
            !behind.front && behind.normal.dot(direction) > 0.0,
            "{direction}"
        );
        assert!(
            ahead.front && ahead.normal.dot(direction) > 0.0,
            "{direction}"
        );
        assert_eq!(
            index.cast_ray_at_sides(&inside, 100.0, ALL, Sides::FrontUnless(0x8)),
            None,
            "{direction}"
        );
    }
}

#[test]
fn heights_do_not_leak_between_faces() {
    let (positions, triangles) = ball();
    let index = index(&positions, &triangles, &vec![0; triangles.len()]);
    for &[a, b, _] in &triangles {
        let [a, b] = [a, b].map(|v| Vec3::from_array(positions[v as usize]));
        for on_edge in [a, (a + b) / 2.0] {
            // The rounded middle of an edge at the rim may lie outside the ball.
            let inside = on_edge.truncate() * 0.99;
            assert!(
                index.height_at(inside.x, inside.y, ALL).is_some(),
                "{inside}"
            );
        }
    }
}

#[test]
fn of_equal_distances_the_lowest_face_wins() {
    let square = square(1.0);
    // The same square three times, in both windings, and the diagonal belongs to two faces.
    let triangles: Vec<_> = SQUARE
        .into_iter()
        .chain([[2, 1, 0], [3, 2, 0]])
        .chain(SQUARE)
        .collect();
    let forward = index(&square, &triangles, &[0x10, 0, 0, 0, 0, 0]);
    let down = |x: f32, y: f32| Ray {
        origin: Vec3::new(x, y, 3.0),
        direction: DOWN,
    };
    let face = |x: f32, y: f32, filter| {
        forward
            .cast_ray(&down(x, y), 9.0, filter)
            .map(|hit| hit.face)
    };
    assert_eq!(face(2.0, 2.0, ALL), Some(0));
    assert_eq!(face(3.0, 1.0, ALL), Some(0));
    assert_eq!(face(1.0, 3.0, ALL), Some(1));
    assert_eq!(
        face(
            2.0,
            2.0,
            MaskFilter {
                required: 0,
                forbidden: 0x10
            }
        ),
        Some(1)
    );
    assert_eq!(
        face(
            3.0,
            1.0,
            MaskFilter {
                required: 0,
                forbidden: 0x10
            }
        ),
        Some(2)
    );
    assert_eq!(
        forward.height_at(2.0, 2.0, ALL).map(|hit| hit.face),
        Some(0)
    );
    assert_eq!(
        forward
            .height_at(
                3.0,
                1.0,
                MaskFilter {
                    required: 0,
                    forbidden: 0x10
                }
            )
            .map(|hit| hit.face),
        Some(2)
    );
}

/// A floor of 8 x 8 unit squares at z = 0, for which the grid has cells of one unit, and upright walls of height
/// 2 between two points each. The walls' faces come first, two a wall.
fn floor_with_walls(walls: &[[[f32; 2]; 2]]) -> TriangleIndex {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    let mut square = |corners: [[f32; 3]; 4]| {
        triangles.extend(SQUARE.map(|t| t.map(|v| v + positions.len() as u32)));
        positions.extend(corners);
    };
    for &[[ax, ay], [bx, by]] in walls {
        square([[ax, ay, 0.0], [bx, by, 0.0], [bx, by, 2.0], [ax, ay, 2.0]]);
    }
    for (x, y) in (0..64).map(|i| ((i % 8) as f32, (i / 8) as f32)) {
        square([
            [x, y, 0.0],
            [x + 1.0, y, 0.0],
            [x + 1.0, y + 1.0, 0.0],
            [x, y + 1.0, 0.0],
        ]);
    }
    let flags = vec![0; triangles.len()];
    index(&positions, &triangles, &flags)
}

#[test]
fn a_wall_that_begins_at_the_corner_of_a_cell_is_hit_there() {
    // The ray passes from cell to cell through the corner, and the wall lies in a cell next to it.
    for (dx, dy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let index = floor_with_walls(&[[[5.0, 5.0], [5.0 + dx, 5.0 + dy]]]);
        for direction in [Vec3::new(dy, -dx, 0.0), Vec3::new(-dy, dx, 0.0)] {
            let origin = Vec3::new(5.0, 5.0, 1.0) - direction * 2.5;
            let hit = index.cast_ray(&Ray { origin, direction }, 9.0, ALL);
            assert_eq!(
                hit.map(|hit| hit.t),
                Some(2.5),
                "wall to {dx} {dy}, along {direction}"
            );
        }
    }
}

#[test]
fn a_tie_by_rounding_is_found_in_the_next_cell() {
    // Seen from a million units away both walls have the same f32 t; the lower face stands behind a cell border.
    let index = floor_with_walls(&[[[5.01, 0.0], [5.01, 8.0]], [[4.99, 0.0], [4.99, 8.0]]]);
    let far = Ray {
        origin: Vec3::new(-1.0e6, 1.0, 1.5),
        direction: Vec3::X,
    };
    assert_eq!(
        index.cast_ray(&far, f32::INFINITY, ALL).map(|hit| hit.face),
        Some(1)
    );
    let near = Ray {
        origin: Vec3::new(0.0, 1.0, 1.5),
        direction: Vec3::X,
    };
    assert_eq!(
        index
            .cast_ray(&near, f32::INFINITY, ALL)
            .map(|hit| hit.face),
        Some(3)
    );
}

#[test]
fn heights_choose_their_floor() {
    let index = floors();
    let z =
        |hit: Option<ironlands_sim_core::triangles::HeightHit>| hit.map(|hit| (hit.z, hit.face));
    assert_eq!(z(index.height_at(3.0, 1.0, ALL)), Some((5.0, 4)));
    assert_eq!(
        z(index.height_at(
            3.0,
            1.0,
            MaskFilter {
                required: 0,
                forbidden: 0x8
            }
        )),
        Some((2.0, 2))
    );
    assert_eq!(
        z(index.height_at(
            3.0,
            1.0,
            MaskFilter {
                required: 0x2_0000,
                forbidden: 0
            }
        )),
        Some((2.0, 2))
    );
    assert_eq!(
        z(index.height_at_or_below(3.0, 1.0, 4.9, ALL)),
        Some((2.0, 2))
    );
    assert_eq!(
        z(index.height_at_or_below(3.0, 1.0, 2.0, ALL)),
        Some((2.0, 2))
    );
    assert_eq!(z(index.height_at_or_below(3.0, 1.0, 0.9, ALL)), None);
    assert_eq!(
        z(index.height_at_or_above(3.0, 1.0, 2.1, ALL)),
        Some((5.0, 4))
    );
    assert_eq!(z(index.height_at_or_above(3.0, 1.0, 5.1, ALL)), None);
}

#[test]
fn corners_and_sides_of_the_terrain_belong_to_it() {
    let index = floors();
    for (x, y) in [
        (0.0, 0.0),
        (4.0, 0.0),
        (4.0, 4.0),
        (0.0, 4.0),
        (0.0, 2.0),
        (4.0, 2.0),
        (2.0, 0.0),
        (2.0, 4.0),
    ] {
        assert_eq!(
            index.height_at(x, y, ALL).map(|hit| hit.z),
            Some(5.0),
            "{x} {y}"
        );
        let down = Ray {
            origin: Vec3::new(x, y, 9.0),
            direction: DOWN,
        };
        assert_eq!(
            index.cast_ray(&down, 9.0, ALL).map(|hit| hit.t),
            Some(4.0),
            "{x} {y}"
        );
    }
    for (x, y) in [
        (-0.001, 2.0),
        (4.001, 2.0),
        (2.0, -0.001),
        (2.0, 4.001),
        (f32::NAN, 2.0),
        (2.0, f32::INFINITY),
    ] {
        assert_eq!(index.height_at(x, y, ALL), None, "{x} {y}");
    }
}

#[test]
fn both_ends_of_a_ray_belong_to_it() {
    let index = floors();
    let down = Ray {
        origin: Vec3::new(1.0, 3.0, 7.0),
        direction: Vec3::new(0.0, 0.0, -2.0),
    };
    assert_eq!(
        index.cast_ray(&down, 1.0, ALL).map(|hit| (hit.t, hit.face)),
        Some((1.0, 5))
    );
    assert_eq!(index.cast_ray(&down, 0.999, ALL), None);
    let on_it = Ray {
        origin: Vec3::new(1.0, 3.0, 5.0),
        direction: DOWN,
    };
    assert_eq!(
        index
            .cast_ray(&on_it, 1.0, ALL)
            .map(|hit| (hit.t, hit.face)),
        Some((0.0, 5))
    );
    let (a, b) = (Vec3::new(1.0, 3.0, 7.0), Vec3::new(1.0, 3.0, 5.0));
    assert!(index.cast_segment(a, b, ALL) && index.cast_segment(b, a, ALL));
    assert!(!index.cast_segment(a, b + Vec3::Z * 0.001, ALL));
}

#[test]
fn invalid_queries_find_nothing() {
    let index = floors();
    let good = Ray {
        origin: Vec3::new(1.0, 3.0, 7.0),
        direction: DOWN,
    };
    assert!(index.cast_ray(&good, f32::INFINITY, ALL).is_some());
    for t_max in [f32::NAN, -1.0, f32::NEG_INFINITY] {
        assert_eq!(index.cast_ray(&good, t_max, ALL), None, "t_max {t_max}");
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            let (mut by_origin, mut by_direction) = (good, good);
            by_origin.origin[axis] = bad;
            by_direction.direction[axis] = bad;
            assert_eq!(
                index.cast_ray(&by_origin, 100.0, ALL),
                None,
                "origin {bad}, axis {axis}"
            );
            assert_eq!(
                index.cast_ray(&by_direction, 100.0, ALL),
                None,
                "direction {bad}, axis {axis}"
            );
            assert!(!index.cast_segment(by_origin.origin, Vec3::ZERO, ALL));
            assert!(!index.cast_segment(Vec3::ZERO, by_origin.origin, ALL));
        }
    }
    assert_eq!(
        index.cast_ray(
            &Ray {
                direction: Vec3::ZERO,
                ..good
            },
            100.0,
            ALL
        ),
        None
    );
    let on_a_face = Vec3::new(1.0, 3.0, 5.0);
    assert!(!index.cast_segment(on_a_face, on_a_face, ALL));
}

#[test]
fn very_long_and_very_far_rays_end() {
    let index = floors();
    let far = Ray {
        origin: Vec3::new(2.5, 1.0, 1.0e9),
        direction: Vec3::new(0.0, 0.0, -3.0e38),
    };
    assert!(index.cast_ray(&far, f32::INFINITY, ALL).is_some());
    let slow = Ray {
        origin: Vec3::new(2.5, 1.0, 6.0),
        direction: Vec3::new(0.0, 0.0, -1.0e-45),
    };
    assert!(
        index.cast_ray(&slow, f32::INFINITY, ALL).is_none(),
        "t is beyond f32"
    );
    let flat = Ray {
        origin: Vec3::new(-3.0e38, 1.0, 3.0),
        direction: Vec3::new(3.0e38, 1.0e-45, 0.0),
    };
    assert_eq!(index.cast_ray(&flat, f32::INFINITY, ALL), None);
}

#[test]
fn a_ray_in_the_plane_of_a_face_does_not_hit_it() {
    let index = index(&square(1.0), &SQUARE, &[0, 0]);
    for direction in [Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)] {
        assert_eq!(
            index.cast_ray(
                &Ray {
                    origin: Vec3::new(-1.0, -1.0, 1.0),
                    direction
                },
                100.0,
                ALL
            ),
            None
        );
    }
}
