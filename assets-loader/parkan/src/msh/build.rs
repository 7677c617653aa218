//! A model from plain geometry: the tables of [`Msh`] as all known files have them (dossier sections 7.3 to 7.10,
//! 8.7, 8.8).
//!
//! In: nodes with keys and triangles, in the space of their node ([`ModelDraft`]). Out: the model that the strict
//! reader gives back for it, in the chunk order of all known files. Vertices are quantized first and then shared
//! within a batch; bounds, descriptors and the frame map are made.
//!
//! What the documents leave open is 0: unknown words of slots and batches, attr2 of the nodes, flags of
//! descriptors. Chunks 9 and 17 are there and empty; 18 is there if a batch has a lightmap.

mod bounds;
mod descriptors;
mod error;
mod pack;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;

use self::bounds::{Rest, ball_around};
use self::descriptors::describe;
pub use self::error::DraftError;
use self::pack::{PackedVertex, pack_keys, pack_triangle};
use super::codec::UNNAMED;
use super::{
    Batch, BatchFlags, Msh, N_LODS, N_STATES, NO_LIGHTMAP, NONE, Node, NodeFlags, NodeTable, Slot,
    TriDesc,
};
use crate::msh_animation::{NodeTrack, QuaternionOrder, TrackMap, TrackSet};
use crate::nres::{Entry, NRes};
use crate::slots::box_around;
use ironlands_assets_core::text::decode_cp1251;

/// Most nodes, slots and triangles: they are numbered by 16 bits, of which one value means "none".
const MAX_COUNT: usize = NONE as usize;

/// Most triangles of a batch: its index count has 16 bits. They also keep its vertices within reach of an index.
const MAX_TRIANGLES_OF_BATCH: usize = u16::MAX as usize / 3;

/// Latest time of a key: the frame map is reached by 16 bits.
const MAX_TIME: f32 = 65534.0;

/// A model as plain geometry.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelDraft {
    /// What all chunks are called: the model's own name. Raw bytes in CP1251, at most 35 of them; empty =
    /// `MODEL`, for readers of others refuse chunks without a name.
    pub name: Vec<u8>,
    /// At least one; parents before children.
    pub nodes: Vec<DraftNode>,
}

/// A node, its motion and what hangs on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DraftNode {
    /// Raw bytes in CP1251; empty = none.
    pub name: Vec<u8>,
    /// A node before this one; `None` for a root.
    pub parent: Option<usize>,
    /// Word 0 of the record.
    pub flags: NodeFlags,
    /// At least one. A node with a single key stands still.
    pub keys: Vec<DraftKey>,
    /// What is drawn, by state and level of detail; a node without pieces is a socket.
    pub pieces: Vec<DraftPiece>,
}

/// The pose of a node at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DraftKey {
    /// Frames: whole, the first 0, each later than the one before it, at most 65534.
    pub time: f32,
    /// Position in the space of the parent, world units.
    pub position: [f32; 3],
    /// The stored quaternion w, x, y, z, of unit length. **The original turns by its conjugate** (dossier section
    /// 8.4): [`stored_rotation`] makes one from the quaternion that turns as wanted.
    pub rotation: [f32; 4],
}

/// What is drawn of a node in one state at one level of detail.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DraftPiece {
    /// 0 regular, 1 collapsed; below [`N_STATES`].
    pub state: u8,
    /// 0 is the finest; below [`N_LODS`].
    pub lod: u8,
    /// At least one.
    pub batches: Vec<DraftBatch>,
}

/// Triangles of one material.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftBatch {
    /// How they are drawn.
    pub flags: BatchFlags,
    /// The row of the WEAR table. Readers of the other reading see row 0 everywhere, so the main material belongs
    /// there (dossier section 7.6).
    pub wear_row: u8,
    /// The row of the WEAR table's lightmaps; counts with [`BatchFlags::LIGHTMAP`] only. Others have [`NO_LIGHTMAP`].
    pub lightmap: u8,
    /// At least one; corners run counter-clockwise as seen from the front.
    pub triangles: Vec<[DraftVertex; 3]>,
}

impl Default for DraftBatch {
    fn default() -> Self {
        Self {
            flags: BatchFlags::default(),
            wear_row: 0,
            lightmap: NO_LIGHTMAP,
            triangles: Vec::new(),
        }
    }
}

/// A corner of a triangle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DraftVertex {
    /// In the space of the node, world units.
    pub position: [f32; 3],
    /// Of unit length; stored in steps of 1/127, within `-1..=1`.
    pub normal: [f32; 3],
    /// Texture coordinates, -32 up to just below 32, stored in steps of 1/1024; v = 0 is the first row.
    pub uv: [f32; 2],
    /// The same for the lightmap; ignored without [`BatchFlags::LIGHTMAP`].
    pub lightmap_uv: [f32; 2],
}

