//! What covers a quad: a base material, and what is laid over it.

use crate::landscape::{Class, Landscape, Link};

/// What covers a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cover {
    /// Ground of a class, with an overlay where it joins another.
    Ground {
        /// Fills the quad.
        base: Class,
        /// Lies over it.
        overlay: Option<Overlay>,
    },
    /// The surface of the sea.
    Water,
}

/// A texture with alpha over the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overlay {
    /// The class below the base in the chain comes in from some corners.
    Join {
        /// The class that is laid over the base.
        class: Class,
        /// Bit k: corner k (counter-clockwise from the south-west) is of that class. Never 0 or 15.
        corners: u8,
    },
    /// A road through these sides.
    Road(Link),
}

impl Cover {
    /// The cover of a quad.
    pub fn of_quad(land: &Landscape, [qx, qy]: [usize; 2]) -> Self {
        let corners = land.classes.corners(qx, qy);
        let lower = corners.into_iter().min().unwrap_or(Class::Sand);
        let base = corners.into_iter().max().unwrap_or(Class::Sand);
        let mask = (0..4).filter(|k| corners[*k] == lower).fold(0u8, |mask, k| mask | 1 << k);
        let join = (lower != base).then_some(Overlay::Join { class: lower, corners: mask });
        let road = land.roads.link(qx, qy).map(Overlay::Road);
        Self::Ground { base, overlay: join.or(road) }
    }
}
