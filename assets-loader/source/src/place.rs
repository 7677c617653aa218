//! Where a file that is opened by itself is in its game, with which other files of the game are found.

use std::path::{Path, PathBuf};

use crate::game_files::{GameFiles, GameFilesError};
use crate::mdl::beside;
use ironlands_assets_core::vfs::{VfsError, path_in_archive, read_file};

/// The folder or archive that paths of the game count from, and the path of a file in it.
pub(crate) struct Place {
    root: Option<PathBuf>,
    /// The path in the game.
    pub name: String,
    /// The file itself, if it is one.
    file: Option<PathBuf>,
    path: PathBuf,
}

impl Place {
    /// The place of a file, in an archive or below a folder of this name, as paths of the game have it.
    pub fn from_path(path: &Path, folder: &str) -> Self {
        if let Some((archive, entry)) = path_in_archive(path) {
            return Self {
                root: Some(archive.to_owned()),
                name: entry.to_string_lossy().replace('\\', "/"),
                file: None,
                path: path.to_owned(),
            };
        }
        let is_folder = |above: &&Path| {
            let name = above.file_name().unwrap_or_default();
            name.eq_ignore_ascii_case(folder)
        };
        let root = path.ancestors().find(is_folder).and_then(Path::parent);
        let name = root.and_then(|root| path.strip_prefix(root).ok());
        let name = name.unwrap_or_else(|| Path::new(path.file_name().unwrap_or_default()));
        let root = root.map(|root| match root == Path::new("") {
            true => PathBuf::from("."),
            false => root.to_owned(),
        });
        Self {
            root,
            name: name.to_string_lossy().replace('\\', "/"),
            file: Some(path.to_owned()),
            path: path.to_owned(),
        }
    }

    /// The files of its game: those of its root, then those of `assets`.
    ///
    /// # Errors
    /// A folder that cannot be listed, an archive that cannot be read.
    pub fn game_files(&self, assets: &[PathBuf]) -> Result<GameFiles, VfsError> {
        let roots: Vec<PathBuf> = self.root.iter().chain(assets).cloned().collect();
        GameFiles::new(None, &roots).map_err(|error| self.in_vfs(error))
    }

    /// The bytes of the file itself.
    ///
    /// # Errors
    /// It is missing or cannot be read.
    pub fn read(&self, files: &GameFiles) -> Result<Vec<u8>, VfsError> {
        if let Some(file) = &self.file {
            return read_file(file);
        }
        let found = files.open(&self.name).map_err(|error| self.in_vfs(error))?;
        found.ok_or_else(|| self.missing(self.name.clone()))
    }

    /// A file of the game; one of the same folder goes by its name alone where that is below no root.
    pub fn open(&self, files: &GameFiles, name: &str) -> Result<Option<Vec<u8>>, String> {
        let found = files.open(name).map_err(|error| error.to_string())?;
        let (None, Some(file), None) = (&found, &self.file, &self.root) else {
            return Ok(found);
        };
        let name = name.rsplit('/').next().unwrap_or(name);
        beside(file, name)
    }

    /// The error that something is not with the file.
    pub fn missing(&self, name: String) -> VfsError {
        VfsError::FileMissing {
            name,
            searched: self.path.parent().map(Path::to_owned).into_iter().collect(),
        }
    }

    fn in_vfs(&self, error: GameFilesError) -> VfsError {
        match error {
            GameFilesError::Vfs(error) => error,
            GameFilesError::Pakfile(error) => VfsError::Invalid {
                file: self.path.clone(),
                error,
            },
            GameFilesError::Archive { archive, error } => VfsError::Invalid {
                file: archive,
                error,
            },
        }
    }
}
