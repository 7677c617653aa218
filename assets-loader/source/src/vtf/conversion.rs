//! Textures as PNG, TGA, Radiance HDR and DDS, and back.

mod dds;
mod picture;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use ironlands_assets_core::format::{Conversion, ConversionError, ConversionOption, Fidelity};
#[cfg(test)]
use ironlands_assets_core::format::{Exporter, Importer};

use super::{ImageFormat, TextureFlags, Vtf};

pub(crate) const CONVERSIONS: &[Conversion] = &[
    Conversion {
        extension: "png",
        fidelity: Fidelity::Valid,
        options: OPTIONS,
        export: Some(picture::to_png),
        import: Some(picture::from_png),
    },
    Conversion {
        extension: "tga",
        fidelity: Fidelity::Valid,
        options: OPTIONS,
        export: Some(picture::to_tga),
        import: Some(picture::from_tga),
    },
    Conversion {
        extension: "hdr",
        fidelity: Fidelity::Valid,
        options: OPTIONS,
        export: Some(picture::to_hdr),
        import: Some(picture::from_hdr),
    },
    Conversion {
        extension: "dds",
        fidelity: Fidelity::Valid,
        options: OPTIONS,
        export: Some(dds::to_dds),
        import: Some(dds::from_dds),
    },
];

const OPTIONS: &[ConversionOption] = &[
    ConversionOption::PixelFormat,
    ConversionOption::SingleLevel,
    ConversionOption::Base,
];

/// What users call the formats that pictures of eight bits a channel become.
const PIXEL_FORMATS: [(&str, ImageFormat); 7] = [
    ("rgba8888", ImageFormat::Rgba8888),
    ("abgr8888", ImageFormat::Abgr8888),
    ("argb8888", ImageFormat::Argb8888),
    ("bgra8888", ImageFormat::Bgra8888),
    ("bgrx8888", ImageFormat::Bgrx8888),
    ("rgb888", ImageFormat::Rgb888),
    ("bgr888", ImageFormat::Bgr888),
];

/// Flags that say of which bits the alpha is: those of the base do not count.
const ALPHA_FLAGS: TextureFlags = TextureFlags::ONE_BIT_ALPHA.union(TextureFlags::EIGHT_BIT_ALPHA);

fn format_named(name: &str) -> Result<ImageFormat, ConversionError> {
    let known = PIXEL_FORMATS.iter().find(|(known, _)| *known == name);
    known.map(|(_, format)| *format).ok_or_else(|| {
        let names = PIXEL_FORMATS.map(|(name, _)| name).join(", ");
        ConversionError::other(format!(
            "pixels are not stored as \"{name}\", but as {names}"
        ))
    })
}

/// Of the base the flags but those of alpha, and how strong it is as a bump map.
fn taken_from_base(texture: Vtf, base: Option<&Vtf>) -> Vtf {
    match base {
        None => texture,
        Some(base) => Vtf {
            flags: base.flags.difference(ALPHA_FLAGS) | texture.flags,
            bump_scale: base.bump_scale,
            ..texture
        },
    }
}

/// Where a picture of several goes: the frame, from 0, and the face of a cubemap behind the name.
fn path_of(whole: &Path, texture: &Vtf, frame: u32, face: Option<u32>) -> PathBuf {
    const FACES: [&str; 7] = ["px", "nx", "py", "ny", "pz", "nz", "sphere"];
    let mut name = whole.file_stem().unwrap_or_default().to_owned();
    if texture.n_frames > 1 {
        name.push(format!("-{frame:03}"));
    }
    let face = face.filter(|_| texture.is_cubemap());
    if let Some(face) = face.and_then(|face| FACES.get(face as usize)) {
        name.push(format!("-{face}"));
    }
    let mut path = whole.with_file_name(name);
    if let Some(extension) = whole.extension() {
        path.add_extension(extension);
    }
    path
}
