//! `*.reg`: an INI file in binary form (dossier section 3).
//!
//! Sections of keys, each a number, a string, or an array of either. In: bytes, or INI text ([`Reg::from_ini`]).
//! Out: the same, either way. Where blocks do not lie as the packer puts them, their places and what lies between
//! them are kept, so that an untouched file is written back byte for byte.
//!
//! Deliberately absent: the meaning of any key.

mod check;
mod conversion;
mod ini;
mod layout;
#[cfg(test)]
mod tests;

use bitflags::bitflags;

use self::layout::{Extents, Layout, Places, SectionPlaces};
pub use super::quoted::CodePage;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{Conversion, FileKind, Format, Match};
use ironlands_assets_core::record::{Codec, Field, Record};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::cmp_names;

const FORMAT: &str = Reg::NAME;
/// The mark that every file begins with.
pub const MAGIC: [u8; 4] = [0xFB, 0x3E, 0xAB, 0x45];
const HEADER_SIZE: usize = MAGIC.len() + size_of::<u16>();
/// The bit of a packed type that makes an array of it.
const IS_ARRAY: u8 = 0x80;

/// A row of the section table, or of a key table.
#[derive(Record)]
struct TableRow {
    #[field("order")]
    order: i16,
    /// Of the section from the start of the file, of the key from that of the section.
    #[field]
    offset: u32,
}

/// A whole file. Equality is that of the sections.
#[derive(Debug, Clone, Default)]
pub struct Reg {
    /// Sections in the order of the section table.
    pub sections: Vec<RegSection>,
    /// Where the blocks lie, if not one after the other.
    layout: Option<Layout>,
}

/// A named group of keys.
#[derive(Debug, Clone, PartialEq)]
pub struct RegSection {
    /// A number of unknown use: a sequence number, or a link of a hash chain. 0, 1, 2 … in new files.
    pub order: i16,
    /// Raw name, CP1251.
    pub name: Vec<u8>,
    /// Keys in the order of the key table.
    pub keys: Vec<RegKey>,
}

/// A named value.
#[derive(Debug, Clone, PartialEq)]
pub struct RegKey {
    /// As [`RegSection::order`].
    pub order: i16,
    /// Raw name, CP1251.
    pub name: Vec<u8>,
    /// Typed by the key's packed type.
    pub value: RegValue,
}

/// What a key holds. An array of one is no single value.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "see above; strings are raw CP1251")]
pub enum RegValue {
    Int(i32),
    Float(f32),
    String(Vec<u8>),
    Ints(Vec<i32>),
    Floats(Vec<f32>),
    Strings(Vec<Vec<u8>>),
}

bitflags! {
    /// Rules of the strict reader (dossier section 3.3) that can be waived, one flag each.
    ///
    /// Never waived: offsets that leave the file, unknown types, blocks that lie over each other.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Bytes that belong to no block.
        const GAPS = 1 << 0;
        /// Blocks that do not follow each other in the order of the tables.
        const BLOCK_ORDER = 1 << 1;
        /// Two sections of one name, or two keys of one name in a section.
        const DUPLICATE_NAME = 1 << 2;
    }
}

impl Tolerance {
    /// No leniency.
    pub const STRICT: Self = Self::empty();
}

impl Format for Reg {
    type Context = ();

    const NAME: &'static str = "reg";
    const EXTENSIONS: &'static [&'static str] = &["reg"];
    const KIND: FileKind = FileKind::Table;

    fn recognize(_name: &str, head: &[u8]) -> Option<Match> {
        head.starts_with(&MAGIC).then_some(Match::Content)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant_with_check, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("sections", self.sections.len());
        let n_keys: usize = self.sections.iter().map(|it| it.keys.len()).sum();
        report.fact("keys", n_keys);
    }

    fn conversions() -> &'static [Conversion] {
        conversion::CONVERSIONS
    }
}

impl PartialEq for Reg {
    fn eq(&self, other: &Self) -> bool {
        self.sections == other.sections
    }
}

