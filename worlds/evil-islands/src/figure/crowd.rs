//! All figures that stand in a level, at a time.

use std::sync::Arc;

use ironlands_scene::{Affine, Model, MorphWeight, PieceMoves, Scene};
use rayon::prelude::*;

use super::pose::{FrameAt, Posed};
use super::rig::{Build, FIGURE_FRAMES_PER_SEC, Rig};
use ironlands_sim_core::RowMatrix;
use ironlands_sim_world::{Clock, Play, Poses};

/// Figures that one rayon task poses at least.
const MIN_ACTORS_PER_TASK: usize = 8;

/// A character with a figure: an instance of a scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Actor {
    /// Which of the rigs moves it.
    pub rig: usize,
    /// Dexterity, strength, height.
    pub complection: [f32; 3],
    /// What it plays in a level; `None` at rest.
    pub animation: Option<usize>,
    /// Where it stands while it plays, if elsewhere than at rest: animations of who stands on its feet bring its
    /// height along, and rest does not (dossier section 12.3).
    pub playing_place: Option<Affine>,
    /// Time within the animation at the start, in seconds, so that not all breathe in lockstep.
    pub start_secs: f64,
}

/// The figures of a level: immutable, shared between threads.
#[derive(Debug, Clone, Default)]
pub struct Crowd {
    rigs: Arc<[Rig]>,
    pub(super) models: Arc<[ActorModel]>,
    pub(super) actors: Vec<Placed>,
    n_nodes: usize,
    n_weights: usize,
}

/// What can be hit of a model.
#[derive(Debug, Clone)]
pub(super) struct ActorModel {
    pub model: Model,
    /// For each piece at its finest.
    pub moves: Vec<PieceMoves>,
}

#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub name: String,
    actor: Actor,
    pub build: Build,
    world_from_model: RowMatrix,
    world_from_playing: RowMatrix,
    pub model: usize,
    /// Indices of pieces.
    pub shown_pieces: Vec<usize>,
    /// Among all nodes.
    pub first_node: usize,
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "actors name rigs and models that are there, or `new` has panicked as it says; nodes are counted by it"
)]
impl Crowd {
    /// Prepares the figures of a scene: one actor for each of its instances, in order.
    ///
    /// # Panics
    /// If there are more or fewer actors than instances, or one names a rig that is not there or has another number of
    /// parts than its model has nodes.
    pub fn new(rigs: Vec<Rig>, actors: Vec<Actor>, scene: &Scene) -> Self {
        assert_eq!(actors.len(), scene.instances.len(), "one actor an instance");
        let mut first_node = 0;
        let placed = actors
            .into_iter()
            .zip(&scene.instances)
            .map(|(actor, instance)| {
                let rig = &rigs[actor.rig];
                let model = instance.model.0 as usize;
                let pieces = scene.models[model].pieces.iter().enumerate();
                let shown = pieces.filter(|(index, piece)| instance.shows(*index, piece));
                assert_eq!(
                    rig.n_parts(),
                    scene.models[model].nodes.len(),
                    "a node a part"
                );
                let playing_place = actor.playing_place.unwrap_or(instance.world_from_model);
                let placed = Placed {
                    name: instance.name.clone(),
                    build: rig.build(actor.complection),
                    actor,
                    world_from_model: RowMatrix::from_rows(instance.world_from_model.0),
                    world_from_playing: RowMatrix::from_rows(playing_place.0),
                    model,
                    shown_pieces: shown.map(|(index, _)| index).collect(),
                    first_node,
                };
                first_node += rig.n_parts();
                placed
            });
        let actors: Vec<_> = placed.collect();
        let weights = actors.iter().map(|it| rigs[it.actor.rig].n_weights());
        Self {
            n_nodes: first_node,
            n_weights: weights.sum(),
            models: scene.models.iter().map(ActorModel::new).collect(),
            actors,
            rigs: rigs.into(),
        }
    }

    /// Matrices of a pose.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// The last frame of the longest animation that any actor plays; 0 if none does.
    pub fn last_frame(&self) -> f32 {
        let last_frames = self.actors.iter().filter_map(|placed| {
            let Actor { rig, animation, .. } = placed.actor;
            Some(self.rigs[rig].last_frame(animation?))
        });
        last_frames.fold(0.0, f32::max)
    }

    /// Names of the actor, its model and the part at a place in a pose; any may be empty.
    pub fn names_at(&self, node: usize) -> Option<[&str; 3]> {
        let (placed, part) = self.part_at(node)?;
        let ActorModel { model, .. } = &self.models[placed.model];
        Some([&placed.name, &model.name, &model.nodes.get(part)?.name])
    }

