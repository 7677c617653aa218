//! RsLi: packed and encrypted libraries (dossier section 3).
//!
//! Header, encrypted table, payloads, and sometimes a trailer that moves all offsets. In: bytes. Out: entries
//! with their packed payloads, XOR removed, which [`Entry::unpack`] unpacks. The original only reads such
//! files; the writer is for tools and tests. An untouched file is written back byte for byte.
//!
//! Deliberately absent: the meaning of any entry.

mod entry;
mod format;
mod layout;
mod lzhuf;
mod lzss;
mod table;
#[cfg(test)]
mod tests;
mod xor;

use bitflags::bitflags;

pub use self::entry::{Entry, Method};
use self::layout::Layout;
pub use self::lzhuf::LzhPosition;
use self::table::{Row, Table};
use self::xor::KeyStream;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::Format;
use ironlands_assets_core::record::encode;
use ironlands_assets_core::text::cmp_names;
use ironlands_assets_core::unpack::Budget;

/// Name of the format in errors and findings.
pub const FORMAT: &str = RsLi::NAME;
/// The mark that every library begins with.
pub const MAGIC: &[u8; 2] = b"NL";
const VERSION: u8 = 1;
const HEADER_SIZE: usize = 32;
/// The header's mark that the stored sort table is valid.
const PRESORTED: u16 = 0xABBA;
const TRAILER_MAGIC: &[u8; 2] = b"AO";
const TRAILER_SIZE: usize = 6;
const NAME_SIZE: usize = 12;

/// An RsLi library, entries in table order.
///
/// Equality is that of the header, the entries and the trailer; where payloads lie in the file does not count.
#[derive(Debug, Clone, Default)]
pub struct RsLi {
    /// Header fields that are kept as they are.
    pub header: Header,
    /// Entries in table order. They may be pushed, removed and edited freely.
    pub entries: Vec<Entry>,
    /// Overlay of the `AO` trailer, if there is one: added to every stored data offset.
    pub overlay: Option<u32>,
    /// Where everything lay; `None` for a library built from scratch.
    layout: Option<Layout>,
}

/// What the header holds beside mark, version and count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// 0 in known files.
    pub reserved: u8,
    /// Not interpreted; kept.
    pub unknown_06: [u8; 8],
    /// 0xABBA: the stored sort table is valid. Else the reader sorts, and the sorted table is the key table.
    pub presorted: u16,
    /// Not interpreted; kept.
    pub unknown_10: [u8; 4],
    /// Key of the table; only the low 16 bits are used.
    pub xor_seed: u32,
    /// Not interpreted; kept.
    pub unknown_18: [u8; 8],
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// The table is marked as presorted and is no sorted permutation. Names are found by linear scan.
        const SORT_TABLE = 1 << 0;
        /// Entry `INTERF8.TEX`, Deflate, claims one byte beyond the end of the file, as in retail
        /// `sprites.lib` (dossier section 3.4.3).
        const DEFLATE_EOF_PLUS_ONE = 1 << 1;
        /// A stored or XOR entry has more packed than unpacked bytes; the first ones count.
        const STORED_SIZE = 1 << 2;
        /// An LZHUF stream ends early; zero bits follow.
        const LZHUF_INPUT_END = 1 << 3;
    }
}

impl Tolerance {
    /// No leniency. Retail `gamefont.rlb` passes; `sprites.lib` needs [`Self::DEFLATE_EOF_PLUS_ONE`].
    pub const STRICT: Self = Self::empty();
}

impl Default for Header {
    /// A new file's header: zeros, presorted, seed 0.
    fn default() -> Self {
        Self {
            reserved: 0,
            unknown_06: [0; 8],
            presorted: PRESORTED,
            unknown_10: [0; 4],
            xor_seed: 0,
            unknown_18: [0; 8],
        }
    }
}

impl PartialEq for RsLi {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            header,
            entries,
            overlay,
            layout: _,
        } = self;
        *header == other.header && *entries == other.entries && *overlay == other.overlay
    }
}

impl Eq for RsLi {}

impl RsLi {
    /// A library of these entries without a trailer.
    pub fn from_entries(entries: Vec<Entry>) -> Self {
        Self {
            entries,
            ..Self::default()
        }
    }

