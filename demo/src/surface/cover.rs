//! What covers a quad: a material, and a second one that comes in over it, weighted at the vertices.
//!
//! A weight depends on the vertex and the two materials alone, so that faces of neighboring quads that have the same
//! two blend without a seam; where a neighbor has one of them only, the weight along their side is 0 or 1.

use super::GridPoint;
use crate::landscape::{Class, Landscape, Link};
use crate::noise::{hash2, mix, unit};

/// A surface that a face can be covered by: a row of the material table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Surface {
    /// Ground of a class.
    Class(Class),
    /// A dirt road.
    Road,
}

/// What covers a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cover {
    /// Ground, with a second surface where it joins another or a road runs.
    Ground {
        /// Fills the facet.
        first: Class,
        /// Lies over it.
        second: Option<Surface>,
    },
    /// The surface of the sea.
    Water,
}

/// Least and most weight halfway between two corners of different classes: borders are ragged.
const HALFWAY: [f64; 2] = [0.3, 0.7];
const SEED: u32 = 310;

impl Cover {
    /// The cover of a quad.
    pub fn from_quad(land: &Landscape, [qx, qy]: [usize; 2]) -> Self {
        let corners = [(qx, qy), (qx + 1, qy), (qx, qy + 1), (qx + 1, qy + 1)];
        let classes = corners.map(|(cx, cy)| land.classes.at(cx, cy));
        let lower = classes.into_iter().min().unwrap_or(Class::Sand);
        let first = classes.into_iter().max().unwrap_or(Class::Sand);
        let join = (lower != first).then_some(Surface::Class(lower));
        let road = land.roads.link(qx, qy).map(|_| Surface::Road);
        Self::Ground {
            first,
            second: join.or(road),
        }
    }

    /// How opaque the second surface is at a point; 1 without one.
    pub fn second_weight(self, land: &Landscape, point: GridPoint) -> f64 {
        match self {
            Self::Water | Self::Ground { second: None, .. } => 1.0,
            Self::Ground {
                second: Some(Surface::Class(class)),
                ..
            } => weight_of_class(land, class, point),
            Self::Ground {
                second: Some(Surface::Road),
                ..
            } => f64::from(u8::from(is_on_road(land, point))),
        }
    }
}

/// The share of corners around a point that are of a class; halfway between two of which one is, more or less.
fn weight_of_class(land: &Landscape, class: Class, [x, y]: GridPoint) -> f64 {
    let ends = |v: u16| [usize::from(v / 2), usize::from(v.div_ceil(2))];
    let ([west, east], [south, north]) = (ends(x), ends(y));
    let corners = [(west, south), (east, south), (west, north), (east, north)];
    let of_class = |&(cx, cy): &(usize, usize)| land.classes.at(cx, cy) == class;
    match corners.iter().filter(|corner| of_class(corner)).count() {
        0 => 0.0,
        4 => 1.0,
        n_of_class => {
            let [low, high] = HALFWAY;
            let ragged = mix(low, high, unit(hash2(SEED, x.into(), y.into())));
            (ragged + (n_of_class as f64 - 2.0) / 4.0).clamp(0.0, 1.0)
        }
    }
}

/// Whether a road runs through a point: the middle of a side that it crosses, or of a quad in which it does not turn.
fn is_on_road(land: &Landscape, [x, y]: GridPoint) -> bool {
    let is_middle = |v: u16| v % 2 == 1;
    let (qx, qy) = (usize::from(x / 2), usize::from(y / 2));
    let crosses = |quad: Option<(usize, usize)>, side: usize| {
        let link = quad.and_then(|(qx, qy)| land.roads.link(qx, qy));
        link.is_some_and(|link| link.has(side))
    };
    match (is_middle(x), is_middle(y)) {
        (true, true) => (land.roads.link(qx, qy)).is_some_and(|link| !link.is_bend()),
        (true, false) => {
            let below = qy.checked_sub(1).map(|below| (qx, below));
            crosses(Some((qx, qy)), Link::SOUTH) || crosses(below, Link::NORTH)
        }
        (false, true) => {
            let west = qx.checked_sub(1).map(|west| (west, qy));
            crosses(Some((qx, qy)), Link::WEST) || crosses(west, Link::EAST)
        }
        (false, false) => false,
    }
}
