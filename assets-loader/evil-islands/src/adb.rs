//! `*.adb`: which animations a unit has, and what goes with them (dossier section 7).
//!
//! Deliberately absent: the animations themselves, which are `.anm`.

mod packed;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use bitflags::bitflags;

pub use self::packed::{
    ActionForms, ActionType, AllowedState, FormsShift, PackedAction, Stage, Weapons,
};
use ironlands_assets_core::bytes::{
    Finding, FormatError, FormatErrorKind, Reader, Severity, Writer,
};
use ironlands_assets_core::format::{FileKind, Format, Match};
use ironlands_assets_core::record::{Record, field_offset, read_all, write_all};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::{decode_cp1251, until_nul};

const FORMAT: &str = Adb::NAME;
/// The mark that every file begins with.
pub const MAGIC: &[u8; 4] = b"ADB\0";
/// Bytes before the first record.
pub const HEADER_SIZE: usize = MAGIC.len() + Header::SIZE;
/// Bytes of a record.
pub const RECORD_SIZE: usize = AdbAnimation::SIZE;
/// Ticks of the game in a second: `animation_length` counts them.
pub const TICKS_PER_SECOND: u32 = 15;

/// The animations of one unit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Adb {
    /// The unit; what follows the first NUL is kept.
    pub unit_name: [u8; 24],
    /// Heights that root motion is scaled by: smallest, middle, largest.
    pub heights: [f32; 3],
    /// Records in file order.
    pub animations: Vec<AdbAnimation>,
    /// How many records the header promised, where that is another number than the file holds.
    promised: Option<u32>,
    /// Bytes after the last whole record.
    tail: Vec<u8>,
}

/// What follows the magic.
#[derive(Record)]
struct Header {
    #[field("animation count")]
    count: u32,
    #[field("unit name")]
    unit_name: [u8; 24],
    #[field("heights")]
    heights: [f32; 3],
}

/// An animation and what goes with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct AdbAnimation {
    /// Its name; what follows the first NUL is kept.
    #[field("animation name")]
    pub name: [u8; 16],
    /// Index in the array of animations.
    #[field("number")]
    pub number: u32,
    /// Weapons, states and the like, in bits.
    #[field("packed action")]
    pub action: PackedAction,
    /// Percent.
    #[field("action probability")]
    pub action_probability: u32,
    /// Length in ticks of 1/15 s.
    #[field("animation length")]
    pub length_ticks: u32,
    /// A ratio.
    #[field("movement speed")]
    pub movement_speed: f32,
    /// Frames.
    #[field("show and hide start")]
    pub show_hide_starts: [u32; 2],
    /// Frames; 0 where there is none.
    #[field("step sound start")]
    pub step_sound_starts: [u32; 4],
    /// Frame; 0 where there is none.
    #[field("hit frame")]
    pub hit_frame: u32,
    /// Frame.
    #[field("special sound frame")]
    pub special_sound_frame: u32,
    /// Numbers of sounds.
    #[field("special sound")]
    pub special_sounds: [u32; 4],
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Fewer bytes than the records that are promised take, as files of some units are. Whatever is present of the
        /// first record that is not whole is kept.
        const CUT_TABLE = 1 << 0;
        /// Bytes after the last record. They are kept.
        const TRAILING_BYTES = 1 << 1;
    }
}

impl Tolerance {
    /// No leniency.
    pub const STRICT: Self = Self::empty();
}

impl Format for Adb {
    type Context = ();

    const NAME: &'static str = "adb";
    const EXTENSIONS: &'static [&'static str] = &["adb"];
    const KIND: FileKind = FileKind::Animation;

    fn recognize(_name: &str, head: &[u8]) -> Option<Match> {
        head.starts_with(MAGIC).then_some(Match::Content)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant_with_check, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("unit", self.unit_name_text());
        report.fact("animations", self.animations.len());
        let [smallest, middle, largest] = self.heights;
        report.fact("heights", format!("{smallest} {middle} {largest}"));
        if let Some(shift) = self.forms_shift() {
            report.fact("action forms from", format!("{shift:?}"));
        }
    }
}

