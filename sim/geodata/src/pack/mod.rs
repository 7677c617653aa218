//! A region in a third of the bytes of its file, with every cell a few reads away.
//!
//! 256 tiles of 16 x 16 blocks. A tile is one flat ground, or 256 words of two bytes: the number of a flat pair, or
//! the place of a record behind the tile's first one. Records that are the same are stored once; a tile that cannot
//! reach one has a link to it. [`plane`] and [`encode`] define records, [`view`] queries them.
//!
//! In: a [`Region`] of any format. Out: cells. Kept: every layer of every cell, from the ground up, and both heights
//! of flat blocks. Left out: what blocks were made of, the order of layers, diagonals (a step tests both ways around).

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a region has 2^24 layers at most, a block 64 cells of at most 255, whatever its file says"
)]
mod build;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; less than eight bytes are left, and a product of 64 bits fits 128"
)]
mod content_hash;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a region has 2^24 layers at most, a block 64 cells of at most 255, whatever its file says, and a record less than 2^16 bytes"
)]
mod encode;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "64 heights of 16 bits, whose sums of squares fit 64"
)]
mod fit;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a region has 2^24 layers at most, a block 64 cells of at most 255, whatever its file says"
)]
mod layers;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "places are those that `count` gave"
)]
mod patterns;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; records are those that `encode` writes, and padding follows them"
)]
mod plane;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a region has 2^24 layers at most, a block 64 cells of at most 255, whatever its file says"
)]
mod tiles;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; records are those that `encode` writes, and padding follows them"
)]
mod view;

#[cfg(test)]
mod tests;

pub use build::PackBuilder;
pub(super) use encode_block::record_of;
pub(super) use view::{BlockView, Layer};

use ironlands_sim_regions::{N_BLOCKS, Region};
use plane::Pattern;

/// First byte of a record that leads to another: four bytes of its place follow a byte that means nothing.
const MARK_LINK: u8 = 17;
/// First byte of a record of two flat heights.
const MARK_FLAT: u8 = 18;
/// First byte of a record of several planes: their number, the places of all but the first, the planes.
const MARK_MULTILAYER: u8 = 19;

/// In a tile: all its blocks are one flat pair.
const ONE_FLAT: u32 = 1 << 31;
/// In a word of a block: it is no flat pair.
const IN_POOL: u16 = 1 << 15;
/// Words of a block that are left for flat pairs.
const MAX_FLATS: usize = IN_POOL as usize;
/// Records begin at multiples of this.
const ALIGNMENT: usize = 2;

/// Blocks along a side of a tile.
pub(super) const TILE_SIDE: usize = 16;

/// A region, immutable, shared by all readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionPack {
    tiles: Box<[Tile]>,
    /// 256 words for each tile that is not one ground.
    words: Box<[u16]>,
    flats: Box<[[i16; 2]]>,
    patterns: Box<[Pattern]>,
    pool: Box<[u8]>,
}

/// Where 16 x 16 blocks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tile {
    /// First of its words; or the number of a flat pair with [`ONE_FLAT`].
    words: u32,
    /// Place in the pool that its words count from.
    pool: u32,
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; tiles, words and records are those that `tiles` writes, for every block of a region"
)]
impl RegionPack {
    /// Packs a region that is in memory; a [`PackBuilder`] packs the blocks of a file without it.
    pub fn new(region: &Region) -> Self {
        let mut builder = PackBuilder::default();
        let blocks = region.blocks().iter();
        blocks.for_each(|block| builder.add(block.borrowed()));
        builder.finish()
    }

    /// A block by its place, `x * 256 + y`.
    #[inline]
    pub(super) fn block(&self, index: u16) -> BlockView<'_> {
        let tile = self.tiles[tile_of(index)];
        let index = usize::from(index);
        let flat = if tile.words & ONE_FLAT != 0 {
            (tile.words & !ONE_FLAT) as usize
        } else {
            let word =
                self.words[tile.words as usize + (index >> 8 & 15) * TILE_SIDE + (index & 15)];
            if word & IN_POOL != 0 {
                let at = tile.pool as usize + usize::from(word & !IN_POOL) * ALIGNMENT;
                return self.record(at);
            }
            usize::from(word)
        };
        let [high, low] = self.flats[flat];
        BlockView::Flat { high, low }
    }

    /// Whether all blocks of a block's tile are one flat ground.
    #[inline]
    pub(super) fn is_one_flat(&self, index: u16) -> bool {
        self.tiles[tile_of(index)].words & ONE_FLAT != 0
    }

    #[inline]
    fn record(&self, at: usize) -> BlockView<'_> {
        let record = &self.pool[at..];
        if record[0] == MARK_LINK {
            let at = u32::from_le_bytes([record[2], record[3], record[4], record[5]]);
            return BlockView::from_record(&self.pool[at as usize..], &self.patterns);
        }
        BlockView::from_record(record, &self.patterns)
    }

    /// The region as its formats have it, with layers from high to low. Blocks of single layers are complex.
    pub fn to_region(&self, id: ironlands_sim_regions::RegionId) -> Region {
        let mut region = Region::flat(id, 0);
        debug_assert_eq!(region.blocks().len(), N_BLOCKS);
        for (index, block) in region.blocks_mut().iter_mut().enumerate() {
            *block = self.block(index as u16).to_block();
        }
        region
    }

    /// Bytes that it takes.
    pub fn n_bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.tiles)
            + size_of_val(&*self.words)
            + size_of_val(&*self.flats)
            + size_of_val(&*self.patterns)
            + self.pool.len()
    }
}

/// The tile of a block.
#[inline]
fn tile_of(index: u16) -> usize {
    usize::from(index >> 12 << 4 | index >> 4 & 15)
}

mod encode_block {
    //! The record of a block that stands alone.

    use super::encode::{Drafts, put_flat};
    use super::patterns::Patterns;
    use super::plane::PADDING;
    use ironlands_sim_regions::Block;

    /// Bytes that [`BlockView::from_record`](super::BlockView::from_record) reads, without patterns.
    pub(crate) fn record_of(block: &Block) -> Box<[u8]> {
        let mut out = Vec::new();
        if let Block::Flat(flat) = block {
            put_flat([flat.high(), flat.low()], &mut out);
        } else {
            let (mut drafts, mut patterns) = (Drafts::default(), Patterns::default());
            let n = drafts.add(block.borrowed(), &mut patterns);
            drafts.put(0, n, &patterns, &mut out);
        }
        out.extend([0; PADDING]);
        out.into()
    }
}
