//! The ground under a straight walk, to be drawn.

use crate::line::Line;
use crate::step::{GroundPosition, Steps};
use crate::{GeoPoint, Geodata, GeodataError, Profile};
use ironlands_sim_regions::CELL_SIZE;

/// Where a straight walk comes, on the ground of each cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trail {
    /// The start, where it enters and leaves each cell, and its end.
    pub points: Vec<TrailPoint>,
}

/// A point on the ground of its cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrailPoint {
    /// Where it is; its height is that of the layer.
    pub at: GeoPoint,
    /// Place of the layer from the ground up.
    pub layer: u8,
}

impl Trail {
    /// Follows a walk as [`Geodata::straight_walk`] makes it, as far as it comes.
    ///
    /// # Errors
    /// If a point is outside of all regions, or there is none at `from`.
    pub fn new(
        geodata: &Geodata,
        from: GeoPoint,
        to: GeoPoint,
        profile: &Profile,
    ) -> Result<Self, GeodataError> {
        let mut steps = Steps::new(geodata, *profile);
        let cell = from.cell()?;
        let start = steps.stand(cell, from.z);
        let mut stand = start.ok_or(GeodataError::NoData {
            region: cell.region(),
        })?;
        let mut points = vec![on(&stand, from.x, from.y)];
        let mut line = Line::new(from, to)?;
        while let Some(crossing) = line.crossing() {
            let (x, y) = line.point_before(stand.cell);
            points.push(on(&stand, x, y));
            let Ok(next) = steps.step(&stand, crossing.dx, crossing.dy) else {
                return Ok(Self { points });
            };
            stand = next;
            points.push(on(&stand, x, y));
            line.pass();
        }
        points.push(on(&stand, to.x, to.y));
        Ok(Self { points })
    }
}

/// The point of the cell where a character stands, or the nearest one.
fn on(stand: &GroundPosition, x: i32, y: i32) -> TrailPoint {
    let (left, top) = stand.cell.corner();
    let inside = |at: i32, corner: i32| at.clamp(corner, corner + CELL_SIZE - 1);
    TrailPoint {
        at: GeoPoint::new(inside(x, left), inside(y, top), stand.z),
        layer: stand.layer,
    }
}
