//! Turning around one thing to look at it from all sides.

use std::time::Duration;

use glam::{Vec2, Vec3};

use super::{Controls, Pose, TURN_RAD_PER_SEC};

/// Where the eye begins, seen from above: right of the front of what faces +X, ...
const START_YAW_RAD: f32 = 2.58;
/// ... and a little above it.
const START_PITCH_RAD: f32 = -0.33;
/// The start leaves this much air around the thing.
const START_AIR: f32 = 1.1;
/// Radians per pixel of a drag: 400 pixels turn half around.
const TURN_RAD_PER_PIXEL: f32 = 0.008;
/// One notch of the wheel divides the distance by this.
const ZOOM_PER_NOTCH: f32 = 1.15;
/// Factor of the distance in a second of the keys that go forward and back.
const ZOOM_PER_SEC: f32 = 3.0;
/// Distances that can be reached, in radii of the thing.
const DISTANCES: [f32; 2] = [0.05, 60.0];
/// Things smaller than this are looked at as if they were so large, in units: a flat model has no radius.
const LEAST_RADIUS: f32 = 0.01;

/// An eye that looks at a point from a distance.
#[derive(Debug, Clone, PartialEq)]
pub struct Orbit {
    view: View,
    home: View,
    radius: f32,
    horizontal_fov_rad: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct View {
    target: Vec3,
    distance: f32,
    yaw_rad: f32,
    pitch_rad: f32,
}

impl Orbit {
    /// An eye that sees a ball as large as a picture of `size` pixels has room for, from before its front turned
    /// by `turn_rad`, from +X toward +Y.
    pub fn around(
        center: Vec3,
        radius: f32,
        horizontal_fov_rad: f32,
        size: [u32; 2],
        turn_rad: f32,
    ) -> Self {
        let radius = radius.max(LEAST_RADIUS);
        let [width, height] = size.map(|side| side as f32);
        let half_width = (horizontal_fov_rad * 0.5).tan();
        let half_angle_rad = (half_width * (height / width).min(1.0)).atan();
        let home = View {
            target: center,
            distance: radius / half_angle_rad.sin() * START_AIR,
            yaw_rad: START_YAW_RAD + turn_rad,
            pitch_rad: START_PITCH_RAD,
        };
        Self {
            view: home,
            home,
            radius,
            horizontal_fov_rad,
        }
    }

    /// What is looked at.
    pub fn target(&self) -> Vec3 {
        self.view.target
    }

    /// How far away it is.
    pub fn distance(&self) -> f32 {
        self.view.distance
    }

    /// Where to draw from.
    pub fn pose(&self) -> Pose {
        let View {
            target,
            distance,
            yaw_rad,
            pitch_rad,
        } = self.view;
        let at_target = Pose::new(target, yaw_rad, pitch_rad);
        Pose {
            position: target - at_target.forward() * distance,
            ..at_target
        }
    }

    /// Turns the thing by a drag in pixels, right and down positive: its near side follows the pointer.
    pub fn turn(&mut self, drag: Vec2) {
        let turn = -drag * TURN_RAD_PER_PIXEL;
        self.turn_eye(turn.x, turn.y);
    }

    /// Moves the thing across a picture of `width` pixels by a drag in pixels, right and down positive: it stays
    /// below the pointer.
    pub fn pan(&mut self, drag: Vec2, width: u32) {
        let pose = self.pose();
        let seen_width = 2.0 * (self.horizontal_fov_rad * 0.5).tan() * self.view.distance;
        let moved = drag * seen_width / width.max(1) as f32;
        let up = pose.right().cross(pose.forward());
        self.view.target += up * moved.y - pose.right() * moved.x;
    }

    /// Goes nearer by notches of the wheel, or farther if they are negative.
    pub fn zoom(&mut self, notches: f32) {
        self.change_distance(ZOOM_PER_NOTCH.powf(-notches));
    }

    /// Goes back to where it began.
    pub fn go_home(&mut self) {
        self.view = self.home;
    }

    /// Looks from a pose from now on, at what lies before it at the same distance as now.
    pub fn look_from(&mut self, pose: &Pose) {
        self.view = View {
            target: pose.position + pose.forward() * self.view.distance,
            yaw_rad: pose.yaw_rad,
            pitch_rad: pose.pitch_rad,
            ..self.view
        };
    }

    /// Lets time pass: turning keys turn the thing, forward and back change the distance.
    pub fn advance(&mut self, elapsed: Duration, controls: &Controls) {
        let secs = elapsed.as_secs_f32();
        let turn = TURN_RAD_PER_SEC * secs;
        self.turn_eye(controls.turn_left * turn, controls.turn_up * turn);
        self.change_distance(ZOOM_PER_SEC.powf(-controls.forward * secs));
    }

    fn turn_eye(&mut self, left_rad: f32, up_rad: f32) {
        let View {
            target,
            yaw_rad,
            pitch_rad,
            ..
        } = self.view;
        let turned = Pose::new(target, yaw_rad + left_rad, pitch_rad + up_rad);
        self.view.yaw_rad = turned.yaw_rad;
        self.view.pitch_rad = turned.pitch_rad;
    }

