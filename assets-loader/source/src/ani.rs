//! `*.ani`: animations of a studio model that stand outside of its [`mdl`], which says where each block
//! begins and ends. It begins as an MDL does, with the letters `IDAG`; compilers leave the rest of the header unused.
//!
//! Deliberately absent: what is inside of a block.

#[cfg(test)]
mod tests;

use crate::mdl;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Ani::NAME;
/// First bytes of every file.
pub const MAGIC: &[u8] = b"IDAG";
/// Animated cursors end as animations of models do.
const CURSOR_MAGIC: &[u8] = b"RIFF";

/// The animations of a model, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ani {
    /// Version, 44 to 49.
    pub version: i32,
    /// Checksum and name, which compilers leave 0.
    pub unknown_08: [u8; 68],
    /// The rest of the header and the blocks.
    pub data: Vec<u8>,
}

impl Format for Ani {
    type Context = ();

    const NAME: &'static str = "ani";
    const EXTENSIONS: &'static [&'static str] = &["ani"];
    const KIND: FileKind = FileKind::Animation;

    inherent_methods!(read, write);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) {
            return Some(Match::Content);
        }
        let is_other = head.starts_with(CURSOR_MAGIC);
        (name.ends_with(".ani") && !is_other).then_some(Match::Extension)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("version", self.version);
    }
}

impl Ani {
    /// Reads a whole file.
    ///
    /// # Errors
    /// Another magic or version, a length that is not that of the file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        let at = r.clone();
        let version = r.i32("version")?;
        if !mdl::VERSIONS.contains(&version) {
            let what = format!("version {version}");
            return Err(at.error("version", FormatErrorKind::Unsupported { what }));
        }
        let unknown_08 = r.array("checksum and name")?;
        let at = r.clone();
        let len = r.u32("file length")?;
        if len as usize != data.len() {
            return Err(at.unexpected("file length", data.len().to_string(), len));
        }
        Ok(Self {
            version,
            unknown_08,
            data: r.rest().to_vec(),
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// More bytes than 32 bits count.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            version,
            unknown_08,
            data,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        w.u32(version.cast_unsigned());
        w.bytes(unknown_08);
        let len = data.len().saturating_add(w.offset() as usize);
        w.count("file length", len.saturating_add(size_of::<u32>()))?;
        w.bytes(data);
        Ok(w.finish())
    }
}
