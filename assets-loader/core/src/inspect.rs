//! What a file or folder holds, and what is wrong with it: the reports behind `check` and `info`.
//!
//! In: a path, and the formats that are known. Out: one [`Report`] for each file of a known format, and one for what a folder is as a whole, with facts
//! for people, a table of entries, and findings. Nothing stops at the first error: a file that cannot be read
//! is a report with an error in it, and a file of no known format is listed as skipped. With [`Depth::Contents`] levels
//! are also opened as for drawing, and files in archives are unpacked, so that what has no error here opens.
//!
//! Deliberately absent: printing, and what is said of each format, which its
//! [`Format`](crate::format::Format) says.

mod summary;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::bytes::{Finding, FormatError, Severity};
use crate::format::{AnyFormat, EntryLookup, HEAD_BYTES, Input};
use crate::formats::{Formats, refined};
use crate::near;
pub use crate::report::{Depth, EntryRow, Fit, Report, Scope};
use crate::vfs::{file_len, read_file, read_head};

/// Folders in folders beyond this are not entered.
pub const MAX_DEPTH: usize = 32;

/// All that was found at one path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inspection {
    /// One for each known file and each group of files, in the order of paths; a group comes before its files. Of one
    /// kind the first findings are listed, and the rest counted.
    pub reports: Vec<Report>,
    /// Files of no known format, and links to folders, which are not followed.
    pub skipped: Vec<PathBuf>,
}

/// The requested path could not be read.
#[derive(Debug, Error)]
#[error("{}: {error}", path.display())]
pub struct InspectError {
    /// The path.
    pub path: PathBuf,
    /// The system's error.
    pub error: io::Error,
}

/// Inspects a file, an entry of an archive as in `bases.rlb/WALKER.MSH`, or a folder and everything below it in
/// the order of names.
///
/// Links to folders below `path` are not followed. Reads one file at a time.
///
/// # Errors
/// Nothing is there, or the system does not say what.
pub fn inspect(path: &Path, formats: &Formats) -> Result<Inspection, InspectError> {
    inspect_to(path, Depth::Contents, formats)
}

/// As [`inspect`], as far into the files as `depth` says.
///
/// # Errors
/// As [`inspect`].
pub fn inspect_to(
    path: &Path,
    depth: Depth,
    formats: &Formats,
) -> Result<Inspection, InspectError> {
    let mut inspector = Inspector {
        formats,
        depth,
        inspection: Inspection::default(),
    };
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => inspector.add_folder(path, 0),
        Ok(_) => inspector.add_file(path),
        Err(error) => match inspect_entry(path, formats)? {
            Some(report) => inspector.inspection.reports.push(report),
            None => {
                let path = path.to_owned();
                return Err(InspectError { path, error });
            }
        },
    }
    let mut inspection = inspector.inspection;
    for report in &mut inspection.reports {
        report.findings = summary::summed_up(std::mem::take(&mut report.findings));
    }
    Ok(inspection)
}

/// What is wrong with the bytes of a file that is not written yet; its name and its first bytes say what it is. No
/// findings for a file of no known format.
///
/// # Errors
/// The bytes cannot be read as what they are to be.
pub fn inspect_bytes(
    path: &Path,
    data: &[u8],
    formats: &Formats,
) -> Result<Vec<Finding>, FormatError> {
    let Some(format) = formats.recognize_whole(path, data) else {
        return Ok(Vec::new());
    };
    let input = Input {
        path,
        data,
        depth: Depth::Facts,
    };
    let mut report = Report::new(path, Scope::File, format.name());
    format.inspect(&input, &mut report)?;
    Ok(report.findings)
}

/// The report on an entry of an archive; `None` if nothing is there that has entries.
fn inspect_entry(path: &Path, formats: &Formats) -> Result<Option<Report>, InspectError> {
    let (Some(archive), Some(entry)) = (path.parent(), path.file_name()) else {
        return Ok(None);
    };
    // A folder may have the name of an archive, as the one has that an archive was extracted to.
    let Ok(head) = read_head(archive, HEAD_BYTES) else {
        return Ok(None);
    };
    let candidates = formats.candidates(archive, &head);
    let Some(format) = candidates.first() else {
        return Ok(None);
    };
    let data = match read_file(archive) {
        Ok(data) => data,
        Err(error) => return Ok(Some(Report::unreadable(archive, error.to_string()))),
    };
    let input = Input {
        path: archive,
        data: &data,
        depth: Depth::Contents,
    };
    let name = entry.to_string_lossy();
    let mut report = Report::new(path, Scope::Entry, "entry");
    match format.inspect_entry(&input, &name, &mut report) {
        Ok(EntryLookup::NoArchive) => return Ok(None),
        Ok(EntryLookup::Found) => {}
        Ok(EntryLookup::Missing { names }) => {
            let near = near::nearest(&name, names.into_iter());
            let message = format!("no such entry{}", near::did_you_mean(&near));
            return Err(InspectError {
                path: path.to_owned(),
                error: io::Error::new(io::ErrorKind::NotFound, message),
            });
        }
        Err(error) => report.refuse(&error),
    }
    Ok(Some(report))
}

/// The report on a file of a known format.
fn report(path: &Path, format: &'static dyn AnyFormat, data: &[u8], depth: Depth) -> Report {
    let format = refined(format, path, data);
    let mut report = Report::new(path, Scope::File, format.name());
    report.fact("bytes", data.len());
    if let Err(error) = format.inspect(&Input { path, data, depth }, &mut report) {
        report.refuse(&error);
    }
    report
}

impl Inspection {
    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        let findings = self.reports.iter().flat_map(|report| &report.findings);
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    }
}

/// Walks a folder and collects reports.
struct Inspector<'a> {
    formats: &'a Formats,
    depth: Depth,
    inspection: Inspection,
}

impl Inspector<'_> {
    fn add_folder(&mut self, folder: &Path, depth: usize) {
        let mut entries = match list(folder) {
            Ok(_) if depth >= MAX_DEPTH => {
                let message = format!("more than {MAX_DEPTH} folders deep; not looked into");
                return self
                    .inspection
                    .reports
                    .push(Report::unreadable(folder, message));
            }
            Ok(entries) => entries,
            Err(error) => {
                return self
                    .inspection
                    .reports
                    .push(Report::unreadable(folder, error.to_string()));
            }
        };
        entries.sort();
        for set in self.formats.sets() {
            let reports = (set.inspect_folder)(folder, &mut entries);
            self.inspection.reports.extend(reports);
        }
        for path in entries {
            if !path.is_dir() {
                self.add_file(&path);
            } else if path.is_symlink() {
                self.inspection.skipped.push(path);
            } else {
                self.add_folder(&path, depth.saturating_add(1));
            }
        }
    }

    fn add_file(&mut self, path: &Path) {
        // A file of no known format may be of any size: only its first bytes are read.
        let read = read_head(path, HEAD_BYTES).and_then(|head| {
            let format = self.formats.recognize(path, &head, file_len(path)?);
            format
                .map(|format| Ok((format, read_file(path)?)))
                .transpose()
        });
        match read {
            Ok(Some((format, data))) => {
                let report = report(path, format, &data, self.depth);
                self.inspection.reports.push(report);
            }
            Ok(None) => self.inspection.skipped.push(path.to_owned()),
            Err(error) => self
                .inspection
                .reports
                .push(Report::unreadable(path, error.to_string())),
        }
    }
}

fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    folder.read_dir()?.map(|entry| Ok(entry?.path())).collect()
}
