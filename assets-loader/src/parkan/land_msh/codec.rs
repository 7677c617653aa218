//! The whole file: chunks to tables and back.

use super::links::{BrokenLink, Place, broken_links, repair_links};
use super::{FORMAT, LandMsh, Node, Slot, SlotHeader, Tolerance};
use crate::bytes::{Finding, FormatError, FormatErrorKind, Reader, Severity, Writer};
use crate::parkan::chunk::{self, Chunk, RowField};
use crate::parkan::findings::Findings;
use crate::parkan::nres::{self, Entry, NRes};
use crate::parkan::record::{Record, encode};

/// The typed chunks, type and attr3, in the directory order of all known maps.
pub(super) const CHUNKS: [(u32, u32); 9] = [
    (1, 38),
    (2, 68),
    (3, 12),
    (4, 4),
    (5, 4),
    (18, 4),
    (14, 4),
    (11, 4),
    (21, 28),
];

impl LandMsh {
    /// Reads a whole file by the strict rules. Errors name the chunk, the record and the offset in the file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let (land, _) = Self::read_with(data, Tolerance::STRICT)?;
        Ok(land)
    }

    /// Reads a whole file, waiving the named rules; the findings list every repair.
    pub fn read_with(
        data: &[u8],
        tolerance: Tolerance,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        let container = if tolerance.contains(Tolerance::CONTAINER) {
            NRes::read_with(data, nres::Tolerance::all())?
        } else {
            NRes::read(data)?
        };
        let mut findings = Findings::new(FORMAT);
        if tolerance.contains(Tolerance::CONTAINER) {
            findings.extend(container.check());
        }
        let decoder = Decoder {
            file_len: data.len(),
            container,
            tolerance,
        };
        let mut land = decoder.tables(&mut findings)?;
        decoder.settle_links(&mut land, &mut findings)?;
        land.container = decoder.container;
        land.release_chunks();
        Ok((land, findings.into_list()))
    }

    /// Writes the file: chunks in the order of the archive, attributes, names and unknown chunks kept, sizes,
    /// attr1 of the typed chunks and attr2 of type 1 recomputed.
    ///
    /// A typed chunk that the archive lacks is put where all known maps have it, and a type 14 chunk without
    /// [`LandMsh::unknown_14`] is left out. Refuses a value that the strict reader would refuse.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let file = self.filled_container()?.write()?;
        if let Some(broken) = broken_links(self).next() {
            let container = NRes::read_with(&file, nres::Tolerance::all())?;
            return Err(broken.into_error(file.len(), &container));
        }
        Ok(file)
    }

    /// An archive for a terrain that is built, not read: the nine chunks in the order and with the attributes
    /// of all known maps, unnamed and still without payloads, which [`LandMsh::write`] fills in.
    pub fn new_container() -> NRes {
        NRes::from_entries(
            CHUNKS
                .map(|(type_id, attr3)| empty_entry(type_id, attr3))
                .to_vec(),
        )
    }

    /// The archive with all payloads in place, as [`LandMsh::write`] writes it. Checks no rule between tables.
    pub(super) fn filled_container(&self) -> Result<NRes, FormatError> {
        let Self {
            cells_x,
            nodes,
            header,
            slots,
            positions,
            normals,
            uv0,
            micro_uv,
            unknown_14,
            face_keys,
            faces,
            container,
        } = self;
        let mut filled = container.clone();
        complete(&mut filled);
        let mut place = |type_id, n_records: usize, data| {
            if let Some(entry) = first_of_type(&mut filled, type_id) {
                entry.attr1 = attr1_of(type_id, n_records)?;
                entry.data = data;
            }
            Ok::<(), FormatError>(())
        };
        place(1, nodes.len(), encode(FORMAT, nodes))?;
        let mut slot_table = encode(FORMAT, std::slice::from_ref(header));
        slot_table.extend(encode(FORMAT, slots));
        place(2, slots.len(), slot_table)?;
        place(3, positions.len(), encode(FORMAT, positions))?;
        place(4, normals.len(), encode(FORMAT, normals))?;
        place(5, uv0.len(), encode(FORMAT, uv0))?;
        place(18, micro_uv.len(), encode(FORMAT, micro_uv))?;
        if let Some(stream) = unknown_14 {
            place(14, stream.len(), encode(FORMAT, stream))?;
        }
        place(11, face_keys.len(), encode(FORMAT, face_keys))?;
        place(21, faces.len(), encode(FORMAT, faces))?;
        if let Some(entry) = first_of_type(&mut filled, 1) {
            entry.attr2 = *cells_x;
        }
        if unknown_14.is_none()
            && let Some(index) = filled.find_type(14)
        {
            filled.entries.remove(index);
        }
        Ok(filled)
    }

    /// The tables are the only truth about their chunks, so the archive's copies of what they say go.
    fn release_chunks(&mut self) {
        for (type_id, _) in CHUNKS {
            if let Some(entry) = first_of_type(&mut self.container, type_id) {
                entry.attr1 = 0;
                entry.data = Vec::new();
            }
        }
        if let Some(entry) = first_of_type(&mut self.container, 1) {
            entry.attr2 = 0;
        }
    }
}