impl Reg {
    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// Names the broken rule and its offset in the file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::STRICT)
    }

    /// Reads a whole file, waiving the named rules. [`Self::check`] reports what was waived.
    ///
    /// # Errors
    /// A broken rule that is not waived.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let file = Reader::new(FORMAT, data);
        let mut r = file.clone();
        r.expect("magic", &MAGIC)?;
        let n_sections = r.u16("section count")?;
        let n_sections = r.claim("section count", n_sections.into(), TableRow::SIZE)?;
        let mut extents = Extents::new(data.len());
        let table_end = HEADER_SIZE.saturating_add(n_sections.saturating_mul(TableRow::SIZE));
        extents.add(&file, 0..table_end)?;
        let mut sections = Vec::with_capacity(n_sections);
        let mut places = Vec::with_capacity(n_sections);
        for _ in 0..n_sections {
            let row: TableRow = Field::read(&mut r, "section offset", ())?;
            let (section, place) = RegSection::read(&file, row, &mut extents)?;
            sections.push(section);
            places.push(place);
        }
        let gaps = extents.gaps(&file)?;
        let layout = Layout {
            places: Places {
                sections: places,
                len: data.len(),
            },
            gaps,
        };
        let is_packed = layout.places == Places::packed(&sections);
        let reg = Self {
            sections,
            layout: (!is_packed).then_some(layout),
        };
        match reg.first_problem(tolerance) {
            Some(problem) => Err(problem.into_error()),
            None => Ok(reg),
        }
    }

    /// Writes the file. Blocks stay where they lay as long as none has another size; else they follow each other as
    /// the packer puts them, and bytes of no block are left out.
    ///
    /// # Errors
    /// More than the 16-bit counts and lengths hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let packed = Places::packed(&self.sections);
        let kept = self.layout.as_ref();
        let kept = kept.filter(|layout| layout.places.fit(&self.sections));
        let places = kept.map_or(&packed, |layout| &layout.places);
        let mut file = vec![0; places.len];
        for (start, gap) in kept.into_iter().flat_map(|layout| &layout.gaps) {
            layout::put(&mut file, *start, gap);
        }
        let mut w = Writer::new(FORMAT);
        w.bytes(&MAGIC);
        w.count_u16("section count", self.sections.len())?;
        for (section, place) in self.sections.iter().zip(&places.sections) {
            let row = TableRow {
                order: section.order,
                offset: w.checked_count("section offset", place.offset)?,
            };
            Field::write(&row, &mut w, "section offset", ())?;
            section.write(place, &mut file)?;
        }
        layout::put(&mut file, 0, &w.finish());
        Ok(file)
    }

    /// The value of a key, ASCII case-insensitively; the first if several share the name.
    pub fn get(&self, section: &str, key: &str) -> Option<&RegValue> {
        let is = |name: &[u8], wanted: &str| cmp_names(name, wanted.as_bytes()).is_eq();
        let sections = self.sections.iter();
        let mut keys = sections
            .filter(|it| is(&it.name, section))
            .flat_map(|it| &it.keys);
        Some(&keys.find(|it| is(&it.name, key))?.value)
    }
}

impl RegSection {
    fn read(
        file: &Reader<'_>,
        TableRow { order, offset }: TableRow,
        extents: &mut Extents,
    ) -> Result<(Self, SectionPlaces), FormatError> {
        let offset = offset as usize;
        let mut r = layout::from(file, "section offset", offset)?;
        let mut name = Vec::new();
        let n_keys = walk_head(&mut name, 0, &mut r)?;
        let n_keys = r.claim("key count", n_keys as u64, TableRow::SIZE)?;
        let table_len = n_keys.saturating_mul(TableRow::SIZE);
        let end = offset
            .saturating_add(r.position())
            .saturating_add(table_len);
        extents.add(file, offset..end)?;
        let mut keys = Vec::with_capacity(n_keys);
        let mut key_offsets = Vec::with_capacity(n_keys);
        for _ in 0..n_keys {
            let row: TableRow = Field::read(&mut r, "key offset", ())?;
            let key_offset = row.offset as usize;
            let start = offset.saturating_add(key_offset);
            let mut at_key = layout::from(file, "key offset", start)?;
            let mut key = RegKey {
                order: row.order,
                name: Vec::new(),
                value: RegValue::Int(0),
            };
            key.walk(&mut at_key)?;
            keys.push(key);
            extents.add(file, start..start.saturating_add(at_key.position()))?;
            key_offsets.push(key_offset);
        }
        let section = Self { order, name, keys };
        let places = SectionPlaces {
            offset,
            key_offsets,
            sizes: section.sizes(),
        };
        Ok((section, places))
    }

    fn write(&self, place: &SectionPlaces, file: &mut [u8]) -> Result<(), FormatError> {
        let Self {
            order: _,
            name,
            keys,
        } = self;
        let mut w = Writer::new(FORMAT);
        walk_head(&mut name.clone(), keys.len(), &mut w)?;
        for (key, offset) in keys.iter().zip(&place.key_offsets) {
            let row = TableRow {
                order: key.order,
                offset: w.checked_count("key offset", *offset)?,
            };
            Field::write(&row, &mut w, "key offset", ())?;
            let mut at_key = Writer::new(FORMAT);
            key.clone().walk(&mut at_key)?;
            let start = place.offset.saturating_add(*offset);
            layout::put(file, start, &at_key.finish());
        }
        layout::put(file, place.offset, &w.finish());
        Ok(())
    }

