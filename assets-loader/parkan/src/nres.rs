//! NRes: the archive of the Iron3D engine, of models and of terrain (dossier section 2).
//!
//! Header, data region, directory at the very end. In: bytes. Out: entries in directory order with their
//! payloads, and privately everything else that the file holds (gaps, unindexed regions, the stored sort
//! table), so that [`NRes::write`] gives an untouched file back byte for byte and an edited one with only the
//! edit and what follows from it changed.
//!
//! Deliberately absent: the meaning of any entry, and the original's `raw` open mode, which presents a file
//! that is no NRes as one entry and is no disk format.

mod check;
mod contents;
mod format;
mod layout;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use bitflags::bitflags;

pub(crate) use self::format::inspect_with_entries;
use self::layout::{Layout, Slot};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::Format;
use ironlands_assets_core::text::{cmp_names, decode_cp1251, encode_cp1251, fixed_name, until_nul};

/// Name of the format in errors and findings.
pub const FORMAT: &str = NRes::NAME;
/// The mark that every archive begins with.
pub const MAGIC: &[u8; 4] = b"NRes";
const VERSION: u32 = 0x100;
const HEADER_SIZE: usize = 16;
const ROW_SIZE: usize = 64;
/// Offset of `data_offset` in a directory row.
const ROW_DATA_OFFSET: u64 = 56;
/// Payloads start at multiples of this.
const ALIGNMENT: usize = 8;
const NAME_SIZE: usize = 36;
/// Longest name in bytes: the field keeps one NUL.
pub const MAX_NAME_LEN: usize = NAME_SIZE - 1;

/// An NRes archive, entries in directory order.
///
/// Equality is that of the entries; where the payloads lie in the file does not count.
///
/// ```
/// use ironlands_assets_parkan::nres::{Entry, NRes};
///
/// let entry = Entry::new(u32::from_le_bytes(*b"TEXM"), 0, 0, 0, "grass.0", b"payload".to_vec())?;
/// let data = NRes::from_entries(vec![entry]).write()?;
///
/// let archive = NRes::read(&data)?;
/// let found = archive.find(b"GRASS.0").map(|idx| &archive.entries[idx]);
/// assert_eq!(found.map(|entry| &*entry.data), Some(&b"payload"[..]));
/// assert_eq!(archive.write()?, data, "untouched, it is the same file");
/// # Ok::<(), ironlands_assets_core::bytes::FormatError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct NRes {
    /// Entries in directory order. They may be pushed, removed, reordered and edited freely.
    pub entries: Vec<Entry>,
    /// What else the file held; `None` for an archive built from scratch.
    layout: Option<Layout>,
}

/// One entry: a row of the directory and its payload.
///
/// Equality is that of the public fields.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Resource type: a fourcc or a chunk number.
    pub type_id: u32,
    /// Usually an element count.
    pub attr1: u32,
    /// Format specific.
    pub attr2: u32,
    /// Usually a stride in bytes.
    pub attr3: u32,
    /// All 36 name bytes; those after the first NUL are kept.
    pub name: [u8; NAME_SIZE],
    /// Payload.
    pub data: Vec<u8>,
    /// Where the entry lay in the file it was read from.
    slot: Option<Slot>,
}

bitflags! {
    /// Rules of the strict reader (dossier section 2.4) that can be waived, one flag each.
    ///
    /// Never waived: sizes and offsets that leave the file, and overlapping payloads, which let a small
    /// file claim unbounded memory. Non-zero gaps and unindexed regions are legal and need no flag.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// The sort table is no permutation or gives no sorted order. Names are then found by linear scan.
        const SORT_TABLE = 1 << 0;
        /// A payload starts at an offset that is no multiple of 8.
        const MISALIGNED_PAYLOAD = 1 << 1;
        /// A name fills all 36 bytes without a NUL.
        const UNTERMINATED_NAME = 1 << 2;
    }
}

impl Tolerance {
    /// No leniency; all known retail files pass.
    pub const STRICT: Self = Self::empty();
}

impl PartialEq for NRes {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Eq for NRes {}

impl NRes {
    /// An archive without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// An archive of these entries, to be laid out canonically.
    pub fn from_entries(entries: Vec<Entry>) -> Self {
        Self {
            entries,
            layout: None,
        }
    }

    /// Reads a whole file by the strict rules. Errors name the rule and its offset in the file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::STRICT)
    }

