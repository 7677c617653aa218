//! `*.cam`: the path of a camera (dossier section 4).
//!
//! Records without a header. File axes are the world's: right-handed, z up, meters.
//!
//! Deliberately absent: how the camera moves between records, and which way it looks unturned, which no document
//! says.

mod conversion;
#[cfg(test)]
mod tests;

use bitflags::bitflags;
use serde::{Deserialize, Serialize};

use self::conversion::CONVERSIONS;
use super::json::{JsonFloat, JsonHex};
use ironlands_assets_core::bytes::{
    Finding, FormatError, FormatErrorKind, Reader, Severity, Writer,
};
use ironlands_assets_core::format::{Conversion, FileKind, Format, Match};
use ironlands_assets_core::record::{Record, read_all, write_all};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Cam::NAME;
/// Bytes of a record.
pub const RECORD_SIZE: usize = CamRecord::SIZE;
/// A shorter quaternion says nothing of a rotation: no camera can follow the path.
pub(crate) const LEAST_LENGTH: f32 = 1e-6;
/// How far from 1 the length of a rotation may be before it is reported.
const UNIT_TOLERANCE: f32 = 1e-3;

/// A camera path.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cam {
    /// Records in file order.
    pub records: Vec<CamRecord>,
    /// Bytes after the last whole record.
    tail: Vec<u8>,
}

/// Where the camera is at one step.
#[derive(Debug, Clone, Copy, PartialEq, Record)]
pub struct CamRecord {
    /// Presumably a time, raw: see [`CamNumber`].
    #[field("time")]
    pub time: u32,
    /// Presumably a step of the sequence, raw: see [`CamNumber`].
    #[field("step")]
    pub step: u32,
    /// Meters.
    #[field("position")]
    pub position: [f32; 3],
    /// w, x, y, z.
    #[field("rotation")]
    pub rotation: [f32; 4],
}

/// The first two words of a record, of which documents do not agree whether they are floats or integers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CamNumber {
    /// Plausible as a float: zero, or between a millionth and ten millions either way.
    Float(f32),
    /// Anything else.
    Integer(u32),
}

bitflags! {
    /// Rules of the strict reader that can be waived.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Bytes after the last whole record. They are kept.
        const CUT_RECORD = 1 << 0;
    }
}

impl Tolerance {
    /// No leniency.
    pub const STRICT: Self = Self::empty();
}

impl Format for Cam {
    type Context = ();

    const NAME: &'static str = "cam";
    const EXTENSIONS: &'static [&'static str] = &["cam"];
    const KIND: FileKind = FileKind::Animation;

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        name.ends_with(".cam").then_some(Match::Extension)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant_with_check, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("records", self.records.len());
        if let [first, .., last] = &self.records[..] {
            let times = format!("{} to {}", first.time().value(), last.time().value());
            report.fact("times", times);
        }
    }

    fn conversions() -> &'static [Conversion] {
        CONVERSIONS
    }
}

impl CamNumber {
    /// The number that a raw word is taken for.
    pub fn from_raw(raw: u32) -> Self {
        let float = f32::from_bits(raw);
        let is_plausible = (1e-6..=1e7).contains(&float.abs()) || float == 0.0;
        match is_plausible {
            true => Self::Float(float),
            false => Self::Integer(raw),
        }
    }

    /// Its value, whichever it is.
    pub fn value(self) -> f64 {
        match self {
            Self::Float(value) => value.into(),
            Self::Integer(value) => value.into(),
        }
    }
}

