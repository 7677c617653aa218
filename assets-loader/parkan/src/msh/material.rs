//! Which material a batch is drawn with (dossier section 7.6, Q-S1).

use super::{Batch, BatchFlags, NO_LIGHTMAP};

/// The two readings of where a batch names its material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MaterialReading {
    /// The byte at 4 is the row of the WEAR table. All known batches hold 0 at 2, so this is the likely one.
    #[default]
    ByteAt4,
    /// The word at 2 is the row.
    WordAt2,
}

/// The row of a WEAR table that a batch is drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaterialRow {
    /// Row, below the number of rows.
    pub row: usize,
    /// Where it comes from; anything but [`RowSource::Chosen`] is worth a finding.
    pub source: RowSource,
}

/// Where the row of a batch comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowSource {
    /// The field that the reading names.
    Chosen,
    /// The other field, because the row that the first one names does not exist.
    Other,
    /// Row 0, because neither row exists.
    First,
}

impl Batch {
    /// The row of a WEAR table of `n_rows` that the batch is drawn with; `None` for a table without rows.
    ///
    /// Where the byte at 4 names no row the word at 2 is tried, then row 0; the other reading goes to row 0.
    pub fn material_row(&self, reading: MaterialReading, n_rows: usize) -> Option<MaterialRow> {
        let byte = (usize::from(self.wear_row), MaterialReading::ByteAt4);
        let word = (usize::from(self.material_02), MaterialReading::WordAt2);
        let candidates: &[_] = match reading {
            MaterialReading::ByteAt4 => &[byte, word],
            MaterialReading::WordAt2 => &[word],
        };
        let found = candidates.iter().find(|(row, _)| *row < n_rows);
        let found = found.map(|&(row, place)| MaterialRow {
            row,
            source: if place == reading {
                RowSource::Chosen
            } else {
                RowSource::Other
            },
        });
        let first = (n_rows > 0).then_some(MaterialRow {
            row: 0,
            source: RowSource::First,
        });
        found.or(first)
    }

    /// Whether it is drawn after everything that hides what is behind it, and hides nothing itself.
    pub fn is_see_through(&self) -> bool {
        let flags = BatchFlags::PORTAL | BatchFlags::SEE_THROUGH;
        self.flags.intersects(flags)
    }

    /// The lightmap of the batch, where its flags say that it has one. Valid only if its WEAR table lists
    /// lightmaps.
    pub fn lightmap(&self) -> Option<u8> {
        let has_lightmap = self.flags.contains(BatchFlags::LIGHTMAP);
        (has_lightmap && self.lightmap_row != NO_LIGHTMAP).then_some(self.lightmap_row)
    }
}
