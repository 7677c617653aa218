//! The cells that a straight line passes, exactly. Dossier section 4.6.
//!
//! Points are counted in halves, so that none lies on a border, and borders are compared as whole numbers. From the
//! other end the line passes the same cells.

use super::world::GeoPoint;
use ironlands_sim_regions::{GeoCell, OutsideWorld, ZERO_REGION};

/// Side of a cell in half points.
const CELL: i64 = 32;

/// A line between two points, as a walk over the borders of cells.
pub(super) struct Line {
    /// Half points from the corner of region 0_0.
    start: (i64, i64),
    /// How far it goes in x and in y, in half points, without its direction.
    length: (i64, i64),
    direction: (i32, i32),
    /// Distance from the start to the next border in x and in y.
    next: (i64, i64),
    /// Which border comes first, that in x below 0: `next.0 * length.1 - next.1 * length.0`. A line is at most 2^21
    /// half points long, so products stay below 2^43. Behind the last border in x there is none before the end, so
    /// this gives the right one there, too.
    order: i64,
    /// Borders that are left, in x and in y together.
    n_left: u32,
    /// The cell that it ends in.
    last: GeoCell,
}

/// A border that the line crosses, or a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Crossing {
    /// -1, 0 or 1, not both 0.
    pub dx: i32,
    pub dy: i32,
}

impl Line {
    /// # Errors
    /// If an end is outside of all regions.
    pub(super) fn new(from: GeoPoint, to: GeoPoint) -> Result<Self, OutsideWorld> {
        let (first, last) = (from.cell()?, to.cell()?);
        let corner = ZERO_REGION.first_cell();
        let half = |at: i32, corner: u16| 2 * (i64::from(at) + i64::from(corner) * CELL / 2) + 1;
        let start = (half(from.x, corner.x), half(from.y, corner.y));
        let end = (half(to.x, corner.x), half(to.y, corner.y));
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let next = |cell: u16, start: i64, d: i64| {
            let border = (i64::from(cell) + i64::from(d > 0)) * CELL;
            (border - start).abs()
        };
        let next = (next(first.x, start.0, dx), next(first.y, start.1, dy));
        let length = (dx.abs(), dy.abs());
        Ok(Self {
            start,
            length,
            direction: (dx.signum() as i32, dy.signum() as i32),
            next,
            order: next.0 * length.1 - next.1 * length.0,
            n_left: u32::from(first.x.abs_diff(last.x)) + u32::from(first.y.abs_diff(last.y)),
            last,
        })
    }

    /// The border that it crosses next; `None` at its end.
    #[inline]
    pub(super) fn crossing(&self) -> Option<Crossing> {
        (self.n_left > 0).then_some(Crossing {
            dx: if self.order <= 0 { self.direction.0 } else { 0 },
            dy: if self.order >= 0 { self.direction.1 } else { 0 },
        })
    }

    /// Goes over the border that it came to.
    #[inline]
    pub(super) fn pass(&mut self) {
        // The next turn of a line cannot be predicted, so numbers are selected instead of branches.
        let in_x = i64::from(self.order <= 0);
        let in_y = i64::from(self.order >= 0);
        self.next.0 += CELL * in_x;
        self.next.1 += CELL * in_y;
        self.order += CELL * (self.length.1 & -in_x) - CELL * (self.length.0 & -in_y);
        self.n_left -= (in_x + in_y) as u32;
    }

    /// Continues from `cell` while it stays in the square of `side` cells around it, a power of two. Returns the cell
    /// that it reaches.
    #[inline]
    pub(super) fn pass_within(&mut self, cell: GeoCell, side: u16) -> GeoCell {
        // Borders before that of the square, and before the end.
        let inside = |at: u16, direction: i32| match direction > 0 {
            true => !at & (side - 1),
            false => at & (side - 1),
        };
        let n = (
            i64::from(inside(cell.x, self.direction.0)),
            i64::from(inside(cell.y, self.direction.1)),
        );
        let left = (
            i64::from(self.last.x.abs_diff(cell.x)),
            i64::from(self.last.y.abs_diff(cell.y)),
        );
        let passed = if left.0 <= n.0 && left.1 <= n.1 {
            left
        } else {
            self.borders_before(n)
        };
        let (length_x, length_y) = self.length;
        self.next.0 += CELL * passed.0;
        self.next.1 += CELL * passed.1;
        self.order += CELL * (passed.0 * length_y - passed.1 * length_x);
        self.n_left -= (passed.0 + passed.1) as u32;
        // No more than the side of the square.
        let moved =
            |at: u16, direction: i32, n: i64| at.wrapping_add_signed(direction as i16 * n as i16);
        GeoCell {
            x: moved(cell.x, self.direction.0, passed.0),
            y: moved(cell.y, self.direction.1, passed.1),
        }
    }

    /// How many borders in x and in y it crosses before the first of two: that behind `n.0` others in x, and that behind
    /// `n.1` others in y.
    #[inline]
    fn borders_before(&self, n: (i64, i64)) -> (i64, i64) {
        let (length_x, length_y) = self.length;
        let order = self.order + CELL * (n.0 * length_y - n.1 * length_x);
        // Those of the other axis that come before it, not at a corner with it: a quotient, rounded up. The length along
        // an axis whose border comes first is not 0.
        let before = |order: i64, length: i64| (order + CELL * length - 1).max(0) / (CELL * length);
        match order {
            ..0 => (n.0, before(self.order + CELL * n.0 * length_y, length_x)),
            0 => n,
            1.. => (before(CELL * n.1 * length_x - self.order, length_y), n.1),
        }
    }

    /// How far along it the next border is, as a fraction.
    #[inline]
    pub(super) fn along(&self) -> (i64, i64) {
        if self.order <= 0 {
            (self.next.0, self.length.0)
        } else {
            (self.next.1, self.length.1)
        }
    }

    /// How far along it the last border is that it passed.
    #[inline]
    pub(super) fn along_before(&self) -> (i64, i64) {
        let before = (self.next.0 - CELL, self.next.1 - CELL);
        if before.0 * self.length.1 >= before.1 * self.length.0 {
            (before.0, self.length.0)
        } else {
            (before.1, self.length.1)
        }
    }

    /// The point where it crosses the next border, moved into the cell that it leaves.
    pub(super) fn point_before(&self, cell: GeoCell) -> (i32, i32) {
        let (corner_x, corner_y) = cell.corner();
        let along = |start: i64, length: i64, direction: i32, corner: u16| {
            let (numerator, denominator) = self.along();
            let moved = start + i64::from(direction) * (length * numerator / denominator);
            moved.div_euclid(2) - i64::from(corner) * CELL / 2
        };
        let zero = ZERO_REGION.first_cell();
        let x = along(self.start.0, self.length.0, self.direction.0, zero.x);
        let y = along(self.start.1, self.length.1, self.direction.1, zero.y);
        let inside =
            |at: i64, corner: i32| at.clamp(i64::from(corner), i64::from(corner) + 15) as i32;
        (inside(x, corner_x), inside(y, corner_y))
    }
}
