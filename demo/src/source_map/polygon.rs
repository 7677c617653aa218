//! Convex polygons in a plane, counter-clockwise seen from the front of their plane, and convex cells.

use crate::vector::{
    Plane, Vec3, add, add_scaled, bounds, cross, dot, length, normalized, scale, sub,
};

/// A point closer to a plane than this lies on it.
pub const ON_EPSILON: f64 = 0.01;
/// Polygons with less area, in units², are slivers of rounding.
const MIN_AREA: f64 = 0.05;
/// Half the side of the polygon that stands for a whole plane; larger than any map.
const PLANE_HALF_SIDE: f64 = 65_536.0;

/// A convex polygon.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Polygon {
    /// Corners, counter-clockwise from the front.
    pub corners: Vec<Vec3>,
}

/// What a plane leaves of a polygon.
#[derive(Debug, Clone, PartialEq)]
pub enum Split {
    /// All in front.
    Front,
    /// All behind.
    Back,
    /// In the plane.
    On,
    /// Front and back part.
    Both(Polygon, Polygon),
}

impl Polygon {
    /// A polygon as large as the world.
    pub fn from_plane(plane: &Plane) -> Self {
        let up = if plane.main_axis() == 2 {
            [1.0, 0.0, 0.0]
        } else {
            [0.0, 0.0, 1.0]
        };
        let v = normalized(add_scaled(up, plane.normal, -dot(up, plane.normal)));
        let u = cross(v, plane.normal);
        let origin = scale(plane.normal, plane.dist);
        let corner = |a: f64, b: f64| {
            add_scaled(
                add_scaled(origin, u, a * PLANE_HALF_SIDE),
                v,
                b * PLANE_HALF_SIDE,
            )
        };
        Self {
            corners: vec![
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ],
        }
    }

    /// Cuts along a plane.
    pub fn split(&self, plane: &Plane) -> Split {
        self.split_with(plane, ON_EPSILON)
    }

    /// As [`Self::split`], with another thickness of the plane.
    pub fn split_with(&self, plane: &Plane, epsilon: f64) -> Split {
        let distances: Vec<f64> = self.corners.iter().map(|p| plane.distance(*p)).collect();
        let is_front = distances.iter().any(|d| *d > epsilon);
        let is_back = distances.iter().any(|d| *d < -epsilon);
        match (is_front, is_back) {
            (false, false) => Split::On,
            (true, false) => Split::Front,
            (false, true) => Split::Back,
            (true, true) => {
                let (front, back) = self.cut(plane, &distances, epsilon);
                Split::Both(front, back)
            }
        }
    }

    fn cut(&self, plane: &Plane, distances: &[f64], epsilon: f64) -> (Self, Self) {
        let (mut front, mut back) = (Vec::new(), Vec::new());
        let n = self.corners.len();
        for i in 0..n {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % n]);
            let (da, db) = (distances[i], distances[(i + 1) % n]);
            if da.abs() <= epsilon {
                front.push(a);
                back.push(a);
                continue;
            }
            if da > 0.0 {
                front.push(a);
            } else {
                back.push(a);
            }
            if db.abs() > epsilon && (da > 0.0) != (db > 0.0) {
                let middle = crossing(plane, a, b, da, db);
                front.push(middle);
                back.push(middle);
            }
        }
        (Self { corners: front }, Self { corners: back })
    }

    /// What lies behind the plane; nothing if that is no more than a sliver.
    pub fn behind(self, plane: &Plane) -> Option<Self> {
        match self.split(plane) {
            Split::Back => Some(self),
            Split::Front | Split::On => None,
            Split::Both(_, back) => Some(back).filter(|part| !part.is_sliver()),
        }
    }

    /// Whether it covers next to nothing.
    pub fn is_sliver(&self) -> bool {
        self.corners.len() < 3 || self.area() < MIN_AREA
    }

    /// Area in units².
    pub fn area(&self) -> f64 {
        length(self.area_vector()) / 2.0
    }

    /// Along the normal, twice the area long.
    fn area_vector(&self) -> Vec3 {
        let Some(first) = self.corners.first() else {
            return [0.0; 3];
        };
        self.corners.windows(2).fold([0.0; 3], |sum, pair| {
            add(sum, cross(sub(pair[0], *first), sub(pair[1], *first)))
        })
    }

    /// Mean of the corners.
    pub fn middle(&self) -> Vec3 {
        let sum = self.corners.iter().fold([0.0; 3], |sum, p| add(sum, *p));
        scale(sum, 1.0 / self.corners.len() as f64)
    }

    /// Smallest and largest corner of its box.
    pub fn bounds(&self) -> [Vec3; 2] {
        bounds(self.corners.iter().copied())
    }

    /// Seen from behind.
    pub fn reversed(&self) -> Self {
        let mut corners = self.corners.clone();
        corners.reverse();
        Self { corners }
    }

    /// Planes through its edges, upright on it, with the inside behind them.
    pub fn edge_planes(&self, normal: Vec3) -> Vec<Plane> {
        let n = self.corners.len();
        (0..n)
            .map(|i| {
                let (a, b) = (self.corners[i], self.corners[(i + 1) % n]);
                Plane::through(cross(sub(b, a), normal), a)
            })
            .collect()
    }
}

