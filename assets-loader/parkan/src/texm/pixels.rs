//! Levels of a texture to RGBA (dossier section 9.1, Q-T1 and Q-T2).
//!
//! RGBA means 8 bits a channel, display space, alpha not premultiplied, first row first.

use super::{FORMAT, Texm, TexmFormat, level_bytes};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind};

/// Readings of the formats whose channel order is not certain; each default is the dossier's choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PixelOptions {
    /// Bytes of [`TexmFormat::Rgb888`].
    pub order_888: ChannelOrder,
    /// Bytes of [`TexmFormat::LuminanceAlpha88`].
    pub order_88: LuminanceOrder,
    /// Bytes of a palette entry.
    pub palette_order: ChannelOrder,
    /// Meaning of a palette entry's fourth byte.
    pub palette_alpha: PaletteAlpha,
}

/// Order of three color bytes; a fourth byte follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ChannelOrder {
    /// Blue, green, red: what D3D formats of these names store.
    #[default]
    Bgr,
    /// Red, green, blue: the reading of older tools.
    Rgb,
}

/// Order of a luminance and an alpha byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LuminanceOrder {
    /// Alpha in byte 0, luminance in byte 1.
    #[default]
    AlphaFirst,
    /// Luminance in byte 0, alpha in byte 1.
    LuminanceFirst,
}

/// Meaning of the fourth byte of a palette entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PaletteAlpha {
    /// None: indexed textures are opaque.
    #[default]
    Opaque,
    /// It is the alpha.
    Stored,
}

/// One pixel as red, green, blue, alpha.
pub(super) type Rgba = [u8; 4];

impl Texm {
    /// Decodes a level to RGBA, as the dossier reads the formats.
    ///
    /// # Errors
    /// No such level, a level without the bytes of its size, or an indexed texture without a palette; a
    /// texture from [`Texm::read`] has only the first.
    pub fn to_rgba8(&self, level: u32) -> Result<Vec<u8>, FormatError> {
        self.to_rgba8_with(level, PixelOptions::default())
    }

    /// Decodes a level to RGBA, with the given readings of uncertain formats.
    ///
    /// # Errors
    /// As [`Texm::to_rgba8`].
    pub fn to_rgba8_with(&self, level: u32, options: PixelOptions) -> Result<Vec<u8>, FormatError> {
        let Some(stored) = self.mips.get(level as usize) else {
            let expected = format!("a level below {}", self.mips.len());
            return Err(unexpected("mip level", expected, level.to_string()));
        };
        let [width, height] = self.level_size(level);
        let size = level_bytes(width, height, self.format);
        if stored.len() as u64 != size {
            let found = format!("{} bytes", stored.len());
            return Err(unexpected("mip level", format!("{size} bytes"), found));
        }
        if self.format == TexmFormat::Indexed8 {
            let Some(palette) = &self.palette else {
                let found = "no palette".to_owned();
                return Err(unexpected("palette", "256 colors".to_owned(), found));
            };
            let colors = palette.map(|entry| widen_palette_entry(entry, options));
            // An index is a byte and there are 256 colors, so that every lookup hits.
            let color = |index: &u8| colors.get(usize::from(*index)).copied().unwrap_or_default();
            return Ok(stored.iter().flat_map(color).collect());
        }
        let pixels = stored.chunks_exact(self.format.bytes_per_pixel());
        Ok(pixels
            .flat_map(|pixel| match *pixel {
                [a, b] => widen_16(self.format, u16::from_le_bytes([a, b]), options),
                [a, b, c, d] => widen_32(self.format, [a, b, c, d], options),
                _ => Rgba::default(),
            })
            .collect())
    }
}

fn widen_palette_entry(entry: [u8; 4], options: PixelOptions) -> Rgba {
    let [r, g, b, x] = order_channels(entry, options.palette_order);
    match options.palette_alpha {
        PaletteAlpha::Opaque => [r, g, b, 255],
        PaletteAlpha::Stored => [r, g, b, x],
    }
}

/// Stored bytes to red, green, blue and back: swapping is its own inverse.
pub(super) fn order_channels([a, b, c, d]: [u8; 4], order: ChannelOrder) -> [u8; 4] {
    match order {
        ChannelOrder::Bgr => [c, b, a, d],
        ChannelOrder::Rgb => [a, b, c, d],
    }
}

#[expect(
    clippy::arithmetic_side_effects,
    reason = "at most six bits times 255 fit in 32"
)]
fn widen_16(format: TexmFormat, word: u16, options: PixelOptions) -> Rgba {
    let bits = |shift: u32, n_bits: u32| u32::from(word) >> shift & ((1 << n_bits) - 1);
    let five = |shift| ((bits(shift, 5) * 255 + 15) / 31) as u8;
    let six = |shift| ((bits(shift, 6) * 255 + 31) / 63) as u8;
    let four = |shift| (bits(shift, 4) * 17) as u8;
    match format {
        TexmFormat::Rgb565 => [five(11), six(5), five(0), 255],
        TexmFormat::Rgb556 => [five(11), five(6), six(0), 255],
        TexmFormat::Argb4444 => [four(8), four(4), four(0), four(12)],
        _ => {
            let [low, high] = word.to_le_bytes();
            let (luminance, alpha) = match options.order_88 {
                LuminanceOrder::AlphaFirst => (high, low),
                LuminanceOrder::LuminanceFirst => (low, high),
            };
            [luminance, luminance, luminance, alpha]
        }
    }
}

fn widen_32(format: TexmFormat, bytes: [u8; 4], options: PixelOptions) -> Rgba {
    match format {
        TexmFormat::Rgb888 => {
            let [r, g, b, _] = order_channels(bytes, options.order_888);
            [r, g, b, 255]
        }
        _ => order_channels(bytes, ChannelOrder::Bgr),
    }
}

pub(super) fn unexpected(field: &'static str, expected: String, found: String) -> FormatError {
    FormatError {
        format: FORMAT,
        entry: None,
        field: field.into(),
        offset: 0,
        kind: FormatErrorKind::unexpected(expected, found),
    }
}
