//! Archives of all formats as lists of named files: what `extract` takes out.
//!
//! In: what a format opens as an archive. Out: names, and the bytes of one entry after the other, unpacked. Names come
//! out as paths that stay inside of the folder they are put in.
//!
//! Deliberately absent: writing to disk, the meaning of entries.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::bytes::FormatError;
use crate::unpack::Budget;
use crate::vfs::{PathError, VfsError, path};

/// What it costs to make a file, be it empty, in bytes unpacked: a small archive can name hundreds of thousands. Systems
/// take 40 to 500 us to make one.
const FILE_COST: u64 = 8 << 10;
/// Name of a file whose entry has none.
const UNNAMED: &str = "unnamed";

/// How archives are opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ArchiveOptions {
    /// Archives in an archive are opened with it, and are folders then.
    pub nested: bool,
}

/// An opened archive.
pub struct Archive {
    path: PathBuf,
    content: Box<dyn ArchiveContent>,
    entries: Vec<ArchiveEntry>,
    /// For files as such, and for what is not packed and comes out several times, because entries share it.
    budget: Budget,
}

/// What a format says of an archive that it opened.
pub trait ArchiveContent: Send + Sync {
    /// Of each entry the name as stored, and the path of the file that it becomes, which may have `\\` or `/` in it.
    fn names(&self) -> Vec<(String, String)>;

    /// The bytes of an entry, by its index in [`names`](Self::names). What costs no unpacking but is copied, as bytes
    /// that entries share, is taken from `budget`.
    ///
    /// # Errors
    /// It cannot be unpacked.
    fn unpack(&self, index: usize, budget: &Budget) -> Result<Vec<u8>, UnpackError>;
}

/// Why an entry cannot be unpacked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// It is broken.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A file that it lies in cannot be read.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}

/// One file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// Its name as stored.
    pub name: String,
    /// Where it goes, with `/`; unlike that of every other entry, whatever the case. Why it can go nowhere, else.
    pub path: Result<String, PathError>,
}

/// Why an archive or an entry of it could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The system refused.
    #[error(transparent)]
    Vfs(#[from] VfsError),
    /// The file is no archive that is known.
    #[error("{} is not an archive; expected {known}", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Labels of all archive formats.
        known: String,
    },
    /// There are more files in it than an archive of its size may be taken apart to.
    #[error(
        "{}: {n_files} files to extract exceed the unpack limit, by which {n_left} may come out; \
        --unpack-limit raises it, and names on the command line choose some of the files",
        path.display()
    )]
    TooManyFiles {
        /// The archive.
        path: PathBuf,
        /// Files to be made.
        n_files: usize,
        /// Files that may still be made.
        n_left: u64,
    },
    /// The archive, or an entry of it, is broken.
    #[error("{}: {error}", path.display())]
    Format {
        /// The archive.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<FormatError>,
    },
    /// A file beside the archive cannot be read, which has some of its entries.
    #[error(transparent)]
    Other(Box<dyn Error + Send + Sync>),
}

impl Archive {
    /// An archive of a file, whose content `budget` is for.
    pub fn new(file: &Path, content: Box<dyn ArchiveContent>, budget: Budget) -> Self {
        Self {
            path: file.to_owned(),
            entries: with_own_paths(content.names()),
            content,
            budget,
        }
    }

    /// All entries, in the archive's order.
    pub fn entries(&self) -> &[ArchiveEntry] {
        &self.entries
    }

    /// Takes from the [budget](crate::unpack) of the archive what it costs to make files, before any is made.
    ///
    /// # Errors
    /// [`ArchiveError::TooManyFiles`]; then nothing is taken.
    pub fn take_files(&self, n_files: usize) -> Result<(), ArchiveError> {
        let cost = FILE_COST.saturating_mul(n_files as u64);
        let taken = self.budget.take(cost);
        taken.map_err(|over| ArchiveError::TooManyFiles {
            path: self.path.clone(),
            n_files,
            n_left: over.left / FILE_COST,
        })
    }

    /// The bytes of an entry, by its index in [`entries`](Self::entries).
    ///
    /// # Errors
    /// It cannot be unpacked, an archive that it lies in cannot be read, or it exceeds the [budget](crate::unpack) of
    /// the archive.
    pub fn unpack(&self, index: usize) -> Result<Vec<u8>, ArchiveError> {
        let unpacked = self.content.unpack(index, &self.budget);
        unpacked.map_err(|error| match error {
            UnpackError::Format(error) => self.broken(error),
            UnpackError::Other(error) => ArchiveError::Other(error),
        })
    }

    fn broken(&self, error: FormatError) -> ArchiveError {
        ArchiveError::Format {
            path: self.path.clone(),
            error: Box::new(error),
        }
    }
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fields = &mut f.debug_struct("Archive");
        fields.field("path", &self.path).finish_non_exhaustive()
    }
}

/// Gives each name a path of its own: one that was there before, whatever its case, gets a number, and so does one that
/// is a folder of others.
fn with_own_paths(names: Vec<(String, String)>) -> Vec<ArchiveEntry> {
    let or_unnamed = |(name, path): (String, String)| match path.is_empty() {
        true => (name, UNNAMED.to_owned()),
        false => (name, path),
    };
    let names: Vec<_> = names.into_iter().map(or_unnamed).collect();
    let mut free_paths = FreePaths::new(names.iter().map(|(_, path)| path_text(path)));
    let entries = names.into_iter().map(|(name, path)| ArchiveEntry {
        path: match path::path_error(&path) {
            None => Ok(free_paths.take(path_text(&path))),
            Some(error) => Err(error),
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
    /// Where the search for a number continues: thousands of entries may have one name.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_one_of_its_own_and_leads_nowhere_else() {
        let names = [
            "a.txt", "A.TXT", "a.txt", "a.txt.2", "../up", "dir\\b", "", "C:\\x", "DIR", "",
        ];
        let names = names.map(|name| (name.to_owned(), name.to_owned()));
        let entries = with_own_paths(names.to_vec());
        let paths: Vec<_> = entries.iter().map(|entry| entry.path.clone()).collect();
        let expected = [
            Ok("a.txt"),
            Ok("A.TXT.3"),
            Ok("a.txt.4"),
            Ok("a.txt.2"),
            Err(PathError::Dots),
            Ok("dir/b"),
            Ok("unnamed"),
            Err(PathError::Drive),
            Ok("DIR.2"),
            Ok("unnamed.2"),
        ];
        assert_eq!(paths, expected.map(|path| path.map(str::to_owned)));
        assert_eq!(entries[1].name, "A.TXT", "the name stays as stored");
    }

    #[test]
    fn equal_names_are_numbered_in_as_many_steps_as_there_are() {
        let n_names = 20_000;
        let mut free_paths = FreePaths::new(std::iter::repeat_n("a".to_owned(), n_names));
        for _ in 0..n_names {
            free_paths.take("a".to_owned());
        }
        // Each step of the search for a number takes one.
        assert_eq!(free_paths.next_number["a"], n_names as u64 + 1);
        assert_eq!(free_paths.take("A".to_owned()), "A.20001");
    }
}
