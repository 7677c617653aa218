//! Tfnt: a font: the places of 256 glyphs in a picture, and the picture.
//!
//! Document: "Parkan: what is settled since", section 7.8. A head of 20 bytes, 256 records of 16, then a Texm of 8 bits a
//! pixel whose colors are those of the game's palette.
//!
//! Deliberately absent: drawing text.

#[cfg(test)]
mod tests;

use crate::texm::Texm;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::record::{Record, read_all, write_all};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Tfnt::NAME;
const MAGIC: &[u8; 4] = b"Tfnt";
/// Glyphs of a font, by CP1251 code.
pub const N_GLYPHS: usize = 256;
/// Where glyphs begin.
const GLYPHS_OFFSET: usize = 20;
/// A glyph narrower than this draws nothing.
const LEAST_WIDTH: f32 = 1.0 / 256.0;

/// A font.
#[derive(Debug, Clone, PartialEq)]
pub struct Tfnt {
    /// Sizes that all glyphs share.
    pub head: FontHead,
    /// Glyphs by code, [`N_GLYPHS`].
    pub glyphs: Vec<Glyph>,
    /// The picture, a whole Texm; empty in a font without one.
    pub picture: Vec<u8>,
}

/// Sizes that all glyphs share (16 bytes behind the magic).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct FontHead {
    /// Width of a cell in pixels.
    #[field("cell width")]
    pub cell_width: i32,
    /// Height of a line in pixels.
    #[field("font height")]
    pub height: i32,
    /// Height of each glyph in v.
    #[field("glyph height")]
    pub glyph_height: f32,
    /// Pixels between glyphs, 1 in known files.
    #[field("spacing")]
    pub spacing: i32,
}

/// A glyph (16 bytes).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct Glyph {
    /// Its left and right side in the picture.
    #[field("glyph sides")]
    pub sides: [f32; 2],
    /// Its upper side.
    #[field("glyph top")]
    pub top: f32,
    /// Pixels from its beginning to that of the next.
    #[field("advance")]
    pub advance: i32,
}

impl Format for Tfnt {
    type Context = ();

    const NAME: &'static str = "tfnt";
    const EXTENSIONS: &'static [&'static str] = &["tfnt"];
    const KIND: FileKind = FileKind::Texture;

    inherent_methods!(read, write, check);

    fn recognize(_name: &str, head: &[u8]) -> Option<Match> {
        head.starts_with(MAGIC).then_some(Match::Content)
    }

    fn describe(&self, report: &mut Report) {
        let FontHead {
            cell_width,
            height,
            spacing,
            ..
        } = self.head;
        report.fact(
            "cell",
            format!("{cell_width} x {height}, spacing {spacing}"),
        );
        let n_shown = self.glyphs.iter().filter(|it| it.is_shown()).count();
        report.fact("glyphs that are drawn", n_shown);
        let picture = match Texm::read(&self.picture) {
            Ok(texm) => format!("{} x {}", texm.width, texm.height),
            Err(_) => format!("{} bytes", self.picture.len()),
        };
        report.fact("picture", picture);
    }
}

impl Tfnt {
    /// Reads the whole payload of an entry. The picture is not looked into.
    ///
    /// # Errors
    /// Another magic, or bytes cut short.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        let head = FontHead::read(&mut r, ())?;
        let glyphs = read_all(&mut r, "glyph", N_GLYPHS, ())?;
        let picture = r.rest().to_vec();
        Ok(Self {
            head,
            glyphs,
            picture,
        })
    }

    /// Writes the payload. Floats keep their bits.
    ///
    /// # Errors
    /// Other than 256 glyphs.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            head,
            glyphs,
            picture,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        head.write(&mut w, ())?;
        if glyphs.len() != N_GLYPHS {
            return Err(w.unexpected("glyph", "256 of them", glyphs.len()));
        }
        write_all(&mut w, "glyph", glyphs, ())?;
        w.bytes(picture);
        Ok(w.finish())
    }

    /// Sizes that are none, glyphs outside of the picture, and a picture that is none.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let FontHead {
            cell_width,
            height,
            glyph_height,
            ..
        } = self.head;
        let are_sizes = cell_width > 0 && height > 0 && glyph_height > 0.0;
        let message = format!("a cell of {cell_width} x {height}, {glyph_height} of the picture");
        findings.rule(
            Severity::Warning,
            (!are_sizes).then_some((Some(4), message)),
        );
        let outside = self.glyphs.iter().enumerate();
        let outside = outside.filter(|(_, it)| !it.is_inside(glyph_height));
        findings.rule(
            Severity::Warning,
            outside.map(|(idx, _)| {
                let offset = crate::record::record_offset(GLYPHS_OFFSET, idx, Glyph::SIZE);
                let message = format!("glyph {idx} reaches beyond the picture");
                (Some(offset as u64), message)
            }),
        );
        let picture = Texm::read(&self.picture).err().map(|error| {
            let offset = crate::record::record_offset(GLYPHS_OFFSET, N_GLYPHS, Glyph::SIZE);
            (
                Some(offset as u64),
                format!("the picture cannot be read: {error}"),
            )
        });
        findings.rule(Severity::Note, picture);
        findings.into_list()
    }
}

impl Glyph {
    /// Whether it is wide enough to be drawn.
    pub fn is_shown(&self) -> bool {
        let [left, right] = self.sides;
        right - left >= LEAST_WIDTH
    }

    fn is_inside(&self, glyph_height: f32) -> bool {
        let [left, right] = self.sides;
        let ends = [left, right, self.top, self.top + glyph_height];
        !self.is_shown() || ends.iter().all(|end| (0.0..=1.0).contains(end))
    }
}
