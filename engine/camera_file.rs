//! A camera path from its file.

use std::path::Path;

use clap::ValueEnum;
use ironlands::assets_loader::evil_islands::cam::Cam;
use ironlands::assets_loader::evil_islands::camera_path::{self, to_camera_path};
use ironlands::assets_loader::vfs;
use ironlands::scene::CameraPath;

use crate::error::AppError;
use crate::findings::log_findings;

/// What a camera looks along before its file turns it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum CameraZero {
    X,
    #[value(name = "-x")]
    MinusX,
    Y,
    #[default]
    #[value(name = "-y")]
    MinusY,
    Z,
    #[value(name = "-z")]
    MinusZ,
}

impl From<CameraZero> for camera_path::CameraZero {
    fn from(zero: CameraZero) -> Self {
        match zero {
            CameraZero::X => Self::X,
            CameraZero::MinusX => Self::MinusX,
            CameraZero::Y => Self::Y,
            CameraZero::MinusY => Self::MinusY,
            CameraZero::Z => Self::Z,
            CameraZero::MinusZ => Self::MinusZ,
        }
    }
}

/// Reads a camera path.
///
/// # Errors
/// If it is not there or no camera path.
pub fn read_camera_path(path: &Path, zero: CameraZero) -> Result<CameraPath, AppError> {
    let data = vfs::read(path).map_err(|source| AppError::Read {
        path: path.to_owned(),
        source,
    })?;
    let broken = |source| AppError::CameraPath {
        path: path.to_owned(),
        source: Box::new(source),
    };
    let cam = Cam::read(&data).map_err(broken)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (camera_path, findings) = to_camera_path(&cam, &stem, zero.into()).map_err(broken)?;
    log_findings(&findings);
    Ok(camera_path)
}
