//! What the files of studio models share: tables that are found by an offset, and a file image that keeps whatever no
//! table covers.
//!
//! A file is kept whole. Reading takes typed tables out of it, writing puts them back where they came from; so unknown
//! parts survive, and an untouched file is written byte for byte as it was read.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::ops::{Deref, DerefMut};

use super::vtx::StripLayout;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::record::Field;

/// Rows that stand one after the other somewhere in a file. They can be changed, but not added or removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table<T> {
    /// As stored: mostly from the start of the record that names the table.
    offset: i32,
    rows: Vec<T>,
}

impl<T> Deref for Table<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.rows
    }
}

impl<T> DerefMut for Table<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }
}

impl<'a, T> IntoIterator for &'a Table<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl<T> Table<T> {
    /// Appends the number of rows and their offset, as the record that names the table stores both.
    pub(super) fn write_place(&self, w: &mut Writer) {
        w.i32(self.count());
        w.i32(self.offset);
    }

    /// The number of rows.
    pub(super) fn count(&self) -> i32 {
        // It was an `i32` when it was read, and no row has been added since.
        i32::try_from(self.rows.len()).unwrap_or(i32::MAX)
    }

    /// Where the table stands, as stored.
    pub(super) fn offset(&self) -> i32 {
        self.offset
    }
}

/// A text that ends with NUL somewhere in a file. It cannot be changed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Text {
    offset: i32,
    bytes: Vec<u8>,
}

impl Text {
    /// The bytes without the NUL.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text; what is not UTF-8 is replaced.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// Where the text stands, as stored.
    pub(super) fn offset(&self) -> i32 {
        self.offset
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

/// The text of a field of fixed length: all before the first NUL.
pub(super) fn text_of(field: &[u8]) -> String {
    let text = field.split(|byte| *byte == 0).next();
    String::from_utf8_lossy(text.unwrap_or_default()).into_owned()
}

/// A row of a [`Table`].
pub(super) trait Row: Sized {
    /// Reads the row that stands at `at` of the file; `r` holds its bytes.
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError>;

    /// Appends all bytes of the row, and puts the tables that it names into `image`.
    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError>;
}

/// A row that names no table and no text.
pub(super) trait PlainRow: Field<()> {
    /// What errors call a row that has no fields with names.
    const NAME: &'static str = "row";
}

impl<T: PlainRow> Row for T {
    fn read(r: &mut Reader<'_>, _: &File<'_>, _: usize) -> Result<Self, FormatError> {
        Field::read(r, T::NAME, ())
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) -> Result<(), FormatError> {
        Field::write(self, w, T::NAME, ())
    }
}

impl PlainRow for u16 {
    const NAME: &'static str = "number";
}

impl PlainRow for [f32; 4] {
    const NAME: &'static str = "vector";
}

/// A text must end within this many bytes, NUL included: the longest path that the engine knows.
const MAX_TEXT: usize = 260;
/// Tables of valid files share no bytes, texts may; a file may be read this many times its length.
const MAX_READS: usize = 4;

/// A file that tables are taken from.
pub(super) struct File<'a> {
    format: &'static str,
    data: &'a [u8],
    /// Bytes that may still be read, so that tables that share their bytes cannot fill the memory.
    budget: Cell<usize>,
    strip_layout: StripLayout,
    /// Values that the vertices of baked light have.
    vertex_parts: i32,
}

impl<'a> File<'a> {
    pub(super) fn new(format: &'static str, data: &'a [u8]) -> Self {
        Self {
            format,
            data,
            budget: Cell::new(data.len().saturating_mul(MAX_READS)),
            strip_layout: StripLayout::Short,
            vertex_parts: 1,
        }
    }

    /// The same file with strips of this layout.
    pub(super) fn with_strips(self, strip_layout: StripLayout) -> Self {
        Self {
            strip_layout,
            ..self
        }
    }

    /// The same file with this many values in each vertex of baked light.
    pub(super) fn with_vertex_parts(self, vertex_parts: i32) -> Self {
        Self {
            vertex_parts,
            ..self
        }
    }

    /// Values that the vertices of baked light have.
    pub(super) fn vertex_parts(&self) -> i32 {
        self.vertex_parts
    }

    /// How long the records of strips are.
    pub(super) fn strip_layout(&self) -> StripLayout {
        self.strip_layout
    }

    /// A reader of `len` bytes at `at`.
    pub(super) fn sub(
        &self,
        field: &'static str,
        at: usize,
        len: usize,
    ) -> Result<Reader<'a>, FormatError> {
        let whole = Reader::new(self.format, self.data);
        let sub = whole.sub(field, at, len)?;
        let Some(left) = self.budget.get().checked_sub(len) else {
            return Err(sub.unexpected(field, "bytes of its own", "bytes of many tables"));
        };
        self.budget.set(left);
        Ok(sub)
    }

