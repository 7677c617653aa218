//! What lies in the country: a hamlet with a mill and walled fields, a beacon on its hill, old stones, and woods.

use super::ground_builder::{DEPTH, GroundBuilder, SIDES, Spot, WIDTH, cells, stored};
use super::land::BEACON_HILL;
use super::masonry::{House, Parapet, Ridge, RoundTower, TallBuilding, Toward};
use super::{CELL, WATER_LEVEL, center_of};
use crate::curve::distance;
use crate::noise::{ENDLESS, Rng, fbm, hash2, mix, smoothstep, unit};

/// The hamlet's green.
const HAMLET: Spot = [2890, 937];
/// Houses of the hamlet: corner and size from its green, and where the door is.
const HOUSES: [(Spot, Spot, Toward); 11] = [
    ([-34, -22], [16, 11], Toward::South),
    ([-14, -24], [14, 12], Toward::South),
    ([8, -26], [18, 12], Toward::South),
    ([32, -20], [12, 14], Toward::West),
    ([-40, 8], [13, 15], Toward::East),
    ([-22, 10], [16, 11], Toward::North),
    ([22, 9], [18, 12], Toward::North),
    ([46, 10], [12, 12], Toward::West),
    ([-26, 30], [12, 16], Toward::East),
    ([24, 30], [15, 11], Toward::West),
    ([-58, -14], [14, 12], Toward::East),
];
/// Fields with walls: corners from the green.
const FIELDS: [[Spot; 2]; 6] = [
    [[-130, 14], [-72, 52]],
    [[-126, 60], [-66, 104]],
    [[-130, -70], [-76, -20]],
    [[-54, 62], [-8, 112]],
    [[60, 44], [112, 86]],
    [[-66, -92], [-16, -44]],
];
const FIELD_WALL: i16 = 48;

/// The tower of the beacon.
const BEACON: RoundTower = RoundTower {
    middle: [
        (BEACON_HILL[0] / CELL) as i32,
        (BEACON_HILL[1] / CELL) as i32,
    ],
    radius: 9,
    floor: -2856,
    n_turns: 5,
    turn: 96,
    pitch: 24,
};
/// Radii of what is level around it, and of its wall, in cells.
const BEACON_COURT: [f64; 2] = [30.0, 52.0];
const BEACON_WALL: [f64; 2] = [25.0, 28.0];

/// Middle of the old stones, and how many stand around it.
const STONES: Spot = [2093, 408];
const N_STONES: i32 = 14;
const STONES_RADIUS: f64 = 26.0;
const STONE: i16 = 144;

/// Builds all of it.
pub fn build(builder: &mut GroundBuilder) {
    hamlet(builder);
    beacon(builder);
    stones(builder);
    woods(builder);
}

fn hamlet(builder: &mut GroundBuilder) {
    let green = builder.ground([HAMLET[0], HAMLET[1] + 8]);
    even(builder, HAMLET, [66.0, 110.0], green);
    for (index, (corner, size, door)) in HOUSES.into_iter().enumerate() {
        let from = [0, 1].map(|axis| HAMLET[axis] + corner[axis]);
        let to = [0, 1].map(|axis| from[axis] + size[axis]);
        House {
            corners: [from, to],
            floor: green,
            eaves: 80 + 8 * (index as i16 % 4),
            pitch: if index % 3 == 0 { 24 } else { 16 },
            ridge: if size[0] > size[1] {
                Ridge::EastWest
            } else {
                Ridge::NorthSouth
            },
            door,
        }
        .build(builder);
    }
    let tower = [0, 1].map(|axis| HAMLET[axis] + [2, 14][axis]);
    TallBuilding {
        corners: [tower, tower.map(|c| c + 16)],
        floor: green,
        n_floors: 3,
        floor_height: 112,
        door: Toward::North,
        parapet: Parapet::Crenellated,
    }
    .build(builder);
    RoundTower {
        middle: [HAMLET[0] + 58, HAMLET[1] - 34],
        radius: 7,
        floor: green,
        n_turns: 2,
        turn: 96,
        pitch: 32,
    }
    .build(builder);
    for field in FIELDS {
        wall_field(builder, field);
    }
}

