//! A model file with sequences: where its bones are at rest and in a blend of its animations.

use std::collections::HashMap;

use glam::Quat;

use super::{FORMAT, MAX_DECODED};
use crate::mdl::motion::{BonePose, Decoder, Motion, Sequence};
use crate::studio_model::{AnyMdl, OpenFile};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};

/// Sequence flag: what it adds is turned after the pose that it is added to.
const TURNS_LAST: u32 = 0x10;

/// A model with sequences.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Source {
    file: AnyMdl,
    /// What moves it.
    pub(super) motion: Motion,
    blocks: Vec<u8>,
    /// For each of its bones the one that it moves.
    moves: Vec<Option<usize>>,
}

/// Where a bone is at rest, as sequences have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rest {
    pub(super) parent: Option<usize>,
    pub(super) pose: BonePose,
    /// Whether sequences turn it in the space of the model.
    pub(super) turns_in_model: bool,
}

impl Rest {
    /// All bones of a model.
    pub(super) fn from_model(file: &AnyMdl) -> Vec<Self> {
        match file {
            AnyMdl::Source(mdl) => {
                let rest = mdl.bones.iter().map(|bone| Self {
                    parent: usize::try_from(bone.parent).ok(),
                    pose: BonePose::at_rest(bone),
                    turns_in_model: false,
                });
                rest.collect()
            }
            AnyMdl::Vtmb(mdl) => {
                let bones = mdl.bones.iter().zip(mdl.rest_poses());
                let rest = bones.map(|(bone, pose)| Self {
                    parent: usize::try_from(bone.parent).ok(),
                    pose,
                    turns_in_model: bone.turns_in_model(),
                });
                rest.collect()
            }
        }
    }
}

/// Names of the bones of a model in lower case.
pub(super) fn bone_names(file: &AnyMdl) -> Vec<String> {
    match file {
        AnyMdl::Source(mdl) => {
            let names = mdl.bones.iter().map(|bone| bone.name.text().to_lowercase());
            names.collect()
        }
        AnyMdl::Vtmb(mdl) => {
            let names = mdl.bones.iter().map(|bone| bone.name.text().to_lowercase());
            names.collect()
        }
    }
}

impl Source {
    /// Reads the motion of a model; `names` are numbers of the bones that it moves. What is missing or broken is a finding.
    ///
    /// # Errors
    /// As [`AnyMdl::motion`].
    pub(super) fn read(
        path: &str,
        file: AnyMdl,
        names: &HashMap<String, usize>,
        open: OpenFile<'_>,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        let motion = file.motion()?;
        let mut findings = Vec::new();
        let mut find = |severity, what: String| {
            let message = format!("{path}: {what}");
            findings.push(Finding::new(severity, FORMAT, message));
        };
        let blocks = match motion.block_file.as_str() {
            "" => Vec::new(),
            file => match open(file) {
                Ok(Some(data)) => data,
                Ok(None) => {
                    find(
                        Severity::Warning,
                        format!("{file} with its animations is missing"),
                    );
                    Vec::new()
                }
                Err(reason) => {
                    find(Severity::Error, format!("{file}: {reason}"));
                    Vec::new()
                }
            },
        };
        let moves = bone_names(&file).into_iter();
        let source = Self {
            moves: moves.map(|name| names.get(&name).copied()).collect(),
            motion,
            blocks,
            file,
        };
        // What is broken is known before it plays: each is decoded once, of hostile files only some.
        let mut n_left = MAX_DECODED;
        for (number, animation) in source.motion.animations.iter().enumerate() {
            let n_keys = source.moves.len().saturating_mul(animation.n_frames);
            let Some(left) = n_left.checked_sub(n_keys) else {
                break;
            };
            n_left = left;
            let last = animation.n_frames.saturating_sub(1) as f32;
            for frame in [0.0, last] {
                if let Err(error) = source.poses(number, false, frame) {
                    find(
                        Severity::Warning,
                        format!("animation {}: {error}", animation.name),
                    );
                    break;
                }
            }
        }
        Ok((source, findings))
    }