    /// The table of `count` rows of `size` bytes, `offset` bytes from `from`. `r` is at the count, for errors.
    pub(super) fn table<T: Row>(
        &self,
        r: &Reader<'_>,
        field: &'static str,
        (count, size): (i32, usize),
        (from, offset): (usize, i32),
    ) -> Result<Table<T>, FormatError> {
        let read = |row: &mut Reader<'a>, at: usize| T::read(row, self, at);
        let rows = self.rows(r, field, (count, size), (from, offset), read)?;
        Ok(Table { offset, rows })
    }

    /// The rows of a table that is not written: as [`Self::table`], each read by a function that also gets where the row
    /// stands.
    pub(super) fn rows<T>(
        &self,
        r: &Reader<'_>,
        field: &'static str,
        (count, size): (i32, usize),
        (from, offset): (usize, i32),
        mut read: impl FnMut(&mut Reader<'a>, usize) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        let Ok(n_rows) = usize::try_from(count) else {
            return Err(r.unexpected(field, "a count", count));
        };
        let mut rows = Vec::new();
        if n_rows == 0 {
            return Ok(rows);
        }
        let at = self.place(r, field, from, offset)?;
        let rest = self.data.len().saturating_sub(at);
        if n_rows > rest.checked_div(size).unwrap_or(0) {
            let kind = FormatErrorKind::CountTooLarge {
                count: n_rows as u64,
                item_size: size as u64,
                available: rest as u64,
            };
            return Err(r.error(field, kind));
        }
        let len = n_rows.saturating_mul(size);
        let mut at_row = at;
        let mut table = self.sub(field, at, len)?;
        for _ in 0..n_rows {
            let mut row = table.sub(field, table.position(), size)?;
            table.bytes(field, size)?;
            rows.push(read(&mut row, at_row)?);
            at_row = at_row.saturating_add(size);
        }
        Ok(rows)
    }

    /// Takes a count and an offset from `r`, and the table that they locate.
    pub(super) fn take_table<T: Row>(
        &self,
        r: &mut Reader<'_>,
        field: &'static str,
        size: usize,
        from: usize,
    ) -> Result<Table<T>, FormatError> {
        let at = r.clone();
        let count = r.i32(field)?;
        let offset = r.i32(field)?;
        self.table(&at, field, (count, size), (from, offset))
    }

    /// Takes an offset from `r`, and the text that stands there.
    pub(super) fn take_text(
        &self,
        r: &mut Reader<'_>,
        field: &'static str,
        from: usize,
    ) -> Result<Text, FormatError> {
        let at_field = r.clone();
        let offset = r.i32(field)?;
        let at = self.place(&at_field, field, from, offset)?;
        let rest = self.data.get(at..).unwrap_or_default();
        let len = rest.iter().take(MAX_TEXT).position(|byte| *byte == 0);
        let Some(len) = len else {
            return Err(at_field.unexpected(field, "a text that ends with NUL", "no end"));
        };
        let bytes = self.sub(field, at, len)?.rest().to_vec();
        Ok(Text { offset, bytes })
    }

    /// As [`Self::take_text`], of a name that offset 0 leaves empty.
    pub(super) fn take_name(
        &self,
        r: &mut Reader<'_>,
        field: &'static str,
        from: usize,
    ) -> Result<String, FormatError> {
        let mut at_field = r.clone();
        match r.i32(field)? {
            0 => Ok(String::new()),
            _ => Ok(self
                .take_text(&mut at_field, field, from)?
                .text()
                .into_owned()),
        }
    }

    /// The place `offset` bytes from `from`, which must lie in the file.
    fn place(
        &self,
        r: &Reader<'_>,
        field: &'static str,
        from: usize,
        offset: i32,
    ) -> Result<usize, FormatError> {
        let at = i64::try_from(from).ok();
        let at = at.and_then(|from| usize::try_from(from.checked_add(offset.into())?).ok());
        match at.filter(|at| *at < self.data.len()) {
            Some(at) => Ok(at),
            None => Err(r.unexpected(field, "an offset into the file", offset)),
        }
    }
}

/// A file that tables are put back into.
pub(super) struct Image {
    format: &'static str,
    bytes: Vec<u8>,
}

impl Image {
    pub(super) fn new(format: &'static str, bytes: &[u8]) -> Self {
        Self {
            format,
            bytes: bytes.to_vec(),
        }
    }

    /// Puts a table back, whose offset counts from `from`.
    pub(super) fn put_table<T: Row>(
        &mut self,
        table: &Table<T>,
        from: usize,
    ) -> Result<(), FormatError> {
        let Some(mut at) = from.checked_add_signed(table.offset as isize) else {
            return Ok(()); // Only a table without rows can stand nowhere.
        };
        for row in table {
            let mut w = Writer::new(self.format);
            row.write(&mut w, self, at)?;
            let bytes = w.finish();
            self.put(at, &bytes);
            at = at.saturating_add(bytes.len());
        }
        Ok(())
    }

    /// Puts bytes back to where they were read.
    pub(super) fn put(&mut self, at: usize, bytes: &[u8]) {
        let target = self.bytes.get_mut(at..at.saturating_add(bytes.len()));
        debug_assert!(target.is_some(), "what was read from the file fits into it");
        if let Some(target) = target {
            target.copy_from_slice(bytes);
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}
