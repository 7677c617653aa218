//! What is unusual in a unit file, though readable.

use super::{CHILD_COUNT_OFFSET, FORMAT, HEAD_SIZE, UnitDat, UnitRecord};
use crate::build_dat::Category;
use crate::record::record_offset;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::text::decode_cp1251;

/// Scheme types that are no category of `BuildDat.lst` (dossier section 6).
const FURTHER_SCHEMES: [(u32, &str); 10] = [
    (0x8000_0000, "ClassBuilding"),
    (0x8000_1000, "Bridge"),
    (0x8000_2000, "Ruine"),
    (0x0100_0000, "ClassRobot"),
    (0x0100_2000, "Transport"),
    (0x0100_4000, "Builder"),
    (0x0100_8000, "Battleunit"),
    (0x0101_0000, "Hq"),
    (0x0102_0000, "Hero"),
    (0x2000_0000, "ClassAnimal"),
];
/// `kind` of all known records.
const KNOWN_KIND: i32 = 1;
/// Offset of the scheme type in the file, and of two fields in a record.
const SCHEME_OFFSET: u64 = 4;
const KIND_OFFSET: usize = 64;
const COMPONENT_TYPE_OFFSET: usize = 104;

/// The original's name for a scheme type; `None` if it is not a known one.
pub fn scheme_name(scheme: u32) -> Option<&'static str> {
    let category = Category::ALL.into_iter().find(|c| c.mask() == scheme);
    let further = FURTHER_SCHEMES.iter().find(|(mask, _)| *mask == scheme);
    category
        .map(Category::name)
        .or(further.map(|(_, name)| *name))
}

impl UnitDat {
    /// Values that no known file has, and child counts that do not add up to one tree.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        if scheme_name(self.scheme).is_none() {
            let message = format!("unknown scheme type {:#010x}", self.scheme);
            findings.rule(Severity::Warning, [(Some(SCHEME_OFFSET), message)]);
        }
        if self.records.is_empty() {
            let message = "the unit has no components".to_owned();
            findings.rule(Severity::Warning, [(None, message)]);
        }
        self.check_records(&mut findings);
        self.check_tree(&mut findings);
        findings.into_list()
    }

    fn check_records(&self, findings: &mut Findings) {
        let records = || self.records.iter().enumerate();
        let unknown = records().filter(|(_, record)| record.component_type().is_none());
        let message =
            |record: &UnitRecord| format!("unknown component type {}", record.component_word);
        findings.rule(
            Severity::Warning,
            unknown.map(|at| found(at, COMPONENT_TYPE_OFFSET, message(at.1))),
        );
        let other_kind = records().filter(|(_, record)| record.kind != KNOWN_KIND);
        let message = |record: &UnitRecord| format!("kind {}, not {KNOWN_KIND}", record.kind);
        findings.rule(
            Severity::Note,
            other_kind.map(|at| found(at, KIND_OFFSET, message(at.1))),
        );
        let nameless = records()
            .filter(|(_, record)| record.archive().is_empty() || record.resource().is_empty());
        findings.rule(
            Severity::Warning,
            nameless.map(|at| found(at, 0, "names no entry of an archive".to_owned())),
        );
    }

    fn check_tree(&self, findings: &mut Findings) {
        match self.parents() {
            Err(error) => {
                let finding = Finding::new(Severity::Error, FORMAT, error.to_string());
                findings.extend([finding.at(error.offset)]);
            }
            Ok(parents) => {
                let roots = self.records.iter().enumerate().zip(&parents).skip(1);
                let roots = roots.filter(|(_, parent)| parent.is_none());
                let message = "belongs to no record before it";
                findings.rule(
                    Severity::Warning,
                    roots.map(|(at, _)| found(at, CHILD_COUNT_OFFSET, message.to_owned())),
                );
            }
        }
    }
}

fn found(
    (idx, record): (usize, &UnitRecord),
    field: usize,
    message: String,
) -> (Option<u64>, String) {
    let offset = record_offset(HEAD_SIZE, idx, UnitRecord::SIZE).saturating_add(field);
    let name = decode_cp1251(record.resource());
    (
        Some(offset as u64),
        format!("record {idx} \"{name}\": {message}"),
    )
}
