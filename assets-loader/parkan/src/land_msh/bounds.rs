//! Bounds of terrain after an edit (dossier section 4.11).

use super::{LandMsh, Slot, SlotHeader};
use crate::slots::{box_around, sphere_of_box};

impl LandMsh {
    /// Recomputes the bounds of all slots and of the whole terrain, for after vertices have moved.
    ///
    /// Slots without faces keep their bounds. Slot 0 defines the size of a cell and corner 0 the origin of the
    /// grid, so a tile 0 whose faces no longer fill its cell changes the grid: fill it, or set it by hand.
    pub fn recompute_bounds(&mut self) {
        for slot_idx in 0..self.slots.len() {
            let bounds = self
                .slots
                .get(slot_idx)
                .and_then(|slot| self.bounds_of(slot));
            let (Some((min, max)), Some(slot)) = (bounds, self.slots.get_mut(slot_idx)) else {
                continue;
            };
            slot.aabb_min = min;
            slot.aabb_max = max;
            (slot.sphere_center, slot.sphere_radius) = sphere_of_box(min, max);
        }
        if let Some((min, max)) = box_around(self.positions.iter().copied()) {
            self.header = SlotHeader::from_box(min, max);
        }
    }

    /// Smallest and largest corner around the faces of a slot; `None` without faces.
    pub(super) fn bounds_of(&self, slot: &Slot) -> Option<([f32; 3], [f32; 3])> {
        let indices = self.slot_faces(slot).iter().flat_map(|face| face.vertices);
        box_around(indices.filter_map(|index| self.positions.get(usize::from(index)).copied()))
    }
}
