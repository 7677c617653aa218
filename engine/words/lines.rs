//! Lines that the program composes, such as errors and log messages, in the user's language.
//!
//! They are found by their English patterns: messages whose attribute `english` has variables where a line has values.
//! So crates that know no language need not change, and a line that is not known stays as it is.

use std::sync::OnceLock;

use fluent_bundle::FluentValue;
use fluent_bundle::types::FluentNumber;

use super::{LINES, Language, formatted};

/// Stands before the pattern of a message.
const ENGLISH: &str = ".english = ";
/// The variable for a value that is a line itself.
const REASON: &str = "reason";
/// Between an error and its cause.
const CAUSE: &str = ": ";

/// The English pattern of a message.
pub(super) struct Pattern {
    pub(super) message: &'static str,
    pieces: Vec<Piece>,
}

#[derive(Debug)]
enum Piece {
    Text(&'static str),
    Value(&'static str),
}

/// A line in a language: the whole of it or, where only its parts are known, an error and then its cause.
pub(super) fn line_in(language: Language, text: &str) -> String {
    if let Some(whole) = whole_line(language, text) {
        return whole;
    }
    for (at, _) in text.match_indices(CAUSE) {
        if let Some(head) = whole_line(language, &text[..at]) {
            let cause = line_in(language, &text[at + CAUSE.len()..]);
            return format!("{head}{CAUSE}{cause}");
        }
    }
    match text.split_once(CAUSE) {
        Some((head, cause)) => format!("{head}{CAUSE}{}", line_in(language, cause)),
        None => text.to_owned(),
    }
}

/// A line of which one pattern covers all; `None` for others.
pub(super) fn whole_line(language: Language, text: &str) -> Option<String> {
    if language == Language::English {
        return None;
    }
    let found = patterns().iter().find_map(|pattern| {
        let values = pattern.values_in(text)?;
        Some((pattern, values))
    });
    let (pattern, values) = found?;
    let values: Vec<_> = values
        .into_iter()
        .map(|(name, value)| match name {
            REASON => (name, line_in(language, value).into()),
            _ => (name, value_of(value)),
        })
        .collect();
    formatted(language, pattern.message, &values)
}

/// A number where it prints as the text, so that words can agree with it.
fn value_of(text: &str) -> FluentValue<'_> {
    match text.parse::<FluentNumber>() {
        Ok(number) if number.as_string() == text => FluentValue::Number(number),
        _ => FluentValue::from(text),
    }
}

/// All patterns, those with most text first: of two that fit, the one that says more is meant.
pub(super) fn patterns() -> &'static [Pattern] {
    static PATTERNS: OnceLock<Vec<Pattern>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let mut patterns = patterns_of(LINES);
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.text_len()));
        patterns
    })
}

fn patterns_of(text: &'static str) -> Vec<Pattern> {
    let mut message = "";
    let mut patterns = Vec::new();
    for line in text.lines() {
        if let Some(english) = line.trim_start().strip_prefix(ENGLISH) {
            patterns.push(Pattern {
                message,
                pieces: pieces_of(english),
            });
        } else if let Some((name, _)) = line.split_once(" =")
            && !line.starts_with([' ', '#'])
        {
            message = name;
        }
    }
    patterns
}

/// Text and variables in turn, which are written as `{ $name }`.
fn pieces_of(english: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = english;
    while let Some((text, behind)) = rest.split_once("{ $")
        && let Some((name, behind)) = behind.split_once(" }")
    {
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces.push(Piece::Value(name));
        rest = behind;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

impl Pattern {
    fn text_len(&self) -> usize {
        let pieces = self.pieces.iter();
        let lengths = pieces.map(|piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Value(_) => 0,
        });
        lengths.sum()
    }

    /// The values that a line has for the variables; `None` where it does not fit.
    fn values_in<'a>(&self, line: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
        let mut values = Vec::new();
        let mut rest = line;
        let mut open = None;
        for (index, piece) in self.pieces.iter().enumerate() {
            match (piece, open.take()) {
                (Piece::Value(name), _) => open = Some(*name),
                (Piece::Text(text), None) => rest = rest.strip_prefix(text)?,
                (Piece::Text(text), Some(name)) => {
                    let is_last = index + 1 == self.pieces.len();
                    let at = match is_last {
                        true => rest.strip_suffix(text)?.len(),
                        false => rest.find(text)?,
                    };
                    values.push((name, &rest[..at]));
                    rest = &rest[at + text.len()..];
                }
            }
        }
        match open {
            Some(name) => values.push((name, rest)),
            None if rest.is_empty() => {}
            None => return None,
        }
        // A value with a cause in it is more than the pattern means.
        let is_one = |(name, value): &(&str, &str)| {
            !value.is_empty() && (*name == REASON || !value.contains(CAUSE))
        };
        values.iter().all(is_one).then_some(values)
    }
}
