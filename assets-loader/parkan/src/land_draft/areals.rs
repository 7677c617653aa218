//! Convex polygons to the areal map: linked edge to edge, with the grid that finds them.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "corners of outlines, by their own numbers; axes"
)]

use std::collections::BTreeMap;

use super::areal_grid::cells;
use super::merge::Polygon;
use super::{LandDraftError, to_u16};
use crate::land_map::{Areal, EdgeLink, LandMap};

/// A point of a grid, counted from the south-west corner of the level.
pub type GridPoint = [u16; 2];

/// Cells of the grid in x and in y, as in all retail levels.
const N_CELLS: u32 = 128;
/// The word of an areal that can be walked on.
const WALKABLE: u32 = 1;

/// What becomes the areal map of a level.
pub struct ArealDraft<'a> {
    /// Ground that can be walked on, side by side; edges that they share have the same points.
    pub polygons: &'a [Polygon],
    /// Where a grid point is in the world, on the ground.
    pub position: &'a dyn Fn(GridPoint) -> [f32; 3],
    /// Height of the ground at a place in the world.
    pub height: &'a dyn Fn([f64; 2]) -> f64,
    /// The grid's last point.
    pub last: GridPoint,
}

impl ArealDraft<'_> {
    /// Links the polygons and finds out which cells they touch.
    ///
    /// # Errors
    /// None at all, or more areals than the format can number.
    pub fn build(&self) -> Result<LandMap, LandDraftError> {
        to_u16("areals", self.polygons.len())?;
        if self.polygons.is_empty() {
            return Err(LandDraftError::NoAreals);
        }
        let links = link_edges(self.polygons);
        let areals = self.polygons.iter().zip(links);
        let areals: Vec<Areal> = areals.map(|(it, links)| self.areal(it, links)).collect();
        let [low, high] = [[0, 0], self.last].map(self.position);
        let cells = cells(&areals, low, high, N_CELLS);
        Ok(LandMap {
            areals,
            cells_x: N_CELLS,
            cells_y: N_CELLS,
            cells,
            container: LandMap::new_container(),
        })
    }

    fn areal(&self, polygon: &Polygon, edge_links: Vec<EdgeLink>) -> Areal {
        let points = polygon.points.iter();
        let vertices: Vec<[f32; 3]> = points.map(|it| (self.position)(*it)).collect();
        let [x, y, area] = centroid_and_area(&vertices);
        Areal {
            anchor: [x, y, (self.height)([x, y])].map(|v| v as f32),
            reserved_0c: 0.0,
            area_metric: area as f32,
            normal: plane_normal(&vertices),
            logic_flag: WALKABLE,
            reserved_24: 0,
            class_id: polygon.class,
            reserved_2c: 0,
            vertices,
            edge_links,
            polygons: Vec::new(),
        }
    }
}

/// For each polygon the links of its edges.
fn link_edges(polygons: &[Polygon]) -> Vec<Vec<EdgeLink>> {
    let mut edges: BTreeMap<(GridPoint, GridPoint), EdgeLink> = BTreeMap::new();
    for (areal, polygon) in polygons.iter().enumerate() {
        for (edge, ends) in polygon.edges().enumerate() {
            edges.insert(
                ends,
                EdgeLink {
                    areal: areal as i32,
                    edge: edge as i32,
                },
            );
        }
    }
    let across = |(p, q): (GridPoint, GridPoint)| {
        let link = edges.get(&(q, p)).copied();
        link.unwrap_or(EdgeLink::NONE)
    };
    let links = polygons.iter();
    links
        .map(|polygon| polygon.edges().map(across).collect())
        .collect()
}

/// Centroid in x and y, and area, of an outline.
fn centroid_and_area(vertices: &[[f32; 3]]) -> [f64; 3] {
    let at = |i: usize| vertices[i % vertices.len()].map(f64::from);
    let origin = at(0);
    let (mut sum_x, mut sum_y, mut double_area) = (0.0, 0.0, 0.0);
    for i in 0..vertices.len() {
        let (p, q) = (at(i), at(i + 1));
        let (px, py, qx, qy) = (
            p[0] - origin[0],
            p[1] - origin[1],
            q[0] - origin[0],
            q[1] - origin[1],
        );
        let cross = px * qy - qx * py;
        double_area += cross;
        sum_x += (px + qx) * cross;
        sum_y += (py + qy) * cross;
    }
    let scale = 1.0 / (3.0 * double_area);
    [
        origin[0] + sum_x * scale,
        origin[1] + sum_y * scale,
        double_area / 2.0,
    ]
}

/// Unit normal of the plane that fits an outline best (Newell), pointing up.
fn plane_normal(vertices: &[[f32; 3]]) -> [f32; 3] {
    let mut normal = [0.0f64; 3];
    for (i, p) in vertices.iter().enumerate() {
        let q = vertices[(i + 1) % vertices.len()].map(f64::from);
        let p = p.map(f64::from);
        for (k, component) in normal.iter_mut().enumerate() {
            let (a, b) = ((k + 1) % 3, (k + 2) % 3);
            *component += (p[a] - q[a]) * (p[b] + q[b]);
        }
    }
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    normal.map(|v| (v / length) as f32)
}
