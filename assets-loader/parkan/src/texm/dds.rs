//! Textures as DDS, the texture container of DirectX, and back.
//!
//! Pixels that both can store are copied level by level; others become 32 bits a pixel.

use ddsfile::{D3DFormat, Dds, NewD3dParams};

use super::conversion::{format_named, taken_from_base};
use super::{MAX_LEVELS, MipChain, Texm, TexmFormat, level_bytes};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::{ConversionError, ConversionRequest, Exported};
use ironlands_assets_core::mips::level_size;

/// What both store alike.
const ALIKE: [(TexmFormat, D3DFormat); 4] = [
    (TexmFormat::Rgb565, D3DFormat::R5G6B5),
    (TexmFormat::Argb4444, D3DFormat::A4R4G4B4),
    (TexmFormat::Rgb888, D3DFormat::X8R8G8B8),
    (TexmFormat::Argb8888, D3DFormat::A8R8G8B8),
];

/// All levels.
pub(super) fn to_dds(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Exported, ConversionError> {
    let file = Texm::read(data)?;
    let alike = ALIKE.iter().find(|(format, _)| *format == file.format);
    let levels = match alike {
        Some(_) => file.mips.concat(),
        None => {
            let mut levels = Vec::new();
            for level in (0u32..).take(file.mips.len()) {
                let mut rgba = file.to_rgba8(level)?;
                let (pixels, _) = rgba.as_chunks_mut::<4>();
                pixels
                    .iter_mut()
                    .for_each(|[r, _, b, _]| std::mem::swap(r, b));
                levels.extend(rgba);
            }
            levels
        }
    };
    let mut dds = Dds::new_d3d(NewD3dParams {
        height: file.height,
        width: file.width,
        depth: None,
        format: alike.map_or(D3DFormat::A8R8G8B8, |(_, format)| *format),
        mipmap_levels: u32::try_from(file.mips.len()).ok(),
        caps2: None,
    })
    .map_err(ConversionError::other)?;
    dds.data = levels;
    let mut bytes = Vec::new();
    dds.write(&mut bytes).map_err(ConversionError::other)?;
    let mut findings = file.check();
    findings.extend(lost(&file, alike.is_some()));
    Ok(Exported {
        files: vec![(request.interchange.to_owned(), bytes)],
        findings,
    })
}

/// What DDS has no place for.
fn lost(file: &Texm, is_alike: bool) -> Option<Finding> {
    let lost = [
        (!is_alike, "the pixel format"),
        (file.page.is_some(), "the rectangles of its page"),
        (
            file.flags4 != 0 || file.flags5 != 0 || file.unknown_18 != 0,
            "its flags",
        ),
    ];
    let lost: Vec<&str> = lost
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, what)| *what)
        .collect();
    let message = format!(
        "not in the picture, taken from --base by import: {}",
        lost.join(", ")
    );
    (!lost.is_empty()).then(|| Finding::new(Severity::Note, super::FORMAT, message))
}

