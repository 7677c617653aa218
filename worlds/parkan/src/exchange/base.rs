//! What a model takes over from the file that it was exported from: all of it where nothing has changed, else what
//! glTF and OBJ have no place for of the nodes and pieces that are still there.

use std::collections::BTreeMap;
use std::path::Path;

use ironlands_assets_parkan::model_file::ModelFile;
use ironlands_assets_parkan::msh::{
    Batch, DraftNode, DraftPiece, LightProbe, ModelDraft, Msh, NONE, NodeTable, Slot, TriDesc,
};
use ironlands_assets_parkan::texm::PixelOptions;
use ironlands_exchange::Findings;
use ironlands_exchange::conversion::AnyError;

use super::{GlbOptions, ImportOptions, ImportedModel, ModelAppearance, read_glb, write_glb};

/// The old file, and what an import of its own export gives.
pub(super) struct Base {
    pub(super) file: ModelFile,
    again: ImportedModel,
}

impl Base {
    pub(super) fn open(path: &Path) -> Result<Self, AnyError> {
        let file = ModelFile::open(path)?;
        if matches!(file.msh.nodes, NodeTable::Stride24(_)) {
            return Err("its nodes cannot be read, so that nothing can be taken over".into());
        }
        let look = ModelAppearance::new(&file, PixelOptions::default());
        let glb = write_glb(&look.source(&file), &GlbOptions::default())?;
        let again = read_glb(&glb.bytes, &ImportOptions::default())?;
        Ok(Self { file, again })
    }

    /// Whether what was imported is what the base would give.
    pub(super) fn is_unchanged(&self, imported: &ImportedModel) -> bool {
        let Self { file: _, again } = self;
        again.draft.nodes == imported.draft.nodes
            && again.materials == imported.materials
            && again.lightmaps == imported.lightmaps
    }

    /// Puts into a model that was made of a draft what the base knows; names what of it has no place any more.
    pub(super) fn complete(&self, draft: &ModelDraft, made: &mut Msh, findings: &mut Findings) {
        let old = &self.file.msh;
        let old_nodes = &self.again.draft.nodes;
        let mut takeover = TakeOver {
            old,
            old_nodes,
            new_nodes: &draft.nodes,
            old_of_new: matching_nodes(old_nodes, &draft.nodes),
            findings,
        };
        takeover.name_removed_nodes();
        made.container = old.container.clone();
        takeover.animation(made);
        takeover.streams(made);
        takeover.pieces(made);
        takeover.probes(made);
    }
}

/// For each new node the old one of its name, or of its place where neither has a name.
fn matching_nodes(old: &[DraftNode], new: &[DraftNode]) -> Vec<Option<usize>> {
    let mut by_name: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (idx, node) in old.iter().enumerate().rev() {
        by_name.entry(&node.name).or_default().push(idx);
    }
    let matching = |(idx, node): (usize, &DraftNode)| {
        if node.name.is_empty() {
            return old.get(idx).filter(|it| it.name.is_empty()).map(|_| idx);
        }
        by_name.get_mut(&*node.name)?.pop()
    };
    new.iter().enumerate().map(matching).collect()
}

struct TakeOver<'a> {
    old: &'a Msh,
    old_nodes: &'a [DraftNode],
    new_nodes: &'a [DraftNode],
    old_of_new: Vec<Option<usize>>,
    findings: &'a mut Findings,
}

