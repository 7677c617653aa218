//! The file of a texture: `NAME.vtf`, else `NAME.tth` with `NAME.ttz`.

use thiserror::Error;

use crate::game_files::{GameFiles, GameFilesError};
use crate::tth::{Tolerance, Tth};
use crate::vtf::Vtf;
use ironlands_assets_core::bytes::FormatError;

const VTF: &str = ".vtf";
const TTH: &str = ".tth";
const TTZ: &str = ".ttz";

/// Why a texture could not be opened. A missing one is no error.
#[derive(Debug, Error)]
pub(super) enum TextureError {
    /// A file is there and cannot be read.
    #[error(transparent)]
    File(#[from] GameFilesError),
    /// A file is broken.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// The texture of a path that ends with `.vtf`; `None` if it is nowhere. What two files are joined to is spent from the
/// budget of all files.
pub(super) fn open(files: &GameFiles, path: &str) -> Result<Option<Vtf>, TextureError> {
    if let Some(data) = files.open(path)? {
        return Ok(Some(Vtf::read(&data)?));
    }
    let name = path.strip_suffix(VTF).unwrap_or(path);
    let Some(data) = files.open(&[name, TTH].concat())? else {
        return Ok(None);
    };
    let tth = Tth::read_with(&data, Tolerance::all())?;
    let ttz = match tth.is_whole() {
        true => None,
        false => files.open(&[name, TTZ].concat())?,
    };
    Ok(Some(tth.join(ttz.as_deref(), files.budget())?))
}

/// Whether the texture of a path that ends with `.vtf` is anywhere.
pub(super) fn is_there(files: &GameFiles, path: &str) -> bool {
    let name = path.strip_suffix(VTF).unwrap_or(path);
    let mut paths = [path.to_owned(), [name, TTH].concat()].into_iter();
    paths.any(|path| matches!(files.open(&path), Ok(Some(_))))
}
