//! Pictures and frame times without a window.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use image::RgbaImage;
use indicatif::{ProgressBar, ProgressStyle};
use ironlands::renderer::{FrameState, Gpu, OffscreenTarget, Renderer, SceneGpu, capture};

use crate::error::AppError;
use crate::flight::Flight;
use crate::level::LoadedLevel;

/// How often Ctrl-C was pressed.
static N_INTERRUPTS: AtomicUsize = AtomicUsize::new(0);
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// Radius of the circle that measured frames fly, in level units.
const CIRCLE_RADIUS: f32 = 30.0;

/// A device with a level on it and a picture to draw on.
pub struct Studio {
    gpu: Gpu,
    target: OffscreenTarget,
    renderer: Renderer,
    scene: SceneGpu,
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
        })
    }

    /// Draws one picture.
    ///
    /// # Errors
    /// If the driver gives up.
    pub fn picture(&mut self, state: &FrameState) -> Result<RgbaImage, AppError> {
        self.draw(state)?;
        capture(&self.gpu, &self.target).map_err(AppError::Draw)
    }

    /// Draws frames along a circle around the camera of `state` and returns what each took, until it was
    /// drawn to the end.
    ///
    /// # Errors
    /// If the driver gives up, and [`AppError::Stopped`] on Ctrl-C.
    pub fn time_frames(
        &mut self,
        state: &FrameState,
        n_frames: u32,
    ) -> Result<Vec<Duration>, AppError> {
        watch_for_interrupt()?;
        // The first frame of a scene fills the driver's caches; it would be the slowest of any run.
        self.draw(state)?;
        self.gpu.wait().map_err(AppError::Draw)?;

        let progress = frame_progress(n_frames);
        let mut times = Vec::new();
        for frame in 0..n_frames {
            check_interrupt()?;
            let state = on_circle(state, frame as f32 / n_frames as f32);
            let start = Instant::now();
            self.draw(&state)?;
            self.gpu.wait().map_err(AppError::Draw)?;
            times.push(start.elapsed());
            progress.inc(1);
        }
        progress.finish_and_clear();
        Ok(times)
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

/// The frame at `share` (0..1) of the way around a level circle that starts and ends at the camera, which
/// looks around once on the way: near and far, land and sky all come into view.
pub fn on_circle(state: &FrameState, share: f32) -> FrameState {
    let angle_rad = share * std::f32::consts::TAU;
    let mut state = state.clone();
    let camera = &mut state.camera;
    let center = camera.position - camera.right() * CIRCLE_RADIUS;
    camera.yaw_rad += angle_rad;
    camera.position = center + camera.right() * CIRCLE_RADIUS;
    state.time_secs += share * 10.0;
    state
}

/// A bar on stderr; nothing if stderr is no terminal.
fn frame_progress(n_frames: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .expect("the template is well-formed");
    ProgressBar::new(n_frames.into())
        .with_style(style)
        .with_message("frames")
}

/// From now on Ctrl-C sets a flag, so that a run can end where it leaves nothing half done. A second one
/// ends the program at once.
///
/// # Errors
/// If the system does not let it listen.
pub fn watch_for_interrupt() -> Result<(), AppError> {
    if IS_WATCHED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    ctrlc::set_handler(|| {
        if N_INTERRUPTS.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(2);
        }
    })
    .map_err(AppError::WatchInterrupt)
}

/// Ends a run between two steps if Ctrl-C was pressed since [`watch_for_interrupt`].
///
/// # Errors
/// [`AppError::Stopped`] if it was.
pub fn check_interrupt() -> Result<(), AppError> {
    if N_INTERRUPTS.load(Ordering::Relaxed) > 0 {
        return Err(AppError::Stopped);
    }
    Ok(())
}

/// Whether windows can be opened, as far as the environment tells.
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
    use glam::Vec3;
    use ironlands::renderer::Camera;

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
        let start = on_circle(&state, 0.0).camera;
        assert!(start.position.distance(state.camera.position) < 1e-3);
        let opposite = on_circle(&state, 0.5).camera;
        let across = opposite.position.distance(start.position);
        assert!((across - 2.0 * CIRCLE_RADIUS).abs() < 1e-2, "{across}");
        assert_eq!(opposite.position.z, 20.0);
    }
}
