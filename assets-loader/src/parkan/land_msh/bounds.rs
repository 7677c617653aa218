//! Boxes, spheres and capsules of the type 2 chunk (dossier sections 4.3, 4.11 and 7.4).

use super::{LandMsh, Slot, SlotHeader};

impl SlotHeader {
    /// The header of an axis-aligned box in world units: its corners in the order in which the engine builds
    /// boxes, the sphere through them, and the upright capsule whose radius reaches the vertical edges.
    pub fn of_box(min: [f32; 3], max: [f32; 3]) -> Self {
        let ([x0, y0, z0], [x1, y1, z1]) = (min, max);
        let (sphere_center, sphere_radius) = sphere_of_box(min, max);
        let [center_x, center_y, _] = sphere_center;
        Self {
            corners: [
                [x0, y0, z0],
                [x1, y0, z0],
                [x1, y1, z0],
                [x0, y1, z0],
                [x0, y1, z1],
                [x0, y0, z1],
                [x1, y0, z1],
                [x1, y1, z1],
            ],
            sphere_center,
            sphere_radius,
            capsule_a: [center_x, center_y, z0],
            capsule_b: [center_x, center_y, z1],
            capsule_radius: f32::hypot(x1 - x0, y1 - y0) / 2.0,
        }
    }
}

impl Slot {
    /// A slot with these faces and this axis-aligned box in world units; unknown words are 0.
    pub fn of_box(tri_start: u16, tri_count: u16, min: [f32; 3], max: [f32; 3]) -> Self {
        let (sphere_center, sphere_radius) = sphere_of_box(min, max);
        Self {
            tri_start,
            tri_count,
            batch_start: 0,
            batch_count: 0,
            aabb_min: min,
            aabb_max: max,
            sphere_center,
            sphere_radius,
            unknown_30: [0; 5],
        }
    }
}

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
            self.header = SlotHeader::of_box(min, max);
        }
    }

    /// Smallest and largest corner around the faces of a slot; `None` without faces.
    pub(super) fn bounds_of(&self, slot: &Slot) -> Option<([f32; 3], [f32; 3])> {
        let indices = self.slot_faces(slot).iter().flat_map(|face| face.vertices);
        box_around(indices.filter_map(|index| self.positions.get(usize::from(index)).copied()))
    }
}

/// Smallest and largest corner around points; `None` without points. NaN coordinates are not counted.
pub(super) fn box_around(
    points: impl IntoIterator<Item = [f32; 3]>,
) -> Option<([f32; 3], [f32; 3])> {
    points.into_iter().fold(None, |bounds, point| {
        let (min, max) = bounds.unwrap_or((point, point));
        Some((zip3(min, point, f32::min), zip3(max, point, f32::max)))
    })
}

fn sphere_of_box(min: [f32; 3], max: [f32; 3]) -> ([f32; 3], f32) {
    let center = zip3(min, max, f32::midpoint);
    let [x, y, z] = zip3(max, center, |to, from| to - from);
    (center, (x * x + y * y + z * z).sqrt())
}

fn zip3(a: [f32; 3], b: [f32; 3], of: impl Fn(f32, f32) -> f32) -> [f32; 3] {
    let ([ax, ay, az], [bx, by, bz]) = (a, b);
    [of(ax, bx), of(ay, by), of(az, bz)]
}
