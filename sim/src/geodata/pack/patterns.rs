//! Patterns of sides, and which of them are worth a place in the table.

use super::content_hash::ContentHash;
use super::plane::Pattern;
use std::collections::HashMap;

/// Bytes of a pattern in the table, and of a reference to it.
const PATTERN_COST: u32 = 32;
const PATTERN_ID_COST: u32 = 2;

/// All patterns of a region in the order in which they are met first.
#[derive(Default)]
pub(super) struct Patterns {
    places: HashMap<Pattern, u32, ContentHash>,
    all: Vec<Entry>,
}

struct Entry {
    pattern: Pattern,
    /// Bytes that all its layers save by it.
    saved: u32,
    /// Place in the table.
    id: Option<u16>,
}

impl Patterns {
    /// Notes that a layer of `n_cells` cells has a pattern. Returns the place of that.
    pub(super) fn count(&mut self, pattern: Pattern, n_cells: usize) -> u32 {
        let place = *self.places.entry(pattern).or_insert_with(|| {
            self.all.push(Entry {
                pattern,
                saved: 0,
                id: None,
            });
            // A region has less than 2^24 layers.
            self.all.len() as u32 - 1
        });
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
