//! Sampling of animations and composition of parts (dossier section 9.6).

use glam::{Mat3, Quat, Vec3};
use ironlands_scene::MorphWeight;
use rayon::prelude::*;

use super::rig::{Build, N_STATE_WEIGHTS, Rig, RigAnimation, Track};
use ironlands_sim_core::RowMatrix;

/// Poses that one rayon task makes at least; below it the task costs more than the work.
const MIN_POSES_PER_TASK: usize = 16;

/// Rotations nearer to each other than this are blended number by number.
const NEARLY_EQUAL: f32 = 0.999;

/// A moment of an animation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameAt {
    /// Which.
    pub animation: usize,
    /// Frames from its beginning. A cycle continues in both directions, others stay at their ends.
    pub frame: f32,
}

/// One of many in a batch.
#[derive(Debug, Clone, Copy)]
pub struct Posed<'a> {
    /// World from model.
    pub world_from_model: RowMatrix,
    /// Of the rig that poses it.
    pub build: &'a Build,
    /// `None` at rest, also for an animation that is not there.
    pub at: Option<FrameAt>,
}

impl Rig {
    /// Poses every part: world from node into `world_from_nodes`, one for each part, and morph weights into `weights`,
    /// [`n_weights`](Self::n_weights) of them, of which those that are not shown are 0.
    ///
    /// # Panics
    /// If a slice has another length, or the build is one of another rig.
    #[expect(
        clippy::indexing_slicing,
        reason = "hot; there is a matrix for each part, as was just compared"
    )]
    pub fn pose(
        &self,
        posed: &Posed<'_>,
        world_from_nodes: &mut [RowMatrix],
        weights: &mut [MorphWeight],
    ) {
        assert_eq!(world_from_nodes.len(), self.n_parts(), "one matrix a part");
        assert_eq!(weights.len(), self.n_weights(), "all weights");
        assert_eq!(posed.build.offsets.len(), self.n_parts(), "its own build");
        let playing = posed.at.and_then(|at| {
            let animation = self.animations.get(at.animation)?;
            Some((animation, Between::new(animation, at.frame)))
        });
        let (states, of_frames) = weights.split_at_mut(N_STATE_WEIGHTS);
        states.copy_from_slice(&posed.build.states);
        of_frames.fill(MorphWeight::default());
        if let Some((animation, between)) = playing {
            weigh(animation, between, of_frames);
        }
        for part in 0..self.n_parts() {
            let carried = self.place(part, posed.build, playing, world_from_nodes);
            world_from_nodes[part] = carried;
        }
        for matrix in world_from_nodes {
            *matrix = posed.world_from_model.times(matrix);
        }
    }

    /// [`pose`](Self::pose) for many on all threads: each has [`n_parts`](Self::n_parts) matrices and
    /// [`n_weights`](Self::n_weights) weights, one after the other. To the bit what single poses give.
    ///
    /// # Panics
    /// As [`pose`](Self::pose).
    pub fn pose_batch(
        &self,
        posed: &[Posed<'_>],
        world_from_nodes: &mut [RowMatrix],
        weights: &mut [MorphWeight],
    ) {
        let n_of = |each: usize| posed.len().saturating_mul(each);
        assert_eq!(world_from_nodes.len(), n_of(self.n_parts()));
        assert_eq!(weights.len(), n_of(self.n_weights()));
        // A figure without parts has none to pose; chunks of 0 do not exist.
        let nodes = world_from_nodes.par_chunks_mut(self.n_parts().max(1));
        let weights = weights.par_chunks_mut(self.n_weights());
        nodes
            .zip(weights)
            .zip(posed)
            .with_min_len(MIN_POSES_PER_TASK)
            .for_each(|((nodes, weights), posed)| self.pose(posed, nodes, weights));
    }

    /// Model from node of a part, given those of the parts before it.
    #[expect(
        clippy::indexing_slicing,
        reason = "hot; animations and builds have one of each part, and parents come before their children"
    )]
    fn place(
        &self,
        part: usize,
        build: &Build,
        playing: Option<(&RigAnimation, Between)>,
        model_from_nodes: &[RowMatrix],
    ) -> RowMatrix {
        let track = playing.map(|(animation, between)| (&animation.tracks[part], between));
        let own = track.and_then(|(track, between)| track.rotation(between));
        let own = own.unwrap_or(Quat::IDENTITY);
        let offset = build.offsets[part];
        let Some(parent) = self.parts[part].parent else {
            let moved = track.and_then(|(track, between)| track.translation(between));
            let position = moved.map_or(offset, |moved| moved * build.root_scale);
            return placed(Mat3::from_quat(own), position);
        };
        let (turned, position) = turn_and_place(&model_from_nodes[parent]);
        // The part's own turn comes after all turns of its parents, about the axes of the model.
        placed(Mat3::from_quat(own) * turned, position + turned * offset)
    }
}

