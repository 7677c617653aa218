//! From one format to another, and what is lost on the way. Dossier section 3.

#[cfg(test)]
mod tests;

use std::fmt;

use super::cell::{Cell, MAX_STORED_HEIGHT, MIN_STORED_HEIGHT, Nswe};
use super::checks::could_be_flat;
use super::conv_dat::ConvDat;
use super::diagonals::derive_diagonals;
use super::flat::{Flat, FlatRule};
use super::l2d::{L2d, without_diagonals};
use super::l2g::L2g;
use super::l2j::L2j;
use super::l2m::L2m;
use super::names::GeodataFormat;
use super::path_txt::PathTxt;
use super::region::{Block, Region};
use super::region_file::RegionFile;
use super::rp::Rp;
use crate::bytes::{FormatError, FormatErrorKind, Writer};

/// How to convert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConvertOptions {
    /// Which height stands for a flat block with two, where there is room for one.
    pub flat_rule: FlatRule,
    /// Makes complex blocks flat by the rule of the original tools: no closed side, and all within 32 points. Steps
    /// stay as they are where the two heights of a flat block are used; heights do not.
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
    /// What the new file does not tell any more; empty if it tells all.
    pub losses: Vec<Loss>,
}

/// One kind of thing that was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The other height of flat blocks.
    FlatHeights {
        /// Blocks that had two.
        n_blocks: u64,
        /// Which one was kept.
        rule: FlatRule,
    },
    /// Low bits of flat heights that are no part of the height.
    FlatLowBits {
        /// Blocks that had some.
        n_blocks: u64,
    },
    /// Diagonals that the rule would not derive from the sides.
    Diagonals {
        /// Cell-layers that had others.
        n_layers: u64,
    },
    /// Parts of heights below 8.
    HeightSteps {
        /// Cell-layers that were rounded down.
        n_layers: u64,
    },
    /// Heights outside of what a word can hold.
    HeightRange {
        /// Cell-layers that were moved inside.
        n_layers: u64,
    },
    /// That blocks were multilayer though no cell had more than one layer. Their cells are the same.
    SingleLayered {
        /// Blocks that became complex.
        n_blocks: u64,
    },
    /// Heights of complex blocks that were made flat.
    Flattened {
        /// Such blocks.
        n_blocks: u64,
    },
    /// Where the blocks of the source were flat, complex or multilayer, and where bytes stood after the last block.
    Layout,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FlatHeights { n_blocks, rule } => {
                let kept = match rule {
                    FlatRule::Max => "the upper one",
                    FlatRule::Min => "the lower one",
                    FlatRule::Average => "their middle",
                };
                write!(f, "{n_blocks} flat blocks had two heights, kept is {kept}")
            }
            Self::FlatLowBits { n_blocks } => {
                write!(
                    f,
                    "{n_blocks} flat heights lost low bits that mean no height"
                )
            }
            Self::Diagonals { n_layers } => {
                write!(
                    f,
                    "{n_layers} cells had diagonals that their sides do not tell"
                )
            }
            Self::HeightSteps { n_layers } => {
                write!(f, "{n_layers} heights were rounded down to a multiple of 8")
            }
            Self::HeightRange { n_layers } => write!(
                f,
                "{n_layers} heights were moved to {MIN_STORED_HEIGHT} to {MAX_STORED_HEIGHT}"
            ),
            Self::SingleLayered { n_blocks } => write!(
                f,
                "{n_blocks} multilayer blocks with one layer a cell became complex, their cells are the same"
            ),
            Self::Flattened { n_blocks } => write!(
                f,
                "{n_blocks} complex blocks became flat, their cells are up to 32 from where they were"
            ),
            Self::Layout => f.write_str("which blocks were flat, complex or multilayer"),
        }
    }
}

