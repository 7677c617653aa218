//! The tiles of a region: their records one after another, each content once, and the words that lead to them.

use super::build::{BlockDrafts, IS_RECORD};
use super::content_hash::ContentHash;
use super::{ALIGNMENT, IN_POOL, MARK_LINK, MAX_FLATS, ONE_FLAT, TILE_SIDE, Tile};
use ironlands_sim_regions::BLOCKS_PER_SIDE;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;

/// A link, with what keeps records aligned.
const LINK_SIZE: usize = 6;

/// Tiles along a side of a region.
const N_TILES: usize = BLOCKS_PER_SIDE / TILE_SIDE;

/// Writes tile after tile.
#[derive(Default)]
pub(super) struct TileWriter {
    words: Vec<u16>,
    /// Tiles without a record, by their words.
    tiles_of_flats: HashMap<[u16; TILE_SIDE * TILE_SIDE], u32, ContentHash>,
    pool: Vec<u8>,
    /// Where the records of each tile begin in the pool.
    records: Vec<usize>,
    /// Records by the hash of their bytes.
    places: HashMap<u64, Place, ContentHash>,
    hash: ContentHash,
    /// Blocks of the tile that is written which are no flat pairs.
    parts: Vec<Part>,
    /// Their records.
    bytes: Vec<u8>,
}

/// Where a record is.
#[derive(Clone, Copy)]
struct Place {
    tile: u32,
    /// From the first record of that tile.
    at: u32,
}

/// A block of the tile that is written.
#[derive(Clone, Copy)]
struct Part {
    /// Which of the tile's words it has.
    word: usize,
    record: Record,
}

#[derive(Clone, Copy)]
enum Record {
    /// It is in the pool already.
    Known(u32),
    /// Where it is in the tile's records.
    New(usize),
}

impl TileWriter {
    /// The words of all tiles.
    pub(super) fn words(&self) -> &[u16] {
        &self.words
    }

    /// The records of all tiles.
    pub(super) fn pool(&self) -> &[u8] {
        &self.pool
    }

    /// Forgets all tiles.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.tiles_of_flats.clear();
        self.pool.clear();
        self.records.clear();
        self.places.clear();
    }

    /// Writes all tiles of a region.
    pub(super) fn write(&mut self, blocks: &BlockDrafts) -> Box<[Tile]> {
        let tiles = (0..N_TILES * N_TILES).map(|tile| {
            let first = (tile / N_TILES * BLOCKS_PER_SIDE + tile % N_TILES) * TILE_SIDE;
            self.tile(blocks, first)
        });
        tiles.collect()
    }

    fn tile(&mut self, blocks: &BlockDrafts, first: usize) -> Tile {
        let mut numbers = [[0; TILE_SIDE]; TILE_SIDE];
        for (x, row) in numbers.iter_mut().enumerate() {
            row.copy_from_slice(&blocks.numbers()[first + x * BLOCKS_PER_SIDE..][..TILE_SIDE]);
        }
        let one = numbers[0][0];
        let differ = numbers
            .as_flattened()
            .iter()
            .fold(0, |differ, number| differ | number ^ one);
        if differ == 0 && one & IS_RECORD == 0 {
            self.records.push(self.pool.len());
            return Tile {
                words: one | ONE_FLAT,
                pool: 0,
            };
        }
        // Numbers of flat pairs are below 2^15; those of records are replaced.
        let mut words = [0; TILE_SIDE * TILE_SIDE];
        self.parts.clear();
        self.bytes.clear();
        for (word, (to, &number)) in words.iter_mut().zip(numbers.as_flattened()).enumerate() {
            *to = number as u16;
            if number & IS_RECORD != 0 {
                let record = self.record(blocks, number);
                self.parts.push(Part { word, record });
            }
        }
        let pool = self.pool.len();
        self.put_parts(&mut words);
        self.place_words(&words, pool)
    }

    /// Puts the parts' links and records into the pool, and what leads to them into their words.
    fn put_parts(&mut self, words: &mut [u16; TILE_SIDE * TILE_SIDE]) {
        let pool = self.pool.len();
        let known = self
            .parts
            .iter()
            .filter(|part| matches!(part.record, Record::Known(_)));
        let n_known = known.count();
        // Where a tile's records do not fit what its words can reach, all are reached by links.
        let reach = MAX_FLATS * ALIGNMENT;
        let is_far = n_known * LINK_SIZE + self.bytes.len() > reach;
        let n_links = if is_far { self.parts.len() } else { n_known };
        let records = pool + n_links * LINK_SIZE;
        self.records.push(records);
        for Part { word, record } in &self.parts {
            let at = match *record {
                Record::New(at) if !is_far => records + at,
                Record::New(at) => put_link((records + at) as u32, &mut self.pool),
                Record::Known(place) => put_link(place, &mut self.pool),
            };
            // Both kinds lie within reach.
            words[*word] = ((at - pool) / ALIGNMENT) as u16 | IN_POOL;
        }
        debug_assert_eq!(self.pool.len(), records);
        self.pool.extend_from_slice(&self.bytes);
    }

    /// The record of a block: one that is there, or a new one.
    fn record(&mut self, blocks: &BlockDrafts, number: u32) -> Record {
        let at = self.bytes.len();
        blocks.put_record(number, &mut self.bytes);
        let record = &self.bytes[at..];
        match self.places.entry(self.hash.hash_one(record)) {
            Entry::Vacant(new) => {
                // A region has 256 tiles, and its records stay below 2^32 bytes: 2^24 layers of less than 200.
                new.insert(Place {
                    tile: self.records.len() as u32,
                    at: at as u32,
                });
            }
            Entry::Occupied(place) => {
                let Place { tile, at: before } = *place.get();
                let records = self.records.get(tile as usize);
                let known = records.map(|records| records + before as usize);
                let bytes = match known {
                    Some(known) => &self.pool[known..],
                    None => &self.bytes[before as usize..at],
                };
                // Records know their own length, so one that begins with the same bytes is the same. One that does
                // not has the same hash by chance, and another like it is not found again.
                if bytes.starts_with(record) {
                    self.bytes.truncate(at);
                    let new = Record::New(before as usize);
                    return known.map_or(new, |known| Record::Known(known as u32));
                }
            }
        }
        let aligned = self.bytes.len().next_multiple_of(ALIGNMENT);
        self.bytes.resize(aligned, 0);
        Record::New(at)
    }

    fn place_words(&mut self, words: &[u16; TILE_SIDE * TILE_SIDE], pool: usize) -> Tile {
        let next = self.words.len() as u32;
        let is_flat = self.parts.is_empty();
        let place = if is_flat {
            *self.tiles_of_flats.entry(*words).or_insert(next)
        } else {
            next
        };
        if place == next {
            self.words.extend_from_slice(words);
        }
        Tile {
            words: place,
            pool: pool as u32,
        }
    }
}

/// Appends a link and returns where it is.
fn put_link(place: u32, pool: &mut Vec<u8>) -> usize {
    let at = pool.len();
    pool.extend([MARK_LINK, 0]);
    pool.extend(place.to_le_bytes());
    at
}
