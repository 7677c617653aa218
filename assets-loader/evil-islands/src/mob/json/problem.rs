//! What is wrong with JSON that is no map, and where: the way down is put together on the way up.

use serde_json::Value as Json;

use super::MobJsonError;

/// Characters of JSON that a sentence repeats.
const SHOWN: usize = 60;

/// What is wrong with JSON that is no map.
#[derive(Debug)]
pub(super) struct Problem {
    /// From the innermost to the outermost.
    way: Vec<String>,
    expected: String,
    found: String,
}

impl Problem {
    pub(super) fn new(expected: impl Into<String>, found: &Json) -> Self {
        let text = found.to_string();
        let found = match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
            None => text,
        };
        Self {
            way: Vec::new(),
            expected: expected.into(),
            found,
        }
    }

    /// Something that is not there.
    pub(super) fn missing(expected: impl Into<String>) -> Self {
        Self {
            way: Vec::new(),
            expected: expected.into(),
            found: "nothing".to_owned(),
        }
    }

    /// The same error, attributed to a place below.
    #[must_use]
    pub(super) fn below(mut self, step: impl Into<String>) -> Self {
        self.way.push(step.into());
        self
    }
}

impl From<Problem> for MobJsonError {
    fn from(problem: Problem) -> Self {
        let Problem {
            mut way,
            expected,
            found,
        } = problem;
        way.reverse();
        Self::Unexpected {
            path: way.join("."),
            expected,
            found,
        }
    }
}
