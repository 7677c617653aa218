//! What the ground is made of: solid things above each other in every cell of both regions.
//!
//! In: heights of the ground. Out: columns of [`Slab`]s, which the drawing of walls, floors and stairs changes.
//! Deliberately absent: where one may go (`sides`) and blocks (`blocks`).

use std::collections::BTreeMap;

use ironlands_assets_lineage2::{CELLS_PER_REGION_SIDE, Nswe};

/// Cells from west to east, of two regions.
pub const WIDTH: i32 = 2 * CELLS_PER_REGION_SIDE as i32;
/// Cells from north to south.
pub const DEPTH: i32 = CELLS_PER_REGION_SIDE as i32;
/// Points of a step of stored heights.
const HEIGHT_STEP: f64 = 8.0;
/// One needs so much room between a floor and what is above it.
pub const HEADROOM: i16 = 48;
/// What is steeper than this cannot be climbed.
pub const MAX_STEP: i16 = 32;

/// A cell: how many there are to its west and to its north.
pub type Spot = [i32; 2];

/// The sides of a cell and where they lead.
pub const SIDES: [(Nswe, Spot); 4] = [
    (Nswe::EAST, [1, 0]),
    (Nswe::WEST, [-1, 0]),
    (Nswe::SOUTH, [0, 1]),
    (Nswe::NORTH, [0, -1]),
];

/// Something solid in a cell, on which one may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slab {
    pub top: i16,
    /// Where it begins; the lowest of a cell goes down for ever.
    pub underside: i16,
    /// Sides with a rail.
    pub closed: Nswe,
}

impl Slab {
    fn ground(top: i16) -> Self {
        Self {
            top,
            underside: i16::MIN,
            closed: Nswe::empty(),
        }
    }
}

/// No top of bare ground: something was built there.
const BUILT: i16 = i16::MAX;

/// The ground of both regions and all that was built on it.
pub struct GroundBuilder {
    /// Tops of the cells where nothing was built, else [`BUILT`]; row after row.
    ground: Vec<i16>,
    /// All others, from the lowest up.
    built: BTreeMap<usize, Vec<Slab>>,
}

impl GroundBuilder {
    /// Bare ground, row after row from the north-west.
    pub fn new(ground: Vec<i16>) -> Self {
        debug_assert_eq!(ground.len(), (WIDTH * DEPTH) as usize);
        Self {
            ground,
            built: BTreeMap::new(),
        }
    }

    /// The lowest top of a cell.
    pub fn ground(&self, at: Spot) -> i16 {
        self.with_column(at, |column| column[0].top)
    }

    /// The highest top of a cell.
    pub fn top(&self, at: Spot) -> i16 {
        self.with_column(at, |column| column[column.len() - 1].top)
    }

    /// The top of a cell of bare ground.
    pub fn bare(&self, at: Spot) -> Option<i16> {
        let top = self.ground[index_of(at)];
        (top != BUILT).then_some(top)
    }

    /// Calls `each` with what is in a cell, from the lowest up; there is always something.
    pub fn with_column<T>(&self, at: Spot, each: impl FnOnce(&[Slab]) -> T) -> T {
        match self.bare(at) {
            Some(top) => each(&[Slab::ground(top)]),
            None => each(&self.built[&index_of(at)]),
        }
    }

    /// Makes a cell bare ground of a height.
    pub fn level(&mut self, at: Spot, top: i16) {
        let index = index_of(at);
        self.built.remove(&index);
        self.ground[index] = top;
    }

    /// Puts something above the top layer. Gaps without headroom are filled.
    pub fn cover(&mut self, at: Spot, top: i16, underside: i16) {
        let column = self.column(at);
        column.push(Slab {
            top,
            underside,
            closed: Nswe::empty(),
        });
        column.sort_by_key(|slab| slab.top);
        let mut index = 0;
        while index + 1 < column.len() {
            let (low, high) = (column[index], column[index + 1]);
            if high.underside.saturating_sub(low.top) < HEADROOM {
                column[index + 1].underside = low.underside.min(high.underside);
                column.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Puts rails on sides of what has its top there.
    pub fn close(&mut self, at: Spot, top: i16, sides: Nswe) {
        for slab in self.column(at) {
            if slab.top == top {
                slab.closed |= sides;
            }
        }
    }

    /// Puts rails wherever one would fall off the cells' floors that lie between two heights.
    pub fn rail(&mut self, cells: impl IntoIterator<Item = Spot>, between: [i16; 2]) {
        for at in cells {
            let floors = self.with_column(at, |column| {
                let tops = column.iter().map(|slab| slab.top);
                tops.filter(|top| (between[0]..=between[1]).contains(top))
                    .collect::<Vec<_>>()
            });
            for top in floors {
                let mut drops = Nswe::empty();
                for (side, by) in SIDES {
                    let beside = [at[0] + by[0], at[1] + by[1]];
                    let goes_on = self.with_column(beside, |column| {
                        let mut tops = column.iter().map(|slab| slab.top);
                        tops.any(|other| (other - top).abs() <= MAX_STEP)
                    });
                    drops.set(side, !goes_on);
                }
                self.close(at, top, drops);
            }
        }
    }

    /// What is in a cell, to be changed.
    fn column(&mut self, at: Spot) -> &mut Vec<Slab> {
        let index = index_of(at);
        let ground = std::mem::replace(&mut self.ground[index], BUILT);
        self.built
            .entry(index)
            .or_insert_with(|| vec![Slab::ground(ground)])
    }
}

/// Whether a cell lies in one of the two regions.
pub fn is_inside(at: Spot) -> bool {
    (0..WIDTH).contains(&at[0]) && (0..DEPTH).contains(&at[1])
}

fn index_of(at: Spot) -> usize {
    debug_assert!(is_inside(at), "{at:?}");
    (at[1] * WIDTH + at[0]) as usize
}

/// The cells of a rectangle: its north-west corner, and the corner beyond its last cell.
pub fn cells([from, to]: [Spot; 2]) -> impl Iterator<Item = Spot> + Clone {
    (from[1]..to[1]).flat_map(move |y| (from[0]..to[0]).map(move |x| [x, y]))
}

/// A height as it can be stored: the next lower step.
pub fn stored(height: f64) -> i16 {
    ((height / HEIGHT_STEP).floor() * HEIGHT_STEP) as i16
}
