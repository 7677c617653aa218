//! The one bounds-checked little-endian cursor, its writer twin, and the error of every format.
//!
//! All bytes of all files pass through [`Reader`] and [`Writer`]. A reader knows its format and where in
//! the outermost file it stands, names each field it takes, and cannot panic; nothing here allocates more
//! than the input could fill.

mod field_trace;
mod writer;

use std::borrow::Cow;

use thiserror::Error;

pub use self::field_trace::{FieldSpan, traced};
pub use self::writer::Writer;

/// Most characters of what was found that an error repeats.
const MAX_CHARS_FOUND: usize = 120;

/// Why bytes were refused, or why a value cannot be written: where, what, and what was expected there.
///
/// Prints as `nres: byte 0x8, entry count: a count of 70000 items of 64 bytes cannot fit in 1024 bytes`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", self.describe())]
pub struct FormatError {
    /// Short name of the format, as in `nres` or `land_msh`.
    pub format: &'static str,
    /// Name of the archive entry that the bytes came from, where they were nested in a container.
    pub entry: Option<String>,
    /// The field with the error, in the words of the format's document.
    pub field: Cow<'static, str>,
    /// Byte offset of that field from the start of the outermost file.
    pub offset: u64,
    /// What is wrong with it.
    pub kind: FormatErrorKind,
}

/// The cause: the file (cut short, contradictory, hostile) or this program (not supported yet).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatErrorKind {
    /// The bytes end inside the field.
    Truncated {
        /// Bytes that the field needs.
        needed: u64,
        /// Bytes that are left.
        available: u64,
    },
    /// The field holds something else than the format allows.
    Unexpected {
        /// What the format requires.
        expected: Cow<'static, str>,
        /// What the file holds.
        found: String,
    },
    /// A count names more items than the bytes that are left could hold.
    CountTooLarge {
        /// The count as stored.
        count: u64,
        /// Smallest size of one item in bytes.
        item_size: u64,
        /// Bytes that are left.
        available: u64,
    },
    /// A value to be written does not fit its field.
    TooLargeToWrite {
        /// The value.
        value: u64,
        /// Largest value that the field can hold.
        limit: u64,
    },
    /// Unpacking it would exceed what the whole file may unpack to; see [`unpack`](crate::unpack).
    OverBudget {
        /// Bytes that it unpacks to.
        needed: u64,
        /// Bytes that the file may still unpack to.
        left: u64,
        /// Bytes that the file may unpack to in all.
        limit: u64,
    },
    /// Valid as far as is known, but not read by this program.
    Unsupported {
        /// The feature, in words.
        what: String,
    },
}

impl FormatErrorKind {
    /// The kind "expected this, found that".
    pub fn unexpected(expected: impl Into<Cow<'static, str>>, found: impl ToString) -> Self {
        Self::Unexpected {
            expected: expected.into(),
            found: found.to_string(),
        }
    }
}

impl FormatError {
    /// The same error, attributed to the named entry of a container.
    #[must_use]
    pub fn in_entry(mut self, entry: &str) -> Self {
        self.entry = Some(match self.entry.take() {
            Some(inner) => format!("{entry}/{inner}"),
            None => entry.to_owned(),
        });
        self
    }

    fn describe(&self) -> String {
        let place = match &self.entry {
            Some(entry) => format!("{} (entry {})", self.format, cut(entry)),
            None => self.format.to_owned(),
        };
        let what = match &self.kind {
            FormatErrorKind::Truncated { needed, available } => {
                format!("needs {needed} bytes, {available} are left")
            }
            FormatErrorKind::Unexpected { expected, found } => {
                format!("expected {expected}, found {}", cut(found))
            }
            FormatErrorKind::CountTooLarge {
                count,
                item_size,
                available,
            } => format!(
                "a count of {count} items of {item_size} bytes cannot fit in {available} bytes"
            ),
            FormatErrorKind::TooLargeToWrite { value, limit } => {
                format!("{value} does not fit, the field holds at most {limit}")
            }
            FormatErrorKind::OverBudget {
                needed,
                left,
                limit,
            } => format!(
                "unpacking {needed} bytes exceeds the unpack limit of {limit} bytes, {left} are left"
            ),
            FormatErrorKind::Unsupported { what } => format!("{} is not supported", cut(what)),
        };
        format!("{place}: byte {:#x}, {}: {what}", self.offset, self.field)
    }
}

