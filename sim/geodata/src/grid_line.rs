//! Straight walks and lines of sight as the servers of the L2J family make them: along Bresenham's line from cell to
//! cell.
//!
//! A walk visits one cell of each row or column, diagonal steps among them, and ends in the middle of the last cell. A
//! line of sight goes from the higher ground to the lower one over the same kind of line in three dimensions, whose z is
//! in points; ground may reach 48 above it, and above the start for the first two cells. Where a side is closed, the next
//! layer at or above the ground before is a wall. Eye heights do not count.

use super::column::no_data;
use super::profile::{CornerRule, NoDataRule, Profile};
use super::step::{GroundPosition, Steps, neighbor, side};
use super::straight_walk::{StraightWalk, StraightWalkEnd};
use super::world::{GeoPoint, Geodata, GeodataError};
use ironlands_sim_regions::{GeoCell, Nswe, OutsideWorld};

/// How far ground may reach above a line of sight.
const SEE_OVER: i32 = 48;
/// Cells from the start for which ground may reach that far above the start instead.
const ELEVATED_CELLS: u32 = 2;

/// Bresenham's line in three dimensions. Along the longest axis every whole number is visited.
struct GridLine {
    at: [i64; 3],
    to: [i64; 3],
    length: [i64; 3],
    direction: [i64; 3],
    longest: usize,
    errors: [i64; 3],
}

impl GridLine {
    fn new(from: [i64; 3], to: [i64; 3]) -> Self {
        let length = std::array::from_fn(|axis| (to[axis] - from[axis]).abs());
        let direction = std::array::from_fn(|axis| if from[axis] < to[axis] { 1 } else { -1 });
        let [x, y, z] = length;
        let longest = match (x >= y && x >= z, y >= z) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        Self {
            at: from,
            to,
            length,
            direction,
            longest,
            errors: [length[longest] / 2; 3],
        }
    }

    /// The next place behind the one where it is.
    fn next(&mut self) -> Option<[i64; 3]> {
        let longest = self.longest;
        if self.at[longest] == self.to[longest] {
            return None;
        }
        self.at[longest] += self.direction[longest];
        for axis in (0..3).filter(|axis| *axis != longest) {
            self.errors[axis] += self.length[axis];
            if self.errors[axis] >= self.length[longest] {
                self.errors[axis] -= self.length[longest];
                self.at[axis] += self.direction[axis];
            }
        }
        Some(self.at)
    }
}

/// Continues a walk from a position.
pub(super) fn walk(
    steps: &mut Steps<'_>,
    start: GroundPosition,
    to: GeoPoint,
) -> Result<(StraightWalk, GroundPosition), OutsideWorld> {
    let last = to.cell()?;
    let place = |cell: GeoCell| [i64::from(cell.x), i64::from(cell.y), 0];
    let mut line = GridLine::new(place(start.cell), place(last));
    let mut stand = start;
    while let Some([x, y, _]) = line.next() {
        let dx = (x - i64::from(stand.cell.x)) as i32;
        let dy = (y - i64::from(stand.cell.y)) as i32;
        match steps.step(&stand, dx, dy) {
            Ok(next) => stand = next,
            Err(why) => {
                let movement = StraightWalk {
                    end: StraightWalkEnd::Blocked(why),
                    cell: stand.cell,
                    point: GeoPoint::from_cell(stand.cell, stand.z),
                };
                return Ok((movement, stand));
            }
        }
    }
    let is_there = match steps.block(stand.cell) {
        Some(block) => block.nearest(u32::from(stand.cell.cell_index()), to.z).z == stand.z,
        // Open ground without data is at any height.
        None => true,
    };
    let end = match is_there {
        true => StraightWalkEnd::Reached,
        false => StraightWalkEnd::OtherLayer,
    };
    let movement = StraightWalk {
        end,
        cell: stand.cell,
        point: GeoPoint::new(to.x, to.y, stand.z),
    };
    Ok((movement, stand))
}

impl Geodata {
    /// Whether two see each other by the rules of the L2J family; from both ends the same.
    pub(super) fn grid_line_of_sight(
        &self,
        a: GeoPoint,
        b: GeoPoint,
        profile: &Profile,
    ) -> Result<bool, GeodataError> {
        let (first, last) = (a.cell()?, b.cell()?);
        let mut sight = GridSight {
            steps: Steps::new(self, *profile),
        };
        if sight.steps.block(first).is_none() {
            return match profile.no_data {
                NoDataRule::Blocked => Err(no_data(first)),
                NoDataRule::Open => Ok(true),
            };
        }
        let (a, b) = (sight.nearest(first, a.z), sight.nearest(last, b.z));
        if first == last {
            return Ok(a == b);
        }
        Ok(match b > a {
            true => sight.is_free((last, b), (first, a)),
            false => sight.is_free((first, a), (last, b)),
        })
    }
}

