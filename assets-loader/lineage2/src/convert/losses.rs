//! What a conversion loses, counted by comparing what it was given with what it made.

use std::fmt;

use crate::cell::{Cell, MAX_STORED_HEIGHT, MIN_STORED_HEIGHT, Nswe};
use crate::diagonals::derive_diagonals;
use crate::flat::{Flat, FlatRule};
use crate::region::Block;
use crate::region_file::RegionFile;

/// One kind of thing that was lost, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loss {
    /// What it is.
    pub kind: LossKind,
    /// How many there were; at least one.
    pub count: u64,
}

/// What can be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LossKind {
    /// Blocks with one layer per cell and no closed side that were made flat, because that was requested.
    Flattened,
    /// Cells of such blocks that have another height now.
    FlattenedHeights,
    /// Flat blocks that had two heights, of which one was kept.
    FlatHeights(FlatRule),
    /// Flat blocks that had low bits which are no part of their height.
    FlatLowBits,
    /// Cell-layers with diagonals other than those that follow from the sides.
    Diagonals,
    /// Heights that were rounded down to a multiple of 8.
    HeightSteps,
    /// Heights outside of what a word can hold, which were moved inside.
    HeightRange,
    /// Multilayer blocks with one layer per cell that became complex. Their cells are the same.
    SingleLayered,
    /// Complex blocks whose cells are all the same that became flat. Their cells are the same.
    Uniform,
    /// Bytes after the last block.
    TrailingBytes,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, count } = *self;
        let (noun, what) = match kind {
            LossKind::Flattened => ("block", "became flat"),
            LossKind::FlattenedHeights => ("cell", "of blocks that became flat changed height"),
            LossKind::FlatHeights(rule) => (
                "flat block",
                match rule {
                    FlatRule::Max => "had two heights; the upper one was kept",
                    FlatRule::Min => "had two heights; the lower one was kept",
                    FlatRule::Average => "had two heights; their average was kept",
                },
            ),
            LossKind::FlatLowBits => ("flat block", "had low bits that are no part of the height"),
            LossKind::Diagonals => ("cell", "had diagonals that do not follow from the sides"),
            LossKind::HeightSteps => ("height", "had to be rounded down to a multiple of 8"),
            LossKind::HeightRange => ("height", ""),
            LossKind::SingleLayered => (
                "multilayer block",
                "with one layer per cell became complex; the cells are the same",
            ),
            LossKind::Uniform => (
                "complex block",
                "with equal cells became flat; the cells are the same",
            ),
            LossKind::TrailingBytes => ("byte", "stood after the last block"),
        };
        let plural = if count == 1 { "" } else { "s" };
        write!(f, "{count} {noun}{plural} ")?;
        match kind {
            LossKind::HeightRange => write!(
                f,
                "had to be moved into {MIN_STORED_HEIGHT} to {MAX_STORED_HEIGHT}"
            ),
            _ => f.write_str(what),
        }
    }
}

/// What differs between a file and what was made of it, in the order of [`LossKind`].
pub(super) fn losses(
    before: &RegionFile,
    after: &RegionFile,
    rule: FlatRule,
    is_flattened: bool,
) -> Vec<Loss> {
    let has_diagonals = before.has_diagonals();
    // A format without diagonals leaves them to its reader.
    let derived =
        (has_diagonals && !after.has_diagonals()).then(|| derive_diagonals(after.region()));
    let region_after = derived.as_ref().unwrap_or(after.region());
    let mut counts = Counts {
        has_diagonals,
        rule,
        is_flattened,
        ..Counts::default()
    };
    let pairs = before.region().blocks().iter().zip(region_after.blocks());
    for (before, after) in pairs {
        if before != after {
            counts.add(before, after);
        }
    }
    let n_trailing = before
        .trailing()
        .len()
        .saturating_sub(after.trailing().len());
    counts.to_losses(n_trailing as u64)
}

#[derive(Default)]
struct Counts {
    has_diagonals: bool,
    rule: FlatRule,
    is_flattened: bool,
    made_flat: u64,
    flattened_heights: u64,
    flat_heights: u64,
    flat_low_bits: u64,
    diagonals: u64,
    height_steps: u64,
    height_range: u64,
    single_layered: u64,
}

#[expect(
    clippy::arithmetic_side_effects,
    reason = "counts of 65,536 blocks of at most 64 * 255 layers"
)]
impl Counts {
    fn add(&mut self, before: &Block, after: &Block) {
        match (before, after) {
            (Block::Flat(before), Block::Flat(after)) => self.add_flat(*before, *after),
            (before, Block::Flat(after)) => {
                self.made_flat += 1;
                for cell in before.stored_layers() {
                    self.flattened_heights += u64::from(cell.height != after.high());
                    let is_lost = self.has_diagonals && cell.nswe != Nswe::all();
                    self.diagonals += u64::from(is_lost);
                }
            }
            (before, after) => {
                let was_multilayer = matches!(before, Block::Multilayer(_));
                let is_single = was_multilayer && matches!(after, Block::Complex(_));
                self.single_layered += u64::from(is_single);
                let cells = before.stored_layers().iter().zip(after.stored_layers());
                cells.for_each(|(before, after)| self.add_cell(*before, *after));
            }
        }
    }

    fn add_flat(&mut self, before: Flat, after: Flat) {
        if before.high() != before.low() && after.high() == after.low() {
            self.flat_heights += 1;
            let kept = before.height(self.rule);
            self.height_steps += u64::from(after.high() != kept);
        } else {
            self.height_steps += u64::from(after.high() != before.high());
            let has_two = before.high() != before.low();
            self.height_steps += u64::from(has_two && after.low() != before.low());
        }
        let words = |flat: Flat| (flat.first_word(), flat.second_word());
        let is_lost = before.has_low_bits() && words(before) != words(after);
        self.flat_low_bits += u64::from(is_lost);
    }

    fn add_cell(&mut self, before: Cell, after: Cell) {
        if before.height != after.height {
            match (MIN_STORED_HEIGHT..=MAX_STORED_HEIGHT).contains(&before.height) {
                true => self.height_steps += 1,
                false => self.height_range += 1,
            }
        }
        self.diagonals += u64::from(self.has_diagonals && before.nswe != after.nswe);
    }

    fn to_losses(&self, n_trailing: u64) -> Vec<Loss> {
        let (flattened, uniform) = match self.is_flattened {
            true => (self.made_flat, 0),
            false => (0, self.made_flat),
        };
        let kinds = [
            (LossKind::Flattened, flattened),
            (LossKind::FlattenedHeights, self.flattened_heights),
            (LossKind::FlatHeights(self.rule), self.flat_heights),
            (LossKind::FlatLowBits, self.flat_low_bits),
            (LossKind::Diagonals, self.diagonals),
            (LossKind::HeightSteps, self.height_steps),
            (LossKind::HeightRange, self.height_range),
            (LossKind::SingleLayered, self.single_layered),
            (LossKind::Uniform, uniform),
            (LossKind::TrailingBytes, n_trailing),
        ];
        let lost = kinds.into_iter().filter(|(_, count)| *count > 0);
        lost.map(|(kind, count)| Loss { kind, count }).collect()
    }
}
