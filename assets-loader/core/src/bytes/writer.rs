//! Little-endian output.

use std::borrow::Cow;

use super::{FormatError, FormatErrorKind};

/// Little-endian output, the twin of [`Reader`](super::Reader).
#[derive(Debug, Clone)]
pub struct Writer {
    format: &'static str,
    out: Vec<u8>,
}

macro_rules! write_number {
    ($($name:ident: $ty:ty),*) => {$(
        #[doc = concat!("Appends a little-endian `", stringify!($ty), "`.")]
        pub fn $name(&mut self, value: $ty) {
            self.out.extend_from_slice(&value.to_le_bytes());
        }
    )*};
}

impl Writer {
    /// An empty output.
    pub fn new(format: &'static str) -> Self {
        Self {
            format,
            out: Vec::new(),
        }
    }

    /// Offset of the next byte from the start of the output.
    pub fn offset(&self) -> u64 {
        self.out.len() as u64
    }

    write_number!(u8: u8, i8: i8, u16: u16, i16: i16, u32: u32, i32: i32, u64: u64, f32: f32);

    /// Appends three `f32`.
    pub fn f32x3(&mut self, value: [f32; 3]) {
        for component in value {
            self.f32(component);
        }
    }

    /// Appends bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Appends a count as `u32`; too many for the field is an error, never a wrap.
    pub fn count(&mut self, field: &'static str, count: usize) -> Result<(), FormatError> {
        let count = self.checked_count(field, count)?;
        self.u32(count);
        Ok(())
    }

    /// A count for a field of a record; too many for the field is an error, never a wrap.
    pub fn checked_count<T: TryFrom<usize>>(
        &self,
        field: &'static str,
        count: usize,
    ) -> Result<T, FormatError> {
        // No field of a count has a sign.
        let limit = u64::MAX >> 64_usize.saturating_sub(size_of::<T>().saturating_mul(8));
        T::try_from(count).map_err(|_| self.too_large(field, count as u64, limit))
    }

    /// Appends a count as `u16`; too many for the field is an error, never a wrap.
    pub fn count_u16(&mut self, field: &'static str, count: usize) -> Result<(), FormatError> {
        let count = self.checked_count(field, count)?;
        self.u16(count);
        Ok(())
    }

    /// Appends zero bytes up to a multiple of `alignment` from the start; 0 pads nothing.
    pub fn pad_to(&mut self, alignment: usize) {
        if let Some(len) = self.out.len().checked_next_multiple_of(alignment) {
            self.out.resize(len, 0);
        }
    }

    /// Overwrites four bytes that were written before. `offset` must lie inside the output.
    pub fn patch_u32(&mut self, offset: usize, value: u32) {
        let end = offset.saturating_add(4);
        let target = self.out.get_mut(offset..end);
        debug_assert!(target.is_some(), "patch_u32 reaches only written bytes");
        if let Some(target) = target {
            target.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// The error that a value does not fit its field.
    pub fn too_large(&self, field: &'static str, value: u64, limit: u64) -> FormatError {
        self.error(field, FormatErrorKind::TooLargeToWrite { value, limit })
    }

    /// An error at the end of the output.
    pub fn error(&self, field: impl Into<Cow<'static, str>>, kind: FormatErrorKind) -> FormatError {
        FormatError {
            format: self.format,
            entry: None,
            field: field.into(),
            offset: self.offset(),
            kind,
        }
    }

    /// The error "expected this, found that" at the end of the output.
    pub fn unexpected(
        &self,
        field: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
        found: impl ToString,
    ) -> FormatError {
        self.error(field, FormatErrorKind::unexpected(expected, found))
    }

    /// The written bytes.
    pub fn finish(self) -> Vec<u8> {
        self.out
    }
}
