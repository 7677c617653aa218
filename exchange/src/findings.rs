//! What a file does not hold of what was read or written.

use std::collections::BTreeMap;
use std::fmt;

use ironlands_assets_core::bytes::{Finding, Severity};

/// Something that was left out or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeFinding {
    /// The first place, as in `meshes[0].primitives[1]` or `line 12`.
    pub place: String,
    /// What it is and what has become of it.
    pub message: String,
    /// In how many places it is so.
    pub count: u32,
}

impl fmt::Display for ExchangeFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match self.count {
            0 | 1 => Ok(()),
            count => write!(f, " ({count} times)"),
        }
    }
}

impl ExchangeFinding {
    /// As a warning about a file of a format, for lists with the findings of other files.
    pub fn in_format(&self, format: &'static str) -> Finding {
        Finding::new(Severity::Warning, format, self.to_string())
    }
}

/// Findings while they gather: one for each message, with the first place.
#[derive(Debug, Default)]
pub struct Findings {
    order: Vec<ExchangeFinding>,
    by_message: BTreeMap<String, usize>,
}

impl Findings {
    /// Adds what has become of something at a place; of places with the same message, only the first is named.
    pub fn add(&mut self, place: impl fmt::Display, message: impl Into<String>) {
        let message = message.into();
        let known = self.by_message.get(&message);
        if let Some(finding) = known.and_then(|at| self.order.get_mut(*at)) {
            finding.count = finding.count.saturating_add(1);
            return;
        }
        self.by_message.insert(message.clone(), self.order.len());
        self.order.push(ExchangeFinding {
            place: place.to_string(),
            message,
            count: 1,
        });
    }

    /// In the order of their first places.
    pub fn into_list(self) -> Vec<ExchangeFinding> {
        self.order
    }
}
