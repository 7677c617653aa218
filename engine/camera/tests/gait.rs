//! The eye in a world that has a way of walking of its own.

use ironlands_sim::world::{Gait, WalkInput, Walker};

use super::*;

const GAIT: Gait = Gait {
    speed: 100.0,
    speeds: [10.0, 300.0],
    eye_height: 64.0,
};

/// Level ground at 0 on which characters reach the wished speed at once, and fall a unit a step.
struct Game;

impl Surroundings for Game {
    fn ground_below(&self, _: Vec3) -> Option<f32> {
        panic!("this world has a walk of its own")
    }

    fn slide(&self, _: Vec3, _: Vec3, _: f32, _: Vec3) -> Vec3 {
        panic!("this world has a walk of its own")
    }

    fn walk(&self, walker: &mut Walker, wish: &WalkInput, step_secs: f32) -> bool {
        walker.velocity = (wish.view * wish.ahead + wish.right * wish.aside) * wish.speed;
        walker.feet += walker.velocity * step_secs;
        walker.feet.z = (walker.feet.z - 1.0).max(0.0);
        walker.on_ground = walker.feet.z == 0.0;
        walker.crouched = wish.crouch;
        walker.eye_height = if wish.crouch { 28.0 } else { GAIT.eye_height };
        true
    }

    fn gait(&self) -> Option<Gait> {
        Some(GAIT)
    }
}

fn rig(z: f32) -> Rig {
    let pose = Pose::new(Vec3::new(0.0, 0.0, z), 0.0, 0.0);
    Rig::new(pose, Mode::Walk, 40.0).with_gait(Some(GAIT))
}

#[test]
fn the_world_walks_at_its_own_speed() {
    let mut rig = rig(64.0);
    assert_eq!(rig.speed(), 100.0);
    walk_for(&mut rig, &FORWARD, 2, &Game);
    let eye = rig.pose().position;
    assert!(eye.abs_diff_eq(Vec3::new(200.0, 0.0, 64.0), 1.0), "{eye}");
    rig.change_speed(1e6);
    assert_eq!(rig.speed(), 300.0);
    rig.change_speed(-1e6);
    assert_eq!(rig.speed(), 10.0);
}

#[test]
fn two_keys_at_once_are_not_faster_than_one() {
    let both = Controls {
        right: 1.0,
        ..FORWARD
    };
    let mut rig = rig(64.0);
    walk_for(&mut rig, &both, 1, &Game);
    let way = rig.pose().position.truncate().length();
    assert!((way - 100.0).abs() < 1.0, "{way}");
}

#[test]
fn down_ducks_and_a_jump_elsewhere_stands_up_again() {
    let down = Controls {
        up: -1.0,
        ..Controls::default()
    };
    let mut rig = rig(64.0);
    walk_for(&mut rig, &down, 1, &Game);
    assert_eq!(rig.pose().position.z, 28.0);
    let elsewhere = Pose::new(Vec3::new(50.0, 50.0, 64.0), 0.0, 0.0);
    rig.jump_to(elsewhere);
    walk_for(&mut rig, &Controls::default(), 1, &Game);
    assert_eq!(rig.pose(), elsewhere);
}

#[test]
fn who_stands_has_fallen_to_the_ground() {
    let high = Pose::new(Vec3::new(3.0, 4.0, 200.0), 0.5, 0.1);
    let stood = standing(high, &Game);
    assert_eq!(stood.position, Vec3::new(3.0, 4.0, 64.0));
    assert_eq!((stood.yaw_rad, stood.pitch_rad), (0.5, 0.1));
}
