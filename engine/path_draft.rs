//! A camera path of the user's own: keys that are set while flying, the path through them, and its files.
//!
//! In: poses. Out: a [`CameraPath`] to play, record and draw, and JSON that has the keys as they were set.

use std::io;
use std::path::Path;

use glam::{Quat, Vec3};
use serde_json::{Value, json};

use crate::assets::vfs;
use crate::camera::Pose;
use crate::cli::CameraArg;
use crate::error::AppError;
use crate::scene::{CameraKey, CameraPath, OverlayVertex};

/// Seconds from one key to the next, where nothing else is said.
const DEFAULT_SECS: f32 = 3.0;
/// Shortest and longest time between two keys.
pub const SECS: [f32; 2] = [0.1, 600.0];
/// Keys beyond this many are not read.
const MAX_KEYS: usize = 10_000;
/// A smooth path has this many keys in a second, of which the path between is straight.
const KEYS_PER_SEC: f32 = 20.0;
/// Color of the path's line; display space.
const LINE_COLOR: [u8; 4] = [255, 210, 60, 255];

/// A camera that the path goes through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DraftKey {
    pub pose: Pose,
    /// Seconds from the key before; of the first one it means nothing.
    pub secs: f32,
}

/// The keys of a path in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathDraft {
    pub keys: Vec<DraftKey>,
    /// Whether the path is a curve that begins and ends slowly; else it goes straight from key to key.
    pub is_smooth: bool,
}

impl PathDraft {
    /// Adds a key after all others.
    pub fn add(&mut self, pose: Pose) {
        self.keys.push(DraftKey {
            pose,
            secs: DEFAULT_SECS,
        });
    }

    /// The path through the keys; `None` without any.
    pub fn path(&self, name: &str) -> Option<CameraPath> {
        self.keys.first()?;
        let times = self.times();
        let end_secs = *times.last()?;
        let keys = match self.is_smooth && self.keys.len() > 1 {
            false => times
                .iter()
                .zip(&self.keys)
                .map(|(time_secs, key)| {
                    key_at(*time_secs, key.pose.position, rotation_of(&key.pose))
                })
                .collect(),
            true => {
                let n = (end_secs * KEYS_PER_SEC).ceil().max(1.0);
                let moments = (0..=n as usize).map(|index| index as f32 / n * end_secs);
                moments.map(|secs| self.smooth_key(&times, secs)).collect()
            }
        };
        Some(CameraPath {
            name: name.to_owned(),
            keys,
        })
    }

    /// The path as a line, with a cross at each key.
    pub fn lines(&self) -> Vec<OverlayVertex> {
        let Some(path) = self.path("") else {
            return Vec::new();
        };
        let vertex = |position: Vec3| OverlayVertex {
            position: position.to_array(),
            color: LINE_COLOR,
        };
        let pairs = path.keys.windows(2);
        let mut lines: Vec<_> = pairs
            .flat_map(|pair| [&pair[0], &pair[1]].map(|key| vertex(Vec3::from(key.position))))
            .collect();
        let size = self.cross_size();
        for key in &self.keys {
            for axis in Vec3::AXES {
                lines.extend([-size, size].map(|shift| vertex(key.pose.position + axis * shift)));
            }
        }
        lines
    }

    /// The keys of a JSON file.
    ///
    /// # Errors
    /// It cannot be read, or has no keys.
    pub fn load(path: &Path) -> Result<Self, AppError> {
        let broken = |source| AppError::Read {
            path: path.to_owned(),
            source,
        };
        let bytes = vfs::read(path).map_err(broken)?;
        let draft = Self::from_json(&String::from_utf8_lossy(&bytes));
        draft.map_err(|error| broken(io::Error::other(error)))
    }

    /// The keys as text.
    pub fn to_json(&self) -> String {
        let keys = self
            .keys
            .iter()
            .map(|key| json!({ "secs": key.secs, "camera": CameraArg(key.pose).to_string() }));
        let value = json!({ "smooth": self.is_smooth, "keys": keys.collect::<Vec<_>>() });
        format!("{value:#}\n")
    }

