//! The areal map: convex polygons over the ground that can be walked, linked edge to edge, and the grid that finds
//! them.
//!
//! In: a [`Landscape`]. Out: the content of `Land.map`. Every quad is cut into four triangles; triangles of one class
//! are merged as long as the union stays convex and compact.

mod classify;
mod grid;
mod merge;

use std::collections::BTreeMap;

use ironlands_assets_parkan::land_map::{Areal, EdgeLink, LandMap};

use crate::landscape::Landscape;
use crate::surface::{GridPoint, ground_z};
use merge::Polygon;

/// Cells of the grid in x and in y, as in all retail levels.
const N_CELLS: u32 = 128;

/// Builds the areal map.
pub fn land_map(land: &Landscape) -> LandMap {
    let polygons = merge::convex_polygons(classify::triangles(land), max_area(land));
    let links = link_edges(&polygons);
    let areals: Vec<Areal> = polygons
        .iter()
        .zip(links)
        .map(|(polygon, links)| areal(land, polygon, links))
        .collect();
    let cells = grid::cells(&areals, position(land, [0, 0]), far_corner(land), N_CELLS);
    LandMap {
        areals,
        cells_x: N_CELLS,
        cells_y: N_CELLS,
        cells,
        container: LandMap::new_container(),
    }
}

/// Largest area of an areal in quarters of a quad: about 130 world units square.
fn max_area(land: &Landscape) -> i64 {
    let quads = 130.0 / land.plan.quad_size();
    (4.0 * quads * quads) as i64
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
    let none = EdgeLink {
        areal: -1,
        edge: -1,
    };
    let across = |(p, q): (GridPoint, GridPoint)| edges.get(&(q, p)).copied().unwrap_or(none);
    polygons
        .iter()
        .map(|polygon| polygon.edges().map(across).collect())
        .collect()
}

fn areal(land: &Landscape, polygon: &Polygon, edge_links: Vec<EdgeLink>) -> Areal {
    let vertices: Vec<[f32; 3]> = polygon
        .points
        .iter()
        .map(|point| position(land, *point))
        .collect();
    let [x, y, area] = centroid_and_area(&vertices);
    Areal {
        anchor: [x, y, land.heights.sample(x, y)].map(|v| v as f32),
        reserved_0c: 0.0,
        area_metric: area as f32,
        normal: plane_normal(&vertices),
        logic_flag: 0,
        reserved_24: 0,
        class_id: polygon.class,
        reserved_2c: 0,
        vertices,
        edge_links,
        polygons: Vec::new(),
    }
}

/// A grid point on the ground, as the terrain's vertices have it.
fn position(land: &Landscape, point: GridPoint) -> [f32; 3] {
    let n_half_quads = (2 * land.plan.n_quads()) as f64;
    let [x, y] = point.map(|p| (f64::from(p) * land.plan.world_size() / n_half_quads) as f32);
    [x, y, ground_z(land, point) as f32]
}

fn far_corner(land: &Landscape) -> [f32; 3] {
    let last = 2 * land.plan.n_quads() as u16;
    position(land, [last, last])
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
