//! The first thing that a ray hits: cells and the walls between them, as tiles of the finest level show them.
//!
//! The ray is followed from border to border, in steps as large as what it is over: a region that is not loaded, a
//! square of 256, 32 or 8 cells that it passes above or below ([`Bounds`](super::bounds::Bounds)), a flat block, a
//! cell.

use super::partners::walled;
use super::way::{Way, cell_along};
use super::{Land, TileSurface};
use crate::pack::BlockView;
use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};
use ironlands_scene::TileShape;
use ironlands_sim_core::Ray;
use ironlands_sim_regions::{CELL_SIZE, GeoCell, ZERO_REGION};

/// Cells along a side of a block, of a region and of the world.
const BLOCK: i32 = 8;
const REGION: i32 = 2048;
pub(super) const WORLD: f64 = 65536.0;
/// All that is drawn is between minus this and this, points: heights have 16 bits.
const HEIGHTS: f64 = 40_000.0;

/// A ray in the world's grid: x and y in cells from the north-west corner, z in points.
#[derive(Debug, Clone, Copy)]
pub struct LandRay {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
}

/// Where a ray hits land.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LandHit {
    /// The cell that was hit; of a wall the one above it.
    pub cell: GeoCell,
    /// Distance in lengths of the ray's direction.
    pub t: f64,
    /// The point, engine axes; its height is that of the cell, or on the wall, as the files have it.
    pub position: Vec3,
    /// Unit normal of what is drawn, on the side that the ray came from, engine axes. Level for walls.
    pub normal: Vec3,
}

impl LandRay {
    /// `None` for one that is not finite.
    pub fn new(ray: &Ray) -> Option<Self> {
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        let corner = ZERO_REGION.first_cell();
        let size = f64::from(CELL_SIZE);
        let is_finite = origin.is_finite() && direction.is_finite();
        is_finite.then(|| Self {
            origin: DVec3::new(
                origin.x / size + f64::from(corner.x),
                -origin.y / size + f64::from(corner.y),
                origin.z,
            ),
            direction: DVec3::new(direction.x / size, -direction.y / size, direction.z),
        })
    }

    pub(super) fn at(&self, t: f64) -> DVec3 {
        // A part that does not change stays what it is however far the ray goes.
        let along = |origin: f64, direction: f64| match direction {
            0.0 => origin,
            direction => origin + direction * t,
        };
        DVec3::new(
            along(self.origin.x, self.direction.x),
            along(self.origin.y, self.direction.y),
            along(self.origin.z, self.direction.z),
        )
    }

    /// The part from 0 to `t_max` that is over the world.
    pub(super) fn clip(&self, t_max: f64) -> Option<(f64, f64)> {
        let (mut first, mut last) = (0.0_f64, t_max);
        for (axis, edges) in [[0.0, WORLD], [0.0, WORLD], [-HEIGHTS, HEIGHTS]]
            .into_iter()
            .enumerate()
        {
            let (origin, direction) = (self.origin[axis], self.direction[axis]);
            if direction == 0.0 {
                if !(edges[0]..edges[1]).contains(&origin) {
                    return None;
                }
                continue;
            }
            let [a, b] = edges.map(|edge| (edge - origin) / direction);
            first = first.max(a.min(b));
            last = last.min(a.max(b));
        }
        (first <= last).then_some((first, last))
    }

    /// When it is at a height between those at two times.
    #[inline]
    fn time_at(&self, z: f64, [from, to]: [f64; 2]) -> f64 {
        ((z - self.origin.z) / self.direction.z).clamp(from, to)
    }

    pub(super) fn hit(&self, cell: GeoCell, t: f64, normal: Vec3, z: Option<f64>) -> LandHit {
        let at = self.at(t);
        let corner = ZERO_REGION.first_cell();
        let size = f64::from(CELL_SIZE);
        let position = DVec3::new(
            (at.x - f64::from(corner.x)) * size,
            -(at.y - f64::from(corner.y)) * size,
            z.unwrap_or(at.z),
        );
        LandHit {
            cell,
            t,
            position: position.as_vec3(),
            normal,
        }
    }
}

/// Heights of all layers of a cell from the ground up.
pub(super) type Heights = ArrayVec<i32, 255>;

impl Land {
    /// The first cell or wall that a ray hits, from either side, where they are shown in a shape; `t` is
    /// `0.0..=t_max`. A ray along a level cell does not meet it.
    pub fn cast_ray(&self, ray: &LandRay, t_max: f64, shape: TileShape) -> Option<LandHit> {
        let mut slopes = match shape {
            TileShape::Slopes => Some(TileSurface::new(self, shape)),
            TileShape::Plateaus => None,
        };
        let mut way = Way::new(ray, t_max)?;
        loop {
            if self.pass_empty_square(&mut way)? {
                continue;
            }
            if let Some(hit) = self.hit_in_block(&mut way, &mut slopes)? {
                return Some(hit);
            }
        }
    }

