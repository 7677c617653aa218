//! Codecs: readers and writers of bytes that are not records of a fixed size.

use std::borrow::Cow;

use super::{Field, read_all, write_all};
use crate::bytes::{FormatError, FormatErrorKind, Reader, Writer};

/// A number that counts what follows it.
pub trait Length: Field<()> + TryFrom<usize> + TryInto<usize> {}

impl Length for u16 {}
impl Length for u32 {}

/// A reader or a writer: a [`Reader`] fills values from bytes, a [`Writer`] appends the bytes of values.
///
/// One function walks an irregular part of a file with either, so that its fields are listed only once. A reader walks
/// default values, a writer walks a copy, which it leaves unchanged.
pub trait Codec: Sized {
    /// The reader, for what depends on the bytes that follow; `None` for a writer.
    fn reader(&self) -> Option<&Reader<'_>>;

    /// Offset of the next byte from the start of the file.
    fn offset(&self) -> u64;

    /// An error where the codec stands.
    fn error(&self, field: impl Into<Cow<'static, str>>, kind: FormatErrorKind) -> FormatError;

    /// The error "expected this, found that" where the codec stands.
    fn unexpected(
        &self,
        field: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
        found: impl ToString,
    ) -> FormatError {
        self.error(field, FormatErrorKind::unexpected(expected, found))
    }

    /// A field.
    ///
    /// # Errors
    /// The data end before the field does, or it holds what it must not; the value does not fit.
    fn field<T: Field<()>>(&mut self, name: &'static str, value: &mut T)
    -> Result<(), FormatError>;

    /// A length: writes the given one, or reads the stored one, and returns it unchecked.
    ///
    /// # Errors
    /// The data end before it does; the length does not fit.
    fn length<N: Length>(&mut self, name: &'static str, len: usize) -> Result<usize, FormatError>;

    /// As many fields as were counted before.
    ///
    /// # Errors
    /// As of one; the bytes that are left cannot hold them.
    fn fields<T: Field<()>>(
        &mut self,
        name: &'static str,
        values: &mut Vec<T>,
        count: u64,
    ) -> Result<(), FormatError>;

    /// As many bytes as were counted before.
    ///
    /// # Errors
    /// The data end before they do.
    fn bytes(
        &mut self,
        name: &'static str,
        bytes: &mut Vec<u8>,
        len: usize,
    ) -> Result<(), FormatError>;

    /// All bytes up to the end.
    fn rest(&mut self, bytes: &mut Vec<u8>);

    /// A length of items that follow.
    ///
    /// `item_size` is the smallest number of bytes that one item takes.
    ///
    /// # Errors
    /// As of [`Self::length`]; the bytes that are left cannot hold the items. The error stands at the length.
    fn count<N: Length>(
        &mut self,
        name: &'static str,
        len: usize,
        item_size: usize,
    ) -> Result<usize, FormatError> {
        let offset = self.offset();
        let count = self.length::<N>(name, len)?;
        let claim = |r: &Reader<'_>| r.claim(name, count as u64, item_size);
        self.reader()
            .map_or(Ok(count), claim)
            .map_err(|error| FormatError { offset, ..error })
    }

    /// A count of 32 bits, and as many fields.
    ///
    /// # Errors
    /// As of [`Self::count`] and [`Self::fields`].
    fn list<T: Field<()>>(
        &mut self,
        count_name: &'static str,
        name: &'static str,
        values: &mut Vec<T>,
    ) -> Result<(), FormatError> {
        let count = self.count::<u32>(count_name, values.len(), T::size(()))?;
        self.fields(name, values, count as u64)
    }

    /// A count of 32 bits, and as many items of different sizes, of at least `item_size` bytes.
    ///
    /// # Errors
    /// As of [`Self::count`] and of the items.
    fn items<T: Clone + Default>(
        &mut self,
        count_name: &'static str,
        item_size: usize,
        items: &mut Vec<T>,
        mut walk: impl FnMut(&mut Self, &mut T) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let count = self.count::<u32>(count_name, items.len(), item_size)?;
        items.resize(count, T::default());
        items.iter_mut().try_for_each(|item| walk(self, item))
    }
}

impl Codec for Reader<'_> {
    fn reader(&self) -> Option<&Reader<'_>> {
        Some(self)
    }

    fn offset(&self) -> u64 {
        Reader::offset(self)
    }

    fn error(&self, field: impl Into<Cow<'static, str>>, kind: FormatErrorKind) -> FormatError {
        Reader::error(self, field, kind)
    }

    fn field<T: Field<()>>(
        &mut self,
        name: &'static str,
        value: &mut T,
    ) -> Result<(), FormatError> {
        *value = T::read(self, name, ())?;
        Ok(())
    }

    fn length<N: Length>(&mut self, name: &'static str, _: usize) -> Result<usize, FormatError> {
        Ok(N::read(self, name, ())?.try_into().unwrap_or(usize::MAX))
    }

    fn fields<T: Field<()>>(
        &mut self,
        name: &'static str,
        values: &mut Vec<T>,
        count: u64,
    ) -> Result<(), FormatError> {
        let count = self.claim(name, count, T::size(()))?;
        *values = read_all(self, name, count, ())?;
        Ok(())
    }

    fn bytes(
        &mut self,
        name: &'static str,
        bytes: &mut Vec<u8>,
        len: usize,
    ) -> Result<(), FormatError> {
        *bytes = Reader::bytes(self, name, len)?.to_vec();
        Ok(())
    }

    fn rest(&mut self, bytes: &mut Vec<u8>) {
        *bytes = Reader::rest(self).to_vec();
    }
}

impl Codec for Writer {
    fn reader(&self) -> Option<&Reader<'_>> {
        None
    }

    fn offset(&self) -> u64 {
        Writer::offset(self)
    }

    fn error(&self, field: impl Into<Cow<'static, str>>, kind: FormatErrorKind) -> FormatError {
        Writer::error(self, field, kind)
    }

    fn field<T: Field<()>>(
        &mut self,
        name: &'static str,
        value: &mut T,
    ) -> Result<(), FormatError> {
        value.write(self, name, ())
    }

    fn length<N: Length>(&mut self, name: &'static str, len: usize) -> Result<usize, FormatError> {
        self.checked_count::<N>(name, len)?.write(self, name, ())?;
        Ok(len)
    }

    fn fields<T: Field<()>>(
        &mut self,
        name: &'static str,
        values: &mut Vec<T>,
        _: u64,
    ) -> Result<(), FormatError> {
        write_all(self, name, values, ())
    }

    fn bytes(&mut self, _: &'static str, bytes: &mut Vec<u8>, _: usize) -> Result<(), FormatError> {
        Writer::bytes(self, bytes);
        Ok(())
    }

    fn rest(&mut self, bytes: &mut Vec<u8>) {
        Writer::bytes(self, bytes);
    }
}
