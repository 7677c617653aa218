//! What a file holds beside its entries, so that an untouched archive is written back byte for byte.

use std::ops::Range;
use std::sync::Arc;

use super::directory::{Directory, HEADER_SIZE, Header, Row};
use super::{ALIGNMENT, FORMAT, NamesOrder, ResArchive, ResData, ResEntry};
use ironlands_assets_core::bytes::{FormatError, Writer};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::text::cmp_names;

/// The file that an archive was read from: its table, and the bytes that belong to no entry.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    file: Arc<[u8]>,
    pub directory: Directory,
    /// Which entry was read from which slot.
    entry_of_slot: Vec<usize>,
}

impl Layout {
    /// The archive that the directory of a file describes.
    pub fn archive(file: Arc<[u8]>, directory: Directory) -> ResArchive {
        let mut entry_of_slot = vec![0; directory.rows.len()];
        let mut entries = Vec::with_capacity(directory.rows.len());
        for slot in directory.data_order() {
            let Some(row) = directory.rows.get(slot) else {
                continue;
            };
            if let Some(entry) = entry_of_slot.get_mut(slot) {
                *entry = entries.len();
            }
            entries.push(ResEntry {
                name: directory.name(slot).to_vec(),
                mtime: row.mtime,
                data: ResData::from_file(&file, row.data()),
                slot: Some(slot),
            });
        }
        ResArchive {
            entries,
            names_order: NamesOrder::from_directory(&directory),
            layout: Some(Self {
                file,
                directory,
                entry_of_slot,
            }),
        }
    }

    /// The entry that the hash chain of a name leads to, as long as the entries are those of the file.
    pub fn find(&self, archive: &ResArchive, name: &[u8]) -> Option<usize> {
        let slot = self.directory.find_chained(name)?;
        let index = *self.entry_of_slot.get(slot)?;
        let entry = archive.entries.get(index)?;
        (entry.slot == Some(slot) && cmp_names(&entry.name, name).is_eq()).then_some(index)
    }

    /// Whether the entries are those of the file, apart from their times.
    pub fn is_of(&self, archive: &ResArchive) -> bool {
        let is_untouched = |(index, entry): (usize, &ResEntry)| {
            let Some((slot, row)) = entry.slot.and_then(|it| Some((it, self.row(it)?))) else {
                return false;
            };
            self.entry_of_slot.get(slot) == Some(&index)
                && entry.name == self.directory.name(slot)
                && entry
                    .data
                    .is_same(&ResData::from_file(&self.file, row.data()))
        };
        archive.entries.len() == self.directory.rows.len()
            && archive.entries.iter().enumerate().all(is_untouched)
    }

    /// Writes the file again, with the times of the entries.
    pub fn write(&self, archive: &ResArchive) -> Result<Vec<u8>, FormatError> {
        let Directory {
            rows,
            table_offset,
            names,
            file_len: _,
        } = &self.directory;
        let mut w = Writer::new(FORMAT);
        let header = Header {
            count: w.checked_count("file count", rows.len())?,
            table_offset: w.checked_count("table offset", *table_offset)?,
            names_len: w.checked_count("length of the name blob", names.len())?,
        };
        header.write_file(&mut w)?;
        w.bytes(self.bytes(HEADER_SIZE..*table_offset));
        for (row, index) in rows.iter().zip(&self.entry_of_slot) {
            let mtime = archive.entries.get(*index).map_or(row.mtime, |it| it.mtime);
            Row { mtime, ..*row }.write(&mut w, ())?;
        }
        w.bytes(names);
        w.bytes(self.bytes(self.directory.end()..self.file.len()));
        Ok(w.finish())
    }

    /// What follows the name blob and all data.
    pub fn tail(&self) -> &[u8] {
        self.bytes(self.directory.trailing_start()..self.file.len())
    }

    /// Bytes of no entry before the data of each slot, without the zeros that fill up to an even start; and those
    /// between the last data and the table.
    pub fn gaps(&self) -> (Vec<&[u8]>, &[u8]) {
        let mut gaps = vec![Default::default(); self.directory.rows.len()];
        let mut end = HEADER_SIZE;
        for slot in self.directory.data_order() {
            let Some(data) = self.row(slot).map(Row::data) else {
                continue;
            };
            if data.start > self.directory.table_offset {
                break;
            }
            if let Some(gap) = gaps.get_mut(slot) {
                *gap = self.unclaimed(end..data.start);
            }
            end = end.max(data.end);
        }
        let last = self.unclaimed(end..self.directory.table_offset);
        (gaps, last)
    }

    /// A gap without its padding.
    fn unclaimed(&self, gap: Range<usize>) -> &[u8] {
        let start = gap.start;
        let bytes = self.bytes(gap);
        let aligned = start.checked_next_multiple_of(ALIGNMENT).unwrap_or(start);
        let n_padding = bytes.len().min(aligned.saturating_sub(start));
        match bytes.split_at_checked(n_padding) {
            Some((padding, rest)) if padding.iter().all(|byte| *byte == 0) => rest,
            _ => bytes,
        }
    }

    fn row(&self, slot: usize) -> Option<&Row> {
        self.directory.rows.get(slot)
    }

    fn bytes(&self, range: Range<usize>) -> &[u8] {
        self.file.get(range).unwrap_or_default()
    }
}
