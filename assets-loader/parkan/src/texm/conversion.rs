//! Textures as PNG and DDS, and back.

use std::io::Cursor;

use image::{ImageError, ImageFormat, ImageReader, RgbaImage};

use super::dds::{from_dds, to_dds};
use super::{MipChain, Texm, TexmFormat};
use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionOption, ConversionRequest, Exported, Fidelity,
};

pub(super) const CONVERSIONS: &[Conversion] = &[
    Conversion {
        extension: "png",
        fidelity: Fidelity::Valid,
        options: OPTIONS,
        export: Some(to_png),
        import: Some(from_png),
    },
    Conversion {
        extension: "dds",
        fidelity: Fidelity::Valid,
        options: OPTIONS,
        export: Some(to_dds),
        import: Some(from_dds),
    },
];

const OPTIONS: &[ConversionOption] = &[
    ConversionOption::PixelFormat,
    ConversionOption::SingleLevel,
    ConversionOption::Base,
];

/// What users call the formats.
const PIXEL_FORMATS: [(&str, TexmFormat); 7] = [
    ("indexed", TexmFormat::Indexed8),
    ("565", TexmFormat::Rgb565),
    ("556", TexmFormat::Rgb556),
    ("4444", TexmFormat::Argb4444),
    ("88", TexmFormat::LuminanceAlpha88),
    ("888", TexmFormat::Rgb888),
    ("8888", TexmFormat::Argb8888),
];

/// The largest level.
fn to_png(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let file = Texm::read(data)?;
    let image = RgbaImage::from_raw(file.width, file.height, file.to_rgba8(0)?);
    let image = image.expect("a level has the pixels of its size");
    let mut bytes = Vec::new();
    let written = image.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png);
    written.map_err(|error| of_picture(&error))?;
    Ok(Exported {
        files: vec![(request.interchange.to_owned(), bytes)],
        findings: file.check(),
    })
}

/// A texture of the picture. Of the base it has the pixel format, unless another is requested, whether it has levels,
/// the flags and the page; without one it has alpha of eight bits if any pixel is seen through, else none.
fn from_png(data: &[u8], request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let options = request.options;
    let base = options.base.as_deref().map(Texm::read).transpose()?;
    let requested = options.pixel_format.as_deref().map(format_named);
    let reader = ImageReader::with_format(Cursor::new(data), ImageFormat::Png);
    let image = reader.decode().map_err(|error| of_picture(&error))?;
    let image = image.into_rgba8();
    let format = match (requested.transpose()?, &base) {
        (Some(requested), _) => requested,
        (None, Some(base)) => base.format,
        (None, None) => fitting_format(&image),
    };
    let is_single = base.as_ref().is_some_and(|base| base.mips.len() == 1);
    let mips = match options.is_single_level || is_single {
        true => MipChain::LevelZero,
        false => MipChain::Full,
    };
    let texture = Texm::from_rgba8(format, image.width(), image.height(), image.as_raw(), mips)?;
    Ok(taken_from_base(texture, base).write()?)
}

/// A texture with what pictures have no place for.
pub(super) fn taken_from_base(texture: Texm, base: Option<Texm>) -> Texm {
    match base {
        None => texture,
        Some(base) => Texm {
            flags4: base.flags4,
            flags5: base.flags5,
            unknown_18: base.unknown_18,
            page: base.page,
            ..texture
        },
    }
}

pub(super) fn format_named(name: &str) -> Result<TexmFormat, ConversionError> {
    let known = PIXEL_FORMATS.iter().find(|(known, _)| *known == name);
    known.map(|(_, format)| *format).ok_or_else(|| {
        let names = PIXEL_FORMATS.map(|(name, _)| name).join(", ");
        ConversionError::other(format!(
            "no pixels are stored as \"{name}\", but as {names}"
        ))
    })
}

fn fitting_format(image: &RgbaImage) -> TexmFormat {
    let is_opaque = image.pixels().all(|pixel| {
        let [_, _, _, alpha] = pixel.0;
        alpha == u8::MAX
    });
    match is_opaque {
        true => TexmFormat::Rgb888,
        false => TexmFormat::Argb8888,
    }
}

/// What the picture library says.
fn of_picture(error: &ImageError) -> ConversionError {
    ConversionError::other(format!("the picture: {error}"))
}
