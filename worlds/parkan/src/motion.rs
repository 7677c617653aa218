//! Poses of all objects of a level, at a time.
//!
//! In: the [`LevelObjects`] of a level, once, and a [`Clock`] per frame. Out: world from node for every node of every
//! component of every object, in order, and an index over them for rays. Objects play the clips and walk the paths that the level gives them; the
//! rest stands as frame 0 says (dossier section 10.5), or loops through all its frames where that is requested
//! (section 8.10).
//!
//! Deliberately absent: behavior. Nothing avoids anything.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod cast_ray;
mod poses;
mod walk;

use std::sync::Arc;

use ironlands_assets_parkan::level_objects::{
    Clip, LevelModel, LevelObject, LevelObjects, Movement,
};
use ironlands_assets_parkan::model_scene::{FirstNode, to_model};
use ironlands_assets_parkan::msh::{Batch, MaterialReading, NodeTable};
use ironlands_assets_parkan::msh_animation::{MshAnimation, TrackLink};
use ironlands_scene::MaterialIdx;
use rayon::prelude::*;

use self::cast_ray::shapes_of;
use self::walk::{ClosedPaths, Way};
use crate::skeleton::{self, Bounds, MshSkeletonError};
use ironlands_sim_animation::{Instance, Playback, RowMatrix, Skeleton};
use ironlands_sim_core::triangles::TriangleIndex;
use ironlands_sim_world::{Clock, Fact, Play, Poses};

/// The moving side of a level: immutable, shared between threads.
#[derive(Debug, Clone, Default)]
pub struct Motion {
    models: Vec<MovingModel>,
    objects: Vec<MovingObject>,
    n_nodes: usize,
    /// What can be hit of each node of each model.
    shapes: Arc<[TriangleIndex]>,
}

#[derive(Debug, Clone)]
struct MovingModel {
    name: String,
    skeleton: Skeleton,
    node_names: Vec<String>,
    /// The place of its first node among all shapes.
    first_shape: usize,
    last_frame: f32,
}

#[derive(Debug, Clone)]
struct MovingObject {
    name: String,
    world_from_object: RowMatrix,
    components: Vec<Component>,
    clip: Option<Clip>,
    way: Option<Way>,
    n_nodes: usize,
}

#[derive(Debug, Clone, Copy)]
struct Component {
    model: usize,
    /// The place of the node that it hangs on among the object's nodes.
    attached_to: Option<usize>,
    /// The place of its first node among the object's nodes.
    first_node: usize,
}

impl Motion {
    /// Prepares the objects of a level.
    ///
    /// # Errors
    /// A model whose parents do not stand before their children, which no reader lets through. A component whose model
    /// is not there has no nodes, and what hangs on nothing stands where its object does.
    pub fn new(level_objects: &LevelObjects) -> Result<Self, MshSkeletonError> {
        let mut shapes = Vec::new();
        let models: Vec<_> = level_objects
            .models
            .iter()
            .map(|model| MovingModel::new(model, &mut shapes))
            .collect::<Result<_, _>>()?;
        let mut paths = ClosedPaths::default();
        let objects: Vec<_> = level_objects
            .objects
            .iter()
            .map(|object| MovingObject::new(object, &models, &mut paths))
            .collect();
        Ok(Self {
            n_nodes: objects.iter().map(|object| object.n_nodes).sum(),
            models,
            objects,
            shapes: shapes.into(),
        })
    }

    /// The last frame of the longest animation.
    pub fn last_frame(&self) -> f32 {
        let last_frames = self.models.iter().map(|model| model.last_frame);
        last_frames.fold(0.0, f32::max)
    }

    /// Names of the object, the model and the node at a place in a pose; the last may be empty.
    pub fn names_at(&self, node: usize) -> Option<[&str; 3]> {
        let mut first = 0;
        let object = self.objects.iter().find(|object| {
            let end = object.n_nodes.saturating_add(first);
            let is_here = node < end;
            first = if is_here { first } else { end };
            is_here
        })?;
        let node = node.checked_sub(first)?;
        let components = object.components.iter().rev();
        let mut behind = components.skip_while(|it| it.first_node > node);
        let component = behind.next()?;
        let model = self.models.get(component.model)?;
        let node = node.checked_sub(component.first_node)?;
        let node_name = model.node_names.get(node)?;
        Some([&object.name, &model.name, node_name])
    }

