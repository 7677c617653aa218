//! Doors, platforms and other movers between two ends.

use crate::kind::{Context, Machine, number};
use crate::{Activator, Slide, Way};

/// A mover between two ends of a way: closed at its beginning, open at its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Door {
    /// Where it is.
    pub slide: Slide,
    /// Seconds after which it closes by itself; below 0 it stays open.
    pub wait_secs: f64,
    /// What opens it beside inputs.
    pub opening: DoorOpening,
    /// Whether an input that opens it closes it when it is open, and it does not close by itself.
    pub is_toggle: bool,
    /// Whether it keeps its direction against what is in its way, instead of going back.
    pub is_stubborn: bool,
    /// Whether it opens away from who opens it.
    pub opens_away: bool,
    /// Whether it is locked.
    pub is_locked: bool,
    state: State,
    /// When it closes.
    closes_at: Option<u64>,
}

/// What opens a door beside inputs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DoorOpening {
    /// A walker that uses it.
    pub by_use: bool,
    /// A walker that touches it.
    pub by_touch: bool,
    /// A walker that stands on it.
    pub by_standing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Closed,
    Opening,
    Open,
    Closing,
    /// Stopped on its way.
    Between,
}

impl Door {
    /// A door of a way, closed at its beginning.
    pub fn new(slide: Slide, wait_secs: f64, opening: DoorOpening) -> Self {
        Self {
            slide,
            wait_secs,
            opening,
            is_toggle: false,
            is_stubborn: false,
            opens_away: false,
            is_locked: false,
            state: State::Closed,
            closes_at: None,
        }
    }

    /// The same, at a share of its way.
    #[must_use]
    pub fn at_share(mut self, share: f64) -> Self {
        self.slide.at = self.slide.length * share.clamp(0.0, 1.0);
        self.slide.goal = self.slide.at;
        self.state = self.state_at_rest();
        self
    }

    /// Whether it opens or closes.
    pub(crate) fn is_moving(&self) -> bool {
        matches!(self.state, State::Opening | State::Closing)
    }

    /// Whether it moves to the end of its way.
    pub fn is_opening(&self) -> bool {
        self.state == State::Opening
    }

    /// Whether it moves to the beginning of its way.
    pub fn is_closing(&self) -> bool {
        self.state == State::Closing
    }

    /// Whether it is at the beginning of its way, and stays there.
    pub(crate) fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    fn state_at_rest(&self) -> State {
        match self.slide.at {
            0.0 => State::Closed,
            at if at.abs() == self.slide.length => State::Open,
            _ => State::Between,
        }
    }

    fn open(&mut self, context: &mut Context) {
        if matches!(self.state, State::Opening | State::Open) {
            return;
        }
        if self.opens_away
            && self.state == State::Closed
            && let Way::Around(axis) = self.slide.way
        {
            let is_behind = is_activator_behind(context);
            self.slide.way = Way::Around(if is_behind { -axis.abs() } else { axis.abs() });
        }
        context.fire("OnOpen");
        self.state = State::Opening;
        self.slide.goal = self.slide.length;
        self.closes_at = None;
        self.arrive_if_there(context);
    }

    fn close(&mut self, context: &mut Context) {
        if matches!(self.state, State::Closing | State::Closed) {
            return;
        }
        context.fire("OnClose");
        self.state = State::Closing;
        self.slide.goal = 0.0;
        self.closes_at = None;
        self.arrive_if_there(context);
    }

    fn toggle(&mut self, context: &mut Context) {
        match self.state {
            State::Closed | State::Closing | State::Between => self.open(context),
            State::Open | State::Opening => self.close(context),
        }
    }

    /// What a walker or the input `Toggle` does.
    fn activate(&mut self, context: &mut Context) {
        match self.state {
            State::Opening if !self.is_toggle => {}
            State::Open if !self.is_toggle && self.wait_secs >= 0.0 => {
                // It is kept open for a time more.
                self.closes_at = context.tick_after_wait(self.wait_secs);
            }
            _ => self.toggle(context),
        }
    }