    /// Bytes of the block with name and key table, then those of each key.
    fn sizes(&self) -> Vec<usize> {
        let table = self.keys.len().saturating_mul(TableRow::SIZE);
        let head = self.name.len().saturating_add(4).saturating_add(table);
        let keys = self.keys.iter().map(RegKey::size);
        [head].into_iter().chain(keys).collect()
    }
}

impl RegKey {
    /// Reads or writes everything but the order, which stands in the key table.
    fn walk(&mut self, c: &mut impl Codec) -> Result<(), FormatError> {
        let type_at = c.offset();
        let mut packed_type = self.value.packed_type();
        c.field("packed type", &mut packed_type)?;
        let name_len = c.length::<u16>("key name length", self.name.len())?;
        c.bytes("key name", &mut self.name, name_len)?;
        if packed_type != self.value.packed_type() {
            self.value = RegValue::from_packed_type(packed_type).ok_or_else(|| {
                let expected = "0, 1 or 2, and 0x80 for an array";
                let found = format!("{packed_type:#04x}");
                let at = Reader::nested(FORMAT, &[], type_at);
                at.unexpected("packed type", expected, found)
            })?;
        }
        match &mut self.value {
            RegValue::Int(value) => c.field("value", value),
            RegValue::Float(value) => c.field("value", value),
            RegValue::String(value) => walk_string(value, c),
            RegValue::Ints(values) => walk_array(values, c),
            RegValue::Floats(values) => walk_array(values, c),
            RegValue::Strings(values) => {
                let count = c.length::<u16>("array count", values.len())?;
                if let Some(r) = c.reader() {
                    r.claim("array count", count as u64, size_of::<u16>())?;
                }
                values.resize(count, Vec::new());
                values
                    .iter_mut()
                    .try_for_each(|value| walk_string(value, c))
            }
        }
    }

    fn size(&self) -> usize {
        let value = match &self.value {
            RegValue::Int(_) | RegValue::Float(_) => 4,
            RegValue::String(value) => value.len().saturating_add(2),
            RegValue::Ints(values) => values.len().saturating_mul(4).saturating_add(2),
            RegValue::Floats(values) => values.len().saturating_mul(4).saturating_add(2),
            RegValue::Strings(values) => {
                let sizes = values.iter().map(|value| value.len().saturating_add(2));
                sizes.fold(2, usize::saturating_add)
            }
        };
        value.saturating_add(self.name.len()).saturating_add(3)
    }
}

impl RegValue {
    /// A value of nothing.
    fn from_packed_type(packed_type: u8) -> Option<Self> {
        Some(match packed_type {
            0 => Self::Int(0),
            1 => Self::Float(0.0),
            2 => Self::String(Vec::new()),
            0x80 => Self::Ints(Vec::new()),
            0x81 => Self::Floats(Vec::new()),
            0x82 => Self::Strings(Vec::new()),
            _ => return None,
        })
    }

    fn packed_type(&self) -> u8 {
        match self {
            Self::Int(_) => 0,
            Self::Float(_) => 1,
            Self::String(_) => 2,
            Self::Ints(_) => IS_ARRAY,
            Self::Floats(_) => IS_ARRAY | 1,
            Self::Strings(_) => IS_ARRAY | 2,
        }
    }
}

/// Reads or writes the bytes before the key table of a section; returns the number of keys.
fn walk_head(name: &mut Vec<u8>, n_keys: usize, c: &mut impl Codec) -> Result<usize, FormatError> {
    let n_keys = c.length::<u16>("key count", n_keys)?;
    let name_len = c.length::<u16>("section name length", name.len())?;
    c.bytes("section name", name, name_len)?;
    Ok(n_keys)
}

fn walk_string(value: &mut Vec<u8>, c: &mut impl Codec) -> Result<(), FormatError> {
    let len = c.length::<u16>("string length", value.len())?;
    c.bytes("string", value, len)
}

fn walk_array<T: Field<()>>(values: &mut Vec<T>, c: &mut impl Codec) -> Result<(), FormatError> {
    let count = c.length::<u16>("array count", values.len())?;
    c.fields("array count", values, count as u64)
}
