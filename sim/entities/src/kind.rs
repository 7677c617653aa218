//! The kinds of entities, and what all of them have in common.

use glam::DVec3;

use crate::{
    Activator, Animator, AutoStart, Branch, Breakable, Button, Case, Compare, Counter, Door,
    Effect, Fader, Gate, Relay, Rotator, Settings, Speaker, Switch, SwitchedLight, Timer, Track,
    Train, Trigger,
};

/// What an entity does.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Nothing but to be named, carried and removed.
    Other,
    /// Opens and closes, straight or around a hinge.
    Door(Door),
    /// Is pressed.
    Button(Button),
    /// Turns on and on.
    Rotator(Rotator),
    /// Runs along a track.
    Train(Train),
    /// A place on a track.
    Track(Track),
    /// Notices a walker.
    Trigger(Trigger),
    /// Breaks.
    Breakable(Breakable),
    /// Is there or not.
    Switch(Switch),
    /// A model that plays sequences.
    Animator(Animator),
    /// A lamp with a style of its own.
    Light(SwitchedLight),
    /// Plays a sound.
    Speaker(Speaker),
    /// Lets particles out.
    Effect(Effect),
    /// Comes and goes over some time.
    Fader(Fader),
    /// Is open or closed.
    Gate(Gate),
    /// Remembers what it was sent.
    Settings(Settings),
    /// Passes on that it was triggered.
    Relay(Relay),
    /// Counts.
    Counter(Counter),
    /// Fires again and again.
    Timer(Timer),
    /// Is true or false.
    Branch(Branch),
    /// Chooses one of several outputs.
    Case(Case),
    /// Compares two numbers.
    Compare(Compare),
    /// Fires when the level begins.
    Auto(AutoStart),
}

/// What a machine may look at, and what it does.
#[derive(Debug)]
pub(crate) struct Context {
    /// The tick that runs.
    pub tick: u64,
    pub tick_secs: f64,
    pub activator: Activator,
    /// Where the walker is and looks, if there is one.
    pub body: Option<[DVec3; 2]>,
    /// Where the entity is in the world.
    pub position: DVec3,
    /// A number of chance, `0.0..1.0`.
    pub chance: f64,
    /// Outputs that fire, with their values.
    pub fired: Vec<(String, String)>,
    pub wishes: Vec<Wish>,
}

/// What a machine wants of the simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// To be removed.
    Remove,
    /// To take back what it has sent.
    CancelPending,
    /// To stop bodies, or not.
    Solid(bool),
    /// To be drawn, or not.
    Shown(bool),
}

impl Context {
    pub fn fire(&mut self, output: &str) {
        self.fire_value(output, String::new());
    }

    pub fn fire_value(&mut self, output: &str, value: String) {
        self.fired.push((output.to_owned(), value));
    }

    pub fn wish(&mut self, wish: Wish) {
        self.wishes.push(wish);
    }

    /// The first tick at least seconds from now.
    pub fn tick_after(&self, secs: f64) -> u64 {
        self.tick.saturating_add(ticks_of(secs, self.tick_secs))
    }

    /// The tick nearest to seconds from now, but not this one.
    pub fn nearest_tick_after(&self, secs: f64) -> u64 {
        // The cast saturates.
        let n_ticks = (secs / self.tick_secs).round() as u64;
        self.tick.saturating_add(n_ticks.max(1))
    }

    /// When something ends that waits for seconds; never where they are below 0.
    pub fn tick_after_wait(&self, secs: f64) -> Option<u64> {
        (secs >= 0.0).then(|| self.tick_after(secs))
    }
}

/// Whole ticks that cover a time.
pub(crate) fn ticks_of(secs: f64, tick_secs: f64) -> u64 {
    // Quotients of times that are whole ticks may be off by rounding. The cast saturates.
    (secs / tick_secs - 1e-6).ceil().max(0.0) as u64
}

/// A number of a parameter; `None` for what is none.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|it: &f64| it.is_finite())
}

/// A number as text: whole ones without a point.
pub(crate) fn text_of(number: f64) -> String {
    number.to_string()
}

/// What all kinds can do. Defaults do nothing.
pub(crate) trait Machine {
    /// The inputs that it knows, beside those of all entities.
    fn inputs(&self) -> &'static [&'static str];

    /// Takes one of these inputs, as they are written there.
    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context);

    /// When the level begins.
    fn start(&mut self, _context: &mut Context) {}

    /// In every tick, after it has moved.
    fn think(&mut self, _context: &mut Context) {}

    /// When a walker uses it; whether it can be used at all.
    fn on_use(&mut self, _context: &mut Context) -> bool {
        false
    }

    /// When a walker touches it.
    fn on_touch(&mut self, _context: &mut Context) {}

    /// When a walker stands on it.
    fn on_stand(&mut self, _context: &mut Context) {}

    /// What it is doing, in a few words; empty where there is nothing to say.
    fn state(&self) -> String {
        String::new()
    }
}

/// The inputs of an entity that does nothing.
struct Inert;

impl Machine for Inert {
    fn inputs(&self) -> &'static [&'static str] {
        &[]
    }

    fn receive(&mut self, _input: &str, _parameter: &str, _context: &mut Context) {}
}

/// What a kind holds, shared or to change as the kind is; `$other` for a kind that holds nothing.
macro_rules! machine_in {
    ($kind:expr, $other:expr) => {
        match $kind {
            Self::Other => $other,
            Self::Door(it) => it,
            Self::Button(it) => it,
            Self::Rotator(it) => it,
            Self::Train(it) => it,
            Self::Track(it) => it,
            Self::Trigger(it) => it,
            Self::Breakable(it) => it,
            Self::Switch(it) => it,
            Self::Animator(it) => it,
            Self::Light(it) => it,
            Self::Speaker(it) => it,
            Self::Effect(it) => it,
            Self::Fader(it) => it,
            Self::Gate(it) => it,
            Self::Settings(it) => it,
            Self::Relay(it) => it,
            Self::Counter(it) => it,
            Self::Timer(it) => it,
            Self::Branch(it) => it,
            Self::Case(it) => it,
            Self::Compare(it) => it,
            Self::Auto(it) => it,
        }
    };
}

impl Kind {
    pub(crate) fn machine(&self) -> &dyn Machine {
        machine_in!(self, &Inert)
    }

    pub(crate) fn machine_mut(&mut self) -> Option<&mut dyn Machine> {
        Some(machine_in!(self, return None))
    }

    /// The inputs that it knows, beside those of all entities.
    pub fn inputs(&self) -> &'static [&'static str] {
        self.machine().inputs()
    }

    /// What it is doing, in a few words; empty where there is nothing to say.
    pub fn state(&self) -> String {
        self.machine().state()
    }

    /// Whether it is moving.
    pub fn is_moving(&self) -> bool {
        match self {
            Self::Door(door) => door.is_moving(),
            Self::Rotator(rotator) => rotator.is_moving(),
            Self::Train(train) => train.is_moving(),
            _ => false,
        }
    }

    /// Whether it is a door that is closed.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Door(door) if door.is_closed())
    }

    /// Whether it may be elsewhere than at rest.
    pub fn moves(&self) -> bool {
        matches!(
            self,
            Self::Door(_) | Self::Button(_) | Self::Rotator(_) | Self::Train(_)
        )
    }
}
