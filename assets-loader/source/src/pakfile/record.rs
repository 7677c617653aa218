//! The records of a ZIP archive: local header, directory entry, end record.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::WINDOWS_1252;

use super::FORMAT;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};

const LOCAL_MAGIC: &[u8; 4] = b"PK\x03\x04";
const CENTRAL_MAGIC: &[u8; 4] = b"PK\x01\x02";
const END_MAGIC: &[u8; 4] = b"PK\x05\x06";
const END_SIZE: usize = 22;
/// Where a directory entry says where its record lies.
pub(super) const LOCAL_OFFSET_AT: usize = 42;
/// The versions that writers of maps state, of themselves and for readers.
const MADE_BY: u16 = 20;
const VERSION_NEEDED: u16 = 10;
/// General purpose flags.
const ENCRYPTED: u16 = 1 << 0;
const SIZES_FOLLOW: u16 = 1 << 3;
const UTF8_NAME: u16 = 1 << 11;

/// One entry of the directory, and where its record lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PakEntry {
    name: String,
    flags: u16,
    method: Method,
    crc32: u32,
    packed_size: u32,
    size: u32,
    /// Local header, data, and what follows up to the next record.
    pub(super) local: Range<usize>,
    /// The packed bytes.
    pub(super) data: Range<usize>,
    /// The directory entry itself.
    pub(super) central: Range<usize>,
}

/// How an entry is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// 0: as it is.
    Stored,
    /// 8: Deflate.
    Deflate,
    /// 14: LZMA.
    Lzma,
    /// Any other, by number.
    Other(u16),
}

impl PakEntry {
    pub(super) const MIN_SIZE: usize = 46;

    /// The name as stored; bytes that are no UTF-8 are taken for Windows-1252.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it is packed.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Number of bytes when unpacked, as promised.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Number of bytes in the archive.
    pub fn packed_size(&self) -> u32 {
        self.packed_size
    }

    /// Where its packed bytes begin, from the start of the archive.
    pub fn offset(&self) -> u64 {
        self.data.start as u64
    }

    /// Checksum of the unpacked bytes, as promised.
    pub fn crc32(&self) -> u32 {
        self.crc32
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.flags & ENCRYPTED != 0
    }

    /// Reads a directory entry. Where the data lies is known only after [`read_local`].
    pub(super) fn read(r: &mut Reader<'_>, directory_start: usize) -> Result<Self, FormatError> {
        let start = directory_start.saturating_add(r.position());
        r.expect("directory entry magic", CENTRAL_MAGIC)?;
        r.u16("version made by")?;
        r.u16("version needed")?;
        let flags = r.u16("flags")?;
        let at_method = r.clone();
        let method = Method::from_number(r.u16("method")?);
        r.u32("time and date")?;
        let crc32 = r.u32("checksum")?;
        let at_size = r.clone();
        let packed_size = r.u32("packed size")?;
        let size = r.u32("size")?;
        let n_name = r.u16("name length")?;
        let n_extra = r.u16("extra length")?;
        let n_comment = r.u16("comment length")?;
        let disk = r.clone();
        if r.u16("disk")? != 0 {
            return Err(unsupported(&disk, "disk", "an archive of several disks"));
        }
        r.u16("internal attributes")?;
        r.u32("external attributes")?;
        let local_start = r.u32("record offset")? as usize;
        let name = decoded(r.bytes("name", n_name.into())?).into_owned();
        r.bytes("extra field", n_extra.into())?;
        r.bytes("comment", n_comment.into())?;
        if [packed_size, size].contains(&u32::MAX) {
            return Err(unsupported(&at_size, "packed size", "ZIP64").in_entry(&name));
        }
        if method == Method::Stored && packed_size != size {
            let error = at_method.unexpected("size", "the packed size, for it is stored", size);
            return Err(error.in_entry(&name));
        }
        Ok(Self {
            name,
            flags,
            method,
            crc32,
            packed_size,
            size,
            local: local_start..local_start,
            data: 0..0,
            central: start..directory_start.saturating_add(r.position()),
        })
    }
}

impl Method {
    fn from_number(number: u16) -> Self {
        match number {
            0 => Self::Stored,
            8 => Self::Deflate,
            14 => Self::Lzma,
            other => Self::Other(other),
        }
    }
}

/// Reads the local header of an entry, which must agree with the directory, and notes where its data lies.
///
/// `records` are all bytes before the directory.
pub(super) fn read_local(records: &Reader<'_>, entry: &mut PakEntry) -> Result<(), FormatError> {
    let start = entry.local.start;
    let n_left = records.remaining().saturating_sub(start);
    let mut r = records.sub("record", start, n_left)?;
    r.expect("record magic", LOCAL_MAGIC)?;
    r.u16("version needed")?;
    agree(&mut r, "flags", |r| r.u16("flags"), entry.flags)?;
    agree(
        &mut r,
        "method",
        |r| Ok(Method::from_number(r.u16("method")?)),
        entry.method,
    )?;
    r.u32("time and date")?;
    let fields = [
        ("checksum", entry.crc32),
        ("packed size", entry.packed_size),
        ("size", entry.size),
    ];
    for (field, in_directory) in fields {
        let at = r.clone();
        let here = r.u32(field)?;
        let follows = entry.flags & SIZES_FOLLOW != 0 && here == 0;
        if here != in_directory && !follows {
            return Err(at.unexpected(field, format!("{in_directory} as in the directory"), here));
        }
    }
    let n_name = r.u16("name length")?;
    let n_extra = r.u16("extra length")?;
    agree(
        &mut r,
        "name",
        |r| Ok(decoded(r.bytes("name", n_name.into())?).into_owned()),
        entry.name.clone(),
    )?;
    r.bytes("extra field", n_extra.into())?;
    let data_start = start.saturating_add(r.position());
    r.bytes("data", entry.packed_size as usize)?;
    entry.data = data_start..start.saturating_add(r.position());
    entry.local = start..entry.data.end;
    Ok(())
}

