//! The ray that every query of this crate takes.

use glam::Vec3;

/// A half line in engine axes: the points `origin + t * direction`, `t >= 0`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Start, world units.
    pub origin: Vec3,
    /// Any length but zero; `t` counts in lengths of it.
    pub direction: Vec3,
}

impl Ray {
    /// The point at `t`.
    pub fn at(&self, t: f32) -> Vec3 {
        self.origin + t * self.direction
    }
}
