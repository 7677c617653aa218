//! What notices a walker.

use glam::DVec3;

use crate::kind::{Context, Machine, Wish};

/// A space that notices a walker in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    /// Whether it notices anything.
    pub is_enabled: bool,
    /// Whether walkers are what it notices.
    pub notices_body: bool,
    /// Seconds from one `OnTrigger` to the next while a walker stays; below 0 there is none, and it is removed.
    pub wait_secs: f64,
    /// What it does to who is in it.
    pub effect: TriggerEffect,
    pub(crate) is_touched: bool,
    triggers_at: u64,
}

/// What a trigger does to who is in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum TriggerEffect {
    /// Nothing.
    #[default]
    Nothing,
    /// It puts it elsewhere: where the entity of this name is.
    Teleport {
        /// Name of the entity.
        target: String,
    },
    /// It pushes it.
    Push {
        /// Units per second.
        velocity: DVec3,
    },
}

impl Trigger {
    /// A trigger with a time from one firing to the next.
    pub fn new(is_enabled: bool, wait_secs: f64, effect: TriggerEffect) -> Self {
        Self {
            is_enabled,
            notices_body: true,
            wait_secs,
            effect,
            is_touched: false,
            triggers_at: 0,
        }
    }

    /// What is to be looked for: a walker, while it is enabled, or one that has left.
    pub(crate) fn is_watching(&self) -> bool {
        self.notices_body && (self.is_enabled || self.is_touched)
    }

    /// Takes whether the walker is in it in this tick.
    pub(crate) fn update(&mut self, is_inside: bool, context: &mut Context) {
        let is_touched = is_inside && self.is_enabled;
        match (self.is_touched, is_touched) {
            (false, true) => {
                context.fire("OnStartTouch");
                context.fire("OnStartTouchAll");
            }
            (true, false) => {
                context.fire("OnEndTouch");
                context.fire("OnEndTouchAll");
            }
            _ => {}
        }
        self.is_touched = is_touched;
        if is_touched && self.triggers_at <= context.tick {
            context.fire("OnTrigger");
            match context.tick_after_wait(self.wait_secs) {
                Some(tick) => self.triggers_at = tick,
                None => context.wish(Wish::Remove),
            }
        }
    }
}

impl Machine for Trigger {
    fn inputs(&self) -> &'static [&'static str] {
        &["Enable", "Disable", "Toggle", "TouchTest", "SetSpeed"]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        match input {
            "Enable" => self.is_enabled = true,
            "Disable" => self.is_enabled = false,
            "Toggle" => self.is_enabled = !self.is_enabled,
            "TouchTest" => context.fire(match self.is_touched {
                true => "OnTouching",
                false => "OnNotTouching",
            }),
            _ => {
                if let TriggerEffect::Push { velocity } = &mut self.effect
                    && let Some(speed) = crate::kind::number(parameter)
                {
                    *velocity = velocity.normalize_or_zero() * speed;
                }
            }
        }
    }

    fn state(&self) -> String {
        match (self.is_enabled, self.is_touched) {
            (false, _) => "disabled".to_owned(),
            (true, false) => "waits".to_owned(),
            (true, true) => "touched".to_owned(),
        }
    }
}
