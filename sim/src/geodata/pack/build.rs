//! A region to its pack: blocks are drafted, patterns counted, records written tile after tile, each content once.

use super::content_hash::ContentHash;
use super::encode::{Drafts, put_flat};
use super::patterns::Patterns;
use super::plane::PADDING;
use super::{ALIGNMENT, IN_POOL, MARK_LINK, ONE_FLAT, RegionPack, TILE_SIDE, Tile};
use ironlands_assets_loader::lineage2::{BLOCKS_PER_SIDE, Block, Flat, Region};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;

/// A link, with what keeps records aligned.
const LINK_SIZE: usize = 6;
/// Words of a block that are left for flat pairs.
const MAX_FLATS: usize = IN_POOL as usize;

pub(super) fn build(region: &Region) -> RegionPack {
    let (mut drafts, mut patterns) = (Drafts::default(), Patterns::default());
    let mut first_layers = Vec::with_capacity(region.blocks().len() + 1);
    let mut n_layers = 0;
    for block in region.blocks() {
        first_layers.push(n_layers as u32);
        n_layers += drafts.add(block, &mut patterns);
    }
    first_layers.push(n_layers as u32);
    let table = patterns.choose();
    let mut builder = Builder {
        region,
        drafts,
        first_layers,
        patterns,
        flats: Vec::new(),
        flat_ids: HashMap::default(),
        last_flat: None,
        words: Vec::new(),
        tiles_of_flats: HashMap::default(),
        pool: Vec::new(),
        places: HashMap::default(),
        own: HashMap::default(),
        hash: ContentHash::default(),
    };
    let n_tiles = BLOCKS_PER_SIDE / TILE_SIDE;
    let tiles = (0..n_tiles * n_tiles).map(|tile| {
        let first = (tile / n_tiles * BLOCKS_PER_SIDE + tile % n_tiles) * TILE_SIDE;
        builder.tile(first)
    });
    let tiles = tiles.collect();
    builder.pool.resize(builder.pool.len() + PADDING, 0);
    RegionPack {
        tiles,
        words: builder.words.into(),
        flats: builder.flats.into(),
        patterns: table,
        pool: builder.pool.into(),
    }
}

struct Builder<'a> {
    region: &'a Region,
    drafts: Drafts,
    /// Place in the drafts of the first layer of each block, and their number.
    first_layers: Vec<u32>,
    patterns: Patterns,
    flats: Vec<[i16; 2]>,
    flat_ids: HashMap<[i16; 2], u16, ContentHash>,
    /// The pair that was met last, for the next block is mostly like it.
    last_flat: Option<([i16; 2], u16)>,
    words: Vec<u16>,
    /// Tiles without a record, by their words.
    tiles_of_flats: HashMap<Box<[u16]>, u32, ContentHash>,
    pool: Vec<u8>,
    /// Places of records by the hash of their bytes.
    places: HashMap<u64, u32, ContentHash>,
    /// Places of the records of one tile in its bytes, by their hash.
    own: HashMap<u64, usize, ContentHash>,
    hash: ContentHash,
}

/// A block of a tile while the tile is put together.
enum Part {
    Flat(u16),
    /// A record that is in the pool already.
    Known(u32),
    /// A record of this tile: where in its bytes.
    New(usize),
}

