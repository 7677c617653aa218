//! The way of a camera through a level.

use crate::SceneError;

/// Where a camera is at which time, and how it is turned.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CameraPath {
    /// Name for titles and files.
    pub name: String,
    /// At least one; their times rise. Between two, the camera goes straight and turns evenly.
    pub keys: Vec<CameraKey>,
}

/// A camera at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraKey {
    /// Seconds, from 0 on.
    pub time_secs: f32,
    /// Position of the eye in the world.
    pub position: [f32; 3],
    /// Turns a camera that looks along +X with +Z up; a unit quaternion in the order x, y, z, w.
    pub rotation: [f32; 4],
}

/// How far a quaternion's length may be from 1.
const LENGTH_TOLERANCE: f32 = 1e-3;

impl CameraPath {
    /// When the camera arrives; 0 without keys.
    pub fn end_secs(&self) -> f32 {
        self.keys.last().map_or(0.0, |key| key.time_secs)
    }

    /// Checks that there is a key, that times rise from 0 on, and that places and turns are what they should be.
    ///
    /// # Errors
    /// The first broken key.
    pub fn validate(&self) -> Result<(), SceneError> {
        let broken = |index, rule: &str| SceneError {
            array: "keys".to_owned(),
            index,
            rule: rule.to_owned(),
        };
        if self.keys.is_empty() {
            return Err(broken(0, "a camera path has at least one key"));
        }
        let mut before_secs = None;
        for (index, key) in self.keys.iter().enumerate() {
            let CameraKey {
                time_secs,
                position,
                rotation,
            } = key;
            let rises = match before_secs {
                Some(before_secs) => *time_secs > before_secs,
                None => *time_secs >= 0.0,
            };
            if !(rises && time_secs.is_finite()) {
                return Err(broken(index, "times are finite and rise from 0 on"));
            }
            before_secs = Some(*time_secs);
            if !position.iter().all(|v| v.is_finite()) {
                return Err(broken(index, "positions are finite"));
            }
            let length = rotation.iter().map(|v| v * v).sum::<f32>().sqrt();
            let is_unit = (length - 1.0).abs() <= LENGTH_TOLERANCE;
            if !is_unit {
                return Err(broken(index, "rotations are unit quaternions"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time_secs: f32) -> CameraKey {
        CameraKey {
            time_secs,
            position: [1.0, 2.0, 3.0],
            rotation: [0.0, 0.6, 0.0, -0.8],
        }
    }

    fn path(keys: &[CameraKey]) -> CameraPath {
        CameraPath {
            name: String::new(),
            keys: keys.to_vec(),
        }
    }

    #[test]
    fn sound_paths_pass() {
        for keys in [&[key(0.0)][..], &[key(0.5), key(0.75), key(9.0)]] {
            assert_eq!(path(keys).validate(), Ok(()));
        }
        assert_eq!(path(&[key(0.5), key(9.0)]).end_secs(), 9.0);
        assert_eq!(path(&[]).end_secs(), 0.0);
    }

    #[test]
    fn what_is_broken_is_named_with_its_key() {
        let mut far = key(1.0);
        far.position[2] = f32::INFINITY;
        let mut long = key(1.0);
        long.rotation[3] = -0.9;
        let mut none = key(1.0);
        none.rotation = [f32::NAN; 4];
        for (keys, index, rule) in [
            (&[][..], 0, "at least one key"),
            (&[key(-0.1)], 0, "times"),
            (&[key(0.0), key(0.0)], 1, "times"),
            (&[key(0.0), key(2.0), key(1.0)], 2, "times"),
            (&[key(0.0), key(f32::NAN)], 1, "times"),
            (&[key(f32::INFINITY)], 0, "times"),
            (&[key(0.0), far], 1, "positions"),
            (&[key(0.0), long], 1, "rotations"),
            (&[key(0.0), none], 1, "rotations"),
        ] {
            let error = path(keys).validate().unwrap_err();
            assert_eq!((&*error.array, error.index), ("keys", index), "{rule}");
            assert!(error.rule.contains(rule), "{error}");
        }
    }
}
