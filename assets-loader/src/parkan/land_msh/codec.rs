//! The whole file: chunks to tables and back.

use super::links::{broken_links, repair_links};
use super::records::Record;
use super::{FORMAT, LandMsh, Node, Slot, SlotHeader, Tolerance};
use crate::bytes::{Finding, FormatError, Reader, Writer};
use crate::parkan::chunk::{self, ChunkFile, RowField};
use crate::parkan::nres::{self, Entry, NRes};

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
        let mut file = ChunkFile::open(FORMAT, data, tolerance, Tolerance::CONTAINER)?;
        let mut land = read_tables(&mut file)?;
        file.settle(|| broken_links(&land))?;
        repair_links(&mut land);
        land.container = file.container;
        land.release_chunks();
        Ok((land, file.findings.into_list()))
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
            return Err(broken.into_error(FORMAT, file.len(), &container));
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
        place(1, nodes.len(), encode(nodes))?;
        let mut slot_table = encode(std::slice::from_ref(header));
        slot_table.extend(encode(slots));
        place(2, slots.len(), slot_table)?;
        place(3, positions.len(), encode(positions))?;
        place(4, normals.len(), encode(normals))?;
        place(5, uv0.len(), encode(uv0))?;
        place(18, micro_uv.len(), encode(micro_uv))?;
        if let Some(stream) = unknown_14 {
            place(14, stream.len(), encode(stream))?;
        }
        place(11, face_keys.len(), encode(face_keys))?;
        place(21, faces.len(), encode(faces))?;
        if let Some(entry) = first_of_type(&mut filled, 1) {
            entry.attr2 = *cells_x;
        }
        if unknown_14.is_none() {
            filled.entries.retain(|entry| entry.type_id != 14);
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

/// All tables, in the order in which the original loads them. The archive is still to be put in.
fn read_tables(file: &mut ChunkFile<Tolerance>) -> Result<LandMsh, FormatError> {
    let positions = read_table(file, 3)?;
    let normals = read_table(file, 4)?;
    let uv0 = read_table(file, 5)?;
    let micro_uv = read_table(file, 18)?;
    let unknown_14 = match file.container.find_type(14) {
        Some(_) => Some(read_table(file, 14)?),
        None => None,
    };
    let faces = read_table(file, 21)?;
    let (header, slots) = read_slot_table(file)?;
    let nodes: Vec<Node> = read_table(file, 1)?;
    let cells_x = file.chunk(1)?.entry.attr2;
    let face_keys = read_table(file, 11)?;
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

fn read_table<T: Record>(
    file: &mut ChunkFile<Tolerance>,
    type_id: u32,
) -> Result<Vec<T>, FormatError> {
    let chunk = file.chunk(type_id)?;
    let records = read_records(chunk.reader()).map_err(|e| e.in_entry(&chunk.label()))?;
    check_row::<T>(file, type_id, 0)?;
    Ok(records)
}

/// Type 2: the header, then one record per slot.
fn read_slot_table(
    file: &mut ChunkFile<Tolerance>,
) -> Result<(SlotHeader, Vec<Slot>), FormatError> {
    let chunk = file.chunk(2)?;
    let mut r = chunk.reader();
    let header = SlotHeader::read(&mut r).map_err(|e| e.in_entry(&chunk.label()))?;
    let slots = read_records(r).map_err(|e| e.in_entry(&chunk.label()))?;
    check_row::<Slot>(file, 2, SlotHeader::SIZE)?;
    Ok((header, slots))
}

/// Size, attr1 and attr3 of a chunk must agree with each other.
fn check_row<T: Record>(
    file: &mut ChunkFile<Tolerance>,
    type_id: u32,
    header_size: usize,
) -> Result<(), FormatError> {
    let chunk = file.chunk(type_id)?;
    let len = chunk.entry.data.len().saturating_sub(header_size);
    let n_records = len.checked_div(T::SIZE).unwrap_or(0);
    let part = (!len.is_multiple_of(T::SIZE)).then(|| {
        let expected = format!("whole records of {} bytes", T::SIZE);
        chunk.row_error(RowField::Size, expected, format!("{len} bytes of them"))
    });
    let attributes = [
        (RowField::Attr1, chunk.entry.attr1, n_records),
        (RowField::Attr3, chunk.entry.attr3, T::SIZE),
    ];
    let attributes = attributes.map(|(field, found, expected)| {
        let is_wrong = found as usize != expected;
        is_wrong.then(|| chunk.row_error(field, expected.to_string(), found))
    });
    if let Some(error) = part {
        file.waive(Tolerance::PART_RECORDS, error, "the part record is dropped")?;
    }
    for error in attributes.into_iter().flatten() {
        file.waive(Tolerance::ATTRIBUTES, error, "the size is believed")?;
    }
    Ok(())
}

/// The whole records from the cursor to the end of the chunk.
fn read_records<T: Record>(mut r: Reader<'_>) -> Result<Vec<T>, FormatError> {
    let n_records = r.remaining().checked_div(T::SIZE).unwrap_or(0);
    (0..n_records).map(|_| T::read(&mut r)).collect()
}

fn first_of_type(container: &mut NRes, type_id: u32) -> Option<&mut Entry> {
    (container.entries.iter_mut()).find(|entry| entry.type_id == type_id)
}

fn encode<T: Record>(records: &[T]) -> Vec<u8> {
    let mut w = Writer::new(FORMAT);
    for record in records {
        record.write(&mut w);
    }
    w.finish()
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
