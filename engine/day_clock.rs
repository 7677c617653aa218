//! The hour of a level's day, and how fast it goes.

use crate::scene::{DayCycle, HOURS_PER_DAY};

/// Hours that go by in a second where nothing else is said: a day takes a minute.
pub const DEFAULT_SPEED: f32 = 0.4;
/// Hours in a second that the panel offers.
pub const SPEEDS: [f32; 2] = [0.01, 6.0];

/// The hour of the day, which stands still unless it is set running.
#[derive(Debug, Clone, PartialEq)]
pub struct DayClock {
    /// `0.0..24.0`, in f64 so that short frames add up.
    hour: f64,
    /// Time goes by.
    pub is_running: bool,
    /// Hours that go by in a second while it does.
    pub speed: f32,
}

impl DayClock {
    /// Stands still at an hour.
    pub fn at(hour: f32) -> Self {
        let mut clock = Self {
            hour: 0.0,
            is_running: false,
            speed: DEFAULT_SPEED,
        };
        clock.set_hour(hour);
        clock
    }

    /// At the start of a day, from where it continues if it does in its game, or still at another hour of it; its speed is that
    /// of its game.
    pub fn from_day(day: &DayCycle, hour: Option<f32>) -> Self {
        let clock = Self {
            speed: day
                .day_secs
                .map_or(DEFAULT_SPEED, |secs| HOURS_PER_DAY / secs),
            ..Self::at(hour.unwrap_or(day.start_hour))
        };
        Self {
            is_running: hour.is_none() && day.day_secs.is_some(),
            ..clock
        }
    }

    /// The hour, `0.0..24.0`.
    pub fn hour(&self) -> f32 {
        // The f32 nearest to an hour just before midnight is midnight.
        self.hour as f32 % HOURS_PER_DAY
    }

    /// Sets the hour; hours go around.
    pub fn set_hour(&mut self, hour: f32) {
        self.hour = f64::from(hour).rem_euclid(HOURS_PER_DAY.into());
    }

    /// Lets seconds pass, unless the clock stands still.
    pub fn advance(&mut self, secs: f64) {
        if self.is_running {
            let hours = secs * f64::from(self.speed);
            self.hour = (self.hour + hours).rem_euclid(HOURS_PER_DAY.into());
        }
    }

    /// Goes to the next whole hour, or to the one before.
    pub fn step(&mut self, hours: i8) {
        // A minute's thousandth on either side of a whole hour is that hour.
        let nudge = 1e-5 * f64::from(hours.signum());
        let from = match hours {
            0.. => (self.hour + nudge).floor(),
            _ => (self.hour + nudge).ceil(),
        };
        self.hour = (from + f64::from(hours)).rem_euclid(HOURS_PER_DAY.into());
    }

    /// As a clock shows it, `07:30`.
    pub fn text(&self) -> String {
        clock_text(self.hour())
    }
}

/// An hour as a clock shows it, to the nearest minute.
pub fn clock_text(hour: f32) -> String {
    let minutes = (hour.rem_euclid(HOURS_PER_DAY) * 60.0).round() as u32 % (24 * 60);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// An hour as it is written: `13.5` or `13:30`, from 0 to 24.
pub fn parse_hour(text: &str) -> Result<f32, &'static str> {
    let number = |text: &str| text.parse::<f32>().ok();
    let hour = match text.split_once(':') {
        Some((hours, minutes)) => {
            let is_digits = |text: &str| {
                (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
            };
            let minutes = number(minutes).filter(|it| is_digits(minutes) && *it < 60.0);
            let hours = number(hours).filter(|_| is_digits(hours));
            hours
                .zip(minutes)
                .map(|(hours, minutes)| hours + minutes / 60.0)
        }
        None => number(text),
    };
    hour.filter(|hour| (0.0..=HOURS_PER_DAY).contains(hour))
        .ok_or("write an hour from 0 to 24, as in 13.5 or 13:30")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::FogColor;

    #[test]
    fn a_day_goes_on_as_in_its_game_unless_an_hour_is_requested() {
        let day = |day_secs| DayCycle {
            name: "test".to_owned(),
            hours: Default::default(),
            start_hour: 6.0,
            fog_color: FogColor::OfSky,
            day_secs,
            dome: None,
            painted: None,
        };
        let found = |day_secs, hour| {
            let clock = DayClock::from_day(&day(day_secs), hour);
            (clock.hour(), clock.is_running, clock.speed)
        };
        assert_eq!(found(Some(240.0), None), (6.0, true, 0.1));
        assert_eq!(found(Some(240.0), Some(9.0)), (9.0, false, 0.1));
        assert_eq!(found(None, None), (6.0, false, DEFAULT_SPEED));
    }

    #[test]
    fn a_day_goes_around_at_its_speed() {
        let mut clock = DayClock::at(23.5);
        clock.advance(10.0);
        assert_eq!(clock.hour(), 23.5, "it stands still");
        clock.is_running = true;
        clock.speed = 0.25;
        clock.advance(4.0);
        assert_eq!(clock.hour(), 0.5);
        for _ in 0..96_000 {
            clock.advance(0.001);
        }
        assert!((clock.hour() - 0.5).abs() < 1e-3, "a day in 96 seconds");
    }

    #[test]
    fn steps_go_to_whole_hours_and_around_midnight() {
        for (from, hours, to) in [
            (6.0, 1, 7.0),
            (6.0, -1, 5.0),
            (6.5, 1, 7.0),
            (6.5, -1, 6.0),
            (23.2, 1, 0.0),
            (0.0, -1, 23.0),
        ] {
            let mut clock = DayClock::at(from);
            clock.step(hours);
            assert_eq!(clock.hour(), to, "{hours} from {from}");
        }
    }

    #[test]
    fn an_hour_is_always_one_of_the_day() {
        for (set, hour) in [(24.0, 0.0), (-1.0, 23.0), (30.25, 6.25)] {
            assert_eq!(DayClock::at(set).hour(), hour);
        }
        let mut clock = DayClock::at(0.0);
        clock.is_running = true;
        clock.advance(-1e-9);
        assert!((0.0..24.0).contains(&clock.hour()));
    }

    #[test]
    fn hours_are_written_and_reported_as_on_a_clock() {
        for (text, hour, reported) in [
            ("0", 0.0, "00:00"),
            ("13.5", 13.5, "13:30"),
            ("13:30", 13.5, "13:30"),
            ("7:05", 7.0 + 5.0 / 60.0, "07:05"),
            ("23.9999", 23.9999, "00:00"),
            ("24", 24.0, "00:00"),
        ] {
            assert_eq!(parse_hour(text), Ok(hour), "{text}");
            assert_eq!(clock_text(hour), reported, "{text}");
        }
        for wrong in [
            "", "24.5", "-1", "nan", "noon", "12:60", "12:", ":30", "1e9", "+1:00", "12:3.5",
        ] {
            assert!(parse_hour(wrong).is_err(), "{wrong}");
        }
    }
}
