//! What a session has that the files do not: counts, cells, and what becomes of it when files are written or replaced.

use std::collections::BTreeSet;
use std::fmt;

use ironlands_assets_lineage2::{Block, GeoCell, RegionId};

use super::super::journal::Journal;
use super::super::operation::Edit;
use super::{BlockChange, BlockKey, EditCounts, EditError, EditSession, columns_of};

impl EditSession<'_> {
    /// What differs from the files.
    pub fn counts(&self) -> EditCounts {
        let blocks = self.changed_blocks();
        blocks
            .map(|((region, _), original, block)| {
                (region, changed_columns(original, block).count())
            })
            .collect()
    }

    /// How many cells an edit would change.
    ///
    /// # Errors
    /// Those of [`apply`](Self::apply).
    pub fn would_change(&mut self, edit: &Edit) -> Result<EditCounts, EditError> {
        let after = self.edited(edit)?;
        let blocks = after.iter().map(|(key, after)| {
            let before = self.loaded(*key).map(columns_of).unwrap_or_default();
            let differ = before.iter().zip(after).filter(|(a, b)| a != b);
            (key.0, differ.count())
        });
        Ok(blocks.collect())
    }

    /// Cells that differ from the files, by region and block, each with the height of its highest layer that is another
    /// one now, or of one that is gone.
    pub fn changed_cells(&self) -> impl Iterator<Item = (GeoCell, i16)> {
        self.changed_blocks()
            .flat_map(|((region, index), original, block)| {
                let cells = changed_columns(original, block);
                cells.map(move |(cell, z)| (GeoCell::in_region(region, index, cell), z))
            })
    }

    /// Whether a region differs from its file.
    pub fn is_changed(&self, region: RegionId) -> bool {
        let mut blocks = self.originals.range((region, 0)..=(region, u16::MAX));
        blocks.any(|(key, original)| self.loaded(*key).is_some_and(|block| block != original))
    }

    /// Edits that can be taken back, the last one last.
    pub fn done(&self) -> &[Vec<BlockChange>] {
        &self.done
    }

    /// Edits that can be made again, the next one last.
    pub fn undone(&self) -> &[Vec<BlockChange>] {
        &self.undone
    }

    /// The files are as the session is now. What was done can still be taken back.
    pub fn note_saved(&mut self) {
        self.originals.clear();
    }

    /// Writes changes to a journal from now on, or to none.
    pub fn set_journal(&mut self, journal: Option<Journal>) {
        self.journal = journal;
    }

    /// Whether changes are written to a journal.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// Forgets a region and all that was done to it, since its file is another one now. What differs elsewhere stays, and
    /// a journal has nothing else any more.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn forget(&mut self, region: RegionId) -> Result<(), EditError> {
        self.files.remove(&region);
        self.originals.retain(|(id, _), _| *id != region);
        for edits in [&mut self.done, &mut self.undone] {
            for changes in edits.iter_mut() {
                changes.retain(|change| change.region != region);
            }
            edits.retain(|changes| !changes.is_empty());
        }
        let blocks = self.changed_blocks();
        let blocks = blocks.map(|((region, index), _, block)| (region, index, block.clone()));
        let blocks: Vec<_> = blocks.collect();
        if let Some(journal) = &mut self.journal {
            let borrowed = blocks
                .iter()
                .map(|(region, index, block)| (*region, *index, block));
            journal.start_over(borrowed)?;
        }
        Ok(())
    }

    /// Blocks that differ from the files: as those have them, and as they are.
    fn changed_blocks(&self) -> impl Iterator<Item = (BlockKey, &Block, &Block)> {
        self.originals.iter().filter_map(|(key, original)| {
            let block = self.loaded(*key).filter(|block| *block != original)?;
            Some((*key, original, block))
        })
    }
}

/// Of blocks by their region, with the number of cells that differ in each.
impl FromIterator<(RegionId, usize)> for EditCounts {
    fn from_iter<Blocks: IntoIterator<Item = (RegionId, usize)>>(blocks: Blocks) -> Self {
        let mut counts = Self::default();
        let mut regions = BTreeSet::new();
        for (region, n_cells) in blocks.into_iter().filter(|(_, n_cells)| *n_cells > 0) {
            counts.n_cells += n_cells;
            counts.n_blocks += 1;
            regions.insert(region);
        }
        counts.n_regions = regions.len();
        counts
    }
}

impl fmt::Display for EditCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |n: usize, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        let cells = counted(self.n_cells, "cell");
        let blocks = counted(self.n_blocks, "block");
        let regions = counted(self.n_regions, "region");
        write!(f, "{cells} in {blocks} of {regions}")
    }
}

/// Numbers of the cells whose layers differ, with the height of the highest that is not in both blocks.
fn changed_columns(a: &Block, b: &Block) -> impl Iterator<Item = (u8, i16)> + use<> {
    let columns = (0..).zip(columns_of(a).into_iter().zip(columns_of(b)));
    columns.filter_map(|(cell, (a, b))| {
        let new = b.iter().find(|layer| !a.contains(layer));
        let gone = || a.iter().find(|layer| !b.contains(layer));
        Some((cell, new.or_else(gone)?.height))
    })
}
