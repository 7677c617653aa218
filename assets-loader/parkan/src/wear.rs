//! WEAR: material table of a model or of a level's terrain, text (dossier section 9.4).
//!
//! Entry `*.wea` beside a model, or the loose files `Land1.wea`, `Land2.wea`, `sky.wea`. A count, that many
//! rows of an id and a name, and optionally a blank line, `LIGHTMAPS`, and a second such table.

use std::path::Path;

use std::num::IntErrorKind;

use super::lines::{CRLF, KeptLine, Line, LineWriter, Lines};
use crate::json;
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::{
    Conversion, Fidelity, FileKind, Format, Match, Reference, inherent_methods,
};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

const FORMAT: &str = Wear::NAME;

/// Type of the entries of archives that are material tables.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"WEAR");
const LIGHTMAPS: &[u8] = b"LIGHTMAPS";
/// The shortest row: a digit, a blank, a letter.
const MIN_ROW_SIZE: usize = 3;
/// A handle has 16 bits for the row.
const MAX_ROWS: usize = 1 << 16;

/// A material table.
///
/// Two tables are equal if their rows are; how they are spelled is kept for [`Wear::write`] only.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wear {
    /// Material rows; position selects.
    pub materials: Vec<WearRow>,
    /// Rows of the LIGHTMAPS block, if there is one.
    pub lightmaps: Option<Vec<WearRow>>,
    /// Spelling of the text that this was read from.
    #[serde(skip)]
    spelling: Option<Box<Spelling>>,
}

/// One row: an id that is read and ignored, and a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WearRow {
    /// Ignored by the original; kept.
    pub legacy_id: i32,
    /// Material or lightmap name, raw CP1251 bytes.
    #[serde(with = "crate::json::cp1251")]
    pub name: Vec<u8>,
}

/// What [`Wear::read_with`] lets pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WearTolerance {
    /// Exactly one blank line stands before `LIGHTMAPS`.
    #[default]
    Strict,
    /// Any number of blank lines, or none, stands before `LIGHTMAPS`. One of the two parsers of the original
    /// does without the blank line, the other breaks (Q-T10).
    AnyGapBeforeLightmaps,
}

#[derive(Debug, Clone)]
struct Spelling {
    line_end: &'static [u8],
    materials: TableSpelling,
    /// Blank lines and the keyword.
    before_lightmaps: Vec<u8>,
    lightmaps: Option<TableSpelling>,
    /// Blank lines after the last row.
    tail: Vec<u8>,
}

#[derive(Debug, Clone)]
struct TableSpelling {
    count: KeptLine<usize>,
    rows: Vec<KeptLine<WearRow>>,
}

impl PartialEq for Wear {
    fn eq(&self, other: &Self) -> bool {
        self.materials == other.materials && self.lightmaps == other.lightmaps
    }
}

impl Eq for Wear {}

impl Format for Wear {
    type Context = ();

    const NAME: &'static str = "wear";
    const EXTENSIONS: &'static [&'static str] = &["wea"];
    const KIND: FileKind = FileKind::Material;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        name.ends_with(".wea").then_some(Match::Name)
    }

    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        let file = Self::read_with(data, WearTolerance::AnyGapBeforeLightmaps)?;
        Ok((file, Vec::new()))
    }

    fn describe(&self, report: &mut Report) {
        report.fact("materials", self.materials.len());
        report.fact("lightmaps", self.lightmaps.as_ref().map_or(0, Vec::len));
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::Valid)] }
    }

    fn references(&self, _: &Path) -> Vec<Reference> {
        let named = |kind| move |row: &WearRow| Reference::new(kind, decode_cp1251(&row.name));
        let materials = self.materials.iter().map(named(FileKind::Material));
        let lightmaps = self.lightmaps.iter().flatten();
        materials
            .chain(lightmaps.map(named(FileKind::Texture)))
            .collect()
    }
}

impl Wear {
    /// A new table; it is written with CRLF and with a blank line before `LIGHTMAPS`.
    pub fn new(materials: Vec<WearRow>, lightmaps: Option<Vec<WearRow>>) -> Self {
        Self {
            materials,
            lightmaps,
            spelling: None,
        }
    }

