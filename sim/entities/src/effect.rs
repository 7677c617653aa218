//! Particle systems that are started and stopped.

use crate::kind::{Context, Machine};

/// Something that particles come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    state: State,
}

/// In ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Off,
    On { since: u64 },
    Stopped { since: u64, at: u64 },
}

/// Since when an effect has been there, in seconds since the level began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EffectMoment {
    /// When it was started.
    pub since_secs: f64,
    /// When it was stopped, after which no particles are born; infinite while it is on.
    pub until_secs: f64,
}

impl Effect {
    /// One that begins with the level, or is off.
    pub fn new(begins: bool) -> Self {
        let state = match begins {
            true => State::On { since: 0 },
            false => State::Off,
        };
        Self { state }
    }

    /// Since when it has been there; `None` while it is off.
    pub fn moment(&self, tick_secs: f64) -> Option<EffectMoment> {
        let secs = |tick: u64| tick as f64 * tick_secs;
        let (since, until_secs) = match self.state {
            State::Off => return None,
            State::On { since } => (since, f64::INFINITY),
            State::Stopped { since, at } => (since, secs(at)),
        };
        Some(EffectMoment {
            since_secs: secs(since),
            until_secs,
        })
    }
}

impl Machine for Effect {
    fn inputs(&self) -> &'static [&'static str] {
        &["Start", "Stop", "DestroyImmediately"]
    }

    fn receive(&mut self, input: &str, _: &str, context: &mut Context) {
        let tick = context.tick;
        self.state = match (input, self.state) {
            ("Start", State::On { since }) => State::On { since },
            ("Start", _) => State::On { since: tick },
            // Particles that are there live on.
            ("Stop", State::On { since }) => State::Stopped { since, at: tick },
            ("Stop", other) => other,
            _ => State::Off,
        };
    }

    fn state(&self) -> String {
        let state = match self.state {
            State::Off => "off",
            State::On { .. } => "on",
            State::Stopped { .. } => "stopped",
        };
        state.to_owned()
    }
}
