//! The polygons of the sides of a brush. Dossier section 12.2.

use glam::DVec3;

use crate::bsp::{BrushSide, Map, Plane};

/// Half the side of the square that each polygon is cut from: larger than any map.
const HALF_SIZE: f64 = 262_144.0;
/// Points so near to a plane lie on it, in units.
const ON_PLANE: f64 = 0.01;
/// Polygons of less area, in units², are leftovers of rounding.
const MIN_AREA: f64 = 1e-3;

/// What a side contributes to the surface of its brush.
#[derive(Debug, Clone, PartialEq)]
pub struct SidePolygon {
    /// Index of the side in [`Map::brush_sides`].
    pub side: usize,
    /// Corners in model axes, counter-clockwise seen from outside.
    pub points: Vec<[f64; 3]>,
}

/// The polygons of all sides of a brush that are no bevels, in the order of the sides. Sides that have vanished are left
/// out; so all polygons together close the brush, and fewer than four are no brush.
pub fn side_polygons(map: &Map, brush: usize) -> Vec<SidePolygon> {
    let sides = outer_sides(map, brush);
    let polygon = |(index, (side, plane)): (usize, &(usize, Plane))| {
        let points = side_polygon(&sides, index, plane)?;
        let points = points.into_iter().map(|point| point.to_array()).collect();
        Some(SidePolygon {
            side: *side,
            points,
        })
    };
    sides.iter().enumerate().filter_map(polygon).collect()
}

/// Whether a point is inside of a brush, or at most `slack` units outside of its planes.
pub(super) fn is_inside(map: &Map, brush: usize, point: DVec3, slack: f64) -> bool {
    let sides = outer_sides(map, brush);
    sides
        .iter()
        .all(|(_, plane)| distance(plane, point) <= slack)
}

/// The average of some corners.
#[expect(clippy::arithmetic_side_effects, reason = "corners in memory")]
pub(super) fn middle(corners: impl Iterator<Item = [f32; 3]>) -> Option<DVec3> {
    let (sum, n) = corners.fold((DVec3::ZERO, 0), |(sum, n), corner| {
        (sum + glam::Vec3::from(corner).as_dvec3(), n + 1)
    });
    (n > 0).then(|| sum / f64::from(n))
}

/// Twice the area of a polygon, along its normal by the right hand.
pub(super) fn doubled_area(points: &[DVec3]) -> DVec3 {
    let Some((first, rest)) = points.split_first() else {
        return DVec3::ZERO;
    };
    let pairs = rest.iter().zip(rest.iter().skip(1));
    pairs.map(|(a, b)| (a - first).cross(b - first)).sum()
}

/// The sides that are no bevels, with their planes.
fn outer_sides(map: &Map, brush: usize) -> Vec<(usize, Plane)> {
    let Some(brush) = map.brushes.get(brush) else {
        return Vec::new();
    };
    let first = usize::try_from(brush.first_side).unwrap_or(usize::MAX);
    let n_sides = usize::try_from(brush.n_sides).unwrap_or(0);
    let sides = map.brush_sides.iter().enumerate().skip(first).take(n_sides);
    let sides = sides.filter(|(_, side)| side.bevel == 0);
    let plane = |side: &BrushSide| map.planes.get(side.plane as usize).copied();
    sides
        .filter_map(|(index, side)| Some((index, plane(side)?)))
        .collect()
}

fn side_polygon(sides: &[(usize, Plane)], index: usize, plane: &Plane) -> Option<Vec<DVec3>> {
    let mut points = square(plane)?;
    for (other_index, (_, other)) in sides.iter().enumerate() {
        if other_index == index {
            continue;
        }
        points = match clip(&points, other) {
            Clipped::To(points) => points,
            Clipped::Away => return None,
            // Of two sides on one plane the first is the side.
            Clipped::OnPlane if normal(plane).dot(normal(other)) > 0.0 && index < other_index => {
                points
            }
            Clipped::OnPlane => return None,
        };
    }
    let area = doubled_area(&points).length() / 2.0;
    (points.len() >= 3 && area >= MIN_AREA).then_some(points)
}

/// A large square on a plane, counter-clockwise seen from its front; `None` if the plane has no direction.
fn square(plane: &Plane) -> Option<Vec<DVec3>> {
    let length = normal(plane).length();
    let normal = normal(plane).try_normalize()?;
    let (u, v) = normal.any_orthonormal_pair();
    let (u, v) = (u * HALF_SIZE, v * HALF_SIZE);
    let middle = normal * (f64::from(plane.dist) / length);
    // `u`, `v` and the normal are right-handed.
    Some(
        [-u - v, u - v, u + v, v - u]
            .map(|corner| middle + corner)
            .to_vec(),
    )
}

enum Clipped {
    /// What is left.
    To(Vec<DVec3>),
    /// Nothing is left.
    Away,
    /// The polygon lies on the plane.
    OnPlane,
}

/// Cuts off what lies in front of a plane.
#[expect(clippy::arithmetic_side_effects, reason = "corners in memory")]
fn clip(points: &[DVec3], plane: &Plane) -> Clipped {
    let distances: Vec<f64> = points.iter().map(|point| distance(plane, *point)).collect();
    let is_any_behind = distances.iter().any(|d| *d < -ON_PLANE);
    let is_any_in_front = distances.iter().any(|d| *d > ON_PLANE);
    match (is_any_behind, is_any_in_front) {
        (true, false) => return Clipped::To(points.to_vec()),
        (false, true) => return Clipped::Away,
        (false, false) => return Clipped::OnPlane,
        (true, true) => {}
    }
    let mut kept = Vec::with_capacity(points.len() + 1);
    let corners = points.iter().zip(&distances);
    for ((a, d_a), (b, d_b)) in corners.clone().zip(corners.cycle().skip(1)) {
        if *d_a <= ON_PLANE {
            kept.push(*a);
        }
        let crosses = *d_a > ON_PLANE && *d_b < -ON_PLANE || *d_a < -ON_PLANE && *d_b > ON_PLANE;
        if crosses {
            kept.push(a.lerp(*b, d_a / (d_a - d_b)));
        }
    }
    Clipped::To(kept)
}

fn normal(plane: &Plane) -> DVec3 {
    glam::Vec3::from(plane.normal).as_dvec3()
}

fn distance(plane: &Plane, point: DVec3) -> f64 {
    normal(plane).dot(point) - f64::from(plane.dist)
}
