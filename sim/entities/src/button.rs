//! Buttons.

use crate::Slide;
use crate::kind::{Context, Machine};

/// Is pressed in and comes out again.
#[derive(Debug, Clone, PartialEq)]
pub struct Button {
    /// Where it is: out at the beginning of its way, which may have no length.
    pub slide: Slide,
    /// Seconds that it stays in; below 0 forever.
    pub wait_secs: f64,
    /// Whether it stays in until it is pressed again.
    pub is_toggle: bool,
    /// Whether a walker presses it by using it.
    pub by_use: bool,
    /// Whether a walker presses it by touching it.
    pub by_touch: bool,
    /// Whether it is locked.
    pub is_locked: bool,
    state: State,
    comes_out_at: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Out,
    GoingIn,
    In,
    GoingOut,
}

impl Button {
    /// A button that is out.
    pub fn new(slide: Slide, wait_secs: f64) -> Self {
        Self {
            slide,
            wait_secs,
            is_toggle: false,
            by_use: true,
            by_touch: false,
            is_locked: false,
            state: State::Out,
            comes_out_at: None,
        }
    }

    fn press(&mut self, context: &mut Context) {
        match self.state {
            State::Out => {
                context.fire("OnPressed");
                self.go_in(context);
            }
            State::In if self.is_toggle => {
                context.fire("OnPressed");
                self.go_out(context);
            }
            _ => {}
        }
    }

    fn go_in(&mut self, context: &mut Context) {
        self.state = State::GoingIn;
        self.slide.goal = self.slide.length;
        self.arrive_if_there(context);
    }

    fn go_out(&mut self, context: &mut Context) {
        self.state = State::GoingOut;
        self.slide.goal = 0.0;
        self.comes_out_at = None;
        self.arrive_if_there(context);
    }

    /// At the end of its motion.
    pub(crate) fn arrive_if_there(&mut self, context: &mut Context) {
        if self.slide.at != self.slide.goal {
            return;
        }
        match self.state {
            State::GoingIn => {
                self.state = State::In;
                context.fire("OnIn");
                if !self.is_toggle {
                    self.comes_out_at = context.tick_after_wait(self.wait_secs);
                }
            }
            State::GoingOut => {
                self.state = State::Out;
                context.fire("OnOut");
            }
            State::In | State::Out => {}
        }
    }
}

impl Machine for Button {
    fn inputs(&self) -> &'static [&'static str] {
        &["Press", "PressIn", "PressOut", "Lock", "Unlock"]
    }

    fn receive(&mut self, input: &str, _parameter: &str, context: &mut Context) {
        match input {
            "Lock" => self.is_locked = true,
            "Unlock" => self.is_locked = false,
            "PressIn" if self.state == State::Out => self.press(context),
            "PressOut" if self.state == State::In => self.go_out(context),
            "Press" => self.press(context),
            _ => {}
        }
    }

    fn think(&mut self, context: &mut Context) {
        if self.comes_out_at.is_some_and(|tick| tick <= context.tick) {
            self.go_out(context);
        }
    }

    fn on_use(&mut self, context: &mut Context) -> bool {
        if self.by_use && self.is_locked {
            context.fire("OnUseLocked");
        } else if self.by_use {
            self.press(context);
        }
        self.by_use
    }

    fn on_touch(&mut self, context: &mut Context) {
        if self.by_touch && !self.is_locked {
            self.press(context);
        }
    }

    fn state(&self) -> String {
        let state = match self.state {
            State::Out => "out",
            State::GoingIn => "going in",
            State::In => "in",
            State::GoingOut => "going out",
        };
        match self.is_locked {
            true => format!("{state}, locked"),
            false => state.to_owned(),
        }
    }
}
