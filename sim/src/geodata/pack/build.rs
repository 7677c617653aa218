//! A region to its pack: patterns are counted, records written tile after tile, each content once.

use super::encode::{Layer, PatternIds, put_block, with_layers};
use super::plane::{PADDING, Pattern};
use super::{ALIGNMENT, IN_POOL, MARK_LINK, ONE_FLAT, RegionPack, TILE_SIDE, Tile};
use ironlands_assets_loader::lineage2::{BLOCKS_PER_SIDE, Block, Flat, Region};
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// Bytes of a pattern in the table, and of a reference to it.
const PATTERN_COST: usize = 32;
const PATTERN_ID_COST: usize = 2;
/// A link, with what keeps records aligned.
const LINK_SIZE: usize = 6;
/// Words of a block that are left for flat pairs.
const MAX_FLATS: usize = IN_POOL as usize;

pub(super) fn build(region: &Region) -> RegionPack {
    let mut scratch = Vec::new();
    let (ids, patterns) = worthy_patterns(region, &mut scratch);
    let mut builder = Builder {
        ids,
        scratch,
        flats: Vec::new(),
        flat_ids: HashMap::new(),
        words: Vec::new(),
        tiles_of_flats: HashMap::new(),
        pool: Vec::new(),
        places: HashMap::new(),
        hasher: BuildHasherDefault::default(),
    };
    let n_tiles = BLOCKS_PER_SIDE / TILE_SIDE;
    let tiles = (0..n_tiles * n_tiles).map(|tile| {
        let first = (tile / n_tiles * BLOCKS_PER_SIDE + tile % n_tiles) * TILE_SIDE;
        builder.tile(region, first)
    });
    let tiles = tiles.collect();
    builder.pool.resize(builder.pool.len() + PADDING, 0);
    RegionPack {
        tiles,
        words: builder.words.into(),
        flats: builder.flats.into(),
        patterns,
        pool: builder.pool.into(),
    }
}

/// Patterns of sides that save more than they cost, in the order in which they are met first.
fn worthy_patterns(region: &Region, scratch: &mut Vec<Layer>) -> (PatternIds, Box<[Pattern]>) {
    let mut savings = HashMap::<Pattern, usize>::new();
    let mut order = Vec::new();
    for block in region.blocks() {
        with_layers(block, scratch, |layers| {
            for layer in layers {
                let Some(pattern) = layer.pattern() else {
                    continue;
                };
                let saved = layer.n_cells().div_ceil(2).saturating_sub(PATTERN_ID_COST);
                *savings.entry(pattern).or_insert_with(|| {
                    order.push(pattern);
                    0
                }) += saved;
            }
        });
    }
    order.retain(|pattern| savings[pattern] > PATTERN_COST);
    order.truncate(usize::from(u16::MAX) + 1);
    let ids = order
        .iter()
        .zip(0..=u16::MAX)
        .map(|(&pattern, id)| (pattern, id));
    (ids.collect(), order.into())
}

struct Builder {
    ids: PatternIds,
    scratch: Vec<Layer>,
    flats: Vec<[i16; 2]>,
    flat_ids: HashMap<[i16; 2], u16>,
    words: Vec<u16>,
    /// Tiles without a record, by their words.
    tiles_of_flats: HashMap<Box<[u16]>, u32>,
    pool: Vec<u8>,
    /// Places of records by the hash of their bytes.
    places: HashMap<u64, u32>,
    hasher: BuildHasherDefault<DefaultHasher>,
}

/// A block of a tile while the tile is put together.
enum Part {
    Flat(u16),
    /// A record that is in the pool already.
    Known(u32),
    /// A record of this tile: where in its bytes.
    New(usize),
}

impl Builder {
    fn tile(&mut self, region: &Region, first: usize) -> Tile {
        let mut parts = Vec::with_capacity(TILE_SIDE * TILE_SIDE);
        let mut bytes = Vec::new();
        // Places in `bytes` of this tile's own records by their hash.
        let mut own = HashMap::new();
        for x in 0..TILE_SIDE {
            for y in 0..TILE_SIDE {
                let block = &region.blocks()[first + x * BLOCKS_PER_SIDE + y];
                parts.push(self.part(block, &mut bytes, &mut own));
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
        for (hash, at) in own {
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

    fn part(&mut self, block: &Block, bytes: &mut Vec<u8>, own: &mut HashMap<u64, usize>) -> Part {
        if let Block::Flat(flat) = block
            && let Some(id) = self.flat_id(*flat)
        {
            return Part::Flat(id);
        }
        let at = bytes.len();
        put_block(block, &mut self.scratch, &self.ids, bytes);
        let len = bytes.len() - at;
        let hash = self.hasher.hash_one(&bytes[at..]);
        // Records tell their own length, so one that begins with the same bytes is the same.
        if let Some(&known) = self.places.get(&hash)
            && self.pool[known as usize..].starts_with(&bytes[at..])
        {
            bytes.truncate(at);
            return Part::Known(known);
        }
        if let Some(&before) = own.get(&hash)
            && bytes[before..before + len] == bytes[at..]
        {
            bytes.truncate(at);
            return Part::New(before);
        }
        own.insert(hash, at);
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        Part::New(at)
    }

    /// The number of a flat pair; `None` once there is no number left.
    fn flat_id(&mut self, flat: Flat) -> Option<u16> {
        let pair = [flat.high(), flat.low()];
        if let Some(&id) = self.flat_ids.get(&pair) {
            return Some(id);
        }
        let id = u16::try_from(self.flats.len()).ok()?;
        if self.flats.len() >= MAX_FLATS {
            return None;
        }
        self.flats.push(pair);
        self.flat_ids.insert(pair, id);
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
