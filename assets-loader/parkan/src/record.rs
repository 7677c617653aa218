//! Records of fixed size, which the chunks of terrain and models are tables of, and the vertex streams that
//! both have (dossier section 7.5).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

/// A record of fixed size.
pub(super) trait Record: Sized {
    /// Bytes of a record.
    const SIZE: usize;
    /// attr3 of a chunk of these records: their size, as a rule.
    const ATTR3: usize = Self::SIZE;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError>;

    fn write(&self, w: &mut Writer);
}

/// The bytes of a table.
pub(super) fn encode<T: Record>(format: &'static str, records: &[T]) -> Vec<u8> {
    let mut w = Writer::new(format);
    for record in records {
        record.write(&mut w);
    }
    w.finish()
}

/// Byte of record `index` in a payload whose table begins at `start`.
pub(super) fn record_offset(start: usize, index: usize, size: usize) -> usize {
    start.saturating_add(index.saturating_mul(size))
}

/// A vertex position.
impl Record for [f32; 3] {
    const SIZE: usize = 12;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.f32x3("position")
    }

    fn write(&self, w: &mut Writer) {
        w.f32x3(*self);
    }
}

/// A packed normal.
impl Record for [i8; 4] {
    const SIZE: usize = 4;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        Ok(r.array("packed normal")?.map(u8::cast_signed))
    }

    fn write(&self, w: &mut Writer) {
        w.bytes(&self.map(i8::cast_unsigned));
    }
}

/// A packed texture coordinate.
impl Record for [i16; 2] {
    const SIZE: usize = 4;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        i16s(r, "packed UV")
    }

    fn write(&self, w: &mut Writer) {
        for component in self {
            w.i16(*component);
        }
    }
}

/// Four bytes of unknown meaning.
impl Record for [u8; 4] {
    const SIZE: usize = 4;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.array("auxiliary record")
    }

    fn write(&self, w: &mut Writer) {
        w.bytes(self);
    }
}

/// An index or a word of a map.
impl Record for u16 {
    const SIZE: usize = 2;

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.u16("index")
    }

    fn write(&self, w: &mut Writer) {
        w.u16(*self);
    }
}

/// Takes `N` words.
pub(super) fn u16s<const N: usize>(
    r: &mut Reader<'_>,
    field: &'static str,
) -> Result<[u16; N], FormatError> {
    let mut words = [0; N];
    for word in &mut words {
        *word = r.u16(field)?;
    }
    Ok(words)
}

/// Takes `N` signed words.
pub(super) fn i16s<const N: usize>(
    r: &mut Reader<'_>,
    field: &'static str,
) -> Result<[i16; N], FormatError> {
    Ok(u16s(r, field)?.map(u16::cast_signed))
}
