//! New textures from pixels.

use super::format::{Channels, Unit};
use super::{FORMAT, MAX_SIDE, Mmp, MmpFormat, RowOrder, dxt, pnt3, reverse_rows};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::mips::{self, MipChain, level_size};
use ironlands_assets_core::unpack::Budget;

/// What a new texture is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MmpDraft<'a> {
    /// Width in pixels, 1..=16384.
    pub width: u32,
    /// Height in pixels, 1..=16384.
    pub height: u32,
    /// How pixels are stored: one of those that game files have.
    pub format: MmpFormat,
    /// Which levels it gets. Packed pixels have only the largest.
    pub mips: MipChain,
    /// Pixels as red, green, blue, alpha of 8 bits.
    pub rgba: &'a [u8],
    /// Which row of them is first.
    pub rows: PixelRows,
}

/// Which row comes first in pixels outside of a texture file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum PixelRows {
    /// The highest, as picture files have it.
    #[default]
    Upright,
    /// The first that the texture stores: that of v = 0.
    Stored,
}

pub(super) fn encode(draft: &MmpDraft<'_>) -> Result<Mmp, FormatError> {
    let MmpDraft {
        width,
        height,
        format,
        mips,
        rgba,
        rows,
    } = *draft;
    let r = Reader::new(FORMAT, &[]);
    for (field, side) in [("width", width), ("height", height)] {
        if !(1..=MAX_SIDE).contains(&side) {
            return Err(r.unexpected(field, "1 to 16384", side));
        }
    }
    let channels = channels_of_new(format).ok_or_else(|| {
        let what = format!("a new texture of format {format}");
        r.error("pixel format", FormatErrorKind::Unsupported { what })
    })?;
    let (pixels, rest) = rgba.as_chunks::<4>();
    let n_pixels = u64::from(width).saturating_mul(height.into());
    if pixels.len() as u64 != n_pixels || !rest.is_empty() {
        let expected = format!("{width} x {height} pixels of 4 bytes");
        return Err(r.unexpected("pixels", expected, format!("{} bytes", rgba.len())));
    }
    let mut mmp = Mmp {
        width,
        height,
        level_word: 0,
        format,
        bits_per_pixel: format.bits_per_pixel().unwrap_or(u32::BITS),
        channels,
        extra_offset: 0,
        levels: Vec::new(),
        tail: Vec::new(),
        budget: Budget::default(),
    };
    let mut stored = pixels.to_vec();
    if rows == PixelRows::Upright && mmp.row_order() == RowOrder::BottomUp {
        reverse_rows(&mut stored, width as usize);
    }
    let mips = match format {
        MmpFormat::Pnt3 => MipChain::LevelZero,
        _ => mips,
    };
    let levels = mips::levels(&stored, [width, height], mips);
    let levels = (0_u32..).zip(&levels);
    mmp.levels = levels
        .map(|(level, pixels)| narrowed(pixels, level_size(width, height, level), &mmp))
        .collect();
    let level_word = match format {
        MmpFormat::Pnt3 => mmp.levels.first().map_or(0, Vec::len),
        _ => mmp.levels.len(),
    };
    mmp.level_word = Writer::new(FORMAT).checked_count("level count", level_word)?;
    Ok(mmp)
}

/// Where channels lie; `None` for formats that no game file has. Nothing is known of what packed pixels say there.
fn channels_of_new(format: MmpFormat) -> Option<Channels> {
    match format {
        MmpFormat::Pnt3 => MmpFormat::Argb8888.channels(),
        _ => format.channels().filter(|_| format.is_seen()),
    }
}

/// The bytes of a level.
fn narrowed(pixels: &[[u8; 4]], size: [u32; 2], mmp: &Mmp) -> Vec<u8> {
    let words = pixels.iter().map(|pixel| word(*pixel, &mmp.channels));
    match mmp.format.unit() {
        Unit::Block(format) => dxt::compressed(pixels, size, format),
        // Channels of these formats lie in the lower half.
        Unit::Pixel(2) => words.flat_map(|word| (word as u16).to_le_bytes()).collect(),
        Unit::Packed => pnt3::packed(&words.collect::<Vec<_>>()),
        Unit::Pixel(_) | Unit::Unknown => words.flat_map(u32::to_le_bytes).collect(),
    }
}

fn word([r, g, b, a]: [u8; 4], channels: &Channels) -> u32 {
    let Channels {
        alpha,
        red,
        green,
        blue,
    } = channels;
    alpha.narrowed(a) | red.narrowed(r) | green.narrowed(g) | blue.narrowed(b)
}
