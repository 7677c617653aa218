//! Parts of buildings: pads, flights of stairs, houses with gables, buildings of many floors, round towers.

mod house;
mod round_tower;
mod tall_building;

pub use house::{House, Ridge};
pub use round_tower::RoundTower;
pub use tall_building::{Parapet, TallBuilding};

use super::ground_builder::{GroundBuilder, Spot, cells};

/// Which way a door looks or stairs rise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toward {
    North,
    East,
    South,
    West,
}

impl Toward {
    /// In the order in which a winding stair takes them.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// One cell that way.
    pub fn step(self) -> Spot {
        match self {
            Self::North => [0, -1],
            Self::East => [1, 0],
            Self::South => [0, 1],
            Self::West => [-1, 0],
        }
    }
}

/// Level ground over a rectangle.
pub fn pad(builder: &mut GroundBuilder, corners: [Spot; 2], top: i16) {
    for at in cells(corners) {
        builder.level(at, top);
    }
}

/// Solid stairs over a rectangle, `rise` more from row to row, the first row at `first`.
pub fn stairs(
    builder: &mut GroundBuilder,
    corners: [Spot; 2],
    toward: Toward,
    first: i16,
    rise: i16,
) {
    let [from, to] = corners;
    for at in cells(corners) {
        let row = match toward {
            Toward::North => to[1] - 1 - at[1],
            Toward::East => at[0] - from[0],
            Toward::South => at[1] - from[1],
            Toward::West => to[0] - 1 - at[0],
        };
        builder.level(at, first + rise * row as i16);
    }
}
