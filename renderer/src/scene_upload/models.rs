//! Models and instances -> node matrices on the device, and what culling needs of them here.

use std::{mem::size_of, num::NonZeroU64, ops::Range};

use glam::Vec4;
use ironlands_scene::{
    Affine, AmbientCube, Instance, Joint, Model, ModelPiece, MorphWeight, Morphs, PieceMoves,
    PieceSkin, Scene, Sphere, ViewRange,
};

use super::morphs::{GpuTarget, moves_of, targets_of};
use super::{GpuPass, Uploader, filled_buffer};
use crate::{
    FrameState, Gpu, RenderError,
    blob_shadows::Footprint,
    draw_list::PassOrder,
    linear_light::linear_from_display,
    passes::pipeline_key::N_VARIANTS,
    rigid_balls::{NodeBall, around, around_both, joined_by_node},
    uniforms::{CubeOfNode, NodeMatrix},
};

/// All models and instances of a scene.
#[derive(Debug)]
pub(crate) struct GpuModels {
    pub models: Vec<GpuModel>,
    pub instances: Vec<GpuInstance>,
    /// For each instance what every frame in which it moves looks at.
    pub places: Vec<InstancePlace>,
    /// Levels of detail of all pieces of all models.
    pub shapes: Vec<GpuShape>,
    /// For each material what the draw list must know of its passes over pieces, by `PieceVariant::index`. Empty
    /// where no model has a piece of that material and variant.
    pub materials: Vec<[Vec<PassOrder>; N_VARIANTS]>,
    /// World from node for all nodes of all instances.
    pub rest_poses: Vec<Affine>,
    /// None if there is no node.
    matrices: Option<NodeMatrices>,
}

/// Of what model an instance is, and where its nodes are among those of all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InstancePlace {
    model: u32,
    first_node: u32,
    n_nodes: u32,
}

impl InstancePlace {
    fn new(instance: &GpuInstance) -> Self {
        let [model, first_node, n_nodes] =
            [instance.model, instance.first_node, instance.n_nodes].map(|it| it as u32);
        Self {
            model,
            first_node,
            n_nodes,
        }
    }

    #[inline]
    pub fn nodes(self) -> Range<usize> {
        let first = self.first_node as usize;
        first..first + self.n_nodes as usize
    }
}

/// What is known of a model besides its mesh.
#[derive(Debug)]
pub(crate) struct GpuModel {
    pub pieces: Vec<GpuPiece>,
    /// Around the pieces that only nodes move.
    rigid: Vec<NodeBall>,
    /// Indices of the other pieces.
    deformed: Vec<usize>,
    /// Those that a piece has, each once.
    states: Vec<u8>,
    pub lod_sizes: Vec<f32>,
    /// Its bounds at rest, in the space of its first node; none if there is no way back to that space.
    pub bounds_in_root: Option<NodeBall>,
    /// What of it stands on the ground, likewise.
    pub footprint: Option<Footprint>,
    /// As in its mesh.
    pub targets: Vec<GpuTarget>,
    pub joints: Vec<Joint>,
    /// Where its skin begins among those of all models.
    pub first_skin: u32,
}

#[derive(Debug)]
pub(crate) struct GpuPiece {
    pub piece: ModelPiece,
    /// Around all its levels of detail; none if targets move it.
    pub around_lods: Option<NodeBall>,
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
    /// Around it; none if more than its node moves it.
    pub rigid: Option<NodeBall>,
    pub moves: PieceMoves,
    pub skin: PieceSkin,
}

#[derive(Debug)]
pub(crate) struct GpuInstance {
    /// Index into [`GpuModels::models`].
    pub model: usize,
    /// Number of its first node among those of all instances.
    pub first_node: usize,
    n_nodes: usize,
    pub state: u8,
    /// Indices of pieces, rising.
    pub hidden_pieces: Vec<u32>,
    /// At rest.
    pub morph: Vec<MorphWeight>,
    /// Cells that it reaches into.
    pub cells: Vec<u32>,
    /// From the eye to its middle.
    pub range: ViewRange,
}

/// Where everything is in a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameContext<'a> {
    /// One matrix for each node of all instances.
    pub poses: &'a [Affine],
    /// One list for each instance, or none at all.
    morphs: &'a Morphs,
    /// Whether nothing has moved.
    pub is_at_rest: bool,
}

impl<'a> FrameContext<'a> {
    /// Whether what moves the vertices of instances is as at rest.
    pub fn has_morphs_at_rest(&self) -> bool {
        self.morphs.is_empty()
    }

