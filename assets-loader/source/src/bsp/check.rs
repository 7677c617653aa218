//! What the compilers keep and readers need not: the invariants of dossier section 0.4, the limits of 1.7.
//!
//! One finding a rule, with the number of places that break it and the first of them.

mod brushes;
mod faces;
mod light;
mod limits;
mod reused;
mod tree;
mod visibility;

use super::file::FORMAT;
use super::map::Map;
use ironlands_assets_core::bytes::{Finding, Severity};

impl Map {
    /// What breaks the rules that the compilers keep. None of it keeps a map from being shown.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        faces::check(self, &mut findings);
        light::check(self, &mut findings);
        brushes::check(self, &mut findings);
        tree::check(self, &mut findings);
        visibility::check(self, &mut findings);
        reused::check(self, &mut findings);
        findings.list
    }

    /// What the original would not load: counts above the limits of the file version.
    pub fn check_limits(&self, version: u32) -> Vec<Finding> {
        let mut findings = Findings::default();
        limits::check(self, version, &mut findings);
        findings.list
    }
}

/// Gathers findings, one a rule.
#[derive(Default)]
struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    /// A rule and the places that break it; the first one is reported.
    fn rule(&mut self, severity: Severity, rule: &str, mut broken: impl Iterator<Item = String>) {
        if let Some(first) = broken.next() {
            let n_broken = broken.count().saturating_add(1);
            let message = format!("{rule}: broken {n_broken} times, first by {first}");
            self.list.push(Finding::new(severity, FORMAT, message));
        }
    }

    /// What compilers are careless about: it shows nowhere.
    fn note(&mut self, rule: &str, broken: impl Iterator<Item = String>) {
        self.rule(Severity::Note, rule, broken);
    }

    /// A rule that is usually kept.
    fn expect(&mut self, rule: &str, broken: impl Iterator<Item = String>) {
        self.rule(Severity::Warning, rule, broken);
    }
}
