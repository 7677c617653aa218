//! How the pitch and the volume of a sound change while it plays: ramps at its beginning and end, and an oscillator.
//!
//! Pitch is in hundredths of that of the recording, volume in hundredths of the full one. What is heard are whole numbers
//! of both, as in the games, which update them five times a second.

/// The highest pitch.
const HIGHEST_PITCH: f64 = 255.0;
/// The pitch of the recording.
const USUAL_PITCH: f64 = 100.0;
const FULL_VOLUME: f64 = 100.0;
/// The largest position of an oscillator, and the one at which it changes nothing.
const LAST_POSITION: f64 = 255.0;
const MIDDLE_POSITION: f64 = 128.0;
/// Ramps count in fractions of this.
const FINE: f64 = 256.0;
/// Updates in a second.
const UPDATES_PER_SEC: f64 = 5.0;
/// The speed that is faster than any.
const SPEEDS: f64 = 101.0;

/// What changes a sound while it plays. Ramps are in hundredths per update.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Modulation {
    /// Pitch that it runs with, `0.0..=255.0`; 0 is that of the recording.
    pub pitch: f64,
    /// Pitch from which it spins up, and at which it ends when it spins down.
    pub start_pitch: f64,
    /// By how much its pitch rises as it begins; 0 = it begins with the pitch that it runs with.
    pub spin_up: f64,
    /// By how much its pitch falls before it ends; 0 = not at all.
    pub spin_down: f64,
    /// Volume that it runs with, `0.0..=100.0`.
    pub volume: f64,
    /// Volume from which it fades in, and at which it ends when it fades out.
    pub start_volume: f64,
    /// By how much its volume rises as it begins; 0 = it begins with the volume that it runs with.
    pub fade_in: f64,
    /// By how much its volume falls before it ends; 0 = not at all.
    pub fade_out: f64,
    /// What sways around these.
    pub oscillator: Option<Oscillator>,
    /// In how many steps calls raise its pitch from the start to the highest, instead of turning it off; 0 = they turn it off.
    pub n_steps: u32,
}

/// Lets pitch and volume sway.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oscillator {
    /// The curve that they follow.
    pub wave: OscillatorWave,
    /// By how much its position changes per update on its way between 0 and 255 and back.
    pub rate: f64,
    /// The most that the pitch sways by, in hundredths of 128; `0.0..=100.0`.
    pub pitch_depth: f64,
    /// The most that the volume sways by, likewise.
    pub volume_depth: f64,
}

/// The curve of an [`Oscillator`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OscillatorWave {
    /// The largest number in the lower half of its way, the smallest in the upper one.
    Square,
    /// Evenly up and down.
    Triangle,
    /// A number of chance from each turn at the upper end on.
    Random,
}

impl Modulation {
    /// A sound of a volume from 0 to 100 with the pitch of its recording, which nothing changes.
    pub fn new(volume: f64) -> Self {
        Self {
            pitch: USUAL_PITCH,
            start_pitch: 0.0,
            spin_up: 0.0,
            spin_down: 0.0,
            volume,
            start_volume: 0.0,
            fade_in: 0.0,
            fade_out: 0.0,
            oscillator: None,
            n_steps: 0,
        }
    }

    /// The ramp of a speed from 1, the slowest, to 100; 0 is none.
    pub fn ramp_of_speed(speed: f64) -> f64 {
        match speed > 0.0 {
            true => (SPEEDS - speed.min(FULL_VOLUME)) / 4.0,
            false => 0.0,
        }
    }

    /// The ramp that changes a volume from full to none in a time; 0 is none.
    pub fn ramp_of_secs(secs: f64) -> f64 {
        match secs > 0.0 {
            true => (FULL_VOLUME * FINE / (secs * UPDATES_PER_SEC)).floor() / FINE,
            false => 0.0,
        }
    }
}

