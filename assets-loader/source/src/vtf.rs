//! `*.vtf`: a texture with mips, frames, faces and slices (dossier section 10.3).
//!
//! A header, from version 7.3 on a directory of resources, and pictures, smallest mip first. Versions 7.0 to 7.6; what
//! is read is written back byte for byte. Pixels come out as RGBA of 8 bits or half floats, or as the blocks they are
//! stored in.
//!
//! Deliberately absent: encoding of blocks, and compressed files of version 7.6.

mod codec;
pub(super) mod conversion;
mod decode;
mod draft;
mod format;
mod sheet;
#[cfg(test)]
mod tests;

use std::ops::Range;

use bitflags::bitflags;
use ironlands_scene::PixelFormat;

pub use self::draft::Draft;
pub use self::format::ImageFormat;
pub use self::sheet::{SheetFrame, SheetSequence, SpriteSheet};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::format::{
    Conversion, FileKind, Format, Input, Match, PictureInfo, inherent_methods, no_picture,
};
pub use ironlands_assets_core::mips::MipChain;
use ironlands_assets_core::record::Record;
use ironlands_assets_core::report::Report;

const FORMAT: &str = Vtf::NAME;
/// First bytes of every file.
pub(super) const MAGIC: &[u8; 4] = b"VTF\0";
/// Sides of pictures, in pixels.
const MAX_SIDE: u16 = 16_384;
const MAX_MIPS: u8 = 16;
/// First frame of old cubemaps that lack the sphere map.
const NO_SPHERE_MAP: u16 = 0xFFFF;

/// A texture as stored.
///
/// Header fields are kept as they are; which bytes of [`body`](Self::body) are which picture follows from them.
#[derive(Debug, Clone, PartialEq)]
pub struct Vtf {
    /// Minor version, 0 to 6; the major one is 7.
    pub version: u32,
    /// Width of the largest mip in pixels, 1..=16384.
    pub width: u16,
    /// Height of the largest mip in pixels, 1..=16384.
    pub height: u16,
    /// How it is sampled, and what it is.
    pub flags: TextureFlags,
    /// Number of frames, at least 1.
    pub n_frames: u16,
    /// First frame; 0xFFFF marks cubemaps without a sphere map.
    pub first_frame: u16,
    /// Padding; kept.
    pub unknown_1c: [u8; 4],
    /// Mean color, linear.
    pub reflectivity: [f32; 3],
    /// Padding; kept.
    pub unknown_2c: [u8; 4],
    /// Strength of a bump map.
    pub bump_scale: f32,
    /// How pixels are stored.
    pub format: ImageFormat,
    /// Number of mips, 1..=16.
    pub n_mips: u8,
    /// How the thumbnail's pixels are stored; `None` if there is none.
    pub thumbnail_format: Option<ImageFormat>,
    /// Width and height of the thumbnail in pixels.
    pub thumbnail_size: [u8; 2],
    /// Number of slices of a volume, at least 1; stored from version 7.2 on.
    pub depth: u16,
    /// Padding from version 7.3 on: after the depth, and after the count of resources. Kept.
    pub unknown_41: ([u8; 3], [u8; 8]),
    /// What is stored, from version 7.3 on.
    pub resources: Vec<Resource>,
    /// What the header holds beyond the known fields; kept.
    pub header_tail: Vec<u8>,
    /// All bytes after the header.
    pub body: Vec<u8>,
}

/// One row of the directory of resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct Resource {
    /// What it is.
    #[field("resource tag")]
    pub tag: [u8; 3],
    /// 0x02: the value is the resource.
    #[field("resource flags")]
    pub flags: u8,
    /// The resource itself, or where it lies, in bytes from the start of the file.
    #[field("resource value")]
    pub value: u32,
}

impl Resource {
    /// The value is the resource.
    pub const IS_VALUE: u8 = 0x02;
    /// The thumbnail.
    pub const THUMBNAIL: [u8; 3] = [0x01, 0, 0];
    /// The pictures.
    pub const IMAGE: [u8; 3] = [0x30, 0, 0];
    /// Where the pictures of sprites lie in the texture; see [`SpriteSheet`].
    pub const SHEET: [u8; 3] = [0x10, 0, 0];
    /// How pictures are compressed, in version 7.6.
    pub const COMPRESSION: [u8; 3] = *b"AXC";
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Bytes follow that belong to no picture and no resource. They are kept.
        const TRAILING_BYTES = 1 << 0;
    }
}

