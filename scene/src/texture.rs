//! Textures: pixels, or blocks as stored.

/// A rectangle of a texture, in parts of its size: what texture coordinates from 0 to 1 show of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureCell {
    /// The corner where both coordinates are 0.
    pub min: [f32; 2],
    /// Width and height.
    pub size: [f32; 2],
}

impl Default for TextureCell {
    /// The whole texture.
    fn default() -> Self {
        Self {
            min: [0.0; 2],
            size: [1.0; 2],
        }
    }
}

/// Index into `Scene::textures`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextureIdx(pub u32);

/// A texture: a picture, or several of one size in layers; first row first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Texture {
    /// Name for reports.
    pub name: String,
    /// Width of the largest level in pixels, at least 1.
    pub width: u32,
    /// Height of the largest level in pixels, at least 1.
    pub height: u32,
    /// How pixels are stored.
    pub format: PixelFormat,
    /// Pictures of the same size, one after the other in each level; at least 1.
    pub n_layers: u32,
    /// Levels from the largest down, each half of the one before and at least 1x1, without row padding.
    /// A renderer makes the smaller levels itself when there is only one, except where pixels are blocks or the
    /// texture is clamped.
    pub mips: Vec<Vec<u8>>,
    /// What lies beyond the edges.
    pub addressing: Addressing,
}

/// How the pixels of a texture are stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum PixelFormat {
    /// Red, green, blue, alpha of 8 bits each; display space, alpha not premultiplied.
    #[default]
    Rgba8,
    /// Red, green, blue, alpha as IEEE half floats, little-endian; linear light.
    Rgba16Float,
    /// Blocks of 4x4 pixels in 8 bytes (DXT1); display space.
    Bc1,
    /// Blocks of 4x4 pixels in 16 bytes, alpha in 4 bits (DXT3); display space.
    Bc2,
    /// Blocks of 4x4 pixels in 16 bytes, alpha interpolated (DXT5); display space.
    Bc3,
}

impl PixelFormat {
    /// Whether pixels come in blocks of 4x4.
    pub fn is_blocks(self) -> bool {
        match self {
            Self::Rgba8 | Self::Rgba16Float => false,
            Self::Bc1 | Self::Bc2 | Self::Bc3 => true,
        }
    }

    /// Bytes of one picture of the given size; as many as can be counted where there are more.
    pub fn n_bytes(self, [width, height]: [u32; 2]) -> u64 {
        let pixels = u64::from(width) * u64::from(height);
        let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
        match self {
            Self::Rgba8 => pixels.saturating_mul(4),
            Self::Rgba16Float => pixels.saturating_mul(8),
            Self::Bc1 => blocks.saturating_mul(8),
            Self::Bc2 | Self::Bc3 => blocks.saturating_mul(16),
        }
    }
}

impl Texture {
    /// Width and height of a level in pixels.
    pub fn level_size(&self, level: u32) -> [u32; 2] {
        [self.width, self.height].map(|side| side.checked_shr(level).unwrap_or(0).max(1))
    }
}

/// What texture coordinates outside `0.0..1.0` show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Addressing {
    /// The texture again.
    #[default]
    Repeat,
    /// The texture's edge.
    Clamp,
}
