//! The last look before files get their names: what was made is read as any other file.

use std::path::Path;

use ironlands::assets_loader::bytes::Severity;
use ironlands::assets_loader::evil_islands::figure::Figure;
use ironlands::assets_loader::inspect::inspect_bytes;

use super::super::convert::{Files, extension};
use crate::error::AppError;

/// Reads files that were made but not written yet.
///
/// # Errors
/// If one of them cannot be read; then none should be written. What else [`check`](crate::commands::check) would
/// report as an error is logged: a file of the game may have come with it.
pub fn read_back(files: &Files) -> Result<(), AppError> {
    for (path, bytes) in files {
        let unreadable = |source| AppError::MadeUnreadable {
            path: path.clone(),
            source: Box::new(source),
        };
        let findings = inspect_bytes(path, bytes).map_err(unreadable)?;
        for finding in findings {
            if finding.severity == Severity::Error {
                log::warn!("{}: {}", path.display(), finding.message);
            }
        }
        if extension(path) == "mod" {
            read_figure(files, path, bytes).map_err(unreadable)?;
        }
    }
    Ok(())
}

/// A figure is more than the archive of its meshes.
fn read_figure(
    files: &Files,
    path: &Path,
    model: &[u8],
) -> Result<(), ironlands::assets_loader::bytes::FormatError> {
    let beside = |ending: &str| {
        let wanted = path.with_extension(ending);
        let file = files.iter().find(|(path, _)| *path == wanted);
        file.map(|(_, bytes)| bytes.as_slice())
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let bon = beside("bon").unwrap_or_default();
    let figure = Figure::read(&name, model, bon, beside("anm"), beside("adb"))?;
    for finding in &figure.findings {
        log::warn!("{}: {}", path.display(), finding.message);
    }
    Ok(())
}
