//! Files in maps and archives: that they unpack, and that those of known formats are valid.

use std::path::Path;

use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{AnyFormat, Format, HEAD_BYTES, Input};
use ironlands_assets_core::report::{Depth, EntryRow, Report, Scope, refusal};

use crate::bsp::BspFile;
use crate::formats::recognize;
use crate::game_files::{DiskArchive, GameFilesError};
use crate::mdl::{self, Mdl};
use crate::pakfile::{Method, Pakfile};
use crate::studio_model::OpenFile;
use crate::vmf::Vmf;
use crate::vpk::VpkDirectory;
use crate::vtmb_mdl::{self, VtmbMdl};

/// Findings about the members of one archive that are listed before the others are only counted.
const MAX_LISTED: usize = 256;
/// What no map and no model draws on: only unpacked. A map or an archive in an archive would be one more file to look
/// into, and its files files of its own.
const NOT_LOOKED_INTO: [&str; 3] = [BspFile::NAME, VpkDirectory::NAME, Vmf::NAME];

/// Looks into every file of a pakfile that begins `offset` bytes into its map. `rows` are those of its entries.
pub(crate) fn check_pakfile(
    pakfile: &Pakfile,
    offset: u64,
    rows: &mut [EntryRow],
    findings: &mut Vec<Finding>,
) {
    let mut members = Members::new(findings);
    let open = |path: &str| pakfile.open(path).map_err(|error| error.to_string());
    for (entry, row) in pakfile.entries().iter().zip(rows) {
        match pakfile.unpack(entry) {
            Ok(data) => {
                // Offsets in packed bytes mean nothing: the entry's own place is given instead.
                let is_stored = entry.method() == Method::Stored;
                let place = offset.saturating_add(entry.offset());
                members.look_into(&data, (place, is_stored), row, &open);
            }
            Err(mut error) => {
                error.offset = error.offset.saturating_add(offset);
                members.push(refusal(&error));
            }
        }
    }
    members.finish();
}

/// Reads every file of an archive on disk, which proves its checksum, and looks into it. Parts that are missing are
/// reported once each.
pub(crate) fn check_archive(
    archive: &DiskArchive,
    rows: &mut [EntryRow],
    findings: &mut Vec<Finding>,
) {
    let mut members = Members::new(findings);
    for part in archive.missing_parts() {
        let message = format!(
            "{} is missing, in which {} files lie",
            part.name, part.n_files
        );
        members.push(Finding::new(Severity::Error, VpkDirectory::NAME, message));
    }
    let open = |path: &str| archive.read(path).map_err(|error| error.to_string());
    // The archive has its files in the order of their paths, those of one path in the order of the directory.
    let mut rows: Vec<&mut EntryRow> = rows.iter_mut().collect();
    rows.sort_by_cached_key(|row| row.name.replace('\\', "/").to_ascii_lowercase());
    for (index, row) in rows.into_iter().enumerate() {
        if archive.lies_in_missing_part(index) {
            continue;
        }
        match archive.read_at(index) {
            Ok(data) => members.look_into(&data, (row.offset, false), row, &open),
            Err(GameFilesError::Archive { error, .. }) => {
                members.push(refusal(&error).at(row.offset));
            }
            Err(error) => {
                let finding = Finding::new(Severity::Error, VpkDirectory::NAME, error.to_string());
                members.push(finding.in_part(&row.name).at(row.offset));
            }
        }
    }
    members.finish();
}

/// Findings of members, the first of which are listed.
struct Members<'a> {
    findings: &'a mut Vec<Finding>,
    n_listed: usize,
    n_others: usize,
    worst_of_others: Severity,
}

impl<'a> Members<'a> {
    fn new(findings: &'a mut Vec<Finding>) -> Self {
        Self {
            findings,
            n_listed: 0,
            n_others: 0,
            worst_of_others: Severity::Note,
        }
    }

    fn push(&mut self, finding: Finding) {
        if self.n_listed < MAX_LISTED {
            self.n_listed = self.n_listed.saturating_add(1);
            self.findings.push(finding);
        } else {
            self.n_others = self.n_others.saturating_add(1);
            self.worst_of_others = self.worst_of_others.max(finding.severity);
        }
    }

    fn finish(self) {
        if self.n_others > 0 {
            let message = format!("{} more findings about files in it", self.n_others);
            let finding = Finding::new(self.worst_of_others, "members", message);
            self.findings.push(finding);
        }
    }

    /// The bytes of a member, which begin at a place in the file around it; whether offsets in them count from there.
    fn look_into(
        &mut self,
        data: &[u8],
        (place, counts_from_there): (u64, bool),
        row: &mut EntryRow,
        open: OpenFile<'_>,
    ) {
        let head = data.get(..data.len().min(HEAD_BYTES as usize));
        let path = Path::new(&row.name);
        let Some(format) = recognize(path, head.unwrap_or_default()) else {
            return;
        };
        let mut report = Report::new(path, Scope::Entry, format.name());
        let input = Input {
            path,
            data,
            depth: Depth::Facts,
        };
        if let Err(error) = inspect(format, &input, &mut report, open) {
            report.findings.push(refusal(&error));
        }
        let facts = report.facts.iter();
        let facts = facts.map(|(name, value)| format!("{name} {value}"));
        row.detail = facts.collect::<Vec<_>>().join(", ");
        for finding in report.findings {
            let inner = finding.offset.filter(|_| counts_from_there).unwrap_or(0);
            let finding = finding.in_part(&row.name);
            self.push(finding.at(place.saturating_add(inner)));
        }
    }
}

/// What a member that maps and models draw on holds.
fn inspect(
    format: &'static dyn AnyFormat,
    input: &Input<'_>,
    report: &mut Report,
    open: OpenFile<'_>,
) -> Result<(), FormatError> {
    if NOT_LOOKED_INTO.contains(&format.name()) {
        return Ok(());
    }
    let path = input.path.to_string_lossy().replace('\\', "/");
    // It may be drawn with files of the game, so one that is missing here is no error.
    let path = (&*path.to_ascii_lowercase(), Severity::Note);
    match format.name() {
        Mdl::NAME => mdl::inspect_among(input.data, path, open, report),
        VtmbMdl::NAME => vtmb_mdl::inspect_among(input.data, path, open, report),
        _ => format.inspect(input, report),
    }
}
