//! From chunks to tables, by the rules that terrain and models share.

use bitflags::Flags;

use super::chunk::{ChunkFile, RowField};
use super::record::Row;
use ironlands_assets_core::bytes::{FormatError, Reader};

/// The leniencies of a format whose chunks are tables.
pub(super) trait TableTolerance: Flags + Copy {
    /// attr1 of a chunk may contradict its size.
    const ATTRIBUTES: Self;
    /// A chunk may end inside a record.
    const PART_RECORDS: Self;
}

impl<W: TableTolerance> ChunkFile<W> {
    /// All records of a chunk.
    pub(super) fn table<T: Row>(&mut self, type_id: u32) -> Result<Vec<T>, FormatError> {
        let chunk = self.chunk(type_id)?;
        let records = read_records(chunk.reader()).map_err(|e| e.in_entry(&chunk.label()))?;
        self.check_row::<T>(type_id, 0)?;
        Ok(records)
    }

    /// All records of a chunk; `None` if the file has no such chunk.
    pub(super) fn optional_table<T: Row>(
        &mut self,
        type_id: u32,
    ) -> Result<Option<Vec<T>>, FormatError> {
        match self.container.find_type(type_id) {
            Some(_) => self.table(type_id).map(Some),
            None => Ok(None),
        }
    }

    /// A header, and all records after it.
    pub(super) fn table_after<H: Row, T: Row>(
        &mut self,
        type_id: u32,
    ) -> Result<(H, Vec<T>), FormatError> {
        let chunk = self.chunk(type_id)?;
        let mut r = chunk.reader();
        let header = H::read(&mut r, H::NAME, ()).map_err(|e| e.in_entry(&chunk.label()))?;
        let records = read_records(r).map_err(|e| e.in_entry(&chunk.label()))?;
        self.check_row::<T>(type_id, H::SIZE)?;
        Ok((header, records))
    }

    /// Size and attr1 of a chunk must agree with each other. The original ignores attr3; the checks of
    /// the formats warn of it.
    fn check_row<T: Row>(&mut self, type_id: u32, header_size: usize) -> Result<(), FormatError> {
        let chunk = self.chunk(type_id)?;
        let len = chunk.entry.data.len().saturating_sub(header_size);
        let part = (!len.is_multiple_of(T::SIZE)).then(|| {
            let expected = format!("whole records of {} bytes", T::SIZE);
            chunk.row_error(RowField::Size, expected, format!("{len} bytes of them"))
        });
        if let Some(error) = part {
            self.waive(W::PART_RECORDS, error, "the part record is dropped")?;
        }
        let n_records = len.checked_div(T::SIZE).unwrap_or(0);
        self.check_attribute(type_id, RowField::Attr1, n_records)
    }

    /// Compares an attribute of a chunk with what its payload says.
    pub(super) fn check_attribute(
        &mut self,
        type_id: u32,
        field: RowField,
        expected: usize,
    ) -> Result<(), FormatError> {
        let chunk = self.chunk(type_id)?;
        let found = match field {
            RowField::Attr1 => chunk.entry.attr1 as usize,
            RowField::Attr2 => chunk.entry.attr2 as usize,
            RowField::Attr3 => chunk.entry.attr3 as usize,
            RowField::Size => chunk.entry.data.len(),
        };
        if found == expected {
            return Ok(());
        }
        let error = chunk.row_error(field, expected.to_string(), found);
        self.waive(W::ATTRIBUTES, error, "the size is believed")
    }
}

/// The whole records from the cursor to the end of the chunk.
fn read_records<T: Row>(mut r: Reader<'_>) -> Result<Vec<T>, FormatError> {
    let n_records = r.remaining().checked_div(T::SIZE).unwrap_or(0);
    (0..n_records)
        .map(|_| T::read(&mut r, T::NAME, ()))
        .collect()
}
