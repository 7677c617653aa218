//! Single cells as tiles of the finest level show them: what highlights and lines lie on, and what rays hit.
//!
//! Made of what tiles are made of, a block at a time. Facts about cells stay what their files say.

use super::columns::{Columns, StepGrid};
use super::corners::Corners;
use super::partners::{Partners, Side};
use super::surface::corners_of_block;
use super::walls::edges;
use super::{Land, Trail, TrailPoint};
use crate::GeoPoint;
use glam::{Vec2, Vec3};
use ironlands_scene::TileShape;
use ironlands_sim_regions::{CELL_SIZE, GeoCell};

/// Cells along a side of a block.
const BLOCK: usize = 8;
/// Corners along a side of a block.
const N_CORNERS: usize = BLOCK + 1;

/// The surface that tiles of a shape show, with a cache of the blocks around the last query.
pub struct TileSurface<'a> {
    land: &'a Land,
    shape: TileShape,
    /// By the lowest bit of a block's numbers in x and y: all four around a corner have a place.
    blocks: [Option<(u32, Ground)>; 4],
}

/// The ground of a block.
struct Ground {
    grid: StepGrid,
    columns: Columns,
    partners: Partners,
    corners: Corners,
    /// Corners of the grid whose heights are known, by row: a ray needs few of them.
    known: [u16; N_CORNERS],
}

impl<'a> TileSurface<'a> {
    /// Looks at nothing yet.
    pub fn new(land: &'a Land, shape: TileShape) -> Self {
        Self {
            land,
            shape,
            blocks: std::array::from_fn(|_| None),
        }
    }

    /// The land.
    pub fn land(&self) -> &'a Land {
        self.land
    }

    /// Heights of a layer of a cell at its south-west, south-east, north-west and north-east corner, points. Between
    /// them it is two triangles, which meet between south-east and north-west. `None` if there is no such layer.
    pub(super) fn corners(&mut self, cell: GeoCell, layer: u8) -> Option<[f32; 4]> {
        self.ground(cell).corners(cell, layer)
    }

    /// The south-west, south-east, north-west and north-east corner of a layer of a cell, engine axes: a strip of two
    /// triangles. `None` if there is no such layer.
    pub fn square(&mut self, cell: GeoCell, layer: u8) -> Option<[Vec3; 4]> {
        let heights = self.corners(cell, layer)?;
        Some(std::array::from_fn(|corner| {
            corner_of(cell, corner).extend(heights[corner])
        }))
    }

    /// Heights along a side of a layer, from the smaller coordinate on in engine axes.
    pub(super) fn edge(&mut self, cell: GeoCell, layer: u8, side: Side) -> Option<[f32; 2]> {
        let corners = self.corners(cell, layer)?;
        Some(side.ends().map(|corner| corners[corner]))
    }

    /// The wall between a layer of a cell and a lower one of a cell beside it, engine axes: lower edge at its start and
    /// end, then upper edge, as a strip of two triangles. `None` if they are not side by side, or there are no such
    /// layers.
    pub fn wall(&mut self, upper: (GeoCell, u8), lower: (GeoCell, u8)) -> Option<[Vec3; 4]> {
        let side = Side::between(upper.0, lower.0)?;
        let upper_edge = self.edge(upper.0, upper.1, side)?;
        let lower_edge = self.edge(lower.0, lower.1, side.opposite())?;
        let ends = side.ends().map(|corner| corner_of(upper.0, corner));
        let [foot, top] = edges(upper_edge, lower_edge);
        Some([
            ends[0].extend(foot[0]),
            ends[1].extend(foot[1]),
            ends[0].extend(top[0]),
            ends[1].extend(top[1]),
        ])
    }

    /// The ground under a point of a layer, engine axes; the point itself where no region is.
    pub fn point(&mut self, at: &TrailPoint) -> Vec3 {
        let cell = at.at.cell().ok();
        let drawn = cell.and_then(|cell| self.on(cell, at.layer, within(cell, at)));
        let GeoPoint { x, y, z } = at.at;
        drawn.unwrap_or(Vec3::new(x as f32, -(y as f32), z as f32))
    }

    /// A point of a layer of a cell at shares of its side from the south-west.
    fn on(&mut self, cell: GeoCell, layer: u8, within: Vec2) -> Option<Vec3> {
        let z = height_at(self.corners(cell, layer)?, within);
        let place = corner_of(cell, 0) + within * CELL_SIZE as f32;
        Some(place.extend(z))
    }

    /// The ground along a trail, engine axes. It has a corner wherever the ground has one.
    pub fn along(&mut self, trail: &Trail) -> Vec<Vec3> {
        let mut points = Vec::new();
        for (number, at) in trail.points.iter().enumerate() {
            let before = number.checked_sub(1).map(|before| &trail.points[before]);
            if let Some(fold) = before.and_then(|before| self.fold(before, at)) {
                points.push(fold);
            }
            points.push(self.point(at));
        }
        points
    }

    /// Where a line between two points of a cell crosses from one of its triangles into the other.
    fn fold(&mut self, from: &TrailPoint, to: &TrailPoint) -> Option<Vec3> {
        let cell = from.at.cell().ok()?;
        if to.at.cell().ok()? != cell || from.layer != to.layer {
            return None;
        }
        let (a, b) = (within(cell, from), within(cell, to));
        let [side_a, side_b] = [a, b].map(|at| at.element_sum() - 1.0);
        if side_a * side_b >= 0.0 {
            return None;
        }
        let fold = a.lerp(b, side_a / (side_a - side_b));
        self.on(cell, from.layer, fold)
    }

    fn ground(&mut self, cell: GeoCell) -> &mut Ground {
        let number = u32::from(cell.x >> 3) << 16 | u32::from(cell.y >> 3);
        let known = &mut self.blocks[usize::from(cell.x >> 2 & 2 | cell.y >> 3 & 1)];
        known.take_if(|(known, _)| *known != number);
        let (_, ground) =
            known.get_or_insert_with(|| (number, Ground::new(self.land, cell, self.shape)));
        ground
    }
}

