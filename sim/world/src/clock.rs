//! The time for which poses are computed.

use std::sync::Arc;

/// The time, and which animations play.
#[derive(Debug, Clone, PartialEq)]
pub struct Clock {
    /// Seconds since the level was opened.
    pub time_secs: f64,
    /// Which animations play.
    pub play: Play,
}

/// Which animations play.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Play {
    /// None: all objects are where they were placed, at frame 0.
    Still,
    /// As the level defines; objects that it does not animate are at frame 0.
    #[default]
    Level,
    /// Also all frames of the other objects, in a loop at this rate.
    All {
        /// Frames per second.
        rate: f32,
    },
    /// All objects are where they were placed, at this frame.
    Frame(f32),
    /// For a single figure; for everything else as `Frame`.
    Figure {
        /// Index of the animation; `None` at rest.
        animation: Option<usize>,
        /// Frame, from the beginning of the animation.
        frame: f32,
        /// What shapes it, in the order of its sliders; those that are missing are as at the beginning.
        sliders: Arc<[f32]>,
    },
}
