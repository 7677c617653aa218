//! DSCR: the description of a part, a text with marked lines (entries of `objects.dlb`).
//!
//! Document: "Parkan: what is settled since", section 7.2. `//` begins the place in the catalog and the classification,
//! `#` and a digit a value, `@` a row of the panel. In: bytes. Out: lines as they are spelled, with their ends.
//!
//! Deliberately absent: the values that rows of the panel show.

#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::json;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{Conversion, Fidelity, FileKind, Format, inherent_methods};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

use crate::formulas::take_line;

const FORMAT: &str = Description::NAME;
/// The archive of all descriptions.
pub const ARCHIVE: &str = "objects.dlb";
/// Type of the entries of archives that are descriptions.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"DSCR");
/// Values that are a number behind a name and `=`.
const NUMBERS: [u8; 5] = *b"6789A";

/// The description of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Lines with their ends, in file order. Only the last may have none.
    pub lines: Vec<Line>,
}

/// A line, raw bytes in CP1251.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// All before its end.
    #[serde(with = "json::cp1251")]
    pub text: Vec<u8>,
    /// Its end: CR LF, LF, or nothing.
    #[serde(with = "json::cp1251")]
    pub end: Vec<u8>,
}

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning<'a> {
    /// Tab of the catalog and level of technology: `//G3:L14`.
    Place(&'a [u8]),
    /// Size, kind, sub-kinds, mark: `//B:WPN:GUN:MK2:A3`.
    Class(&'a [u8]),
    /// A value by its digit: 1 short code, 2 name, 3 and 4 free text, 5 the gun that it feeds, 6 to A numbers.
    Value(u8, &'a [u8]),
    /// A row of the panel.
    Row(&'a [u8]),
    /// Nothing.
    Blank,
    /// Something else.
    Other(&'a [u8]),
}

impl Format for Description {
    type Context = ();

    const NAME: &'static str = "dscr";
    const EXTENSIONS: &'static [&'static str] = &["dscr"];
    const KIND: FileKind = FileKind::Table;

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        for line in &self.lines {
            let (name, text) = match line.meaning() {
                Meaning::Place(text) => ("catalog and level", text),
                Meaning::Class(text) => ("class", text),
                Meaning::Value(b'1', text) => ("short code", text),
                Meaning::Value(b'2', text) => ("name", text),
                Meaning::Value(b'5', text) => ("feeds", text),
                Meaning::Value(digit, text) if NUMBERS.contains(&digit) => ("number", text),
                Meaning::Value(_, text) => ("text", text),
                Meaning::Row(text) => ("panel row", text),
                Meaning::Blank => continue,
                Meaning::Other(text) => ("line", text),
            };
            report.fact(name, decode_cp1251(text));
        }
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }
}

impl Description {
    /// Reads the whole payload of an entry; every text is one.
    ///
    /// # Errors
    /// None today.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let mut lines = Vec::new();
        while r.remaining() > 0 {
            let line = take_line(&mut r)?;
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            let text = match text.len() < line.len() {
                true => text.strip_suffix(b"\r").unwrap_or(text),
                false => text,
            };
            let (text, end) = line.split_at_checked(text.len()).unwrap_or((line, &[]));
            lines.push(Line {
                text: text.to_vec(),
                end: end.to_vec(),
            });
        }
        Ok(Self { lines })
    }

    /// Writes the payload.
    ///
    /// # Errors
    /// A line with another end than a line has, or with a line end inside.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { lines } = self;
        let mut w = Writer::new(FORMAT);
        let last = lines.len().saturating_sub(1);
        for (idx, Line { text, end }) in lines.iter().enumerate() {
            let is_end = match &**end {
                b"\n" => text.last() != Some(&b'\r'),
                b"\r\n" => true,
                b"" => idx == last && !text.is_empty(),
                _ => false,
            };
            if !is_end || text.contains(&b'\n') {
                let found = format!("{:?}", decode_cp1251(end));
                return Err(w.unexpected("line end", "one line with its end", found));
            }
            w.bytes(text);
            w.bytes(end);
        }
        Ok(w.finish())
    }

    /// Lines of no known kind, and numbers that are none.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let lines = || self.lines.iter().map(Line::meaning).enumerate();
        let number = |idx: usize| idx.saturating_add(1);
        let strange = lines().filter_map(|(idx, it)| match it {
            Meaning::Other(text) => Some((idx, text)),
            _ => None,
        });
        findings.rule(
            Severity::Note,
            strange.map(|(idx, text)| {
                let text = decode_cp1251(text);
                (
                    None,
                    format!("line {}: {text:?} is of no known kind", number(idx)),
                )
            }),
        );
        let wrong = lines().filter_map(|(idx, it)| match it {
            Meaning::Value(digit, text) if NUMBERS.contains(&digit) => {
                number_of(text).is_none().then_some((idx, text))
            }
            _ => None,
        });
        findings.rule(
            Severity::Warning,
            wrong.map(|(idx, text)| {
                let text = decode_cp1251(text);
                (
                    None,
                    format!("line {}: {text:?} is no number with a name", number(idx)),
                )
            }),
        );
        let has_name = lines().any(|(_, it)| matches!(it, Meaning::Value(b'2', _)));
        let nameless = (!has_name).then(|| (None, "there is no name (#2)".to_owned()));
        findings.rule(Severity::Warning, nameless);
        findings.into_list()
    }

    /// The first value of a digit.
    pub fn value(&self, digit: u8) -> Option<&[u8]> {
        self.lines.iter().find_map(|line| match line.meaning() {
            Meaning::Value(found, text) if found == digit => Some(text),
            _ => None,
        })
    }

    /// What it is, for a line.
    pub fn summary(&self) -> String {
        let [code, name] = [b'1', b'2'].map(|digit| self.value(digit).unwrap_or_default());
        let [code, name]: [Cow<'_, str>; 2] = [code, name].map(decode_cp1251);
        match code.is_empty() {
            true => name.into_owned(),
            false => format!("{code}: {name}"),
        }
    }
}

impl Line {
    /// What it says.
    pub fn meaning(&self) -> Meaning<'_> {
        match &*self.text {
            [b'/', b'/', rest @ ..] => match rest {
                [b'G', digit, ..] if digit.is_ascii_digit() => Meaning::Place(rest),
                _ => Meaning::Class(rest),
            },
            [b'#', digit, rest @ ..] if digit.is_ascii_hexdigit() => Meaning::Value(*digit, rest),
            row @ [b'@', ..] => Meaning::Row(row),
            text if text.trim_ascii().is_empty() => Meaning::Blank,
            text => Meaning::Other(text),
        }
    }
}

/// The number behind a name and `=`.
fn number_of(text: &[u8]) -> Option<f64> {
    let at = text.iter().position(|byte| *byte == b'=')?;
    let number = text.get(at.saturating_add(1)..)?;
    std::str::from_utf8(number).ok()?.trim().parse().ok()
}
