//! The harbour: a quay with warehouses, three jetties on stilts, a mole and the lighthouse at its end.

use super::CELL;
use super::bridge::QUAY;
use super::center_of;
use super::ground_builder::{GroundBuilder, Spot, cells};
use super::masonry::{House, Ridge, RoundTower, Toward, pad};
use crate::curve::{distance, to_segment};

/// The quay: the town's side, and the side to the sea.
const QUAYS: [[Spot; 2]; 2] = [[[1060, 1322], [1128, 1384]], [[1128, 1366], [1152, 1394]]];
/// What was dug out before it.
const BASIN: [Spot; 2] = [[1054, 1384], [1150, 1462]];
/// Height of its bed.
const BED: i16 = QUAY - 168;
/// The western cells of the jetties, and the cell beyond their southern end.
const JETTIES: [i32; 3] = [1068, 1091, 1114];
const JETTY_END: i32 = 1424;
const JETTY_WIDTH: i32 = 6;
/// Corners of the mole, its half width in points and its height.
const MOLE: [Spot; 5] = [
    [1146, 1388],
    [1156, 1412],
    [1154, 1438],
    [1136, 1456],
    [1112, 1462],
];
const MOLE_HALF_WIDTH: f64 = 66.0;
const MOLE_HEIGHT: i16 = QUAY + 16;
/// Corners of the warehouses.
const WAREHOUSES: [Spot; 4] = [[1062, 1326], [1082, 1326], [1104, 1326], [1062, 1352]];

const LIGHTHOUSE: RoundTower = RoundTower {
    middle: MOLE[4],
    radius: 8,
    floor: MOLE_HEIGHT,
    n_turns: 5,
    turn: 96,
    pitch: 16,
};

/// Builds it.
pub fn build(builder: &mut GroundBuilder) {
    for at in cells(BASIN) {
        builder.level(at, builder.ground(at).min(BED));
    }
    for quay in QUAYS {
        pad(builder, quay, QUAY);
    }
    for x in JETTIES {
        let head = [[x - 4, JETTY_END], [x + JETTY_WIDTH + 4, JETTY_END + 6]];
        for at in cells([[x, QUAYS[0][1][1]], [x + JETTY_WIDTH, JETTY_END]]).chain(cells(head)) {
            builder.cover(at, QUAY, QUAY - 16);
        }
    }
    build_mole(builder);
    LIGHTHOUSE.build(builder);
    for [x, y] in WAREHOUSES {
        House {
            corners: [[x, y], [x + 18, y + 14]],
            floor: QUAY,
            eaves: 104,
            pitch: 16,
            ridge: Ridge::EastWest,
            door: Toward::South,
        }
        .build(builder);
    }
}

/// A bank of stones, round where the lighthouse stands.
fn build_mole(builder: &mut GroundBuilder) {
    for at in cells([[1090, 1376], [1172, 1484]]) {
        let place = center_of(at);
        let pieces = MOLE.windows(2);
        let squares =
            pieces.map(|ends| to_segment(place, center_of(ends[0]), center_of(ends[1])).0);
        let from_mole = squares.fold(f64::MAX, f64::min).sqrt();
        let from_end = distance(place, center_of(MOLE[4]));
        if from_mole < MOLE_HALF_WIDTH || from_end < 13.0 * CELL {
            builder.level(at, MOLE_HEIGHT);
        }
    }
}
