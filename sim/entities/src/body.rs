//! A walker as entities meet it, and what collides with it.

use glam::{DAffine3, DVec3, Vec3};

/// The shapes of a level, as far as entities have to know them.
pub trait Shapes {
    /// Whether a box of two corners overlaps the shape of an entity that is elsewhere than at rest: by the transform of
    /// its shape to the world.
    fn overlaps(&mut self, entity: usize, world_from_entity: &DAffine3, bounds: [Vec3; 2]) -> bool;

    /// Whether a box is free of everything solid but entities of the simulation.
    fn is_free(&mut self, bounds: [Vec3; 2]) -> bool;
}

/// A walker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Where its feet are.
    pub feet: Vec3,
    /// Smallest and largest corner of its box, relative to the feet.
    pub bounds: [Vec3; 2],
    /// Unit vector along its line of sight.
    pub facing: Vec3,
    /// The entity that it stands on, if it stands on one.
    pub ground: Option<usize>,
}

/// What the entities did to a walker since the last query.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Arrival {
    /// By how much it was carried or pushed by movers.
    pub carried: Vec3,
    /// Where it was put: its feet, and its yaw in degrees.
    pub teleported: Option<(Vec3, f32)>,
    /// The velocity with which it is pushed while this holds.
    pub push: Vec3,
}

impl Body {
    /// The corners of its box.
    pub fn corners(&self) -> [Vec3; 2] {
        self.bounds.map(|corner| self.feet + corner)
    }

    /// The corners of its box, some units larger.
    pub(crate) fn corners_grown(&self, by: f32) -> [Vec3; 2] {
        let [low, high] = self.corners();
        [low - Vec3::splat(by), high + Vec3::splat(by)]
    }

    /// Where it is and looks.
    pub(crate) fn view(&self) -> [DVec3; 2] {
        [self.feet, self.facing].map(Vec3::as_dvec3)
    }
}
