//! Corner points, edges and rings of faces.

use std::collections::HashMap;

use ironlands_assets_source::bsp::{Edge, Primitive};

use super::polygon::Polygon;
use crate::vector::{Vec3, cross, dot, length, sub};

/// Corner points that round to the same 64th of a unit are one.
const STEPS_PER_UNIT: f64 = 64.0;

/// Lumps 3, 12, 13, and of the triangulation 37 and 39.
#[derive(Debug)]
pub struct RingTable {
    /// Corner points.
    pub vertices: Vec<[f32; 3]>,
    /// Edges; the first is a dummy.
    pub edges: Vec<Edge>,
    /// Rings.
    pub surfedges: Vec<i32>,
    /// Triangulations.
    pub primitives: Vec<Primitive>,
    /// Corners of triangles, relative to their ring.
    pub primitive_indices: Vec<u32>,
    known_vertices: HashMap<[i64; 3], u32>,
    /// Edges that one face uses, by its direction, and that another may use backward.
    half_used: HashMap<(u32, u32), i32>,
}

impl Default for RingTable {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            edges: vec![Edge::default()],
            surfedges: Vec::new(),
            primitives: Vec::new(),
            primitive_indices: Vec::new(),
            known_vertices: HashMap::new(),
            half_used: HashMap::new(),
        }
    }
}

impl RingTable {
    /// The ring of a polygon, clockwise as the format has it: first surfedge and number.
    pub fn ring(&mut self, polygon: &Polygon) -> (i32, i32) {
        let mut corners: Vec<u32> = polygon
            .corners
            .iter()
            .rev()
            .map(|corner| self.vertex(*corner))
            .collect();
        corners.dedup();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        let first = self.surfedges.len() as i32;
        for i in 0..corners.len() {
            let edge = self.edge(corners[i], corners[(i + 1) % corners.len()]);
            self.surfedges.push(edge);
        }
        (first, corners.len() as i32)
    }

    /// From now on, edges are not shared with rings before.
    pub fn forget_edges(&mut self) {
        self.half_used.clear();
    }

    fn vertex(&mut self, corner: Vec3) -> u32 {
        let key = corner.map(|c| (c * STEPS_PER_UNIT + 0.5).floor() as i64);
        let vertices = &mut self.vertices;
        *self.known_vertices.entry(key).or_insert_with(|| {
            vertices.push(corner.map(|c| c as f32 + 0.0));
            (vertices.len() - 1) as u32
        })
    }

    fn edge(&mut self, from: u32, to: u32) -> i32 {
        if let Some(edge) = self.half_used.remove(&(to, from)) {
            return -edge;
        }
        let edge = self.edges.len() as i32;
        self.edges.push(Edge {
            vertices: [from, to],
        });
        self.half_used.insert((from, to), edge);
        edge
    }

    /// First primitive and number of them for a ring of which a fan would have triangles without area.
    pub fn triangulation(&mut self, first_edge: i32, n_edges: i32) -> (u32, u32) {
        let ring: Vec<Vec3> = (first_edge..first_edge + n_edges)
            .map(|at| {
                let surfedge = self.surfedges[at as usize];
                let edge = self.edges[surfedge.unsigned_abs() as usize];
                let vertex = edge.vertices[usize::from(surfedge < 0)];
                self.vertices[vertex as usize].map(f64::from)
            })
            .collect();
        let fan_is_sound =
            (1..ring.len() - 1).all(|i| shape([ring[0], ring[i], ring[i + 1]]) > 0.002);
        if fan_is_sound {
            return (0, 0);
        }
        let first_index = self.primitive_indices.len() as u32;
        self.primitive_indices
            .extend(ears(&ring).into_iter().flatten());
        self.primitives.push(Primitive {
            first_index,
            n_indices: self.primitive_indices.len() as u32 - first_index,
            ..Primitive::default()
        });
        ((self.primitives.len() - 1) as u32, 1)
    }
}

/// Twice the area of a triangle over the square of its longest side: 0 for none.
fn shape([a, b, c]: [Vec3; 3]) -> f64 {
    let longest = [sub(b, a), sub(c, b), sub(a, c)]
        .map(|edge| dot(edge, edge))
        .into_iter()
        .fold(1e-9, f64::max);
    length(cross(sub(b, a), sub(c, a))) / longest
}

/// Triangles of a convex ring that may have straight corners; each cuts off the ear that is best shaped and leaves a
/// rest with an area.
fn ears(ring: &[Vec3]) -> Vec<[u32; 3]> {
    let mut rest: Vec<usize> = (0..ring.len()).collect();
    let mut triangles = Vec::new();
    while rest.len() > 3 {
        let n = rest.len();
        let quality = |at: usize| {
            let ear = [rest[(at + n - 1) % n], rest[at], rest[(at + 1) % n]];
            let left = (1..n).map(|k| rest[(at + k) % n]);
            let polygon = Polygon {
                corners: left.map(|corner| ring[corner]).collect(),
            };
            let is_sound = polygon.area() > 0.01;
            let quality = shape(ear.map(|corner| ring[corner]));
            if is_sound { quality } else { -1.0 }
        };
        let mut best = 0;
        let mut most = quality(0);
        for at in 1..n {
            let this = quality(at);
            if this > most {
                (best, most) = (at, this);
            }
        }
        let ear = [rest[(best + n - 1) % n], rest[best], rest[(best + 1) % n]];
        triangles.push(ear.map(|corner| corner as u32));
        rest.remove(best);
    }
    triangles.push([rest[0], rest[1], rest[2]].map(|corner| corner as u32));
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_corners_get_triangles_with_area() {
        let ring = [
            [0.0, 0.0, 0.0],
            [0.0, 4.0, 0.0],
            [1.0, 4.0, 0.0],
            [2.0, 4.0, 0.0],
            [4.0, 4.0, 0.0],
            [4.0, 0.0, 0.0],
            [3.0, 0.0, 0.0],
        ];
        let triangles = ears(&ring);
        let areas: Vec<f64> = triangles
            .iter()
            .map(|t| {
                let corners = t.map(|i| ring[i as usize]).to_vec();
                Polygon { corners }.area()
            })
            .collect();
        assert_eq!(areas.len(), 5);
        assert_eq!(areas.iter().sum::<f64>(), 16.0);
        assert!(areas.iter().all(|area| *area > 0.4), "{areas:?}");
    }

    #[test]
    fn neighbors_share_an_edge_in_opposite_directions() {
        let square = |x: f64| Polygon {
            corners: vec![
                [x, 0.0, 0.0],
                [x + 1.0, 0.0, 0.0],
                [x + 1.0, 1.0, 0.0],
                [x, 1.0, 0.0],
            ],
        };
        let mut rings = RingTable::default();
        assert_eq!(rings.ring(&square(0.0)), (0, 4));
        assert_eq!(rings.ring(&square(1.0)), (4, 4));
        assert_eq!((rings.vertices.len(), rings.edges.len()), (6, 8));
        assert_eq!(rings.surfedges.iter().filter(|edge| **edge < 0).count(), 1);
    }
}
