//! Two versions of a region, cell by cell.

#[cfg(test)]
mod tests;

use super::cell::{Cell, Nswe};
use super::grid::GeoCell;
use super::region::{Block, CELLS_PER_BLOCK, Region};

bitflags::bitflags! {
    /// How the layers of a cell differ.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Change: u8 {
        /// Another number of layers; nothing else is compared then.
        const LAYERS = 1 << 0;
        /// A layer is higher or lower.
        const HEIGHT = 1 << 1;
        /// A layer has other sides.
        const NSWE = 1 << 2;
        /// The lower height of a flat block is another. All its cells are listed.
        const FLAT_LOW = 1 << 3;
    }
}

/// A cell that is not the same in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedCell {
    /// Where it is, by the number of the first region.
    pub cell: GeoCell,
    /// How it differs.
    pub change: Change,
    /// Largest height difference of layers in the same place from the top.
    pub max_step: u16,
}

/// How two regions differ.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RegionDiff {
    /// Cells that differ, block after block.
    pub cells: Vec<ChangedCell>,
    /// Blocks with such cells.
    pub n_blocks: usize,
    /// Blocks of another kind, whether or not their cells differ.
    pub n_kinds: usize,
}

/// Compares two regions, layers from high to low, whatever blocks they are stored in. Diagonals do not count.
#[expect(clippy::arithmetic_side_effects, reason = "counts of 65,536 blocks")]
pub fn diff(a: &Region, b: &Region) -> RegionDiff {
    let mut diff = RegionDiff::default();
    for (index, (in_a, in_b)) in a.blocks().iter().zip(b.blocks()).enumerate() {
        if in_a == in_b {
            continue;
        }
        diff.n_kinds += usize::from(std::mem::discriminant(in_a) != std::mem::discriminant(in_b));
        let n_before = diff.cells.len();
        let flat_low = flat_low(in_a) != flat_low(in_b);
        for cell in 0..CELLS_PER_BLOCK {
            let sorted_a = in_a.with_layers(cell, sorted);
            let sorted_b = in_b.with_layers(cell, sorted);
            let (mut change, max_step) = compare(&sorted_a, &sorted_b);
            change.set(Change::FLAT_LOW, flat_low);
            if !change.is_empty() {
                diff.cells.push(ChangedCell {
                    // A region has 65,536 blocks of 64 cells.
                    cell: GeoCell::in_region(a.id, index as u16, cell as u8),
                    change,
                    max_step,
                });
            }
        }
        diff.n_blocks += usize::from(diff.cells.len() > n_before);
    }
    diff
}

/// The lower height of two flat blocks; other blocks have none that counts.
fn flat_low(block: &Block) -> Option<i16> {
    match block {
        Block::Flat(flat) if flat.low() != flat.high() => Some(flat.low()),
        Block::Flat(_) | Block::Complex(_) | Block::Multilayer(_) => None,
    }
}

fn sorted(layers: &[Cell]) -> Vec<Cell> {
    let mut layers = layers.to_vec();
    layers.sort_by_key(|layer| std::cmp::Reverse(layer.height));
    layers
}

fn compare(a: &[Cell], b: &[Cell]) -> (Change, u16) {
    if a.len() != b.len() {
        return (Change::LAYERS, 0);
    }
    let mut change = Change::empty();
    let mut max_step = 0;
    for (a, b) in a.iter().zip(b) {
        let step = a.height.abs_diff(b.height);
        max_step = max_step.max(step);
        if step > 0 {
            change |= Change::HEIGHT;
        }
        let has_other_sides = |a: Nswe, b: Nswe| a.sides() != b.sides();
        if has_other_sides(a.nswe, b.nswe) {
            change |= Change::NSWE;
        }
    }
    (change, max_step)
}
