//! Triangles of slots: the vertices that they use, and who shows them.

use ironlands_assets_parkan::msh::{Msh, N_LODS, N_STATES, NodeTable};

use ironlands_exchange::{ExportError, finite};

use super::source::ModelExportError;

/// More triangles than a model can describe in its own tables, ten times over.
const MAX_TRIANGLES: u64 = 1 << 21;

/// What a node shows in one state at one level of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) node: usize,
    pub(super) state: u8,
    pub(super) lod: u8,
    pub(super) slot: usize,
}

/// Vertices and triangles of one slot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SlotGeometry {
    /// Vertices of the model that some triangle uses, ascending.
    pub(super) vertices: Vec<usize>,
    /// Batches that have triangles.
    pub(super) batches: Vec<BatchTriangles>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BatchTriangles {
    pub(super) batch_idx: usize,
    /// Three a triangle, into [`SlotGeometry::vertices`].
    pub(super) indices: Vec<u32>,
}

/// Everything that nodes show, by node, state, and level of detail.
pub(super) fn pieces(msh: &Msh) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (node_idx, node) in msh.nodes.as_slice().iter().enumerate() {
        for (state, lod) in (0..N_STATES).flat_map(|state| (0..N_LODS).map(move |lod| (state, lod)))
        {
            let slot = node.slot_word(state, lod).map(usize::from);
            pieces.extend(
                slot.filter(|slot| *slot < msh.slots.len())
                    .map(|slot| Piece {
                        node: node_idx,
                        state: state as u8,
                        lod: lod as u8,
                        slot,
                    }),
            );
        }
    }
    pieces
}

/// The triangles of each slot. A model whose nodes no one can read has one more: all its batches.
pub(super) fn slots(msh: &Msh) -> Result<Vec<SlotGeometry>, ModelExportError> {
    let mut ranges: Vec<_> = (msh.slots.iter())
        .map(|slot| msh.slot_batch_range(slot))
        .collect();
    if matches!(msh.nodes, NodeTable::Stride24(_)) {
        ranges.push(0..msh.batches.len());
    }
    let mut n_triangles = 0;
    for batch in ranges.iter().cloned().flatten() {
        n_triangles += msh.batch_indices(&msh.batches[batch]).len() as u64 / 3;
        if n_triangles > MAX_TRIANGLES {
            return Err(ExportError::TooMany {
                what: "triangles in all its slots together, or more",
                count: n_triangles,
                limit: MAX_TRIANGLES,
            }
            .into());
        }
    }
    let geometry = ranges.into_iter().map(|range| of_batches(msh, range));
    geometry.collect()
}

fn of_batches(msh: &Msh, range: std::ops::Range<usize>) -> Result<SlotGeometry, ModelExportError> {
    let n_vertices = msh.positions.len();
    let mut vertices = Vec::new();
    let mut batches = Vec::new();
    for batch_idx in range {
        let mut corners: Vec<usize> = msh.batch_vertices(&msh.batches[batch_idx]).collect();
        // A part triangle at the end cannot be drawn.
        corners.truncate(corners.len() / 3 * 3);
        if let Some(vertex) = corners.iter().copied().find(|it| *it >= n_vertices) {
            return Err(ModelExportError::NoVertex {
                batch: batch_idx,
                vertex,
                n_vertices,
            });
        }
        if !corners.is_empty() {
            vertices.extend(&corners);
            batches.push((batch_idx, corners));
        }
    }
    vertices.sort_unstable();
    vertices.dedup();
    for vertex in &vertices {
        finite(msh.positions[*vertex], || format!("position {vertex}"))?;
    }
    let local = |vertex: &usize| vertices.binary_search(vertex).expect("it was collected") as u32;
    let batches = batches
        .into_iter()
        .map(|(batch_idx, corners)| BatchTriangles {
            batch_idx,
            indices: corners.iter().map(local).collect(),
        });
    Ok(SlotGeometry {
        batches: batches.collect(),
        vertices,
    })
}
