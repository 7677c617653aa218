//! The houses of the town: quarters between streets, divided into lots with alleys between them.

use super::walls::depth;
use super::{RESERVED, corners};
use crate::lineage2::ground_builder::{GroundBuilder, Spot};
use crate::lineage2::masonry::{House, Parapet, Ridge, TallBuilding, Toward};
use crate::noise::{Rng, hash2};

/// What lies between the streets, in cells from the town's middle.
const QUARTERS: [[Spot; 2]; 15] = [
    [[-108, -28], [-59, -5]],
    [[-108, 6], [-59, 92]],
    [[-53, -28], [-28, -5]],
    [[-53, 6], [-28, 94]],
    [[-26, 25], [-5, 94]],
    [[6, 25], [27, 94]],
    [[28, -28], [54, -5]],
    [[29, 33], [54, 94]],
    [[60, -28], [108, -5]],
    [[60, 6], [108, 90]],
    [[-24, -98], [-5, -33]],
    [[40, -98], [108, -33]],
    [[-108, -98], [-70, -58]],
    [[-70, -48], [-30, -33]],
    [[-108, -56], [-97, -33]],
];
/// Sides of a lot, in cells.
const MAX_LOT: i32 = 21;
const MIN_HOUSE: i32 = 7;
/// Width of an alley.
const ALLEY: i32 = 3;
/// What is free inside of the walls, in cells from their middle.
const FREE: f64 = 10.0;

/// Builds the houses.
pub fn build(builder: &mut GroundBuilder) {
    for (index, quarter) in QUARTERS.into_iter().enumerate() {
        let mut lots = Vec::new();
        divide(quarter, &mut Rng::new(0x310 + index as u32), &mut lots);
        for lot in lots {
            build_on(builder, lot);
        }
    }
}

/// Halves what is too long, with an alley between.
fn divide([from, to]: [Spot; 2], rng: &mut Rng, lots: &mut Vec<[Spot; 2]>) {
    let size = [to[0] - from[0], to[1] - from[1]];
    let axis = usize::from(size[1] > size[0]);
    if size[axis] <= MAX_LOT {
        lots.push([from, to]);
        return;
    }
    let middle = from[axis] + (f64::from(size[axis]) * rng.range(0.4, 0.6)) as i32;
    let (mut end, mut start) = (to, from);
    end[axis] = middle;
    start[axis] = middle + ALLEY;
    divide([from, end], rng, lots);
    divide([start, to], rng, lots);
}

/// A house, smaller than its lot, or a garden.
fn build_on(builder: &mut GroundBuilder, [from, to]: [Spot; 2]) {
    let mut rng = Rng::new(hash2(0x311, from[0], from[1]));
    let mut inset = |limit: f64| rng.range(0.0, limit) as i32;
    let (from, to) = (
        [from[0] + inset(2.5), from[1] + inset(2.5)],
        [to[0] - inset(2.5), to[1] - inset(2.5)],
    );
    let size = [to[0] - from[0], to[1] - from[1]];
    let at = corners([from, to]);
    let is_free = RESERVED.iter().all(|[first, last]| {
        (0..2).any(|axis| to[axis] <= first[axis] || from[axis] >= last[axis])
    });
    let ends = [at[0], [at[0][0], at[1][1]], [at[1][0], at[0][1]], at[1]];
    let is_inside = ends.into_iter().all(|end| depth(end) > FREE);
    let is_small = size.into_iter().any(|side| side < MIN_HOUSE);
    if !is_free || !is_inside || is_small || rng.unit() < 0.05 {
        return;
    }
    let floor = builder.ground(at[0]);
    let door = Toward::ALL[(rng.unit() * 4.0) as usize];
    let is_great = size.into_iter().all(|side| side >= 15) && rng.unit() < 0.3;
    if is_great {
        let n_floors = 2 + rng.unit().round() as i16;
        let (floor_height, parapet) = (96, Parapet::Crenellated);
        TallBuilding {
            corners: at,
            floor,
            n_floors,
            floor_height,
            door,
            parapet,
        }
        .build(builder);
        return;
    }
    House {
        corners: at,
        floor,
        eaves: 88 + 8 * (rng.unit() * 7.0) as i16,
        pitch: if rng.unit() < 0.4 { 24 } else { 16 },
        ridge: if size[0] > size[1] {
            Ridge::EastWest
        } else {
            Ridge::NorthSouth
        },
        door,
    }
    .build(builder);
}
