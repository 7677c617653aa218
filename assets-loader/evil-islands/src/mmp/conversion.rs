//! Textures as pictures (PNG), and as DDS files, which keep blocks and levels.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, RgbaImage};

use super::{MipChain, Mmp, MmpDraft, MmpFormat, PixelRows, Tolerance};
use crate::interchange::one_file;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind};
use ironlands_assets_core::format::{
    Conversion, ConversionError, ConversionOption, ConversionRequest, Exported, Fidelity,
};

pub(super) const CONVERSIONS: &[Conversion] = &[
    Conversion {
        extension: "png",
        fidelity: Fidelity::Valid,
        options: &[ConversionOption::PixelFormat, ConversionOption::SingleLevel],
        export: Some(to_png),
        import: Some(from_png),
    },
    Conversion {
        extension: "dds",
        // Packed pixels are packed again; all else comes back as it was.
        fidelity: Fidelity::Valid,
        options: &[],
        export: Some(to_dds),
        import: Some(from_dds),
    },
];

/// What users call the formats that can be made of a picture.
const PIXEL_FORMATS: [(&str, MmpFormat); 7] = [
    ("dxt1", MmpFormat::Dxt1),
    ("dxt3", MmpFormat::Dxt3),
    ("pnt3", MmpFormat::Pnt3),
    ("565", MmpFormat::Rgb565),
    ("1555", MmpFormat::Argb1555),
    ("4444", MmpFormat::Argb4444),
    ("8888", MmpFormat::Argb8888),
];

/// The largest level, as a person sees it upright.
fn to_png(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let file = Mmp::read_with(data, Tolerance::all())?;
    let rgba = file.upright_rgba(0)?;
    let image = RgbaImage::from_raw(file.width, file.height, rgba).ok_or(FormatError {
        format: super::FORMAT,
        entry: None,
        field: "level".into(),
        offset: 0,
        kind: FormatErrorKind::unexpected("pixels for the whole picture", "fewer"),
    })?;
    let mut bytes = Vec::new();
    let written = image.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png);
    written.map_err(|error| of_picture(&error))?;
    Ok(one_file(request, bytes, file.check()))
}

fn from_png(data: &[u8], request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    let options = request.options;
    let reported = options.pixel_format.as_deref().map(format_named);
    let reported = reported.transpose()?;
    let reader = ImageReader::with_format(Cursor::new(data), ImageFormat::Png);
    let image = reader.decode().map_err(|error| of_picture(&error))?;
    let image = image.into_rgba8();
    let draft = MmpDraft {
        width: image.width(),
        height: image.height(),
        format: reported.unwrap_or_else(|| fitting_format(&image)),
        mips: match options.is_single_level {
            true => MipChain::LevelZero,
            false => MipChain::Full,
        },
        rgba: image.as_raw(),
        rows: PixelRows::Upright,
    };
    Ok(Mmp::encode(&draft)?.write()?)
}

fn to_dds(data: &[u8], request: &ConversionRequest<'_>) -> Result<Exported, ConversionError> {
    let file = Mmp::read_with(data, Tolerance::all())?;
    let bytes = file.to_dds(PixelRows::Upright)?;
    Ok(one_file(request, bytes, file.check()))
}

fn from_dds(data: &[u8], _request: &ConversionRequest<'_>) -> Result<Vec<u8>, ConversionError> {
    Ok(Mmp::from_dds(data, PixelRows::Upright)?.write()?)
}

fn format_named(name: &str) -> Result<MmpFormat, ConversionError> {
    let known = PIXEL_FORMATS.iter().find(|(known, _)| *known == name);
    known.map(|(_, format)| *format).ok_or_else(|| {
        let names = PIXEL_FORMATS.map(|(name, _)| name).join(", ");
        ConversionError::other(format!(
            "no pixels are stored as \"{name}\", but as {names}"
        ))
    })
}

/// Blocks: alpha of four bits where any pixel is seen through partly, of one bit else.
fn fitting_format(image: &RgbaImage) -> MmpFormat {
    let is_partly = |alpha: u8| alpha != 0 && alpha != u8::MAX;
    let mut alphas = image.pixels().map(|pixel| {
        let [_, _, _, alpha] = pixel.0;
        alpha
    });
    match alphas.any(is_partly) {
        true => MmpFormat::Dxt3,
        false => MmpFormat::Dxt1,
    }
}

/// What the picture library says.
fn of_picture(error: &image::ImageError) -> ConversionError {
    ConversionError::other(format!("the picture: {error}"))
}