/// Converts a region. To its own format it is the same file, unless blocks are to be flattened.
///
/// # Errors
/// For [`GeodataFormat::L2s`], which cannot be written. That a cell has too many layers is found when the new file
/// is written.
pub fn convert(
    source: &RegionFile,
    to: GeodataFormat,
    options: &ConvertOptions,
) -> Result<Converted, FormatError> {
    let mut losses = Vec::new();
    if source.format() == to && !options.flatten {
        let file = source.clone();
        return Ok(Converted { file, losses });
    }
    let (flattened, n_flattened) = match options.flatten {
        true => flatten(source.region()),
        false => (source.region().clone(), 0),
    };
    if n_flattened > 0 {
        let n_blocks = n_flattened;
        losses.push(Loss::Flattened { n_blocks });
    }
    let has_diagonals = matches!(source, RegionFile::L2d(_) | RegionFile::Rp(_));
    let keeps_diagonals = matches!(to, GeodataFormat::L2d | GeodataFormat::Rp);
    if has_diagonals && !keeps_diagonals {
        let n_layers = underived_diagonals(&flattened);
        losses.extend((n_layers > 0).then_some(Loss::Diagonals { n_layers }));
    }
    losses.extend(losses_of_format(&flattened, source.format(), to, options));
    let region = if has_diagonals && !keeps_diagonals {
        without_diagonals(&flattened)
    } else {
        flattened
    };
    let rule = options.flat_rule;
    let with_diagonals = |region: Region| match has_diagonals {
        true => L2d {
            region,
            trailing: Vec::new(),
        },
        false => L2d::of_region(&region),
    };
    let file = match to {
        GeodataFormat::ConvDat => RegionFile::ConvDat(ConvDat::of_region(&region)),
        GeodataFormat::L2j => RegionFile::L2j(L2j::of_region(&region, rule)),
        GeodataFormat::L2d => RegionFile::L2d(with_diagonals(region)),
        GeodataFormat::L2g => RegionFile::L2g(L2g::of_region(&region, rule, options.key)),
        GeodataFormat::L2m => RegionFile::L2m(L2m::of_region(&region, rule)),
        GeodataFormat::Rp => RegionFile::Rp(Rp {
            l2d: with_diagonals(region),
        }),
        GeodataFormat::PathTxt => RegionFile::PathTxt(PathTxt::of_region(&region)),
        GeodataFormat::L2s => {
            let what = "writing a file that is locked to the address of its owner".to_owned();
            return Err(Writer::new("l2s").error("key", FormatErrorKind::Unsupported { what }));
        }
    };
    Ok(Converted { file, losses })
}

/// What the blocks of a region lose in a format.
fn losses_of_format(
    region: &Region,
    from: GeodataFormat,
    to: GeodataFormat,
    options: &ConvertOptions,
) -> Vec<Loss> {
    let mut two_heights = 0;
    let mut low_bits = 0;
    let mut single_layered = 0;
    let (mut between_steps, mut outside) = (0, 0);
    for block in region.blocks() {
        match block {
            Block::Flat(flat) => {
                two_heights += u64::from(flat.high() != flat.low());
                let is_plain = [flat.first_word(), flat.second_word()]
                    .iter()
                    .all(|&word| word == flat.high() || word == flat.low());
                low_bits += u64::from(!is_plain);
            }
            Block::Complex(_) => {}
            Block::Multilayer(multilayer) => {
                single_layered += u64::from(multilayer.is_single_layered());
            }
        }
        for layer in block.stored_layers() {
            outside += u64::from(!(MIN_STORED_HEIGHT..=MAX_STORED_HEIGHT).contains(&layer.height));
            between_steps += u64::from(layer.height % 8 != 0);
        }
    }
    let has_words = !matches!(
        to,
        GeodataFormat::L2d | GeodataFormat::Rp | GeodataFormat::PathTxt
    );
    let is_text = to == GeodataFormat::PathTxt;
    // Flat blocks of a text are told by its reader from those whose cells are all the same.
    let loses_layout = is_text && from != GeodataFormat::PathTxt;
    let rule = if has_words {
        options.flat_rule
    } else {
        FlatRule::Max
    };
    let kinds = [
        (
            two_heights > 0 && to != GeodataFormat::ConvDat,
            Loss::FlatHeights {
                n_blocks: two_heights,
                rule,
            },
        ),
        (
            low_bits > 0 && is_text,
            Loss::FlatLowBits { n_blocks: low_bits },
        ),
        (
            outside > 0 && has_words,
            Loss::HeightRange { n_layers: outside },
        ),
        (
            between_steps > 0 && has_words,
            Loss::HeightSteps {
                n_layers: between_steps,
            },
        ),
        (
            single_layered > 0 && to == GeodataFormat::ConvDat,
            Loss::SingleLayered {
                n_blocks: single_layered,
            },
        ),
        (loses_layout, Loss::Layout),
    ];
    let lost = kinds.into_iter().filter(|(is_lost, _)| *is_lost);
    lost.map(|(_, loss)| loss).collect()
}

/// Cell-layers whose diagonals are not those of the rule.
fn underived_diagonals(region: &Region) -> u64 {
    let derived = derive_diagonals(region);
    let pairs = region.blocks().iter().zip(derived.blocks());
    let layers = pairs.flat_map(|(a, b)| a.stored_layers().iter().zip(b.stored_layers()));
    layers.filter(|(a, b)| a.nswe != b.nswe).count() as u64
}

/// Makes blocks flat by the rule of the original tools; the region and the number of such blocks.
fn flatten(region: &Region) -> (Region, u64) {
    let mut region = region.clone();
    let mut n_flattened = 0;
    for block in region.blocks_mut() {
        let Block::Complex(cells) = block else {
            continue;
        };
        if could_be_flat(&cells[..]) {
            let heights = cells.iter().map(|cell| cell.height);
            let high = heights.clone().max().unwrap_or_default();
            *block = Block::Flat(Flat::new(high, heights.min().unwrap_or(high)));
            n_flattened += 1;
        }
    }
    (region, n_flattened)
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
