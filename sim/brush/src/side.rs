//! Brushes and their sides.

use super::BrushWorld;
use glam::{DVec3, Vec3};

/// A plane of a brush: `dot(normal, p) <= dist` inside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    pub normal: [f32; 3],
    pub dist: f32,
    /// Only boxes hit it.
    pub is_bevel: bool,
}

/// A range of sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Brush {
    pub first_side: u32,
    pub n_sides: u32,
    pub contents: i32,
}

impl Side {
    #[inline(always)]
    pub fn normal(&self) -> DVec3 {
        Vec3::from_array(self.normal).as_dvec3()
    }

    /// Distance in front.
    #[inline(always)]
    pub fn distance(&self, point: DVec3) -> f64 {
        self.normal().dot(point) - f64::from(self.dist)
    }
}

impl Brush {
    pub fn side_range(&self) -> std::ops::Range<usize> {
        let first = self.first_side as usize;
        first..first.saturating_add(self.n_sides as usize)
    }
}

impl BrushWorld {
    pub(super) fn sides_of(&self, brush: &Brush) -> &[Side] {
        self.sides.get(brush.side_range()).unwrap_or_default()
    }

    /// Whether a point is in a brush, its surface included.
    pub(super) fn is_in_brush(&self, brush: &Brush, point: DVec3) -> bool {
        let mut real = self.sides_of(brush).iter().filter(|side| !side.is_bevel);
        real.all(|side| side.distance(point) <= 0.0)
    }
}
