//! Models inside archives: an entry named `*.msh` whose payload is a whole file (dossier section 7.1).

use super::{Msh, Tolerance};
use crate::nres::{Entry, NRes};
use ironlands_assets_core::bytes::{Finding, FormatError};

/// Indices of the entries of an archive that are models by their name, in directory order.
pub fn model_entries(archive: &NRes) -> impl Iterator<Item = usize> {
    let entries = archive.entries.iter().enumerate();
    entries
        .filter(|(_, entry)| {
            let extension = entry.name_bytes().last_chunk();
            extension.is_some_and(|extension: &[u8; 4]| extension.eq_ignore_ascii_case(b".msh"))
        })
        .map(|(index, _)| index)
}

impl Msh {
    /// Reads a model from an entry of an archive by the strict rules. Errors name the entry, and their offset is
    /// that in the archive.
    pub fn read_nested(entry: &Entry) -> Result<Self, FormatError> {
        let (model, _) = Self::read_nested_with(entry, Tolerance::STRICT)?;
        Ok(model)
    }

    /// Reads a model from an entry of an archive, waiving the named rules; the findings list every repair.
    pub fn read_nested_with(
        entry: &Entry,
        tolerance: Tolerance,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        let base = entry.offset();
        let name = entry.name_text();
        let read = Self::read_with(&entry.data, tolerance);
        let (model, mut findings) = read.map_err(|error| {
            let offset = error.offset.saturating_add(base);
            FormatError { offset, ..error }.in_entry(&name)
        })?;
        for finding in &mut findings {
            finding.offset = (finding.offset).map(|offset| offset.saturating_add(base));
            finding.message = format!("{name}: {}", finding.message);
        }
        Ok((model, findings))
    }
}
