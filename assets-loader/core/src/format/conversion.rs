//! Interchange formats of single files: what `export` writes and `import` reads.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::bytes::{Finding, FormatError};
use crate::text::CodePage;

/// A way from a file of a format to an interchange format, and back.
#[derive(Debug, Clone, Copy)]
pub struct Conversion {
    /// Extension of the interchange format in lowercase, without the dot.
    pub extension: &'static str,
    /// What comes back.
    pub fidelity: Fidelity,
    /// Options that make a difference.
    pub options: &'static [ConversionOption],
    /// From the bytes of a file to the interchange format; `None` where it goes the other way alone.
    pub export: Option<Exporter>,
    /// From the bytes of an interchange file to those of a file; `None` where it goes one way.
    pub import: Option<Importer>,
}

/// Converts the bytes of a file.
pub type Exporter = fn(&[u8], &ConversionRequest<'_>) -> Result<Exported, ConversionError>;

/// Makes the bytes of a file of those of an interchange file.
pub type Importer = fn(&[u8], &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError>;

/// What comes back of an exported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fidelity {
    /// The same file, byte for byte, if it broke no rule.
    SameBytes,
    /// A valid file.
    Valid,
}

/// Something that the user may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConversionOption {
    /// [`ConversionOptions::code_page`].
    CodePage,
    /// [`ConversionOptions::pixel_format`].
    PixelFormat,
    /// [`ConversionOptions::is_single_level`].
    SingleLevel,
    /// [`ConversionOptions::base`].
    Base,
    /// [`ConversionOptions::base_file`].
    BaseFile,
    /// [`ConversionOptions::frames_per_sec`].
    FramesPerSec,
    /// [`ConversionOptions::state`].
    State,
    /// [`ConversionOptions::lod`].
    Lod,
    /// [`ConversionOptions::assets`].
    Assets,
    /// [`ConversionOptions::textures`].
    Textures,
    /// [`ConversionOptions::shape`].
    Shape,
}

/// What the user chose.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConversionOptions {
    /// Code page of strings.
    pub code_page: CodePage,
    /// How pixels are stored, by a name of the format; `None` lets the picture decide.
    pub pixel_format: Option<String>,
    /// No mip levels below the first.
    pub is_single_level: bool,
    /// A file that has what the interchange file lacks.
    pub base: Option<Vec<u8>>,
    /// As `base`, by its path: of a model, which is more than one file.
    pub base_file: Option<PathBuf>,
    /// Frames of an animation that go by in a second; above 0. `None` is what the file says, or what suits it.
    pub frames_per_sec: Option<f32>,
    /// State of a model, 0 regular. `None` is the first.
    pub state: Option<u8>,
    /// Level of detail of a model, 0 finest. `None` is that.
    pub lod: Option<u8>,
    /// Folders and archives of a game, for what a file names and does not bring.
    pub assets: Vec<PathBuf>,
    /// Names without extension of the textures that a model wears, where its file names none; empty is what suits it.
    pub textures: Vec<String>,
    /// Where between its extreme shapes a model is shown: one number for each of three axes, usually within 0..=1.
    /// `None` is what suits it.
    pub shape: Option<[f32; 3]>,
}

/// What is converted.
#[derive(Debug, Clone, Copy)]
pub struct ConversionRequest<'a> {
    /// Path of the file.
    pub file: &'a Path,
    /// Path of the interchange file. More of them may lie beside it.
    pub interchange: &'a Path,
    /// What the user chose.
    pub options: &'a ConversionOptions,
}

/// Interchange files, and what they do not hold or what is unusual about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// Paths and bytes.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What is lost, or worth knowing.
    pub findings: Vec<Finding>,
}

/// Why a file cannot be converted. The caller names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// It is broken, or holds what the other format does not allow.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// It is no text.
    #[error("byte {offset:#x} is no UTF-8")]
    NotUtf8 {
        /// Where.
        offset: usize,
    },
    /// A file beside the one that was named cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The interchange format's own reader or writer refused, or the pieces do not fit together.
    #[error("{0}")]
    Other(Box<dyn Error + Send + Sync>),
}

impl ConversionError {
    /// What a library says.
    pub fn other(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Other(error.into())
    }
}

/// The text of an interchange file, without a byte order mark.
///
/// # Errors
/// It is not UTF-8.
pub fn text(data: &[u8]) -> Result<&str, ConversionError> {
    let text = std::str::from_utf8(data).map_err(|error| ConversionError::NotUtf8 {
        offset: error.valid_up_to(),
    })?;
    Ok(text.trim_start_matches('\u{FEFF}'))
}
