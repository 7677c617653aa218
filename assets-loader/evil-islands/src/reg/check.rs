//! The rules of a file that can be waived, and what else is worth knowing of one.

use std::collections::HashSet;

use super::layout::Layout;
use super::{FORMAT, Reg, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::text::decode_cp1251;

/// A broken rule.
pub(super) struct Problem {
    rule: Tolerance,
    field: &'static str,
    /// In the file; `None` for what is not from a file.
    offset: Option<usize>,
    expected: &'static str,
    found: String,
}

impl Problem {
    pub fn into_error(self) -> FormatError {
        let offset = self.offset.unwrap_or_default() as u64;
        Reader::nested(FORMAT, &[], offset).unexpected(self.field, self.expected, self.found)
    }

    pub fn into_finding(self) -> Finding {
        let Self {
            field,
            expected,
            found,
            ..
        } = &self;
        let message = format!("{field}: expected {expected}, found {found}");
        Finding {
            offset: self.offset.map(|offset| offset as u64),
            ..Finding::new(Severity::Warning, FORMAT, message)
        }
    }
}

impl Reg {
    /// What is wrong with the file or worth knowing.
    pub fn check(&self) -> Vec<Finding> {
        let problems = self.problems().into_iter();
        let mut findings: Vec<Finding> = problems.map(Problem::into_finding).collect();
        let in_order = |orders: &mut dyn Iterator<Item = i16>| {
            (0..)
                .zip(orders)
                .all(|(index, order)| index == i32::from(order))
        };
        let keys_in_order =
            |it: &super::RegSection| in_order(&mut it.keys.iter().map(|it| it.order));
        let sections_in_order = in_order(&mut self.sections.iter().map(|it| it.order));
        if !sections_in_order || !self.sections.iter().all(keys_in_order) {
            let message = "order numbers are not 0, 1, 2 …: kept, their use is not known";
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
        findings
    }

    pub(super) fn first_problem(&self, tolerance: Tolerance) -> Option<Problem> {
        let mut problems = self.problems().into_iter();
        problems.find(|problem| !tolerance.contains(problem.rule))
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = match &self.layout {
            Some(layout) => layout.problems(),
            None => Vec::new(),
        };
        let sections = self.sections.iter().map(|section| &section.name[..]);
        check_names("section name", sections, &mut problems);
        for section in &self.sections {
            let keys = section.keys.iter().map(|key| &key.name[..]);
            check_names("key name", keys, &mut problems);
        }
        problems
    }
}

impl Layout {
    /// That the blocks do not lie as the packer puts them.
    pub fn problems(&self) -> Vec<Problem> {
        let gaps = self.gaps.iter().map(|(offset, bytes)| Problem {
            rule: Tolerance::GAPS,
            field: "gap",
            offset: Some(*offset),
            expected: "a block",
            found: format!("{} bytes of none", bytes.len()),
        });
        let mut problems: Vec<Problem> = gaps.collect();
        let mut last = 0;
        for (offset, _) in self.places.blocks() {
            if offset < last {
                problems.push(Problem {
                    rule: Tolerance::BLOCK_ORDER,
                    field: "block",
                    offset: Some(offset),
                    expected: "blocks in the order of the tables",
                    found: format!("one before that at {last:#x}"),
                });
            }
            last = offset;
        }
        problems
    }
}

fn check_names<'n>(
    field: &'static str,
    names: impl Iterator<Item = &'n [u8]>,
    problems: &mut Vec<Problem>,
) {
    let mut known: HashSet<Vec<u8>> = HashSet::new();
    for name in names {
        if !known.insert(name.to_ascii_lowercase()) {
            problems.push(Problem {
                rule: Tolerance::DUPLICATE_NAME,
                field,
                offset: None,
                expected: "a name of its own",
                found: format!("\"{}\" once more", decode_cp1251(name)),
            });
        }
    }
}
