//! Archives of all worlds as lists of named files: what `extract` takes out.
//!
//! In: an NRes archive, an RsLi library, a RES archive, a VPK directory, or a Source map with its pakfile. Out: names, and the bytes
//! of one entry after the other, unpacked. Names come out as paths that stay inside of the folder they are put in.
//!
//! Deliberately absent: writing to disk, the meaning of entries.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::bytes::{FormatError, Reader};
use crate::evil_islands::res::{self, NestedArchives, NestedFile, ResArchive};
use crate::parkan::nres::{self, NRes};
use crate::parkan::rsli::{self, LzhPosition, RsLi};
use crate::source::bsp::{BspFile, LumpId};
use crate::source::game_files::{DiskArchive, GameFilesError};
use crate::source::pakfile::Pakfile;
use crate::unpack::Budget;
use crate::vfs::{PathFault, VfsError, path, read_file};

/// Bytes that a file takes on a disk, be it empty: a small archive can name hundreds of thousands.
const BLOCK_SIZE: u64 = 4096;

/// An opened archive.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    content: Content,
    entries: Vec<ArchiveEntry>,
    /// For files as such, and for what is not packed and comes out several times, because entries share it.
    budget: Budget,
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
    Vpk(Box<DiskArchive>),
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
            let budget = Budget::of_file(archive.len_with_parts()?);
            return Ok(Self::of(file, Content::Vpk(Box::new(archive)), budget));
        }
        let data = read_file(file)?;
        let budget = Budget::of_file(data.len());
        let content = if data.starts_with(nres::MAGIC) {
            Content::NRes(NRes::read_with(&data, nres::Tolerance::all()).map_err(broken)?)
        } else if data.starts_with(rsli::MAGIC) {
            Content::RsLi(RsLi::read_with(&data, rsli::Tolerance::all()).map_err(broken)?)
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
        Ok(Self::of(file, content, budget))
    }

    fn of(file: &Path, content: Content, budget: Budget) -> Self {
        Self {
            path: file.to_owned(),
            entries: named(content.names()),
            content,
            budget,
        }
    }

    /// All entries, in the archive's order.
    pub fn entries(&self) -> &[ArchiveEntry] {
        &self.entries
    }

    /// The bytes of an entry, by its index in [`entries`](Self::entries).
    ///
    /// # Errors
    /// It cannot be unpacked, an archive that it lies in cannot be read, or it exceeds the [budget](crate::unpack) of
    /// the archive, of which each file takes as much as the smallest file takes on a disk, and its content.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn unpack(&self, index: usize) -> Result<Vec<u8>, ArchiveError> {
        self.take_block(index)?;
        let unpacked = match &self.content {
            Content::NRes(archive) => Ok(archive.entries[index].data.to_vec()),
            Content::RsLi(library) => {
                let entry = &library.entries[index];
                let unpacked = entry.unpack_with(LzhPosition::Classic, rsli::Tolerance::all());
                unpacked.map_err(|error| error.in_entry(&entry.name_text()))
            }
            Content::Pakfile(pakfile) => pakfile.unpack(&pakfile.entries()[index]),
            Content::Res(files) => self.shared(&files[index]),
            Content::Vpk(archive) => return Ok(archive.read_at(index)?),
        };
        unpacked.map_err(|error| ArchiveError::Format {
            path: self.path.clone(),
            error: Box::new(error),
        })
    }
}

impl Archive {
    fn take_block(&self, index: usize) -> Result<(), ArchiveError> {
        let at = Reader::new("archive", &[]);
        let taken = self.budget.spend(&at, "file", BLOCK_SIZE);
        taken.map_err(|error| ArchiveError::Format {
            path: self.path.clone(),
            error: Box::new(error.in_entry(&self.entries[index].name)),
        })
    }

    /// Any number of files of a RES archive may be the same bytes.
    fn shared(&self, file: &NestedFile) -> Result<Vec<u8>, FormatError> {
        let at = Reader::nested("res", &[], file.data.offset());
        let spent = self.budget.spend(&at, "data", file.data.len() as u64);
        spent.map_err(|error| error.in_entry(&file.name))?;
        Ok(file.data.to_vec())
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
            Self::Vpk(archive) => archive.paths().map(str::to_owned).collect(),
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
        pakfile => Pakfile::read_within(pakfile, map.budget()),
    }
}

/// Gives each name a path of its own: one that was there before, whatever its case, gets a number, and so does one that
/// is a folder of others.
fn named(names: Vec<(String, String)>) -> Vec<ArchiveEntry> {
    let or_unnamed = |(name, path): (String, String)| match path.is_empty() {
        true => (name, res::UNNAMED.to_owned()),
        false => (name, path),
    };
    let names: Vec<_> = names.into_iter().map(or_unnamed).collect();
    let mut free_paths = FreePaths::new(names.iter().map(|(_, path)| path_text(path)));
    let entries = names.into_iter().map(|(name, path)| ArchiveEntry {
        path: match path::fault_of(&path) {
            None => Ok(free_paths.take(path_text(&path))),
            Some(fault) => Err(fault),
        },
        name,
    });
    entries.collect()
}

/// Paths that no entry has yet.
struct FreePaths {
    /// Paths that entries have by right: a number leads to none of them.
    stored: HashSet<String>,
    /// Folders that entries lie in: no file can bear their names.
    folders: HashSet<String>,
    taken: HashSet<String>,
    /// Where the search for a number goes on: thousands of entries may have one name.
    next_number: HashMap<String, u64>,
}

impl FreePaths {
    fn new(stored: impl Iterator<Item = String>) -> Self {
        let stored: HashSet<String> = stored.map(|path| path.to_lowercase()).collect();
        let folders = stored.iter().flat_map(|path| {
            let ends = path.match_indices('/');
            ends.filter_map(|(end, _)| path.get(..end))
        });
        Self {
            folders: folders.map(str::to_owned).collect(),
            stored,
            taken: HashSet::new(),
            next_number: HashMap::new(),
        }
    }

    /// The path itself, or with the first number that is free.
    fn take(&mut self, path: String) -> String {
        let folded = path.to_lowercase();
        if !self.folders.contains(&folded) && self.taken.insert(folded.clone()) {
            return path;
        }
        let next = self.next_number.entry(folded.clone()).or_insert(2);
        loop {
            let number = *next;
            *next = next.saturating_add(1);
            let numbered = format!("{folded}.{number}");
            let is_free = !self.stored.contains(&numbered) && !self.folders.contains(&numbered);
            if is_free && self.taken.insert(numbered) {
                return format!("{path}.{number}");
            }
        }
    }
}

fn path_text(name: &str) -> String {
    name.replace('\\', "/")
}
