//! Motion along one way: what doors, buttons and platforms have in common.

use glam::DVec3;

use crate::Place;

/// The way that a mover goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    /// Straight, along a unit vector; lengths are units.
    Straight(DVec3),
    /// Around an axis; lengths are degrees, which times this are added to pitch, yaw and roll.
    Around(DVec3),
}

/// A place on a way, and where it is going.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide {
    /// The way.
    pub way: Way,
    /// How long it is; at least 0.
    pub length: f64,
    /// Units or degrees per second.
    pub speed: f64,
    /// How far from its beginning.
    pub at: f64,
    /// How far from its beginning it is to come.
    pub goal: f64,
}

impl Slide {
    /// At rest at the beginning of a way.
    pub fn new(way: Way, length: f64, speed: f64) -> Self {
        let number = |value: f64| if value.is_finite() { value } else { 0.0 };
        Self {
            way,
            length: number(length),
            speed: number(speed).max(0.0),
            at: 0.0,
            goal: 0.0,
        }
    }

    /// Where a mover is that is at rest at the beginning of the way.
    pub fn place(&self, rest: &Place) -> Place {
        self.place_at(rest, self.at)
    }

    /// Where it is after seconds of motion, and how far on its way that is; `None` if it does not move.
    pub(crate) fn after(&self, secs: f64) -> Option<f64> {
        let left = self.goal - self.at;
        if left == 0.0 {
            return None;
        }
        let step = self.speed * secs;
        // Rounding must not leave a last step of nothing.
        let is_last = left.abs() <= step * (1.0 + 1e-9);
        Some(if is_last {
            self.goal
        } else {
            self.at + step.copysign(left)
        })
    }

    pub(crate) fn place_at(&self, rest: &Place, at: f64) -> Place {
        let Place { origin, angles } = *rest;
        match self.way {
            Way::Straight(direction) => Place {
                origin: origin + direction * at,
                angles,
            },
            Way::Around(axis) => Place {
                origin,
                angles: angles + axis * at,
            },
        }
    }
}
