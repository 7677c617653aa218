//! An archive on disk: its directory in memory, its contents read on demand.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{GameFilesError, invalid};
use crate::vpk::{PackEnd, PackedFile, VpkEntry, VpkHeader, VpkTree};
use ironlands_assets_core::bytes::Reader;
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_core::vfs::{self, Vfs, VfsError};

const FORMAT: &str = "vpk";
const DIRECTORY_SUFFIX: &str = "_dir.vpk";

/// A VPK with its directory in memory: a `*_dir.vpk` with the numbered archives beside it, or a `packNNN.vpk`.
#[derive(Debug)]
pub struct DiskArchive {
    /// The file that the directory was read from.
    file: PathBuf,
    /// Where its numbered archives lie.
    folder: Vfs,
    /// Paths as stored, split by `/`, in the order of their lower case. Files of one path, whatever its case, stand in
    /// the order of the directory.
    files: Vec<(String, Place)>,
    /// The first file of each path, in lower case.
    by_path: HashMap<String, usize>,
    /// Where contents in the directory file begin.
    data_offset: u64,
    /// Entries may share their bytes: what comes out of the directory file and the numbered archives together.
    budget: Budget,
    /// Numbered archives whose bytes count in the budget.
    counted: Mutex<HashSet<u16>>,
}

/// Where a file lies.
#[derive(Debug)]
enum Place {
    Vpk(VpkEntry),
    Pack(PackedFile),
}

/// A numbered archive that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingPart {
    /// Path in the archive, with `/`.
    pub name: String,
    /// How many files lie in it.
    pub n_files: usize,
}

impl Place {
    /// The numbered archive that the file lies in, if some of it lies in one.
    fn part(&self) -> Option<u16> {
        match self {
            Self::Vpk(entry) if entry.length > 0 && !entry.is_in_directory() => Some(entry.archive),
            Self::Vpk(_) | Self::Pack(_) => None,
        }
    }
}

/// The archives of a folder in the order that they are searched in.
pub(super) fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, GameFilesError> {
    let mut directories = Vec::new();
    let mut packs = Vec::new();
    for entry in folder.read_dir().map_err(|e| io_error(folder, e))? {
        let path = entry.map_err(|e| io_error(folder, e))?.path();
        let name = file_name(&path);
        if !path.is_file() {
            continue;
        }
        if name.ends_with(DIRECTORY_SUFFIX) {
            directories.push((name, path));
        } else if let Some(number) = pack_number(&name) {
            packs.push((Reverse(number), path));
        }
    }
    directories.sort();
    packs.sort();
    let packs = packs.into_iter().map(|(_, path)| path);
    Ok(directories
        .into_iter()
        .map(|(_, path)| path)
        .chain(packs)
        .collect())
}

impl DiskArchive {
    /// Reads the directory.
    ///
    /// # Errors
    /// The file cannot be read, or is no such archive.
    pub fn open(file: &Path) -> Result<Self, GameFilesError> {
        let (files, data_offset) = match pack_number(&file_name(file)) {
            Some(_) => (pack_files(file)?, 0),
            None => vpk_files(file)?,
        };
        let paths = files.into_iter();
        let mut files: Files = paths
            .map(|(path, place)| (path.replace('\\', "/"), place))
            .collect();
        files.sort_by_cached_key(|(path, _)| path.to_ascii_lowercase());
        let mut by_path = HashMap::new();
        for (index, (path, _)) in files.iter().enumerate() {
            by_path.entry(path.to_ascii_lowercase()).or_insert(index);
        }
        let folder = match file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Ok(Self {
            file: file.to_owned(),
            folder: Vfs::from_folder(folder)?,
            files,
            by_path,
            data_offset,
            budget: Budget::from_file_size(in_memory(vfs::file_len(file)?)),
            counted: Mutex::default(),
        })
    }

