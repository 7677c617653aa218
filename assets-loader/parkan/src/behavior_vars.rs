//! Binary variable sets: how machines behave by the kind of their chassis (`*.var` in `behpsp.res`).
//!
//! Document: "Parkan: what is settled since", section 6.5. A count, then variables of any length.

#[cfg(test)]
pub(crate) mod tests;

use serde::{Deserialize, Serialize};

use crate::json;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{Conversion, Fidelity, Format, inherent_methods};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

const FORMAT: &str = BehaviorVars::NAME;
/// The archive of all of them.
pub const ARCHIVE: &str = "behpsp.res";
/// What they end in there.
pub const ENDING: &[u8; 4] = b".var";
/// Words and two empty texts.
const MIN_SIZE: usize = 9 * 4;
/// Bytes of a value in known files.
const VALUE_SIZE: u32 = 4;
/// Types in known files: a whole number, a float, a word of flags.
const BOOL: u32 = 2;
const FLOAT: u32 = 3;
const DWORD: u32 = 5;

/// A set of variables.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BehaviorVars {
    /// In file order.
    pub variables: Vec<BehaviorVar>,
}

/// A variable. What its numbers mean depends on its type: see [`BehaviorVar::number`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BehaviorVar {
    /// Bytes of a value: 4 in known files.
    pub value_size: u32,
    /// 2, 3 or 5 in known files: a switch, a float, a word.
    pub type_word: u32,
    /// 0 in known files.
    pub unknown_8: u32,
    /// Its name.
    #[serde(with = "crate::json::cp1251")]
    pub name: Vec<u8>,
    /// Another text, empty in known files.
    #[serde(with = "crate::json::cp1251")]
    pub unknown_text: Vec<u8>,
    /// Bits of the value, of what it is at first, and of the least and the greatest that it may be.
    pub values: [u32; 4],
}

impl Format for BehaviorVars {
    type Context = ();

    const NAME: &'static str = "behavior_vars";
    const EXTENSIONS: &'static [&'static str] = &["bvar"];

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("variables", self.variables.len());
        for variable in &self.variables {
            report.fact("variable", variable.summary());
        }
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }
}

impl BehaviorVars {
    /// Reads the whole payload of an entry.
    ///
    /// # Errors
    /// Bytes cut short or left over, or a count that the bytes cannot hold.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let n_variables = r.count("variable count", MIN_SIZE)?;
        let variables = (0..n_variables)
            .map(|_| BehaviorVar::read(&mut r))
            .collect::<Result<_, _>>()?;
        r.finish("after the last variable")?;
        Ok(Self { variables })
    }

    /// Writes the payload.
    ///
    /// # Errors
    /// More variables, or longer texts, than their counts can hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { variables } = self;
        let mut w = Writer::new(FORMAT);
        w.count("variable count", variables.len())?;
        variables.iter().try_for_each(|it| it.write(&mut w))?;
        Ok(w.finish())
    }

    /// What no known file has.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let all = || self.variables.iter().enumerate();
        let named = |(idx, it): (usize, &BehaviorVar), what: &str| {
            let name = decode_cp1251(&it.name);
            (None, format!("variable {idx}, \"{name}\", {what}"))
        };
        let is_known = |it: &BehaviorVar| {
            it.value_size == VALUE_SIZE
                && matches!(it.type_word, BOOL | FLOAT | DWORD)
                && it.unknown_8 == 0
                && it.unknown_text.is_empty()
        };
        findings.rule(
            Severity::Note,
            all()
                .filter(|(_, it)| !is_known(it))
                .map(|it| named(it, "is of another kind than known ones")),
        );
        findings.rule(
            Severity::Warning,
            all()
                .filter(|(_, it)| it.name.is_empty())
                .map(|it| named(it, "has no name")),
        );
        let is_inside = |it: &BehaviorVar| {
            let [value, default, least, greatest] = it.values.map(|bits| it.number(bits));
            let range = least..=greatest;
            range.contains(&value) && range.contains(&default)
        };
        findings.rule(
            Severity::Note,
            all()
                .filter(|(_, it)| !is_inside(it))
                .map(|it| named(it, "is not between its limits")),
        );
        findings.into_list()
    }
}

impl BehaviorVar {
    /// What the bits of one of its values stand for, by its type.
    pub fn number(&self, bits: u32) -> f64 {
        match self.type_word {
            FLOAT => f64::from(f32::from_bits(bits)),
            _ => f64::from(bits),
        }
    }

    fn summary(&self) -> String {
        let name = decode_cp1251(&self.name);
        let [value, default, least, greatest] = self.values.map(|bits| self.number(bits));
        format!("{name} = {value}, at first {default}, {least} to {greatest}")
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(Self {
            value_size: r.u32("value size")?,
            type_word: r.u32("variable type")?,
            unknown_8: r.u32("unknown_8")?,
            name: text(r, "name length", "name")?,
            unknown_text: text(r, "text length", "text")?,
            values: [
                r.u32("value")?,
                r.u32("default")?,
                r.u32("least value")?,
                r.u32("greatest value")?,
            ],
        })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self {
            value_size,
            type_word,
            unknown_8,
            name,
            unknown_text,
            values,
        } = self;
        [value_size, type_word, unknown_8]
            .into_iter()
            .for_each(|word| w.u32(*word));
        for (field, text) in [("name length", name), ("text length", unknown_text)] {
            w.count(field, text.len())?;
            w.bytes(text);
        }
        values.iter().for_each(|bits| w.u32(*bits));
        Ok(())
    }
}

fn text(
    r: &mut Reader<'_>,
    length: &'static str,
    field: &'static str,
) -> Result<Vec<u8>, FormatError> {
    let n_bytes = r.count(length, 1)?;
    Ok(r.bytes(field, n_bytes)?.to_vec())
}
