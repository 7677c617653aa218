//! The tracks as one animation.

use gltf_json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};

use super::nodes::FIRST_NODE;
use crate::extras::{AnimationExtras, to_extras};
use crate::gltf_buffer::BinaryChunk;
use crate::pose::{Motion, Pose};
use crate::source::{ExportError, ModelSource};

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
            let times = times(frames, frames_per_sec)?;
            tracks.add_node(FIRST_NODE + node, &times, poses, root, bin);
        }
    }
    let Tracks { channels, samplers } = tracks;
    if channels.is_empty() {
        return Ok(());
    }
    let extras = AnimationExtras {
        msh_frame_count: source.msh.animation.frame_count,
        msh_frames_per_sec: frames_per_sec,
    };
    root.push(Animation {
        name: Some("all frames".to_owned()),
        channels,
        samplers,
        extensions: None,
        extras: to_extras(&extras)?,
    });
    Ok(())
}

/// Channels and their samplers while they gather.
#[derive(Default)]
struct Tracks {
    channels: Vec<Channel>,
    samplers: Vec<Sampler>,
}

impl Tracks {
    /// Where a node of the file is at the times, and how it is turned.
    fn add_node(
        &mut self,
        node: usize,
        times: &[f32],
        poses: &[Pose],
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) {
        let input = bin.times(root, times);
        let translations: Vec<_> = poses.iter().map(|pose| pose.translation).collect();
        let rotations: Vec<_> = poses.iter().map(|pose| pose.rotation).collect();
        let outputs = [
            (Property::Translation, bin.keys(root, &translations)),
            (Property::Rotation, bin.keys(root, &rotations)),
        ];
        for (path, output) in outputs {
            let sampler = Sampler {
                input,
                output,
                interpolation: Checked::Valid(Interpolation::Linear),
                extensions: None,
                extras: None,
            };
            let target = Target {
                node: Index::new(node as u32),
                path: Checked::Valid(path),
                extensions: None,
                extras: None,
            };
            self.channels.push(Channel {
                sampler: Index::push(&mut self.samplers, sampler),
                target,
                extensions: None,
                extras: None,
            });
        }
    }
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
