//! The time for which poses are computed.

/// What time it is, and what it does to objects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Seconds since the level began.
    pub time_secs: f64,
    /// What plays.
    pub play: Play,
}

/// What plays.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Play {
    /// Nothing: all stands where it was placed, at frame 0.
    Still,
    /// What the level says; what it says nothing of stands at frame 0.
    #[default]
    Level,
    /// Also all frames of what the level says nothing of, in a loop at so many frames per second.
    All {
        /// Frames per second.
        rate: f32,
    },
    /// Everything stands where it was placed, at this frame.
    Frame(f32),
    /// A figure alone shows this; for all else as `Frame`.
    Figure {
        /// Which of its animations; `None` at rest.
        animation: Option<usize>,
        /// Frames from the beginning of the animation.
        frame: f32,
        /// Dexterity, strength, height.
        complection: [f32; 3],
    },
}
