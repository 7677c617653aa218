//! The eye in the air and on made-up ground.

use std::f32::consts::FRAC_PI_2;

use super::*;

mod gait;
mod walls;

const START: Pose = Pose {
    position: Vec3::new(10.0, 20.0, 30.0),
    yaw_rad: 0.3,
    pitch_rad: -0.2,
};

fn no_ground(_: Vec3) -> Option<f32> {
    None
}

/// Lets `secs` pass in frames of equal length.
fn fly_for(rig: &mut Rig, controls: &Controls, secs: u64, frames_per_sec: u64) {
    for frame in 0..secs * frames_per_sec {
        // Frame ends in whole nanoseconds from the start, so that rounding does not add up.
        let end = |frame: u64| Duration::from_nanos(frame * 1_000_000_000 / frames_per_sec);
        rig.advance(end(frame + 1) - end(frame), controls, &no_ground);
    }
}

fn walk_for(rig: &mut Rig, controls: &Controls, secs: u64, surroundings: &dyn Surroundings) {
    walk_for_frames(rig, controls, secs * 60, surroundings);
}

/// Frames of a sixtieth of a second.
fn walk_for_frames(rig: &mut Rig, controls: &Controls, n: u64, surroundings: &dyn Surroundings) {
    for _ in 0..n {
        rig.advance(
            Duration::from_nanos(1_000_000_000 / 60),
            controls,
            surroundings,
        );
    }
}

/// Ground without walls.
impl<Ground: Fn(Vec3) -> Option<f32>> Surroundings for Ground {
    fn ground_below(&self, at: Vec3) -> Option<f32> {
        self(at)
    }

    fn slide(&self, _: Vec3, _: Vec3, _: f32, motion: Vec3) -> Vec3 {
        motion
    }
}

/// Ground as a height field.
fn field(height: impl Fn(f32, f32) -> Option<f32>) -> impl Fn(Vec3) -> Option<f32> {
    move |point| height(point.x, point.y)
}

fn walker(x: f32, y: f32, ground: f32, yaw_rad: f32) -> Rig {
    let position = Vec3::new(x, y, ground + EYE_HEIGHT);
    Rig::new(Pose::new(position, yaw_rad, 0.0), Mode::Walk, 40.0)
}

const FORWARD: Controls = Controls {
    forward: 1.0,
    right: 0.0,
    up: 0.0,
    turn_left: 0.0,
    turn_up: 0.0,
    fast: false,
};

#[test]
fn yaw_turns_from_x_to_y_and_pitch_lifts() {
    let along = |yaw, pitch| Pose::new(Vec3::ZERO, yaw, pitch);
    assert!(along(0.0, 0.0).forward().abs_diff_eq(Vec3::X, 1e-6));
    assert!(along(FRAC_PI_2, 0.0).forward().abs_diff_eq(Vec3::Y, 1e-6));
    assert!(along(0.0, 0.5).forward().z > 0.4);
    assert!(along(0.0, 0.7).right().abs_diff_eq(Vec3::NEG_Y, 1e-6));
}

#[test]
fn frame_rate_does_not_change_the_path() {
    let controls = Controls {
        right: 0.5,
        turn_left: 0.7,
        turn_up: 0.1,
        fast: true,
        ..FORWARD
    };
    let end_at = |frames_per_sec| {
        let mut rig = Rig::new(START, Mode::Fly, 40.0);
        fly_for(&mut rig, &controls, 5, frames_per_sec);
        rig.pose
    };
    let at_30 = end_at(30);
    assert!(at_30.position.distance(START.position) > 50.0, "it flew");
    assert_eq!(at_30, end_at(144));
    assert_eq!(at_30, end_at(1000));
}

