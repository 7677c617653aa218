//! Where everything that stands in a level is, at a time.

use ironlands_scene::{MorphWeight, Morphs};

use ironlands_sim_core::RowMatrix;
use ironlands_sim_core::instances::InstanceIndex;

/// What a level's [`pose`](crate::World::pose) makes: matrices to draw by, and the same as instances to query. Kept by
/// the caller and given back every frame, so that its memory is used again.
#[derive(Debug, Clone, Default)]
pub struct Poses {
    world_from_nodes: Vec<RowMatrix>,
    instances: Option<InstanceIndex>,
    morphs: Morphs,
    /// Those of `morphs` before those that are 0 were left out.
    weights: Vec<MorphWeight>,
}

impl Poses {
    /// World from node for every node of everything that stands in the level, in the order of the scene's
    /// instances. Empty before the first pose.
    pub fn world_from_nodes(&self) -> &[RowMatrix] {
        &self.world_from_nodes
    }

    /// How the vertices of everything that stands in the level have moved, in the order of the scene's instances.
    /// Empty where they are as at rest.
    pub fn morphs(&self) -> &Morphs {
        &self.morphs
    }

    /// Matrices, and the instances made of the last ones, to be filled anew; no vertex moves.
    pub fn rigid(&mut self) -> (&mut Vec<RowMatrix>, &mut Option<InstanceIndex>) {
        self.morphs.clear();
        (&mut self.world_from_nodes, &mut self.instances)
    }

    /// Matrices, morph weights and memory for them, to be filled anew.
    pub fn morphing(&mut self) -> (&mut Vec<RowMatrix>, &mut Morphs, &mut Vec<MorphWeight>) {
        // No index is made of figures: their vertices move.
        self.instances = None;
        (
            &mut self.world_from_nodes,
            &mut self.morphs,
            &mut self.weights,
        )
    }

    /// The nodes as instances: an instance is called by its place in a pose, its id is the position of its object
    /// among the inhabitants, its mask 0; faces have mask 0 and the material word of their batch. `None` before the
    /// first pose, and of a world that makes none.
    pub fn instances(&self) -> Option<&InstanceIndex> {
        let is_posed = |it: &&InstanceIndex| it.instances().len() == self.world_from_nodes.len();
        self.instances.as_ref().filter(is_posed)
    }

    /// Nothing is anywhere, until the next pose.
    pub fn clear(&mut self) {
        self.world_from_nodes.clear();
        self.morphs.clear();
    }
}

/// Poses to draw by alone: no ray meets them.
impl From<Vec<RowMatrix>> for Poses {
    fn from(world_from_nodes: Vec<RowMatrix>) -> Self {
        Self {
            world_from_nodes,
            ..Self::default()
        }
    }
}
