//! Where nodes are, still or moving, as unit quaternions that rotate as glTF's do (dossier sections 8.3, 8.4).
//!
//! The matrix that the original makes of a stored quaternion is the rotation by its conjugate.

use glam::{DQuat, DVec3};
use ironlands_assets_loader::parkan::msh::Msh;
use ironlands_assets_loader::parkan::msh_animation::{
    AnimKey, NodeTrack, Track, TrackLink, TrackMap,
};

use ironlands_sim_animation::{Compat, NodePose, TrackSampler};
use ironlands_world_parkan::skeleton::{self, Bounds};

use crate::source::{ExportError, finite};

/// Enough for every node of the largest known models at every frame of an hour.
const MAX_SAMPLES: u64 = 1 << 22;

/// A place in the space of the parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pose {
    pub(crate) translation: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub(crate) rotation: [f32; 4],
}

/// What a node does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Motion {
    /// It stays.
    Still(Pose),
    /// Two poses or more, with the frames that they are reached at: increasing, the first 0.
    Moving { frames: Vec<f32>, poses: Vec<Pose> },
}

impl Pose {
    pub(crate) const IDENTITY: Self = Self {
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
    };

    /// The pose of a key.
    pub(crate) fn of_key(key: &AnimKey) -> Self {
        let [x, y, z, w] = key.rotation.map(f64::from);
        Self {
            translation: key.position,
            rotation: unit(DQuat::from_xyzw(-x, -y, -z, w)),
        }
    }

    /// A pose that was sampled.
    fn of_sample(sample: &NodePose) -> Self {
        let [w, x, y, z] = sample.rotation.map(f64::from);
        Self {
            translation: sample.position,
            rotation: unit(DQuat::from_xyzw(-x, -y, -z, w)),
        }
    }

    /// `self * child`: where the child is in the space that `self` is in.
    pub(crate) fn times(&self, child: &Self) -> Self {
        let (rotation, translation) = self.parts();
        let (child_rotation, child_translation) = child.parts();
        Self {
            translation: (translation + rotation * child_translation)
                .as_vec3()
                .into(),
            rotation: unit(rotation * child_rotation),
        }
    }

    /// Where a point goes.
    pub(crate) fn transform_point(&self, point: [f32; 3]) -> [f32; 3] {
        let (rotation, translation) = self.parts();
        (translation + rotation * DVec3::from(point.map(f64::from)))
            .as_vec3()
            .into()
    }

    /// Where a direction goes.
    pub(crate) fn rotate(&self, direction: [f32; 3]) -> [f32; 3] {
        (self.parts().0 * DVec3::from(direction.map(f64::from)))
            .as_vec3()
            .into()
    }

    fn parts(&self) -> (DQuat, DVec3) {
        let rotation = DQuat::from_array(self.rotation.map(f64::from)).normalize();
        (rotation, DVec3::from(self.translation.map(f64::from)))
    }
}

impl Motion {
    /// The pose at frame 0.
    pub(crate) fn rest(&self) -> Pose {
        match self {
            Self::Still(pose) => *pose,
            Self::Moving { poses, .. } => poses[0],
        }
    }
}

/// What each node does; nothing for nodes that no one can read.
pub(crate) fn motions(msh: &Msh) -> Result<Vec<Motion>, ExportError> {
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
pub(crate) fn rest_poses(msh: &Msh, motions: &[Motion]) -> Vec<Pose> {
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
    let still = Motion::Still(Pose::of_key(&keys[track.fallback]));
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
            poses: own_keys.iter().map(Pose::of_key).collect(),
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
        .map(|frame| Pose::of_sample(&sampler.sample(frame as f32, Compat::Guarded)))
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

/// As f32, without negative zeros. No rotation where there is none to be had.
fn unit(rotation: DQuat) -> [f32; 4] {
    let length = rotation.length();
    if !length.is_normal() {
        return Pose::IDENTITY.rotation;
    }
    (rotation / length).to_array().map(|v| v as f32 + 0.0)
}
