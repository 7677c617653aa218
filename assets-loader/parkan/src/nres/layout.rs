//! What an NRes file holds beside its entries: where payloads lie, and the bytes between them.
//!
//! An entry remembers privately which slot of which file it came from, so that entries can be removed, moved
//! and copied (also between archives) and the rest of the file still goes back where it was.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{
    ALIGNMENT, Entry, FORMAT, HEADER_SIZE, NAME_SIZE, Row, cmp_names, offset_field, place_payload,
    until_nul,
};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity, Writer};

const ALIGNMENT_MASK: u64 = ALIGNMENT as u64 - 1;

/// The data region of a file as it was read.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// Identifies the layout of one file, so that a foreign entry takes no slot here.
    id: u64,
    /// What fills the data region, in file order and without a hole.
    segments: Vec<Segment>,
    /// The name in each directory row as it was read, which reveals renamed entries.
    names: Vec<[u8; NAME_SIZE]>,
    /// The stored table: sorted position -> entry index.
    sort_table: Vec<u32>,
    directory_offset: usize,
}

/// Which slot of which file an entry came from.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    layout_id: u64,
    index: usize,
    pub(super) data_offset: u32,
}

#[derive(Debug, Clone)]
struct Segment {
    start: usize,
    len: usize,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// Payload of the entry in this slot.
    Payload(usize),
    /// Bytes that no entry names: alignment padding, or an unindexed region.
    Gap(Vec<u8>),
}

/// Where a segment went.
struct Move {
    old_start: usize,
    old_len: usize,
    new_start: u64,
    new_len: u64,
}

impl Layout {
    /// Takes the layout of a file whose rows were checked; `payload_order` lists rows with a payload by offset.
    pub(super) fn from_file(data: &[u8], rows: &[Row], payload_order: &[usize]) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let directory_offset = rows
            .first()
            .map_or(data.len(), |row| row.row_offset as usize);
        let mut segments = Vec::new();
        let mut position = HEADER_SIZE;
        let gap_before = |segments: &mut Vec<Segment>, start: usize, end: usize| {
            let bytes = data.get(start..end).unwrap_or_default();
            if !bytes.is_empty() {
                segments.push(Segment {
                    start,
                    len: bytes.len(),
                    content: Content::Gap(bytes.to_vec()),
                });
            }
        };
        for &slot in payload_order {
            let Some(row) = rows.get(slot) else { continue };
            let start = row.start();
            gap_before(&mut segments, position, start);
            let len = row.size as usize;
            segments.push(Segment {
                start,
                len,
                content: Content::Payload(slot),
            });
            position = start.saturating_add(len);
        }
        gap_before(&mut segments, position, directory_offset);
        Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            segments,
            names: rows.iter().map(|row| row.name).collect(),
            sort_table: rows.iter().map(|row| row.sort_index).collect(),
            directory_offset,
        }
    }

    pub(super) fn slot(&self, index: usize, data_offset: u32) -> Slot {
        Slot {
            layout_id: self.id,
            index,
            data_offset,
        }
    }

    /// Appends the data region with the entries' payloads of today; returns the offset of each entry.
    pub(super) fn place(&self, entries: &[Entry], w: &mut Writer) -> Result<Vec<u32>, FormatError> {
        let owners = self.owners(entries);
        let mut slot_offsets: Vec<Option<u32>> = vec![None; self.names.len()];
        let mut moves = Vec::with_capacity(self.segments.len());
        let mut resized = false;
        for segment in &self.segments {
            match &segment.content {
                Content::Payload(slot) => {
                    let owner = owners.get(*slot).copied().flatten();
                    if w.offset() != segment.start as u64 {
                        w.pad_to(ALIGNMENT);
                    }
                    moves.push(segment.begin_move(w));
                    if let Some(offset) = slot_offsets.get_mut(*slot) {
                        *offset = Some(offset_field(w, "entry data offset")?);
                    }
                    let data = owner.map_or(&[][..], |entry| &entry.data);
                    w.bytes(data);
                    resized = data.len() != segment.len;
                }
                Content::Gap(bytes) => {
                    moves.push(segment.begin_move(w));
                    segment.write_gap(bytes, resized, w);
                    resized = false;
                }
            }
            if let Some(last) = moves.last_mut() {
                last.new_len = w.offset().saturating_sub(last.new_start);
            }
        }
        if w.offset() != self.directory_offset as u64 {
            w.pad_to(ALIGNMENT);
        }
        entries
            .iter()
            .map(|entry| {
                let owned = self.slot_of(entry).filter(|slot| {
                    let owner = owners.get(slot.index).copied().flatten();
                    owner.is_some_and(|owner| std::ptr::eq(owner, entry))
                });
                let Some(slot) = owned else {
                    return place_payload(entry, w);
                };
                match slot_offsets.get(slot.index).copied().flatten() {
                    Some(offset) => Ok(offset),
                    None if entry.data.is_empty() => Ok(new_offset_of(slot.data_offset, &moves)),
                    None => place_payload(entry, w),
                }
            })
            .collect()
    }

    /// The stored sort table, if it has an element for each of these entries.
    pub(super) fn sort_table_for(&self, entries: &[Entry]) -> Option<&[u32]> {
        (self.sort_table.len() == entries.len()).then_some(&self.sort_table)
    }

    /// The stored sort table, if the entries stand in the order and under the names that they were read with.
    pub(super) fn sort_table_if_current(&self, entries: &[Entry]) -> Option<&[u32]> {
        let in_place = |(index, entry): (usize, &Entry)| {
            self.slot_of(entry).is_some_and(|slot| slot.index == index) && self.holds_name_of(entry)
        };
        let current = entries.iter().enumerate().all(in_place);
        self.sort_table_for(entries).filter(|_| current)
    }

    /// Whether the entry comes from this file and has the name that it was read with.
    pub(super) fn holds_name_of(&self, entry: &Entry) -> bool {
        let name = self
            .slot_of(entry)
            .and_then(|slot| self.names.get(slot.index));
        name == Some(&entry.name)
    }

    /// Whether the stored table was a permutation that gave the stored names in order.
    pub(super) fn sort_table_is_sorted(&self) -> bool {
        let mut seen = vec![false; self.names.len()];
        let is_permutation = self.sort_table.iter().all(|&target| {
            let seen = seen.get_mut(target as usize);
            seen.is_some_and(|seen| !std::mem::replace(seen, true))
        });
        let name = |&index: &u32| self.names.get(index as usize).map(|name| until_nul(name));
        let names: Vec<&[u8]> = self.sort_table.iter().filter_map(name).collect();
        is_permutation && names.is_sorted_by(|a, b| cmp_names(a, b).is_le())
    }

    /// Bytes that no entry names: padding that is not zero, and regions longer than padding.
    pub(super) fn check_gaps(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for segment in &self.segments {
            let Content::Gap(bytes) = &segment.content else {
                continue;
            };
            let what = if bytes.len() >= ALIGNMENT {
                format!("{} bytes belong to no entry", bytes.len())
            } else if bytes.iter().any(|byte| *byte != 0) {
                "the padding between payloads is not zero".to_owned()
            } else {
                continue;
            };
            findings.push(Finding::new(Severity::Note, FORMAT, what).at(segment.start as u64));
        }
        findings
    }

    /// The entry in each slot. Of copies the first one keeps the slot.
    fn owners<'a>(&self, entries: &'a [Entry]) -> Vec<Option<&'a Entry>> {
        let mut owners = vec![None; self.names.len()];
        for entry in entries {
            let slot = self.slot_of(entry);
            if let Some(owner) = slot.and_then(|slot| owners.get_mut(slot.index)) {
                owner.get_or_insert(entry);
            }
        }
        owners
    }

    fn slot_of<'a>(&self, entry: &'a Entry) -> Option<&'a Slot> {
        entry.slot.as_ref().filter(|slot| slot.layout_id == self.id)
    }
}