    fn activate_by_walker(&mut self, context: &mut Context) {
        if self.is_locked {
            context.fire("OnLockedUse");
        } else {
            self.activate(context);
        }
    }

    fn go_to(&mut self, share: f64) {
        self.slide.goal = self.slide.length * share.clamp(0.0, 1.0);
        self.closes_at = None;
        if self.slide.goal != self.slide.at {
            self.state = match self.slide.goal > self.slide.at {
                true => State::Opening,
                false => State::Closing,
            };
        }
    }

    /// At the end of its motion.
    pub(crate) fn arrive_if_there(&mut self, context: &mut Context) {
        if self.slide.at != self.slide.goal {
            return;
        }
        let state = self.state_at_rest();
        if std::mem::replace(&mut self.state, state) == state {
            return;
        }
        match state {
            State::Open => {
                context.fire("OnFullyOpen");
                if !self.is_toggle {
                    self.closes_at = context.tick_after_wait(self.wait_secs);
                }
            }
            State::Closed => context.fire("OnFullyClosed"),
            _ => {}
        }
    }

    /// What is in the way sends it back.
    pub(crate) fn on_blocked(&mut self, context: &mut Context) {
        let is_closing = self.state == State::Closing;
        context.fire(if is_closing {
            "OnBlockedClosing"
        } else {
            "OnBlockedOpening"
        });
        if self.wait_secs < 0.0 || self.is_stubborn {
            return;
        }
        self.toggle(context);
    }
}

/// Whether who opens a door looks past its hinge from the other side.
fn is_activator_behind(context: &Context) -> bool {
    let Some([position, facing]) = context
        .body
        .filter(|_| context.activator == Activator::Body)
    else {
        return false;
    };
    let to_body = position - context.position;
    let ahead = to_body + facing * 10.0;
    to_body.x * ahead.y - to_body.y * ahead.x < 0.0
}

impl Machine for Door {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "Open",
            "Close",
            "Toggle",
            "Lock",
            "Unlock",
            "SetSpeed",
            "SetPosition",
            "GoUp",
            "GoDown",
        ]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        match input {
            "Lock" => self.is_locked = true,
            "Unlock" => self.is_locked = false,
            "SetSpeed" => {
                if let Some(speed) = number(parameter) {
                    self.slide.speed = speed.max(0.0);
                }
            }
            "SetPosition" => self.go_to(number(parameter).unwrap_or(0.0)),
            _ if self.is_locked => {}
            "Open" | "GoUp" => self.open(context),
            "Close" | "GoDown" => self.close(context),
            _ => self.toggle(context),
        }
    }

    fn start(&mut self, context: &mut Context) {
        if self.state == State::Open && !self.is_toggle {
            self.closes_at = context.tick_after_wait(self.wait_secs);
        }
    }

    fn think(&mut self, context: &mut Context) {
        if self.closes_at.is_some_and(|tick| tick <= context.tick) {
            self.close(context);
        }
    }

    fn on_use(&mut self, context: &mut Context) -> bool {
        if self.opening.by_use {
            self.activate_by_walker(context);
        }
        self.opening.by_use
    }

    fn on_touch(&mut self, context: &mut Context) {
        let may_open = matches!(self.state, State::Closed | State::Closing);
        if self.opening.by_touch && may_open && !self.is_locked {
            self.open(context);
        }
    }

    fn on_stand(&mut self, context: &mut Context) {
        if self.opening.by_standing && !self.is_locked {
            self.activate(context);
        }
    }

    fn state(&self) -> String {
        let state = match self.state {
            State::Closed => "closed",
            State::Opening => "opening",
            State::Open => "open",
            State::Closing => "closing",
            State::Between => "between",
        };
        match self.is_locked {
            true => format!("{state}, locked"),
            false => state.to_owned(),
        }
    }
}
