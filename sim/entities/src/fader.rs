//! What fades in and out as it is switched.

use crate::kind::{Context, Machine, number};

/// Comes and goes over some time.
#[derive(Debug, Clone, PartialEq)]
pub struct Fader {
    /// How much of it there is when it is there, from 0 to 1.
    full: f64,
    /// Seconds in which it comes, and in which it goes.
    pub fade_secs: [f64; 2],
    is_on: bool,
    /// How much of it there was when an input last changed it, and in which tick.
    since: (f64, u64),
}

impl Fader {
    /// On or off, and its amount while it is on, from 0 to 1.
    pub fn new(is_on: bool, full: f64) -> Self {
        let full = full.clamp(0.0, 1.0);
        Self {
            full,
            fade_secs: [0.0; 2],
            is_on,
            since: (if is_on { full } else { 0.0 }, 0),
        }
    }

    /// How much of it there is in a tick.
    pub fn amount(&self, tick: u64, tick_secs: f64) -> f64 {
        let [in_secs, out_secs] = self.fade_secs;
        let (goal, secs) = match self.is_on {
            true => (self.full, in_secs),
            false => (0.0, out_secs),
        };
        let (from, since) = self.since;
        // All of the way takes the time, part of it a part.
        let passed = tick.saturating_sub(since) as f64 * tick_secs;
        let step = if secs > 0.0 {
            self.full * passed / secs
        } else {
            f64::INFINITY
        };
        from + (goal - from).clamp(-step, step)
    }
}

impl Machine for Fader {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "Enable",
            "Disable",
            "SetFadeInDuration",
            "SetFadeOutDuration",
        ]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        let secs = number(parameter).unwrap_or(0.0).max(0.0);
        // The way to the new goal begins here.
        self.since = (self.amount(context.tick, context.tick_secs), context.tick);
        let [in_secs, out_secs] = &mut self.fade_secs;
        match input {
            "SetFadeInDuration" => *in_secs = secs,
            "SetFadeOutDuration" => *out_secs = secs,
            _ => self.is_on = input == "Enable",
        }
    }

    fn state(&self) -> String {
        match self.is_on {
            true => "on".to_owned(),
            false => "off".to_owned(),
        }
    }
}
