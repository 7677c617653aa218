//! Where nodes are, still or moving, as unit quaternions that rotate as glTF's do (dossier sections 8.3, 8.4).
//!
//! The matrix that the original makes of a stored quaternion is the rotation by its conjugate.

use glam::DQuat;
use ironlands_assets_parkan::msh::Msh;
use ironlands_assets_parkan::msh_animation::{
    AnimKey, NodeTrack, QuaternionOrder, Track, TrackLink, TrackMap,
};
use ironlands_exchange::pose::Pose;
use ironlands_exchange::{ExportError, finite};
use ironlands_sim_animation::{Compat, NodePose, TrackSampler};

use super::source::ModelExportError;
use crate::skeleton::{self, Bounds};

/// Enough for every node of the largest known models at every frame of an hour.
const MAX_SAMPLES: u64 = 1 << 22;

/// What a node does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Motion {
    /// It stays.
    Still(Pose),
    /// Two poses or more, with the frames that they are reached at: increasing, the first 0.
    Moving { frames: Vec<f32>, poses: Vec<Pose> },
}

fn pose_of_key(key: &AnimKey, order: QuaternionOrder) -> Pose {
    let [a, b, c, d] = key.rotation.map(f64::from);
    let wxyz = match order {
        QuaternionOrder::Wxyz => [a, b, c, d],
        QuaternionOrder::Xyzw => [d, a, b, c],
    };
    pose_of(key.position, wxyz)
}

/// A pose that was sampled.
fn pose_of_sample(sample: &NodePose) -> Pose {
    pose_of(sample.position, sample.rotation.map(f64::from))
}

fn pose_of(position: [f32; 3], [w, x, y, z]: [f64; 4]) -> Pose {
    Pose::new(position, DQuat::from_xyzw(-x, -y, -z, w))
}

impl Motion {
    /// The pose at frame 0.
    pub(super) fn rest(&self) -> Pose {
        match self {
            Self::Still(pose) => *pose,
            Self::Moving { poses, .. } => poses[0],
        }
    }
}

/// What each node does; nothing for nodes that no one can read.
pub(super) fn motions(msh: &Msh) -> Result<Vec<Motion>, ModelExportError> {
    let links = msh.track_links();
    let skeleton = skeleton::from_model(msh, Bounds::Tolerant)?;
    let mut n_samples = 0;
    let mut motions = Vec::with_capacity(links.len());
    for (node, (link, track)) in links.iter().zip(msh.tracks()).enumerate() {
        let motion = match &track {
            None => Motion::Still(Pose::IDENTITY),
            Some(track) => {
                let sampler = skeleton.track(node);
                motion(msh, *link, track, sampler, &mut n_samples)?
            }
        };
        for pose in motion.poses() {
            finite(pose.translation, || {
                format!("a key position of node {node}")
            })?;
        }
        motions.push(motion);
    }
    Ok(motions)
}

/// World from node at frame 0 for every node, in the model's axes.
pub(super) fn rest_poses(msh: &Msh, motions: &[Motion]) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(motions.len());
    for (node, motion) in msh.nodes.as_slice().iter().zip(motions) {
        let parent = node.parent().and_then(|parent| poses.get(parent));
        poses.push(parent.unwrap_or(&Pose::IDENTITY).times(&motion.rest()));
    }
    poses
}

impl Motion {
    fn poses(&self) -> &[Pose] {
        match self {
            Self::Still(pose) => std::slice::from_ref(pose),
            Self::Moving { poses, .. } => poses,
        }
    }
}

fn motion(
    msh: &Msh,
    link: TrackLink,
    track: &Track,
    sampler: Option<TrackSampler<'_>>,
    n_samples: &mut u64,
) -> Result<Motion, ExportError> {
    let keys = &msh.animation.keys;
    let order = msh.quaternion_order();
    let still = Motion::Still(pose_of_key(&keys[track.fallback], order));
    let words = msh.animation.map_of(link);
    let words = words.filter(|_| track.map_start.is_some());
    let Some((words, sampler)) = words.zip(sampler) else {
        return Ok(still);
    };
    if words
        .iter()
        .all(|word| usize::from(*word) >= track.fallback)
    {
        return Ok(still);
    }
    let own_keys = &keys[track.keys.clone()];
    if follows_from_times(own_keys, words, track.keys.start) {
        return Ok(Motion::Moving {
            frames: own_keys.iter().map(|key| key.time).collect(),
            poses: (own_keys.iter())
                .map(|key| pose_of_key(key, order))
                .collect(),
        });
    }
    *n_samples += words.len() as u64;
    if *n_samples > MAX_SAMPLES {
        return Err(ExportError::TooMany {
            what: "poses of unusual tracks, or more",
            count: *n_samples,
            limit: MAX_SAMPLES,
        });
    }
    let poses: Vec<Pose> = (0..words.len())
        .map(|frame| pose_of_sample(&sampler.sample(frame as f32, Compat::Guarded)))
        .collect();
    Ok(match poses.len() {
        1 => Motion::Still(poses[0]),
        n => Motion::Moving {
            frames: (0..n).map(|frame| frame as f32).collect(),
            poses,
        },
    })
}

/// Whether plain interpolation between the keys shows what the map shows, as in all known files.
fn follows_from_times(keys: &[AnimKey], words: &[u16], first_key: usize) -> bool {
    let increases = keys.windows(2).all(|pair| pair[0].time < pair[1].time);
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return false;
    };
    if !increases || first.time != 0.0 || last.time > (words.len() - 1) as f32 {
        return false;
    }
    let track = NodeTrack {
        keys: keys.to_vec(),
        map: TrackMap::FromTimes,
    };
    let from_times = track.words(words.len() as u32).unwrap_or_default();
    let from_times = from_times.iter().map(|word| usize::from(*word) + first_key);
    from_times.eq(words.iter().map(|word| usize::from(*word)))
}
