//! Files that are read as well as they can be: strictly, else tolerantly, and told what was waived.

use super::findings::missing_file;
use super::msh::{self, Msh};
use super::wear::{Wear, WearTolerance};
use crate::bytes::{Finding, FormatError, Severity};
use crate::vfs::{Vfs, VfsError};

/// What findings of this module name as their format.
const FORMAT: &str = "parkan level";

/// Opens a file and reads it strictly, else tolerantly; then all repairs are findings, or the broken rule where
/// there was nothing to repair.
pub(super) fn open_tolerantly<T>(
    vfs: &Vfs,
    name: &str,
    findings: &mut Vec<Finding>,
    strict: impl FnOnce(&[u8]) -> Result<T, FormatError>,
    tolerant: impl FnOnce(&[u8]) -> Result<(T, Vec<Finding>), FormatError>,
) -> Result<T, VfsError> {
    vfs.open_as(name, |data| {
        strict(data).or_else(|broken_rule| {
            let (value, repairs) = tolerant(data)?;
            // Repairs tell the broken rules themselves.
            if repairs.is_empty() {
                let message = format!("{name} is read tolerantly: {broken_rule}");
                let finding = Finding::new(Severity::Warning, FORMAT, message);
                findings.push(finding.at(broken_rule.offset));
            }
            findings.extend(repairs);
            Ok(value)
        })
    })
}

/// A material table.
pub(super) fn open_wear(
    vfs: &Vfs,
    name: &str,
    findings: &mut Vec<Finding>,
) -> Result<Wear, VfsError> {
    open_tolerantly(vfs, name, findings, Wear::read, |data| {
        let wear = Wear::read_with(data, WearTolerance::AnyGapBeforeLightmaps)?;
        Ok((wear, Vec::new()))
    })
}

/// A model: a file, or an entry of an archive.
pub(super) fn open_model(
    vfs: &Vfs,
    name: &str,
    findings: &mut Vec<Finding>,
) -> Result<Msh, VfsError> {
    open_tolerantly(vfs, name, findings, Msh::read, |data| {
        Msh::read_with(data, msh::Tolerance::all())
    })
}

/// A file that can be done without; why it is not there becomes a finding.
pub(super) fn optional<T>(file: Result<T, VfsError>, findings: &mut Vec<Finding>) -> Option<T> {
    file.map_err(|error| findings.push(missing_file(FORMAT, &error)))
        .ok()
}