impl Builder<'_> {
    fn tile(&mut self, first: usize) -> Tile {
        let mut parts = Vec::with_capacity(TILE_SIDE * TILE_SIDE);
        let mut bytes = Vec::new();
        self.own.clear();
        for x in 0..TILE_SIDE {
            for y in 0..TILE_SIDE {
                parts.push(self.part(first + x * BLOCKS_PER_SIDE + y, &mut bytes));
            }
        }
        if let Part::Flat(id) = parts[0]
            && parts
                .iter()
                .all(|part| matches!(part, Part::Flat(other) if *other == id))
        {
            return Tile {
                words: u32::from(id) | ONE_FLAT,
                pool: 0,
            };
        }
        let n_links = parts
            .iter()
            .filter(|part| matches!(part, Part::Known(_)))
            .count();
        let reach = MAX_FLATS * ALIGNMENT;
        // Where a tile's records do not fit what its words can reach, all are reached by links.
        let is_far = n_links * LINK_SIZE + bytes.len() > reach;
        let pool = self.pool.len();
        let records = if is_far {
            let n_far = parts
                .iter()
                .filter(|part| !matches!(part, Part::Flat(_)))
                .count();
            pool + n_far * LINK_SIZE
        } else {
            pool + n_links * LINK_SIZE
        };
        for part in &parts {
            match *part {
                Part::Known(place) => self.link(place),
                Part::New(at) if is_far => self.link((records + at) as u32),
                Part::Flat(_) | Part::New(_) => {}
            }
        }
        debug_assert_eq!(self.pool.len(), records);
        self.pool.extend(&bytes);
        for (hash, at) in self.own.drain() {
            self.places.entry(hash).or_insert((records + at) as u32);
        }
        let mut next_link = pool;
        let words: Vec<u16> = parts
            .iter()
            .map(|part| {
                let at = match *part {
                    Part::Flat(id) => return id,
                    Part::New(at) if !is_far => records + at,
                    Part::Known(_) | Part::New(_) => {
                        next_link += LINK_SIZE;
                        next_link - LINK_SIZE
                    }
                };
                // Both kinds lie within reach, see above.
                ((at - pool) / ALIGNMENT) as u16 | IN_POOL
            })
            .collect();
        self.place_words(words, pool)
    }

    fn part(&mut self, index: usize, bytes: &mut Vec<u8>) -> Part {
        let at = bytes.len();
        if let Block::Flat(flat) = self.region.blocks()[index] {
            if let Some(id) = self.flat_id(flat) {
                return Part::Flat(id);
            }
            put_flat(flat, bytes);
        } else {
            let [first, end] = [index, index + 1].map(|index| self.first_layers[index] as usize);
            self.drafts.put(first, end - first, &self.patterns, bytes);
        }
        let len = bytes.len() - at;
        let hash = self.hash.hash_one(&bytes[at..]);
        // Records tell their own length, so one that begins with the same bytes is the same.
        if let Some(&known) = self.places.get(&hash)
            && self.pool[known as usize..].starts_with(&bytes[at..])
        {
            bytes.truncate(at);
            return Part::Known(known);
        }
        if let Some(&before) = self.own.get(&hash)
            && bytes[before..before + len] == bytes[at..]
        {
            bytes.truncate(at);
            return Part::New(before);
        }
        self.own.insert(hash, at);
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        Part::New(at)
    }

    /// The number of a flat pair; `None` once there is no number left.
    fn flat_id(&mut self, flat: Flat) -> Option<u16> {
        let pair = [flat.high(), flat.low()];
        if let Some((last, id)) = self.last_flat
            && last == pair
        {
            return Some(id);
        }
        let next = self.flats.len();
        let id = match self.flat_ids.entry(pair) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(_) if next >= MAX_FLATS => return None,
            Entry::Vacant(new) => {
                self.flats.push(pair);
                // Below 2^15.
                *new.insert(next as u16)
            }
        };
        self.last_flat = Some((pair, id));
        Some(id)
    }

    fn link(&mut self, place: u32) {
        self.pool.extend([MARK_LINK, 0]);
        self.pool.extend(place.to_le_bytes());
    }

    fn place_words(&mut self, words: Vec<u16>, pool: usize) -> Tile {
        let next = self.words.len() as u32;
        let is_flat = words.iter().all(|word| word & IN_POOL == 0);
        let place = if is_flat {
            *self
                .tiles_of_flats
                .entry(words.clone().into())
                .or_insert(next)
        } else {
            next
        };
        if place == next {
            self.words.extend(&words);
        }
        Tile {
            words: place,
            pool: pool as u32,
        }
    }
}
