//! Texm: textures with mips, palette and page rectangles (dossier section 9.1).
//!
//! A header of 32 bytes, a palette with [`TexmFormat::Indexed8`] only, the levels from the largest down,
//! and optionally a `Page` block. [`Texm::to_rgba8`] and [`Texm::from_rgba8`] go between it and plain pixels.

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{
    Conversion, FileKind, Format, PictureInfo, inherent_methods, no_picture,
};
use ironlands_assets_core::mips::{full_chain, level_size};
use ironlands_assets_core::record::Record;

mod conversion;
mod dds;
mod encode;
mod names;
mod pixels;
mod quantize;
#[cfg(test)]
mod tests;

pub use ironlands_assets_core::mips::MipChain;
pub use names::{BadTextureName, PaletteBank, palette_bank};
pub use pixels::{ChannelOrder, LuminanceOrder, PaletteAlpha, PixelOptions};

const FORMAT: &str = Texm::NAME;

/// Type of the entries of archives that are textures.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"Texm");
const MAGIC: &[u8; 4] = b"Texm";
const PAGE_MAGIC: &[u8; 4] = b"Page";
/// A side has 32 bits, so that a 33rd level cannot differ from the 32nd.
const MAX_LEVELS: u64 = 32;

/// A texture as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texm {
    /// Width of level 0 in pixels.
    pub width: u32,
    /// Height of level 0 in pixels.
    pub height: u32,
    /// 0 or 32; kept.
    pub flags4: u32,
    /// Mip-skip bits; kept.
    pub flags5: u32,
    /// Unknown; kept.
    pub unknown_18: u32,
    /// Pixel format.
    pub format: TexmFormat,
    /// 256 entries of B, G, R, x; only with [`TexmFormat::Indexed8`].
    pub palette: Option<Box<[[u8; 4]; 256]>>,
    /// Stored bytes of each level, largest first, no row padding.
    pub mips: Vec<Vec<u8>>,
    /// Rectangles of the `Page` block, if there is one.
    pub page: Option<Vec<PageRect>>,
}

impl Format for Texm {
    type Context = ();

    const NAME: &'static str = "texm";
    const EXTENSIONS: &'static [&'static str] = &["texm"];
    const KIND: FileKind = FileKind::Texture;

    inherent_methods!(read, write, check);

    fn conversions() -> &'static [Conversion] {
        conversion::CONVERSIONS
    }

    fn pictures(&self) -> Vec<PictureInfo> {
        let levels = (0..).zip(&self.mips);
        let info = |(level, _)| PictureInfo {
            label: format!("mip {level}"),
            size: self.level_size(level),
        };
        levels.map(info).collect()
    }

    fn picture(&self, index: usize) -> Result<Vec<u8>, FormatError> {
        match u32::try_from(index) {
            Ok(level) if index < self.mips.len() => self.to_rgba8(level),
            _ => Err(no_picture(Self::NAME, index)),
        }
    }
}