    /// Places of the nodes of the model that an object stands on, without what hangs on it.
    pub fn base_nodes(&self, object: usize) -> std::ops::Range<usize> {
        let before = self.objects.iter().take(object).map(|it| it.n_nodes);
        let first: usize = before.sum();
        let components = self.objects.get(object).map(|it| &it.components);
        let model = components.and_then(|it| self.models.get(it.first()?.model));
        let n_nodes = model.map_or(0, |it| it.skeleton.n_nodes());
        first..first.saturating_add(n_nodes)
    }

    /// Matrices of a pose.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// Poses every node, on all threads. `poses` may be those of any level; their memory is used again, and of this
    /// level's also their index.
    ///
    /// `ground_at` gives the height of the ground near a point of a way, if there is any: walkers stand on it.
    pub fn pose(
        &self,
        clock: &Clock,
        ground_at: &(dyn Fn([f32; 3]) -> Option<f32> + Sync),
        poses: &mut Poses,
    ) {
        let (matrices, _) = poses.rigid();
        matrices.clear();
        matrices.resize(self.n_nodes, RowMatrix::IDENTITY);
        let mut rest = &mut matrices[..];
        let mut work = Vec::with_capacity(self.objects.len());
        for object in &self.objects {
            let (own, others) = rest.split_at_mut(object.n_nodes);
            work.push((object, own));
            rest = others;
        }
        work.into_par_iter()
            .for_each(|(object, matrices)| self.pose_object(object, clock, ground_at, matrices));
        self.index(poses);
    }

    fn pose_object(
        &self,
        object: &MovingObject,
        clock: &Clock,
        ground_at: &dyn Fn([f32; 3]) -> Option<f32>,
        matrices: &mut [RowMatrix],
    ) {
        let is_walking = matches!(clock.play, Play::Level | Play::All { .. });
        let walked = object.way.as_ref().filter(|_| is_walking).map(|way| {
            way.world_from_walker(clock.time_secs, &object.world_from_object, ground_at)
        });
        let world_from_object = walked.unwrap_or(object.world_from_object);
        for component in &object.components {
            let Some(MovingModel {
                skeleton,
                last_frame,
                ..
            }) = self.models.get(component.model)
            else {
                continue;
            };
            let frame = frame_of(clock, object.clip, *last_frame);
            let instance = Instance {
                world_from_model: component
                    .attached_to
                    .and_then(|node| matrices.get(node).copied())
                    .unwrap_or(world_from_object),
                playback: Playback::at(frame),
            };
            let end = component.first_node.saturating_add(skeleton.n_nodes());
            if let Some(own) = matrices.get_mut(component.first_node..end) {
                skeleton.pose(&instance, own);
            }
        }
    }
}

impl MovingModel {
    /// The places of its nodes among all shapes.
    fn shapes(&self) -> std::ops::Range<usize> {
        let end = self.first_shape.saturating_add(self.skeleton.n_nodes());
        self.first_shape..end
    }

    /// Appends the shapes of its nodes.
    fn new(model: &LevelModel, shapes: &mut Vec<TriangleIndex>) -> Result<Self, MshSkeletonError> {
        let LevelModel {
            name,
            msh,
            rows,
            first_node,
        } = model;
        // Hits report the row that is drawn; without a table, the one that the batch names.
        let n_rows = rows.materials.len();
        let material_of = &mut |batch: &Batch| {
            let drawn = batch.material_row(MaterialReading::default(), n_rows);
            let row = drawn.map_or(usize::from(batch.wear_row), |row| row.row);
            MaterialIdx(row as u32)
        };
        let scene_model = to_model(name, msh, *first_node, material_of);
        let nodes = scene_model.nodes.iter();
        let first_shape = shapes.len();
        shapes.extend(shapes_of(&scene_model));
        Ok(Self {
            name: name.clone(),
            skeleton: skeleton_of(model)?,
            node_names: nodes.map(|node| node.name.clone()).collect(),
            first_shape,
            last_frame: msh.animation.frame_count.saturating_sub(1) as f32,
        })
    }
}

