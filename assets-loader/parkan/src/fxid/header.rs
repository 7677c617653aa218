//! The head of an effect: how its time passes, and when it is shown.

use bitflags::bitflags;
use ironlands_assets_core::record::Record;
use serde::{Deserialize, Serialize};

/// The head, without the block count in front of it (56 bytes).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// See [`Header::time_mode`].
    #[field("time mode")]
    pub mode: u32,
    /// Seconds in which the effect time goes from 0 to 1.
    #[field("duration")]
    pub duration_secs: f32,
    /// Width of the range of a random number that is added to the effect time, with [`EffectFlags::JITTER`].
    #[field("time jitter")]
    pub time_jitter: f32,
    /// See [`Header::flags`].
    #[field("flags")]
    pub flag_bits: u32,
    /// Number of the graphics setting that turns it off; the second byte is a group of settings.
    #[field("setting")]
    pub setting: u32,
    /// Widths of the range of a random offset, with [`EffectFlags::OFFSET`]; zeros in all known files.
    #[field("random offset")]
    pub random_offset: [f32; 3],
    /// The point that must be in view, in the effect's frame.
    #[field("tested point")]
    pub tested_point: [f32; 3],
    /// Factors of the requested size.
    #[field("scale")]
    pub scale: [f32; 3],
}

/// What the effect time, 0 to 1, follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeMode {
    /// 0: it is 0 until the effect is started, which puts another mode in place of this one.
    Waiting,
    /// 1: it rises from 0 to 1 once.
    Once,
    /// 2: it rises again and again.
    Loop,
    /// 3: it falls from 1 to 0 once.
    Falling,
    /// 4, 16 and 17: the animation of a node of the owner; of the last two only while it rises, or falls.
    Channel,
    /// 5 to 8: the owner's speed, of all, as a share of its top speed; then along one axis each.
    Speed,
    /// 9 to 12: the owner's turn rate as a share of its greatest; then about one axis each.
    Spin,
    /// 13: what is left of 1 beside the value of the node that it hangs on.
    OneLessChannel,
    /// 14: what the owner has lost of its life.
    Damage,
    /// 15: the larger of speed and spin.
    SpeedOrSpin,
}

impl TimeMode {
    /// The mode of a word; `None` for one that no known file has.
    pub const fn from_word(word: u32) -> Option<Self> {
        Some(match word {
            0 => Self::Waiting,
            1 => Self::Once,
            2 => Self::Loop,
            3 => Self::Falling,
            4 | 16 | 17 => Self::Channel,
            5..=8 => Self::Speed,
            9..=12 => Self::Spin,
            13 => Self::OneLessChannel,
            14 => Self::Damage,
            15 => Self::SpeedOrSpin,
            _ => return None,
        })
    }
}

bitflags! {
    /// Flags of an effect. Others are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct EffectFlags: u32 {
        /// A random number is added to its time.
        const JITTER = 1;
        /// It is gone once its time is 1.
        const ENDS = 2;
        /// It stays where it began, whatever becomes of what it hangs on.
        const STAYS = 4;
        /// It begins at a random offset.
        const OFFSET = 8;
        /// It continues while the node that it hangs on is hidden.
        const RUNS_HIDDEN = 0x10;
        /// Its time rises to 1 and falls again.
        const PING_PONG = 0x20;
        /// It is off until something turns it on.
        const STARTS_OFF = 0x40;
        /// Its time is 0 while a switch of all effects is off.
        const HELD_WHILE_CLEAR = 0x80;
        /// Its time is 0 while a switch of all effects is on.
        const HELD_WHILE_SET = 0x100;
        /// Its time is multiplied by that of [`TimeMode::Once`].
        const TIMES_PROGRESS = 0x200;
        /// It is not drawn while its tested point is hidden.
        const IN_VIEW_ONLY = 0x400;
        /// Drawn in passes with an argument only, which all are.
        const MAIN_PASSES = 0x800;
        /// Bolts begin at a point that its owner names.
        const HAS_TARGET = 0x1000;
        /// Fog does not hide it.
        const NO_FOG = 0x2000;
        /// A second test for hidden nodes is left out.
        const NO_SECOND_TEST = 0x8000;
        /// Set in one known file; nothing reads it.
        const UNREAD = 0x1_0000;
    }
}

impl Header {
    /// What its time follows; `None` for a mode that no known file has.
    pub const fn time_mode(&self) -> Option<TimeMode> {
        TimeMode::from_word(self.mode)
    }

    /// Its flags, with those that are not known.
    pub const fn flags(&self) -> EffectFlags {
        EffectFlags::from_bits_retain(self.flag_bits)
    }
}