    /// Whose a place in a pose is: the actor's place among all.
    pub fn actor_at(&self, node: usize) -> Option<usize> {
        let behind = self.actors.partition_point(|it| it.first_node <= node);
        let actors = self.actors[..behind].iter();
        actors.clone().rposition(|it| self.has_node(it, node))
    }

    pub(super) fn part_at(&self, node: usize) -> Option<(&Placed, usize)> {
        let behind = self.actors.partition_point(|it| it.first_node <= node);
        // Those without nodes stand where the next one does.
        let placed = self.actors[..behind]
            .iter()
            .rfind(|it| self.has_node(it, node))?;
        Some((placed, node - placed.first_node))
    }

    fn has_node(&self, placed: &Placed, node: usize) -> bool {
        let n_parts = self.rigs[placed.actor.rig].n_parts();
        (placed.first_node..placed.first_node + n_parts).contains(&node)
    }

    /// Poses all actors, on all threads: those without an animation are at rest. `poses` may be those of any level; their memory
    /// is used again.
    pub fn pose(&self, clock: &Clock, poses: &mut Poses) {
        self.pose_by(poses, |placed| {
            let Actor {
                rig,
                animation,
                start_secs,
                ..
            } = placed.actor;
            let at = animation.and_then(|animation| {
                let secs = clock.time_secs + start_secs;
                let frame = match clock.play {
                    Play::Still => return None,
                    Play::Level | Play::All { .. } => frame_at(&self.rigs[rig], animation, secs),
                    Play::Frame(frame) | Play::Figure { frame, .. } => frame,
                };
                Some(FrameAt { animation, frame })
            });
            (&placed.build, at)
        });
    }

    /// Poses all actors in one build at one time of an animation; `None` is at rest.
    ///
    /// # Panics
    /// If it is a build of another rig.
    pub fn pose_as(&self, build: &Build, at: Option<FrameAt>, poses: &mut Poses) {
        self.pose_by(poses, |_| (build, at));
    }

    fn pose_by<'a>(
        &'a self,
        poses: &mut Poses,
        what: impl Fn(&'a Placed) -> (&'a Build, Option<FrameAt>) + Sync,
    ) {
        let (matrices, morphs, weights) = poses.morphing();
        matrices.clear();
        matrices.resize(self.n_nodes, RowMatrix::IDENTITY);
        weights.clear();
        weights.resize(self.n_weights, MorphWeight::default());
        let (mut nodes_left, mut weights_left) = (&mut matrices[..], &mut weights[..]);
        let mut work = Vec::with_capacity(self.actors.len());
        for placed in &self.actors {
            let rig = &self.rigs[placed.actor.rig];
            let (nodes, others) = nodes_left.split_at_mut(rig.n_parts());
            nodes_left = others;
            let (own, others) = weights_left.split_at_mut(rig.n_weights());
            weights_left = others;
            work.push((placed, rig, nodes, own));
        }
        work.into_par_iter()
            .with_min_len(MIN_ACTORS_PER_TASK)
            .for_each(|(placed, rig, nodes, weights)| {
                let (build, at) = what(placed);
                let posed = Posed {
                    world_from_model: match at {
                        Some(_) => placed.world_from_playing,
                        None => placed.world_from_model,
                    },
                    build,
                    at,
                };
                rig.pose(&posed, nodes, weights);
            });
        morphs.clear();
        let mut left = &weights[..];
        for placed in &self.actors {
            let (own, others) = left.split_at(self.rigs[placed.actor.rig].n_weights());
            morphs.push_shown(own);
            left = others;
        }
    }
}

impl ActorModel {
    fn new(model: &Model) -> Self {
        let pieces = model.pieces.iter();
        let moves = pieces.map(|piece| {
            let finest = piece.lods.first();
            finest.map_or_else(PieceMoves::default, |it| PieceMoves::new(&model.mesh, it))
        });
        Self {
            moves: moves.collect(),
            model: model.clone(),
        }
    }
}

/// The frame of an animation at a time in seconds; in f64, so that a loop is still smooth after a day.
fn frame_at(rig: &Rig, animation: usize, secs: f64) -> f32 {
    let frames = secs * f64::from(FIGURE_FRAMES_PER_SEC);
    let last = f64::from(rig.last_frame(animation));
    if last > 0.0 && rig.is_cycle(animation) {
        frames.rem_euclid(last) as f32
    } else {
        frames as f32
    }
}
