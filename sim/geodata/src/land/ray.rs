//! The first thing that a ray hits: cells and the walls between them, as tiles of the finest level show them.
//!
//! The ray is followed from border to border, in steps as large as what it is over: a region that is not loaded, a
//! square of 32 x 32 cells that it passes above or below, a flat block, a cell.

use super::partners::walled;
use super::slope_ray::MAX_RISE;
use super::summary::FINEST;
use super::{Land, TileSurface};
use crate::pack::BlockView;
use glam::{DVec3, Vec3};
use ironlands_scene::TileShape;
use ironlands_sim_core::Ray;
use ironlands_sim_regions::{CELL_SIZE, GeoCell, ZERO_REGION};

/// Cells along a side of the world.
const WORLD: f64 = 65536.0;
/// All that is drawn is between minus this and this, points: heights have 16 bits.
const HEIGHTS: f64 = 40_000.0;

/// A ray in the world's grid: x and y in cells from the north-west corner, z in points.
#[derive(Debug, Clone, Copy)]
pub struct LandRay {
    origin: DVec3,
    direction: DVec3,
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

/// A square of cells that the ray crosses as one: first cell, side.
#[derive(Clone, Copy)]
struct Square {
    x: i32,
    y: i32,
    side: i32,
}

/// Over which border a square is left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    X,
    Y,
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
    fn clip(&self, t_max: f64) -> Option<(f64, f64)> {
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

    /// Where a square is left.
    fn exit(&self, square: &Square) -> (f64, Axis) {
        let along = |first: i32, axis: usize| {
            let direction = self.direction[axis];
            let edge = if direction > 0.0 {
                first + square.side
            } else {
                first
            };
            match direction {
                0.0 => f64::INFINITY,
                _ => (f64::from(edge) - self.origin[axis]) / direction,
            }
        };
        let (x, y) = (along(square.x, 0), along(square.y, 1));
        if x <= y { (x, Axis::X) } else { (y, Axis::Y) }
    }

    /// When it is at a height, if it is between two times.
    fn time_at(&self, z: i32, from: f64, to: f64) -> Option<f64> {
        if self.direction.z == 0.0 {
            return None;
        }
        let (a, b) = (self.at(from).z, self.at(to).z);
        let z = f64::from(z);
        let is_between = a.min(b) <= z && z <= a.max(b);
        is_between.then(|| ((z - self.origin.z) / self.direction.z).clamp(from, to))
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

impl Square {
    /// The square of a size, a power of two, that holds a cell.
    fn around(x: i32, y: i32, side: i32) -> Self {
        Self {
            x: x & -side,
            y: y & -side,
            side,
        }
    }
}

impl Land {
    /// The first cell or wall that a ray hits, from either side, where they are shown in a shape; `t` is
    /// `0.0..=t_max`. A ray along a level cell does not meet it.
    pub fn cast_ray(&self, ray: &LandRay, t_max: f64, shape: TileShape) -> Option<LandHit> {
        let mut slopes = match shape {
            TileShape::Slopes => Some(TileSurface::new(self, shape)),
            TileShape::Plateaus => None,
        };
        let (mut t, t_end) = ray.clip(t_max)?;
        let start = ray.at(t);
        let whole = |at: f64| at.floor().clamp(0.0, WORLD - 1.0) as i32;
        let (mut x, mut y) = (whole(start.x), whole(start.y));
        loop {
            let cell = cell_at(x, y)?;
            let (square, is_solid) = self.square_at(ray, cell, [t, t_end], shape);
            let (t_exit, axis) = ray.exit(&square);
            let t_out = t_exit.clamp(t, t_end);
            let ground = match &mut slopes {
                _ if !is_solid => None,
                Some(slopes) => slopes.ground_hit(ray, cell, [t, t_out]),
                None => self.ground_hit(ray, cell, t, t_out),
            };
            if ground.is_some() {
                return ground;
            }
            if t_exit > t_end {
                return None;
            }
            let leaves = ray.at(t_out);
            let inside = |at: f64, first: i32| whole(at).clamp(first, first + square.side - 1);
            let next = |first: i32, direction: f64| match direction > 0.0 {
                true => first + square.side,
                false => first - 1,
            };
            let (last, step) = match axis {
                Axis::X => {
                    let next = next(square.x, ray.direction.x);
                    y = inside(leaves.y, square.y);
                    let last = if next > square.x { next - 1 } else { next + 1 };
                    x = next;
                    ((last, y), -ray.direction.x.signum())
                }
                Axis::Y => {
                    let next = next(square.y, ray.direction.y);
                    x = inside(leaves.x, square.x);
                    let last = if next > square.y { next - 1 } else { next + 1 };
                    y = next;
                    ((x, last), ray.direction.y.signum())
                }
            };
            if is_solid && let (Some(last), Some(next)) = (cell_at(last.0, last.1), cell_at(x, y)) {
                let normal = match axis {
                    Axis::X => Vec3::X * step as f32,
                    Axis::Y => Vec3::Y * step as f32,
                };
                let wall = match &mut slopes {
                    Some(slopes) => slopes.wall_at(last, next, leaves),
                    None => self.wall_at(last, next, leaves.z),
                };
                if let Some((upper, z)) = wall {
                    return Some(ray.hit(upper, t_out, normal, Some(z)));
                }
            }
            t = t_out;
        }
    }

    /// The largest square around a cell that is crossed as one, and whether there is anything to be hit in it.
    fn square_at(
        &self,
        ray: &LandRay,
        cell: GeoCell,
        [t, t_end]: [f64; 2],
        shape: TileShape,
    ) -> (Square, bool) {
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        let Some([low, high]) = self.summaries.solid(cell) else {
            return (Square::around(x, y, 2048), false);
        };
        let square = Square::around(x, y, 1 << FINEST);
        let t_out = ray.exit(&square).0.clamp(t, t_end);
        let (a, b) = (ray.at(t).z, ray.at(t_out).z);
        let rise = match shape {
            TileShape::Slopes => f64::from(MAX_RISE),
            TileShape::Plateaus => 0.0,
        };
        if a.max(b) < f64::from(low) - rise || a.min(b) > f64::from(high) + rise {
            return (square, false);
        }
        let is_level = shape == TileShape::Plateaus;
        match self.geodata.block(cell) {
            Some(BlockView::Flat { .. }) if is_level => (Square::around(x, y, 8), true),
            _ => (Square::around(x, y, 1), true),
        }
    }

    /// The layer of a cell that a ray hits first between two times.
    fn ground_hit(&self, ray: &LandRay, cell: GeoCell, from: f64, to: f64) -> Option<LandHit> {
        let block = self.geodata.block(cell)?;
        let mut first: Option<(f64, i32)> = None;
        block.layers_up(u32::from(cell.cell_index()), |layer| {
            if let Some(t) = ray.time_at(layer.z, from, to)
                && first.is_none_or(|(known, _)| t < known)
            {
                first = Some((t, layer.z));
            }
            true
        });
        let (t, z) = first?;
        let normal = Vec3::Z * -ray.direction.z.signum() as f32;
        let at = ray.at(t);
        // In a flat block it may be another cell than the one that it came into.
        let cell = match block {
            BlockView::Flat { .. } => {
                let inside = |at: f64, cell: u16| {
                    let first = f64::from(cell & !7);
                    at.floor().clamp(first, first + 7.0) as u16
                };
                GeoCell {
                    x: inside(at.x, cell.x),
                    y: inside(at.y, cell.y),
                }
            }
            BlockView::Complex(_) | BlockView::Multilayer(_) => cell,
        };
        Some(ray.hit(cell, t, normal, Some(f64::from(z))))
    }

    /// The cell above the wall that is between two neighbors at a height, with that height.
    fn wall_at(&self, a: GeoCell, b: GeoCell, z: f64) -> Option<(GeoCell, f64)> {
        let (of_a, of_b) = (self.heights(a)?, self.heights(b)?);
        let mut upper = None;
        walled(&of_a, &of_b, |at_a, at_b| {
            let (z_a, z_b) = (of_a[at_a], of_b[at_b]);
            let is_between = f64::from(z_a.min(z_b)) <= z && z <= f64::from(z_a.max(z_b));
            if z_a != z_b && is_between {
                upper = Some((if z_a > z_b { a } else { b }, z));
            }
        });
        upper
    }

    /// Heights of all layers of a cell from the ground up.
    pub(super) fn heights(&self, cell: GeoCell) -> Option<arrayvec::ArrayVec<i32, 255>> {
        let block = self.geodata.block(cell)?;
        let mut heights = arrayvec::ArrayVec::new();
        block.layers_up(u32::from(cell.cell_index()), |layer| {
            // No cell has more.
            heights.try_push(layer.z).is_ok()
        });
        Some(heights)
    }
}

fn cell_at(x: i32, y: i32) -> Option<GeoCell> {
    Some(GeoCell {
        x: u16::try_from(x).ok()?,
        y: u16::try_from(y).ok()?,
    })
}
