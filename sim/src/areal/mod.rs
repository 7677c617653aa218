//! The areal map: which areal holds a point, what lies beside it, and the way from one to another.
//!
//! In: a `Land.map` and the bounds of its terrain. Everything happens in the ground plane: areals are outlines
//! seen from above, with a grid that narrows the choice (dossier sections 5.4 and 5.5).

mod cells;
mod route;

pub use route::ArealRoute;

use cells::CellLists;
use glam::{Vec2, Vec3};
use ironlands_assets_loader::parkan::land_map::{Areal, LandMap};
use rayon::prelude::*;
use route::Portals;

/// Queries that one rayon task takes at least.
const MIN_QUERIES_PER_TASK: usize = 256;

/// The areals of one level, ready for queries. Immutable after it is built. Areals are named by file index.
#[derive(Debug, Clone)]
pub struct ArealIndex {
    outlines: Vec<Outline>,
    /// Neighbours of each areal in edge order, each once.
    neighbours: Vec<Vec<u32>>,
    portals: Portals,
    /// The lists of the file, which decide the order.
    file_cells: CellLists,
    /// Our own, which leave out no areal.
    own_cells: CellLists,
}

/// An areal seen from above. One with a vertex that is not finite has inverted bounds and holds nothing.
#[derive(Debug, Clone)]
struct Outline {
    vertices: Vec<Vec3>,
    min: Vec2,
    max: Vec2,
}

/// Why an areal map cannot become an index: it names what is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArealError {
    /// The grid's size and its lists differ.
    #[error("{n_lists} cell lists for a grid of {cells_x} x {cells_y}")]
    CellCount {
        /// Lists that there are.
        n_lists: usize,
        /// Cells in x.
        cells_x: u32,
        /// Cells in y.
        cells_y: u32,
    },
    /// A cell lists an areal that is not there.
    #[error("cell {cell} lists areal {areal} of {n_areals}")]
    CellArealOutOfRange {
        /// Index of the cell.
        cell: usize,
        /// The areal that it lists.
        areal: u16,
        /// Areals that there are.
        n_areals: usize,
    },
    /// An outline and its links differ in number.
    #[error("areal {areal} has {n_links} links for {n_vertices} edges")]
    LinkCount {
        /// Index of the areal.
        areal: usize,
        /// Links that there are.
        n_links: usize,
        /// Outline vertices, which is also the number of edges.
        n_vertices: usize,
    },
    /// A link names an areal or edge that is not there.
    #[error(
        "areal {areal}, edge {edge} links to edge {to_edge} of areal {to_areal}, which is not there"
    )]
    LinkOutOfRange {
        /// Index of the areal.
        areal: usize,
        /// Edge of the link.
        edge: usize,
        /// Areal that the link names.
        to_areal: i32,
        /// Edge that the link names.
        to_edge: i32,
    },
}

impl ArealIndex {
    /// Indexes an areal map. `terrain_bounds` are the smallest and largest x, y of the terrain's header box, over
    /// which the grid lies (the original's mapping is not known, Q-A3); without it, the bounds of all outlines.
    ///
    /// # Errors
    /// If a cell or a link names what is not there.
    pub fn new(map: &LandMap, terrain_bounds: Option<(Vec2, Vec2)>) -> Result<Self, ArealError> {
        let outlines: Vec<_> = map.areals.iter().map(Outline::new).collect();
        let portals = Portals::new(&map.areals)?;
        let own_cells = CellLists::over(&outlines);
        let bounds = terrain_bounds.unwrap_or_else(|| own_cells.bounds());
        let file_cells = CellLists::of_file(map, bounds)?;
        let neighbours = (0..outlines.len() as u32)
            .map(|areal| portals.neighbours(areal))
            .collect();
        log::debug!(
            "areal index: {} areals, grid over {bounds:?}",
            outlines.len()
        );
        Ok(Self {
            outlines,
            neighbours,
            portals,
            file_cells,
            own_cells,
        })
    }

    /// Number of areals.
    pub fn n_areals(&self) -> usize {
        self.outlines.len()
    }

    /// The areal that holds a point of the ground plane, world units. Outlines are closed and of either winding,
    /// convex or not. Of several, the first in the list of the point's cell; if none there holds it, the lowest
    /// index of all. `None` if no areal holds it, and for a non-finite point.
    pub fn areal_at(&self, point: Vec2) -> Option<u32> {
        if !point.is_finite() {
            return None;
        }
        let holds = |areal: u32| self.outlines[areal as usize].holds(point);
        let first_in =
            |cells: &CellLists| cells.at(point).iter().copied().find(|&areal| holds(areal));
        // Our own lists make a wrong mapping of the file's grid harmless.
        first_in(&self.file_cells).or_else(|| first_in(&self.own_cells))
    }

    /// [`areal_at`](Self::areal_at) for many points on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn areals_at(&self, points: &[Vec2], areals: &mut [Option<u32>]) {
        assert_eq!(points.len(), areals.len(), "one answer a point");
        areals
            .par_iter_mut()
            .zip(points)
            .with_min_len(MIN_QUERIES_PER_TASK)
            .for_each(|(areal, &point)| *areal = self.areal_at(point));
    }

    /// Areals across the edges of one, in edge order, each once. Empty for an areal that is not there.
    pub fn neighbours(&self, areal: u32) -> &[u32] {
        self.neighbours
            .get(areal as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// Outline of an areal, world units; empty for one that is not there.
    pub fn outline(&self, areal: u32) -> &[Vec3] {
        self.outlines
            .get(areal as usize)
            .map_or(&[], |outline| outline.vertices.as_slice())
    }
}

impl Outline {
    fn new(areal: &Areal) -> Self {
        let vertices: Vec<_> = areal
            .vertices
            .iter()
            .copied()
            .map(Vec3::from_array)
            .collect();
        let in_plan = || vertices.iter().map(|v| v.truncate());
        let (min, max) = if in_plan().all(|v| v.is_finite()) {
            (
                in_plan().fold(Vec2::INFINITY, Vec2::min),
                in_plan().fold(Vec2::NEG_INFINITY, Vec2::max),
            )
        } else {
            (Vec2::INFINITY, Vec2::NEG_INFINITY)
        };
        Self { vertices, min, max }
    }

    /// Even-odd rule with the border included. An outline of fewer than three vertices holds nothing.
    fn holds(&self, point: Vec2) -> bool {
        let in_bounds = point.cmpge(self.min).all() && point.cmple(self.max).all();
        if !in_bounds || self.vertices.len() < 3 {
            return false;
        }
        let p = point.as_dvec2();
        let mut is_inside = false;
        let last = self.vertices[self.vertices.len() - 1];
        let mut a = last.truncate().as_dvec2();
        for vertex in &self.vertices {
            let b = vertex.truncate().as_dvec2();
            // Positive when the point is left of a -> b; in f64 its sign is right or it is zero.
            let side = (b - a).perp_dot(p - a);
            if side == 0.0 && p.cmpge(a.min(b)).all() && p.cmple(a.max(b)).all() {
                return true;
            }
            let crosses = (a.y > p.y) != (b.y > p.y);
            if crosses && (side > 0.0) == (b.y > a.y) {
                is_inside = !is_inside;
            }
            a = b;
        }
        is_inside
    }
}