    /// Reads a whole file, waiving the named rules. [`Self::check`] reports what was waived.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let rows = read_rows(data, tolerance)?;
        if !tolerance.contains(Tolerance::SORT_TABLE) {
            check_sort_table(&rows)?;
        }
        let payload_order = disjoint_payloads(&rows)?;
        let layout = Layout::from_file(data, &rows, &payload_order);
        let entries = rows
            .iter()
            .enumerate()
            .map(|(index, row)| row.entry(data, &layout, index))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            entries,
            layout: Some(layout),
        })
    }

    /// Writes the archive, keeping what it can of the file it was read from.
    ///
    /// An untouched archive gives its file back byte for byte. After edits the payloads keep their order in
    /// the file, gaps and unindexed regions stay between the payloads that they lay between, payloads that
    /// move land on multiples of 8, and entries that are new to the file come last; offsets, sizes, the
    /// sort table and the total size are recomputed. Errors: more than the 32-bit fields hold, a new name
    /// without a NUL.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Some(layout) = &self.layout else {
            return self.write_canonical();
        };
        let mut w = Self::begin();
        let offsets = layout.place(&self.entries, &mut w)?;
        let sort_table = match layout.sort_table_if_current(&self.entries) {
            Some(stored) => stored.to_vec(),
            None => sort_table(&self.entries),
        };
        for entry in self.entries.iter().filter(|e| !layout.holds_name_of(e)) {
            entry.require_terminated_name(&w)?;
        }
        self.finish(w, &offsets, &sort_table, |entry| entry.name)
    }

    /// Writes the archive as the original's tools did: payloads in directory order, each padded with zeros
    /// to a multiple of 8, nothing unindexed, zeros after every name.
    pub fn write_canonical(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Self::begin();
        let mut offsets = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            entry.require_terminated_name(&w)?;
            offsets.push(place_payload(entry, &mut w)?);
        }
        self.finish(w, &offsets, &sort_table(&self.entries), Entry::clean_name)
    }

    /// The entry of that name, ASCII case-insensitively; the first in directory order if several share it.
    ///
    /// Binary search by the stored sort table, as the original does; where there is no table or it does not
    /// lead to the name (it is damaged, or names were edited), a linear scan.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.find_sorted(name)
            .or_else(|| self.entries.iter().position(|entry| entry.is_named(name)))
    }

    /// The first entry of that type.
    pub fn find_type(&self, type_id: u32) -> Option<usize> {
        self.entries
            .iter()
            .position(|entry| entry.type_id == type_id)
    }

    fn find_sorted(&self, name: &[u8]) -> Option<usize> {
        let table = self.layout.as_ref()?.sort_table_for(&self.entries)?;
        let entry_at = |sorted: &u32| Some((*sorted as usize, self.entries.get(*sorted as usize)?));
        let lower = table.partition_point(|sorted| {
            entry_at(sorted).is_some_and(|(_, e)| cmp_names(e.name_bytes(), name).is_lt())
        });
        // A stable table names the first of equals first; a merely sorted one may not.
        let equals = table.get(lower..)?.iter().map_while(|sorted| {
            let (index, entry) = entry_at(sorted)?;
            entry.is_named(name).then_some(index)
        });
        equals.min()
    }

    fn begin() -> Writer {
        let mut w = Writer::new(FORMAT);
        w.bytes(&[0; HEADER_SIZE]);
        w
    }

    /// Appends the directory and fills in the header.
    fn finish(
        &self,
        mut w: Writer,
        offsets: &[u32],
        sort_table: &[u32],
        name: impl Fn(&Entry) -> [u8; NAME_SIZE],
    ) -> Result<Vec<u8>, FormatError> {
        let n_entries = self.entries.len();
        let Ok(n_entries) = i32::try_from(n_entries) else {
            return Err(w.too_large("entry count", n_entries as u64, i32::MAX as u64));
        };
        for ((entry, offset), sort_index) in self.entries.iter().zip(offsets).zip(sort_table) {
            let Entry {
                type_id,
                attr1,
                attr2,
                attr3,
                name: _,
                data,
                slot: _,
            } = entry;
            w.u32(*type_id);
            w.u32(*attr1);
            w.u32(*attr2);
            w.count("payload size", data.len())?;
            w.u32(*attr3);
            w.bytes(&name(entry));
            w.u32(*offset);
            w.u32(*sort_index);
        }
        let total_size = offset_field(&w, "total size")?;
        let mut file = w.finish();
        let mut header = Writer::new(FORMAT);
        header.bytes(MAGIC);
        header.u32(VERSION);
        header.i32(n_entries);
        header.u32(total_size);
        for (target, byte) in file.iter_mut().zip(header.finish()) {
            *target = byte;
        }
        Ok(file)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            type_id,
            attr1,
            attr2,
            attr3,
            name,
            data,
            slot: _,
        } = self;
        *type_id == other.type_id
            && *attr1 == other.attr1
            && *attr2 == other.attr2
            && *attr3 == other.attr3
            && *name == other.name
            && *data == other.data
    }
}

impl Eq for Entry {}