bitflags! {
    /// How a texture is sampled, and what it is. Unknown bits are kept.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub struct TextureFlags: u32 {
        /// Nearest texel.
        const POINT = 0x1;
        /// Between mips.
        const TRILINEAR = 0x2;
        /// The edge texel continues beyond u.
        const CLAMP_S = 0x4;
        /// The edge texel continues beyond v.
        const CLAMP_T = 0x8;
        /// Anisotropic.
        const ANISOTROPIC = 0x10;
        /// Display space; unreliable, decide from the use.
        const SRGB = 0x40;
        /// Normals, not colors.
        const NORMAL = 0x80;
        /// No mips.
        const NO_MIPS = 0x100;
        /// Never reduced.
        const NO_LOD = 0x200;
        /// Alpha of one bit.
        const ONE_BIT_ALPHA = 0x1000;
        /// Alpha of eight bits.
        const EIGHT_BIT_ALPHA = 0x2000;
        /// A cubemap: six faces, in old versions a sphere map after them.
        const CUBEMAP = 0x4000;
        /// The edge texel continues beyond the third coordinate.
        const CLAMP_U = 0x0200_0000;
        /// Self-shadowed bump map.
        const SSBUMP = 0x0800_0000;
        /// A border beyond the edges.
        const BORDER = 0x2000_0000;
        const _ = !0;
    }
}

impl Format for Vtf {
    type Context = ();

    const NAME: &'static str = "vtf";
    const EXTENSIONS: &'static [&'static str] = &["vtf"];
    const KIND: FileKind = FileKind::Texture;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) {
            return Some(Match::Content);
        }
        name.ends_with(".vtf").then_some(Match::Extension)
    }

    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Ok((Self::read_with(data, Tolerance::all())?, Vec::new()))
    }

    fn conversions() -> &'static [Conversion] {
        conversion::CONVERSIONS
    }

    fn describe(&self, report: &mut Report) {
        report.fact("version", format!("7.{}", self.version));
        report.fact("size", format!("{} x {}", self.width, self.height));
        report.fact("format", format!("{:?}", self.format));
        report.fact("mips", self.n_mips);
        report.fact("frames", self.n_frames);
        report.fact("faces", self.n_faces());
        if let Ok(Some(sheet)) = self.sheet() {
            report.fact("sprite sequences", sheet.sequences.len());
        }
    }

    /// Strictly: what is tolerated of a texture that is drawn is an error of its file.
    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        let texture = Self::read(input.data)?;
        texture.describe(report);
        report.findings.extend(texture.check());
        Ok(())
    }

    fn pictures(&self) -> Vec<PictureInfo> {
        let info = |PicturePlace { mip, frame, face }| {
            let mut label = format!("mip {mip}");
            if self.n_frames > 1 {
                label = format!("{label}, frame {frame}");
            }
            if self.n_faces() > 1 {
                label = format!("{label}, face {face}");
            }
            let [width, height, depth] = self.mip_size(mip);
            PictureInfo {
                label,
                size: [width, height.saturating_mul(depth)],
            }
        };
        self.picture_places().map(info).collect()
    }

    fn picture(&self, index: usize) -> Result<Vec<u8>, FormatError> {
        match self.picture_places().nth(index) {
            Some(PicturePlace { mip, frame, face }) => self.decode_rgba8(mip, frame, face),
            None => Err(no_picture(Self::NAME, index)),
        }
    }
}

/// Where a picture is among those of a texture.
struct PicturePlace {
    mip: u32,
    frame: u32,
    face: u32,
}

impl Vtf {
    /// All pictures: the largest of all frames and faces first.
    fn picture_places(&self) -> impl Iterator<Item = PicturePlace> {
        let (n_frames, n_faces) = (u32::from(self.n_frames), self.n_faces());
        let of_mip = move |mip| {
            let frames = 0..n_frames;
            frames.flat_map(move |frame| {
                (0..n_faces).map(move |face| PicturePlace { mip, frame, face })
            })
        };
        (0..u32::from(self.n_mips)).flat_map(of_mip)
    }

