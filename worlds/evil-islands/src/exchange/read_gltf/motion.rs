//! Animations of nodes as animations of parts: turns about the axes of the model again, at whole frames.

use std::collections::BTreeMap;

use glam::DQuat;
use gltf_json::animation::{Animation, Interpolation, Property, Sampler};
use gltf_json::validation::Checked;
use ironlands_assets_evil_islands::anm::{Anm, FRAMES_PER_SEC};
use ironlands_assets_evil_islands::figure::FigureAnimation;
use ironlands_exchange::read_gltf::{
    Curve, Document, Elements, NEAR, at_most, unexpected, unsupported,
};
use ironlands_exchange::{Findings, ImportError, from_extras};

use super::super::extras::AnimationExtras;
use super::Import;
use super::mesh::MovedPoints;

/// An hour and more.
const MAX_FRAMES: usize = 65_536;
/// Points that frames move, in all; every one takes twelve bytes.
const MAX_MOVED: usize = 1 << 23;

/// What moves a part.
#[derive(Default)]
struct Channels<'a> {
    translation: Option<Curve<'a, 3>>,
    rotation: Option<Curve<'a, 4>>,
    weights: Option<Curve<'a, 1>>,
}

/// All animations of the document.
pub(super) fn read(import: &mut Import<'_>) -> Result<Vec<FigureAnimation>, ImportError> {
    let document = import.document;
    let mut animations = Vec::with_capacity(document.root.animations.len());
    let mut n_moved = 0;
    for (index, animation) in document.root.animations.iter().enumerate() {
        let place = format!("animations[{index}]");
        let channels = open(import, animation, &place)?;
        let n_frames = n_frames(animation, &channels)?;
        at_most("frames", n_frames, MAX_FRAMES, &place)?;
        let n_poses = n_frames.saturating_mul(import.figure.parts.len());
        document.spend(n_poses, &place)?;
        let mut parts = vec![None; import.figure.parts.len()];
        let turns = turns(import, &channels, n_frames)?;
        for (part, channels) in &channels {
            let moved = import.moved.get(*part);
            let morphs = match (&channels.weights, moved) {
                (Some(curve), Some(moved)) if !moved.by_target.is_empty() => {
                    n_moved = moved
                        .n_points
                        .saturating_mul(n_frames)
                        .saturating_add(n_moved);
                    at_most("moved points", n_moved, MAX_MOVED, &place)?;
                    morphs(document, curve, moved, n_frames)?
                }
                _ => Vec::new(),
            };
            let is_root = import
                .figure
                .parts
                .get(*part)
                .is_some_and(|it| it.parent.is_none());
            let translations = translations(channels, is_root, n_frames, &mut import.findings)?;
            let turns = turns.get(part).cloned().unwrap_or_default();
            let anm = Anm::draft(turns, translations, &morphs);
            let anm = anm.map_err(|error| unsupported(&place, error.to_string()))?;
            if let Some(target) = parts.get_mut(*part) {
                *target = Some(anm);
            }
        }
        let name = animation.name.clone();
        animations.push(FigureAnimation {
            name: name.unwrap_or_else(|| format!("animation{index}")),
            parts,
        });
    }
    Ok(animations)
}

/// The channels of an animation by their part.
fn open<'a>(
    import: &mut Import<'a>,
    animation: &Animation,
    place: &str,
) -> Result<BTreeMap<usize, Channels<'a>>, ImportError> {
    let document = import.document;
    let mut parts: BTreeMap<usize, Channels<'a>> = BTreeMap::new();
    for (index, channel) in animation.channels.iter().enumerate() {
        let place = format!("{place}.channels[{index}]");
        let sampler = animation.samplers.get(channel.sampler.value());
        let sampler =
            sampler.ok_or_else(|| unexpected(&place, "the index of a sampler", channel.sampler))?;
        let Some(part) = import
            .part_of_node
            .get(&channel.target.node.value())
            .copied()
        else {
            import
                .findings
                .add(&place, "what moves no part is left out");
            continue;
        };
        let channels = parts.entry(part).or_default();
        let findings = &mut import.findings;
        let is_second = match channel.target.path {
            Checked::Valid(Property::Translation) => {
                let curve = Curve::open(document, sampler, &place, findings)?;
                channels.translation.replace(curve).is_some()
            }
            Checked::Valid(Property::Rotation) => {
                let curve = Curve::open(document, sampler, &place, findings)?;
                channels.rotation.replace(curve).is_some()
            }
            Checked::Valid(Property::MorphTargetWeights) => {
                let n_targets = import.moved.get(part).map_or(0, |moved| moved.n_targets);
                let curve = open_weights(document, sampler, n_targets, &place)?;
                channels.weights.replace(curve).is_some()
            }
            Checked::Valid(Property::Scale) => {
                findings.add(&place, "parts have no scale; its animation is left out");
                false
            }
            Checked::Invalid => return Err(unexpected(&place, "a path of glTF 2.0", "another")),
        };
        if is_second {
            return Err(unexpected(
                &place,
                "one channel for each path of a node",
                "another",
            ));
        }
    }
    Ok(parts)
}

/// A sampler of all weights of a mesh.
fn open_weights<'a>(
    document: &'a Document<'_>,
    sampler: &Sampler,
    n_targets: usize,
    place: &str,
) -> Result<Curve<'a, 1>, ImportError> {
    let interpolation = match sampler.interpolation {
        Checked::Valid(Interpolation::CubicSpline) => {
            return Err(unsupported(place, "weights along cubic splines"));
        }
        Checked::Valid(interpolation) => interpolation,
        Checked::Invalid => {
            return Err(unexpected(place, "an interpolation of glTF 2.0", "another"));
        }
    };
    let times: Elements<'_, 1> = Elements::open(document, sampler.input, place)?;
    let values: Elements<'_, 1> = Elements::open(document, sampler.output, place)?;
    if times.len == 0 || times.len.checked_mul(n_targets) != Some(values.len) {
        let expected = format!("{n_targets} weights for each of one or more times");
        let found = format!("{} for {}", values.len, times.len);
        return Err(unexpected(place, &expected, found));
    }
    Ok(Curve {
        times,
        values,
        interpolation,
        place: place.to_owned(),
    })
}