    fn change_distance(&mut self, factor: f32) {
        let [nearest, farthest] = DISTANCES.map(|distance| distance * self.radius);
        self.view.distance = (self.view.distance * factor).clamp(nearest, farthest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [640, 360];

    fn orbit() -> Orbit {
        Orbit::around(Vec3::new(10.0, -4.0, 3.0), 2.0, 1.3, SIZE, 0.0)
    }

    /// Where a point is seen: across and up in lengths of the distance along the line of sight.
    fn seen(orbit: &Orbit, point: Vec3) -> Vec2 {
        let pose = orbit.pose();
        let ahead = point - pose.position;
        let up = pose.right().cross(pose.forward());
        Vec2::new(ahead.dot(pose.right()), ahead.dot(up)) / ahead.dot(pose.forward())
    }

    #[test]
    fn the_start_shows_the_whole_ball_from_before_its_front() {
        for size in [[640, 360], [300, 900]] {
            let orbit = Orbit::around(Vec3::ZERO, 2.0, 1.3, size, 0.0);
            let pose = orbit.pose();
            assert!(pose.position.x > 1.0, "the front is +X: {pose:?}");
            assert!(pose.position.z > 0.5, "from above: {pose:?}");
            // The tangent of the ball's outline against those of the picture's edges.
            let half_angle_rad = (2.0 / pose.position.length()).asin();
            let half_width = 0.65_f32.tan();
            let half_height = half_width * size[1] as f32 / size[0] as f32;
            let narrower = half_width.min(half_height);
            assert!(half_angle_rad.tan() < narrower, "{size:?}");
            assert!(half_angle_rad.tan() > 0.8 * narrower, "{size:?}");
        }
    }

    #[test]
    fn a_turn_goes_around_from_x_to_y() {
        let turned = Orbit::around(Vec3::ZERO, 2.0, 1.3, SIZE, std::f32::consts::FRAC_PI_2);
        let straight = Orbit::around(Vec3::ZERO, 2.0, 1.3, SIZE, 0.0);
        let Vec3 { x, y, z } = straight.pose().position;
        let expected = Vec3::new(-y, x, z);
        assert!(turned.pose().position.abs_diff_eq(expected, 1e-4));
    }

    #[test]
    fn turning_keeps_the_middle_and_the_distance() {
        let mut orbit = orbit();
        orbit.turn(Vec2::new(123.0, 45.0));
        assert!(seen(&orbit, orbit.target()).length() < 1e-5);
        let away = orbit.pose().position.distance(orbit.target());
        assert!((away - orbit.distance()).abs() < 1e-4);
    }

    #[test]
    fn the_near_side_follows_the_pointer() {
        let mut orbit = orbit();
        let near_side = orbit.target() - orbit.pose().forward();
        orbit.turn(Vec2::new(10.0, 0.0));
        assert!(seen(&orbit, near_side).x > 0.001);
        let near_side = orbit.target() - orbit.pose().forward();
        orbit.turn(Vec2::new(0.0, 10.0));
        assert!(seen(&orbit, near_side).y < -0.001, "down");
    }

    #[test]
    fn what_is_dragged_across_stays_below_the_pointer() {
        let mut orbit = orbit();
        let point = orbit.target();
        orbit.pan(Vec2::new(64.0, 36.0), SIZE[0]);
        let half_width = 0.65_f32.tan();
        // 64 of 320 pixels from the middle to the edge; 36 of as large pixels downward.
        let expected = Vec2::new(0.2, -36.0 / 320.0) * half_width;
        assert!(seen(&orbit, point).distance(expected) < 1e-4);
    }

    #[test]
    fn the_wheel_goes_nearer_within_bounds_and_home_goes_back() {
        let mut orbit = orbit();
        let start = orbit.clone();
        orbit.zoom(1.0);
        assert!(orbit.distance() < start.distance());
        for (notches, radii) in [(1000.0, 0.05), (-1000.0, 60.0)] {
            orbit.zoom(notches);
            assert!((orbit.distance() - radii * 2.0).abs() < 1e-3);
        }
        orbit.turn(Vec2::ONE);
        orbit.go_home();
        assert_eq!(orbit, start);
    }

    #[test]
    fn straight_up_and_down_are_never_reached() {
        let mut orbit = orbit();
        for drag in [1e4, -1e4] {
            orbit.turn(Vec2::new(0.0, drag));
            assert!(orbit.pose().forward().truncate().length() > 0.01);
        }
    }

    #[test]
    fn looking_from_a_pose_leaves_the_picture_as_it_is() {
        let mut orbit = orbit();
        let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), 0.4, -0.2);
        orbit.look_from(&pose);
        let now = orbit.pose();
        assert!(now.position.abs_diff_eq(pose.position, 1e-4));
        assert_eq!((now.yaw_rad, now.pitch_rad), (pose.yaw_rad, pose.pitch_rad));
    }

    #[test]
    fn a_thing_without_size_can_be_looked_at() {
        let orbit = Orbit::around(Vec3::ZERO, 0.0, 1.3, SIZE, 0.0);
        assert!(orbit.distance() > 0.0);
    }
}
