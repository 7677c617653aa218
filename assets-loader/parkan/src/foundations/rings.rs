//! The contours of a placed basement, and what lies inside of them, as seen from above.

use ironlands_scene::Affine;

use super::CutError;
use crate::bas::{Bas, Ring};

/// Corners of a contour at most: known ones have a few dozen, and each is compared with all faces near it.
const MAX_CORNERS: usize = 256;
/// Coordinates of known levels stay far below; products of larger ones lose what a contour needs.
const MAX_COORDINATE: f32 = 1e6;

/// A place in the ground plane.
pub(super) type Place = [f64; 2];

/// The contours of a placed basement, in world units, counterclockwise as seen from above.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Contours {
    /// What they surround is the building's own; with the heights that the file gives them.
    pub(super) inner: Vec<Vec<[f32; 3]>>,
    /// Up to here the land gives way.
    pub(super) outer: Vec<Place>,
}

impl Contours {
    /// The contours of a basement that stands somewhere.
    pub(super) fn new(bas: &Bas, world_from_object: &Affine) -> Result<Self, CutError> {
        let [outer] = &bas.outer[..] else {
            return Err(CutError::OuterContours(bas.outer.len()));
        };
        let outer = placed(outer, world_from_object)?;
        let inner = bas.inner.iter();
        let inner: Vec<_> = inner
            .map(|it| placed(&it.ring, world_from_object))
            .collect::<Result<_, _>>()?;
        let outer: Vec<Place> = outer.into_iter().map(plan_of).collect();
        let is_inside = |corner: &[f32; 3]| contains(&outer, plan_of(*corner));
        if !inner.iter().flatten().all(is_inside) {
            return Err(CutError::InnerOutside);
        }
        Ok(Self { inner, outer })
    }

    /// Smallest and largest corner around the outer contour.
    pub(super) fn bounds(&self) -> [Place; 2] {
        bounds_of(&self.outer)
    }
}

/// A place as seen from above.
pub(super) fn plan_of([x, y, _]: [f32; 3]) -> Place {
    [f64::from(x), f64::from(y)]
}

/// Smallest and largest corner around places.
pub(super) fn bounds_of(places: &[Place]) -> [Place; 2] {
    let start = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    places.iter().fold(start, |[[x0, y0], [x1, y1]], [x, y]| {
        [[x0.min(*x), y0.min(*y)], [x1.max(*x), y1.max(*y)]]
    })
}

/// The corners of a ring in the world, none twice, counterclockwise.
fn placed(ring: &Ring, world_from_object: &Affine) -> Result<Vec<[f32; 3]>, CutError> {
    if ring.n_edges() > MAX_CORNERS {
        return Err(CutError::TooManyCorners(ring.n_edges()));
    }
    let corners = ring.corners.iter().take(ring.n_edges());
    let mut corners: Vec<[f32; 3]> = corners
        .map(|corner| world_from_object.transform_point(*corner))
        .collect();
    corners.dedup();
    let is_sound = |value: &f32| value.abs() <= MAX_COORDINATE;
    if !corners.iter().flatten().all(is_sound) {
        return Err(CutError::FarAway);
    }
    let plan: Vec<Place> = corners.iter().copied().map(plan_of).collect();
    if !is_simple(&plan) {
        return Err(CutError::NotSimple);
    }
    if doubled_area(&plan) < 0.0 {
        corners.reverse();
    }
    Ok(corners)
}

/// Twice the signed area, above 0 if the corners go counterclockwise.
pub(super) fn doubled_area(polygon: &[Place]) -> f64 {
    edges_of(polygon).map(|[a, b]| cross(a, b)).sum()
}

/// The edges of a closed polygon.
pub(super) fn edges_of(polygon: &[Place]) -> impl Iterator<Item = [Place; 2]> + Clone {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().zip(next).map(|(a, b)| [*a, *b])
}

/// Whether a place is inside a polygon; one on its edge may be either.
pub(super) fn contains(polygon: &[Place], [x, y]: Place) -> bool {
    let crossed = edges_of(polygon).filter(|[a, b]| {
        let ([ax, ay], [bx, by]) = (a, b);
        (*ay > y) != (*by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax
    });
    crossed.count() % 2 == 1
}

/// Twice the area of a triangle, above 0 if its corners go counterclockwise.
pub(super) fn turn(a: Place, b: Place, c: Place) -> f64 {
    cross(minus(b, a), minus(c, a))
}

/// From one place to another.
pub(super) fn minus([ax, ay]: Place, [bx, by]: Place) -> Place {
    [ax - bx, ay - by]
}

fn cross([ax, ay]: Place, [bx, by]: Place) -> f64 {
    ax * by - ay * bx
}

/// Whether a polygon has an area and none of its edges touches another but the next.
fn is_simple(polygon: &[Place]) -> bool {
    let edges: Vec<_> = edges_of(polygon).collect();
    let n = edges.len();
    let meets = |[a, b]: [Place; 2], [c, d]: [Place; 2]| {
        let parts = |p, q, r, s| turn(p, q, r) * turn(p, q, s) <= 0.0;
        let apart = |axis: fn(Place) -> f64| {
            let range = |p: Place, q: Place| (axis(p).min(axis(q)), axis(p).max(axis(q)));
            let ((low, high), (other_low, other_high)) = (range(a, b), range(c, d));
            high < other_low || other_high < low
        };
        let is_apart = apart(|[x, _]| x) || apart(|[_, y]| y);
        !is_apart && parts(a, b, c, d) && parts(c, d, a, b)
    };
    let pairs = edges.iter().enumerate().flat_map(|(idx, edge)| {
        let later = edges.iter().enumerate().skip(idx.saturating_add(2));
        later
            .filter(move |(other, _)| !(idx == 0 && other.checked_add(1) == Some(n)))
            .map(move |(_, other)| (*edge, *other))
    });
    let mut pairs = pairs;
    n >= 3 && doubled_area(polygon) != 0.0 && !pairs.any(|(edge, other)| meets(edge, other))
}
