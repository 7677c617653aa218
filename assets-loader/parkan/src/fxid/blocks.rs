//! The blocks of an effect: what each of them emits, and when.

use ironlands_assets_core::record::Record;

use crate::registry::ObjectRef;
use serde::{Deserialize, Serialize};

/// From the beginning of an effect to its end, as shares of its time.
pub type Window = [f32; 2];

/// A number that goes from one value to another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// At progress 0.
    #[field]
    pub low: f32,
    /// At progress 1.
    #[field]
    pub high: f32,
    /// Of the progress.
    #[field]
    pub exponent: f32,
}

/// Three numbers that go from one value to another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Channel {
    /// At progress 0.
    #[field]
    pub low: [f32; 3],
    /// At progress 1.
    #[field]
    pub high: [f32; 3],
    /// Of the progress.
    #[field]
    pub exponent: [f32; 3],
}

/// Three numbers that go from one value to another, which differs from particle to particle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpreadChannel {
    /// At birth.
    #[field]
    pub low: [f32; 3],
    /// At the end.
    #[field]
    pub high: [f32; 3],
    /// Width of the range that the end is from.
    #[field]
    pub jitter: [f32; 3],
    /// Of the age.
    #[field]
    pub exponent: [f32; 3],
}

/// Type 1: a light.
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Light {
    /// 1 to 7; 2 and 5 light the ground, 3 is directional.
    #[field("light kind")]
    pub kind: u32,
    /// When it shines.
    #[field("window")]
    pub window: Window,
    /// Where it is at the window's beginning and end.
    #[field("position")]
    pub position: [[f32; 3]; 2],
    /// Its direction likewise.
    #[field("direction")]
    pub direction: [[f32; 3]; 2],
    /// Red, green, blue and alpha likewise; may be above 1.
    #[field("color")]
    pub color: [[f32; 4]; 2],
    /// Width of the range of what is added to the color.
    #[field("color jitter")]
    pub color_jitter: [f32; 4],
    /// How far it reaches likewise.
    #[field("range")]
    pub range: [f32; 2],
    /// Width of the range of what is added to the range.
    #[field("range jitter")]
    pub range_jitter: f32,
    /// Terms of its attenuation, which nothing that is drawn reads.
    #[field("attenuation")]
    pub attenuation: [f32; 3],
    /// Kept.
    #[field("unknown_88")]
    pub unknown_88: [u32; 6],
    /// A material, in known files `r_lightray_w` or none.
    #[field]
    pub material: ObjectRef,
}

/// Type 2: a sound.
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sound {
    /// 0 and 1: once, when the time passes the window's beginning; 2 and 3: in a loop within the window.
    #[field("sound kind")]
    pub kind: u32,
    /// When it is heard.
    #[field("window")]
    pub window: Window,
    /// Where it is at the window's beginning and end.
    #[field("position")]
    pub position: [[f32; 3]; 2],
    /// Its direction likewise.
    #[field("direction")]
    pub direction: [[f32; 3]; 2],
    /// Within the first of these distances it is full, beyond the second a sound that plays once stops.
    #[field("distances")]
    pub distances: [f32; 2],
    /// Factor of the playback rate at the window's beginning and end.
    #[field("rate")]
    pub rate: [f32; 2],
    /// Mode of the sound device; 0 in all known files.
    #[field("device mode")]
    pub device_mode: u32,
    /// The sound, as in `sounds.lib`.
    #[field]
    pub sound: ObjectRef,
}

/// Types 3, 4 and 9: a sprite, whose progress is that of the effect through the window.
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprite {
    /// Not used for drawing.
    #[field("sprite mode")]
    pub mode: u32,
    /// Where it stands in the material's animation, in lengths of that. A beginning below 0 counts seconds.
    #[field("phase")]
    pub phase: Ramp,
    /// Its alpha.
    #[field("fade")]
    pub fade: Ramp,
    /// When it is there.
    #[field("window")]
    pub window: Window,
    /// Where it is.
    #[field("position")]
    pub position: Channel,
    /// Its direction at the window's beginning and end.
    #[field("direction")]
    pub direction: [[f32; 3]; 2],
    /// Toward the eye, to the side, and up.
    #[field("size")]
    pub size: Channel,
    /// What it is drawn with.
    #[field]
    pub material: ObjectRef,
}

