//! The records of what moves a model. None of them is read further than its own bytes: what their offsets lead to is looked
//! up when a model is played, so a model with damaged sequences can still be shown at rest.

use crate::studio_file::PlainRow;
use ironlands_assets_core::record::Record;

/// Most animations of a sequence along one direction of its grid.
pub const MAX_BLENDS: usize = 16;

/// An animation: what bones do, frame by frame.
#[derive(Debug, Clone, PartialEq, Record)]
pub struct VtmbAnimation {
    /// Where its name is, from here.
    #[field("animation name")]
    pub name_offset: i32,
    /// Frames in a second.
    #[field("animation rate")]
    pub fps: f32,
    /// Kept as it is: whether a sequence loops is a flag of the sequence.
    #[field("animation flags")]
    pub flags: u32,
    /// Number of frames; 0 or less = none is stored.
    #[field("animation frames")]
    pub n_frames: i32,
    /// Number and offset of the records by which the whole model moves, 44 bytes each.
    #[field("animation movements")]
    pub movements: [i32; 2],
    /// Smallest and largest corner of what it reaches.
    #[field("animation bounds")]
    pub bounds: [[f32; 3]; 2],
    /// Where the channels of its bones are, from here: a [`BoneChannels`] for each bone.
    #[field("animation channels")]
    pub channels_offset: i32,
    /// Number and offset of rules of inverse kinematics, of which no file is known.
    #[field("animation rules")]
    pub rules: [i32; 2],
    /// Not used.
    #[field("animation")]
    pub unknown_3c: [u8; 12],
}

/// What an animation stores for a bone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct BoneChannels {
    /// How much it moves the bone, 0 to 1.
    #[field("bone weight")]
    pub weight: f32,
    /// Where the numbers of x, y and z of its place and of x, y, z and w of its turn are, from here; 0 = it has none.
    #[field("bone channel")]
    pub offsets: [i32; 7],
}

/// A sequence: a named motion.
#[derive(Debug, Clone, PartialEq, Record)]
pub struct VtmbSequence {
    /// Where its name is, from here.
    #[field("sequence name")]
    pub name_offset: i32,
    /// Where the name of its activity is, from here; 0 or less = it has none.
    #[field("sequence activity")]
    pub activity_offset: i32,
    /// 0x1 it loops, 0x4 it adds to another one, 0x10 what it adds is turned last.
    #[field("sequence flags")]
    pub flags: u32,
    /// Number of its activity, which the game sets.
    #[field("sequence activity number")]
    pub activity: i32,
    /// How often it is chosen among those of its activity.
    #[field("sequence activity weight")]
    pub activity_weight: i32,
    /// Number and offset of its events.
    #[field("sequence events")]
    pub events: [i32; 2],
    /// Smallest and largest corner of what it reaches.
    #[field("sequence bounds")]
    pub bounds: [[f32; 3]; 2],
    /// Number of its animations.
    #[field("sequence blends")]
    pub n_blends: i32,
    /// Numbers of animations: a row for each step of the first parameter, a column for each step of the second.
    #[field("sequence animations")]
    pub animations: [[i16; MAX_BLENDS]; MAX_BLENDS],
    /// Movements of blends.
    #[field("sequence movements")]
    pub unknown_238: i32,
    /// How many rows and columns of that are used.
    #[field("sequence grid")]
    pub grid: [i32; 2],
    /// Numbers of the pose parameters that both directions are blended by; -1 = none.
    #[field("sequence parameter")]
    pub parameters: [i32; 2],
    /// Values of both at the first animation.
    #[field("sequence start")]
    pub starts: [f32; 2],
    /// Values of both at the last one.
    #[field("sequence end")]
    pub ends: [f32; 2],
    /// Parent of parameters.
    #[field("sequence parent")]
    pub unknown_25c: i32,
    /// Number of its sequence group.
    #[field("sequence group")]
    pub group: i32,
    /// Seconds of fading; one number more than later versions have.
    #[field("sequence fading")]
    pub fade_times_secs: [f32; 3],
    /// Nodes of transitions at its start and end, and rules of these.
    #[field("sequence nodes")]
    pub nodes: [i32; 3],
    /// Phases of the gait at its start and end.
    #[field("sequence phases")]
    pub phases: [f32; 2],
    /// The frame at which it counts as finished.
    #[field("sequence last frame")]
    pub last_frame: f32,
    /// The sequence that follows.
    #[field("sequence next")]
    pub next_sequence: i32,
    /// A pose between both, and rules of inverse kinematics.
    #[field("sequence pose")]
    pub unknown_28c: [i32; 2],
    /// Number and offset of the numbers of sequences that it lays over itself. A number of 64 or more is a leftover of the
    /// compiler.
    #[field("sequence layers")]
    pub layers: [i32; 2],
    /// Nothing known.
    #[field("sequence rest")]
    pub unknown_29c: [u8; 28],
    /// The rank that a fighter needs, then numbers and offsets of what it hits and of how it throws back; the readers
    /// disagree here, see the module.
    #[field("sequence fighting")]
    pub fighting: [i32; 5],
    /// Distances at which a fighter chooses it.
    #[field("sequence distances")]
    pub distances: [f32; 2],
    /// Names and numbers of fighting, and a window of its length.
    #[field("sequence end of the record")]
    pub unknown_2d4: [u8; 40],
}

