//! The statistics of a region. Dossier section 9.

use super::region::{Block, Region};

/// What is in a region. Sums do not change in conversions that lose nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RegionStats {
    /// Blocks that are not divided.
    pub n_flat: u32,
    /// Blocks of one layer a cell.
    pub n_complex: u32,
    /// Blocks of one or more layers a cell.
    pub n_multilayer: u32,
    /// Cell-layers of multilayer blocks.
    pub n_layers: u32,
    /// Most layers of a cell in a multilayer block; 0 without one.
    pub max_layers: u32,
    /// Lowest and highest cell that is not flat.
    pub heights: Option<(i16, i16)>,
    /// Least and greatest word of a flat block, with all its bits; of both words where there are two.
    pub flat_words: Option<(i16, i16)>,
    /// Sum of the first words of flat blocks, once a block, and of the heights of all other cell-layers.
    pub sum_heights: i64,
    /// Sum of the sides of all cell-layers that are not flat, as numbers from 0 to 15.
    pub sum_nswe: u64,
}

impl RegionStats {
    /// Counts a region.
    pub fn from_region(region: &Region) -> Self {
        let mut stats = Self::default();
        for block in region.blocks() {
            stats.add(block);
        }
        stats
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "counts of 65,536 blocks of at most 64 * 255 layers"
    )]
    fn add(&mut self, block: &Block) {
        match block {
            Block::Flat(flat) => {
                self.n_flat += 1;
                let word = flat.first_word();
                self.sum_heights += i64::from(word);
                let words = extended(self.flat_words, word);
                self.flat_words = Some(extended(Some(words), flat.second_word()));
            }
            Block::Complex(_) => self.n_complex += 1,
            Block::Multilayer(multilayer) => {
                self.n_multilayer += 1;
                self.n_layers += multilayer.all_layers().len() as u32;
                let most = multilayer.columns().map(<[_]>::len).max().unwrap_or(0);
                self.max_layers = self.max_layers.max(most as u32);
            }
        }
        for layer in block.stored_layers() {
            self.sum_heights += i64::from(layer.height);
            self.sum_nswe += u64::from(layer.nswe.sides().bits());
            self.heights = Some(extended(self.heights, layer.height));
        }
    }
}

fn extended(range: Option<(i16, i16)>, value: i16) -> (i16, i16) {
    range.map_or((value, value), |(low, high)| {
        (low.min(value), high.max(value))
    })
}