    /// Reads a whole file by the strict rules. Payloads are not unpacked.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::STRICT)
    }

    /// Reads a whole file, waiving the named rules. [`Self::check`] reports what was waived.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        Self::read_within(data, tolerance, &Budget::from_file_size(data.len()))
    }

    /// As [`Self::read_with`]; entries spend from the budget of the file that the library lies in.
    pub(crate) fn read_within(
        data: &[u8],
        tolerance: Tolerance,
        budget: &Budget,
    ) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let (header, n_entries) = Header::read(&mut r)?;
        let table = Table::read(&mut r, &header, n_entries)?;
        if header.presorted == PRESORTED && !tolerance.contains(Tolerance::SORT_TABLE) {
            table.require_sorted()?;
        }
        let overlay = table.find_trailer(data)?;
        let layout = Layout::from_file(data, table, header.presorted, overlay, tolerance)?;
        let entries = layout.read_entries(data, budget)?;
        Ok(Self {
            header,
            entries,
            overlay,
            layout: Some(layout),
        })
    }

    /// Writes the library.
    ///
    /// As long as the entries have the names and packed sizes that they were read with, everything stays
    /// where it was, and an untouched library gives its file back byte for byte. After other edits it is laid
    /// out as by [`Self::write_canonical`].
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        match &self.layout {
            Some(layout) if layout.fits(self) => layout.write(self),
            _ => self.write_canonical(),
        }
    }

    /// Writes the table presorted and the payloads right behind it, in table order and without alignment.
    ///
    /// Errors: more entries or bytes than the fields hold, an overlay beyond the payloads.
    pub fn write_canonical(&self) -> Result<Vec<u8>, FormatError> {
        let w = Writer::new(FORMAT);
        let n_entries = self.entries.len();
        if n_entries > i16::MAX as usize {
            return Err(w.too_large("entry count", n_entries as u64, i16::MAX as u64));
        }
        let keys = sort_table(&self.entries, Entry::name_bytes);
        let mut position = table_end(n_entries) as u64;
        let mut rows = Vec::with_capacity(n_entries);
        for (entry, key) in self.entries.iter().zip(&keys) {
            let offset = position.checked_sub(u64::from(self.overlay.unwrap_or(0)));
            let fitting = offset.and_then(|offset| u32::try_from(offset).ok());
            let (Some(data_offset), Ok(packed_size)) = (fitting, u32::try_from(entry.packed.len()))
            else {
                return Err(w.too_large("entry data offset", position, u64::from(u32::MAX)));
            };
            rows.push(entry.row(*key, data_offset, packed_size));
            position = position.saturating_add(u64::from(packed_size));
        }
        let header = Header {
            presorted: PRESORTED,
            ..self.header.clone()
        };
        let mut w = header.begin(&rows)?;
        for (entry, key) in self.entries.iter().zip(keys) {
            w.bytes(&entry.encrypted(key));
        }
        write_trailer(self.overlay, &mut w);
        Ok(w.finish())
    }

    /// The entry of that name, ASCII case-insensitively; the first in table order if the table is damaged.
    ///
    /// Binary search as the original does, which knows upper-case names only; then a linear scan, which finds
    /// the others too.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.find_sorted(&name.to_ascii_uppercase()).or_else(|| {
            let is_named = |entry: &Entry| cmp_names(entry.name_bytes(), name).is_eq();
            self.entries.iter().position(is_named)
        })
    }

    /// What breaks a rule of the strict reader, what cannot be unpacked, and what is legal but worth knowing.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.header.reserved != 0 {
            let message = format!("the reserved header byte is {}", self.header.reserved);
            findings.push(Finding::new(Severity::Note, FORMAT, message).at(2));
        }
        for (index, entry) in self.entries.iter().enumerate() {
            findings.extend(entry.check(index));
        }
        if let Some(layout) = &self.layout {
            findings.extend(layout.check());
        }
        findings
    }

    fn find_sorted(&self, name: &[u8]) -> Option<usize> {
        let table = self.layout.as_ref()?.sorted_entries(&self.entries)?;
        let entry_name = |index: &u16| Some(self.entries.get(usize::from(*index))?.name_bytes());
        let at = table.partition_point(|index| entry_name(index).is_some_and(|other| other < name));
        let found = table.get(at)?;
        (entry_name(found)? == name).then_some(usize::from(*found))
    }
}

impl Header {
    fn read(r: &mut Reader<'_>) -> Result<(Self, usize), FormatError> {
        r.expect("magic", MAGIC)?;
        let reserved = r.u8("reserved")?;
        let at_version = r.clone();
        let version = r.u8("version")?;
        if version != VERSION {
            return Err(at_version.unexpected("version", "1", version));
        }
        let at_count = r.clone();
        let n_entries = r.i16("entry count")?;
        let header = Self {
            reserved,
            unknown_06: r.array("unknown_06")?,
            presorted: r.u16("presorted flag")?,
            unknown_10: r.array("unknown_10")?,
            xor_seed: r.u32("xor seed")?,
            unknown_18: r.array("unknown_18")?,
        };
        let Ok(n_entries) = u64::try_from(n_entries) else {
            return Err(at_count.unexpected("entry count", "0 or more", n_entries));
        };
        let claimed = r.claim("entry count", n_entries, Row::SIZE);
        let n_entries = claimed.map_err(|error| FormatError {
            offset: at_count.offset(),
            ..error
        })?;
        Ok((header, n_entries))
    }

    /// A writer that holds header and encrypted table, no more than 32767 rows.
    fn begin(&self, rows: &[Row]) -> Result<Writer, FormatError> {
        let Self {
            reserved,
            unknown_06,
            presorted,
            unknown_10,
            xor_seed,
            unknown_18,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        w.u8(*reserved);
        w.u8(VERSION);
        w.i16(i16::try_from(rows.len()).unwrap_or(i16::MAX));
        w.bytes(unknown_06);
        w.u16(*presorted);
        w.bytes(unknown_10);
        w.u32(*xor_seed);
        w.bytes(unknown_18);
        let mut table = encode(FORMAT, rows, ())?;
        self.table_stream().apply(&mut table);
        w.bytes(&table);
        Ok(w)
    }

    fn table_stream(&self) -> KeyStream {
        let [low, high, ..] = self.xor_seed.to_le_bytes();
        KeyStream::new(u16::from_le_bytes([low, high]))
    }
}

/// The end of header and table.
fn table_end(n_entries: usize) -> usize {
    n_entries
        .saturating_mul(Row::SIZE)
        .saturating_add(HEADER_SIZE)
}

/// Item indices by name, bytewise; at most 32767 items. Element `i` is stored with item `i`.
fn sort_table<T>(items: &[T], name: impl Fn(&T) -> &[u8]) -> Vec<u16> {
    let mut named: Vec<(&[u8], u16)> = items.iter().map(name).zip(0..).collect();
    named.sort();
    named.into_iter().map(|(_, index)| index).collect()
}

fn write_trailer(overlay: Option<u32>, w: &mut Writer) {
    if let Some(overlay) = overlay {
        w.bytes(TRAILER_MAGIC);
        w.u32(overlay);
    }
}
