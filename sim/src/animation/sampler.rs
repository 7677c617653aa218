//! The pose of one node at a time (dossier sections 8.2 and 8.3).

use super::blend::interpolate;
use super::x87;
use ironlands_assets_loader::parkan::msh_animation::AnimKey;
use std::cmp::Ordering;

/// How times are taken that no clip reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Compat {
    /// A time that is not finite, or 2^31 frames and more from zero, shows the fallback key.
    #[default]
    Guarded,
    /// As the original: such times alias to small frame numbers.
    Exact,
}

/// Where a node is in the space of its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodePose {
    /// Quaternion w, x, y, z, not normalised. Its matrix is [`RowMatrix::from_pose`](super::RowMatrix::from_pose).
    pub rotation: [f32; 4],
    /// World units.
    pub position: [f32; 3],
}

/// The keys that one node can reach. Built by [`Skeleton`](super::Skeleton), which has checked it.
#[derive(Debug, Clone, Copy)]
pub struct TrackSampler<'a> {
    /// All keys of the model; holds at least `fallback`.
    pub(super) keys: &'a [Key],
    /// One word a frame; words that the file lacks are missing at its end.
    pub(super) map: &'a [u16],
    /// Index of the fallback key.
    pub(super) fallback: usize,
}

/// An [`AnimKey`] as numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) time: f32,
    pub(super) pose: NodePose,
}

impl From<&AnimKey> for Key {
    fn from(key: &AnimKey) -> Self {
        Self {
            time: key.time,
            pose: NodePose {
                rotation: key.rotation_wxyz(),
                position: key.position,
            },
        }
    }
}

impl NodePose {
    /// No rotation, no translation: the pose of a node without keys.
    pub const IDENTITY: Self = Self {
        rotation: [1.0, 0.0, 0.0, 0.0],
        position: [0.0; 3],
    };
}

impl TrackSampler<'_> {
    /// The pose at a time in frames.
    ///
    /// A key at exactly that time is returned as it is; beyond the map the fallback key is. Between two keys of
    /// the same time the quotient is not finite, and so is the pose, as in the original.
    pub fn sample(&self, t: f32, compat: Compat) -> NodePose {
        let Some(key_idx) = self.key_at(t, compat) else {
            return self.fallback();
        };
        let (key, next) = (&self.keys[key_idx], &self.keys[key_idx + 1]);
        if compares_equal(t, key.time) {
            return key.pose;
        }
        if compares_equal(t, next.time) {
            return next.pose;
        }
        let a = (t - key.time) / (next.time - key.time);
        NodePose {
            rotation: interpolate(key.pose.rotation, next.pose.rotation, a),
            position: lerp(key.pose.position, next.pose.position, a),
        }
    }

    /// The pose outside the map.
    pub fn fallback(&self) -> NodePose {
        self.keys[self.fallback].pose
    }

    /// The key before the fallback key that the time's frame begins at; `None` for the fallback key.
    fn key_at(&self, t: f32, compat: Compat) -> Option<usize> {
        const GUARD: f32 = (1_u32 << 31) as f32;
        // NaN fails the comparison too.
        let is_near = t.abs() < GUARD;
        if compat == Compat::Guarded && !is_near {
            return None;
        }
        let frame = usize::try_from(x87::frame_number(t)).ok()?;
        let key = usize::from(*self.map.get(frame)?);
        (key < self.fallback).then_some(key)
    }
}

/// FCOM and a test for zero difference: unordered counts as equal, as compilers of that time have it.
fn compares_equal(a: f32, b: f32) -> bool {
    a.partial_cmp(&b).is_none_or(Ordering::is_eq)
}

/// `from + (to - from) * a`, the order that is taken for sampling (Q-K8).
pub(super) fn lerp(from: [f32; 3], to: [f32; 3], a: f32) -> [f32; 3] {
    std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * a)
}
