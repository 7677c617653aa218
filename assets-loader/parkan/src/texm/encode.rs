//! RGBA to textures: the narrowing to each format.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "pixels are counted at the door, and none come from a file"
)]

use super::pixels::{
    ChannelOrder, LuminanceOrder, PaletteAlpha, PixelOptions, Rgba, order_channels, unexpected,
};
use super::quantize::Quantizer;
use super::{MipChain, Texm, TexmFormat};
use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::mips;

impl Texm {
    /// A texture of the given format from RGBA, without flags and pages. Formats without alpha drop it.
    ///
    /// Indexed textures keep up to 256 distinct colors exactly; more are reduced by median cut.
    ///
    /// # Errors
    /// A side of 0, or pixels that are not `width * height * 4` bytes.
    pub fn from_rgba8(
        format: TexmFormat,
        width: u32,
        height: u32,
        rgba: &[u8],
        mips: MipChain,
    ) -> Result<Self, FormatError> {
        Self::from_rgba8_with(format, width, height, rgba, mips, PixelOptions::default())
    }

    /// As [`Texm::from_rgba8`], for the given readings of uncertain formats.
    ///
    /// # Errors
    /// As [`Texm::from_rgba8`].
    pub fn from_rgba8_with(
        format: TexmFormat,
        width: u32,
        height: u32,
        rgba: &[u8],
        mips: MipChain,
        options: PixelOptions,
    ) -> Result<Self, FormatError> {
        if width == 0 || height == 0 {
            let found = format!("{width} x {height}");
            return Err(unexpected("width", "sides of at least 1".to_owned(), found));
        }
        let (pixels, rest) = rgba.as_chunks::<4>();
        let n_pixels = u64::from(width).saturating_mul(u64::from(height));
        if pixels.len() as u64 != n_pixels || !rest.is_empty() {
            let expected = format!("{width} x {height} pixels of 4 bytes");
            return Err(unexpected(
                "pixels",
                expected,
                format!("{} bytes", rgba.len()),
            ));
        }
        let levels = mips::levels(pixels, [width, height], mips);
        let (palette, mips) = match format {
            TexmFormat::Indexed8 => {
                let (palette, mips) = to_indexed(&levels, options);
                (Some(palette), mips)
            }
            _ => {
                let narrow = |level: &Vec<Rgba>| {
                    let pixels = level.iter();
                    pixels
                        .flat_map(|pixel| narrow(format, *pixel, options))
                        .collect()
                };
                (None, levels.iter().map(narrow).collect())
            }
        };
        Ok(Self {
            width,
            height,
            flags4: 0,
            flags5: 0,
            unknown_18: 0,
            format,
            palette,
            mips,
            page: None,
        })
    }
}

type Palette = Box<[[u8; 4]; 256]>;

fn to_indexed(levels: &[Vec<Rgba>], options: PixelOptions) -> (Palette, Vec<Vec<u8>>) {
    let visible = |pixel: &Rgba| match options.palette_alpha {
        PaletteAlpha::Opaque => [pixel[0], pixel[1], pixel[2], 255],
        PaletteAlpha::Stored => *pixel,
    };
    let level_zero = levels.iter().take(1).flatten().map(visible);
    let mut quantizer = Quantizer::new(level_zero);
    let mut palette = Box::new([[0; 4]; 256]);
    for (entry, color) in palette.iter_mut().zip(quantizer.colors()) {
        *entry = order_channels(*color, options.palette_order);
    }
    let mut indices = |level: &Vec<Rgba>| {
        let pixels = level.iter().map(visible);
        pixels.map(|pixel| quantizer.nearest(pixel)).collect()
    };
    let mips = levels.iter().map(&mut indices).collect();
    (palette, mips)
}

/// The stored bytes of a pixel; widening them gives the nearest color that the format has.
fn narrow(
    format: TexmFormat,
    [r, g, b, a]: Rgba,
    options: PixelOptions,
) -> impl Iterator<Item = u8> {
    let five = |value: u8| (u16::from(value) * 31 + 127) / 255;
    let six = |value: u8| (u16::from(value) * 63 + 127) / 255;
    let four = |value: u8| (u16::from(value) + 8) / 17;
    let word = |word: u16| {
        let [low, high] = word.to_le_bytes();
        ([low, high, 0, 0], 2)
    };
    let (bytes, n_bytes) = match format {
        TexmFormat::Rgb565 => word(five(r) << 11 | six(g) << 5 | five(b)),
        TexmFormat::Rgb556 => word(five(r) << 11 | five(g) << 6 | six(b)),
        TexmFormat::Argb4444 => word(four(a) << 12 | four(r) << 8 | four(g) << 4 | four(b)),
        TexmFormat::LuminanceAlpha88 => {
            let luminance = luminance([r, g, b]);
            let bytes = match options.order_88 {
                LuminanceOrder::AlphaFirst => [a, luminance],
                LuminanceOrder::LuminanceFirst => [luminance, a],
            };
            word(u16::from_le_bytes(bytes))
        }
        TexmFormat::Rgb888 => (order_channels([r, g, b, 255], options.order_888), 4),
        _ => (order_channels([r, g, b, a], ChannelOrder::Bgr), 4),
    };
    bytes.into_iter().take(n_bytes)
}

/// Rec. 601 luma in thousandths, rounded; gray stays exactly as it is.
fn luminance([r, g, b]: [u8; 3]) -> u8 {
    let sum = 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b);
    ((sum + 500) / 1000) as u8
}
