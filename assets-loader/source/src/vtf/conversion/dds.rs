//! Textures as DDS, the texture container of DirectX: all mips, and all faces of a cubemap, in a file for each frame.
//!
//! Pixels that both can store are copied; others become 32 bits a pixel.

use ddsfile::{Caps2, D3DFormat, Dds, NewD3dParams};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{ConversionError, ConversionRequest, Exported};
use ironlands_assets_core::mips::{MipChain, level_size};

use super::super::draft::{Draft, mean_light};
use super::super::{FORMAT, ImageFormat, MAX_MIPS, MAX_SIDE, TextureFlags, Vtf};
use super::{path_of, taken_from_base};

/// What both store alike.
const ALIKE: [(ImageFormat, D3DFormat); 16] = [
    (ImageFormat::Dxt1, D3DFormat::DXT1),
    (ImageFormat::Dxt3, D3DFormat::DXT3),
    (ImageFormat::Dxt5, D3DFormat::DXT5),
    (ImageFormat::Bgra8888, D3DFormat::A8R8G8B8),
    (ImageFormat::Bgrx8888, D3DFormat::X8R8G8B8),
    (ImageFormat::Rgba8888, D3DFormat::A8B8G8R8),
    (ImageFormat::Bgr888, D3DFormat::R8G8B8),
    (ImageFormat::Bgr565, D3DFormat::R5G6B5),
    (ImageFormat::Bgra4444, D3DFormat::A4R4G4B4),
    (ImageFormat::Bgra5551, D3DFormat::A1R5G5B5),
    (ImageFormat::Bgrx5551, D3DFormat::X1R5G5B5),
    (ImageFormat::I8, D3DFormat::L8),
    (ImageFormat::Ia88, D3DFormat::A8L8),
    (ImageFormat::A8, D3DFormat::A8),
    (ImageFormat::Rgba16161616F, D3DFormat::A16B16G16R16F),
    (ImageFormat::Rgba32323232F, D3DFormat::A32B32G32R32F),
];
const CUBE_FACES: u32 = 6;

pub(super) fn to_dds(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Exported, ConversionError> {
    let texture = Vtf::read(data)?;
    if texture.depth > 1 {
        return Err(ConversionError::other("volumes do not become DDS"));
    }
    // DXT1 is one format in DDS, with and without its bit of alpha.
    let format = match texture.format {
        ImageFormat::Dxt1OneBitAlpha => ImageFormat::Dxt1,
        format => format,
    };
    let alike = ALIKE.iter().find(|(known, _)| *known == format);
    let mut files = Vec::new();
    for frame in 0..texture.n_frames.into() {
        let mut dds = Dds::new_d3d(NewD3dParams {
            height: texture.height.into(),
            width: texture.width.into(),
            depth: None,
            format: alike.map_or(D3DFormat::A8R8G8B8, |(_, format)| *format),
            mipmap_levels: Some(texture.n_mips.into()),
            caps2: texture
                .is_cubemap()
                .then_some(Caps2::CUBEMAP | Caps2::CUBEMAP_ALLFACES),
        })
        .map_err(ConversionError::other)?;
        dds.data = Vec::new();
        for face in 0..texture.n_faces().min(CUBE_FACES) {
            for mip in 0..texture.n_mips.into() {
                dds.data
                    .extend(level(&texture, (mip, frame, face), alike.is_some())?);
            }
        }
        let mut bytes = Vec::new();
        dds.write(&mut bytes).map_err(ConversionError::other)?;
        files.push((path_of(request.interchange, &texture, frame, None), bytes));
    }
    let mut findings = texture.check();
    findings.extend(lost(&texture, alike.is_some()));
    Ok(Exported { files, findings })
}

fn level(
    texture: &Vtf,
    (mip, frame, face): (u32, u32, u32),
    is_alike: bool,
) -> Result<Vec<u8>, FormatError> {
    if let Some(stored) = texture.picture(mip, frame, face).filter(|_| is_alike) {
        return Ok(stored.to_vec());
    }
    let mut rgba = texture.decode_rgba8(mip, frame, face)?;
    let (pixels, _) = rgba.as_chunks_mut::<4>();
    pixels
        .iter_mut()
        .for_each(|[r, _, b, _]| std::mem::swap(r, b));
    Ok(rgba)
}

/// What DDS has no place for.
fn lost(texture: &Vtf, is_alike: bool) -> Option<Finding> {
    let lost = [
        (!is_alike, "the pixel format"),
        (texture.n_faces() > CUBE_FACES, "the sphere map"),
        (!texture.flags.is_empty(), "its flags"),
        (!texture.resources.is_empty(), "its resources"),
    ];
    let lost = lost.iter().filter_map(|(is, what)| is.then_some(*what));
    let lost: Vec<&str> = lost.collect();
    let message = format!("not in the picture: {}", lost.join(", "));
    (!lost.is_empty()).then(|| Finding::new(Severity::Note, FORMAT, message))
}

/// A texture of the picture. Mips come over as they are; of the base it has the flags.
pub(super) fn from_dds(
    data: &[u8],
    request: &ConversionRequest<'_>,
) -> Result<Vec<u8>, ConversionError> {
    let options = request.options;
    if options.pixel_format.is_some() {
        let message = "pixels of DDS stay as they are; --pixel-format is for pictures";
        return Err(ConversionError::other(message));
    }
    let base = options.base.as_deref().map(Vtf::read).transpose()?;
    let dds = Dds::read(data).map_err(ConversionError::other)?;
    let known = dds.get_d3d_format();
    let Some((format, _)) = ALIKE.iter().find(|(_, format)| Some(*format) == known) else {
        let found = known.map_or_else(|| "of another kind".to_owned(), |it| format!("{it:?}"));
        return Err(ConversionError::other(format!("its pixels are {found}")));
    };
    let picture = Stored::new(&dds, *format)?;
    let n_mips = match options.is_single_level {
        true => 1,
        false => picture.n_mips,
    };
    let mut body = Vec::new();
    for mip in (0..n_mips).rev() {
        for face in 0..picture.n_faces {
            body.extend_from_slice(picture.level(face, mip)?);
        }
    }
    let mut flags = TextureFlags::empty();
    flags.set(TextureFlags::NO_MIPS, n_mips == 1);
    flags.set(TextureFlags::CUBEMAP, picture.n_faces == CUBE_FACES);
    let texture = picture.texture(flags, n_mips, body)?;
    Ok(taken_from_base(texture, base.as_ref()).write()?)
}

/// The levels of a DDS file, face after face.
struct Stored<'a> {
    data: &'a [u8],
    size: [u16; 2],
    format: ImageFormat,
    n_mips: u32,
    n_faces: u32,
}