    /// The keys of a text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let keys = value.get("keys").and_then(Value::as_array);
        let keys = keys.ok_or("it has no list \"keys\"")?;
        if keys.is_empty() || keys.len() > MAX_KEYS {
            return Err(format!(
                "it has {} keys; expected 1 to {MAX_KEYS}",
                keys.len()
            ));
        }
        let key = |(index, key): (usize, &Value)| {
            let place = |what: &str| format!("key {}: {what}", index + 1);
            let camera = key.get("camera").and_then(Value::as_str);
            let CameraArg(pose) = camera.unwrap_or_default().parse().map_err(place)?;
            let secs = key
                .get("secs")
                .and_then(Value::as_f64)
                .unwrap_or(DEFAULT_SECS.into()) as f32;
            let [least, most] = SECS;
            match (least..=most).contains(&secs) {
                true => Ok(DraftKey { pose, secs }),
                false => Err(place(&format!("secs must be from {least} to {most}"))),
            }
        };
        Ok(Self {
            keys: keys
                .iter()
                .enumerate()
                .map(key)
                .collect::<Result<_, String>>()?,
            is_smooth: value
                .get("smooth")
                .and_then(Value::as_bool)
                .unwrap_or_default(),
        })
    }

    /// When the camera is at each key.
    fn times(&self) -> Vec<f32> {
        let later = self.keys.iter().skip(1).scan(0.0, |time_secs, key| {
            *time_secs += key.secs;
            Some(*time_secs)
        });
        [0.0].into_iter().chain(later).collect()
    }

    /// Along the curve of Catmull and Rom, begun and ended slowly.
    fn smooth_key(&self, times: &[f32], secs: f32) -> CameraKey {
        let end_secs = times.last().copied().unwrap_or_default();
        let eased_secs = eased(secs / end_secs) * end_secs;
        let last = self.keys.len() - 1;
        let index = times
            .partition_point(|time| *time <= eased_secs)
            .clamp(1, last)
            - 1;
        let share = (eased_secs - times[index]) / (times[index + 1] - times[index]);
        let place = |index: usize| self.keys[index.min(last)].pose.position;
        let [a, b, c, d] = [
            place(index.saturating_sub(1)),
            place(index),
            place(index + 1),
            place(index + 2),
        ];
        let (t, t2, t3) = (share, share * share, share * share * share);
        let position = (b * 2.0
            + (c - a) * t
            + (a * 2.0 - b * 5.0 + c * 4.0 - d) * t2
            + (b * 3.0 - a - c * 3.0 + d) * t3)
            * 0.5;
        let [from, to] = [index, index + 1].map(|index| rotation_of(&self.keys[index].pose));
        key_at(secs, position, from.slerp(to, share))
    }

    fn cross_size(&self) -> f32 {
        let first = self
            .keys
            .first()
            .map_or(Vec3::ZERO, |key| key.pose.position);
        let far = self
            .keys
            .iter()
            .map(|key| key.pose.position.distance(first));
        far.fold(1.0, f32::max) * 0.01
    }
}

/// Slow at both ends: for a share of the time the share of the way.
fn eased(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}

fn rotation_of(pose: &Pose) -> Quat {
    Quat::from_rotation_z(pose.yaw_rad) * Quat::from_rotation_y(-pose.pitch_rad)
}

