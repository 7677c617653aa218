//! Which pieces of which models are drawn in a frame, and where: visible pieces of many instances are gathered
//! by shape, so that each shape is drawn for all of them at once. Plain arithmetic, no GPU.

use glam::Vec3;
use ironlands_scene::{Affine, MorphWeight, PieceMoves, ViewRange};

use crate::{
    FrameState, FrameStats, SceneGpu,
    cull::{CullView, Inside, is_mirror},
    draw_list::{DrawList, Placing},
    drawn_view::CullContext,
    motion::{Placement, Which},
    passes::pipeline_key::{N_VARIANTS, PieceVariant},
    scene_upload::{GpuInstance, GpuModel, GpuModels},
    uniforms::{ActiveMorph, MorphedNode, NodeMatrix},
};

/// In how many steps an instance fades, and where their number stands in a slot; as in `shared/node.wgsl`.
const N_FADE_PARTS: f32 = 64.0;
const GONE_SHIFT: u32 = 26;

/// The visible pieces of a frame; kept between frames for its memory.
#[derive(Debug, Default)]
pub(crate) struct ModelList {
    /// For each shape, that is for each level of detail of each piece, one for each [`PieceVariant`].
    by_shape: Vec<Shown>,
    /// Indices of those of them that show anything: most scenes have far more shapes than a frame shows.
    in_use: Vec<usize>,
    pub morphs: MorphList,
    /// The last instance whose joints were noted, and where they begin.
    joints_of: Option<(usize, u32)>,
}

/// The pieces of a frame whose vertices have moved, and what moves them.
#[derive(Debug, Default)]
pub(crate) struct MorphList {
    pub nodes: Vec<MorphedNode>,
    pub active: Vec<ActiveMorph>,
    /// World from mesh for the joints of models that have some.
    pub joints: Vec<NodeMatrix>,
}

/// Where a shape is shown.
#[derive(Debug, Default)]
struct Shown {
    /// Numbers of the nodes that carry it; of what has moved, places in [`MorphList::nodes`].
    nodes: Vec<u32>,
    /// From the camera, in the order of the nodes.
    distances_sq: Vec<f32>,
}

impl ModelList {
    /// Adds to the draw list what the camera may see.
    pub fn list(
        &mut self,
        scene: &SceneGpu,
        placement: Placement<'_>,
        cull_context: CullContext<'_>,
        state: &FrameState,
        draw_list: &mut DrawList,
        stats: &mut FrameStats,
    ) {
        stats.instances_total = scene.models.instances.len();
        self.clear(scene.models.shapes.len());
        if !state.switches.models {
            return;
        }
        let Placement { frame, motion } = placement;
        let mut list_if_seen = |index: usize| {
            // Balls in one row are passed many times faster than what they are around.
            let [x, y, z, radius] = motion.ball_of(index);
            let instance = &scene.models.instances[index];
            let inside = cull_context.view.holds_ball(Vec3::new(x, y, z), radius);
            if inside == Inside::Nothing || !cull_context.cells.is_part(&instance.cells) {
                return;
            }
            let distance = || cull_context.eye.distance(Vec3::new(x, y, z));
            let share = match instance.range == ViewRange::ALL {
                true => 1.0,
                false => instance.range.share_at(distance()),
            };
            if share <= 0.0 {
                return;
            }
            let model = &scene.models.models[instance.model];
            let mut n_in_view = 0;
            let is_seen = cull_context.cells.is_seen(&instance.cells)
                && !cull_context.hidden.hide_ball(Vec3::new(x, y, z), radius);
            let subject = Subject {
                models: &scene.models,
                model,
                instance,
                index,
                n_parts_gone: ((1.0 - share) * N_FADE_PARTS).round() as u32,
                is_inside: inside == Inside::Everything,
                poses: &frame.poses[instance.first_node..],
                weights: frame.weights_of(index, instance),
            };
            subject.for_each_in_view(cull_context.view, state, |in_view| {
                n_in_view += 1;
                if is_seen {
                    self.show(&subject, in_view, cull_context.eye);
                } else {
                    stats.triangles_without_visibility += n_triangles(scene, in_view, state);
                }
            });
            stats.instances_without_visibility += usize::from(n_in_view > 0);
            if is_seen {
                stats.pieces_drawn += n_in_view;
                stats.instances_drawn += usize::from(n_in_view > 0);
            }
        };
        match cull_context.models {
            Which::Moving => {
                let moving = motion.moving().iter();
                moving.for_each(|index| list_if_seen(*index as usize));
            }
            which => {
                let all = 0..scene.models.instances.len();
                let listed = all.filter(|index| motion.is_listed(*index, which));
                listed.for_each(list_if_seen);
            }
        }
        self.push(scene, (frame.poses, cull_context.eye), state, draw_list);
    }

