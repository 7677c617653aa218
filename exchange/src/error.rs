//! Why a file could not be written or read.

use std::fmt::Display;

use thiserror::Error;

/// Why a file could not be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// JSON and OBJ have no infinity and no NaN.
    #[error("{what} is not finite")]
    NotFinite {
        /// What the number is of.
        what: String,
    },
    /// Something names what is not there.
    #[error("{what} {index} does not exist, there are {len}")]
    Missing {
        /// "material", "texture" and the like.
        what: &'static str,
        /// Its index.
        index: usize,
        /// Length of the table.
        len: usize,
    },
    /// The pixels of a texture do not fill its size.
    #[error("texture {name}: {width}x{height} pixels need other than {n_bytes} bytes")]
    Pixels {
        /// The texture's name.
        name: String,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Bytes that are there.
        n_bytes: usize,
    },
    /// A texture could not be made a PNG.
    #[error("texture {name} cannot be encoded")]
    Encode {
        /// The texture's name.
        name: String,
        /// What the encoder said.
        source: image::ImageError,
    },
    /// Frames that go by per second must be a number above 0.
    #[error("{rate} frames per second; a number above 0 is needed")]
    Rate {
        /// The requested rate.
        rate: f32,
    },
    /// Tables that name the same things again and again grow beyond any use.
    #[error("the model has {count} {what}; at most {limit} are written")]
    TooMany {
        /// What is too many.
        what: &'static str,
        /// How much.
        count: u64,
        /// The limit.
        limit: u64,
    },
    /// The sizes in a GLB have 32 bits.
    #[error("the file would be longer than 4 GiB")]
    TooLong,
    /// The JSON writer refused.
    #[error("the JSON cannot be written")]
    Json(#[from] serde_json::Error),
}

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The text of a glTF file is not the JSON that it should be.
    #[error("gltf: its text is no JSON of glTF")]
    Json(#[from] serde_json::Error),
    /// A rule is broken.
    #[error("{format}: {place}: expected {expected}, found {found}")]
    Unexpected {
        /// `glb`, `gltf` or `obj`.
        format: &'static str,
        /// JSON path, byte or line.
        place: String,
        /// What should be there.
        expected: String,
        /// What was found.
        found: String,
    },
    /// Sound, but not for a model, or beyond what one can hold.
    #[error("{format}: {place}: {what}")]
    Unsupported {
        /// `glb`, `gltf` or `obj`.
        format: &'static str,
        /// JSON path, byte or line.
        place: String,
        /// What it is.
        what: String,
    },
    /// A file that the file names could not be had.
    #[error("gltf: {place}: the file {uri:?} cannot be read")]
    Fetch {
        /// JSON path.
        place: String,
        /// As it is named.
        uri: String,
        /// Why.
        source: std::io::Error,
    },
}

impl ImportError {
    /// A rule of a format is broken at a place.
    pub fn unexpected(
        format: &'static str,
        place: &str,
        expected: &str,
        found: impl Display,
    ) -> Self {
        Self::Unexpected {
            format,
            place: place.to_owned(),
            expected: expected.to_owned(),
            found: found.to_string(),
        }
    }

    /// Something at a place is valid and cannot be taken.
    pub fn unsupported(format: &'static str, place: &str, what: impl Into<String>) -> Self {
        Self::Unsupported {
            format,
            place: place.to_owned(),
            what: what.into(),
        }
    }
}

/// Refuses NaN and infinities in what is written; `what` names it.
///
/// # Errors
/// [`ExportError::NotFinite`].
pub fn finite<const N: usize>(
    values: [f32; N],
    what: impl Fn() -> String,
) -> Result<[f32; N], ExportError> {
    if values.iter().all(|value| value.is_finite()) {
        return Ok(values);
    }
    Err(ExportError::NotFinite { what: what() })
}

/// Far beyond any model, and far below where bounds of thousands of nodes end at infinity.
const MAX_REACH: f32 = 1e12;

/// A place of a vertex or node that sums and squares of many such stay finite with.
///
/// # Errors
/// It is beyond 1e12 on an axis, or no number.
pub fn within_reach(
    position: [f32; 3],
    format: &'static str,
    place: &str,
) -> Result<[f32; 3], ImportError> {
    if position.iter().all(|v| v.abs() <= MAX_REACH) {
        return Ok(position);
    }
    let what = format!("it puts something at {position:?}, beyond the {MAX_REACH:e} of a model");
    Err(ImportError::unsupported(format, place, what))
}

/// Refuses numbers of things that no model has, in a file of a format.
///
/// # Errors
/// `count` is beyond `limit`.
pub fn at_most_of(
    format: &'static str,
    what: &str,
    count: usize,
    limit: usize,
    place: &str,
) -> Result<(), ImportError> {
    if count <= limit {
        return Ok(());
    }
    let what = format!("with {count} {what} it is beyond the {limit} of a model");
    Err(ImportError::unsupported(format, place, what))
}
