//! A camera path of the game <-> a path of a scene.
//!
//! Three things are undocumented (dossier sections 4 and 14), so each is decided here and nowhere else:
//!
//! - what a camera looks at before its file turns it: [`CameraZero`], the caller's choice;
//! - the unit of times: seconds where they are plausible as floats, else milliseconds;
//! - the motion between two records: straight, at an even rate of turn.
//!
//! Times are counted from the first record. Where they do not rise, records follow each other at the game's tick.

#[cfg(test)]
mod tests;

use std::f32::consts::FRAC_1_SQRT_2;

use glam::Quat;
use ironlands_scene::{CameraKey, CameraPath};

use super::cam::{Cam, CamNumber, CamRecord, LEAST_LENGTH, RECORD_SIZE};
use ironlands_assets_core::bytes::{Finding, FormatError, FormatErrorKind, Severity};
use ironlands_assets_core::record::field_offset;

const FORMAT: &str = "cam";
/// Ticks of the game in a second (dossier section 12.2).
const TICKS_PER_SEC: f32 = 15.0;
const MILLIS_PER_SEC: f64 = 1000.0;

/// What a camera looks along, and what is up in its picture, before its file turns it.
///
/// The only source that tried to find out (dossier section 4) turned an OpenGL camera by 90° about x and 180° about y:
/// taken back to the file's axes, that is a camera that looks along -y with +z up. It is the default here, and what
/// the demo level's flight is written with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum CameraZero {
    /// Along +x, +z up: as cameras of a scene.
    X,
    /// Along -x, +z up.
    MinusX,
    /// Along +y, +z up.
    Y,
    /// Along -y, +z up.
    #[default]
    MinusY,
    /// Upward, +y up in the picture.
    Z,
    /// Downward, +y up in the picture: as cameras of OpenGL and of many modeling programs.
    MinusZ,
}

impl CameraZero {
    /// Turns a camera of a scene, which looks along +x with +z up, to this one.
    fn scene_to_zero(self) -> Quat {
        const ROOT: f32 = FRAC_1_SQRT_2;
        Quat::from_array(match self {
            Self::X => [0.0, 0.0, 0.0, 1.0],
            Self::MinusX => [0.0, 0.0, 1.0, 0.0],
            Self::Y => [0.0, 0.0, ROOT, ROOT],
            Self::MinusY => [0.0, 0.0, -ROOT, ROOT],
            Self::Z => [-0.5, -0.5, -0.5, 0.5],
            Self::MinusZ => [-0.5, 0.5, 0.5, 0.5],
        })
    }
}

/// The path of a file in a scene, and what had to be made up for it.
///
/// # Errors
/// A file without records, and a record with a number that is not finite or with a rotation of no length.
pub fn to_camera_path(
    cam: &Cam,
    name: &str,
    zero: CameraZero,
) -> Result<(CameraPath, Vec<Finding>), FormatError> {
    if cam.records.is_empty() {
        return Err(unexpected(0, 0, "record", "at least one", "none"));
    }
    let (times, findings) = times_of(&cam.records);
    let records = cam.records.iter().zip(times).enumerate();
    let keys = records.map(|(index, (record, time_secs))| {
        let found = || format!("{:?}", record.position);
        if !record.position.iter().all(|v| v.is_finite()) {
            return Err(unexpected(
                index,
                field_offset::<CamRecord>("position", ()),
                "position",
                "three finite numbers",
                &found(),
            ));
        }
        let [w, x, y, z] = record.rotation;
        let Some(rotation) = normalized(Quat::from_xyzw(x, y, z, w)) else {
            let found = format!("{:?}", record.rotation);
            let place = field_offset::<CamRecord>("rotation", ());
            return Err(unexpected(index, place, "rotation", "a rotation", &found));
        };
        // To the camera of the file first, then as the file says.
        Ok(CameraKey {
            time_secs,
            position: record.position,
            rotation: rotation
                .mul_quat(zero.scene_to_zero())
                .normalize()
                .to_array(),
        })
    });
    let path = CameraPath {
        name: name.to_owned(),
        keys: keys.collect::<Result<_, _>>()?,
    };
    Ok((path, findings))
}

/// The file of a path: times are seconds as floats, steps count from 0.
pub fn from_camera_path(path: &CameraPath, zero: CameraZero) -> Cam {
    let to_scene = zero.scene_to_zero().conjugate();
    let records = path.keys.iter().enumerate().map(|(index, key)| {
        let rotation = Quat::from_array(key.rotation).mul_quat(to_scene);
        let [x, y, z, w] = rotation.to_array();
        CamRecord {
            time: key.time_secs.to_bits(),
            step: (index as f32).to_bits(),
            position: key.position,
            rotation: [w, x, y, z],
        }
    });
    Cam::draft(records.collect())
}

/// Seconds from the first record on.
fn times_of(records: &[CamRecord]) -> (Vec<f32>, Vec<Finding>) {
    let times: Vec<CamNumber> = records.iter().map(CamRecord::time).collect();
    let is_float = |time: &CamNumber| matches!(time, CamNumber::Float(_));
    // Integers below the smallest plausible float are no floats; 0 may be either.
    let (values, per_sec): (Vec<f64>, f64) = match times.iter().all(is_float) {
        true => (times.iter().map(|time| time.value()).collect(), 1.0),
        false => (
            records
                .iter()
                .map(|record| f64::from(record.time))
                .collect(),
            MILLIS_PER_SEC,
        ),
    };
    let first = values.first().copied().unwrap_or_default();
    let times: Vec<f32> = values
        .iter()
        .map(|value| ((value - first) / per_sec) as f32)
        .collect();
    if times.is_sorted_by(|a, b| a < b) {
        let unit = match per_sec {
            MILLIS_PER_SEC => "milliseconds",
            _ => "seconds",
        };
        let message = format!("times are taken for {unit}; their unit is undocumented");
        return (times, vec![Finding::new(Severity::Note, FORMAT, message)]);
    }
    let message = format!("times do not rise: records follow each other at 1/{TICKS_PER_SEC} s");
    let times = (0..records.len()).map(|index| index as f32 / TICKS_PER_SEC);
    let finding = Finding::new(Severity::Warning, FORMAT, message);
    (times.collect(), vec![finding])
}

/// With length 1; `None` if there is no length, or no finite one.
fn normalized(rotation: Quat) -> Option<Quat> {
    let length = rotation.length();
    let is_length = length.is_finite() && length > LEAST_LENGTH;
    is_length.then(|| rotation.normalize())
}

fn unexpected(
    index: usize,
    place: usize,
    field: &'static str,
    expected: &'static str,
    found: &str,
) -> FormatError {
    FormatError {
        format: FORMAT,
        entry: None,
        field: field.into(),
        offset: index.saturating_mul(RECORD_SIZE).saturating_add(place) as u64,
        kind: FormatErrorKind::unexpected(expected, found),
    }
}
