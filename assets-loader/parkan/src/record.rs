//! Rows of the tables that the chunks of terrain and models are, and the vertex streams that both have (dossier
//! section 7.5).

use ironlands_assets_core::bytes::{FormatError, Writer};
use ironlands_assets_core::record::{Field, FixedSize};

/// What a chunk is a table of.
pub(crate) trait Row: Field<()> + FixedSize {
    /// What errors call a row that has no fields with names.
    const NAME: &'static str = "record";
    /// attr3 of a chunk of these rows: their size, as a rule.
    const ATTR3: usize = Self::SIZE;
}

/// A vertex position.
impl Row for [f32; 3] {
    const NAME: &'static str = "position";
}

/// A packed normal.
impl Row for [i8; 4] {
    const NAME: &'static str = "packed normal";
}

/// A packed texture coordinate.
impl Row for [i16; 2] {
    const NAME: &'static str = "packed UV";
}

/// Four bytes of unknown meaning.
impl Row for [u8; 4] {
    const NAME: &'static str = "auxiliary record";
}

/// How opaque a layer is at a vertex.
impl Row for f32 {
    const NAME: &'static str = "weight";
}

/// An index or a word of a map.
impl Row for u16 {
    const NAME: &'static str = "index";
}

/// The bytes of a table.
pub(crate) fn encode<T: Row>(format: &'static str, rows: &[T]) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(format);
    for row in rows {
        row.write(&mut w, T::NAME, ())?;
    }
    Ok(w.finish())
}

/// Byte of row `index` in a payload whose table begins at `start`.
pub(crate) fn record_offset(start: usize, index: usize, size: usize) -> usize {
    start.saturating_add(index.saturating_mul(size))
}
