//! Entities that only pass on, count and choose.

use crate::kind::{Context, Machine, Wish, number, text_of};

/// Two numbers closer than this are equal.
const EQUAL: f64 = 1e-6;

/// Passes on that it was triggered.
#[derive(Debug, Clone, PartialEq)]
pub struct Relay {
    /// Whether it passes anything on.
    pub is_enabled: bool,
    /// Whether it is removed once it was triggered.
    pub is_once: bool,
    /// Seconds after it was triggered in which it cannot be triggered again: the longest delay of its connections.
    pub refire_secs: Option<f64>,
    refires_at: Option<u64>,
}

impl Relay {
    /// A relay that can be triggered at any time.
    pub fn new(is_enabled: bool) -> Self {
        Self {
            is_enabled,
            is_once: false,
            refire_secs: None,
            refires_at: None,
        }
    }

    fn trigger(&mut self, context: &mut Context) {
        let is_waiting = self.refires_at.is_some_and(|tick| context.tick < tick);
        if !self.is_enabled || is_waiting {
            return;
        }
        context.fire("OnTrigger");
        if self.is_once {
            context.wish(Wish::Remove);
        }
        self.refires_at = self.refire_secs.map(|secs| context.tick_after(secs));
    }
}

impl Machine for Relay {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "Trigger",
            "Enable",
            "Disable",
            "Toggle",
            "CancelPending",
            "EnableRefire",
        ]
    }

    fn receive(&mut self, input: &str, _parameter: &str, context: &mut Context) {
        match input {
            "Enable" => self.is_enabled = true,
            "Disable" => self.is_enabled = false,
            "Toggle" => self.is_enabled = !self.is_enabled,
            "CancelPending" => {
                context.wish(Wish::CancelPending);
                self.refires_at = None;
            }
            "EnableRefire" => self.refires_at = None,
            _ => self.trigger(context),
        }
    }

    fn start(&mut self, context: &mut Context) {
        context.fire("OnSpawn");
    }

    fn state(&self) -> String {
        match self.is_enabled {
            true => "enabled".to_owned(),
            false => "disabled".to_owned(),
        }
    }
}

/// A number that is added to.
#[derive(Debug, Clone, PartialEq)]
pub struct Counter {
    /// The number.
    pub value: f64,
    /// Its limits; none if both are 0.
    pub limits: [f64; 2],
    /// Whether it counts.
    pub is_enabled: bool,
    /// Whether it is at its lower and its upper limit.
    is_at_limit: [bool; 2],
}

impl Counter {
    /// A counter that stands at a number.
    pub fn new(value: f64, limits: [f64; 2]) -> Self {
        Self {
            value,
            limits,
            is_enabled: true,
            is_at_limit: [false; 2],
        }
    }

    fn set(&mut self, value: f64, context: &mut Context) {
        let [min, max] = self.limits;
        self.value = value;
        if min != 0.0 || max != 0.0 {
            let [was_min, was_max] = self.is_at_limit;
            self.is_at_limit = [value <= min, value >= max];
            let [is_min, is_max] = self.is_at_limit;
            for (output, is_fired) in [
                ("OnHitMax", is_max && !was_max),
                ("OnChangedFromMax", was_max && !is_max),
                ("OnHitMin", is_min && !was_min),
                ("OnChangedFromMin", was_min && !is_min),
            ] {
                if is_fired {
                    context.fire(output);
                }
            }
            self.value = value.min(max).max(min);
        }
        context.fire_value("OutValue", text_of(self.value));
    }
}

impl Machine for Counter {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "Add",
            "Subtract",
            "Multiply",
            "Divide",
            "SetValue",
            "SetValueNoFire",
            "GetValue",
            "SetHitMax",
            "SetHitMin",
            "SetMaxValueNoFire",
            "SetMinValueNoFire",
            "Enable",
            "Disable",
        ]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        let amount = number(parameter).unwrap_or(0.0);
        match input {
            "Enable" => self.is_enabled = true,
            "Disable" => self.is_enabled = false,
            "GetValue" => context.fire_value("OnGetValue", text_of(self.value)),
            _ if !self.is_enabled => {}
            "Add" => self.set(self.value + amount, context),
            "Subtract" => self.set(self.value - amount, context),
            "Multiply" => self.set(self.value * amount, context),
            "Divide" if amount != 0.0 => self.set(self.value / amount, context),
            "Divide" => {}
            "SetValue" => self.set(amount, context),
            "SetValueNoFire" => self.value = amount,
            _ => {
                let [min, max] = &mut self.limits;
                *(if input.contains("Max") { max } else { min }) = amount;
                if input.starts_with("SetHit") {
                    self.set(self.value, context);
                }
            }
        }
    }

    fn state(&self) -> String {
        text_of(self.value)
    }
}

