//! What is unusual about the blocks of a region, whatever its format. Dossier section 8.

use super::cell::{Cell, Nswe};
use super::region::{BLOCKS_PER_SIDE, Block, CELLS_PER_BLOCK_SIDE, Region};
use ironlands_assets_core::bytes::{Finding, Severity};

/// Layers nearer to each other than this are worth knowing.
const SMALL_GAP: i32 = 24;

/// The original tools store a block without closed sides flat if its heights are at most this far apart.
const FLAT_RANGE: i32 = 32;

/// How many bytes blocks take in a file, from which the offset of each follows.
pub(super) struct BlockSizes {
    /// Bytes before the first block.
    pub header: u64,
    pub flat: u64,
    pub complex: u64,
    /// A multilayer block without its layers.
    pub columns: u64,
    pub layer: u64,
}

/// Where a block or cell is.
#[derive(Clone, Copy)]
struct Place {
    block: usize,
    offset: Option<u64>,
    cell: Option<usize>,
}

/// How often something was seen, and where first.
#[derive(Default)]
struct Count {
    n: u64,
    first: Option<Place>,
}

/// What was counted, in the order in which it is reported.
#[derive(Default)]
struct Counts {
    ascending: Count,
    equal: Count,
    near: Count,
    flat_with_sides: Count,
    flat_with_rest: Count,
    single_layered: Count,
    could_be_flat: Count,
    outside_words: Count,
    between_steps: Count,
}

/// Findings of the blocks, each kind once with its number and its first place, and of the bytes after them. Offsets
/// are given where `sizes` are known.
#[expect(clippy::arithmetic_side_effects, reason = "sizes of 65,536 blocks")]
pub(super) fn check_region(
    format: &'static str,
    region: &Region,
    trailing: &[u8],
    sizes: Option<&BlockSizes>,
) -> Vec<Finding> {
    let mut counts = Counts::default();
    let mut offset = sizes.map(|sizes| sizes.header);
    for (index, block) in region.blocks().iter().enumerate() {
        let place = Place {
            block: index,
            offset,
            cell: None,
        };
        counts.add(block, place);
        offset = offset
            .zip(sizes)
            .map(|(offset, sizes)| offset + sizes.of(block));
    }
    let kinds = [
        (
            Severity::Warning,
            counts.ascending,
            "pairs of layers from low to high; queries sort them",
        ),
        (
            Severity::Warning,
            counts.equal,
            "pairs of layers at the same height",
        ),
        (
            Severity::Note,
            counts.near,
            "pairs of layers less than 24 apart",
        ),
        (
            Severity::Note,
            counts.flat_with_sides,
            "flat heights with sides in their low bits, which are left out",
        ),
        (
            Severity::Warning,
            counts.flat_with_rest,
            "flat heights that are no multiple of 8",
        ),
        (
            Severity::Note,
            counts.single_layered,
            "multilayer blocks with one layer a cell, which could be complex",
        ),
        (
            Severity::Note,
            counts.could_be_flat,
            "blocks that the original tools would have made flat, as `convert --flatten` does",
        ),
        (
            Severity::Warning,
            counts.outside_words,
            "heights outside of -16384 to 16376, which other formats cannot hold",
        ),
        (
            Severity::Warning,
            counts.between_steps,
            "heights that are no multiple of 8, which other formats cannot hold",
        ),
    ];
    let mut findings: Vec<Finding> = kinds
        .into_iter()
        .filter_map(|(severity, count, what)| count.finding(severity, format, what))
        .collect();
    if !trailing.is_empty() {
        let message = format!("{} bytes after the last block", trailing.len());
        findings.push(Finding::new(Severity::Warning, format, message));
    }
    findings
}

/// Diagonals that are open though one of their sides is closed.
pub(super) fn check_diagonals(format: &'static str, region: &Region) -> Option<Finding> {
    let layers = region.blocks().iter().flat_map(Block::stored_layers);
    let is_odd = |nswe: Nswe| {
        let mut diagonals = Nswe::DIAGONALS.into_iter();
        diagonals.any(|(diagonal, x, y)| nswe.contains(diagonal) && !nswe.contains(x | y))
    };
    let n = layers.filter(|layer| is_odd(layer.nswe)).count();
    let message = format!("{n} cells with a diagonal open between closed sides");
    (n > 0).then(|| Finding::new(Severity::Warning, format, message))
}

