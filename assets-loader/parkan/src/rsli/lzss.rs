//! LZSS of RsLi (dossier section 3.4.1), and the search for matches that LZHUF shares.

use std::collections::HashMap;

use ironlands_assets_core::bytes::{FormatError, Reader};

pub(super) const RING_SIZE: usize = 4096;
const RING_MASK: usize = RING_SIZE - 1;
/// Both schemes read spaces from the part of the ring that was not written yet.
const RING_FILL: u8 = 0x20;
const RING_START: usize = 0xFEE;
const MIN_MATCH: usize = 3;
const MAX_MATCH: usize = 18;
/// A control byte and eight matches: 17 bytes make at most 144.
const MAX_RATIO: u64 = 9;

/// The last 4096 bytes of output, and the output itself, which never grows beyond its final length.
pub(super) struct RingOutput {
    ring: [u8; RING_SIZE],
    position: usize,
    out: Vec<u8>,
    len: usize,
}

impl RingOutput {
    /// Nothing is allocated for `len`: it is the file's claim, and the output grows as bytes come.
    pub(super) fn new(start: usize, len: usize) -> Self {
        Self {
            ring: [RING_FILL; RING_SIZE],
            position: start,
            out: Vec::new(),
            len,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.out.len() >= self.len
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn push(&mut self, byte: u8) {
        if self.is_full() {
            return;
        }
        self.out.push(byte);
        if let Some(place) = self.ring.get_mut(self.position) {
            *place = byte;
        }
        self.position = self.position.wrapping_add(1) & RING_MASK;
    }

    /// Copies from an absolute ring position; a copy may read what it writes.
    pub(super) fn copy(&mut self, from: usize, len: usize) {
        for k in 0..len {
            let at = from.wrapping_add(k) & RING_MASK;
            self.push(self.ring.get(at).copied().unwrap_or(RING_FILL));
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.out
    }
}

/// Refuses a length that `packed` could not unpack to whatever it held.
pub(super) fn check_ratio(
    r: &Reader<'_>,
    unpacked_size: usize,
    max_ratio: u64,
) -> Result<(), FormatError> {
    let available = r.remaining() as u64;
    let most = available.saturating_mul(max_ratio);
    if unpacked_size as u64 <= most {
        return Ok(());
    }
    Err(r.unexpected(
        "unpacked size",
        format!("at most {most} bytes from {available} packed ones"),
        unpacked_size,
    ))
}

/// Unpacks exactly `unpacked_size` bytes; what follows them in the input is not looked at.
pub(super) fn unpack(r: &mut Reader<'_>, unpacked_size: usize) -> Result<Vec<u8>, FormatError> {
    check_ratio(r, unpacked_size, MAX_RATIO)?;
    let mut output = RingOutput::new(RING_START, unpacked_size);
    while !output.is_full() {
        let control = r.u8("LZSS control byte")?;
        for bit in 0..8 {
            if output.is_full() {
                break;
            }
            if control >> bit & 1 == 1 {
                output.push(r.u8("LZSS literal")?);
            } else {
                let [low, high] = r.array("LZSS match")?.map(usize::from);
                let offset = low | ((high & 0xF0) << 4);
                output.copy(offset, (high & 0x0F).saturating_add(MIN_MATCH));
            }
        }
    }
    Ok(output.finish())
}

/// Packs greedily: at each place the longest match that was already written.
pub(super) fn pack(data: &[u8]) -> Vec<u8> {
    let items: Vec<Item> = items(data, MAX_MATCH).collect();
    let mut packed = Vec::new();
    for group in items.chunks(8) {
        let literals = group.iter().zip(0..);
        let control = literals.fold(0u8, |control, (item, bit)| match item {
            Item::Literal(_) => control | 1 << bit,
            Item::Match { .. } => control,
        });
        packed.push(control);
        for item in group {
            match *item {
                Item::Literal(byte) => packed.push(byte),
                Item::Match { at, distance, len } => {
                    let offset = at.wrapping_add(RING_START).wrapping_sub(distance) & RING_MASK;
                    let length = len.saturating_sub(MIN_MATCH);
                    packed.push(offset as u8);
                    packed.push((offset >> 4 & 0xF0 | length) as u8);
                }
            }
        }
    }
    packed
}

/// One step of an LZ scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Literal(u8),
    /// `len` bytes at output position `at` repeat those `distance` before them.
    Match {
        at: usize,
        distance: usize,
        len: usize,
    },
}

/// Candidates that are looked at for one place; more gain little and make runs slow.
const MAX_CANDIDATES: usize = 64;

/// Cuts `data` into literals and matches of 3 to `max_len` bytes.
pub(super) fn items(data: &[u8], max_len: usize) -> impl Iterator<Item = Item> {
    let mut places: HashMap<[u8; MIN_MATCH], Vec<usize>> = HashMap::new();
    let mut at = 0;
    std::iter::from_fn(move || {
        let byte = *data.get(at)?;
        let found = longest_match(data, at, max_len, &places);
        let (item, len) = match found {
            Some((distance, len)) => (Item::Match { at, distance, len }, len),
            None => (Item::Literal(byte), 1),
        };
        let end = at.saturating_add(len);
        for place in at..end {
            if let Some(key) = key_at(data, place) {
                places.entry(key).or_default().push(place);
            }
        }
        at = end;
        Some(item)
    })
}

fn longest_match(
    data: &[u8],
    at: usize,
    max_len: usize,
    places: &HashMap<[u8; MIN_MATCH], Vec<usize>>,
) -> Option<(usize, usize)> {
    // Staying clear of the bytes that a match of full length overwrites while it is read.
    let max_distance = RING_SIZE.saturating_sub(max_len);
    let here = data.get(at..)?;
    let mut best: Option<(usize, usize)> = None;
    for &place in places
        .get(&key_at(data, at)?)?
        .iter()
        .rev()
        .take(MAX_CANDIDATES)
    {
        let distance = at.saturating_sub(place);
        if distance > max_distance {
            break;
        }
        let there = data.get(place..)?;
        let pairs = here.iter().zip(there).take(max_len);
        let len = pairs.take_while(|(a, b)| a == b).count();
        if best.is_none_or(|(_, best_len)| len > best_len) {
            best = Some((distance, len));
        }
    }
    best
}

fn key_at(data: &[u8], at: usize) -> Option<[u8; MIN_MATCH]> {
    data.get(at..)?.first_chunk().copied()
}