impl Cam {
    /// A fresh path.
    pub fn draft(records: Vec<CamRecord>) -> Self {
        Self {
            records,
            tail: Vec::new(),
        }
    }

    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// A length that is no multiple of 36.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::STRICT)
    }

    /// Reads a whole file, waiving the named rules. [`Self::check`] reports what was waived.
    ///
    /// # Errors
    /// A broken rule that is not waived.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let n_records = data.len() / RECORD_SIZE;
        let records = read_all(&mut r, "record", n_records, ())?;
        if r.remaining() > 0 && !tolerance.contains(Tolerance::CUT_RECORD) {
            return Err(r.error(
                "record",
                FormatErrorKind::Truncated {
                    needed: RECORD_SIZE as u64,
                    available: r.remaining() as u64,
                },
            ));
        }
        let tail = r.rest().to_vec();
        Ok(Self { records, tail })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// None; the signature is that of all formats.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { records, tail } = self;
        let mut w = Writer::new(FORMAT);
        write_all(&mut w, "record", records, ())?;
        w.bytes(tail);
        Ok(w.finish())
    }

    /// What is wrong with the path or worth knowing.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut report = |severity, index: usize, message: String| {
            let offset = index.saturating_mul(RECORD_SIZE) as u64;
            findings.push(Finding::new(severity, FORMAT, message).at(offset));
        };
        if self.records.is_empty() {
            report(Severity::Error, 0, "no record".to_owned());
        }
        for (index, record) in self.records.iter().enumerate() {
            let numbers = record.position.iter().chain(&record.rotation);
            if !numbers.into_iter().all(|number| number.is_finite()) {
                report(
                    Severity::Error,
                    index,
                    format!("record {index}: a number is not finite"),
                );
                continue;
            }
            let squares = record.rotation.iter().map(|part| part * part);
            let length = squares.sum::<f32>().sqrt();
            if (length - 1.0).abs() <= UNIT_TOLERANCE {
                continue;
            }
            let severity = match length.is_finite() && length > LEAST_LENGTH {
                true => Severity::Warning,
                false => Severity::Error,
            };
            let message = format!("record {index}: the rotation has length {length}, not 1");
            report(severity, index, message);
        }
        let times: Vec<f64> = self.records.iter().map(|it| it.time().value()).collect();
        if !times.is_sorted() {
            report(Severity::Note, 0, "times do not ascend".to_owned());
        }
        if !self.tail.is_empty() {
            let message = format!("{} bytes after the last whole record", self.tail.len());
            report(Severity::Warning, self.records.len(), message);
        }
        findings
    }

    /// The path as JSON; nothing is lost.
    ///
    /// # Errors
    /// None that is known; what the JSON library says.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let records = self.records.iter().map(JsonRecord::from_record);
        serde_json::to_string_pretty(&JsonCam {
            format: FORMAT.to_owned(),
            records: records.collect(),
            tail: JsonHex(self.tail.clone()),
        })
    }

    /// The path of a JSON text that [`Self::to_json`] wrote, or people after its example.
    ///
    /// # Errors
    /// No JSON, another format, missing or unknown fields.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let JsonCam {
            format,
            records,
            tail,
        } = serde_json::from_str(text)?;
        if format != FORMAT {
            let message = format!("expected the format \"{FORMAT}\", found \"{format}\"");
            return Err(serde::de::Error::custom(message));
        }
        Ok(Self {
            records: records.into_iter().map(JsonRecord::record).collect(),
            tail: tail.0,
        })
    }
}

impl CamRecord {
    /// The time, in an undocumented unit.
    pub fn time(&self) -> CamNumber {
        CamNumber::from_raw(self.time)
    }

    /// The step of the sequence.
    pub fn step(&self) -> CamNumber {
        CamNumber::from_raw(self.step)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonCam {
    format: String,
    records: Vec<JsonRecord>,
    #[serde(default, skip_serializing_if = "is_empty")]
    tail: JsonHex,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRecord {
    time: JsonNumber,
    step: JsonNumber,
    position: [JsonFloat; 3],
    rotation_wxyz: [JsonFloat; 4],
}

/// As [`CamNumber`]; the kind is written, so that no reader has to guess it again.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonNumber {
    Float(JsonFloat),
    Integer(u32),
}

impl JsonNumber {
    fn from_number(number: CamNumber) -> Self {
        match number {
            CamNumber::Float(value) => Self::Float(JsonFloat(value)),
            CamNumber::Integer(value) => Self::Integer(value),
        }
    }

    fn raw(&self) -> u32 {
        match self {
            Self::Float(value) => value.0.to_bits(),
            Self::Integer(value) => *value,
        }
    }
}

impl JsonRecord {
    fn from_record(record: &CamRecord) -> Self {
        Self {
            time: JsonNumber::from_number(record.time()),
            step: JsonNumber::from_number(record.step()),
            position: record.position.map(JsonFloat),
            rotation_wxyz: record.rotation.map(JsonFloat),
        }
    }

    fn record(self) -> CamRecord {
        CamRecord {
            time: self.time.raw(),
            step: self.step.raw(),
            position: self.position.map(|it| it.0),
            rotation: self.rotation_wxyz.map(|it| it.0),
        }
    }
}

fn is_empty(bytes: &JsonHex) -> bool {
    bytes.0.is_empty()
}
