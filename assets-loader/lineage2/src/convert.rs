//! From one format to another, and what is lost on the way. Dossier section 3.

mod losses;
#[cfg(test)]
mod tests;

pub use self::losses::{Loss, LossKind};

use self::losses::losses;
use super::cell::{Cell, Nswe};
use super::checks::could_be_flat;
use super::conv_dat::ConvDat;
use super::flat::{Flat, FlatRule};
use super::l2d::L2d;
use super::l2g::L2g;
use super::l2j::L2j;
use super::l2m::L2m;
use super::names::GeodataFormat;
use super::path_txt::PathTxt;
use super::region::{Block, Region};
use super::region_file::RegionFile;
use super::rp::Rp;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Writer};

/// How to convert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConvertOptions {
    /// Which height stands for a flat block with two, where there is room for one.
    pub flat_rule: FlatRule,
    /// Makes blocks flat by the rule of the original tools: one layer per cell, no closed side, and all heights, as the
    /// new format stores them, within 32 points. Steps stay as they are where the two heights of a flat block are used;
    /// heights do not. Of what it made there is nothing left to be made flat.
    pub flatten: bool,
    /// Key of an `.l2g`.
    pub key: u32,
}

impl Default for ConvertOptions {
    fn default() -> Self {
        Self {
            flat_rule: FlatRule::default(),
            flatten: false,
            key: L2g::PLAIN,
        }
    }
}

/// A region in its new format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted {
    /// The file, ready to be written.
    pub file: RegionFile,
    /// What the new file has lost, with counts; empty if nothing. Nothing else differs.
    pub losses: Vec<Loss>,
}

/// Converts a region. To its own format it is the same file, unless blocks are to be flattened.
///
/// ```
/// use ironlands_assets_lineage2::convert::{ConvertOptions, convert};
/// use ironlands_assets_lineage2::{GeodataFormat, Region, RegionFile, Tolerance, ZERO_REGION};
///
/// // Type byte and height of each of the 65,536 flat blocks.
/// let data = [0, 0x80, 0x00].repeat(65_536);
/// let source = RegionFile::read(GeodataFormat::L2j, ZERO_REGION, &data, Tolerance::STRICT)?;
/// assert_eq!(source.region(), &Region::flat(ZERO_REGION, 128));
///
/// let converted = convert(&source, GeodataFormat::L2d, &ConvertOptions::default())?;
/// assert_eq!(converted.losses, []);
/// assert_eq!(converted.file.region(), source.region());
/// # Ok::<(), ironlands_assets_core::bytes::FormatError>(())
/// ```
///
/// # Errors
/// For [`GeodataFormat::L2s`], which cannot be written. That a cell has too many layers is found when the new file
/// is written.
pub fn convert(
    source: &RegionFile,
    to: GeodataFormat,
    options: &ConvertOptions,
) -> Result<Converted, FormatError> {
    let ConvertOptions {
        flat_rule, flatten, ..
    } = *options;
    if source.format() == to && !flatten {
        return Ok(Converted {
            file: source.clone(),
            losses: Vec::new(),
        });
    }
    let file = match flatten {
        true => file_of(&flattened(source.region(), to), source, to, options)?,
        false => file_of(source.region(), source, to, options)?,
    };
    let losses = losses(source, &file, flat_rule, flatten);
    Ok(Converted { file, losses })
}

/// A file of a region, whose diagonals count where `source` has some.
fn file_of(
    region: &Region,
    source: &RegionFile,
    to: GeodataFormat,
    options: &ConvertOptions,
) -> Result<RegionFile, FormatError> {
    let rule = options.flat_rule;
    let l2d = || match source.has_diagonals() {
        true => L2d::with_diagonals_of(region, rule),
        false => L2d::from_region(region, rule),
    };
    Ok(match to {
        GeodataFormat::ConvDat => RegionFile::ConvDat(ConvDat::from_region(region)),
        GeodataFormat::L2j => RegionFile::L2j(L2j::from_region(region, rule)),
        GeodataFormat::L2d => RegionFile::L2d(l2d()),
        GeodataFormat::L2g => RegionFile::L2g(L2g::from_region(region, rule, options.key)),
        GeodataFormat::L2m => RegionFile::L2m(L2m::from_region(region, rule)),
        GeodataFormat::Rp => RegionFile::Rp(Rp { l2d: l2d() }),
        GeodataFormat::PathTxt => RegionFile::PathTxt(PathTxt::from_region(region, rule)),
        GeodataFormat::L2s => {
            let what = "writing a file that is locked to the address of its owner".to_owned();
            return Err(Writer::new("l2s").error("key", FormatErrorKind::Unsupported { what }));
        }
    })
}

/// The region with every block flat that can be. What counts are the heights that the format stores: rounding can bring
/// them within reach of each other.
fn flattened(region: &Region, to: GeodataFormat) -> Region {
    let stored = |cell: &Cell| match to.has_words() {
        true => cell.as_word(),
        false => *cell,
    };
    let mut region = region.clone();
    for block in region.blocks_mut() {
        if !block.has_one_layer_per_cell() {
            continue;
        }
        let cells: Vec<Cell> = block.stored_layers().iter().map(stored).collect();
        if could_be_flat(&cells) {
            let heights = || cells.iter().map(|cell| cell.height);
            if let (Some(high), Some(low)) = (heights().max(), heights().min()) {
                *block = Block::Flat(Flat::new(high, low));
            }
        }
    }
    region
}

/// The layers of both regions in each cell, from high to low, without diagonals: whether they are the same.
///
/// What a block is made of does not count, nor the second height of flat blocks.
pub fn is_same_ground(a: &Region, b: &Region) -> bool {
    let side = super::grid::CELLS_PER_REGION_SIDE;
    let sorted = |layers: &[Cell]| {
        let mut layers: Vec<(i16, Nswe)> = layers
            .iter()
            .map(|layer| (layer.height, layer.nswe.sides()))
            .collect();
        layers.sort_by_key(|layer| std::cmp::Reverse(layer.0));
        layers
    };
    a.blocks()
        .iter()
        .zip(b.blocks())
        .enumerate()
        .all(|(index, (in_a, in_b))| {
            debug_assert!(index < side * side);
            in_a == in_b
                || (0..64)
                    .all(|cell| in_a.with_layers(cell, sorted) == in_b.with_layers(cell, sorted))
        })
}
