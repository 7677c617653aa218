//! Where everything lay in an RsLi file: the rows as stored, payloads by offset, and the bytes between them.

use super::table::{Row, Table, data_offset_field};
use super::{
    Entry, FORMAT, Method, PRESORTED, RsLi, TRAILER_SIZE, Tolerance, sort_table, table_end,
    write_trailer,
};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::unpack::Budget;

/// The entry with the extra byte of dossier section 3.4.3.
const EOF_PLUS_ONE_NAME: &[u8] = b"INTERF8.TEX";

/// A file as it was read.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    table: Table,
    /// One for each row.
    places: Vec<Place>,
    /// What lies behind the table, in file order and without a hole.
    segments: Vec<Segment>,
    presorted: u16,
    overlay: Option<u32>,
}

/// The bytes of a payload in the file.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: usize,
    len: usize,
    /// The row claims one byte more, behind the end of the file.
    is_cut_by_one: bool,
}

#[derive(Debug, Clone)]
enum Segment {
    /// Payload of this entry.
    Payload(usize),
    /// Bytes that no entry names.
    Gap { start: usize, bytes: Vec<u8> },
}

impl Layout {
    /// Refuses payloads that leave the file or share a byte, before any is copied.
    pub(super) fn from_file(
        data: &[u8],
        table: Table,
        presorted: u16,
        overlay: Option<u32>,
        tolerance: Tolerance,
    ) -> Result<Self, FormatError> {
        let trailer_size = overlay.map_or(0, |_| TRAILER_SIZE);
        let bounds = table_end(table.rows.len())..data.len().saturating_sub(trailer_size);
        let places: Vec<Place> = table
            .rows
            .iter()
            .enumerate()
            .map(|(index, row)| {
                Place::from_row(row, &bounds, overlay.unwrap_or(0), tolerance)
                    .map_err(|(field, expected)| bad_place(index, row, field, expected))
            })
            .collect::<Result<_, _>>()?;
        let segments = segments(data, &table, &places, &bounds)?;
        Ok(Self {
            table,
            places,
            segments,
            presorted,
            overlay,
        })
    }

    pub(super) fn read_entries(
        &self,
        data: &[u8],
        budget: &Budget,
    ) -> Result<Vec<Entry>, FormatError> {
        let rows = self.table.rows.iter().zip(&self.places).zip(self.keys());
        rows.map(|((row, place), key)| {
            let payload = Reader::new(FORMAT, data).sub("payload", place.start, place.len)?;
            Ok(Entry::from_row(row, payload, key, budget))
        })
        .collect()
    }

    /// Whether the library can be written with every payload in its old place and under its old key.
    pub(super) fn fits(&self, library: &RsLi) -> bool {
        let entry_fits = |((row, place), entry): ((&Row, &Place), &Entry)| {
            row.name == entry.name && place.len == entry.packed.len()
        };
        let rows = self.table.rows.iter().zip(&self.places);
        self.table.rows.len() == library.entries.len()
            && self.presorted == library.header.presorted
            && self.overlay == library.overlay
            && rows.zip(&library.entries).all(entry_fits)
    }

    /// Writes a library that [`fits`](Self::fits).
    pub(super) fn write(&self, library: &RsLi) -> Result<Vec<u8>, FormatError> {
        let rows: Vec<Row> = library
            .entries
            .iter()
            .zip(&self.table.rows)
            .map(|(entry, row)| entry.row(row.sort_to_original, row.data_offset, row.packed_size))
            .collect();
        let keys = self.keys();
        let mut w = library.header.begin(&rows)?;
        for segment in &self.segments {
            match segment {
                Segment::Gap { bytes, .. } => w.bytes(bytes),
                Segment::Payload(index) => {
                    if let (Some(entry), Some(key)) =
                        (library.entries.get(*index), keys.get(*index))
                    {
                        w.bytes(&entry.encrypted(*key));
                    }
                }
            }
        }
        write_trailer(self.overlay, &mut w);
        Ok(w.finish())
    }

    /// The table `sorted position -> entry index`, if it has an element for each of these entries.
    pub(super) fn sorted_entries(&self, entries: &[Entry]) -> Option<Vec<u16>> {
        (self.table.rows.len() == entries.len()).then(|| self.keys())
    }

