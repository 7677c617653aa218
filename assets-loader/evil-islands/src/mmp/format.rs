//! Pixel formats by their four bytes, and where channels lie in a pixel (dossier section 5.2).

use std::fmt;

use ironlands_scene::PixelFormat;

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::{Field, FixedSize, Record};

/// How pixels are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MmpFormat {
    /// Blocks of 4x4 pixels in 8 bytes, alpha of one bit.
    Dxt1,
    /// As [`Self::Dxt3`], colors multiplied by alpha. Not seen in game files.
    Dxt2,
    /// Blocks of 4x4 pixels in 16 bytes, alpha of four bits.
    Dxt3,
    /// As [`Self::Dxt5`], colors multiplied by alpha. Not seen in game files.
    Dxt4,
    /// Blocks of 4x4 pixels in 16 bytes, interpolated alpha. Not seen in game files.
    Dxt5,
    /// `DXT\0`: only the name is known.
    DxtUnnumbered,
    /// Words of alpha, red, green, blue, runs of zeros packed.
    Pnt3,
    /// `PNT2`: only the name is known.
    Pnt2,
    /// `PNT\0`: only the name is known.
    PntUnnumbered,
    /// Words: red 5, green 6, blue 5 bits from the top.
    Rgb565,
    /// Words: one unused bit, red, green, blue 5. Not seen in game files.
    Rgb555,
    /// Words: alpha 1, red, green, blue 5.
    Argb1555,
    /// Words: alpha, red, green, blue 4.
    Argb4444,
    /// Dwords: alpha, red, green, blue 8.
    Argb8888,
}

/// Which way up stored rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowOrder {
    /// The first stored row is the lowest of the picture, as in all textures of surfaces.
    BottomUp,
    /// The first stored row is the highest, as in pictures of 32 bits.
    TopDown,
}

/// How many bytes pixels take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Bytes of a pixel.
    Pixel(usize),
    /// Blocks of 4x4 pixels, as a scene knows them.
    Block(PixelFormat),
    /// As many bytes as the header says, or as there are.
    Packed,
    Unknown,
}

impl MmpFormat {
    /// All formats.
    pub const ALL: [Self; 14] = [
        Self::Dxt1,
        Self::Dxt2,
        Self::Dxt3,
        Self::Dxt4,
        Self::Dxt5,
        Self::DxtUnnumbered,
        Self::Pnt3,
        Self::Pnt2,
        Self::PntUnnumbered,
        Self::Rgb565,
        Self::Rgb555,
        Self::Argb1555,
        Self::Argb4444,
        Self::Argb8888,
    ];

    /// Its code in the header.
    pub const fn fourcc(self) -> [u8; 4] {
        match self {
            Self::Dxt1 => *b"DXT1",
            Self::Dxt2 => *b"DXT2",
            Self::Dxt3 => *b"DXT3",
            Self::Dxt4 => *b"DXT4",
            Self::Dxt5 => *b"DXT5",
            Self::DxtUnnumbered => *b"DXT\0",
            Self::Pnt3 => *b"PNT3",
            Self::Pnt2 => *b"PNT2",
            Self::PntUnnumbered => *b"PNT\0",
            Self::Rgb565 => [0x50, 0x56, 0, 0],
            Self::Rgb555 => [0x50, 0x55, 0, 0],
            Self::Argb1555 => [0x51, 0x55, 0, 0],
            Self::Argb4444 => [0x44, 0x44, 0, 0],
            Self::Argb8888 => [0x88, 0x88, 0, 0],
        }
    }

    /// Bits of a pixel as the header has them; `None` where that is not known.
    pub const fn bits_per_pixel(self) -> Option<u32> {
        match self {
            Self::Dxt1 => Some(4),
            Self::Dxt2 | Self::Dxt3 | Self::Dxt4 | Self::Dxt5 => Some(8),
            Self::Rgb565 | Self::Rgb555 | Self::Argb1555 | Self::Argb4444 => Some(16),
            Self::Argb8888 => Some(32),
            Self::DxtUnnumbered | Self::Pnt3 | Self::Pnt2 | Self::PntUnnumbered => None,
        }
    }

    /// Where channels lie; `None` where no game file shows it.
    pub const fn channels(self) -> Option<Channels> {
        let [alpha, red, green, blue] = match self {
            Self::Rgb565 => [(0, 0, 0), (0xF800, 11, 5), (0x07E0, 5, 6), (0x001F, 0, 5)],
            Self::Dxt1 | Self::Argb1555 => [
                (0x8000, 15, 1),
                (0x7C00, 10, 5),
                (0x03E0, 5, 5),
                (0x001F, 0, 5),
            ],
            Self::Dxt3 | Self::Argb4444 => [
                (0xF000, 12, 4),
                (0x0F00, 8, 4),
                (0x00F0, 4, 4),
                (0x000F, 0, 4),
            ],
            Self::Argb8888 => [
                (0xFF00_0000, 24, 8),
                (0x00FF_0000, 16, 8),
                (0x0000_FF00, 8, 8),
                (0x0000_00FF, 0, 8),
            ],
            _ => return None,
        };
        Some(Channels {
            alpha: Channel::new(alpha),
            red: Channel::new(red),
            green: Channel::new(green),
            blue: Channel::new(blue),
        })
    }

