//! The whole file: chunks to tables and back.

use super::names::{read_names, write_names};
use super::rules::{broken_rules, repair};
use super::{Batch, FORMAT, LightProbe, Msh, Node, NodeTable, Slot, Tolerance, TriDesc};
use crate::chunk::{self, ChunkFile, RowField, accepted};
use crate::msh_animation::{AnimKey, KEYS, MAP, MshAnimation};
use crate::nres::{self, Entry, NRes};
use crate::record::{Row, encode};
use crate::tables::TableTolerance;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::record::{FixedSize, Record};

/// What the chunks of a model are called that no one has named: no known file has chunks without a name.
pub(super) const UNNAMED: &str = "MODEL";

/// All chunk types in canonical order (dossier section 7.2).
///
/// It joins the two orders of all known models, which are this one without 18 and 20, and this one; 16, which
/// none of them has, stands behind the other vertex stream.
pub(super) const ORDER: [u32; 17] = [1, 2, 3, 4, 5, 18, 15, 16, 13, 6, 7, 8, 19, 9, 10, 17, 20];

/// Types whose attr2 is 0 in canonical files (dossier section 7.10).
pub(super) const ZERO_ATTR2: [u32; 12] = [2, 3, 4, 5, 6, 7, 8, 10, 13, 15, 16, 18];

