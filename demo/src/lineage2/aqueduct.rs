//! An aqueduct from the hill behind the fields to a water house before the town's walls.

use super::ground_builder::{GroundBuilder, Spot, cells, stored};
use super::masonry::pad;
use super::{SEA, center_of};
use crate::curve::{distance, to_segment};

/// From the water house to the hill.
const COURSE: [Spot; 2] = [[1176, 1040], [1330, 740]];
/// Height of its channel above the sea.
const HEIGHT: f64 = 524.0;
/// Half its width, points, and the thickness of its arches.
const HALF_WIDTH: f64 = 36.0;
const ARCH: i16 = 32;
/// Points from pier to pier, and how thick a pier is.
const SPAN: f64 = 224.0;
const PIER: f64 = 56.0;
/// Half the side of the water house, in cells, and how far it rises above the channel.
const HOUSE: i32 = 9;
const HOUSE_HEIGHT: i16 = 40;

/// Builds it.
pub fn build(builder: &mut GroundBuilder) {
    let top = stored(SEA + HEIGHT);
    let [from, to] = COURSE.map(center_of);
    let length = distance(from, to);
    let [start, end] = COURSE;
    let span = [[start[0] - 3, end[1] - 3], [end[0] + 4, start[1] + 4]];
    let is_course = |at: &Spot| to_segment(center_of(*at), from, to).0 < HALF_WIDTH * HALF_WIDTH;
    for at in cells(span).filter(is_course) {
        let ground = builder.top(at);
        if ground >= top {
            continue;
        }
        let along = to_segment(center_of(at), from, to).1 * length;
        if along % SPAN < PIER {
            builder.level(at, top);
        } else {
            builder.cover(at, top, top - ARCH);
        }
    }
    builder.rail(cells(span).filter(is_course), [top, top]);
    let house = [start.map(|c| c - HOUSE), start.map(|c| c + HOUSE)];
    pad(builder, house, top + HOUSE_HEIGHT);
}