    /// Paths of all files as stored, split by `/`; those that differ only by case, or not at all, all the same.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &str> {
        self.files.iter().map(|(path, _)| path.as_str())
    }

    /// The bytes of the first file of that path, in lower case; `None` if there is none.
    ///
    /// # Errors
    /// As [`Self::read_at`].
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, GameFilesError> {
        let index = self.by_path.get(path);
        index.map(|index| self.read_at(*index)).transpose()
    }

    /// The bytes of a file, by its index in [`Self::paths`]; none beyond the last.
    ///
    /// # Errors
    /// An archive is missing, cannot be read or is cut short, the bytes are not those of the checksum, or all that was
    /// read exceeds the [budget](ironlands_assets_core::unpack) of the archive.
    pub fn read_at(&self, index: usize) -> Result<Vec<u8>, GameFilesError> {
        match self.files.get(index) {
            None => Ok(Vec::new()),
            Some((path, Place::Pack(packed))) => {
                self.spend(path, packed.offset.into(), packed.length.into())?;
                self.packed(packed)
            }
            Some((path, Place::Vpk(entry))) => {
                self.count(entry)?;
                self.spend(path, entry.offset.into(), entry.size())?;
                let joined = entry.join(self.rest_of(entry)?);
                joined.map_err(|error| invalid(&self.file, error.in_entry(path)))
            }
        }
    }

    fn spend(&self, path: &str, offset: u64, n_bytes: u64) -> Result<(), GameFilesError> {
        let at = Reader::nested(FORMAT, &[], offset);
        let spent = self.budget.spend(&at, "file", n_bytes);
        spent.map_err(|error| invalid(&self.file, error.in_entry(path)))
    }

    /// The first entry of a numbered archive that is read raises the budget by the size of that archive.
    fn count(&self, entry: &VpkEntry) -> Result<(), GameFilesError> {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let is_elsewhere = entry.length > 0 && !entry.is_in_directory();
        if is_elsewhere && counted.insert(entry.archive) {
            let len = vfs::file_len(&self.numbered(entry.archive)?)?;
            self.budget.add_read(in_memory(len));
        }
        Ok(())
    }

    /// Bytes of the directory file and of all numbered archives that are there.
    ///
    /// # Errors
    /// The directory file is gone.
    pub fn len_with_parts(&self) -> Result<usize, GameFilesError> {
        let numbers: HashSet<u16> = (self.files.iter())
            .filter_map(|(_, place)| place.part())
            .collect();
        let parts = numbers.into_iter().filter_map(|it| self.numbered(it).ok());
        let lens = parts.filter_map(|part| vfs::file_len(&part).ok());
        let own = vfs::file_len(&self.file)?;
        Ok(in_memory(lens.fold(own, u64::saturating_add)))
    }

    /// Numbered archives that files lie in and that are not beside the directory, in order.
    pub fn missing_parts(&self) -> Vec<MissingPart> {
        let mut n_files_in = BTreeMap::<u16, usize>::new();
        for number in self.files.iter().filter_map(|(_, place)| place.part()) {
            let n_files = n_files_in.entry(number).or_default();
            *n_files = n_files.saturating_add(1);
        }
        let missing = n_files_in
            .into_iter()
            .filter(|(number, _)| self.lacks(*number));
        let part = |(number, n_files)| MissingPart {
            name: self.part_name(number),
            n_files,
        };
        missing.map(part).collect()
    }

    /// Whether a file, by its index in [`Self::paths`], lies in a numbered archive that is not there.
    pub fn lies_in_missing_part(&self, index: usize) -> bool {
        let part = self.files.get(index).and_then(|(_, place)| place.part());
        part.is_some_and(|number| self.lacks(number))
    }

    fn lacks(&self, number: u16) -> bool {
        matches!(
            self.numbered(number),
            Err(GameFilesError::Vfs(VfsError::FileMissing { .. }))
        )
    }

    fn packed(&self, packed: &PackedFile) -> Result<Vec<u8>, GameFilesError> {
        let [start, length] = [packed.offset, packed.length].map(u64::from);
        let data = read_range(&self.file, start, length)?;
        let mut r = Reader::nested(FORMAT, &data, start);
        match r.bytes("file", packed.length as usize) {
            Ok(_) => Ok(data),
            Err(error) => Err(invalid(&self.file, error.in_entry(&packed.path()))),
        }
    }

    /// What is not preloaded.
    fn rest_of(&self, entry: &VpkEntry) -> Result<Vec<u8>, GameFilesError> {
        let length = u64::from(entry.length);
        if entry.length == 0 {
            return Ok(Vec::new());
        }
        if entry.is_in_directory() {
            let start = self.data_offset.saturating_add(entry.offset.into());
            return read_range(&self.file, start, length);
        }
        let archive = self.numbered(entry.archive)?;
        read_range(&archive, entry.offset.into(), length)
    }

    /// The numbered archive beside the directory file, whatever the case of its name.
    fn numbered(&self, number: u16) -> Result<PathBuf, GameFilesError> {
        Ok(self.folder.find_file(&self.part_name(number))?)
    }

    fn part_name(&self, number: u16) -> String {
        let name = file_name(&self.file);
        let stem = name.strip_suffix(DIRECTORY_SUFFIX).unwrap_or(&name);
        format!("{stem}_{number:03}.vpk")
    }
}

fn in_memory(n_bytes: u64) -> usize {
    usize::try_from(n_bytes).unwrap_or(usize::MAX)
}

type Files = Vec<(String, Place)>;

fn vpk_files(file: &Path) -> Result<(Files, u64), GameFilesError> {
    let head = vfs::read_head(file, VpkHeader::MAX_SIZE as u64)?;
    let header = VpkHeader::read(&mut Reader::new(FORMAT, &head));
    let header = header.map_err(|error| invalid(file, error))?;
    let start = u64::from(header.size());
    let tree = read_range(file, start, header.tree_size.into())?;
    let mut r = Reader::nested(FORMAT, &tree, start);
    let tree = VpkTree::read_from(&mut r, header.tree_size);
    let tree = tree.map_err(|error| invalid(file, error))?;
    let files = tree
        .files()
        .map(|(path, entry)| (path, Place::Vpk(entry.clone())));
    Ok((files.collect(), header.data_offset()))
}

fn pack_files(file: &Path) -> Result<Files, GameFilesError> {
    let len = vfs::file_len(file)?;
    let end_start = len.saturating_sub(PackEnd::SIZE as u64);
    let end = read_range(file, end_start, PackEnd::SIZE as u64)?;
    let end = PackEnd::read(Reader::nested(FORMAT, &end, end_start));
    let end = end.map_err(|error| invalid(file, error))?;
    let start = u64::from(end.offset);
    let directory = read_range(file, start, end_start.saturating_sub(start))?;
    let files = PackedFile::read_all(Reader::nested(FORMAT, &directory, start), &end);
    let files = files.map_err(|error| invalid(file, error))?;
    Ok(files
        .into_iter()
        .map(|file| (file.path(), Place::Pack(file)))
        .collect())
}

fn read_range(file: &Path, start: u64, len: u64) -> Result<Vec<u8>, GameFilesError> {
    Ok(vfs::read_range(file, start, len)?)
}

/// The name in lower case, as [`Vfs`] finds it.
fn file_name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().to_ascii_lowercase()
}

/// The number of a `packNNN.vpk`.
fn pack_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("pack")?.strip_suffix(".vpk")?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

fn io_error(path: &Path, error: io::Error) -> GameFilesError {
    GameFilesError::Vfs(VfsError::Io {
        path: path.to_owned(),
        error,
    })
}