/// The quaternion to store so that the node turns by `rotation` (w, x, y, z, of unit length), as quaternions turn
/// elsewhere: its conjugate. It is its own inverse.
pub fn stored_rotation([w, x, y, z]: [f32; 4]) -> [f32; 4] {
    [w, -x, -y, -z]
}

impl ModelDraft {
    /// Builds the model.
    ///
    /// Nodes, their pieces and the triangles of a batch keep their order. A batch of more than 21845 triangles
    /// becomes several. Bounds of a slot are the box of its vertices and the ball around the box's center; those of
    /// the model hold all its pieces with every node at its first key. Descriptors are linked across edges that two
    /// triangles of a slot run through in opposite directions. The result has passed the strict reader.
    ///
    /// # Errors
    /// What the format cannot hold, see [`DraftError`]: the first error in the order of nodes.
    pub fn build(&self) -> Result<Msh, DraftError> {
        self.check_counts()?;
        let mut build = Build::default();
        for (node_idx, node) in self.nodes.iter().enumerate() {
            build.add_node(node_idx, node)?;
        }
        build.finish(&self.name)
    }

    fn check_counts(&self) -> Result<(), DraftError> {
        let pieces = || self.nodes.iter().flat_map(|node| &node.pieces);
        let batches = pieces().flat_map(|piece| &piece.batches);
        let n_triangles = batches.map(|batch| batch.triangles.len()).sum();
        let counts = [
            ("nodes", self.nodes.len()),
            ("pieces", pieces().count()),
            ("triangles", n_triangles),
        ];
        for (what, value) in counts {
            if value > MAX_COUNT {
                let limit = MAX_COUNT;
                return Err(DraftError::TooMany { what, value, limit });
            }
        }
        match self.nodes.is_empty() {
            true => Err(DraftError::NoNodes),
            false => Ok(()),
        }
    }
}

/// The tables as they grow.
#[derive(Default)]
struct Build {
    nodes: Vec<Node>,
    names: Vec<Vec<u8>>,
    tracks: Vec<NodeTrack>,
    rest: Rest,
    slots: Vec<Slot>,
    batches: Vec<Batch>,
    vertices: Vec<PackedVertex>,
    indices: Vec<u16>,
    descriptors: Vec<TriDesc>,
}

impl Build {
    fn add_node(&mut self, node_idx: usize, node: &DraftNode) -> Result<(), DraftError> {
        let DraftNode {
            name,
            parent,
            flags,
            keys,
            pieces,
        } = node;
        if let Some(parent) = parent.filter(|parent| *parent >= node_idx) {
            return Err(DraftError::ParentNotBefore {
                node: node_idx,
                parent,
            });
        }
        let keys = pack_keys(node_idx, keys)?;
        let map = match keys.len() {
            1 => TrackMap::None,
            _ => TrackMap::FromTimes,
        };
        if let Some(first) = keys.first() {
            self.rest
                .add_node(*parent, first, QuaternionOrder::default());
        }
        self.tracks.push(NodeTrack { keys, map });
        self.names.push(name.clone());
        let mut words = [NONE; N_STATES * N_LODS];
        for piece in pieces {
            let (state, lod) = (piece.state, piece.lod);
            let place = usize::from(state)
                .saturating_mul(N_LODS)
                .saturating_add(usize::from(lod));
            let is_lod = usize::from(lod) < N_LODS;
            let word = words.get_mut(place).filter(|word| is_lod && **word == NONE);
            let Some(word) = word else {
                let node = node_idx;
                return Err(DraftError::NoPlaceForPiece { node, state, lod });
            };
            *word = number(self.slots.len());
            self.add_piece(node_idx, piece)?;
        }
        self.nodes.push(Node {
            flags: *flags,
            parent: parent.map_or(NONE, number),
            // The links to the tracks follow when all are there.
            map_start: NONE,
            fallback_key: NONE,
            slots: words,
        });
        Ok(())
    }

