//! Archives of all worlds as lists of named files: what `extract` takes out.
//!
//! In: an NRes archive, an RsLi library, a RES archive, a VPK directory, or a Source map with its pakfile. Out: names, and the bytes
//! of one entry after the other, unpacked. Names come out as paths that stay inside of the folder they are put in.
//!
//! Deliberately absent: writing to disk, the meaning of entries.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::bytes::FormatError;
use crate::evil_islands::res::{self, NestedArchives, NestedFile, ResArchive};
use crate::parkan::nres::{self, NRes};
use crate::parkan::rsli::{self, LzhPosition, RsLi};
use crate::source::bsp::{BspFile, LumpId};
use crate::source::game_files::{DiskArchive, GameFilesError};
use crate::source::pakfile::Pakfile;
use crate::vfs::{PathFault, VfsError, path, read_file};

/// An opened archive.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    content: Content,
    entries: Vec<ArchiveEntry>,
}

/// One file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// Its name as stored.
    pub name: String,
    /// Where it goes, with `/`; unlike that of every other entry, whatever the case. Why it can go nowhere, else.
    pub path: Result<String, PathFault>,
}

/// Why an archive or an entry of it could not be read.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The system refused.
    #[error(transparent)]
    Vfs(#[from] VfsError),
    /// A VPK, or an archive beside it, cannot be read.
    #[error(transparent)]
    Vpk(#[from] GameFilesError),
    /// The file is no archive that is known.
    #[error("{} is no archive; expected NRes, RsLi, RES, VPK (the _dir file), or a Source map", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
    },
    /// The archive, or an entry of it, is broken.
    #[error("{}: {error}", path.display())]
    Format {
        /// The archive.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<FormatError>,
    },
}

#[derive(Debug)]
enum Content {
    NRes(NRes),
    RsLi(RsLi),
    Pakfile(Pakfile),
    Res(Vec<NestedFile>),
    Vpk(DiskArchive, Vec<String>),
}

impl Archive {
    /// Opens an archive by its content. Entries are not unpacked yet.
    ///
    /// # Errors
    /// See [`ArchiveError`].
    pub fn open(file: &Path) -> Result<Self, ArchiveError> {
        Self::open_with(file, NestedArchives::Keep)
    }

    /// Opens an archive by its content; archives in a RES archive may be opened with it.
    ///
    /// # Errors
    /// See [`ArchiveError`].
    pub fn open_with(file: &Path, nested: NestedArchives) -> Result<Self, ArchiveError> {
        let broken = |error| ArchiveError::Format {
            path: file.to_owned(),
            error: Box::new(error),
        };
        let is_vpk = file
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("vpk"));
        if is_vpk {
            // Its parts may be larger than memory.
            let archive = DiskArchive::open(file)?;
            let paths = archive.paths();
            return Ok(Self::of(file, Content::Vpk(archive, paths)));
        }
        let data = read_file(file)?;
        let content = if data.starts_with(nres::MAGIC) {
            Content::NRes(NRes::read(&data).map_err(broken)?)
        } else if data.starts_with(rsli::MAGIC) {
            Content::RsLi(RsLi::read(&data).map_err(broken)?)
        } else if data.starts_with(&res::MAGIC) {
            let archive = ResArchive::read_with(&data, res::Tolerance::all()).map_err(broken)?;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            Content::Res(archive.files(&name, nested))
        } else if data.starts_with(b"VBSP") {
            Content::Pakfile(pakfile_of(&data).map_err(broken)?)
        } else {
            let path = file.to_owned();
            return Err(ArchiveError::Unknown { path });
        };
        Ok(Self::of(file, content))
    }

    fn of(file: &Path, content: Content) -> Self {
        Self {
            path: file.to_owned(),
            entries: named(content.names()),
            content,
        }
    }

    /// All entries, in the archive's order.
    pub fn entries(&self) -> &[ArchiveEntry] {
        &self.entries
    }

    /// The bytes of an entry, by its index in [`entries`](Self::entries).
    ///
    /// # Errors
    /// It cannot be unpacked, or an archive that it lies in cannot be read.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn unpack(&self, index: usize) -> Result<Vec<u8>, ArchiveError> {
        let unpacked = match &self.content {
            Content::NRes(archive) => Ok(archive.entries[index].data.to_vec()),
            Content::RsLi(library) => {
                let entry = &library.entries[index];
                let unpacked = entry.unpack_with(LzhPosition::Classic, rsli::Tolerance::all());
                unpacked.map_err(|error| error.in_entry(&entry.name_text()))
            }
            Content::Pakfile(pakfile) => pakfile.unpack(&pakfile.entries()[index]),
            Content::Res(files) => Ok(files[index].data.to_vec()),
            Content::Vpk(archive, paths) => {
                return Ok(archive.read(&paths[index])?.unwrap_or_default());
            }
        };
        unpacked.map_err(|error| ArchiveError::Format {
            path: self.path.clone(),
            error: Box::new(error),
        })
    }
}

impl Content {
    /// Names as stored, and where the files go.
    fn names(&self) -> Vec<(String, String)> {
        let names: Vec<String> = match self {
            Self::NRes(archive) => {
                let names = archive.entries.iter().map(nres::Entry::name_text);
                names.map(Cow::into_owned).collect()
            }
            Self::RsLi(library) => {
                let names = library.entries.iter().map(rsli::Entry::name_text);
                names.map(Cow::into_owned).collect()
            }
            Self::Pakfile(pakfile) => pakfile.names().map(str::to_owned).collect(),
            Self::Vpk(_, paths) => paths.clone(),
            Self::Res(files) => {
                let names = files
                    .iter()
                    .map(|file| (file.name.clone(), file.path.clone()));
                return names.collect();
            }
        };
        let paths = names.into_iter().map(|name| (name.clone(), name));
        paths.collect()
    }
}

/// The pakfile of a map; an empty one where a map has none.
///
/// # Errors
/// The map or its pakfile is broken.
pub fn pakfile_of(map: &[u8]) -> Result<Pakfile, FormatError> {
    let map = BspFile::read(map)?;
    match map.lump(LumpId::Pakfile) {
        [] => Pakfile::draft(&[], Default::default()),
        pakfile => Pakfile::read(pakfile),
    }
}

/// Gives each name a path of its own: one that was there before, whatever its case, gets a number.
fn named(names: Vec<(String, String)>) -> Vec<ArchiveEntry> {
    let folded = names.iter().map(|(_, path)| path_text(path).to_lowercase());
    let mut taken: HashSet<String> = HashSet::new();
    // A number leads to no name that a later entry has by right.
    let stored: HashSet<String> = folded.collect();
    let mut free_path = |path: String| {
        if taken.insert(path.to_lowercase()) {
            return path;
        }
        let numbered = (2u64..).map(|number| format!("{path}.{number}"));
        let is_free = |path: &String| {
            let folded = path.to_lowercase();
            !stored.contains(&folded) && taken.insert(folded)
        };
        numbered.into_iter().find(is_free).unwrap_or(path)
    };
    let entries = names.into_iter().map(|(name, path)| ArchiveEntry {
        path: match path::fault_of(&path) {
            None => Ok(free_path(path_text(&path))),
            Some(fault) => Err(fault),
        },
        name,
    });
    entries.collect()
}

fn path_text(name: &str) -> String {
    name.replace('\\', "/")
}
