//! Header, table and name blob, for files in memory and on disk alike.

use std::ops::Range;

use super::{FORMAT, MAGIC, home_slot};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::{Record, at_field, field_offset};
use ironlands_assets_core::text::cmp_names;

pub(super) const HEADER_SIZE: usize = MAGIC.len() + Header::SIZE;
/// What `next` holds at the end of a chain.
pub(super) const END_OF_CHAIN: i32 = -1;

/// What follows the magic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub(super) struct Header {
    #[field("file count")]
    pub count: u32,
    #[field("table offset", check = is_behind_header)]
    pub table_offset: u32,
    #[field("length of the name blob")]
    pub names_len: u32,
}

/// The table in the order of its slots, and the name blob.
#[derive(Debug, Clone)]
pub(super) struct Directory {
    pub rows: Vec<Row>,
    pub table_offset: usize,
    pub names: Vec<u8>,
    /// Bytes of the whole file.
    pub file_len: usize,
}

/// A record of the table, which is a slot of the hash table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub(super) struct Row {
    #[field("next slot")]
    pub next: i32,
    #[field("data size")]
    pub size: u32,
    #[field("data offset")]
    pub data_offset: u32,
    #[field("time")]
    pub mtime: u32,
    #[field("name length")]
    pub name_len: u16,
    #[field("name offset")]
    pub name_offset: u32,
}

fn is_behind_header(at: &Reader<'_>, field: &'static str, offset: &u32) -> Result<(), FormatError> {
    match *offset as usize {
        0..HEADER_SIZE => {
            Err(at.unexpected(field, "an offset of 0x10 or more", format!("{offset:#x}")))
        }
        _ => Ok(()),
    }
}

impl Header {
    /// The header of a file, its magic included.
    pub fn read_file(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.expect("magic", &MAGIC)?;
        Self::read(r, ())
    }

    pub fn write_file(&self, w: &mut Writer) -> Result<(), FormatError> {
        w.bytes(&MAGIC);
        self.write(w, ())
    }

    /// Where table and name blob lie.
    pub fn table(&self, file_len: u64) -> Result<Range<usize>, FormatError> {
        let start = self.table_offset as usize;
        let rows_len = u64::from(self.count).saturating_mul(Row::SIZE as u64);
        let end = u64::from(self.table_offset)
            .saturating_add(rows_len)
            .saturating_add(self.names_len.into());
        match usize::try_from(end) {
            Ok(end_in_memory) if end <= file_len => Ok(start..end_in_memory),
            _ => {
                let found = format!(
                    "{} records at {start:#x}, and names, to {end:#x}",
                    self.count
                );
                let expected = format!("a table and names before the end at {file_len:#x}");
                let place = field_offset::<Self>("table offset", ());
                let offset = MAGIC.len().saturating_add(place) as u64;
                let at = Reader::nested(FORMAT, &[], offset);
                Err(at.unexpected("table offset", expected, found))
            }
        }
    }
}

impl Row {
    /// Where the data lies. Cannot wrap: both ends were compared with the length of the file.
    pub fn data(&self) -> Range<usize> {
        let start = self.data_offset as usize;
        start..start.saturating_add(self.size as usize)
    }

    /// Where the name lies in the name blob.
    pub fn name(&self) -> Range<usize> {
        let start = self.name_offset as usize;
        start..start.saturating_add(self.name_len.into())
    }

    /// The slot that comes next in the chain, inside of the table or not.
    pub fn next_slot(&self) -> Option<usize> {
        usize::try_from(self.next).ok()
    }
}

impl Directory {
    /// Reads the table and the name blob, which `r` holds and nothing else, of a file of `file_len` bytes.
    pub fn read(header: &Header, r: &mut Reader<'_>, file_len: u64) -> Result<Self, FormatError> {
        let n_rows = r.claim("file count", header.count.into(), Row::SIZE)?;
        let mut rows = Vec::with_capacity(n_rows);
        let mut n_name_bytes = 0_u64;
        for _ in 0..n_rows {
            let at_row = r.clone();
            let row = Row::read(r, ())?;
            refuse_outside(&at_row, &row, header, file_len)?;
            n_name_bytes = n_name_bytes.saturating_add(row.name_len.into());
            if n_name_bytes > file_len {
                return Err(names_too_long(&at_row, n_name_bytes, file_len));
            }
            rows.push(row);
        }
        let names = r.bytes("names", header.names_len as usize)?.to_vec();
        let directory = Self {
            rows,
            table_offset: header.table_offset as usize,
            names,
            file_len: usize::try_from(file_len).unwrap_or(usize::MAX),
        };
        directory.refuse_overlaps()?;
        Ok(directory)
    }

