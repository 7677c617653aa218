//! Openings and switches that are not seen themselves.

use crate::kind::{Context, Machine};

/// Is open or closed, as its inputs say.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// Whether it is open.
    pub is_open: bool,
    /// Whether an input has opened or closed it.
    pub is_told: bool,
    inputs: &'static [&'static str; 3],
}

impl Gate {
    /// `inputs`: what opens it, what closes it, and what does the opposite of its state.
    pub fn new(is_open: bool, inputs: &'static [&'static str; 3]) -> Self {
        Self {
            is_open,
            is_told: false,
            inputs,
        }
    }
}

impl Machine for Gate {
    fn inputs(&self) -> &'static [&'static str] {
        self.inputs
    }

    fn receive(&mut self, input: &str, _: &str, _: &mut Context) {
        let [opens, closes, _] = self.inputs;
        self.is_told = true;
        self.is_open = match input {
            it if it == *opens => true,
            it if it == *closes => false,
            _ => !self.is_open,
        };
    }

    fn state(&self) -> String {
        match self.is_open {
            true => "open".to_owned(),
            false => "closed".to_owned(),
        }
    }
}
