//! The game's files around a level: its folder and the game root above it, with NRes and RsLi archives in them.
//!
//! In: a folder, or a level. Out: a [`Vfs`] whose names lead through archives (dossier section 1).

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_core::vfs::{self, Archive, Vfs, VfsError};

use crate::nres::{self, NRes};
use crate::rsli::{self, LzhPosition, RsLi};

/// Folders above a level that may be the game root: `MAPS`, `DATA`, and what holds `DATA`.
const MAX_STEPS_UP: usize = 3;
/// Files that mark the folder they lie in as the game root (dossier section 1.1).
const ROOT_FILES: [&str; 4] = [
    "Material.lib",
    "Textures.lib",
    "LightMap.lib",
    "BuildDat.lst",
];
/// The folder that marks the folder above it, if the level lies inside.
const DATA_FOLDER: &str = "DATA";

/// The files of one folder and what lies below it.
///
/// # Errors
/// The folder cannot be listed.
pub fn of_folder(folder: &Path) -> Result<Vfs, VfsError> {
    Ok(Vfs::from_folder(folder)?.with_archives(read_archive))
}

/// The files that a level sees: those of its own folder first, then those of the game root above it.
///
/// `level` is the level's folder or a file in it. The root is looked for up to three folders above:
/// one that holds `Material.lib`, `Textures.lib`, `LightMap.lib` or `BuildDat.lst`, or the `DATA` folder
/// that the level lies in. If several do, the nearest is searched first. A level without a root is no
/// error: it is searched alone.
///
/// # Errors
/// A folder cannot be listed.
pub fn of_level(level: &Path) -> Result<Vfs, VfsError> {
    let level = level
        .canonicalize()
        .map_err(|error| vfs::io_error(level, error))?;
    let level = match level.parent() {
        Some(parent) if !level.is_dir() => parent,
        _ => &level,
    };
    let steps = level.ancestors().zip(level.ancestors().skip(1));
    let roots = steps
        .take(MAX_STEPS_UP)
        .filter(|(child, folder)| is_root(folder, child));
    let folders: Vec<&Path> = [level]
        .into_iter()
        .chain(roots.map(|(_, folder)| folder))
        .collect();
    Ok(Vfs::from_folders(&folders)?.with_archives(read_archive))
}

/// Whether `folder` is a game root for a level that lies in its subfolder `child`, or is it.
fn is_root(folder: &Path, child: &Path) -> bool {
    let Ok(files) = Vfs::from_folder(folder) else {
        return false;
    };
    let leads_through_data = child
        .file_name()
        .is_some_and(|name| name.eq_ignore_ascii_case(DATA_FOLDER));
    leads_through_data || ROOT_FILES.iter().any(|name| files.has(name))
}

/// A whole NRes archive, read once and shared.
///
/// # Errors
/// It is not there, or no NRes archive.
pub fn nres(files: &Vfs, name: &str) -> Result<Arc<NRes>, VfsError> {
    let (file, archive) = files.archive(name)?;
    let archive: Arc<dyn Any + Send + Sync> = archive;
    archive
        .downcast()
        .map_err(|_| vfs::invalid(&file, not_nres()))
}

/// The error of opening an RsLi library where an NRes archive belongs.
fn not_nres() -> FormatError {
    Reader::new("nres", &[]).unexpected("magic", "\"NRes\"", "an RsLi library")
}

/// Whatever the original opens is opened; what it overlooks is for `check` to report.
fn read_archive(data: &[u8], budget: &Budget) -> Result<Arc<dyn Archive>, FormatError> {
    if data.starts_with(rsli::MAGIC) {
        let library = RsLi::read_within(data, rsli::Tolerance::all(), budget)?;
        return Ok(Arc::new(library));
    }
    Ok(Arc::new(NRes::read_with(data, nres::Tolerance::all())?))
}

impl Archive for NRes {
    fn entry(&self, name: &[u8]) -> Option<Result<Vec<u8>, FormatError>> {
        let entry = self.entries.get(self.find(name)?)?;
        Some(Ok(entry.data.clone()))
    }
}

impl Archive for RsLi {
    fn entry(&self, name: &[u8]) -> Option<Result<Vec<u8>, FormatError>> {
        let entry = self.entries.get(self.find(name)?)?;
        Some(entry.unpack_with(LzhPosition::Classic, rsli::Tolerance::all()))
    }
}

#[cfg(test)]
mod tests;
