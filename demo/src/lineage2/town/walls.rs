//! The town's walls: a walk on top all around, gatehouses over the four gates with stairs beside them, and round towers.

use super::{MIDDLE, STREET, UPPER, place, spot};
use crate::lineage2::ground_builder::{GroundBuilder, Spot, cells};
use crate::lineage2::masonry::Toward;
use ironlands_assets_lineage2::CELL_SIZE;

/// Height of the walk.
pub const WALK: i16 = STREET + 240;
/// Corners of the walls, clockwise from the north-west.
const CORNERS: [[f64; 2]; 8] = [
    [-56.0, -104.0],
    [38.0, -104.0],
    [112.0, -38.0],
    [112.0, 46.0],
    [50.0, 100.0],
    [-42.0, 100.0],
    [-112.0, 44.0],
    [-112.0, -50.0],
];
/// Half the thickness of a wall, in cells.
const HALF_WALL: f64 = 2.2;
/// Half the width of a gate, and of a gatehouse along and across the wall.
const HALF_GATE: i32 = 3;
const GATEHOUSE: Spot = [11, 5];
/// Height of a gate.
const GATE: i16 = 112;
const STAIR: i16 = 16;
/// Outer and inner radius of a tower.
const TOWER: [f64; 2] = [7.4, 5.4];
/// From the walk to the eaves of a tower, and the rise of its roof from cell to cell.
const EAVES: i16 = 112;
const PITCH: i16 = 32;

/// How far inside of the middle of the walls a cell lies, in cells; negative outside.
pub fn depth(at: Spot) -> f64 {
    let [u, v] = place(at);
    let sides = CORNERS.iter().zip(CORNERS.iter().cycle().skip(1));
    let depths = sides.map(|(a, b)| {
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        (along[0] * (v - a[1]) - along[1] * (u - a[0])) / length
    });
    depths.fold(f64::MAX, f64::min)
}

/// Corners of the walls, in points.
pub fn corners() -> [[i32; 2]; 8] {
    CORNERS.map(|corner| {
        let [u, v] = spot(corner.map(|c| c as i32));
        [u, v].map(|cell| cell * CELL_SIZE)
    })
}

/// A door that fills a gate.
pub struct GateDoor {
    /// By its side of the town.
    pub name: &'static str,
    /// In points.
    pub corners: [[i32; 2]; 4],
    pub bottom: i16,
    pub height: i16,
}

/// The doors of all gates.
pub fn gate_doors() -> [GateDoor; 4] {
    let names = ["north_gate", "east_gate", "south_gate", "west_gate"];
    std::array::from_fn(|index| {
        let gate = &GATES[index];
        let ends = [
            gate.at(-HALF_GATE, 0),
            gate.at(HALF_GATE, 0),
            gate.at(HALF_GATE, 1),
            gate.at(-HALF_GATE, 1),
        ];
        GateDoor {
            name: names[index],
            corners: ends.map(|at| at.map(|cell| cell * CELL_SIZE + CELL_SIZE / 2)),
            bottom: gate.street,
            height: GATE,
        }
    })
}

/// Builds walls, gates and towers.
pub fn build(builder: &mut GroundBuilder) {
    let around = [[-125, -117], [126, 114]].map(spot);
    for at in cells(around) {
        if depth(at).abs() <= HALF_WALL {
            builder.level(at, WALK);
        }
    }
    for corner in CORNERS {
        tower(builder, corner);
    }
    for gate in GATES {
        gate.build(builder);
    }
    let top = |at: &Spot| depth(*at).abs() < 12.0;
    builder.rail(cells(around).filter(top), [WALK, WALK]);
}

/// A round tower that the walk passes through.
fn tower(builder: &mut GroundBuilder, corner: [f64; 2]) {
    let middle = spot(corner.map(|c| c as i32));
    for at in cells([middle.map(|c| c - 8), middle.map(|c| c + 9)]) {
        let [u, v] = place(at);
        let off = [u - corner[0], v - corner[1]];
        let radius = (off[0] * off[0] + off[1] * off[1]).sqrt();
        if radius > TOWER[0] {
            continue;
        }
        let roof = WALK + EAVES + PITCH * (TOWER[0] - radius) as i16;
        let is_door = depth(at).abs() < HALF_WALL - 0.7;
        if radius > TOWER[1] && !is_door {
            builder.level(at, roof);
        } else {
            builder.level(at, WALK);
            builder.cover(at, roof, WALK + EAVES - 8);
        }
    }
}

/// A gate in a wall that runs along an axis.
struct Gate {
    /// Its middle, in cells from the town's.
    middle: Spot,
    outward: Toward,
    /// Height of the street through it.
    street: i16,
}

const GATES: [Gate; 4] = [
    Gate {
        middle: [0, -104],
        outward: Toward::North,
        street: UPPER,
    },
    Gate {
        middle: [112, 0],
        outward: Toward::East,
        street: STREET,
    },
    Gate {
        middle: [0, 100],
        outward: Toward::South,
        street: STREET,
    },
    Gate {
        middle: [-112, 0],
        outward: Toward::West,
        street: STREET,
    },
];

impl Gate {
    fn build(&self, builder: &mut GroundBuilder) {
        let [along, across] = GATEHOUSE;
        for a in -along..=along {
            for b in -across..=across {
                let at = self.at(a, b);
                if a.abs() <= HALF_GATE {
                    builder.level(at, self.street);
                    builder.cover(at, WALK, self.street + GATE);
                } else if a.abs() > along - 4 && b > across - 4 {
                    // Turrets at the outer corners.
                    builder.level(at, WALK + 88);
                } else {
                    builder.level(at, WALK);
                }
            }
        }
        // Stairs along the inside of the wall end at the gatehouse.
        let n_stairs = i32::from((WALK - self.street) / STAIR) - 1;
        for side in [-1, 1] {
            for row in 0..n_stairs {
                for b in 3..=across {
                    let at = self.at(side * (along + 1 + row), -b);
                    builder.level(at, WALK - STAIR * (row as i16 + 1));
                }
            }
        }
    }

    /// A cell so far along the wall and so far outward.
    fn at(&self, along: i32, outward: i32) -> Spot {
        let [dx, dy] = self.outward.step();
        let [u, v] = self.middle;
        [
            MIDDLE[0] + u - dy * along + dx * outward,
            MIDDLE[1] + v + dx * along + dy * outward,
        ]
    }
}