impl MovingObject {
    fn new(object: &LevelObject, models: &[MovingModel], paths: &mut ClosedPaths) -> Self {
        let mut components: Vec<Component> = Vec::with_capacity(object.components.len());
        let mut n_nodes = 0_usize;
        for component in &object.components {
            let attached_to = component.attached_to.and_then(|to| {
                let parent = components.get(to.component)?;
                match to.node {
                    None => parent.attached_to,
                    // Only what is posed before has a place by then.
                    Some(node) => {
                        let place = parent.first_node.checked_add(node)?;
                        (place < n_nodes).then_some(place)
                    }
                }
            });
            components.push(Component {
                model: component.model,
                attached_to,
                first_node: n_nodes,
            });
            let model = models.get(component.model);
            n_nodes = n_nodes.saturating_add(model.map_or(0, |it| it.skeleton.n_nodes()));
        }
        let Movement { clip, walk } = object.movement.clone().unwrap_or_default();
        // Else there would be poses that show no channel.
        debug_assert!(
            clip.is_none_or(|clip| clip.first >= 0.0 && clip.last >= clip.first),
            "no loader lets such a clip through"
        );
        Self {
            name: object.name.clone(),
            world_from_object: RowMatrix::from_rows(object.world_from_object.0),
            components,
            clip,
            way: walk.as_ref().and_then(|walk| Way::new(walk, paths)),
            n_nodes,
        }
    }
}

/// The skeleton of a model; a node that stands for another model's stays in place. An animated first node turns only:
/// steps move the object, not the model in it.
fn skeleton_of(model: &LevelModel) -> Result<Skeleton, MshSkeletonError> {
    let skeleton = skeleton_with_root(model)?;
    Ok(match model.msh.is_first_node_animated() {
        true => skeleton.with_first_in_place(),
        false => skeleton,
    })
}

fn skeleton_with_root(model: &LevelModel) -> Result<Skeleton, MshSkeletonError> {
    let order = model.msh.quaternion_order();
    let NodeTable::Nodes(nodes) = &model.msh.nodes else {
        // Shown untransformed, as one node.
        let nothing = MshAnimation::default();
        return skeleton::from_tables(
            &nothing,
            order,
            &[TrackLink::NONE],
            &[None],
            Bounds::Tolerant,
        );
    };
    let mut links = model.msh.track_links();
    if let (FirstNode::AttachRoot, Some(first)) = (model.first_node, links.first_mut()) {
        *first = TrackLink::NONE;
    }
    let parents: Vec<_> = nodes.iter().map(|node| node.parent()).collect();
    skeleton::from_tables(
        &model.msh.animation,
        order,
        &links,
        &parents,
        Bounds::Tolerant,
    )
}

/// The frame that a model shows.
fn frame_of(clock: &Clock, clip: Option<Clip>, last_frame: f32) -> f32 {
    let whole = |rate| Clip {
        first: 0.0,
        last: last_frame,
        start: 0.0,
        rate,
    };
    let clip = match clock.play {
        Play::Still => None,
        Play::Frame(frame) | Play::Figure { frame, .. } => return frame,
        Play::Level => clip,
        Play::All { rate } => Some(clip.unwrap_or_else(|| whole(rate))),
    };
    clip.map_or(0.0, |clip| looped(clip, clock.time_secs))
}

/// The frame of a loop, whose last frame is its first again.
fn looped(clip: Clip, time_secs: f64) -> f32 {
    let length = clip.last - clip.first;
    // Also for NaN.
    let is_moving = length > 0.0;
    if !is_moving {
        return clip.first;
    }
    // In f64, so that a loop is still smooth after a day.
    let played = f64::from(clip.start) + time_secs * f64::from(clip.rate);
    let into = played.rem_euclid(f64::from(length)) as f32;
    clip.first + into
}

/// What is known of a node of a pose: whose it is.
pub(crate) fn model_facts(motion: &Motion, node: usize) -> Vec<Fact> {
    let names = motion.names_at(node);
    let facts = ["object", "model", "node"]
        .into_iter()
        .zip(names.into_iter().flatten());
    facts
        .filter(|(_, name)| !name.is_empty())
        .map(|(label, name)| Fact::new(label, name))
        .collect()
}
