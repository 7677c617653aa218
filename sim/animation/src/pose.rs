//! Matrices of all nodes of a model, for one instance or for many (dossier sections 8.4 and 8.9).

use super::blend::{Channels, Playback};
use super::sampler::{Key, TrackSampler};
use super::tables::{KeyTables, PoseKey, TrackLink};
use crate::RowMatrix;
use rayon::prelude::*;
use std::ops::Range;

/// Nodes that one rayon task poses at least; below it the task costs more than the work.
const MIN_NODES_PER_TASK: usize = 256;

/// Nodes that are sampled together.
const N_LANES: usize = 8;

/// The nodes of a model with their tracks, checked once. Immutable, shared between threads.
///
/// ```
/// use ironlands_sim_animation::{
///     Compat, Instance, KeyTables, NodePose, Playback, PoseKey, RowMatrix, Skeleton, TrackLink,
/// };
///
/// // One node that moves two units to the east in two frames; the map names the key that each frame begins with.
/// let key = |time: f32| PoseKey {
///     time,
///     pose: NodePose { position: [time, 0.0, 0.0], ..NodePose::IDENTITY },
/// };
/// let tables = KeyTables { keys: vec![key(0.0), key(2.0)], map: vec![0, 0], n_frames: 2 };
/// let link = TrackLink { map_start: Some(0), fallback: Some(1) };
/// let skeleton = Skeleton::new(tables, &[link], &[None])?;
///
/// let track = skeleton.track(0).expect("the node has keys");
/// assert_eq!(track.sample(0.5, Compat::Guarded).position, [0.5, 0.0, 0.0]);
///
/// let instance = Instance {
///     world_from_model: RowMatrix::IDENTITY,
///     playback: Playback::at(1.0),
/// };
/// let mut world_from_nodes = [RowMatrix::IDENTITY];
/// skeleton.pose(&instance, &mut world_from_nodes);
/// assert_eq!(world_from_nodes[0].to_mat4().w_axis.x, 1.0);
/// # Ok::<(), ironlands_sim_animation::SkeletonError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Skeleton {
    keys: Vec<Key>,
    map: Vec<u16>,
    nodes: Vec<SkeletonNode>,
    /// The first node turns and does not move.
    is_first_in_place: bool,
}

#[derive(Debug, Clone)]
struct SkeletonNode {
    /// Before the node itself.
    parent: Option<usize>,
    /// `None` for a node without keys.
    fallback: Option<usize>,
    /// The node's block of the map, cut where the map ends.
    map: Range<usize>,
}

/// One of many in a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instance {
    /// World from model.
    pub world_from_model: RowMatrix,
    /// What it plays.
    pub playback: Playback,
}

/// Why nodes make no skeleton.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A parent does not come before its child, so there is no order to pose them in.
    #[error("node {node}: parent {parent} does not come before it")]
    ParentNotBefore {
        /// Index of the node.
        node: usize,
        /// The parent as stored.
        parent: usize,
    },
}

