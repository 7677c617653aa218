//! Displacements: a quad whose grid points are moved, with two textures.

use ironlands_assets_source::bsp::{DispInfo, DispVert, SubNeighbor};

use super::brushes::{MaterialIdx, flags};
use super::polygon::Polygon;
use super::texinfos::LuxelGrid;
use crate::vector::{Vec3, add, add_scaled, bounds, cross, length, lerp, normalized, sub};

/// A displacement.
#[derive(Debug, Clone)]
pub struct Displacement {
    /// Corners of its flat quad, clockwise seen from the front.
    pub corners: [Vec3; 4],
    /// `2^power + 1` points a side.
    pub power: u32,
    /// What covers it.
    pub material: MaterialIdx,
    /// Where points stand above the quad, row by row.
    pub offsets: Vec<Vec3>,
    /// Weight of the blend texture at each point, 0 to 1.
    pub weights: Vec<f64>,
}

impl Displacement {
    /// Moves the points of a quad by what `shape` says of their flat place: offset, and weight of the blend texture.
    pub fn new(
        corners: [Vec3; 4],
        power: u32,
        material: MaterialIdx,
        shape: impl Fn(Vec3) -> (Vec3, f64),
    ) -> Self {
        let mut it = Self {
            corners,
            power,
            material,
            offsets: Vec::new(),
            weights: Vec::new(),
        };
        for at in 0..it.side() * it.side() {
            let (offset, weight) = shape(it.flat(at));
            it.offsets.push(offset);
            it.weights.push(weight);
        }
        it
    }

    /// Points along a side.
    pub fn side(&self) -> usize {
        (1 << self.power) + 1
    }

    fn flat(&self, at: usize) -> Vec3 {
        let last = (self.side() - 1) as f64;
        let row = (at / self.side()) as f64 / last;
        let column = (at % self.side()) as f64 / last;
        self.flat_at(row, column)
    }

    fn flat_at(&self, row: f64, column: f64) -> Vec3 {
        let [c0, c1, c2, c3] = self.corners;
        lerp(lerp(c0, c1, row), lerp(c3, c2, row), column)
    }

    /// Points in space, row by row.
    pub fn points(&self) -> Vec<Vec3> {
        (0..self.offsets.len())
            .map(|at| add(self.flat(at), self.offsets[at]))
            .collect()
    }

    /// Triangles, clockwise seen from the front (section 5.5).
    pub fn triangles(&self) -> Vec<[usize; 3]> {
        let n = self.side();
        let mut triangles = Vec::new();
        for row in 0..n - 1 {
            for column in 0..n - 1 {
                let v = row * n + column;
                if v % 2 == 1 {
                    triangles.extend([[v, v + n, v + 1], [v + 1, v + n, v + n + 1]]);
                } else {
                    triangles.extend([[v, v + n, v + n + 1], [v, v + n + 1, v + 1]]);
                }
            }
        }
        triangles
    }

    /// Unit normals of the points.
    pub fn normals(&self) -> Vec<Vec3> {
        let points = self.points();
        let mut normals = vec![[0.0; 3]; points.len()];
        for [a, b, c] in self.triangles() {
            let normal = cross(sub(points[c], points[a]), sub(points[b], points[a]));
            for at in [a, b, c] {
                normals[at] = add(normals[at], normal);
            }
        }
        normals.into_iter().map(normalized).collect()
    }

    /// Its flat quad, counter-clockwise.
    pub fn polygon(&self) -> Polygon {
        Polygon {
            corners: self.corners.iter().rev().copied().collect(),
        }
    }

    /// Box around its points.
    pub fn bounds(&self) -> [Vec3; 2] {
        bounds(self.points())
    }

    /// The samples of its light (section 5.5); `mins` mean nothing here.
    pub fn luxels(&self, units_per_luxel: f64) -> LuxelGrid {
        let [c0, c1, c2, c3] = self.corners;
        let size = |a: f64, b: f64| ((a.max(b) / units_per_luxel).floor() as i32 + 1).min(125);
        LuxelGrid {
            mins: [0; 2],
            size: [
                size(length(sub(c3, c0)), length(sub(c2, c1))),
                size(length(sub(c1, c0)), length(sub(c2, c3))),
            ],
        }
    }

    /// Place and normal of a sample; row and column run from 0 to 1.
    pub fn sample(&self, points: &[Vec3], normals: &[Vec3], row: f64, column: f64) -> (Vec3, Vec3) {
        let n = self.side();
        let last = (n - 1) as f64;
        let cell = |t: f64| (t * last).floor().min(last - 1.0).max(0.0);
        let (i, j) = (cell(row), cell(column));
        let (fi, fj) = (row * last - i, column * last - j);
        let v = i as usize * n + j as usize;
        let mix = |of: &[Vec3]| {
            lerp(
                lerp(of[v], of[v + n], fi),
                lerp(of[v + 1], of[v + n + 1], fi),
                fj,
            )
        };
        (mix(points), normalized(mix(normals)))
    }

    /// Lump 26's record and lump 33's of its points. It stands alone: no neighbors.
    pub fn records(
        &self,
        map_face: u32,
        first_vert: usize,
        first_tri: usize,
    ) -> (DispInfo, Vec<DispVert>) {
        let none = SubNeighbor {
            disp_info: 0xFFFF,
            ..SubNeighbor::default()
        };
        let n_points = self.offsets.len();
        let mut allowed_verts = [0_u32; 10];
        for at in 0..n_points {
            allowed_verts[at / 32] |= 1 << (at % 32);
        }
        let info = DispInfo {
            start_position: self.corners[0].map(|c| c as f32),
            first_vert: first_vert as i32,
            first_tri: first_tri as i32,
            power: self.power as i32,
            contents: flags::SOLID as i32,
            map_face,
            edge_neighbors: [[none; 2]; 4],
            allowed_verts,
            ..DispInfo::default()
        };
        let vert = |at: usize| {
            let offset = self.offsets[at];
            DispVert {
                vector: normalized(offset).map(|c| c as f32),
                dist: length(offset) as f32,
                alpha: (self.weights[at].clamp(0.0, 1.0) * 255.0) as f32,
            }
        };
        (info, (0..n_points).map(vert).collect())
    }

    /// Tags of its triangles: a surface, and walkable where it is not too steep (section 5.3).
    pub fn tags(&self) -> Vec<u16> {
        let points = self.points();
        self.triangles()
            .into_iter()
            .map(|[a, b, c]| {
                let normal = cross(sub(points[c], points[a]), sub(points[b], points[a]));
                if normalized(normal)[2] >= 0.7 {
                    0b11
                } else {
                    0b01
                }
            })
            .collect()
    }
}

/// `a + b * t`, for shapes of displacements.
pub fn raised(height: f64) -> Vec3 {
    add_scaled([0.0; 3], [0.0, 0.0, 1.0], height)
}
