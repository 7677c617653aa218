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

/// What counts as a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiffOptions {
    /// Heights that differ by this or less are the same.
    pub tolerance: u16,
    /// Only cells between these two count, with both.
    pub area: Option<(GeoCell, GeoCell)>,
}

impl DiffOptions {
    fn has(&self, cell: GeoCell) -> bool {
        self.area.is_none_or(|(first, last)| {
            (first.x..=last.x).contains(&cell.x) && (first.y..=last.y).contains(&cell.y)
        })
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
pub fn diff(a: &Region, b: &Region, options: &DiffOptions) -> RegionDiff {
    let mut diff = RegionDiff::default();
    for (index, (in_a, in_b)) in a.blocks().iter().zip(b.blocks()).enumerate() {
        if in_a == in_b {
            continue;
        }
        diff.n_kinds += usize::from(std::mem::discriminant(in_a) != std::mem::discriminant(in_b));
        let n_before = diff.cells.len();
        let flat_low = have_other_lows(in_a, in_b, options.tolerance);
        for cell in 0..CELLS_PER_BLOCK {
            // A region has 65,536 blocks of 64 cells.
            let place = GeoCell::in_region(a.id, index as u16, cell as u8);
            if !options.has(place) {
                continue;
            }
            let sorted_a = in_a.with_layers(cell, sorted);
            let sorted_b = in_b.with_layers(cell, sorted);
            let (mut change, max_step) = compare(&sorted_a, &sorted_b, options.tolerance);
            change.set(Change::FLAT_LOW, flat_low);
            if !change.is_empty() {
                diff.cells.push(ChangedCell {
                    cell: place,
                    change,
                    max_step,
                });
            }
        }
        diff.n_blocks += usize::from(diff.cells.len() > n_before);
    }
    diff
}

/// Whether the lower heights of flat blocks differ.
fn have_other_lows(a: &Block, b: &Block, tolerance: u16) -> bool {
    // Without one of its own, the lower height of a flat block is its height.
    let is_other = |low: i16, block: &Block| match block {
        Block::Flat(flat) => flat.high().abs_diff(low) > tolerance,
        Block::Complex(_) | Block::Multilayer(_) => true,
    };
    match (flat_low(a), flat_low(b)) {
        (Some(a), Some(b)) => a.abs_diff(b) > tolerance,
        (Some(low), None) => is_other(low, b),
        (None, Some(low)) => is_other(low, a),
        (None, None) => false,
    }
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

fn compare(a: &[Cell], b: &[Cell], tolerance: u16) -> (Change, u16) {
    if a.len() != b.len() {
        return (Change::LAYERS, 0);
    }
    let mut change = Change::empty();
    let mut max_step = 0;
    for (a, b) in a.iter().zip(b) {
        let step = a.height.abs_diff(b.height);
        if step > tolerance {
            max_step = max_step.max(step);
            change |= Change::HEIGHT;
        }
        let has_other_sides = |a: Nswe, b: Nswe| a.sides() != b.sides();
        if has_other_sides(a.nswe, b.nswe) {
            change |= Change::NSWE;
        }
    }
    (change, max_step)
}