    /// Whether game files have it.
    pub const fn is_seen(self) -> bool {
        matches!(
            self,
            Self::Dxt1
                | Self::Dxt3
                | Self::Pnt3
                | Self::Rgb565
                | Self::Argb1555
                | Self::Argb4444
                | Self::Argb8888
        )
    }

    /// Which way up the stored rows are (dossier section 5.5).
    pub const fn row_order(self) -> RowOrder {
        match self {
            Self::Argb8888 => RowOrder::TopDown,
            _ => RowOrder::BottomUp,
        }
    }

    /// Whether colors are multiplied by alpha.
    pub(super) const fn is_premultiplied(self) -> bool {
        matches!(self, Self::Dxt2 | Self::Dxt4)
    }

    pub(super) const fn unit(self) -> Unit {
        match self {
            Self::Dxt1 => Unit::Block(PixelFormat::Bc1),
            Self::Dxt2 | Self::Dxt3 => Unit::Block(PixelFormat::Bc2),
            Self::Dxt4 | Self::Dxt5 => Unit::Block(PixelFormat::Bc3),
            Self::Rgb565 | Self::Rgb555 | Self::Argb1555 | Self::Argb4444 => Unit::Pixel(2),
            Self::Argb8888 => Unit::Pixel(4),
            Self::Pnt3 => Unit::Packed,
            Self::DxtUnnumbered | Self::Pnt2 | Self::PntUnnumbered => Unit::Unknown,
        }
    }

    /// Bytes of a level; `None` where the size does not determine it.
    pub(super) fn level_bytes(self, size: [u32; 2]) -> Option<u64> {
        let [width, height] = size.map(u64::from);
        match self.unit() {
            Unit::Pixel(n) => Some(width.saturating_mul(height).saturating_mul(n as u64)),
            Unit::Block(format) => Some(format.n_bytes(size)),
            Unit::Packed | Unit::Unknown => None,
        }
    }
}

impl FixedSize for MmpFormat {
    const SIZE: usize = 4;
}

impl Field<()> for MmpFormat {
    fn size((): ()) -> usize {
        Self::SIZE
    }

    fn read(r: &mut Reader<'_>, name: &'static str, (): ()) -> Result<Self, FormatError> {
        let at = r.clone();
        let fourcc: [u8; 4] = r.array(name)?;
        let known = Self::ALL.into_iter().find(|it| it.fourcc() == fourcc);
        known.ok_or_else(|| {
            let expected = "DXT1, DXT3, PNT3, 5650, 5551, 4444, 8888 or a rarer one";
            at.unexpected(name, expected, fourcc.escape_ascii())
        })
    }

    fn write(&self, w: &mut Writer, _: &'static str, (): ()) -> Result<(), FormatError> {
        w.bytes(&self.fourcc());
        Ok(())
    }
}

/// As the dossier calls it, as in `DXT1` or `5650`.
impl fmt::Display for MmpFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit() {
            Unit::Pixel(_) => write!(f, "{:x}", u32::from_le_bytes(self.fourcc())),
            _ => write!(f, "{}", self.fourcc().escape_ascii()),
        }
    }
}

/// Where the four channels lie in a pixel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Record)]
#[expect(missing_docs, reason = "channels")]
pub struct Channels {
    #[field("alpha mask")]
    pub alpha: Channel,
    #[field("red mask")]
    pub red: Channel,
    #[field("green mask")]
    pub green: Channel,
    #[field("blue mask")]
    pub blue: Channel,
}

/// Where a channel lies in a pixel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Record)]
pub struct Channel {
    /// Its bits.
    #[field]
    pub mask: u32,
    /// The lowest of them.
    #[field]
    pub shift: u32,
    /// Their number; 0 for a channel that is not there.
    #[field]
    pub n_bits: u32,
}

impl Channel {
    const fn new((mask, shift, n_bits): (u32, u32, u32)) -> Self {
        Self {
            mask,
            shift,
            n_bits,
        }
    }

    /// The channel that has all bits of a mask.
    pub(super) const fn from_mask(mask: u32) -> Self {
        match mask {
            0 => Self::new((0, 0, 0)),
            _ => Self::new((mask, mask.trailing_zeros(), mask.count_ones())),
        }
    }

    /// The largest value of the channel; 0 for one that is not there.
    pub(super) fn max(self) -> u32 {
        match self.n_bits {
            0 => 0,
            _ => self.mask.checked_shr(self.shift).unwrap_or(0),
        }
    }

    /// The channel of a pixel, widened to 8 bits, halves upward; `None` for one that is not there.
    pub(super) fn widened(self, pixel: u32) -> Option<u8> {
        let max = u64::from(self.max());
        let value = (pixel & self.mask).checked_shr(self.shift).unwrap_or(0);
        let doubled = u64::from(value).saturating_mul(510).saturating_add(max);
        let rounded = doubled.checked_div(max.saturating_mul(2))?;
        Some(u8::try_from(rounded).unwrap_or(u8::MAX))
    }

    /// The bits of the nearest value of the channel; none for one that is not there.
    pub(super) fn narrowed(self, value: u8) -> u32 {
        let scaled = u64::from(value).saturating_mul(self.max().into());
        let rounded = scaled.saturating_add(127) / 255;
        let bits = u32::try_from(rounded).unwrap_or(u32::MAX);
        bits.checked_shl(self.shift).unwrap_or(0) & self.mask
    }
}
