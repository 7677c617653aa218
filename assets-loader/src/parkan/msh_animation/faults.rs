//! What breaks a rule of the animation tables (dossier section 8.9, errors), node by node.

use std::fmt;

use super::{AnimKey, MshAnimation, TrackLink};

/// A rule that the track of a node breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackFault {
    /// The fallback key does not exist, or a node with a map has none.
    NoSuchFallback {
        /// The fallback as stored.
        fallback: u16,
        /// Keys of the model.
        n_keys: usize,
    },
    /// The block of frame words leaves the map.
    MapOutside {
        /// The first word as stored.
        map_start: u16,
        /// Words of a block.
        frame_count: u32,
        /// Words of the map.
        n_words: usize,
    },
    /// A node with a map has a single key, so there is nothing to map.
    SingleKey {
        /// Index of that key.
        key: usize,
    },
    /// Times of the track do not strictly increase.
    TimesDoNotIncrease {
        /// The last key of the track that is not later than the one before it.
        key: usize,
    },
}

impl fmt::Display for TrackFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchFallback { fallback, n_keys } => {
                write!(f, "fallback key {fallback} of {n_keys} keys")
            }
            Self::MapOutside {
                map_start,
                frame_count,
                n_words,
            } => write!(
                f,
                "{frame_count} map words from {map_start} of {n_words} words"
            ),
            Self::SingleKey { key } => write!(f, "a map that leads to key {key} only"),
            Self::TimesDoNotIncrease { key } => {
                write!(f, "a time of key {key} not after that of the key before")
            }
        }
    }
}

impl MshAnimation {
    /// The rules that nodes break: index of the node and fault, in the order of nodes, one a node at most.
    pub fn faults(&self, links: &[TrackLink]) -> Vec<(usize, TrackFault)> {
        let firsts = self.first_keys(links);
        let breaks = last_breaks(&self.keys);
        (links.iter().zip(firsts).enumerate())
            .filter_map(|(node, (link, first))| {
                let fault = self.fault(*link, first, &breaks)?;
                Some((node, fault))
            })
            .collect()
    }

    /// `first` is the smallest word of the node's block of the map.
    fn fault(&self, link: TrackLink, first: Option<usize>, breaks: &[usize]) -> Option<TrackFault> {
        if link == TrackLink::NONE {
            return None;
        }
        let n_keys = self.keys.len();
        let Some(fallback) = link.fallback().filter(|key| *key < n_keys) else {
            let fallback = link.fallback;
            return Some(TrackFault::NoSuchFallback { fallback, n_keys });
        };
        link.map_start()?;
        if self.map_of(link).is_none() {
            return Some(TrackFault::MapOutside {
                map_start: link.map_start,
                frame_count: self.frame_count,
                n_words: self.map.len(),
            });
        }
        let Some(first) = first.filter(|key| *key < fallback) else {
            return Some(TrackFault::SingleKey { key: fallback });
        };
        let last_break = breaks.get(fallback).copied().unwrap_or(0);
        (last_break > first).then_some(TrackFault::TimesDoNotIncrease { key: last_break })
    }
}

/// For each key the last one, up to it, that is not later than the key before it; 0 if there is none.
fn last_breaks(keys: &[AnimKey]) -> Vec<usize> {
    let mut last_break = 0;
    let mut previous = f32::NEG_INFINITY;
    (keys.iter().enumerate())
        .map(|(index, key)| {
            let increases = key.time > previous;
            if !increases {
                last_break = index;
            }
            previous = key.time;
            last_break
        })
        .collect()
}
