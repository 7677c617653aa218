//! A block that another one replaces, if it is what is expected: what two sets of regions differ in, as edits.

use super::journal::BlockForm;
use ironlands_assets_lineage2::diff::RegionDiff;
use ironlands_assets_lineage2::{Block, Cell, Multilayer, Region, RegionId};
use serde::Serialize;

/// Cells of a block.
const N_CELLS: usize = 64;

/// A block in two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockPatch {
    /// Its region.
    pub region: RegionId,
    /// Its number there.
    pub index: u16,
    /// The block before.
    pub before: Block,
    /// The block after.
    pub after: Block,
}

/// The line of a patch, as an edit.
#[derive(Serialize)]
struct PatchLine {
    edit: &'static str,
    region: (u8, u8),
    block: u16,
    before: BlockForm,
    after: BlockForm,
}

impl BlockPatch {
    /// The line that [`EditLine`](super::EditLine) reads.
    pub fn line(&self) -> String {
        let line = PatchLine {
            edit: "patch",
            region: (self.region.x(), self.region.y()),
            block: self.index,
            before: BlockForm::new(&self.before),
            after: BlockForm::new(&self.after),
        };
        serde_json::to_string(&line).expect("plain numbers")
    }

    /// What makes one region of another: all blocks that are not the same, so that the result is the same byte for byte
    /// if both are of one format.
    pub fn from_regions(a: &Region, b: &Region) -> Vec<Self> {
        let blocks = (0_u16..=u16::MAX).zip(a.blocks().iter().zip(b.blocks()));
        let differ = blocks.filter(|(_, (before, after))| before != after);
        let patches = differ.map(|(index, (before, after))| Self {
            region: a.id,
            index,
            before: before.clone(),
            after: after.clone(),
        });
        patches.collect()
    }

    /// What makes the listed cells of a region those of another, and leaves all others.
    pub fn from_diff(a: &Region, b: &Region, diff: &RegionDiff) -> Vec<Self> {
        let mut patches = Vec::new();
        for cells in diff
            .cells
            .chunk_by(|one, next| one.cell.block_index() == next.cell.block_index())
        {
            let index = cells[0].cell.block_index();
            let [before, other] = [a, b].map(|region| &region.blocks()[usize::from(index)]);
            let is_changed = |cell: usize| {
                let mut changed = cells.iter();
                changed.any(|it| usize::from(it.cell.cell_index()) == cell)
            };
            let columns = (0..N_CELLS).map(|cell| {
                let block = if is_changed(cell) { other } else { before };
                block.with_layers(cell, <[Cell]>::to_vec)
            });
            let columns: Vec<Vec<Cell>> = columns.collect();
            let after = Multilayer::new(columns.iter().map(Vec::as_slice));
            patches.extend(after.map(|after| Self {
                region: a.id,
                index,
                before: before.clone(),
                after: match cells.len() == N_CELLS {
                    true => other.clone(),
                    false => as_small(after),
                },
            }));
        }
        patches
    }
}

/// A block with one layer a cell as such.
fn as_small(block: Multilayer) -> Block {
    match <Box<[Cell; N_CELLS]>>::try_from(block.all_layers().to_vec()) {
        Ok(cells) => Block::Complex(cells),
        Err(_) => Block::Multilayer(Box::new(block)),
    }
}
