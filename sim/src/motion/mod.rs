//! Poses of everything that stands in a level, at a time.
//!
//! In: the [`Inhabitants`] of a level, once, and a [`Clock`] per frame. Out: world from node for every node of every
//! component of every object, in order. Objects play the clips and walk the ways that the level gives them; the
//! rest stands as frame 0 says (dossier section 10.5), or loops through all its frames where that is asked for
//! (section 8.10).
//!
//! Deliberately absent: behaviour. Nothing avoids anything.

mod walk;

use ironlands_assets_loader::parkan::inhabitants::{
    Clip, Inhabitants, LevelModel, LevelObject, Movement,
};
use ironlands_assets_loader::parkan::model_scene::FirstNode;
use ironlands_assets_loader::parkan::msh::NodeTable;
use ironlands_assets_loader::parkan::msh_animation::{MshAnimation, TrackLink};
use rayon::prelude::*;

use self::walk::Way;
use crate::animation::{Bounds, Instance, Playback, RowMatrix, Skeleton, SkeletonError};

/// What time it is, and what it does to objects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Seconds since the level began.
    pub time_secs: f32,
    /// What plays.
    pub play: Play,
}

/// What plays.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Play {
    /// Nothing: all stands where it was placed, at frame 0.
    Still,
    /// What the level says; what it says nothing of stands at frame 0.
    #[default]
    Level,
    /// Also all frames of what the level says nothing of, in a loop at so many frames per second.
    All {
        /// Frames per second.
        rate: f32,
    },
    /// Everything stands where it was placed, at this frame.
    Frame(f32),
}

/// The moving side of a level: immutable, shared between threads.
#[derive(Debug, Clone, Default)]
pub struct Motion {
    skeletons: Vec<Skeleton>,
    /// Last frame of each model.
    last_frames: Vec<f32>,
    objects: Vec<MovingObject>,
    n_nodes: usize,
}

#[derive(Debug, Clone)]
struct MovingObject {
    world_from_object: RowMatrix,
    components: Vec<Component>,
    clip: Option<Clip>,
    way: Option<Way>,
    n_nodes: usize,
}

#[derive(Debug, Clone, Copy)]
struct Component {
    skeleton: usize,
    /// The place of the node that it hangs on among the object's nodes.
    attached_to: Option<usize>,
    /// The place of its first node among the object's nodes.
    first_node: usize,
}

impl Motion {
    /// Prepares the inhabitants of a level.
    ///
    /// # Errors
    /// A model whose parents do not stand before their children, which no reader lets through.
    ///
    /// # Panics
    /// If a component names a model, or hangs on a component, that is not there.
    pub fn new(inhabitants: &Inhabitants) -> Result<Self, SkeletonError> {
        let skeletons: Vec<_> = inhabitants
            .models
            .iter()
            .map(skeleton_of)
            .collect::<Result<_, _>>()?;
        let objects: Vec<_> = inhabitants
            .objects
            .iter()
            .map(|object| MovingObject::new(object, &skeletons))
            .collect();
        let last_frame = |model: &LevelModel| model.msh.animation.frame_count.saturating_sub(1);
        Ok(Self {
            last_frames: inhabitants
                .models
                .iter()
                .map(|model| last_frame(model) as f32)
                .collect(),
            n_nodes: objects.iter().map(|object| object.n_nodes).sum(),
            skeletons,
            objects,
        })
    }

    /// The last frame of the longest animation.
    pub fn last_frame(&self) -> f32 {
        self.last_frames.iter().copied().fold(0.0, f32::max)
    }