    /// Reads a whole texture by the strict rules.
    ///
    /// # Errors
    /// As [`Self::read_with`] without tolerance.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::empty())
    }

    /// Reads a whole texture, waiving the given rules.
    ///
    /// # Errors
    /// Another magic or version, a side, mip, frame or slice count out of range, an unknown format, pictures or
    /// resources that reach outside of the file, bytes that belong to nothing. Compressed pictures are unsupported.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        codec::read(data, tolerance)
    }

    /// Bytes that a file which begins so has up to the end of its pictures; `None` if the header is broken, or from
    /// version 7.3 on, where it does not say.
    pub(crate) fn stated_len(beginning: &[u8]) -> Option<u64> {
        let header = codec::read_header(&mut Reader::new(FORMAT, beginning));
        header.ok()?.len_by_header()
    }

    /// Writes the texture; the same bytes if nothing was changed.
    ///
    /// # Errors
    /// What the reader would refuse: fields out of range, or a body without the bytes that they require.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        codec::write(self)
    }

    /// A new texture of version 7.2 from pixels, without a thumbnail. Reflectivity is their mean, made linear.
    ///
    /// # Errors
    /// A side out of range; no picture, or pictures that do not come out even as faces; pixels that are not
    /// `width * height * 4` bytes; a format of other than 8 bits a channel.
    pub fn draft(draft: &Draft) -> Result<Self, FormatError> {
        draft::draft(draft)
    }

    /// What is unusual.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |message| findings.push(Finding::new(Severity::Note, FORMAT, message));
        let [width, height] = [self.width, self.height];
        let longest = u16::BITS.saturating_sub(width.max(height).max(self.depth).leading_zeros());
        if u32::from(self.n_mips) > longest {
            find(format!(
                "{} mips; mip {} has one pixel",
                self.n_mips,
                longest.saturating_sub(1)
            ));
        }
        if self.n_mips > 1 && !(width.is_power_of_two() && height.is_power_of_two()) {
            find(format!(
                "{width} x {height} pixels with mips; no power of two"
            ));
        }
        if let Err(error) = self.sheet() {
            find(format!("sprites show the whole texture: {error}"));
        }
        if self.is_cubemap() && width != height {
            find(format!("a cubemap of {width} x {height} pixels"));
        }
        findings
    }

    /// Whether pictures come in faces.
    pub fn is_cubemap(&self) -> bool {
        self.flags.contains(TextureFlags::CUBEMAP)
    }

    /// Number of faces: 1, or of a cubemap 6 or 7. Faces are +X, -X, +Y, -Y, +Z, -Z of the world, each laid out as
    /// Direct3D and OpenGL have it; the seventh of old files is a sphere map.
    pub fn n_faces(&self) -> u32 {
        match self.is_cubemap() {
            false => 1,
            true if self.version < 5 && self.first_frame != NO_SPHERE_MAP => 7,
            true => 6,
        }
    }

    /// Width, height and depth of a mip in pixels; mip 0 is the largest.
    pub fn mip_size(&self, mip: u32) -> [u32; 3] {
        [self.width, self.height, self.depth]
            .map(|side| u32::from(side).checked_shr(mip).unwrap_or(0).max(1))
    }

    /// Stored bytes of one face of one frame, slices one after the other; mip 0 is the largest. `None` beyond the
    /// last.
    pub fn picture(&self, mip: u32, frame: u32, face: u32) -> Option<&[u8]> {
        if mip >= self.n_mips.into() || frame >= self.n_frames.into() || face >= self.n_faces() {
            return None;
        }
        let smaller = mip.saturating_add(1)..self.n_mips.into();
        let before_mip = smaller.fold(0u64, |sum, mip| sum.saturating_add(self.mip_bytes(mip)));
        let size = self.face_bytes(mip);
        let faces_before = u64::from(frame)
            .saturating_mul(self.n_faces().into())
            .saturating_add(face.into());
        let start = before_mip.saturating_add(faces_before.saturating_mul(size));
        let image = self.layout().ok()?.image;
        let start = image.start.saturating_add(start);
        self.body_range(start..start.saturating_add(size))
    }

    /// The stored blocks of one face of one frame, if they are DXT1, 3 or 5; `None` too beyond the last.
    pub fn blocks(&self, mip: u32, frame: u32, face: u32) -> Option<(PixelFormat, &[u8])> {
        let format = self.format.scene_blocks()?;
        Some((format, self.picture(mip, frame, face)?))
    }

    /// Pixels as red, green, blue, alpha of 8 bits in display space, first row first, slices one after the other.
    ///
    /// Floating-point pixels are clamped to 0..1 and gamma-encoded by 1 / 2.2; signed ones are moved from -1..1 to
    /// 0..1, as normal maps are.
    ///
    /// # Errors
    /// A picture that is not there; pixels by a palette, which these files do not hold.
    pub fn decode_rgba8(&self, mip: u32, frame: u32, face: u32) -> Result<Vec<u8>, FormatError> {
        decode::rgba8(self, mip, frame, face)
    }

    /// Pixels as red, green, blue, alpha in little-endian half floats of linear light, first row first, slices one
    /// after the other: of floating-point formats, and of the two that high dynamic range was squeezed into, BGRA8888
    /// (color times alpha times 16) and RGBA16161616 (times 16).
    ///
    /// # Errors
    /// A picture that is not there; any other format.
    pub fn decode_rgba16f(&self, mip: u32, frame: u32, face: u32) -> Result<Vec<u8>, FormatError> {
        decode::rgba16f(self, mip, frame, face)
    }

    /// The thumbnail's pixels as red, green, blue, alpha of 8 bits; `None` if there is none.
    ///
    /// # Errors
    /// As [`Self::decode_rgba8`].
    pub fn decode_thumbnail(&self) -> Result<Option<Vec<u8>>, FormatError> {
        decode::thumbnail(self)
    }

    /// Bytes of all slices of one face of a mip.
    fn face_bytes(&self, mip: u32) -> u64 {
        let [width, height, depth] = self.mip_size(mip);
        let slice = self.format.n_bytes([width, height]);
        slice.saturating_mul(depth.into())
    }

    /// Bytes of all frames and faces of a mip.
    fn mip_bytes(&self, mip: u32) -> u64 {
        let faces = u64::from(self.n_frames).saturating_mul(self.n_faces().into());
        self.face_bytes(mip).saturating_mul(faces)
    }

    /// Bytes between two offsets from the start of the file.
    fn body_range(&self, range: Range<u64>) -> Option<&[u8]> {
        let start = range.start.checked_sub(self.header_size())?;
        let end = range.end.checked_sub(self.header_size())?;
        self.body
            .get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }
}
