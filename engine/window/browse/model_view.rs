//! The model that turns in the middle of the browser.
//!
//! The window draws it as any other, and the panels cover what is around: the camera is moved so that the model's middle
//! is in that of the place that is left.

use std::path::PathBuf;
use std::time::Duration;

use egui::Rect;
use glam::Vec2;

use crate::browser::Preview;
use crate::camera::{Eye, Pose};
use crate::error::AppError;
use crate::playback::{FrameLoop, What};
use crate::poser::Poser;
use crate::renderer::FrameState;
use crate::scene::TileOptions;
use crate::settings::Settings;
use crate::view_options::ViewOptions;
use crate::window::opening::{Loaded, Opened, Opening};
use crate::window::screen::Screen;
use crate::words::{line, marked, tr};

/// How fast it turns by itself, as if the mouse dragged it.
const PIXELS_PER_SEC: f32 = 40.0;

/// What is said until it is there.
const OPENING: &str = marked("Opening ...");

/// The model, if the file that is looked at is one.
pub struct ModelView {
    opening: Opening,
    /// What is shown, or is to be.
    path: Option<PathBuf>,
    shown: Option<Shown>,
    problem: Option<String>,
}

struct Shown {
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

impl ModelView {
    /// Nothing is shown yet; `opening` is how it will be opened.
    pub fn new(opening: Opening) -> Self {
        Self {
            opening,
            path: None,
            shown: None,
            problem: None,
        }
    }

    /// Opens the file that is looked at, if it is a model.
    pub fn follow(&mut self, preview: Option<&Preview>, settings: Settings) {
        let model = preview.filter(|preview| preview.is_model());
        let path = model.map(|preview| &preview.path);
        if path == self.path.as_ref() {
            return;
        }
        self.path = path.cloned();
        (self.shown, self.problem) = (None, None);
        self.opening.stop();
        if let Some(path) = path {
            self.opening.begin(path.clone(), settings, None);
        }
    }

    /// Takes what was opened to the device.
    ///
    /// # Errors
    /// The device has no room for it.
    pub fn update(&mut self, screen: &mut Screen) -> Result<(), AppError> {
        match self.opening.fetch() {
            None => {}
            Some(Ok(Opened::One(loaded))) if loaded.level.model_bounds.is_some() => {
                screen.show_level(&loaded.level)?;
                self.shown = Some(Shown::new(loaded));
            }
            Some(Ok(_)) => self.problem = Some(tr("It is no single model.")),
            Some(Err(refusal)) => self.problem = Some(line(&refusal.text)),
        }
        if self.shown.is_none() {
            screen.put_level(None);
        }
        Ok(())
    }

    pub fn is_opening(&self) -> bool {
        self.opening.progress().is_some()
    }

    pub fn is_shown(&self) -> bool {
        self.shown.is_some()
    }

    /// What is said in place of the model.
    pub fn note(&self) -> Option<&str> {
        match (&self.shown, &self.problem) {
            (Some(_), _) => None,
            (None, Some(problem)) => Some(problem),
            (None, None) => Some(OPENING),
        }
    }

    pub fn animations(&self) -> &[String] {
        self.shown.as_ref().map_or(&[], |shown| &shown.animations)
    }

    /// The animation that plays.
    pub fn animation(&self) -> Option<usize> {
        match &self.shown.as_ref()?.options.models.playback.what {
            What::Figure(play) => play.animation,
            What::Level(_) | What::Model(_) => None,
        }
    }

    /// Plays another animation.
    pub fn animate(&mut self, animation: Option<usize>) {
        let Some(shown) = &mut self.shown else {
            return;
        };
        let sheet = shown.loaded.level.model.as_ref();
        let last = sheet.map_or(0.0, |sheet| sheet.last_frame(animation));
        if let What::Figure(play) = &mut shown.options.models.playback.what {
            play.animation = animation;
            play.frames = FrameLoop::new(last);
        }
    }

    /// Lets time pass.
    pub fn advance(&mut self, elapsed: Duration) {
        if let Some(shown) = &mut self.shown {
            let secs = elapsed.as_secs_f32();
            shown.time_secs += secs;
            shown.options.let_pass(elapsed.as_secs_f64());
            if shown.turns {
                shown.eye.turn(Vec2::new(PIXELS_PER_SEC * secs, 0.0));
            }
        }
    }

    /// Turns it by hand.
    pub fn turn(&mut self, pixels: Vec2) {
        if let Some(shown) = &mut self.shown {
            shown.turns = false;
            shown.eye.turn(pixels);
        }
    }

    pub fn go_nearer(&mut self, notches: f32) {
        if let Some(shown) = &mut self.shown {
            shown.eye.roll(notches);
        }
    }

    /// What is to be drawn.
    pub fn frame(&self) -> Option<(&FrameState, TileOptions)> {
        let shown = self.shown.as_ref()?;
        Some((&shown.state, shown.options.tile_options()))
    }

    /// Sets up the next frame, in which the model is seen in a part of the window.
    pub fn place(&mut self, hole: Option<Rect>, window: egui::Vec2) {
        let Some(shown) = &mut self.shown else {
            return;
        };
        let pose = match (hole, shown.eye.orbit()) {
            (Some(hole), Some(orbit)) => {
                let fov_rad = shown.options.fov_rad;
                seen_in(hole, window, orbit.pose(), orbit.distance(), fov_rad)
            }
            _ => shown.eye.pose(),
        };
        let Loaded { level, flight } = &*shown.loaded;
        flight.show_in(&mut shown.state, &pose, &shown.options, shown.time_secs);
        let clock = shown.options.model_clock();
        shown.poser.pose(level, clock, &mut shown.state);
    }
}

impl Shown {
    fn new(loaded: Box<Loaded>) -> Self {
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