    /// A slot, its batches and its descriptors.
    fn add_piece(&mut self, node: usize, piece: &DraftPiece) -> Result<(), DraftError> {
        let (tri_start, batch_start) = (self.descriptors.len(), self.batches.len());
        let mut corners: Vec<[[f32; 3]; 3]> = Vec::new();
        for batch in &piece.batches {
            let has_lightmap = batch.flags.contains(BatchFlags::LIGHTMAP);
            let triangles = (batch.triangles.iter())
                .map(|triangle| pack_triangle(node, triangle, has_lightmap))
                .collect::<Result<Vec<_>, _>>()?;
            for part in triangles.chunks(MAX_TRIANGLES_OF_BATCH) {
                self.add_batch(batch, part);
            }
            let positions = |triangle: &[PackedVertex; 3]| triangle.map(|v| v.position());
            corners.extend(triangles.iter().map(positions));
        }
        if piece.batches.iter().any(|batch| batch.triangles.is_empty()) || corners.is_empty() {
            let (state, lod) = (piece.state, piece.lod);
            return Err(DraftError::NoTriangles { node, state, lod });
        }
        let points = || corners.as_flattened().iter().copied();
        let (min, max) = box_around(points()).unwrap_or_default();
        let (sphere_center, sphere_radius) = ball_around(min, max, points());
        if !sphere_radius.is_finite() {
            return Err(DraftError::TooLarge);
        }
        self.rest.add_points(node, points());
        self.descriptors.extend(describe(tri_start, &corners));
        let tri_count = number(corners.len());
        self.slots.push(Slot {
            batch_start: number(batch_start),
            batch_count: number(self.batches.len().saturating_sub(batch_start)),
            sphere_center,
            sphere_radius,
            ..Slot::from_box(number(tri_start), tri_count, min, max)
        });
        Ok(())
    }

    /// A batch with vertices of its own; equal ones are one.
    fn add_batch(&mut self, batch: &DraftBatch, triangles: &[[PackedVertex; 3]]) {
        let (index_start, base) = (self.indices.len(), self.vertices.len());
        let mut known: HashMap<PackedVertex, u16> = HashMap::new();
        for vertex in triangles.as_flattened() {
            let next = number(known.len());
            let index = *known.entry(*vertex).or_insert_with(|| {
                self.vertices.push(*vertex);
                next
            });
            self.indices.push(index);
        }
        self.batches.push(Batch {
            flags: batch.flags,
            material_02: 0,
            wear_row: batch.wear_row,
            lightmap_row: batch.lightmap,
            beyond_portal: NONE,
            index_count: number(triangles.as_flattened().len()),
            index_start: number_32(index_start),
            n_vertices: number(known.len()),
            base_vertex: number_32(base),
        });
    }

    /// Joins nodes and tracks, and has the whole read strictly.
    fn finish(self, name: &[u8]) -> Result<Msh, DraftError> {
        let mut set = TrackSet {
            frame_count: 0,
            tracks: self.tracks,
        };
        set.frame_count = set.frame_count_of_times();
        let (animation, links) = set.to_tables()?;
        let mut nodes = self.nodes;
        for (node, link) in nodes.iter_mut().zip(links) {
            node.map_start = link.map_start;
            node.fallback_key = link.fallback;
        }
        let has_lightmap = (self.batches.iter()).any(|b| b.flags.contains(BatchFlags::LIGHTMAP));
        let vertices = self.vertices.iter();
        let model = Msh {
            nodes: NodeTable::Nodes(nodes),
            header: self.rest.header().ok_or(DraftError::TooLarge)?,
            slots: self.slots,
            positions: vertices.clone().map(|v| v.position()).collect(),
            normals: Some(vertices.clone().map(|v| v.normal).collect()),
            uv0: Some(vertices.clone().map(|v| v.uv).collect()),
            indices: self.indices,
            triangles: Some(self.descriptors),
            animation,
            names: Some(self.names),
            batches: self.batches,
            unknown_15: None,
            tangents: None,
            lightmap_uv: has_lightmap.then(|| vertices.map(|v| v.lightmap_uv).collect()),
            probes: None,
            quaternions: None,
            container: empty_chunks(name)?,
        };
        Ok(Msh::read(&model.write_canonical()?)?)
    }
}

/// The chunks that no table fills and that all known files have. The others take their name.
fn empty_chunks(name: &[u8]) -> Result<NRes, DraftError> {
    let name = match name {
        b"" => Cow::Borrowed(UNNAMED),
        name => decode_cp1251(name),
    };
    let empty = |type_id| Entry::new(type_id, 0, 0, 0, &name, Vec::new());
    Ok(NRes::from_entries(vec![empty(9)?, empty(17)?]))
}

/// A number that [`ModelDraft::check_counts`] or the size of a batch keeps within 16 bits.
fn number(value: usize) -> u16 {
    u16::try_from(value).expect("counts have been checked")
}

/// A number of vertices or indices, three a triangle at most.
fn number_32(value: usize) -> u32 {
    u32::try_from(value).expect("counts have been checked")
}
