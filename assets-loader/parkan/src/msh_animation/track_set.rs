//! The tables without indices: each node with its own keys, to be edited and written back (dossier sections
//! 8.7 and 8.8).

use super::{AnimKey, FORMAT, KEYS, MAP, MshAnimation, NONE, TrackLink};
use crate::chunk;
use crate::record::record_offset;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Writer};
use ironlands_assets_core::record::FixedSize;

/// Largest index that does not mean "none".
const LAST_INDEX: u16 = NONE - 1;

/// Animation in the shape of all known files: every key and every word of the map belongs to one node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrackSet {
    /// Frames of the whole model.
    pub frame_count: u32,
    /// One track per node, in the order of nodes.
    pub tracks: Vec<NodeTrack>,
}

/// The keys of one node. Not empty.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeTrack {
    /// Keys by time; the last one is the fallback.
    pub keys: Vec<AnimKey>,
    /// Which key each frame begins at.
    pub map: TrackMap,
}

/// Which key each frame of a track begins at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrackMap {
    /// No map: the node stands still at its last key.
    None,
    /// The words that follow from the times of the keys, as in all known files.
    FromTimes,
    /// One word per frame, counted from the first key of the track.
    Words(Vec<u16>),
}

impl TrackSet {
    /// Takes the tables apart: the track of a node begins after the fallback key of the node before it.
    ///
    /// # Errors
    /// Tables that are not canonical: fallback keys that do not increase, keys or words of no node, blocks of
    /// the map that are not one after the other, words that lead to keys of an earlier node. The offset
    /// counts from the start of the chunk that the error names as its entry.
    pub fn from_tables(animation: &MshAnimation, links: &[TrackLink]) -> Result<Self, FormatError> {
        let mut next_key = 0;
        let mut next_word = 0;
        let mut tracks = Vec::with_capacity(links.len());
        for (node, link) in links.iter().enumerate() {
            let end = link.fallback().map_or(0, |key| key.saturating_add(1));
            let keys = animation.keys.get(next_key..end).unwrap_or_default();
            if keys.is_empty() {
                let expected = format!("a last key of node {node} from {next_key} on");
                return Err(error(KEYS, next_key, "fallback", expected, link.fallback));
            }
            let map = match link.map_start() {
                None => TrackMap::None,
                Some(start) => {
                    let expected = format!("a map of node {node} from word {next_word}");
                    let block = animation.map_of(*link).filter(|_| start == next_word);
                    let Some(block) = block else {
                        return Err(error(MAP, next_word, "map start", expected, start));
                    };
                    next_word = start.saturating_add(block.len());
                    track_map(keys, block, start, next_key)?
                }
            };
            next_key = end;
            tracks.push(NodeTrack {
                keys: keys.to_vec(),
                map,
            });
        }
        let ends = [
            (KEYS, next_key, animation.keys.len()),
            (MAP, next_word, animation.map.len()),
        ];
        for (type_id, used, len) in ends {
            if used != len {
                let expected = format!("{used} records, all of nodes");
                return Err(error(type_id, used, "record count", expected, len));
            }
        }
        Ok(Self {
            frame_count: animation.frame_count,
            tracks,
        })
    }

    /// Puts the tables together, canonically: keys in the order of nodes, then the blocks of the map.
    ///
    /// # Errors
    /// A track without keys, words of a map that are not one per frame, more keys or words than 16 bits reach.
    pub fn to_tables(&self) -> Result<(MshAnimation, Vec<TrackLink>), FormatError> {
        let Self {
            frame_count,
            tracks,
        } = self;
        let mut keys: Vec<AnimKey> = Vec::new();
        let mut map: Vec<u16> = Vec::new();
        let mut links = Vec::with_capacity(tracks.len());
        for (node, track) in tracks.iter().enumerate() {
            let Some(last) = track.keys.len().checked_sub(1) else {
                let expected = format!("a key of node {node}");
                return Err(error(KEYS, keys.len(), "track", expected, "none"));
            };
            let first = keys.len();
            let fallback = index(KEYS, "fallback", first.saturating_add(last), LAST_INDEX)?;
            let map_start = match track.words(*frame_count) {
                None => NONE,
                Some(words) if words.len() as u64 == u64::from(*frame_count) => {
                    let start = index(MAP, "map start", map.len(), LAST_INDEX)?;
                    for word in words {
                        let key = first.saturating_add(usize::from(word));
                        map.push(index(MAP, "map word", key, u16::MAX)?);
                    }
                    start
                }
                Some(words) => {
                    let expected = format!("{frame_count} words of node {node}");
                    return Err(error(MAP, map.len(), "map", expected, words.len()));
                }
            };
            keys.extend(&track.keys);
            links.push(TrackLink {
                map_start,
                fallback,
            });
        }
        let animation = MshAnimation {
            keys,
            map,
            frame_count: *frame_count,
        };
        Ok((animation, links))
    }

