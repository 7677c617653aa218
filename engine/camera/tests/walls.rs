//! The eye between walls.

use ironlands_sim::MaskFilter;
use ironlands_sim::triangles::{Face, TriangleIndex};

use super::*;

/// How near walls let the middle of a body: its radius and a hundredth of that.
const NEAREST: f32 = 0.303;

/// Ground and walls of triangles, all of which hold.
struct Walls(TriangleIndex);

impl Walls {
    /// Four corners each, around.
    fn new(quads: &[[[f32; 3]; 4]]) -> Self {
        let faces = (0..quads.len() as u32).flat_map(|quad| {
            [[0, 1, 2], [0, 2, 3]].map(|corners| {
                Some(Face {
                    corners: corners.map(|corner| 4 * quad + corner),
                    mask: 0,
                    material: 0,
                })
            })
        });
        let index = TriangleIndex::new(quads.as_flattened(), &faces.collect::<Vec<_>>());
        Self(index.expect("no corner but those of its quad"))
    }
}

impl Surroundings for Walls {
    fn ground_below(&self, Vec3 { x, y, z }: Vec3) -> Option<f32> {
        let below = self.0.height_at_or_below(x, y, z, MaskFilter::ALL);
        let hit = below.or_else(|| self.0.height_at_or_above(x, y, z, MaskFilter::ALL));
        hit.map(|hit| hit.z)
    }

    fn slide(&self, a: Vec3, b: Vec3, radius: f32, motion: Vec3) -> Vec3 {
        let end = self.0.slide_capsule(a, b, radius, motion, MaskFilter::ALL);
        end.position - a
    }
}

/// A level square piece of ground from `-100` to 100 in y.
fn ground(x: [f32; 2], z: f32) -> [[f32; 3]; 4] {
    let [from, to] = x;
    [
        [from, -100.0, z],
        [to, -100.0, z],
        [to, 100.0, z],
        [from, 100.0, z],
    ]
}

/// A wall across x, from `-100` to 100 in y, as thin as a face.
fn wall(x: f32, z: [f32; 2]) -> [[f32; 3]; 4] {
    let [from, to] = z;
    [
        [x, -100.0, from],
        [x, 100.0, from],
        [x, 100.0, to],
        [x, -100.0, to],
    ]
}

/// A wall on level ground at 0.
fn walled() -> Walls {
    Walls::new(&[ground([-100.0, 100.0], 0.0), wall(5.0, [0.0, 4.0])])
}

#[test]
fn a_wall_stops_who_walks_into_it() {
    let mut rig = walker(0.0, 0.0, 0.0, 0.0);
    walk_for(&mut rig, &FORWARD, 5, &walled());
    let eye = rig.pose().position;
    let at_the_wall = Vec3::new(5.0 - NEAREST, 0.0, EYE_HEIGHT);
    assert!(eye.abs_diff_eq(at_the_wall, 1e-3), "{eye}");
}

#[test]
fn who_walks_slantwise_into_a_wall_goes_on_along_it() {
    let mut rig = walker(0.0, 0.0, 0.0, 0.6);
    walk_for(&mut rig, &FORWARD, 5, &walled());
    let eye = rig.pose().position;
    assert!((eye.x - (5.0 - NEAREST)).abs() < 1e-2, "{eye}");
    // Five seconds at 6 a second, less what it takes to get going.
    assert!(eye.y > 0.95 * 30.0 * 0.6_f32.sin(), "{eye}");
}

#[test]
fn no_speed_leads_through_a_wall() {
    let fast = Controls {
        fast: true,
        ..FORWARD
    };
    for yaw_rad in [0.0, 0.4, -1.2] {
        let mut rig = walker(0.0, 0.0, 0.0, yaw_rad);
        rig.change_speed(1e6);
        walk_for(&mut rig, &fast, 1, &walled());
        let eye = rig.pose().position;
        assert!((4.0..5.0).contains(&eye.x), "{yaw_rad}: {eye}");
    }
}

#[test]
fn a_corner_of_two_walls_holds() {
    let mut quads = vec![ground([-100.0, 100.0], 0.0), wall(5.0, [0.0, 4.0])];
    quads.push(wall(5.0, [0.0, 4.0]).map(|[x, y, z]| [y, x, z]));
    let mut rig = walker(0.0, 0.0, 0.0, 0.7);
    walk_for(&mut rig, &FORWARD, 5, &Walls::new(&quads));
    let eye = rig.pose().position;
    let corner = Vec3::new(5.0 - NEAREST, 5.0 - NEAREST, EYE_HEIGHT);
    assert!(eye.abs_diff_eq(corner, 1e-2), "{eye}");
}

#[test]
fn a_ledge_is_climbed_and_a_higher_one_is_not() {
    for (height, is_climbed) in [(0.55, true), (0.8, false)] {
        let ledge = Walls::new(&[
            ground([-100.0, 5.0], 0.0),
            wall(5.0, [0.0, height]),
            ground([5.0, 100.0], height),
        ]);
        let mut rig = walker(0.0, 0.0, 0.0, 0.0);
        walk_for(&mut rig, &FORWARD, 3, &ledge);
        let eye = rig.pose().position;
        assert_eq!(eye.x > 10.0, is_climbed, "{height}: {eye}");
        assert_eq!(eye.z - EYE_HEIGHT > 0.5, is_climbed, "{height}: {eye}");
    }
}

#[test]
fn the_steepest_slope_is_no_wall_at_any_speed() {
    let rise = 1.15; // 49 degrees
    let hill = Walls::new(&[
        ground([-100.0, 0.0], 0.0),
        [
            [0.0, -100.0, 0.0],
            [60.0, -100.0, 60.0 * rise],
            [60.0, 100.0, 60.0 * rise],
            [0.0, 100.0, 0.0],
        ],
    ]);
    let fast = Controls {
        fast: true,
        ..FORWARD
    };
    let mut rig = walker(-1.0, 0.0, 0.0, 0.0);
    rig.change_speed(1e6);
    // 200 a second for a quarter of one.
    walk_for_frames(&mut rig, &fast, 15, &hill);
    let eye = rig.pose().position;
    assert!(eye.x > 30.0, "{eye}");
}

#[test]
fn a_low_bar_is_passed_over_and_one_at_the_chest_is_not() {
    for (bar, is_passed) in [([0.2, 0.6], true), ([1.0, 1.4], false), ([2.2, 3.0], true)] {
        let bars = Walls::new(&[ground([-100.0, 100.0], 0.0), wall(5.0, bar)]);
        let mut rig = walker(0.0, 0.0, 0.0, 0.0);
        walk_for(&mut rig, &FORWARD, 3, &bars);
        let eye = rig.pose().position;
        assert_eq!(eye.x > 10.0, is_passed, "{bar:?}: {eye}");
    }
}

#[test]
fn who_stands_in_a_wall_stays_until_walking_and_then_comes_out_at_a_walk() {
    let walls = walled();
    let mut rig = walker(4.9, 0.0, 0.0, FRAC_PI_2);
    walk_for(&mut rig, &Controls::default(), 1, &walls);
    assert!((rig.pose().position.x - 4.9).abs() < 1e-5);
    let mut before = rig.pose().position;
    for _ in 0..120 {
        rig.advance(STEP, &FORWARD, &walls);
        let eye = rig.pose().position;
        assert!(
            eye.distance(before) < 1.01 * 6.0 / 120.0,
            "{before} to {eye}"
        );
        before = eye;
    }
    // What it came out with is left over for a moment, and leads on.
    assert!((4.5..5.0 - NEAREST).contains(&before.x), "{before}");
    assert!(before.y > 4.0, "{before}");
}
