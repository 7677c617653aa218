//! Lamps with a style of their own.

use crate::kind::{Context, Machine};

/// A lamp that is switched, or follows a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct SwitchedLight {
    /// The style of light that it alone has.
    pub style: usize,
    /// Whether it is on.
    pub is_on: bool,
    /// Letters from `a`, dark, over `m`, which is 1, in turn; empty is 1.
    pub pattern: String,
}

impl Machine for SwitchedLight {
    fn inputs(&self) -> &'static [&'static str] {
        &["TurnOn", "TurnOff", "Toggle", "SetPattern", "FadeToPattern"]
    }

    fn receive(&mut self, input: &str, parameter: &str, _context: &mut Context) {
        match input {
            "TurnOn" => self.is_on = true,
            "TurnOff" => self.is_on = false,
            "Toggle" => self.is_on = !self.is_on,
            _ => {
                parameter.clone_into(&mut self.pattern);
                self.is_on = true;
            }
        }
    }

    fn state(&self) -> String {
        match (self.is_on, &*self.pattern) {
            (false, _) => "off".to_owned(),
            (true, "") => "on".to_owned(),
            (true, pattern) => format!("on, {pattern}"),
        }
    }
}