    /// The frame count that follows from the keys: the last time of all, and one; at least 1.
    pub fn frame_count_of_times(&self) -> u32 {
        let last_times = self.tracks.iter().filter_map(|track| track.keys.last());
        // The cast saturates; NaN and negative times count as 0.
        let last = last_times.map(|key| key.time as u32).max();
        last.unwrap_or(0).saturating_add(1)
    }
}

impl NodeTrack {
    /// The words of the node's block, counted from its first key; `None` without a map.
    pub fn words(&self, frame_count: u32) -> Option<Vec<u16>> {
        match &self.map {
            TrackMap::None => None,
            TrackMap::FromTimes => Some(words_of_times(&self.keys, frame_count).collect()),
            TrackMap::Words(words) => Some(words.clone()),
        }
    }
}

/// The block of a node as a [`TrackMap`]; `start` is where it begins in the map.
fn track_map(
    keys: &[AnimKey],
    block: &[u16],
    start: usize,
    first_key: usize,
) -> Result<TrackMap, FormatError> {
    let mut words = Vec::with_capacity(block.len());
    for (frame, &word) in block.iter().enumerate() {
        let from_first = usize::from(word).checked_sub(first_key);
        let Some(from_first) = from_first.and_then(|key| u16::try_from(key).ok()) else {
            let expected = format!("a key from {first_key} on");
            let word_idx = start.saturating_add(frame);
            return Err(error(MAP, word_idx, "map word", expected, word));
        };
        words.push(from_first);
    }
    let n_frames = u32::try_from(block.len()).unwrap_or(u32::MAX);
    if words_of_times(keys, n_frames).eq(words.iter().copied()) {
        return Ok(TrackMap::FromTimes);
    }
    Ok(TrackMap::Words(words))
}

/// For each frame the key that begins at it or before it; the last key outside the times of the track.
fn words_of_times(keys: &[AnimKey], frame_count: u32) -> impl Iterator<Item = u16> {
    let last = keys.len().saturating_sub(1);
    let time = |key: usize| keys.get(key).map_or(f32::NAN, |key| key.time);
    let (first_time, last_time) = (time(0), time(last));
    let mut key = 0;
    (0..frame_count).map(move |frame| {
        let frame = frame as f32;
        let inside = frame >= first_time && frame < last_time;
        if !inside {
            return u16::try_from(last).unwrap_or(u16::MAX);
        }
        while key < last && time(key.saturating_add(1)) <= frame {
            key = key.saturating_add(1);
        }
        u16::try_from(key).unwrap_or(u16::MAX)
    })
}

/// An index as 16 bits, at most `limit`.
fn index(type_id: u32, field: &'static str, index: usize, limit: u16) -> Result<u16, FormatError> {
    u16::try_from(index)
        .ok()
        .filter(|index| *index <= limit)
        .ok_or_else(|| {
            let error = Writer::new(FORMAT).too_large(field, index as u64, u64::from(limit));
            error.in_entry(&chunk::label(type_id))
        })
}

/// The error "expected this, found that" at a record of one of the tables.
fn error(
    type_id: u32,
    record: usize,
    field: &'static str,
    expected: String,
    found: impl ToString,
) -> FormatError {
    let size = if type_id == KEYS {
        AnimKey::SIZE
    } else {
        u16::SIZE
    };
    FormatError {
        format: FORMAT,
        entry: Some(chunk::label(type_id)),
        field: field.into(),
        offset: record_offset(0, record, size) as u64,
        kind: FormatErrorKind::unexpected(expected, found),
    }
}
