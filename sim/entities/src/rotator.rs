//! What turns on and on: fans and wheels.

use glam::DVec3;

use crate::Place;
use crate::kind::{Context, Machine, number};

/// Turns around an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotator {
    /// Degrees of pitch, yaw and roll for each degree that it turns.
    pub axis: DVec3,
    /// Degrees per second at full speed.
    pub max_speed: f64,
    /// Degrees per second that its speed changes by in a second; `None` is at once.
    pub acceleration: Option<f64>,
    /// Share of the full speed that it turns with when it is on; below 0 backward.
    pub share: f64,
    /// Whether it is on.
    pub is_on: bool,
    /// Degrees that it has turned.
    pub turned: f64,
    speed: f64,
    stops_at_start: bool,
}

impl Rotator {
    /// At rest.
    pub fn new(axis: DVec3, max_speed: f64) -> Self {
        Self {
            axis,
            max_speed,
            acceleration: None,
            share: 1.0,
            is_on: false,
            turned: 0.0,
            speed: 0.0,
            stops_at_start: false,
        }
    }

    /// Its share of its full speed, from 0 to 1.
    pub fn share_of_speed(&self) -> f64 {
        match self.max_speed == 0.0 {
            true => 0.0,
            false => (self.speed / self.max_speed).abs().min(1.0),
        }
    }

    /// Whether it turns.
    pub(crate) fn is_moving(&self) -> bool {
        self.speed != 0.0
    }

    /// Degrees that it has turned after seconds more; `None` if it does not turn.
    pub(crate) fn after(&mut self, secs: f64) -> Option<f64> {
        let wanted = if self.is_on {
            self.max_speed * self.share
        } else {
            0.0
        };
        let missing = wanted - self.speed;
        self.speed = match self.acceleration {
            Some(acceleration) if missing.abs() > acceleration * secs => {
                self.speed + (acceleration * secs).copysign(missing)
            }
            _ => wanted,
        };
        if self.speed == 0.0 {
            return None;
        }
        let step = self.speed * secs;
        if self.stops_at_start {
            let past = self.turned.rem_euclid(360.0);
            let left = if step > 0.0 { 360.0 - past } else { past };
            if left <= step.abs() || past == 0.0 {
                self.is_on = false;
                self.speed = 0.0;
                self.stops_at_start = false;
                return Some(0.0);
            }
        }
        Some((self.turned + step).rem_euclid(360.0))
    }

    pub(crate) fn place_at(&self, rest: &Place, turned: f64) -> Place {
        Place {
            angles: rest.angles + self.axis * turned,
            ..*rest
        }
    }

    fn turn(&mut self, is_on: bool) {
        self.is_on = is_on;
        self.stops_at_start = false;
    }
}

impl Machine for Rotator {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "Start",
            "Stop",
            "Toggle",
            "Reverse",
            "StartForward",
            "StartBackward",
            "SetSpeed",
            "StopAtStartPos",
        ]
    }

    fn receive(&mut self, input: &str, parameter: &str, _context: &mut Context) {
        match input {
            "Start" => self.turn(true),
            "Stop" => self.turn(false),
            "Toggle" => self.turn(!self.is_on),
            "Reverse" => self.share = -self.share,
            "StartForward" => {
                self.share = self.share.abs();
                self.turn(true);
            }
            "StartBackward" => {
                self.share = -self.share.abs();
                self.turn(true);
            }
            "StopAtStartPos" => self.stops_at_start = true,
            _ => {
                if let Some(share) = number(parameter) {
                    self.share = share.clamp(0.0, 1.0).copysign(self.share);
                    self.turn(share > 0.0);
                }
            }
        }
    }

    fn state(&self) -> String {
        match self.is_on {
            true => "turning".to_owned(),
            false => "still".to_owned(),
        }
    }
}
