//! What the index promises, by loops over all faces: the definitions written plainly in f64, each with the numbers in
//! the same order as the index has them, so that results must be equal to the bit.

use crate::soup::Soup;
use glam::{DVec3, Vec3};
use ironlands_sim_core::MaskFilter;

/// A face and where it is hit, as an index would return it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Met {
    pub face: u32,
    pub at: f32,
}

/// The least of what is hit, of equal ones the lowest face; for the greatest the sign is turned.
fn best(met: impl Iterator<Item = Met>, sign: f32) -> Option<Met> {
    met.min_by(|a, b| {
        let by_place = (sign * a.at).partial_cmp(&(sign * b.at));
        by_place.expect("no NaN").then(a.face.cmp(&b.face))
    })
}

/// The weights of three corners at the origin of the plane, which the corners surround or touch.
fn weights([a, b, c]: [[f64; 2]; 3]) -> Option<[f64; 3]> {
    let cross = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
    let weights = [cross(c, b), cross(a, c), cross(b, a)];
    let sum = weights[0] + weights[1] + weights[2];
    let is_around = weights.iter().all(|w| *w >= 0.0) || weights.iter().all(|w| *w <= 0.0);
    (is_around && sum != 0.0).then(|| weights.map(|w| w / sum))
}

/// Where a line from `origin` crosses a face, in lengths of its direction: corners are moved along the line into one
/// plane across the axis that it follows most.
fn crossing(corners: [DVec3; 3], origin: DVec3, direction: DVec3) -> Option<f64> {
    let [x, y, z] = direction.abs().to_array();
    let major = if z >= x && z >= y {
        2
    } else {
        usize::from(y > x)
    };
    let mut across = [(major + 1) % 3, (major + 2) % 3];
    if direction[major] < 0.0 {
        across.reverse();
    }
    let per_unit = 1.0 / direction[major];
    let relative = corners.map(|corner| corner - origin);
    let moved =
        relative.map(|v| across.map(|axis| v[axis] - direction[axis] * per_unit * v[major]));
    let weights = weights(moved)?;
    let sum = |v: [f64; 3]| weights[0] * v[0] + weights[1] * v[1] + weights[2] * v[2];
    let depths = relative.map(|v| v[major]);
    let [across_x, across_y] = [0, 1].map(|axis| moved.map(|v| v[axis]));
    let size = |v: [f64; 3]| v.iter().map(|v| v.abs()).sum::<f64>();
    let all = size(depths) + size(across_x) + size(across_y);
    let deviation = sum(across_x).abs() + sum(across_y).abs();
    if deviation > all * 2.0_f64.powi(-28) {
        let is_x = extent(across_x) > extent(across_y);
        return over_an_edge(if is_x { across_x } else { across_y }, depths, per_unit);
    }
    Some(sum(depths) * per_unit)
}

fn extent([a, b, c]: [f64; 3]) -> f64 {
    a.max(b).max(c) - a.min(b).min(c)
}

/// Where a line reaches a face edge on: over the first edge before the origin, else over the farthest
/// behind it. `across` is the place of the corners across the line.
fn over_an_edge(across: [f64; 3], depths: [f64; 3], per_unit: f64) -> Option<f64> {
    let edges = [(0, 1), (1, 2), (2, 0)].into_iter();
    let met = edges.filter(|&(p, q)| (across[p] <= 0.0) != (across[q] <= 0.0));
    let places = met.map(|(p, q)| {
        let part = across[p] / (across[p] - across[q]);
        ((1.0 - part) * depths[p] + part * depths[q]) * per_unit
    });
    let (behind, before): (Vec<f64>, Vec<f64>) = places.partition(|t| *t < 0.0);
    before
        .into_iter()
        .reduce(f64::min)
        .or(behind.into_iter().reduce(f64::min))
}

impl Soup {
    fn has_area(&self, face: usize) -> bool {
        let [a, b, c] = self.corners(face);
        (b - a).cross(c - a) != DVec3::ZERO
    }

