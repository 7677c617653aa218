//! Which pieces of which models are drawn in a frame, and where: visible pieces of many instances are gathered
//! by shape, so that each shape is drawn for all of them at once. Plain arithmetic, no GPU.

use glam::Vec3;
use ironlands_scene::{Affine, Sphere};

use crate::{
    FrameState, FrameStats, SceneGpu,
    cull::{CullView, is_mirror},
    draw_list::{DrawList, Placing},
    drawn_view::Judge,
    scene_upload::{GpuInstance, GpuModel},
};

/// The visible pieces of a frame; kept between frames for its memory.
#[derive(Debug, Default)]
pub(crate) struct ModelList {
    /// Two for each shape, that is for each level of detail of each piece: seen as it is, and mirrored.
    by_shape: Vec<Shown>,
    /// Indices of those of them that show anything: most scenes have far more shapes than a frame shows.
    in_use: Vec<usize>,
}

/// Where a shape is shown.
#[derive(Debug, Default)]
struct Shown {
    /// Numbers of the nodes that carry it.
    nodes: Vec<u32>,
    /// From the camera, in the order of the nodes.
    distances_sq: Vec<f32>,
}

impl ModelList {
    /// Adds to the draw list what the camera may see; `poses` has one matrix for each node of the scene.
    pub fn list(
        &mut self,
        scene: &SceneGpu,
        poses: &[Affine],
        judge: Judge<'_>,
        state: &FrameState,
        draw_list: &mut DrawList,
        stats: &mut FrameStats,
    ) {
        stats.instances_total = scene.models.instances.len();
        if !state.switches.models {
            return;
        }
        self.clear(scene.models.shapes.len());
        let instances = scene.models.instances.iter();
        for instance in instances.filter(|it| judge.cells.is_part(&it.cells)) {
            let model = &scene.models.models[instance.model];
            let mut n_in_view = 0;
            let is_seen = judge.cells.is_seen(&instance.cells);
            let poses = &poses[instance.first_node..];
            for_each_in_view(model, instance, poses, judge.view, state, |in_view| {
                n_in_view += 1;
                if is_seen {
                    self.show(&in_view, judge.eye);
                } else {
                    stats.triangles_without_visibility += n_triangles(scene, &in_view, state);
                }
            });
            stats.instances_without_visibility += usize::from(n_in_view > 0);
            if is_seen {
                stats.pieces_drawn += n_in_view;
                stats.instances_drawn += usize::from(n_in_view > 0);
            }
        }
        self.push(scene, state, draw_list);
    }

    /// Leaves no shape shown, and room for as many as a scene has.
    fn clear(&mut self, n_shapes: usize) {
        for index in self.in_use.drain(..) {
            let Shown {
                nodes,
                distances_sq,
            } = &mut self.by_shape[index];
            nodes.clear();
            distances_sq.clear();
        }
        let n_lists = self.by_shape.len().max(n_shapes * 2);
        self.by_shape.resize_with(n_lists, Shown::default);
    }

    /// Notes where a shape is shown.
    fn show(&mut self, in_view: &InView, eye: Vec3) {
        let index = in_view.shape * 2 + usize::from(in_view.is_mirrored);
        let shown = &mut self.by_shape[index];
        if shown.nodes.is_empty() {
            self.in_use.push(index);
        }
        shown.nodes.push(in_view.node);
        shown
            .distances_sq
            .push(eye.distance_squared(in_view.center));
    }

    /// Adds the batches of all shown shapes to the draw list.
    fn push(&self, scene: &SceneGpu, state: &FrameState, draw_list: &mut DrawList) {
        for index in &self.in_use {
            let [shape, is_mirrored] = [index / 2, index % 2];
            let shape = &scene.models.shapes[shape];
            let shown = &self.by_shape[*index];
            let placing = Placing {
                first_slot: Some(draw_list.add_slots(&shown.nodes)),
                distances_sq: &shown.distances_sq,
            };
            for batch in &scene.meshes[shape.mesh].batches[shape.batches.clone()] {
                let passes = &scene.models.materials[batch.material.0 as usize][is_mirrored];
                draw_list.push(shape.mesh, batch, placing, passes, &state.switches);
            }
        }
    }
}

/// A piece in view, at its level of detail.
struct InView {
    /// Index into `GpuModels::shapes`.
    shape: usize,
    is_mirrored: bool,
    /// Number of its node among those of all instances.
    node: u32,
    /// Of its bounds, in the world.
    center: Vec3,
}

/// Hands out the pieces of an instance that are in view. `poses` begins with its first node.
///
/// Each piece is judged by itself: bounds at rest say nothing of where a pose puts a piece.
fn for_each_in_view(
    model: &GpuModel,
    instance: &GpuInstance,
    poses: &[Affine],
    view: &CullView,
    state: &FrameState,
    mut take: impl FnMut(InView),
) {
    let shown_state = model.shown_state(state.model_state, instance.state);
    let level = match state.model_lod {
        Some(level) => level.into(),
        None => level_of_detail(model, poses, view),
    };
    for piece in &model.pieces {
        let lods = &piece.piece.lods;
        let level = level.min(lods.len() - 1);
        let lod = &lods[level];
        if piece.piece.state != shown_state || lod.batches.is_empty() {
            continue;
        }
        let world_from_node = &poses[piece.piece.node as usize];
        let (center, radius) = placed(&lod.bounds, world_from_node);
        if view.may_see_ball(center, radius) {
            take(InView {
                shape: piece.first_shape + level,
                is_mirrored: is_mirror(world_from_node),
                node: instance.first_node as u32 + piece.piece.node,
                center,
            });
        }
    }
}

/// Triangles of all passes of a piece.
fn n_triangles(scene: &SceneGpu, in_view: &InView, state: &FrameState) -> u64 {
    let shape = &scene.models.shapes[in_view.shape];
    let batches = &scene.meshes[shape.mesh].batches[shape.batches.clone()];
    let triangles = batches.iter().map(|batch| {
        let passes = &scene.materials[batch.material.0 as usize];
        DrawList::n_triangles_of(batch, passes, &state.switches)
    });
    triangles.sum()
}

/// By the size on the screen of the bounds at rest, as the first node carries them.
fn level_of_detail(model: &GpuModel, poses: &[Affine], view: &CullView) -> usize {
    let Some((bounds, world_from_root)) = model.bounds_in_root.as_ref().zip(poses.first()) else {
        return 0;
    };
    let (center, radius) = placed(bounds, world_from_root);
    view.level_for_size(center, radius, &model.lod_sizes)
}

/// Centre and radius in the world of a ball around all that a ball becomes.
fn placed(ball: &Sphere, world_from_ball: &Affine) -> (Vec3, f32) {
    let center = world_from_ball.transform_point(ball.center);
    (center.into(), ball.radius * world_from_ball.max_scale())
}