impl TakeOver<'_> {
    /// What names nodes by their numbers may be wrong when those change.
    fn name_removed_nodes(&mut self) {
        let is_same = self.old_nodes.len() == self.new_nodes.len()
            && (self.old_of_new.iter().enumerate()).all(|(new, old)| *old == Some(new));
        let names_nodes = |table: u32| {
            let entries = &self.old.container.entries;
            let mut entries = entries.iter().filter(|it| it.type_id == table);
            entries.any(|entry| !entry.data.is_empty())
        };
        for table in [9, 17] {
            if !is_same && names_nodes(table) {
                let what = "it is kept as it is, though the nodes that it is about have changed";
                self.findings.add(format!("table {table}"), what);
            }
        }
    }

    fn old_node(&self, new: usize) -> Option<usize> {
        self.old_of_new.get(new).copied().flatten()
    }

    fn new_node(&self, old: usize) -> Option<usize> {
        self.old_of_new.iter().position(|it| *it == Some(old))
    }

    /// Keys and frame map, if all nodes move as before.
    fn animation(&mut self, made: &mut Msh) {
        let moves = |node: &DraftNode| (node.parent, node.keys.clone());
        let is_same = self.old_nodes.len() == self.new_nodes.len()
            && (self.old_nodes.iter().zip(self.new_nodes)).all(|(a, b)| moves(a) == moves(b));
        let (NodeTable::Nodes(nodes), NodeTable::Nodes(old_nodes)) =
            (&mut made.nodes, &self.old.nodes)
        else {
            return;
        };
        if !is_same {
            let what =
                "nodes move or hang otherwise than in the base; keys and frame map are made again";
            return self.findings.add("tables 8 and 19", what);
        }
        made.animation = self.old.animation.clone();
        for (node, old) in nodes.iter_mut().zip(old_nodes) {
            node.map_start = old.map_start;
            node.fallback_key = old.fallback_key;
        }
    }

    /// Streams that glTF does not have begin neutral; vertices of pieces that are still there get their values.
    fn streams(&self, made: &mut Msh) {
        let n_vertices = made.positions.len();
        made.unknown_15 = (self.old.unknown_15.as_ref()).map(|_| vec![[0; 8]; n_vertices]);
        made.tangents = (self.old.tangents.as_ref()).map(|_| vec![[[0; 4]; 2]; n_vertices]);
        if self.old.lightmap_uv.is_some() && made.lightmap_uv.is_none() {
            made.lightmap_uv = Some(vec![[0; 2]; n_vertices]);
        }
    }

    fn pieces(&mut self, made: &mut Msh) {
        let mut n_same = 0_usize;
        let n_old: usize = self.old_nodes.iter().map(|node| node.pieces.len()).sum();
        let mut n_new = 0_usize;
        for (new_idx, node) in self.new_nodes.iter().enumerate() {
            let old_idx = self.old_node(new_idx);
            for piece in &node.pieces {
                n_new = n_new.saturating_add(1);
                let place = (piece.state, piece.lod);
                let old_node = old_idx.and_then(|idx| self.old_nodes.get(idx));
                let old_piece =
                    old_node.and_then(|it| it.pieces.iter().find(|it| (it.state, it.lod) == place));
                let slots = [(&*made, Some(new_idx)), (self.old, old_idx)]
                    .map(|(msh, node)| slot_of(msh, node?, piece));
                let is_same = old_piece.is_some_and(|old| has_same_shape(old, piece));
                if let ([Some(slot), Some(old_slot)], true) = (slots, is_same)
                    && self.piece(made, slot, old_slot)
                {
                    n_same = n_same.saturating_add(1);
                } else if old_piece.is_some() {
                    let name = String::from_utf8_lossy(&node.name);
                    let what = "its shape has changed; bounds, flags of triangles, and words of batches and vertices \
                                that the base has are left out";
                    self.findings.add(format!("node {name}"), what);
                }
            }
        }
        if n_same == n_old && n_same == n_new {
            made.header = self.old.header;
        }
    }

    /// Takes over what a slot, its batches, its triangles and its vertices have; `false` if they do not belong together.
    fn piece(&mut self, made: &mut Msh, slot_idx: usize, old_idx: usize) -> bool {
        let old = self.old;
        let slots = [made.slots.get(slot_idx), old.slots.get(old_idx)];
        let [Some(slot), Some(old_slot)] = slots.map(Option::<&Slot>::copied) else {
            return false;
        };
        let range = made.slot_batch_range(&slot);
        let old_range = old.slot_batch_range(&old_slot);
        let pairs = || range.clone().zip(old_range.clone());
        let len = |msh: &Msh, idx: usize| msh.batches.get(idx).map(|it| it.index_count);
        let is_same = range.len() == old_range.len()
            && pairs().all(|(new, before)| len(made, new) == len(old, before));
        if !is_same {
            return false;
        }
        self.triangles(made, slot, old_slot);
        for (new, before) in pairs() {
            let vertices = |msh: &Msh, idx: usize| -> Vec<usize> {
                let batch = msh.batches.get(idx);
                batch.map_or_else(Vec::new, |it| msh.batch_vertices(it).collect())
            };
            for (new, before) in vertices(made, new).into_iter().zip(vertices(old, before)) {
                copy_value(&mut made.unknown_15, new, &old.unknown_15, before);
                copy_value(&mut made.tangents, new, &old.tangents, before);
                copy_value(&mut made.lightmap_uv, new, &old.lightmap_uv, before);
            }
            let beyond = old.batches.get(before).map(|it| self.portal(it));
            if let (Some(batch), Some(old), Some(beyond)) =
                (made.batches.get_mut(new), old.batches.get(before), beyond)
            {
                batch.material_02 = old.material_02;
                batch.beyond_portal = beyond;
            }
        }
        if let Some(slot) = made.slots.get_mut(slot_idx) {
            slot.aabb_min = old_slot.aabb_min;
            slot.aabb_max = old_slot.aabb_max;
            slot.sphere_center = old_slot.sphere_center;
            slot.sphere_radius = old_slot.sphere_radius;
            slot.unknown_30 = old_slot.unknown_30;
        }
        true
    }

    /// The node beyond a portal, by its new number.
    fn portal(&mut self, batch: &Batch) -> u16 {
        if batch.beyond_portal == NONE {
            return NONE;
        }
        let beyond = self.new_node(usize::from(batch.beyond_portal));
        match beyond.and_then(|it| u16::try_from(it).ok()) {
            Some(beyond) => beyond,
            None => {
                let place = format!("node {}", batch.beyond_portal);
                self.findings
                    .add(place, "a portal led to it; it leads nowhere");
                NONE
            }
        }
    }

    fn triangles(&mut self, made: &mut Msh, slot: Slot, old_slot: Slot) {
        let (Some(new), Some(old)) = (&mut made.triangles, &self.old.triangles) else {
            return;
        };
        let [start, old_start] = [slot, old_slot].map(|it| usize::from(it.tri_start));
        let count = usize::from(slot.tri_count);
        if slot.tri_count != old_slot.tri_count {
            let what = "its triangles have other descriptors than batches; they are made again";
            return self.findings.add("table 7", what);
        }
        let old_range = old_start..old_start.saturating_add(count);
        let moved = |link: u16| {
            let inside = usize::from(link).checked_sub(old_start);
            let inside = inside.filter(|it| link != NONE && *it < count);
            let moved = inside.and_then(|it| u16::try_from(start.saturating_add(it)).ok());
            moved.unwrap_or(NONE)
        };
        let (Some(new), Some(old)) = (
            new.get_mut(start..start.saturating_add(count)),
            old.get(old_range),
        ) else {
            return;
        };
        for (new, old) in new.iter_mut().zip(old) {
            *new = TriDesc {
                links: old.links.map(moved),
                ..*old
            };
        }
    }

    fn probes(&mut self, made: &mut Msh) {
        let Some(old) = &self.old.probes else {
            return;
        };
        let mut probes = Vec::with_capacity(old.len());
        for probe in old {
            let old_piece = usize::try_from(probe.piece).ok();
            let piece = match old_piece {
                // Of no node before, of none now.
                None => Some(probe.piece),
                Some(old_piece) => (self.new_node(old_piece)).and_then(|it| i32::try_from(it).ok()),
            };
            match piece {
                Some(piece) => probes.push(LightProbe { piece, ..*probe }),
                None => {
                    let what = "its light probes are left out with the node";
                    self.findings.add(format!("node {}", probe.piece), what);
                }
            }
        }
        made.probes = Some(probes);
    }
}

