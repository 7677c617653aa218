//! `Land.map`: the areal map, an NRes with one chunk of type 12 (dossier section 5).
//!
//! World axes x, y ground, z up; right-handed; world units. In: bytes. Out: areals, which are outlines with
//! links across their edges, and a grid of cells that lists the areals of each; [`LandMap::write`] gives an
//! untouched file back byte for byte.
//!
//! A value that was read keeps one promise: every outline link and every id of a cell names an areal (and an
//! edge) that exists, or nothing. The strict reader refuses a file that breaks it, the tolerant one drops what
//! is broken and says so, and the writer refuses a value that has been edited out of it.
//!
//! Deliberately absent: locating points and finding routes (`sim`), and the original's random anchor shifts.

mod check;
mod codec;
mod format;
mod links;
mod outline;
mod packed_cells;
#[cfg(test)]
mod tests;

use bitflags::bitflags;

pub use self::outline::{interior_point, outline_area, outline_contains};
pub use self::packed_cells::{CellPackError, PackedCells};
use super::nres::NRes;
use ironlands_assets_core::format::Format;
use ironlands_assets_core::record::Record;

const FORMAT: &str = LandMap::NAME;

/// Most areal ids that one cell can list: the packed form has ten bits for them.
pub const MAX_CELL_IDS: usize = 1023;

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each (dossier sections 0.2 and 5.7).
    ///
    /// Never waived: no areal, no cell, and a record that leaves the chunk.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// The archive may break the rules that NRes can waive: sort table, alignment, unterminated names.
        const CONTAINER = 1 << 0;
        /// There may be more entries than the one of type 12. They are kept.
        const MORE_ENTRIES = 1 << 1;
        /// There may be bytes after the last cell. They are dropped.
        const TRAILING_BYTES = 1 << 2;
        /// Links and cells may name areals or edges that do not exist. A link becomes [`EdgeLink::NONE`], an
        /// id of a cell is dropped.
        const BROKEN_LINKS = 1 << 3;
        /// A cell may list more than [`MAX_CELL_IDS`] areals. It is kept; packing it is an error.
        const LONG_CELLS = 1 << 4;
    }
}

impl Tolerance {
    /// No leniency; all known retail files pass.
    pub const STRICT: Self = Self::empty();
}

/// How large a polygon block of count `n` is. The documents disagree, and no known file has such a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PolygonBlockLayout {
    /// `4 * (3n + 1)` bytes with the count, so `3n` words after it. This is how far the disassembled code steps.
    #[default]
    CountInside,
    /// The count and then `4 * (3n + 1)` bytes, so `3n + 1` words after it.
    CountBefore,
}

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
    /// The archive around the chunk: attributes and name are kept in it. What the fields above say (payload and
    /// attr1) is not repeated in it; [`LandMap::write`] fills it in.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct EdgeLink {
    /// Index of the neighboring areal, or -1.
    #[field("link area_ref")]
    pub areal: i32,
    /// Edge index in that areal, or -1.
    #[field("link edge_ref")]
    pub edge: i32,
}

/// One of an areal's `poly_count` blocks: three links, and an opaque body after its count `n`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolygonBlock {
    /// Three links from the shared link table.
    pub links: [EdgeLink; 3],
    /// The words after the count, uninterpreted: `3n`, or `3n + 1` by [`PolygonBlockLayout::CountBefore`].
    pub body: Vec<u32>,
}

impl EdgeLink {
    /// Nothing lies across the edge.
    pub const NONE: Self = Self {
        areal: -1,
        edge: -1,
    };
}

impl LandMap {
    /// The areals that a cell of the grid lists; `None` outside the grid.
    pub fn cell(&self, x: u32, y: u32) -> Option<&[u16]> {
        if x >= self.cells_x || y >= self.cells_y {
            return None;
        }
        let index = u64::from(x)
            .checked_mul(u64::from(self.cells_y))?
            .checked_add(u64::from(y))?;
        self.cells
            .get(usize::try_from(index).ok()?)
            .map(Vec::as_slice)
    }

    /// The areal that a link names.
    pub fn linked_areal(&self, link: EdgeLink) -> Option<&Areal> {
        self.areals.get(usize::try_from(link.areal).ok()?)
    }
}
