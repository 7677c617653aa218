//! `Land.map`: the areal map, an NRes with one chunk of type 12 (dossier section 5).

use super::nres::NRes;

/// The areals of a level and the grid that finds them.
#[derive(Debug, Clone, PartialEq)]
pub struct LandMap {
    /// Areals in file order.
    pub areals: Vec<Areal>,
    /// Grid cells in x; the outer index.
    pub cells_x: u32,
    /// Grid cells in y.
    pub cells_y: u32,
    /// Areal ids of each cell, `cells[x * cells_y + y]`.
    pub cells: Vec<Vec<u16>>,
    /// The archive around the chunk: attributes and name are kept in it.
    pub container: NRes,
}

/// A convex or concave polygon of walkable (or otherwise classed) ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Areal {
    /// Reference point, should lie inside the polygon.
    pub anchor: [f32; 3],
    /// 0 in known files; kept as bits.
    pub reserved_0c: f32,
    /// Area of the outline in the xy plane.
    pub area_metric: f32,
    /// Unit normal.
    pub normal: [f32; 3],
    /// Gating condition in the areal system.
    pub logic_flag: u32,
    /// 0 in known files.
    pub reserved_24: u32,
    /// Run-time class; names unknown.
    pub class_id: u32,
    /// 0 in known files.
    pub reserved_2c: u32,
    /// Outline; edge k runs from vertex k to vertex (k + 1) mod n.
    pub vertices: Vec<[f32; 3]>,
    /// One link per outline edge.
    pub edge_links: Vec<EdgeLink>,
    /// Polygon blocks; none in known files.
    pub polygons: Vec<PolygonBlock>,
}

/// What lies across an edge; (-1, -1) = nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeLink {
    /// Index of the neighbouring areal, or -1.
    pub areal: i32,
    /// Edge index in that areal, or -1.
    pub edge: i32,
}

/// One of an areal's `poly_count` blocks: three links, and an opaque body of `3n` words after its count `n`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolygonBlock {
    /// Three links from the shared link table.
    pub links: [EdgeLink; 3],
    /// The `3n` words after the count, uninterpreted.
    pub body: Vec<u32>,
}
