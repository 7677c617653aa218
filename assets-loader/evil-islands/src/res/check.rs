//! The rules of an archive that can be waived, and what else is worth knowing of one.

use std::collections::HashMap;

use super::directory::{Directory, END_OF_CHAIN};
use super::{ALIGNMENT, FORMAT, ResArchive, Tolerance, home_slot};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::text::decode_cp1251;

/// A broken rule.
pub(super) struct Problem {
    rule: Tolerance,
    field: &'static str,
    offset: usize,
    expected: &'static str,
    found: String,
}

impl Problem {
    pub fn into_error(self) -> FormatError {
        Reader::nested(FORMAT, &[], self.offset as u64).unexpected(
            self.field,
            self.expected,
            self.found,
        )
    }

    fn into_finding(self) -> Finding {
        let Self {
            field,
            expected,
            found,
            ..
        } = &self;
        let message = format!("{field}: expected {expected}, found {found}");
        Finding::new(Severity::Warning, FORMAT, message).at(self.offset as u64)
    }
}

impl ResArchive {
    /// What is wrong with the archive or worth knowing, as it was read; of entries that are not from a file only
    /// their names are checked.
    pub fn check(&self) -> Vec<Finding> {
        let Some(layout) = &self.layout else {
            return self.check_names();
        };
        let problems = layout.directory.problems().into_iter();
        let mut findings: Vec<Finding> = problems.map(Problem::into_finding).collect();
        let (gaps, last_gap) = layout.gaps();
        let unclaimed = gaps.into_iter().chain([last_gap]).map(<[u8]>::len);
        let n_unclaimed = unclaimed.fold(0, usize::saturating_add);
        if n_unclaimed > 0 {
            let message = format!("{n_unclaimed} bytes between the entries belong to none");
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
        let is_misaligned = |offset: usize| !offset.is_multiple_of(ALIGNMENT);
        let rows = layout.directory.rows.iter();
        let n_misaligned = rows.filter(|row| is_misaligned(row.data().start)).count();
        if n_misaligned > 0 {
            let message = format!("data of {n_misaligned} entries begins at no multiple of 16");
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
        findings
    }

    fn check_names(&self) -> Vec<Finding> {
        let names = self.entries.iter().map(|entry| &entry.name[..]);
        let problems = name_problems(names, |_| 0).into_iter();
        problems.map(Problem::into_finding).collect()
    }
}

impl Directory {
    /// The first broken rule that is not waived.
    pub fn first_problem(&self, tolerance: Tolerance) -> Option<Problem> {
        let mut problems = self.problems().into_iter();
        problems.find(|problem| !tolerance.contains(problem.rule))
    }

    /// All broken rules, in the order of [`Tolerance`].
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.check_chains(&mut problems);
        let names = (0..self.rows.len()).map(|slot| self.name(slot));
        problems.extend(name_problems(names, |slot| self.row_offset(slot)));
        let n_trailing = self.file_len.saturating_sub(self.trailing_start());
        if n_trailing > 0 {
            problems.push(Problem {
                rule: Tolerance::TRAILING_BYTES,
                field: "after the names",
                offset: self.trailing_start(),
                expected: "the end of the file",
                found: format!("{n_trailing} more bytes"),
            });
        }
        problems
    }

    /// Where nothing is left that an entry or the table claims.
    pub fn trailing_start(&self) -> usize {
        let data_ends = self.rows.iter().map(|row| row.data().end);
        data_ends.fold(self.end(), usize::max)
    }

    fn check_chains(&self, problems: &mut Vec<Problem>) {
        let mut problem = |slot: usize, expected: &'static str, found: String| {
            problems.push(Problem {
                rule: Tolerance::CHAINS,
                field: "next slot",
                offset: self.row_offset(slot),
                expected,
                found,
            });
        };
        let n_slots = self.rows.len();
        let mut is_led_to = vec![false; n_slots];
        for (slot, row) in self.rows.iter().enumerate() {
            let is_end = row.next == END_OF_CHAIN;
            match row.next_slot().and_then(|next| is_led_to.get_mut(next)) {
                None if is_end => {}
                None => {
                    let found = format!("{} of {n_slots}", row.next);
                    problem(slot, "-1 or a slot of the table", found);
                }
                Some(true) => {
                    let found = format!("slot {} once more", row.next);
                    problem(slot, "a slot that no other leads to", found);
                }
                Some(led) => *led = true,
            }
        }
        let places = self.places_in_chains(&is_led_to);
        for (slot, place) in places.iter().enumerate() {
            let name = self.name(slot);
            let home = home_slot(name, n_slots).and_then(|home| *places.get(home)?);
            match (place, home) {
                (None, _) => problem(slot, "the end of the chain", "a circle".to_owned()),
                // By what rule the original hashes such names is not known.
                _ if !name.is_ascii() => {}
                (Some(here), Some(home)) if here.chain == home.chain && home.step <= here.step => {}
                _ => {
                    let found = format!("\"{}\" outside of it", decode_cp1251(name));
                    problem(slot, "an entry in the chain of its name", found);
                }
            }
        }
    }

    /// For each slot the chain that it is on and how far down; `None` in a circle.
    ///
    /// Chains only share slots where one begins on the way of another, so that each slot is on one way only.
    fn places_in_chains(&self, is_led_to: &[bool]) -> Vec<Option<Place>> {
        let mut places: Vec<Option<Place>> = vec![None; self.rows.len()];
        for chain in 0..self.rows.len() {
            if is_led_to.get(chain) != Some(&false) {
                continue;
            }
            let mut at = Some(chain);
            let mut step = 0_usize;
            while let Some(slot) = at {
                match places.get_mut(slot) {
                    Some(place @ None) => *place = Some(Place { chain, step }),
                    _ => break,
                }
                step = step.saturating_add(1);
                at = self.rows.get(slot).and_then(|row| row.next_slot());
            }
        }
        places
    }
}

/// The chain that a slot is on, by its first slot, and how many steps down.
#[derive(Debug, Clone, Copy)]
struct Place {
    chain: usize,
    step: usize,
}

fn name_problems<'n>(
    names: impl Iterator<Item = &'n [u8]>,
    row_offset: impl Fn(usize) -> usize,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
    for (index, name) in names.enumerate() {
        let mut problem = |rule, expected, found| {
            problems.push(Problem {
                rule,
                field: "name",
                offset: row_offset(index),
                expected,
                found,
            });
        };
        if name.is_empty() {
            problem(Tolerance::EMPTY_NAME, "a name", "none".to_owned());
        }
        if known.insert(name.to_ascii_lowercase(), index).is_some() {
            let found = format!("\"{}\" once more", decode_cp1251(name));
            problem(Tolerance::DUPLICATE_NAME, "a name of its own", found);
        }
    }
    problems
}
