//! The pose of one node at a time (dossier sections 8.2 and 8.3).

use super::arcs::{Arcs, Weights};
use super::blend::{cosine_and_near, mix};
use super::tables::PoseKey;
use super::x87;
use crate::RowMatrix;
use glam::Vec3;

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
    /// Quaternion w, x, y, z, not normalized. See [`to_matrix`](Self::to_matrix).
    pub rotation: [f32; 4],
    /// In the space of the parent, in its units.
    pub position: [f32; 3],
}

impl NodePose {
    /// Parent from node, for column vectors, by the original's own table (dossier section 8.4): the rotation by the
    /// conjugate of the quaternion, then the translation. One rounding an operation, in the order of the dossier.
    pub fn to_matrix(&self) -> RowMatrix {
        let ([w, x, y, z], [px, py, pz]) = (self.rotation, self.position);
        let (xx, yy, zz) = (x * x, y * y, z * z);
        let (xy, xz, yz) = (x * y, x * z, y * z);
        let (wx, wy, wz) = (w * x, w * y, w * z);
        let diagonal = |squares: f32| 1.0 - 2.0 * squares;
        RowMatrix::from_rows([
            [diagonal(yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy), px],
            [2.0 * (xy - wz), diagonal(xx + zz), 2.0 * (yz + wx), py],
            [2.0 * (xz + wy), 2.0 * (yz - wx), diagonal(xx + yy), pz],
        ])
    }
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

/// A [`PoseKey`], and what sampling up to the next one does not take from the time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) pose: NodePose,
    time: f32,
    /// Time of the next key less this one's.
    duration: f32,
    /// Position of the next key less this one's.
    step: [f32; 3],
    /// Rotation of the next key, or its negative if that is nearer.
    near: [f32; 4],
    arc: Arcs<1>,
}

impl Key {
    /// Takes the lane of a node that does not move.
    const UNUSED: Self = Self {
        pose: NodePose::IDENTITY,
        time: 0.0,
        duration: 1.0,
        step: [0.0; 3],
        near: NodePose::IDENTITY.rotation,
        arc: Arcs::CHORDS,
    };

    /// A key that is followed by `next`; the last one is never left.
    pub(super) fn new(key: &PoseKey, next: &PoseKey) -> Self {
        let PoseKey { time, pose } = *key;
        let (cosine, near) = cosine_and_near(pose.rotation, next.pose.rotation);
        Self {
            pose,
            time,
            duration: next.time - time,
            step: (Vec3::from(next.pose.position) - Vec3::from(pose.position)).to_array(),
            near,
            arc: Arcs::new([cosine]),
        }
    }

    /// The pose at the fraction `a` to the next key.
    #[inline]
    fn at(&self, a: f32, weights: Weights) -> NodePose {
        NodePose {
            rotation: mix(weights, self.pose.rotation, self.near),
            position: lerp(self.pose.position, self.step, a),
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

impl<'a> TrackSampler<'a> {
    /// The pose at a time in frames.
    ///
    /// A key at exactly that time is returned as it is; beyond the map the fallback key is. Between two keys of
    /// the same time the quotient is not finite, and so is the pose, as in the original.
    pub fn sample(&self, t: f32, compat: Compat) -> NodePose {
        let [pose] = sample(|_| Some(*self), t, frame_of(t, compat));
        pose
    }

    /// What a time shows whose frame is known.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "hot; a fallback key is there, and what `key_at` finds is before it"
    )]
    #[inline]
    fn place(&self, t: f32, frame: Option<usize>) -> Place<'a> {
        let keys = self.key_at(frame).map(|key| &self.keys[key..key + 2]);
        let Some([key, next]) = keys else {
            return Place::Pose(&self.keys[self.fallback].pose);
        };
        if compares_equal(t, key.time) {
            Place::Pose(&key.pose)
        } else if compares_equal(t, next.time) {
            Place::Pose(&next.pose)
        } else {
            Place::After(key)
        }
    }

    /// The pose outside the map.
    #[expect(clippy::indexing_slicing, reason = "a fallback key is there")]
    pub fn fallback(&self) -> NodePose {
        self.keys[self.fallback].pose
    }

    /// The key before the fallback key that a frame begins at; `None` for the fallback key.
    #[inline]
    fn key_at(&self, frame: Option<usize>) -> Option<usize> {
        let key = usize::from(*self.map.get(frame?)?);
        (key < self.fallback).then_some(key)
    }
}

/// What a track shows at a time.
enum Place<'a> {
    /// This pose.
    Pose(&'a NodePose),
    /// A mix of this key and the next one.
    After(&'a Key),
}

/// The poses of tracks at a time whose frame is known; those of nodes without keys are the identity.
#[expect(
    clippy::indexing_slicing,
    reason = "hot; lanes of arrays of one length"
)]
#[inline]
pub(super) fn sample<'a, const N: usize>(
    track: impl Fn(usize) -> Option<TrackSampler<'a>>,
    t: f32,
    frame: Option<usize>,
) -> [NodePose; N] {
    let places: [_; N] = std::array::from_fn(|i| match track(i) {
        Some(track) => track.place(t, frame),
        None => Place::Pose(&NodePose::IDENTITY),
    });
    let keys: [&Key; N] = std::array::from_fn(|i| match places[i] {
        Place::Pose(_) => &Key::UNUSED,
        Place::After(key) => key,
    });
    let a = keys.map(|key| (t - key.time) / key.duration);
    let weights = Arcs::join(keys.map(|key| &key.arc)).weights(a);
    std::array::from_fn(|i| match places[i] {
        Place::Pose(pose) => *pose,
        Place::After(key) => key.at(a[i], weights[i]),
    })
}

/// The frame of a time; `None` where the fallback key is shown whatever the map says.
pub(super) fn frame_of(t: f32, compat: Compat) -> Option<usize> {
    const GUARD: f32 = (1_u32 << 31) as f32;
    // NaN fails the comparison too.
    let is_near = t.abs() < GUARD;
    if compat == Compat::Guarded && !is_near {
        return None;
    }
    usize::try_from(x87::frame_number(t)).ok()
}

/// FCOM and a test for zero difference: unordered counts as equal, as compilers of that time have it.
#[inline]
fn compares_equal(a: f32, b: f32) -> bool {
    a == b || a.is_nan() || b.is_nan()
}

/// `from + (to - from) * a`, the order that is taken for sampling (Q-K8); `step` is the difference.
pub(super) fn lerp(from: [f32; 3], step: [f32; 3], a: f32) -> [f32; 3] {
    (Vec3::from(from) + Vec3::from(step) * a).to_array()
}
