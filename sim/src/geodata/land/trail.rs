//! The ground under a straight walk, to be drawn.

use crate::geodata::line::Line;
use crate::geodata::step::Steps;
use crate::geodata::{GeoPoint, Geodata, GeodataError, Profile};

/// Where a straight walk comes, on the ground of each cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trail {
    /// The start, where it enters and leaves each cell, and its end.
    pub points: Vec<GeoPoint>,
}

impl Trail {
    /// Follows a walk as [`Geodata::movement`] makes it, as far as it comes.
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
        let mut points = vec![GeoPoint { z: stand.z, ..from }];
        let mut line = Line::new(from, to)?;
        while let Some(crossing) = line.crossing() {
            let (x, y) = line.point_before(stand.cell);
            points.push(GeoPoint::new(x, y, stand.z));
            let Ok(next) = steps.step(&stand, crossing.dx, crossing.dy) else {
                return Ok(Self { points });
            };
            stand = next;
            points.push(GeoPoint::new(x, y, stand.z));
            line.pass();
        }
        points.push(GeoPoint { z: stand.z, ..to });
        Ok(Self { points })
    }
}
