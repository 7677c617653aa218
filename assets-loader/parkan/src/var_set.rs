//! `varset.var`: the variables of all minds, one a line; scripts name them by position.
//!
//! Document: "Parkan: what is settled since", section 6.2. Text: `VAR( type, name, default[, min, max, comment])`, perhaps
//! with a semicolon, between comments. All but type, name and default is kept as it is spelled.

#[cfg(test)]
mod tests;

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

use crate::formulas::take_line;

const FORMAT: &str = VarSet::NAME;
/// The name of the file.
pub const FILE: &str = "varset.var";
const KEYWORD: &[u8] = b"VAR(";
/// Types of known variables.
const TYPES: [&[u8]; 2] = [b"DWORD", b"float"];
/// Type, name and default.
const N_PARTS: usize = 3;

/// The variables of all minds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VarSet {
    /// In file order.
    variables: Vec<Spelled>,
    /// What follows the last.
    tail: Vec<u8>,
}

/// A variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable<'a> {
    /// `DWORD` or `float` in known files.
    pub type_name: &'a [u8],
    /// Its name.
    pub name: &'a [u8],
    /// What it is at first, as it is spelled.
    pub default: &'a [u8],
}

/// The parts of a variable, each behind what separates it from the one before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Spelled {
    separators: [Vec<u8>; N_PARTS],
    parts: [Vec<u8>; N_PARTS],
    after: Vec<u8>,
}

impl Format for VarSet {
    type Context = ();

    const NAME: &'static str = "varset";
    const EXTENSIONS: &'static [&'static str] = &["var"];
    const KIND: FileKind = FileKind::Table;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        (name == FILE).then_some(Match::Name)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("variables", self.variables.len());
        for (idx, variable) in self.variables().enumerate() {
            let Variable {
                type_name,
                name,
                default,
            } = variable;
            let [type_name, name, default] = [type_name, name, default].map(decode_cp1251);
            report.fact("variable", format!("{idx}: {type_name} {name} = {default}"));
        }
    }
}

impl VarSet {
    /// A new file; `None` if a part is empty or holds what separates parts.
    pub fn new<'a>(variables: impl IntoIterator<Item = Variable<'a>>) -> Option<Self> {
        let mut spelled = Vec::new();
        for Variable {
            type_name,
            name,
            default,
        } in variables
        {
            let parts = [type_name, name, default];
            let is_plain = |part: &&[u8]| {
                let separates = |byte: &u8| matches!(*byte, b',' | b')' | b'\n' | b'\r');
                !part.is_empty() && !part.iter().any(separates) && part.trim_ascii() == *part
            };
            if !parts.iter().all(is_plain) {
                return None;
            }
            spelled.push(Spelled {
                separators: [&b"VAR( "[..], b", ", b", "].map(<[u8]>::to_vec),
                parts: parts.map(<[u8]>::to_vec),
                after: b" )\r\n".to_vec(),
            });
        }
        Some(Self {
            variables: spelled,
            tail: Vec::new(),
        })
    }

    /// In file order; scripts name them by index.
    pub fn variables(&self) -> impl Iterator<Item = Variable<'_>> {
        self.variables.iter().map(|it| {
            let [type_name, name, default] = &it.parts;
            Variable {
                type_name,
                name,
                default,
            }
        })
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// A line with a variable in which a part is missing.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let mut variables = Vec::new();
        let mut before = Vec::new();
        while r.remaining() > 0 {
            let at = r.clone();
            let line = take_line(&mut r)?;
            if !line.trim_ascii_start().starts_with(KEYWORD) {
                before.extend(line);
                continue;
            }
            let Some(mut variable) = Spelled::from_line(line) else {
                let found = decode_cp1251(line.trim_ascii()).into_owned();
                return Err(at.unexpected("variable", "VAR( type, name, default )", found));
            };
            let [first, ..] = &mut variable.separators;
            before.append(first);
            *first = std::mem::take(&mut before);
            variables.push(variable);
        }
        Ok(Self {
            variables,
            tail: before,
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// None today: every value can be written.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { variables, tail } = self;
        let mut w = Writer::new(FORMAT);
        for variable in variables {
            let Spelled {
                separators,
                parts,
                after,
            } = variable;
            for (separator, part) in separators.iter().zip(parts) {
                w.bytes(separator);
                w.bytes(part);
            }
            w.bytes(after);
        }
        w.bytes(tail);
        Ok(w.finish())
    }

    /// Types that no known file has, defaults that are no numbers, and names that come twice.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let variables = || self.variables().enumerate();
        let of = |(idx, it): (usize, Variable<'_>), problem: &str| {
            let name = decode_cp1251(it.name);
            (None, format!("variable {idx}, {name}: {problem}"))
        };
        let other_type = variables().filter(|(_, it)| !TYPES.contains(&it.type_name));
        findings.rule(
            Severity::Warning,
            other_type.map(|it| of(it, "its type is neither DWORD nor float")),
        );
        let is_number = |text: &[u8]| {
            let text = std::str::from_utf8(text).ok();
            text.is_some_and(|it| it.parse::<f64>().is_ok_and(f64::is_finite))
        };
        let no_number = variables().filter(|(_, it)| !is_number(it.default));
        findings.rule(
            Severity::Warning,
            no_number.map(|it| of(it, "its default is no number")),
        );
        let mut known = std::collections::HashSet::new();
        let again = variables().filter(|(_, it)| !known.insert(it.name));
        let again: Vec<_> = again.map(|it| of(it, "another has this name")).collect();
        findings.rule(Severity::Warning, again);
        findings.into_list()
    }
}

impl Spelled {
    /// The parts of a line; `None` if one is missing.
    fn from_line(line: &[u8]) -> Option<Self> {
        let keyword = line.len().checked_sub(line.trim_ascii_start().len())?;
        let mut start = keyword.checked_add(KEYWORD.len())?;
        let mut begun = 0;
        let mut spelled = Self::default();
        let [separators, parts] = [&mut spelled.separators, &mut spelled.parts];
        let last = N_PARTS.checked_sub(1)?;
        for (idx, (separator, part)) in separators.iter_mut().zip(parts).enumerate() {
            let rest = line.get(start..)?;
            let ends = |byte: &u8| *byte == b',' || (idx == last && *byte == b')');
            let raw = rest.get(..rest.iter().position(ends)?)?;
            let text = raw.trim_ascii();
            let n_blanks = raw.len().checked_sub(raw.trim_ascii_start().len())?;
            let from = start.checked_add(n_blanks)?;
            *separator = line.get(begun..from)?.to_vec();
            *part = text.to_vec();
            begun = from.checked_add(text.len())?;
            // Behind the comma.
            start = start.checked_add(raw.len())?.checked_add(1)?;
        }
        spelled.after = line.get(begun..)?.to_vec();
        (spelled.after.contains(&b')') && spelled.parts.iter().all(|it| !it.is_empty()))
            .then_some(spelled)
    }
}
