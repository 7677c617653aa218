//! Fields on a hillside: level steps that no one can climb, walls at both ends, and stairs that cut through.

use super::ground_builder::{GroundBuilder, SIDES, Spot, cells, stored};
use super::{SEA, center_of};
use crate::curve::distance;
use crate::noise::{ENDLESS, fbm, mix, smoothstep};

/// What the steps are curved around.
const FOCUS: [f64; 2] = [17504.0, 19200.0];
/// Points from there to the lowest and to the highest field.
const RADII: [f64; 2] = [3300.0, 6000.0];
/// Half the width of the fields for each point of distance.
const SPREAD: f64 = 0.43;
/// Heights of the lowest field above the sea and of a step.
const FOOT: f64 = 150.0;
/// More than anyone climbs, by any rule.
const RISE: f64 = 64.0;
/// Height of the walls around all fields.
const WALL: f64 = 72.0;
/// Height of a stair.
const STAIR: f64 = 16.0;
/// How steep the hillside is.
const SLOPE: f64 = 0.228;
/// Where stairs go straight up the hill, as parts of the width.
const STAIRS: [f64; 3] = [-0.62, 0.0, 0.6];
/// Half their width, points.
const STAIRS_HALF_WIDTH: f64 = 44.0;

/// How a place lies to the fields.
struct InFields {
    /// Points from [`FOCUS`].
    radius: f64,
    /// Which part of the half width, -1 to 1 in the fields.
    across: f64,
}

fn in_fields([x, y]: [f64; 2]) -> InFields {
    let to_north = (FOCUS[1] - y).max(1.0);
    InFields {
        radius: distance([x, y], FOCUS),
        across: (x - FOCUS[0]) / (to_north * SPREAD),
    }
}

/// The even slope that the fields were cut into, over the land that was there.
pub fn hillside(x: f64, y: f64, land: f64) -> f64 {
    if !(11000.0..17600.0).contains(&y) {
        return land;
    }
    let InFields { radius, across } = in_fields([x, y]);
    let hold = smoothstep(2.1, 1.06, across.abs())
        * smoothstep(RADII[0] - 900.0, RADII[0] - 100.0, radius)
        * smoothstep(RADII[1] + 1900.0, RADII[1] + 60.0, radius);
    if hold <= 0.0 {
        return land;
    }
    mix(land, slope(x, y, radius), hold)
}

fn slope(x: f64, y: f64, radius: f64) -> f64 {
    let wave = 26.0 * fbm(0x301, x / 1500.0, y / 1500.0, 2, ENDLESS);
    FOOT + SLOPE * (radius - RADII[0]) + wave
}

/// Cuts the fields and the stairs, and walls all off, so that only stairs lead there.
pub fn build(builder: &mut GroundBuilder) {
    let corners = [[760, 11_000 / 16], [1440, 17_000 / 16]];
    for at in cells(corners) {
        let place = center_of(at);
        let here = in_fields(place);
        if !is_field(&here) {
            continue;
        }
        let height = slope(place[0], place[1], here.radius);
        let step = if is_stairs(&here) { STAIR } else { RISE };
        let steps = ((height - FOOT) / step).floor();
        let top = if is_edge(at) && !is_stairs(&here) {
            height + WALL
        } else {
            FOOT + step * steps
        };
        builder.level(at, stored(SEA + top));
    }
}

/// Whether a field ends at a cell.
fn is_edge(at: Spot) -> bool {
    SIDES.iter().any(|(_, by)| {
        let beside = [at[0] + by[0], at[1] + by[1]];
        !is_field(&in_fields(center_of(beside)))
    })
}

fn is_field(here: &InFields) -> bool {
    here.across.abs() < 1.0 && (RADII[0]..RADII[1]).contains(&here.radius)
}

fn is_stairs(here: &InFields) -> bool {
    let half_width = here.radius * SPREAD;
    let mut stairs = STAIRS.iter();
    stairs.any(|at| ((here.across - at) * half_width).abs() < STAIRS_HALF_WIDTH)
}
