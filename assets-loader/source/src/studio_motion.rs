//! The motions of a model: its own sequences and those of the models that it includes, ready to be played.
//!
//! Bones of included models move the bones of the same names.

mod layers;
mod source;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use glam::{Quat, Vec3};

use self::layers::Layers;
use self::source::{Rest, Source, bone_names};
use crate::mdl::Mdl;
use crate::mdl::motion::{BonePose, LaidOver, Sequence};
use crate::studio_model::{AnyMdl, OpenFile};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};

const FORMAT: &str = "mdl";
/// What the sequence that a model shows at first is for, and how its name begins.
const IDLE_ACTIVITY: &str = "ACT_IDLE";
const IDLE_NAME: &str = "idle";

/// Included models include further ones, as deep as games do.
const MAX_INCLUDED: usize = 64;
/// Keys of bones in the animations that are decoded when a model is opened: the last frame may be behind all others.
const MAX_DECODED: usize = 1 << 23;

/// All sequences that a model plays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudioMotion {
    /// Sequences in the order in which games number them.
    pub sequences: Vec<PlayedSequence>,
    sources: Vec<Source>,
    rest: Vec<Rest>,
    /// For each sequence what it lays over itself.
    layers: Vec<Layers>,
    /// Sequences that are laid over all others.
    always: Vec<usize>,
    /// What could not be read.
    pub findings: Vec<Finding>,
}

/// A sequence of the model or of one that it includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedSequence {
    source: usize,
    sequence: usize,
}

impl StudioMotion {
    /// The sequences of a model whose path is given, with those of the models that it includes. What is missing or broken
    /// is a finding.
    pub fn open(path: &str, mdl: &Mdl, open: OpenFile<'_>) -> Self {
        Self::open_any(path, &AnyMdl::Source(Box::new(mdl.clone())), open)
    }

    /// As [`Self::open`], of a model of any version.
    pub(crate) fn open_any(path: &str, mdl: &AnyMdl, open: OpenFile<'_>) -> Self {
        let mut motion = Self {
            rest: Rest::from_model(mdl),
            ..Self::default()
        };
        let names = bone_names(mdl).into_iter().zip(0..);
        let names: HashMap<String, usize> = names.collect();
        let mut seen = HashSet::from([path.to_lowercase()]);
        let mut known = HashMap::new();
        let mut waiting = vec![(path.to_owned(), mdl.clone())];
        while let Some((path, mdl)) = waiting.pop() {
            let source = match Source::read(&path, mdl, &names, open) {
                Ok((source, findings)) => {
                    motion.findings.extend(findings);
                    source
                }
                Err(error) => {
                    motion.find(Severity::Error, format!("{path}: {error}"));
                    continue;
                }
            };
            let includes = source.motion.includes.clone();
            motion.add_source(source, &mut known);
            // The first of them is the next to be read.
            for include in includes.into_iter().rev() {
                if seen.len() >= MAX_INCLUDED || !seen.insert(include.to_lowercase()) {
                    continue;
                }
                match open(&include) {
                    Ok(Some(data)) => match AnyMdl::read(&data) {
                        Ok(mdl) => waiting.push((include, mdl)),
                        Err(error) => motion.find(Severity::Error, format!("{include}: {error}")),
                    },
                    Ok(None) => motion.find(
                        Severity::Warning,
                        format!("{include} is missing; its sequences cannot be played"),
                    ),
                    Err(reason) => motion.find(Severity::Error, format!("{include}: {reason}")),
                }
            }
        }
        motion.resolve_layers(&known);
        motion.resolve_always();
        motion
    }

    /// Adds the sequences of a model to those that are `known` by their names in lower case.
    fn add_source(&mut self, source: Source, known: &mut HashMap<String, usize>) {
        for (sequence, row) in source.motion.sequences.iter().enumerate() {
            let played = PlayedSequence {
                source: self.sources.len(),
                sequence,
            };
            let number = *known
                .entry(row.name.to_lowercase())
                .or_insert(self.sequences.len());
            // The first of a name is played, but for one that is only declared, for a later one.
            let is_declared = self.sequence(number).is_some_and(Sequence::is_declared);
            match self.sequences.get_mut(number) {
                Some(place) if is_declared => *place = played,
                Some(_) => {}
                None => self.sequences.push(played),
            }
        }
        self.sources.push(source);
    }

    fn find(&mut self, severity: Severity, message: String) {
        self.findings.push(Finding::new(severity, FORMAT, message));
    }

    /// A sequence in words, with what it lays over itself.
    pub fn facts(&self, index: usize) -> String {
        let played = self.sequences.get(index);
        let source = played.and_then(|played| Some((self.sources.get(played.source)?, played)));
        source.map_or_else(String::new, |(source, played)| {
            source.motion.facts(played.sequence)
        })
    }

    /// What a file says of a sequence.
    pub fn sequence(&self, index: usize) -> Option<&Sequence> {
        let PlayedSequence { source, sequence } = *self.sequences.get(index)?;
        self.sources.get(source)?.motion.sequences.get(sequence)
    }

    /// The sequence of a name, in upper or lower case.
    pub fn sequence_named(&self, name: &str) -> Option<usize> {
        self.find_sequence(|it| it.name.eq_ignore_ascii_case(name.trim()))
    }

    /// The sequence that a model shows while nothing else is to be played; the first one if none is for that.
    pub fn idle(&self) -> Option<usize> {
        let is_named = |it: &Sequence| it.name.to_lowercase().starts_with(IDLE_NAME);
        self.find_sequence(|it| is_motion(it) && it.activity == IDLE_ACTIVITY)
            .or_else(|| self.find_sequence(|it| is_motion(it) && is_named(it)))
            .or_else(|| self.find_sequence(is_motion))
    }

