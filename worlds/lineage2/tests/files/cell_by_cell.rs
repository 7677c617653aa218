//! Conversions compared cell by cell, plainly: what differs in the file that was written must be what was reported as
//! lost, with the same counts, and nothing else.

use ironlands_assets_lineage2::convert::{ConvertOptions, Converted, LossKind, convert};
use ironlands_assets_lineage2::{
    Block, Cell, Flat, FlatRule, GeodataFormat, Nswe, Region, RegionFile, Tolerance,
};

/// All formats that can be written.
pub const FORMATS: [GeodataFormat; 7] = [
    GeodataFormat::ConvDat,
    GeodataFormat::L2j,
    GeodataFormat::L2d,
    GeodataFormat::L2g,
    GeodataFormat::L2m,
    GeodataFormat::Rp,
    GeodataFormat::PathTxt,
];

/// What differs between a region and another one that was made of it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Differences {
    /// Flat blocks of two heights that have one now.
    flat_pairs: u64,
    /// Flat blocks that lost bits of their words.
    flat_bits: u64,
    /// Heights of flat blocks and of cell-layers that are others.
    heights: u64,
    /// Cell-layers with other diagonals.
    diagonals: u64,
    /// Multilayer blocks that are complex now.
    to_complex: u64,
    /// Blocks that are flat now, and cells of them with another height.
    to_flat: (u64, u64),
    /// What no conversion may change: numbers of layers, sides, kinds of blocks that are none of the above.
    forbidden: u64,
}

/// Converts, writes and reads again, and compares all cells with the source; the file as it was read.
pub fn checked(
    source: &RegionFile,
    to: GeodataFormat,
    options: &ConvertOptions,
) -> Result<RegionFile, String> {
    let text = |error: &dyn std::fmt::Display| format!("{} to {to}: {error}", source.format());
    let Converted { file, losses } = convert(source, to, options).map_err(|e| text(&e))?;
    let bytes = file.write().map_err(|e| text(&e))?;
    let read = RegionFile::read(to, source.region().id, &bytes, Tolerance::STRICT);
    let read = read.map_err(|e| text(&e))?;
    if read != file {
        return Err(text(
            &"the file that is read is not the one that was written",
        ));
    }
    let mut found = differences(source.region(), read.region(), options.flat_rule);
    if has_diagonals(source) {
        // Where the new format has none, those count that a way back would make.
        let back = match has_diagonals(&read) {
            true => read.clone(),
            false => {
                convert(&read, GeodataFormat::L2d, options)
                    .map_err(|e| text(&e))?
                    .file
            }
        };
        found.diagonals = other_diagonals(source.region(), back.region());
    }
    let count = |wanted: fn(LossKind) -> bool| -> u64 {
        let counts = losses.iter().filter(|loss| wanted(loss.kind));
        counts.map(|loss| loss.count).sum()
    };
    let reported = Differences {
        flat_pairs: count(|it| matches!(it, LossKind::FlatHeights(_))),
        flat_bits: count(|it| it == LossKind::FlatLowBits),
        heights: count(|it| matches!(it, LossKind::HeightSteps | LossKind::HeightRange)),
        diagonals: count(|it| it == LossKind::Diagonals),
        to_complex: count(|it| it == LossKind::SingleLayered),
        to_flat: (
            count(|it| matches!(it, LossKind::Uniform | LossKind::Flattened)),
            count(|it| it == LossKind::FlattenedHeights),
        ),
        forbidden: 0,
    };
    match found == reported {
        true => Ok(read),
        false => Err(text(&format!("found {found:?}, reported {reported:?}"))),
    }
}

fn has_diagonals(file: &RegionFile) -> bool {
    matches!(file, RegionFile::L2d(_) | RegionFile::Rp(_))
}

fn differences(before: &Region, after: &Region, rule: FlatRule) -> Differences {
    let mut found = Differences::default();
    for (before, after) in before.blocks().iter().zip(after.blocks()) {
        if before == after {
            continue;
        }
        match (before, after) {
            (Block::Flat(before), Block::Flat(after)) => found.add_flat(*before, *after, rule),
            (_, Block::Flat(_)) => {
                found.to_flat.0 += 1;
                for cell in 0..64 {
                    let (a, b) = (layers(before, cell), layers(after, cell));
                    found.to_flat.1 += u64::from(a[0].height != b[0].height);
                    let is_kept = a.len() == 1 && a[0].nswe.sides() == b[0].nswe.sides();
                    found.forbidden += u64::from(!is_kept);
                }
            }
            (Block::Multilayer(_), Block::Complex(_)) => {
                found.to_complex += 1;
                found.add_cells(before, after);
            }
            _ => {
                let is_kept = std::mem::discriminant(before) == std::mem::discriminant(after);
                found.forbidden += u64::from(!is_kept);
                found.add_cells(before, after);
            }
        }
    }
    found
}

impl Differences {
    fn add_flat(&mut self, before: Flat, after: Flat, rule: FlatRule) {
        let (high, low) = (before.high(), before.low());
        let is_pair_lost = high != low && after.high() == after.low();
        self.flat_pairs += u64::from(is_pair_lost);
        let kept = match rule {
            FlatRule::Max => high,
            FlatRule::Min => low,
            // Halfway, down to a multiple of 8: dossier section 3.2.
            FlatRule::Average if high == low => high,
            FlatRule::Average => ((i32::from(high) + i32::from(low)).div_euclid(16) * 8) as i16,
        };
        match is_pair_lost {
            true => self.heights += u64::from(after.high() != kept),
            false => {
                self.heights += u64::from(after.high() != high);
                self.heights += u64::from(high != low && after.low() != low);
            }
        }
        let words = |flat: Flat| [flat.first_word(), flat.second_word()];
        let has_bits = words(before).iter().any(|word| ![high, low].contains(word));
        self.flat_bits += u64::from(has_bits && words(before) != words(after));
    }

    fn add_cells(&mut self, before: &Block, after: &Block) {
        for cell in 0..64 {
            let (a, b) = (layers(before, cell), layers(after, cell));
            self.forbidden += u64::from(a.len() != b.len());
            for (a, b) in a.iter().zip(&b) {
                self.heights += u64::from(a.height != b.height);
                self.forbidden += u64::from(a.nswe.sides() != b.nswe.sides());
            }
        }
    }
}

fn other_diagonals(before: &Region, after: &Region) -> u64 {
    let mut n = 0;
    for (before, after) in before.blocks().iter().zip(after.blocks()) {
        if before == after || matches!(before, Block::Flat(_)) {
            continue;
        }
        for cell in 0..64 {
            let (a, b) = (layers(before, cell), layers(after, cell));
            n += a.iter().zip(&b).filter(|(a, b)| a.nswe != b.nswe).count() as u64;
        }
    }
    n
}

fn layers(block: &Block, cell: usize) -> Vec<Cell> {
    match block {
        Block::Flat(flat) => vec![Cell::new(flat.high(), Nswe::all())],
        Block::Complex(cells) => vec![cells[cell]],
        Block::Multilayer(multilayer) => multilayer.layers(cell).to_vec(),
    }
}
