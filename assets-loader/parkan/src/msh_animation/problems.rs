//! What breaks a rule of the animation tables (dossier section 8.9, errors), node by node.

use std::fmt;

use super::{AnimKey, MshAnimation, TrackLink};

/// A rule that the track of a node breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackProblem {
    /// The fallback key does not exist, or a node of a model with keys has none.
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

impl fmt::Display for TrackProblem {
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
    /// The rules that nodes break: index of the node and problem, in the order of nodes, one a node at most.
    pub fn problems(&self, links: &[TrackLink]) -> Vec<(usize, TrackProblem)> {
        let firsts = self.first_keys(links);
        let breaks = last_breaks(&self.keys);
        (links
            .iter()
            .zip(firsts)
            .zip(track_starts(links))
            .enumerate())
        .filter_map(|(node, ((link, first), track_start))| {
            let problem = self.problem(*link, first, track_start, &breaks)?;
            Some((node, problem))
        })
        .collect()
    }

    /// Gives the keys of standing nodes whose times do not increase the times 0, 1, 2: no one samples between them.
    pub(crate) fn spread_times(&mut self, links: &[TrackLink]) {
        let starts = track_starts(links);
        for (node, problem) in self.problems(links) {
            let Some((link, start)) = links.get(node).zip(starts.get(node)) else {
                continue;
            };
            let stands = link.map_start().is_none();
            if !stands || !matches!(problem, TrackProblem::TimesDoNotIncrease { .. }) {
                continue;
            }
            let keys = self.keys.get_mut(*start..=usize::from(link.fallback));
            for (frame, key) in keys.into_iter().flatten().enumerate() {
                key.time = frame as f32;
            }
        }
    }

    /// `first` is the smallest word of the node's block of the map, `track_start` where its track begins.
    fn problem(
        &self,
        link: TrackLink,
        first: Option<usize>,
        track_start: usize,
        breaks: &[usize],
    ) -> Option<TrackProblem> {
        let n_keys = self.keys.len();
        // A model that does not move may have no keys at all; then no node has one.
        if link == TrackLink::NONE && n_keys == 0 {
            return None;
        }
        let Some(fallback) = link.fallback().filter(|key| *key < n_keys) else {
            let fallback = link.fallback;
            return Some(TrackProblem::NoSuchFallback { fallback, n_keys });
        };
        let last_break = breaks.get(fallback).copied().unwrap_or(0);
        let falling = TrackProblem::TimesDoNotIncrease { key: last_break };
        if link.map_start().is_none() {
            return (last_break > track_start).then_some(falling);
        }
        if self.map_of(link).is_none() {
            return Some(TrackProblem::MapOutside {
                map_start: link.map_start,
                frame_count: self.frame_count,
                n_words: self.map.len(),
            });
        }
        let Some(first) = first.filter(|key| *key < fallback) else {
            return Some(TrackProblem::SingleKey { key: fallback });
        };
        // Keys before those of the map are never sampled: the dossier's own example has some that fall.
        (last_break > first).then_some(falling)
    }
}

/// Where the track of each node begins: tracks stand one after the other, each up to its fallback key (dossier section
/// 8.7). Where fallback keys do not increase, a track is known by its map alone, and this is its fallback key.
pub(super) fn track_starts(links: &[TrackLink]) -> Vec<usize> {
    let last_keys = links.iter().map(|link| usize::from(link.fallback));
    if !last_keys.clone().is_sorted_by(|a, b| a < b) {
        return last_keys.collect();
    }
    let starts = std::iter::once(0).chain(last_keys.map(|key| key.saturating_add(1)));
    starts.take(links.len()).collect()
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
