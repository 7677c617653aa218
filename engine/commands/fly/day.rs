//! The hour of a level's day.

use clap::Args;

use super::numbers::parse_day_speed;
use crate::day_clock::{DayClock, parse_hour};
use crate::error::AppError;
use crate::level::LoadedLevel;

/// The hour, for levels that have a day.
#[derive(Debug, Args)]
pub struct DayArgs {
    /// Hour of the day, as in 13.5 or 13:30, in a level whose light changes with it; else the level's own.
    #[arg(
        long,
        value_name = "HOUR",
        value_parser = parse_hour,
        allow_negative_numbers = true,
        conflicts_with = "model",
        help_heading = "Picture"
    )]
    hour: Option<f32>,

    /// Let so many hours of the day go by in a second.
    #[arg(
        long,
        value_name = "HOURS",
        value_parser = parse_day_speed,
        allow_negative_numbers = true,
        conflicts_with = "model",
        help_heading = "Picture"
    )]
    day_speed: Option<f32>,
}

impl DayArgs {
    /// The clock of a level that has a day.
    ///
    /// # Errors
    /// If an hour was asked for and the level has no day.
    pub fn clock(&self, level: &LoadedLevel) -> Result<Option<DayClock>, AppError> {
        let Some(day) = &level.scene.day else {
            return match (self.hour, self.day_speed) {
                (None, None) => Ok(None),
                _ => Err(AppError::NoDay {
                    level: level.name().to_owned(),
                }),
            };
        };
        let mut clock = DayClock::at(self.hour.unwrap_or(day.start_hour));
        if let Some(speed) = self.day_speed {
            clock.speed = speed;
            clock.is_running = true;
        }
        Ok(Some(clock))
    }
}