#[test]
fn drawing_between_steps_moves_evenly() {
    let mut rig = Rig::new(START, Mode::Fly, 40.0);
    fly_for(&mut rig, &FORWARD, 2, 500);
    let mut last = rig.pose().position;
    for _ in 0..500 {
        rig.advance(Duration::from_millis(2), &FORWARD, &no_ground);
        let moved = rig.pose().position.distance(last);
        assert!(
            (moved - 0.08).abs() < 0.002,
            "moved {moved} in 2 ms at 40 a second"
        );
        last = rig.pose().position;
    }
}

#[test]
fn full_speed_is_the_speed_and_two_keys_are_not_faster() {
    let mut rig = Rig::new(START, Mode::Fly, 40.0);
    let both = Controls {
        right: 1.0,
        ..FORWARD
    };
    fly_for(&mut rig, &both, 1, 60);
    let from = rig.pose().position;
    fly_for(&mut rig, &both, 1, 60);
    let moved = rig.pose().position.distance(from);
    assert!((moved - 40.0).abs() < 0.1, "moved {moved}");
}

#[test]
fn it_comes_to_rest_when_keys_are_released() {
    let mut rig = Rig::new(START, Mode::Fly, 40.0);
    fly_for(&mut rig, &FORWARD, 1, 60);
    fly_for(&mut rig, &Controls::default(), 1, 60);
    let at_rest = rig.pose().position;
    fly_for(&mut rig, &Controls::default(), 1, 60);
    assert!(rig.pose().position.distance(at_rest) < 1e-3);
}

#[test]
fn a_long_pause_moves_no_further_than_a_short_one() {
    let mut paused = Rig::new(START, Mode::Fly, 40.0);
    paused.advance(Duration::from_secs(3600), &FORWARD, &no_ground);
    let mut short = Rig::new(START, Mode::Fly, 40.0);
    short.advance(LONGEST_ADVANCE, &FORWARD, &no_ground);
    assert_eq!(paused.pose(), short.pose());
    assert!(paused.pose().position.distance(START.position) <= 40.0 * 0.25);
}

#[test]
fn pitch_stops_before_straight_up_and_down() {
    let mut rig = Rig::new(START, Mode::Fly, 40.0);
    rig.look(0.0, -1.0e9);
    assert_eq!(rig.pose().pitch_rad, PITCH_LIMIT_RAD);
    rig.look(0.0, 1.0e9);
    assert_eq!(rig.pose().pitch_rad, -PITCH_LIMIT_RAD);
}

#[test]
fn yaw_stays_in_one_turn_and_mouse_to_the_right_turns_right() {
    let mut rig = Rig::new(Pose::new(Vec3::ZERO, 0.0, 0.0), Mode::Fly, 40.0);
    rig.look(100.0, 0.0);
    assert!(rig.pose().yaw_rad < 0.0);
    for _ in 0..100 {
        rig.look(1234.5, 0.0);
        assert!((-PI..=PI).contains(&rig.pose().yaw_rad));
    }
}

#[test]
fn the_wheel_changes_the_speed_of_its_mode_within_bounds() {
    let mut rig = Rig::new(START, Mode::Fly, 40.0);
    rig.change_speed(1.0);
    assert!((rig.speed() - 48.0).abs() < 1e-3);
    rig.change_speed(1.0e6);
    assert_eq!(rig.speed(), FLY_SPEEDS[1]);
    rig.toggle_mode();
    assert_eq!(rig.speed(), walk::DEFAULT_SPEED);
    rig.change_speed(-1.0e6);
    assert_eq!(rig.speed(), WALK_SPEEDS[0]);
    rig.toggle_mode();
    assert_eq!(rig.speed(), FLY_SPEEDS[1]);
}

#[test]
fn a_walker_keeps_its_eye_above_rolling_ground() {
    let hills = |x: f32, y: f32| 5.0 * (x * 0.1).sin() + 3.0 * (y * 0.07).cos();
    let ground = field(|x, y| Some(hills(x, y)));
    let mut rig = walker(0.0, 0.0, hills(0.0, 0.0), 0.4);
    for _ in 0..20 {
        walk_for(&mut rig, &FORWARD, 1, &ground);
        let eye = rig.pose().position;
        let above = eye.z - hills(eye.x, eye.y);
        assert!((above - EYE_HEIGHT).abs() < 0.5, "{above} above the ground");
    }
    assert!(rig.pose().position.x > 50.0, "it went on");
}

