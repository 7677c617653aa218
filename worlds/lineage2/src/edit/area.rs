//! The cells that an edit changes: rectangles, brushes, paths, and connected ground.

use super::fill::Fill;
use ironlands_assets_lineage2::{CELL_SIZE, GeoCell, OutsideWorld};
use thiserror::Error;

/// Cells that an edit may change: those of four regions.
pub const MAX_CELLS: usize = 1 << 24;

/// A set of cells, in points of the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Area {
    /// Between two corners, with the cells of both.
    Rectangle {
        /// x and y.
        from: (i32, i32),
        /// x and y.
        to: (i32, i32),
    },
    /// Cells whose middle is within a radius, and the cell of the center.
    Brush {
        /// x and y.
        center: (i32, i32),
        /// In points.
        radius: i32,
    },
    /// Cells whose middle is within half a width of a line through points.
    Path {
        /// x and y of each.
        points: Vec<(i32, i32)>,
        /// In points.
        width: i32,
    },
    /// Layers that are connected to one, in all cells that they reach.
    Fill(Fill),
}

/// An area cannot be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AreaTooLarge {
    /// It leaves the grid of regions.
    #[error(transparent)]
    Outside(#[from] OutsideWorld),
    /// It has more cells than one edit may change.
    #[error("an area of more than {MAX_CELLS} cells")]
    Cells,
    /// Its cells are not known without the ground.
    #[error("a fill has no cells without the ground")]
    NeedsGround,
}

impl Area {
    /// All cells, x-major. [`EditSession::cells`](super::EditSession::cells) also has those of a fill.
    ///
    /// # Errors
    /// If it leaves the grid of regions, has more than [`MAX_CELLS`] cells around it, or is a fill.
    pub fn cells(&self) -> Result<Vec<GeoCell>, AreaTooLarge> {
        match self {
            Self::Rectangle { from, to } => cells_where(*from, *to, |_| true),
            Self::Brush { center, radius } => {
                let own = GeoCell::from_point(center.0, center.1)?;
                let (low, high) = around(&[*center], *radius);
                cells_where(low, high, |cell| {
                    cell == own || distance_squared(cell, *center, *center) <= square(*radius)
                })
            }
            Self::Path { points, width } => {
                let reach = *width / 2;
                let (low, high) = around(points, reach);
                // Of a single point the line is that point.
                let last = points.last().copied();
                let ends = points
                    .iter()
                    .copied()
                    .zip(points.iter().copied().skip(1).chain(last));
                let lines: Vec<_> = ends.collect();
                cells_where(low, high, |cell| {
                    let mut lines = lines.iter();
                    lines.any(|(a, b)| {
                        distance_squared(cell, *a, *b) <= square(reach.max(CELL_SIZE / 2))
                    })
                })
            }
            Self::Fill(_) => Err(AreaTooLarge::NeedsGround),
        }
    }
}

/// The corners of a box around points.
fn around(points: &[(i32, i32)], reach: i32) -> ((i32, i32), (i32, i32)) {
    let bound = |of: fn(&(i32, i32)) -> i32| {
        let numbers = || points.iter().map(of);
        let low = numbers().min().unwrap_or_default();
        let high = numbers().max().unwrap_or_default();
        (low.saturating_sub(reach), high.saturating_add(reach))
    };
    let ((x0, x1), (y0, y1)) = (bound(|it| it.0), bound(|it| it.1));
    ((x0, y0), (x1, y1))
}

fn cells_where(
    a: (i32, i32),
    b: (i32, i32),
    is_inside: impl Fn(GeoCell) -> bool,
) -> Result<Vec<GeoCell>, AreaTooLarge> {
    let first = GeoCell::from_point(a.0.min(b.0), a.1.min(b.1))?;
    let last = GeoCell::from_point(a.0.max(b.0), a.1.max(b.1))?;
    let side = |first: u16, last: u16| usize::from(last - first) + 1;
    if side(first.x, last.x) * side(first.y, last.y) > MAX_CELLS {
        return Err(AreaTooLarge::Cells);
    }
    let cells = (first.x..=last.x).flat_map(|x| (first.y..=last.y).map(move |y| GeoCell { x, y }));
    Ok(cells.filter(|cell| is_inside(*cell)).collect())
}

fn square(n: i32) -> f64 {
    f64::from(n) * f64::from(n)
}

/// Of the middle of a cell from a line between two points, squared.
fn distance_squared(cell: GeoCell, a: (i32, i32), b: (i32, i32)) -> f64 {
    let (x, y) = cell.center();
    let point = |(x, y): (i32, i32)| (f64::from(x), f64::from(y));
    let ((x, y), (ax, ay), (bx, by)) = (point((x, y)), point(a), point(b));
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx * dx + dy * dy;
    let along = match length > 0.0 {
        true => (((x - ax) * dx + (y - ay) * dy) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    let (ex, ey) = (ax + along * dx - x, ay + along * dy - y);
    ex * ex + ey * ey
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_have_the_cells_that_they_cover() {
        let rectangle = Area::Rectangle {
            from: (33, 15),
            to: (0, -1),
        };
        let corner = GeoCell::from_point(0, -1).unwrap();
        let cells = rectangle.cells().unwrap();
        assert_eq!(cells.len(), 3 * 2);
        assert_eq!(cells[0], corner);
        let dot = Area::Brush {
            center: (8, 8),
            radius: 0,
        };
        assert_eq!(dot.cells().unwrap(), [GeoCell::from_point(8, 8).unwrap()]);
        // A middle cell and its four neighbors, whose middles are 16 away.
        let brush = Area::Brush {
            center: (8, 8),
            radius: 16,
        };
        assert_eq!(brush.cells().unwrap().len(), 5);
        let path = Area::Path {
            points: vec![(8, 8), (168, 8), (168, 88)],
            width: 1,
        };
        assert_eq!(path.cells().unwrap().len(), 11 + 5);
    }

    #[test]
    fn areas_that_are_too_large_or_outside_are_refused() {
        let huge = Area::Rectangle {
            from: (-300_000, -300_000),
            to: (300_000, 300_000),
        };
        assert_eq!(huge.cells(), Err(AreaTooLarge::Cells));
        let outside = Area::Brush {
            center: (0, 0),
            radius: i32::MAX,
        };
        assert!(matches!(outside.cells(), Err(AreaTooLarge::Outside(_))));
    }
}