    /// Passes the largest square around a cell where nothing is to be hit, if there is one. `None` if the ray ends.
    #[inline]
    fn pass_empty_square(&self, way: &mut Way<'_>) -> Option<bool> {
        let cell = way.cell()?;
        let empty = match self.summaries.bounds(cell) {
            Some(bounds) => bounds.empty_square(cell, way),
            None => {
                let region = way.square(REGION);
                Some((region, way.exit(&region)))
            }
        };
        if let Some((square, exit)) = &empty {
            way.leave(square, exit)?;
        }
        Some(empty.is_some())
    }

    /// What is hit in the block around a cell or at its sides; the way continues behind it. `None` if it ends there.
    fn hit_in_block(
        &self,
        way: &mut Way<'_>,
        slopes: &mut Option<TileSurface<'_>>,
    ) -> Option<Option<LandHit>> {
        let ray = way.ray;
        let mut cell = way.cell()?;
        let block = self.geodata.block(cell)?;
        let number = |cell: GeoCell| (cell.x >> 3, cell.y >> 3);
        let this = number(cell);
        let is_flat = matches!(block, BlockView::Flat { .. });
        // A flat block is one plateau.
        let side = if is_flat && slopes.is_none() {
            BLOCK
        } else {
            1
        };
        // Filled in place and exchanged: they are a thousand bytes each.
        let (mut here, mut there) = (&mut Heights::new(), &mut Heights::new());
        heights_of(&block, cell, here);
        loop {
            let square = way.square(side);
            let exit = way.exit(&square);
            let times = [way.t, exit.t];
            let ground = match slopes {
                Some(slopes) => slopes.ground_hit(ray, cell, times, here),
                None => ground_hit(ray, (cell, side), times, here),
            };
            if ground.is_some() {
                return Some(ground);
            }
            let border = way.leave(&square, &exit)?;
            let Some(next) = way.cell() else {
                return Some(None);
            };
            let is_inside = number(next) == this;
            // What is on the border belongs to the next block, too.
            let bounds = self.summaries.bounds(next);
            if !is_inside && bounds.is_none_or(|bounds| bounds.empty_square(next, way).is_some()) {
                return Some(None);
            }
            let block_of_next = if is_inside {
                block
            } else {
                self.geodata.block(next)?
            };
            heights_of(&block_of_next, next, there);
            let columns = [(border.last, here.as_slice()), (next, there.as_slice())];
            let wall = match slopes {
                Some(slopes) => slopes.wall_at(columns, border.at),
                None => wall_at(columns, border.at.z),
            };
            if let Some((upper, z)) = wall {
                return Some(Some(ray.hit(upper, way.t, border.normal, Some(z))));
            }
            if !is_inside {
                return Some(None);
            }
            cell = next;
            std::mem::swap(&mut here, &mut there);
        }
    }
}

#[inline]
fn heights_of(block: &BlockView<'_>, cell: GeoCell, heights: &mut Heights) {
    heights.clear();
    block.layers_up(u32::from(cell.cell_index()), |layer| {
        // No cell has more.
        heights.try_push(layer.z).is_ok()
    });
}

/// The layer that a ray hits first between two times in a square of cells that are all the same, by one of them and the
/// square's side.
#[inline]
fn ground_hit(
    ray: &LandRay,
    (cell, side): (GeoCell, i32),
    times: [f64; 2],
    heights: &[i32],
) -> Option<LandHit> {
    let [a, b] = times.map(|t| ray.at(t).z);
    let passed = a.min(b)..=a.max(b);
    let mut hit: Option<(f64, f64)> = None;
    for &z in heights {
        let z = f64::from(z);
        // A level ray does not meet a plateau.
        if passed.contains(&z) && ray.direction.z != 0.0 {
            let t = ray.time_at(z, times);
            if hit.is_none_or(|(known, _)| t < known) {
                hit = Some((t, z));
            }
        }
    }
    let (t, z) = hit?;
    let normal = Vec3::Z * -ray.direction.z.signum() as f32;
    let at = ray.at(t);
    let inside = |at: f64, cell: u16| {
        let first = i32::from(cell) & -side;
        cell_along(at).clamp(first, first + side - 1) as u16
    };
    let cell = GeoCell {
        x: inside(at.x, cell.x),
        y: inside(at.y, cell.y),
    };
    Some(ray.hit(cell, t, normal, Some(z)))
}

/// The cell above the wall that is between two neighbors at a height, with that height.
#[inline]
fn wall_at([(a, of_a), (b, of_b)]: [(GeoCell, &[i32]); 2], z: f64) -> Option<(GeoCell, f64)> {
    let mut upper = None;
    walled(of_a, of_b, |at_a, at_b| {
        let (z_a, z_b) = (of_a[at_a], of_b[at_b]);
        let is_between = f64::from(z_a.min(z_b)) <= z && z <= f64::from(z_a.max(z_b));
        if z_a != z_b && is_between {
            upper = Some((if z_a > z_b { a } else { b }, z));
        }
    });
    upper
}