#[test]
fn a_walker_glides_down_to_the_ground_and_comes_up_from_under_it() {
    let ground = field(|_, _| Some(7.0));
    for start_z in [300.0, -40.0] {
        let mut rig = Rig::new(
            Pose::new(Vec3::new(0.0, 0.0, start_z), 0.0, 0.0),
            Mode::Walk,
            40.0,
        );
        walk_for(&mut rig, &Controls::default(), 2, &ground);
        let z = rig.pose().position.z;
        assert!(
            (z - (7.0 + EYE_HEIGHT)).abs() < 1e-2,
            "from {start_z} to {z}"
        );
    }
}

#[test]
fn a_walker_goes_up_a_slope_of_45_degrees_and_not_of_60() {
    let climbed = |rise: f32| {
        let ground = field(move |x, _| Some(x.max(0.0) * rise));
        let mut rig = walker(-3.0, 0.0, 0.0, 0.0);
        walk_for(&mut rig, &FORWARD, 4, &ground);
        rig.pose().position.z - EYE_HEIGHT
    };
    assert!(climbed(1.0) > 10.0);
    assert!(climbed(3.0_f32.sqrt()) < 0.7, "{}", climbed(3.0_f32.sqrt()));
}

#[test]
fn a_walker_slides_along_a_wall() {
    let ground = field(|x, _| Some(if x > 5.0 { 20.0 } else { 0.0 }));
    let mut rig = walker(0.0, 0.0, 0.0, 0.6);
    walk_for(&mut rig, &FORWARD, 5, &ground);
    let eye = rig.pose().position;
    assert!(eye.x < 5.0, "did not pass the wall: {eye}");
    assert!(eye.y > 10.0, "went along it: {eye}");
    assert!((eye.z - EYE_HEIGHT).abs() < 1e-3);
}

#[test]
fn a_walker_steps_over_a_ledge_and_drops_from_a_cliff() {
    let ground = field(|x, _| {
        Some(match x {
            x if x < 4.0 => 10.0,
            x if x < 8.0 => 10.4,
            _ => 0.0,
        })
    });
    let mut rig = walker(0.0, 0.0, 10.0, 0.0);
    walk_for(&mut rig, &FORWARD, 1, &ground);
    assert!((rig.pose().position.z - (10.4 + EYE_HEIGHT)).abs() < 0.1);
    walk_for(&mut rig, &FORWARD, 2, &ground);
    assert!((rig.pose().position.z - EYE_HEIGHT).abs() < 0.1);
}

#[test]
fn a_walker_stays_on_the_level() {
    let ground = field(|x, y| (x.abs() < 10.0 && y.abs() < 10.0).then_some(2.0));
    let mut rig = walker(0.0, 0.0, 2.0, 0.5);
    walk_for(&mut rig, &FORWARD, 10, &ground);
    let eye = rig.pose().position;
    assert!(eye.x < 10.0 && eye.y < 10.0, "{eye}");
    assert!(eye.x > 9.0 && eye.y > 9.0, "it went to the corner: {eye}");
}

#[test]
fn a_walker_outside_the_level_can_walk_back() {
    let ground = field(|x, _| (x > 0.0).then_some(0.0));
    let mut rig = Rig::new(
        Pose::new(Vec3::new(-5.0, 0.0, 3.0), 0.0, 0.0),
        Mode::Walk,
        40.0,
    );
    walk_for(&mut rig, &FORWARD, 4, &ground);
    let eye = rig.pose().position;
    assert!(eye.x > 5.0 && (eye.z - EYE_HEIGHT).abs() < 0.1, "{eye}");
}
