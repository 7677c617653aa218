//! The cells that a straight line passes, exactly. Dossier section 4.6.
//!
//! Points are counted in halves, so that none lies on a border, and borders are compared as whole numbers. From the
//! other end the line passes the same cells.

use super::world::GeoPoint;
use ironlands_assets_loader::lineage2::{GeoCell, OutsideWorld, ZERO_REGION};

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
    /// Borders that are left in x and in y.
    n_left: (u32, u32),
}

/// A border that the line crosses, or a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Crossing {
    /// -1, 0 or 1, not both 0.
    pub dx: i32,
    pub dy: i32,
    /// How far along the line, as a fraction.
    pub along: (i64, i64),
}

impl Crossing {
    pub(super) fn fraction(&self) -> f64 {
        self.along.0 as f64 / self.along.1 as f64
    }
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
        Ok(Self {
            start,
            length: (dx.abs(), dy.abs()),
            direction: (dx.signum() as i32, dy.signum() as i32),
            next: (next(first.x, start.0, dx), next(first.y, start.1, dy)),
            n_left: (
                u32::from(first.x.abs_diff(last.x)),
                u32::from(first.y.abs_diff(last.y)),
            ),
        })
    }

    /// The point where it crosses a border, moved into the cell that it leaves.
    pub(super) fn point_before(&self, crossing: &Crossing, cell: GeoCell) -> (i32, i32) {
        let (corner_x, corner_y) = cell.corner();
        let along = |start: i64, length: i64, direction: i32, corner: u16| {
            let (numerator, denominator) = crossing.along;
            // A line is at most 2^21 half points long, so products stay below 2^42.
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

impl Iterator for Line {
    type Item = Crossing;

    #[inline]
    fn next(&mut self) -> Option<Crossing> {
        let (left_x, left_y) = self.n_left;
        if left_x == 0 && left_y == 0 {
            return None;
        }
        // Which border comes first: next.x / length.x against next.y / length.y.
        let order = match (left_x, left_y) {
            (_, 0) => std::cmp::Ordering::Less,
            (0, _) => std::cmp::Ordering::Greater,
            _ => (self.next.0 * self.length.1).cmp(&(self.next.1 * self.length.0)),
        };
        let mut crossing = Crossing {
            dx: 0,
            dy: 0,
            along: (0, 1),
        };
        if order.is_ge() {
            crossing.dy = self.direction.1;
            crossing.along = (self.next.1, self.length.1);
            self.next.1 += CELL;
            self.n_left.1 -= 1;
        }
        if order.is_le() {
            crossing.dx = self.direction.0;
            crossing.along = (self.next.0, self.length.0);
            self.next.0 += CELL;
            self.n_left.0 -= 1;
        }
        Some(crossing)
    }
}
