//! Patterns of sides, and which of them are worth a place in the table.

use super::content_hash::ContentHash;
use super::plane::Pattern;
use std::collections::HashMap;
use std::hash::BuildHasher;

/// Bytes of a pattern in the table, and of a reference to it.
const PATTERN_COST: u32 = 32;
const PATTERN_ID_COST: u32 = 2;

/// All patterns of a region in the order of their first use.
#[derive(Default)]
pub(super) struct Patterns {
    /// Places by the hash of the pattern.
    places: HashMap<u64, u32, ContentHash>,
    all: Vec<Entry>,
    hash: ContentHash,
}

struct Entry {
    pattern: Pattern,
    /// Bytes that all its layers save by it.
    saved: u32,
    /// Place in the table.
    id: Option<u16>,
}

impl Patterns {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.all.clear();
    }

    /// Notes that a layer of `n_cells` cells has a pattern. Returns the place of that.
    pub(super) fn count(&mut self, pattern: &Pattern, n_cells: usize) -> u32 {
        // A region has less than 2^24 layers.
        let next = self.all.len() as u32;
        let hash = self.hash.hash_one(pattern);
        let mut place = *self.places.entry(hash).or_insert(next);
        // Another pattern of the same hash has the place: this one is not found again, and costs what it costs.
        if place != next && self.all[place as usize].pattern != *pattern {
            place = next;
        }
        if place == next {
            self.all.push(Entry {
                pattern: *pattern,
                saved: 0,
                id: None,
            });
        }
        // At most 64 cells.
        let nibbles = n_cells.div_ceil(2) as u32;
        self.all[place as usize].saved += nibbles.saturating_sub(PATTERN_ID_COST);
        place
    }

    /// Gives those that save more than they cost a place in the table, which is returned.
    pub(super) fn choose(&mut self) -> Box<[Pattern]> {
        let worthy = self
            .all
            .iter_mut()
            .filter(|entry| entry.saved > PATTERN_COST);
        let chosen = worthy.zip(0..=u16::MAX).map(|(entry, id)| {
            entry.id = Some(id);
            entry.pattern
        });
        chosen.collect()
    }

    /// The place in the table of a pattern by the place that it was given when it was counted.
    pub(super) fn id(&self, place: u32) -> Option<u16> {
        self.all[place as usize].id
    }

    pub(super) fn get(&self, place: u32) -> &Pattern {
        &self.all[place as usize].pattern
    }
}
