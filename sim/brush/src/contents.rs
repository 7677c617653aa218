//! What is at a point (section 6.4).

use super::BrushWorld;
use super::map::ContentBits;
use glam::{DVec3, Vec3};

/// A leaf of the world's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// Leaf of the file.
    pub leaf: u32,
    /// Contents of all brushes that reach into the leaf.
    pub contents: ContentBits,
    /// Cluster of visibility; `None` inside of walls and outside.
    pub cluster: Option<u32>,
    /// Area; 0 = solid or outside.
    pub area: u32,
}

impl BrushWorld {
    /// The leaf around a point; ties go to the front. `None` for a point that is not finite, or without leaves.
    pub fn place_at(&self, point: Vec3) -> Option<Place> {
        if !point.is_finite() {
            return None;
        }
        let leaf_idx = self.tree.leaf_at(point.as_dvec3());
        let leaf = self.tree.leaf(leaf_idx)?;
        Some(Place {
            leaf: leaf_idx as u32,
            contents: ContentBits::from_bits_retain(leaf.contents),
            cluster: u32::try_from(leaf.cluster).ok(),
            area: leaf.area,
        })
    }

    /// Contents of all brushes that a point is in, their surfaces included: those of the world, of solid brush
    /// entities, and of props. Displacements have no inside.
    pub fn contents_at(&self, point: Vec3) -> ContentBits {
        if !point.is_finite() {
            return ContentBits::empty();
        }
        let at = point.as_dvec3();
        let leaf_brushes = self.tree.brushes_of(self.tree.leaf_at(at)).iter().copied();
        let mut contents = leaf_brushes.fold(0, |all, brush| all | self.contents_of(brush, at));
        self.convex_bodies
            .others_at(point, |brush| contents |= self.contents_of(brush, at));
        ContentBits::from_bits_retain(contents)
    }

    /// Contents of a brush for a point: none outside of it.
    fn contents_of(&self, brush: u32, at: DVec3) -> i32 {
        let brush = self.brushes.get(brush as usize);
        let around = brush.filter(|brush| brush.n_sides > 0 && self.is_in_brush(brush, at));
        around.map_or(0, |brush| brush.contents)
    }
}
