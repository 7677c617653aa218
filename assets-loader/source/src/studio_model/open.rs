//! The files of a model by their names, wherever they lie.

use thiserror::Error;

use super::StudioModel;
use crate::mdl::Mdl;
use crate::mdl::motion::Motion;
use crate::vtmb_mdl::VtmbMdl;
use crate::vtmb_vtx::VtmbVtx;
use crate::vtx::Vtx;
use crate::vvd::Vvd;
use ironlands_assets_core::bytes::FormatError;

/// What the path of a model ends with.
pub(crate) const MODEL_ENDING: &str = ".mdl";
/// Index files, the best first.
const INDEX_ENDINGS: &[&str] = &[".dx90.vtx", ".dx80.vtx", ".sw.vtx", ".vtx"];
/// The same of Bloodlines, which came before version 9 of DirectX was everywhere.
const VTMB_INDEX_ENDINGS: &[&str] = &[".dx80.vtx", ".dx90.vtx", ".dx7_2bone.vtx", ".sw.vtx"];

/// A model file of any version that is read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AnyMdl {
    /// Versions 44 to 49.
    Source(Box<Mdl>),
    /// Version 2531.
    Vtmb(Box<VtmbMdl>),
}

impl AnyMdl {
    /// Reads a model file of any version.
    ///
    /// # Errors
    /// As [`Mdl::read`] and [`VtmbMdl::read`].
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        match VtmbMdl::is_one(data) {
            true => Ok(Self::Vtmb(Box::new(VtmbMdl::read(data)?))),
            false => Ok(Self::Source(Box::new(Mdl::read(data)?))),
        }
    }

    /// All that moves it.
    ///
    /// # Errors
    /// As [`Motion::read`] and [`VtmbMdl::motion`].
    pub fn motion(&self) -> Result<Motion, FormatError> {
        match self {
            Self::Source(mdl) => Motion::read(mdl),
            Self::Vtmb(mdl) => mdl.motion(),
        }
    }
}

/// Gives the bytes of a file by its path, `None` if it is nowhere, or why it cannot be read.
pub type OpenFile<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<u8>>, String>;

/// Why a model could not be put together from its files.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// One of its files is nowhere.
    #[error("{path} is missing")]
    Missing {
        /// The file.
        path: String,
    },
    /// One of its files is there and cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why not.
        reason: String,
    },
    /// One of its files breaks the rules of its format, or does not fit the others.
    #[error("{path}: {error}")]
    Broken {
        /// The file; the MDL where they do not fit each other.
        path: String,
        /// What is wrong.
        error: Box<FormatError>,
    },
}

impl ModelError {
    /// What is wrong with a file of this path.
    pub fn broken(path: &str, error: FormatError) -> Self {
        Self::Broken {
            path: path.to_owned(),
            error: Box::new(error),
        }
    }
}

impl StudioModel {
    /// Opens the model of a path, as in `models/props/crate.mdl`. `open` finds its files.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn open(path: &str, open: OpenFile<'_>) -> Result<Self, ModelError> {
        let (model, _) = Self::open_with_mdl(path, open)?;
        Ok(model)
    }

    /// As [`Self::open`], with the MDL, which also says what moves the model.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub(crate) fn open_with_mdl(
        path: &str,
        open: OpenFile<'_>,
    ) -> Result<(Self, AnyMdl), ModelError> {
        Self::open_file(path, &need(path, open)?, open)
    }

    /// As [`Self::open_with_mdl`], of an MDL whose bytes are there already.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub(crate) fn open_file(
        path: &str,
        data: &[u8],
        open: OpenFile<'_>,
    ) -> Result<(Self, AnyMdl), ModelError> {
        let broken = |error| ModelError::broken(path, error);
        let mdl = AnyMdl::read(data).map_err(broken)?;
        let model = match &mdl {
            AnyMdl::Source(mdl) => Self::open_rest(path, mdl, open)?,
            AnyMdl::Vtmb(mdl) => Self::open_vtmb(path, mdl, open)?,
        };
        Ok((model, mdl))
    }

    /// As [`Self::open_rest`], of a model of Bloodlines.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub(crate) fn open_vtmb(
        path: &str,
        mdl: &VtmbMdl,
        open: OpenFile<'_>,
    ) -> Result<Self, ModelError> {
        let base = path.strip_suffix(MODEL_ENDING).unwrap_or(path);
        let (indices, data) = index_file(base, VTMB_INDEX_ENDINGS, open)?;
        let vtx = VtmbVtx::read(&data).map_err(|error| ModelError::broken(&indices, error))?;
        Self::assemble_vtmb(mdl, &vtx).map_err(|error| ModelError::broken(path, error))
    }

    /// As [`Self::open`], of an MDL that has been read already.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn open_rest(path: &str, mdl: &Mdl, open: OpenFile<'_>) -> Result<Self, ModelError> {
        let base = path.strip_suffix(MODEL_ENDING).unwrap_or(path);
        let vertices = format!("{base}.vvd");
        let vvd = Vvd::read(&need(&vertices, open)?);
        let vvd = vvd.map_err(|error| ModelError::broken(&vertices, error))?;
        let (indices, data) = index_file(base, INDEX_ENDINGS, open)?;
        let vtx = Vtx::read(&data).map_err(|error| ModelError::broken(&indices, error))?;
        Self::assemble(mdl, &vvd, &vtx).map_err(|error| ModelError::broken(path, error))
    }
}

/// The best index file that is there.
fn index_file(
    base: &str,
    endings: &[&str],
    open: OpenFile<'_>,
) -> Result<(String, Vec<u8>), ModelError> {
    let mut first_missing = None;
    for ending in endings {
        let path = format!("{base}{ending}");
        match need(&path, open) {
            Ok(data) => return Ok((path, data)),
            Err(missing @ ModelError::Missing { .. }) => {
                first_missing.get_or_insert(missing);
            }
            Err(error) => return Err(error),
        }
    }
    Err(first_missing.unwrap_or(ModelError::Missing {
        path: base.to_owned(),
    }))
}

fn need(path: &str, open: OpenFile<'_>) -> Result<Vec<u8>, ModelError> {
    let path = path.to_owned();
    match open(&path) {
        Ok(Some(data)) => Ok(data),
        Ok(None) => Err(ModelError::Missing { path }),
        Err(reason) => Err(ModelError::Unreadable { path, reason }),
    }
}
