//! Trains and the tracks that they run along.

use glam::DVec3;

use crate::kind::{Context, Machine, number};
use crate::place::angles_along;
use crate::{Entity, Kind, Place};

/// Most nodes that a train passes in one tick.
const MAX_NODES: usize = 32;

/// A node of a track; its place is that of its entity.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Track {
    /// The nodes after it: on its way, and on the other one of a fork.
    pub next: [Option<usize>; 2],
    /// The node before it.
    pub previous: Option<usize>,
    /// Whether trains take the other way.
    pub takes_other: bool,
    /// Whether trains stop before it.
    pub is_disabled: bool,
    /// Speed that trains have from here on, in units per second; 0 = as before.
    pub speed: f64,
    /// Seconds that trains wait here; below 0 until they are started.
    pub wait_secs: f64,
    /// Whether trains are put on the node after it at once.
    pub leaps: bool,
    /// Whether it fires only once.
    pub is_once: bool,
}

impl Track {
    fn after(&self) -> Option<usize> {
        let [own, other] = self.next;
        other.filter(|_| self.takes_other).or(own)
    }
}

impl Machine for Track {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "EnablePath",
            "DisablePath",
            "TogglePath",
            "EnableAlternatePath",
            "DisableAlternatePath",
            "ToggleAlternatePath",
        ]
    }

    fn receive(&mut self, input: &str, _parameter: &str, _context: &mut Context) {
        match input {
            "EnablePath" => self.is_disabled = false,
            "DisablePath" => self.is_disabled = true,
            "TogglePath" => self.is_disabled = !self.is_disabled,
            "EnableAlternatePath" => self.takes_other = true,
            "DisableAlternatePath" => self.takes_other = false,
            _ => self.takes_other = !self.takes_other,
        }
    }
}

/// Runs along a track.
#[derive(Debug, Clone, PartialEq)]
pub struct Train {
    /// The node that it starts at, by its index; `None` = it never moves.
    pub first: Option<usize>,
    /// Its origin, relative to the track.
    pub offset: DVec3,
    /// Speed at which it is started, in units per second.
    pub max_speed: f64,
    /// Units per second; 0 = it stands.
    pub speed: f64,
    /// Whether it runs forward along the track.
    pub is_forward: bool,
    /// Distance between its wheels, by which it is turned along the track; `None` = it never turns.
    pub wheels: Option<f64>,
    /// Whether it only turns level.
    pub is_level: bool,
    /// Speed at which it is heard as a fast one; `None` is that at which it is started.
    pub fast: Option<f64>,
    /// Seconds between calls while it runs: slowly, and as a fast one. `None` without any.
    pub call_secs: Option<[f64; 2]>,
    /// The node that it is beyond, along the track.
    node: Option<usize>,
    /// How far beyond.
    beyond: f64,
    waits_until: Option<u64>,
    is_waiting: bool,
    calls_at: Option<u64>,
    n_calls: u64,
}

/// A step of a train.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct TrainStep {
    pub place: Place,
    /// Nodes that it passes, in order.
    pub passed: Vec<usize>,
    node: Option<usize>,
    beyond: f64,
    speed: f64,
    /// Seconds for which it waits at the last node that it passes.
    wait_secs: Option<f64>,
    has_ended: bool,
}

impl Train {
    /// A train at the first node of a track.
    pub fn new(first: Option<usize>, max_speed: f64) -> Self {
        Self {
            first,
            offset: DVec3::ZERO,
            max_speed,
            speed: 0.0,
            is_forward: true,
            wheels: None,
            is_level: false,
            fast: None,
            call_secs: None,
            node: first,
            beyond: 0.0,
            waits_until: None,
            is_waiting: false,
            calls_at: None,
            n_calls: 0,
        }
    }

    /// Where it stands when the level begins; `None` without a track.
    pub fn first_place(&self, entities: &[Entity], rest: &Place) -> Option<Place> {
        self.first?;
        Some(self.place_of(entities, rest, self.node, self.beyond))
    }

    /// Its share of the speed of a fast one, from 0 to 1.
    pub fn share_of_speed(&self) -> f64 {
        let fast = self.fast.unwrap_or(self.max_speed);
        match fast > 0.0 {
            true => (self.speed.abs() / fast).min(1.0),
            false => 0.0,
        }
    }

