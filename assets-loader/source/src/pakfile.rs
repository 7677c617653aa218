//! Lump 40: the ZIP archive of what a map brings along (dossier section 10.1).
//!
//! In: the bytes of the lump; offsets in it count from its start. Out: names, and the bytes of entries that are
//! stored, deflated or packed by LZMA. An archive is written back byte for byte; one that was edited keeps the records
//! of all other entries as they were.
//!
//! Deliberately absent: ZIP64, encryption, several disks.

mod record;
#[cfg(test)]
mod tests;
mod unpack;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::members;

use self::record::{EndRecord, central_bytes, local_bytes, read_local};
pub use self::record::{Method, PakEntry};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{FileKind, Format, Input, inherent_methods};
use ironlands_assets_core::report::{Depth, EntryRow, Report};
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_core::vfs::path;

const FORMAT: &str = Pakfile::NAME;
/// Comment of archives by newer compilers.
const XZP1: &[u8; 32] = b"XZP1 0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// A map's own files.
///
/// Equality is that of the bytes.
#[derive(Debug, Clone)]
pub struct Pakfile {
    /// The archive as it was read, or as the last edit made it.
    bytes: Vec<u8>,
    /// In order of the directory.
    entries: Vec<PakEntry>,
    /// Index of the first entry of each name, by [`folded`].
    by_name: HashMap<String, usize>,
    end: EndRecord,
    budget: Budget,
}

/// What a new archive ends with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Comment {
    /// Nothing, as older compilers did.
    None,
    /// `XZP1 0` in 32 bytes, as newer compilers do.
    #[default]
    Xzp1,
}

impl Format for Pakfile {
    type Context = ();

    const NAME: &'static str = "pakfile";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Archive;

    inherent_methods!(read, check);

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok(self.write())
    }

    fn describe(&self, report: &mut Report) {
        report.fact("own files", self.entries.len());
        report.entries = self.entries.iter().map(row).collect();
    }

    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        if input.depth == Depth::Contents {
            let Report {
                entries, findings, ..
            } = report;
            members::check_pakfile(self, 0, entries, findings);
        }
    }
}

fn row(entry: &PakEntry) -> EntryRow {
    EntryRow {
        name: entry.name().to_owned(),
        type_name: match entry.method() {
            Method::Stored => "stored".to_owned(),
            Method::Deflate => "deflate".to_owned(),
            Method::Lzma => "LZMA".to_owned(),
            Method::Other(number) => format!("method {number}"),
        },
        size: entry.size().into(),
        offset: entry.offset(),
        detail: String::new(),
    }
}

