//! A game's files: names opened case-insensitively across folders and archives.
//!
//! In: names as the game's own data spells them (any ASCII case, `/` or `\`). Out: bytes, or a typed reason
//! why not. A [`Vfs`] is a list of folders, searched in order; for a level these are its own folder, then
//! the game root above it. Where a game's archives are [known](Vfs::with_archives), a name may lead through one:
//! `Textures.lib/WATER.0` is an entry.
//!
//! The view is taken once: folders are listed and archives read at their first use and then remembered.
//!
//! Deliberately absent: the meaning of any file, writing, watching for changes.

mod folders;
mod on_disk;
pub mod path;
mod read;

use std::any::Any;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fmt, io};

use thiserror::Error;

pub use self::folders::folders_below;
pub use self::on_disk::as_on_disk;
pub use self::path::PathError;
pub use self::read::{
    MappedFile, file_len, open_file, read, read_file, read_head, read_into, read_range,
};
use crate::bytes::FormatError;
use crate::text::{decode_cp1251, encode_cp1251};
use crate::unpack::Budget;

/// An archive that names may lead through.
pub trait Archive: Any + fmt::Debug + Send + Sync {
    /// The bytes of an entry, by the raw bytes of its name; `None` if there is none of that name.
    fn entry(&self, name: &[u8]) -> Option<Result<Vec<u8>, FormatError>>;
}

/// Reads an archive of a game; what it unpacks spends from the budget.
pub type ReadArchive = fn(&[u8], &Budget) -> Result<Arc<dyn Archive>, FormatError>;

/// An ordered list of folders behind one [`open`](Self::open).
#[derive(Debug)]
pub struct Vfs {
    layers: Vec<PathBuf>,
    /// Files that go by a name of their own, before all folders.
    pinned: HashMap<String, PathBuf>,
    listings: Mutex<HashMap<PathBuf, Arc<Listing>>>,
    /// Names lead through files only where the game's archives are known.
    read_archive: Option<ReadArchive>,
    archives: Mutex<HashMap<PathBuf, OpenArchive>>,
}

/// Why a name could not be opened. The four ways to be missing are four variants (dossier section 1.4).
///
/// Each prints as one whole sentence, its cause included.
#[derive(Debug, Error)]
pub enum VfsError {
    /// The name breaks the path policy; nothing was looked up.
    #[error("name \"{}\" is refused: {reason}", name.escape_debug())]
    PathRefused {
        /// The requested name.
        name: String,
        /// The rule that it breaks.
        reason: PathError,
    },
    /// No folder that was searched holds the file.
    #[error("file \"{name}\" is not in {}", list(searched))]
    FileMissing {
        /// The requested name.
        name: String,
        /// The folders that were searched, in order.
        searched: Vec<PathBuf>,
    },
    /// The archive is there, the entry is not.
    #[error("{}: no entry \"{entry}\"", archive.display())]
    EntryMissing {
        /// The archive that was searched.
        archive: PathBuf,
        /// The entry that it lacks.
        entry: String,
    },
    /// The entry is there and holds no bytes.
    #[error("{}: entry \"{entry}\" is empty", archive.display())]
    EntryEmpty {
        /// The archive that holds the entry.
        archive: PathBuf,
        /// The empty entry.
        entry: String,
    },
    /// The file or entry is there and is not what it should be.
    #[error("{}: {error}", file.display())]
    Invalid {
        /// The invalid file, or the archive that holds the invalid entry.
        file: PathBuf,
        /// What is wrong with it.
        error: Box<FormatError>,
    },
    /// The operating system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The requested path.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

impl Vfs {
    /// The files of one folder and what lies below it.
    pub fn from_folder(folder: &Path) -> Result<Self, VfsError> {
        Self::from_folders(&[folder])
    }

    /// The files of several folders and what lies below them, of which the first that has a name counts.
    pub fn from_folders(folders: &[&Path]) -> Result<Self, VfsError> {
        let folders = folders.iter().map(|folder| {
            let whole = folder.canonicalize();
            whole.map_err(|error| io_error(folder, error))
        });
        let vfs = Self {
            layers: folders.collect::<Result<_, _>>()?,
            pinned: HashMap::new(),
            listings: Mutex::default(),
            read_archive: None,
            archives: Mutex::default(),
        };
        for folder in &vfs.layers {
            vfs.listing(folder)?;
        }
        Ok(vfs)
    }

    /// The same files, where names may lead through archives that `read` knows.
    #[must_use]
    pub fn with_archives(mut self, read: ReadArchive) -> Self {
        self.read_archive = Some(read);
        self
    }

