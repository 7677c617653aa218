//! Animation channels as keys at whole frames.

use std::collections::{BTreeMap, BTreeSet};

use gltf_json::animation::{Animation, Interpolation, Property};
use gltf_json::validation::Checked;
use ironlands_assets_parkan::msh::{DraftKey, stored_rotation};
use ironlands_exchange::read_gltf::{
    Curve, Document, FORMAT, NEAR, at_most, unexpected, unsupported,
};
use ironlands_exchange::{Findings, ImportError, from_extras, within_reach};

use super::super::extras::AnimationExtras;
use super::super::write_glb::{ALL_FRAMES, GlbOptions};
use super::tree::TreeNode;

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

impl<'a> Motions<'a> {
    /// Opens the animation `all frames`, else the first.
    pub(super) fn read(
        document: &'a Document<'_>,
        frames_per_sec: Option<f32>,
        findings: &mut Findings,
    ) -> Result<Self, ImportError> {
        let animations = &document.root.animations;
        let is_ours = |it: &Animation| it.name.as_deref() == Some(ALL_FRAMES);
        let chosen = animations.iter().position(is_ours).unwrap_or(0);
        let own: Option<AnimationExtras> = animations
            .get(chosen)
            .and_then(|it| from_extras(&it.extras));
        let frames_per_sec = frames_per_sec.or(own.map(|own| own.msh_frames_per_sec));
        let frames_per_sec = frames_per_sec.unwrap_or_else(|| GlbOptions::default().frames_per_sec);
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
