//! Geodata as a visible surface: tiles of any size, made on request, and ray casts.
//!
//! In: a [`Geodata`], with a summary of squares of 512 points and larger for far tiles and for rays high above. Out:
//! tiles of the tree that [`level_scene`](ironlands_sim_regions::tiles) describes, in engine axes (y to the north), and
//! hits of rays. All blocks are read from the geodata, so edits are visible; an edit makes another `Land`.
//!
//! The surface between cells is a choice (dossier section 7.2):
//!
//! - a layer continues in the neighbor's layer that is nearest to it, if it is the nearest to that one, too
//! - [`Plateaus`](ironlands_scene::TileShape::Plateaus): every cell is level, with a wall between layers that continue
//!   in each other at another height
//! - [`Slopes`](ironlands_scene::TileShape::Slopes): layers that continue in each other at most two steps higher or
//!   lower share their corners, but for cliffs that are too small to be steps of their own from afar; a flat block is
//!   one face, since its cells are slopes that its format left out
//! - below the lowest layer of a cell is solid ground, so there is a wall between the lowest layers of neighbors, too
//! - a layer that ends, as the edge of a bridge or a roof over more ground, has no wall: one can see below it
//!
//! Deliberately absent: drawing, threads, editing.

mod bounds;
mod columns;
mod corners;
mod partners;
mod peaks;
mod ray;
mod slope_ray;
mod summary;
mod surface;
#[cfg(test)]
mod tests;
mod tile_surface;
mod trail;
mod wall_mark;
mod walls;
mod way;

pub use ray::{LandHit, LandRay};
pub use tile_surface::TileSurface;
pub use trail::{Trail, TrailPoint};
pub use wall_mark::LandWall;

use super::pack::BlockView;
use super::{Geodata, Profile};
use columns::{Columns, StepGrid};
use corners::Corners;
use ironlands_scene::{Facet, Tile, TileKey, TileOptions};
use ironlands_sim_regions::tiles::{LandMark, N_LEVELS, REGION_LEVEL, STEPS_PER_TILE};
use ironlands_sim_regions::{GeoCell, RegionId};
use partners::Partners;
use peaks::Square;
use std::collections::BTreeSet;
use summary::Summaries;

/// What is known of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockFacts {
    /// Flat, complex or multilayer.
    pub kind: LandMark,
    /// Whether it was changed since it was read.
    pub is_edited: bool,
    /// Of a flat block, what counts for the limit of a step up to it.
    pub flat_low: Option<i16>,
}

/// Geodata that can be drawn.
#[derive(Debug, Clone)]
pub struct Land {
    geodata: Geodata,
    profile: Profile,
    summaries: Summaries,
}

impl Land {
    /// Looks at every cell once, on all threads: some hundredths of a second a region. The profile decides which walls
    /// can be climbed.
    pub fn new(geodata: Geodata, profile: Profile) -> Self {
        Self {
            summaries: Summaries::new(&geodata),
            geodata,
            profile,
        }
    }

    /// The same land after blocks of its geodata changed, came or went, given by their region and number. Looks at the
    /// cells of their regions, and of a region beside them where they touch it; the rest is shared.
    #[must_use]
    pub fn with_changes(
        &self,
        geodata: Geodata,
        blocks: impl IntoIterator<Item = (RegionId, u16)>,
    ) -> Self {
        let mut regions = BTreeSet::new();
        for (region, index) in blocks {
            let corner = GeoCell::in_region(region, index, 0);
            let along = |at: u16| [at.saturating_sub(8), at, at.saturating_add(8)];
            for x in along(corner.x) {
                regions.extend(along(corner.y).map(|y| GeoCell { x, y }.region()));
            }
        }
        Self {
            summaries: self.summaries.updated(&geodata, &regions),
            geodata,
            profile: self.profile,
        }
    }

    /// What it shows.
    pub fn geodata(&self) -> &Geodata {
        &self.geodata
    }

    /// The step rule.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Smallest and largest height of all ground; `None` if there is none.
    pub fn z_range(&self) -> Option<[i16; 2]> {
        self.summaries.z_range()
    }

    /// Layers of the cell that has most of them.
    pub fn n_layers(&self) -> u8 {
        self.summaries.n_layers()
    }

    /// Makes a tile; an empty one where no region is loaded, or for a key that is none of the tree's.
    ///
    /// A step of a coarse level is as high as the highest of its cells: the highest solid ground, and apart from that
    /// the highest of what is over it. So nothing is shown that is not there within a step, and peaks stay.
    /// Solid ground at the tile's sides reaches down by two steps, so that no gap shows beside a tile of another level.
    ///
    /// With a layer chosen, tiles of cells have all layers all the same, since walls stand between them.
    pub fn tile(&self, key: TileKey, options: impl Into<TileOptions>) -> Tile {
        let facets = match StepGrid::around_tile(key) {
            Some(grid) => self.facets(&grid, options.into()),
            None => Vec::new(),
        };
        Tile {
            key,
            z_range: z_range_of(&facets),
            facets,
        }
    }

    /// What a cell's block is; `None` where no region is loaded.
    pub fn block(&self, cell: GeoCell) -> Option<BlockFacts> {
        let block = self.geodata.block(cell)?;
        Some(BlockFacts {
            kind: kind_of(&block),
            is_edited: self.geodata.is_edited(cell),
            flat_low: match block {
                BlockView::Flat { low, .. } => Some(low),
                BlockView::Complex(_) | BlockView::Multilayer(_) => None,
            },
        })
    }

    fn facets(&self, grid: &StepGrid, options: TileOptions) -> Vec<Facet> {
        let TileOptions { shape, layer } = options;
        let is_kept = grid.level > REGION_LEVEL;
        let columns = match layer {
            _ if grid.level == 0 => Columns::from_cells(&self.geodata, grid),
            None if is_kept => self.summaries.columns(grid, Square::push_sheets),
            None => Columns::from_peaks(&self.geodata, grid, Square::push_sheets),
            Some(0) if is_kept => self.summaries.columns(grid, Square::push_ground),
            Some(0) => Columns::from_peaks(&self.geodata, grid, Square::push_ground),
            Some(layer) => Columns::from_layer(&self.geodata, grid, layer),
        };
        if !columns.has_land() {
            return Vec::new();
        }
        let partners = Partners::new(&columns);
        let corners = Corners::new(&columns, &partners, grid, shape);
        let mut facets = Vec::new();
        surface::add_ground(&columns, &corners, &mut facets);
        let walls = walls::Walls {
            columns: &columns,
            partners: &partners,
            corners: &corners,
            profile: &self.profile,
            level: grid.level,
            is_grounded: grid.level == 0 || layer.is_none_or(|layer| layer == 0),
        };
        walls.add_to(&mut facets);
        facets
    }
}

fn kind_of(block: &BlockView<'_>) -> LandMark {
    match block {
        BlockView::Flat { .. } => LandMark::Flat,
        BlockView::Complex(_) => LandMark::Complex,
        BlockView::Multilayer(_) => LandMark::Multilayer,
    }
}

fn z_range_of(facets: &[Facet]) -> [f32; 2] {
    let heights = || facets.iter().flat_map(|facet| facet.z);
    match (heights().min(), heights().max()) {
        (Some(min), Some(max)) => [f32::from(min), f32::from(max)],
        _ => [0.0; 2],
    }
}

/// Steps along a side of a tile.
const SIDE: usize = STEPS_PER_TILE as usize;

/// Steps of a level along a side of the world.
fn steps_of_world(level: u8) -> i32 {
    (SIDE as i32) << (N_LEVELS - 1 - level)
}