    /// The folders that are searched, in order.
    pub fn layers(&self) -> &[PathBuf] {
        &self.layers
    }

    /// Whether one of the folders holds a file or folder of that name.
    pub fn has(&self, name: &str) -> bool {
        let mut listings = self.layers.iter().map(|folder| self.listing(folder));
        listings.any(|listing| listing.is_ok_and(|it| it.get(name).is_some()))
    }

    /// The bytes of a file, or of an archive's entry where the name leads through an archive.
    ///
    /// An empty file is empty bytes; an empty entry is [`VfsError::EntryEmpty`].
    pub fn open(&self, name: &str) -> Result<Vec<u8>, VfsError> {
        let found = self.locate(name)?;
        self.read_found(&found)
    }

    /// Opens a name and reads it; what `read` refuses becomes [`VfsError::Invalid`] with the file's name.
    pub fn open_as<T>(
        &self,
        name: &str,
        read: impl FnOnce(&[u8]) -> Result<T, FormatError>,
    ) -> Result<T, VfsError> {
        let found = self.locate(name)?;
        let data = self.read_found(&found)?;
        read(&data).map_err(|error| match &found.inner[..] {
            [] => invalid(&found.file, error),
            inner => invalid(&found.file, error.in_entry(&inner.join("/"))),
        })
    }

    /// Where the file of that name lies on disk. An entry of an archive is no file.
    pub fn find_file(&self, name: &str) -> Result<PathBuf, VfsError> {
        let found = self.locate(name)?;
        if !found.inner.is_empty() {
            return Err(self.file_missing(name));
        }
        Ok(found.file)
    }

    /// A whole archive, read once and shared, and where it lies.
    pub fn archive(&self, name: &str) -> Result<(PathBuf, Arc<dyn Archive>), VfsError> {
        let file = self.find_file(name)?;
        let archive = self.open_archive(&file)?;
        Ok((file, archive.content))
    }

    /// The bytes of an archive's entry, by the raw bytes of its name.
    pub fn open_entry(&self, archive: &str, entry: &[u8]) -> Result<Vec<u8>, VfsError> {
        let (file, archive) = self.archive(archive)?;
        entry_of(&*archive, &file, entry)
    }

    /// Gives a name to a file on disk, whatever the file system calls it: not all names there are names here.
    pub fn pin(&mut self, name: &str, file: &Path) {
        self.pinned.insert(name.to_owned(), file.to_owned());
    }

    /// The first file that the name, or the beginning of the name, leads to.
    fn locate<'n>(&self, name: &'n str) -> Result<Found<'n>, VfsError> {
        if let Some(file) = self.pinned.get(name) {
            return Ok(Found {
                file: file.clone(),
                inner: Vec::new(),
            });
        }
        let components = path::components(name)?;
        for layer in &self.layers {
            if let Some(found) = self.locate_below(layer, &components)? {
                return Ok(found);
            }
        }
        Err(self.file_missing(name))
    }

    fn locate_below<'n>(
        &self,
        layer: &Path,
        components: &[&'n str],
    ) -> Result<Option<Found<'n>>, VfsError> {
        let mut place = layer.to_owned();
        let mut rest = components.iter();
        while let Some(component) = rest.next() {
            let Some(name) = self.listing(&place)?.get(component).cloned() else {
                return Ok(None);
            };
            place.push(name);
            if !place.is_dir() {
                return Ok(Some(Found {
                    file: place,
                    inner: rest.copied().collect(),
                }));
            }
        }
        Ok(None)
    }

    fn read_found(&self, found: &Found<'_>) -> Result<Vec<u8>, VfsError> {
        let Found { file, inner } = found;
        let mut inner = inner.iter();
        let Some(first) = inner.next() else {
            return read_file(file);
        };
        let OpenArchive {
            read,
            mut content,
            budget,
        } = self.open_archive(file)?;
        let mut data = entry_of_text(&*content, file, first)?;
        let mut outer = *first;
        for component in inner {
            content = read(&data, &budget).map_err(|e| invalid(file, e.in_entry(outer)))?;
            data = entry_of_text(&*content, file, component)?;
            outer = component;
        }
        Ok(data)
    }

    fn open_archive(&self, file: &Path) -> Result<OpenArchive, VfsError> {
        if let Some(known) = lock(&self.archives).get(file) {
            return Ok(known.clone());
        }
        let Some(read) = self.read_archive else {
            return Err(self.file_missing(&file.to_string_lossy()));
        };
        let data = read_file(file)?;
        let budget = Budget::from_file_size(data.len());
        let archive = OpenArchive {
            read,
            content: read(&data, &budget).map_err(|e| invalid(file, e))?,
            budget,
        };
        lock(&self.archives).insert(file.to_owned(), archive.clone());
        Ok(archive)
    }

    fn listing(&self, folder: &Path) -> Result<Arc<Listing>, VfsError> {
        if let Some(known) = lock(&self.listings).get(folder) {
            return Ok(Arc::clone(known));
        }
        let listing = Arc::new(Listing::from_folder(folder).map_err(|e| io_error(folder, e))?);
        lock(&self.listings).insert(folder.to_owned(), Arc::clone(&listing));
        Ok(listing)
    }

    fn file_missing(&self, name: &str) -> VfsError {
        VfsError::FileMissing {
            name: name.to_owned(),
            searched: self.layers.clone(),
        }
    }
}

