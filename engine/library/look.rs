//! What a path is to the start screen: something to open, or levels and models to choose from.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::assets::format::ArchiveOptions;
use crate::error::AppError;
use crate::kind::{OpenError, Opener, Registry};
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
    let found = registry.recognize(path).map_err(AppError::OpenLevel)?;
    if found.is_some_and(|(_, found)| found.opener != Opener::Nothing) {
        return Ok(Found::One(path.to_owned()));
    }
    let mut entries = entries_of(path, registry, is_unwanted);
    match entries.len() {
        0 => Err(nothing_in(path, registry)),
        1 => Ok(Found::One(entries.remove(0).path)),
        _ => Ok(Found::Several(path.to_owned(), entries)),
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

/// What is said of a path where nothing can be opened.
fn nothing_in(path: &Path, registry: &Registry) -> AppError {
    match registry.find_level(path) {
        Err(error) => AppError::OpenLevel(error),
        // It was there a moment ago.
        Ok(_) => AppError::OpenLevel(OpenError::from_io(
            path,
            std::io::ErrorKind::NotFound.into(),
        )),
    }
}
