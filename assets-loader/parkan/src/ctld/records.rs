//! The records of control data.

use serde::{Deserialize, Serialize};

use ironlands_assets_core::record::Record;

use super::Edition;
use crate::registry::ObjectRef;

/// How an object moves as a whole (108 bytes). Three numbers are one for each axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Acceleration.
    #[field("acceleration")]
    pub acceleration: [f32; 3],
    /// Never read.
    #[field("unknown_20")]
    pub unknown_20: [f32; 3],
    /// Top speed in units per second.
    #[field("top speed")]
    pub top_speed: [f32; 3],
    /// Greatest turn rate in radians per second.
    #[field("turn rate")]
    pub turn_rate: [f32; 3],
    /// How fast the hull rights itself.
    #[field("righting rate")]
    pub righting_rate: [f32; 3],
    /// Most that the body leans, in radians.
    #[field("greatest lean")]
    pub greatest_lean: [f32; 3],
    /// Milliseconds that it lasts when dead.
    #[field("remains time")]
    pub remains_ms: i32,
    /// 0 in nearly all known files.
    #[field("unknown_60")]
    pub unknown_60: [f32; 2],
    /// 0, 2 (it brakes on slopes) or 3 (it falls).
    #[field("movement mode")]
    pub movement_mode: i32,
    /// -1 by default.
    #[field("unknown_6c")]
    pub unknown_6c: f32,
    /// Steepest slope, in radians.
    #[field("slope")]
    pub slope_rad: f32,
    /// Bits that the mover tests.
    #[field("mover flags")]
    pub mover_flags: u32,
    /// -1 by default.
    #[field("unknown_78")]
    pub unknown_78: f32,
    /// Payload in kilograms.
    #[field("payload")]
    pub payload_kg: f32,
}

/// A state of motion (156 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateRecord {
    /// Which axes of velocity and spin have limits.
    #[field("limit flags")]
    pub limit_flags: u32,
    /// What kind of state it is.
    #[field("state flags")]
    pub flags: u32,
    /// What the lean about each axis follows, and a byte of padding.
    #[field("lean selectors")]
    pub lean_selectors: [u8; 4],
    /// First and last frame of the one pair that is blended, and of the other.
    #[field("frames")]
    pub frame_words: [u32; 4],
    /// Share of the second pair.
    #[field("blend base")]
    pub blend_base: f32,
    /// Milliseconds of a step; 0 for one whose length follows from speed and stride.
    #[field("step length")]
    pub step_word: u32,
    /// Least and greatest velocity.
    #[field("velocity limits")]
    pub velocity_limits: [[f32; 3]; 2],
    /// Least and greatest spin.
    #[field("spin limits")]
    pub spin_limits: [[f32; 3]; 2],
    /// Factor of the engine.
    #[field("engine factor")]
    pub engine_factor: f32,
    /// Filled in while the game runs; 0 in files.
    #[field("unknown_58")]
    pub unknown_58: [u32; 14],
    /// Group of actions that begins with it, or -1.
    #[field("action group")]
    pub action_group: i32,
    /// How often it may be used; -1 without end.
    #[field("use count")]
    pub use_count: i32,
    /// Code of the request that it needs; -1 for any.
    #[field("request code")]
    pub request_code: i32,
}

/// What of a body is on the ground in a state (16 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// Index of a control point.
    #[field("contact point")]
    pub point: i32,
    /// What it does.
    #[field("contact flags")]
    pub flags: u32,
    /// Group of actions when it lands, or -1.
    #[field("contact group")]
    pub action_group: i32,
    /// 0 in files.
    #[field("unknown_0c")]
    pub unknown_0c: i32,
}

/// An animated value from 0 to 1 that poses a node (36 bytes; 48 in the later edition).
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[record(layout = Edition)]
#[serde(deny_unknown_fields)]
pub struct ChannelRecord {
    /// Index of a node of the model.
    #[field("channel node")]
    pub node: i32,
    /// First and last frame.
    #[field("channel frames")]
    pub frames: [f32; 2],
    /// First and last frame of another animation.
    #[field("second frames", if = layout == Edition::Later)]
    pub second_frames: [f32; 2],
    /// Share of that.
    #[field("channel blend", if = layout == Edition::Later)]
    pub blend: f32,
    /// The value at first.
    #[field("initial value")]
    pub initial: f32,
    /// Indices of two control points, or -1.
    #[field("channel points")]
    pub points: [i32; 2],
    /// Change per second.
    #[field("channel rate")]
    pub rate: f32,
    /// Radians from 0 to 1.
    #[field("channel span")]
    pub span_rad: f32,
    /// 1 wraps, 2 is inverted, 4 is not driven, 8 belongs to the turret, 0x40 follows the channel before.
    #[field("channel flags")]
    pub flags: u32,
}

/// A component without its lists (172 bytes; 176 in the later edition).
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[record(layout = Edition)]
#[serde(deny_unknown_fields)]
pub struct ComponentRecord {
    /// What sort of device it is, 1 to 30.
    #[field("component class")]
    pub class: i32,
    /// Index of a node of the model.
    #[field("component node")]
    pub node: i32,
    /// By class.
    #[field("component flags")]
    pub flags: u32,
    /// Group of actions when it works once, or -1.
    #[field("component group")]
    pub action_group: i32,
    /// Groups of actions when it begins and ceases to work, or -1.
    #[field("working groups")]
    pub working_groups: [i32; 2],
    /// -1 by default.
    #[field("initial state")]
    pub initial_state: i32,
    /// Kilograms.
    #[field("component mass")]
    pub mass_kg: f32,
    /// What it takes or gives per second.
    #[field("component power")]
    pub power: f32,
    /// Weights of its inputs.
    #[field("input weights")]
    pub input_weights: [f32; 2],
    /// Of unknown meaning.
    #[field("unknown_2c", if = layout == Edition::Later)]
    pub unknown_2c: u32,
    /// By class.
    #[field("component values")]
    pub values: [f32; 16],
    /// What it sends out.
    #[field]
    pub emits: ObjectRef,
}

/// An action with what it depends on (100 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// How the conditions are joined, and where a switch opens and closes.
    #[field("action flags")]
    pub flags: u32,
    /// Which conditions count.
    #[field("condition mask")]
    pub condition_mask: u32,
    /// Which of them are inverted.
    #[field("condition inversion")]
    pub condition_inversion: u32,
    /// What it does.
    #[field("action")]
    pub action: u32,
    /// With which numbers.
    #[field("action values")]
    pub values: [i32; 4],
    /// Not read.
    #[field("unknown_20")]
    pub unknown_20: i32,
    /// With which entry of an archive.
    #[field]
    pub resource: ObjectRef,
}

impl Action {
    /// Creates an effect on a node; values: node, id.
    pub const EFFECT_ON_NODE: u32 = 3;
    /// Creates an effect on three control points; values: the points, id.
    pub const EFFECT_ON_POINTS: u32 = 4;
    /// Deletes an effect; values: id.
    pub const DELETE_EFFECT: u32 = 8;
    /// Starts an effect; values: id, time mode.
    pub const START_EFFECT: u32 = 10;
    /// Turns an effect on; values: id.
    pub const EFFECT_ON: u32 = 18;
    /// Turns an effect off; values: id.
    pub const EFFECT_OFF: u32 = 19;
}
