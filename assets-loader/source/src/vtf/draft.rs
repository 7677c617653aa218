//! New textures from pixels.

use super::codec::unexpected;
use super::{ImageFormat, MAX_SIDE, NO_SPHERE_MAP, TextureFlags, Vtf};
use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::mips::{self, MipChain};

/// Version of new textures: the last without a directory of resources, which every game reads.
const VERSION: u32 = 2;
/// What the header of that version has beyond its fields.
const HEADER_TAIL: usize = 15;
const FACES_OF_A_CUBE: usize = 6;

/// What a new texture is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Width in pixels, 1..=16384.
    pub width: u16,
    /// Height in pixels, 1..=16384.
    pub height: u16,
    /// How pixels are stored: a format of 8 bits a channel that has red, green and blue, and no holes.
    pub format: ImageFormat,
    /// How it is sampled; [`TextureFlags::CUBEMAP`] requires six pictures a frame.
    pub flags: TextureFlags,
    /// Which mips it gets.
    pub mips: MipChain,
    /// Pixels as red, green, blue, alpha of 8 bits, first row first: frame after frame, face after face.
    pub pictures: Vec<Vec<u8>>,
}

pub(super) fn draft(draft: &Draft) -> Result<Vtf, FormatError> {
    let Draft {
        width,
        height,
        format,
        flags,
        mips,
        pictures,
    } = draft;
    for (field, side) in [("width", *width), ("height", *height)] {
        if !(1..=MAX_SIDE).contains(&side) {
            return Err(unexpected(field, 16, "1 to 16384", side));
        }
    }
    let is_cubemap = flags.contains(TextureFlags::CUBEMAP);
    let n_faces = if is_cubemap { FACES_OF_A_CUBE } else { 1 };
    let n_frames = u16::try_from(pictures.len().div_ceil(n_faces)).unwrap_or(0);
    if n_frames == 0 || !pictures.len().is_multiple_of(n_faces) {
        let expected = format!("1 to 65535 times {n_faces} pictures");
        return Err(unexpected("frame count", 24, expected, pictures.len()));
    }
    if stored(*format, [0; 4]).is_none() {
        let expected = "a format of 8 bits a channel";
        return Err(unexpected("image format", 52, expected, format.number()));
    }
    let size = [*width, *height].map(u32::from);
    let pyramids = pictures
        .iter()
        .map(|picture| pyramid(picture, size, *mips))
        .collect::<Result<Vec<_>, _>>()?;
    let n_mips = pyramids.first().map_or(0, Vec::len);
    let mut body = Vec::new();
    for mip in (0..n_mips).rev() {
        let pixels = pyramids
            .iter()
            .filter_map(|levels| levels.get(mip))
            .flatten();
        body.extend(pixels.filter_map(|pixel| stored(*format, *pixel)).flatten());
    }
    Ok(Vtf {
        version: VERSION,
        width: *width,
        height: *height,
        flags: *flags,
        n_frames,
        first_frame: if is_cubemap { NO_SPHERE_MAP } else { 0 },
        unknown_1c: [0; 4],
        reflectivity: reflectivity(&pyramids),
        unknown_2c: [0; 4],
        bump_scale: 1.0,
        format: *format,
        n_mips: u8::try_from(n_mips).unwrap_or(u8::MAX),
        thumbnail_format: None,
        thumbnail_size: [0; 2],
        depth: 1,
        unknown_41: Default::default(),
        resources: Vec::new(),
        header_tail: vec![0; HEADER_TAIL],
        body,
    })
}

type Levels = Vec<Vec<[u8; 4]>>;

fn pyramid(rgba: &[u8], [width, height]: [u32; 2], mips: MipChain) -> Result<Levels, FormatError> {
    let (pixels, rest) = rgba.as_chunks::<4>();
    let n_pixels = u64::from(width).saturating_mul(height.into());
    if pixels.len() as u64 != n_pixels || !rest.is_empty() {
        let expected = format!("{width} x {height} pixels of 4 bytes");
        let found = format!("{} bytes", rgba.len());
        return Err(unexpected("pixels", 0, expected, found));
    }
    Ok(mips::levels(pixels, [width, height], mips))
}

/// The bytes of a pixel; `None` if new textures are not made in the format.
fn stored(format: ImageFormat, [r, g, b, a]: [u8; 4]) -> Option<impl Iterator<Item = u8>> {
    let (bytes, n_bytes) = match format {
        ImageFormat::Rgba8888 => ([r, g, b, a], 4),
        ImageFormat::Abgr8888 => ([a, b, g, r], 4),
        ImageFormat::Argb8888 => ([a, r, g, b], 4),
        ImageFormat::Bgra8888 => ([b, g, r, a], 4),
        ImageFormat::Bgrx8888 => ([b, g, r, 255], 4),
        ImageFormat::Rgb888 => ([r, g, b, 0], 3),
        ImageFormat::Bgr888 => ([b, g, r, 0], 3),
        _ => return None,
    };
    Some(bytes.into_iter().take(n_bytes))
}

/// Mean of the largest mips, made linear.
fn reflectivity(pyramids: &[Levels]) -> [f32; 3] {
    mean_light(
        pyramids
            .iter()
            .filter_map(|levels| levels.first())
            .flatten(),
    )
}

/// The mean of pixels, made linear.
pub(super) fn mean_light<'a>(pixels: impl Iterator<Item = &'a [u8; 4]>) -> [f32; 3] {
    let linear = |value: u8| (f64::from(value) / 255.0).powf(2.2);
    let (mut sums, mut n_pixels) = ([0.0; 3], 0.0);
    for [r, g, b, _] in pixels {
        for (sum, value) in sums.iter_mut().zip([*r, *g, *b]) {
            *sum += linear(value);
        }
        n_pixels += 1.0;
    }
    sums.map(|sum: f64| (sum / n_pixels) as f32)
}
