//! Either way of moving the camera: freely through a level, or around a model.

use std::time::Duration;

use glam::Vec2;

use super::{Controls, Orbit, Pose, Rig, Surroundings};

/// What moves the camera.
#[derive(Debug, Clone)]
pub struct Eye {
    home: Pose,
    rig: Rig,
    /// Only a model has one.
    orbit: Option<Orbit>,
    is_orbiting: bool,
}

impl Eye {
    /// Through a level; `home` is where [`go_home`](Self::go_home) goes.
    pub fn in_level(home: Pose, rig: Rig) -> Self {
        Self {
            home,
            rig,
            orbit: None,
            is_orbiting: false,
        }
    }

    /// Around a model; `rig` flies where it is not turned around.
    pub fn around_model(orbit: Orbit, rig: Rig) -> Self {
        Self {
            home: orbit.pose(),
            rig,
            orbit: Some(orbit),
            is_orbiting: true,
        }
    }

    /// What it turns around with now, if it does.
    pub fn orbit(&self) -> Option<&Orbit> {
        self.orbit.as_ref().filter(|_| self.is_orbiting)
    }

    /// What it flies or walks with when it does not turn around a model.
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// Where to draw from.
    pub fn pose(&self) -> Pose {
        self.orbit().map_or_else(|| self.rig.pose(), Orbit::pose)
    }

    /// In a level flying or walking, with a model turning around it or flying. The picture stays as it is.
    pub fn toggle_mode(&mut self) {
        let pose = self.pose();
        let Some(orbit) = &mut self.orbit else {
            return self.rig.toggle_mode();
        };
        if self.is_orbiting {
            self.rig.jump_to(pose);
        } else {
            orbit.look_from(&pose);
        }
        self.is_orbiting = !self.is_orbiting;
    }

    /// Flies from now on, from a place of the caller's.
    pub fn fly_from(&mut self, pose: Pose) {
        self.is_orbiting = false;
        self.rig.jump_to(pose);
    }

    /// Goes back to the start.
    pub fn go_home(&mut self) {
        match self.turning() {
            Some(orbit) => orbit.go_home(),
            None => self.rig.jump_to(self.home),
        }
    }

    /// Looks from somewhere else.
    pub fn jump_to(&mut self, pose: Pose) {
        match self.turning() {
            Some(orbit) => orbit.look_from(&pose),
            None => self.rig.jump_to(pose),
        }
    }

    /// Takes notches of the wheel: nearer, or faster.
    pub fn roll(&mut self, notches: f32) {
        match self.turning() {
            Some(orbit) => orbit.zoom(notches),
            None => self.rig.change_speed(notches),
        }
    }

    /// Turns the view by mouse movement in counts, while it flies or walks.
    pub fn look(&mut self, right: f32, down: f32) {
        if !self.is_orbiting {
            self.rig.look(right, down);
        }
    }

    /// Turns what it turns around by a drag in pixels.
    pub fn turn(&mut self, drag: Vec2) {
        if let Some(orbit) = self.turning() {
            orbit.turn(drag);
        }
    }

    /// Moves what it turns around across a picture of `width` pixels by a drag in pixels.
    pub fn pan(&mut self, drag: Vec2, width: u32) {
        if let Some(orbit) = self.turning() {
            orbit.pan(drag, width);
        }
    }

    /// Lets time pass.
    pub fn advance(
        &mut self,
        elapsed: Duration,
        controls: &Controls,
        surroundings: &dyn Surroundings,
    ) {
        match self.turning() {
            Some(orbit) => orbit.advance(elapsed, controls),
            None => self.rig.advance(elapsed, controls, surroundings),
        }
    }

    fn turning(&mut self) -> Option<&mut Orbit> {
        self.orbit.as_mut().filter(|_| self.is_orbiting)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::Mode;
    use super::*;

    fn around_model() -> Eye {
        let orbit = Orbit::around(Vec3::new(5.0, 0.0, 1.0), 2.0, 1.3, [640, 360], 0.0);
        let rig = Rig::new(orbit.pose(), Mode::Fly, 2.0);
        Eye::around_model(orbit, rig)
    }

    #[test]
    fn changing_between_turning_and_flying_leaves_the_picture_as_it_is() {
        let mut eye = around_model();
        eye.turn(Vec2::new(50.0, 20.0));
        for is_orbiting in [false, true] {
            let before = eye.pose();
            eye.toggle_mode();
            assert_eq!(eye.orbit().is_some(), is_orbiting);
            let after = eye.pose();
            assert!(after.position.abs_diff_eq(before.position, 1e-4));
            assert!(after.forward().abs_diff_eq(before.forward(), 1e-5));
            eye.look(30.0, 10.0);
        }
    }

    #[test]
    fn home_is_the_start_both_ways() {
        let start = around_model().pose();
        for is_flying in [false, true] {
            let mut eye = around_model();
            eye.turn(Vec2::new(50.0, 20.0));
            if is_flying {
                eye.toggle_mode();
            }
            eye.jump_to(Pose::new(Vec3::ZERO, 1.0, 0.0));
            eye.go_home();
            assert!(eye.pose().position.abs_diff_eq(start.position, 1e-4));
        }
    }

    #[test]
    fn a_level_is_flown_or_walked() {
        let pose = Pose::new(Vec3::ZERO, 0.0, 0.0);
        let mut eye = Eye::in_level(pose, Rig::new(pose, Mode::Fly, 10.0));
        eye.turn(Vec2::new(50.0, 20.0));
        eye.pan(Vec2::new(50.0, 20.0), 640);
        assert_eq!(eye.pose(), pose);
        eye.toggle_mode();
        assert_eq!((eye.rig().mode(), eye.orbit()), (Mode::Walk, None));
        eye.roll(1.0);
        assert!(eye.rig().speed() > 6.0);
    }
}