/// What has become of a [`Modulation`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Modulator {
    parameters: Modulation,
    /// What is heard.
    pub pitch: f64,
    pub volume: f64,
    /// Around what the oscillator sways.
    base_pitch: f64,
    base_volume: f64,
    /// The pitch that it spins up to.
    goal_pitch: f64,
    spin: Ramp,
    fade: Ramp,
    /// Steps that calls have raised the pitch by.
    n_calls: u32,
    /// Where the oscillator is, the way that it goes, and the number that it yields.
    position: f64,
    rate: f64,
    swing: f64,
}

/// A number that changes evenly.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ramp {
    at: f64,
    step: f64,
}

/// What an update has made of a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Update {
    /// Nothing changes it any more.
    Settled,
    /// It sounds as before.
    Steady,
    Changed,
    /// It has fallen silent.
    Ended,
}

impl Modulator {
    pub fn new(parameters: Modulation) -> Self {
        let still = Ramp { at: 0.0, step: 0.0 };
        let mut modulator = Self {
            parameters,
            pitch: 0.0,
            volume: 0.0,
            base_pitch: 0.0,
            base_volume: 0.0,
            goal_pitch: parameters.pitch,
            spin: still,
            fade: still,
            n_calls: 0,
            position: 0.0,
            rate: 0.0,
            swing: 0.0,
        };
        modulator.begin();
        modulator
    }

    /// As the sound begins.
    pub fn begin(&mut self) {
        let Modulation {
            start_pitch,
            spin_up,
            volume,
            start_volume,
            fade_in,
            oscillator,
            ..
        } = self.parameters;
        self.base_volume = if fade_in > 0.0 { start_volume } else { volume };
        let pitch = match spin_up > 0.0 {
            true => start_pitch,
            // After calls have raised it, it begins as high.
            false => self.goal_pitch,
        };
        self.base_pitch = if pitch == 0.0 { USUAL_PITCH } else { pitch };
        self.spin = Ramp {
            at: self.base_pitch,
            step: spin_up,
        };
        self.fade = Ramp {
            at: self.base_volume,
            step: fade_in,
        };
        self.position = 0.0;
        self.rate = oscillator.map_or(0.0, |it| it.rate);
        if self.steps_up() {
            self.n_calls = 1;
            self.goal_pitch = self.pitch_of_calls();
        }
        self.show();
    }

    /// Before the sound ends; whether it ends slowly.
    pub fn end(&mut self) -> bool {
        let Modulation {
            spin_down,
            fade_out,
            ..
        } = self.parameters;
        self.spin.step = -spin_down;
        self.fade.step = -fade_out;
        spin_down > 0.0 || fade_out > 0.0
    }

    /// Whether calls raise its pitch instead of turning it off.
    pub fn steps_up(&self) -> bool {
        self.parameters.n_steps > 0
    }

    /// Lets the pitch rise by a step, unless it has risen by all.
    pub fn step_up(&mut self) -> bool {
        let rises = self.n_calls <= self.parameters.n_steps;
        if rises {
            self.n_calls = self.n_calls.saturating_add(1);
            self.goal_pitch = self.pitch_of_calls();
            self.spin.step = self.parameters.spin_up;
        }
        rises
    }

    fn pitch_of_calls(&self) -> f64 {
        let Modulation {
            start_pitch,
            n_steps,
            ..
        } = self.parameters;
        let step = ((HIGHEST_PITCH - start_pitch) / f64::from(n_steps)).trunc();
        (start_pitch + step * f64::from(self.n_calls)).min(HIGHEST_PITCH)
    }

    pub fn set_pitch(&mut self, pitch: f64) {
        self.base_pitch = pitch.trunc().clamp(0.0, HIGHEST_PITCH);
        self.show();
    }

    pub fn set_volume(&mut self, volume: f64) {
        self.base_volume = volume.round().clamp(0.0, FULL_VOLUME);
        self.fade.at = self.base_volume;
        self.show();
    }