impl Skeleton {
    /// The skeleton of nodes, each with how it hangs on the tables and its parent.
    ///
    /// Frames outside the map show the fallback key; a node whose fallback key does not exist stays in place.
    ///
    /// # Errors
    /// A parent that does not come before its child.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn new(
        tables: KeyTables,
        links: &[TrackLink],
        parents: &[Option<usize>],
    ) -> Result<Self, SkeletonError> {
        assert_eq!(links.len(), parents.len(), "one parent a node");
        for (node, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent.filter(|parent| *parent >= node) {
                return Err(SkeletonError::ParentNotBefore { node, parent });
            }
        }
        let nodes = links
            .iter()
            .zip(parents)
            .map(|(link, parent)| SkeletonNode {
                parent: *parent,
                fallback: link.fallback.filter(|key| *key < tables.keys.len()),
                map: map_of(&tables, *link),
            });
        Ok(Self {
            nodes: nodes.collect(),
            keys: keys_of(&tables.keys),
            map: tables.map,
            is_first_in_place: false,
        })
    }

    /// The same skeleton, whose first node is turned by its track and not moved: the owner of the model moves it.
    #[must_use]
    pub fn with_first_in_place(self) -> Self {
        Self {
            is_first_in_place: true,
            ..self
        }
    }

    /// Nodes of the model, and so matrices of a pose.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The track of a node; `None` for a node without keys, which stays in place, and one that is not there.
    pub fn track(&self, node: usize) -> Option<TrackSampler<'_>> {
        self.track_of(self.nodes.get(node)?)
    }

    /// World from node for every node: `world(node) = world(parent) * local(node)`. Allocates nothing.
    ///
    /// Returns the channels that show, of which [`Channels::Neither`] is worth a word to the user.
    ///
    /// # Panics
    /// If `world_from_nodes` has not one matrix a node.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "hot; there is a matrix for each node, and parents come before their children"
    )]
    pub fn pose(&self, instance: &Instance, world_from_nodes: &mut [RowMatrix]) -> Channels {
        assert_eq!(world_from_nodes.len(), self.n_nodes(), "one matrix a node");
        let channels = instance.playback.channels();
        let frames = instance.playback.frames();
        for (block, nodes) in self.nodes.chunks(N_LANES).enumerate() {
            let track = |i: usize| self.track_of(nodes.get(i)?);
            let mut poses: [_; N_LANES] = instance.playback.poses(channels, frames, track);
            if block == 0 && self.is_first_in_place {
                poses[0].position = [0.0; 3];
            }
            for (i, (node, pose)) in nodes.iter().zip(&poses).enumerate() {
                let world_from_parent = match node.parent {
                    Some(parent) => &world_from_nodes[parent],
                    None => &instance.world_from_model,
                };
                world_from_nodes[block * N_LANES + i] = world_from_parent.times(&pose.to_matrix());
            }
        }
        channels
    }

    /// [`pose`](Self::pose) for many instances on all threads, their matrices one instance after the other.
    ///
    /// Returns how many instances show no channel.
    ///
    /// # Panics
    /// If `world_from_nodes` has not one matrix for each node of each instance.
    pub fn pose_batch(&self, instances: &[Instance], world_from_nodes: &mut [RowMatrix]) -> usize {
        let n_nodes = self.n_nodes();
        let n_matrices = instances.len().saturating_mul(n_nodes);
        assert_eq!(world_from_nodes.len(), n_matrices, "one matrix a node");
        let is_unused = |instance: &&Instance| instance.playback.channels() == Channels::Neither;
        if n_nodes > 0 {
            world_from_nodes
                .par_chunks_exact_mut(n_nodes)
                .zip(instances)
                .with_min_len(MIN_NODES_PER_TASK.div_ceil(n_nodes))
                .for_each(|(matrices, instance)| {
                    self.pose(instance, matrices);
                });
        }
        instances.iter().filter(is_unused).count()
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "hot; blocks of the map are cut where it ends when the skeleton is made"
    )]
    fn track_of(&self, node: &SkeletonNode) -> Option<TrackSampler<'_>> {
        Some(TrackSampler {
            keys: &self.keys,
            map: &self.map[node.map.clone()],
            fallback: node.fallback?,
        })
    }
}

/// Each key with the one after it.
fn keys_of(keys: &[PoseKey]) -> Vec<Key> {
    let next = keys.iter().skip(1).chain(keys.last());
    keys.iter()
        .zip(next)
        .map(|(key, next)| Key::new(key, next))
        .collect()
}

/// The words of a node's block that exist.
fn map_of(tables: &KeyTables, link: TrackLink) -> Range<usize> {
    let n_words = tables.map.len();
    let Some(start) = link.map_start else {
        return 0..0;
    };
    let start = start.min(n_words);
    start..start.saturating_add(tables.n_frames).min(n_words)
}
