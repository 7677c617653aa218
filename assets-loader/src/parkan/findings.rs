//! A list of findings that stays short: of one rule the first few records are listed, the rest counted.

use crate::bytes::{Finding, FormatError, Severity};
use crate::vfs::VfsError;

/// Records that one rule lists before it only counts.
const LISTED_PER_RULE: usize = 16;

/// Findings of one format.
pub(super) struct Findings {
    format: &'static str,
    list: Vec<Finding>,
}

impl Findings {
    pub(super) fn new(format: &'static str) -> Self {
        Self {
            format,
            list: Vec::new(),
        }
    }

    /// Adds what breaks one rule: offset in the file, where one place is at fault, and a sentence.
    pub(super) fn rule(
        &mut self,
        severity: Severity,
        broken: impl IntoIterator<Item = (Option<u64>, String)>,
    ) {
        let mut broken = broken.into_iter();
        for (offset, message) in broken.by_ref().take(LISTED_PER_RULE) {
            let mut finding = Finding::new(severity, self.format, message);
            finding.offset = offset;
            self.list.push(finding);
        }
        let n_more = broken.count();
        if n_more > 0 {
            let message = format!("{n_more} more of the kind before");
            self.list.push(Finding::new(severity, self.format, message));
        }
    }

    /// Adds an error that a tolerant reader got over, and how.
    pub(super) fn error(&mut self, error: FormatError, repair: &str) {
        let offset = error.offset;
        let finding = Finding::new(Severity::Error, self.format, format!("{error}; {repair}"));
        self.list.push(finding.at(offset));
    }

    /// Adds findings of a part of the file.
    pub(super) fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.list.extend(findings);
    }

    pub(super) fn into_list(self) -> Vec<Finding> {
        self.list
    }
}

/// Why a file that one can do without is not there: to be absent is less than to be broken.
pub(super) fn missing_file(format: &'static str, error: &VfsError) -> Finding {
    let severity = match error {
        VfsError::FileMissing { .. } | VfsError::EntryMissing { .. } => Severity::Warning,
        VfsError::PathRefused { .. }
        | VfsError::EntryEmpty { .. }
        | VfsError::Invalid { .. }
        | VfsError::Io { .. } => Severity::Error,
    };
    Finding::new(severity, format, error.to_string())
}