impl Adb {
    /// A fresh table.
    pub fn draft(unit_name: [u8; 24], heights: [f32; 3], animations: Vec<AdbAnimation>) -> Self {
        Self {
            unit_name,
            heights,
            animations,
            ..Self::default()
        }
    }

    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// Names the broken rule and its offset in the file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::STRICT)
    }

    /// Reads a whole file, waiving the named rules. [`Self::check`] reports what was waived.
    ///
    /// # Errors
    /// A broken rule that is not waived.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        let at_count = r.clone();
        let Header {
            count,
            unit_name,
            heights,
        } = Record::read(&mut r, ())?;
        let n_whole = r.remaining().checked_div(RECORD_SIZE).unwrap_or_default();
        let n_records = n_whole.min(count as usize);
        if n_records < count as usize && !tolerance.contains(Tolerance::CUT_TABLE) {
            let kind = FormatErrorKind::CountTooLarge {
                count: count.into(),
                item_size: RECORD_SIZE as u64,
                available: r.remaining() as u64,
            };
            return Err(at_count.error("animation count", kind));
        }
        let animations = read_all(&mut r, "animation", n_records, ())?;
        let is_cut = n_records < count as usize;
        if !is_cut && !tolerance.contains(Tolerance::TRAILING_BYTES) {
            r.clone().finish("after the last animation")?;
        }
        Ok(Self {
            unit_name,
            heights,
            animations,
            promised: is_cut.then_some(count),
            tail: r.rest().to_vec(),
        })
    }

    /// Writes the file. Of a cut table the number of records that was promised stays as long as it is larger than
    /// that of the records.
    ///
    /// # Errors
    /// More records than 32 bits count.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        let n_animations = w.checked_count("animation count", self.animations.len())?;
        let header = Header {
            count: self.promised.unwrap_or_default().max(n_animations),
            unit_name: self.unit_name,
            heights: self.heights,
        };
        header.write(&mut w, ())?;
        write_all(&mut w, "animation", &self.animations, ())?;
        w.bytes(&self.tail);
        Ok(w.finish())
    }

    /// The unit's name, decoded from CP1251.
    pub fn unit_name_text(&self) -> Cow<'_, str> {
        decode_cp1251(until_nul(&self.unit_name))
    }

    /// The animation of that name, ASCII case-insensitively.
    pub fn find(&self, name: &str) -> Option<&AdbAnimation> {
        let is_named = |it: &&AdbAnimation| it.name_text().eq_ignore_ascii_case(name);
        self.animations.iter().find(is_named)
    }

    /// Where the bits of the action forms begin, of which documents do not agree: there where "steps" goes with
    /// sounds of steps and "hit" with a frame of the hit more often; `None` where the table does not say.
    pub fn forms_shift(&self) -> Option<FormsShift> {
        let agreements = |shift: FormsShift| {
            let agree = self.animations.iter().map(|it| it.agreements(shift));
            agree.fold(0, usize::saturating_add)
        };
        let [at_32, at_36] = [FormsShift::Bit32, FormsShift::Bit36].map(agreements);
        match at_32.cmp(&at_36) {
            std::cmp::Ordering::Greater => Some(FormsShift::Bit32),
            std::cmp::Ordering::Less => Some(FormsShift::Bit36),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// What is wrong with the table or worth knowing.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut report = |severity, offset: usize, message: String| {
            findings.push(Finding::new(severity, FORMAT, message).at(offset as u64));
        };
        let place_of = |field| field_offset::<Header>(field, ()).saturating_add(MAGIC.len());
        let offset_of = |index: usize| {
            index
                .saturating_mul(RECORD_SIZE)
                .saturating_add(HEADER_SIZE)
        };
        if let Some(promised) = self.promised {
            let held = self.animations.len();
            let message = format!("{promised} animations are promised, {held} are there");
            report(Severity::Warning, place_of("animation count"), message);
        }
        if !self.tail.is_empty() {
            let message = format!("{} bytes after the last whole record", self.tail.len());
            report(Severity::Warning, offset_of(self.animations.len()), message);
        }
        let [smallest, middle, largest] = self.heights;
        // False for what is no number, too.
        if !(smallest <= middle && middle <= largest) {
            let message = format!("heights {smallest}, {middle}, {largest} do not ascend");
            report(Severity::Warning, place_of("heights"), message);
        }
        if !self.unit_name.contains(&0) {
            let message = "the unit's name has no NUL".to_owned();
            report(Severity::Note, place_of("unit name"), message);
        }
        for (index, animation) in self.animations.iter().enumerate() {
            let name = animation.name_text();
            if animation.action_probability > 100 {
                let probability = animation.action_probability;
                let message = format!("animation {index} \"{name}\": {probability} percent");
                report(Severity::Warning, offset_of(index), message);
            }
            if !animation.movement_speed.is_finite() {
                let message = format!("animation {index} \"{name}\": its speed is not finite");
                report(Severity::Warning, offset_of(index), message);
            }
        }
        if self.forms_shift().is_none() && !self.animations.is_empty() {
            let message = "whether action forms begin at bit 32 or 36 does not show";
            report(Severity::Note, HEADER_SIZE, message.to_owned());
        }
        findings
    }
}

impl AdbAnimation {
    /// The name, decoded from CP1251.
    pub fn name_text(&self) -> Cow<'_, str> {
        decode_cp1251(until_nul(&self.name))
    }

    /// Of "steps" and "hit", how many go with what the record has frames for.
    fn agreements(&self, shift: FormsShift) -> usize {
        let forms = self.action.forms(shift);
        let has_steps = self.step_sound_starts.iter().any(|frame| *frame != 0);
        let steps_agree = forms.contains(ActionForms::STEPS) == has_steps;
        let hit_agrees = forms.contains(ActionForms::HIT) == (self.hit_frame != 0);
        usize::from(steps_agree).saturating_add(hit_agrees.into())
    }
}
