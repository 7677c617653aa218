//! Stored pixels to red, green, blue, alpha (dossier sections 5.2 and 5.3).

use ironlands_scene::{PixelFormat, Texture};

use super::format::Unit;
use super::{Channels, FORMAT, Mmp, MmpFormat, pnt3};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};

pub(super) fn level_rgba(mmp: &Mmp, level: usize) -> Result<Vec<u8>, FormatError> {
    let r = Reader::new(FORMAT, &[]);
    let Some(stored) = mmp.levels.get(level) else {
        let expected = format!("a level below {}", mmp.levels.len());
        return Err(r.unexpected("level", expected, level));
    };
    let size = mmp.level_size(level);
    let n_pixels = size.into_iter().map(u64::from).fold(1, u64::saturating_mul);
    mmp.budget.spend(&r, "level", n_pixels.saturating_mul(4))?;
    let expected = mmp.format.level_bytes(size);
    if expected.is_some_and(|expected| expected != stored.len() as u64) {
        let expected = format!("{} bytes", expected.unwrap_or(0));
        return Err(r.unexpected("level", expected, stored.len()));
    }
    match mmp.format.unit() {
        Unit::Block(format) => {
            let mut pixels = blocks(stored, size, format)?;
            if mmp.format.is_premultiplied() {
                pixels
                    .as_chunks_mut()
                    .0
                    .iter_mut()
                    .for_each(divide_by_alpha);
            }
            Ok(pixels)
        }
        Unit::Pixel(2) => {
            let (words, _) = stored.as_chunks();
            let words = words.iter().map(|word| u16::from_le_bytes(*word).into());
            Ok(pixels(words, &mmp.channels))
        }
        Unit::Pixel(_) => Ok(dwords(stored, &mmp.channels)),
        Unit::Packed => {
            let [width, height] = size.map(u64::from);
            let n_bytes = width.saturating_mul(height).saturating_mul(4);
            let channels = MmpFormat::Argb8888.channels().unwrap_or_default();
            Ok(dwords(&pnt3::unpacked(stored, n_bytes)?, &channels))
        }
        Unit::Unknown => {
            let what = format!("format {}, of which only the name is known,", mmp.format);
            Err(r.error("pixel format", FormatErrorKind::Unsupported { what }))
        }
    }
}

fn dwords(stored: &[u8], channels: &Channels) -> Vec<u8> {
    let (words, _) = stored.as_chunks();
    pixels(words.iter().map(|word| u32::from_le_bytes(*word)), channels)
}

fn pixels(words: impl Iterator<Item = u32>, channels: &Channels) -> Vec<u8> {
    let Channels {
        alpha,
        red,
        green,
        blue,
    } = channels;
    let pixel = |word| {
        let [r, g, b] = [red, green, blue].map(|it| it.widened(word).unwrap_or(0));
        [r, g, b, alpha.widened(word).unwrap_or(u8::MAX)]
    };
    words.flat_map(pixel).collect()
}

fn blocks(
    stored: &[u8],
    [width, height]: [u32; 2],
    format: PixelFormat,
) -> Result<Vec<u8>, FormatError> {
    let level = Texture {
        width,
        height,
        format,
        n_layers: 1,
        mips: vec![stored.to_vec()],
        ..Texture::default()
    };
    let pixels = level.rgba8(0, 0).map(std::borrow::Cow::into_owned);
    pixels.ok_or_else(|| {
        let found = format!("{} bytes", stored.len());
        Reader::new(FORMAT, &[]).unexpected("level", "blocks of its size", found)
    })
}

/// Colors as they were before they were multiplied by alpha; those of invisible pixels are lost.
fn divide_by_alpha([r, g, b, a]: &mut [u8; 4]) {
    for channel in [r, g, b] {
        let widened = u32::from(*channel).saturating_mul(255);
        let rounded = widened.saturating_add(u32::from(*a) / 2);
        let divided = rounded.checked_div((*a).into()).unwrap_or(0);
        *channel = u8::try_from(divided).unwrap_or(u8::MAX);
    }
}
