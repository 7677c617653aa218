//! Batches of one kind as arrays of whole numbers: what the command's binary form and programs in other languages
//! pass.
//!
//! A query is a row of numbers, its result is another:
//!
//! | kind | query | result |
//! | --- | --- | --- |
//! | height | x, y, z | height of the nearest layer, or [`NO_HEIGHT`] |
//! | straight walk | from x, y, z, to x, y, z | end, last valid point x, y, z |
//! | line of sight | from x, y, z, to x, y, z | 1 if the first sees the second, plus 2 if the second sees the first |
//! | swim | from x, y, z, to x, y, z | end, last point x, y, z |
//! | fly | from x, y, z, to x, y, z | end, last point x, y, z |
//!
//! Ends are the numbers of [`StraightWalkEnd::number`], [`SwimEnd::number`] and of flights: 0 reached, 1 blocked.
//! Where a query has no result, its first number is [`NO_RESULT`] (of a height [`NO_HEIGHT`]) and the point is the start.

use super::straight_walk::MIN_LINES_PER_TASK;
use super::{
    BlockedBy, GeoPoint, Geodata, GeodataError, Profile, StraightWalkEnd, SwimEnd, Viewer,
};
use rayon::prelude::*;
use thiserror::Error;

/// The height where there is none.
pub const NO_HEIGHT: i32 = i32::MIN;
/// The end of a line without a result: its start is outside of all regions or has none.
pub const NO_RESULT: i32 = -1;

/// What the rows of an array are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ArrayQuery {
    /// [`Geodata::height`].
    Height,
    /// [`Geodata::straight_walk`] by a step rule.
    StraightWalk(Profile),
    /// [`Geodata::line_of_sight_both_ways`].
    LineOfSight {
        /// Height of the eyes above both points.
        eye_height: f32,
        /// How lines of sight go.
        profile: Profile,
    },
    /// [`Geodata::swim`].
    Swim,
    /// [`Geodata::fly`].
    Fly {
        /// Required clearance above the line.
        height: i32,
    },
}

/// Two arrays that do not go with one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{n_in} numbers of queries and {n_out} of results; expected rows of {row_in} and as many rows of {row_out}"
)]
pub struct ArrayLengthError {
    /// Numbers of queries.
    pub n_in: usize,
    /// Numbers of results.
    pub n_out: usize,
    /// Numbers of a query.
    pub row_in: usize,
    /// Numbers of a result.
    pub row_out: usize,
}

impl ArrayQuery {
    /// Numbers of a query.
    pub const fn row_in(&self) -> usize {
        match self {
            Self::Height => 3,
            _ => 6,
        }
    }

    /// Numbers of a result.
    pub const fn row_out(&self) -> usize {
        match self {
            Self::Height | Self::LineOfSight { .. } => 1,
            Self::StraightWalk(_) | Self::Swim | Self::Fly { .. } => 4,
        }
    }
}

impl StraightWalkEnd {
    /// Its number: 0 reached, 1 on another layer, blocked by 2 a closed side, 3 a climb, 4 a drop, 5 a missing region.
    pub const fn number(self) -> i32 {
        match self {
            Self::Reached => 0,
            Self::OtherLayer => 1,
            Self::Blocked(BlockedBy::ClosedSide) => 2,
            Self::Blocked(BlockedBy::Climb) => 3,
            Self::Blocked(BlockedBy::Drop) => 4,
            Self::Blocked(BlockedBy::NoData) => 5,
        }
    }
}

impl SwimEnd {
    /// Its number: 0 reached, 1 on land, 2 a wall, 3 no ground.
    pub const fn number(self) -> i32 {
        match self {
            Self::Reached => 0,
            Self::Land => 1,
            Self::Wall => 2,
            Self::NoGround => 3,
        }
    }
}

impl Geodata {
    /// Runs a query for each row of `queries`, on all threads; a row of `results` for each.
    ///
    /// # Errors
    /// If the lengths are not those of the same number of rows.
    pub fn array_batch(
        &self,
        kind: &ArrayQuery,
        queries: &[i32],
        results: &mut [i32],
    ) -> Result<(), ArrayLengthError> {
        let (row_in, row_out) = (kind.row_in(), kind.row_out());
        let (n_in, n_out) = (queries.len(), results.len());
        let fits = n_in % row_in == 0 && n_out % row_out == 0 && n_in / row_in == n_out / row_out;
        if !fits {
            return Err(ArrayLengthError {
                n_in,
                n_out,
                row_in,
                row_out,
            });
        }
        results
            .par_chunks_exact_mut(row_out)
            .zip(queries.par_chunks_exact(row_in))
            .with_min_len(MIN_LINES_PER_TASK)
            .for_each(|(result, query)| self.array_row(kind, query, result));
        Ok(())
    }

    fn array_row(&self, kind: &ArrayQuery, query: &[i32], result: &mut [i32]) {
        match (query, result) {
            (&[x, y, z], [height]) => {
                *height = self.height(GeoPoint { x, y, z }).unwrap_or(NO_HEIGHT);
            }
            (&[ax, ay, az, bx, by, bz], result) => {
                let (from, to) = (GeoPoint::new(ax, ay, az), GeoPoint::new(bx, by, bz));
                let (end, point) = self.array_line(kind, from, to).unwrap_or((NO_RESULT, from));
                // A line of sight has no point.
                let numbers = [end, point.x, point.y, point.z];
                for (place, number) in result.iter_mut().zip(numbers) {
                    *place = number;
                }
            }
            _ => unreachable!("rows have three or six numbers"),
        }
    }

    fn array_line(
        &self,
        kind: &ArrayQuery,
        from: GeoPoint,
        to: GeoPoint,
    ) -> Result<(i32, GeoPoint), GeodataError> {
        Ok(match *kind {
            ArrayQuery::Height => (self.height(from)?, from),
            ArrayQuery::StraightWalk(profile) => {
                let walk = self.straight_walk(from, to, &profile)?;
                (walk.end.number(), walk.point)
            }
            ArrayQuery::LineOfSight {
                eye_height,
                profile,
            } => {
                let [a, b] = [from, to].map(|point| Viewer::new(point, eye_height));
                let [there, back] = self.line_of_sight_both_ways(&a, &b, &profile)?;
                (i32::from(there) | i32::from(back) << 1, from)
            }
            ArrayQuery::Swim => {
                let swim = self.swim(from, to)?;
                (swim.end.number(), swim.point)
            }
            ArrayQuery::Fly { height } => {
                let flight = self.fly(from, to, height)?;
                (i32::from(!flight.is_reached), flight.point)
            }
        })
    }
}
