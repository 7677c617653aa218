//! Camera paths from their files.

use clap::ValueEnum;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_evil_islands::cam::Cam;
use ironlands_assets_evil_islands::camera_path::{self, to_camera_path};
use ironlands_scene::CameraPath;

/// What a camera looks along before its file turns it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum CameraZero {
    /// Along +X.
    X,
    /// Along -X.
    #[value(name = "-x")]
    MinusX,
    /// Along +Y.
    Y,
    /// Along -Y.
    #[default]
    #[value(name = "-y")]
    MinusY,
    /// Along +Z.
    Z,
    /// Along -Z.
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

/// The path that the bytes of a `*.cam` hold.
pub(super) fn read(
    data: &[u8],
    name: &str,
    zero: CameraZero,
) -> Result<(CameraPath, Vec<Finding>), FormatError> {
    to_camera_path(&Cam::read(data)?, name, zero.into())
}
