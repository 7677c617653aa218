//! The container: header, directory and the bytes of 64 lumps (dossier section 1).
//!
//! In: a whole file. Out: the lumps, and privately everything else that the file holds (the order of the lumps, what
//! stands between them and after the last one, offsets of empty lumps), so that [`BspFile::write`] gives an untouched
//! file back byte for byte and an edited one with only the edit and what follows from it changed.
//!
//! Deliberately absent: the meaning of any lump but the offsets in the game lump, which count from the file's start.

mod layout;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use self::layout::Stored;
use super::lump_id::{LumpId, N_LUMPS};
use super::lzma;
use super::patch_file::PatchFile;
use super::records::compiled_version;
use ironlands_assets_core::bytes::{Finding, FormatError, FormatErrorKind, Reader};
use ironlands_assets_core::format::Format;
use ironlands_assets_core::unpack::Budget;

pub(super) const FORMAT: &str = BspFile::NAME;
/// Bytes in front of the first lump.
const HEADER_SIZE: usize = 1036;
const DIRECTORY_OFFSET: usize = 8;
const ENTRY_SIZE: usize = 16;
/// File versions that are read.
const VERSIONS: [u32; 6] = [17, 18, 19, 20, 21, 25];
/// Dark Messiah: version 20, and 4 in the upper half of the word.
const DARK_MESSIAH: u32 = 0x0004_0014;

/// A map as lumps of bytes.
///
/// Equality is that of version, order, revision and lumps; where the lumps lie in the file does not count.
#[derive(Debug, Clone)]
pub struct BspFile {
    /// 17 to 21, or 25.
    pub version: u32,
    /// Order of the words of a directory entry.
    pub order: LumpOrder,
    /// How often the source of the map had been saved.
    pub map_revision: i32,
    lumps: Vec<Lump>,
    /// The bytes after the last lump.
    tail: Vec<u8>,
    budget: Budget,
}

/// Order of the words of a directory entry (section 1.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum LumpOrder {
    /// Offset, length, version.
    #[default]
    Standard,
    /// Version, offset, length: version 21 of Left 4 Dead 2.
    VersionFirst,
}

#[derive(Debug, Clone, Default)]
struct Lump {
    version: u32,
    /// 0: the data is not compressed.
    uncompressed_size: u32,
    data: Vec<u8>,
    stored: Stored,
}

/// A row of the directory.
#[derive(Debug, Clone, Copy)]
struct Entry {
    offset: u32,
    len: u32,
    version: u32,
    uncompressed_size: u32,
}

impl PartialEq for BspFile {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &Lump, b: &Lump| {
            (a.version, a.uncompressed_size) == (b.version, b.uncompressed_size) && a.data == b.data
        };
        (self.version, self.order, self.map_revision)
            == (other.version, other.order, other.map_revision)
            && self.lumps.iter().zip(&other.lumps).all(|(a, b)| same(a, b))
    }
}

impl Eq for BspFile {}

impl BspFile {
    /// First bytes of every file.
    pub(crate) const MAGIC: &[u8] = b"VBSP";

    /// A map without content, of a version that [`Self::read`] takes.
    pub fn new(version: u32) -> Self {
        Self {
            version,
            order: LumpOrder::Standard,
            map_revision: 0,
            lumps: LumpId::ALL
                .map(|id| Lump {
                    version: compiled_version(version, id),
                    ..Lump::default()
                })
                .to_vec(),
            tail: Vec::new(),
            budget: Budget::default(),
        }
    }

