//! The bytes of a file, or of a member of an archive, as in `Res/textures.res/wood.mmp`.

use std::path::Path;

use crate::assets::format::ArchiveOptions;
use crate::assets::formats::Formats;
use crate::assets::vfs::{self, path_in_archive};
use crate::error::AppError;

/// Reads a file, or a member of the archive that a path goes through, also of an archive in an archive.
///
/// # Errors
/// If nothing is there, or an archive is broken.
pub fn read_game_file(path: &Path, formats: &Formats) -> Result<Vec<u8>, AppError> {
    match path_in_archive(path) {
        Some((archive, member)) => read_member(archive, member, formats),
        None => read(path),
    }
}

fn read_member(path: &Path, member: &Path, formats: &Formats) -> Result<Vec<u8>, AppError> {
    let name = member.to_string_lossy().replace('\\', "/");
    // An archive in an archive may be meant itself.
    for nested in [false, true] {
        let archive = formats.open_archive(path, ArchiveOptions { nested });
        let archive = archive.map_err(AppError::Archive)?;
        let is_meant = |text: &str| text.replace('\\', "/").eq_ignore_ascii_case(&name);
        let index = archive
            .entries()
            .iter()
            .position(|entry| is_meant(&entry.name) || entry.path.as_deref().is_ok_and(is_meant));
        if let Some(index) = index {
            return archive.unpack(index).map_err(AppError::Archive);
        }
    }
    Err(AppError::NoEntry {
        archive: path.to_owned(),
        name,
    })
}

/// The bytes of a file.
///
/// # Errors
/// What the system says.
pub fn read(path: &Path) -> Result<Vec<u8>, AppError> {
    vfs::read(path).map_err(|source| AppError::Read {
        path: path.to_owned(),
        source,
    })
}