    /// Matrices of a pose.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// World from node for every node, into `world_from_nodes`, which is cleared before.
    ///
    /// `ground_at` gives the height of the ground near a point of a way, if there is any: who walks stands on it.
    pub fn pose(
        &self,
        clock: &Clock,
        ground_at: &(dyn Fn([f32; 3]) -> Option<f32> + Sync),
        world_from_nodes: &mut Vec<RowMatrix>,
    ) {
        world_from_nodes.clear();
        world_from_nodes.resize(self.n_nodes, RowMatrix::IDENTITY);
        let mut rest = &mut world_from_nodes[..];
        let mut work = Vec::with_capacity(self.objects.len());
        for object in &self.objects {
            let (own, others) = rest.split_at_mut(object.n_nodes);
            work.push((object, own));
            rest = others;
        }
        work.into_par_iter()
            .for_each(|(object, matrices)| self.pose_object(object, clock, ground_at, matrices));
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
            let skeleton = &self.skeletons[component.skeleton];
            let frame = frame_of(clock, object.clip, self.last_frames[component.skeleton]);
            let instance = Instance {
                world_from_model: component
                    .attached_to
                    .map_or(world_from_object, |node| matrices[node]),
                playback: Playback::at(frame),
            };
            let nodes = component.first_node..component.first_node + skeleton.n_nodes();
            skeleton.pose(&instance, &mut matrices[nodes]);
        }
    }
}

impl MovingObject {
    fn new(object: &LevelObject, skeletons: &[Skeleton]) -> Self {
        let mut components: Vec<Component> = Vec::with_capacity(object.components.len());
        let mut n_nodes = 0;
        for component in &object.components {
            let attached_to = component.attached_to.and_then(|to| {
                let parent = &components[to.component];
                to.node
                    .map_or(parent.attached_to, |node| Some(parent.first_node + node))
            });
            components.push(Component {
                skeleton: component.model,
                attached_to,
                first_node: n_nodes,
            });
            n_nodes += skeletons[component.model].n_nodes();
        }
        let Movement { clip, walk } = object.movement.clone().unwrap_or_default();
        let [a, b, c] = object.world_from_object.0;
        let rows = [a, b, c, [0.0, 0.0, 0.0, 1.0]];
        Self {
            world_from_object: RowMatrix(std::array::from_fn(|i| rows[i / 4][i % 4])),
            components,
            clip,
            way: walk.as_ref().and_then(Way::new),
            n_nodes,
        }
    }
}

/// The skeleton of a model; a node that stands for another model's stays in place.
fn skeleton_of(model: &LevelModel) -> Result<Skeleton, SkeletonError> {
    let NodeTable::Nodes(nodes) = &model.msh.nodes else {
        // Shown untransformed, as one node.
        let nothing = MshAnimation::default();
        return Skeleton::new(&nothing, &[TrackLink::NONE], &[None], Bounds::Tolerant);
    };
    let mut links = model.msh.track_links();
    if let (FirstNode::AttachRoot, Some(first)) = (model.first_node, links.first_mut()) {
        *first = TrackLink::NONE;
    }
    let parents: Vec<_> = nodes.iter().map(|node| node.parent()).collect();
    Skeleton::new(&model.msh.animation, &links, &parents, Bounds::Tolerant)
}

/// The frame that a model shows.
fn frame_of(clock: &Clock, clip: Option<Clip>, last_frame: f32) -> f32 {
    let whole = |rate| Clip {
        first: 0.0,
        last: last_frame,
        rate,
    };
    let clip = match clock.play {
        Play::Still => None,
        Play::Frame(frame) => return frame,
        Play::Level => clip,
        Play::All { rate } => Some(clip.unwrap_or_else(|| whole(rate))),
    };
    clip.map_or(0.0, |clip| looped(clip, clock.time_secs))
}

/// The frame of a loop, whose last frame is its first again.
fn looped(clip: Clip, time_secs: f32) -> f32 {
    let length = clip.last - clip.first;
    // Also for NaN.
    let is_moving = length > 0.0;
    if !is_moving {
        return clip.first;
    }
    // In f64, so that a loop is still smooth after a day.
    let played = f64::from(time_secs) * f64::from(clip.rate);
    let into = played.rem_euclid(f64::from(length)) as f32;
    clip.first + into
}
