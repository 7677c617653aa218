//! Animation channels as keys at whole frames.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DQuat, DVec3};
use gltf_json::animation::{Animation, Interpolation, Property, Sampler};
use gltf_json::validation::Checked;
use ironlands_assets_loader::parkan::msh::{DraftKey, stored_rotation};

use super::accessor::{Elements, at_most};
use super::document::{Document, FORMAT, unexpected, unsupported};
use super::transform::unit;
use super::tree::TreeNode;
use crate::extras::{AnimationExtras, from_extras};
use crate::findings::Findings;
use crate::import::{ImportError, within_reach};

/// A time this near to a whole frame, in frames, is at it.
pub(super) const NEAR: f64 = 0.01;

/// The frame map is reached by 16 bits.
const LAST_FRAME: f64 = 65534.0;

/// Keys are numbered by 16 bits.
const MAX_KEYS: usize = 65535;

/// The channels of the one animation that a model has.
pub(super) struct Motions<'a> {
    channels: BTreeMap<usize, Channels<'a>>,
    frames_per_sec: f64,
    n_keys: usize,
}

/// What moves a node.
#[derive(Default)]
struct Channels<'a> {
    translation: Option<Curve<'a, 3>>,
    rotation: Option<Curve<'a, 4>>,
}

/// A sampler with what it samples.
pub(super) struct Curve<'a, const N: usize> {
    pub(super) times: Elements<'a, 1>,
    pub(super) values: Elements<'a, N>,
    pub(super) interpolation: Interpolation,
    pub(super) place: String,
}

impl<'a> Motions<'a> {
    /// Opens the animation `all frames`, else the first.
    pub(super) fn read(
        document: &'a Document<'_>,
        frames_per_sec: Option<f32>,
        findings: &mut Findings,
    ) -> Result<Self, ImportError> {
        let animations = &document.root.animations;
        let is_ours = |it: &Animation| it.name.as_deref() == Some("all frames");
        let chosen = animations.iter().position(is_ours).unwrap_or(0);
        let own: Option<AnimationExtras> = animations
            .get(chosen)
            .and_then(|it| from_extras(&it.extras));
        let frames_per_sec = frames_per_sec.or(own.map(|own| own.msh_frames_per_sec));
        let frames_per_sec = frames_per_sec.unwrap_or(15.0);
        if !(frames_per_sec.is_finite() && frames_per_sec > 0.0) {
            let found = frames_per_sec;
            return Err(unexpected(
                "animations",
                "a number of frames per second above 0",
                found,
            ));
        }
        let mut motions = Self {
            channels: BTreeMap::new(),
            frames_per_sec: frames_per_sec.into(),
            n_keys: 0,
        };
        for (index, animation) in animations.iter().enumerate() {
            if index == chosen {
                motions.open(
                    document,
                    animation,
                    &format!("animations[{index}]"),
                    findings,
                )?;
            } else {
                findings.add(
                    format!("animations[{index}]"),
                    "a model has one animation; the others are left out",
                );
            }
        }
        Ok(motions)
    }

    fn open(
        &mut self,
        document: &'a Document<'_>,
        animation: &Animation,
        place: &str,
        findings: &mut Findings,
    ) -> Result<(), ImportError> {
        for (index, channel) in animation.channels.iter().enumerate() {
            let place = format!("{place}.channels[{index}]");
            let sampler = animation.samplers.get(channel.sampler.value());
            let sampler = sampler
                .ok_or_else(|| unexpected(&place, "the index of a sampler", channel.sampler))?;
            let node = channel.target.node;
            document.get(node, &place)?;
            let channels = self.channels.entry(node.value()).or_default();
            let is_second = match channel.target.path {
                Checked::Valid(Property::Translation) => {
                    let curve = Curve::open(document, sampler, &place, findings)?;
                    channels.translation.replace(curve).is_some()
                }
                Checked::Valid(Property::Rotation) => {
                    let curve = Curve::open(document, sampler, &place, findings)?;
                    channels.rotation.replace(curve).is_some()
                }
                Checked::Valid(Property::Scale) => {
                    findings.add(
                        &place,
                        "nodes of models have no scale; its animation is left out",
                    );
                    false
                }
                Checked::Valid(Property::MorphTargetWeights) => {
                    findings.add(&place, "models have no morph targets; they stay at rest");
                    false
                }
                Checked::Invalid => {
                    return Err(unexpected(&place, "a path of glTF 2.0", "another"));
                }
            };
            if is_second {
                return Err(unexpected(
                    &place,
                    "one channel for each path of a node",
                    "another",
                ));
            }
        }
        Ok(())
    }

