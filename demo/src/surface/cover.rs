//! What covers a quad: a base material, and what is laid over it.
//!
//! An overlay's texture spans 2 x 2 quads, each the mirror image of its neighbors, so that opacity runs on
//! smoothly over all their sides and no filter or mip can draw a seam. What a quad needs is therefore kept apart
//! by the parity of its place.

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
        /// Which corners of the quad are of that class: bit `(x & 1) + 2 * (y & 1)` for the corner at (x, y).
        /// Never 0 or 15.
        corners: u8,
    },
    /// A road through these sides, as they lie in a quad of even x and y; in odd columns east and west are
    /// swapped, in odd rows north and south.
    Road(Link),
}

impl Cover {
    /// The cover of a quad.
    pub fn from_quad(land: &Landscape, [qx, qy]: [usize; 2]) -> Self {
        let corners = [(qx, qy), (qx + 1, qy), (qx, qy + 1), (qx + 1, qy + 1)];
        let classes = corners.map(|(cx, cy)| land.classes.at(cx, cy));
        let lower = classes.into_iter().min().unwrap_or(Class::Sand);
        let base = classes.into_iter().max().unwrap_or(Class::Sand);
        let mask = (0..4)
            .filter(|k| classes[*k] == lower)
            .fold(0u8, |mask, k| {
                let (cx, cy) = corners[k];
                mask | 1 << ((cx & 1) + 2 * (cy & 1))
            });
        let join = (lower != base).then_some(Overlay::Join {
            class: lower,
            corners: mask,
        });
        let road = land
            .roads
            .link(qx, qy)
            .map(|link| Overlay::Road(link.mirrored(qx % 2 == 1, qy % 2 == 1)));
        Self::Ground {
            base,
            overlay: join.or(road),
        }
    }
}