impl Msh {
    /// Reads a whole file by the strict rules. Errors name the chunk, the record and the offset in the file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let (model, _) = Self::read_with(data, Tolerance::STRICT)?;
        Ok(model)
    }

    /// Reads a whole file, waiving the named rules; the findings list every repair.
    pub fn read_with(
        data: &[u8],
        tolerance: Tolerance,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        let mut file = ChunkFile::open(FORMAT, data, tolerance, Tolerance::CONTAINER)?;
        let mut model = read_tables(&mut file)?;
        let map_chunk = file.container.find_type(MAP);
        file.settle(|| broken_rules(&model, map_chunk))?;
        repair(&mut model, map_chunk);
        model.container = file.container;
        model.release_chunks();
        Ok((model, file.findings.into_list()))
    }

    /// Writes the file: chunks in the order of the archive, names, unknown chunks and free attributes kept;
    /// sizes and attr1 of the typed chunks and the frame count recomputed.
    ///
    /// A typed chunk that the archive lacks is put where all known models have it, under the name of the chunks that
    /// are there, and the chunk of an optional table that is `None` is left out. An archive that breaks its own rules,
    /// which a tolerant reader waived, is rewritten. Refuses a value that the strict reader would refuse.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        self.checked(&self.filled_container()?, NRes::write)
    }

    /// Writes the file as the original's tools did: chunks in the order of all known models, unknown ones last,
    /// attr2 zero where it is known to be, attr3 as in 7.10, and nothing between payloads but padding.
    ///
    /// Refuses a value that the strict reader would refuse.
    pub fn write_canonical(&self) -> Result<Vec<u8>, FormatError> {
        let mut container = self.filled_container()?;
        let first_of_types = ORDER.map(|type_id| container.find_type(type_id));
        let mut ranked: Vec<(usize, Entry)> = Vec::with_capacity(container.entries.len());
        for (index, mut entry) in std::mem::take(&mut container.entries)
            .into_iter()
            .enumerate()
        {
            let rank = (first_of_types.iter()).position(|first| *first == Some(index));
            if rank.is_some() && ZERO_ATTR2.contains(&entry.type_id) {
                entry.attr2 = 0;
            }
            if let (Some(_), Some(attr3)) = (rank, self.known_attr3(entry.type_id)) {
                entry.attr3 = attr3;
            }
            ranked.push((rank.unwrap_or(ORDER.len()), entry));
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        container.entries = ranked.into_iter().map(|(_, entry)| entry).collect();
        self.checked(&container, NRes::write_canonical)
    }

    /// The bytes of a filled archive, or the first rule that they break.
    fn checked(
        &self,
        filled: &NRes,
        write: impl Fn(&NRes) -> Result<Vec<u8>, FormatError>,
    ) -> Result<Vec<u8>, FormatError> {
        let file = write(filled)?;
        if let Some(broken) = broken_rules(self, filled.find_type(MAP)).next() {
            let container = NRes::read_with(&file, nres::Tolerance::all())?;
            return Err(broken.into_error(FORMAT, file.len(), &container));
        }
        accepted(file, filled, |file| Self::read(file).map(drop))
    }

    /// attr3 of a typed chunk in all known models; `None` for chunks that no table fills.
    pub(super) fn known_attr3(&self, type_id: u32) -> Option<u32> {
        let attr3 = match (type_id, &self.nodes) {
            (1, NodeTable::Nodes(_)) => Node::ATTR3,
            (1, NodeTable::Stride24(_)) => <[u8; 24]>::ATTR3,
            (2, _) => Slot::ATTR3,
            (3, _) => <[f32; 3]>::ATTR3,
            (4, _) => <[i8; 4]>::ATTR3,
            (5, _) => <[i16; 2]>::ATTR3,
            (6 | 19, _) => u16::ATTR3,
            (7, _) => TriDesc::ATTR3,
            (8, _) => AnimKey::ATTR3,
            (10, _) => 0,
            (13, _) => Batch::ATTR3,
            (15 | 16, _) => <[u8; 8]>::ATTR3,
            (18, _) => <[i16; 2]>::ATTR3,
            _ => return None,
        };
        u32::try_from(attr3).ok()
    }

    /// The archive with all payloads in place, as [`Msh::write`] writes it. Checks no rule between tables.
    pub(super) fn filled_container(&self) -> Result<NRes, FormatError> {
        let mut filled = self.container.clone();
        let name = match filled.entries.first() {
            Some(entry) => entry.name,
            None => Entry::new(0, 0, 0, 0, UNNAMED, Vec::new())?.name,
        };
        let mut next = 0;
        for payload in self.payloads()? {
            let index = filled.find_type(payload.type_id);
            let Some(content) = payload.content else {
                if let Some(index) = index.filter(|_| !self.keeps(payload.type_id)) {
                    filled.entries.remove(index);
                } else if let Some(index) = index {
                    next = index.saturating_add(1);
                }
                continue;
            };
            let index = match index {
                Some(index) => index,
                None => {
                    let index = next.min(filled.entries.len());
                    let mut entry = content.new_entry(payload.type_id);
                    entry.name = name;
                    filled.entries.insert(index, entry);
                    index
                }
            };
            if let Some(entry) = filled.entries.get_mut(index) {
                content.fill(entry);
            }
            next = index.saturating_add(1);
        }
        self.mark_nodes(&mut filled);
        Ok(filled)
    }

    /// attr3 of type 1 says which nodes can be read, so that it follows an edit from one kind to the other.
    fn mark_nodes(&self, filled: &mut NRes) {
        let nodes = (filled.entries.iter_mut()).find(|entry| entry.type_id == 1);
        let stride_24 = <[u8; 24]>::ATTR3 as u32;
        let (Some(entry), Some(attr3)) = (nodes, self.known_attr3(1)) else {
            return;
        };
        if (entry.attr3 == stride_24) != (attr3 == stride_24) {
            entry.attr3 = attr3;
        }
    }

    /// Whether the archive's own chunk of a type without table is to stay: types that are not read, and a type
    /// 20 that is no light probes. What a table once filled is empty.
    fn keeps(&self, type_id: u32) -> bool {
        let entry = (self.container.entries.iter()).find(|entry| entry.type_id == type_id);
        match type_id {
            9 | 17 => true,
            20 => entry.is_some_and(|entry| !entry.data.is_empty() || entry.attr1 != 0),
            _ => false,
        }
    }

    /// What the tables say about each chunk, in canonical order.
    fn payloads(&self) -> Result<[Payload; 17], FormatError> {
        let Self {
            nodes,
            header,
            slots,
            positions,
            normals,
            uv0,
            indices,
            triangles,
            animation,
            names,
            batches,
            unknown_15,
            tangents,
            lightmap_uv,
            probes,
            container,
            quaternions: _,
        } = self;
        let MshAnimation {
            keys,
            map,
            frame_count,
        } = animation;
        let nodes = match nodes {
            NodeTable::Nodes(nodes) => table(1, nodes)?,
            NodeTable::Stride24(records) => table(1, records)?,
        };
        let mut slots = table(2, slots)?;
        slots
            .data
            .splice(0..0, encode(FORMAT, std::slice::from_ref(header))?);
        let has_keys = !keys.is_empty() || container.find_type(8).is_some();
        let has_map = *frame_count > 0 || !map.is_empty() || container.find_type(19).is_some();
        let keys = has_keys.then(|| table(8, keys)).transpose()?;
        let map = has_map.then(|| table(19, map)).transpose()?;
        let map = map.map(|content| Content {
            attr2: Some(*frame_count),
            ..content
        });
        let names = names.as_deref().map(name_content).transpose()?;
        let probes = optional(20, probes.as_deref())?;
        let contents = [
            Some(nodes),
            Some(slots),
            Some(table(3, positions)?),
            optional(4, normals.as_deref())?,
            optional(5, uv0.as_deref())?,
            optional(18, lightmap_uv.as_deref())?,
            optional(15, unknown_15.as_deref())?,
            optional(16, tangents.as_deref())?,
            Some(table(13, batches)?),
            Some(table(6, indices)?),
            optional(7, triangles.as_deref())?,
            keys,
            map,
            None,
            names,
            None,
            probes,
        ];
        let mut types = ORDER.into_iter();
        Ok(contents.map(|content| Payload {
            type_id: types.next().unwrap_or_default(),
            content,
        }))
    }

    /// The tables are the only truth about their chunks, so the archive's copies of what they say go.
    fn release_chunks(&mut self) {
        for type_id in ORDER {
            let is_raw = match type_id {
                9 | 17 => true,
                20 => self.probes.is_none(),
                _ => false,
            };
            let entries = &mut self.container.entries;
            let entry = (entries.iter_mut()).find(|entry| entry.type_id == type_id);
            let Some(entry) = entry.filter(|_| !is_raw) else {
                continue;
            };
            entry.attr1 = 0;
            entry.data = Vec::new();
            if type_id == 19 {
                entry.attr2 = 0;
            }
        }
    }
}

