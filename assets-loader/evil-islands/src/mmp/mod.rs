//! MMP: a texture with mips (dossier section 5).
//!
//! A header of 76 bytes and the levels from the largest down: blocks, words or dwords by channel masks, or one level
//! of packed words. What is read is written back byte for byte.
//!
//! Rows are in stored order wherever a name does not say otherwise. A renderer draws them so, the first stored row
//! at v = 0; [`Mmp::row_order`] says which way up a viewer would see them.

mod codec;
mod conversion;
mod dds;
mod decode;
mod dxt;
mod encode;
mod flip;
mod format;
mod pnt3;
mod scene;
#[cfg(test)]
mod tests;

use bitflags::bitflags;

pub use self::encode::{MmpDraft, PixelRows};
pub use self::format::{Channel, Channels, MmpFormat, RowOrder};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::format::{Conversion, FileKind, Format, Match, PictureInfo, no_picture};
pub use ironlands_assets_core::mips::MipChain;
use ironlands_assets_core::mips::{full_chain, level_size};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::unpack::Budget;

const FORMAT: &str = Mmp::NAME;

/// What the files begin with.
pub const MAGIC: [u8; 4] = *b"MMP\0";
const HEADER_SIZE: usize = MAGIC.len() + codec::Header::SIZE;
/// Sides of pictures, in pixels.
const MAX_SIDE: u32 = 16_384;
const MAX_MIPS: u32 = 15;

/// A texture as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mmp {
    /// Width of level 0 in pixels, 1..=16384.
    pub width: u32,
    /// Height of level 0 in pixels, 1..=16384.
    pub height: u32,
    /// The header's word 12: number of levels, or for packed pixels (`PNT3`) their length in bytes.
    pub level_word: u32,
    /// How pixels are stored.
    pub format: MmpFormat,
    /// The header's word 20: bits of a pixel.
    pub bits_per_pixel: u32,
    /// Where the channels lie in a pixel; of blocks, in the logical pixel that they stand for.
    pub channels: Channels,
    /// The header's word 72: 0, or where bytes of the user's begin.
    pub extra_offset: u32,
    /// Stored bytes of each level, largest first; packed pixels are one level.
    pub levels: Vec<Vec<u8>>,
    /// Bytes after the last level; kept.
    pub tail: Vec<u8>,
    /// That of the file that it lies in: a few packed bytes can stand for a gigabyte of pixels.
    pub budget: Budget,
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Bytes follow that the header does not mention. They are kept.
        const TRAILING_BYTES = 1 << 0;
        /// The file ends before its smallest levels do. The rest of the first incomplete level is kept.
        const MISSING_LEVELS = 1 << 1;
        /// Masks that are not those of the format. Pixels of words are read by the masks.
        const OTHER_MASKS = 1 << 2;
        /// Bits of a pixel that are not those of the format.
        const OTHER_BITS_PER_PIXEL = 1 << 3;
        /// Packed pixels that unpack to more or less than the picture. They can be rewritten, not decoded.
        const BROKEN_PACKING = 1 << 4;
    }
}

impl Format for Mmp {
    type Context = ();

    const NAME: &'static str = "mmp";
    const EXTENSIONS: &'static [&'static str] = &["mmp"];
    const KIND: FileKind = FileKind::Texture;

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(&MAGIC) {
            return Some(Match::Content);
        }
        name.ends_with(".mmp").then_some(Match::Extension)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("size", format!("{} x {}", self.width, self.height));
        report.fact("format", self.format);
        report.fact("levels", self.levels.len());
        report.fact("rows", format!("{:?}", self.row_order()));
    }

    fn conversions() -> &'static [Conversion] {
        conversion::CONVERSIONS
    }

    fn pictures(&self) -> Vec<PictureInfo> {
        let levels = self.levels.iter().enumerate();
        let info = |(level, _)| PictureInfo {
            label: format!("mip {level}"),
            size: self.level_size(level),
        };
        levels.map(info).collect()
    }

    fn picture(&self, index: usize) -> Result<Vec<u8>, FormatError> {
        match index < self.levels.len() {
            true => self.upright_rgba(index),
            false => Err(no_picture(Self::NAME, index)),
        }
    }
}