/// What a file holds, in a sentence: a token or name may be megabytes long.
fn cut(found: &str) -> Cow<'_, str> {
    match found.char_indices().nth(MAX_CHARS_FOUND) {
        None => Cow::Borrowed(found),
        Some((end, _)) => Cow::Owned(format!("{}...", found.get(..end).unwrap_or_default())),
    }
}

/// How serious a [`Finding`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, no rule is broken.
    Note,
    /// A recommended rule is broken; the file works.
    Warning,
    /// A rule that the original relies on is broken.
    Error,
}

/// One observation of a `check`, or one thing that a loader had to do without.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Finding {
    /// How serious it is.
    pub severity: Severity,
    /// Short name of the format or area, as in `land_map`.
    pub format: &'static str,
    /// Byte offset from the start of the checked bytes, if the finding has one place.
    pub offset: Option<u64>,
    /// What was found, in one sentence with the record and the value.
    pub message: String,
}

impl Finding {
    /// A finding without a byte offset.
    pub fn new(severity: Severity, format: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity,
            format,
            offset: None,
            message: message.into(),
        }
    }

    /// The same finding, located at a byte offset.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// The same finding, attributed to a named part of the file.
    #[must_use]
    pub fn in_part(mut self, name: &str) -> Self {
        self.message = format!("{name}: {}", self.message);
        self
    }
}

/// Little-endian cursor over the bytes of one format. Every method names the field it takes.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    format: &'static str,
    data: &'a [u8],
    pos: usize,
    /// Offset of `data` in the outermost file, so that nested readers report true offsets.
    base: u64,
    /// Whether fields are noted as they are taken; see [`traced`].
    is_traced: bool,
}

macro_rules! read_number {
    ($($name:ident: $ty:ty),*) => {$(
        #[doc = concat!("Takes a little-endian `", stringify!($ty), "`.")]
        #[inline]
        pub fn $name(&mut self, field: &'static str) -> Result<$ty, FormatError> {
            Ok(<$ty>::from_le_bytes(self.array(field)?))
        }
    )*};
}

impl<'a> Reader<'a> {
    /// A cursor at the start of `data`, which is a whole file.
    pub fn new(format: &'static str, data: &'a [u8]) -> Self {
        Self::nested(format, data, 0)
    }

    /// A cursor at the start of `data`, which lies `base` bytes into the outermost file.
    pub fn nested(format: &'static str, data: &'a [u8], base: u64) -> Self {
        Self {
            format,
            data,
            pos: 0,
            base,
            is_traced: field_trace::is_on(),
        }
    }

