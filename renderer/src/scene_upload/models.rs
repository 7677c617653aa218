//! Models and instances -> node matrices on the device, and what culling needs of them here.

use std::{mem::size_of, num::NonZeroU64, ops::Range};

use glam::{Affine3A, Mat3A, Vec3A};
use ironlands_scene::{Affine, AmbientCube, Model, ModelPiece, Scene, Sphere};

use super::{GpuPass, Uploader, filled_buffer};
use crate::{
    Gpu, RenderError,
    draw_list::PassOrder,
    passes::surface::PipelineKey,
    uniforms::{CubeOfNode, NodeMatrix},
};

/// All models and instances of a scene.
#[derive(Debug)]
pub(crate) struct GpuModels {
    pub models: Vec<GpuModel>,
    pub instances: Vec<GpuInstance>,
    /// Levels of detail of all pieces of all models.
    pub shapes: Vec<GpuShape>,
    /// For each material what the draw list must know of its passes over pieces: as their matrices do not
    /// mirror, and as they do. Empty for materials that no model has.
    pub materials: Vec<[Vec<PassOrder>; 2]>,
    /// World from node for all nodes of all instances.
    pub rest_poses: Vec<Affine>,
    /// None if there is no node.
    matrices: Option<NodeMatrices>,
}

/// What is known of a model besides its mesh.
#[derive(Debug)]
pub(crate) struct GpuModel {
    pub pieces: Vec<GpuPiece>,
    /// Those that a piece has, each once.
    states: Vec<u8>,
    pub lod_sizes: Vec<f32>,
    /// Its bounds at rest, in the space of its first node; none if there is no way back to that space.
    pub bounds_in_root: Option<Sphere>,
}

#[derive(Debug)]
pub(crate) struct GpuPiece {
    pub piece: ModelPiece,
    /// Its finest level of detail in [`GpuModels::shapes`]; the others follow.
    pub first_shape: usize,
}

/// What is drawn of a piece at one level of detail.
#[derive(Debug)]
pub(crate) struct GpuShape {
    /// Index into `SceneGpu::meshes`.
    pub mesh: usize,
    /// Range of the mesh's batches.
    pub batches: Range<usize>,
}

#[derive(Debug)]
pub(crate) struct GpuInstance {
    /// Index into [`GpuModels::models`].
    pub model: usize,
    /// Number of its first node among those of all instances.
    pub first_node: usize,
    pub state: u8,
    /// Cells that it reaches into.
    pub cells: Vec<u32>,
}

/// The same matrices twice, so that a frame at rest after one in motion has nothing to write.
#[derive(Debug)]
struct NodeMatrices {
    at_rest: wgpu::BindGroup,
    posed: wgpu::BindGroup,
    posed_buffer: wgpu::Buffer,
}

impl GpuModels {
    /// The poses of a frame, given those of its state.
    ///
    /// # Errors
    /// [`RenderError::Poses`] if there is not one for each node.
    pub fn poses<'a>(&'a self, poses: &'a [Affine]) -> Result<&'a [Affine], RenderError> {
        if poses.is_empty() {
            return Ok(&self.rest_poses);
        }
        if poses.len() != self.rest_poses.len() {
            return Err(RenderError::Poses {
                given: poses.len(),
                needed: self.rest_poses.len(),
            });
        }
        Ok(poses)
    }

    /// Hands the poses of a frame to the device, straight into its staging memory; `poses` is empty or has the
    /// right length.
    pub fn write_poses(&self, gpu: &Gpu, poses: &[Affine]) {
        let Some(matrices) = self.matrices.as_ref().filter(|_| !poses.is_empty()) else {
            return;
        };
        let size = NonZeroU64::new(size_of_matrices(poses.len())).expect("there are poses");
        let staged = gpu.queue.write_buffer_with(&matrices.posed_buffer, 0, size);
        // Without memory for it there is none, and the device has an error to tell.
        if let Some(mut staged) = staged {
            let (rows, _) = staged.slice(..).into_chunks();
            rows.write_iter(poses.iter().map(matrix_bytes));
        }
    }

    /// The matrices at rest, or those last written.
    pub fn bind_group(&self, is_at_rest: bool) -> Option<&wgpu::BindGroup> {
        let matrices = self.matrices.as_ref()?;
        Some(if is_at_rest {
            &matrices.at_rest
        } else {
            &matrices.posed
        })
    }
}

