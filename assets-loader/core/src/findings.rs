//! A list of findings that stays short: of one rule the first few records are listed, the rest counted.

use std::borrow::Cow;

use crate::bytes::{Finding, FormatError, Severity};
use crate::text::decode_cp1251;
use crate::vfs::VfsError;

/// Records that one rule lists before it only counts.
const LISTED_PER_RULE: usize = 16;
/// Characters of a name that a sentence repeats; names of entries are shorter.
const SHOWN_OF_NAME: usize = 64;

/// Findings of one format.
pub struct Findings {
    format: &'static str,
    list: Vec<Finding>,
}

impl Findings {
    /// No findings yet.
    pub fn new(format: &'static str) -> Self {
        Self {
            format,
            list: Vec::new(),
        }
    }

    /// Adds what breaks one rule: offset in the file, if the finding has one place, and a sentence.
    pub fn rule(
        &mut self,
        severity: Severity,
        broken: impl IntoIterator<Item = (Option<u64>, String)>,
    ) {
        self.rule_of(severity, broken, |reported| reported);
    }

    /// As [`Self::rule`], whose messages are built only for the findings that are kept: for messages that are
    /// long or expensive.
    pub fn rule_of<R>(
        &mut self,
        severity: Severity,
        broken: impl IntoIterator<Item = R>,
        report: impl FnMut(R) -> (Option<u64>, String),
    ) {
        let mut broken = broken.into_iter();
        let listed = broken.by_ref().take(LISTED_PER_RULE).map(report).collect();
        self.list_rule(severity, listed, broken.count());
    }

    /// What does not depend on the records of a rule, and is compiled once.
    fn list_rule(&mut self, severity: Severity, listed: Vec<(Option<u64>, String)>, n_more: usize) {
        for (offset, message) in listed {
            let mut finding = Finding::new(severity, self.format, message);
            finding.offset = offset;
            self.list.push(finding);
        }
        if n_more > 0 {
            let message = format!("{n_more} more of the kind before");
            self.list.push(Finding::new(severity, self.format, message));
        }
    }

    /// Adds an error that a tolerant reader got over, and how.
    pub fn error(&mut self, error: FormatError, repair: &str) {
        let offset = error.offset;
        let finding = Finding::new(Severity::Error, self.format, format!("{error}; {repair}"));
        self.list.push(finding.at(offset));
    }

    /// Adds findings of a part of the file.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.list.extend(findings);
    }

    /// What was found, in the order of the rules.
    pub fn into_list(self) -> Vec<Finding> {
        self.list
    }
}

/// A name for a sentence, cut if it is long: a file may store megabytes of it, and many records may name it.
pub fn shown(name: &[u8]) -> Cow<'_, str> {
    // Each byte is a character.
    let start = name.get(..=SHOWN_OF_NAME).unwrap_or(name);
    match decode_cp1251(start) {
        Cow::Borrowed(text) => cut(text),
        Cow::Owned(text) => cut(&text).into_owned().into(),
    }
}

/// As [`shown`], of a name that is decoded.
pub fn cut(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(SHOWN_OF_NAME) {
        Some((end, _)) => format!("{}...", &name[..end]).into(),
        None => name.into(),
    }
}

/// Why a file that one can do without is not there: to be absent is less than to be broken.
pub fn missing_file(format: &'static str, error: &VfsError) -> Finding {
    let severity = match error {
        VfsError::FileMissing { .. } | VfsError::EntryMissing { .. } => Severity::Warning,
        VfsError::PathRefused { .. }
        | VfsError::EntryEmpty { .. }
        | VfsError::Invalid { .. }
        | VfsError::Io { .. } => Severity::Error,
    };
    Finding::new(severity, format, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_listed_is_reported() {
        let mut findings = Findings::new("test");
        let mut n_reported = 0;
        findings.rule_of(Severity::Note, 0..1000, |record| {
            n_reported += 1;
            (Some(record), format!("record {record}"))
        });
        let list = findings.into_list();
        assert_eq!(n_reported, LISTED_PER_RULE);
        assert_eq!(list.len(), LISTED_PER_RULE + 1);
        assert_eq!(list[15].message, "record 15");
        assert_eq!(list[16].message, "984 more of the kind before");
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shown(b"hut"), "hut");
        assert_eq!(shown(&[b'x'; 64]), "x".repeat(64));
        let long = format!("{}...", "x".repeat(64));
        assert_eq!(shown(&[b'x'; 65]), long);
        assert_eq!(shown(&[b'x'; 6500]), long);
        assert_eq!(shown(&[0xDF; 65]), "\u{42F}".repeat(64) + "...");
    }
}