/// Type 5: a bolt.
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bolt {
    /// Its alpha at the window's beginning and end.
    #[field("fade")]
    pub fade: [f32; 2],
    /// When it is there.
    #[field("window")]
    pub window: Window,
    /// In how many sprites it is drawn at most.
    #[field("sprite count")]
    pub n_sprites: u32,
    /// Its width at the window's beginning and end.
    #[field("width")]
    pub width: [f32; 2],
    /// Length that its picture covers once, in world units.
    #[field("repeat length")]
    pub repeat_length: f32,
    /// Length of a sprite of it.
    #[field("segment length")]
    pub segment_length: f32,
    /// Where it stands in the material's animation at the window's beginning and end.
    #[field("phase")]
    pub phase: [f32; 2],
    /// What it is drawn with.
    #[field]
    pub material: ObjectRef,
}

/// Types 7 and 10: particles that are born in groups.
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Burst {
    /// 0 and 1, of solid bits 16 and 32.
    #[field("burst mode")]
    pub mode: u32,
    /// Alpha over the life of a particle.
    #[field("fade")]
    pub fade: Ramp,
    /// When they are born.
    #[field("window")]
    pub window: Window,
    /// How long a particle lives.
    #[field("life span")]
    pub life_secs: f32,
    /// Up to 1: the age at which the material's animation ends; above 1: how often it plays in a life.
    #[field("phase rate")]
    pub phase_rate: f32,
    /// Groups.
    #[field("group count")]
    pub n_groups: u32,
    /// Particles of a group.
    #[field("particle count")]
    pub n_particles: u32,
    /// Where a particle is.
    #[field("position")]
    pub position: SpreadChannel,
    /// Toward the eye, to the side, and up.
    #[field("size")]
    pub size: SpreadChannel,
    /// A factor of drag or gravity; which is not known.
    #[field("unknown_8c")]
    pub unknown_8c: f32,
    /// What they are drawn with.
    #[field]
    pub material: ObjectRef,
}

/// Type 8: particles that are born one after the other, and stay where they are when the effect moves on.
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// Alpha over the life of a particle.
    #[field("fade")]
    pub fade: Ramp,
    /// When they are born.
    #[field("window")]
    pub window: Window,
    /// Seconds from one particle to the next at the window's beginning and end.
    #[field("interval")]
    pub interval_secs: [f32; 2],
    /// Exponent of the age that gives the place in the material's animation; below 0 that place is random.
    #[field("phase exponent")]
    pub phase_exponent: f32,
    /// How many particles there are at most: each lives as many intervals.
    #[field("particle count")]
    pub n_particles: u32,
    /// A channel that is not drawn; kept.
    #[field("unknown_28")]
    pub unknown_28: SpreadChannel,
    /// Where a particle is.
    #[field("position")]
    pub position: SpreadChannel,
    /// Toward the eye, to the side, and up.
    #[field("size")]
    pub size: SpreadChannel,
    /// What they are drawn with.
    #[field]
    pub material: ObjectRef,
}

/// What type 4 adds to a sprite.
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glow {
    /// The sprite.
    #[field]
    pub sprite: Sprite,
    /// Within this distance of the eye, in the effect's frame, its progress counts less in proportion.
    #[field("full distance")]
    pub full_distance: f32,
}

/// What type 9 adds to a sprite: it is half a ball around +z.
#[derive(Debug, Clone, Copy, PartialEq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dome {
    /// The sprite.
    #[field]
    pub sprite: Sprite,
    /// 0 to 2; see [`Dome::grid`].
    #[field("fineness")]
    pub fineness: u32,
    /// 0 adds a bit of unknown meaning to how it is drawn.
    #[field("unknown_cc")]
    pub unknown_cc: u32,
}

impl Dome {
    /// Segments around and rings up; `None` for a number that no known file has.
    pub const fn grid(&self) -> Option<[u32; 2]> {
        match self.fineness {
            0 => Some([8, 3]),
            1 => Some([16, 6]),
            2 => Some([24, 9]),
            _ => None,
        }
    }
}
