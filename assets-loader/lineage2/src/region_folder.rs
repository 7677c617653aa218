//! A folder of regions: which files are there, and which region has more than one. Dossier section 1.1.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::grid::RegionId;
use super::names::{GeodataFormat, RegionFileName};
use super::region_file::RegionFile;
use super::{BlockRef, Region, Tolerance};
use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::vfs;

/// A file of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionPath {
    /// Path of the file.
    pub path: PathBuf,
    /// What its name says.
    pub name: RegionFileName,
}

/// The files of regions in a folder, not opened yet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RegionFolder {
    /// By region; each has at least one file, in the order of their names.
    pub files: BTreeMap<RegionId, Vec<RegionPath>>,
}

/// Why a folder or one of its files cannot be had.
#[derive(Debug, Error)]
pub enum FolderError {
    /// It cannot be read.
    #[error("{}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// It is no region.
    #[error("{}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: Box<FormatError>,
    },
    /// The name of a file is none of a region.
    #[error("{}: no name of a region, which is like 22_16.l2j", path.display())]
    Name {
        /// The file.
        path: PathBuf,
    },
    /// There is no region.
    #[error("{}: no region{}", path.display(), format.map(|format| format!(" in a file *{format}")).unwrap_or_default())]
    NoRegion {
        /// The file or folder.
        path: PathBuf,
        /// The requested format.
        format: Option<GeodataFormat>,
    },
    /// A region has two files and no one said which of them counts.
    #[error("region {id} is in both {} and {}", first.display(), second.display())]
    Duplicate {
        /// The region.
        id: RegionId,
        /// One of its files.
        first: PathBuf,
        /// Another.
        second: PathBuf,
    },
}

impl RegionPath {
    /// A file by its path, whose name says region and format.
    ///
    /// # Errors
    /// If the name is none of a region.
    pub fn new(path: &Path) -> Result<Self, FolderError> {
        let name = path.file_name().and_then(|name| name.to_str());
        match name.and_then(RegionFileName::parse) {
            Some(name) => Ok(Self {
                path: path.to_owned(),
                name,
            }),
            None => Err(FolderError::Name {
                path: path.to_owned(),
            }),
        }
    }

    /// Reads the file.
    ///
    /// # Errors
    /// If it cannot be read or is no region.
    pub fn open(&self, tolerance: Tolerance) -> Result<RegionFile, FolderError> {
        let mut data = Vec::new();
        self.read(&mut data)?;
        let file = RegionFile::read(self.name.format, self.name.id, &data, tolerance);
        file.map_err(|error| self.format_error(error))
    }

    /// Reads the file into `bytes`, whose memory is used again, and calls `each` with its blocks, as
    /// [`RegionFile::visit`] does.
    ///
    /// # Errors
    /// If it cannot be read or is no region.
    pub fn visit(
        &self,
        tolerance: Tolerance,
        bytes: &mut Vec<u8>,
        each: impl FnMut(BlockRef<'_>),
    ) -> Result<(), FolderError> {
        self.read(bytes)?;
        let visited = RegionFile::visit(self.name.format, self.name.id, bytes, tolerance, each);
        visited.map_err(|error| self.format_error(error))
    }

    /// Size and CRC-32 of the file, which show whether something was made from it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn checksum(&self) -> Result<(u64, u32), FolderError> {
        let mut bytes = Vec::new();
        self.read(&mut bytes)?;
        Ok((bytes.len() as u64, crc32fast::hash(&bytes)))
    }

    fn read(&self, bytes: &mut Vec<u8>) -> Result<(), FolderError> {
        vfs::read_into(&self.path, bytes).map_err(|error| FolderError::Io {
            path: self.path.clone(),
            error,
        })
    }

    fn format_error(&self, error: FormatError) -> FolderError {
        FolderError::Format {
            path: self.path.clone(),
            error: Box::new(error),
        }
    }
}

impl RegionFolder {
    /// All regions in a folder, not in those below it. Other files are passed over.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn scan(folder: &Path) -> Result<Self, FolderError> {
        let io = |error| FolderError::Io {
            path: folder.to_owned(),
            error,
        };
        let mut files = BTreeMap::<_, Vec<_>>::new();
        for entry in std::fs::read_dir(folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            if let Ok(file) = RegionPath::new(&path)
                && path.is_file()
            {
                files.entry(file.name.id).or_default().push(file);
            }
        }
        for files in files.values_mut() {
            files.sort_by(|a, b| a.path.cmp(&b.path));
        }
        Ok(Self { files })
    }

    /// Keeps only files of a format.
    #[must_use]
    pub fn of_format(mut self, format: GeodataFormat) -> Self {
        for files in self.files.values_mut() {
            files.retain(|file| file.name.format == format);
        }
        self.files.retain(|_, files| !files.is_empty());
        self
    }

    /// One file a region, in the order of regions.
    ///
    /// # Errors
    /// If a region has two.
    pub fn one_each(&self) -> Result<Vec<RegionPath>, FolderError> {
        let chosen = self.files.iter().map(|(&id, files)| match &files[..] {
            [first, second, ..] => Err(FolderError::Duplicate {
                id,
                first: first.path.clone(),
                second: second.path.clone(),
            }),
            files => Ok(files.first().cloned()),
        });
        chosen.filter_map(Result::transpose).collect()
    }
}

impl From<RegionFile> for Region {
    fn from(file: RegionFile) -> Self {
        match file {
            RegionFile::L2j(file) => file.region,
            RegionFile::L2d(file) => file.region,
            RegionFile::ConvDat(file) => file.into_region(),
            RegionFile::PathTxt(file) => file.region,
            file => file.region().clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_with_two_files_is_refused_until_one_is_chosen() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["20_18.l2j", "20_18_C4.l2j", "21_18_conv.dat", "notes.txt"] {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        std::fs::create_dir(folder.path().join("22_18.l2j")).unwrap();
        let found = RegionFolder::scan(folder.path()).unwrap();
        assert_eq!(found.files.len(), 2);
        let error = found.one_each().unwrap_err().to_string();
        assert!(error.starts_with("region 20_18 is in both"), "{error}");
        let chosen = found.of_format(GeodataFormat::ConvDat).one_each().unwrap();
        assert_eq!(chosen.len(), 1);
        let error = chosen[0].open(Tolerance::STRICT).unwrap_err();
        assert!(matches!(error, FolderError::Format { .. }));
    }

    #[test]
    fn a_locked_file_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("20_18.l2s");
        std::fs::write(&path, [0; 8]).unwrap();
        let file = RegionPath::new(&path).unwrap();
        let FolderError::Format { error, .. } = file.open(Tolerance::STRICT).unwrap_err() else {
            panic!("a format error");
        };
        assert!(error.to_string().contains("locked"), "{error}");
    }
}