impl Texm {
    /// Reads a whole texture.
    ///
    /// # Errors
    /// A side or a level count of 0, an unknown format, levels that the bytes cannot hold, or bytes after
    /// the last level that are no `Page` block of exactly their length.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        let width = read_positive(&mut r, "width")?;
        let height = read_positive(&mut r, "height")?;
        let at_mip_count = r.clone();
        let mip_count = read_positive(&mut r, "mip count")?;
        if u64::from(mip_count) > MAX_LEVELS {
            return Err(at_mip_count.unexpected("mip count", "at most 32", mip_count));
        }
        let flags4 = r.u32("flags4")?;
        let flags5 = r.u32("flags5")?;
        let unknown_18 = r.u32("unknown_18")?;
        let format = TexmFormat::read(&mut r)?;
        let palette = match format {
            TexmFormat::Indexed8 => Some(read_palette(&mut r)?),
            _ => None,
        };
        let mips = (0..mip_count)
            .map(|level| {
                let [width, height] = level_size(width, height, level);
                let n_pixels = u64::from(width).saturating_mul(u64::from(height));
                r.claim("mip level", n_pixels, format.bytes_per_pixel())?;
                let size = level_bytes(width, height, format);
                let bytes = r.bytes("mip level", usize::try_from(size).unwrap_or(usize::MAX))?;
                Ok(bytes.to_vec())
            })
            .collect::<Result<_, _>>()?;
        let page = match r.remaining() {
            0 => None,
            _ => Some(read_page(&mut r)?),
        };
        r.finish("after the page rectangles")?;
        Ok(Self {
            width,
            height,
            flags4,
            flags5,
            unknown_18,
            format,
            palette,
            mips,
            page,
        })
    }

    /// Writes the texture.
    ///
    /// # Errors
    /// A side or a level count of 0, a level without the bytes of its size, a palette where the format has
    /// none or the other way round.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            width,
            height,
            flags4,
            flags5,
            unknown_18,
            format,
            palette,
            mips,
            page,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        for (field, side) in [("width", *width), ("height", *height)] {
            if side == 0 {
                return Err(w.unexpected(field, "at least 1", 0));
            }
            w.u32(side);
        }
        if mips.is_empty() {
            return Err(w.unexpected("mip count", "at least 1", 0));
        }
        if mips.len() as u64 > MAX_LEVELS {
            return Err(w.too_large("mip count", mips.len() as u64, MAX_LEVELS));
        }
        w.count("mip count", mips.len())?;
        for word in [*flags4, *flags5, *unknown_18, format.number()] {
            w.u32(word);
        }
        match (format, palette) {
            (TexmFormat::Indexed8, Some(palette)) => w.bytes(palette.as_flattened()),
            (TexmFormat::Indexed8, None) => {
                return Err(w.unexpected("palette", "256 colors", "no palette"));
            }
            (_, Some(_)) => {
                let found = format!("one with format {}", format.number());
                return Err(w.unexpected("palette", "no palette", found));
            }
            (_, None) => {}
        }
        for (level, bytes) in (0u32..).zip(mips) {
            let [width, height] = self.level_size(level);
            let size = level_bytes(width, height, *format);
            if bytes.len() as u64 != size {
                let expected = format!("{size} bytes for level {level}");
                return Err(w.unexpected("mip level", expected, bytes.len()));
            }
            w.bytes(bytes);
        }
        if let Some(rects) = page {
            w.bytes(PAGE_MAGIC);
            w.count("page count", rects.len())?;
            rects.iter().try_for_each(|rect| rect.write(&mut w, ()))?;
        }
        Ok(w.finish())
    }

    /// What no known file has, and page rectangles that reach outside.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |severity, message| findings.push(Finding::new(severity, FORMAT, message));
        let sides = [self.width, self.height];
        if self.width != self.height || sides.iter().any(|side| !(8..=256).contains(side)) {
            let message = format!(
                "{} x {} pixels; all known files are square, from 8 to 256",
                self.width, self.height
            );
            find(Severity::Note, message);
        }
        if matches!(
            self.format,
            TexmFormat::Rgb556 | TexmFormat::LuminanceAlpha88
        ) {
            let message = format!("format {} has been seen in no file", self.format.number());
            find(Severity::Note, message);
        }
        if !matches!(self.flags4, 0 | 32) {
            find(Severity::Note, format!("flags4 is {:#x}", self.flags4));
        }
        if !matches!(self.flags5, 0 | 0x0400_0000 | 0x0080_0000) {
            find(Severity::Note, format!("flags5 is {:#x}", self.flags5));
        }
        let longest_chain = full_chain(self.width, self.height);
        if self.mips.len() as u64 > u64::from(longest_chain) {
            let message = format!(
                "{} levels, but level {} is the last that is smaller than the one before",
                self.mips.len(),
                longest_chain.saturating_sub(1)
            );
            find(Severity::Warning, message);
        }
        for (idx, rect) in self.page.iter().flatten().enumerate() {
            if !rect.lies_inside(self.width, self.height) {
                let message = format!("page rectangle {idx} {rect:?} reaches outside of level 0");
                find(Severity::Warning, message);
            }
        }
        findings
    }

    /// Width and height of a level in pixels, as they follow from level 0.
    pub fn level_size(&self, level: u32) -> [u32; 2] {
        level_size(self.width, self.height, level)
    }

    /// Number of levels of a full chain, down to a single pixel; a texture may have fewer or more.
    pub fn full_chain_len(&self) -> u32 {
        full_chain(self.width, self.height)
    }

    /// How many of the largest levels the original leaves out to save memory (dossier section 9.2).
    pub fn mip_skip(&self) -> u32 {
        let n_levels = self.mips.len();
        let two_or_one = if n_levels > 2 { 2 } else { 1 };
        let sides = [self.width, self.height];
        if n_levels <= 1 {
            return 0;
        }
        match self.flags5 & 0x7200_0000 {
            0x0200_0000 => two_or_one,
            0x1000_0000 => 1,
            0x2000_0000 if sides.iter().any(|side| *side >= 256) => 1,
            0x4000_0000 if sides.iter().all(|side| *side > 128) => two_or_one,
            0x4000_0000 if sides.contains(&128) => 1,
            _ => 0,
        }
    }

    /// Texture coordinates of the pages as `[u, v, du, dv]`: first the whole texture, then each rectangle.
    ///
    /// They do not depend on [`Texm::mip_skip`]: the original shifts the reduced size back up.
    pub fn page_uvs(&self) -> Vec<[f32; 4]> {
        let [width, height] = [self.width, self.height].map(|side| side as f32);
        let rects = self.page.iter().flatten().map(|rect| {
            let [x, w, y, h] = [rect.x, rect.w, rect.y, rect.h].map(f32::from);
            [x / width, y / height, w / width, h / height]
        });
        std::iter::once([0.0, 0.0, 1.0, 1.0]).chain(rects).collect()
    }
}