    /// Leaves no shape shown, and room for as many as a scene has.
    fn clear(&mut self, n_shapes: usize) {
        self.morphs.nodes.clear();
        self.morphs.active.clear();
        self.morphs.joints.clear();
        self.joints_of = None;
        for index in self.in_use.drain(..) {
            let Shown {
                nodes,
                distances_sq,
            } = &mut self.by_shape[index];
            nodes.clear();
            distances_sq.clear();
        }
        let n_lists = self.by_shape.len().max(n_shapes * N_VARIANTS);
        self.by_shape.resize_with(n_lists, Shown::default);
    }

    /// Notes where a shape is shown.
    fn show(&mut self, subject: &Subject<'_>, in_view: &InView<'_>, eye: Vec3) {
        let mut node = in_view.node;
        let first_morph = self.morphs.active.len();
        for (MorphWeight { target, weight }, _) in in_view.moves.active(subject.weights) {
            let target = &subject.model.targets[target as usize];
            self.morphs.active.push(target.active(weight));
        }
        let n_morphs = self.morphs.active.len() - first_morph;
        let first_joint = self.note_joints(subject);
        let moves = n_morphs > 0 || first_joint.is_some();
        if moves {
            self.morphs.nodes.push(MorphedNode {
                node,
                first_morph: first_morph as u32,
                n_morphs: n_morphs as u32,
                first_joint: first_joint.unwrap_or(MorphedNode::NO_JOINTS),
                first_skin: subject.model.first_skin,
            });
            node = self.morphs.nodes.len() as u32 - 1;
        }
        let n_parts_gone = subject.n_parts_gone.min(N_FADE_PARTS as u32 - 1);
        node |= n_parts_gone << GONE_SHIFT;
        let variant = PieceVariant {
            is_mirrored: in_view.is_mirrored,
            is_morphed: moves,
            is_fading: n_parts_gone > 0,
        };
        let index = in_view.shape * N_VARIANTS + variant.index();
        let shown = &mut self.by_shape[index];
        if shown.nodes.is_empty() {
            self.in_use.push(index);
        }
        shown.nodes.push(node);
        shown
            .distances_sq
            .push(eye.distance_squared(in_view.center));
    }

    /// Where the matrices of the joints of an instance begin; none for a model without.
    fn note_joints(&mut self, subject: &Subject<'_>) -> Option<u32> {
        if subject.model.joints.is_empty() {
            return None;
        }
        if let Some((_, first)) = self.joints_of.filter(|(index, _)| *index == subject.index) {
            return Some(first);
        }
        let first = self.morphs.joints.len() as u32;
        let joints = subject.model.joints.iter();
        self.morphs
            .joints
            .extend(joints.map(|it| NodeMatrix::from(&it.world_from_mesh(subject.poses))));
        self.joints_of = Some((subject.index, first));
        Some(first)
    }

