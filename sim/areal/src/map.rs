//! The plain areal map that an index is built from.
//!
//! Deliberately absent: reading one from a file, and what a file says of an areal beyond what queries need.

/// Areals and a grid that lists them. Its numbers may be anything: [`ArealIndex::new`] refuses a map that names
/// what is not there.
///
/// [`ArealIndex::new`]: crate::ArealIndex::new
#[derive(Debug, Clone, PartialEq)]
pub struct ArealMap {
    /// All areals; a query names an areal by its place here.
    pub areals: Vec<Areal>,
    /// Grid cells in x; the outer index.
    pub cells_x: u32,
    /// Grid cells in y.
    pub cells_y: u32,
    /// Areals of each cell, `cells[x * cells_y + y]`. Their order decides between areals that hold one point.
    pub cells: Vec<Vec<u16>>,
}

/// A convex or concave polygon of walkable (or otherwise classed) ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Areal {
    /// Outline, world axes (right-handed, +Z up), world units; edge k runs from vertex k to vertex (k + 1) mod n.
    pub vertices: Vec<[f32; 3]>,
    /// One link per outline edge.
    pub edge_links: Vec<EdgeLink>,
    /// Run-time class, which [`ClassFilter`](crate::ClassFilter) compares.
    pub class_id: u32,
    /// Bits that [`ArealFilter::logic_flags`](crate::ArealFilter::logic_flags) compares.
    pub logic_flag: u32,
}

/// What lies across an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeLink {
    /// Index of the neighboring areal, or -1.
    pub areal: i32,
    /// Edge index in that areal, or -1 if the areal alone is known.
    pub edge: i32,
}

impl EdgeLink {
    /// Nothing lies across the edge.
    pub const NONE: Self = Self {
        areal: -1,
        edge: -1,
    };
}
