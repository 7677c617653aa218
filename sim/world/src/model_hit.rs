//! Hits of rays on the objects of a level.

use glam::Vec3;

use crate::WorldHit;

/// Where a ray hits a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelHit {
    /// Index of the node in a pose.
    pub node: usize,
    /// Distance in lengths of the ray's direction.
    pub t: f32,
    /// The point, world units.
    pub position: Vec3,
    /// Unit normal of the triangle, on the side that the ray came from.
    pub normal: Vec3,
    /// Row of the model's material table that the triangle is drawn with; `None` for figures, which have no such table.
    pub material: Option<u16>,
}

impl ModelHit {
    /// The same hit for a world whose elements before `first` are not nodes.
    pub fn in_world(self, first: usize) -> WorldHit {
        let Self {
            node,
            t,
            position,
            normal,
            material: _,
        } = self;
        WorldHit {
            // The nodes of a level always fit.
            element: u32::try_from(first.saturating_add(node)).unwrap_or(u32::MAX),
            t,
            position,
            normal,
        }
    }
}
