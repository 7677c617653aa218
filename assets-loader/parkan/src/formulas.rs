//! `*.fml`: formulas that nodes of scripts compute, one a line; nodes name them by position.
//!
//! Document: "Parkan: what is settled since", section 6.3. Text: a comment, a blank line, then
//! `FUNCTION( , expression,  )` lines. All that is not an expression is kept as it is spelled.
//!
//! Deliberately absent: computing them.

mod grammar;
#[cfg(test)]
mod tests;

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{FileKind, Format, inherent_methods};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

const FORMAT: &str = Formulas::NAME;
/// What a line with a formula begins with, and what separates its parts.
const KEYWORD: &[u8] = b"FUNCTION(";
const SEPARATOR: u8 = b',';
/// What new files begin with, and how their lines are spelled.
const HEAD: &[u8] = b"//FormulaSet export file\r\n\r\n";
const BEFORE: &[u8] = b"FUNCTION( , ";
const AFTER: &[u8] = b",  )\r\n";

/// The formulas of a mind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formulas {
    /// In file order.
    formulas: Vec<Formula>,
    /// What follows the last.
    tail: Vec<u8>,
}

/// A formula and how its line is spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Formula {
    before: Vec<u8>,
    expression: Vec<u8>,
    after: Vec<u8>,
}

impl Format for Formulas {
    type Context = ();

    const NAME: &'static str = "fml";
    const EXTENSIONS: &'static [&'static str] = &["fml"];
    const KIND: FileKind = FileKind::Table;

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        for (idx, expression) in self.expressions().enumerate() {
            let expression = decode_cp1251(expression);
            report.fact("formula", format!("{idx}: {expression}"));
        }
    }
}

impl Formulas {
    /// A new file; `None` if an expression holds a comma or a line end.
    pub fn new<'a>(expressions: impl IntoIterator<Item = &'a [u8]>) -> Option<Self> {
        let mut formulas = Vec::new();
        let mut before = [HEAD, BEFORE].concat();
        for expression in expressions {
            let is_plain = |byte: &u8| !matches!(*byte, SEPARATOR | b'\n' | b'\r');
            if !expression.iter().all(is_plain) || expression.trim_ascii() != expression {
                return None;
            }
            formulas.push(Formula {
                before: std::mem::replace(&mut before, BEFORE.to_vec()),
                expression: expression.to_vec(),
                after: AFTER.to_vec(),
            });
        }
        let tail = match formulas.is_empty() {
            true => HEAD.to_vec(),
            false => Vec::new(),
        };
        Some(Self { formulas, tail })
    }

    /// Expressions in order, raw CP1251 bytes without the blanks around them.
    pub fn expressions(&self) -> impl Iterator<Item = &[u8]> {
        self.formulas.iter().map(|it| &*it.expression)
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// A line with a formula in which a part is missing.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let mut formulas = Vec::new();
        let mut before = Vec::new();
        while r.remaining() > 0 {
            let at = r.clone();
            let line = take_line(&mut r)?;
            if !line.trim_ascii_start().starts_with(KEYWORD) {
                before.extend(line);
                continue;
            }
            let Some([head, expression, after]) = parts_of(line) else {
                let found = decode_cp1251(line.trim_ascii()).into_owned();
                return Err(at.unexpected("formula", "FUNCTION( , expression, )", found));
            };
            before.extend(head);
            formulas.push(Formula {
                before: std::mem::take(&mut before),
                expression: expression.to_vec(),
                after: after.to_vec(),
            });
        }
        Ok(Self {
            formulas,
            tail: before,
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// None today: every value can be written.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { formulas, tail } = self;
        let mut w = Writer::new(FORMAT);
        for formula in formulas {
            let Formula {
                before,
                expression,
                after,
            } = formula;
            [before, expression, after]
                .into_iter()
                .for_each(|part| w.bytes(part));
        }
        w.bytes(tail);
        Ok(w.finish())
    }

    /// Expressions that are none.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let broken = self.expressions().enumerate();
        let broken = broken.filter_map(|(idx, expression)| {
            let problem = grammar::problem_in(expression)?;
            let expression = decode_cp1251(expression);
            Some((None, format!("formula {idx}, {expression}: {problem}")))
        });
        findings.rule(Severity::Error, broken);
        findings.into_list()
    }
}

/// Up to its end, line end included.
pub(crate) fn take_line<'a>(r: &mut Reader<'a>) -> Result<&'a [u8], FormatError> {
    let ahead = r.clone().rest();
    let end = ahead.iter().position(|byte| *byte == b'\n');
    let len = end.map_or(ahead.len(), |end| end.saturating_add(1));
    r.bytes("line", len)
}

/// What is before the expression of a line, the expression, and what is behind it.
fn parts_of(line: &[u8]) -> Option<[&[u8]; 3]> {
    let is_separator = |byte: &u8| *byte == SEPARATOR;
    let first = line.iter().position(is_separator)?.checked_add(1)?;
    let (head, rest) = line.split_at_checked(first)?;
    let second = rest.iter().position(is_separator)?;
    let (middle, _) = rest.split_at_checked(second)?;
    let n_blanks = middle.len().checked_sub(middle.trim_ascii_start().len())?;
    let head = line.get(..head.len().checked_add(n_blanks)?)?;
    let expression = middle.trim_ascii();
    let after = line.get(head.len().checked_add(expression.len())?..)?;
    after.contains(&b')').then_some([head, expression, after])
}