impl Entry {
    /// A new entry. The name is stored as CP1251, at most [`MAX_NAME_LEN`] bytes without NUL.
    pub fn new(
        type_id: u32,
        attr1: u32,
        attr2: u32,
        attr3: u32,
        name: &str,
        data: Vec<u8>,
    ) -> Result<Self, FormatError> {
        let w = Writer::new(FORMAT);
        let Some(bytes) = encode_cp1251(name) else {
            return Err(w.unexpected("entry name", "a name of CP1251 characters", name));
        };
        if bytes.len() > MAX_NAME_LEN {
            return Err(w.too_large("entry name", bytes.len() as u64, MAX_NAME_LEN as u64));
        }
        let Some(field) = fixed_name(&bytes, MAX_NAME_LEN) else {
            return Err(w.unexpected("entry name", "a name without NUL", name.escape_default()));
        };
        Ok(Self {
            type_id,
            attr1,
            attr2,
            attr3,
            name: field,
            data,
            slot: None,
        })
    }

    /// The name: its bytes before the first NUL.
    pub fn name_bytes(&self) -> &[u8] {
        until_nul(&self.name)
    }

    /// The name, decoded from CP1251.
    pub fn name_text(&self) -> Cow<'_, str> {
        decode_cp1251(self.name_bytes())
    }

    /// Where the payload lay in the file that the entry was read from; 0 for a new entry.
    pub fn offset(&self) -> u64 {
        self.slot
            .as_ref()
            .map_or(0, |slot| u64::from(slot.data_offset))
    }

    fn is_named(&self, name: &[u8]) -> bool {
        cmp_names(self.name_bytes(), name).is_eq()
    }

    /// The name field with zeros after the name.
    fn clean_name(&self) -> [u8; NAME_SIZE] {
        fixed_name(self.name_bytes(), NAME_SIZE).unwrap_or(self.name)
    }

    fn require_terminated_name(&self, w: &Writer) -> Result<(), FormatError> {
        if self.name.contains(&0) {
            return Ok(());
        }
        Err(w.unexpected(
            "entry name",
            "a NUL within its 36 bytes",
            self.name_text().escape_default(),
        ))
    }
}

/// A directory row as stored.
struct Row {
    /// Offset of the row in the file.
    row_offset: u64,
    type_id: u32,
    attr1: u32,
    attr2: u32,
    size: u32,
    attr3: u32,
    name: [u8; NAME_SIZE],
    data_offset: u32,
    sort_index: u32,
}

impl Row {
    fn read(
        r: &mut Reader<'_>,
        directory_offset: usize,
        tolerance: Tolerance,
    ) -> Result<Self, FormatError> {
        let row_offset = r.offset();
        let type_id = r.u32("entry type")?;
        let attr1 = r.u32("entry attr1")?;
        let attr2 = r.u32("entry attr2")?;
        let size = r.u32("entry size")?;
        let attr3 = r.u32("entry attr3")?;
        let at_name = r.clone();
        let name = r.array("entry name")?;
        if !name.contains(&0) && !tolerance.contains(Tolerance::UNTERMINATED_NAME) {
            let found = name.escape_ascii();
            return Err(at_name.unexpected("entry name", "a NUL within its 36 bytes", found));
        }
        let at_offset = r.clone();
        let data_offset = r.u32("entry data offset")?;
        let sort_index = r.u32("entry sort index")?;
        let row = Self {
            row_offset,
            type_id,
            attr1,
            attr2,
            size,
            attr3,
            name,
            data_offset,
            sort_index,
        };
        if row.start() < HEADER_SIZE || row.end().is_none_or(|end| end > directory_offset) {
            return Err(at_offset.unexpected(
                "entry data offset",
                format!("a payload between bytes 0x10 and {directory_offset:#x}"),
                format!("{size} bytes at {data_offset:#x}"),
            ));
        }
        let aligned = row.start().is_multiple_of(ALIGNMENT);
        if !aligned && !tolerance.contains(Tolerance::MISALIGNED_PAYLOAD) {
            let found = format!("{data_offset:#x}");
            return Err(at_offset.unexpected("entry data offset", "a multiple of 8", found));
        }
        Ok(row)
    }

    fn start(&self) -> usize {
        self.data_offset as usize
    }

    fn end(&self) -> Option<usize> {
        self.start().checked_add(self.size as usize)
    }

    fn entry(&self, data: &[u8], layout: &Layout, index: usize) -> Result<Entry, FormatError> {
        let mut payload =
            Reader::new(FORMAT, data).sub("entry payload", self.start(), self.size as usize)?;
        Ok(Entry {
            type_id: self.type_id,
            attr1: self.attr1,
            attr2: self.attr2,
            attr3: self.attr3,
            name: self.name,
            data: payload.rest().to_vec(),
            slot: Some(layout.slot(index, self.data_offset)),
        })
    }
}