    /// How often it has called.
    pub fn n_calls(&self) -> u64 {
        self.n_calls
    }

    /// Its next step; `None` if it stands.
    pub(crate) fn step(
        &self,
        entities: &[Entity],
        place: &Place,
        tick: u64,
        secs: f64,
    ) -> Option<TrainStep> {
        let is_waiting = self.is_waiting && self.waits_until.is_none_or(|until| tick < until);
        if self.speed == 0.0 || is_waiting || self.node.is_none() {
            return None;
        }
        let mut step = TrainStep {
            node: self.node,
            beyond: self.beyond,
            speed: self.speed,
            ..TrainStep::default()
        };
        let mut left = self.speed * secs;
        while step.passed.len() < MAX_NODES && left > 0.0 && !step.has_ended {
            left = match self.is_forward {
                true => step.go_on(entities, left),
                false => step.go_back(entities, left),
            };
        }
        step.place = self.place_of(entities, place, step.node, step.beyond);
        Some(step)
    }

    pub(crate) fn take(&mut self, step: &TrainStep, context: &mut Context) {
        self.node = step.node;
        self.beyond = step.beyond;
        self.speed = step.speed;
        self.is_waiting = false;
        if let Some(secs) = step.wait_secs {
            self.is_waiting = true;
            self.waits_until = context.tick_after_wait(secs);
        }
        if step.has_ended {
            self.speed = 0.0;
        }
    }

    fn place_of(
        &self,
        entities: &[Entity],
        place: &Place,
        node: Option<usize>,
        beyond: f64,
    ) -> Place {
        let on_track = |beyond: f64| point_on(entities, node, beyond);
        let angles = self.wheels.and_then(|wheels| {
            let ahead = on_track(beyond + wheels.max(1.0)) - on_track(beyond);
            // At the end of the track it stays as it came.
            (ahead.length_squared() > 1e-6).then(|| angles_along(ahead))
        });
        let angles = angles.map(|angles| match self.is_level {
            true => angles.with_x(0.0),
            false => angles,
        });
        Place {
            origin: on_track(beyond) + self.offset,
            angles: angles.unwrap_or(place.angles),
        }
    }

    /// Whether it runs.
    pub(crate) fn is_moving(&self) -> bool {
        self.speed != 0.0 && !self.is_waiting
    }

    fn start(&mut self, speed: f64) {
        self.speed = speed;
        self.is_waiting = false;
    }

    fn run(&mut self, is_forward: bool) {
        self.is_forward = is_forward;
        self.start(self.max_speed);
    }

    /// Puts it on a node.
    pub(crate) fn put_on(&mut self, node: usize) {
        self.node = Some(node);
        self.beyond = 0.0;
    }
}

impl TrainStep {
    /// Continues by at most a length; returns what is left of it.
    fn go_on(&mut self, entities: &[Entity], length: f64) -> f64 {
        let next = self.node.and_then(|node| track(entities, node)?.after());
        let next = next.and_then(|next| Some((next, track(entities, next)?)));
        let Some((next, track)) = next.filter(|(_, track)| !track.is_disabled) else {
            self.has_ended = true;
            return 0.0;
        };
        let whole = leg(entities, self.node, Some(next)).length();
        let to_next = whole - self.beyond;
        // Rounding must not leave a last step of nothing.
        if length < to_next * (1.0 - 1e-9) {
            self.beyond += length;
            return 0.0;
        }
        let leap = track.after().filter(|_| track.leaps);
        self.node = leap.or(Some(next));
        self.beyond = 0.0;
        self.pass(next, track);
        match self.wait_secs {
            Some(_) => 0.0,
            None => length - to_next,
        }
    }