    /// Offset of the next byte from the start of the outermost file.
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.pos as u64)
    }

    /// Position of the next byte in this reader's own data.
    pub fn position(&self) -> usize {
        self.pos
    }

    /// Number of bytes that are left.
    pub fn remaining(&self) -> usize {
        self.data.len().saturating_sub(self.pos)
    }

    read_number!(u8: u8, i8: i8, u16: u16, i16: i16, u32: u32, i32: i32, u64: u64, f32: f32);

    /// Takes three `f32`, in file order.
    pub fn f32x3(&mut self, field: &'static str) -> Result<[f32; 3], FormatError> {
        Ok([self.f32(field)?, self.f32(field)?, self.f32(field)?])
    }

    /// Takes `N` bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], FormatError> {
        let bytes = self.bytes(field, N)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }

    /// The next `N` bytes, without taking them: errors are reported at their start.
    #[inline]
    pub fn peek<const N: usize>(&self, field: &'static str) -> Result<[u8; N], FormatError> {
        let left = self.data.get(self.pos..).unwrap_or_default();
        match left.first_chunk() {
            Some(bytes) => Ok(*bytes),
            None => Err(self.truncated(field, N)),
        }
    }

    /// Takes `len` bytes.
    #[inline]
    pub fn bytes(&mut self, field: &'static str, len: usize) -> Result<&'a [u8], FormatError> {
        let taken = self.pos.checked_add(len).and_then(|end| {
            let bytes = self.data.get(self.pos..end)?;
            Some((bytes, end))
        });
        let Some((bytes, end)) = taken else {
            return Err(self.truncated(field, len));
        };
        self.pos = end;
        if self.is_traced {
            field_trace::note(self.format, field, bytes);
        }
        Ok(bytes)
    }

    #[cold]
    fn truncated(&self, field: &'static str, needed: usize) -> FormatError {
        let kind = FormatErrorKind::Truncated {
            needed: needed as u64,
            available: self.remaining() as u64,
        };
        self.error(field, kind)
    }

    /// Takes all bytes that are left.
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = self.data.get(self.pos..).unwrap_or_default();
        self.pos = self.data.len();
        rest
    }

    /// Takes the bytes of a fixed mark such as a magic number.
    pub fn expect(&mut self, field: &'static str, mark: &[u8]) -> Result<(), FormatError> {
        let at = self.clone();
        let found = self.bytes(field, mark.len())?;
        if found == mark {
            return Ok(());
        }
        Err(at.unexpected(
            field,
            format!("\"{}\"", mark.escape_ascii()),
            format!("\"{}\"", found.escape_ascii()),
        ))
    }

    /// Takes a `u32` count of items, refused if the bytes that are left cannot hold them.
    ///
    /// `item_size` is the smallest number of bytes that one item takes.
    pub fn count(&mut self, field: &'static str, item_size: usize) -> Result<usize, FormatError> {
        let at = self.clone();
        let count = self.u32(field)?;
        at.checked_count(field, u64::from(count), item_size, self.remaining())
    }

    /// Checks a count that was read elsewhere against the bytes that are left.
    pub fn claim(
        &self,
        field: &'static str,
        count: u64,
        item_size: usize,
    ) -> Result<usize, FormatError> {
        self.checked_count(field, count, item_size, self.remaining())
    }

    fn checked_count(
        &self,
        field: &'static str,
        count: u64,
        item_size: usize,
        available: usize,
    ) -> Result<usize, FormatError> {
        let size = count.checked_mul(item_size as u64);
        match (size, usize::try_from(count)) {
            (Some(size), Ok(count)) if size <= available as u64 => Ok(count),
            _ => Err(self.error(
                field,
                FormatErrorKind::CountTooLarge {
                    count,
                    item_size: item_size as u64,
                    available: available as u64,
                },
            )),
        }
    }

    /// A reader over `len` bytes at `position` of this reader's data; this cursor does not move.
    pub fn sub(
        &self,
        field: &'static str,
        position: usize,
        len: usize,
    ) -> Result<Reader<'a>, FormatError> {
        let base = self.base.saturating_add(position as u64);
        let slice = position
            .checked_add(len)
            .and_then(|end| self.data.get(position..end));
        match slice {
            Some(data) => Ok(Reader::nested(self.format, data, base)),
            None => Err(Reader::nested(self.format, &[], base).error(
                field,
                FormatErrorKind::Truncated {
                    needed: len as u64,
                    available: self.data.len().saturating_sub(position) as u64,
                },
            )),
        }
    }

    /// Ends the reading: bytes that are left are an error.
    pub fn finish(self, field: &'static str) -> Result<(), FormatError> {
        if self.remaining() == 0 {
            return Ok(());
        }
        Err(self.unexpected(
            field,
            "the end of the data",
            format!("{} more bytes", self.remaining()),
        ))
    }

    /// An error at the cursor. Clone the reader before taking a field to report at its start.
    pub fn error(&self, field: impl Into<Cow<'static, str>>, kind: FormatErrorKind) -> FormatError {
        FormatError {
            format: self.format,
            entry: None,
            field: field.into(),
            offset: self.offset(),
            kind,
        }
    }

    /// The error "expected this, found that" at the cursor.
    pub fn unexpected(
        &self,
        field: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
        found: impl ToString,
    ) -> FormatError {
        self.error(field, FormatErrorKind::unexpected(expected, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_count_is_refused_where_it_stands() {
        let data = [0xFF, 0, 0, 0, 1, 2, 3];
        let mut r = Reader::new("bcn", &data);
        let error = r.count("beacon count", 2).unwrap_err();
        assert_eq!(
            error.to_string(),
            "bcn: byte 0x0, beacon count: a count of 255 items of 2 bytes cannot fit in 3 bytes"
        );
    }

    #[test]
    fn a_cut_field_leaves_the_cursor_in_place() {
        let mut r = Reader::nested("bcn", &[1, 2], 16);
        let error = r.u32("radius").unwrap_err();
        assert_eq!(error.offset, 16);
        assert_eq!(
            error.kind,
            FormatErrorKind::Truncated {
                needed: 4,
                available: 2
            }
        );
        assert_eq!(r.u16("radius"), Ok(0x0201));
    }

    #[test]
    fn a_count_that_its_field_cannot_hold_is_refused_with_the_limit() {
        let mut w = Writer::new("bcn");
        assert_eq!(w.checked_count("beacon count", 0xFFFF), Ok(0xFFFF_u16));
        let error = w.count_u16("beacon count", 0x1_0000).unwrap_err();
        assert_eq!(
            error.to_string(),
            "bcn: byte 0x0, beacon count: 65536 does not fit, the field holds at most 65535"
        );
    }

    #[test]
    fn sub_readers_report_offsets_of_the_outermost_file() {
        let data = [0u8; 32];
        let r = Reader::nested("bcn", &data, 100);
        let mut sub = r.sub("payload", 8, 4).unwrap();
        assert_eq!(sub.offset(), 108);
        sub.u32("word").unwrap();
        assert_eq!(sub.u8("after").unwrap_err().offset, 112);
        assert_eq!(
            r.sub("payload", usize::MAX, 2).unwrap_err().field,
            "payload"
        );
    }

    #[test]
    fn padding_reaches_the_alignment_once() {
        let mut w = Writer::new("bcn");
        w.bytes(b"abc");
        w.pad_to(8);
        w.pad_to(8);
        assert_eq!(w.finish(), b"abc\0\0\0\0\0");
    }

    #[test]
    fn what_was_found_is_cut_where_it_is_long() {
        let token = "я".repeat(1 << 20);
        let error = Reader::new("bcn", &[]).unexpected("key", "a name", &token);
        let shown = "я".repeat(MAX_CHARS_FOUND);
        let reported = format!("bcn: byte 0x0, key: expected a name, found {shown}...");
        assert_eq!(error.to_string(), reported);
        let reported = error.in_entry(&token).to_string();
        assert!(
            reported.starts_with(&format!("bcn (entry {shown}...): byte")),
            "{reported}"
        );
    }

    #[test]
    fn entries_nest_in_errors_outermost_first() {
        let error = Reader::new("bcn", &[]).unexpected("magic", "\"BCN1\"", "nothing");
        let error = error.in_entry("inner").in_entry("outer.lib");
        assert_eq!(
            error.to_string(),
            "bcn (entry outer.lib/inner): byte 0x0, magic: expected \"BCN1\", found nothing"
        );
    }
}
