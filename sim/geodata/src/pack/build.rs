//! A region to its pack: blocks are drafted in the order of the file, patterns counted, records written tile by tile.

use super::content_hash::ContentHash;
use super::encode::{Drafts, put_flat};
use super::patterns::Patterns;
use super::plane::PADDING;
use super::tiles::TileWriter;
use super::{MAX_FLATS, RegionPack};
use ironlands_sim_regions::{BlockRef, N_BLOCKS};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Packs regions one after another, each block by block in the order of its file. What it needs for one, it keeps for
/// the next.
#[derive(Default)]
pub struct PackBuilder {
    blocks: BlockDrafts,
    tiles: TileWriter,
}

/// The blocks of a region before it is known which patterns get a place in the table.
#[derive(Default)]
pub(super) struct BlockDrafts {
    /// Of each block the number of its flat pair, or that of its record with [`IS_RECORD`].
    blocks: Vec<u32>,
    records: Vec<RecordDraft>,
    layers: Drafts,
    patterns: Patterns,
    flats: Flats,
}

/// In the number of a block: it is no flat pair.
pub(super) const IS_RECORD: u32 = 1 << 31;

/// A block that will be a record.
#[derive(Clone, Copy)]
enum RecordDraft {
    /// A flat pair that there was no number left for.
    Flat([i16; 2]),
    /// Layers of the drafts.
    Layers { first: u32, n: u8 },
}

impl PackBuilder {
    /// Adds the next block.
    #[inline]
    pub fn add(&mut self, block: BlockRef<'_>) {
        self.blocks.add(block);
    }

    /// The region of all blocks that were added, which are forgotten.
    ///
    /// # Panics
    /// If they are not [`N_BLOCKS`].
    pub fn finish(&mut self) -> RegionPack {
        assert_eq!(self.blocks.blocks.len(), N_BLOCKS, "blocks of a region");
        let patterns = self.blocks.patterns.choose();
        let tiles = self.tiles.write(&self.blocks);
        let pack = RegionPack {
            tiles,
            words: self.tiles.words().into(),
            flats: self.blocks.flats.pairs[..].into(),
            patterns,
            pool: [self.tiles.pool(), &[0; PADDING]].concat().into(),
        };
        self.clear();
        pack
    }

    fn clear(&mut self) {
        self.blocks.clear();
        self.tiles.clear();
    }
}

impl BlockDrafts {
    #[inline]
    fn add(&mut self, block: BlockRef<'_>) {
        let number = match block {
            BlockRef::Flat(flat) => self.add_flat([flat.high(), flat.low()]),
            BlockRef::Complex(_) | BlockRef::Multilayer(_) => self.add_layers(block),
        };
        self.blocks.push(number);
    }

    #[inline]
    fn add_flat(&mut self, pair: [i16; 2]) -> u32 {
        match self.flats.id(pair) {
            Some(id) => u32::from(id),
            None => self.add_record(RecordDraft::Flat(pair)),
        }
    }

    #[inline(never)]
    fn add_layers(&mut self, block: BlockRef<'_>) -> u32 {
        // A region has less than 2^24 layers, a block at most 255.
        let first = self.layers.len() as u32;
        let n = self.layers.add(block, &mut self.patterns) as u8;
        self.add_record(RecordDraft::Layers { first, n })
    }

    fn add_record(&mut self, record: RecordDraft) -> u32 {
        self.records.push(record);
        (self.records.len() - 1) as u32 | IS_RECORD
    }

    fn clear(&mut self) {
        self.blocks.clear();
        self.records.clear();
        self.layers.clear();
        self.patterns.clear();
        self.flats.clear();
    }

    /// Of each block the number of its flat pair, or that of its record with [`IS_RECORD`].
    pub(super) fn numbers(&self) -> &[u32] {
        &self.blocks
    }

    /// Appends the record of that number.
    pub(super) fn put_record(&self, number: u32, out: &mut Vec<u8>) {
        match self.records[(number & !IS_RECORD) as usize] {
            RecordDraft::Flat(pair) => put_flat(pair, out),
            RecordDraft::Layers { first, n } => {
                let (first, n) = (first as usize, usize::from(n));
                self.layers.put(first, n, &self.patterns, out);
            }
        }
    }
}

/// The flat pairs of a region, by the order in which they were met.
#[derive(Default)]
struct Flats {
    pairs: Vec<[i16; 2]>,
    ids: HashMap<[i16; 2], u16, ContentHash>,
    /// Recent pairs, by their height: most blocks are like one of the blocks around them.
    recent: [Option<([i16; 2], u16)>; N_RECENT],
}

const N_RECENT: usize = 32;

impl Flats {
    fn clear(&mut self) {
        self.pairs.clear();
        self.ids.clear();
        self.recent = [None; N_RECENT];
    }

    /// The number of a pair; `None` once there is no number left.
    #[inline]
    fn id(&mut self, pair: [i16; 2]) -> Option<u16> {
        let slot = pair[0] as usize / 8 % N_RECENT;
        match self.recent[slot] {
            Some((recent, id)) if recent == pair => Some(id),
            _ => {
                let id = self.look_up(pair)?;
                self.recent[slot] = Some((pair, id));
                Some(id)
            }
        }
    }

    #[inline(never)]
    fn look_up(&mut self, pair: [i16; 2]) -> Option<u16> {
        let next = self.pairs.len();
        match self.ids.entry(pair) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(_) if next >= MAX_FLATS => None,
            Entry::Vacant(new) => {
                self.pairs.push(pair);
                // Below 2^15.
                Some(*new.insert(next as u16))
            }
        }
    }
}
