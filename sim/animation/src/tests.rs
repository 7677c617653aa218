//! Worked examples and rules of the dossier; `unit_comparison` holds the comparison with the real x87 unit.

pub(super) mod random;
mod rules;
#[cfg(target_arch = "x86_64")]
mod unit_comparison;
mod worked_examples;

use super::sampler::NodePose;
use ironlands_assets_parkan::msh_animation::{AnimKey, MshAnimation, TrackLink};

/// The tables of section 8.6: keys 10 to 12 belong to the one node, those before to no one.
pub(super) fn example() -> (MshAnimation, TrackLink) {
    let key = |time: f32, x: f32, rotation| AnimKey {
        position: [x, 0.0, 0.0],
        time,
        rotation,
    };
    let mut keys = vec![key(0.0, -1.0, [0, 0, 0, 32767]); 10];
    keys.push(key(0.0, 0.0, [0, 0, 0, 32767]));
    keys.push(key(2.0, 1.0, [0, 0, 23170, 23170]));
    keys.push(key(5.0, 3.0, [0, 0, 32767, 0]));
    let animation = MshAnimation {
        keys,
        map: vec![10, 10, 11, 11, 11, 12],
        frame_count: 6,
    };
    let link = TrackLink {
        map_start: 0,
        fallback: 12,
    };
    (animation, link)
}

/// The pose of a key of the example.
pub(super) fn pose_of_key(key: usize) -> NodePose {
    NodePose::of(&example().0.keys[key])
}