/// A wall around a field, with a gate in each side.
fn wall_field(builder: &mut GroundBuilder, field: [Spot; 2]) {
    let [from, to] = field.map(|corner| [0, 1].map(|axis| HAMLET[axis] + corner[axis]));
    for at in cells([from, to]) {
        let is_edge = |axis: usize| at[axis] == from[axis] || at[axis] == to[axis] - 1;
        let is_gate = |axis: usize| (at[axis] - (from[axis] + to[axis]) / 2).abs() < 3;
        let is_wall = (is_edge(0) && !is_gate(1)) || (is_edge(1) && !is_gate(0));
        if is_wall {
            builder.level(at, builder.ground(at) + FIELD_WALL);
        }
    }
}

/// A round court with a wall, and the tower in its middle; the gate is in the east, where the road comes.
fn beacon(builder: &mut GroundBuilder) {
    let middle = BEACON.middle;
    even(builder, middle, BEACON_COURT, BEACON.floor);
    for at in cells([middle.map(|c| c - 30), middle.map(|c| c + 31)]) {
        let radius = distance(center_of(at), center_of(middle)) / CELL;
        let is_gate = at[0] > middle[0] && (at[1] - middle[1] + 6).abs() < 5;
        if (BEACON_WALL[0]..BEACON_WALL[1]).contains(&radius) && !is_gate {
            builder.level(at, BEACON.floor + 128);
        }
    }
    BEACON.build(builder);
}

/// Level ground around a cell as far as the first radius, which fades until the second; both in cells.
fn even(builder: &mut GroundBuilder, middle: Spot, radii: [f64; 2], top: i16) {
    let reach = radii[1].ceil() as i32;
    for at in cells([middle.map(|c| c - reach), middle.map(|c| c + reach + 1)]) {
        let far = distance(center_of(at), center_of(middle)) / CELL;
        let hold = smoothstep(radii[1], radii[0], far);
        if hold > 0.0 {
            let height = mix(f64::from(builder.ground(at)), f64::from(top), hold);
            builder.level(at, stored(height));
        }
    }
}

/// A ring of stones, every two of them under one more.
fn stones(builder: &mut GroundBuilder) {
    for k in 0..N_STONES {
        let angle = f64::from(k) / f64::from(N_STONES) * std::f64::consts::TAU;
        let (sin, cos) = libm::sincos(angle);
        let corner = [
            STONES[0] + (STONES_RADIUS * cos).round() as i32,
            STONES[1] + (STONES_RADIUS * sin).round() as i32,
        ];
        let top = builder.ground(corner) + STONE;
        for at in cells([corner, [corner[0] + 3, corner[1] + 3]]) {
            builder.level(at, top);
        }
        // A lintel to the east of every other one.
        if k % 2 == 0 {
            for at in cells([[corner[0] + 3, corner[1]], [corner[0] + 9, corner[1] + 3]]) {
                builder.cover(at, top, top - 32);
            }
        }
    }
}

/// Trees, as trunks that no one can pass: many in few blocks, for each block with one has to be stored cell by cell.
fn woods(builder: &mut GroundBuilder) {
    for block in cells([[1, 1], [WIDTH / 8 - 1, DEPTH / 8 - 1]]) {
        let first = block.map(|number| number * 8);
        let [x, y] = center_of(first);
        let density = fbm(0x330, x / 4200.0, y / 4200.0, 3, ENDLESS);
        let is_wood = unit(hash2(0x331, block[0], block[1])) < (density - 0.3) * 1.5;
        if !is_wood || !is_wild(builder, first) {
            continue;
        }
        let mut rng = Rng::new(hash2(0x332, block[0], block[1]));
        for _ in 0..3 {
            let at = first.map(|c| c + 1 + rng.range(0.0, 6.0) as i32);
            let foot = builder.ground(first);
            let crown = foot + 8 * rng.range(15.0, 30.0) as i16;
            builder.level(at, crown.max(builder.ground(at)));
            for (_, by) in SIDES {
                let beside = [at[0] + by[0], at[1] + by[1]];
                builder.level(beside, (crown - 64).max(builder.ground(beside)));
            }
        }
    }
}

/// Whether a block and its neighbors are not built on, and it lies well above the water and not steep.
fn is_wild(builder: &GroundBuilder, first: Spot) -> bool {
    let mut around = cells([first.map(|c| c - 8), first.map(|c| c + 16)]);
    let ground = builder.ground(first);
    around.all(|at| {
        let bare = builder.bare(at);
        bare.is_some_and(|top| top > WATER_LEVEL + 80 && (top - ground).abs() < 120)
    })
}