impl Pakfile {
    /// Reads an archive, which is one copy of its bytes; nothing is unpacked.
    ///
    /// # Errors
    /// No end record at the very end, a directory that does not end there, records that reach outside of the archive
    /// or overlap, a local header that contradicts the directory. Offsets count from the start of the lump.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_within(data, &Budget::from_file_size(data.len()))
    }

    /// As [`Self::read`]; entries spend from the budget of the map when they are unpacked.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_within(data: &[u8], budget: &Budget) -> Result<Self, FormatError> {
        let end = EndRecord::find(data)?;
        let r = Reader::new(FORMAT, data);
        let mut directory = r.sub("directory", end.directory.start, end.directory.len())?;
        directory.claim("entry count", u64::from(end.n_entries), PakEntry::MIN_SIZE)?;
        let mut entries = (0..end.n_entries)
            .map(|_| PakEntry::read(&mut directory, end.directory.start))
            .collect::<Result<Vec<_>, _>>()?;
        directory.finish("after the last directory entry")?;
        let records = r.sub("records", 0, end.directory.start)?;
        for entry in &mut entries {
            read_local(&records, entry).map_err(|error| error.in_entry(entry.name()))?;
        }
        refuse_overlap(&r, &mut entries, end.directory.start)?;
        let mut by_name = HashMap::new();
        for (idx, entry) in entries.iter().enumerate() {
            by_name.entry(folded(entry.name())).or_insert(idx);
        }
        Ok(Self {
            bytes: data.to_vec(),
            entries,
            by_name,
            end,
            budget: budget.clone(),
        })
    }

    /// Writes the archive: the bytes that were read, or those of the last edit.
    pub fn write(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// A new archive of stored entries in the order given, as the map compilers write it: no times, no extra fields.
    /// The same files make the same bytes everywhere.
    ///
    /// # Errors
    /// A name that breaks the path policy of [`vfs`](ironlands_assets_core::vfs), holds a `\\`, or comes twice but for its case; more
    /// entries or bytes than ZIP counts.
    pub fn draft(files: &[(&str, &[u8])], comment: Comment) -> Result<Self, FormatError> {
        let comment: &[u8] = match comment {
            Comment::None => &[],
            Comment::Xzp1 => XZP1,
        };
        let empty = EndRecord::bytes(0, 0..0, comment)?;
        let records = files.iter().map(|(name, data)| Record::stored(name, data));
        let records = records.collect::<Result<Vec<_>, _>>()?;
        refuse_repeated_names(files)?;
        Self::read_within(&empty, &Budget::default())?.rebuilt(&[], records, comment)
    }

    /// What all entries may unpack to together; that of the map where they were read with it.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// All entries, in order of the directory.
    pub fn entries(&self) -> &[PakEntry] {
        &self.entries
    }

    /// Names of all entries as stored, in order of the directory.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.entries.iter().map(PakEntry::name)
    }

    /// The entry of that name; case of ASCII letters and kind of slash do not matter. Of several the first.
    pub fn find(&self, name: &str) -> Option<&PakEntry> {
        self.entries.get(*self.by_name.get(&folded(name))?)
    }

    /// The bytes of the entry that [`find`](Self::find) finds, unpacked; `None` if there is none.
    ///
    /// # Errors
    /// As [`unpack`](Self::unpack).
    pub fn open(&self, name: &str) -> Result<Option<Vec<u8>>, FormatError> {
        self.find(name).map(|entry| self.unpack(entry)).transpose()
    }

    /// The bytes of an entry of this archive, unpacked, their checksum proved.
    ///
    /// # Errors
    /// An unknown method or encryption, a size beyond what the packed bytes can hold, packed bytes that are damaged,
    /// another size or checksum than promised, more than the budget of the map has left.
    pub fn unpack(&self, entry: &PakEntry) -> Result<Vec<u8>, FormatError> {
        unpack::unpack(&Reader::new(FORMAT, &self.bytes), entry, &self.budget)
            .map_err(|error| error.in_entry(entry.name()))
    }

    /// Comment of the archive.
    pub fn comment(&self) -> &[u8] {
        self.bytes.get(self.end.comment.clone()).unwrap_or_default()
    }

    /// Puts a file into the archive, as [`put_files`](Self::put_files) does.
    ///
    /// # Errors
    /// As [`draft`](Self::draft).
    pub fn replace(&mut self, name: &str, data: &[u8]) -> Result<(), FormatError> {
        self.put_files(&[(name, data)])
    }

    /// Puts files into the archive: each as a stored entry in the place of the one of its name, or after the last. An
    /// entry that has the same content already stays as it is, and so do all other entries, byte for byte, but for
    /// where they lie. Builds the archive once, however many files there are.
    ///
    /// # Errors
    /// As [`draft`](Self::draft).
    pub fn put_files(&mut self, files: &[(&str, &[u8])]) -> Result<(), FormatError> {
        refuse_repeated_names(files)?;
        let mut replaced = HashMap::new();
        let mut added = Vec::new();
        for (name, data) in files {
            let found = self.by_name.get(&folded(name)).copied();
            let known = found.and_then(|idx| Some((idx, self.entries.get(idx)?)));
            match known {
                None => added.push(Record::stored(name, data)?),
                Some((_, entry)) if self.unpack(entry).is_ok_and(|it| it == **data) => {}
                Some((idx, entry)) => {
                    let spelled = match is_allowed(entry.name()) {
                        true => entry.name(),
                        false => name,
                    };
                    replaced.insert(idx, Record::stored(spelled, data)?);
                }
            }
        }
        if replaced.is_empty() && added.is_empty() {
            return Ok(());
        }
        let in_file_order = self.in_file_order();
        let mut order = self.directory_order(&in_file_order);
        let mut records = Vec::with_capacity(in_file_order.len().saturating_add(added.len()));
        for idx in &in_file_order {
            let kept = self.entries.get(*idx).map(|entry| self.record(entry));
            records.extend(replaced.remove(idx).or(kept));
        }
        for record in added {
            order.push(records.len());
            records.push(record);
        }
        *self = self.rebuilt(&order, records, self.comment())?;
        Ok(())
    }

    /// What is unusual: bytes between records, names that come twice or lead outside.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (idx, entry) in self.entries.iter().enumerate() {
            let mut find = |severity, what: &str| {
                let finding = Finding::new(severity, FORMAT, format!("{}: {what}", entry.name()));
                findings.push(finding.at(entry.local.start as u64));
            };
            if self.by_name.get(&folded(entry.name())) != Some(&idx) {
                find(Severity::Warning, "an earlier entry has the name already");
            }
            if path::components(entry.name()).is_err() {
                find(Severity::Error, "the name breaks the path policy");
            }
            if let Method::Other(number) = entry.method() {
                find(
                    Severity::Error,
                    &format!("packed by the unknown method {number}"),
                );
            }
        }
        findings
    }

    /// Indices of entries by where their records lie.
    fn in_file_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|idx| self.entries.get(*idx).map(|entry| entry.local.start));
        order
    }

    /// For each entry of the directory, which record in file order is its own.
    fn directory_order(&self, in_file_order: &[usize]) -> Vec<usize> {
        let mut order = vec![0; in_file_order.len()];
        for (place, idx) in in_file_order.iter().enumerate() {
            if let Some(slot) = order.get_mut(*idx) {
                *slot = place;
            }
        }
        order
    }

    fn record(&self, entry: &PakEntry) -> Record {
        let part =
            |range: &Range<usize>| self.bytes.get(range.clone()).unwrap_or_default().to_vec();
        Record {
            local: part(&entry.local),
            central: part(&entry.central),
        }
    }

    /// An archive of records in file order. `directory` names for each entry of the directory its record; empty, they
    /// come in file order.
    fn rebuilt(
        &self,
        directory: &[usize],
        mut records: Vec<Record>,
        comment: &[u8],
    ) -> Result<Self, FormatError> {
        let mut w = Writer::new(FORMAT);
        let first = self.entries.iter().map(|entry| entry.local.start).min();
        w.bytes(self.bytes.get(..first.unwrap_or(0)).unwrap_or_default());
        for record in &mut records {
            let Ok(offset) = u32::try_from(w.offset()) else {
                return Err(w.too_large("record offset", w.offset(), u64::from(u32::MAX)));
            };
            record.moved_to(offset);
            w.bytes(&record.local);
        }
        let start = w.offset() as usize;
        match directory {
            [] => records.iter().for_each(|record| w.bytes(&record.central)),
            order => order
                .iter()
                .filter_map(|place| records.get(*place))
                .for_each(|record| w.bytes(&record.central)),
        }
        let end = w.offset() as usize;
        w.bytes(&EndRecord::bytes(records.len(), start..end, comment)?);
        Self::read_within(&w.finish(), &self.budget)
    }
}