/// Fires again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Timer {
    /// Shortest and longest time from one firing to the next, in seconds.
    pub between_secs: [f64; 2],
    /// Whether it fires `OnTimerHigh` and `OnTimerLow` in turn beside `OnTimer`.
    pub is_oscillator: bool,
    /// Whether it runs.
    pub is_enabled: bool,
    is_high: bool,
    fires_at: Option<u64>,
}

impl Timer {
    /// A timer of a time in seconds.
    pub fn new(between_secs: [f64; 2], is_enabled: bool) -> Self {
        Self {
            between_secs,
            is_oscillator: false,
            is_enabled,
            is_high: false,
            fires_at: None,
        }
    }

    fn restart(&mut self, context: &Context) {
        let [shortest, longest] = self.between_secs;
        let secs = shortest + (longest - shortest) * context.chance;
        // One that never rests would keep the level from going on.
        let next = context.tick_after(secs).max(context.tick.saturating_add(1));
        self.fires_at = self.is_enabled.then_some(next);
    }

    fn fire(&mut self, context: &mut Context) {
        context.fire("OnTimer");
        if self.is_oscillator {
            self.is_high = !self.is_high;
            context.fire(match self.is_high {
                true => "OnTimerHigh",
                false => "OnTimerLow",
            });
        }
    }
}

impl Machine for Timer {
    fn inputs(&self) -> &'static [&'static str] {
        &[
            "Enable",
            "Disable",
            "Toggle",
            "FireTimer",
            "RefireTime",
            "ResetTimer",
            "AddToTimer",
            "SubtractFromTimer",
            "LowerRandomBound",
            "UpperRandomBound",
        ]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        let secs = number(parameter).unwrap_or(0.0);
        match input {
            "FireTimer" => return self.fire(context),
            "AddToTimer" | "SubtractFromTimer" => {
                let by = context.tick_after(secs).saturating_sub(context.tick);
                self.fires_at = self.fires_at.map(|tick| match input {
                    "AddToTimer" => tick.saturating_add(by),
                    _ => tick.saturating_sub(by),
                });
                return;
            }
            "Enable" => self.is_enabled = true,
            "Disable" => self.is_enabled = false,
            "Toggle" => self.is_enabled = !self.is_enabled,
            "RefireTime" => self.between_secs = [secs.max(0.0); 2],
            "LowerRandomBound" => self.between_secs = [secs, self.between_secs[1]],
            "UpperRandomBound" => self.between_secs = [self.between_secs[0], secs],
            _ => {}
        }
        self.restart(context);
    }

    fn start(&mut self, context: &mut Context) {
        self.restart(context);
    }

    fn think(&mut self, context: &mut Context) {
        if self.fires_at.is_some_and(|tick| tick <= context.tick) {
            self.fire(context);
            self.restart(context);
        }
    }

    fn state(&self) -> String {
        match self.fires_at {
            Some(tick) => format!("fires in tick {tick}"),
            None => "disabled".to_owned(),
        }
    }
}

/// Is true or false, and says so when it is tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Its value.
    pub value: bool,
}

impl Machine for Branch {
    fn inputs(&self) -> &'static [&'static str] {
        &["SetValue", "SetValueTest", "Toggle", "ToggleTest", "Test"]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        match input {
            "SetValue" | "SetValueTest" => {
                self.value = number(parameter).unwrap_or(0.0) != 0.0;
            }
            "Toggle" | "ToggleTest" => self.value = !self.value,
            _ => {}
        }
        if input.ends_with("Test") {
            context.fire(if self.value { "OnTrue" } else { "OnFalse" });
        }
    }

    fn state(&self) -> String {
        self.value.to_string()
    }
}

