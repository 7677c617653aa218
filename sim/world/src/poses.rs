//! The poses of all objects of a level at a time.

use ironlands_scene::{MorphWeight, Morphs};

use ironlands_sim_core::RowMatrix;
use ironlands_sim_core::instances::InstanceIndex;

/// The result of [`World::pose`](crate::World::pose): matrices to draw with, and the same as instances to query. The
/// caller keeps it and passes it again every frame, so that its memory is reused.
#[derive(Debug, Clone, Default)]
pub struct Poses {
    world_from_nodes: Vec<RowMatrix>,
    instances: Option<InstanceIndex>,
    morphs: Morphs,
    /// The weights of `morphs` before zeros were left out.
    weights: Vec<MorphWeight>,
}

impl Poses {
    /// World from node for every node of every object of the level, in the order of the scene's instances. Empty
    /// before the first pose.
    pub fn world_from_nodes(&self) -> &[RowMatrix] {
        &self.world_from_nodes
    }

    /// How the vertices of the objects of the level have moved, in the order of the scene's instances. Empty where
    /// they are at rest.
    pub fn morphs(&self) -> &Morphs {
        &self.morphs
    }

    /// Matrices to fill, and the instances made of the last ones; no vertex moves.
    pub fn rigid(&mut self) -> (&mut Vec<RowMatrix>, &mut Option<InstanceIndex>) {
        self.morphs.clear();
        (&mut self.world_from_nodes, &mut self.instances)
    }

    /// Matrices, morph weights and scratch memory for them, to fill.
    pub fn morphing(&mut self) -> (&mut Vec<RowMatrix>, &mut Morphs, &mut Vec<MorphWeight>) {
        // There is no index over figures: their vertices move.
        self.instances = None;
        (
            &mut self.world_from_nodes,
            &mut self.morphs,
            &mut self.weights,
        )
    }

    /// The nodes as instances: the index of an instance is that of its node in a pose, its id is the index of its
    /// object, its mask 0; faces have mask 0 and the material word of their batch. `None` before the first pose, and
    /// for a world without such an index.
    pub fn instances(&self) -> Option<&InstanceIndex> {
        let is_posed = |it: &&InstanceIndex| it.instances().len() == self.world_from_nodes.len();
        self.instances.as_ref().filter(is_posed)
    }

    /// Removes all poses until the next one.
    pub fn clear(&mut self) {
        self.world_from_nodes.clear();
        self.morphs.clear();
    }
}

/// Poses for drawing only: no ray hits them.
impl From<Vec<RowMatrix>> for Poses {
    fn from(world_from_nodes: Vec<RowMatrix>) -> Self {
        Self {
            world_from_nodes,
            ..Self::default()
        }
    }
}