/// A chunk and what the tables say about it.
struct Payload {
    type_id: u32,
    /// `None`: there is no such table.
    content: Option<Content>,
}

/// What a table says about its chunk.
struct Content {
    attr1: u32,
    /// `None`: not the table's to say.
    attr2: Option<u32>,
    /// Of a new chunk; one that is there already keeps its own.
    attr3: u32,
    data: Vec<u8>,
}

impl Content {
    fn new_entry(&self, type_id: u32) -> Entry {
        Entry::new(type_id, 0, 0, self.attr3, "", Vec::new()).expect("an empty name always fits")
    }

    fn fill(self, entry: &mut Entry) {
        let Self {
            attr1,
            attr2,
            attr3: _,
            data,
        } = self;
        entry.attr1 = attr1;
        entry.attr2 = attr2.unwrap_or(entry.attr2);
        entry.data = data;
    }
}

fn table<T: Row>(type_id: u32, records: &[T]) -> Result<Content, FormatError> {
    Ok(Content {
        attr1: chunk::attr1(FORMAT, type_id, records.len())?,
        attr2: None,
        attr3: T::ATTR3 as u32,
        data: encode(FORMAT, records)?,
    })
}

fn optional<T: Row>(type_id: u32, records: Option<&[T]>) -> Result<Option<Content>, FormatError> {
    records.map(|records| table(type_id, records)).transpose()
}