/// A texture of the picture. Levels come over as they are unless another pixel format is requested or the base has
/// another; of the base it has the flags and the page.
pub(super) fn from_dds(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Vec<u8>, ConversionError> {
    let options = request.options;
    let base = options.base.as_deref().map(Texm::read).transpose()?;
    let requested = options
        .pixel_format
        .as_deref()
        .map(format_named)
        .transpose()?;
    let stored = stored_levels(data)?;
    let wanted = requested
        .or(base.as_ref().map(|base| base.format))
        .unwrap_or(stored.format);
    let mut texture = stored;
    if options.is_single_level {
        texture.mips.truncate(1);
    }
    if wanted != texture.format {
        let mips = match texture.mips.len() {
            1 => MipChain::LevelZero,
            _ => MipChain::Full,
        };
        let rgba = texture.to_rgba8(0)?;
        texture = Texm::from_rgba8(wanted, texture.width, texture.height, &rgba, mips)?;
    }
    Ok(taken_from_base(texture, base).write()?)
}

/// The levels of a DDS file as a texture without flags.
fn stored_levels(data: &[u8]) -> Result<Texm, ConversionError> {
    let dds = Dds::read(data).map_err(ConversionError::other)?;
    let known = dds.get_d3d_format();
    let format = ALIKE.iter().find(|(_, format)| Some(*format) == known);
    let Some((format, _)) = format else {
        let found = known.map_or_else(|| "others".to_owned(), |format| format!("{format:?}"));
        let message = format!("its pixels are {found}, not R5G6B5, A4R4G4B4, X8R8G8B8 or A8R8G8B8");
        return Err(ConversionError::other(message));
    };
    let [width, height] = [dds.get_width(), dds.get_height()];
    let n_levels = dds.get_num_mipmap_levels().max(1);
    if width == 0 || height == 0 || u64::from(n_levels) > MAX_LEVELS {
        let message = format!("it has {width} x {height} pixels in {n_levels} levels");
        return Err(ConversionError::other(message));
    }
    let mut rest = &dds.data[..];
    let mut mips = Vec::new();
    for level in 0..n_levels {
        let [width, height] = level_size(width, height, level);
        let n_bytes = level_bytes(width, height, *format);
        let split = usize::try_from(n_bytes)
            .ok()
            .and_then(|n| rest.split_at_checked(n));
        let Some((bytes, after)) = split else {
            let message = format!(
                "level {level} takes {n_bytes} bytes, of which {} are left",
                rest.len()
            );
            return Err(ConversionError::other(message));
        };
        mips.push(bytes.to_vec());
        rest = after;
    }
    Ok(Texm {
        width,
        height,
        flags4: 0,
        flags5: 0,
        unknown_18: 0,
        format: *format,
        palette: None,
        mips,
        page: None,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::texm::PageRect;
    use ironlands_assets_core::format::ConversionOptions;

    fn request(options: &ConversionOptions) -> ConversionRequest<'_> {
        ConversionRequest {
            file: Path::new("A.texm"),
            interchange: Path::new("A.dds"),
            options,
        }
    }

    fn texture(format: TexmFormat) -> Texm {
        let rgba: Vec<u8> = (0..8 * 4 * 4).map(|i| (i * 37 % 251) as u8).collect();
        let texture = Texm::from_rgba8(format, 8, 4, &rgba, MipChain::Full).unwrap();
        Texm {
            flags4: 32,
            page: Some(vec![PageRect {
                x: 0,
                w: 4,
                y: 0,
                h: 4,
            }]),
            ..texture
        }
    }

    fn dds_of(texture: &Texm) -> Vec<u8> {
        let options = ConversionOptions::default();
        let exported = to_dds(&texture.write().unwrap(), &request(&options)).unwrap();
        let [(path, bytes)] = &exported.files[..] else {
            panic!("one file");
        };
        assert_eq!(path, Path::new("A.dds"));
        bytes.clone()
    }

    #[test]
    fn the_header_is_that_of_the_container() {
        let bytes = dds_of(&texture(TexmFormat::Rgb565));
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(&bytes[..4], b"DDS ");
        // Size of the header, height, width, levels; size and flags of the pixel format, bits, masks.
        assert_eq!([word(4), word(12), word(16), word(28)], [124, 4, 8, 4]);
        assert_eq!([word(76), word(88)], [32, 16]);
        assert_eq!([word(92), word(96), word(100)], [0xF800, 0x07E0, 0x001F]);
        // 8 x 4, 4 x 2, 2 x 1 and one pixel of two bytes.
        assert_eq!(bytes.len(), 128 + 2 * (32 + 8 + 2 + 1));
    }

    #[test]
    fn with_its_base_every_texture_comes_back_byte_for_byte() {
        for format in TexmFormat::ALL {
            let texture = texture(format);
            let bytes = texture.write().unwrap();
            let options = ConversionOptions {
                base: Some(bytes.clone()),
                ..ConversionOptions::default()
            };
            let back = from_dds(&dds_of(&texture), &request(&options)).unwrap();
            let back = Texm::read(&back).unwrap();
            assert_eq!(
                (back.format, back.flags4, &back.page),
                (format, 32, &texture.page)
            );
            if ALIKE.iter().any(|(alike, _)| *alike == format) {
                assert_eq!(back.write().unwrap(), bytes, "{format:?}");
            } else {
                assert_eq!(back.to_rgba8(0), texture.to_rgba8(0), "{format:?}");
            }
        }
    }

    #[test]
    fn without_a_base_pixels_stay_and_what_is_lost_is_named() {
        let texture = texture(TexmFormat::Argb4444);
        let options = ConversionOptions::default();
        let exported = to_dds(&texture.write().unwrap(), &request(&options)).unwrap();
        let messages: Vec<&str> = exported.findings.iter().map(|it| &*it.message).collect();
        assert!(messages.contains(
            &"not in the picture, taken from --base by import: the rectangles of its page, its flags"
        ), "{messages:?}");
        let back = from_dds(&dds_of(&texture), &request(&options)).unwrap();
        let back = Texm::read(&back).unwrap();
        assert_eq!(
            (&back.mips, back.flags4, back.page),
            (&texture.mips, 0, None)
        );
    }

    #[test]
    fn broken_and_other_pictures_are_refused() {
        let options = ConversionOptions::default();
        let refused = |data: &[u8]| from_dds(data, &request(&options)).unwrap_err().to_string();
        let mut bytes = dds_of(&texture(TexmFormat::Argb8888));
        for len in [0, 3, 127, bytes.len() - 1] {
            refused(&bytes[..len]);
        }
        bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(
            refused(&bytes).contains("bytes, of which"),
            "{}",
            refused(&bytes)
        );
        bytes[28..32].copy_from_slice(&99_u32.to_le_bytes());
        assert!(refused(&bytes).contains("99 levels"), "{}", refused(&bytes));
        // A pixel of 24 bits.
        let mut bytes = dds_of(&texture(TexmFormat::Rgb888));
        bytes[88] = 24;
        assert!(
            refused(&bytes).contains("its pixels are"),
            "{}",
            refused(&bytes)
        );
    }
}
