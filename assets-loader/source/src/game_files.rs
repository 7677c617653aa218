//! The files that a map draws on, wherever they lie: its own pakfile, then folders of the game, then archives in them
//! (dossier sections 10.1 and 10.4).
//!
//! Names are those of the game's data: any ASCII case, `/` or `\\`, under the path policy of [`vfs`]: none
//! leads out of the folders. Folders are listed and archives read once.
//!
//! Deliberately absent: the meaning of any file; a list of what is missing, which the caller keeps.

mod archive;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use thiserror::Error;

pub use self::archive::{DiskArchive, MissingPart};
use super::pakfile::Pakfile;
use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_core::vfs::{self, Vfs, VfsError, path};

/// The search path of a map.
#[derive(Debug)]
pub struct GameFiles {
    pakfile: Option<Pakfile>,
    folders: Vec<Vfs>,
    archives: Vec<DiskArchive>,
    /// What all these files together may unpack to, textures that are drawn included.
    budget: Budget,
}

/// Why a file could not be opened. A missing one is no error.
#[derive(Debug, Error)]
pub enum GameFilesError {
    /// The name is refused, or the file system failed.
    #[error(transparent)]
    Vfs(#[from] VfsError),
    /// An entry of the pakfile is broken.
    #[error(transparent)]
    Pakfile(Box<FormatError>),
    /// An archive is broken.
    #[error("{}: {error}", archive.display())]
    Archive {
        /// The archive.
        archive: PathBuf,
        /// What is wrong with it.
        error: Box<FormatError>,
    },
}

impl GameFiles {
    /// The files of a map: its pakfile, then the folders in order, then the archives in those folders, folder by
    /// folder: `*_dir.vpk` by name, then `packNNN.vpk` from the highest number down. A directory file may be named
    /// instead of a folder.
    ///
    /// Costs one reading of each archive's directory, and no contents.
    ///
    /// # Errors
    /// A folder that cannot be listed, an archive that cannot be read.
    pub fn new(pakfile: Option<Pakfile>, assets: &[PathBuf]) -> Result<Self, GameFilesError> {
        let mut folders = Vec::new();
        let mut archives = Vec::new();
        for asset in assets {
            if asset.is_file() {
                archives.push(DiskArchive::open(asset)?);
                continue;
            }
            let folder = Vfs::from_folder(asset)?;
            for file in archive::in_folder(asset)? {
                archives.push(DiskArchive::open(&file)?);
            }
            folders.push(folder);
        }
        let budget = pakfile.as_ref().map(Pakfile::budget).cloned();
        Ok(Self {
            budget: budget.unwrap_or_else(|| Budget::from_file_size(0)),
            pakfile,
            folders,
            archives,
        })
    }

    /// What all these files together may unpack to, textures that are drawn included. It is that of the map, and grows
    /// with the files of the game that are read.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The map's own files.
    pub fn pakfile(&self) -> Option<&Pakfile> {
        self.pakfile.as_ref()
    }

    /// The bytes of the first file of that name; `None` if it is nowhere.
    ///
    /// # Errors
    /// A name that breaks the path policy; a file that is there and cannot be read.
    pub fn open(&self, name: &str) -> Result<Option<Vec<u8>>, GameFilesError> {
        let name = path::components(name)?.join("/");
        if let Some(pakfile) = &self.pakfile {
            let found = pakfile.open(&name);
            if let Some(data) = found.map_err(|e| GameFilesError::Pakfile(Box::new(e)))? {
                return Ok(Some(data));
            }
        }
        for folder in &self.folders {
            match folder.find_file(&name) {
                Ok(file) => {
                    let data = vfs::read_file(&file)?;
                    self.budget.add_read(data.len());
                    return Ok(Some(data));
                }
                Err(VfsError::FileMissing { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let key = name.to_ascii_lowercase();
        for archive in &self.archives {
            if let Some(data) = archive.read(&key)? {
                self.budget.add_read(data.len());
                return Ok(Some(data));
            }
        }
        Ok(None)
    }
}

fn invalid(archive: &Path, error: FormatError) -> GameFilesError {
    GameFilesError::Archive {
        archive: archive.to_owned(),
        error: Box::new(error),
    }
}
