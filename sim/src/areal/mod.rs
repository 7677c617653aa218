//! The areal map: which areal holds a point, what lies beside it, and the way from one to another.
//!
//! In: a `Land.map` and the bounds of its terrain. Everything happens in the ground plane: areals are outlines
//! seen from above, with a grid that narrows the choice (dossier sections 5.4 and 5.5).

mod route;

pub use route::ArealRoute;

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
    grid: CellLists,
}

/// An areal seen from above.
#[derive(Debug, Clone)]
struct Outline {
    vertices: Vec<Vec3>,
    min: Vec2,
    max: Vec2,
}

/// The file's grid with its lists end to end.
#[derive(Debug, Clone)]
struct CellLists {
    min: Vec2,
    max: Vec2,
    n: [u32; 2],
    /// List of cell `x * n[1] + y` is `ids[starts[cell]..starts[cell + 1]]`.
    starts: Vec<u32>,
    ids: Vec<u16>,
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
        let (min, max) = terrain_bounds.unwrap_or_else(|| {
            let min = outlines
                .iter()
                .map(|o| o.min)
                .reduce(Vec2::min)
                .unwrap_or(Vec2::ZERO);
            let max = outlines
                .iter()
                .map(|o| o.max)
                .reduce(Vec2::max)
                .unwrap_or(Vec2::ZERO);
            (min, max)
        });
        let grid = CellLists::new(map, min, max)?;
        let neighbours = (0..outlines.len() as u32)
            .map(|areal| portals.neighbours(areal))
            .collect();
        log::debug!(
            "areal index: {} areals, grid {:?} over {min} to {max}",
            outlines.len(),
            grid.n
        );
        Ok(Self {
            outlines,
            neighbours,
            portals,
            grid,
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
        let listed = self
            .grid
            .at(point)
            .iter()
            .map(|&areal| u32::from(areal))
            .find(|&areal| holds(areal));
        // A scan over all bounds is cheap, and makes a wrong mapping of the grid harmless.
        listed.or_else(|| (0..self.outlines.len() as u32).find(|&areal| holds(areal)))
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
        let min = vertices
            .iter()
            .map(|v| v.truncate())
            .reduce(Vec2::min)
            .unwrap_or(Vec2::ZERO);
        let max = vertices
            .iter()
            .map(|v| v.truncate())
            .reduce(Vec2::max)
            .unwrap_or(Vec2::ZERO);
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

impl CellLists {
    fn new(map: &LandMap, min: Vec2, max: Vec2) -> Result<Self, ArealError> {
        let LandMap {
            cells_x,
            cells_y,
            ref cells,
            ref areals,
            ..
        } = *map;
        if cells.len() as u64 != u64::from(cells_x) * u64::from(cells_y) {
            return Err(ArealError::CellCount {
                n_lists: cells.len(),
                cells_x,
                cells_y,
            });
        }
        let mut starts = vec![0];
        let mut ids = Vec::new();
        for (cell, list) in cells.iter().enumerate() {
            let n_areals = areals.len();
            if let Some(&areal) = list.iter().find(|&&areal| usize::from(areal) >= n_areals) {
                return Err(ArealError::CellArealOutOfRange {
                    cell,
                    areal,
                    n_areals,
                });
            }
            ids.extend_from_slice(list);
            starts.push(ids.len() as u32);
        }
        Ok(Self {
            min,
            max,
            n: [cells_x, cells_y],
            starts,
            ids,
        })
    }

    /// List of the cell of a point; points outside use the nearest cell (dossier section 5.4).
    fn at(&self, point: Vec2) -> &[u16] {
        if self.ids.is_empty() {
            return &[];
        }
        let along = |axis: usize| {
            let extent = f64::from(self.max[axis]) - f64::from(self.min[axis]);
            let share = (f64::from(point[axis]) - f64::from(self.min[axis])) / extent;
            // A float cast saturates and makes 0 of the NaN of an empty extent.
            let cell = (share * f64::from(self.n[axis])) as u32;
            cell.min(self.n[axis] - 1)
        };
        let cell = along(0) as usize * self.n[1] as usize + along(1) as usize;
        &self.ids[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}
