//! What no known effect has.

use super::{Block, Emits, FORMAT, Fxid, OVERLAY, TYPE_MASK};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

/// Bytes of count and head.
const HEAD_SIZE: u64 = 60;
/// Offsets of the mode, the duration and the flags.
const MODE_OFFSET: u64 = 4;
const DURATION_OFFSET: u64 = 8;
const FLAGS_OFFSET: u64 = 16;
/// Kinds of lights and of sounds.
const LIGHT_KINDS: std::ops::RangeInclusive<u32> = 1..=7;
const SOUND_KINDS: std::ops::RangeInclusive<u32> = 0..=3;

impl Fxid {
    /// Values that no known file has, and windows that can never be open.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        self.check_header(&mut findings);
        let blocks = || self.blocks_with_offsets();
        findings.rule(
            Severity::Warning,
            blocks().flat_map(|(at, idx, block)| {
                let problems = problems(&block.emits).into_iter();
                problems.map(move |problem| (Some(at), format!("block {idx}: {problem}")))
            }),
        );
        let flagged =
            blocks().filter(|(_, _, block)| block.flag_bits & !(OVERLAY | TYPE_MASK) != 0);
        findings.rule(
            Severity::Note,
            flagged.map(|(at, idx, block)| {
                (
                    Some(at),
                    format!("block {idx}: flags {:#x}", block.flag_bits),
                )
            }),
        );
        let nameless = blocks().filter(|(_, _, block)| {
            let needs_name = !matches!(block.emits, Emits::Light(_) | Emits::Nothing);
            let resource = block.emits.resource();
            needs_name && resource.is_none_or(|it| it.resource().is_empty())
        });
        findings.rule(
            Severity::Warning,
            nameless.map(|(at, idx, _)| {
                let message = format!("block {idx} names neither material nor sound");
                (Some(at), message)
            }),
        );
        findings.into_list()
    }

    fn check_header(&self, findings: &mut Findings) {
        let header = &self.header;
        if header.time_mode().is_none() {
            let message = format!("unknown time mode {}", header.mode);
            findings.rule(Severity::Warning, [(Some(MODE_OFFSET), message)]);
        }
        if !(header.duration_secs.is_finite() && header.duration_secs >= 0.0) {
            let message = format!("a duration of {} s", header.duration_secs);
            findings.rule(Severity::Warning, [(Some(DURATION_OFFSET), message)]);
        }
        let unknown = header.flags().difference(super::EffectFlags::all()).bits();
        if unknown != 0 {
            let message = format!("unknown flags {unknown:#x}");
            findings.rule(Severity::Note, [(Some(FLAGS_OFFSET), message)]);
        }
    }

    /// Blocks with the offsets of their words.
    fn blocks_with_offsets(&self) -> impl Iterator<Item = (u64, usize, &Block)> {
        let blocks = self.blocks.iter().enumerate();
        blocks.scan(HEAD_SIZE, |end, (idx, block)| {
            let at = *end;
            *end = at.saturating_add(block.emits.size() as u64);
            Some((at, idx, block))
        })
    }
}

fn problems(emits: &Emits) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some([low, high]) = emits.window()
        && !(0.0 <= low && low <= high && high <= 1.0)
    {
        problems.push(format!("the window {low} to {high} is not within 0 to 1"));
    }
    match emits {
        Emits::Light(light) if !LIGHT_KINDS.contains(&light.kind) => {
            problems.push(format!("unknown kind {} of light", light.kind));
        }
        Emits::Sound(sound) if !SOUND_KINDS.contains(&sound.kind) => {
            problems.push(format!("unknown kind {} of sound", sound.kind));
        }
        Emits::Dome(dome) if dome.grid().is_none() => {
            problems.push(format!("unknown fineness {} of a dome", dome.fineness));
        }
        _ => {}
    }
    problems
}