    /// The poses of its own bones in an animation.
    fn poses(&self, number: usize, adds: bool, frame: f32) -> Result<Vec<BonePose>, FormatError> {
        match &self.file {
            AnyMdl::Source(mdl) => {
                let decoder = Decoder {
                    mdl,
                    motion: &self.motion,
                    blocks: &self.blocks,
                };
                match self.motion.animations.get(number) {
                    Some(animation) => decoder.poses(animation, adds, frame),
                    None => Ok(Vec::new()),
                }
            }
            AnyMdl::Vtmb(mdl) => mdl.poses(number, adds, frame),
        }
    }

    /// Puts the bones of the model to where a sequence has them.
    pub(super) fn place(
        &self,
        sequence: &Sequence,
        cycle: f32,
        poses: &mut [BonePose],
    ) -> Result<(), FormatError> {
        for (pose, target) in self.blended(sequence, cycle)?.into_iter().zip(&self.moves) {
            if let Some(target) = target.and_then(|target| poses.get_mut(target)) {
                *target = pose;
            }
        }
        Ok(())
    }

    /// Moves the bones that a sequence moves, each as much as it says, to where they are in it.
    pub(super) fn blend(
        &self,
        sequence: &Sequence,
        weight: f32,
        own: &[BonePose],
        poses: &mut [BonePose],
    ) {
        for (index, target) in self.moves.iter().enumerate() {
            let pair = target.and_then(|it| own.get(it).copied().zip(poses.get_mut(it)));
            let Some((pose, target)) = pair else {
                continue;
            };
            let of_bone = sequence.weights.get(index).copied().unwrap_or(1.0);
            let weight = (of_bone * weight).clamp(0.0, 1.0);
            *target = match sequence.adds() {
                false => target.lerp(pose, weight),
                true => added(*target, pose, weight, sequence.flags & TURNS_LAST != 0),
            };
        }
    }

    /// The poses of its own bones, of up to four animations of the grid.
    fn blended(&self, sequence: &Sequence, cycle: f32) -> Result<Vec<BonePose>, FormatError> {
        let [columns, rows] = sequence.grid;
        let column = |row: usize| {
            along(columns, sequence.step_at(0, 0.0), |column| {
                let at = row.saturating_mul(columns).saturating_add(column);
                self.one(sequence, at, cycle)
            })
        };
        along(rows, sequence.step_at(1, 0.0), column)
    }

    fn one(
        &self,
        sequence: &Sequence,
        at: usize,
        cycle: f32,
    ) -> Result<Vec<BonePose>, FormatError> {
        let number = sequence.animations.get(at).copied().map(usize::from);
        let found = number.and_then(|it| Some((it, self.motion.animations.get(it)?)));
        let Some((number, animation)) = found else {
            return Ok(Vec::new());
        };
        let last = animation.n_frames.saturating_sub(1) as f32;
        self.poses(number, sequence.adds(), cycle * last)
    }
}

/// Between two of `n` poses in a row; steps are counted from the first one.
fn along(
    n: usize,
    step: f32,
    mut pose: impl FnMut(usize) -> Result<Vec<BonePose>, FormatError>,
) -> Result<Vec<BonePose>, FormatError> {
    let at = step.clamp(0.0, n.saturating_sub(1) as f32);
    let mut poses = pose(at.floor() as usize)?;
    if at.fract() > 0.0 {
        let next = pose((at.floor() as usize).saturating_add(1))?;
        for (pose, next) in poses.iter_mut().zip(next) {
            *pose = pose.lerp(next, at.fract());
        }
    }
    Ok(poses)
}

/// A pose to which another one is added.
fn added(pose: BonePose, more: BonePose, weight: f32, turns_last: bool) -> BonePose {
    let turn = Quat::IDENTITY.lerp(more.rotation, weight);
    BonePose {
        position: pose.position + more.position * weight,
        rotation: match turns_last {
            true => pose.rotation * turn,
            false => turn * pose.rotation,
        },
    }
}
