//! A model that turns in a part of the window.
//!
//! The window draws it as any other, and the panels cover what is around: the camera is moved so that the model's middle
//! is in that of the place that is left.

use std::time::Duration;

use egui::Rect;
use glam::Vec2;

use crate::camera::{Eye, Pose};
use crate::playback::{FrameLoop, What};
use crate::poser::Poser;
use crate::renderer::FrameState;
use crate::scene::TileOptions;
use crate::view_options::ViewOptions;
use crate::window::opening::Loaded;

/// How fast it turns by itself, as if the mouse dragged it.
const PIXELS_PER_SEC: f32 = 40.0;

/// A model, its camera, and what it does.
pub struct TurningModel {
    loaded: Box<Loaded>,
    eye: Eye,
    options: ViewOptions,
    poser: Poser,
    state: FrameState,
    animations: Vec<String>,
    time_secs: f32,
    /// Whether it turns by itself: until it is turned by hand.
    turns: bool,
}

impl TurningModel {
    /// Seen from where a model is seen when it is opened.
    pub fn new(loaded: Box<Loaded>) -> Self {
        let sheet = loaded.level.model.as_ref();
        let animations = sheet.map_or(&[][..], |sheet| &sheet.animations);
        Self {
            animations: animations.iter().map(|it| it.name.clone()).collect(),
            eye: loaded.flight.start.clone(),
            options: loaded.flight.options.clone(),
            poser: Poser::default(),
            state: FrameState::default(),
            time_secs: 0.0,
            turns: true,
            loaded,
        }
    }

    /// The names of its animations.
    pub fn animations(&self) -> &[String] {
        &self.animations
    }

    /// The animation that plays.
    pub fn animation(&self) -> Option<usize> {
        match &self.options.models.playback.what {
            What::Figure(play) => play.animation,
            What::Level(_) | What::Model(_) => None,
        }
    }

    /// Plays another animation.
    pub fn animate(&mut self, animation: Option<usize>) {
        let sheet = self.loaded.level.model.as_ref();
        let last = sheet.map_or(0.0, |sheet| sheet.last_frame(animation));
        if let What::Figure(play) = &mut self.options.models.playback.what {
            play.animation = animation;
            play.frames = FrameLoop::new(last);
        }
    }

    /// Lets time pass.
    pub fn advance(&mut self, elapsed: Duration) {
        let secs = elapsed.as_secs_f32();
        self.time_secs += secs;
        self.options.let_pass(elapsed.as_secs_f64());
        if self.turns {
            self.eye.turn(Vec2::new(PIXELS_PER_SEC * secs, 0.0));
        }
    }

    /// Turns it by hand.
    pub fn turn(&mut self, pixels: Vec2) {
        self.turns = false;
        self.eye.turn(pixels);
    }

    pub fn go_nearer(&mut self, notches: f32) {
        self.eye.roll(notches);
    }

    /// What is to be drawn.
    pub fn frame(&self) -> (&FrameState, TileOptions) {
        (&self.state, self.options.tile_options())
    }

    /// Sets up the next frame, in which the model is seen in a part of the window.
    pub fn place(&mut self, hole: Option<Rect>, window: egui::Vec2) {
        let pose = match (hole, self.eye.orbit()) {
            (Some(hole), Some(orbit)) => {
                let fov_rad = self.options.fov_rad;
                seen_in(hole, window, orbit.pose(), orbit.distance(), fov_rad)
            }
            _ => self.eye.pose(),
        };
        let Loaded { level, flight } = &*self.loaded;
        flight.show_in(&mut self.state, &pose, &self.options, self.time_secs);
        let clock = self.options.model_clock();
        self.poser.pose(level, clock, &mut self.state);
    }
}

/// A pose from which what lies before another one fills a part of the window as it would fill the whole.
fn seen_in(hole: Rect, window: egui::Vec2, pose: Pose, distance: f32, fov_rad: f32) -> Pose {
    let target = pose.position + pose.forward() * distance;
    // What fits the smaller side of the window is to fit that of the hole.
    let share = hole.size().min_elem() / window.min_elem().max(1.0);
    let distance = distance / share.max(0.05);
    let half_width = distance * (fov_rad * 0.5).tan();
    let points_per_unit = window.x * 0.5 / half_width;
    let shift = (hole.center() - (window * 0.5).to_pos2()) / points_per_unit.max(f32::MIN_POSITIVE);
    let up = pose.right().cross(pose.forward());
    Pose {
        position: target - pose.forward() * distance - pose.right() * shift.x + up * shift.y,
        ..pose
    }
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};
    use glam::Vec3;

    use super::*;

    /// Where a point is in the window, in logical points.
    fn seen_at(point: Vec3, pose: &Pose, window: egui::Vec2, fov_rad: f32) -> egui::Pos2 {
        let offset = point - pose.position;
        let up = pose.right().cross(pose.forward());
        let scale = window.x * 0.5 / (fov_rad * 0.5).tan() / offset.dot(pose.forward());
        let at = vec2(offset.dot(pose.right()), -offset.dot(up)) * scale;
        (window * 0.5 + at).to_pos2()
    }

    #[test]
    fn the_middle_of_the_model_is_in_the_middle_of_the_hole() {
        let (window, fov_rad) = (vec2(1280.0, 720.0), 1.3);
        let pose = Pose::new(Vec3::new(3.0, -2.0, 5.0), 0.7, -0.3);
        let target = pose.position + pose.forward() * 10.0;
        let hole = Rect::from_min_max(pos2(300.0, 60.0), pos2(900.0, 660.0));
        let found = seen_in(hole, window, pose, 10.0, fov_rad);
        let at = seen_at(target, &found, window, fov_rad);
        assert!((at - hole.center()).length() < 0.01, "{at:?}");
        // As high as the model is in the window, it is in the hole, by the share of their heights.
        let above = target + pose.right().cross(pose.forward());
        let height = |pose: &Pose| {
            let [a, b] = [target, above].map(|it| seen_at(it, pose, window, fov_rad));
            (a - b).length()
        };
        let share = height(&found) / height(&pose);
        assert!((share - 600.0 / 720.0).abs() < 1e-3, "{share}");
    }
}
