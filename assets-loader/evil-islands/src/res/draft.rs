//! Rebuilt archives: the hash table as the original's packer fills it (dossier section 2.4).

use std::collections::{HashMap, HashSet};

use super::directory::{Directory, END_OF_CHAIN, HEADER_SIZE, Header, Row};
use super::{ALIGNMENT, FORMAT, ResArchive, ResData, ResEntry, home_slot};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Writer};
use ironlands_assets_core::record::Record;

/// The time of every new entry: the first second of the year that the game came out in.
pub(super) const MTIME: u32 = 946_684_800;

/// In what order the names stand in the name blob. Both are found in the wild.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NamesOrder {
    /// As the entries were put in.
    #[default]
    Insertion,
    /// As they stand in the table.
    Slots,
}

impl NamesOrder {
    /// The order that the names of a file are in.
    pub(super) fn from_directory(directory: &Directory) -> Self {
        let offsets = directory.rows.iter().map(|row| row.name_offset);
        // Names of one entry are in both orders.
        match directory.rows.len() > 1 && offsets.is_sorted_by(|a, b| a <= b) {
            true => Self::Slots,
            false => Self::Insertion,
        }
    }
}

impl ResArchive {
    /// A fresh archive of these names and contents, in this order.
    pub fn draft(entries: Vec<(Vec<u8>, Vec<u8>)>, names_order: NamesOrder) -> Self {
        let entries = entries.into_iter();
        Self {
            entries: entries
                .map(|(name, data)| ResEntry::new(name, data))
                .collect(),
            names_order,
            layout: None,
        }
    }

    /// Lets entries of equal content share one range of the file that will be written.
    pub fn share_equal_data(&mut self) {
        let mut known: HashSet<ResData> = HashSet::new();
        for entry in &mut self.entries {
            match known.get(&entry.data) {
                Some(data) => entry.data = data.clone(),
                None => {
                    known.insert(entry.data.clone());
                }
            }
        }
    }

    /// Writes the archive with a new table. See [`ResArchive::write`].
    pub(super) fn write_anew(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        self.refuse_unwritable(&w)?;
        w.bytes(&[0; HEADER_SIZE]);
        let data_offsets = self.write_data(&mut w);
        let table_offset = field(&w, "table offset", w.offset())?;
        let slots = slots(&self.entries);
        let (names, name_offsets) = self.names(&slots);
        for Slot { entry, next } in &slots {
            let Some(it) = self.entries.get(*entry) else {
                continue;
            };
            let row = Row {
                next: *next,
                size: field(&w, "data size", it.data.len() as u64)?,
                data_offset: field(&w, "data offset", at(&data_offsets, *entry))?,
                mtime: it.mtime,
                name_len: it.name.len() as u16,
                name_offset: field(&w, "name offset", at(&name_offsets, *entry))?,
            };
            row.write(&mut w, ())?;
        }
        w.bytes(&names);
        w.bytes(self.layout.as_ref().map_or(&[], |layout| layout.tail()));
        let mut header = Writer::new(FORMAT);
        Header {
            count: field(&w, "file count", self.entries.len() as u64)?,
            table_offset,
            names_len: field(&w, "length of the name blob", names.len() as u64)?,
        }
        .write_file(&mut header)?;
        let mut file = w.finish();
        for (target, byte) in file.iter_mut().zip(header.finish()) {
            *target = byte;
        }
        Ok(file)
    }

    /// Before anything is built: names that are too long, more entries than a chain can count.
    fn refuse_unwritable(&self, w: &Writer) -> Result<(), FormatError> {
        let n_entries = self.entries.len() as u64;
        if n_entries > i32::MAX as u64 {
            return Err(w.too_large("file count", n_entries, i32::MAX as u64));
        }
        let too_long = |entry: &&ResEntry| entry.name.len() > u16::MAX.into();
        match self.entries.iter().find(too_long) {
            Some(entry) => {
                Err(w.too_large("name length", entry.name.len() as u64, u16::MAX.into()))
            }
            None => Ok(()),
        }
    }

    /// Writes all data, what is shared once, and returns the offset of each entry's.
    fn write_data(&self, w: &mut Writer) -> Vec<u64> {
        let (gaps, last_gap) = match &self.layout {
            Some(layout) => layout.gaps(),
            None => Default::default(),
        };
        let mut written: HashMap<(usize, usize, usize), u64> = HashMap::new();
        let mut offsets = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let known = written.get(&entry.data.key()).copied();
            if let Some(offset) = known.filter(|_| !entry.data.is_empty()) {
                offsets.push(offset);
                continue;
            }
            let gap = entry.slot.and_then(|slot| gaps.get(slot));
            w.bytes(gap.copied().unwrap_or_default());
            w.pad_to(ALIGNMENT);
            let offset = w.offset();
            w.bytes(&entry.data);
            w.pad_to(ALIGNMENT);
            written.insert(entry.data.key(), offset);
            offsets.push(offset);
        }
        w.bytes(last_gap);
        w.pad_to(ALIGNMENT);
        offsets
    }

    /// The name blob, and where each entry's name begins.
    fn names(&self, slots: &[Slot]) -> (Vec<u8>, Vec<u64>) {
        let order: Vec<usize> = match self.names_order {
            NamesOrder::Insertion => (0..self.entries.len()).collect(),
            NamesOrder::Slots => slots.iter().map(|slot| slot.entry).collect(),
        };
        let mut names = Vec::new();
        let mut offsets = vec![0; self.entries.len()];
        for index in order {
            let entry = self.entries.get(index);
            if let (Some(entry), Some(offset)) = (entry, offsets.get_mut(index)) {
                *offset = names.len() as u64;
                names.extend_from_slice(&entry.name);
            }
        }
        (names, offsets)
    }
}

/// A slot of a full hash table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// Index of the entry in it.
    pub entry: usize,
    pub next: i32,
}

/// Coalesced hashing: what finds its slot taken goes into the highest free one, at the end of the chain that begins
/// at its own.
#[expect(
    clippy::indexing_slicing,
    reason = "as many slots as entries; every index is a slot of this table"
)]
pub(super) fn slots(entries: &[ResEntry]) -> Vec<Slot> {
    let mut taken: Vec<Option<usize>> = vec![None; entries.len()];
    let mut next: Vec<Option<usize>> = vec![None; entries.len()];
    let mut free = entries.len();
    for (index, entry) in entries.iter().enumerate() {
        let Some(mut slot) = home_slot(&entry.name, entries.len()) else {
            break;
        };
        if taken[slot].is_some() {
            while let Some(after) = next[slot] {
                slot = after;
            }
            // There are as many slots as entries, so one is free.
            while let Some(highest) = free.checked_sub(1).filter(|it| taken[*it].is_some()) {
                free = highest;
            }
            free = free.saturating_sub(1);
            next[slot] = Some(free);
            slot = free;
        }
        taken[slot] = Some(index);
    }
    let next = next.into_iter().map(|slot| match slot {
        Some(slot) => slot as i32,
        None => END_OF_CHAIN,
    });
    let entries = taken.into_iter().map(Option::unwrap_or_default);
    entries
        .zip(next)
        .map(|(entry, next)| Slot { entry, next })
        .collect()
}

fn at(offsets: &[u64], index: usize) -> u64 {
    offsets.get(index).copied().unwrap_or_default()
}

fn field(w: &Writer, name: &'static str, value: u64) -> Result<u32, FormatError> {
    let limit = u64::from(u32::MAX);
    u32::try_from(value)
        .map_err(|_| w.error(name, FormatErrorKind::TooLargeToWrite { value, limit }))
}
