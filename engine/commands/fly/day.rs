//! The hour of a level's day.

use clap::Args;

use super::numbers::parse_day_speed;
use super::unused_options::{FIRST_MOMENT, Time, UnusedOption};
use crate::day_clock::{DayClock, parse_hour};
use crate::error::AppError;
use crate::level::LoadedLevel;

/// The hour, for levels that have a day.
#[derive(Debug, Args)]
pub struct DayArgs {
    /// Hour of the day, such as 13.5 or 13:30, for levels with a day cycle; the default is the level's own.
    #[arg(
        long,
        value_name = "HOUR",
        value_parser = parse_hour,
        allow_negative_numbers = true,
        conflicts_with = "model",
        help_heading = "Picture"
    )]
    hour: Option<f32>,

    /// Day cycle to use if the level has several, such as gipat or cavegipat; an unknown name lists all; by default the
    /// one that the level names.
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with = "model",
        help_heading = "Picture"
    )]
    region: Option<String>,

    /// Game hours per real second.
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
    /// If an hour was requested and the level has no day.
    pub fn clock(&self, level: &LoadedLevel) -> Result<Option<DayClock>, AppError> {
        let Some(day) = level.scene.day(self.index(level)?) else {
            return match (self.hour, self.day_speed) {
                (None, None) => Ok(None),
                _ => Err(AppError::NoDay {
                    level: level.name().to_owned(),
                }),
            };
        };
        let mut clock = DayClock::from_day(day, self.hour);
        if let Some(speed) = self.day_speed {
            clock.speed = speed;
            clock.is_running = true;
        }
        Ok(Some(clock))
    }

    /// Whether `--day-speed` was given for a picture of the first moment.
    pub fn unused_options(&self, time: Option<Time>) -> Vec<UnusedOption> {
        let does_nothing = self.day_speed.is_some() && time == Some(Time::Begins);
        let unused = does_nothing.then(|| UnusedOption::because("--day-speed", FIRST_MOMENT));
        unused.into_iter().collect()
    }

    /// Which of the level's days is shown.
    ///
    /// # Errors
    /// If the level has no region of that name.
    pub fn index(&self, level: &LoadedLevel) -> Result<usize, AppError> {
        let Some(wanted) = &self.region else {
            return Ok(0);
        };
        let mut names = level.scene.days.iter().map(|day| &*day.name);
        let index = names
            .clone()
            .position(|name| name.eq_ignore_ascii_case(wanted));
        index.ok_or_else(|| AppError::NoLight {
            level: level.name().to_owned(),
            wanted: wanted.clone(),
            known: match names.len() {
                0 => "none".to_owned(),
                _ => names.by_ref().collect::<Vec<_>>().join(", "),
            },
        })
    }
}
