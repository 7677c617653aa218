//! Textures as decoded pixels.

/// Index into `Scene::textures`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextureIdx(pub u32);

/// A texture: RGBA, 8 bits a channel, display space, alpha not premultiplied, first row first.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture {
    /// Name for reports.
    pub name: String,
    /// Width of the largest level in pixels, at least 1.
    pub width: u32,
    /// Height of the largest level in pixels, at least 1.
    pub height: u32,
    /// Levels from the largest down, each half of the one before and at least 1x1, without row padding.
    /// A renderer makes the smaller levels itself when there is only one.
    pub mips: Vec<Vec<u8>>,
    /// What lies beyond the edges.
    pub addressing: Addressing,
}

impl Texture {
    /// Width and height of a level in pixels.
    pub fn level_size(&self, level: u32) -> [u32; 2] {
        [self.width, self.height].map(|side| side.checked_shr(level).unwrap_or(0).max(1))
    }
}

/// What texture coordinates outside `0.0..1.0` show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Addressing {
    /// The texture again.
    Repeat,
    /// The texture's edge.
    Clamp,
}