impl BlockSizes {
    #[expect(clippy::arithmetic_side_effects, reason = "sizes of 65,536 blocks")]
    fn of(&self, block: &Block) -> u64 {
        match block {
            Block::Flat(_) => self.flat,
            Block::Complex(_) => self.complex,
            Block::Multilayer(multilayer) => {
                self.columns + self.layer * multilayer.all_layers().len() as u64
            }
        }
    }
}

impl Count {
    #[expect(clippy::arithmetic_side_effects, reason = "a count of cells in memory")]
    fn add_if(&mut self, is_seen: bool, place: Place) {
        if is_seen {
            self.n += 1;
            self.first.get_or_insert(place);
        }
    }

    fn finding(&self, severity: Severity, format: &'static str, what: &str) -> Option<Finding> {
        let Place {
            block,
            offset,
            cell,
        } = self.first?;
        let (x, y) = (block / BLOCKS_PER_SIDE, block % BLOCKS_PER_SIDE);
        let mut message = format!("{} {what}; first in block {x}, {y}", self.n);
        if let Some(cell) = cell {
            message.push_str(&format!(", cell {cell}"));
        }
        let finding = Finding::new(severity, format, message);
        Some(match offset {
            Some(offset) => finding.at(offset),
            None => finding,
        })
    }
}

impl Counts {
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "an `i32` holds sums and differences of 16-bit heights"
    )]
    fn add(&mut self, block: &Block, place: Place) {
        let in_cell = |cell| Place {
            cell: Some(cell),
            ..place
        };
        let is_single = block.has_one_layer_per_cell();
        let could_be_flat = is_single && could_be_flat(block.stored_layers());
        self.could_be_flat.add_if(could_be_flat, place);
        match block {
            Block::Flat(flat) => {
                // Both words of an `.l2j` are one.
                let rest = flat.first_word() & 0xF;
                self.flat_with_sides.add_if(rest == 0xF, place);
                self.flat_with_rest
                    .add_if(!matches!(rest, 0 | 8 | 0xF), place);
            }
            Block::Complex(cells) => {
                for (cell, layer) in cells.iter().enumerate() {
                    self.add_layer(layer, in_cell(cell));
                }
            }
            Block::Multilayer(multilayer) => {
                self.single_layered
                    .add_if(multilayer.is_single_layered(), place);
                for (cell, column) in multilayer.columns().enumerate() {
                    let place = in_cell(cell);
                    for (upper, lower) in column.iter().zip(column.iter().skip(1)) {
                        let gap = i32::from(upper.height) - i32::from(lower.height);
                        self.ascending.add_if(gap < 0, place);
                        self.equal.add_if(gap == 0, place);
                        self.near.add_if(gap != 0 && gap.abs() < SMALL_GAP, place);
                    }
                    for layer in column {
                        self.add_layer(layer, place);
                    }
                }
            }
        }
    }

    fn add_layer(&mut self, layer: &Cell, place: Place) {
        let is_step = layer.height % 8 == 0;
        self.outside_words
            .add_if(is_step && !layer.fits_word(), place);
        self.between_steps.add_if(!is_step, place);
    }
}

/// The rule of the original tools: no closed side, and all within 32 points.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "an `i32` holds sums and differences of 16-bit heights"
)]
pub(super) fn could_be_flat(cells: &[Cell]) -> bool {
    let heights = cells.iter().map(|cell| i32::from(cell.height));
    let range = heights.clone().max().zip(heights.min());
    debug_assert_eq!(cells.len(), CELLS_PER_BLOCK_SIDE * CELLS_PER_BLOCK_SIDE);
    cells
        .iter()
        .all(|cell| cell.nswe.sides() == Nswe::ALL_SIDES)
        && range.is_some_and(|(high, low)| high - low <= FLAT_RANGE)
}
