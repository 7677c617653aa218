//! The rules of a file that can be waived, and what else is worth knowing of one.

use std::collections::HashSet;

use super::layout::Layout;
use super::{FORMAT, Reg, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::text::decode_cp1251;

/// A broken rule.
pub(super) struct Fault {
    rule: Tolerance,
    field: &'static str,
    /// In the file; `None` for what is not from a file.
    offset: Option<usize>,
    expected: &'static str,
    found: String,
}

impl Fault {
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
        let faults = self.faults().into_iter();
        let mut findings: Vec<Finding> = faults.map(Fault::into_finding).collect();
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

    pub(super) fn first_fault(&self, tolerance: Tolerance) -> Option<Fault> {
        let mut faults = self.faults().into_iter();
        faults.find(|fault| !tolerance.contains(fault.rule))
    }

    fn faults(&self) -> Vec<Fault> {
        let mut faults = match &self.layout {
            Some(layout) => layout.faults(),
            None => Vec::new(),
        };
        let sections = self.sections.iter().map(|section| &section.name[..]);
        check_names("section name", sections, &mut faults);
        for section in &self.sections {
            let keys = section.keys.iter().map(|key| &key.name[..]);
            check_names("key name", keys, &mut faults);
        }
        faults
    }
}

impl Layout {
    /// That the blocks do not lie as the packer puts them.
    pub fn faults(&self) -> Vec<Fault> {
        let gaps = self.gaps.iter().map(|(offset, bytes)| Fault {
            rule: Tolerance::GAPS,
            field: "gap",
            offset: Some(*offset),
            expected: "a block",
            found: format!("{} bytes of none", bytes.len()),
        });
        let mut faults: Vec<Fault> = gaps.collect();
        let mut last = 0;
        for (offset, _) in self.places.blocks() {
            if offset < last {
                faults.push(Fault {
                    rule: Tolerance::BLOCK_ORDER,
                    field: "block",
                    offset: Some(offset),
                    expected: "blocks in the order of the tables",
                    found: format!("one before that at {last:#x}"),
                });
            }
            last = offset;
        }
        faults
    }
}

fn check_names<'n>(
    field: &'static str,
    names: impl Iterator<Item = &'n [u8]>,
    faults: &mut Vec<Fault>,
) {
    let mut known: HashSet<Vec<u8>> = HashSet::new();
    for name in names {
        if !known.insert(name.to_ascii_lowercase()) {
            faults.push(Fault {
                rule: Tolerance::DUPLICATE_NAME,
                field,
                offset: None,
                expected: "a name of its own",
                found: format!("\"{}\" once more", decode_cp1251(name)),
            });
        }
    }
}
