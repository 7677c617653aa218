//! What an NRes archive holds that its strict reader refuses, or that is legal but worth knowing.

use super::{ALIGNMENT, Entry, FORMAT, NRes, sort_table};
use ironlands_assets_core::bytes::{Finding, Severity};

/// Types up to this are numbers of chunks, greater ones are four letters.
const MAX_CHUNK: u32 = 0xFF;

impl NRes {
    /// What breaks a rule of the strict reader, and what is legal but worth knowing.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            findings.extend(Self::check_entry(index, entry));
        }
        findings.extend(self.check_duplicates());
        if let Some(layout) = &self.layout {
            if !layout.sort_table_is_sorted() {
                findings.push(Finding::new(
                    Severity::Warning,
                    FORMAT,
                    "the sort table gives no sorted order; names are found by linear scan",
                ));
            }
            findings.extend(layout.check_gaps());
        }
        findings
    }

    fn check_entry(index: usize, entry: &Entry) -> Vec<Finding> {
        let find = |severity, what: &str| {
            let message = format!("entry {index} \"{}\" {what}", entry.name_text());
            Finding::new(severity, FORMAT, message).at(entry.offset())
        };
        let mut findings = Vec::new();
        if !entry.name.contains(&0) {
            findings.push(find(Severity::Warning, "has no NUL after its name"));
        }
        if !entry.name_bytes().is_ascii() {
            findings.push(find(
                Severity::Note,
                "has a name beyond ASCII, where the order of names is not known",
            ));
        }
        if !entry.offset().is_multiple_of(ALIGNMENT as u64) {
            findings.push(find(
                Severity::Warning,
                "starts at no multiple of 8 in the file",
            ));
        }
        findings
    }

    fn check_duplicates(&self) -> Vec<Finding> {
        let by_name = sort_table(&self.entries);
        let entry_at = |index: u32| self.entries.get(index as usize);
        let pairs = by_name.iter().zip(by_name.iter().skip(1));
        let mut findings = Vec::new();
        for (&first, &second) in pairs {
            let (Some(earlier), Some(later)) = (entry_at(first), entry_at(second)) else {
                continue;
            };
            // Chunks of terrain and of models all bear one name; a search goes by their numbers.
            let is_chunk = |entry: &Entry| entry.type_id <= MAX_CHUNK;
            let is_by_type = is_chunk(earlier)
                && is_chunk(later)
                && earlier.type_id != later.type_id
                && earlier.name_bytes() == later.name_bytes();
            let is_named = !later.name_bytes().is_empty() && !is_by_type;
            if is_named && earlier.is_named(later.name_bytes()) {
                let message = format!(
                    "entry {second} \"{}\" has the name of entry {first}; a search finds the first",
                    later.name_text()
                );
                findings.push(Finding::new(Severity::Note, FORMAT, message).at(later.offset()));
            }
        }
        findings
    }
}
