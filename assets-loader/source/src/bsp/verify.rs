//! What a map must hold for its indices to be followed: the strict checks of dossier section 1.5.
//!
//! Ranges of records in another lump must lie in it, and together they must not be longer than it. Compilers share
//! nothing there, and a file in which thousands of faces claim the same thousands of edges would cost a caller that follows
//! them more than its size.

mod reused;
mod surfaces;
mod tree;

use std::fmt::Display;

use super::file::{BspFile, FORMAT};
use super::lump_id::LumpId;
use super::map::Map;
use ironlands_assets_core::bytes::{FormatError, Reader};

pub(super) use reused::verify_reused;

pub(super) fn verify(map: &Map, file: &BspFile) -> Result<(), FormatError> {
    surfaces::verify(map, file)?;
    tree::verify(map, file)
}

/// The records of a lump, for errors that give the offset of one.
#[derive(Clone, Copy)]
struct Records<'a> {
    file: &'a BspFile,
    id: LumpId,
    n_records: usize,
}

impl<'a> Records<'a> {
    fn new<T>(file: &'a BspFile, id: LumpId, records: &[T]) -> Self {
        Self {
            file,
            id,
            n_records: records.len(),
        }
    }

    /// The error that a field of a record holds something else than it should.
    fn refuse(
        &self,
        index: usize,
        field: &str,
        expected: impl Display,
        found: impl Display,
    ) -> FormatError {
        let Self {
            file,
            id,
            n_records,
        } = self;
        let size = file.content_len(*id).checked_div(*n_records).unwrap_or(0);
        let base = file.reader(*id, &[]).offset();
        let offset = base.saturating_add(index.saturating_mul(size) as u64);
        Reader::nested(FORMAT, &[], offset).unexpected(
            format!("{field} of record {index} in lump {id:?}"),
            expected.to_string(),
            found,
        )
    }

    /// Checks an index into a table of `limit` records.
    fn index(
        &self,
        index: usize,
        field: &str,
        value: impl Into<i64>,
        limit: usize,
    ) -> Result<(), FormatError> {
        let value = value.into();
        if usize::try_from(value).is_ok_and(|value| value < limit) {
            return Ok(());
        }
        Err(self.refuse(index, field, format!("an index below {limit}"), value))
    }

    /// Checks an index that may be -1.
    fn optional_index(
        &self,
        index: usize,
        field: &str,
        value: i32,
        limit: usize,
    ) -> Result<(), FormatError> {
        match value {
            -1 => Ok(()),
            value => self.index(index, field, value, limit),
        }
    }

    fn finite(&self, index: usize, field: &str, values: &[f32]) -> Result<(), FormatError> {
        match values.iter().find(|value| !value.is_finite()) {
            Some(value) => Err(self.refuse(index, field, "finite numbers", value)),
            None => Ok(()),
        }
    }

    /// A check of ranges in a table of `limit` records.
    fn ranges(self, field: &'static str, limit: usize) -> Ranges<'a> {
        Ranges {
            records: self,
            field,
            limit,
            n_left: limit,
        }
    }
}

/// Ranges in one table, which together may be no longer than it.
struct Ranges<'a> {
    records: Records<'a>,
    field: &'static str,
    limit: usize,
    n_left: usize,
}

impl Ranges<'_> {
    /// Takes the range of a record. Where an empty one begins means nothing.
    fn take(
        &mut self,
        index: usize,
        first: impl Into<i64>,
        n: impl Into<i64>,
    ) -> Result<(), FormatError> {
        let (first, n) = (first.into(), n.into());
        if n == 0 {
            return Ok(());
        }
        let end = first.saturating_add(n);
        let limit = i64::try_from(self.limit).unwrap_or(i64::MAX);
        if first < 0 || n < 0 || end > limit {
            let expected = format!("a range in {} records", self.limit);
            let found = format!("{n} from {first} on");
            return Err(self.records.refuse(index, self.field, expected, found));
        }
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        self.n_left = self.n_left.checked_sub(n).ok_or_else(|| {
            let expected = format!("no more than {} records in all ranges", self.limit);
            self.records.refuse(index, self.field, expected, "more")
        })?;
        Ok(())
    }
}
