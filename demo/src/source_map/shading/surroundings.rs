//! What is seen from where cubemaps were taken: the yard as a box below the sky.

use ironlands_assets_core::bytes::FormatError;

use super::{LOW_WALL, MAP_NAME, SIZE, WALL_TOP};
use crate::source_map::textures::{sky, vtf};
use crate::textures::{Canvas, Rgb};
use crate::vector::{Vec3, add_scaled, normalized, scale};

/// Where they were taken: in the middle of the yard, and in its east.
pub const PLACES: [[i32; 3]; 2] = [[480, 240, 96], [800, 240, 96]];
const SIDE: usize = 32;

/// How a face turns its u (right) and v (down) into a direction: +X, -X, +Y, -Y, +Z, -Z.
const FACES: [fn(f64, f64) -> Vec3; 6] = [
    |u, v| [1.0, -v, -u],
    |u, v| [-1.0, -v, u],
    |u, v| [u, 1.0, v],
    |u, v| [u, -1.0, -v],
    |u, v| [u, -v, 1.0],
    |u, v| [-u, -v, -1.0],
];

/// The cubemaps by path in the pakfile.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, FormatError> {
    let file = |place: &[i32; 3]| {
        let faces = FACES.map(|turn| {
            Canvas::paint(SIDE, |u, v| {
                seen_from(
                    place.map(f64::from),
                    normalized(turn(2.0 * u - 1.0, 2.0 * v - 1.0)),
                )
            })
        });
        let [x, y, z] = place;
        let path = format!("materials/maps/{MAP_NAME}/c{x}_{y}_{z}.vtf");
        Ok((path, vtf::cubemap(&faces)?))
    };
    PLACES.iter().map(file).collect()
}

/// Color of what is seen from a place in the yard.
fn seen_from(place: Vec3, direction: Vec3) -> Rgb {
    let to_sun = scale(super::sun().direction(), -1.0);
    let [x, y] = SIZE;
    // Distance to the planes of floor and walls that lie ahead.
    let sides = [(0, 0.0, x), (1, 0.0, y), (2, 0.0, f64::INFINITY)];
    let ahead = sides.map(|(axis, low, high)| {
        let end = if direction[axis] > 0.0 { high } else { low };
        let t = (end - place[axis]) / direction[axis];
        (if t.is_nan() { f64::INFINITY } else { t }, axis)
    });
    let (t, axis) =
        ahead.into_iter().fold(
            (f64::INFINITY, 3),
            |best, it| if it.0 < best.0 { it } else { best },
        );
    let hit = add_scaled(place, direction, t.min(1e6));
    match axis {
        2 => {
            // Slabs in two shades.
            let is_odd = ((hit[0] / 96.0).floor() + (hit[1] / 96.0).floor()) as i64 % 2 != 0;
            if is_odd {
                [118.0, 108.0, 92.0]
            } else {
                [150.0, 138.0, 116.0]
            }
        }
        0 | 1 if hit[2] < wall_top(axis, direction) => match (axis, direction[axis] > 0.0) {
            // The sun falls on the north and the east wall.
            (0, true) => [206.0, 160.0, 120.0],
            (0, false) => [84.0, 92.0, 118.0],
            (_, true) => [222.0, 204.0, 170.0],
            (_, false) => [96.0, 110.0, 92.0],
        },
        _ => sky::color(direction, to_sun),
    }
}

/// The walls to the south and west are low.
fn wall_top(axis: usize, direction: Vec3) -> f64 {
    match direction[axis] < 0.0 {
        true => LOW_WALL,
        false => WALL_TOP,
    }
}