fn name_content(names: &[Vec<u8>]) -> Result<Content, FormatError> {
    Ok(Content {
        attr1: chunk::attr1(FORMAT, 10, names.len())?,
        attr2: None,
        attr3: 0,
        data: write_names(names)?,
    })
}

impl TableTolerance for Tolerance {
    const ATTRIBUTES: Self = Self::ATTRIBUTES;
    const PART_RECORDS: Self = Self::PART_RECORDS;
}

type ModelFile = ChunkFile<Tolerance>;

/// All tables, in the order in which the original loads them. The archive is still to be put in.
fn read_tables(file: &mut ModelFile) -> Result<Msh, FormatError> {
    let nodes = read_nodes(file)?;
    let (header, slots) = file.table_after(2)?;
    let positions = file.table(3)?;
    let normals = file.optional_table(4)?;
    let uv0 = file.optional_table(5)?;
    let names = read_name_chunk(file, nodes.len())?;
    let animation = read_animation(file)?;
    let triangles = file.optional_table(7)?;
    let batches = file.table(13)?;
    let indices = file.table(6)?;
    let unknown_15 = file.optional_table(15)?;
    let tangents = file.optional_table(16)?;
    let lightmap_uv = file.optional_table(18)?;
    let probes = read_probes(file)?;
    Ok(Msh {
        nodes,
        header,
        slots,
        positions,
        normals,
        uv0,
        indices,
        triangles,
        animation,
        names,
        batches,
        unknown_15,
        tangents,
        lightmap_uv,
        probes,
        container: NRes::new(),
        quaternions: None,
    })
}

/// Type 1: attr3 distinguishes records that can be read from those that cannot.
fn read_nodes(file: &mut ModelFile) -> Result<NodeTable, FormatError> {
    let stride = file.chunk(1)?.entry.attr3 as usize;
    if stride == <[u8; 24]>::SIZE {
        return file.table(1).map(NodeTable::Stride24);
    }
    file.table(1).map(NodeTable::Nodes)
}

/// Types 8 and 19; a model that does not move may lack both.
fn read_animation(file: &mut ModelFile) -> Result<MshAnimation, FormatError> {
    let keys = file.optional_table(KEYS)?.unwrap_or_default();
    let Some(map) = file.optional_table(MAP)? else {
        return Ok(MshAnimation {
            keys,
            ..MshAnimation::default()
        });
    };
    Ok(MshAnimation {
        keys,
        map,
        frame_count: file.chunk(MAP)?.entry.attr2,
    })
}

/// Type 10: as many names as nodes, and nothing else.
fn read_name_chunk(
    file: &mut ModelFile,
    n_nodes: usize,
) -> Result<Option<Vec<Vec<u8>>>, FormatError> {
    if file.container.find_type(10).is_none() {
        return Ok(None);
    }
    file.check_attribute(10, RowField::Attr1, n_nodes)?;
    let chunk = file.chunk(10)?;
    let (names, errors) = read_names(chunk.reader(), n_nodes);
    let label = chunk.label();
    for error in errors {
        let repair = "what can be read is kept";
        file.waive(Tolerance::NAMES, error.in_entry(&label), repair)?;
    }
    Ok(Some(names))
}

/// Type 20, if it is what one source says it is; else the archive keeps it.
fn read_probes(file: &ModelFile) -> Result<Option<Vec<LightProbe>>, FormatError> {
    if file.container.find_type(20).is_none() {
        return Ok(None);
    }
    let chunk = file.chunk(20)?;
    let len = chunk.entry.data.len();
    let n_probes = len.checked_div(LightProbe::SIZE).unwrap_or(0);
    if !len.is_multiple_of(LightProbe::SIZE) || n_probes as u64 != u64::from(chunk.entry.attr1) {
        return Ok(None);
    }
    let mut r = chunk.reader();
    let probes = (0..n_probes).map(|_| LightProbe::read(&mut r, ()));
    probes.collect::<Result<_, _>>().map(Some)
}