    /// What moves the vertices of an instance, given with its index.
    pub fn weights_of(&self, index: usize, instance: &'a GpuInstance) -> &'a [MorphWeight] {
        if self.morphs.is_empty() {
            &instance.morph
        } else {
            self.morphs.of(index)
        }
    }
}

/// The same matrices twice, so that a frame at rest after one in motion has nothing to write.
#[derive(Debug)]
struct NodeMatrices {
    at_rest: wgpu::BindGroup,
    posed: wgpu::BindGroup,
    posed_buffer: wgpu::Buffer,
}

impl GpuModels {
    /// Where a frame has everything.
    ///
    /// # Errors
    /// [`RenderError::Poses`] if there are poses, but not one for each node; [`RenderError::Morphs`] if there are
    /// weights, but not for each instance.
    pub fn frame_context<'a>(
        &'a self,
        state: &'a FrameState,
    ) -> Result<FrameContext<'a>, RenderError> {
        let poses = if state.poses.is_empty() {
            &self.rest_poses
        } else {
            &state.poses
        };
        if poses.len() != self.rest_poses.len() {
            return Err(RenderError::Poses {
                given: poses.len(),
                needed: self.rest_poses.len(),
            });
        }
        let morphs = &state.morphs;
        if !morphs.is_empty() && morphs.len() != self.instances.len() {
            return Err(RenderError::Morphs {
                given: morphs.len(),
                needed: self.instances.len(),
            });
        }
        Ok(FrameContext {
            poses,
            morphs,
            is_at_rest: state.poses.is_empty() && morphs.is_empty(),
        })
    }

    /// Hands the poses of a frame to the device, straight into its staging memory; `poses` is empty or has the
    /// right length.
    pub fn write_poses(&self, gpu: &Gpu, poses: &[Affine]) {
        let Some(matrices) = self.matrices.as_ref().filter(|_| !poses.is_empty()) else {
            return;
        };
        let size = NonZeroU64::new(size_of_matrices(poses.len())).expect("there are poses");
        let staged = gpu.stage(&matrices.posed_buffer, size);
        // Without memory for it there is none, and the device reports an error.
        if let Some(mut staged) = staged {
            let (rows, _) = staged.slice(..).into_chunks();
            rows.write_iter(poses.iter().map(matrix_bytes));
        }
    }

    /// x, y, z and radius of a ball around all that an instance can show in these poses of its nodes, in all its states;
    /// not finite if it shows nothing. `weights` is called where they matter.
    #[inline]
    pub fn ball_of<'w>(
        &self,
        place: InstancePlace,
        poses: &[Affine],
        weights: impl FnOnce() -> &'w [MorphWeight],
    ) -> [f32; 4] {
        let model = &self.models[place.model as usize];
        let placed = |ball: &NodeBall| ball.placed(&poses[ball.node as usize]);
        let rigid = model.rigid.iter().map(placed).reduce(around_both);
        let rigid = rigid.unwrap_or(Vec4::NAN);
        if model.deformed.is_empty() {
            return rigid.to_array();
        }
        let deformed = self.ball_of_deformed(model, poses, weights());
        around_both(rigid, deformed).to_array()
    }

    /// The same of the pieces that not only nodes move.
    fn ball_of_deformed(
        &self,
        model: &GpuModel,
        poses: &[Affine],
        weights: &[MorphWeight],
    ) -> Vec4 {
        let pieces = model.deformed.iter().map(|index| &model.pieces[*index]);
        let balls = pieces.flat_map(|piece| {
            let shapes = &self.shapes[piece.first_shape..];
            let lods = piece.piece.lods.iter().zip(shapes);
            let shown = lods.filter(|(lod, _)| !lod.batches.is_empty());
            shown.map(|(lod, shape)| shape.deformed_ball(model, piece, lod, poses, weights))
        });
        balls.reduce(around_both).unwrap_or(Vec4::NAN)
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
        let models = models
            .zip(targets_of(scene))
            .map(|((model, mesh), targets)| GpuModel::new(model, mesh, targets, &mut shapes));
        let mut models: Vec<_> = models.collect();
        let mut first_skin = 0;
        for (gpu_model, model) in models.iter_mut().zip(&scene.models) {
            gpu_model.first_skin = first_skin;
            first_skin += model.mesh.skin.len() as u32;
        }
        let mut first_node = 0;
        let instances = scene.instances.iter().map(|instance| {
            let n_nodes = scene.models[instance.model.0 as usize].nodes.len();
            let nodes = first_node..first_node + n_nodes;
            first_node = nodes.end;
            GpuInstance::new(instance, nodes)
        });
        let instances: Vec<_> = instances.collect();
        let places = instances.iter().map(InstancePlace::new).collect();
        let rest_poses = scene.rest_poses();
        Ok(GpuModels {
            models,
            instances,
            places,
            shapes,
            materials: self.order_model_materials(scene, orders, passes),
            matrices: self.upload_matrices(scene, &rest_poses)?,
            rest_poses,
        })
    }

    fn upload_matrices(
        &self,
        scene: &Scene,
        rest_poses: &[Affine],
    ) -> Result<Option<NodeMatrices>, RenderError> {
        let cubes = &ambient_cubes(scene)[..];
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
        let offsets = self.upload_offsets(scene)?;
        let skins = self.upload_skins(scene)?;
        let both = buffer("nodes at rest")?.zip(buffer("posed nodes")?);
        Ok(both.map(|(rest_buffer, posed_buffer)| {
            let bind_group = |label, matrices| {
                self.nodes_bind_group(label, [matrices, &cubes, &offsets, &skins])
            };
            NodeMatrices {
                at_rest: bind_group("nodes at rest", &rest_buffer),
                posed: bind_group("posed nodes", &posed_buffer),
                posed_buffer,
            }
        }))
    }

    /// Matrices, ambient cubes, offsets and skins.
    fn nodes_bind_group(&self, label: &str, buffers: [&wgpu::Buffer; 4]) -> wgpu::BindGroup {
        let entries = [0, 1, 2, 3].map(|binding: u32| wgpu::BindGroupEntry {
            binding,
            resource: buffers[binding as usize].as_entire_binding(),
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
    let of_scene = match &scene.days[..] {
        [] => CubeOfNode::from(&AmbientCube(
            [scene.sun.ambient.map(linear_from_display); 6],
        )),
        _ => CubeOfNode::OF_SCENE,
    };
    let is_of_scene = |it: &Instance| it.light.is_none() && it.direct_lights.is_empty();
    if scene.instances.iter().all(is_of_scene) {
        return vec![of_scene];
    }
    let cubes = scene.instances.iter().flat_map(|instance| {
        let cube = instance.light.as_ref().map_or(of_scene, CubeOfNode::from);
        let cube = cube.with_direct(&instance.direct_lights);
        let n_nodes = scene.models[instance.model.0 as usize].nodes.len();
        std::iter::repeat_n(cube, n_nodes)
    });
    cubes.collect()
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
    fn new(
        model: &Model,
        mesh: usize,
        targets: Vec<GpuTarget>,
        shapes: &mut Vec<GpuShape>,
    ) -> Self {
        let mut states: Vec<_> = model.pieces.iter().map(|piece| piece.state).collect();
        states.sort_unstable();
        states.dedup();
        let mut moves = moves_of(model);
        let pieces = model.pieces.iter().map(|piece| {
            let first_shape = shapes.len();
            let node = piece.node;
            let lods = piece.lods.iter().zip(&mut moves);
            shapes.extend(lods.map(|(lod, moves)| {
                let is_rigid = moves == PieceMoves::default() && model.joints.is_empty();
                GpuShape {
                    mesh,
                    batches: lod.batches.start as usize..lod.batches.end as usize,
                    rigid: is_rigid.then(|| NodeBall::new(node, &lod.bounds)),
                    moves,
                    skin: PieceSkin::new(model, lod),
                }
            }));
            let is_rigid = shapes[first_shape..].iter().all(|it| it.rigid.is_some());
            let balls = piece.lods.iter().filter(|lod| !lod.batches.is_empty());
            GpuPiece {
                piece: piece.clone(),
                around_lods: around(balls.map(|lod| lod.bounds))
                    .filter(|_| is_rigid)
                    .map(|ball| NodeBall::new(node, &ball)),
                first_shape,
            }
        });
        let pieces: Vec<_> = pieces.collect();
        let root = model.nodes.first();
        let root_from_model = root.and_then(|it| it.parent_from_node.inverse());
        Self {
            rigid: joined_by_node(pieces.iter().filter_map(|it| it.around_lods)),
            deformed: deformed_pieces(&pieces),
            pieces,
            states,
            lod_sizes: model.lod_sizes.clone(),
            bounds_in_root: root_from_model.map(|it| bounds_in_root(model, &it)),
            footprint: root_from_model.and_then(|it| Footprint::new(model, &it)),
            targets,
            joints: model.joints.clone(),
            first_skin: 0,
        }
    }

    /// The state that an instance shows: the one that the frame requests if the model has it, else its own.
    pub fn shown_state(&self, requested: Option<u8>, own: u8) -> u8 {
        let requested = requested.filter(|state| self.states.contains(state));
        requested.unwrap_or(own)
    }
}

impl GpuInstance {
    fn new(instance: &Instance, nodes: Range<usize>) -> Self {
        Self {
            model: instance.model.0 as usize,
            first_node: nodes.start,
            n_nodes: nodes.len(),
            state: instance.state,
            hidden_pieces: instance.hidden_pieces.clone(),
            morph: instance.morph.clone(),
            cells: instance.cells.clone(),
            range: instance.range,
        }
    }
}

/// Those that more than their nodes move, as far as they show anything.
fn deformed_pieces(pieces: &[GpuPiece]) -> Vec<usize> {
    let is_deformed = |piece: &GpuPiece| {
        let mut lods = piece.piece.lods.iter();
        piece.around_lods.is_none() && lods.any(|lod| !lod.batches.is_empty())
    };
    (0..pieces.len())
        .filter(|index| is_deformed(&pieces[*index]))
        .collect()
}

/// A posed model is where its first node is: what is known of a pose is where nodes are, not where models are.
fn bounds_in_root(model: &Model, root_from_model: &Affine) -> NodeBall {
    let center = root_from_model.transform_point(model.bounds.center);
    let radius = model.bounds.radius * root_from_model.max_scale();
    NodeBall::new(0, &Sphere { center, radius })
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
}
