//! Interpolation of rotations, blending of two times, and matrices (dossier sections 8.4 and 8.5).

use super::arcs::{Arcs, Weights};
use super::sampler::{Compat, NodePose, TrackSampler, frame_of, sample};
use glam::Vec4;

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

    /// The frames of both times, which are those of all nodes.
    pub(super) fn frames(&self) -> [Option<usize>; 2] {
        self.times.map(|t| frame_of(t, self.compat))
    }

    /// The poses of nodes, given the channels that show.
    #[inline]
    pub(super) fn poses<'a, const N: usize>(
        &self,
        channels: Channels,
        [frame_a, frame_b]: [Option<usize>; 2],
        track: impl Fn(usize) -> Option<TrackSampler<'a>>,
    ) -> [NodePose; N] {
        let [t_a, t_b] = self.times;
        match channels {
            Channels::A => sample(&track, t_a, frame_a),
            Channels::B => sample(&track, t_b, frame_b),
            Channels::Neither => std::array::from_fn(|i| {
                track(i).map_or(NodePose::IDENTITY, |track| track.fallback())
            }),
            Channels::Both => {
                let a = sample(&track, t_a, frame_a);
                let b = sample(&track, t_b, frame_b);
                blend_poses(&a, &b, self.blend)
            }
        }
    }
}

/// Pairs of poses, mixed on the shortest path from one rotation to the other.
pub(super) fn blend_poses<const N: usize>(
    a: &[NodePose; N],
    b: &[NodePose; N],
    blend: f32,
) -> [NodePose; N] {
    let ends: [_; N] = std::array::from_fn(|i| {
        let (a, b) = (a[i].rotation, b[i].rotation);
        let sum = std::array::from_fn(|i| a[i] + b[i]);
        let difference = std::array::from_fn(|i| a[i] - b[i]);
        let is_far = dot(sum, sum) < dot(difference, difference);
        cosine_and_near(a, if is_far { b.map(|v| -v) } else { b })
    });
    let weights = Arcs::new(ends.map(|(cosine, _)| cosine)).weights([blend; N]);
    let rest = 1.0 - blend;
    std::array::from_fn(|i| NodePose {
        rotation: mix(weights[i], a[i].rotation, ends[i].1),
        position: std::array::from_fn(|axis| {
            rest * a[i].position[axis] + blend * b[i].position[axis]
        }),
    })
}

/// The rotation at the fraction `a` between one quaternion and another, w, x, y, z; not normalized.
///
/// On the great circle, or on the chord where they are closer than some 4 milliradians. A negative dot product
/// flips the second one. `a` outside `0.0..=1.0` extrapolates.
pub fn interpolate(from: [f32; 4], to: [f32; 4], a: f32) -> [f32; 4] {
    let (cosine, to) = cosine_and_near(from, to);
    let [weights] = Arcs::new([cosine]).weights([a]);
    mix(weights, from, to)
}

/// Cosine of the angle to the second quaternion or to its negative, which is the same rotation; and the nearer one.
pub(super) fn cosine_and_near(from: [f32; 4], to: [f32; 4]) -> (f32, [f32; 4]) {
    let cosine = dot(from, to);
    if cosine < 0.0 {
        // A product with a negated factor is the negated product, so this negates the weight.
        (-cosine, to.map(|v| -v))
    } else {
        (cosine, to)
    }
}

/// `w0 * from + w1 * to`.
#[inline]
pub(super) fn mix([w0, w1]: Weights, from: [f32; 4], to: [f32; 4]) -> [f32; 4] {
    (Vec4::from_array(from) * w0 + Vec4::from_array(to) * w1).to_array()
}

/// In the order w, x, y, z.
pub(super) fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}