fn key_at(time_secs: f32, position: Vec3, rotation: Quat) -> CameraKey {
    CameraKey {
        time_secs,
        position: position.to_array(),
        rotation: rotation.normalize().to_array(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::PathView;

    fn draft(is_smooth: bool) -> PathDraft {
        let mut draft = PathDraft {
            is_smooth,
            ..PathDraft::default()
        };
        for (x, y, yaw_rad) in [(0.0, 0.0, 0.0), (10.0, 0.0, 1.0), (10.0, 20.0, 1.5)] {
            draft.add(Pose::new(Vec3::new(x, y, 5.0), yaw_rad, -0.25));
        }
        draft.keys[2].secs = 6.0;
        draft
    }

    #[test]
    fn both_kinds_of_path_go_through_their_ends_at_their_times() {
        for is_smooth in [false, true] {
            let draft = draft(is_smooth);
            let path = draft.path("mine").unwrap();
            assert_eq!((&*path.name, path.end_secs()), ("mine", 9.0));
            assert_eq!(path.validate(), Ok(()));
            for (key, secs) in [(0, 0.0), (2, 9.0)] {
                let view = PathView::along(&path, secs).unwrap().pose();
                let DraftKey { pose, .. } = draft.keys[key];
                assert!(view.position.distance(pose.position) < 1e-3, "{view:?}");
                assert!((view.yaw_rad - pose.yaw_rad).abs() < 1e-3, "{view:?}");
                assert!((view.pitch_rad - pose.pitch_rad).abs() < 1e-3, "{view:?}");
            }
        }
        let straight = draft(false).path("").unwrap();
        let middle = PathView::along(&straight, 3.0).unwrap();
        assert!(middle.position.distance(Vec3::new(10.0, 0.0, 5.0)) < 1e-3);
        assert!(PathDraft::default().path("").is_none());
    }

    #[test]
    fn a_smooth_path_passes_its_keys_and_begins_and_ends_slowly() {
        let path = draft(true).path("").unwrap();
        let nearest = path
            .keys
            .iter()
            .map(|key| Vec3::from(key.position).distance(Vec3::new(10.0, 0.0, 5.0)));
        assert!(nearest.fold(f32::MAX, f32::min) < 0.5);
        let step = |index: usize| {
            let [a, b] = [index, index + 1].map(|index| Vec3::from(path.keys[index].position));
            a.distance(b)
        };
        let (first, middle, last) = (
            step(0),
            step(path.keys.len() / 2),
            step(path.keys.len() - 2),
        );
        assert!(
            first < middle * 0.2 && last < middle * 0.2,
            "{first} {middle} {last}"
        );
    }

    #[test]
    fn keys_are_written_and_read_and_broken_ones_named() {
        for draft in [draft(false), draft(true)] {
            let read = PathDraft::from_json(&draft.to_json()).unwrap();
            assert_eq!((read.is_smooth, read.keys.len()), (draft.is_smooth, 3));
            for (read, key) in read.keys.iter().zip(&draft.keys) {
                assert_eq!(read.secs, key.secs);
                assert!(read.pose.position.distance(key.pose.position) < 0.01);
                assert!((read.pose.yaw_rad - key.pose.yaw_rad).abs() < 0.001);
            }
        }
        let one = "{\"camera\": \"1,2,3,4,5\"}";
        for (text, problem) in [
            ("[]", "keys"),
            ("{\"keys\": []}", "0 keys"),
            ("{\"keys\": [{}]}", "key 1"),
            (
                &format!("{{\"keys\": [{one}, {{\"camera\": \"1,2,3,4,5\", \"secs\": 0}}]}}"),
                "key 2: secs",
            ),
            ("{", "EOF"),
        ] {
            let refused = PathDraft::from_json(text).unwrap_err();
            assert!(refused.contains(problem), "{text}: {refused}");
        }
        assert!(PathDraft::from_json(&format!("{{\"keys\": [{one}]}}")).is_ok());
    }

    #[test]
    fn the_line_goes_from_key_to_key() {
        let lines = draft(false).lines();
        // Two pieces and three crosses of three lines each.
        assert_eq!(lines.len(), 2 * (2 + 3 * 3));
        assert_eq!(lines[1].position, [10.0, 0.0, 5.0]);
        assert!(PathDraft::default().lines().is_empty());
    }
}
