//! Queries of a brush world and their results.

use super::map::ContentBits;
use glam::Vec3;

/// A box that moves along a straight line, or a ray if the box is a point. World axes and units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeCast {
    /// Where the box's own origin starts.
    pub start: Vec3,
    /// Where it is to end.
    pub end: Vec3,
    /// Smallest corner of the box, relative to its origin.
    pub mins: Vec3,
    /// Largest corner; not below `mins`.
    pub maxs: Vec3,
    /// Contents that stop it: anything with one of these bits.
    pub mask: ContentBits,
    /// Which objects can stop it.
    pub targets: CastTargets,
}

/// Which objects a shape cast can hit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum CastTargets {
    /// All that is solid.
    #[default]
    Everything,
    /// The brushes of the world itself: no entities, displacements or props.
    WorldBrushes,
}

/// How far a box gets.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CastResult {
    /// Fraction of the motion, `0.0..=1.0`.
    pub fraction: f32,
    /// Where its origin is then.
    pub end: Vec3,
    /// Whether it started inside of something.
    pub start_solid: bool,
    /// Whether start and end are inside of one thing; then the box stays where it is.
    pub all_solid: bool,
    /// What stopped it; `None` where nothing did but what it started in.
    pub hit: Option<CastHit>,
}

/// What stops a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CastHit {
    /// Outward unit normal of the plane that was hit.
    pub normal: Vec3,
    /// `dot(normal, p) = dist` on that plane, where it touches what was hit.
    pub dist: f32,
    /// Contents of what was hit.
    pub contents: ContentBits,
    /// Texinfo of the surface; not to be trusted for a side that has no face.
    pub texinfo: Option<u32>,
    /// What was hit.
    pub obstacle: Obstacle,
    /// Number of the surface that was hit: a brush side or, counted on from the last of these, a triangle of a
    /// displacement.
    pub element: u32,
}

/// What can stop a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Obstacle {
    /// A brush of the world itself.
    World {
        /// Brush of the file.
        brush: u32,
    },
    /// A brush of a brush entity.
    Entity {
        /// Entity of the file.
        entity: u32,
        /// Brush model that it uses.
        model: u32,
        /// Brush of the file.
        brush: u32,
    },
    /// A displacement.
    Displacement {
        /// Displacement of the file.
        disp_info: u32,
        /// Its triangle in the order of section 5.5.
        triangle: u32,
    },
    /// A static prop, as a box.
    Prop {
        /// Its number, as the caller gave it.
        prop: u32,
    },
}

impl ShapeCast {
    /// A ray that hits everything with a bit of the mask.
    pub fn from_ray(start: Vec3, end: Vec3, mask: ContentBits) -> Self {
        Self::from_box(start, end, [Vec3::ZERO; 2], mask)
    }

    /// A box that hits everything with a bit of the mask; corners relative to its origin.
    pub fn from_box(start: Vec3, end: Vec3, [mins, maxs]: [Vec3; 2], mask: ContentBits) -> Self {
        Self {
            start,
            end,
            mins,
            maxs,
            mask,
            targets: CastTargets::Everything,
        }
    }

    /// The same shape, cast against the brushes of the world itself.
    #[must_use]
    pub fn with_world_brushes_only(self) -> Self {
        Self {
            targets: CastTargets::WorldBrushes,
            ..self
        }
    }
}

impl CastResult {
    /// That of a motion that nothing stops.
    pub(super) fn unobstructed(end: Vec3) -> Self {
        Self {
            fraction: 1.0,
            end,
            ..Self::default()
        }
    }
}
