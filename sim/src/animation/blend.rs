//! Interpolation of rotations, blending of two times, and matrices (dossier sections 8.4 and 8.5).

use super::sampler::{Compat, NodePose, TrackSampler};
use super::x87;
use glam::Mat4;

/// Two times of one clip, or of two that share its tables, and how much of the second shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playback {
    /// Times in frames of channels A and B; a negative one or NaN means that the channel is unused.
    pub times: [f32; 2],
    /// 0 shows A alone, 1 shows B alone.
    pub blend: f32,
    /// How far times are followed that no clip reaches.
    pub compat: Compat,
}

/// The channels of a [`Playback`] that show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channels {
    /// Only the first.
    A,
    /// Only the second.
    B,
    /// Both, blended.
    Both,
    /// None. The original leaves the pose undefined; here it is that of the fallback keys.
    Neither,
}

/// A 4x4 matrix for column vectors, row after row: the translation is in elements 3, 7 and 11.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowMatrix(pub [f32; 16]);

impl Playback {
    /// One time in frames.
    pub fn at(t: f32) -> Self {
        Self {
            times: [t, -1.0],
            blend: 0.0,
            compat: Compat::Guarded,
        }
    }

    /// Which channels show, by the rules of the original.
    pub fn channels(&self) -> Channels {
        let [t_a, t_b] = self.times;
        let has_a = self.blend < 1.0 && t_a >= 0.0;
        let has_b = self.blend > 0.0 && t_b >= 0.0;
        match (has_a, has_b) {
            (true, true) => Channels::Both,
            (true, false) => Channels::A,
            (false, true) => Channels::B,
            (false, false) => Channels::Neither,
        }
    }

    /// The pose of a node, given the channels that show.
    pub(super) fn pose(&self, channels: Channels, track: &TrackSampler<'_>) -> NodePose {
        let [t_a, t_b] = self.times;
        match channels {
            Channels::A => track.sample(t_a, self.compat),
            Channels::B => track.sample(t_b, self.compat),
            Channels::Neither => track.fallback(),
            Channels::Both => {
                let a = track.sample(t_a, self.compat);
                let b = track.sample(t_b, self.compat);
                blend_poses(&a, &b, self.blend)
            }
        }
    }
}

/// Both poses, mixed on the shortest path from one rotation to the other.
pub(super) fn blend_poses(a: &NodePose, b: &NodePose, blend: f32) -> NodePose {
    let sum = std::array::from_fn(|i| a.rotation[i] + b.rotation[i]);
    let difference = std::array::from_fn(|i| a.rotation[i] - b.rotation[i]);
    let is_far = dot(sum, sum) < dot(difference, difference);
    let b_rotation = if is_far {
        b.rotation.map(|v| -v)
    } else {
        b.rotation
    };
    let rest = 1.0 - blend;
    NodePose {
        rotation: interpolate(a.rotation, b_rotation, blend),
        position: std::array::from_fn(|i| rest * a.position[i] + blend * b.position[i]),
    }
}

/// The rotation at `a` of the way from one quaternion to another, w, x, y, z; not normalised.
///
/// On the great circle, or on the chord where they are closer than some 4 milliradians. A negative dot product
/// flips the second one. `a` outside `0.0..=1.0` extrapolates.
pub fn interpolate(from: [f32; 4], to: [f32; 4], a: f32) -> [f32; 4] {
    let signed = dot(from, to);
    let is_flipped = signed < 0.0;
    let (w0, w1) = weights(if is_flipped { -signed } else { signed }, a);
    let w1 = if is_flipped { -w1 } else { w1 };
    std::array::from_fn(|i| w0 * from[i] + w1 * to[i])
}

/// What the two quaternions weigh whose dot product is `cosine`, at least 0.
pub(super) fn weights(cosine: f32, a: f32) -> (f32, f32) {
    /// 9.9999997e-6.
    const CHORD_LIMIT: f32 = f32::from_bits(0x3727_C5AC);
    // Also for NaN, which the original's compare takes for below.
    let is_apart = 1.0 - cosine > CHORD_LIMIT;
    if !is_apart {
        return (1.0 - a, a);
    }
    let angle = x87::acos(cosine);
    let scale = x87::inverse_sin(angle);
    let w1 = x87::sin_times(a, angle, scale);
    let w0 = x87::cos_minus(a, angle, w1 * cosine);
    (w0, w1)
}

/// In the order w, x, y, z.
pub(super) fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

impl RowMatrix {
    /// No rotation, no translation.
    pub const IDENTITY: Self = Self([
        1.0, 0.0, 0.0, 0.0, //
        0.0, 1.0, 0.0, 0.0, //
        0.0, 0.0, 1.0, 0.0, //
        0.0, 0.0, 0.0, 1.0,
    ]);

    /// Parent from node: the original's own table, which is the rotation by the conjugate quaternion.
    pub fn from_pose(pose: &NodePose) -> Self {
        let [w, x, y, z] = pose.rotation;
        let [px, py, pz] = pose.position;
        let (xx, yy, zz) = (x * x, y * y, z * z);
        let (xy, xz, yz) = (x * y, x * z, y * z);
        let (wx, wy, wz) = (w * x, w * y, w * z);
        let diagonal = |squares: f32| 1.0 - 2.0 * squares;
        let (xy_plus, xy_minus) = (2.0 * (xy + wz), 2.0 * (xy - wz));
        let (xz_plus, xz_minus) = (2.0 * (xz + wy), 2.0 * (xz - wy));
        let (yz_plus, yz_minus) = (2.0 * (yz + wx), 2.0 * (yz - wx));
        #[rustfmt::skip]
        let rows = [
            diagonal(yy + zz), xy_plus, xz_minus, px,
            xy_minus, diagonal(xx + zz), yz_plus, py,
            xz_plus, yz_minus, diagonal(xx + yy), pz,
            0.0, 0.0, 0.0, 1.0,
        ];
        Self(rows)
    }

    /// `self * other`: each element the sum of four products, from the first on.
    pub fn times(&self, other: &Self) -> Self {
        let (a, b) = (&self.0, &other.0);
        Self(std::array::from_fn(|i| {
            let (row, column) = (i / 4 * 4, i % 4);
            a[row] * b[column]
                + a[row + 1] * b[column + 4]
                + a[row + 2] * b[column + 8]
                + a[row + 3] * b[column + 12]
        }))
    }

    /// The same matrix for glam, which keeps columns together.
    pub fn to_mat4(&self) -> Mat4 {
        Mat4::from_cols_array(&self.0).transpose()
    }
}

impl From<Mat4> for RowMatrix {
    fn from(matrix: Mat4) -> Self {
        Self(matrix.transpose().to_cols_array())
    }
}
