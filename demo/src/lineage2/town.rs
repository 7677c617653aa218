//! A walled town in two levels: walls one can walk on, four gates, a market, a church, a keep, and houses in between.
//!
//! Places in the town are given in cells east and south of its middle.

mod quarters;
mod walls;

pub use self::walls::{corners as wall_corners, gate_doors};

use super::center_of;
use super::ground_builder::{GroundBuilder, Spot, cells, stored};
use super::masonry::{House, Parapet, Ridge, RoundTower, TallBuilding, Toward, stairs};
use crate::noise::{mix, smoothstep};

/// The cell in its middle, where the main streets cross.
pub const MIDDLE: Spot = [1094, 1156];
/// Height of the streets of the lower and of the upper town.
pub const STREET: i16 = -3640;
const UPPER: i16 = STREET + 64;
/// Where the upper town begins.
const UPPER_EDGE: i32 = -30;
/// Cells around the walls that are even with the streets, and over which that fades.
const GLACIS: [f64; 2] = [6.0, 50.0];
/// What houses leave free: the market, the church, the inn, the keep and its court, the round tower.
const RESERVED: [[Spot; 2]; 5] = [
    [[-26, -20], [27, 23]],
    [[6, -100], [38, -34]],
    [[28, 6], [56, 32]],
    [[-67, -92], [-25, -49]],
    [[-96, -56], [-72, -34]],
];

/// A cell of the town.
fn spot([u, v]: Spot) -> Spot {
    [MIDDLE[0] + u, MIDDLE[1] + v]
}

fn corners([from, to]: [Spot; 2]) -> [Spot; 2] {
    [spot(from), spot(to)]
}

/// Builds all of it.
pub fn build(builder: &mut GroundBuilder) {
    lay_out(builder);
    walls::build(builder);
    quarters::build(builder);
    market(builder);
    church(builder);
    keep(builder);
    TallBuilding {
        corners: corners([[30, 8], [54, 30]]),
        floor: STREET,
        n_floors: 2,
        floor_height: 96,
        door: Toward::West,
        parapet: Parapet::Open,
    }
    .build(builder);
    RoundTower {
        middle: spot([-84, -45]),
        radius: 8,
        floor: UPPER,
        n_turns: 4,
        turn: 96,
        pitch: 32,
    }
    .build(builder);
}

/// Level streets, and the land around made to meet them.
fn lay_out(builder: &mut GroundBuilder) {
    for at in cells(corners([[-170, -165], [171, 161]])) {
        let depth = walls::depth(at);
        if depth < -GLACIS[1] {
            continue;
        }
        let v = at[1] - MIDDLE[1];
        let slope = smoothstep(-64.0, -12.0, f64::from(v));
        let outside = mix(f64::from(UPPER), f64::from(STREET), slope);
        let inside = if v < UPPER_EDGE { UPPER } else { STREET };
        let top = if depth > 0.0 {
            inside
        } else {
            let hold = smoothstep(-GLACIS[1], -GLACIS[0], depth);
            stored(mix(f64::from(builder.ground(at)), outside, hold))
        };
        builder.level(at, top);
    }
    let edge = UPPER_EDGE;
    // The main street runs up a ramp, the lanes up stairs.
    stairs(
        builder,
        corners([[-4, edge], [5, edge + 7]]),
        Toward::North,
        STREET + 8,
        8,
    );
    for u in [-56, 56] {
        stairs(
            builder,
            corners([[u - 2, edge], [u + 3, edge + 3]]),
            Toward::North,
            STREET + 16,
            16,
        );
    }
}

/// A fountain, and stalls under awnings.
fn market(builder: &mut GroundBuilder) {
    let middle = spot([0, 1]);
    for at in cells([middle.map(|c| c - 6), middle.map(|c| c + 7)]) {
        let [dx, dy] = [0, 1].map(|axis| at[axis] - middle[axis]);
        match dx * dx + dy * dy {
            0..=2 => builder.level(at, STREET + 104),
            3..=15 => builder.level(at, STREET - 16),
            16..=27 => builder.level(at, STREET + 24),
            _ => {}
        }
    }
    for [u, v] in [
        [-22, -14],
        [-13, -14],
        [8, -14],
        [17, -14],
        [-22, 13],
        [-13, 13],
        [8, 13],
        [17, 13],
    ] {
        for at in cells(corners([[u, v], [u + 6, v + 4]])) {
            builder.cover(at, STREET + 96, STREET + 80);
        }
    }
}

fn church(builder: &mut GroundBuilder) {
    House {
        corners: corners([[11, -80], [32, -44]]),
        floor: UPPER,
        eaves: 152,
        pitch: 24,
        ridge: Ridge::NorthSouth,
        door: Toward::South,
    }
    .build(builder);
    TallBuilding {
        corners: corners([[13, -96], [30, -79]]),
        floor: UPPER,
        n_floors: 5,
        floor_height: 112,
        door: Toward::West,
        parapet: Parapet::Crenellated,
    }
    .build(builder);
}

/// The keep, and a low wall around its court.
fn keep(builder: &mut GroundBuilder) {
    let court = corners([[-64, -89], [-26, -50]]);
    for at in cells(court) {
        let is_wall =
            (0..2).any(|axis| at[axis] < court[0][axis] + 2 || at[axis] >= court[1][axis] - 2);
        let is_gate = at[1] > court[1][1] - 3 && (at[0] - MIDDLE[0] + 45).abs() < 4;
        if is_wall && !is_gate {
            builder.level(at, UPPER + 88);
        }
    }
    builder.rail(cells(court), [UPPER + 88, UPPER + 88]);
    KEEP.build(builder);
}

const KEEP: TallBuilding = TallBuilding {
    corners: [
        [MIDDLE[0] - 58, MIDDLE[1] - 84],
        [MIDDLE[0] - 32, MIDDLE[1] - 58],
    ],
    floor: UPPER,
    n_floors: 4,
    floor_height: 128,
    door: Toward::South,
    parapet: Parapet::Crenellated,
};

/// A place in the town as parts of cells from its middle.
fn place(at: Spot) -> [f64; 2] {
    let [middle, here] = [center_of(MIDDLE), center_of(at)];
    [0, 1].map(|axis| (here[axis] - middle[axis]) / super::CELL)
}