/// A file whose archive is open.
struct Decoder {
    file_len: usize,
    container: NRes,
    tolerance: Tolerance,
}

impl Decoder {
    /// All tables, in the order in which the original loads them. The archive is still to be put in.
    fn tables(&self, findings: &mut Findings) -> Result<LandMsh, FormatError> {
        let positions = self.table(3, findings)?;
        let normals = self.table(4, findings)?;
        let uv0 = self.table(5, findings)?;
        let micro_uv = self.table(18, findings)?;
        let unknown_14 = match self.container.find_type(14) {
            Some(_) => Some(self.table(14, findings)?),
            None => None,
        };
        let faces = self.table(21, findings)?;
        let (header, slots) = self.slot_table(findings)?;
        let nodes: Vec<Node> = self.table(1, findings)?;
        let cells_x = self.chunk(1)?.entry.attr2;
        let face_keys = self.table(11, findings)?;
        Ok(LandMsh {
            cells_x,
            nodes,
            header,
            slots,
            positions,
            normals,
            uv0,
            micro_uv,
            unknown_14,
            face_keys,
            faces,
            container: NRes::new(),
        })
    }

    /// Refuses the first broken rule that is not waived, and repairs the others.
    fn settle_links(&self, land: &mut LandMsh, findings: &mut Findings) -> Result<(), FormatError> {
        let waived = |broken: &BrokenLink| {
            (broken.repair).is_some_and(|(waiver, _)| self.tolerance.contains(waiver))
        };
        if let Some(broken) = broken_links(land).find(|broken| !waived(broken)) {
            return Err(broken.into_error(self.file_len, &self.container));
        }
        findings.rule(
            Severity::Error,
            broken_links(land).map(|broken| {
                let offset = broken.offset(self.file_len, &self.container);
                (offset, broken.describe())
            }),
        );
        repair_links(land);
        Ok(())
    }