/// A file on disk, and the entry names that follow it in the requested name.
struct Found<'n> {
    file: PathBuf,
    inner: Vec<&'n str>,
}

/// The names in one folder, by their ASCII-folded form.
#[derive(Debug)]
struct Listing(HashMap<String, Vec<OsString>>);

impl Listing {
    fn from_folder(folder: &Path) -> io::Result<Self> {
        let mut names: HashMap<String, Vec<OsString>> = HashMap::new();
        for entry in folder.read_dir()? {
            let name = entry?.file_name();
            // A name that is not Unicode is requested with U+FFFD in place of what is not.
            let folded = fold(&name.to_string_lossy());
            names.entry(folded).or_default().push(name);
        }
        for same in names.values_mut() {
            same.sort();
        }
        Ok(Self(names))
    }

    /// The name on disk. Of names that differ in case only: the exact one, else the first in byte order.
    fn get(&self, name: &str) -> Option<&OsString> {
        let same = self.0.get(&fold(name))?;
        same.iter()
            .find(|on_disk| *on_disk == name)
            .or(same.first())
    }
}

/// A read archive, shared.
#[derive(Debug, Clone)]
struct OpenArchive {
    /// What read it, and reads archives in it.
    read: ReadArchive,
    content: Arc<dyn Archive>,
    /// That of the file on disk, also for an archive in an archive.
    budget: Budget,
}

fn entry_of_text(archive: &dyn Archive, file: &Path, entry: &str) -> Result<Vec<u8>, VfsError> {
    // A name that CP1251 cannot spell is in no archive.
    match encode_cp1251(entry) {
        Some(bytes) => entry_of(archive, file, &bytes),
        None => Err(entry_missing(file, entry)),
    }
}

fn entry_of(archive: &dyn Archive, file: &Path, entry: &[u8]) -> Result<Vec<u8>, VfsError> {
    let text = decode_cp1251(entry);
    match archive.entry(entry) {
        None => Err(entry_missing(file, &text)),
        Some(Ok(data)) if data.is_empty() => Err(VfsError::EntryEmpty {
            archive: file.to_owned(),
            entry: text.into_owned(),
        }),
        Some(Ok(data)) => Ok(data),
        Some(Err(error)) => Err(invalid(file, error.in_entry(&text))),
    }
}

fn fold(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// The caches stay whole if a thread dies while it holds them: an insert is the last thing it does.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn entry_missing(archive: &Path, entry: &str) -> VfsError {
    VfsError::EntryMissing {
        archive: archive.to_owned(),
        entry: entry.to_owned(),
    }
}

/// The archive that a path leads into, and the rest of the path, as in `bases.rlb/WALKER.MSH`; `None` if the path
/// exists, or leads through no file.
pub fn path_in_archive(path: &Path) -> Option<(&Path, &Path)> {
    if path.exists() {
        return None;
    }
    let archive = path.ancestors().skip(1).find(|above| above.is_file())?;
    Some((archive, path.strip_prefix(archive).ok()?))
}

/// The error that a file is not what it should be.
pub fn invalid(file: &Path, error: FormatError) -> VfsError {
    VfsError::Invalid {
        file: file.to_owned(),
        error: Box::new(error),
    }
}

/// The error that the operating system refused.
pub fn io_error(path: &Path, error: io::Error) -> VfsError {
    VfsError::Io {
        path: path.to_owned(),
        error,
    }
}

fn list(folders: &[PathBuf]) -> String {
    let folders: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
    folders.join(", ")
}
