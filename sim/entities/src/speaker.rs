//! What plays a sound: once when it is called, or again and again while it is on.

use crate::kind::{Context, Machine, number};

/// The usual pitch of inputs.
const USUAL_PITCH: f64 = 100.0;
const HIGHEST_PITCH: f64 = 255.0;
/// The lowest factor of pitch.
const LOWEST_RATE: f64 = 0.01;
/// The longest time of fading.
const LONGEST_FADE_SECS: f64 = 100.0;

/// Plays a sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Speaker {
    /// Whether it plays until it is stopped.
    pub loops: bool,
    /// Its usual volume, from 0 to 1.
    pub volume: f64,
    /// Seconds in which it reaches that volume when it begins.
    pub fade_in_secs: f64,
    /// Seconds in which it falls silent before it stops.
    pub fade_out_secs: f64,
    is_on: bool,
    /// Whether it begins with the level.
    begins: bool,
    n_calls: u64,
    fade: Fade,
    /// Factor of speed and pitch.
    pub rate: f64,
    /// When it stops.
    stops_tick: Option<u64>,
}

/// A volume that changes evenly.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Fade {
    from: f64,
    to: f64,
    since: u64,
    secs: f64,
}

/// How a speaker sounds in a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpeakerMoment {
    /// Whether it plays, if it loops.
    pub is_on: bool,
    /// How often it was called to begin.
    pub n_calls: u64,
    /// From 0 to 1.
    pub volume: f64,
    /// Factor of speed and pitch.
    pub rate: f64,
}

impl Speaker {
    /// The loudest volume of inputs.
    pub const FULL_VOLUME: f64 = 10.0;

    /// The factor of speed for a pitch in hundredths.
    pub fn rate_of(pitch: f64) -> f64 {
        (pitch.clamp(0.0, HIGHEST_PITCH) / USUAL_PITCH).max(LOWEST_RATE)
    }

    /// A speaker of a volume from 0 to 1. One that `begins` does so with the level.
    pub fn new(loops: bool, begins: bool, volume: f64) -> Self {
        Self {
            loops,
            volume,
            fade_in_secs: 0.0,
            fade_out_secs: 0.0,
            is_on: false,
            begins,
            n_calls: 0,
            fade: Fade::steady(volume),
            rate: 1.0,
            stops_tick: None,
        }
    }

    /// How it sounds in a tick.
    pub fn moment(&self, tick: u64, tick_secs: f64) -> SpeakerMoment {
        SpeakerMoment {
            is_on: self.is_on,
            n_calls: self.n_calls,
            volume: self.fade.at(tick, tick_secs),
            rate: self.rate,
        }
    }

    fn play(&mut self, context: &Context) {
        self.is_on = true;
        self.n_calls = self.n_calls.saturating_add(1);
        self.stops_tick = None;
        self.fade = Fade {
            from: 0.0,
            to: self.volume,
            since: context.tick,
            secs: self.fade_in_secs,
        };
    }

    /// What plays once continues to its end.
    fn stop(&mut self, context: &Context) {
        if self.loops && self.is_on {
            self.fade_to(0.0, self.fade_out_secs, context);
            self.stops_tick = Some(context.tick_after(self.fade_out_secs));
        }
    }

    fn fade_to(&mut self, to: f64, secs: f64, context: &Context) {
        self.fade = Fade {
            from: self.fade.at(context.tick, context.tick_secs),
            to,
            since: context.tick,
            secs,
        };
    }
}

impl Fade {
    fn steady(volume: f64) -> Self {
        Self {
            from: volume,
            to: volume,
            since: 0,
            secs: 0.0,
        }
    }

    fn at(&self, tick: u64, tick_secs: f64) -> f64 {
        let passed = tick.saturating_sub(self.since) as f64 * tick_secs;
        match passed < self.secs {
            true => self.from + (self.to - self.from) * passed / self.secs,
            false => self.to,
        }
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
        let fade_secs = amount.clamp(0.0, LONGEST_FADE_SECS);
        let is_playing = self.loops && self.is_on && self.stops_tick.is_none();
        match input {
            "PlaySound" if !is_playing => self.play(context),
            "PlaySound" => {}
            "StopSound" => self.stop(context),
            "ToggleSound" if is_playing => self.stop(context),
            "ToggleSound" => self.play(context),
            "Volume" => {
                self.volume = (amount / Self::FULL_VOLUME).clamp(0.0, 1.0);
                self.fade = Fade::steady(self.volume);
            }
            "Pitch" => self.rate = Self::rate_of(amount),
            "FadeIn" => self.fade_to(self.volume, fade_secs, context),
            _ => self.fade_to(0.0, fade_secs, context),
        }
    }

    fn start(&mut self, context: &mut Context) {
        if self.begins && self.loops {
            self.begins = false;
            self.play(context);
        }
    }

    fn think(&mut self, context: &mut Context) {
        if std::mem::take(&mut self.begins) {
            self.play(context);
        }
        if self.stops_tick.take_if(|it| *it <= context.tick).is_some() {
            self.is_on = false;
        }
    }

    fn state(&self) -> String {
        match (self.loops, self.is_on) {
            (true, true) => "plays".to_owned(),
            (true, false) => "silent".to_owned(),
            (false, _) => format!("played {} times", self.n_calls),
        }
    }
}