impl Ground {
    /// What is drawn of a block depends on the cells around it, and on no others.
    fn new(land: &Land, cell: GeoCell, shape: TileShape) -> Self {
        let grid = StepGrid::around_block(cell);
        let columns = Columns::from_cells(&land.geodata, &grid);
        let partners = Partners::new(&columns);
        let (corners, known) = match shape {
            TileShape::Slopes => {
                let max_slope = grid.max_slope();
                let mut known = [0; N_CORNERS];
                for row in [0, BLOCK] {
                    known[row] = 1 | 1 << BLOCK;
                }
                (Corners::from_blocks(&columns, &partners, max_slope), known)
            }
            TileShape::Plateaus => {
                let corners = Corners::new(&columns, &partners, &grid, shape);
                (corners, [u16::MAX; N_CORNERS])
            }
        };
        Self {
            grid,
            columns,
            partners,
            corners,
            known,
        }
    }

    fn corners(&mut self, cell: GeoCell, layer: u8) -> Option<[f32; 4]> {
        let index = self.grid.index_of(i32::from(cell.x), i32::from(cell.y))?;
        let sheet = self.columns.range(index).nth(usize::from(layer))?;
        let [x, y] = [cell.x, !cell.y].map(|at| usize::from(at & 7));
        if !self.columns.sheets[sheet].is_flat {
            self.find_corners(x, y);
            return Some(self.corners.get(sheet).map(f32::from));
        }
        let block = corners_of_block(&self.columns, &self.corners, x, y).map(f32::from);
        let at = |dx: usize, dy: usize| {
            let within = Vec2::new((x + dx) as f32, (y + dy) as f32) / BLOCK as f32;
            height_at(block, within)
        };
        Some([at(0, 0), at(1, 0), at(0, 1), at(1, 1)])
    }

    /// Finds the heights at the corners of a cell of the block, counted from the south-west.
    fn find_corners(&mut self, x: usize, y: usize) {
        for (x, y) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
            let is_known = self.known[y] >> x & 1 != 0;
            if !is_known {
                self.known[y] |= 1 << x;
                // The grid has one more cell around the block.
                let corner = [x + 1, y + 1];
                self.corners.add(&self.columns, &self.partners, corner);
            }
        }
    }
}

/// Height of a face of four corners, at shares of its side from the south-west: the strip of two triangles that tiles
/// are drawn as.
fn height_at([south_west, south_east, north_west, north_east]: [f32; 4], at: Vec2) -> f32 {
    match at.element_sum() <= 1.0 {
        true => south_west + (south_east - south_west) * at.x + (north_west - south_west) * at.y,
        false => {
            let back = 1.0 - at;
            north_east + (north_west - north_east) * back.x + (south_east - north_east) * back.y
        }
    }
}

/// A corner of a cell by its place in [`TileSurface::corners`], engine axes.
fn corner_of(cell: GeoCell, corner: usize) -> Vec2 {
    let (x, y) = cell.corner();
    let x = x + CELL_SIZE * (corner as i32 & 1);
    let y = y + CELL_SIZE * (1 - (corner as i32 >> 1));
    Vec2::new(x as f32, -(y as f32))
}

/// Shares of a cell's side from its south-west corner.
fn within(cell: GeoCell, at: &TrailPoint) -> Vec2 {
    let corner = corner_of(cell, 0);
    let at = Vec2::new(at.at.x as f32, -(at.at.y as f32));
    (at - corner) / CELL_SIZE as f32
}
