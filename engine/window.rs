//! The window: owns time and input, queries the level, hands the renderer a frame at a time.

mod app;
mod browse;
mod desk;
mod mouse;
mod opening;
mod pane;
mod screen;
mod stages;
mod start;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::renderer::RenderError;
use winit::event_loop::{ControlFlow, EventLoop};

pub use self::browse::TurningModel;
use self::desk::Desk;
pub use self::opening::{Loaded, Open, Opened};
pub use self::screen::ScreenOptions;
use self::stages::Stages;
use crate::error::AppError;
use crate::kind::Registry;
use crate::settings::Settings;
use crate::thumbnails::Photograph;

/// What the window shows first.
pub enum First {
    /// The start screen, and what a path is once that is known.
    Start(Option<PathBuf>),
    /// A level or model, and what is shown beside it.
    Level(Arc<Loaded>, Option<Arc<Loaded>>),
}

/// What the window needs to open more than it shows first.
pub struct Means {
    pub open: Open,
    pub photograph: Photograph,
    pub registry: Registry,
    pub screen: ScreenOptions,
    pub settings: Settings,
}

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

/// Shows the start screen and flies levels until the window is closed, or for `n_frames` along the measured way.
/// Returns what the measured frames took.
///
/// # Errors
/// Errors of the window system, the window or the device.
pub fn run(first: First, means: Means, n_frames: Option<u32>) -> Result<Vec<Duration>, Failure> {
    let event_loop = EventLoop::new().map_err(|error| Failure {
        error: AppError::EventLoop(error).into(),
        has_drawn: false,
    })?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let mut stages = Stages::new(first, Desk::new(means), n_frames);
    let ended = event_loop.run_app(&mut stages).map_err(AppError::EventLoop);
    let has_drawn = stages.has_drawn();
    // What went wrong inside comes first: it may be why the event loop ended.
    stages
        .finish()
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
