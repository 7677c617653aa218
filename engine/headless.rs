//! Pictures and frame times without a window.

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use crate::console::interrupt::{check_interrupt, watch_for_interrupt};
use crate::renderer::{FrameState, Gpu, OffscreenTarget, Renderer, SceneGpu, capture};
use crate::scene::TileOptions;
use glam::{Quat, Vec3};
use image::RgbaImage;
use indicatif::{ProgressBar, ProgressStyle};

use crate::error::AppError;
use crate::flight::Flight;
use crate::frame_budget::FrameBudget;
use crate::level::LoadedLevel;
use crate::tile_feed::TileFeed;

/// Seconds that pass in the level while measured frames go once around.
const CIRCLE_SECS: f32 = 10.0;

/// A device with a level on it and a picture to draw on.
pub struct Studio {
    gpu: Gpu,
    target: OffscreenTarget,
    renderer: Renderer,
    scene: SceneGpu,
    feed: TileFeed,
    tiles: TileOptions,
}

impl Studio {
    /// Opens a device without a window and puts the level on it.
    ///
    /// # Errors
    /// Without an adapter, without room for the level, and for a size that the adapter does not draw.
    pub fn open(level: &LoadedLevel, flight: &Flight) -> Result<Self, AppError> {
        let gpu = Gpu::offscreen(&flight.gpu).map_err(AppError::OpenGpu)?;
        log::info!("drawing offscreen with {}", gpu.caps().adapter);
        let target = OffscreenTarget::new(&gpu, flight.size).map_err(AppError::Draw)?;
        let settings = flight.quality.settings(gpu.caps())?;
        let mut renderer =
            Renderer::new(&gpu, target.format(), settings).map_err(AppError::Draw)?;
        let scene = level.upload(&gpu, &mut renderer)?;
        check_interrupt()?;
        Ok(Self {
            gpu,
            target,
            renderer,
            scene,
            feed: TileFeed::new(Arc::clone(&level.world)),
            tiles: flight.options.tile_options(),
        })
    }

    /// Width and height of its pictures in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.target.size()
    }

    /// Draws one picture, with all the land that it shows.
    ///
    /// # Errors
    /// If the driver gives up, and [`AppError::Stopped`] on Ctrl-C.
    pub fn picture(&mut self, state: &FrameState) -> Result<RgbaImage, AppError> {
        self.fill_land(state)?;
        self.draw(state)?;
        capture(&self.gpu, &self.target).map_err(AppError::Draw)
    }

    /// Draws the frames that `prepare` makes for shares 0..1 of a way, as large as the budget has them, and returns what
    /// each took, until it was drawn to the end.
    ///
    /// # Errors
    /// If the driver gives up, and [`AppError::Stopped`] on Ctrl-C.
    pub fn time_frames(
        &mut self,
        n_frames: u32,
        budget: &mut FrameBudget,
        mut prepare: impl FnMut(f32, &mut FrameState),
    ) -> Result<Vec<Duration>, AppError> {
        watch_for_interrupt();
        // The first frame of a scene fills the driver's caches; it would be the slowest of any run.
        let mut state = FrameState::default();
        prepare(0.0, &mut state);
        self.fill_land(&state)?;
        self.draw(&state)?;
        self.gpu.wait().map_err(AppError::Draw)?;
        let is_measured = budget.budget().is_some();
        self.renderer
            .measure_frames(&self.gpu, is_measured)
            .map_err(AppError::Draw)?;

        let progress = frame_progress(n_frames);
        let mut times = Vec::new();
        let mut elapsed = Duration::ZERO;
        for frame in 0..n_frames {
            check_interrupt()?;
            let start = Instant::now();
            prepare(frame as f32 / n_frames as f32, &mut state);
            // As in a window: a frame whose exposure settles is drawn several times.
            state.exposure_secs = Some(elapsed.as_secs_f32());
            state.resolution = budget.scale().unwrap_or(state.resolution);
            let size = self.target.size();
            self.feed
                .feed(&self.gpu, &mut self.scene, (&state, self.tiles), size)?;
            self.draw(&state)?;
            self.gpu.wait().map_err(AppError::Draw)?;
            elapsed = start.elapsed();
            times.push(elapsed);
            budget.push(self.renderer.frame_time().unwrap_or(elapsed));
            progress.inc(1);
        }
        progress.finish_and_clear();
        Ok(times)
    }

    fn fill_land(&mut self, state: &FrameState) -> Result<(), AppError> {
        let size = self.target.size();
        self.feed
            .fill(&self.gpu, &mut self.scene, (state, self.tiles), size)?;
        if let Some(memory) = self.scene.tile_memory() {
            log::debug!("{memory:?}");
        }
        Ok(())
    }

    fn draw(&mut self, state: &FrameState) -> Result<(), AppError> {
        let view = self.target.view();
        let stats = self
            .renderer
            .draw(&self.gpu, &self.scene, state, view, None)
            .map_err(AppError::Draw)?;
        log::debug!("{stats:?}");
        Ok(())
    }
}

/// Takes a frame along to `share` (0..1) of the way around a level circle that starts and ends at its camera,
/// which turns as far as it has come around.
pub fn go_around(state: &mut FrameState, center: Vec3, share: f32) {
    let angle_rad = share * std::f32::consts::TAU;
    let camera = &mut state.camera;
    camera.position = center + Quat::from_rotation_z(angle_rad) * (camera.position - center);
    camera.yaw_rad += angle_rad;
    state.time_secs += share * CIRCLE_SECS;
}

/// A bar on stderr; nothing if stderr is no terminal.
pub fn frame_progress(n_frames: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .expect("the template is well-formed");
    ProgressBar::new(n_frames.into())
        .with_style(style)
        .with_message("frames")
}

/// Whether windows can be opened, as far as the environment shows.
pub fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    // Other systems always have one; where they do not, opening the window says so.
    !cfg!(all(unix, not(target_vendor = "apple")))
        || ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"]
            .into_iter()
            .any(is_set)
}

#[cfg(test)]
mod tests {
    use crate::renderer::Camera;

    use super::*;

    #[test]
    fn the_measured_way_is_a_circle_that_starts_at_the_camera() {
        let state = FrameState {
            camera: Camera {
                position: Vec3::new(100.0, 50.0, 20.0),
                yaw_rad: 0.7,
                ..Camera::default()
            },
            ..FrameState::default()
        };
        let center = Vec3::new(100.0, 80.0, 0.0);
        let circle = |share| {
            let mut state = state.clone();
            go_around(&mut state, center, share);
            state.camera
        };
        let start = circle(0.0);
        assert!(start.position.distance(state.camera.position) < 1e-3);
        let opposite = circle(0.5);
        let expected = Vec3::new(100.0, 110.0, 20.0);
        assert!(opposite.position.distance(expected) < 1e-3, "{opposite:?}");
        let toward_center = |camera: &Camera| camera.forward().dot(center - camera.position);
        let [before, after] = [&start, &opposite].map(toward_center);
        assert!((before - after).abs() < 1e-3, "the same side looks inward");
        assert_eq!(opposite.position.z, 20.0);
    }
}
