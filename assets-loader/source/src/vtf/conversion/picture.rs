//! Textures as plain pictures: the largest mip of each frame and face is a file of its own.

use std::io::Cursor;

use half::f16;
use image::{
    DynamicImage, ImageError, ImageFormat as Container, ImageReader, Rgb32FImage, RgbaImage,
};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{ConversionError, ConversionRequest, Exported};
use ironlands_assets_core::mips::MipChain;

use super::super::draft::Draft;
use super::super::{FORMAT, ImageFormat, TextureFlags, Vtf};
use super::{format_named, path_of, taken_from_base};

pub(super) fn to_png(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Exported, ConversionError> {
    to_pictures(data, request, Container::Png, eight_bits)
}

pub(super) fn to_tga(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Exported, ConversionError> {
    to_pictures(data, request, Container::Tga, eight_bits)
}

/// In linear light, of high dynamic range where the texture is; see [`Vtf::decode_rgba16f`]. Alpha is lost.
pub(super) fn to_hdr(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Exported, ConversionError> {
    to_pictures(data, request, Container::Hdr, linear)
}

pub(super) fn from_png(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Vec<u8>, ConversionError> {
    from_eight_bits(data, request, Container::Png)
}

pub(super) fn from_tga(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Vec<u8>, ConversionError> {
    from_eight_bits(data, request, Container::Tga)
}

/// A texture of half floats without smaller mips.
pub(super) fn from_hdr(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Vec<u8>, ConversionError> {
    let base = base_of(request)?;
    let picture = decoded(data, Container::Hdr)?.into_rgb32f();
    let [width, height] = sides(picture.width(), picture.height())?;
    let halves = picture.pixels().flat_map(|pixel| {
        let [r, g, b] = pixel.0;
        [r, g, b, 1.0].map(f16::from_f32)
    });
    let body = halves.flat_map(f16::to_le_bytes).collect();
    // A draft of one pixel has the rest of the header.
    let draft = Vtf::draft(&Draft {
        width: 1,
        height: 1,
        format: ImageFormat::Bgra8888,
        flags: TextureFlags::NO_MIPS,
        mips: MipChain::LevelZero,
        pictures: vec![vec![0; 4]],
    })?;
    let texture = Vtf {
        width,
        height,
        format: ImageFormat::Rgba16161616F,
        reflectivity: mean(&picture),
        body,
        ..draft
    };
    Ok(taken_from_base(texture, base.as_ref()).write()?)
}

/// Of one picture.
type Pixels = fn(&Vtf, u32, u32) -> Result<DynamicImage, FormatError>;

fn to_pictures(
    data: &[u8],
    request: &ConversionRequest<'_>,
    container: Container,
    pixels: Pixels,
) -> Result<Exported, ConversionError> {
    let texture = Vtf::read(data)?;
    let mut files = Vec::new();
    for frame in 0..texture.n_frames.into() {
        for face in 0..texture.n_faces() {
            let picture = pixels(&texture, frame, face)?;
            let mut bytes = Vec::new();
            let written = picture.write_to(&mut Cursor::new(&mut bytes), container);
            written.map_err(|error| of_picture(&error))?;
            files.push((
                path_of(request.interchange, &texture, frame, Some(face)),
                bytes,
            ));
        }
    }
    let mut findings = texture.check();
    if texture.n_mips > 1 {
        let message = format!(
            "{} smaller mips are not in the picture",
            texture.n_mips.saturating_sub(1)
        );
        findings.push(Finding::new(Severity::Note, FORMAT, message));
    }
    Ok(Exported { files, findings })
}

/// Slices of a volume stand below each other.
fn eight_bits(texture: &Vtf, frame: u32, face: u32) -> Result<DynamicImage, FormatError> {
    let [width, height] = sheet(texture);
    let rgba = RgbaImage::from_raw(width, height, texture.decode_rgba8(0, frame, face)?);
    Ok(rgba.expect("a mip has the pixels of its size").into())
}

fn linear(texture: &Vtf, frame: u32, face: u32) -> Result<DynamicImage, FormatError> {
    let [width, height] = sheet(texture);
    let rgb: Vec<f32> = match texture.decode_rgba16f(0, frame, face) {
        Ok(halves) => {
            let (pixels, _) = halves.as_chunks::<8>();
            let of_pixel = |[r0, r1, g0, g1, b0, b1, _, _]: &[u8; 8]| {
                [[*r0, *r1], [*g0, *g1], [*b0, *b1]].map(|half| f16::from_le_bytes(half).to_f32())
            };
            pixels.iter().flat_map(of_pixel).collect()
        }
        // Of low range: out of display space.
        Err(_) => {
            let rgba = texture.decode_rgba8(0, frame, face)?;
            let (pixels, _) = rgba.as_chunks::<4>();
            let of_pixel =
                |[r, g, b, _]: &[u8; 4]| [*r, *g, *b].map(|it| (f32::from(it) / 255.0).powf(2.2));
            pixels.iter().flat_map(of_pixel).collect()
        }
    };
    let picture = Rgb32FImage::from_raw(width, height, rgb);
    Ok(picture.expect("a mip has the pixels of its size").into())
}

fn sheet(texture: &Vtf) -> [u32; 2] {
    let [width, height, depth] = texture.mip_size(0);
    [width, height.saturating_mul(depth)]
}

/// A texture of a picture. It has the pixel format of the base, if pictures become that, unless another is requested;
/// without a base it has alpha of eight bits if any pixel is seen through, else none.
fn from_eight_bits(
    data: &[u8],
    request: &ConversionRequest<'_>,
    container: Container,
) -> Result<Vec<u8>, ConversionError> {
    let options = request.options;
    let base = base_of(request)?;
    let requested = options.pixel_format.as_deref().map(format_named);
    let picture = decoded(data, container)?.into_rgba8();
    let [width, height] = sides(picture.width(), picture.height())?;
    let has_alpha = picture.pixels().any(|pixel| {
        let [_, _, _, alpha] = pixel.0;
        alpha < u8::MAX
    });
    let fitting = match has_alpha {
        true => ImageFormat::Bgra8888,
        false => ImageFormat::Bgr888,
    };
    let is_known = |format: &ImageFormat| super::PIXEL_FORMATS.iter().any(|(_, it)| it == format);
    let format = match requested.transpose()? {
        Some(requested) => requested,
        None => base
            .as_ref()
            .map(|base| base.format)
            .filter(is_known)
            .unwrap_or(fitting),
    };
    let is_single = options.is_single_level || base.as_ref().is_some_and(|it| it.n_mips == 1);
    let mut flags = TextureFlags::empty();
    flags.set(TextureFlags::NO_MIPS, is_single);
    flags.set(
        TextureFlags::EIGHT_BIT_ALPHA,
        has_alpha && keeps_alpha(format),
    );
    let texture = Vtf::draft(&Draft {
        width,
        height,
        format,
        flags,
        mips: match is_single {
            true => MipChain::LevelZero,
            false => MipChain::Full,
        },
        pictures: vec![picture.into_raw()],
    })?;
    Ok(taken_from_base(texture, base.as_ref()).write()?)
}

fn keeps_alpha(format: ImageFormat) -> bool {
    let without = [
        ImageFormat::Bgrx8888,
        ImageFormat::Rgb888,
        ImageFormat::Bgr888,
    ];
    !without.contains(&format)
}

/// The file to take from what pictures lack. One of several pictures is not made of one.
fn base_of(request: &ConversionRequest<'_>) -> Result<Option<Vtf>, ConversionError> {
    let base = request.options.base.as_deref().map(Vtf::read).transpose()?;
    match &base {
        Some(base) if base.is_cubemap() || base.n_frames > 1 || base.depth > 1 => {
            let message = "the base has several pictures; of those only a DDS file makes one";
            Err(ConversionError::other(message))
        }
        _ => Ok(base),
    }
}

fn decoded(data: &[u8], container: Container) -> Result<DynamicImage, ConversionError> {
    let picture = ImageReader::with_format(Cursor::new(data), container).decode();
    picture.map_err(|error| of_picture(&error))
}

fn sides(width: u32, height: u32) -> Result<[u16; 2], ConversionError> {
    let side = |side: u32| {
        u16::try_from(side)
            .ok()
            .filter(|it| *it <= super::super::MAX_SIDE)
    };
    let sides = side(width)
        .zip(side(height))
        .map(|(width, height)| [width, height]);
    sides.ok_or_else(|| {
        let message = format!("{width} x {height} pixels are more than a texture may have");
        ConversionError::other(message)
    })
}

fn mean(picture: &Rgb32FImage) -> [f32; 3] {
    let n_pixels = picture.pixels().len().max(1) as f64;
    let sums = picture.pixels().fold([0.0; 3], |[r, g, b], pixel| {
        let [pr, pg, pb] = pixel.0.map(f64::from);
        [r + pr, g + pg, b + pb]
    });
    sums.map(|sum: f64| (sum / n_pixels) as f32)
}

/// What the picture library says.
fn of_picture(error: &ImageError) -> ConversionError {
    ConversionError::other(format!("the picture: {error}"))
}
