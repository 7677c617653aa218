//! Bounds of a model after an edit (dossier section 7.12).

use super::Msh;
use crate::slots::{box_around, sphere_of_box};

impl Msh {
    /// Recomputes the bounds of all slots, in the space of their node, for after vertices have moved.
    ///
    /// Slots without triangles keep their bounds, and so does the header, which depends on the pose of the nodes:
    /// [`super::SlotHeader::from_box`] makes one from a box. Visits each batch as often as slots name it.
    pub fn recompute_slot_bounds(&mut self) {
        for slot_idx in 0..self.slots.len() {
            let Some(slot) = self.slots.get(slot_idx) else {
                continue;
            };
            let batches = self.slot_batches(slot).iter();
            let vertices = batches.flat_map(|batch| self.batch_vertices(batch));
            let points = vertices.filter_map(|index| self.positions.get(index).copied());
            if let (Some((min, max)), Some(slot)) =
                (box_around(points), self.slots.get_mut(slot_idx))
            {
                slot.aabb_min = min;
                slot.aabb_max = max;
                (slot.sphere_center, slot.sphere_radius) = sphere_of_box(min, max);
            }
        }
    }
}
