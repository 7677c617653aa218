//! Why something could not be opened.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::near::did_you_mean;
use ironlands_assets_core::vfs::VfsError;
use ironlands_scene::SceneError;
use thiserror::Error;

/// Why a path could not be opened as a level or model. Each prints as one whole sentence, its cause included.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Nothing is there.
    #[error("{} does not exist{}", path.display(), did_you_mean(near))]
    NotFound {
        /// The path as given.
        path: PathBuf,
        /// Paths that exist and differ little, nearest first.
        near: Vec<String>,
    },
    /// Something is there that is not what was wanted, and nothing else that could be opened.
    #[error("{} is {found}; expected {expected}", path.display())]
    NotExpected {
        /// The path as given.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What could have been opened.
        expected: String,
    },
    /// Something is there that is opened by another option.
    #[error("{} is {found}; type `ironlands {option} {}`", path.display(), path.display())]
    OtherOption {
        /// The path as given.
        path: PathBuf,
        /// What it is.
        found: String,
        /// The option that opens it.
        option: &'static str,
    },
    /// A folder was given that is no level and holds several. They do not print with it: there may be hundreds.
    #[error("{} holds {} levels, of which one can be opened", path.display(), levels.len())]
    SeveralLevels {
        /// The path as given.
        path: PathBuf,
        /// All levels in and below it.
        levels: Vec<PathBuf>,
    },
    /// The operating system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        error: io::Error,
    },
    /// A file that cannot be done without is broken.
    #[error("{}: {error}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<FormatError>,
    },
    /// A file that cannot be done without is missing.
    #[error("{}: {reason}", path.display())]
    FileMissing {
        /// The level.
        path: PathBuf,
        /// Which file, and where it was looked for.
        reason: String,
    },
    /// The files hold numbers that no scene can be made of.
    #[error("{}: {error}", path.display())]
    InvalidScene {
        /// The level.
        path: PathBuf,
        /// The broken item.
        error: SceneError,
    },
    /// Queries cannot be built from the files.
    #[error("{}: {error}", path.display())]
    InvalidWorld {
        /// The level.
        path: PathBuf,
        /// Why.
        error: Box<dyn Error + Send + Sync>,
    },
    /// An error of its world alone.
    #[error(transparent)]
    OfWorld(Box<dyn Error + Send + Sync>),
    /// Ctrl-C, or a signal of the system.
    #[error("stopped")]
    Stopped,
}

impl OpenError {
    /// What the virtual file system says of a file of `level`.
    pub fn from_vfs(level: &Path, error: VfsError) -> Self {
        match error {
            VfsError::Invalid { file, error } => Self::Format { path: file, error },
            VfsError::Io { path, error } => Self::Io { path, error },
            error => Self::FileMissing {
                path: level.to_owned(),
                reason: error.to_string(),
            },
        }
    }

    /// Why queries cannot be built of the files of `level`.
    pub fn invalid_world<E: Into<Box<dyn Error + Send + Sync>>>(
        level: &Path,
    ) -> impl FnOnce(E) -> Self {
        move |error| Self::InvalidWorld {
            path: level.to_owned(),
            error: error.into(),
        }
    }

    /// An error of its world alone.
    pub fn from_world(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::OfWorld(error.into())
    }

    /// What is said where nothing is at a path, or nothing that can be looked at.
    pub fn from_io(path: &Path, error: io::Error) -> Self {
        use io::ErrorKind::{NotADirectory, NotFound};
        let given = path.to_owned();
        match error.kind() {
            // Also where it leads through a file.
            NotFound | NotADirectory => Self::NotFound {
                near: ironlands_assets_core::near::near_paths(path),
                path: given,
            },
            _ => Self::Io { path: given, error },
        }
    }
}
