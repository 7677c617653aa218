//! Worked examples and rules of the dossier; `unit_comparison` holds the comparison with the real x87 unit.

pub(super) mod random;
mod rules;
#[cfg(target_arch = "x86_64")]
mod unit_comparison;
mod worked_examples;

use super::sampler::NodePose;
use super::tables::{KeyTables, PoseKey, TrackLink};

/// The tables of section 8.6: keys 10 to 12 belong to the one node, those before to no one.
pub(super) fn example() -> (KeyTables, TrackLink) {
    let key = |time: f32, x: f32, stored: [i16; 4]| {
        let [x_axis, y_axis, z_axis, w] = stored.map(|v| f32::from(v) * (1.0 / 32767.0));
        let pose = NodePose {
            rotation: [w, x_axis, y_axis, z_axis],
            position: [x, 0.0, 0.0],
        };
        PoseKey { time, pose }
    };
    let mut keys = vec![key(0.0, -1.0, [0, 0, 0, 32767]); 10];
    keys.push(key(0.0, 0.0, [0, 0, 0, 32767]));
    keys.push(key(2.0, 1.0, [0, 0, 23170, 23170]));
    keys.push(key(5.0, 3.0, [0, 0, 32767, 0]));
    let tables = KeyTables {
        keys,
        map: vec![10, 10, 11, 11, 11, 12],
        n_frames: 6,
    };
    let link = TrackLink {
        map_start: Some(0),
        fallback: Some(12),
    };
    (tables, link)
}

/// The pose of a key of the example.
pub(super) fn pose_of_key(key: usize) -> NodePose {
    example().0.keys[key].pose
}
