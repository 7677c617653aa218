//! MAT0: a material of phases and animations (dossier section 9.5).

/// A material. `version` is the entry's attr2 in the archive and decides which fields are stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Mat0 {
    /// Entry attr2: 6 in all known files.
    pub version: u32,
    /// D3DBLEND code, 255 = none; stored from version 2 on.
    pub source_blend: u8,
    /// D3DBLEND code, 255 = none; stored from version 2 on.
    pub destination_blend: u8,
    /// Alpha multiplier; stored from version 3 on, else 1.
    pub alpha_multiplier: f32,
    /// Emissive intensity; stored from version 4 on, else 0.
    pub emissive_intensity: f32,
    /// Phases; the first is the material at rest.
    pub phases: Vec<Phase>,
    /// Animation blocks, fewer than 20.
    pub animations: Vec<Animation>,
}

/// One state of a material (34 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phase {
    /// Ambient r g b over 255; the fourth is alpha times 0.01.
    pub ambient: [u8; 4],
    /// Diffuse r g b a over 255.
    pub diffuse: [u8; 4],
    /// Specular r g b a over 255.
    pub specular: [u8; 4],
    /// Emissive r g b a over 255.
    pub emissive: [u8; 4],
    /// Specular power.
    pub power: u8,
    /// Texture stage, 255 = none.
    pub texture_stage: u8,
    /// Texture name, NUL optional; all 16 bytes kept.
    pub texture: [u8; 16],
}

/// One animation block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Animation {
    /// Low 3 bits: mode (0 loop, 1 ping-pong, 2 clamp, 3 random); the rest: mask of what is interpolated.
    pub head: u32,
    /// Keys.
    pub keys: Vec<AnimationKey>,
}

/// One key of an animation (6 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnimationKey {
    /// Phase index.
    pub stage: u16,
    /// Duration in milliseconds.
    pub duration_ms: u16,
    /// 0 and unused; kept.
    pub unknown_4: u16,
}