impl Uploader<'_> {
    /// `orders` is that of all materials over meshes. The meshes of models are uploaded behind the scene's.
    pub(super) fn upload_models(
        &mut self,
        scene: &Scene,
        orders: &[Vec<PassOrder>],
        passes: &[GpuPass],
    ) -> Result<GpuModels, RenderError> {
        let mut shapes = Vec::new();
        let models = scene.models.iter().zip(scene.meshes.len()..);
        let models = models.map(|(model, mesh)| GpuModel::new(model, mesh, &mut shapes));
        let models = models.collect();
        let mut first_node = 0;
        let instances = scene.instances.iter().map(|instance| {
            let model = instance.model.0 as usize;
            let instance = GpuInstance {
                model,
                first_node,
                state: instance.state,
                cells: instance.cells.clone(),
            };
            first_node += scene.models[model].nodes.len();
            instance
        });
        let instances = instances.collect();
        let rest_poses = scene.rest_poses();
        Ok(GpuModels {
            models,
            instances,
            shapes,
            materials: self.order_model_materials(scene, orders, passes),
            matrices: self.upload_matrices(&rest_poses, &ambient_cubes(scene))?,
            rest_poses,
        })
    }

    fn order_model_materials(
        &mut self,
        scene: &Scene,
        orders: &[Vec<PassOrder>],
        gpu_passes: &[GpuPass],
    ) -> Vec<[Vec<PassOrder>; 2]> {
        let batches = scene.models.iter().flat_map(|model| &model.mesh.batches);
        let mut is_used = vec![false; scene.materials.len()];
        for batch in batches {
            is_used[batch.material.0 as usize] = true;
        }
        let materials = scene.materials.iter().zip(orders).zip(is_used);
        materials
            .map(|((material, orders), is_used)| {
                [false, true].map(|is_mirrored| {
                    let passes = material.passes.iter().zip(orders).filter(|_| is_used);
                    passes
                        .map(|(pass, order)| {
                            let shading = gpu_passes[order.pass].shading;
                            let key = PipelineKey::of_model(pass, shading, is_mirrored);
                            let pipeline = self.surface.prepare(self.gpu, key);
                            PassOrder { pipeline, ..*order }
                        })
                        .collect()
                })
            })
            .collect()
    }

    fn upload_matrices(
        &self,
        rest_poses: &[Affine],
        cubes: &[CubeOfNode],
    ) -> Result<Option<NodeMatrices>, RenderError> {
        let limit = self.gpu.caps().max_storage_bytes;
        check_size("matrices", size_of_matrices(rest_poses.len()), limit)?;
        check_size("ambient light", size_of_val(cubes) as u64, limit)?;
        let Some(cubes) = filled_buffer(
            self.gpu,
            "ambient cubes",
            cubes,
            wgpu::BufferUsages::STORAGE,
        )?
        else {
            return Ok(None);
        };
        let matrices: Vec<_> = rest_poses.iter().map(NodeMatrix::from).collect();
        let buffer = |label| filled_buffer(self.gpu, label, &matrices, wgpu::BufferUsages::STORAGE);
        let both = buffer("nodes at rest")?.zip(buffer("posed nodes")?);
        Ok(both.map(|(rest_buffer, posed_buffer)| NodeMatrices {
            at_rest: self.nodes_bind_group("nodes at rest", &rest_buffer, &cubes),
            posed: self.nodes_bind_group("posed nodes", &posed_buffer, &cubes),
            posed_buffer,
        }))
    }

    fn nodes_bind_group(
        &self,
        label: &str,
        matrices: &wgpu::Buffer,
        cubes: &wgpu::Buffer,
    ) -> wgpu::BindGroup {
        let entries = [(0, matrices), (1, cubes)].map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        });
        self.gpu
            .device
            .create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &self.layouts.nodes,
                entries: &entries,
            })
    }
}

fn matrix_bytes(world_from_node: &Affine) -> [u8; size_of::<NodeMatrix>()] {
    bytemuck::cast(NodeMatrix::from(world_from_node))
}

fn size_of_matrices(n_nodes: usize) -> u64 {
    (n_nodes * size_of::<NodeMatrix>()) as u64
}

/// The light that falls on each node from around; one for all where no instance has light of its own.
fn ambient_cubes(scene: &Scene) -> Vec<CubeOfNode> {
    let ambient = scene.sun.ambient.map(linear_from_display);
    let of_scene = CubeOfNode::from(&AmbientCube([ambient; 6]));
    if scene
        .instances
        .iter()
        .all(|instance| instance.light.is_none())
    {
        return vec![of_scene];
    }
    let cubes = scene.instances.iter().flat_map(|instance| {
        let cube = instance.light.as_ref().map_or(of_scene, CubeOfNode::from);
        let n_nodes = scene.models[instance.model.0 as usize].nodes.len();
        std::iter::repeat_n(cube, n_nodes)
    });
    cubes.collect()
}

