//! From chunks to tables by the rules that terrain and models share, and the rules between tables.
//!
//! A rule that is broken is an error, unless the caller's tolerance waives it: then it is a finding.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use bitflags::Flags;

use super::chunk::{self, Chunk, RowField};
use super::findings::Findings;
use super::nres::NRes;
use super::record::Record;
use crate::bytes::{FormatError, FormatErrorKind, Reader, Severity};

/// A file whose archive is open, and which rules are waived in it.
pub(super) struct TableReader<'a, W> {
    pub(super) format: &'static str,
    /// Length of the file that the archive was read from.
    pub(super) file_len: usize,
    pub(super) container: &'a NRes,
    /// The rules that are waived.
    pub(super) tolerance: W,
    /// The flag that lets attributes contradict the size of their chunk.
    pub(super) attributes: W,
    /// The flag that lets a chunk end inside a record.
    pub(super) part_records: W,
}

impl<'a, W: Flags + Copy> TableReader<'a, W> {
    /// The first chunk of that type; an error if there is none.
    pub(super) fn chunk(&self, type_id: u32) -> Result<Chunk<'a>, FormatError> {
        Chunk::find(self.format, self.file_len, self.container, type_id)
    }

    /// All records of a chunk.
    pub(super) fn table<T: Record>(
        &self,
        type_id: u32,
        findings: &mut Findings,
    ) -> Result<Vec<T>, FormatError> {
        let chunk = self.chunk(type_id)?;
        self.records(&chunk, chunk.reader(), findings)
            .map_err(|error| located(error, &chunk))
    }

    /// All records of a chunk; `None` if the file has no such chunk.
    pub(super) fn optional_table<T: Record>(
        &self,
        type_id: u32,
        findings: &mut Findings,
    ) -> Result<Option<Vec<T>>, FormatError> {
        match self.container.find_type(type_id) {
            Some(_) => self.table(type_id, findings).map(Some),
            None => Ok(None),
        }
    }

    /// A header, and all records after it.
    pub(super) fn table_after<H: Record, T: Record>(
        &self,
        type_id: u32,
        findings: &mut Findings,
    ) -> Result<(H, Vec<T>), FormatError> {
        let chunk = self.chunk(type_id)?;
        let mut r = chunk.reader();
        let header = H::read(&mut r).map_err(|error| located(error, &chunk))?;
        let records = self
            .records(&chunk, r, findings)
            .map_err(|error| located(error, &chunk))?;
        Ok((header, records))
    }

    /// The records from the cursor to the end of the chunk; size and attributes must agree with each other.
    fn records<T: Record>(
        &self,
        chunk: &Chunk<'_>,
        mut r: Reader<'_>,
        findings: &mut Findings,
    ) -> Result<Vec<T>, FormatError> {
        let len = r.remaining();
        let n_records = len.checked_div(T::SIZE).unwrap_or(0);
        if !len.is_multiple_of(T::SIZE) {
            let expected = format!("whole records of {} bytes", T::SIZE);
            let error = chunk.row_error(RowField::Size, expected, format!("{len} bytes of them"));
            let repair = "the part record is dropped";
            self.waive(self.part_records, error, repair, findings)?;
        }
        self.attribute(chunk, RowField::Attr1, n_records, findings)?;
        self.attribute(chunk, RowField::Attr3, T::ATTR3, findings)?;
        (0..n_records).map(|_| T::read(&mut r)).collect()
    }

    /// Compares attr1 or attr3 of a chunk with what its size says.
    pub(super) fn attribute(
        &self,
        chunk: &Chunk<'_>,
        field: RowField,
        expected: usize,
        findings: &mut Findings,
    ) -> Result<(), FormatError> {
        let found = match field {
            RowField::Attr1 => chunk.entry.attr1,
            RowField::Attr2 => chunk.entry.attr2,
            RowField::Attr3 => chunk.entry.attr3,
            RowField::Size => return Ok(()),
        };
        if found as usize == expected {
            return Ok(());
        }
        let error = chunk.row_error(field, expected.to_string(), found);
        self.waive(self.attributes, error, "the size is believed", findings)
    }

    /// The error, or a finding if the rule is waived.
    pub(super) fn waive(
        &self,
        waiver: W,
        error: FormatError,
        repair: &str,
        findings: &mut Findings,
    ) -> Result<(), FormatError> {
        if !self.tolerance.contains(waiver) {
            return Err(error);
        }
        findings.error(error, repair);
        Ok(())
    }

    /// Refuses the first broken rule that is not waived, and lists the others.
    pub(super) fn settle<I: Iterator<Item = BrokenRule<W>>>(
        &self,
        broken_rules: impl Fn() -> I,
        findings: &mut Findings,
    ) -> Result<(), FormatError> {
        let waived = |broken: &BrokenRule<W>| {
            (broken.repair).is_some_and(|(waiver, _)| self.tolerance.contains(waiver))
        };
        if let Some(broken) = broken_rules().find(|broken| !waived(broken)) {
            return Err(broken.into_error(self.format, self.file_len, self.container));
        }
        let listed = broken_rules().map(|broken| {
            let offset = broken.offset(self.format, self.file_len, self.container);
            (offset, broken.describe())
        });
        findings.rule(Severity::Error, listed);
        Ok(())
    }
}

/// A rule between tables that a value breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BrokenRule<W> {
    /// Chunk that holds the field at fault.
    pub(super) type_id: u32,
    pub(super) place: Place,
    /// Record and field, as in `face 3 i0`.
    pub(super) field: String,
    pub(super) expected: String,
    pub(super) found: String,
    /// The leniency that lets the tolerant reader repair it, and what the repair is.
    pub(super) repair: Option<(W, &'static str)>,
}

/// Where in a chunk a rule is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the directory row.
    Row(RowField),
    /// At this byte of the payload.
    Payload(usize),
}

impl<W> BrokenRule<W> {
    /// Offset in the file that `container` was read from; `None` if the chunk is missing there.
    pub(super) fn offset(
        &self,
        format: &'static str,
        file_len: usize,
        container: &NRes,
    ) -> Option<u64> {
        let chunk = Chunk::find(format, file_len, container, self.type_id).ok()?;
        Some(match self.place {
            Place::Row(field) => chunk.row_field_offset(field),
            Place::Payload(byte) => chunk.entry.offset().saturating_add(byte as u64),
        })
    }

    /// One sentence for a finding of the tolerant reader.
    fn describe(&self) -> String {
        let repair = self.repair.as_ref().map_or("", |(_, repair)| repair);
        format!("{}; {repair}", self.describe_rule())
    }

    /// One sentence for a finding of `check`.
    pub(super) fn describe_rule(&self) -> String {
        format!(
            "{}, {}: expected {}, found {}",
            chunk::label(self.type_id),
            self.field,
            self.expected,
            self.found
        )
    }

    pub(super) fn into_error(
        self,
        format: &'static str,
        file_len: usize,
        container: &NRes,
    ) -> FormatError {
        FormatError {
            format,
            entry: Some(chunk::label(self.type_id)),
            offset: self.offset(format, file_len, container).unwrap_or(0),
            field: self.field.into(),
            kind: FormatErrorKind::Unexpected {
                expected: self.expected.into(),
                found: self.found,
            },
        }
    }
}

/// Names the chunk in an error of a record reader; errors of the directory row name it already.
pub(super) fn located(error: FormatError, chunk: &Chunk<'_>) -> FormatError {
    match error.entry {
        Some(_) => error,
        None => error.in_entry(&chunk.label()),
    }
}
