//! Going straight from point to point. Dossier section 4.6.

use super::column::no_data;
use super::grid_line;
use super::line::Line;
use super::profile::{LineRule, Profile};
use super::step::{GroundPosition, Steps};
use super::world::{GeoPoint, Geodata, GeodataError};
use ironlands_sim_regions::GeoCell;
use rayon::prelude::*;

/// Lines that one rayon task takes at least.
pub(super) const MIN_LINES_PER_TASK: usize = 64;

/// How a straight walk ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StraightWalk {
    /// Whether it arrives.
    pub end: StraightWalkEnd,
    /// The last cell that it reaches.
    pub cell: GeoCell,
    /// The last valid point: the target if it arrives, else where the line leaves the last cell, in that cell and at
    /// its height; of [`LineRule::Bresenham`] the middle of that cell.
    pub point: GeoPoint,
}

/// Whether a walk arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StraightWalkEnd {
    /// At the target, on the layer that is nearest to it.
    Reached,
    /// Above or below it. Servers take this for no way at all, and stay where they are.
    OtherLayer,
    /// Not there.
    Blocked(BlockedBy),
}

/// Why a step cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockedBy {
    /// The side of the cell is closed, or one on the way around a corner.
    ClosedSide,
    /// All layers behind it are too high.
    Climb,
    /// The layer behind it is too far down.
    Drop,
    /// No region is loaded there.
    NoData,
}

impl Geodata {
    /// Goes straight from point to point. The walk begins on the layer nearest to `from`.
    ///
    /// # Errors
    /// If a point is outside of all regions, or there is none at `from`.
    pub fn straight_walk(
        &self,
        from: GeoPoint,
        to: GeoPoint,
        profile: &Profile,
    ) -> Result<StraightWalk, GeodataError> {
        let mut steps = Steps::new(self, *profile);
        let first = from.cell()?;
        let start = steps.stand(first, from.z).ok_or(no_data(first))?;
        walk(&mut steps, start, from, to).map(|(movement, _)| movement)
    }

    /// Whether a straight walk arrives; see [`straight_walk`](Self::straight_walk).
    ///
    /// # Errors
    /// As there.
    pub fn is_straight_walk_free(
        &self,
        from: GeoPoint,
        to: GeoPoint,
        profile: &Profile,
    ) -> Result<bool, GeodataError> {
        let movement = self.straight_walk(from, to, profile)?;
        Ok(movement.end == StraightWalkEnd::Reached)
    }

    /// [`straight_walk`](Self::straight_walk) of many on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn straight_walk_batch(
        &self,
        lines: &[(GeoPoint, GeoPoint)],
        profile: &Profile,
        straight_walk_batch: &mut [Result<StraightWalk, GeodataError>],
    ) {
        assert_eq!(
            lines.len(),
            straight_walk_batch.len(),
            "one movement a line"
        );
        straight_walk_batch
            .par_iter_mut()
            .zip(lines)
            .with_min_len(MIN_LINES_PER_TASK)
            .for_each(|(movement, &(from, to))| *movement = self.straight_walk(from, to, profile));
    }
}

/// Continues from a position; returns the next position, too.
pub(super) fn walk(
    steps: &mut Steps<'_>,
    start: GroundPosition,
    from: GeoPoint,
    to: GeoPoint,
) -> Result<(StraightWalk, GroundPosition), GeodataError> {
    if steps.profile().lines == LineRule::Bresenham {
        return Ok(grid_line::walk(steps, start, to)?);
    }
    let mut line = Line::new(from, to)?;
    let mut stand = start;
    loop {
        if let Some(side) = steps.flat_side(stand.cell) {
            stand.cell = line.pass_within(stand.cell, side);
        }
        let Some(crossing) = line.crossing() else {
            break;
        };
        match steps.step(&stand, crossing.dx, crossing.dy) {
            Ok(next) => stand = next,
            Err(why) => {
                let (x, y) = line.point_before(stand.cell);
                let movement = StraightWalk {
                    end: StraightWalkEnd::Blocked(why),
                    cell: stand.cell,
                    point: GeoPoint::new(x, y, stand.z),
                };
                return Ok((movement, stand));
            }
        }
        line.pass();
    }
    let is_there = match steps.block(stand.cell) {
        Some(block) => block.nearest(u32::from(stand.cell.cell_index()), to.z).z == stand.z,
        // Open ground without data is at any height.
        None => true,
    };
    let end = if is_there {
        StraightWalkEnd::Reached
    } else {
        StraightWalkEnd::OtherLayer
    };
    let movement = StraightWalk {
        end,
        cell: stand.cell,
        point: GeoPoint::new(to.x, to.y, stand.z),
    };
    Ok((movement, stand))
}
