//! A model as binary glTF 2.0.
//!
//! Scene 0 shows state 0 at level of detail 0: a root that turns +Z up to +Y up, below it the nodes of the model,
//! each with its piece. A scene for each other state and level of detail holds the pieces that exist there, at
//! rest. A glTF mesh is a slot, in the space of its nodes; a primitive is a batch. The tracks are one animation,
//! `all frames`. What glTF has no place for stands in `extras`.

mod animation;
mod materials;
mod meshes;
mod nodes;

use ironlands_exchange::ExportError;
use ironlands_exchange::write_gltf::{BinaryChunk, Glb, new_root};

pub(super) use self::animation::ALL_FRAMES;
use self::meshes::Meshes;
pub(super) use self::meshes::{PACKED_NORMAL, unit_normal};
use super::source::{ModelExportError, ModelSource};
use super::{geometry, left_out, motions};

/// How a model is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlbOptions {
    /// Frames of the animation that go by in a second; above 0. The files do not say; the caller does.
    pub frames_per_sec: f32,
}

impl Default for GlbOptions {
    /// 15 frames per second.
    fn default() -> Self {
        Self {
            frames_per_sec: 15.0,
        }
    }
}

/// Writes a model with all its states, levels of detail, textures and tracks as one file.
///
/// Batches that are never drawn are written like others, with their flags. Batches that no slot names, part
/// triangles, the tables of collision and light (types 7 and 20), and streams of unknown meaning are not written. A model whose nodes no one can read is one mesh of all its batches.
///
/// # Errors
/// Numbers that are not finite, indices that lead nowhere, a rate that is not above 0, tables that grow beyond all
/// measure, a file beyond 4 GiB.
pub fn write_glb(source: &ModelSource<'_>, options: &GlbOptions) -> Result<Glb, ModelExportError> {
    let rate = options.frames_per_sec;
    if !(rate.is_finite() && rate > 0.0) {
        return Err(ExportError::Rate { rate }.into());
    }
    let motions = motions::motions(source.msh)?;
    let slots = geometry::slots(source.msh)?;
    let mut root = new_root();
    let mut bin = BinaryChunk::default();
    let mut meshes = Meshes::new(source, &slots);
    nodes::add(source, &motions, &mut meshes, &mut root, &mut bin)?;
    animation::add(source, &motions, rate, &mut root, &mut bin)?;
    Ok(Glb::write(root, bin, left_out::of_glb(source))?)
}
