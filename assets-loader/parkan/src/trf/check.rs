//! What a research tree says that leads nowhere, and what the game refuses.

use std::collections::BTreeSet;

use super::codec::type_id;
use super::{FORMAT, ItemLists, ResearchTree, VERSION, text_at};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

/// States of known files: out of the tree, researched and out of it, waiting, open to research, granted.
const STATES: [u8; 5] = [0, 2, 4, 5, 7];
/// In the tree and researched.
const IS_RESEARCHED: u8 = 6;
/// In the tree, and its prerequisites are researched; and not yet so.
const OPEN: u8 = 5;
const WAITING: u8 = 4;

impl ResearchTree {
    /// Errors are what the game refuses or what leads nowhere, warnings what all known files keep.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        findings.extend(self.container.check());
        self.check_directory(&mut findings);
        self.check_lengths(&mut findings);
        self.check_texts(&mut findings);
        self.check_links(&mut findings);
        self.check_states(&mut findings);
        findings.into_list()
    }

    fn check_directory(&self, findings: &mut Findings) {
        let entries = &self.container.entries;
        let of_table = |n: usize| {
            let index = self.container.find_type(type_id(n))?;
            entries.get(index)
        };
        let version = of_table(0).map(|entry| entry.attr2);
        let wrong = version.filter(|it| *it != VERSION).map(|version| {
            let message = format!("attr2 of TRF0 is {version}; the game takes {VERSION} only");
            (None, message)
        });
        findings.rule(Severity::Error, wrong);
        let debug = of_table(1).filter(|entry| entry.attr2 != 0).map(|entry| {
            let message = format!("attr2 of TRF1 is {}: a tree for debugging", entry.attr2);
            (None, message)
        });
        findings.rule(Severity::Warning, debug);
        let counts = [
            (0, self.items.len()),
            (1, self.states.len()),
            (11, self.parts.len()),
        ];
        let other = counts.into_iter().filter_map(|(n, count)| {
            let entry = of_table(n)?;
            let name = entry.type_id.to_le_bytes();
            let name = String::from_utf8_lossy(&name).into_owned();
            let message = format!("{name} has attr1 {}, it holds {count}", entry.attr1);
            (u64::from(entry.attr1) != count as u64).then_some((None, message))
        });
        findings.rule(Severity::Warning, other);
    }

    /// Tables of one value for each item.
    fn check_lengths(&self, findings: &mut Findings) {
        let lengths = [
            ("TRF1", self.states.len()),
            ("TRF2", self.prerequisites.counts.len()),
            ("TRF4", self.unlocks.counts.len()),
        ];
        let n_items = self.items.len();
        let other = lengths.into_iter().filter(|(_, len)| *len != n_items);
        findings.rule(
            Severity::Error,
            other.map(|(name, len)| {
                let message = format!("{name} has {len} values, there are {n_items} items");
                (None, message)
            }),
        );
    }

    fn check_texts(&self, findings: &mut Findings) {
        let mut lost = Vec::new();
        for (idx, item) in self.items.iter().enumerate() {
            let texts = [
                ("short code", item.code, &self.codes),
                ("name", item.name, &self.names),
                ("description", item.description, &self.descriptions),
                ("stat lines", item.stat_lines, &self.stat_lines),
            ];
            for (what, offset, table) in texts {
                if text_at(table, offset as usize).is_none() {
                    let message =
                        format!("item {idx} has its {what} at {offset}, beyond the table");
                    lost.push((None, message));
                }
            }
        }
        for (idx, part) in self.parts.iter().enumerate() {
            if text_at(&self.part_ids, usize::from(part.id)).is_none() {
                let message = format!("part {idx} has its id at {}, beyond the table", part.id);
                lost.push((None, message));
            }
        }
        findings.rule(Severity::Error, lost);
    }

    fn check_links(&self, findings: &mut Findings) {
        let n_items = self.items.len();
        let mut lost = Vec::new();
        for (what, lists) in [
            ("prerequisite", &self.prerequisites),
            ("unlock", &self.unlocks),
        ] {
            for (idx, list) in lists.iter().enumerate() {
                for item in list.iter().filter(|it| **it as usize >= n_items) {
                    let message = format!("item {idx} has {what} {item} of {n_items} items");
                    lost.push((None, message));
                }
            }
        }
        for (idx, part) in self.parts.iter().enumerate() {
            if usize::from(part.item) >= n_items {
                let message = format!("part {idx} is of item {} of {n_items}", part.item);
                lost.push((None, message));
            }
        }
        findings.rule(Severity::Error, lost);
        let edges = |lists: &ItemLists, is_turned: bool| -> BTreeSet<(u32, u32)> {
            let pairs = (0_u32..).zip(lists.iter());
            pairs
                .flat_map(|(item, list)| list.iter().map(move |other| (item, *other)))
                .map(|(item, other)| {
                    if is_turned {
                        (other, item)
                    } else {
                        (item, other)
                    }
                })
                .collect()
        };
        let required = edges(&self.prerequisites, false);
        let unlocked = edges(&self.unlocks, true);
        let one_sided = required.symmetric_difference(&unlocked);
        findings.rule(
            Severity::Warning,
            one_sided.map(|(item, needed)| {
                let message = format!(
                    "item {item} needs item {needed} in one of the lists of prerequisites and unlocks, not in the other"
                );
                (None, message)
            }),
        );
    }

    /// An open item has all of its prerequisites, a waiting one lacks some.
    fn check_states(&self, findings: &mut Findings) {
        let states = self.states.iter().enumerate();
        let odd = states.clone().filter(|(_, it)| !STATES.contains(it));
        findings.rule(
            Severity::Warning,
            odd.map(|(idx, state)| (None, format!("item {idx} has state {state}"))),
        );
        let is_researched = |item: &u32| {
            let state = self.states.get(*item as usize).copied().unwrap_or(0);
            state & IS_RESEARCHED == IS_RESEARCHED
        };
        let wrong = states.zip(self.prerequisites.iter());
        let wrong = wrong.filter_map(|((idx, state), needed)| {
            let has_all = needed.iter().all(is_researched);
            let message = match (*state, has_all) {
                (OPEN, false) => "is open to research, and a prerequisite is not researched",
                (WAITING, true) => "waits, and all of its prerequisites are researched",
                _ => return None,
            };
            Some((None, format!("item {idx} {message}")))
        });
        findings.rule(Severity::Warning, wrong);
    }
}
