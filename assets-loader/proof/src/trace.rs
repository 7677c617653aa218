//! The fields of what a codec walks, for records that no declaration describes.

use std::borrow::Cow;

use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::record::{Codec, Field, FieldPlace, Length};

/// A writer that also notes the place of each field.
pub struct Trace {
    writer: Writer,
    fields: Vec<FieldPlace>,
}

impl Trace {
    /// The fields that `walk` writes, and their bytes.
    ///
    /// # Errors
    /// A value does not fit its field.
    pub fn of_walk<T>(
        walk: impl FnOnce(&mut Self) -> Result<T, FormatError>,
    ) -> Result<(Vec<FieldPlace>, Vec<u8>), FormatError> {
        let mut trace = Self {
            writer: Writer::new("trace"),
            fields: Vec::new(),
        };
        walk(&mut trace)?;
        Ok((trace.fields, trace.writer.finish()))
    }

    fn note<T>(
        &mut self,
        name: &'static str,
        write: impl FnOnce(&mut Writer) -> Result<T, FormatError>,
    ) -> Result<T, FormatError> {
        let offset = self.writer.offset() as usize;
        let written = write(&mut self.writer)?;
        let size = self.writer.offset() as usize - offset;
        self.fields.push(FieldPlace { name, offset, size });
        Ok(written)
    }
}

impl Codec for Trace {
    fn reader(&self) -> Option<&Reader<'_>> {
        None
    }

    fn offset(&self) -> u64 {
        self.writer.offset()
    }

    fn error(&self, field: impl Into<Cow<'static, str>>, kind: FormatErrorKind) -> FormatError {
        self.writer.error(field, kind)
    }

    fn field<T: Field<()>>(
        &mut self,
        name: &'static str,
        value: &mut T,
    ) -> Result<(), FormatError> {
        self.note(name, |w| w.field(name, value))
    }

    fn length<N: Length>(&mut self, name: &'static str, len: usize) -> Result<usize, FormatError> {
        self.note(name, |w| w.length::<N>(name, len))
    }

    fn fields<T: Field<()>>(
        &mut self,
        name: &'static str,
        values: &mut Vec<T>,
        _: u64,
    ) -> Result<(), FormatError> {
        let mut values = values.iter_mut();
        values.try_for_each(|value| self.field(name, value))
    }

    fn bytes(
        &mut self,
        name: &'static str,
        bytes: &mut Vec<u8>,
        len: usize,
    ) -> Result<(), FormatError> {
        self.note(name, |w| Codec::bytes(w, name, bytes, len))
    }

    fn rest(&mut self, bytes: &mut Vec<u8>) {
        Codec::rest(&mut self.writer, bytes);
    }
}