    /// The name in a slot; none is empty.
    pub fn name(&self, slot: usize) -> &[u8] {
        let name = self
            .rows
            .get(slot)
            .and_then(|row| self.names.get(row.name()));
        name.unwrap_or_default()
    }

    /// The slot that the hash chain of a name leads to. It may stop short of a name that is there.
    pub fn find_chained(&self, name: &[u8]) -> Option<usize> {
        let mut slot = home_slot(name, self.rows.len());
        // A chain in a circle ends after as many steps as there are slots.
        for _ in 0..self.rows.len() {
            let row = self.rows.get(slot?)?;
            if cmp_names(self.name(slot?), name).is_eq() {
                return slot;
            }
            slot = row.next_slot();
        }
        None
    }

    /// Where a record stands in the file.
    pub fn row_offset(&self, slot: usize) -> usize {
        self.table_offset
            .saturating_add(slot.saturating_mul(Row::SIZE))
    }

    /// Where table and name blob end.
    pub fn end(&self) -> usize {
        self.row_offset(self.rows.len())
            .saturating_add(self.names.len())
    }

    /// Slots in the order that their data lies in; those without data and those that share it, by their names.
    pub fn data_order(&self) -> Vec<usize> {
        let mut slots: Vec<usize> = (0..self.rows.len()).collect();
        slots.sort_by_key(|slot| {
            let row = self.rows.get(*slot);
            row.map(|row| (row.data_offset, row.size, row.name_offset, *slot))
        });
        slots
    }

    /// Data lies in the table or partly in other data: a small file could claim any amount of memory.
    fn refuse_overlaps(&self) -> Result<(), FormatError> {
        let mut before = 0..0;
        for slot in self.data_order() {
            let Some(row) = self.rows.get(slot) else {
                continue;
            };
            let data = row.data();
            let in_table = data.start < self.end() && data.end > self.table_offset;
            let is_shared = data == before;
            if data.is_empty() || is_shared {
                continue;
            }
            if in_table || data.start < before.end {
                let place = field_offset::<Row>("data offset", ());
                let offset = self.row_offset(slot).saturating_add(place) as u64;
                let found = format!("{} bytes at {:#x}", row.size, row.data_offset);
                let expected = "data of its own, or all of another entry's";
                return Err(Reader::nested(FORMAT, &[], offset).unexpected(
                    "data offset",
                    expected,
                    found,
                ));
            }
            before = data;
        }
        Ok(())
    }
}

/// Names may share bytes of the blob: a small file could claim any amount of memory.
fn names_too_long(at_row: &Reader<'_>, n_bytes: u64, file_len: u64) -> FormatError {
    at_field::<Row>(at_row, "name length", ()).unexpected(
        "name length",
        format!("names of {file_len} bytes in all, as many as the file has"),
        format!("{n_bytes} up to this one"),
    )
}

fn refuse_outside(
    at_row: &Reader<'_>,
    row: &Row,
    header: &Header,
    file_len: u64,
) -> Result<(), FormatError> {
    let end = u64::from(row.data_offset).saturating_add(row.size.into());
    // Of no data it does not matter where it begins.
    let is_in_header = row.size > 0 && (row.data_offset as usize) < HEADER_SIZE;
    if is_in_header || end > file_len {
        return Err(at_field::<Row>(at_row, "data offset", ()).unexpected(
            "data offset",
            format!("data between 0x10 and {file_len:#x}"),
            format!("{} bytes at {:#x}", row.size, row.data_offset),
        ));
    }
    let end = u64::from(row.name_offset).saturating_add(row.name_len.into());
    if end > header.names_len.into() {
        return Err(at_field::<Row>(at_row, "name offset", ()).unexpected(
            "name offset",
            format!("a name in the {} bytes of the name blob", header.names_len),
            format!("{} bytes at {:#x}", row.name_len, row.name_offset),
        ));
    }
    Ok(())
}
