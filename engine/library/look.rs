//! What a path is to the start screen: something to open, or levels and models to choose from.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::assets::format::ArchiveOptions;
use crate::assets::vfs::path_in_archive;
use crate::commands::read_game_file;
use crate::error::AppError;
use crate::kind::{Opener, Registry};
use crate::unzip;

/// A level or model that can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub path: PathBuf,
    /// Name of the level or model.
    pub name: String,
    /// Whose it is, such as the name of a game.
    pub world: &'static str,
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A level or model.
    One(PathBuf),
    /// Several of them, at this path.
    Several(PathBuf, Vec<Entry>),
    /// Other files: all of a folder or archive, or one that is to be looked at there.
    Files {
        root: PathBuf,
        wanted: Option<PathBuf>,
    },
}

impl Entry {
    /// What is at a path, if it can be opened.
    pub fn recognize(path: &Path, registry: &Registry) -> Option<Self> {
        let (kind, found) = registry.recognize(path).ok()??;
        found.opener.option()?;
        let name = match path.is_dir() {
            true => path.file_name(),
            false => path.file_stem(),
        };
        Some(Self {
            name: name
                .unwrap_or(path.as_os_str())
                .to_string_lossy()
                .into_owned(),
            path: path.to_owned(),
            world: kind.name(),
        })
    }
}

/// Looks at a path: a ZIP archive is unpacked, a folder searched, an archive listed.
///
/// # Errors
/// Nothing there can be opened, and the reasons of the system.
pub fn look_at(
    path: &Path,
    registry: &Registry,
    is_unwanted: &AtomicBool,
) -> Result<Found, AppError> {
    if unzip::is_zip(path) {
        let folder = unzip::unpack(path, is_unwanted)?;
        return look_at(&folder, registry, is_unwanted);
    }
    let found = match registry.recognize(path) {
        // Worlds know levels and models of archives, and no other members.
        Err(_) if is_member(path, registry) => None,
        found => found.map_err(AppError::OpenLevel)?,
    };
    if found.is_some_and(|(_, found)| found.opener != Opener::Nothing) {
        return Ok(Found::One(path.to_owned()));
    }
    if !path.is_dir() {
        return Ok(files_at(path, registry));
    }
    let mut entries = entries_of(path, registry, is_unwanted);
    match entries.len() {
        0 => Ok(files_at(path, registry)),
        1 => Ok(Found::One(entries.remove(0).path)),
        _ => Ok(Found::Several(path.to_owned(), entries)),
    }
}

/// Whether a path is a level.
pub fn is_level(path: &Path, registry: &Registry) -> bool {
    let found = registry.recognize(path);
    matches!(found, Ok(Some((_, found))) if found.opener == Opener::Level)
}

/// Whether a path leads to a member of an archive.
fn is_member(path: &Path, registry: &Registry) -> bool {
    path_in_archive(path).is_some() && read_game_file(path, registry.formats()).is_ok()
}

/// The files that are browsed for a path: those of a folder or archive, else those beside a file.
fn files_at(path: &Path, registry: &Registry) -> Found {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let is_archive = || {
        let options = ArchiveOptions::default();
        registry.formats().open_archive(&path, options).is_ok()
    };
    if path.is_dir() || (path.is_file() && is_archive()) {
        return Found::Files {
            root: path,
            wanted: None,
        };
    }
    let in_archive = path_in_archive(&path).map(|(archive, _)| archive);
    let root = in_archive.or(path.parent()).unwrap_or(&path);
    Found::Files {
        root: root.to_owned(),
        wanted: Some(path.clone()),
    }
}

/// The levels in and below a folder, or the models in an archive.
pub fn entries_of(path: &Path, registry: &Registry, is_unwanted: &AtomicBool) -> Vec<Entry> {
    if !path.is_dir() {
        return models_in(path, registry);
    }
    let paths = registry.levels_below(path).into_iter();
    let paths = paths.take_while(|_| !is_unwanted.load(Ordering::Relaxed));
    paths
        .filter_map(|path| Entry::recognize(&path, registry))
        .collect()
}

/// By their names: to look into each would take long.
fn models_in(path: &Path, registry: &Registry) -> Vec<Entry> {
    let archive = registry
        .formats()
        .open_archive(path, ArchiveOptions::default());
    let Ok(archive) = archive else {
        return Vec::new();
    };
    let names = archive
        .entries()
        .iter()
        .filter_map(|entry| entry.path.as_ref().ok());
    let models = names.filter_map(|name| {
        let kind = registry.kinds().find(|kind| kind.is_model_name(name))?;
        let path = path.join(name);
        Some(Entry {
            name: path.file_stem()?.to_string_lossy().into_owned(),
            world: kind.name(),
            path,
        })
    });
    models.collect()
}
