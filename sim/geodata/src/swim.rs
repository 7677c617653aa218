//! Straight through water and through the air. Dossier section 4.8.

use super::column::no_data;
use super::line::Line;
use super::step::{neighbor, side};
use super::world::{GeoPoint, Geodata, GeodataError};
use ironlands_sim_regions::GeoCell;

/// How a straight swim ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swim {
    /// Whether it arrives.
    pub end: SwimEnd,
    /// The last point that it reaches, at the height of the swimmer.
    pub point: GeoPoint,
}

/// Whether a swim arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwimEnd {
    /// At the target.
    Reached,
    /// On land: the ground rises to the swimmer, which walks on from `point`, at its height.
    Land,
    /// A wall that reaches above the swimmer.
    Wall,
    /// No ground, or no region.
    NoGround,
}

/// How a straight flight ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flight {
    /// Whether it arrives.
    pub is_reached: bool,
    /// The last point that it reaches, on the line.
    pub point: GeoPoint,
}

impl Geodata {
    /// Swims straight from point to point, over the ground below; heights go evenly from one end to the other.
    ///
    /// # Errors
    /// If a point is outside of all regions, or there is none at `from`.
    pub fn swim(&self, from: GeoPoint, to: GeoPoint) -> Result<Swim, GeodataError> {
        const STEP_UP: i32 = 47;
        const WALL_REACH: i32 = 15;
        let first = from.cell()?;
        let mut line = Line::new(from, to)?;
        let block = self.block(first).ok_or(no_data(first))?;
        let at = u32::from(first.cell_index());
        let stopped = |end, point| Ok(Swim { end, point });
        let Some(bed) = block.highest_up_to(at, from.z) else {
            return stopped(SwimEnd::NoGround, from);
        };
        let (mut cell, mut ground) = (first, bed.z);
        let mut nswe = block.nswe(at, bed.index);
        while let Some(crossing) = line.crossing() {
            let z = height_on(from, to, &line);
            let border = |cell| {
                let (x, y) = line.point_before(cell);
                GeoPoint::new(x, y, z)
            };
            // A corner is passed by way of the neighbor in x, then in y.
            for (dx, dy) in [(crossing.dx, 0), (0, crossing.dy)] {
                if (dx, dy) == (0, 0) {
                    continue;
                }
                let next = neighbor(cell, dx, dy);
                let Some((next, block)) = next.and_then(|next| Some((next, self.block(next)?)))
                else {
                    return stopped(SwimEnd::NoGround, border(cell));
                };
                let at = u32::from(next.cell_index());
                let is_open = nswe.contains(side(dx, dy));
                let layer = if is_open {
                    block.highest_up_to(at, ground + STEP_UP)
                } else {
                    // The wall's top; behind one without, the bed continues.
                    let wall = block.lowest_from(at, ground - WALL_REACH);
                    wall.or_else(|| block.highest_up_to(at, z))
                };
                let Some(layer) = layer else {
                    return stopped(SwimEnd::NoGround, border(cell));
                };
                if is_open && layer.z >= z {
                    let (x, y) = next.center();
                    return stopped(SwimEnd::Land, GeoPoint::new(x, y, layer.z));
                }
                if !is_open && layer.z > z {
                    return stopped(SwimEnd::Wall, border(cell));
                }
                (cell, ground) = (next, layer.z);
                nswe = block.nswe(at, layer.index);
            }
            line.pass();
        }
        stopped(SwimEnd::Reached, to)
    }

    /// Flies straight from point to point; nothing may reach into a corridor of `height` points above the line.
    ///
    /// # Errors
    /// If a point is outside of all regions.
    pub fn fly(&self, from: GeoPoint, to: GeoPoint, height: i32) -> Result<Flight, GeodataError> {
        let mut line = Line::new(from, to)?;
        let mut cell = from.cell()?;
        let blocked = |point| {
            Ok(Flight {
                is_reached: false,
                point,
            })
        };
        if !self.is_free(cell, from.z, height) {
            return blocked(from);
        }
        while let Some(crossing) = line.crossing() {
            let z = height_on(from, to, &line);
            let next = neighbor(cell, crossing.dx, crossing.dy);
            let mut passed = [
                neighbor(cell, crossing.dx, 0),
                neighbor(cell, 0, crossing.dy),
                next,
            ]
            .into_iter();
            let is_clear =
                passed.all(|cell| cell.is_some_and(|cell| self.is_free(cell, z, height)));
            let Some(next) = next.filter(|_| is_clear) else {
                let (x, y) = line.point_before(cell);
                return blocked(GeoPoint::new(x, y, z));
            };
            cell = next;
            line.pass();
        }
        Ok(Flight {
            is_reached: self.is_free(cell, to.z, height),
            point: to,
        })
    }

    /// Whether there is ground at or below `z` and none in the `height` points above it.
    fn is_free(&self, cell: GeoCell, z: i32, height: i32) -> bool {
        let Some(block) = self.block(cell) else {
            return false;
        };
        let at = u32::from(cell.cell_index());
        let ceiling = z.saturating_add(height);
        let below = block.highest_up_to(at, ceiling.saturating_sub(1));
        let above = block.lowest_from(at, z.saturating_add(1));
        below.is_some_and(|layer| layer.z <= z) && above.is_none_or(|layer| layer.z >= ceiling)
    }
}

/// Height of the line where it crosses the next border, rounded down.
fn height_on(from: GeoPoint, to: GeoPoint, line: &Line) -> i32 {
    let (numerator, denominator) = line.along();
    let rise = i64::from(to.z) - i64::from(from.z);
    let z = i64::from(from.z) + (rise * numerator).div_euclid(denominator);
    z as i32
}