/// Pixel formats by the number in the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TexmFormat {
    /// 0: one byte, index into the palette.
    Indexed8,
    /// 565: red 5, green 6, blue 5.
    Rgb565,
    /// 556: red 5, green 5, blue 6.
    Rgb556,
    /// 4444: alpha, red, green, blue from the top.
    Argb4444,
    /// 88: luminance and alpha.
    LuminanceAlpha88,
    /// 888: bytes B, G, R, x.
    Rgb888,
    /// 8888: bytes B, G, R, A.
    Argb8888,
}

impl TexmFormat {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Indexed8,
        Self::Rgb565,
        Self::Rgb556,
        Self::Argb4444,
        Self::LuminanceAlpha88,
        Self::Rgb888,
        Self::Argb8888,
    ];

    /// The number in the header.
    pub const fn number(self) -> u32 {
        match self {
            Self::Indexed8 => 0,
            Self::Rgb565 => 565,
            Self::Rgb556 => 556,
            Self::Argb4444 => 4444,
            Self::LuminanceAlpha88 => 88,
            Self::Rgb888 => 888,
            Self::Argb8888 => 8888,
        }
    }

    /// Stored bytes of one pixel.
    pub const fn bytes_per_pixel(self) -> usize {
        match self {
            Self::Indexed8 => 1,
            Self::Rgb565 | Self::Rgb556 | Self::Argb4444 | Self::LuminanceAlpha88 => 2,
            Self::Rgb888 | Self::Argb8888 => 4,
        }
    }

    /// Whether pixels carry an alpha of their own.
    pub const fn has_alpha(self) -> bool {
        matches!(
            self,
            Self::Argb4444 | Self::LuminanceAlpha88 | Self::Argb8888
        )
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let at = r.clone();
        let number = r.u32("format")?;
        Self::ALL
            .into_iter()
            .find(|format| format.number() == number)
            .ok_or_else(|| at.unexpected("format", "0, 565, 556, 4444, 88, 888 or 8888", number))
    }
}

/// A rectangle in pixels of level 0. Stored in this order: x, w, y, h.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
#[expect(missing_docs, reason = "a rectangle")]
pub struct PageRect {
    #[field("page x")]
    pub x: i16,
    #[field("page w")]
    pub w: i16,
    #[field("page y")]
    pub y: i16,
    #[field("page h")]
    pub h: i16,
}

impl PageRect {
    fn lies_inside(self, width: u32, height: u32) -> bool {
        [(self.x, self.w, width), (self.y, self.h, height)]
            .into_iter()
            .all(|(start, len, limit)| {
                let end = i64::from(start).saturating_add(i64::from(len));
                start >= 0 && len >= 0 && end <= i64::from(limit)
            })
    }
}

/// Stored size of a level; saturated sizes are refused, since no file is that long.
fn level_bytes(width: u32, height: u32, format: TexmFormat) -> u64 {
    u64::from(width)
        .saturating_mul(u64::from(height))
        .saturating_mul(format.bytes_per_pixel() as u64)
}

fn read_positive(r: &mut Reader<'_>, field: &'static str) -> Result<u32, FormatError> {
    let at = r.clone();
    match r.u32(field)? {
        0 => Err(at.unexpected(field, "at least 1", 0)),
        value => Ok(value),
    }
}

fn read_palette(r: &mut Reader<'_>) -> Result<Box<[[u8; 4]; 256]>, FormatError> {
    let mut palette = Box::new([[0; 4]; 256]);
    let bytes = r.array::<1024>("palette")?;
    palette.as_flattened_mut().copy_from_slice(&bytes);
    Ok(palette)
}

fn read_page(r: &mut Reader<'_>) -> Result<Vec<PageRect>, FormatError> {
    r.expect("page magic", PAGE_MAGIC)?;
    let n_rects = r.count("page count", PageRect::SIZE)?;
    (0..n_rects).map(|_| PageRect::read(r, ())).collect()
}
