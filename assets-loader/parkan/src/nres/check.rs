//! What an NRes archive holds that its strict reader refuses, or that is legal but worth knowing.

use std::collections::HashMap;

use super::contents::type_name;
use super::{ALIGNMENT, Entry, FORMAT, NRes};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

impl NRes {
    /// What breaks a rule of the strict reader, and what is legal but worth knowing.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        for (index, entry) in self.entries.iter().enumerate() {
            findings.extend(Self::check_entry(index, entry));
        }
        findings.rule(Severity::Warning, self.unnamed());
        findings.rule(Severity::Note, self.duplicates());
        if let Some(layout) = &self.layout {
            if !layout.sort_table_is_sorted() {
                let message =
                    "the sort table gives no sorted order; names are found by linear scan";
                findings.rule(Severity::Warning, [(None, message.to_owned())]);
            }
            findings.extend(layout.check_gaps());
        }
        findings.into_list()
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

    /// No retail archive has an entry without a name, and another program's reader refuses one.
    fn unnamed(&self) -> impl Iterator<Item = (Option<u64>, String)> {
        let unnamed = self.entries.iter().enumerate();
        let unnamed = unnamed.filter(|(_, entry)| entry.name_bytes().is_empty());
        unnamed.map(|(index, entry)| {
            let message = format!(
                "entry {index} of type {} has no name",
                type_name(entry.type_id)
            );
            (Some(entry.offset()), message)
        })
    }

    /// Entries that no search finds: by name and by type it ends at an earlier one.
    ///
    /// All chunks of a file bear one name, as those of terrain (`Land`) and of a research tree (`ResTree`), and are
    /// found by their types. An entry whose name is its type is found by its number.
    fn duplicates(&self) -> impl Iterator<Item = (Option<u64>, String)> {
        let mut first_of = HashMap::new();
        let entries = self.entries.iter().enumerate();
        entries.filter_map(move |(index, entry)| {
            let name = entry.name_bytes();
            let key = (name.to_ascii_lowercase(), entry.type_id);
            let first = *first_of.entry(key).or_insert(index);
            let is_searched = !name.is_empty() && *name != entry.type_id.to_le_bytes();
            (first != index && is_searched).then(|| {
                let message = format!(
                    "entry {index} \"{}\" has the name and type of entry {first}; a search finds the first",
                    entry.name_text()
                );
                (Some(entry.offset()), message)
            })
        })
    }
}