impl PartialEq for Pakfile {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Pakfile {}

/// The bytes of one entry: local header and data, and what follows up to the next record; and its directory entry.
struct Record {
    local: Vec<u8>,
    central: Vec<u8>,
}

impl Record {
    fn stored(name: &str, data: &[u8]) -> Result<Self, FormatError> {
        if !is_allowed(name) {
            return Err(refused_name(name, "a name within the archive, split by /"));
        }
        Ok(Self {
            local: [local_bytes(name, data)?, data.to_vec()].concat(),
            central: central_bytes(name, data)?,
        })
    }

    fn moved_to(&mut self, offset: u32) {
        let field = self.central.get_mut(record::LOCAL_OFFSET_AT..);
        for (target, byte) in field.into_iter().flatten().zip(offset.to_le_bytes()) {
            *target = byte;
        }
    }
}

/// Whether a new entry may have a name.
fn is_allowed(name: &str) -> bool {
    !name.contains('\\') && path::components(name).is_ok()
}

fn refuse_repeated_names(files: &[(&str, &[u8])]) -> Result<(), FormatError> {
    let mut seen = HashSet::new();
    match files.iter().find(|(name, _)| !seen.insert(folded(name))) {
        Some((name, _)) => Err(refused_name(name, "a name that comes once")),
        None => Ok(()),
    }
}

/// A name as it is looked up.
fn folded(name: &str) -> String {
    name.replace('\\', "/").to_ascii_lowercase()
}

/// Refuses records that overlap, and gives each what follows it up to the next: data descriptors and gaps.
fn refuse_overlap(
    r: &Reader<'_>,
    entries: &mut [PakEntry],
    directory_start: usize,
) -> Result<(), FormatError> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|idx| entries.get(*idx).map(|entry| entry.local.start));
    let mut next_start = directory_start;
    for idx in order.into_iter().rev() {
        let Some(entry) = entries.get_mut(idx) else {
            continue;
        };
        if entry.local.end > next_start {
            let at = r.sub("record", next_start, 0)?;
            let found = format!("{} bytes more", entry.local.end.saturating_sub(next_start));
            let error = at.unexpected("record", "records that do not overlap", found);
            return Err(error.in_entry(entry.name()));
        }
        entry.local.end = next_start;
        next_start = entry.local.start;
    }
    Ok(())
}

fn refused_name(name: &str, expected: &'static str) -> FormatError {
    Writer::new(FORMAT).unexpected("name", expected, format!("\"{}\"", name.escape_debug()))
}