/// A line of sight and the blocks around it.
struct GridSight<'a> {
    steps: Steps<'a>,
}

impl GridSight<'_> {
    fn nearest(&mut self, cell: GeoCell, z: i32) -> i32 {
        let block = self.steps.block(cell);
        block.map_or(z, |block| block.nearest(u32::from(cell.cell_index()), z).z)
    }

    fn is_free(&mut self, (first, from_z): (GeoCell, i32), (last, to_z): (GeoCell, i32)) -> bool {
        let place = |cell: GeoCell, z: i32| [cell.x.into(), cell.y.into(), i64::from(z)];
        let mut line = GridLine::new(place(first, from_z), place(last, to_z));
        let (mut before, mut ground) = (first, from_z);
        let mut n_cells = 0;
        while let Some([x, y, z]) = line.next() {
            // Both are between those of two cells.
            let cell = GeoCell {
                x: x as u16,
                y: y as u16,
            };
            if cell == before {
                continue;
            }
            let line_z = z as i32;
            let limit = SEE_OVER
                + if n_cells < ELEVATED_CELLS {
                    from_z
                } else {
                    line_z
                };
            if self.steps.block(cell).is_some() {
                let dx = i32::from(cell.x) - i32::from(before.x);
                let dy = i32::from(cell.y) - i32::from(before.y);
                let top = self.top(before, ground, dx, dy);
                if top > limit || !self.is_corner_free(before, ground, [dx, dy], [limit, line_z]) {
                    return false;
                }
                ground = top;
            } else if self.steps.profile().no_data == NoDataRule::Blocked {
                return false;
            }
            before = cell;
            n_cells += 1;
        }
        true
    }

    /// Beside a diagonal both neighbors must be below the limit, and no wall may stand on the line.
    fn is_corner_free(
        &mut self,
        before: GeoCell,
        ground: i32,
        [dx, dy]: [i32; 2],
        [limit, line_z]: [i32; 2],
    ) -> bool {
        if dx == 0 || dy == 0 {
            return true;
        }
        // Those servers test the side to one neighbor and read the ground of the other.
        [((0, dy), side(dx, 0)), ((dx, 0), side(0, dy))]
            .into_iter()
            .all(|((dx, dy), tested)| {
                let Some(beside) = neighbor(before, dx, dy) else {
                    return false;
                };
                let is_open = self.is_open(before, ground, tested);
                let top = self.top_of(beside, ground, is_open);
                top <= limit && top <= self.nearest(beside, line_z)
            })
    }

    /// The ground of the cell behind a step: the nearest one where the step can be made, else the top of a wall.
    fn top(&mut self, before: GeoCell, ground: i32, dx: i32, dy: i32) -> i32 {
        let Some(cell) = neighbor(before, dx, dy) else {
            return ground;
        };
        let is_open = self.is_step_open(before, ground, dx, dy);
        self.top_of(cell, ground, is_open)
    }

    fn is_step_open(&mut self, before: GeoCell, ground: i32, dx: i32, dy: i32) -> bool {
        if dx == 0 || dy == 0 {
            return self.is_open(before, ground, side(dx, dy));
        }
        let (in_x, in_y) = (side(dx, 0), side(0, dy));
        let may_cut = self.steps.profile().corners == CornerRule::SourceOnly;
        let is_open_beside = |sight: &mut Self, dx, dy, side| {
            let beside = neighbor(before, dx, dy);
            beside.is_some_and(|beside| sight.is_open(beside, ground, side))
        };
        self.is_open(before, ground, in_x | in_y)
            && (may_cut || (is_open_beside(self, 0, dy, in_x) && is_open_beside(self, dx, 0, in_y)))
    }

    /// Whether sides of the layer nearest to a height are open; where no region is, all are.
    fn is_open(&mut self, cell: GeoCell, z: i32, sides: Nswe) -> bool {
        let at = u32::from(cell.cell_index());
        let block = self.steps.block(cell);
        block.is_none_or(|block| block.nswe(at, block.nearest(at, z).index).contains(sides))
    }

    /// The layer nearest to a height, or behind a closed side the first from it up, if there is one.
    fn top_of(&mut self, cell: GeoCell, z: i32, is_open: bool) -> i32 {
        if is_open {
            return self.nearest(cell, z);
        }
        let at = u32::from(cell.cell_index());
        let block = self.steps.block(cell);
        let wall = block.and_then(|block| block.lowest_from(at, z));
        wall.map_or(z, |layer| layer.z)
    }
}
