//! Morph targets -> their offsets on the device, and what drawing and culling need of them here.

use bytemuck::Zeroable;
use glam::{Vec3A, Vec4};
use ironlands_scene::{Affine, Model, MorphWeight, PieceLod, PieceMoves, Scene, Sphere};

use super::{
    GpuModel, Uploader, filled_buffer,
    models::{GpuPiece, GpuShape},
};
use crate::{
    Gpu, RenderError,
    rigid_balls::NodeBall,
    uniforms::{ActiveMorph, GpuSkinVertex},
};

/// Where the offsets of a target stand on the device.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GpuTarget {
    first_vertex: u32,
    n_vertices: u32,
    first_offset: u32,
}

impl GpuTarget {
    /// The target with a weight, as the device wants it.
    pub fn active(&self, weight: f32) -> ActiveMorph {
        let Self {
            first_vertex,
            n_vertices,
            first_offset,
        } = *self;
        ActiveMorph {
            first_vertex,
            n_vertices,
            first_offset,
            weight,
        }
    }
}

impl GpuShape {
    /// x, y, z and radius of a ball around it, where more than its node moves it. `lod` is its own of the piece.
    pub fn deformed_ball(
        &self,
        model: &GpuModel,
        piece: &GpuPiece,
        lod: &PieceLod,
        poses: &[Affine],
        weights: &[MorphWeight],
    ) -> Vec4 {
        match self.skin.bounds(&model.joints, poses, weights) {
            Some(Sphere { center, radius }) => Vec4::from((Vec3A::from(center), radius)),
            None => {
                let node = piece.piece.node;
                let grown = self.moves.grown(&lod.bounds, weights);
                NodeBall::new(node, &grown).placed(&poses[node as usize])
            }
        }
    }
}

/// For each level of detail of each piece, in order, as shapes are.
pub(super) fn moves_of(model: &Model) -> impl Iterator<Item = PieceMoves> {
    let lods = model.pieces.iter().flat_map(|piece| &piece.lods);
    lods.map(|lod| PieceMoves::new(&model.mesh, lod))
}

/// All targets of all models, one model after the other.
pub(super) fn targets_of(scene: &Scene) -> Vec<Vec<GpuTarget>> {
    let mut first_offset = 0;
    let mut place = |model: &Model| {
        let targets = model.mesh.morph_targets.iter();
        let placed = targets.map(|target| {
            let n_vertices = target.offsets.len() as u32;
            let placed = GpuTarget {
                first_vertex: target.first_vertex,
                n_vertices,
                first_offset,
            };
            // More than 32 bits of them are refused before they are drawn: no device holds as many.
            first_offset = first_offset.wrapping_add(n_vertices);
            placed
        });
        placed.collect()
    };
    scene.models.iter().map(&mut place).collect()
}

impl Uploader<'_> {
    /// The offsets of all targets; one number where there is none, as the device holds nothing empty.
    pub(super) fn upload_offsets(&self, scene: &Scene) -> Result<wgpu::Buffer, RenderError> {
        let targets = scene
            .models
            .iter()
            .flat_map(|model| &model.mesh.morph_targets);
        let mut offsets: Vec<f32> = Vec::new();
        for target in targets {
            offsets.extend_from_slice(target.offsets.as_flattened());
        }
        if offsets.is_empty() {
            offsets.push(0.0);
        }
        let what = "offsets of morph targets of all models";
        check_size(self.gpu, what, size_of_val(&offsets[..]) as u64)?;
        let usage = wgpu::BufferUsages::STORAGE;
        let buffer = filled_buffer(self.gpu, "morph offsets", &offsets, usage)?;
        Ok(buffer.expect("at least one number is uploaded"))
    }
}

impl Uploader<'_> {
    /// Which joints carry the vertices of all models that have a skin; one item where there is none, as the device holds
    /// nothing empty.
    pub(super) fn upload_skins(&self, scene: &Scene) -> Result<wgpu::Buffer, RenderError> {
        let vertices = scene.models.iter().flat_map(|model| &model.mesh.skin);
        let mut vertices: Vec<_> = vertices.map(GpuSkinVertex::from).collect();
        if vertices.is_empty() {
            vertices.push(GpuSkinVertex::zeroed());
        }
        check_size(
            self.gpu,
            "skins of all models",
            size_of_val(&vertices[..]) as u64,
        )?;
        let usage = wgpu::BufferUsages::STORAGE;
        let buffer = filled_buffer(self.gpu, "skins", &vertices, usage)?;
        Ok(buffer.expect("at least one item is uploaded"))
    }
}

fn check_size(gpu: &Gpu, what: &str, needed: u64) -> Result<(), RenderError> {
    let limit = gpu.caps().max_storage_bytes;
    if needed > limit {
        return Err(RenderError::TooLarge {
            what: what.to_owned(),
            needed,
            limit,
            unit: "bytes",
        });
    }
    Ok(())
}