    /// Whether something turns or moves a node of the file.
    pub(super) fn moves(&self, node: usize) -> bool {
        let channels = self.channels.get(&node);
        channels.is_some_and(|it| it.translation.is_some() || it.rotation.is_some())
    }

    /// Channels that move nothing of the model.
    pub(super) fn name_strays(&self, nodes: &[TreeNode], findings: &mut Findings) {
        let known: BTreeSet<usize> = nodes.iter().map(|node| node.index).collect();
        for node in self.channels.keys().filter(|node| !known.contains(node)) {
            findings.add(
                format!("nodes[{node}]"),
                "it moves, but is not in the scene",
            );
        }
    }

    /// The keys of a node: one if it stands still.
    pub(super) fn keys(
        &mut self,
        document: &Document<'_>,
        node: &TreeNode,
        findings: &mut Findings,
    ) -> Result<Vec<DraftKey>, ImportError> {
        let still = Channels::default();
        let channels = self.channels.get(&node.index).unwrap_or(&still);
        let place = format!("nodes[{}]", node.index);
        if channels.rotation.is_some() && node.above.residual.uniform().is_none() {
            let what = "it turns below a scale that differs by axis, which no rigid node can show";
            return Err(unsupported(&place, what));
        }
        let frames = self.frames(document, channels, &place, findings)?;
        self.n_keys = self.n_keys.saturating_add(frames.len());
        at_most("keys", self.n_keys, MAX_KEYS, &place)?;
        let mut keys = Vec::with_capacity(frames.len());
        for frame in frames {
            let seconds = f64::from(frame) / self.frames_per_sec;
            let near = NEAR / self.frames_per_sec;
            let mut local = node.local;
            if let Some(curve) = &channels.translation {
                local.translation = curve.translation(seconds, near)?;
            }
            if let Some(curve) = &channels.rotation {
                local.rotation = curve.rotation(seconds, near)?;
            }
            let placed = local.turned(node.above.turn).below(&node.above.residual);
            let [x, y, z, w] = placed.rotation.to_array().map(|v| v as f32);
            let position = placed.translation.as_vec3().into();
            keys.push(DraftKey {
                time: frame as f32,
                position: within_reach(position, FORMAT, &place)?,
                rotation: stored_rotation([w, x, y, z]),
            });
        }
        Ok(keys)
    }

    /// The frames that a node needs keys at: those of its channels where they are whole and straight lines lie
    /// between them, else all.
    fn frames(
        &self,
        document: &Document<'_>,
        channels: &Channels<'_>,
        place: &str,
        findings: &mut Findings,
    ) -> Result<Vec<u32>, ImportError> {
        let mut frames = BTreeSet::from([0]);
        let mut is_exact = true;
        let mut last = 0.0f64;
        let translation = channels
            .translation
            .as_ref()
            .map(|it| (&it.times, it.interpolation));
        let rotation = channels
            .rotation
            .as_ref()
            .map(|it| (&it.times, it.interpolation));
        for (times, interpolation) in translation.into_iter().chain(rotation) {
            is_exact &= interpolation == Interpolation::Linear;
            document.spend(times.len, place)?;
            let mut before = None;
            for index in 0..times.len {
                let [seconds] = times.floats(index)?;
                let frame = f64::from(seconds) * self.frames_per_sec;
                if frame > LAST_FRAME + NEAR {
                    let what = format!("it moves at frame {frame}, beyond {LAST_FRAME}");
                    return Err(unsupported(place, what));
                }
                last = last.max(frame);
                let whole = frame.round();
                is_exact &= (frame - whole).abs() <= NEAR && before != Some(whole);
                before = Some(whole);
                frames.insert(whole as u32);
            }
        }
        if is_exact {
            return Ok(frames.into_iter().collect());
        }
        findings.add(
            place,
            "its keys lie between frames, or jump, or curve; it is sampled at every frame",
        );
        Ok((0..=(last - NEAR).ceil().max(0.0) as u32).collect())
    }
}

