//! Line of sight: cells are plateaus, closed sides are walls up to the next layer. Dossier section 4.7.

use super::column::no_data;
use super::line::Line;
use super::profile::{LineRule, NoDataRule, Profile};
use super::step::{Steps, neighbor, side};
use super::straight_walk::MIN_LINES_PER_TASK;
use super::world::{GeoPoint, Geodata, GeodataError};
use ironlands_sim_regions::{GeoCell, Nswe};
use rayon::prelude::*;

/// How far an obstacle may reach above the line between the eyes.
const MAX_OBSTACLE: f64 = 32.0;
/// The ground of a viewer is less than this above its point.
const STAND_REACH: i32 = 8;
/// An open side leads to the highest layer less than this far above.
const OPEN_REACH: i32 = 48;
/// Behind a closed side stands a wall, whose top is the first layer that is not this far below.
const WALL_REACH: i32 = 16;

/// One end of a line of sight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewer {
    /// Where the viewer stands.
    pub point: GeoPoint,
    /// Height of the eye above that. Servers take three quarters of the collision height, twice.
    pub eye_height: f32,
}

impl Viewer {
    /// A viewer at a point with the eye at a height above it.
    pub const fn new(point: GeoPoint, eye_height: f32) -> Self {
        Self { point, eye_height }
    }

    fn eye(&self) -> f64 {
        f64::from(self.point.z) + f64::from(self.eye_height)
    }
}

/// The ground under a line of sight.
#[derive(Clone, Copy)]
struct Ground {
    cell: GeoCell,
    z: i32,
    nswe: Nswe,
}

impl Geodata {
    /// Whether two see each other: each the other.
    ///
    /// # Errors
    /// If a point is outside of all regions, or none is loaded where `a` stands.
    pub fn line_of_sight(
        &self,
        a: &Viewer,
        b: &Viewer,
        no_data: NoDataRule,
    ) -> Result<bool, GeodataError> {
        Ok(self.one_way_line_of_sight(a, b, no_data)?
            && self.one_way_line_of_sight(b, a, no_data)?)
    }

    /// Whether the first sees the second, and the second the first, by the rules of a profile: eye heights and walls, or
    /// those of [`LineRule::Bresenham`], which are the same both ways.
    ///
    /// # Errors
    /// If a point is outside of all regions, or none is loaded where `a` stands.
    pub fn line_of_sight_both_ways(
        &self,
        a: &Viewer,
        b: &Viewer,
        profile: &Profile,
    ) -> Result<[bool; 2], GeodataError> {
        match profile.lines {
            LineRule::EveryCell => Ok([
                self.one_way_line_of_sight(a, b, profile.no_data)?,
                self.one_way_line_of_sight(b, a, profile.no_data)?,
            ]),
            LineRule::Bresenham => {
                let is_free = self.grid_line_of_sight(a.point, b.point, profile)?;
                Ok([is_free; 2])
            }
        }
    }

    /// Whether the first sees the second; the reverse may differ.
    ///
    /// # Errors
    /// If a point is outside of all regions, or none is loaded where `from` stands.
    pub fn one_way_line_of_sight(
        &self,
        from: &Viewer,
        to: &Viewer,
        no_data_rule: NoDataRule,
    ) -> Result<bool, GeodataError> {
        let profile = Profile::ACIS.with_no_data(no_data_rule);
        let mut steps = Steps::new(self, profile);
        let mut line = Line::new(from.point, to.point)?;
        let (first, last) = (from.point.cell()?, to.point.cell()?);
        let Some(block) = steps.block(first) else {
            return match no_data_rule {
                NoDataRule::Blocked => Err(no_data(first)),
                NoDataRule::Open => Ok(true),
            };
        };
        let block = *block;
        let at = u32::from(first.cell_index());
        let ground_of = |z: i32| block.highest_up_to(at, z.saturating_add(STAND_REACH - 1));
        let Some(start) = ground_of(from.point.z) else {
            return Ok(false);
        };
        if first == last {
            return Ok(ground_of(to.point.z).is_some_and(|ground| ground.z == start.z));
        }
        let mut ground = Ground {
            cell: first,
            z: start.z,
            nswe: block.nswe(at, start.index),
        };
        let (top, rise) = (from.eye() + MAX_OBSTACLE, to.eye() - from.eye());
        let limit_at = |(numerator, denominator): (i64, i64)| {
            top + rise * (numerator as f64 / denominator as f64)
        };
        loop {
            if let Some(side) = steps.flat_side(ground.cell) {
                let first = line.along();
                let cell = line.pass_within(ground.cell, side);
                // Limits are monotonic, so the lowest is at one end.
                let lowest = if rise >= 0.0 {
                    first
                } else {
                    line.along_before()
                };
                let is_clear = f64::from(ground.z) <= limit_at(lowest);
                if cell != ground.cell && !is_clear {
                    return Ok(false);
                }
                ground.cell = cell;
            }
            let Some(crossing) = line.crossing() else {
                return Ok(true);
            };
            let limit = limit_at(line.along());
            let next = match (crossing.dx, crossing.dy) {
                (dx, 0) => over(&mut steps, ground, dx, 0, limit),
                (0, dy) => over(&mut steps, ground, 0, dy, limit),
                // At a corner both neighbors must be clear.
                (dx, dy) => {
                    let by_y = over(&mut steps, ground, 0, dy, limit)
                        .and_then(|ground| over(&mut steps, ground, dx, 0, limit));
                    let by_x = over(&mut steps, ground, dx, 0, limit)
                        .and_then(|ground| over(&mut steps, ground, 0, dy, limit));
                    by_y.and(by_x)
                }
            };
            let Some(next) = next else {
                return Ok(false);
            };
            ground = next;
            line.pass();
        }
    }

    /// [`line_of_sight`](Self::line_of_sight) of many on all threads; `false` for an error.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn line_of_sight_batch(
        &self,
        pairs: &[(Viewer, Viewer)],
        no_data: NoDataRule,
        line_of_sight_batch: &mut [bool],
    ) {
        assert_eq!(
            pairs.len(),
            line_of_sight_batch.len(),
            "one result per pair"
        );
        line_of_sight_batch
            .par_iter_mut()
            .zip(pairs)
            .with_min_len(MIN_LINES_PER_TASK)
            .for_each(|(sight, (a, b))| {
                *sight = self.line_of_sight(a, b, no_data).unwrap_or(false);
            });
    }
}

/// The ground behind a border; `None` if it hides the line.
#[inline]
fn over(steps: &mut Steps<'_>, ground: Ground, dx: i32, dy: i32, limit: f64) -> Option<Ground> {
    let cell = neighbor(ground.cell, dx, dy)?;
    let Some(block) = steps.block(cell) else {
        // Open ground continues as it was.
        return steps.stand(cell, ground.z).map(|_| Ground {
            cell,
            z: ground.z,
            nswe: Nswe::ALL_SIDES,
        });
    };
    let at = u32::from(cell.cell_index());
    let (layer, nswe) = if ground.nswe.contains(side(dx, dy)) {
        block.stand_up_to(at, ground.z + OPEN_REACH - 1)?
    } else {
        let layer = block.lowest_from(at, ground.z - WALL_REACH + 1)?;
        (layer, block.nswe(at, layer.index))
    };
    (f64::from(layer.z) <= limit).then_some(Ground {
        cell,
        z: layer.z,
        nswe,
    })
}
