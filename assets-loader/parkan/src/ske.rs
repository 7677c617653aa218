//! `sky.ske`: sky, light and weather of a mission by the hour.
//!
//! Document: "Parkan: what is settled since", section 4.1. Sections of keyframes, between which everything is blended;
//! text is CP1251 behind its length.
//!
//! Deliberately absent: what it looks like ([`crate::sky_scene`]).

mod check;
mod json;
mod records;
#[cfg(test)]
mod tests;

pub use self::records::{Keyframe, SkyEvent, SkyTime, Slots};

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{Conversion, FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::report::Report;

const FORMAT: &str = Ske::NAME;
/// Name of the file beside a mission.
pub const FILE: &str = "sky.ske";
/// What a file begins with: -1 and 5.
const HEAD: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 5, 0, 0, 0];
/// Most sections.
const MAX_SECTIONS: u64 = 16;

/// The sky of a mission.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ske {
    /// Which play in turn, 1 or 2 in known files; at most 16.
    pub sections: Vec<SkySection>,
    /// What the clock shows at first.
    pub start: SkyTime,
    /// 0 in all known files.
    pub unknown_word: u32,
    /// 0 or 1.
    pub flag: u32,
}

/// A day.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkySection {
    /// 1 in all known files.
    pub unknown_00: u32,
    /// Its end, 23:59; nothing reads it.
    pub end: SkyTime,
    /// How long it takes: hours and minutes of real time.
    pub day: SkyTime,
    /// By rising time.
    pub keyframes: Vec<Keyframe>,
}

impl Format for Ske {
    type Context = ();

    const NAME: &'static str = "ske";
    const EXTENSIONS: &'static [&'static str] = &["ske"];
    const KIND: FileKind = FileKind::Animation;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        (name.ends_with(".ske") && head == HEAD).then_some(Match::Name)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("starts at", self.start.clock_text());
        for section in &self.sections {
            report.fact("day", format!("{} s", section.day_secs()));
            for keyframe in &section.keyframes {
                report.fact("keyframe", keyframe.summary());
            }
        }
    }

    fn conversions() -> &'static [Conversion] {
        json::CONVERSIONS
    }
}

impl Ske {
    /// Reads a whole file.
    ///
    /// # Errors
    /// Another head, more than 16 sections, a keyframe of an unknown version, a count or a length that the bytes cannot
    /// hold, or bytes cut short or left over.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("head", &HEAD)?;
        let at = r.clone();
        let n_sections = r.count("section count", SkySection::MIN_SIZE)?;
        if n_sections as u64 > MAX_SECTIONS {
            return Err(at.unexpected("section count", "at most 16", n_sections));
        }
        let sections = (0..n_sections)
            .map(|_| SkySection::read(&mut r))
            .collect::<Result<_, _>>()?;
        let start = SkyTime::read(&mut r, ())?;
        let unknown_word = r.u32("unknown word")?;
        let flag = r.u32("flag")?;
        r.finish("after the flag")?;
        Ok(Self {
            sections,
            start,
            unknown_word,
            flag,
        })
    }

    /// Writes the file. Floats keep their bits.
    ///
    /// # Errors
    /// More than 16 sections, or a keyframe with what its version does not store.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok(self.write_with_offsets()?.0)
    }

    /// The file, and for each section where its keyframes begin in it.
    fn write_with_offsets(&self) -> Result<(Vec<u8>, Vec<Vec<u64>>), FormatError> {
        let Self {
            sections,
            start,
            unknown_word,
            flag,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(&HEAD);
        if sections.len() as u64 > MAX_SECTIONS {
            return Err(w.too_large("section count", sections.len() as u64, MAX_SECTIONS));
        }
        w.count("section count", sections.len())?;
        let offsets = sections.iter().map(|it| it.write(&mut w));
        let offsets = offsets.collect::<Result<_, _>>()?;
        start.write(&mut w, ())?;
        w.u32(*unknown_word);
        w.u32(*flag);
        Ok((w.finish(), offsets))
    }
}

impl SkySection {
    /// Word, count and two times.
    const MIN_SIZE: usize = 72;

    /// Real seconds of the day.
    pub fn day_secs(&self) -> f32 {
        self.day.hours() * 3600.0
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let unknown_00 = r.u32("section word")?;
        let at_count = r.clone();
        let n_keyframes = r.u32("keyframe count")?;
        let end = SkyTime::read(r, ())?;
        let day = SkyTime::read(r, ())?;
        let n_keyframes = (r.claim("keyframe count", n_keyframes.into(), Keyframe::MIN_SIZE))
            .map_err(|error| at_count.error("keyframe count", error.kind))?;
        let keyframes = (0..n_keyframes)
            .map(|_| Keyframe::read(r))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            unknown_00,
            end,
            day,
            keyframes,
        })
    }

    /// Returns where keyframes begin.
    fn write(&self, w: &mut Writer) -> Result<Vec<u64>, FormatError> {
        let Self {
            unknown_00,
            end,
            day,
            keyframes,
        } = self;
        w.u32(*unknown_00);
        w.count("keyframe count", keyframes.len())?;
        end.write(w, ())?;
        day.write(w, ())?;
        let written = keyframes.iter().map(|it| {
            let offset = w.offset();
            it.write(w)?;
            Ok(offset)
        });
        written.collect()
    }
}
