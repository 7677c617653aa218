//! Records: what lies in a file field after field, declared once.
//!
//! `#[derive(Record)]` makes size, reader, writer and field table of a struct from its declaration; see
//! `ironlands_record_derive`. A record may have several layouts, which a version of the file chooses. What has no fixed
//! size is walked with a [`Codec`].

mod codec;
#[cfg(test)]
mod tests;

pub use ironlands_record_derive::Record;

pub use self::codec::{Codec, Length};

use crate::bytes::{FormatError, Reader, Writer};

/// A record of fixed size for each of its layouts.
pub trait Record: Sized {
    /// What of the record depends on the version of the file; `()` if nothing does.
    type Layout: Copy;

    /// Bytes of a record.
    fn size(layout: Self::Layout) -> usize;

    /// Its fields in order. Those that the layout lacks have size 0.
    fn fields(layout: Self::Layout) -> Vec<FieldPlace>;

    /// Takes a record.
    ///
    /// # Errors
    /// The data end before the record does, or a field holds what it must not.
    fn read(r: &mut Reader<'_>, layout: Self::Layout) -> Result<Self, FormatError>;

    /// Appends a record.
    ///
    /// # Errors
    /// A value does not fit its field in this layout.
    fn write(&self, w: &mut Writer, layout: Self::Layout) -> Result<(), FormatError>;
}

/// Where a field of a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldPlace {
    /// Its name, as in errors.
    pub name: &'static str,
    /// Byte from the start of the record.
    pub offset: usize,
    /// Bytes; 0 if the layout lacks it.
    pub size: usize,
}

/// Places of fields that follow each other without gaps.
pub fn places<const N: usize>(fields: [(&'static str, usize); N]) -> Vec<FieldPlace> {
    let mut end: usize = 0;
    let place = |(name, size)| {
        let offset = end;
        end = end.saturating_add(size);
        FieldPlace { name, offset, size }
    };
    fields.into_iter().map(place).collect()
}

/// A reader at a field, given one at the start of its record, for an error that only shows after the record was read.
pub fn at_field<'a, T: Record>(
    record: &Reader<'a>,
    name: &'static str,
    layout: T::Layout,
) -> Reader<'a> {
    let mut at = record.clone();
    // The record was read, so the bytes before the field are there.
    let _ = at.bytes(name, field_offset::<T>(name, layout));
    at
}

/// Byte of a field from the start of its record.
pub fn field_offset<T: Record>(name: &str, layout: T::Layout) -> usize {
    let place = T::fields(layout).into_iter().find(|it| it.name == name);
    debug_assert!(place.is_some(), "{name} is a field of the record");
    place.map_or(0, |place| place.offset)
}

/// The bytes of records, one after the other.
///
/// # Errors
/// A value does not fit its field.
pub fn encode<T: Record>(
    format: &'static str,
    records: &[T],
    layout: T::Layout,
) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(format);
    for record in records {
        record.write(&mut w, layout)?;
    }
    Ok(w.finish())
}

/// Takes as many fields as were counted before.
///
/// # Errors
/// As of one.
pub fn read_all<Layout: Copy, T: Field<Layout>>(
    r: &mut Reader<'_>,
    name: &'static str,
    count: usize,
    layout: Layout,
) -> Result<Vec<T>, FormatError> {
    (0..count).map(|_| T::read(r, name, layout)).collect()
}

/// Appends fields, one after the other.
///
/// # Errors
/// As of one.
pub fn write_all<Layout: Copy, T: Field<Layout>>(
    w: &mut Writer,
    name: &'static str,
    values: &[T],
    layout: Layout,
) -> Result<(), FormatError> {
    values
        .iter()
        .try_for_each(|value| value.write(w, name, layout))
}

/// A value with a constant size in bytes.
pub trait FixedSize {
    /// Bytes of it.
    const SIZE: usize;
}

