//! The whole file: chunks to tables and back.

use super::links::{broken_links, repair_links};
use super::{FORMAT, LandMsh, Tolerance};
use crate::chunk::{self, ChunkFile, accepted};
use crate::nres::{self, Entry, NRes};
use crate::record::encode;
use crate::tables::TableTolerance;
use ironlands_assets_core::bytes::{Finding, FormatError};

/// Name of every chunk in all known maps.
const ENTRY_NAME: &str = "Land";

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
    /// [`LandMsh::second_weights`] is left out. An archive that breaks its own rules, which a tolerant reader waived, is
    /// rewritten. Refuses a value that the strict reader would refuse.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let filled = self.filled_container()?;
        let file = filled.write()?;
        if let Some(broken) = broken_links(self).next() {
            let container = NRes::read_with(&file, nres::Tolerance::all())?;
            return Err(broken.into_error(FORMAT, file.len(), &container));
        }
        accepted(file, &filled, |file| Self::read(file).map(drop))
    }

    /// An archive for a terrain that is built, not read: the nine chunks in the order and with the attributes and
    /// the name of all known maps, still without payloads, which [`LandMsh::write`] fills in.
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
            second_weights,
            face_keys,
            faces,
            container,
        } = self;
        let mut filled = container.clone();
        complete(&mut filled);
        let mut place = |type_id, n_records: usize, data| {
            if let Some(entry) = first_of_type(&mut filled, type_id) {
                entry.attr1 = chunk::attr1(FORMAT, type_id, n_records)?;
                entry.data = data;
            }
            Ok::<(), FormatError>(())
        };
        place(1, nodes.len(), encode(FORMAT, nodes)?)?;
        let mut slot_table = encode(FORMAT, std::slice::from_ref(header))?;
        slot_table.extend(encode(FORMAT, slots)?);
        place(2, slots.len(), slot_table)?;
        place(3, positions.len(), encode(FORMAT, positions)?)?;
        place(4, normals.len(), encode(FORMAT, normals)?)?;
        place(5, uv0.len(), encode(FORMAT, uv0)?)?;
        place(18, micro_uv.len(), encode(FORMAT, micro_uv)?)?;
        if let Some(stream) = second_weights {
            place(14, stream.len(), encode(FORMAT, stream)?)?;
        }
        place(11, face_keys.len(), encode(FORMAT, face_keys)?)?;
        place(21, faces.len(), encode(FORMAT, faces)?)?;
        if let Some(entry) = first_of_type(&mut filled, 1) {
            entry.attr2 = *cells_x;
        }
        if second_weights.is_none() {
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

impl TableTolerance for Tolerance {
    const ATTRIBUTES: Self = Self::ATTRIBUTES;
    const PART_RECORDS: Self = Self::PART_RECORDS;
}

/// All tables, in the order in which the original loads them. The archive is still to be put in.
fn read_tables(file: &mut ChunkFile<Tolerance>) -> Result<LandMsh, FormatError> {
    let positions = file.table(3)?;
    let normals = file.table(4)?;
    let uv0 = file.table(5)?;
    let micro_uv = file.table(18)?;
    let second_weights = file.optional_table(14)?;
    let faces = file.table(21)?;
    let (header, slots) = file.table_after(2)?;
    let nodes = file.table(1)?;
    let cells_x = file.chunk(1)?.entry.attr2;
    let face_keys = file.table(11)?;
    Ok(LandMsh {
        cells_x,
        nodes,
        header,
        slots,
        positions,
        normals,
        uv0,
        micro_uv,
        second_weights,
        face_keys,
        faces,
        container: NRes::new(),
    })
}

fn first_of_type(container: &mut NRes, type_id: u32) -> Option<&mut Entry> {
    (container.entries.iter_mut()).find(|entry| entry.type_id == type_id)
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
    Entry::new(type_id, 0, 0, attr3, ENTRY_NAME, Vec::new()).expect("the name is short and plain")
}
