//! The tracks as one animation.

use gltf_json::animation::Property;
use gltf_json::{Index, Root};
use ironlands_exchange::write_gltf::{BinaryChunk, Tracks};
use ironlands_exchange::{ExportError, to_extras};

use super::super::extras::AnimationExtras;
use super::super::motions::Motion;
use super::super::source::ModelSource;
use super::nodes::FIRST_NODE;

/// What the one animation of a model is called.
pub(in super::super) const ALL_FRAMES: &str = "all frames";

/// Adds the animation, unless nothing moves.
pub(super) fn add(
    source: &ModelSource<'_>,
    motions: &[Motion],
    frames_per_sec: f32,
    root: &mut Root,
    bin: &mut BinaryChunk,
) -> Result<(), ExportError> {
    let mut tracks = Tracks::default();
    for (node, motion) in motions.iter().enumerate() {
        if let Motion::Moving { frames, poses } = motion {
            let input = bin.times(root, &times(frames, frames_per_sec)?);
            let translations: Vec<_> = poses.iter().map(|pose| pose.translation).collect();
            let rotations: Vec<_> = poses.iter().map(|pose| pose.rotation).collect();
            let node = Index::new((FIRST_NODE + node) as u32);
            let output = bin.keys(root, &translations);
            tracks.push(node, Property::Translation, input, output);
            let output = bin.keys(root, &rotations);
            tracks.push(node, Property::Rotation, input, output);
        }
    }
    if tracks.is_empty() {
        return Ok(());
    }
    let extras = AnimationExtras {
        msh_frame_count: source.msh.animation.frame_count,
        msh_frames_per_sec: frames_per_sec,
    };
    tracks.finish(ALL_FRAMES, to_extras(&extras)?, root);
    Ok(())
}

/// Seconds of frames.
fn times(frames: &[f32], frames_per_sec: f32) -> Result<Vec<f32>, ExportError> {
    let times: Vec<f32> = frames.iter().map(|frame| frame / frames_per_sec).collect();
    // Rates beyond all sense make times meet.
    let increases = times.windows(2).all(|pair| pair[0] < pair[1]);
    if !increases || times.iter().any(|time| !time.is_finite()) {
        return Err(ExportError::Rate {
            rate: frames_per_sec,
        });
    }
    Ok(times)
}
