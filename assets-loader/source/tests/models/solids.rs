//! Polygons of solids by the slow way: each corner is where three planes meet, if it is in front of none.

use glam::DVec3;
use ironlands_assets_source::vmf::{Side, Solid};

/// A corner may be so far in front of a plane: the text rounds coordinates to 0.01 of whole numbers.
const SLACK: f64 = 0.1;

/// A side with its corners in no order.
pub(super) struct Polygon<'a> {
    pub side: &'a Side,
    pub normal: DVec3,
    pub corners: Vec<DVec3>,
}

/// The outward normal and distance of a side, as an editor computes them from the text.
pub(super) fn plane(side: &Side) -> (DVec3, f64) {
    let [a, b, c] = side.plane.map(DVec3::from);
    let normal = (a - b).cross(c - b).normalize();
    (normal, normal.dot(a))
}

/// All sides of a solid.
pub(super) fn polygons(solid: &Solid) -> Vec<Polygon<'_>> {
    let planes: Vec<_> = solid.sides.iter().map(plane).collect();
    let mut corners = vec![Vec::new(); planes.len()];
    for i in 0..planes.len() {
        for j in i + 1..planes.len() {
            for k in j + 1..planes.len() {
                let Some(corner) = meeting([planes[i], planes[j], planes[k]]) else {
                    continue;
                };
                if planes.iter().all(|(n, d)| n.dot(corner) - d <= SLACK) {
                    for side in [i, j, k] {
                        corners[side].push(corner);
                    }
                }
            }
        }
    }
    let sides = solid.sides.iter().zip(planes).zip(corners);
    sides
        .map(|((side, (normal, _)), corners)| Polygon {
            side,
            normal,
            corners,
        })
        .collect()
}

/// Where three planes meet, unless two of them are nearly one.
fn meeting(planes: [(DVec3, f64); 3]) -> Option<DVec3> {
    let [(a, d_a), (b, d_b), (c, d_c)] = planes;
    let volume = a.dot(b.cross(c));
    let sum = b.cross(c) * d_a + c.cross(a) * d_b + a.cross(b) * d_c;
    (volume.abs() > 1e-6).then(|| sum / volume)
}

impl Polygon<'_> {
    /// How far a point is from the polygon: from its plane, or out of its hull in the plane.
    pub fn distance(&self, point: DVec3) -> f64 {
        let Some(first) = self.corners.first() else {
            return f64::INFINITY;
        };
        let off_plane = self.normal.dot(point - first).abs();
        if off_plane > 1.0 {
            return off_plane; // Far enough for all callers.
        }
        let mut outside = off_plane;
        // A line through two corners that has all others on one side is an edge.
        for a in &self.corners {
            for b in &self.corners {
                let Some(along) = (*b - *a).try_normalize().filter(|_| a.distance(*b) > SLACK)
                else {
                    continue;
                };
                let outward = along.cross(self.normal);
                let is_edge = self.corners.iter().all(|c| outward.dot(*c - *a) <= SLACK);
                if is_edge {
                    outside = outside.max(outward.dot(point - *a));
                }
            }
        }
        outside
    }
}
