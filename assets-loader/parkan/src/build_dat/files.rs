//! Whether the unit files that a list names are there.

use std::collections::BTreeSet;

use super::{BuildDat, FORMAT};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::vfs::Vfs;

/// The folder that all paths begin with.
const UNITS: &str = "UNITS";

impl BuildDat {
    /// Which files the game root lacks, looked for in any case: a warning each.
    ///
    /// A root without any `UNITS` folder is that of a level that was copied alone, with what it is drawn with
    /// and no more. It lacks all files by intent, which is one note.
    pub fn check_files(&self, root: &Vfs) -> Vec<Finding> {
        let named = self.sections.iter().flat_map(|section| &section.paths);
        let paths: BTreeSet<String> = named.map(|path| path.to_ascii_uppercase()).collect();
        let mut findings = Findings::new(FORMAT);
        if has_units(root) {
            let missing = paths.iter().filter_map(|path| root.find_file(path).err());
            findings.rule(
                Severity::Warning,
                missing.map(|error| (None, error.to_string())),
            );
        } else if !paths.is_empty() {
            let message = format!(
                "no {UNITS} folder: none of the {} unit files is there",
                paths.len()
            );
            findings.rule(Severity::Note, [(None, message)]);
        }
        findings.into_list()
    }
}

fn has_units(root: &Vfs) -> bool {
    let entries = root.layers().iter().flat_map(|folder| folder.read_dir());
    let mut entries = entries.flatten().flatten();
    entries.any(|entry| entry.file_name().eq_ignore_ascii_case(UNITS) && entry.path().is_dir())
}
