//! What moves a model: animations, which say what bones do in each frame, and sequences, which blend animations by the
//! parameters of a pose and lay further sequences over them. They are read from the bytes that an [`Mdl`] keeps, when a
//! model is shown.
//!
//! Deliberately absent: inverse kinematics, local hierarchies, and the movement of the whole model along an animation.

mod decode;
mod frames;
mod layers;
mod packed;
mod records;
#[cfg(any(test, feature = "fixtures"))]
pub mod sample;
#[cfg(test)]
mod tests;

pub(crate) use decode::between_frames;
pub use decode::{BonePose, Decoder};
pub use layers::{LaidOver, SequenceLayer};

use std::fmt;

use super::{FORMAT, Mdl};
use crate::studio_file::File;
use ironlands_assets_core::bytes::FormatError;

/// Sequence flags.
const LOOPS: u32 = 0x1;
const ADDS: u32 = 0x4;
const PLAYS_ALWAYS: u32 = 0x8;
const CYCLES_BY_PARAMETER: u32 = 0x80;
const CYCLES_BY_TIME: u32 = 0x100;
const HAS_LOCAL_LAYERS: u32 = 0x200;
const DECLARED: u32 = 0x800;

/// All that moves a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Motion {
    /// Animations in file order.
    pub animations: Vec<Animation>,
    /// Sequences in file order.
    pub sequences: Vec<Sequence>,
    /// What blends are chosen by.
    pub pose_parameters: Vec<PoseParameter>,
    /// Paths of further models whose sequences this one has, too, as in `models/humans/male_shared.mdl`.
    pub includes: Vec<String>,
    /// Path of the file of animation blocks; empty = none.
    pub block_file: String,
    /// Where each animation block begins and ends in that file.
    blocks: Vec<[i32; 2]>,
}

/// What bones do, frame by frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Animation {
    /// Its name; one that is generated begins with `@`.
    pub name: String,
    /// Frames in a second.
    pub fps: f32,
    /// As stored.
    pub flags: u32,
    /// At least 1.
    pub n_frames: usize,
    /// Where its frames stand: all in one place, or a place for each run of frames.
    places: Vec<Place>,
    /// Frames of a run; 0 = all.
    section_frames: usize,
    /// Whether it is stored frame by frame, as version 49 can have it.
    is_frame_by_frame: bool,
}

/// A place in the file itself or in an animation block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    /// 0 = the file itself.
    block: i32,
    /// From its start.
    offset: i64,
}

/// A named motion of a model, as its game plays it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sequence {
    /// Its name, as in `walk_all`.
    pub name: String,
    /// What it is for, as in `ACT_WALK`; empty = nothing.
    pub activity: String,
    /// As stored.
    pub flags: u32,
    /// Animations to blend: columns by the first parameter, rows by the second.
    pub grid: [usize; 2],
    /// Row after row; numbers of animations.
    pub animations: Vec<u16>,
    /// For both parameters which it is, and its values at both ends; `None` = not blended.
    pub parameters: [Option<BlendParameter>; 2],
    /// For both parameters its values at all animations of a row or column; empty = in equal steps between both ends.
    pub pose_keys: [Vec<f32>; 2],
    /// Number of the pose parameter that says where it is, which counts with flag 0x80 only.
    pub cycle_parameter: Option<usize>,
    /// What happens while it plays, in file order.
    pub events: Vec<SequenceEvent>,
    /// Sequences that it lays over itself, in file order.
    pub layers: Vec<SequenceLayer>,
    /// How much it moves each bone, 0 to 1.
    pub weights: Vec<f32>,
}

/// What one direction of a grid is blended by.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BlendParameter {
    /// Number of the pose parameter.
    pub parameter: usize,
    /// Its value at the first animation.
    pub start: f32,
    /// Its value at the last one.
    pub end: f32,
}

/// Something that happens while a sequence plays, such as a sound.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SequenceEvent {
    /// When, as a share of the sequence.
    pub cycle: f32,
    /// Its number, of old events.
    pub number: i32,
    /// Its name, of new ones, as in `AE_CL_PLAYSOUND`; empty = none.
    pub name: String,
    /// Parameters, as in `NPC_Citizen.FootstepLeft`.
    pub options: String,
}

/// A number that a game sets, by which animations are blended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PoseParameter {
    /// Its name, as in `move_yaw`.
    pub name: String,
    /// As stored.
    pub flags: u32,
    /// Its smallest value.
    pub start: f32,
    /// Its largest value.
    pub end: f32,
    /// After how much it begins again; 0 = never.
    pub wraps: f32,
}

impl Animation {
    /// An animation whose frames its own format has.
    pub(crate) fn new(name: String, fps: f32, flags: u32, n_frames: usize) -> Self {
        Self {
            name,
            fps,
            flags,
            n_frames,
            ..Self::default()
        }
    }
}

