//! Files that are read as well as they can be: strictly, else tolerantly, reporting what was waived.

use super::findings::{missing_file, shown};
use super::msh::{self, Msh};
use super::wear::{Wear, WearTolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::vfs::{Vfs, VfsError};

/// What findings of this module name as their format.
const FORMAT: &str = "parkan level";

/// Where a file is found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source<'a> {
    /// By a path, which may lead through an archive.
    Path(&'a str),
    /// By the raw bytes of its name in an archive: no path can spell all of them.
    Entry { archive: &'a str, entry: &'a [u8] },
}

impl Source<'_> {
    /// For sentences.
    pub(super) fn name(self) -> String {
        match self {
            Self::Path(path) => path.to_owned(),
            Self::Entry { archive, entry } => format!("{archive}/{}", shown(entry)),
        }
    }

    pub(super) fn open_as<T>(
        self,
        vfs: &Vfs,
        read: impl FnOnce(&[u8]) -> Result<T, FormatError>,
    ) -> Result<T, VfsError> {
        match self {
            Self::Path(path) => vfs.open_as(path, read),
            Self::Entry { archive, entry } => {
                let data = vfs.open_entry(archive, entry)?;
                match read(&data) {
                    Ok(value) => Ok(value),
                    Err(error) => Err(VfsError::Invalid {
                        file: vfs.find_file(archive)?,
                        error: Box::new(error.in_entry(&shown(entry))),
                    }),
                }
            }
        }
    }
}

/// Opens a file and reads it strictly, else tolerantly; then all repairs are findings, or the broken rule where
/// there was nothing to repair.
pub(super) fn open_tolerantly<T>(
    vfs: &Vfs,
    name: &str,
    findings: &mut Vec<Finding>,
    strict: impl FnOnce(&[u8]) -> Result<T, FormatError>,
    tolerant: impl FnOnce(&[u8]) -> Result<(T, Vec<Finding>), FormatError>,
) -> Result<T, VfsError> {
    open_source(vfs, Source::Path(name), findings, strict, tolerant)
}

fn open_source<T>(
    vfs: &Vfs,
    source: Source<'_>,
    findings: &mut Vec<Finding>,
    strict: impl FnOnce(&[u8]) -> Result<T, FormatError>,
    tolerant: impl FnOnce(&[u8]) -> Result<(T, Vec<Finding>), FormatError>,
) -> Result<T, VfsError> {
    source.open_as(vfs, |data| {
        strict(data).or_else(|broken_rule| {
            let (value, mut repairs) = tolerant(data)?;
            let name = source.name();
            // Repairs report the broken rules themselves.
            if repairs.is_empty() {
                let message = format!("{name} is read tolerantly: {broken_rule}");
                let finding = Finding::new(Severity::Warning, FORMAT, message);
                findings.push(finding.at(broken_rule.offset));
            }
            for repair in &mut repairs {
                repair.message.insert_str(0, &format!("{name}: "));
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
    open_wear_at(vfs, Source::Path(name), findings)
}

/// A material table.
pub(super) fn open_wear_at(
    vfs: &Vfs,
    source: Source<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Wear, VfsError> {
    open_source(vfs, source, findings, Wear::read, |data| {
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
    open_model_at(vfs, Source::Path(name), findings)
}

/// A model. One with numbers that are not finite is refused: no scene could hold it.
pub(super) fn open_model_at(
    vfs: &Vfs,
    source: Source<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Msh, VfsError> {
    let strict = |data: &[u8]| Msh::read(data)?.require_finite();
    open_source(vfs, source, findings, strict, |data| {
        let (msh, repairs) = Msh::read_with(data, msh::Tolerance::all())?;
        Ok((msh.require_finite()?, repairs))
    })
}

/// A file that can be done without; why it is not there becomes a finding.
pub(super) fn optional<T>(file: Result<T, VfsError>, findings: &mut Vec<Finding>) -> Option<T> {
    file.map_err(|error| findings.push(missing_file(FORMAT, &error)))
        .ok()
}
