//! The motions of a model: its own sequences and those of the models that it includes, ready to be played.
//!
//! Bones of included models move the bones of the same names.

mod layers;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use glam::{Quat, Vec3};

use self::layers::Layers;
use crate::mdl::Mdl;
use crate::mdl::motion::{BonePose, Decoder, LaidOver, Motion, Sequence};
use crate::studio_model::OpenFile;
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};

const FORMAT: &str = "mdl";
/// What the sequence that a model shows at first is for, and how its name begins.
const IDLE_ACTIVITY: &str = "ACT_IDLE";
const IDLE_NAME: &str = "idle";

/// Included models include further ones, as deep as games do.
const MAX_INCLUDED: usize = 64;
/// Poses of bones that are decoded when a model is opened.
const MAX_DECODED: usize = 1 << 21;
/// Sequence flag: what it adds is turned after the pose that it is added to.
const TURNS_LAST: u32 = 0x10;

/// All sequences that a model plays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudioMotion {
    /// Sequences in the order in which games number them.
    pub sequences: Vec<PlayedSequence>,
    sources: Vec<Source>,
    rest: Vec<Rest>,
    /// For each sequence what it lays over itself.
    layers: Vec<Layers>,
    /// What could not be read.
    pub findings: Vec<Finding>,
}

/// A sequence of the model or of one that it includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedSequence {
    source: usize,
    sequence: usize,
}

/// Where a bone is at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rest {
    parent: Option<usize>,
    pose: BonePose,
}

/// A model with sequences.
#[derive(Debug, Clone, PartialEq)]
struct Source {
    mdl: Mdl,
    motion: Motion,
    blocks: Vec<u8>,
    /// For each of its bones the one that it moves.
    moves: Vec<Option<usize>>,
}

impl StudioMotion {
    /// The sequences of a model whose path is given, with those of the models that it includes. What is missing or broken
    /// is a finding.
    pub fn open(path: &str, mdl: &Mdl, open: OpenFile<'_>) -> Self {
        let mut motion = Self {
            rest: mdl.bones.iter().map(Rest::new).collect(),
            ..Self::default()
        };
        let names: HashMap<String, usize> = (mdl.bones.iter().enumerate())
            .map(|(index, bone)| (bone.name.text().to_lowercase(), index))
            .collect();
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
                    Ok(Some(data)) => match Mdl::read(&data) {
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
    /// it as they can be. Layers are laid over it. Without such a sequence all bones are at rest.
    ///
    /// # Errors
    /// As [`Decoder::poses`].
    pub fn local_pose(&self, index: usize, frame: f32) -> Result<Vec<BonePose>, FormatError> {
        let last_frame = self.last_frame(index);
        let cycle = if last_frame > 0.0 {
            frame / last_frame
        } else {
            0.0
        };
        let mut poses = self.rest_pose();
        self.lay_over(index, LaidOver { weight: 1.0, cycle }, &mut poses)?;
        Ok(poses)
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

impl Rest {
    fn new(bone: &crate::mdl::Bone) -> Self {
        Self {
            parent: usize::try_from(bone.parent).ok(),
            pose: BonePose::at_rest(bone),
        }
    }
}

/// Whether a sequence is one by itself: it adds to no other, and its model has it.
fn is_motion(sequence: &Sequence) -> bool {
    !sequence.adds() && !sequence.is_declared()
}

impl Source {
    fn read(
        path: &str,
        mdl: Mdl,
        names: &HashMap<String, usize>,
        open: OpenFile<'_>,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        let motion = Motion::read(&mdl)?;
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
        let moves = mdl.bones.iter();
        let moves = moves.map(|bone| names.get(&bone.name.text().to_lowercase()).copied());
        let source = Self {
            moves: moves.collect(),
            motion,
            blocks,
            mdl,
        };
        // What is broken is known before it plays: each is decoded once, of hostile files only some.
        let n_decoded = MAX_DECODED.checked_div(source.mdl.bones.len()).unwrap_or(0);
        for animation in source.motion.animations.iter().take(n_decoded) {
            let last = animation.n_frames.saturating_sub(1) as f32;
            for frame in [0.0, last] {
                if let Err(error) = source.decoder().poses(animation, false, frame) {
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

    fn decoder(&self) -> Decoder<'_> {
        Decoder {
            mdl: &self.mdl,
            motion: &self.motion,
            blocks: &self.blocks,
        }
    }

    /// Puts the bones of the model to where a sequence has them.
    fn place(
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
    fn blend(&self, sequence: &Sequence, weight: f32, own: &[BonePose], poses: &mut [BonePose]) {
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
        let [by_column, by_row] = sequence
            .parameters
            .map(|it| it.map_or(0.0, |it| it.share_at(0.0)));
        let column = |row: usize| {
            along(columns, by_column, |column| {
                let at = row.saturating_mul(columns).saturating_add(column);
                self.one(sequence, at, cycle)
            })
        };
        along(rows, by_row, column)
    }

    fn one(
        &self,
        sequence: &Sequence,
        at: usize,
        cycle: f32,
    ) -> Result<Vec<BonePose>, FormatError> {
        let number = sequence.animations.get(at).copied().map(usize::from);
        let animation = number.and_then(|number| self.motion.animations.get(number));
        let Some(animation) = animation else {
            return Ok(Vec::new());
        };
        let last = animation.n_frames.saturating_sub(1) as f32;
        self.decoder()
            .poses(animation, sequence.adds(), cycle * last)
    }
}

/// Between two of some poses in a row, at a share of the way from the first to the last.
fn along(
    n: usize,
    share: f32,
    mut pose: impl FnMut(usize) -> Result<Vec<BonePose>, FormatError>,
) -> Result<Vec<BonePose>, FormatError> {
    let at = share * n.saturating_sub(1) as f32;
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
