//! Corners and edges of brushes, and the planes that shape casts of boxes need around turned ones.

use glam::DVec3;

/// Half the size of the polygon that others are cut from: beyond any map.
const REACH: f64 = 262_144.0;
/// How far a corner may be in front of a plane that is said to touch a body, and planes apart that count as one.
const TOUCH: f64 = 0.01;
/// Smallest sine of the angle between an edge and an axis for which they make a plane.
const LEAST_SINE: f64 = 1e-3;
/// Most sides of a brush around which edges are looked for: what the field's compilers allow.
const MOST_SIDES: usize = 128;

/// `dot(normal, p) <= dist` inside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HalfSpace {
    pub normal: DVec3,
    pub dist: f64,
}

impl HalfSpace {
    fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.dist
    }
}

/// The polygon of one side of a convex body, counter-clockwise seen from outside; empty if the others leave nothing.
pub(super) fn side_polygon(sides: &[HalfSpace], side_idx: usize) -> Vec<DVec3> {
    let Some(&HalfSpace { normal, dist }) = sides.get(side_idx) else {
        return Vec::new();
    };
    let u = normal.any_orthonormal_vector() * REACH;
    let v = normal.cross(u);
    let middle = normal * dist;
    let mut polygon = vec![
        middle - u - v,
        middle + u - v,
        middle + u + v,
        middle - u + v,
    ];
    for (i, side) in sides.iter().enumerate() {
        if i != side_idx {
            polygon = cut(&polygon, side);
        }
    }
    polygon
}

/// The edges of a polygon: where each begins and ends.
fn edges(polygon: &[DVec3]) -> impl Iterator<Item = (DVec3, DVec3)> {
    let ends = polygon.iter().cycle().skip(1);
    polygon.iter().copied().zip(ends.copied())
}

/// What is left of a polygon behind a plane.
fn cut(polygon: &[DVec3], plane: &HalfSpace) -> Vec<DVec3> {
    let mut left = Vec::with_capacity(polygon.len().saturating_add(1));
    for (a, b) in edges(polygon) {
        let (d_a, d_b) = (plane.distance(a), plane.distance(b));
        if d_a <= 0.0 {
            left.push(a);
        }
        if (d_a < 0.0 && d_b > 0.0) || (d_a > 0.0 && d_b < 0.0) {
            left.push(a + (b - a) * (d_a / (d_a - d_b)));
        }
    }
    left
}

/// The planes that touch a convex body and that shape casts of boxes need besides its sides: those across the axes, and
/// those along an edge and an axis. With them the shape cast is exact however the body is turned.
pub(super) fn bevels(sides: &[HalfSpace]) -> Vec<HalfSpace> {
    if sides.len() > MOST_SIDES {
        return Vec::new();
    }
    let polygons: Vec<_> = (0..sides.len()).map(|i| side_polygon(sides, i)).collect();
    let corners: Vec<DVec3> = polygons.iter().flatten().copied().collect();
    if corners.is_empty() {
        return Vec::new();
    }
    let farthest = |normal: DVec3| {
        let along = corners.iter().map(|corner| normal.dot(*corner));
        along.fold(f64::NEG_INFINITY, f64::max)
    };
    let mut bevels: Vec<HalfSpace> = Vec::new();
    let mut add = |normal: DVec3, dist: f64| {
        let is_known = |known: &HalfSpace| {
            known.normal.dot(normal) > 1.0 - 1e-9 && (known.dist - dist).abs() < TOUCH
        };
        if !sides.iter().chain(&bevels).any(is_known) {
            bevels.push(HalfSpace { normal, dist });
        }
    };
    for axis in DVec3::AXES {
        for normal in [axis, -axis] {
            add(normal, farthest(normal));
        }
    }
    for polygon in &polygons {
        for (a, b) in edges(polygon) {
            let along = (b - a).normalize_or_zero();
            for axis in DVec3::AXES {
                let across = along.cross(axis);
                if across.length() < LEAST_SINE {
                    continue;
                }
                for normal in [across.normalize(), -across.normalize()] {
                    let dist = normal.dot(a);
                    if farthest(normal) <= dist + TOUCH {
                        add(normal, farthest(normal));
                    }
                }
            }
        }
    }
    bevels
}