    /// Adds the batches of all shown shapes to the draw list.
    fn push(
        &self,
        scene: &SceneGpu,
        (poses, eye): (&[Affine], Vec3),
        state: &FrameState,
        draw_list: &mut DrawList,
    ) {
        for index in &self.in_use {
            let [shape, variant] = [index / N_VARIANTS, index % N_VARIANTS];
            let shape = &scene.models.shapes[shape];
            let shown = &self.by_shape[*index];
            let placing = Placing {
                first_slot: Some(draw_list.add_slots(&shown.nodes)),
                distances_sq: &shown.distances_sq,
            };
            let mesh = &scene.meshes[shape.mesh];
            for batch_idx in shape.batches.clone() {
                let batch = &mesh.batches[batch_idx];
                let passes = &scene.models.materials[batch.material.0 as usize][variant];
                if !draw_list.takes_panes(passes) {
                    draw_list.push(shape.mesh, batch, placing, passes, &state.switches);
                    continue;
                }
                // What bends is moved by its node alone, so that slots are numbers of nodes.
                for (slot, node) in (placing.first_slot.unwrap_or(0)..).zip(&shown.nodes) {
                    let place = (Some(slot), NodeMatrix::from(&poses[*node as usize]));
                    for pane in mesh.panes_of(batch_idx) {
                        let pane = (shape.mesh, pane);
                        draw_list.push_pane(pane, place, eye, passes, &state.switches);
                    }
                }
            }
        }
    }
}

/// An instance of a frame.
struct Subject<'a> {
    models: &'a GpuModels,
    model: &'a GpuModel,
    instance: &'a GpuInstance,
    /// Of the instance.
    index: usize,
    /// How much of it is gone, of 64 parts; below 64.
    n_parts_gone: u32,
    /// Whether all that it can show is in view.
    is_inside: bool,
    /// They begin with its first node.
    poses: &'a [Affine],
    weights: &'a [MorphWeight],
}

/// A piece in view, at its level of detail.
struct InView<'a> {
    /// Index into `GpuModels::shapes`.
    shape: usize,
    moves: &'a PieceMoves,
    is_mirrored: bool,
    /// Number of its node among those of all instances.
    node: u32,
    /// Of its bounds, in the world.
    center: Vec3,
}

impl Subject<'_> {
    /// Hands out the pieces that are in view.
    ///
    /// Each piece is culled by itself: bounds at rest do not limit where a pose puts a piece.
    fn for_each_in_view(
        &self,
        view: &CullView,
        state: &FrameState,
        mut take: impl FnMut(&InView<'_>),
    ) {
        let Self {
            model, instance, ..
        } = self;
        let shown_state = model.shown_state(state.model_state, instance.state);
        let mut level = state.model_lod.map(usize::from);
        for (piece_idx, piece) in (0..).zip(&model.pieces) {
            let world_from_node = &self.poses[piece.piece.node as usize];
            // Of an instance that is partly in view, most pieces are not, whatever their level of detail.
            if let Some(ball) = piece.around_lods.as_ref().filter(|_| !self.is_inside) {
                let ball = ball.placed(world_from_node);
                if !view.may_see_ball(ball.truncate(), ball.w) {
                    continue;
                }
            }
            let level = *level.get_or_insert_with(|| level_of_detail(model, self.poses, view));
            let lods = &piece.piece.lods;
            let level = level.min(lods.len() - 1);
            let lod = &lods[level];
            let is_shown = piece.piece.state == shown_state && !self.hides(piece_idx, state);
            if !is_shown || lod.batches.is_empty() {
                continue;
            }
            let shape = piece.first_shape + level;
            let shape_of_lod = &self.models.shapes[shape];
            let ball = match &shape_of_lod.rigid {
                Some(ball) => ball.placed(world_from_node),
                None => shape_of_lod.deformed_ball(model, piece, lod, self.poses, self.weights),
            };
            let center = ball.truncate();
            // What is nowhere is in view of nothing.
            let is_inside = self.is_inside && center.is_finite();
            if is_inside || view.may_see_ball(center, ball.w) {
                take(&InView {
                    shape,
                    moves: &shape_of_lod.moves,
                    is_mirrored: is_mirror(world_from_node),
                    node: instance.first_node as u32 + piece.piece.node,
                    center,
                });
            }
        }
    }

    fn hides(&self, piece_idx: u32, state: &FrameState) -> bool {
        let of_frame = [self.index as u32, piece_idx];
        let hidden = &self.instance.hidden_pieces;
        hidden.binary_search(&piece_idx).is_ok() || state.hidden_pieces.contains(&of_frame)
    }
}

/// Triangles of all passes of a piece.
fn n_triangles(scene: &SceneGpu, in_view: &InView<'_>, state: &FrameState) -> u64 {
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
    let ball = bounds.placed(world_from_root);
    view.level_for_size(ball.truncate(), ball.w, &model.lod_sizes)
}
