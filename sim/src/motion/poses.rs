//! Where everything that stands in a level is, at a time.

use std::sync::Arc;

use ironlands_scene::{MorphWeight, Morphs};

use super::{Motion, MovingModel};
use crate::animation::RowMatrix;
use crate::instances::{Instance, InstanceIndex};

/// What a level's [`pose`](Motion::pose) makes: matrices to draw by, and the same as instances to ask. Kept by the
/// caller and given back every frame, so that its memory is used again.
#[derive(Debug, Clone, Default)]
pub struct Poses {
    pub(super) world_from_nodes: Vec<RowMatrix>,
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

    /// Matrices, morph weights and memory for them, to be filled anew.
    pub(crate) fn of_figures(
        &mut self,
    ) -> (&mut Vec<RowMatrix>, &mut Morphs, &mut Vec<MorphWeight>) {
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

impl Motion {
    /// Moves the instances to where the matrices are; makes them, if they are not those of this level.
    pub(super) fn index(&self, poses: &mut Poses) {
        let Poses {
            world_from_nodes,
            instances,
            morphs,
            weights: _,
        } = poses;
        morphs.clear();
        match instances {
            Some(index) if self.is_made_of(index) => _ = index.refit(world_from_nodes),
            _ => {
                let made = self.instances(world_from_nodes);
                // Of more nodes than an index holds none is met.
                *instances = InstanceIndex::new(Arc::clone(&self.shapes), &made).ok();
            }
        }
    }

    /// The instances of a pose of this level.
    pub(super) fn instances_of<'a>(&self, poses: &'a Poses) -> Option<&'a InstanceIndex> {
        poses.instances().filter(|index| self.is_made_of(index))
    }

    fn is_made_of(&self, index: &InstanceIndex) -> bool {
        Arc::ptr_eq(index.shapes(), &self.shapes) && index.instances().len() == self.n_nodes
    }

    fn instances(&self, world_from_nodes: &[RowMatrix]) -> Vec<Instance> {
        let objects = self.objects.iter().enumerate();
        let shapes = objects.flat_map(|(id, object)| {
            let components = object.components.iter();
            components.flat_map(move |component| {
                let model = self.models.get(component.model);
                let shapes = model.map_or(0..0, MovingModel::shapes);
                shapes.map(move |shape| (id as u32, shape as u32))
            })
        });
        shapes
            .zip(world_from_nodes)
            .map(|((id, shape), world_from_local)| Instance {
                shape,
                mask: 0,
                id,
                world_from_local: *world_from_local,
            })
            .collect()
    }
}
