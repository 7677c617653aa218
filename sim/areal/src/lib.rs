//! The areal map: which areal holds a point or is nearest, what a straight walk crosses, and the path from one point
//! to another.
//!
//! In: a plain [`ArealMap`] and the bounds of its terrain. Everything happens in the ground plane: areals are outlines
//! seen from above, with a grid that narrows the choice (dossier sections 5.4 and 5.5). An
//! [`ArealFilter`] selects the areals of a query.
//!
//! Deliberately absent: files of any world, heights (`triangles`), buildings on the areals beyond categories, moving
//! along a path.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod batch;
mod cells;
mod filter;
mod funnel;
mod links;
mod lists;
mod lookup;
mod map;
mod nearest;
mod outlines;
mod plane;
mod portals;
mod route;
mod straight_walk;
mod triangulate;

pub use batch::RouteRequest;
pub use filter::{ArealBuildings, ArealFilter, ClassFilter};
pub use map::{Areal, ArealMap, EdgeLink};
pub use nearest::NearestAreal;
pub use route::{ArealRoute, ClassCosts, RouteOptions, RoutePortal, RouteSearch};
pub use straight_walk::{ArealCrossing, StraightWalkEnd};

use cells::{CellLists, FileCells};
use glam::{Vec2, Vec3};
use links::Links;
use outlines::Outlines;
use portals::Portals;
use triangulate::Interiors;

/// The areals of one level, ready for queries. Immutable after it is built. Areals are named by file index.
///
/// ```
/// use glam::Vec2;
/// use ironlands_sim_areal::{Areal, ArealIndex, ArealMap, EdgeLink};
///
/// // Two rooms side by side; edge 1 of the first is edge 3 of the second.
/// let room = |west: f32, links: [EdgeLink; 4]| Areal {
///     vertices: [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
///         .map(|[x, y]| [west + x, y, 0.0])
///         .to_vec(),
///     edge_links: links.to_vec(),
///     class_id: 0,
///     logic_flag: 0,
/// };
/// let none = EdgeLink::NONE;
/// let map = ArealMap {
///     areals: vec![
///         room(0.0, [none, EdgeLink { areal: 1, edge: 3 }, none, none]),
///         room(4.0, [none, none, none, EdgeLink { areal: 0, edge: 1 }]),
///     ],
///     cells_x: 1,
///     cells_y: 1,
///     cells: vec![vec![0, 1]],
/// };
/// let index = ArealIndex::new(&map, None)?;
/// assert_eq!(index.areal_at(Vec2::new(5.0, 1.0)), Some(1));
///
/// let route = index.route(Vec2::new(1.0, 2.0), Vec2::new(7.0, 2.0)).expect("the rooms are linked");
/// assert_eq!(route.areals, [0, 1]);
/// assert_eq!(route.length, 6.0);
/// # Ok::<(), ironlands_sim_areal::ArealError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ArealIndex {
    outlines: Outlines,
    /// By areal.
    class_ids: Vec<u32>,
    logic_flags: Vec<u32>,
    /// The file's grid, whose lists decide the order.
    file_cells: CellLists,
    /// Whether those lists leave out no areal.
    file_cells_are_complete: bool,
    /// Our own, which leave out none, by their bounds.
    own_cells: CellLists,
    links: Links,
    interiors: Interiors,
    portals: Portals,
}

/// Why an areal map cannot become an index: it names what is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    /// If a cell or a link names what is not there, or the grid has no cell.
    pub fn new(map: &ArealMap, terrain_bounds: Option<(Vec2, Vec2)>) -> Result<Self, ArealError> {
        let outlines = Outlines::new(&map.areals);
        let links = Links::new(&map.areals, &outlines)?;
        let own_cells = CellLists::from_outlines(&outlines);
        let bounds = terrain_bounds.unwrap_or_else(|| own_cells.grid().bounds());
        let FileCells {
            lists: file_cells,
            are_complete,
        } = CellLists::from_file(map, bounds, &outlines)?;
        let interiors = Interiors::new(&outlines);
        let portals = Portals::new(&outlines, &links, &interiors);
        log::debug!(
            "areal index: {} areals, {} portals, grid over {bounds:?}",
            outlines.n_areals(),
            portals.len()
        );
        Ok(Self {
            outlines,
            class_ids: map.areals.iter().map(|areal| areal.class_id).collect(),
            logic_flags: map.areals.iter().map(|areal| areal.logic_flag).collect(),
            file_cells,
            file_cells_are_complete: are_complete,
            own_cells,
            links,
            interiors,
            portals,
        })
    }

    /// Number of areals.
    pub fn n_areals(&self) -> usize {
        self.outlines.n_areals()
    }

    /// Areals across the edges of one, in edge order, each once. Empty for an areal that is not there.
    pub fn neighbors(&self, areal: u32) -> &[u32] {
        if self.exists(areal) {
            self.links.neighbors(areal)
        } else {
            &[]
        }
    }

    /// Outline of an areal, world units; empty for one that is not there.
    pub fn outline(&self, areal: u32) -> &[Vec3] {
        if self.exists(areal) {
            self.outlines.outline(areal)
        } else {
            &[]
        }
    }

    /// Run-time class of an areal, a number without a known name; `None` for one that is not there.
    pub fn class_id(&self, areal: u32) -> Option<u32> {
        self.class_ids.get(areal as usize).copied()
    }

    /// Logic flags of an areal; `None` for one that is not there.
    pub fn logic_flag(&self, areal: u32) -> Option<u32> {
        self.logic_flags.get(areal as usize).copied()
    }

    fn exists(&self, areal: u32) -> bool {
        (areal as usize) < self.n_areals()
    }
}