    /// Reads a whole file by the strict rules of section 1.5.
    ///
    /// Errors: another format (whose name it gives) or version, a lump that leaves the file, lies in the header or overlaps
    /// another one.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        refuse_other_formats(&r, data)?;
        r.expect("ident", Self::MAGIC)?;
        let version = read_version(&mut r)?;
        let mut words = [[0; 4]; N_LUMPS];
        for word in words.iter_mut().flatten() {
            *word = r.u32("directory")?;
        }
        let map_revision = r.i32("map revision")?;
        let order = order_of(version, &words, data.len());
        let entries: Vec<Entry> = words.iter().map(|row| Entry::new(*row, order)).collect();
        let (stored, tail) = layout::stored(data, &entries)?;
        let lumps = entries.iter().zip(stored).map(|(entry, stored)| {
            let start = entry.offset as usize;
            let end = start.saturating_add(entry.len as usize);
            Lump {
                version: entry.version,
                uncompressed_size: entry.uncompressed_size,
                data: data.get(start..end).unwrap_or_default().to_vec(),
                stored,
            }
        });
        Ok(Self {
            version,
            order,
            map_revision,
            lumps: lumps.collect(),
            tail: tail.to_vec(),
            budget: Budget::from_file_size(data.len()),
        })
    }

    /// Writes the file.
    ///
    /// An untouched one is given back byte for byte. After an edit the lumps keep their order; those that move are
    /// aligned as before and the offsets in the game lump follow. Lumps that are new to the file take the place that
    /// the compilers of its version give them (section 1.9). Errors: a version that is not read, a file of more than
    /// 2 GiB, a game lump that must move and whose directory is broken.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        layout::write(self)
    }

    /// The bytes of a lump as stored, perhaps compressed: [`Self::content`] is not.
    pub fn lump(&self, id: LumpId) -> &[u8] {
        &self.slot(id).data
    }

    /// Version of a lump.
    pub fn lump_version(&self, id: LumpId) -> u32 {
        self.slot(id).version
    }

    /// Whether a lump is stored compressed.
    pub fn is_compressed(&self, id: LumpId) -> bool {
        self.slot(id).uncompressed_size != 0
    }

    /// Where a lump began in the file that was read; 0 if it was in none.
    ///
    /// The offsets in the game lump count from the start of a file in which it begins here. Give this to its reader,
    /// and to its writer before [`Self::set_lump`]; [`Self::write`] moves them to where the lump really lies.
    pub fn lump_offset(&self, id: LumpId) -> u32 {
        self.slot(id).stored.offset
    }

    /// The bytes of a lump, unpacked if it is compressed.
    ///
    /// The game lump and the archive are never compressed as a whole, their members are. Errors: a damaged stream,
    /// a size that differs from the one in the directory, is over 512 MiB or exceeds [the budget](Self::budget).
    pub fn content(&self, id: LumpId) -> Result<Cow<'_, [u8]>, FormatError> {
        let lump = self.slot(id);
        if lump.uncompressed_size == 0 {
            return Ok(Cow::Borrowed(&lump.data));
        }
        let r = Reader::nested(FORMAT, &lump.data, u64::from(lump.stored.offset));
        let data = lzma::unpack(r, Some(lump.uncompressed_size), &self.budget)
            .map_err(|error| error.in_entry(&format!("{id:?}")))?;
        Ok(Cow::Owned(data))
    }

    /// What all lumps, their members and the files of the pakfile may unpack to together.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// A reader over the content of a lump that reports offsets in the file; those of a compressed lump count in its
    /// unpacked bytes.
    pub(super) fn reader<'a>(&self, id: LumpId, content: &'a [u8]) -> Reader<'a> {
        let base = if self.is_compressed(id) {
            0
        } else {
            u64::from(self.lump_offset(id))
        };
        Reader::nested(FORMAT, content, base)
    }

    /// Length of [`Self::content`].
    pub(super) fn content_len(&self, id: LumpId) -> usize {
        let lump = self.slot(id);
        match lump.uncompressed_size {
            0 => lump.data.len(),
            size => size as usize,
        }
    }

    /// Replaces a lump by uncompressed bytes.
    pub fn set_lump(&mut self, id: LumpId, version: u32, data: Vec<u8>) {
        if let Some(lump) = self.lumps.get_mut(id.index()) {
            lump.version = version;
            lump.uncompressed_size = 0;
            lump.data = data;
        }
    }

    /// Replaces a lump by that of a patch file. Errors: it was made for another revision of the map.
    pub fn apply(&mut self, patch: PatchFile) -> Result<(), FormatError> {
        if patch.map_revision != self.map_revision {
            return Err(patch.wrong_revision(self.map_revision));
        }
        self.set_lump(patch.id, patch.version, patch.data);
        Ok(())
    }

    /// What differs from what the compilers write (section 0.4): none of it keeps the file from being read.
    pub fn check(&self) -> Vec<Finding> {
        layout::check(self)
    }

    fn slot(&self, id: LumpId) -> &Lump {
        static NONE: Lump = Lump {
            version: 0,
            uncompressed_size: 0,
            data: Vec::new(),
            stored: Stored::NONE,
        };
        self.lumps.get(id.index()).unwrap_or(&NONE)
    }
}

impl Entry {
    fn new(words: [u32; 4], order: LumpOrder) -> Self {
        let [a, b, c, uncompressed_size] = words;
        let (offset, len, version) = match order {
            LumpOrder::Standard => (a, b, c),
            LumpOrder::VersionFirst => (b, c, a),
        };
        Self {
            offset,
            len,
            version,
            uncompressed_size,
        }
    }

    fn words(self, order: LumpOrder) -> [u32; 4] {
        let Self {
            offset,
            len,
            version,
            uncompressed_size,
        } = self;
        match order {
            LumpOrder::Standard => [offset, len, version, uncompressed_size],
            LumpOrder::VersionFirst => [version, offset, len, uncompressed_size],
        }
    }

    /// Whether the lump lies behind the header and inside of a file.
    fn is_inside(self, file_len: usize) -> bool {
        let end = u64::from(self.offset).saturating_add(u64::from(self.len));
        self.len == 0 || (self.offset as usize >= HEADER_SIZE && end <= file_len as u64)
    }
}

/// Files that are not such maps are named in the error.
fn refuse_other_formats(r: &Reader<'_>, data: &[u8]) -> Result<(), FormatError> {
    let what = match data.first_chunk::<4>() {
        Some(b"IBSP") => "a map of the Quake 2 and 3 family (IBSP)",
        Some(b"PSBV") => "a big-endian map of a console (PSBV)",
        Some(b"rBSP") => "a map of Titanfall (rBSP)",
        Some(b"PK\x03\x04") => "a zip archive, which may hold a map,",
        Some([29 | 30, 0, 0, 0]) => "a map of Quake 1 or GoldSrc",
        _ => return Ok(()),
    };
    Err(r.error("ident", unsupported(what)))
}

fn unsupported(what: impl Into<String>) -> FormatErrorKind {
    FormatErrorKind::Unsupported { what: what.into() }
}

fn read_version(r: &mut Reader<'_>) -> Result<u32, FormatError> {
    let at = r.clone();
    match r.u32("version")? {
        DARK_MESSIAH => Err(at.error("version", unsupported("version 20 of Dark Messiah"))),
        version if VERSIONS.contains(&version) => Ok(version),
        version => Err(at.error("version", unsupported(format!("version {version}")))),
    }
}

/// The order in which all lumps lie inside of the file; standard unless only the other one does.
fn order_of(version: u32, words: &[[u32; 4]; N_LUMPS], file_len: usize) -> LumpOrder {
    let fits = |order| {
        words
            .iter()
            .all(|row| Entry::new(*row, order).is_inside(file_len))
    };
    if version == 21 && !fits(LumpOrder::Standard) && fits(LumpOrder::VersionFirst) {
        LumpOrder::VersionFirst
    } else {
        LumpOrder::Standard
    }
}