impl BlendParameter {
    /// Where a value lies between both ends, 0 to 1.
    pub fn share_at(&self, value: f32) -> f32 {
        share_between([self.start, self.end], value)
    }
}

fn share_between([start, end]: [f32; 2], value: f32) -> f32 {
    let share = (value - start) / (end - start);
    // Also where both ends are one.
    if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Where a value lies among values of a pose parameter, as [`Sequence::step_at`].
fn step_among(keys: &[f32], value: f32) -> f32 {
    let spans = keys.array_windows().enumerate();
    let mut step = 0.0;
    for (index, [start, end]) in spans {
        let share = (value - start) / (end - start);
        // Two animations at one value.
        if !share.is_finite() {
            continue;
        }
        step = index as f32 + share.clamp(0.0, 1.0);
        if share <= 1.0 {
            break;
        }
    }
    step
}

impl PoseParameter {
    /// Where a value lies between both ends, 0 to 1.
    pub fn share_at(&self, value: f32) -> f32 {
        share_between([self.start, self.end], value)
    }

    /// The value that it can have that is nearest to this one.
    pub fn nearest_to(&self, value: f32) -> f32 {
        let (start, end) = (self.start, self.end);
        value.max(start.min(end)).min(start.max(end))
    }
}

impl Sequence {
    /// Where the value of the parameter of a direction lies among its animations: 0 at the first one, 1 at the second.
    pub fn step_at(&self, axis: usize, value: f32) -> f32 {
        let Some(parameter) = self.parameters.get(axis).copied().flatten() else {
            return 0.0;
        };
        let last = self.grid.get(axis).map_or(0, |n| n.saturating_sub(1)) as f32;
        let keys = self.pose_keys.get(axis).map(Vec::as_slice);
        match keys.unwrap_or_default() {
            [] | [_] => parameter.share_at(value) * last,
            keys => step_among(keys, value),
        }
    }

    /// Whether it starts again at its end.
    pub fn loops(&self) -> bool {
        self.flags & LOOPS != 0
    }

    /// Whether it is laid over all others, all the time.
    pub fn plays_always(&self) -> bool {
        self.flags & PLAYS_ALWAYS != 0 && !self.is_declared()
    }

    /// Whether a pose parameter says where it is, not the time.
    pub fn cycles_by_parameter(&self) -> bool {
        self.flags & CYCLES_BY_PARAMETER != 0
    }

    /// Whether it is where the time of the game says, not where the sequence is that lays it over itself.
    pub fn cycles_by_time(&self) -> bool {
        self.flags & CYCLES_BY_TIME != 0 && !self.cycles_by_parameter()
    }

    /// Whether it adds to another motion, and is none by itself.
    pub fn adds(&self) -> bool {
        self.flags & ADDS != 0
    }

    /// Whether layers are laid over it before it is blended with what plays below it.
    pub fn has_local_layers(&self) -> bool {
        self.flags & HAS_LOCAL_LAYERS != 0
    }

    /// Whether it is only a name, for a sequence that an included model has.
    pub fn is_declared(&self) -> bool {
        self.flags & DECLARED != 0
    }
}

/// Its name, what it is for, what it blends, and what happens in it.
impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [columns, rows] = self.grid;
        write!(f, "{}", self.name)?;
        for part in [
            Some(&*self.activity)
                .filter(|it| !it.is_empty())
                .map(str::to_owned),
            (self.animations.len() > 1).then(|| format!("blends {columns} x {rows} animations")),
            self.loops().then(|| "loops".to_owned()),
            (self.plays_always()).then(|| "is laid over all others".to_owned()),
            self.adds().then(|| "adds to another sequence".to_owned()),
        ]
        .into_iter()
        .flatten()
        .chain(self.events.iter().map(SequenceEvent::to_string))
        {
            write!(f, ", {part}")?;
        }
        Ok(())
    }
}

/// As in `at 0.50: AE_STEP left`.
impl fmt::Display for SequenceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            cycle,
            number,
            name,
            options,
        } = self;
        match name.as_str() {
            "" => write!(f, "at {cycle:.2}: event {number}")?,
            name => write!(f, "at {cycle:.2}: {name}")?,
        }
        match options.as_str() {
            "" => Ok(()),
            options => write!(f, " {options}"),
        }
    }
}

impl Motion {
    /// Reads all that moves a model. What is in animation blocks is read when it is decoded.
    ///
    /// # Errors
    /// Tables that do not lie in the file or share their bytes many times, and numbers that lead nowhere.
    pub fn read(mdl: &Mdl) -> Result<Self, FormatError> {
        records::read(&File::new(FORMAT, &mdl.image), mdl)
    }
}
