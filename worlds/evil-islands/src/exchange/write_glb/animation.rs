//! Animations: turns about the axes of the model as turns about those of the parent, and weights of frames.

use glam::DQuat;
use gltf_json::accessor::Accessor;
use gltf_json::animation::Property;
use gltf_json::{Index, Root};
use ironlands_assets_evil_islands::anm::{Anm, FRAMES_PER_SEC};
use ironlands_assets_evil_islands::figure::{Figure, FigureAnimation};
use ironlands_exchange::write_gltf::{BinaryChunk, Tracks};
use ironlands_exchange::{ExportError, Findings, finite, to_extras};

use super::super::extras::AnimationExtras;
use super::meshes::Morphs;
use super::{FigureSource, node_of};

/// Enough for every part of the largest models at every frame of an hour.
const MAX_SAMPLES: u64 = 1 << 22;
/// Keys times weights, of all animations together.
const MAX_WEIGHTS: usize = 1 << 24;

/// Adds all animations that move anything.
pub(super) fn add(
    source: &FigureSource<'_>,
    morphs: &[Morphs],
    root: &mut Root,
    bin: &mut BinaryChunk,
    findings: &mut Findings,
) -> Result<(), ExportError> {
    let figure = source.figure;
    let (mut n_samples, mut n_weights) = (0, 0);
    for (index, animation) in figure.animations.iter().enumerate() {
        let n_frames = animation.n_frames();
        n_samples += (n_frames as u64).saturating_mul(figure.parts.len() as u64);
        if n_samples > MAX_SAMPLES {
            return Err(ExportError::TooMany {
                what: "poses of parts",
                count: n_samples,
                limit: MAX_SAMPLES,
            });
        }
        let mut tracks = Tracks::default();
        report_odd_lengths(animation, n_frames, findings);
        add_turns(figure, animation, n_frames, &mut tracks, root, bin)?;
        add_moves(figure, animation, &mut tracks, root, bin, findings)?;
        for (part, morphs) in morphs.iter().enumerate() {
            let anm = animation.parts.get(part).and_then(Option::as_ref);
            let first = morphs.first_of_animation.get(&index);
            let (Some(anm), Some(first)) = (anm, first) else {
                continue;
            };
            let n_keys = anm.n_morph_frames as usize;
            n_weights += n_keys.saturating_mul(morphs.weights.len());
            if n_weights > MAX_WEIGHTS {
                findings.add(
                    &animation.name,
                    "its vertices have more weights than a file has room for; they stay",
                );
                continue;
            }
            let frames = (0..n_keys).flat_map(|frame| {
                let mut weights = morphs.weights.clone();
                weights[first + frame] = 1.0;
                weights
            });
            let output = bin.weights(root, &frames.collect::<Vec<_>>());
            let input = times(n_keys, root, bin);
            tracks.push(node_of(part), Property::MorphTargetWeights, input, output);
        }
        if tracks.is_empty() {
            findings.add(
                &animation.name,
                "an animation that moves nothing is left out",
            );
            continue;
        }
        let extras = to_extras(&AnimationExtras {
            ei_frames: n_frames as u32,
        })?;
        tracks.finish(&animation.name, extras, root);
    }
    Ok(())
}

/// A part turns about the axes of the model, after its parent: `Q = q * Q(parent)`. In the space of its parent that
/// is `Q(parent)^-1 * q * Q(parent)` (dossier section 9.6).
fn add_turns(
    figure: &Figure,
    animation: &FigureAnimation,
    n_frames: usize,
    tracks: &mut Tracks,
    root: &mut Root,
    bin: &mut BinaryChunk,
) -> Result<(), ExportError> {
    let mut keys = vec![Vec::new(); figure.parts.len()];
    let mut model_from_parts = vec![DQuat::IDENTITY; figure.parts.len()];
    for frame in 0..n_frames {
        for (part, keys) in keys.iter_mut().enumerate() {
            let parent = figure.parts[part].parent;
            let of_parent = parent.map_or(DQuat::IDENTITY, |it| model_from_parts[it as usize]);
            let own = match rotation(animation, part, frame) {
                None => DQuat::IDENTITY,
                Some(stored) => {
                    let [w, x, y, z] =
                        finite(stored, || format!("a rotation of {}", animation.name))?;
                    let turn = DQuat::from_array([x, y, z, w].map(f64::from));
                    unit(turn)
                }
            };
            model_from_parts[part] = unit(own * of_parent);
            let local = unit(of_parent.conjugate() * own * of_parent);
            keys.push(local.to_array().map(|v| v as f32));
        }
    }
    for (part, mut keys) in keys.into_iter().enumerate() {
        let anm = animation.parts.get(part).and_then(Option::as_ref);
        let n_own = anm.map_or(0, |anm| anm.rotations.len());
        keys.truncate(n_own);
        if !keys.is_empty() {
            let output = bin.keys(root, &keys);
            let input = times(n_own, root, bin);
            tracks.push(node_of(part), Property::Rotation, input, output);
        }
    }
    Ok(())
}

/// The translation of a root is where it stands; that of other parts is never applied.
fn add_moves(
    figure: &Figure,
    animation: &FigureAnimation,
    tracks: &mut Tracks,
    root: &mut Root,
    bin: &mut BinaryChunk,
    findings: &mut Findings,
) -> Result<(), ExportError> {
    for (part, anm) in animation.parts.iter().enumerate() {
        let Some(Anm { translations, .. }) = anm.as_ref().filter(|it| !it.translations.is_empty())
        else {
            continue;
        };
        let is_root = figure
            .parts
            .get(part)
            .is_some_and(|part| part.parent.is_none());
        if !is_root {
            if translations.iter().any(|it| *it != [0.0; 3]) {
                let what = "translations of parts other than the root, which nothing applies, are left out";
                findings.add(&animation.name, what);
            }
            continue;
        }
        for translation in translations {
            finite(*translation, || {
                format!("a translation of {}", animation.name)
            })?;
        }
        let output = bin.keys(root, translations);
        let input = times(translations.len(), root, bin);
        tracks.push(node_of(part), Property::Translation, input, output);
    }
    Ok(())
}

/// The stored rotation of a part; that of its last frame beyond its end.
fn rotation(animation: &FigureAnimation, part: usize, frame: usize) -> Option<[f32; 4]> {
    let rotations = &animation.parts.get(part)?.as_ref()?.rotations;
    rotations.get(frame).or(rotations.last()).copied()
}

fn report_odd_lengths(animation: &FigureAnimation, n_frames: usize, findings: &mut Findings) {
    let mut parts = animation.parts.iter().flatten();
    if parts.any(|anm| anm.n_frames() != n_frames) {
        let what = "parts have other numbers of frames; the shorter ones stand still at their end";
        findings.add(&animation.name, what);
    }
}

/// Of length 1; none at all for what has no length.
fn unit(rotation: DQuat) -> DQuat {
    match rotation.length().is_normal() {
        true => rotation.normalize(),
        false => DQuat::IDENTITY,
    }
}

/// The duration of a number of frames, in seconds.
fn times(n_frames: usize, root: &mut Root, bin: &mut BinaryChunk) -> Index<Accessor> {
    let times = (0..n_frames).map(|frame| frame as f32 / FRAMES_PER_SEC);
    bin.times(root, &times.collect::<Vec<_>>())
}
