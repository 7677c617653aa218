//! What one would write with glam: the same keys, `slerp`, `lerp` and affine products.

use crate::walker::{Blends, Walker, Walking};
use glam::{Affine3A, Quat, Vec3A};
use ironlands::worlds::parkan::formats::msh_animation::{AnimKey, QuaternionOrder};
use rayon::prelude::*;

/// The least nodes of a rayon task, as ours has it.
const MIN_NODES_PER_TASK: usize = 256;

/// The walker for the plain sampler.
pub struct PlainSkeleton {
    keys: Vec<PlainKey>,
    /// For each node and frame the key that it begins at; one too far at the last key.
    map: Vec<u16>,
    nodes: Vec<PlainNode>,
}

struct PlainKey {
    rotation: Quat,
    position: Vec3A,
    time: f32,
}

struct PlainNode {
    parent: Option<usize>,
    map_start: usize,
    last_key: usize,
}

impl PlainSkeleton {
    pub fn new(walker: &Walker) -> Self {
        let nodes = walker.parents.iter().zip(&walker.links);
        Self {
            keys: walker.animation.keys.iter().map(PlainKey::new).collect(),
            map: walker.animation.map.clone(),
            nodes: nodes
                .map(|(parent, link)| PlainNode {
                    parent: *parent,
                    map_start: link.map_start.into(),
                    last_key: link.fallback.into(),
                })
                .collect(),
        }
    }

    /// World from node for every node.
    pub fn pose(&self, walking: &Walking, blends: Blends, world_from_nodes: &mut [Affine3A]) {
        let [t_a, t_b] = walking.times;
        for (node_idx, node) in self.nodes.iter().enumerate() {
            let (mut rotation, mut position) = self.sample(node, t_a);
            if blends == Blends::TwoTimes {
                let (rotation_b, position_b) = self.sample(node, t_b);
                rotation = rotation.slerp(rotation_b, walking.blend);
                position = position.lerp(position_b, walking.blend);
            }
            let parent_from_node = Affine3A::from_rotation_translation(rotation, position.into());
            let world_from_parent = match node.parent {
                Some(parent) => world_from_nodes[parent],
                None => walking.world_from_model,
            };
            world_from_nodes[node_idx] = world_from_parent * parent_from_node;
        }
    }

    /// [`pose`](Self::pose) for the crowd, split over the threads as ours is.
    pub fn pose_batch(&self, crowd: &[Walking], blends: Blends, world_from_nodes: &mut [Affine3A]) {
        let n_nodes = self.nodes.len();
        world_from_nodes
            .par_chunks_exact_mut(n_nodes)
            .zip(crowd)
            .with_min_len(MIN_NODES_PER_TASK.div_ceil(n_nodes))
            .for_each(|(matrices, walking)| self.pose(walking, blends, matrices));
    }

    fn sample(&self, node: &PlainNode, t: f32) -> (Quat, Vec3A) {
        let key_idx = usize::from(self.map[node.map_start + t as usize]);
        let key = &self.keys[key_idx];
        if key_idx >= node.last_key {
            return (key.rotation, key.position);
        }
        let next = &self.keys[key_idx + 1];
        let a = (t - key.time) / (next.time - key.time);
        (
            key.rotation.slerp(next.rotation, a),
            key.position.lerp(next.position, a),
        )
    }
}

impl PlainKey {
    fn new(key: &AnimKey) -> Self {
        let [w, x, y, z] = key.rotation_wxyz(QuaternionOrder::Wxyz);
        Self {
            // The matrix of a Parkan model is that of the conjugate quaternion.
            rotation: Quat::from_xyzw(-x, -y, -z, w),
            position: Vec3A::from_array(key.position),
            time: key.time,
        }
    }
}
