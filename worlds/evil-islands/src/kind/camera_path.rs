//! Camera paths from their files.

use clap::ValueEnum;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_evil_islands::cam::Cam;
use ironlands_assets_evil_islands::camera_path::{self, from_camera_path, to_camera_path};
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

/// The bytes of a `*.cam` that holds a path; `None` for more keys than it can.
pub(super) fn write(path: &CameraPath) -> Option<Vec<u8>> {
    from_camera_path(path, CameraZero::default().into())
        .write()
        .ok()
}

#[cfg(test)]
mod tests {
    use ironlands_assets_core::bytes::Severity;
    use ironlands_scene::CameraKey;

    use super::*;

    #[test]
    fn a_path_that_is_written_is_read() {
        let key = |time_secs, x, rotation| CameraKey {
            time_secs,
            position: [x, -2.0, 30.5],
            rotation,
        };
        let path = CameraPath {
            name: "mine".to_owned(),
            keys: vec![
                key(0.0, 1.0, [0.0, 0.0, 0.0, 1.0]),
                key(2.5, 100.0, [0.0, 0.0, 0.6, 0.8]),
            ],
        };
        let bytes = write(&path).unwrap();
        let (read, findings) = read(&bytes, "mine", CameraZero::default()).unwrap();
        // That the unit of times is not documented.
        let worst = findings.iter().map(|it| it.severity).max();
        assert!(worst <= Some(Severity::Note), "{findings:?}");
        assert_eq!(read.keys.len(), 2);
        for (read, key) in read.keys.iter().zip(&path.keys) {
            assert_eq!(
                (read.time_secs, read.position),
                (key.time_secs, key.position)
            );
            let dot: f32 = read
                .rotation
                .iter()
                .zip(key.rotation)
                .map(|(a, b)| a * b)
                .sum();
            assert!(dot.abs() > 0.999_99, "{read:?}, {key:?}");
        }
    }
}