/// Where an edge meets a plane; on an axial plane exactly.
fn crossing(plane: &Plane, a: Vec3, b: Vec3, da: f64, db: f64) -> Vec3 {
    let t = da / (da - db);
    [0, 1, 2].map(|k| {
        if plane.normal[k] == 1.0 {
            plane.dist
        } else if plane.normal[k] == -1.0 {
            -plane.dist
        } else {
            a[k] + (b[k] - a[k]) * t
        }
    })
}

/// A convex piece of space between planes that point out of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Sides: plane and polygon.
    pub sides: Vec<(Plane, Polygon)>,
}

impl Cell {
    /// What lies behind all of `planes`; `None` if that is nothing.
    pub fn behind(planes: &[Plane]) -> Option<Self> {
        let sides: Vec<(Plane, Polygon)> = planes
            .iter()
            .enumerate()
            .filter_map(|(i, plane)| {
                let mut others = planes.iter().enumerate().filter(|(j, _)| *j != i);
                let polygon = others
                    .try_fold(Polygon::from_plane(plane), |polygon, (_, other)| {
                        polygon.behind(other)
                    })?;
                Some((*plane, polygon))
            })
            .collect();
        (sides.len() >= 4).then_some(Self { sides })
    }

    /// A box.
    pub fn from_box([low, high]: [Vec3; 2]) -> Self {
        let planes: Vec<Plane> = box_planes([low, high]).to_vec();
        Self::behind(&planes).expect("the box has an inside")
    }

    /// The part of a plane that lies inside.
    pub fn section(&self, plane: &Plane) -> Option<Polygon> {
        self.sides
            .iter()
            .try_fold(Polygon::from_plane(plane), |polygon, (side, _)| {
                polygon.behind(side)
            })
    }

    /// Cuts along a plane: front part, back part and the polygon between them. `None` if it misses the inside.
    pub fn split(&self, plane: &Plane) -> Option<(Self, Self, Polygon)> {
        let section = self.section(plane)?;
        let (mut front, mut back) = (Vec::new(), Vec::new());
        for (side, polygon) in &self.sides {
            match polygon.split(plane) {
                Split::Front => front.push((*side, polygon.clone())),
                Split::Back => back.push((*side, polygon.clone())),
                Split::On => {}
                Split::Both(f, b) => {
                    front.extend((!f.is_sliver()).then_some((*side, f)));
                    back.extend((!b.is_sliver()).then_some((*side, b)));
                }
            }
        }
        if front.len() < 3 || back.len() < 3 {
            return None;
        }
        front.push((plane.flipped(), section.reversed()));
        back.push((*plane, section.clone()));
        Some((Self { sides: front }, Self { sides: back }, section))
    }

    /// Smallest and largest corner of its box.
    pub fn bounds(&self) -> [Vec3; 2] {
        bounds(self.corners())
    }

    /// A point inside.
    pub fn middle(&self) -> Vec3 {
        let (sum, n) = self
            .corners()
            .fold(([0.0; 3], 0.0), |(sum, n), p| (add(sum, p), n + 1.0));
        scale(sum, 1.0 / n)
    }

    /// Corners of all sides, most of them several times.
    pub fn corners(&self) -> impl Iterator<Item = Vec3> {
        self.sides
            .iter()
            .flat_map(|(_, polygon)| polygon.corners.iter().copied())
    }
}

/// The planes of a box: -X, +X, -Y, +Y, -Z, +Z, outward.
pub fn box_planes([low, high]: [Vec3; 2]) -> [Plane; 6] {
    let plane = |axis: usize, sign: f64, at: f64| {
        let mut normal = [0.0; 3];
        normal[axis] = sign;
        Plane {
            normal,
            dist: sign * at,
        }
    };
    [
        plane(0, -1.0, low[0]),
        plane(0, 1.0, high[0]),
        plane(1, -1.0, low[1]),
        plane(1, 1.0, high[1]),
        plane(2, -1.0, low[2]),
        plane(2, 1.0, high[2]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygon_of_a_plane_turns_counter_clockwise() {
        for normal in [
            [1.0, 0.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
            [0.48, 0.6, 0.64],
        ] {
            let plane = Plane { normal, dist: 5.0 };
            let polygon = Polygon::from_plane(&plane);
            let along = dot(polygon.area_vector(), normal);
            assert!(along > 0.0, "{normal:?}");
            assert!(
                polygon
                    .corners
                    .iter()
                    .all(|p| plane.distance(*p).abs() < 1e-6)
            );
        }
    }

    #[test]
    fn halves_of_a_box_have_the_same_surface_as_the_box_and_the_cut_twice() {
        let cell = Cell::from_box([[0.0; 3], [64.0, 32.0, 16.0]]);
        let plane = Plane::through([1.0, 1.0, 1.0], [20.0, 10.0, 8.0]);
        let (front, back, section) = cell.split(&plane).unwrap();
        let surface = |cell: &Cell| cell.sides.iter().map(|(_, p)| p.area()).sum::<f64>();
        let expected = surface(&cell) + 2.0 * section.area();
        assert!((surface(&front) + surface(&back) - expected).abs() < 1e-6);
        assert!(plane.distance(front.middle()) > 0.0 && plane.distance(back.middle()) < 0.0);
    }
}
