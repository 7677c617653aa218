//! A model as glTF: skeleton, skin, materials, and an animation for each sequence.

use std::path::Path;

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::{ConversionOptions, Exported};
use ironlands_assets_source::level_scene::Appearance;
use ironlands_assets_source::mdl::motion::BonePose;
use ironlands_assets_source::model_file::ModelFile;
use ironlands_assets_source::studio_motion::StudioMotion;
use ironlands_exchange::conversion::AnyError;
use ironlands_exchange::{NodeMotion, NodeTrack, write_moving_scene_glb};

const GLB: &str = "glb";
/// Rate of animations that are stored with none.
const DEFAULT_FPS: f32 = 30.0;
/// Keys of bones in all sequences together, more than any game's model has: a small file can claim very many frames.
const MAX_KEYS: usize = 1 << 24;
/// Poses of bones that are decoded for them: layers are decoded for each key.
const MAX_DECODED: usize = 1 << 27;

/// The first skin and body, all sequences.
///
/// # Errors
/// The model cannot be opened, or holds numbers that glTF has not.
pub fn export_model(
    path: &Path,
    to: &Path,
    options: &ConversionOptions,
) -> Result<Exported, AnyError> {
    let file = ModelFile::open(path, &options.assets, Appearance::default())?;
    let (scene, _, of_scene) = file.to_scene();
    scene.validate()?;
    let (motions, left_out) = motions_of(&file.motion);
    let glb = write_moving_scene_glb(&scene, &motions)?;
    let mut findings = file.findings;
    findings.extend(of_scene);
    findings.extend(left_out);
    findings.extend(glb.findings.iter().map(|it| it.in_format(GLB)));
    Ok(Exported {
        files: vec![(to.to_owned(), glb.bytes)],
        findings,
    })
}

/// All sequences with their layers as keys of bones, a key for each frame, and those that are left out: what adds to another
/// sequence is no motion by itself.
pub fn motions_of(motion: &StudioMotion) -> (Vec<NodeMotion>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut n_left = [MAX_KEYS, MAX_DECODED];
    let sequences = 0..motion.sequences.len();
    let motions = sequences.filter_map(|index| {
        let sequence = motion.sequence(index)?;
        let mut leave_out = |why: &str| {
            let message = format!("sequence {} {why} and is left out", sequence.name);
            findings.push(Finding::new(Severity::Note, GLB, message));
        };
        if sequence.adds() {
            leave_out("adds to others");
            return None;
        }
        if sequence.animations.is_empty() {
            leave_out("is in no model");
            return None;
        }
        let n_frames = motion.last_frame(index) as usize;
        let n_keys = motion
            .rest_pose()
            .len()
            .saturating_mul(n_frames.saturating_add(1));
        let n_decoded = n_keys.saturating_mul(motion.n_layers(index).saturating_add(1));
        let [keys, decoded] = n_left;
        let left = keys.checked_sub(n_keys).zip(decoded.checked_sub(n_decoded));
        let Some((keys, decoded)) = left else {
            leave_out("has more keys than fit");
            return None;
        };
        n_left = [keys, decoded];
        let frames = (0..=n_frames).map(|frame| frame as f32);
        let poses: Result<Vec<_>, _> = (frames.clone())
            .map(|frame| motion.local_pose(index, frame))
            .collect();
        let fps = motion.fps(index);
        let fps = if fps > 0.0 { fps } else { DEFAULT_FPS };
        // What cannot be decoded is a finding of the model.
        let poses = poses.ok()?;
        Some(NodeMotion {
            name: sequence.name.clone(),
            times: frames.map(|frame| frame / fps).collect(),
            tracks: tracks_of(&poses, &motion.rest_pose()),
        })
    });
    let motions = motions.collect();
    (motions, findings)
}

/// The tracks of the bones that are not at rest all the time.
fn tracks_of(poses: &[Vec<BonePose>], rest: &[BonePose]) -> Vec<NodeTrack> {
    let bones = rest.iter().enumerate();
    let tracks = bones.filter_map(|(node, rest)| {
        let of_bone = || poses.iter().filter_map(|pose| pose.get(node));
        let moves = of_bone().any(|pose| pose != rest);
        moves.then(|| NodeTrack {
            node,
            translations: of_bone().map(|it| it.position.to_array()).collect(),
            rotations: of_bone()
                .map(|it| it.rotation.normalize().to_array())
                .collect(),
        })
    });
    tracks.collect()
}
