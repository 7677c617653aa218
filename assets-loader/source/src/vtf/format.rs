//! Pixel formats by number (dossier section 10.3).

use ironlands_scene::PixelFormat;

use ironlands_assets_core::bytes::{FormatError, Reader};

/// How pixels are stored. Names give the order of bytes, and of bits from the lowest where a pixel is a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum ImageFormat {
    Rgba8888,
    Abgr8888,
    Rgb888,
    Bgr888,
    Rgb565,
    I8,
    Ia88,
    P8,
    A8,
    Rgb888Bluescreen,
    Bgr888Bluescreen,
    Argb8888,
    Bgra8888,
    Dxt1,
    Dxt3,
    Dxt5,
    Bgrx8888,
    Bgr565,
    Bgrx5551,
    Bgra4444,
    Dxt1OneBitAlpha,
    Bgra5551,
    Uv88,
    Uvwq8888,
    Rgba16161616F,
    Rgba16161616,
    Uvlx8888,
    R32F,
    Rgb323232F,
    Rgba32323232F,
    Ati2n,
    Ati1n,
}

/// How many bytes pixels take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Bytes of a pixel.
    Pixel(u8),
    /// Bytes of a block of 4x4 pixels.
    Block(u8),
}

impl ImageFormat {
    /// All formats.
    pub const ALL: [Self; 32] = [
        Self::Rgba8888,
        Self::Abgr8888,
        Self::Rgb888,
        Self::Bgr888,
        Self::Rgb565,
        Self::I8,
        Self::Ia88,
        Self::P8,
        Self::A8,
        Self::Rgb888Bluescreen,
        Self::Bgr888Bluescreen,
        Self::Argb8888,
        Self::Bgra8888,
        Self::Dxt1,
        Self::Dxt3,
        Self::Dxt5,
        Self::Bgrx8888,
        Self::Bgr565,
        Self::Bgrx5551,
        Self::Bgra4444,
        Self::Dxt1OneBitAlpha,
        Self::Bgra5551,
        Self::Uv88,
        Self::Uvwq8888,
        Self::Rgba16161616F,
        Self::Rgba16161616,
        Self::Uvlx8888,
        Self::R32F,
        Self::Rgb323232F,
        Self::Rgba32323232F,
        Self::Ati2n,
        Self::Ati1n,
    ];

    /// The number in the header, and how many bytes pixels take.
    const fn row(self) -> (i32, Unit) {
        use Unit::{Block, Pixel};
        match self {
            Self::Rgba8888 => (0, Pixel(4)),
            Self::Abgr8888 => (1, Pixel(4)),
            Self::Rgb888 => (2, Pixel(3)),
            Self::Bgr888 => (3, Pixel(3)),
            Self::Rgb565 => (4, Pixel(2)),
            Self::I8 => (5, Pixel(1)),
            Self::Ia88 => (6, Pixel(2)),
            Self::P8 => (7, Pixel(1)),
            Self::A8 => (8, Pixel(1)),
            Self::Rgb888Bluescreen => (9, Pixel(3)),
            Self::Bgr888Bluescreen => (10, Pixel(3)),
            Self::Argb8888 => (11, Pixel(4)),
            Self::Bgra8888 => (12, Pixel(4)),
            Self::Dxt1 => (13, Block(8)),
            Self::Dxt3 => (14, Block(16)),
            Self::Dxt5 => (15, Block(16)),
            Self::Bgrx8888 => (16, Pixel(4)),
            Self::Bgr565 => (17, Pixel(2)),
            Self::Bgrx5551 => (18, Pixel(2)),
            Self::Bgra4444 => (19, Pixel(2)),
            Self::Dxt1OneBitAlpha => (20, Block(8)),
            Self::Bgra5551 => (21, Pixel(2)),
            Self::Uv88 => (22, Pixel(2)),
            Self::Uvwq8888 => (23, Pixel(4)),
            Self::Rgba16161616F => (24, Pixel(8)),
            Self::Rgba16161616 => (25, Pixel(8)),
            Self::Uvlx8888 => (26, Pixel(4)),
            Self::R32F => (27, Pixel(4)),
            Self::Rgb323232F => (28, Pixel(12)),
            Self::Rgba32323232F => (29, Pixel(16)),
            Self::Ati2n => (37, Block(16)),
            Self::Ati1n => (38, Block(8)),
        }
    }

    /// The number in the header.
    pub const fn number(self) -> i32 {
        self.row().0
    }

    pub(super) const fn unit(self) -> Unit {
        self.row().1
    }

    /// Bytes of a picture of that width and height. No picture of 16-bit sides overflows.
    pub fn n_bytes(self, [width, height]: [u32; 2]) -> u64 {
        let area = |width: u32, height: u32| u64::from(width).saturating_mul(u64::from(height));
        match self.unit() {
            Unit::Pixel(n) => area(width, height).saturating_mul(n.into()),
            Unit::Block(n) => area(width.div_ceil(4), height.div_ceil(4)).saturating_mul(n.into()),
        }
    }

    /// The same blocks under the scene's name, if it has one.
    pub const fn scene_blocks(self) -> Option<PixelFormat> {
        match self {
            Self::Dxt1 | Self::Dxt1OneBitAlpha => Some(PixelFormat::Bc1),
            Self::Dxt3 => Some(PixelFormat::Bc2),
            Self::Dxt5 => Some(PixelFormat::Bc3),
            _ => None,
        }
    }

    /// Whether channels are floating-point numbers of linear light.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::Rgba16161616F | Self::R32F | Self::Rgb323232F | Self::Rgba32323232F
        )
    }

    /// Takes the number of a format.
    pub(super) fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self, FormatError> {
        let at = r.clone();
        let number = r.i32(field)?;
        let found = Self::ALL
            .into_iter()
            .find(|format| format.number() == number);
        found.ok_or_else(|| at.unexpected(field, "a format from 0 to 29, 37 or 38", number))
    }
}
