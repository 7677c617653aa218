//! RES: the archive of Evil Islands, under many extensions (dossier section 2; nesting: 1.3).
//!
//! Header, file data, then a table that is a hash table of names. In: bytes. Out: entries in the order that their
//! data lies in, which is the order that they were put in, and privately everything else that the file holds (slots,
//! chains, gaps, the name blob), so that [`ResArchive::write`] gives an untouched file back byte for byte. After an
//! edit the table is rebuilt.
//!
//! [`ResFile`] is an archive on disk of which only the table is in memory.
//!
//! [`ResArchive::files`] makes folders of archives in archives, [`ResArchive::put_files`] the way back.
//!
//! Deliberately absent: the meaning of any entry.

mod check;
mod data;
mod directory;
mod disk;
mod draft;
mod format;
mod layout;
mod look;
mod nested;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use bitflags::bitflags;

pub use self::data::ResData;
use self::directory::{Directory, Header};
pub use self::disk::ResFile;
pub use self::draft::NamesOrder;
pub(super) use self::format::open_archive;
use self::layout::Layout;
pub use self::nested::UNNAMED;
pub use self::nested::{NestedArchives, NestedFile, Others, is_archive_name};
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::format::Format;
use ironlands_assets_core::text::{cmp_names, decode_cp1251, encode_cp1251};

/// Name of the format in errors and findings.
pub const FORMAT: &str = ResArchive::NAME;
/// The mark that every archive begins with, whatever its extension.
pub const MAGIC: [u8; 4] = [0x3C, 0xE2, 0x9C, 0x01];
/// Data begins at multiples of this.
const ALIGNMENT: usize = 16;

/// An archive, entries in the order of their data.
///
/// Equality is that of the entries; where their data lies does not count.
#[derive(Debug, Clone, Default)]
pub struct ResArchive {
    /// Entries in the order of their data. They may be pushed, removed, reordered and edited freely.
    pub entries: Vec<ResEntry>,
    /// How the name blob is ordered when it is rebuilt.
    pub names_order: NamesOrder,
    /// What else the file held; `None` for an archive built from scratch.
    layout: Option<Layout>,
}

/// A named file of an archive.
///
/// Equality is that of the public fields.
#[derive(Debug, Clone)]
pub struct ResEntry {
    /// Raw CP1251 name; folders are part of it, with `\`.
    pub name: Vec<u8>,
    /// Unix time in seconds.
    pub mtime: u32,
    /// Content.
    pub data: ResData,
    /// Which record of the table it was read from.
    slot: Option<usize>,
}

bitflags! {
    /// Rules of the strict reader (dossier section 2.3) that can be waived, one flag each.
    ///
    /// Never waived: sizes and offsets that leave the file, and data that lies over the table or partly over other
    /// data. Gaps and records that share all of their data are legal and need no flag.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Chains of the hash table that lead outside, into each other or in circles, and entries that are not
        /// reached from the slot of their name. Such entries are found by linear scan. Names with bytes from 0x80
        /// on need no flag: by what rule the original hashes them is not known.
        const CHAINS = 1 << 0;
        /// Two entries of one name. The first one that is reached counts.
        const DUPLICATE_NAME = 1 << 1;
        /// A name of no bytes.
        const EMPTY_NAME = 1 << 2;
        /// Bytes after the name blob.
        const TRAILING_BYTES = 1 << 3;
    }
}

impl Tolerance {
    /// No leniency.
    pub const STRICT: Self = Self::empty();
}

impl PartialEq for ResArchive {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Eq for ResArchive {}

impl ResArchive {
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
        let r = Reader::new(FORMAT, data);
        let header = Header::read_file(&mut r.clone())?;
        let table = header.table(data.len() as u64)?;
        let table_len = table.end.saturating_sub(table.start);
        let mut at_table = r.sub("table", table.start, table_len)?;
        let directory = Directory::read(&header, &mut at_table, data.len() as u64)?;
        if let Some(problem) = directory.first_problem(tolerance) {
            return Err(problem.into_error());
        }
        Ok(Layout::archive(Arc::from(data), directory))
    }

    /// The entry of that name, ASCII case-insensitively: by the hash chain, else by linear scan.
    pub fn find(&self, name: &str) -> Option<&ResEntry> {
        // A name that CP1251 cannot spell is in no archive.
        let index = self.find_bytes(&encode_cp1251(name)?)?;
        self.entries.get(index)
    }

    /// The index of the entry with those bytes as name; see [`Self::find`].
    pub fn find_bytes(&self, name: &[u8]) -> Option<usize> {
        let chained = self.layout.as_ref().and_then(|it| it.find(self, name));
        chained.or_else(|| self.entries.iter().position(|entry| entry.is_named(name)))
    }

    /// Puts in a file: in place of the one of that name, else at the end.
    ///
    /// The time of a replaced one is kept.
    pub fn put(&mut self, name: &[u8], data: Vec<u8>) {
        let index = self.find_bytes(name);
        match index.and_then(|index| self.entries.get_mut(index)) {
            Some(entry) => entry.data = data.into(),
            None => self.entries.push(ResEntry::new(name.to_vec(), data)),
        }
    }

    /// Takes out the file of that name, if there is one.
    pub fn remove(&mut self, name: &[u8]) -> Option<ResEntry> {
        let index = self.find_bytes(name)?;
        Some(self.entries.remove(index))
    }

    /// Writes the archive.
    ///
    /// An untouched archive gives its file back byte for byte. After an edit, table and name blob are rebuilt
    /// (dossier section 2.4); data keeps its order, bytes of no entry stay before the entry that they lay before,
    /// and what was shared stays shared.
    ///
    /// # Errors
    /// More than the 32-bit fields hold, a name of more than 65,535 bytes.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        match &self.layout {
            Some(layout) if layout.is_of(self) => layout.write(self),
            _ => self.write_anew(),
        }
    }
}

impl PartialEq for ResEntry {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            name,
            mtime,
            data,
            slot: _,
        } = self;
        *name == other.name && *mtime == other.mtime && *data == other.data
    }
}

impl Eq for ResEntry {}

impl ResEntry {
    /// A new entry, as old as all new entries, so that the same content gives the same bytes.
    pub fn new(name: Vec<u8>, data: impl Into<ResData>) -> Self {
        Self {
            name,
            mtime: draft::MTIME,
            data: data.into(),
            slot: None,
        }
    }

    /// The name, decoded from CP1251.
    pub fn name_text(&self) -> Cow<'_, str> {
        decode_cp1251(&self.name)
    }

    /// Whether the content is an archive itself (dossier section 1.3).
    pub fn is_archive(&self) -> bool {
        self.data.starts_with(&MAGIC)
    }

    /// Where the data lay in the file that it was read from; 0 for new data.
    pub fn offset(&self) -> u64 {
        self.data.offset()
    }

    fn is_named(&self, name: &[u8]) -> bool {
        cmp_names(&self.name, name).is_eq()
    }
}

/// The hash of a name (dossier section 2.2). Bytes from 0x80 on count as they are.
fn hash(name: &[u8]) -> u32 {
    let lower = name.iter().map(u8::to_ascii_lowercase).map(u32::from);
    lower.fold(0, u32::wrapping_add)
}

/// The slot that the search for a name begins at; `None` in a table without slots.
fn home_slot(name: &[u8], n_slots: usize) -> Option<usize> {
    (hash(name) as usize).checked_rem(n_slots)
}
