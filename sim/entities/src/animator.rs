//! Models that play sequences.

use std::sync::Arc;

use crate::Switch;
use crate::kind::{Context, Machine, number};

/// The shortest time that a sequence takes, as one of a single frame does.
const SHORTEST_SECS: f64 = 0.1;
/// The highest factor of speed.
const HIGHEST_RATE: f64 = 100.0;

/// A sequence that a model can play.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// Its name, by which inputs know it; upper and lower case are the same.
    pub name: String,
    /// From its first frame to its last, in seconds.
    pub length_secs: f64,
    /// Whether it starts again at its end.
    pub loops: bool,
}

/// Chooses another sequence by chance from time to time.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomClips {
    /// Sequences to choose from.
    pub clips: Vec<usize>,
    /// The least and most seconds between two choices.
    pub between_secs: [f64; 2],
    /// When the next one is chosen; `None` is at once.
    next_tick: Option<u64>,
}

impl RandomClips {
    /// Sequences to choose from, the first one at once; `None` if there are none.
    pub fn new(clips: Vec<usize>, between_secs: [f64; 2]) -> Option<Self> {
        (!clips.is_empty()).then_some(Self {
            clips,
            between_secs: between_secs.map(|it| it.max(SHORTEST_SECS)),
            next_tick: None,
        })
    }
}

/// Plays sequences of a model, and is there or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Animator {
    /// All sequences of the model.
    pub clips: Arc<[Clip]>,
    /// Whether it is there.
    pub switch: Switch,
    /// What it plays when nothing else is to be played.
    pub default: Option<usize>,
    /// Whether it stays as it is at the end of a sequence that does not loop, in place of playing the default one.
    pub holds: bool,
    /// What it plays in place of the default one.
    pub random: Option<RandomClips>,
    /// The sequence that is shown.
    shown: usize,
    is_playing: bool,
    /// Factor of speed; below 0 backward.
    rate: f64,
    /// Where in the sequence it was in a tick.
    since: (u64, f64),
}

impl Animator {
    /// A model that shows the first frame of a sequence and plays nothing.
    pub fn new(clips: Arc<[Clip]>, shown: usize, switch: Switch) -> Self {
        Self {
            clips,
            switch,
            default: None,
            holds: false,
            random: None,
            shown,
            is_playing: false,
            rate: 1.0,
            since: (0, 0.0),
        }
    }

    /// The sequence that is shown in a tick, and where in it, in seconds from its beginning.
    pub fn moment(&self, tick: u64, tick_secs: f64) -> (usize, f64) {
        let secs = self.secs_at(tick, tick_secs);
        let clip = self.clips.get(self.shown);
        let secs = match clip {
            Some(clip) if clip.loops && clip.length_secs > 0.0 => secs.rem_euclid(clip.length_secs),
            Some(clip) => secs.clamp(0.0, clip.length_secs.max(0.0)),
            None => 0.0,
        };
        (self.shown, secs)
    }

    /// Time that it has played, which continues at the end of a sequence.
    fn secs_at(&self, tick: u64, tick_secs: f64) -> f64 {
        let (since, secs) = self.since;
        match self.is_playing {
            true => secs + self.rate * tick.saturating_sub(since) as f64 * tick_secs,
            false => secs,
        }
    }

    fn clip_named(&self, name: &str) -> Option<usize> {
        let name = name.trim();
        let mut clips = self.clips.iter();
        clips.position(|it| it.name.eq_ignore_ascii_case(name))
    }

    fn play(&mut self, clip: usize, context: &mut Context) {
        let length_secs = self.clips.get(clip).map_or(0.0, |it| it.length_secs);
        let start = if self.rate < 0.0 { length_secs } else { 0.0 };
        self.shown = clip;
        self.is_playing = true;
        self.since = (context.tick, start);
        context.fire("OnAnimationBegun");
    }

    /// Whether it came to an end that it does not go on from by itself.
    fn has_ended(&self, context: &Context) -> bool {
        let Some(clip) = self.clips.get(self.shown).filter(|it| !it.loops) else {
            return false;
        };
        let secs = self.secs_at(context.tick, context.tick_secs);
        let shortfall = (SHORTEST_SECS - clip.length_secs).max(0.0);
        // Times that are whole ticks may be off by rounding.
        self.is_playing
            && (self.rate > 0.0 && secs >= clip.length_secs + shortfall - 1e-6
                || self.rate < 0.0 && secs <= 1e-6 - shortfall)
    }

    fn choose(&mut self, context: &mut Context) {
        let Some(random) = &mut self.random else {
            return;
        };
        if random.next_tick.is_some_and(|next| context.tick < next) {
            return;
        }
        // One number of chance: which of them by its whole part, when again by the rest.
        let pick = context.chance * random.clips.len() as f64;
        let [least, most] = random.between_secs;
        random.next_tick = Some(context.tick_after(least + (most - least) * pick.fract()));
        // The cast saturates.
        if let Some(&clip) = random.clips.get(pick as usize) {
            self.play(clip, context);
        }
    }
}

impl Machine for Animator {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "SetAnimation",
            "SetAnimationNoReset",
            "SetDefaultAnimation",
            "SetPlaybackRate",
            "Enable",
            "Disable",
            "Toggle",
            "TurnOn",
            "TurnOff",
            "EnableDraw",
            "DisableDraw",
        ]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        let named = self.clip_named(parameter);
        match input {
            "SetAnimation" => {
                if let Some(clip) = named {
                    self.play(clip, context);
                }
            }
            "SetAnimationNoReset" => {
                if let Some(clip) = named.filter(|&it| !self.is_playing || it != self.shown) {
                    self.play(clip, context);
                }
            }
            "SetDefaultAnimation" => self.default = named,
            "SetPlaybackRate" => {
                self.since = (context.tick, self.moment(context.tick, context.tick_secs).1);
                let rate = number(parameter).unwrap_or(1.0);
                self.rate = rate.clamp(-HIGHEST_RATE, HIGHEST_RATE);
            }
            _ => self.switch.receive(input, parameter, context),
        }
    }

    fn start(&mut self, context: &mut Context) {
        self.switch.start(context);
        match self.default {
            _ if self.random.is_some() => self.choose(context),
            Some(clip) => self.play(clip, context),
            None => {}
        }
    }

    fn think(&mut self, context: &mut Context) {
        self.choose(context);
        if !self.has_ended(context) {
            return;
        }
        self.since = (context.tick, self.moment(context.tick, context.tick_secs).1);
        self.is_playing = false;
        context.fire("OnAnimationDone");
        if let Some(clip) = self
            .default
            .filter(|_| !self.holds && self.random.is_none())
        {
            self.play(clip, context);
        }
    }

    fn state(&self) -> String {
        let name = self.clips.get(self.shown).map_or("", |it| &it.name);
        match (self.switch.is_on, self.is_playing) {
            (false, _) => self.switch.state(),
            (true, true) => format!("plays {name}"),
            (true, false) => format!("shows {name}"),
        }
    }
}