/// Chooses one of its outputs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Case {
    /// The value that each output stands for, by number; empty = none.
    pub values: Vec<String>,
    /// Which of them chance may pick: those that are connected.
    pub picks: Vec<usize>,
    /// Those that were picked since all were.
    picked: Vec<usize>,
}

impl Case {
    /// A choice by values, or by chance among the outputs of some numbers.
    pub fn new(values: Vec<String>, picks: Vec<usize>) -> Self {
        Self {
            values,
            picks,
            picked: Vec::new(),
        }
    }

    fn pick(&mut self, from: &[usize], context: &mut Context) -> Option<usize> {
        let last = from.len().checked_sub(1)?;
        let place = (context.chance * from.len() as f64) as usize;
        let case = *from.get(place.min(last))?;
        fire_case(case, context);
        Some(case)
    }
}

fn fire_case(case: usize, context: &mut Context) {
    context.fire(&format!("OnCase{:02}", case.saturating_add(1)));
}

impl Machine for Case {
    fn inputs(&self) -> &'static [&'static str] {
        &["InValue", "PickRandom", "PickRandomShuffle"]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        match input {
            "PickRandom" => {
                self.pick(&self.picks.clone(), context);
            }
            "PickRandomShuffle" => {
                if self.picked.len() >= self.picks.len() {
                    self.picked.clear();
                }
                let is_left = |case: &&usize| !self.picked.contains(case);
                let left: Vec<usize> = self.picks.iter().filter(is_left).copied().collect();
                let picked = self.pick(&left, context);
                self.picked.extend(picked);
            }
            _ => {
                let is_it = |value: &String| !value.is_empty() && value == parameter;
                match self.values.iter().position(is_it) {
                    Some(case) => fire_case(case, context),
                    None => context.fire_value("OnDefault", parameter.to_owned()),
                }
            }
        }
    }
}

/// Compares a number with another.
#[derive(Debug, Clone, PartialEq)]
pub struct Compare {
    /// What is compared.
    pub value: f64,
    /// With what.
    pub with: f64,
}

impl Machine for Compare {
    fn inputs(&self) -> &'static [&'static str] {
        &["SetValue", "SetValueCompare", "SetCompareValue", "Compare"]
    }

    fn receive(&mut self, input: &str, parameter: &str, context: &mut Context) {
        let given = number(parameter).unwrap_or(0.0);
        match input {
            "SetValue" | "SetValueCompare" => self.value = given,
            "SetCompareValue" => self.with = given,
            _ => {}
        }
        if input.ends_with("Compare") {
            let value = text_of(self.value);
            let is_equal = (self.value - self.with).abs() < EQUAL;
            let outputs: [&str; 2] = match () {
                () if is_equal => ["OnEqualTo", ""],
                () if self.value < self.with => ["OnLessThan", "OnNotEqualTo"],
                () => ["OnGreaterThan", "OnNotEqualTo"],
            };
            for output in outputs.into_iter().filter(|it| !it.is_empty()) {
                context.fire_value(output, value.clone());
            }
        }
    }

    fn state(&self) -> String {
        format!("{} against {}", text_of(self.value), text_of(self.with))
    }
}

/// Fires when the level begins.
#[derive(Debug, Clone, PartialEq)]
pub struct AutoStart {
    /// Seconds from then.
    pub after_secs: f64,
    /// Which outputs fire, in this order.
    pub outputs: Vec<String>,
    fires_at: Option<u64>,
}

impl AutoStart {
    /// Fires outputs some seconds after the level began.
    pub fn new(after_secs: f64, outputs: Vec<String>) -> Self {
        Self {
            after_secs,
            outputs,
            fires_at: None,
        }
    }
}

impl Machine for AutoStart {
    fn inputs(&self) -> &'static [&'static str] {
        &[]
    }

    fn receive(&mut self, _input: &str, _parameter: &str, _context: &mut Context) {}

    fn start(&mut self, context: &mut Context) {
        self.fires_at = Some(context.tick_after(self.after_secs));
    }

    fn think(&mut self, context: &mut Context) {
        if self.fires_at.is_some_and(|tick| tick <= context.tick) {
            self.fires_at = None;
            for output in &self.outputs {
                context.fire(output);
            }
        }
    }
}
