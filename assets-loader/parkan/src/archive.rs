//! Archives of both kinds as lists of entries: what tools take out and report one by one.
//!
//! The first bytes decide between NRes and RsLi, whatever the file's name: all tools agree on it.
//!
//! Deliberately absent: the readers, and the meaning of entries.

use std::path::Path;

use super::nres::{self, NRes};
use super::rsli::{self, RsLi};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{Archive, ArchiveContent, ArchiveError, EntryLookup, Input};
use ironlands_assets_core::report::{EntryRow, Report};
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_core::vfs::{PathFault, path, read_file};

/// Opens a file as what its first bytes say.
///
/// # Errors
/// The system refuses it, it is neither archive, or it is broken beyond all tolerance.
pub(super) fn open(file: &Path) -> Result<Archive, ArchiveError> {
    let data = read_file(file)?;
    let broken = |error| ArchiveError::Format {
        path: file.to_owned(),
        error: Box::new(error),
    };
    let content: Box<dyn ArchiveContent> = if data.starts_with(nres::MAGIC) {
        Box::new(NRes::read_with(&data, nres::Tolerance::all()).map_err(broken)?)
    } else if data.starts_with(rsli::MAGIC) {
        Box::new(RsLi::read_with(&data, rsli::Tolerance::all()).map_err(broken)?)
    } else {
        let path = file.to_owned();
        return Err(ArchiveError::Unknown { path });
    };
    Ok(Archive::new(file, content, Budget::of_file(data.len())))
}

/// Reports on one entry.
///
/// # Errors
/// The archive is broken.
pub(super) fn inspect_entry(
    archive: &Input<'_>,
    name: &str,
    report: &mut Report,
) -> Result<EntryLookup, FormatError> {
    let is_rsli = archive.data.starts_with(rsli::MAGIC);
    let found = match is_rsli {
        true => RsLi::read_with(archive.data, rsli::Tolerance::all())?.row_of(name),
        false => {
            let nres = NRes::read_with(archive.data, nres::Tolerance::all())?;
            nres.row_of(name, archive.path)
        }
    };
    let (row, findings) = match found {
        Ok(found) => found,
        Err(names) => return Ok(EntryLookup::Missing { names }),
    };
    report.fact("bytes", row.size);
    report.entries.push(row);
    report.findings.extend(findings);
    Ok(EntryLookup::Found)
}

/// Adds the rows of an archive, and which names no file can have.
pub(super) fn describe_rows(format: &'static str, rows: Vec<EntryRow>, report: &mut Report) {
    let refused = rows.iter().filter_map(|row| {
        let finding = refused_name(format, &row.name)?;
        Some(finding.at(row.offset))
    });
    report.findings.extend(refused);
    report.entries = rows;
}

/// What is wrong with a name under which an entry cannot be taken out of an archive. One without a name can be.
fn refused_name(format: &'static str, name: &str) -> Option<Finding> {
    let fault = path::fault_of(name).filter(|fault| *fault != PathFault::Empty)?;
    let message = format!("the name breaks the path policy: {fault}");
    let finding = Finding::new(Severity::Error, format, message);
    Some(finding.in_part(&name.escape_debug().to_string()))
}
