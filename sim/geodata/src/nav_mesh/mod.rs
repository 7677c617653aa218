//! Navigation meshes: convex polygons over the ground, for libraries that find paths over such.
//!
//! In: geodata, a step rule, and a box of cells. Out: tiles of polygons with what is behind each edge, and connections
//! that are no edges. Polygons lead to each other exactly where cells do by the step rule: within a polygon every cell
//! leads to every other, an edge leads on where steps over it do, one way or both, and where a step leads to another tile
//! but the tiles' edges cannot say so, as down from a roof, a connection does.
//!
//! A polygon is a plane that is nowhere farther from the ground of its cells than the largest error, and nearer where
//! another floor is close. Deliberately absent: files, and finding paths.

mod ground;
mod links;
mod outline;
mod rectangles;
#[cfg(test)]
mod tests;

use crate::{Geodata, Profile};
use ground::Ground;
use ironlands_sim_regions::GeoCell;
use thiserror::Error;

/// Cells along a side of a tile.
pub const NAV_TILE_CELLS: u16 = 64;

/// Layers of cells in a box, at most: those of some eight regions.
const MAX_LAYERS: usize = 1 << 26;

/// Of what a mesh is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NavMeshOptions {
    /// The cell of the box with the lowest numbers.
    pub first: GeoCell,
    /// The cell of the box with the highest numbers.
    pub last: GeoCell,
    /// How far a polygon may be above or below the ground of its cells, in points.
    pub max_error: u16,
    /// The step rule.
    pub profile: Profile,
}

/// A navigation mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct NavMesh {
    /// The corner of tile 0, 0.
    pub corner: (i32, i32),
    /// Tiles with at least one polygon.
    pub tiles: Vec<NavMeshTile>,
}

/// The polygons of a square of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct NavMeshTile {
    /// Place in x and y among all tiles.
    pub place: (u16, u16),
    /// Height differences up to this are the same ground, at borders of tiles and for ends of connections. Lower than a
    /// step where floors are close to each other.
    pub climb: u16,
    /// All polygons.
    pub polygons: Vec<NavMeshPolygon>,
    /// Those that begin in this tile.
    pub connections: Vec<NavMeshConnection>,
    /// Connections of other tiles that end in this one and lead both ways.
    pub n_returning: usize,
}

/// A convex polygon of three to six corners, clockwise as seen from above with north up.
#[derive(Debug, Clone, PartialEq)]
pub struct NavMeshPolygon {
    /// x, y and z of each corner. Corners may lie on a straight edge.
    pub corners: Vec<(i32, i32, f32)>,
    /// What is behind the edge from each corner to the next.
    pub neighbors: Vec<NavMeshNeighbor>,
}

/// What is behind an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NavMeshNeighbor {
    /// No step leads over it, or a connection does.
    Nothing,
    /// A polygon of the tile. The way back may be closed.
    Polygon(u32),
    /// The polygon of the next tile with the same edge, both ways.
    Portal,
}

/// A way from a polygon to another that is no edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NavMeshConnection {
    /// On a polygon of its tile: x, y and z.
    pub start: (i32, i32, f32),
    /// On the other polygon.
    pub end: (i32, i32, f32),
    /// Whether it leads back, too.
    pub is_both_ways: bool,
}

/// A mesh cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NavMeshError {
    /// There is too much ground in the box.
    #[error("the box has more than {MAX_LAYERS} layers of cells; make it smaller")]
    TooLarge,
    /// The box has no ground.
    #[error("the box has no ground")]
    Empty,
}

impl NavMesh {
    /// The mesh of a box, on all threads.
    ///
    /// # Errors
    /// If the box has no ground or too much of it.
    pub fn new(geodata: &Geodata, options: &NavMeshOptions) -> Result<Self, NavMeshError> {
        let ground = Ground::new(geodata, options)?;
        let partition = rectangles::partition(&ground, options.max_error);
        let outlines = outline::outlines(&ground, &partition);
        let tiles = links::tiles(&ground, &partition, &outlines, &options.profile);
        Ok(Self {
            corner: options.first.corner(),
            tiles,
        })
    }
}