    /// All that a line of `0.0..=t_max` crosses.
    fn crossed(
        &self,
        origin: DVec3,
        direction: DVec3,
        t_max: f32,
        filter: MaskFilter,
    ) -> impl Iterator<Item = Met> {
        let faces = self.accepted(filter);
        faces.filter_map(move |face| {
            let at = crossing(self.corners(face), origin, direction)? as f32;
            let counts = (0.0..=t_max.min(f32::MAX)).contains(&at) && self.has_area(face);
            let face = face as u32;
            counts.then_some(Met { face, at })
        })
    }

    pub fn plain_ray(
        &self,
        origin: Vec3,
        direction: Vec3,
        t_max: f32,
        filter: MaskFilter,
    ) -> Option<Met> {
        let (origin, direction) = (origin.as_dvec3(), direction.as_dvec3());
        best(self.crossed(origin, direction, t_max, filter), 1.0)
    }

    pub fn plain_segment(&self, [a, b]: [Vec3; 2], filter: MaskFilter) -> bool {
        let (a, b) = (a.as_dvec3(), b.as_dvec3());
        a != b && self.crossed(a, b - a, 1.0, filter).next().is_some()
    }

    /// Heights of all faces over a point.
    fn heights(&self, x: f32, y: f32, filter: MaskFilter) -> impl Iterator<Item = Met> {
        let (x, y) = (f64::from(x), f64::from(y));
        self.accepted(filter).filter_map(move |face| {
            let corners = self.corners(face);
            let [a, b, c] = corners;
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            // A face is over no point beside its bounds, whatever rounding makes of one far away.
            if low.x > x || high.x < x || low.y > y || high.y < y {
                return None;
            }
            let [u, v, w] = weights(corners.map(|c| [c.x - x, c.y - y]))?;
            let at = (u * corners[0].z + v * corners[1].z + w * corners[2].z) as f32;
            let face = face as u32;
            self.has_area(face as usize).then_some(Met { face, at })
        })
    }

    pub fn plain_height(&self, x: f32, y: f32, filter: MaskFilter) -> Option<Met> {
        best(self.heights(x, y, filter), -1.0)
    }

    pub fn plain_floor(&self, [x, y, z]: [f32; 3], filter: MaskFilter) -> Option<Met> {
        best(self.heights(x, y, filter).filter(|met| met.at <= z), -1.0)
    }

    pub fn plain_ceiling(&self, [x, y, z]: [f32; 3], filter: MaskFilter) -> Option<Met> {
        best(self.heights(x, y, filter).filter(|met| met.at >= z), 1.0)
    }

    /// Faces whose bounds meet a box, ascending.
    pub fn plain_box(&self, [low, high]: [Vec3; 2], filter: MaskFilter) -> Vec<u32> {
        let faces = self.accepted(filter).filter(|&face| {
            let [a, b, c] =
                self.triangles[face].map(|v| Vec3::from_array(self.positions[v as usize]));
            a.min(b).min(c).cmple(high).all() && a.max(b).max(c).cmpge(low).all()
        });
        faces.map(|face| face as u32).collect()
    }

    /// Whether this is, as far as f32 can say, how far the nearest face is from a point.
    pub fn is_distance(&self, point: Vec3, found: Option<f32>) -> bool {
        let (low, high) = self.bounds();
        let farthest = low.abs().max(high.abs()).max(point.abs()).max_element();
        let point = point.as_dvec3();
        let distances = (0..self.triangles.len()).map(|face| distance(self.corners(face), point));
        let Some(least) = distances.reduce(f64::min).filter(|_| point.is_finite()) else {
            return found.is_none();
        };
        let doubt = least * f64::from(f32::EPSILON) + f64::from(farthest) * 1e-12 + 1e-45;
        match found {
            Some(found) => (f64::from(found) - least).abs() <= doubt,
            None => least + doubt > f64::from(f32::MAX),
        }
    }
}

/// To the nearest of the segments across the face that run from one side to another: a convex function, whose least
/// value is searched for by thirds.
fn distance([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    let to_segment = |s: f64| {
        let (p, q) = (a.lerp(b, s), a.lerp(c, s));
        let way = q - p;
        let along = (point - p).dot(way) / way.length_squared();
        let along = if along.is_nan() { 0.0 } else { along };
        (p + along.clamp(0.0, 1.0) * way).distance(point)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..90 {
        let third = (high - low) / 3.0;
        if to_segment(low + third) <= to_segment(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    to_segment(low).min(to_segment(0.0)).min(to_segment(1.0))
}
