//! From nodes to slots to batches to triangles (dossier sections 7.1, 7.3, 7.6, 7.7).

use std::ops::Range;

use super::{Batch, Msh, N_LODS, N_STATES, NONE, Node, OWN_VIEW, Slot, TriDesc, unpack_normal};
use crate::msh_animation::{Track, TrackLink};

/// A triangle of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SlotTriangle {
    /// The batch that it is drawn with.
    pub batch_idx: usize,
    /// Its corners, as indices into the vertex streams.
    pub vertices: [usize; 3],
    /// Its descriptor in type 7. Models without type 7 have none of that number.
    pub descriptor_idx: usize,
}

impl Node {
    /// The parent node; `None` for a root.
    pub fn parent(&self) -> Option<usize> {
        (self.parent != NONE).then_some(usize::from(self.parent))
    }

    /// The slot word at a state and level of detail; `None` where the node has no slot there.
    pub fn slot_word(&self, state: usize, lod: usize) -> Option<u16> {
        if state >= N_STATES || lod >= N_LODS {
            return None;
        }
        let word = *self
            .slots
            .get(state.saturating_mul(N_LODS).saturating_add(lod))?;
        (word != NONE).then_some(word)
    }

    /// How the node hangs on the animation tables.
    pub fn track_link(&self) -> TrackLink {
        TrackLink {
            map_start: self.map_start,
            fallback: self.fallback_key,
        }
    }
}

impl Slot {
    /// The batch indices that the slot names, whether or not they exist.
    pub(super) fn batch_range(&self) -> Range<usize> {
        let start = usize::from(self.batch_start);
        start..start.saturating_add(usize::from(self.batch_count))
    }
}

impl Batch {
    /// The positions in type 6 that the batch names, whether or not they exist.
    pub(super) fn index_range(&self) -> Range<usize> {
        // What does not fit lies outside any table.
        let start = usize::try_from(self.index_start).unwrap_or(usize::MAX);
        start..start.saturating_add(usize::from(self.index_count))
    }

    /// Triangles of the batch, a part triangle included: that many descriptors belong to it.
    pub fn n_triangles(&self) -> usize {
        usize::from(self.index_count.div_ceil(3))
    }
}

/// Part of the triangles whose stored normals must agree on the front. Normals of round shapes lean.
const AGREEING: f32 = 0.9;

impl Msh {
    /// Whether the first node has a frame map: then its track turns it only, since steps move the object and not the model
    /// in it.
    pub fn is_first_node_animated(&self) -> bool {
        let first = self.nodes.as_slice().first();
        first.is_some_and(|node| node.map_start != NONE)
    }

    /// The slot of a node in a state (0 regular, 1 collapsed) at a level of detail (0 finest).
    ///
    /// Where that level is absent the next finer one that exists is taken, but nothing stands for [`OWN_VIEW`]. `None` for a node without geometry
    /// in that state, which is a socket, and for a node or state that does not exist. The original's "state
    /// -1" means the instance's current one; that is the caller's to fill in.
    pub fn slot(&self, node: usize, state: usize, lod: usize) -> Option<&Slot> {
        let node = self.nodes.as_slice().get(node)?;
        let finest = if lod < OWN_VIEW { 0 } else { lod };
        let word = (finest..=lod)
            .rev()
            .find_map(|lod| node.slot_word(state, lod))?;
        self.slots.get(usize::from(word))
    }

    /// Indices of a slot's batches; empty if the slot reaches outside the batches.
    pub fn slot_batch_range(&self, slot: &Slot) -> Range<usize> {
        let range = slot.batch_range();
        if range.end > self.batches.len() {
            return 0..0;
        }
        range
    }

    /// The batches of a slot.
    pub fn slot_batches(&self, slot: &Slot) -> &[Batch] {
        self.batches
            .get(self.slot_batch_range(slot))
            .unwrap_or_default()
    }

    /// The indices of a batch, still to be added to its base vertex; empty if they leave the table.
    pub fn batch_indices(&self, batch: &Batch) -> &[u16] {
        self.indices.get(batch.index_range()).unwrap_or_default()
    }

    /// The vertices of a batch, three a triangle.
    pub fn batch_vertices(&self, batch: &Batch) -> impl Iterator<Item = usize> {
        let base = usize::try_from(batch.base_vertex).unwrap_or(usize::MAX);
        let indices = self.batch_indices(batch).iter();
        indices.map(move |index| base.saturating_add(usize::from(*index)))
    }

    /// The triangles of a slot in the order of their descriptors: batch by batch, counted from the slot's first
    /// descriptor. A part triangle at the end of a batch has a descriptor and is left out.
    pub fn slot_triangles(&self, slot: &Slot) -> impl Iterator<Item = SlotTriangle> {
        let first_descriptor = usize::from(slot.tri_start);
        let batches = self.slot_batch_range(slot).zip(self.slot_batches(slot));
        let corners = batches.flat_map(|(batch_idx, batch)| {
            let base = usize::try_from(batch.base_vertex).unwrap_or(usize::MAX);
            let triangles = self.batch_indices(batch).chunks(3);
            triangles.map(move |corners| (batch_idx, base, corners))
        });
        (corners.enumerate()).filter_map(move |(k, (batch_idx, base, corners))| {
            let corners: [u16; 3] = corners.try_into().ok()?;
            Some(SlotTriangle {
                batch_idx,
                vertices: corners.map(|index| base.saturating_add(usize::from(index))),
                descriptor_idx: first_descriptor.saturating_add(k),
            })
        })
    }

    /// The descriptors of a slot; empty without type 7 and if the slot reaches outside it.
    pub fn slot_descriptors(&self, slot: &Slot) -> &[TriDesc] {
        let descriptors = self.triangles.as_deref().unwrap_or_default();
        descriptors.get(slot.tri_range()).unwrap_or_default()
    }

    /// How each node hangs on the animation tables.
    pub fn track_links(&self) -> Vec<TrackLink> {
        let nodes = self.nodes.as_slice().iter();
        nodes.map(Node::track_link).collect()
    }

    /// The part of the animation that each node uses; `None` for nodes without keys.
    pub fn tracks(&self) -> Vec<Option<Track>> {
        self.animation.tracks(&self.track_links())
    }

    /// Whether corners run counter-clockwise as seen from the side that the stored normals point to. False for a model
    /// without normals, and where they contradict each other.
    pub fn is_counter_clockwise(&self) -> bool {
        let Some(normals) = &self.normals else {
            return false;
        };
        let (mut n_along, mut n_against) = (0u32, 0u32);
        for batch in &self.batches {
            let mut vertices = self.batch_vertices(batch);
            while let (Some(a), Some(b), Some(c)) =
                (vertices.next(), vertices.next(), vertices.next())
            {
                let corners = [a, b, c].map(|vertex| self.positions.get(vertex));
                let ([Some(a), Some(b), Some(c)], Some(normal)) = (corners, normals.get(a)) else {
                    continue;
                };
                let along = dot(cross(minus(b, a), minus(c, a)), unpack_normal(*normal));
                n_along = n_along.saturating_add(u32::from(along > 0.0));
                n_against = n_against.saturating_add(u32::from(along < 0.0));
            }
        }
        n_along > 0 && n_along as f32 >= AGREEING * n_along.saturating_add(n_against) as f32
    }
}

fn minus([ax, ay, az]: &[f32; 3], [bx, by, bz]: &[f32; 3]) -> [f32; 3] {
    [ax - bx, ay - by, az - bz]
}

fn cross([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn dot([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> f32 {
    ax * bx + ay * by + az * bz
}
