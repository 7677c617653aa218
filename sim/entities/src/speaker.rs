//! What plays a sound: once when it is called, or again and again while it is on.

use crate::Modulation;
use crate::kind::{Context, Machine, number};
use crate::modulation::{Modulator, Update};

/// Hundredths in one, for volumes and pitches.
const HUNDREDTHS: f64 = 100.0;
/// The lowest factor of pitch.
const LOWEST_RATE: f64 = 0.01;
/// The longest time of fading.
const LONGEST_FADE_SECS: f64 = 100.0;
/// Seconds until a sound that begins or ends is first changed, and between changes.
const FIRST_UPDATE_SECS: f64 = 0.1;
const UPDATE_SECS: f64 = 0.2;

/// Plays a sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Speaker {
    /// Whether it plays until it is stopped.
    pub loops: bool,
    /// Whether it begins with the level.
    begins: bool,
    modulator: Modulator,
    /// Whether it was started and not stopped. What plays once is never on.
    is_on: bool,
    /// Whether its sound may be heard: it ends later than it is stopped if it fades.
    is_heard: bool,
    n_calls: u64,
    called_at: u64,
    updates_at: Option<u64>,
}

/// How a speaker sounds in a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeakerMoment {
    /// Whether it is heard.
    pub is_on: bool,
    /// How often its sound has begun.
    pub n_calls: u64,
    /// The tick in which it last did.
    pub called_at: u64,
    /// From 0 to 1.
    pub volume: f64,
    /// Factor of speed and pitch.
    pub rate: f64,
}

impl Speaker {
    /// The loudest volume of inputs.
    pub const FULL_VOLUME: f64 = 10.0;

    /// A speaker whose sound changes as it plays. One that `begins` does so with the level.
    pub fn new(loops: bool, begins: bool, modulation: Modulation) -> Self {
        Self {
            loops,
            begins,
            modulator: Modulator::new(modulation),
            is_on: false,
            is_heard: false,
            n_calls: 0,
            called_at: 0,
            updates_at: None,
        }
    }

    /// How it sounds now.
    pub fn moment(&self) -> SpeakerMoment {
        SpeakerMoment {
            is_on: self.is_heard,
            n_calls: self.n_calls,
            called_at: self.called_at,
            volume: self.modulator.volume / HUNDREDTHS,
            rate: (self.modulator.pitch / HUNDREDTHS).max(LOWEST_RATE),
        }
    }

    fn play(&mut self, context: &Context) {
        self.is_on = self.loops;
        self.modulator.begin();
        self.call(context);
        self.update_after(FIRST_UPDATE_SECS, context);
    }

    fn call(&mut self, context: &Context) {
        self.is_heard = true;
        self.called_at = context.tick;
        self.n_calls = self.n_calls.saturating_add(1);
    }

    /// What has changed is heard, even if nothing was before.
    fn change(&mut self, context: &Context) {
        if !self.is_heard {
            self.call(context);
        }
    }

    fn update_after(&mut self, secs: f64, context: &Context) {
        self.updates_at = Some(context.nearest_tick_after(secs));
    }

    fn toggle(&mut self, context: &Context) {
        if !self.is_on {
            return self.play(context);
        }
        if self.modulator.steps_up() {
            if self.modulator.step_up() {
                self.update_after(FIRST_UPDATE_SECS, context);
            }
            return;
        }
        self.is_on = false;
        if self.modulator.end() {
            self.update_after(FIRST_UPDATE_SECS, context);
        } else {
            self.is_heard = false;
        }
    }

    /// Fades from now on. Times are whole seconds; without one the volume stays.
    fn fade(&mut self, secs: f64, sign: f64, context: &Context) {
        let secs = secs.clamp(0.0, LONGEST_FADE_SECS).trunc();
        let ramp = sign * Modulation::ramp_of_secs(secs);
        self.modulator.ramp_volume(ramp);
        self.update_after(FIRST_UPDATE_SECS, context);
    }
}

impl Machine for Speaker {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "PlaySound",
            "StopSound",
            "ToggleSound",
            "Volume",
            "Pitch",
            "FadeIn",
            "FadeOut",
        ]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        let amount = number(parameter).unwrap_or(0.0);
        match input {
            "PlaySound" if !self.is_on => self.play(context),
            "StopSound" if self.is_on => self.toggle(context),
            "PlaySound" | "StopSound" => {}
            "ToggleSound" => self.toggle(context),
            "Volume" => {
                self.modulator
                    .set_volume(amount / Self::FULL_VOLUME * HUNDREDTHS);
                self.change(context);
            }
            "Pitch" => {
                self.modulator.set_pitch(amount);
                self.change(context);
            }
            "FadeIn" => self.fade(amount, 1.0, context),
            _ => self.fade(amount, -1.0, context),
        }
    }

    fn start(&mut self, context: &mut Context) {
        if self.begins && self.loops {
            self.begins = false;
            self.is_on = true;
            if self.modulator.volume > 0.0 {
                self.call(context);
            }
            self.update_after(FIRST_UPDATE_SECS, context);
        }
    }

    fn think(&mut self, context: &mut Context) {
        if std::mem::take(&mut self.begins) {
            self.play(context);
        }
        let is_due = self.updates_at.take_if(|it| *it <= context.tick).is_some();
        if !is_due {
            return;
        }
        match self.modulator.update(context.chance) {
            Update::Settled => return,
            Update::Ended => {
                self.is_heard = false;
                return;
            }
            Update::Changed => self.change(context),
            Update::Steady => {}
        }
        self.update_after(UPDATE_SECS, context);
    }

    fn state(&self) -> String {
        match (self.loops, self.is_on, self.is_heard) {
            (true, true, _) => "plays".to_owned(),
            (true, false, true) => "ends".to_owned(),
            (true, false, false) => "silent".to_owned(),
            (false, ..) => format!("played {} times", self.n_calls),
        }
    }
}
