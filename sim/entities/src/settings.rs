//! Settings that others make, to be looked up.

use crate::kind::{Context, Machine};

/// Remembers what it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    inputs: &'static [&'static str],
    /// Each input with the last parameter, in the order in which they were last sent.
    sent: Vec<(&'static str, String)>,
}

impl Settings {
    /// Settings that have not been made yet, and the inputs that make them.
    pub fn new(inputs: &'static [&'static str]) -> Self {
        Self {
            inputs,
            sent: Vec::new(),
        }
    }

    /// Each input that it was sent with the last parameter, in the order in which they were last sent.
    pub fn sent(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sent
            .iter()
            .map(|(input, parameter)| (*input, &**parameter))
    }
}

impl Machine for Settings {
    fn inputs(&self) -> &'static [&'static str] {
        self.inputs
    }

    fn receive(&mut self, input: &str, parameter: &str, _context: &mut Context) {
        let known = self.inputs.iter().find(|it| **it == input);
        if let Some(known) = known {
            self.sent.retain(|(it, _)| it != known);
            self.sent.push((known, parameter.to_owned()));
        }
    }

    fn state(&self) -> String {
        let sent = self
            .sent()
            .map(|(input, parameter)| format!("{input} {parameter}"));
        sent.collect::<Vec<_>>().join(", ")
    }
}
