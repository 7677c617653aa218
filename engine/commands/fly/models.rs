//! How models are shown: how fast they play, and which of their looks.

use clap::Args;

use super::numbers::parse_rate;
use super::unused_options::{FIRST_MOMENT, Time, UnusedOption};
use crate::console::finite_number;
use crate::error::AppError;
use crate::kind::ModelSheet;
use crate::level::LoadedLevel;
use crate::model_options::ModelOptions;
use crate::playback::{DEFAULT_RATE, FigurePlay, FrameLoop, LevelPlay, Playback, What};

/// What the command line calls a model without any animation.
const REST: &str = "none";

/// How models are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Models")]
pub struct ModelArgs {
    /// Animation frames per second, for --play all and for --model; 15 by default.
    #[arg(long, value_name = "FPS", value_parser = parse_rate, allow_negative_numbers = true)]
    rate: Option<f32>,

    // `requires` alone says nothing beside what `model` excludes itself.
    /// With --model: show this frame, counted from 0, instead of playing; fractions blend two frames.
    #[arg(
        long,
        value_name = "F",
        requires = "model",
        conflicts_with = "level",
        value_parser = finite_number,
        allow_negative_numbers = true
    )]
    frame: Option<f32>,

    /// With --model: name of the animation that a figure plays, or `none`; by default its idle animation, if any.
    #[arg(
        long,
        value_name = "NAME",
        requires = "model",
        conflicts_with = "level"
    )]
    animation: Option<String>,

    /// With --model: turn the camera around the model by this angle, from its front toward its left.
    #[arg(
        long,
        value_name = "DEGREES",
        default_value_t = 0.0,
        value_parser = finite_number,
        allow_negative_numbers = true,
        requires = "model",
        conflicts_with_all = ["level", "camera"]
    )]
    turn: f32,

    /// Show all models in this state, such as 0 (intact) or 1 (destroyed); by default each model in its own.
    #[arg(long, value_name = "N")]
    state: Option<u8>,

    /// Show all models at this level of detail, where 0 is the finest; by default chosen by size on screen.
    #[arg(long, value_name = "N")]
    lod: Option<u8>,
}

impl ModelArgs {
    /// How far a model alone is turned.
    pub fn turn_rad(&self) -> f32 {
        self.turn.to_radians()
    }

    /// The wishes, as far as there is something to fulfil them; `play` is what of a level plays.
    ///
    /// # Errors
    /// For a frame, an animation, a state or a level of detail that is not there, and for a figure's wishes where there
    /// is none.
    pub fn options(&self, level: &LoadedLevel, play: LevelPlay) -> Result<ModelOptions, AppError> {
        let what = match (level.model_bounds, &level.model) {
            (Some(_), Some(sheet)) => What::Figure(self.figure_play(sheet)?),
            (Some(_), None) => {
                self.refuse_animation()?;
                What::Model(self.frames(level.world.last_frame())?)
            }
            (None, _) => What::Level(play),
        };
        let mut playback = Playback::new(what, self.rate.unwrap_or(DEFAULT_RATE));
        playback.is_paused = self.frame.is_some();
        Ok(ModelOptions {
            state: level.contents.known_state(self.state)?,
            lod: level.contents.known_lod(self.lod)?,
            ..ModelOptions::new(playback)
        })
    }

    /// Whether `--rate` was given and does nothing; `time` is what pictures see of it, `None` in a window, where keys change
    /// what plays.
    pub fn unused_options(
        &self,
        level: &LoadedLevel,
        playback: &Playback,
        time: Option<Time>,
    ) -> Vec<UnusedOption> {
        let reason = match &playback.what {
            _ if self.rate.is_none() => None,
            _ if level.world.last_frame() == 0.0 => Some("nothing in it has frames"),
            What::Level(_) if level.world.has_own_rates() => {
                Some("its animations play at rates of their own")
            }
            _ if time.is_none() => None,
            What::Level(LevelPlay::Still | LevelPlay::Level) => {
                Some("it is for --play all and for a model alone")
            }
            What::Model(frames) | What::Figure(FigurePlay { frames, .. }) if frames.last == 0.0 => {
                Some("one frame is all that plays")
            }
            _ if playback.is_paused => Some("--frame stands still"),
            _ if time == Some(Time::Begins) => Some(FIRST_MOMENT),
            _ => None,
        };
        let as_unused = |reason: &str| UnusedOption::because("--rate", reason);
        reason.map(as_unused).into_iter().collect()
    }

    fn figure_play(&self, sheet: &ModelSheet) -> Result<FigurePlay, AppError> {
        let animation = self.chosen_animation(sheet)?;
        Ok(FigurePlay {
            frames: self.frames(sheet.last_frame(animation))?,
            animation,
            sliders: sheet.values(),
        })
    }

    /// The animation of that name, in any case; the idle one by default.
    fn chosen_animation(&self, sheet: &ModelSheet) -> Result<Option<usize>, AppError> {
        let Some(wanted) = &self.animation else {
            return Ok(sheet.idle);
        };
        match sheet.animation(wanted) {
            Some(animation) => Ok(Some(animation)),
            None if wanted.eq_ignore_ascii_case(REST) => Ok(None),
            None => {
                let names = sheet.animations.iter().map(|it| &*it.name);
                let names: Vec<_> = names.chain([REST]).collect();
                Err(AppError::NoAnimation {
                    wanted: wanted.clone(),
                    known: names.join(", "),
                })
            }
        }
    }

    fn refuse_animation(&self) -> Result<(), AppError> {
        match self.animation {
            Some(_) => Err(AppError::NotAnimated {
                option: "--animation",
            }),
            None => Ok(()),
        }
    }

    fn frames(&self, last: f32) -> Result<FrameLoop, AppError> {
        let frame = self.frame.unwrap_or(0.0);
        if !(0.0..=last).contains(&frame) {
            return Err(AppError::NoFrame { frame, last });
        }
        Ok(FrameLoop {
            frame,
            ..FrameLoop::new(last)
        })
    }
}
