//! Materials as what a public format can hold of them: the main pass, and its texture as a PNG file.

use ironlands_scene::{Blend, BlendFactor, Material, Pass, PassKind, Texture};

use crate::error::ExportError;

/// The pass that stands for the whole material where there can be only one.
pub fn main_pass(material: &Material) -> Option<&Pass> {
    let kinds = [
        PassKind::Base,
        PassKind::SoftEdged,
        PassKind::Refracting,
        PassKind::Translucent,
    ];
    let of_kind = |kind| material.passes.iter().find(|pass| pass.kind == kind);
    (kinds.into_iter().find_map(of_kind)).or(material.passes.first())
}

/// The texture at an index.
///
/// # Errors
/// [`ExportError::Missing`].
pub fn texture_at(textures: &[Texture], index: usize) -> Result<&Texture, ExportError> {
    textures.get(index).ok_or(ExportError::Missing {
        what: "texture",
        index,
        len: textures.len(),
    })
}

/// What the alpha of a picture is. glTF and OBJ can only cover what is behind; what a surface adds light to has to
/// be seen through it, most where it is dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PictureAlpha {
    /// That of the texture.
    Stored,
    /// The brightest channel, for light that is added as it is.
    Brightness,
    /// That times the alpha of the texture, for light that is added by it.
    WeightedBrightness,
}

impl PictureAlpha {
    /// That of the picture of a pass, by how the pass blends.
    pub fn from_pass(pass: &Pass) -> Self {
        match pass.blend {
            Some(Blend {
                source: BlendFactor::SourceAlpha,
                destination: BlendFactor::One,
            }) => Self::WeightedBrightness,
            Some(Blend {
                destination: BlendFactor::One,
                ..
            }) => Self::Brightness,
            _ => Self::Stored,
        }
    }

    fn of_pixel(self, [r, g, b, alpha]: [u8; 4]) -> u8 {
        let brightest = r.max(g).max(b);
        match self {
            Self::Stored => alpha,
            Self::Brightness => brightest,
            Self::WeightedBrightness => {
                let product = u16::from(brightest) * u16::from(alpha);
                (product / u16::from(u8::MAX)) as u8
            }
        }
    }
}

/// How much of what is behind a surface it covers, beside its picture; 1 = all. One that adds light covers as much as
/// it is bright, so that a dark one is not seen.
pub fn opacity(pass: &Pass) -> f32 {
    let [r, g, b, alpha] = pass.diffuse;
    let brightest = || {
        [r, g, b]
            .into_iter()
            .chain(pass.emissive)
            .fold(0.0, f32::max)
    };
    match PictureAlpha::from_pass(pass) {
        PictureAlpha::Stored => alpha,
        PictureAlpha::Brightness => brightest(),
        PictureAlpha::WeightedBrightness => brightest() * alpha,
    }
}

/// The largest level of a texture as PNG.
///
/// # Errors
/// Pixels that do not fill the size of the texture, or that the encoder refuses.
pub fn encode_png(texture: &Texture, alpha: PictureAlpha) -> Result<Vec<u8>, ExportError> {
    let pixels = texture.rgba8(0, 0).ok_or_else(|| ExportError::Pixels {
        name: texture.name.clone(),
        width: texture.width,
        height: texture.height,
        n_bytes: texture.mips.first().map_or(0, Vec::len),
    })?;
    let mut pixels = pixels.into_owned();
    for pixel in pixels.as_chunks_mut().0 {
        pixel[3] = alpha.of_pixel(*pixel);
    }
    let color = image::ExtendedColorType::Rgba8;
    write_png(
        &texture.name,
        &pixels,
        [texture.width, texture.height],
        color,
    )
}

/// Pixels as a PNG file, row by row from the top; those of 16 bits in the machine's byte order. `name` is for errors.
///
/// # Errors
/// The encoder refuses, as it does if `pixels` do not fill the size.
pub fn write_png(
    name: &str,
    pixels: &[u8],
    [width, height]: [u32; 2],
    color: image::ExtendedColorType,
) -> Result<Vec<u8>, ExportError> {
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    image::ImageEncoder::write_image(encoder, pixels, width, height, color).map_err(|source| {
        ExportError::Encode {
            name: name.to_owned(),
            source,
        }
    })?;
    Ok(png)
}
