//! The window: owns time and input, asks the level, hands the renderer a frame at a time.

mod app;
mod mouse;
mod screen;

use std::time::Duration;

use winit::event_loop::{ControlFlow, EventLoop};

use crate::error::AppError;
use crate::flight::Flight;
use crate::level::LoadedLevel;

/// Flies a level until the window is closed, or for `n_frames` along the measured way. Returns what the
/// measured frames took.
///
/// # Errors
/// [`AppError::EventLoop`] if there is no window system; else if window or device make trouble.
pub fn run(
    level: &LoadedLevel,
    flight: &Flight,
    n_frames: Option<u32>,
) -> Result<Vec<Duration>, AppError> {
    let event_loop = EventLoop::new().map_err(AppError::EventLoop)?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let mut app = app::App::new(level, flight, n_frames);
    event_loop.run_app(&mut app).map_err(AppError::EventLoop)?;
    app.finish()
}
