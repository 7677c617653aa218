//! Instances in a box.

use glam::Vec3;
use rayon::prelude::*;

use super::InstanceIndex;
use crate::MaskFilter;
use crate::bvh::Bounds;

impl InstanceIndex {
    /// The instances whose bounds overlap a box, in ascending order. Replaces what `instances` held.
    ///
    /// Engine axes, world units. Bounds are those of the shape's own bounds under the transform, with a margin of
    /// some millionths of their size and coordinates. `filter` looks at masks of instances. The box is closed and may
    /// be infinite; one with a NaN or with `min > max` on any axis holds nothing. Allocates only when `instances`
    /// must grow.
    pub fn instances_in_aabb(
        &self,
        min: Vec3,
        max: Vec3,
        filter: MaskFilter,
        instances: &mut Vec<u32>,
    ) {
        instances.clear();
        // Comparisons with NaN fail.
        if !min.cmple(max).all() {
            return;
        }
        let [min, max] = [min, max].map(|corner| corner.to_array());
        self.bvh.for_overlapping(&Bounds { min, max }, |instance| {
            if filter.accepts(self.instances[instance].mask) {
                instances.push(instance as u32);
            }
        });
        instances.sort_unstable();
    }

    /// [`instances_in_aabb`](Self::instances_in_aabb) for many boxes `[min, max]` on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn instances_in_aabb_batch(
        &self,
        boxes: &[[Vec3; 2]],
        filter: MaskFilter,
        instances: &mut [Vec<u32>],
    ) {
        assert_eq!(boxes.len(), instances.len(), "one result per box");
        (instances, boxes)
            .into_par_iter()
            .for_each(|(instances, &[min, max])| {
                self.instances_in_aabb(min, max, filter, instances);
            });
    }
}