impl<'a, const N: usize> Curve<'a, N> {
    pub(super) fn open(
        document: &'a Document<'_>,
        sampler: &Sampler,
        place: &str,
        findings: &mut Findings,
    ) -> Result<Self, ImportError> {
        let Checked::Valid(interpolation) = sampler.interpolation else {
            return Err(unexpected(place, "an interpolation of glTF 2.0", "another"));
        };
        let curve = Self {
            times: Elements::open(document, sampler.input, place)?,
            values: Elements::open(document, sampler.output, place)?,
            interpolation,
            place: place.to_owned(),
        };
        if interpolation != Interpolation::Linear {
            let message = format!("{interpolation:?} becomes straight lines between frames");
            findings.add(place, message);
        }
        let n_times = curve.times.len;
        let per_time = if interpolation == Interpolation::CubicSpline {
            3
        } else {
            1
        };
        let is_one_each = n_times.checked_mul(per_time) == Some(curve.values.len);
        if n_times == 0 || !is_one_each {
            let expected = format!("{per_time} values for each of one or more times");
            let found = format!("{} for {n_times}", curve.values.len);
            return Err(unexpected(place, &expected, found));
        }
        document.spend(n_times, place)?;
        let mut before = None;
        for index in 0..n_times {
            let [time] = curve.times.floats(index)?;
            if time < before.unwrap_or(0.0) || before == Some(time) {
                return Err(unexpected(place, "increasing times from 0 on", time));
            }
            before = Some(time);
        }
        Ok(curve)
    }

    /// The time before or at a moment, the one after it, and the part of the way between them.
    pub(super) fn segment(
        &self,
        seconds: f64,
        near: f64,
    ) -> Result<(usize, usize, f64), ImportError> {
        let time = |index: usize| self.times.floats(index).map(|[time]| f64::from(time));
        let (mut low, mut high) = (0, self.times.len);
        while low < high {
            let middle = usize::midpoint(low, high);
            match time(middle)? <= seconds + near {
                true => low = middle.saturating_add(1),
                false => high = middle,
            }
        }
        let Some(from) = low.checked_sub(1) else {
            return Ok((0, 0, 0.0));
        };
        let start = time(from)?;
        if low >= self.times.len || (seconds - start).abs() <= near {
            return Ok((from, from, 0.0));
        }
        Ok((from, low, (seconds - start) / (time(low)? - start)))
    }

    /// The value of a time, without its tangents.
    fn value(&self, time: usize) -> Result<[f64; N], ImportError> {
        self.part(time, 1)
    }

    /// 0 the tangent before, 1 the value, 2 the tangent after.
    fn part(&self, time: usize, part: usize) -> Result<[f64; N], ImportError> {
        let element = match self.interpolation {
            Interpolation::CubicSpline => time.saturating_mul(3).saturating_add(part),
            Interpolation::Linear | Interpolation::Step => time,
        };
        Ok(self.values.floats(element)?.map(f64::from))
    }

    /// A cubic Hermite spline (glTF 2.0, appendix C).
    fn cubic(&self, from: usize, to: usize, a: f64) -> Result<[f64; N], ImportError> {
        let [start] = self.times.floats(from)?;
        let [end] = self.times.floats(to)?;
        let step = f64::from(end) - f64::from(start);
        let (p0, m0) = (self.value(from)?, self.part(from, 2)?);
        let (p1, m1) = (self.value(to)?, self.part(to, 0)?);
        let (a2, a3) = (a * a, a * a * a);
        let weights = [
            2.0 * a3 - 3.0 * a2 + 1.0,
            step * (a3 - 2.0 * a2 + a),
            3.0 * a2 - 2.0 * a3,
            step * (a3 - a2),
        ];
        let mut sum = [0.0; N];
        for (values, weight) in [p0, m0, p1, m1].iter().zip(weights) {
            for (sum, value) in sum.iter_mut().zip(values) {
                *sum += value * weight;
            }
        }
        Ok(sum)
    }
}

impl Curve<'_, 3> {
    pub(super) fn translation(&self, seconds: f64, near: f64) -> Result<DVec3, ImportError> {
        let (from, to, a) = self.segment(seconds, near)?;
        Ok(match self.interpolation {
            Interpolation::CubicSpline if from != to => self.cubic(from, to, a)?.into(),
            Interpolation::Linear => DVec3::from(self.value(from)?).lerp(self.value(to)?.into(), a),
            Interpolation::Step | Interpolation::CubicSpline => self.value(from)?.into(),
        })
    }
}

impl Curve<'_, 4> {
    pub(super) fn rotation(&self, seconds: f64, near: f64) -> Result<DQuat, ImportError> {
        let (from, to, a) = self.segment(seconds, near)?;
        let rotation = |values| unit(values, &self.place);
        match self.interpolation {
            Interpolation::CubicSpline if from != to => rotation(self.cubic(from, to, a)?),
            Interpolation::Linear if from != to => {
                let (from, to) = (rotation(self.value(from)?)?, rotation(self.value(to)?)?);
                Ok(from.slerp(to, a))
            }
            _ => rotation(self.value(from)?),
        }
    }
}
