//! Problems that many objects share: each is reported once, with how many have it and which is the first.

use std::collections::BTreeMap;

use super::FORMAT;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::{Findings, cut};

/// Severity and subject of problems of one kind, which are listed together.
pub(super) type Kind = (Severity, &'static str);

/// Problems, by kind and sentence.
#[derive(Debug, Default)]
pub(super) struct Problems(BTreeMap<Kind, BTreeMap<String, Objects>>);

#[derive(Debug)]
struct Objects {
    n_objects: usize,
    /// Name of the first, cut.
    first: String,
}

impl Problems {
    /// One more object that has this problem, or the same object once more.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "a count of objects in memory"
    )]
    pub(super) fn add(&mut self, kind: Kind, message: String, object: &str) {
        let objects = self.0.entry(kind).or_default().entry(message);
        let objects = objects.or_insert_with(|| Objects {
            n_objects: 0,
            first: cut(object).into_owned(),
        });
        objects.n_objects += 1;
    }

    pub(super) fn into_findings(self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        for ((severity, _), problems) in self.0 {
            findings.rule_of(severity, problems, |(message, objects)| {
                let Objects { n_objects, first } = objects;
                let whose = match n_objects {
                    1 => format!("object \"{first}\""),
                    n => format!("{n} times, object \"{first}\" first"),
                };
                (None, format!("{message}; {whose}"))
            });
        }
        findings.into_list()
    }
}
