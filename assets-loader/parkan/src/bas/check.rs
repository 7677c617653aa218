//! Rules that all known basements keep.

use super::{Bas, FORMAT, Ring};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

/// Fewer corners surround nothing.
const LEAST_CORNERS: usize = 3;

impl Bas {
    /// Contours that surround nothing, are open or go the other way around, and inner ones without an outer one.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let rings = || self.rings();
        let of = |problem: &'static str, is_it: fn(&Ring) -> bool| {
            let found = rings().filter(move |(_, ring)| is_it(ring));
            found.map(move |(name, _)| (None, format!("the {name} {problem}")))
        };
        findings.rule(
            Severity::Error,
            of("has a corner that is nowhere", |ring| {
                !ring.corners.iter().flatten().all(|it| it.is_finite())
            }),
        );
        findings.rule(
            Severity::Error,
            of("has fewer than three corners", |ring| {
                ring.n_edges() < LEAST_CORNERS
            }),
        );
        findings.rule(
            Severity::Warning,
            of("does not end where it begins", |ring| !ring.is_closed()),
        );
        findings.rule(
            Severity::Warning,
            of("goes clockwise", |ring| ring.area() < 0.0),
        );
        let [n_inner, n_outer] = [self.inner.len(), self.outer.len()];
        let is_usual = n_inner == 1 && n_outer == 1;
        let message = format!("{n_inner} inner and {n_outer} outer contours, not one of each");
        findings.rule(Severity::Note, (!is_usual).then_some((None, message)));
        findings.into_list()
    }
}