impl Segment {
    fn begin_move(&self, w: &Writer) -> Move {
        Move {
            old_start: self.start,
            old_len: self.len,
            new_start: w.offset(),
            new_len: 0,
        }
    }

    /// Appends a gap. After a payload of another size its alignment padding is made to fit; the rest stays.
    fn write_gap(&self, bytes: &[u8], payload_was_resized: bool, w: &mut Writer) {
        if !payload_was_resized {
            w.bytes(bytes);
            return;
        }
        let padding_len = bytes.len().min(padding_after(self.start as u64));
        let (padding, rest) = bytes.split_at_checked(padding_len).unwrap_or_default();
        let needed = padding_after(w.offset());
        w.bytes(padding.get(..needed).unwrap_or(padding));
        w.pad_to(ALIGNMENT);
        w.bytes(rest);
    }
}

/// Bytes from `offset` to the next multiple of 8.
fn padding_after(offset: u64) -> usize {
    (offset.wrapping_neg() & ALIGNMENT_MASK) as usize
}

/// Where an entry without payload points now: to the same place of the segment that it pointed into.
fn new_offset_of(old_offset: u32, moves: &[Move]) -> u32 {
    let old_offset = old_offset as usize;
    let following = moves.partition_point(|segment| segment.old_start <= old_offset);
    let Some(segment) = following.checked_sub(1).and_then(|last| moves.get(last)) else {
        return HEADER_SIZE as u32;
    };
    let into = old_offset.saturating_sub(segment.old_start);
    let new_into = if into >= segment.old_len {
        segment.new_len
    } else {
        segment.new_len.min(into as u64)
    };
    let offset = segment.new_start.saturating_add(new_into);
    let moved = offset != old_offset as u64;
    let aligned = offset & !ALIGNMENT_MASK;
    u32::try_from(if moved { aligned } else { offset }).unwrap_or(HEADER_SIZE as u32)
}
