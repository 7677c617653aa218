//! Ground and walls of triangles, for all worlds.

use glam::Vec3;
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::TriangleIndex;

/// [`World::ground_below`](crate::World::ground_below) for solid faces.
pub fn ground_below(land: &TriangleIndex, solid: MaskFilter, [x, y, z]: [f32; 3]) -> Option<f32> {
    let below = land.height_at_or_below(x, y, z, solid);
    below
        .or_else(|| land.height_at_or_above(x, y, z, solid))
        .map(|hit| hit.z)
}

/// [`World::slide`](crate::World::slide) along solid faces.
pub fn slide_on(
    land: &TriangleIndex,
    solid: MaskFilter,
    [a, b]: [Vec3; 2],
    radius: f32,
    motion: Vec3,
) -> Vec3 {
    let slide = land.slide_capsule(a, b, radius, motion, solid);
    if slide.position == a + motion {
        return motion; // rounding the position would add up from step to step
    }
    slide.position - a
}
