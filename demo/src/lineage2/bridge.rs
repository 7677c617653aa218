//! The bridge over the river: a deck, a gallery under it from quay to quay, and the river's bed under both.

use super::ground_builder::{GroundBuilder, Spot, cells};
use super::masonry::{Toward, pad, stairs};
use super::town::{MIDDLE, STREET};

/// Height of the quays and of the gallery.
pub const QUAY: i16 = -3736;
/// Cells of the deck from west to east: the first, and the one beyond the last.
const DECK: Spot = [1412, 1508];
/// The same of what lies between the bridgeheads, and between the quays.
const BETWEEN_HEADS: Spot = [1422, 1498];
const BETWEEN_QUAYS: Spot = [1436, 1483];
/// Half the width of the deck beside its middle cell.
const HALF_WIDTH: i32 = 4;
/// How much the deck rises to its middle.
const ARCH: f64 = 96.0;
/// Thickness of deck and gallery.
const DECK_THICKNESS: i16 = 24;
const GALLERY_THICKNESS: i16 = 16;
/// Middle cells of the piers.
const PIERS: [i32; 3] = [1444, 1459, 1474];
/// Height of the towers at both ends above the street, how their roofs rise from cell to cell, and the way through.
const TOWER: i16 = 208;
const ROOF_PITCH: i16 = 32;
const PASSAGE: i16 = 112;

/// Builds it.
pub fn build(builder: &mut GroundBuilder) {
    let y = MIDDLE[1];
    let [west, east] = BETWEEN_HEADS;
    let [first, last] = BETWEEN_QUAYS;
    pad(builder, [[1394, y - 20], [west, y + 21]], STREET);
    pad(builder, [[east, y - 20], [1526, y + 21]], STREET);
    pad(builder, [[west, y - 34], [first, y + 35]], QUAY);
    pad(builder, [[last, y - 34], [east, y + 35]], QUAY);
    // Down to the quays, on both sides of the deck.
    for x in [west - 3, east] {
        stairs(
            builder,
            [[x, y - 17], [x + 3, y - 11]],
            Toward::South,
            QUAY + 16,
            16,
        );
        stairs(
            builder,
            [[x, y + 12], [x + 3, y + 18]],
            Toward::North,
            QUAY + 16,
            16,
        );
    }
    for pier in PIERS {
        build_pier(builder, pier);
    }
    let band = |[from, to]: Spot| cells([[from, y - HALF_WIDTH], [to, y + HALF_WIDTH + 1]]);
    for at in band(BETWEEN_QUAYS) {
        let is_pier = PIERS.iter().any(|pier| (at[0] - pier).abs() <= 1);
        if is_pier && (at[1] - y).abs() == HALF_WIDTH {
            builder.level(at, deck(at[0]));
        } else if builder.ground(at) < QUAY {
            builder.cover(at, QUAY, QUAY - GALLERY_THICKNESS);
        }
    }
    for at in band(DECK) {
        let top = deck(at[0]);
        if (west..east).contains(&at[0]) && builder.top(at) < top {
            builder.cover(at, top, top - DECK_THICKNESS);
        } else {
            builder.level(at, top);
        }
    }
    builder.rail(band(BETWEEN_QUAYS), [QUAY, QUAY]);
    builder.rail(band(DECK), [STREET, STREET + ARCH as i16]);
    for x in [DECK[0] - 2, DECK[1] - 6] {
        build_tower(builder, x);
    }
}

/// Height of the deck: an arch.
fn deck(x: i32) -> i16 {
    let share = (f64::from(x - DECK[0]) + 0.5) / f64::from(DECK[1] - DECK[0]);
    STREET + (ARCH * 4.0 * share * (1.0 - share) / 8.0).round() as i16 * 8
}

/// A pier with its points against the stream, up to the gallery.
fn build_pier(builder: &mut GroundBuilder, x: i32) {
    let y = MIDDLE[1];
    for at in cells([[x - 1, y - 8], [x + 2, y + 9]]) {
        let is_point = (at[1] - y).abs() > 7;
        if !is_point || at[0] == x {
            builder.level(at, QUAY);
        }
    }
}

/// A tower that the road passes through, under a hipped roof.
fn build_tower(builder: &mut GroundBuilder, x: i32) {
    let y = MIDDLE[1];
    let [from, to] = [[x, y - 9], [x + 8, y + 10]];
    for at in cells([from, to]) {
        let edges = [0, 1].map(|axis| (at[axis] - from[axis]).min(to[axis] - 1 - at[axis]));
        let roof = STREET + TOWER + ROOF_PITCH * edges[0].min(edges[1]) as i16;
        let floor = builder.top(at);
        if (at[1] - y).abs() < HALF_WIDTH {
            builder.cover(at, roof, floor + PASSAGE);
        } else {
            builder.level(at, roof);
        }
    }
}