    pub(super) fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |severity, offset: u64, message: String| {
            findings.push(Finding::new(severity, FORMAT, message).at(offset));
        };
        match self.table.first_unsorted() {
            _ if self.presorted != PRESORTED => find(
                Severity::Note,
                14,
                "the sort table is not marked as valid; it is rebuilt".to_owned(),
            ),
            Some((index, found)) => find(
                Severity::Warning,
                data_offset_field(index),
                format!("the sort table gives no sorted order: {found}"),
            ),
            None => {}
        }
        for segment in &self.segments {
            if let Segment::Gap { start, bytes } = segment {
                let message = format!("{} bytes belong to no entry", bytes.len());
                find(Severity::Note, *start as u64, message);
            }
        }
        for (index, place) in self.places.iter().enumerate() {
            if place.is_cut_by_one {
                let message = format!("deflate_eof_plus_one: entry {index} claims a byte too many");
                find(Severity::Warning, data_offset_field(index), message);
            }
        }
        findings
    }

    /// The key of each entry's payload: the stored table if it is marked as valid, else the rebuilt one.
    fn keys(&self) -> Vec<u16> {
        if self.presorted == PRESORTED {
            self.table
                .rows
                .iter()
                .map(|row| row.sort_to_original)
                .collect()
        } else {
            sort_table(&self.table.rows, Row::name_bytes)
        }
    }
}

impl Place {
    /// The error is the invalid field and what it should hold.
    fn from_row(
        row: &Row,
        bounds: &std::ops::Range<usize>,
        overlay: u32,
        tolerance: Tolerance,
    ) -> Result<Self, (&'static str, String)> {
        let (start, end) = (row.start(overlay), row.end(overlay));
        let limit = bounds.end as u64;
        let is_cut_by_one = row.packed_size > 0
            && end == limit.saturating_add(1)
            && Method::from_flags(row.flags) == Some(Method::Deflate)
            && row.name_bytes() == EOF_PLUS_ONE_NAME;
        if is_cut_by_one && !tolerance.contains(Tolerance::DEFLATE_EOF_PLUS_ONE) {
            let expected = "a payload that ends with the file".to_owned();
            return Err(("deflate_eof_plus_one", expected));
        }
        let end = if is_cut_by_one { limit } else { end };
        if end > limit || (row.packed_size > 0 && start < bounds.start as u64) {
            let expected = format!("a payload between bytes {:#x} and {limit:#x}", bounds.start);
            return Err(("entry data offset", expected));
        }
        Ok(Self {
            start: start as usize,
            len: end.saturating_sub(start) as usize,
            is_cut_by_one,
        })
    }
}

fn bad_place(index: usize, row: &Row, field: &'static str, expected: String) -> FormatError {
    let found = format!("{} bytes at {:#x}", row.packed_size, row.data_offset);
    Reader::nested(FORMAT, &[], data_offset_field(index)).unexpected(field, expected, found)
}

fn segments(
    data: &[u8],
    table: &Table,
    places: &[Place],
    bounds: &std::ops::Range<usize>,
) -> Result<Vec<Segment>, FormatError> {
    let mut order: Vec<(usize, &Place, &Row)> = (0..)
        .zip(places)
        .zip(&table.rows)
        .map(|((index, place), row)| (index, place, row))
        .filter(|(_, place, _)| place.len > 0)
        .collect();
    order.sort_by_key(|(_, place, _)| place.start);
    let mut segments = Vec::new();
    let gap = |segments: &mut Vec<Segment>, start: usize, end: usize| {
        let bytes = data.get(start..end).unwrap_or_default();
        if !bytes.is_empty() {
            segments.push(Segment::Gap {
                start,
                bytes: bytes.to_vec(),
            });
        }
    };
    let mut position = bounds.start;
    for (index, place, row) in order {
        if place.start < position {
            let expected = "payloads that share no byte".to_owned();
            return Err(bad_place(index, row, "entry data offset", expected));
        }
        gap(&mut segments, position, place.start);
        segments.push(Segment::Payload(index));
        position = place.start.saturating_add(place.len);
    }
    gap(&mut segments, position, bounds.end);
    Ok(segments)
}