fn slot_of(msh: &Msh, node: usize, piece: &DraftPiece) -> Option<usize> {
    let node = msh.nodes.as_slice().get(node)?;
    let word = node.slot_word(piece.state.into(), piece.lod.into());
    word.map(usize::from)
}

/// Whether pieces have the same triangles, of the same rows, whatever their normals and coordinates.
fn has_same_shape(old: &DraftPiece, new: &DraftPiece) -> bool {
    let corners = |piece: &DraftPiece| -> Vec<(u8, [[u32; 3]; 3])> {
        let batches = piece.batches.iter();
        let triangles = batches.flat_map(|batch| {
            let row = batch.wear_row;
            let triangles = batch.triangles.iter();
            triangles.map(move |it| (row, it.map(|corner| corner.position.map(f32::to_bits))))
        });
        triangles.collect()
    };
    old.batches.len() == new.batches.len() && corners(old) == corners(new)
}

/// Copies the value of a vertex, if both models have the stream.
fn copy_value<T: Copy>(
    to: &mut Option<Vec<T>>,
    vertex: usize,
    from: &Option<Vec<T>>,
    old_vertex: usize,
) {
    let old = from.as_ref().and_then(|stream| stream.get(old_vertex));
    let new = to.as_mut().and_then(|stream| stream.get_mut(vertex));
    if let (Some(new), Some(old)) = (new, old) {
        *new = *old;
    }
}
