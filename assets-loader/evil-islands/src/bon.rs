//! BON: where a part stands from its parent, in each extreme state (dossier section 9.3).
//!
//! Points to the end of the file, eight or one. Model axes and meters, +Z up; no rotation.

#[cfg(test)]
mod tests;

use bitflags::bitflags;

use super::complection::{N_STATES, blend};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match};
use ironlands_assets_core::record::{Codec, FixedSize};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Bon::NAME;
const OFFSET_SIZE: usize = <[f32; 3]>::SIZE;

/// Where a part stands from its parent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bon {
    /// One for each extreme state, in the order of [`STATE_NAMES`](super::complection::STATE_NAMES), or a single one.
    pub offsets: Vec<[f32; 3]>,
    /// Bytes after the last whole point; kept.
    pub tail: Vec<u8>,
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Any number of points. With fewer than eight the first counts, else the first eight.
        const ANY_COUNT = 1 << 0;
        /// Bytes follow that are no whole point. They are kept.
        const TRAILING_BYTES = 1 << 1;
    }
}

impl Format for Bon {
    type Context = ();

    const NAME: &'static str = "bon";
    const EXTENSIONS: &'static [&'static str] = &["bon"];
    const KIND: FileKind = FileKind::Model;

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        name.ends_with(".bon").then_some(Match::Extension)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("states", self.offsets.len());
    }
}

impl Bon {
    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// As [`Self::read_with`] without tolerance.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::empty())
    }

    /// Reads a whole file, waiving the given rules.
    ///
    /// # Errors
    /// Neither one nor eight points, or bytes after the last.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let n_offsets = data.len() / OFFSET_SIZE;
        if !matches!(n_offsets, 1 | N_STATES) && !tolerance.contains(Tolerance::ANY_COUNT) {
            return Err(r.unexpected("offsets", "1 or 8 points", n_offsets));
        }
        let mut bon = Self::default();
        bon.walk(&mut r, n_offsets)?;
        let end = r.clone();
        bon.tail = r.rest().to_vec();
        if !bon.tail.is_empty() && !tolerance.contains(Tolerance::TRAILING_BYTES) {
            end.finish("after the last offset")?;
        }
        Ok(bon)
    }

    /// Reads `n_offsets`, or writes all, without the tail.
    fn walk(&mut self, c: &mut impl Codec, n_offsets: usize) -> Result<(), FormatError> {
        c.fields("offset", &mut self.offsets, n_offsets as u64)
    }

    /// Writes the file; the same bytes if nothing was changed.
    ///
    /// # Errors
    /// None so far.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        self.clone().walk(&mut w, self.offsets.len())?;
        w.bytes(&self.tail);
        Ok(w.finish())
    }

    /// What is unusual.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let n_offsets = self.offsets.len();
        if !matches!(n_offsets, 1 | N_STATES) {
            let message = format!("{n_offsets} points; all known files have 8, or 1");
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        }
        let is_odd = |offset: &[f32; 3]| offset.iter().any(|v| !v.is_finite());
        if let Some(state) = self.offsets.iter().position(is_odd) {
            let message = format!("the point of state {state} is not finite");
            let offset = state.saturating_mul(OFFSET_SIZE) as u64;
            findings.push(Finding::new(Severity::Error, FORMAT, message).at(offset));
        }
        findings
    }

    /// Where the part stands from its parent for dexterity, strength, height; at the parent if nothing is stored.
    pub fn offset(&self, complection: [f32; 3]) -> [f32; 3] {
        blend(&self.offsets, complection).unwrap_or_default()
    }

    /// Where the part stands in an extreme state, 0..8; the only point if there is one, the parent's if there is none.
    pub fn state(&self, state: usize) -> [f32; 3] {
        let is_blended = self.offsets.len() >= N_STATES;
        let stored = self.offsets.get(if is_blended { state } else { 0 });
        stored.copied().unwrap_or_default()
    }
}
