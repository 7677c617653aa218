//! The window: owns time and input, queries the level, hands the renderer a frame at a time.

mod app;
mod mouse;
mod opening;
mod screen;

use std::sync::Arc;
use std::time::Duration;

use crate::renderer::RenderError;
use winit::event_loop::{ControlFlow, EventLoop};

pub use self::opening::{Loaded, Open};
use crate::error::AppError;

/// Why a flight in a window ended early.
#[derive(Debug)]
pub struct Failure {
    pub error: Box<AppError>,
    /// Whether a frame was seen before.
    pub has_drawn: bool,
}

impl Failure {
    /// Whether it was the display that could not be used, before anything was seen in it: then the same level
    /// may be drawn without it.
    pub fn is_of_display(&self) -> bool {
        let is_of_display = match &*self.error {
            AppError::EventLoop(_) | AppError::OpenWindow(_) => true,
            AppError::OpenGpu(error) => matches!(
                error,
                RenderError::NoAdapter { .. }
                    | RenderError::NoSurface(_)
                    | RenderError::NoSurfaceFormat { .. }
            ),
            _ => false,
        };
        is_of_display && !self.has_drawn
    }
}

/// Flies a level until the window is closed, or for `n_frames` along the measured way. What is dropped on the window
/// is opened by `open` and flown on. Returns what the measured frames took.
///
/// # Errors
/// Errors of the window system, the window or the device.
pub fn run(
    loaded: &Arc<Loaded>,
    open: Open,
    n_frames: Option<u32>,
) -> Result<Vec<Duration>, Failure> {
    let event_loop = EventLoop::new().map_err(|error| Failure {
        error: AppError::EventLoop(error).into(),
        has_drawn: false,
    })?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let mut app = app::App::new(Arc::clone(loaded), open, n_frames);
    let ended = event_loop.run_app(&mut app).map_err(AppError::EventLoop);
    let has_drawn = app.has_drawn();
    // What went wrong inside comes first: it may be why the event loop ended.
    app.finish()
        .and_then(|measured| ended.map(|()| measured))
        .map_err(|error| Failure {
            error: error.into(),
            has_drawn,
        })
}

#[cfg(test)]
mod tests {
    use winit::error::EventLoopError;

    use super::*;

    #[test]
    fn only_a_display_that_showed_nothing_can_be_done_without() {
        let is_of_display = |error: AppError, has_drawn| {
            let error = error.into();
            Failure { error, has_drawn }.is_of_display()
        };
        let event_loop = || AppError::EventLoop(EventLoopError::RecreationAttempt);
        assert!(is_of_display(event_loop(), false));
        assert!(!is_of_display(event_loop(), true));
        let no_format = || RenderError::NoSurfaceFormat {
            adapter: "card".to_owned(),
            offered: "none".to_owned(),
        };
        assert!(is_of_display(AppError::OpenGpu(no_format()), false));
        assert!(!is_of_display(AppError::OpenGpu(no_format()), true));
        let lost = AppError::Draw(RenderError::SurfaceLost);
        assert!(!is_of_display(lost, false));
        assert!(!is_of_display(AppError::Stopped, false));
    }
}
