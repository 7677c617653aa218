//! A pose as instances that rays hit.

use std::sync::Arc;

use ironlands_sim_core::RowMatrix;
use ironlands_sim_core::instances::{Instance, InstanceIndex};
use ironlands_sim_world::Poses;

use super::{Motion, MovingModel};

impl Motion {
    /// Moves the instances to where the matrices are; makes them, if they are not those of this level.
    pub(super) fn index(&self, poses: &mut Poses) {
        let (world_from_nodes, instances) = poses.rigid();
        match instances {
            Some(index) if self.is_made_of(index) => _ = index.refit(world_from_nodes),
            _ => {
                let made = self.instances(world_from_nodes);
                // Of more nodes than an index holds none is hit.
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
