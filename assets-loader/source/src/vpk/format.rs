//! What the two formats of VPKs say of themselves.

use std::collections::HashSet;
use std::path::Path;

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::{
    Archive, ArchiveError, ArchiveOptions, FileKind, Format, Input, Match, inherent_methods,
};
use ironlands_assets_core::report::{Depth, EntryRow, Report};
use ironlands_assets_core::vfs::path;

use super::{FORMAT, SIGNATURE, VpkDirectory, VpkEntry, VtmbPack};
use crate::archives;
use crate::game_files::DiskArchive;
use crate::members;

impl Format for VpkDirectory {
    type Context = ();

    const NAME: &'static str = "vpk";
    const EXTENSIONS: &'static [&'static str] = &["vpk"];
    const KIND: FileKind = FileKind::Archive;

    inherent_methods!(read, write);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(&SIGNATURE.to_le_bytes()) {
            return Some(Match::Content);
        }
        // Numbered archives end so, too, and are read with their directory.
        name.ends_with("_dir.vpk").then_some(Match::Extension)
    }

    fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut seen = HashSet::new();
        let names = self.tree.files().map(|(name, _)| name.to_ascii_lowercase());
        let n_twins = names.filter(|name| !seen.insert(name.clone())).count();
        if n_twins > 0 {
            let message = format!(
                "{n_twins} files have the names of others, but for their case; only the first is found"
            );
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        }
        for (name, entry) in self.tree.files() {
            if path::components(&name).is_err() {
                let message = "the name breaks the path policy";
                let finding = Finding::new(Severity::Error, FORMAT, message);
                let finding = finding.in_part(&name.escape_debug().to_string());
                findings.push(finding.at(entry.offset.into()));
            }
        }
        findings
    }

    fn describe(&self, report: &mut Report) {
        report.entries = self.tree.files().map(row).collect();
        report.fact("files", report.entries.len());
    }

    /// Its files, wherever they lie.
    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        if input.depth == Depth::Facts {
            return;
        }
        let Report {
            entries, findings, ..
        } = report;
        match DiskArchive::open(input.path) {
            Ok(archive) => members::check_archive(&archive, entries, findings),
            Err(error) => findings.push(Finding::new(Severity::Error, FORMAT, error.to_string())),
        }
    }

    const ARCHIVE_LABEL: Option<&'static str> = Some("VPK (the _dir file)");

    fn open_archive(path: &Path, _: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(archives::open_vpk(path))
    }
}

fn row((name, entry): (String, &VpkEntry)) -> EntryRow {
    EntryRow {
        name,
        type_name: match entry.is_in_directory() {
            true => "here".to_owned(),
            false => format!("archive {:03}", entry.archive),
        },
        size: entry.size(),
        offset: entry.offset.into(),
        detail: String::new(),
    }
}

/// Never recognized: nothing at its beginning identifies it, and numbered archives end so, too.
impl Format for VtmbPack {
    type Context = ();

    const NAME: &'static str = "vtmb_pack";
    const EXTENSIONS: &'static [&'static str] = &["vpk"];
    const KIND: FileKind = FileKind::Archive;

    inherent_methods!(read, write);

    fn open_archive(path: &Path, _: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(archives::open_vpk(path))
    }
}
