//! What the formats made of NRes chunks share: where a chunk's bytes and attributes lie in the file, so that
//! errors and findings inside a chunk carry offsets of the outermost file.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::nres::{Entry, NRes};
use crate::bytes::{FormatError, FormatErrorKind, Reader};

/// Bytes of a directory row of NRes.
const ROW_SIZE: usize = 64;

/// A field of a chunk's directory row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowField {
    Attr1,
    Attr2,
    Size,
    Attr3,
}

impl RowField {
    fn offset(self) -> u64 {
        match self {
            Self::Attr1 => 4,
            Self::Attr2 => 8,
            Self::Size => 12,
            Self::Attr3 => 16,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Attr1 => "attr1",
            Self::Attr2 => "attr2",
            Self::Size => "size",
            Self::Attr3 => "attr3",
        }
    }
}

/// One chunk of a file that has just been read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'a> {
    pub(super) format: &'static str,
    pub(super) entry: &'a Entry,
    /// Offset of the directory row in the file.
    row_offset: u64,
}

impl<'a> Chunk<'a> {
    /// The first chunk of that type. `file_len` is the length of the file that `container` was read from.
    pub(super) fn find(
        format: &'static str,
        file_len: usize,
        container: &'a NRes,
        type_id: u32,
    ) -> Result<Self, FormatError> {
        let found = container
            .find_type(type_id)
            .and_then(|index| Some((index, container.entries.get(index)?)));
        let Some((index, entry)) = found else {
            return Err(directory(format, file_len, container).unexpected(
                "directory",
                format!("an entry of type {type_id}"),
                "none",
            ));
        };
        Ok(Self {
            format,
            entry,
            row_offset: row_offset(file_len, container, index),
        })
    }

    /// How errors call this chunk, as in `type 21`.
    pub(super) fn label(&self) -> String {
        label(self.entry.type_id)
    }

    /// A cursor over the payload that reports offsets of the file.
    pub(super) fn reader(&self) -> Reader<'a> {
        Reader::nested(self.format, &self.entry.data, self.entry.offset())
    }

    /// Offset in the file of a field of the directory row.
    pub(super) fn row_field_offset(&self, field: RowField) -> u64 {
        self.row_offset.saturating_add(field.offset())
    }

    /// The error "expected this, found that" at a field of the directory row.
    pub(super) fn row_error(
        &self,
        field: RowField,
        expected: String,
        found: impl ToString,
    ) -> FormatError {
        FormatError {
            format: self.format,
            entry: Some(self.label()),
            field: field.name().into(),
            offset: self.row_field_offset(field),
            kind: FormatErrorKind::Unexpected {
                expected: expected.into(),
                found: found.to_string(),
            },
        }
    }
}

/// How errors call a chunk.
pub(super) fn label(type_id: u32) -> String {
    format!("type {type_id}")
}

/// A cursor at the start of the directory, to report what is wrong with it as a whole.
pub(super) fn directory(
    format: &'static str,
    file_len: usize,
    container: &NRes,
) -> Reader<'static> {
    Reader::nested(format, &[], row_offset(file_len, container, 0))
}

/// Offset of the row of entry `index`: the directory lies at the very end of the file.
fn row_offset(file_len: usize, container: &NRes, index: usize) -> u64 {
    let rows_from_here = container.entries.len().saturating_sub(index);
    file_len.saturating_sub(rows_from_here.saturating_mul(ROW_SIZE)) as u64
}