impl<T: FixedSize, const N: usize> FixedSize for [T; N] {
    const SIZE: usize = T::SIZE * N;
}

/// A value that can be a field of a record, in a layout that its size may depend on. A record is one, too; its own
/// fields have names.
pub trait Field<Layout>: Sized {
    /// Bytes of the field.
    fn size(layout: Layout) -> usize;

    /// Takes the field.
    ///
    /// # Errors
    /// The data end before the field does, or it holds what it must not.
    fn read(r: &mut Reader<'_>, name: &'static str, layout: Layout) -> Result<Self, FormatError>;

    /// Takes several; the error of data that end is that of the first that is cut.
    ///
    /// # Errors
    /// As of one.
    fn read_array<const N: usize>(
        r: &mut Reader<'_>,
        name: &'static str,
        layout: Layout,
    ) -> Result<[Self; N], FormatError>
    where
        Layout: Copy,
        Self: Copy + Default,
    {
        let mut values = [Self::default(); N];
        for value in &mut values {
            *value = Self::read(r, name, layout)?;
        }
        Ok(values)
    }

    /// Appends the field.
    ///
    /// # Errors
    /// The value does not fit.
    fn write(&self, w: &mut Writer, name: &'static str, layout: Layout) -> Result<(), FormatError>;
}

macro_rules! number_fields {
    ($($ty:ident $(as $bytes:ident)?),*) => {$(
        impl FixedSize for $ty {
            const SIZE: usize = size_of::<$ty>();
        }

        impl Field<()> for $ty {
            fn size((): ()) -> usize {
                Self::SIZE
            }

            fn read(r: &mut Reader<'_>, name: &'static str, (): ()) -> Result<Self, FormatError> {
                r.$ty(name)
            }

            $(
                /// At once: truncation is reported at the start of the value.
                fn read_array<const N: usize>(
                    r: &mut Reader<'_>,
                    name: &'static str,
                    (): (),
                ) -> Result<[Self; N], FormatError> {
                    r.array(name).map(|$bytes: [u8; N]| $bytes.map(|byte| byte as Self))
                }
            )?

            fn write(&self, w: &mut Writer, _: &'static str, (): ()) -> Result<(), FormatError> {
                w.$ty(*self);
                Ok(())
            }
        }
    )*};
}

number_fields!(u8 as bytes, i8 as bytes, u16, i16, u32, i32, u64, f32);

impl<Layout: Copy, T: Field<Layout> + Copy + Default, const N: usize> Field<Layout> for [T; N] {
    fn size(layout: Layout) -> usize {
        T::size(layout).saturating_mul(N)
    }

    fn read(r: &mut Reader<'_>, name: &'static str, layout: Layout) -> Result<Self, FormatError> {
        T::read_array(r, name, layout)
    }

    fn write(&self, w: &mut Writer, name: &'static str, layout: Layout) -> Result<(), FormatError> {
        write_all(w, name, self, layout)
    }
}

/// Makes a type of [`bitflags`](https://docs.rs/bitflags) a field that keeps unknown bits.
#[macro_export]
macro_rules! flag_fields {
    ($($ty:ty: $bits:ident),* $(,)?) => {$(
        impl $crate::record::FixedSize for $ty {
            const SIZE: usize = size_of::<$bits>();
        }

        impl $crate::record::Field<()> for $ty {
            fn size((): ()) -> usize {
                size_of::<$bits>()
            }

            fn read(
                r: &mut $crate::bytes::Reader<'_>,
                name: &'static str,
                (): (),
            ) -> Result<Self, $crate::bytes::FormatError> {
                r.$bits(name).map(Self::from_bits_retain)
            }

            fn write(
                &self,
                w: &mut $crate::bytes::Writer,
                _: &'static str,
                (): (),
            ) -> Result<(), $crate::bytes::FormatError> {
                w.$bits(self.bits());
                Ok(())
            }
        }
    )*};
}