/// As many as the file says, else up to the last key.
fn n_frames(
    animation: &Animation,
    parts: &BTreeMap<usize, Channels<'_>>,
) -> Result<usize, ImportError> {
    let extras: Option<AnimationExtras> = from_extras(&animation.extras);
    if let Some(AnimationExtras { ei_frames }) = extras {
        return Ok(ei_frames as usize);
    }
    let mut last = 0.0_f32;
    for channels in parts.values() {
        let curves = [
            channels.translation.as_ref().map(|it| &it.times),
            channels.rotation.as_ref().map(|it| &it.times),
            channels.weights.as_ref().map(|it| &it.times),
        ];
        for times in curves.into_iter().flatten() {
            if let Some(at) = times.len.checked_sub(1) {
                let [time] = times.floats(at)?;
                last = last.max(time);
            }
        }
    }
    // A cast of f32 stops at the ends of the range, and what is too much is refused by the caller.
    Ok((last * FRAMES_PER_SEC).round() as usize + 1)
}

/// Rotations of the parts that turn, stored as the game has them: `q = Q(part) * Q(parent)^-1`, where `Q(part)` is
/// how it stands in the model.
fn turns(
    import: &Import<'_>,
    channels: &BTreeMap<usize, Channels<'_>>,
    n_frames: usize,
) -> Result<BTreeMap<usize, Vec<[f32; 4]>>, ImportError> {
    let mut turns: BTreeMap<usize, Vec<[f32; 4]>> =
        channels.keys().map(|part| (*part, Vec::new())).collect();
    let mut model_from_parts: Vec<DQuat> = Vec::with_capacity(import.figure.parts.len());
    for frame in 0..n_frames {
        model_from_parts.clear();
        for (part, stored) in import.figure.parts.iter().enumerate() {
            let parent = stored
                .parent
                .and_then(|it| model_from_parts.get(it as usize));
            let parent = parent.copied().unwrap_or(DQuat::IDENTITY);
            let curve = channels.get(&part).and_then(|it| it.rotation.as_ref());
            let local = match curve {
                Some(curve) => curve.rotation(seconds(frame), near())?,
                None => DQuat::IDENTITY,
            };
            let model_from_part = (parent * local).normalize();
            if let Some(turns) = turns.get_mut(&part) {
                let own = model_from_part * parent.conjugate();
                let [x, y, z, w] = own.to_array().map(|v| v as f32);
                turns.push([w, x, y, z]);
            }
            model_from_parts.push(model_from_part);
        }
    }
    Ok(turns)
}

/// Where a root stands in each frame, if that is given; zeros for other parts, as files have them.
fn translations(
    channels: &Channels<'_>,
    is_root: bool,
    n_frames: usize,
    findings: &mut Findings,
) -> Result<Vec<[f32; 3]>, ImportError> {
    let Some(curve) = channels.translation.as_ref().filter(|_| is_root) else {
        if let Some(curve) = &channels.translation {
            let what = "only the root of a figure moves; other parts keep their distance";
            findings.add(&curve.place, what);
        }
        return Ok(if is_root {
            Vec::new()
        } else {
            vec![[0.0; 3]; n_frames]
        });
    };
    let at = |frame| curve.translation(seconds(frame), near());
    (0..n_frames)
        .map(|frame| at(frame).map(|it| it.as_vec3().into()))
        .collect()
}

/// How far each point is moved in each frame: the sum of what targets do by their weights.
fn morphs(
    document: &Document<'_>,
    curve: &Curve<'_, 1>,
    moved: &MovedPoints,
    n_frames: usize,
) -> Result<Vec<Vec<[f32; 3]>>, ImportError> {
    let mut frames = Vec::with_capacity(n_frames);
    for frame in 0..n_frames {
        let (from, to, a) = curve.segment(seconds(frame), near())?;
        let a = if curve.interpolation == Interpolation::Step {
            0.0
        } else {
            a as f32
        };
        let mut points: Option<Vec<[f32; 3]>> = None;
        document.spend(moved.by_target.len(), &curve.place)?;
        for (target, deltas) in &moved.by_target {
            let weight = |key: usize| {
                let at = key.saturating_mul(moved.n_targets).saturating_add(*target);
                curve.values.floats(at).map(|[weight]| weight)
            };
            let (before, after) = (weight(from)?, weight(to)?);
            let weight = before + (after - before) * a;
            if weight == 0.0 {
                continue;
            }
            document.spend(deltas.len(), &curve.place)?;
            let scaled = deltas.iter().map(|delta| delta.map(|v| v * weight));
            points = Some(match points {
                // A single target at full weight stays exactly as it is.
                None => scaled.collect(),
                Some(points) => points.iter().zip(scaled).map(|(a, b)| sum(*a, b)).collect(),
            });
        }
        frames.push(points.unwrap_or_else(|| vec![[0.0; 3]; moved.n_points]));
    }
    Ok(frames)
}

fn sum([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ax + bx, ay + by, az + bz]
}

fn seconds(frame: usize) -> f64 {
    frame as f64 / f64::from(FRAMES_PER_SEC)
}

fn near() -> f64 {
    NEAR / f64::from(FRAMES_PER_SEC)
}
