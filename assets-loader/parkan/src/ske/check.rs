//! What no known sky has.

use super::{FORMAT, Ske};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

/// The last opcode that does anything.
const LAST_OPCODE: u32 = 9;

impl Ske {
    /// Times that do not rise, days without a length, and numbers that no known file has.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        if self.sections.is_empty() {
            let message = "there is no day".to_owned();
            findings.rule(Severity::Warning, [(None, message)]);
        }
        let sections = || self.sections.iter().enumerate();
        let endless = sections().filter(|(_, it)| it.day_secs() <= 0.0 || it.keyframes.is_empty());
        findings.rule(
            Severity::Warning,
            endless.map(|(idx, _)| {
                let message = format!("section {idx} has no length, or no keyframes");
                (None, message)
            }),
        );
        let keyframes = || {
            sections().flat_map(|(section, it)| {
                it.keyframes
                    .iter()
                    .enumerate()
                    .map(move |(idx, it)| (section, idx, it))
            })
        };
        let off_clock = keyframes().filter(|(.., it)| it.time.hour > 23 || it.time.minute > 59);
        findings.rule(
            Severity::Warning,
            off_clock.map(|(section, idx, it)| {
                let time = it.time.clock_text();
                (
                    None,
                    format!("section {section}, keyframe {idx}: no time is {time}"),
                )
            }),
        );
        let unordered = sections().filter(|(_, it)| {
            !it.keyframes
                .is_sorted_by(|a, b| a.time.hours() <= b.time.hours())
        });
        findings.rule(
            Severity::Warning,
            unordered.map(|(idx, _)| (None, format!("section {idx}: times do not rise"))),
        );
        let foggy = keyframes().filter(|(.., it)| {
            let [start, end] = [it.slots.fog_start, it.slots.fog_end];
            start < 0.0 || start >= end
        });
        findings.rule(
            Severity::Warning,
            foggy.map(|(section, idx, _)| {
                (
                    None,
                    format!("section {section}, keyframe {idx}: fog ends before it begins"),
                )
            }),
        );
        // What cannot be written has no places.
        let written = self.write_with_offsets();
        let offsets = written.map(|(_, offsets)| offsets).unwrap_or_default();
        let endless = keyframes().filter(|(.., it)| !it.is_finite());
        findings.rule(
            Severity::Error,
            endless.map(|(section, idx, _)| {
                let offset = offsets.get(section).and_then(|it| it.get(idx)).copied();
                let message = format!("section {section}, keyframe {idx}: a number is not finite");
                (offset, message)
            }),
        );
        let unknown = keyframes().filter(|(.., it)| it.opcode > LAST_OPCODE);
        findings.rule(
            Severity::Note,
            unknown.map(|(section, idx, it)| {
                let opcode = it.opcode;
                (
                    None,
                    format!("section {section}, keyframe {idx}: opcode {opcode}"),
                )
            }),
        );
        findings.into_list()
    }
}
