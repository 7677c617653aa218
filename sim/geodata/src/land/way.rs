//! Following a ray over the grid of cells, from border to border of squares of any size.

use super::ray::{LandRay, WORLD};
use glam::{DVec3, Vec3};
use ironlands_sim_regions::GeoCell;

/// How far a ray has been followed.
pub(super) struct Way<'a> {
    pub ray: &'a LandRay,
    /// When it came into the cell.
    pub t: f64,
    t_end: f64,
    /// The cell that it is in at `t`, by numbers that may be just outside of the world.
    x: i32,
    y: i32,
}

/// A square of cells that the ray crosses as one: first cell, side.
#[derive(Clone, Copy)]
pub(super) struct Square {
    x: i32,
    y: i32,
    side: i32,
}

impl Square {
    /// Cells along its side.
    #[cfg(test)]
    pub fn side(&self) -> i32 {
        self.side
    }
}

/// Where a ray leaves a square, or ends in it.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub t: f64,
    is_end: bool,
    axis: Axis,
}

/// Over which border a square is left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    X,
    Y,
}

/// Where a ray left a square.
pub(super) struct Border {
    /// The cell before it.
    pub last: GeoCell,
    pub at: DVec3,
    /// Toward where the ray came from.
    pub normal: Vec3,
}

impl<'a> Way<'a> {
    /// `None` if it is nowhere over the world.
    pub fn new(ray: &'a LandRay, t_max: f64) -> Option<Self> {
        let (t, t_end) = ray.clip(t_max)?;
        let start = ray.at(t);
        Some(Self {
            ray,
            t,
            t_end,
            x: cell_along(start.x),
            y: cell_along(start.y),
        })
    }

    /// `None` outside of the world.
    pub fn cell(&self) -> Option<GeoCell> {
        Some(GeoCell {
            x: u16::try_from(self.x).ok()?,
            y: u16::try_from(self.y).ok()?,
        })
    }

    /// The square of a size, a power of two, that the ray is in.
    pub fn square(&self, side: i32) -> Square {
        Square {
            x: self.x & -side,
            y: self.y & -side,
            side,
        }
    }

    /// Where a square is left.
    #[inline]
    pub fn exit(&self, square: &Square) -> Exit {
        let along = |first: i32, axis: usize| {
            let direction = self.ray.direction[axis];
            let edge = if direction > 0.0 {
                first + square.side
            } else {
                first
            };
            match direction {
                0.0 => f64::INFINITY,
                _ => (f64::from(edge) - self.ray.origin[axis]) / direction,
            }
        };
        let (x, y) = (along(square.x, 0), along(square.y, 1));
        let (t, axis) = if x <= y { (x, Axis::X) } else { (y, Axis::Y) };
        Exit {
            t: t.clamp(self.t, self.t_end),
            is_end: t > self.t_end,
            axis,
        }
    }

    /// Heights where it is now and at an exit.
    #[inline]
    pub fn heights(&self, exit: &Exit) -> [f64; 2] {
        [self.t, exit.t].map(|t| self.ray.at(t).z)
    }

    /// Goes over the border of a square; `None` if the ray ends before.
    #[inline]
    pub fn leave(&mut self, square: &Square, exit: &Exit) -> Option<Border> {
        if exit.is_end {
            return None;
        }
        self.t = exit.t;
        let at = self.ray.at(exit.t);
        let inside = |at: f64, first: i32| cell_along(at).clamp(first, first + square.side - 1);
        // Behind the border, and before it.
        let over = |first: i32, direction: f64| match direction > 0.0 {
            true => (first + square.side, first + square.side - 1),
            false => (first - 1, first),
        };
        let direction = self.ray.direction;
        let ((x, last_x), (y, last_y), normal) = match exit.axis {
            Axis::X => {
                let y = inside(at.y, square.y);
                let normal = Vec3::X * -direction.x.signum() as f32;
                (over(square.x, direction.x), (y, y), normal)
            }
            Axis::Y => {
                let x = inside(at.x, square.x);
                let normal = Vec3::Y * direction.y.signum() as f32;
                ((x, x), over(square.y, direction.y), normal)
            }
        };
        (self.x, self.y) = (x, y);
        // Squares lie within the world.
        let last = GeoCell {
            x: last_x as u16,
            y: last_y as u16,
        };
        Some(Border { last, at, normal })
    }
}

/// The cell along an axis that a place is in.
pub(super) fn cell_along(at: f64) -> i32 {
    at.floor().clamp(0.0, WORLD - 1.0) as i32
}