    /// All sequences that are for doing nothing.
    pub fn idles(&self) -> Vec<usize> {
        let is_it = |it: &Sequence| is_motion(it) && it.activity == IDLE_ACTIVITY;
        let all = 0..self.sequences.len();
        all.filter(|&index| self.sequence(index).is_some_and(is_it))
            .collect()
    }

    fn find_sequence(&self, is_it: impl Fn(&Sequence) -> bool) -> Option<usize> {
        let mut all = 0..self.sequences.len();
        all.find(|&index| self.sequence(index).is_some_and(&is_it))
    }

    /// Whether any of its sequences has more than one frame.
    pub fn moves(&self) -> bool {
        let mut all = 0..self.sequences.len();
        all.any(|index| self.last_frame(index) > 0.0)
    }

    /// Seconds from the first frame of a sequence to its last.
    pub fn length_secs(&self, index: usize) -> f64 {
        let secs = f64::from(self.last_frame(index)) / f64::from(self.fps(index));
        if secs.is_finite() { secs.max(0.0) } else { 0.0 }
    }

    /// The last frame of a sequence: of its longest animation.
    pub fn last_frame(&self, index: usize) -> f32 {
        let frames = self.animations_of(index).map(|it| it.n_frames);
        frames.max().unwrap_or(1).saturating_sub(1) as f32
    }

    /// Frames in a second of a sequence: of its first animation.
    pub fn fps(&self, index: usize) -> f32 {
        self.animations_of(index).next().map_or(0.0, |it| it.fps)
    }

    fn animations_of(&self, index: usize) -> impl Iterator<Item = &crate::mdl::motion::Animation> {
        let played = self.sequences.get(index);
        let source = played.and_then(|it| self.sources.get(it.source));
        let numbers = self.sequence(index).map(|it| &it.animations[..]);
        let numbers = numbers.unwrap_or_default().iter();
        numbers.filter_map(move |number| source?.motion.animations.get(usize::from(*number)))
    }

    /// Where all bones of the model are at rest, in the space of the model.
    pub fn at_rest(&self) -> Vec<(Quat, Vec3)> {
        self.in_model(&self.rest_pose())
    }

    /// Where all bones of the model are at rest, below their parents.
    pub fn rest_pose(&self) -> Vec<BonePose> {
        let mut poses = self.base_pose();
        self.turn_below_parents(&mut poses);
        poses
    }

    /// Where all bones of the model are at rest, as sequences have them.
    fn base_pose(&self) -> Vec<BonePose> {
        self.rest.iter().map(|it| it.pose).collect()
    }

    /// Where all bones of the model are at a frame of a sequence, in the space of the model: its turn and its place.
    ///
    /// # Errors
    /// As [`Self::local_pose`].
    pub fn pose(&self, index: usize, frame: f32) -> Result<Vec<(Quat, Vec3)>, FormatError> {
        Ok(self.in_model(&self.local_pose(index, frame)?))
    }

    /// Where all bones of the model are below their parents at a frame of a sequence. Pose parameters are 0, or as near to
    /// it as they can be. Layers are laid over it, and what plays always. Without such a sequence all bones are at rest.
    ///
    /// # Errors
    /// As [`Decoder::poses`](crate::mdl::motion::Decoder::poses) and
    /// [`VtmbMdl::poses`](crate::vtmb_mdl::VtmbMdl::poses).
    pub fn local_pose(&self, index: usize, frame: f32) -> Result<Vec<BonePose>, FormatError> {
        let last_frame = self.last_frame(index);
        let cycle = if last_frame > 0.0 {
            frame / last_frame
        } else {
            0.0
        };
        if self.sequence(index).is_none() {
            return Ok(self.rest_pose());
        }
        let mut poses = self.base_pose();
        let time_secs = frame / self.fps(index);
        let time_secs = if time_secs.is_finite() {
            time_secs
        } else {
            0.0
        };
        let at = LaidOver { weight: 1.0, cycle };
        self.lay_over(index, (at, time_secs), &mut poses)?;
        self.lay_always_over(index, time_secs, &mut poses)?;
        self.turn_below_parents(&mut poses);
        Ok(poses)
    }

    /// Turns bones below their parents that sequences turn in the space of the model.
    fn turn_below_parents(&self, poses: &mut [BonePose]) {
        if !self.rest.iter().any(|it| it.turns_in_model) {
            return;
        }
        let mut turns: Vec<Quat> = Vec::with_capacity(poses.len());
        for (pose, rest) in poses.iter_mut().zip(&self.rest) {
            let parent = rest.parent.and_then(|parent| turns.get(parent).copied());
            let parent = parent.unwrap_or(Quat::IDENTITY);
            if rest.turns_in_model {
                pose.rotation = (parent.inverse() * pose.rotation).normalize();
            }
            turns.push((parent * pose.rotation).normalize());
        }
    }

    fn in_model(&self, poses: &[BonePose]) -> Vec<(Quat, Vec3)> {
        let mut placed: Vec<(Quat, Vec3)> = Vec::with_capacity(poses.len());
        for (pose, rest) in poses.iter().zip(&self.rest) {
            let parent = rest.parent.and_then(|parent| placed.get(parent).copied());
            let (turn, place) = parent.unwrap_or((Quat::IDENTITY, Vec3::ZERO));
            placed.push((
                (turn * pose.rotation).normalize(),
                place + turn * pose.position,
            ));
        }
        placed
    }
}

/// Whether a sequence is one by itself: it adds to no other, and its model has it.
fn is_motion(sequence: &Sequence) -> bool {
    !sequence.adds() && !sequence.is_declared()
}