/// Takes a field that must be the same as in the directory.
fn agree<'a, T: PartialEq + std::fmt::Debug>(
    r: &mut Reader<'a>,
    field: &'static str,
    take: impl FnOnce(&mut Reader<'a>) -> Result<T, FormatError>,
    in_directory: T,
) -> Result<(), FormatError> {
    let at = r.clone();
    let here = take(r)?;
    if here == in_directory {
        return Ok(());
    }
    let expected = format!("{in_directory:?} as in the directory");
    Err(at.unexpected(field, expected, format!("{here:?}")))
}

/// The end of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EndRecord {
    pub(super) n_entries: u16,
    pub(super) directory: Range<usize>,
    pub(super) comment: Range<usize>,
}

impl EndRecord {
    /// Finds the end record: the last whose comment ends with the archive.
    pub(super) fn find(data: &[u8]) -> Result<Self, FormatError> {
        let r = Reader::new(FORMAT, data);
        let Some(last) = data.len().checked_sub(END_SIZE) else {
            return Err(r.error(
                "end record",
                FormatErrorKind::Truncated {
                    needed: END_SIZE as u64,
                    available: data.len() as u64,
                },
            ));
        };
        let first = last.saturating_sub(usize::from(u16::MAX));
        let start = (first..=last).rev().find(|start| {
            let tail = data.get(*start..).unwrap_or_default();
            let comment_len = [tail.get(20), tail.get(21)].map(|byte| byte.copied().unwrap_or(0));
            let promised = usize::from(u16::from_le_bytes(comment_len)).saturating_add(END_SIZE);
            tail.starts_with(END_MAGIC) && tail.len() == promised
        });
        match start {
            Some(start) => Self::read(&r, start, data.len()),
            None => {
                let r = r.sub("end record", last, END_SIZE)?;
                Err(r.unexpected(
                    "end record",
                    "\"PK\\x05\\x06\" where the archive ends",
                    "none",
                ))
            }
        }
    }

    fn read(outer: &Reader<'_>, start: usize, archive_len: usize) -> Result<Self, FormatError> {
        let mut r = outer.sub("end record", start, archive_len.saturating_sub(start))?;
        r.expect("end record magic", END_MAGIC)?;
        let at_disk = r.clone();
        let disks = [r.u16("disk")?, r.u16("disk of the directory")?];
        let at_count = r.clone();
        let n_here = r.u16("entry count on this disk")?;
        let n_entries = r.u16("entry count")?;
        if disks != [0, 0] {
            return Err(unsupported(&at_disk, "disk", "an archive of several disks"));
        }
        if n_here != n_entries {
            let expected = format!("{n_entries}, the count of entries");
            return Err(at_count.unexpected("entry count on this disk", expected, n_here));
        }
        let at_size = r.clone();
        let directory_size = r.u32("directory size")? as usize;
        let directory_start = r.u32("directory offset")? as usize;
        let directory_end = directory_start.checked_add(directory_size);
        if directory_end != Some(start) {
            let expected = format!("a directory that ends at {start:#x}");
            let found = format!("{directory_size:#x} bytes at {directory_start:#x}");
            return Err(at_size.unexpected("directory size", expected, found));
        }
        r.u16("comment length")?;
        Ok(Self {
            n_entries,
            directory: directory_start..start,
            comment: start.saturating_add(END_SIZE)..archive_len,
        })
    }

    pub(super) fn bytes(
        n_entries: usize,
        directory: Range<usize>,
        comment: &[u8],
    ) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        w.bytes(END_MAGIC);
        w.u32(0);
        w.count_u16("entry count on this disk", n_entries)?;
        w.count_u16("entry count", n_entries)?;
        w.count("directory size", directory.len())?;
        w.count("directory offset", directory.start)?;
        w.count_u16("comment length", comment.len())?;
        w.bytes(comment);
        Ok(w.finish())
    }
}

/// The local header of a stored entry.
pub(super) fn local_bytes(name: &str, data: &[u8]) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(FORMAT);
    w.bytes(LOCAL_MAGIC);
    common_bytes(&mut w, name, data)?;
    w.bytes(name.as_bytes());
    Ok(w.finish())
}

/// The directory entry of a stored entry at the start of the archive.
pub(super) fn central_bytes(name: &str, data: &[u8]) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(FORMAT);
    w.bytes(CENTRAL_MAGIC);
    w.u16(MADE_BY);
    common_bytes(&mut w, name, data)?;
    w.u16(0); // comment length
    w.u16(0); // disk
    w.u16(0); // internal attributes
    w.u32(0); // external attributes
    w.u32(0); // record offset
    w.bytes(name.as_bytes());
    Ok(w.finish())
}

/// What local header and directory entry have in common: from the version needed to the length of the extra field.
fn common_bytes(w: &mut Writer, name: &str, data: &[u8]) -> Result<(), FormatError> {
    w.u16(VERSION_NEEDED);
    w.u16(if name.is_ascii() { 0 } else { UTF8_NAME });
    w.u16(0); // stored
    w.u32(0); // time and date
    w.u32(crc32fast::hash(data));
    w.count("packed size", data.len())?;
    w.count("size", data.len())?;
    w.count_u16("name length", name.len())?;
    w.u16(0); // extra length
    Ok(())
}

fn decoded(name: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(name) {
        Ok(name) => name.into(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(name).0,
    }
}

fn unsupported(r: &Reader<'_>, field: &'static str, what: &str) -> FormatError {
    r.error(
        field,
        FormatErrorKind::Unsupported {
            what: what.to_owned(),
        },
    )
}
