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
    #[arg(long, value_name = "FPS", default_value_t = DEFAULT_RATE, value_parser = parse_rate)]
    rate: f32,

    // `requires` alone says nothing beside what `model` excludes itself.
    /// Show this frame of a model alone, counted from 0, and do not play; between two frames it blends them.
    #[arg(long, value_name = "F", requires = "model", conflicts_with_all = ["level", "mission"], value_parser = parse_finite)]
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
            state: known("state", self.state, &level.cast.states)?,
            lod: known("level of detail", self.lod, &level.cast.lods())?,
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

/// The choice, if it is one.
fn known(what: &'static str, wanted: Option<u8>, choices: &[u8]) -> Result<Option<u8>, AppError> {
    match wanted {
        Some(wanted) if !choices.contains(&wanted) => Err(AppError::NoChoice {
            what,
            wanted,
            known: match choices {
                [] => "none".to_owned(),
                choices => {
                    let names: Vec<_> = choices.iter().map(u8::to_string).collect();
                    names.join(", ")
                }
            },
        }),
        wanted => Ok(wanted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_that_is_not_there_is_told_with_those_that_are() {
        assert_eq!(known("state", Some(1), &[0, 1]).unwrap(), Some(1));
        assert_eq!(known("state", None, &[]).unwrap(), None);
        for (choices, told) in [(&[0, 2][..], "there are 0, 2"), (&[], "there are none")] {
            let error = known("state", Some(1), choices).unwrap_err().to_string();
            assert!(error.starts_with("no model has state 1"), "{error}");
            assert!(error.ends_with(told), "{error}");
        }
    }
}
