//! What worlds offer beside the conversions of their single files: models and levels to public formats, and models
//! back. A registry gathers the lists of all worlds; the program only walks them.
//!
//! Options are those of [`ConversionOptions`]; an option that an entry does not list has no effect on it.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{ConversionOption, ConversionOptions, Exported};
use thiserror::Error;

use crate::error::ImportError;

/// What went wrong, in a world's own type.
pub type AnyError = Box<dyn Error + Send + Sync>;

/// Opens the file at the first path and makes the files that are to be written, of which that at the second path is the
/// last: when it is there, what it names is there. Nothing is written here.
pub type Export = fn(&Path, &Path, &ConversionOptions) -> Result<Exported, AnyError>;

/// Reads the interchange file at the first path and makes the files that are to be written, of which that at the second
/// path is the last. Nothing is written here.
pub type Import = fn(&Path, &Path, &ConversionOptions) -> Result<Imported, ModelImportError>;

/// A public format that models of a world are written in.
#[derive(Debug, Clone, Copy)]
pub struct ModelExport {
    /// Extension in lowercase, without the dot.
    pub extension: &'static str,
    /// Options that make a difference.
    pub options: &'static [ConversionOption],
    /// From a path, which may lead through an archive.
    pub export: Export,
}

/// A format that levels of a world are written in, beside the glTF of any scene
/// ([`write_scene_glb`](crate::write_scene_glb)), or one of their files by itself.
#[derive(Debug, Clone, Copy)]
pub struct LevelExport {
    /// Name in lowercase of the file of a level that is meant when its own path is given, not that of the level; `None`
    /// for the whole level.
    pub of_file: Option<&'static str>,
    /// Extension in lowercase, without the dot.
    pub extension: &'static str,
    /// Options that make a difference.
    pub options: &'static [ConversionOption],
    /// From the path of a level.
    pub export: Export,
}

/// A way from public formats to a model of a world, or to a file of a level.
#[derive(Debug, Clone, Copy)]
pub struct ModelImport {
    /// What it is called, for messages.
    pub name: &'static str,
    /// Extension of the model in lowercase, without the dot.
    pub to_extension: &'static str,
    /// Name in lowercase of the file that is made, where it is one of a level; `None` for models, of any name.
    pub to_file: Option<&'static str>,
    /// Extensions of the interchange files, likewise.
    pub from_extensions: &'static [&'static str],
    /// Options that make a difference.
    pub options: &'static [ConversionOption],
    /// From the path of an interchange file.
    pub import: Import,
}

impl LevelExport {
    /// Whether it is for a path that was given for a level.
    pub fn is_of(&self, path: &Path) -> bool {
        self.of_file.is_none_or(|name| has_name(path, name))
    }
}

impl ModelImport {
    /// Whether it makes the file of a path.
    pub fn makes(&self, to: &Path) -> bool {
        let extension = to.extension().unwrap_or_default();
        extension.eq_ignore_ascii_case(self.to_extension)
            && self.to_file.is_none_or(|name| has_name(to, name))
    }

    /// Whether it reads an interchange file, by its extension.
    pub fn reads(&self, from: &Path) -> bool {
        let extension = from.extension().unwrap_or_default();
        (self.from_extensions.iter()).any(|known| extension.eq_ignore_ascii_case(known))
    }
}

fn has_name(path: &Path, name: &str) -> bool {
    path.file_name()
        .is_some_and(|it| it.eq_ignore_ascii_case(name))
}

/// Files of a model, and what the interchange file holds that they do not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Paths and bytes, in the order to be written in: the model last.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What is lost, or worth knowing.
    pub findings: Vec<Finding>,
}

/// Why an interchange file did not become a model.
#[derive(Debug, Error)]
pub enum ModelImportError {
    /// The system refused.
    #[error("cannot read {}", path.display())]
    Read {
        /// The interchange file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// The interchange file is broken, or holds what no model can.
    #[error("cannot import {}", path.display())]
    Import {
        /// The interchange file.
        path: PathBuf,
        /// Why.
        source: ImportError,
    },
    /// What was read is more than the files of a model have room for.
    #[error("cannot make a model of {}", path.display())]
    Build {
        /// The interchange file.
        path: PathBuf,
        /// Why.
        source: AnyError,
    },
    /// The file that the interchange file was exported from cannot be used.
    #[error("cannot use {} as the base", path.display())]
    Base {
        /// The base.
        path: PathBuf,
        /// Why.
        source: AnyError,
    },
    /// What was made is no model.
    #[error("cannot make {}: what was made cannot be read; nothing was written", path.display())]
    Unreadable {
        /// The model.
        path: PathBuf,
        /// Why.
        source: Box<FormatError>,
    },
}