impl Mmp {
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
    /// Another magic, a side or a number of levels out of range, an unknown format, levels beyond the bytes that are
    /// there, masks or bits that are not those of the format, packed pixels that do not fill the picture, bytes that
    /// belong to nothing.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        Self::read_within(data, tolerance, &Budget::from_file_size(data.len()))
    }

    /// As [`Self::read_with`]; pixels spend from the budget of the files that it is drawn with.
    ///
    /// # Errors
    /// As [`Self::read_with`].
    pub fn read_within(
        data: &[u8],
        tolerance: Tolerance,
        budget: &Budget,
    ) -> Result<Self, FormatError> {
        codec::read(data, tolerance, budget)
    }

    /// Writes the texture; the same bytes if nothing was changed.
    ///
    /// # Errors
    /// A side or a number of levels out of range, levels without the bytes of their size.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        codec::write(self)
    }

    /// A new texture from pixels.
    ///
    /// Blocks are fitted: colors come back nearly, alpha of one bit is a hole below 128. Pixels are packed without
    /// loss but for invisible ones of next to no red, which become black.
    ///
    /// # Errors
    /// A side out of range, pixels that are not `width * height * 4` bytes. Formats that no game file has are
    /// unsupported.
    pub fn encode(draft: &MmpDraft<'_>) -> Result<Self, FormatError> {
        encode::encode(draft)
    }

    /// What is unusual.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |severity, message| findings.push(Finding::new(severity, FORMAT, message));
        if !self.format.is_seen() {
            let message = format!("format {} has been seen in no game file", self.format);
            find(Severity::Note, message);
        }
        if self
            .format
            .channels()
            .is_some_and(|usual| usual != self.channels)
        {
            let message = format!("the masks are not those of format {}", self.format);
            find(Severity::Warning, message);
        }
        if let Some(n_missing) = self.n_levels().checked_sub(self.levels.len() as u32)
            && n_missing > 0
        {
            find(Severity::Warning, format!("{n_missing} levels are missing"));
        }
        if self.format == MmpFormat::Pnt3
            && let Some(packed) = self.levels.first()
        {
            let [width, height] = [self.width, self.height].map(u64::from);
            let n_bytes = width.saturating_mul(height).saturating_mul(4);
            let problem = pnt3::expect_len(packed, n_bytes, &Reader::new(FORMAT, packed));
            if let Err(error) = problem {
                find(Severity::Error, error.to_string());
            }
        }
        let longest = full_chain(self.width, self.height);
        if self.levels.len() as u64 > longest.into() {
            let message = format!(
                "{} levels; level {} has one pixel",
                self.levels.len(),
                longest.saturating_sub(1)
            );
            find(Severity::Note, message);
        }
        let over_the_edge = (0..self.levels.len()).find(|level| self.is_over_the_edge(*level));
        if let Some(level) = over_the_edge.filter(|_| self.row_order() == RowOrder::BottomUp) {
            let [_, height] = self.level_size(level);
            let message = format!(
                "the blocks of level {level} have {height} rows, no multiple of 4: they cannot be turned over for a DDS \
                 file"
            );
            find(Severity::Note, message);
        }
        if (1..HEADER_SIZE as u32).contains(&self.extra_offset) {
            let message = format!("user data at {} would lie in the header", self.extra_offset);
            find(Severity::Warning, message);
        }
        if !self.tail.is_empty() {
            let message = format!("{} bytes after the last level", self.tail.len());
            find(Severity::Note, message);
        }
        findings
    }

    /// Number of levels that the header names.
    pub fn n_levels(&self) -> u32 {
        match self.format {
            MmpFormat::Pnt3 => 1,
            _ => self.level_word,
        }
    }

    /// Width and height of a level in pixels, as they follow from level 0.
    pub fn level_size(&self, level: usize) -> [u32; 2] {
        level_size(
            self.width,
            self.height,
            u32::try_from(level).unwrap_or(u32::MAX),
        )
    }

    /// Which way up the stored rows are.
    pub fn row_order(&self) -> RowOrder {
        self.format.row_order()
    }

    /// Pixels of a level as red, green, blue, alpha of 8 bits in display space, in stored row order, alpha not
    /// premultiplied. Channels of fewer bits are widened to the nearest value.
    ///
    /// # Errors
    /// A level that is not there or has not the bytes of its size, packed pixels that do not fill the picture,
    /// formats that only their names are known of, and more pixels than the [budget](ironlands_assets_core::unpack) has left.
    pub fn level_rgba(&self, level: usize) -> Result<Vec<u8>, FormatError> {
        decode::level_rgba(self, level)
    }

    /// As [`Self::level_rgba`], but with the highest row first, as picture files have it.
    ///
    /// # Errors
    /// As [`Self::level_rgba`].
    pub fn upright_rgba(&self, level: usize) -> Result<Vec<u8>, FormatError> {
        let mut rgba = self.level_rgba(level)?;
        if self.row_order() == RowOrder::BottomUp {
            let [width, _] = self.level_size(level);
            reverse_rows(&mut rgba, (width as usize).saturating_mul(4));
        }
        Ok(rgba)
    }

    /// Bytes of the user's behind the levels, if the header says where they begin.
    pub fn user_data(&self) -> Option<&[u8]> {
        let levels = self.levels.iter().map(|level| level.len() as u64);
        let end = levels.fold(HEADER_SIZE as u64, u64::saturating_add);
        let start = u64::from(self.extra_offset).checked_sub(end)?;
        self.tail.get(usize::try_from(start).ok()?..)
    }
}

/// Exchanges the first row with the last, the second with the one before it, and so on.
fn reverse_rows<T>(rows: &mut [T], row_size: usize) {
    let (mut rest, row_size) = (rows, row_size.max(1));
    while rest.len() >= row_size.saturating_mul(2) {
        let (first, others) = rest.split_at_mut(row_size);
        let (between, last) = others.split_at_mut(others.len().saturating_sub(row_size));
        first.swap_with_slice(last);
        rest = between;
    }
}