    fn chunk(&self, type_id: u32) -> Result<Chunk<'_>, FormatError> {
        Chunk::find(FORMAT, self.file_len, &self.container, type_id)
    }

    fn table<T: Record>(
        &self,
        type_id: u32,
        findings: &mut Findings,
    ) -> Result<Vec<T>, FormatError> {
        let chunk = self.chunk(type_id)?;
        self.records(&chunk, chunk.reader(), findings)
            .map_err(|error| located(error, &chunk))
    }

    /// Type 2: the header, then one record per slot.
    fn slot_table(&self, findings: &mut Findings) -> Result<(SlotHeader, Vec<Slot>), FormatError> {
        let chunk = self.chunk(2)?;
        let mut r = chunk.reader();
        let header = SlotHeader::read(&mut r).map_err(|error| located(error, &chunk))?;
        let slots = self
            .records(&chunk, r, findings)
            .map_err(|error| located(error, &chunk))?;
        Ok((header, slots))
    }

    /// The records from the cursor to the end of the chunk; size and attributes must agree with each other.
    fn records<T: Record>(
        &self,
        chunk: &Chunk<'_>,
        mut r: Reader<'_>,
        findings: &mut Findings,
    ) -> Result<Vec<T>, FormatError> {
        let len = r.remaining();
        let n_records = len.checked_div(T::SIZE).unwrap_or(0);
        if !len.is_multiple_of(T::SIZE) {
            let expected = format!("whole records of {} bytes", T::SIZE);
            let error = chunk.row_error(RowField::Size, expected, format!("{len} bytes of them"));
            self.waive(
                Tolerance::PART_RECORDS,
                error,
                "the part record is dropped",
                findings,
            )?;
        }
        let attributes = [
            (RowField::Attr1, chunk.entry.attr1, n_records),
            (RowField::Attr3, chunk.entry.attr3, T::SIZE),
        ];
        for (field, found, expected) in attributes {
            if found as usize != expected {
                let error = chunk.row_error(field, expected.to_string(), found);
                self.waive(
                    Tolerance::ATTRIBUTES,
                    error,
                    "the size is believed",
                    findings,
                )?;
            }
        }
        (0..n_records).map(|_| T::read(&mut r)).collect()
    }

    /// The error, or a finding if the rule is waived.
    fn waive(
        &self,
        waiver: Tolerance,
        error: FormatError,
        repair: &str,
        findings: &mut Findings,
    ) -> Result<(), FormatError> {
        if !self.tolerance.contains(waiver) {
            return Err(error);
        }
        findings.error(error, repair);
        Ok(())
    }
}

impl BrokenLink {
    /// Offset in the file that `container` was read from; `None` if the chunk is missing there.
    pub(super) fn offset(&self, file_len: usize, container: &NRes) -> Option<u64> {
        let chunk = Chunk::find(FORMAT, file_len, container, self.type_id).ok()?;
        Some(match self.place {
            Place::Row(field) => chunk.row_field_offset(field),
            Place::Payload(byte) => chunk.entry.offset().saturating_add(byte as u64),
        })
    }

    /// One sentence for a finding of the tolerant reader.
    fn describe(&self) -> String {
        let repair = self.repair.map_or("", |(_, repair)| repair);
        format!(
            "{}, {}: expected {}, found {}; {repair}",
            chunk::label(self.type_id),
            self.field,
            self.expected,
            self.found
        )
    }

    fn into_error(self, file_len: usize, container: &NRes) -> FormatError {
        FormatError {
            format: FORMAT,
            entry: Some(chunk::label(self.type_id)),
            offset: self.offset(file_len, container).unwrap_or(0),
            field: self.field.into(),
            kind: FormatErrorKind::Unexpected {
                expected: self.expected.into(),
                found: self.found,
            },
        }
    }
}

/// Names the chunk in an error of a record reader; errors of the directory row name it already.
fn located(error: FormatError, chunk: &Chunk<'_>) -> FormatError {
    match error.entry {
        Some(_) => error,
        None => error.in_entry(&chunk.label()),
    }
}

fn first_of_type(container: &mut NRes, type_id: u32) -> Option<&mut Entry> {
    (container.entries.iter_mut()).find(|entry| entry.type_id == type_id)
}

fn attr1_of(type_id: u32, n_records: usize) -> Result<u32, FormatError> {
    u32::try_from(n_records).map_err(|_| {
        let w = Writer::new(FORMAT);
        w.too_large("attr1", n_records as u64, u64::from(u32::MAX))
            .in_entry(&chunk::label(type_id))
    })
}

/// Puts the chunks that the archive lacks after those that all known maps have before them.
fn complete(container: &mut NRes) {
    let mut next = 0;
    for (type_id, attr3) in CHUNKS {
        let index = container.find_type(type_id).unwrap_or_else(|| {
            let index = next.min(container.entries.len());
            container.entries.insert(index, empty_entry(type_id, attr3));
            index
        });
        next = index.saturating_add(1);
    }
}

fn empty_entry(type_id: u32, attr3: u32) -> Entry {
    Entry::new(type_id, 0, 0, attr3, "", Vec::new()).expect("an empty name always fits")
}