    /// Reads a whole `*.wea`, strictly.
    ///
    /// # Errors
    /// A count that is not above 0 (`Illegal wear length.`, `Illegal lightmaps length.` in the original), a
    /// row without id or name, too few rows, text that is not a `LIGHTMAPS` block after them, or a gap
    /// before `LIGHTMAPS` that is not one blank line.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, WearTolerance::Strict)
    }

    /// Reads a whole `*.wea`; see [`WearTolerance`] for what may pass.
    ///
    /// # Errors
    /// As [`Wear::read`], less what is tolerated.
    pub fn read_with(data: &[u8], tolerance: WearTolerance) -> Result<Self, FormatError> {
        let mut lines = Lines::new(FORMAT, data);
        let line_end = match lines.clone().take("material count")?.end() {
            b"\n" => b"\n",
            _ => CRLF,
        };
        let (materials, material_spelling) = read_table(&mut lines, &MATERIALS)?;
        let (gap_len, gap) = lines.take_while(|line| line.text.is_empty());
        let mut spelling = Spelling {
            line_end,
            materials: material_spelling,
            before_lightmaps: Vec::new(),
            lightmaps: None,
            tail: gap.to_vec(),
        };
        let mut lightmaps = None;
        if !lines.is_at_end() {
            let keyword = lines.take("LIGHTMAPS")?;
            if keyword.text != LIGHTMAPS {
                return Err(keyword.unexpected("LIGHTMAPS", "LIGHTMAPS or the end of the text"));
            }
            if tolerance == WearTolerance::Strict && gap_len != 1 {
                let expected = format!("one blank line before LIGHTMAPS, there are {gap_len}");
                return Err(keyword.unexpected("LIGHTMAPS", expected));
            }
            spelling.before_lightmaps = [gap, keyword.raw].concat();
            let (rows, rows_spelling) = read_table(&mut lines, &LIGHTMAP_TABLE)?;
            lightmaps = Some(rows);
            spelling.lightmaps = Some(rows_spelling);
            spelling.tail = lines.take_while(|line| line.text.is_empty()).1.to_vec();
            if !lines.is_at_end() {
                let line = lines.take("end of text")?;
                return Err(line.unexpected("end of text", "the end of the text"));
            }
        }
        Ok(Self {
            materials,
            lightmaps,
            spelling: Some(Box::new(spelling)),
        })
    }

    /// Writes the table; rows that still say what they said when they were read keep their spelling.
    ///
    /// # Errors
    /// An empty table, or a name that could not be read back: empty, with a line end or blanks around it.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            materials,
            lightmaps,
            spelling,
        } = self;
        let spelling = spelling.as_deref();
        let mut w = LineWriter::new(FORMAT, spelling.map_or(CRLF, |kept| kept.line_end));
        let kept = spelling.map(|kept| &kept.materials);
        write_table(&mut w, &MATERIALS, materials, kept)?;
        if let Some(lightmaps) = lightmaps {
            match spelling {
                Some(kept) if kept.lightmaps.is_some() => w.raw(&kept.before_lightmaps),
                _ => {
                    w.line(None, &(), |()| Vec::new());
                    w.line(None, &(), |()| LIGHTMAPS.to_vec());
                }
            }
            let kept = spelling.and_then(|kept| kept.lightmaps.as_ref());
            write_table(&mut w, &LIGHTMAP_TABLE, lightmaps, kept)?;
        }
        // The tail belongs after the block that it was found after.
        if let Some(kept) = spelling
            && kept.lightmaps.is_some() == lightmaps.is_some()
        {
            w.raw(&kept.tail);
        }
        Ok(w.finish())
    }

    /// What is unusual though readable.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let Some(lightmaps) = &self.lightmaps
            && lightmaps.len() != 1
        {
            let message = format!(
                "LIGHTMAPS has {} rows; all known files have one",
                lightmaps.len()
            );
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
        let rows = self.materials.iter().chain(self.lightmaps.iter().flatten());
        for row in rows {
            if row.name.len() > MAX_ENTRY_NAME || row.name.iter().any(u8::is_ascii_whitespace) {
                let message = format!(
                    "no archive entry can be meant by the name \"{}\"",
                    row.name.escape_ascii()
                );
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
            }
        }
        findings
    }
}