fn read_rows(data: &[u8], tolerance: Tolerance) -> Result<Vec<Row>, FormatError> {
    let mut r = Reader::new(FORMAT, data);
    r.expect("magic", MAGIC)?;
    let at_version = r.clone();
    let version = r.u32("version")?;
    if version != VERSION {
        return Err(at_version.unexpected("version", "0x100", format!("{version:#x}")));
    }
    let at_count = r.clone();
    let n_entries = r.i32("entry count")?;
    let at_total = r.clone();
    let total_size = r.u32("total size")?;
    if total_size as usize != data.len() {
        let expected = format!("the file's {} bytes", data.len());
        return Err(at_total.unexpected("total size", expected, total_size));
    }
    let Ok(n_entries) = u64::try_from(n_entries) else {
        return Err(at_count.unexpected("entry count", "0 or more", n_entries));
    };
    let claimed = r.claim("entry count", n_entries, ROW_SIZE);
    let n_entries = claimed.map_err(|error| FormatError {
        offset: at_count.offset(),
        ..error
    })?;
    let directory_size = n_entries.saturating_mul(ROW_SIZE);
    let directory_offset = data.len().saturating_sub(directory_size);
    let mut directory = r.sub("directory", directory_offset, directory_size)?;
    let mut rows = Vec::with_capacity(n_entries);
    for _ in 0..n_entries {
        rows.push(Row::read(&mut directory, directory_offset, tolerance)?);
    }
    Ok(rows)
}

/// The table `sorted position -> entry index` must be a permutation and give names in order.
fn check_sort_table(rows: &[Row]) -> Result<(), FormatError> {
    let mut seen = vec![false; rows.len()];
    let mut previous: Option<&Row> = None;
    for row in rows {
        let at = Reader::nested(FORMAT, &[], row.row_offset.saturating_add(60));
        let expected = "each entry once, in the order of names";
        let target = row.sort_index as usize;
        let (Some(seen), Some(named)) = (seen.get_mut(target), rows.get(target)) else {
            let found = format!("entry {target} of {}", rows.len());
            return Err(at.unexpected("entry sort index", expected, found));
        };
        if std::mem::replace(seen, true) {
            let found = format!("entry {target} twice");
            return Err(at.unexpected("entry sort index", expected, found));
        }
        let out_of_order = previous.is_some_and(|previous| {
            cmp_names(until_nul(&previous.name), until_nul(&named.name)).is_gt()
        });
        if out_of_order {
            let found = format!("\"{}\" too late", until_nul(&named.name).escape_ascii());
            return Err(at.unexpected("entry sort index", expected, found));
        }
        previous = Some(named);
    }
    Ok(())
}

/// Indices of the rows with a payload, by offset. Payloads that share a byte are refused, before any is copied.
fn disjoint_payloads(rows: &[Row]) -> Result<Vec<usize>, FormatError> {
    let mut order: Vec<(&Row, usize)> = rows
        .iter()
        .zip(0..)
        .filter(|(row, _)| row.size > 0)
        .collect();
    order.sort_by_key(|(row, _)| row.data_offset);
    for pair in order.windows(2) {
        let &[(first, first_index), (second, _)] = pair else {
            continue;
        };
        if first.end().is_some_and(|end| end > second.start()) {
            let at = second.row_offset.saturating_add(ROW_DATA_OFFSET);
            return Err(Reader::nested(FORMAT, &[], at).unexpected(
                "entry data offset",
                "payloads that share no byte",
                format!(
                    "{:#x} inside the payload of entry {first_index}",
                    second.data_offset
                ),
            ));
        }
    }
    Ok(order.into_iter().map(|(_, index)| index).collect())
}

/// Entry indices in the order of names; equal names keep their order, as the original's bubble sort does.
fn sort_table(entries: &[Entry]) -> Vec<u32> {
    let mut named: Vec<(&[u8], u32)> = entries.iter().map(Entry::name_bytes).zip(0..).collect();
    named.sort_by(|(a, _), (b, _)| cmp_names(a, b));
    named.into_iter().map(|(_, index)| index).collect()
}

/// Appends a payload, aligned and padded with zeros; returns its offset.
fn place_payload(entry: &Entry, w: &mut Writer) -> Result<u32, FormatError> {
    w.pad_to(ALIGNMENT);
    let offset = offset_field(w, "entry data offset")?;
    w.bytes(&entry.data);
    w.pad_to(ALIGNMENT);
    Ok(offset)
}

/// The end of the output as a 32-bit field.
fn offset_field(w: &Writer, field: &'static str) -> Result<u32, FormatError> {
    u32::try_from(w.offset()).map_err(|_| w.too_large(field, w.offset(), u64::from(u32::MAX)))
}