/// As in `shared/linear_light.wgsl`.
fn linear_from_display(display: f32) -> f32 {
    if display <= 0.04045 {
        display / 12.92
    } else {
        ((display + 0.055) / 1.055).powf(2.4)
    }
}

/// Whether something of all nodes can be bound at once.
fn check_size(what: &str, needed: u64, limit: u64) -> Result<(), RenderError> {
    if needed > limit {
        return Err(RenderError::TooLarge {
            what: format!("{what} of the nodes of all instances"),
            needed,
            limit,
            unit: "bytes",
        });
    }
    Ok(())
}

impl GpuModel {
    /// Adds its shapes to those of the models before; `mesh` is an index into `SceneGpu::meshes`.
    fn new(model: &Model, mesh: usize, shapes: &mut Vec<GpuShape>) -> Self {
        let mut states: Vec<_> = model.pieces.iter().map(|piece| piece.state).collect();
        states.sort_unstable();
        states.dedup();
        let pieces = model.pieces.iter().map(|piece| {
            let first_shape = shapes.len();
            shapes.extend(piece.lods.iter().map(|lod| GpuShape {
                mesh,
                batches: lod.batches.start as usize..lod.batches.end as usize,
            }));
            GpuPiece {
                piece: piece.clone(),
                first_shape,
            }
        });
        Self {
            pieces: pieces.collect(),
            states,
            lod_sizes: model.lod_sizes.clone(),
            bounds_in_root: bounds_in_root(model),
        }
    }

    /// The state that an instance shows: the one that the frame asks for if the model has it, else its own.
    pub fn shown_state(&self, asked_for: Option<u8>, own: u8) -> u8 {
        let asked_for = asked_for.filter(|state| self.states.contains(state));
        asked_for.unwrap_or(own)
    }
}

/// A posed model is where its first node is: what is known of a pose is where nodes are, not where models are.
fn bounds_in_root(model: &Model) -> Option<Sphere> {
    let root_from_model = inverse(&model.nodes.first()?.parent_from_node)?;
    Some(Sphere {
        center: root_from_model.transform_point(model.bounds.center),
        radius: model.bounds.radius * root_from_model.max_scale(),
    })
}

/// None for a transform that flattens.
fn inverse(transform: &Affine) -> Option<Affine> {
    let [x, y, z] = transform.0;
    let rows = [x, y, z].map(|row| Vec3A::new(row[0], row[1], row[2]));
    let inverse = Affine3A {
        matrix3: Mat3A::from_cols(rows[0], rows[1], rows[2]).transpose(),
        translation: Vec3A::new(x[3], y[3], z[3]),
    }
    .inverse();
    let rows = inverse.matrix3.transpose();
    let row = |row: Vec3A, moved: f32| [row.x, row.y, row.z, moved];
    let inverse = Affine([
        row(rows.x_axis, inverse.translation.x),
        row(rows.y_axis, inverse.translation.y),
        row(rows.z_axis, inverse.translation.z),
    ]);
    inverse.is_finite().then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_matrices_than_can_be_bound_are_refused() {
        // 48 bytes a node.
        assert!(check_size("matrices", size_of_matrices(100), 4800).is_ok());
        let refused = check_size("matrices", size_of_matrices(101), 4800);
        assert!(
            matches!(
                refused,
                Err(RenderError::TooLarge {
                    needed: 4848,
                    limit: 4800,
                    ..
                })
            ),
            "{refused:?}"
        );
    }

    #[test]
    fn what_a_transform_does_its_inverse_undoes() {
        let transform = Affine([
            [0.0, -3.0, 0.5, 10.0],
            [2.0, 0.0, 0.0, -20.0],
            [0.0, 1.0, 0.5, 30.0],
        ]);
        let back = inverse(&transform).expect("it flattens nothing");
        let point = [1.5, -2.0, 7.0];
        let found = back.transform_point(transform.transform_point(point));
        for axis in 0..3 {
            assert!((found[axis] - point[axis]).abs() < 1e-4, "{found:?}");
        }
        let flat = Affine([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0; 4]]);
        assert_eq!(inverse(&flat), None);
    }
}
