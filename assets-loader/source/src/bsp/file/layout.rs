//! Where lumps lie in a file: what was read is kept, what is edited is laid out again (dossier sections 1.5, 1.9).

use super::super::lump_id::LumpId;
use super::{
    BspFile, DIRECTORY_OFFSET, ENTRY_SIZE, Entry, FORMAT, HEADER_SIZE, Lump, VERSIONS, unsupported,
};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};

/// Lumps begin at multiples of this.
const ALIGNMENT: usize = 4;
/// The archive of a compressed file begins at a multiple of this.
const PAKFILE_ALIGNMENT: usize = 2048;
/// Size of a row in the directory of the game lump, and where the offset stands in it.
const GAME_ENTRY_SIZE: usize = 16;
const GAME_ENTRY_OFFSET: usize = 8;

/// Where a lump lay in the file that it was read from.
#[derive(Debug, Clone, Default)]
pub(super) struct Stored {
    /// As in the directory; may be anything for an empty lump.
    pub(super) offset: u32,
    len: u32,
    /// The bytes between the lump before it and this one.
    gap: Vec<u8>,
}

impl Stored {
    pub(super) const NONE: Self = Self {
        offset: 0,
        len: 0,
        gap: Vec::new(),
    };

    fn end(&self) -> u64 {
        u64::from(self.offset).saturating_add(u64::from(self.len))
    }
}

/// Where the lumps of a directory lie, and what follows the last one.
pub(super) fn stored<'a>(
    data: &'a [u8],
    entries: &[Entry],
) -> Result<(Vec<Stored>, &'a [u8]), FormatError> {
    let mut stored: Vec<Stored> = entries.iter().map(|entry| entry.stored()).collect();
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&i| entries.get(i).map(|entry| entry.offset));
    let mut end = HEADER_SIZE;
    for index in order {
        let (Some(entry), Some(stored)) = (entries.get(index), stored.get_mut(index)) else {
            continue;
        };
        if entry.len == 0 {
            continue;
        }
        let row = index.saturating_mul(ENTRY_SIZE);
        let at = Reader::nested(FORMAT, &[], row.saturating_add(DIRECTORY_OFFSET) as u64);
        let start = entry.offset as usize;
        if !entry.is_inside(data.len()) {
            let limits = format!("bytes {HEADER_SIZE} to {} of the file", data.len());
            let found = format!("{} bytes at {start}", entry.len);
            return Err(at.unexpected(name(index), limits, found));
        }
        let Some(gap) = data.get(end..start) else {
            let expected = format!("no overlap with the lump that ends at {end}");
            return Err(at.unexpected(name(index), expected, start));
        };
        stored.gap = gap.to_vec();
        end = start.saturating_add(entry.len as usize);
    }
    Ok((stored, data.get(end..).unwrap_or_default()))
}

fn name(index: usize) -> String {
    match LumpId::ALL.get(index) {
        Some(id) => format!("lump {index} ({id:?})"),
        None => format!("lump {index}"),
    }
}

impl Entry {
    fn stored(&self) -> Stored {
        Stored {
            offset: self.offset,
            len: self.len,
            gap: Vec::new(),
        }
    }
}

pub(super) fn write(file: &BspFile) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(FORMAT);
    if !VERSIONS.contains(&file.version) {
        let what = format!("version {}", file.version);
        return Err(w.error("version", unsupported(what)));
    }
    w.bytes(&[0; HEADER_SIZE]);
    // An end in the file that was read; as long as the output ends there too, nothing has moved.
    let mut end = HEADER_SIZE as u64;
    let mut offsets = vec![0; file.lumps.len()];
    for id in physical_order(file) {
        let lump = file.slot(id);
        let is_unmoved = w.offset() == end;
        let offset = write_lump(file, id, is_unmoved, &mut w)?;
        if let Some(slot) = offsets.get_mut(id.index()) {
            *slot = offset;
        }
        if lump.stored.len != 0 {
            end = lump.stored.end();
        }
    }
    if w.offset() == end {
        w.bytes(&file.tail);
    } else {
        w.bytes(without_padding(&file.tail));
        w.pad_to(ALIGNMENT);
    }
    if i32::try_from(w.offset()).is_err() {
        return Err(w.too_large("file size", w.offset(), i32::MAX as u64));
    }
    let mut out = w.finish();
    let header = write_header(file, &offsets);
    for (target, byte) in out.iter_mut().zip(header) {
        *target = byte;
    }
    Ok(out)
}

/// Appends a lump and the bytes before it; the result is its offset.
fn write_lump(
    file: &BspFile,
    id: LumpId,
    is_unmoved: bool,
    w: &mut Writer,
) -> Result<u32, FormatError> {
    let Lump { data, stored, .. } = file.slot(id);
    if data.is_empty() {
        // Old compilers leave here where they stood.
        let here = w.offset().next_multiple_of(ALIGNMENT as u64);
        let keeps_place = is_unmoved && stored.len == 0;
        return Ok(if keeps_place {
            stored.offset
        } else {
            u32::try_from(here).unwrap_or(u32::MAX)
        });
    }
    let start = w.offset().saturating_add(stored.gap.len() as u64);
    let keeps_place = is_unmoved && stored.len != 0 && start == u64::from(stored.offset);
    if keeps_place {
        w.bytes(&stored.gap);
    } else {
        w.bytes(without_padding(&stored.gap));
        w.pad_to(alignment(file, id));
    }
    let Ok(offset) = u32::try_from(w.offset()) else {
        return Err(w.too_large("lump offset", w.offset(), u64::from(u32::MAX)));
    };
    if id == LumpId::GameLump && offset != stored.offset {
        w.bytes(&moved_game_lump(data, stored.offset, offset)?);
    } else {
        w.bytes(data);
    }
    Ok(offset)
}