    fn go_back(&mut self, entities: &[Entity], length: f64) -> f64 {
        if length < self.beyond {
            self.beyond -= length;
            return 0.0;
        }
        let left = length - self.beyond;
        if self.beyond > 0.0
            && let Some((node, track)) = self.node.and_then(|it| Some((it, track(entities, it)?)))
        {
            self.beyond = 0.0;
            self.pass(node, track);
            return left;
        }
        self.beyond = 0.0;
        let previous = self.node.and_then(|node| track(entities, node)?.previous);
        let Some(previous) =
            previous.filter(|it| track(entities, *it).is_some_and(|it| !it.is_disabled))
        else {
            self.has_ended = true;
            return 0.0;
        };
        self.beyond = leg(entities, Some(previous), self.node).length();
        self.node = Some(previous);
        if self.beyond == 0.0 {
            self.passed.push(previous);
        }
        left
    }

    fn pass(&mut self, node: usize, track: &Track) {
        self.passed.push(node);
        if track.speed > 0.0 {
            self.speed = track.speed;
        }
        if track.wait_secs != 0.0 {
            self.wait_secs = Some(track.wait_secs);
        }
    }
}

impl Machine for Train {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "StartForward",
            "StartBackward",
            "Start",
            "Stop",
            "Resume",
            "Reverse",
            "Toggle",
            "SetSpeed",
            "SetSpeedReal",
            "SetSpeedDir",
            "SetMaxSpeed",
            "TeleportToPathTrack",
            "TeleportToPathNode",
        ]
    }

    fn receive(&mut self, input: &str, parameter: &str, _context: &mut Context) {
        let given = number(parameter).unwrap_or(0.0);
        match input {
            "StartForward" => self.run(true),
            "StartBackward" => self.run(false),
            "Start" | "Resume" => self.start(self.max_speed),
            "Stop" => self.start(0.0),
            "Reverse" => self.is_forward = !self.is_forward,
            "Toggle" if self.speed == 0.0 || self.is_waiting => self.start(self.max_speed),
            "Toggle" => self.start(0.0),
            "SetSpeed" => self.start(self.max_speed * given.clamp(0.0, 1.0)),
            "SetSpeedReal" => self.start(given.clamp(0.0, self.max_speed)),
            "SetSpeedDir" => {
                self.is_forward = given >= 0.0;
                self.start(self.max_speed * given.abs().min(1.0));
            }
            "SetMaxSpeed" => self.max_speed = given.max(0.0),
            // The simulation finds the node.
            _ => {}
        }
    }

    fn think(&mut self, context: &mut Context) {
        let running = self.call_secs.filter(|_| self.is_moving());
        let Some([slow, fast]) = running else {
            self.calls_at = None;
            return;
        };
        let is_due = self.calls_at.is_some_and(|it| it <= context.tick);
        if is_due {
            self.n_calls = self.n_calls.saturating_add(1);
        }
        if is_due || self.calls_at.is_none() {
            let secs = slow + (fast - slow) * self.share_of_speed();
            self.calls_at = Some(context.tick_after(secs));
        }
    }

    fn state(&self) -> String {
        match (self.speed, self.is_waiting) {
            (0.0, _) => "stands".to_owned(),
            (_, true) => "waits".to_owned(),
            (speed, false) => format!("runs at {speed}"),
        }
    }
}

fn track(entities: &[Entity], node: usize) -> Option<&Track> {
    match entities.get(node).filter(|it| !it.is_removed)?.kind {
        Kind::Track(ref track) => Some(track),
        _ => None,
    }
}

fn position(entities: &[Entity], node: Option<usize>) -> DVec3 {
    let entity = node.and_then(|node| entities.get(node));
    entity.map_or(DVec3::ZERO, |it| it.place.origin)
}

fn leg(entities: &[Entity], from: Option<usize>, to: Option<usize>) -> DVec3 {
    position(entities, to) - position(entities, from)
}

/// The point of a track some way beyond a node; its end if it is shorter.
fn point_on(entities: &[Entity], mut node: Option<usize>, mut beyond: f64) -> DVec3 {
    for _ in 0..MAX_NODES {
        let next = node.and_then(|node| track(entities, node)?.after());
        let Some(next) = next.filter(|_| beyond > 0.0) else {
            break;
        };
        let way = leg(entities, node, Some(next));
        let length = way.length();
        if beyond < length {
            return position(entities, node) + way * (beyond / length);
        }
        beyond -= length;
        node = Some(next);
    }
    position(entities, node)
}