/// Two frames and how far the time has gone from the first to the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Between {
    pub first: usize,
    pub second: usize,
    pub share: f32,
}

impl Between {
    pub fn new(animation: &RigAnimation, frame: f32) -> Self {
        let n_frames = animation.n_frames;
        let last = n_frames.saturating_sub(1);
        // A frame that is no number is the first.
        let frame = if frame.is_finite() { frame } else { 0.0 };
        if animation.is_cycle && n_frames > 0 {
            let wrapped = frame.rem_euclid(n_frames as f32);
            // Just below 0 wraps to the number of frames itself.
            let first = (wrapped as usize).checked_rem(n_frames).unwrap_or(0);
            let share = (wrapped - wrapped.floor()).clamp(0.0, 1.0);
            let next = first.saturating_add(1);
            let second = if next < n_frames { next } else { 0 };
            return Self {
                first,
                second,
                share,
            };
        }
        let clamped = frame.clamp(0.0, last as f32);
        let first = clamped as usize;
        Self {
            first,
            second: first.saturating_add(1).min(last),
            share: clamped - clamped.floor(),
        }
    }
}

impl Track {
    fn rotation(&self, between: Between) -> Option<Quat> {
        let (from, to) = both(&self.rotations, between)?;
        Some(slerp(from, to, between.share))
    }

    fn translation(&self, between: Between) -> Option<Vec3> {
        let (from, to) = both(&self.translations, between)?;
        Some(from + (to - from) * between.share)
    }
}

/// The items of two frames; a shorter list stays at its last.
fn both<T: Copy>(frames: &[T], between: Between) -> Option<(T, T)> {
    let last = frames.len().checked_sub(1)?;
    let at = |frame: usize| frames.get(frame.min(last)).copied();
    Some((at(between.first)?, at(between.second)?))
}

/// The shorter way around; nearly equal rotations are blended and made of unit length again.
pub(super) fn slerp(from: Quat, to: Quat, share: f32) -> Quat {
    let dot = from.dot(to);
    let (dot, to) = if dot < 0.0 { (-dot, -to) } else { (dot, to) };
    if dot > NEARLY_EQUAL {
        return (from * (1.0 - share) + to * share).normalize();
    }
    let angle = dot.acos();
    let [a, b] = [(1.0 - share) * angle, share * angle].map(f32::sin);
    (from * a + to * b) / angle.sin()
}

/// Two targets for each part whose vertices move: those of both frames.
fn weigh(animation: &RigAnimation, between: Between, weights: &mut [MorphWeight]) {
    let moving = animation.tracks.iter().filter_map(|track| track.morphs);
    for ((first_target, n_frames), pair) in moving.zip(weights.chunks_exact_mut(2)) {
        let Some(last) = n_frames.checked_sub(1) else {
            continue;
        };
        let target = |frame: usize| {
            let frame = u32::try_from(frame).unwrap_or(last).min(last);
            first_target.saturating_add(frame)
        };
        let [first, second] = [between.first, between.second].map(target);
        let share = if first == second { 0.0 } else { between.share };
        pair.copy_from_slice(&[
            MorphWeight {
                target: first,
                weight: 1.0 - share,
            },
            MorphWeight {
                target: second,
                weight: share,
            },
        ]);
    }
}

fn placed(turned: Mat3, position: Vec3) -> RowMatrix {
    let rows = turned.transpose();
    let row = |row: Vec3, moved: f32| [row.x, row.y, row.z, moved];
    RowMatrix::from_rows([
        row(rows.x_axis, position.x),
        row(rows.y_axis, position.y),
        row(rows.z_axis, position.z),
    ])
}

fn turn_and_place(RowMatrix(it): &RowMatrix) -> (Mat3, Vec3) {
    let rows = Mat3::from_cols_array(&[
        it[0], it[1], it[2], it[4], it[5], it[6], it[8], it[9], it[10],
    ]);
    (rows.transpose(), Vec3::new(it[3], it[7], it[11]))
}