/// A group of sequences. All files have one, which is named `default`.
#[derive(Debug, Clone, PartialEq, Record)]
pub struct VtmbSequenceGroup {
    /// Where its label is, from here.
    #[field("sequence group label")]
    pub label_offset: i32,
    /// Where the name of its file is, from here; the file is this one.
    #[field("sequence group name")]
    pub name_offset: i32,
    /// Nothing known.
    #[field("sequence group")]
    pub unknown_08: [u8; 8],
}

/// What a game turns a bone by. No file is known that has one.
#[derive(Debug, Clone, PartialEq, Record)]
pub struct VtmbBoneController {
    /// Number of the bone; -1 = none.
    #[field("bone controller bone")]
    pub bone: i32,
    /// Which axis.
    #[field("bone controller type")]
    pub kind: i32,
    /// Its smallest value.
    #[field("bone controller start")]
    pub start: f32,
    /// Its largest value.
    #[field("bone controller end")]
    pub end: f32,
    /// Its value at rest.
    #[field("bone controller rest")]
    pub rest: i32,
    /// By which number a game sets it: 0 to 3, 4 = the mouth.
    #[field("bone controller input")]
    pub input: i32,
}

/// A number that a game sets, by which animations are blended.
#[derive(Debug, Clone, PartialEq, Record)]
pub struct VtmbPoseParameter {
    /// Where its name is, from here.
    #[field("pose parameter")]
    pub name_offset: i32,
    /// Kept as it is.
    #[field("pose parameter flags")]
    pub flags: u32,
    /// Its smallest value.
    #[field("pose parameter start")]
    pub start: f32,
    /// Its largest value.
    #[field("pose parameter end")]
    pub end: f32,
    /// After how much it begins again; 0 = never.
    #[field("pose parameter loop")]
    pub wraps: f32,
}

/// A further model whose sequences this one has, too.
#[derive(Debug, Clone, PartialEq, Record)]
pub struct VtmbIncludedModel {
    /// Where its path is, from here.
    #[field("included model")]
    pub path_offset: i32,
    /// The game sets it.
    #[field("included model state")]
    pub unknown_04: [i32; 3],
    /// Where 56 bytes for each bone are, from here; the game sets them.
    #[field("included model bones")]
    pub bones_offset: i32,
    /// For each of 24 pose parameters that of the including model, which the game sets; -1 = none.
    #[field("included model parameters")]
    pub pose_parameters: [i32; 24],
}

const _: () = assert!(VtmbAnimation::SIZE == 72 && VtmbSequence::SIZE == 764);
const _: () = assert!(BoneChannels::SIZE == 32 && VtmbIncludedModel::SIZE == 116);

impl PlainRow for VtmbAnimation {}
impl PlainRow for VtmbSequence {}
impl PlainRow for VtmbSequenceGroup {}
impl PlainRow for VtmbBoneController {}
impl PlainRow for VtmbPoseParameter {}
impl PlainRow for VtmbIncludedModel {}
