//! The tracks as one animation.

use gltf_json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};

use super::buffer::BinaryChunk;
use super::nodes::FIRST_NODE;
use crate::extras::{AnimationExtras, to_extras};
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
    let mut channels = Vec::new();
    let mut samplers = Vec::new();
    for (node, motion) in motions.iter().enumerate() {
        let Motion::Moving { frames, poses } = motion else {
            continue;
        };
        let times: Vec<f32> = frames.iter().map(|frame| frame / frames_per_sec).collect();
        // Rates beyond all sense make times meet.
        let increases = times.windows(2).all(|pair| pair[0] < pair[1]);
        if !increases || times.iter().any(|time| !time.is_finite()) {
            return Err(ExportError::Rate {
                rate: frames_per_sec,
            });
        }
        let input = bin.times(root, &times);
        let translations: Vec<_> = poses.iter().map(|pose: &Pose| pose.translation).collect();
        let rotations: Vec<_> = poses.iter().map(|pose| pose.rotation).collect();
        let outputs = [
            (Property::Translation, bin.keys(root, &translations)),
            (Property::Rotation, bin.keys(root, &rotations)),
        ];
        for (path, output) in outputs {
            let sampler = Index::push(
                &mut samplers,
                Sampler {
                    input,
                    output,
                    interpolation: Checked::Valid(Interpolation::Linear),
                    extensions: None,
                    extras: None,
                },
            );
            channels.push(Channel {
                sampler,
                target: Target {
                    node: Index::new((FIRST_NODE + node) as u32),
                    path: Checked::Valid(path),
                    extensions: None,
                    extras: None,
                },
                extensions: None,
                extras: None,
            });
        }
    }
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
