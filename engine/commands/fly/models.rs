//! How models are shown: what plays, and which of their looks.

use clap::Args;

use super::numbers::{parse_finite, parse_rate};
use crate::error::AppError;
use crate::level::LoadedLevel;
use crate::model_options::ModelOptions;
use crate::playback::{DEFAULT_RATE, FrameLoop, LevelPlay, Playback, What};

/// How models are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Models")]
pub struct ModelArgs {
    /// What plays in a level.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = LevelPlay::Level, conflicts_with = "model")]
    play: LevelPlay,

    /// Frames per second of --play all and of a model alone.
    #[arg(
        long,
        value_name = "FPS",
        default_value_t = DEFAULT_RATE,
        value_parser = parse_rate,
        allow_negative_numbers = true
    )]
    rate: f32,

    // `requires` alone says nothing beside what `model` excludes itself.
    /// Show this frame of a model alone, counted from 0, and do not play; between two frames it blends them.
    #[arg(
        long,
        value_name = "F",
        requires = "model",
        conflicts_with_all = ["level", "mission"],
        value_parser = parse_finite,
        allow_negative_numbers = true
    )]
    frame: Option<f32>,

    /// Look at a model alone from this much farther around, from the front to its left.
    #[arg(
        long,
        value_name = "DEGREES",
        default_value_t = 0.0,
        value_parser = parse_finite,
        allow_negative_numbers = true,
        requires = "model",
        conflicts_with_all = ["level", "mission", "camera"]
    )]
    turn: f32,

    /// Show all models in this state, such as 0 whole or 1 destroyed; by default each in its own.
    #[arg(long, value_name = "N")]
    state: Option<u8>,

    /// Show all models at this level of detail, 0 the finest; by default each at the one for its size.
    #[arg(long, value_name = "N")]
    lod: Option<u8>,
}

impl ModelArgs {
    /// How far a model alone is turned.
    pub fn turn_rad(&self) -> f32 {
        self.turn.to_radians()
    }

    /// The wishes, as far as there is something to fulfil them.
    ///
    /// # Errors
    /// For a frame, a state or a level of detail that is not there.
    pub fn options(&self, level: &LoadedLevel) -> Result<ModelOptions, AppError> {
        let what = match level.model_bounds {
            Some(_) => What::Model(self.frames(level.world.last_frame())?),
            None => What::Level(self.play),
        };
        let mut playback = Playback::new(what, self.rate);
        playback.is_paused = self.frame.is_some();
        Ok(ModelOptions {
            state: level.cast.known_state(self.state)?,
            lod: level.cast.known_lod(self.lod)?,
            ..ModelOptions::new(playback)
        })
    }

    fn frames(&self, last: f32) -> Result<FrameLoop, AppError> {
        let frame = self.frame.unwrap_or(0.0);
        if !(0.0..=last).contains(&frame) {
            return Err(AppError::NoFrame { frame, last });
        }
        Ok(FrameLoop {
            frame,
            ..FrameLoop::of_all(last)
        })
    }
}