/// Bytes between lumps that are not zeros.
fn without_padding(gap: &[u8]) -> &[u8] {
    let len = gap.iter().rposition(|byte| *byte != 0);
    let len = len.map_or(0, |last| last.saturating_add(1));
    gap.get(..len).unwrap_or_default()
}

fn alignment(file: &BspFile, id: LumpId) -> usize {
    let is_packed = file.lumps.iter().any(|lump| lump.uncompressed_size != 0);
    if id == LumpId::Pakfile && is_packed {
        PAKFILE_ALIGNMENT
    } else {
        ALIGNMENT
    }
}

/// The game lump with its offsets moved from a file in which it begins at `old` to one in which it begins at `new`.
///
/// Only offsets into the lump itself are moved: those of empty entries mean nothing, and consoles count from the
/// lump's start.
fn moved_game_lump(data: &[u8], old: u32, new: u32) -> Result<Vec<u8>, FormatError> {
    let r = Reader::nested(FORMAT, data, u64::from(new)); // offsets of errors are those of the output
    let n_entries = r.clone().count("game lump count", GAME_ENTRY_SIZE)?;
    let end = u64::from(old).saturating_add(data.len() as u64);
    let mut moved = data.to_vec();
    for index in 0..n_entries {
        let row = index.saturating_mul(GAME_ENTRY_SIZE).saturating_add(4);
        let mut entry = r.sub("game lump entry", row, GAME_ENTRY_SIZE)?;
        let (id, _flags_and_version) = (entry.u32("id")?, entry.u32("version")?);
        let (offset, len) = (entry.u32("offset")?, entry.u32("length")?);
        let is_dummy = id == 0 && offset != 0;
        let is_inside = offset >= old && u64::from(offset) <= end;
        if !is_inside || (len == 0 && !is_dummy) {
            continue;
        }
        let at = row.saturating_add(GAME_ENTRY_OFFSET);
        let offset = new.wrapping_add(offset.wrapping_sub(old));
        let target = moved.get_mut(at..at.saturating_add(4));
        if let Some(target) = target {
            target.copy_from_slice(&offset.to_le_bytes());
        }
    }
    Ok(moved)
}

/// Lumps in the order in which they stood in the file; those that are new to it where compilers put them. Empty lumps
/// without an offset are left out.
fn physical_order(file: &BspFile) -> Vec<LumpId> {
    let canonical = LumpId::physical_order(file.version, file.order);
    let rank = |id: LumpId| canonical.iter().position(|other| *other == id);
    let mut known: Vec<LumpId> = LumpId::ALL
        .into_iter()
        .filter(|id| file.slot(*id).stored.offset != 0)
        .collect();
    known.sort_by_key(|id| {
        let stored = &file.slot(*id).stored;
        (stored.offset, stored.len != 0, rank(*id))
    });
    for id in &canonical {
        let lump = file.slot(*id);
        if lump.stored.offset == 0 && !lump.data.is_empty() {
            let next = known.iter().position(|other| rank(*other) > rank(*id));
            known.insert(next.unwrap_or(known.len()), *id);
        }
    }
    known
}

fn write_header(file: &BspFile, offsets: &[u32]) -> Vec<u8> {
    let mut w = Writer::new(FORMAT);
    w.bytes(b"VBSP");
    w.u32(file.version);
    for (lump, offset) in file.lumps.iter().zip(offsets) {
        let entry = Entry {
            offset: *offset,
            len: u32::try_from(lump.data.len()).unwrap_or(u32::MAX), // the file would be too large
            version: lump.version,
            uncompressed_size: lump.uncompressed_size,
        };
        for word in entry.words(file.order) {
            w.u32(word);
        }
    }
    w.i32(file.map_revision);
    w.finish()
}

pub(super) fn check(file: &BspFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    for id in LumpId::ALL {
        let stored = &file.slot(id).stored;
        if stored.len == 0 {
            continue;
        }
        let begins = stored.offset;
        if !(begins as usize).is_multiple_of(ALIGNMENT) {
            let message = format!("lump {id:?} begins at no multiple of {ALIGNMENT}");
            findings.push(warning(message).at(u64::from(begins)));
        }
        let gap_offset = u64::from(begins).saturating_sub(stored.gap.len() as u64);
        if stored.gap.iter().any(|byte| *byte != 0) {
            let message = format!(
                "{} bytes before lump {id:?} belong to no lump",
                stored.gap.len()
            );
            findings.push(warning(message).at(gap_offset));
        } else if stored.gap.len() >= ALIGNMENT && id != LumpId::Pakfile {
            let message = format!("{} zero bytes before lump {id:?}", stored.gap.len());
            findings.push(Finding::new(Severity::Note, FORMAT, message).at(gap_offset));
        }
    }
    if file.tail.len() >= ALIGNMENT || file.tail.iter().any(|byte| *byte != 0) {
        let message = format!("{} bytes follow the last lump", file.tail.len());
        findings.push(warning(message));
    }
    findings
}

fn warning(message: String) -> Finding {
    Finding::new(Severity::Warning, FORMAT, message)
}
