//! Nodes, their motion and the shapes that hang on them, gathered into a draft.

use ironlands_assets_parkan::msh::{
    BatchFlags, DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft, NO_LIGHTMAP,
    NodeFlags, stored_rotation,
};

use super::shape::{Corner, Shape};
use super::turn::Turn;
use crate::vector::Vec3;

/// A model as it grows.
#[derive(Default)]
pub struct Body {
    draft: ModelDraft,
}

/// A pose of a node in the space of its parent.
#[derive(Debug, Clone, Copy)]
pub struct Pose {
    pub frame: u32,
    pub position: Vec3,
    pub turn: Turn,
}

/// A shape and the material row that it is drawn with.
pub struct Part {
    pub row: u8,
    pub flags: BatchFlags,
    pub shape: Shape,
}

/// A part with one side.
pub fn part(row: u8, shape: Shape) -> Part {
    Part {
        row,
        flags: BatchFlags::empty(),
        shape,
    }
}

/// A part that is seen from both sides.
pub fn two_sided(row: u8, shape: Shape) -> Part {
    Part {
        row,
        flags: BatchFlags::TWO_SIDED,
        shape,
    }
}

/// Light that hangs in the air: seen from both sides, and through.
pub fn halo(row: u8, shape: Shape) -> Part {
    Part {
        row,
        flags: BatchFlags::TWO_SIDED | BatchFlags::SEE_THROUGH,
        shape,
    }
}

impl Body {
    /// A node that stands still.
    pub fn still(&mut self, name: &str, parent: Option<usize>, position: Vec3) -> usize {
        let turn = Turn::NONE;
        let pose = Pose {
            frame: 0,
            position,
            turn,
        };
        self.moving(name, parent, vec![pose])
    }

    /// A node with these poses.
    pub fn moving(&mut self, name: &str, parent: Option<usize>, poses: Vec<Pose>) -> usize {
        let key = |pose: Pose| DraftKey {
            time: pose.frame as f32,
            position: pose.position.map(|c| c as f32),
            rotation: stored_rotation(pose.turn.0.map(|c| c as f32)),
        };
        self.draft.nodes.push(DraftNode {
            name: name.as_bytes().to_vec(),
            parent,
            flags: NodeFlags::empty(),
            keys: poses.into_iter().map(key).collect(),
            pieces: Vec::new(),
        });
        self.draft.nodes.len() - 1
    }

    /// Hangs parts on a node; those of one row and flags become one batch.
    pub fn piece(&mut self, node: usize, state: u8, lod: u8, parts: Vec<Part>) {
        let mut batches: Vec<DraftBatch> = Vec::new();
        for Part { row, flags, shape } in parts {
            let triangles = shape.triangles.iter().map(|corners| corners.map(vertex));
            let alike = (batches.iter_mut()).find(|b| (b.wear_row, b.flags) == (row, flags));
            match alike {
                Some(batch) => batch.triangles.extend(triangles),
                None => batches.push(DraftBatch {
                    flags,
                    wear_row: row,
                    lightmap: match flags.contains(BatchFlags::LIGHTMAP) {
                        true => 0,
                        false => NO_LIGHTMAP,
                    },
                    triangles: triangles.collect(),
                }),
            }
        }
        self.draft.nodes[node].pieces.push(DraftPiece {
            state,
            lod,
            batches,
        });
    }

    pub fn into_draft(self) -> ModelDraft {
        self.draft
    }
}

fn vertex(corner: Corner) -> DraftVertex {
    let Corner {
        position,
        normal,
        uv,
        lightmap_uv,
    } = corner;
    DraftVertex {
        position: position.map(|c| c as f32),
        normal: normal.map(|c| c as f32),
        uv: uv.map(|c| c as f32),
        lightmap_uv: lightmap_uv.map(|c| c as f32),
    }
}
