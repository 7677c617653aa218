//! Walls that come and go, effects that are switched, and what breaks.

use crate::kind::{Context, Machine, Wish, number};

/// Is there or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Switch {
    /// Whether it is on: drawn, and solid if it ever is.
    pub is_on: bool,
    /// Whether it stops bodies while it is on.
    pub is_solid_when_on: bool,
    /// Whether it stops bodies while it is off.
    pub is_solid_when_off: bool,
    /// Whether it is not drawn while it is off.
    pub hides: bool,
}

impl Switch {
    /// What is drawn while it is on, and stops no bodies.
    pub fn new(is_on: bool) -> Self {
        Self {
            is_on,
            is_solid_when_on: false,
            is_solid_when_off: false,
            hides: true,
        }
    }

    fn turn(&mut self, is_on: bool, context: &mut Context) {
        self.is_on = is_on;
        let is_solid = match is_on {
            true => self.is_solid_when_on,
            false => self.is_solid_when_off,
        };
        context.wish(Wish::Solid(is_solid));
        if self.hides {
            context.wish(Wish::Shown(is_on));
        }
    }
}

impl Machine for Switch {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "Enable",
            "Disable",
            "Toggle",
            "TurnOn",
            "TurnOff",
            "ShowSprite",
            "HideSprite",
            "ToggleSprite",
            "StartFire",
            "Extinguish",
            "Start",
            "Stop",
            "EnableDraw",
            "DisableDraw",
            "LightOn",
            "LightOff",
        ]
    }

    fn receive(&mut self, input: &str, _parameter: &str, context: &mut Context) {
        let is_on = match input {
            "Toggle" | "ToggleSprite" => !self.is_on,
            "Disable" | "TurnOff" | "HideSprite" | "Extinguish" | "Stop" | "DisableDraw"
            | "LightOff" => false,
            _ => true,
        };
        self.turn(is_on, context);
    }

    fn start(&mut self, context: &mut Context) {
        self.turn(self.is_on, context);
    }

    fn state(&self) -> String {
        match self.is_on {
            true => "on".to_owned(),
            false => "off".to_owned(),
        }
    }
}

/// Breaks once its health is gone, and is no more.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakable {
    /// What is left; at most 0 breaks only by the input.
    pub health: f64,
}

impl Breakable {
    fn set_health(&mut self, health: f64, context: &mut Context) {
        self.health = health;
        context.fire_value("OnHealthChanged", crate::kind::text_of(health));
        if health <= 0.0 {
            break_it(context);
        }
    }
}

fn break_it(context: &mut Context) {
    context.fire("OnBreak");
    context.wish(Wish::Remove);
}

impl Machine for Breakable {
    fn inputs(&self) -> &'static [&'static str] {
        &["Break", "SetHealth", "AddHealth", "RemoveHealth", "Shatter"]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        let amount = number(parameter).unwrap_or(0.0);
        match input {
            "SetHealth" => self.set_health(amount, context),
            "AddHealth" => self.set_health(self.health + amount, context),
            "RemoveHealth" => self.set_health(self.health - amount, context),
            _ => break_it(context),
        }
    }
}
