//! The bytes of a file, or of a member of an archive, as in `Res/textures.res/wood.mmp`.

use std::path::{Path, PathBuf};

use ironlands::assets_loader::archive::{self, ArchiveOptions};
use ironlands::assets_loader::evil_islands::res::{self, ResArchive, Tolerance};
use ironlands::assets_loader::vfs;

use crate::error::AppError;

/// Reads a file, or a member of the archive that a path goes through, also of an archive in an archive.
///
/// # Errors
/// If nothing is there, or an archive is broken.
pub fn read_game_file(path: &Path) -> Result<Vec<u8>, AppError> {
    match archive_of(path) {
        Some((archive, member)) => read_member(&archive, &member),
        None => read(path),
    }
}

/// The file that a path goes through, and the rest of the path.
fn archive_of(path: &Path) -> Option<(PathBuf, Vec<String>)> {
    let archive = path.ancestors().skip(1).find(|above| above.is_file())?;
    let member = path.strip_prefix(archive).ok()?;
    let parts = member
        .iter()
        .map(|part| part.to_string_lossy().into_owned());
    Some((archive.to_owned(), parts.collect()))
}

fn read_member(archive: &Path, member: &[String]) -> Result<Vec<u8>, AppError> {
    let data = read(archive)?;
    let no_entry = || AppError::NoEntry {
        archive: archive.to_owned(),
        name: member.join("/"),
    };
    if data.starts_with(&res::MAGIC) {
        let found = find_in_res(&data, member).map_err(|source| AppError::BrokenArchive {
            path: archive.to_owned(),
            source: Box::new(source),
        })?;
        return found.ok_or_else(no_entry);
    }
    let archive = archive::open(archive, ArchiveOptions::default()).map_err(AppError::Archive)?;
    let name = member.join("/");
    let mut entries = archive.entries().iter();
    let index = entries.position(|entry| entry.name.replace('\\', "/").eq_ignore_ascii_case(&name));
    let index = index.ok_or_else(no_entry)?;
    archive.unpack(index).map_err(AppError::Archive)
}

/// Names of members have folders in them; a member may be an archive that holds the rest of the path.
fn find_in_res(
    data: &[u8],
    member: &[String],
) -> Result<Option<Vec<u8>>, ironlands::assets_loader::bytes::FormatError> {
    let archive = ResArchive::read_with(data, Tolerance::all())?;
    for n_parts in (1..=member.len()).rev() {
        let (name, rest) = member.split_at(n_parts);
        let name = name.join("\\");
        let Some(entry) = archive.find(&name) else {
            continue;
        };
        let bytes: &[u8] = &entry.data;
        if rest.is_empty() {
            return Ok(Some(bytes.to_vec()));
        }
        if bytes.starts_with(&res::MAGIC) {
            return find_in_res(bytes, rest).map_err(|error| error.in_entry(&name));
        }
    }
    Ok(None)
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
