//! Findings of one kind, counted: thousands of equal findings take one line.

use std::collections::HashMap;

use crate::bytes::{Finding, Severity};

/// Findings of one kind that are listed before they are only counted.
const LISTED_OF_KIND: usize = 16;
/// Kinds of one format and severity that are counted separately: names in a message may make any number of them.
const MAX_KINDS: usize = 64;

/// What is alike in findings of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct FindingKind {
    severity: Severity,
    format: &'static str,
    /// The message without numbers and quoted names; `None` for all kinds beyond [`MAX_KINDS`].
    words: Option<String>,
}

/// The same findings in their order, of each kind the first few, and after the last of these how many more there are.
pub(super) fn summed_up(findings: Vec<Finding>) -> Vec<Finding> {
    let mut n_kinds: HashMap<(Severity, &'static str), usize> = HashMap::new();
    let mut n_of_kind: HashMap<FindingKind, usize> = HashMap::new();
    // Each listed finding, and whether it is the last of its kind that is.
    let mut listed: Vec<(Finding, Option<FindingKind>)> = Vec::new();
    for finding in findings {
        let Finding {
            severity, format, ..
        } = finding;
        let mut kind = FindingKind {
            severity,
            format,
            words: Some(words(&finding.message)),
        };
        if !n_of_kind.contains_key(&kind) {
            let n_kinds = n_kinds.entry((severity, format)).or_default();
            match *n_kinds < MAX_KINDS {
                true => *n_kinds = n_kinds.saturating_add(1),
                false => kind.words = None,
            }
        }
        let n = n_of_kind.entry(kind.clone()).or_default();
        *n = n.saturating_add(1);
        if *n <= LISTED_OF_KIND {
            listed.push((finding, (*n == LISTED_OF_KIND).then_some(kind)));
        }
    }
    let mut all = Vec::with_capacity(listed.len());
    for (finding, last_of) in listed {
        let Finding {
            severity, format, ..
        } = finding;
        all.push(finding);
        let n = last_of.and_then(|kind| n_of_kind.get(&kind).copied());
        let n_more = n.unwrap_or(0).saturating_sub(LISTED_OF_KIND);
        if n_more > 0 {
            let message = format!("{n_more} more of the kind before");
            all.push(Finding::new(severity, format, message));
        }
    }
    all
}

/// A message without numbers, quoted names, and the part before its last colon, which is its place.
fn words(message: &str) -> String {
    let said = message.rsplit(": ").next().unwrap_or(message);
    let unquoted = said.split('"').step_by(2).collect::<Vec<_>>().join("\"");
    let is_hex = |word: &str| word.starts_with("0x");
    let words = unquoted.split(' ').map(|word| match is_hex(word) {
        true => String::new(),
        false => word.chars().filter(|it| !it.is_ascii_digit()).collect(),
    });
    words.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(message: String) -> Finding {
        Finding::new(Severity::Note, "res", message)
    }

    #[test]
    fn of_one_kind_the_first_are_listed_and_the_rest_counted() {
        let mut findings = vec![note("alone".to_owned())];
        let odd = |n: u32| {
            note(format!(
                "entry \"{n}\": name: expected one of its own, found 0x{n:x}"
            ))
        };
        findings.extend((0..65_534).map(odd));
        findings.push(Finding::new(
            Severity::Error,
            "res",
            "expected one of its own, found 0",
        ));
        let summed = summed_up(findings.clone());
        assert_eq!(summed.len(), 1 + LISTED_OF_KIND + 1 + 1);
        assert_eq!(summed[..17], findings[..17]);
        assert_eq!(summed[17], note("65518 more of the kind before".to_owned()));
        assert_eq!(summed[18], findings[65_535]);
        assert_eq!(summed_up(findings[..17].to_vec()), findings[..17]);
    }

    #[test]
    fn names_that_differ_in_everything_are_counted_too() {
        let name = |n: u32| {
            let letters = (0..8).map(|digit| char::from(b'a' + (n >> (4 * digit) & 15) as u8));
            letters.collect::<String>()
        };
        let findings = (0..5000).map(|n| note(format!("{} is odd", name(n))));
        let n_lines = summed_up(findings.collect()).len();
        assert!(n_lines < 100, "{n_lines} lines");
    }
}
