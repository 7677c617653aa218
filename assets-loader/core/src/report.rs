//! What is known of a file: facts, entries and findings, as `info` and `check` show them.
//!
//! In: what a format or a world has to say of a path. Out: plain data.
//!
//! Deliberately absent: printing.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::bytes::{Finding, FormatError, Severity};

/// What findings about files that a level names and that are nowhere in its game name as their format: one warning with
/// their number, and a note for each.
pub const MISSING_FILES: &str = "game files";

/// How far files are looked into.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Depth {
    /// As far as facts and entries need it: what an archive holds is not unpacked, and levels are not opened.
    Facts,
    /// All that a file holds, and whether it opens.
    #[default]
    Contents,
}

/// What a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// A file.
    File,
    /// A file of a group that has a report of its own; there may be hundreds.
    Member,
    /// What several files are together: a level, a set of regions.
    Group,
    /// An entry of an archive, alone.
    Entry,
    /// A file or folder that the system did not let us read.
    Unreadable,
}

/// What is known of one file or group of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The file, or the group's folder.
    pub path: PathBuf,
    /// What it is about.
    pub scope: Scope,
    /// What it was taken for: the name of a format or of a kind of group.
    pub format: &'static str,
    /// Facts in words, as in `("faces", "8192")`.
    pub facts: Vec<(&'static str, String)>,
    /// Entries of an archive, in directory order.
    pub entries: Vec<EntryRow>,
    /// What is wrong or worth knowing. Offsets count from the start of the file.
    pub findings: Vec<Finding>,
    /// How well it fits what is believed of all files of the game.
    pub fits: Vec<Fit>,
    /// The system or the format's reader refused it; the last finding says why, and facts beyond its size are missing.
    pub is_refused: bool,
}

/// How often a rule holds that no document states: over many files it shows whether they are read as their game reads
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// What should hold.
    pub rule: &'static str,
    /// How often it does.
    pub n_fitting: u64,
    /// How often it could.
    pub n_all: u64,
}

impl Fit {
    /// Whether it holds but for one case in twenty: a wrong reading fits by chance, in far fewer cases than that.
    pub const fn is_good(&self) -> bool {
        self.n_fitting.saturating_mul(20) >= self.n_all.saturating_mul(19)
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rule,
            n_fitting,
            n_all,
        } = self;
        let word = match self.is_good() {
            true => "fits",
            false => "does not fit",
        };
        let percent = *n_fitting as f64 * 100.0 / (*n_all).max(1) as f64;
        write!(f, "{word}: {rule}: {n_fitting} of {n_all} ({percent:.2} %)")
    }
}

/// One entry of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRow {
    /// Its name.
    pub name: String,
    /// Its type: a fourcc, a chunk number, or a packing method.
    pub type_name: String,
    /// Bytes, unpacked.
    pub size: u64,
    /// Where its payload begins in the file.
    pub offset: u64,
    /// What it holds, in words; empty where that is not known.
    pub detail: String,
}

impl Report {
    /// An empty report.
    pub fn new(path: &Path, scope: Scope, format: &'static str) -> Self {
        Self {
            path: path.to_owned(),
            scope,
            format,
            facts: Vec::new(),
            entries: Vec::new(),
            findings: Vec::new(),
            fits: Vec::new(),
            is_refused: false,
        }
    }

    /// The report on what the system did not let us read.
    pub fn unreadable(path: &Path, message: String) -> Self {
        Self {
            findings: vec![Finding::new(Severity::Error, "file", message)],
            is_refused: true,
            ..Self::new(path, Scope::Unreadable, "unreadable")
        }
    }

    /// Adds what a reader refused, as a finding at its place.
    pub fn refuse(&mut self, error: &FormatError) {
        self.findings.push(refusal(error));
        self.is_refused = true;
    }

    /// Adds a fact.
    pub fn fact(&mut self, name: &'static str, value: impl ToString) {
        self.facts.push((name, value.to_string()));
    }

    /// Adds how often a rule holds, if there was a case at all.
    pub fn fit(&mut self, rule: &'static str, cases: impl IntoIterator<Item = bool>) {
        let mut fit = Fit {
            rule,
            n_fitting: 0,
            n_all: 0,
        };
        for holds in cases {
            fit.n_all = fit.n_all.saturating_add(1);
            fit.n_fitting = fit.n_fitting.saturating_add(u64::from(holds));
        }
        if fit.n_all > 0 {
            self.fits.push(fit);
        }
    }

    /// The most serious finding's severity; `None` without findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

/// What a reader refused, as a finding at its place.
pub fn refusal(error: &FormatError) -> Finding {
    Finding::new(Severity::Error, error.format, error.to_string()).at(error.offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_fit_but_for_one_case_in_twenty() {
        let mut report = Report::new(Path::new("x"), Scope::File, "test");
        report.fit("nothing", []);
        report.fit("most", (0..20).map(|case| case != 7));
        report.fit("fewer", (0..20).map(|case| case > 1));
        let fits: Vec<String> = report.fits.iter().map(Fit::to_string).collect();
        let expected = [
            "fits: most: 19 of 20 (95.00 %)",
            "does not fit: fewer: 18 of 20 (90.00 %)",
        ];
        assert_eq!(fits, expected);
    }
}