impl<'a> Stored<'a> {
    fn new(dds: &'a Dds, format: ImageFormat) -> Result<Self, ConversionError> {
        let [width, height] = [dds.get_width(), dds.get_height()];
        let n_mips = dds.get_num_mipmap_levels().max(1);
        let side = |side: u32| {
            u16::try_from(side)
                .ok()
                .filter(|it| (1..=MAX_SIDE).contains(it))
        };
        let Some(size) = side(width)
            .zip(side(height))
            .filter(|_| n_mips <= MAX_MIPS.into())
        else {
            let message = format!("it has {width} x {height} pixels in {n_mips} levels");
            return Err(ConversionError::other(message));
        };
        if dds.get_depth() > 1 {
            return Err(ConversionError::other("it is a volume"));
        }
        let is_cube = dds.header.caps2.contains(Caps2::CUBEMAP);
        if is_cube && !dds.header.caps2.contains(Caps2::CUBEMAP_ALLFACES) {
            return Err(ConversionError::other("faces of its cubemap are missing"));
        }
        Ok(Self {
            data: &dds.data,
            size: size.into(),
            format,
            n_mips,
            n_faces: if is_cube { CUBE_FACES } else { 1 },
        })
    }

    fn level_bytes(&self, mip: u32) -> u64 {
        let [width, height] = self.size.map(u32::from);
        self.format.n_bytes(level_size(width, height, mip))
    }

    fn level(&self, face: u32, mip: u32) -> Result<&'a [u8], ConversionError> {
        let bytes = |mips: std::ops::Range<u32>| {
            mips.fold(0_u64, |sum, mip| sum.saturating_add(self.level_bytes(mip)))
        };
        let start = bytes(0..self.n_mips).saturating_mul(face.into());
        let start = start.saturating_add(bytes(0..mip));
        let end = start.saturating_add(self.level_bytes(mip));
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let level = range.and_then(|(start, end)| self.data.get(start..end));
        level.ok_or_else(|| {
            let len = self.data.len();
            ConversionError::other(format!("level {mip} ends at byte {end} of {len}"))
        })
    }

    fn texture(&self, flags: TextureFlags, n_mips: u32, body: Vec<u8>) -> Result<Vtf, FormatError> {
        let [width, height] = self.size;
        let n_faces = self.n_faces as usize;
        // A draft of one pixel a face has the rest of the header.
        let draft = Vtf::draft(&Draft {
            width: 1,
            height: 1,
            format: ImageFormat::Bgra8888,
            flags,
            mips: MipChain::LevelZero,
            pictures: vec![vec![0; 4]; n_faces],
        })?;
        let mut texture = Vtf {
            width,
            height,
            format: self.format,
            n_mips: u8::try_from(n_mips).unwrap_or(u8::MAX),
            body,
            ..draft
        };
        let rgba = texture.decode_rgba8(0, 0, 0)?;
        texture.reflectivity = mean_light(rgba.as_chunks::<4>().0.iter());
        Ok(texture)
    }
}