    /// Lets the volume change from now on, down for a ramp below 0.
    pub fn ramp_volume(&mut self, ramp: f64) {
        self.fade.step = ramp;
    }

    fn show(&mut self) {
        self.pitch = self.base_pitch;
        self.volume = self.base_volume;
    }

    /// A fifth of a second later.
    pub fn update(&mut self, chance: f64) -> Update {
        let oscillator = self.parameters.oscillator;
        if self.spin.step == 0.0 && self.fade.step == 0.0 && oscillator.is_none() {
            return Update::Settled;
        }
        let (Some(has_spun), Some(has_faded)) = (self.spin(), self.fade()) else {
            return Update::Ended;
        };
        let sway = oscillator.map_or([0.0; 2], |it| self.sway(&it, chance));
        if !has_spun && !has_faded && sway == [0.0; 2] {
            return Update::Steady;
        }
        let [pitch, volume] = sway;
        self.pitch = (self.base_pitch + pitch).clamp(1.0, HIGHEST_PITCH);
        self.volume = (self.base_volume + volume).clamp(0.0, FULL_VOLUME);
        Update::Changed
    }

    /// Lets the pitch rise or fall; whether it has, and `None` where the sound ends with it.
    fn spin(&mut self) -> Option<bool> {
        if self.spin.step == 0.0 {
            return Some(false);
        }
        let before = self.spin.at.floor();
        let pitch = self
            .spin
            .advance(self.parameters.start_pitch, self.goal_pitch)?;
        self.base_pitch = pitch.clamp(1.0, HIGHEST_PITCH);
        Some(self.base_pitch != before)
    }

    /// The same for the volume, which does not fall below 1 before the sound ends: a slow ramp never ends it.
    fn fade(&mut self) -> Option<bool> {
        let Modulation {
            volume,
            start_volume,
            ..
        } = self.parameters;
        if self.fade.step == 0.0 {
            return Some(false);
        }
        let before = self.fade.at.floor();
        let Some(level) = self.fade.advance(start_volume, volume) else {
            self.base_volume = start_volume;
            self.fade.at = start_volume;
            return None;
        };
        self.base_volume = level.clamp(1.0, FULL_VOLUME);
        if self.base_volume != self.fade.at.floor() {
            self.fade.at = self.base_volume;
        }
        Some(self.base_volume != before)
    }

    /// Moves the oscillator; by how much pitch and volume differ from their bases.
    fn sway(&mut self, oscillator: &Oscillator, chance: f64) -> [f64; 2] {
        let Oscillator {
            wave,
            pitch_depth,
            volume_depth,
            ..
        } = *oscillator;
        self.position += self.rate;
        if self.position < 0.0 {
            self.position = 0.0;
            self.rate = self.rate.abs();
        } else if self.position > LAST_POSITION {
            self.position = LAST_POSITION;
            self.rate = -self.rate.abs();
        }
        match wave {
            OscillatorWave::Square if self.position < MIDDLE_POSITION => {
                self.swing = LAST_POSITION;
            }
            OscillatorWave::Square => self.swing = 0.0,
            OscillatorWave::Triangle => self.swing = self.position,
            OscillatorWave::Random if self.position == LAST_POSITION => {
                self.swing = (chance * (LAST_POSITION + 1.0)).floor();
            }
            OscillatorWave::Random => {}
        }
        [pitch_depth, volume_depth]
            .map(|depth| ((self.swing - MIDDLE_POSITION) * depth / 100.0).trunc())
    }
}

impl Ramp {
    /// The next whole number, at most a highest one; `None` below a lowest one, where it has ended.
    fn advance(&mut self, lowest: f64, highest: f64) -> Option<f64> {
        self.at += self.step;
        let mut value = self.at.floor();
        if value > highest {
            value = highest;
            self.step = self.step.min(0.0);
        }
        if value < lowest {
            self.step = self.step.max(0.0);
            return None;
        }
        Some(value)
    }
}
