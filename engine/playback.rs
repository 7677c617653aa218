//! What models play, and how far they have got.

use std::sync::Arc;

use crate::sim::world::{Clock, Play};

/// Frames per second where nothing else is said.
pub const DEFAULT_RATE: f32 = 15.0;
/// Frames per second that the panel offers.
pub const RATES: [f32; 2] = [0.5, 120.0];

/// The time of models, which can stand still while all else moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Playback {
    /// What plays.
    pub what: What,
    /// Frames per second of what says nothing of it itself.
    pub rate: f32,
    /// Time stands still.
    pub is_paused: bool,
    /// Seconds that have passed, in f64 so that they add up over a day.
    time_secs: f64,
}

/// What plays.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Everything in a level, in one of these ways.
    Level(LevelPlay),
    /// One model, in a loop of its frames.
    Model(FrameLoop),
    /// One figure.
    Figure(FigurePlay),
}

/// What a figure alone shows.
#[derive(Debug, Clone, PartialEq)]
pub struct FigurePlay {
    /// Of the animation.
    pub frames: FrameLoop,
    /// Which it plays; `None` at rest.
    pub animation: Option<usize>,
    /// What shapes it, in the order of its sliders.
    pub sliders: Arc<[f32]>,
}

impl What {
    /// The frames of a single model.
    pub fn frames(&mut self) -> Option<&mut FrameLoop> {
        match self {
            Self::Level(_) => None,
            Self::Model(frames) | Self::Figure(FigurePlay { frames, .. }) => Some(frames),
        }
    }
}

/// What of a level plays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LevelPlay {
    /// Nothing: all stands at its first frame.
    Still,
    /// What the level says.
    #[default]
    Level,
    /// Also all frames of what the level says nothing of, in a loop.
    All,
}

impl LevelPlay {
    /// In the order of the panel.
    pub const ALL: [Self; 3] = [Self::Still, Self::Level, Self::All];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Still => "still",
            Self::Level => "level",
            Self::All => "all",
        }
    }

    /// What it is, in a few words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Still => "nothing plays",
            Self::Level => "what the level says plays",
            Self::All => "all frames of everything play",
        }
    }
}

/// A loop of frames, `first <= frame <= last`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameLoop {
    /// The frame that is shown; between two frames models blend them.
    pub frame: f32,
    /// First frame of the loop.
    pub first: f32,
    /// Last frame of the loop, after which the first comes again.
    pub last: f32,
}

impl FrameLoop {
    /// All frames, from the first on.
    pub fn new(last_frame: f32) -> Self {
        Self {
            frame: 0.0,
            first: 0.0,
            last: last_frame,
        }
    }

    fn advance(&mut self, frames: f64) {
        let length = f64::from(self.last - self.first);
        if length > 0.0 {
            let into = f64::from(self.frame - self.first) + frames;
            self.frame = self.first + into.rem_euclid(length) as f32;
        } else {
            self.frame = self.first;
        }
    }

    /// Shows the frame a whole step ahead, or behind, and around at the ends.
    pub fn step(&mut self, frames: i8) {
        let wanted = self.frame.round() + f32::from(frames);
        self.frame = if wanted > self.last {
            self.first
        } else if wanted < self.first {
            self.last
        } else {
            wanted
        };
    }
}

impl Playback {
    /// Begins.
    pub fn new(what: What, rate: f32) -> Self {
        Self {
            what,
            rate,
            is_paused: false,
            time_secs: 0.0,
        }
    }

    /// Lets seconds pass, unless time stands still.
    pub fn advance(&mut self, secs: f64) {
        if self.is_paused {
            return;
        }
        self.time_secs += secs;
        if let Some(frames) = self.what.frames() {
            frames.advance(secs * f64::from(self.rate));
        }
    }

    /// The clock of world queries.
    pub fn clock(&self) -> Clock {
        let play = match &self.what {
            What::Level(LevelPlay::Still) => Play::Still,
            What::Level(LevelPlay::Level) => Play::Level,
            What::Level(LevelPlay::All) => Play::All { rate: self.rate },
            What::Model(frames) => Play::Frame(frames.frame),
            What::Figure(play) => Play::Figure {
                animation: play.animation,
                frame: play.frames.frame,
                sliders: play.sliders.clone(),
            },
        };
        Clock {
            // Where time changes nothing it stands still, so that nothing is posed again.
            time_secs: match play {
                Play::Still | Play::Frame(_) | Play::Figure { .. } => 0.0,
                Play::Level | Play::All { .. } => self.time_secs,
            },
            play,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame_of(playback: &Playback) -> f32 {
        match playback.clock().play {
            Play::Frame(frame) => frame,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_clock_stands_where_time_changes_nothing() {
        for (play, goes) in [
            (LevelPlay::Still, false),
            (LevelPlay::Level, true),
            (LevelPlay::All, true),
        ] {
            let mut playback = Playback::new(What::Level(play), 12.0);
            let before = playback.clock();
            playback.advance(0.5);
            assert_eq!(playback.clock() != before, goes, "{play:?}");
        }
    }

    #[test]
    fn a_models_frames_go_around_at_their_rate() {
        let frames = FrameLoop {
            frame: 4.0,
            first: 2.0,
            last: 10.0,
        };
        let mut playback = Playback::new(What::Model(frames), 15.0);
        playback.advance(0.2);
        assert!((frame_of(&playback) - 7.0).abs() < 1e-5);
        playback.advance(0.4);
        assert!((frame_of(&playback) - 5.0).abs() < 1e-5, "10 is 2 again");
        playback.advance(-0.4);
        assert!((frame_of(&playback) - 7.0).abs() < 1e-5);
    }

    #[test]
    fn a_model_of_one_frame_stays() {
        let mut playback = Playback::new(What::Model(FrameLoop::new(0.0)), 15.0);
        playback.advance(1.0);
        assert_eq!(frame_of(&playback), 0.0);
    }

    #[test]
    fn nothing_moves_while_time_stands_still() {
        let mut playback = Playback::new(What::Level(LevelPlay::All), 12.0);
        playback.advance(2.0);
        playback.is_paused = true;
        playback.advance(2.0);
        let Clock { time_secs, play } = playback.clock();
        assert_eq!((time_secs, play), (2.0, Play::All { rate: 12.0 }));
    }

    #[test]
    fn steps_are_whole_and_go_around_at_the_ends() {
        let mut frames = FrameLoop {
            frame: 3.4,
            first: 3.0,
            last: 5.0,
        };
        let mut stepped = |by| {
            frames.step(by);
            frames.frame
        };
        assert_eq!(
            [1, 1, 1, -1, -1].map(&mut stepped),
            [4.0, 5.0, 3.0, 5.0, 4.0]
        );
    }
}
