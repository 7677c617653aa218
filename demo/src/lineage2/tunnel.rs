//! The tunnel through the eastern ridge, and the cave in its middle with a ledge around it.

use super::SEA;
use super::center_of;
use super::ground_builder::{GroundBuilder, Spot, cells, stored};
use crate::curve::distance;
use crate::noise::{ENDLESS, fbm};

/// Cells from portal to portal: the first, and the one beyond the last; and the middle row.
const ALONG: Spot = [3096, 3330];
const ROW: i32 = 906;
/// Half its width beside its middle cell, and its height.
const HALF_WIDTH: i32 = 3;
const HEIGHT: i16 = 136;
/// Height of its floor above the sea.
const FLOOR: f64 = 230.0;
/// Rock that is left above a hollow.
const ROOF: i16 = 40;
/// Middle of the cave, its radius in points and its height.
const CAVE: Spot = [3204, 902];
const CAVE_RADIUS: f64 = 330.0;
const CAVE_HEIGHT: i16 = 304;
/// How wide the ledge is, in points, and how high above the floor.
const LEDGE: f64 = 84.0;
const LEDGE_HEIGHT: i16 = 128;

/// Digs it.
pub fn build(builder: &mut GroundBuilder) {
    let floor = stored(SEA + FLOOR);
    for at in cells([
        [ALONG[0], ROW - HALF_WIDTH],
        [ALONG[1], ROW + HALF_WIDTH + 1],
    ]) {
        hollow(builder, at, floor, floor + HEIGHT);
    }
    for at in cells([CAVE.map(|c| c - 30), CAVE.map(|c| c + 31)]) {
        let place = center_of(at);
        let wall = 60.0 * fbm(0x320, place[0] / 260.0, place[1] / 260.0, 2, ENDLESS);
        let from_wall = CAVE_RADIUS + wall - distance(place, center_of(CAVE));
        let is_road = (at[1] - ROW).abs() <= HALF_WIDTH;
        if from_wall < 0.0 {
            continue;
        }
        let top = if from_wall < LEDGE && !is_road {
            floor + ledge(at)
        } else {
            floor
        };
        builder.level(at, builder.top(at));
        hollow(builder, at, top, floor + CAVE_HEIGHT);
    }
}

/// Height of the ledge: it rises from the road in the west to the north, and falls in the east.
fn ledge(at: Spot) -> i16 {
    let from_road = (at[1] - ROW).abs() - HALF_WIDTH;
    (16 * from_road as i16).min(LEDGE_HEIGHT)
}

/// Room between a floor and a ceiling, under rock where there is enough of it.
fn hollow(builder: &mut GroundBuilder, at: Spot, floor: i16, ceiling: i16) {
    let rock = builder.top(at);
    builder.level(at, floor);
    if rock >= ceiling + ROOF {
        builder.cover(at, rock, ceiling);
    }
}