/// Longest name of an archive entry, without its NUL.
const MAX_ENTRY_NAME: usize = 35;

/// What errors call the parts of a table.
struct TableWords {
    count: &'static str,
    /// With the message of the original.
    count_rule: &'static str,
    row: &'static str,
}

const MATERIALS: TableWords = TableWords {
    count: "material count",
    count_rule: "a number above 0 (Illegal wear length.)",
    row: "material row",
};
const LIGHTMAP_TABLE: TableWords = TableWords {
    count: "lightmap count",
    count_rule: "a number above 0 (Illegal lightmaps length.)",
    row: "lightmap row",
};

fn read_table(
    lines: &mut Lines<'_>,
    words: &TableWords,
) -> Result<(Vec<WearRow>, TableSpelling), FormatError> {
    let line = lines.take(words.count)?;
    let count = parse_count(&line, words)?;
    let n_rows = lines.claim(words.count, count, MIN_ROW_SIZE)?;
    if n_rows > MAX_ROWS {
        return Err(line.unexpected(words.count, "at most 65536 rows, which handles can name"));
    }
    let count = KeptLine::new(n_rows, &line);
    let mut rows = Vec::with_capacity(n_rows);
    let mut spelling = Vec::with_capacity(n_rows);
    for _ in 0..n_rows {
        let line = lines.take(words.row)?;
        let row = parse_row(&line, words)?;
        spelling.push(KeptLine::new(row.clone(), &line));
        rows.push(row);
    }
    let spelling = TableSpelling {
        count,
        rows: spelling,
    };
    Ok((rows, spelling))
}

fn parse_count(line: &Line<'_>, words: &TableWords) -> Result<u64, FormatError> {
    let text = std::str::from_utf8(line.text).unwrap_or_default();
    match text.parse::<u64>() {
        Ok(0) => Err(line.unexpected(words.count, words.count_rule)),
        Ok(count) => Ok(count),
        // More rows than any file holds is an error of the count, not of its spelling.
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(u64::MAX),
        Err(_) => Err(line.unexpected(words.count, words.count_rule)),
    }
}

fn parse_row(line: &Line<'_>, words: &TableWords) -> Result<WearRow, FormatError> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let mut fields = line.text.splitn(2, is_blank);
    let id = fields.next().unwrap_or_default();
    let name = fields.next().unwrap_or_default().trim_ascii();
    let id = std::str::from_utf8(id).ok().and_then(|id| id.parse().ok());
    match id {
        Some(legacy_id) if !name.is_empty() => Ok(WearRow {
            legacy_id,
            name: name.to_vec(),
        }),
        _ => Err(line.unexpected(words.row, "a number and a name")),
    }
}

fn write_table(
    w: &mut LineWriter,
    words: &TableWords,
    rows: &[WearRow],
    kept: Option<&TableSpelling>,
) -> Result<(), FormatError> {
    if rows.is_empty() {
        return Err(w.unexpected(words.count, words.count_rule, 0));
    }
    if rows.len() > MAX_ROWS {
        let expected = "at most 65536 rows, which handles can name";
        return Err(w.unexpected(words.count, expected, rows.len()));
    }
    w.line(kept.map(|kept| &kept.count), &rows.len(), |count| {
        count.to_string().into_bytes()
    });
    for (idx, row) in rows.iter().enumerate() {
        let name = &row.name;
        if name.is_empty() || name.trim_ascii() != name || name.contains(&b'\n') {
            let found = format!("\"{}\"", name.escape_ascii());
            return Err(w.unexpected(
                words.row,
                "a name in one line without blanks around it",
                found,
            ));
        }
        let kept = kept.and_then(|kept| kept.rows.get(idx));
        w.line(kept, row, |WearRow { legacy_id, name }| {
            [legacy_id.to_string().as_bytes(), b" ", name].concat()
        });
    }
    Ok(())
}
