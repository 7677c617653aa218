//! A house of one room under a gable roof.

use super::Toward;
use crate::lineage2::ground_builder::{GroundBuilder, Spot, cells};

/// Height of a door, and of a room under its eaves.
const DOOR: i16 = 80;
/// Half the width of a door in cells, beside the middle one.
const DOOR_HALF_WIDTH: i32 = 1;

/// Which way the ridge of a roof runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ridge {
    EastWest,
    NorthSouth,
}

/// A house: walls of a cell, a door, a roof that rises to its ridge.
#[derive(Debug, Clone, Copy)]
pub struct House {
    /// North-west corner, and the corner beyond the last cell.
    pub corners: [Spot; 2],
    /// Height of its floor.
    pub floor: i16,
    /// From the floor to the eaves.
    pub eaves: i16,
    /// How much the roof rises from cell to cell.
    pub pitch: i16,
    pub ridge: Ridge,
    pub door: Toward,
}

impl House {
    /// Builds it on the ground below.
    pub fn build(&self, builder: &mut GroundBuilder) {
        let ceiling = self.floor + self.eaves - 8;
        for at in cells(self.corners) {
            let roof = self.roof(at);
            if self.is_wall(at) && !self.is_door(at) {
                builder.level(at, roof);
                continue;
            }
            builder.level(at, self.floor);
            let underside = match self.is_wall(at) {
                true => ceiling.min(self.floor + DOOR),
                false => ceiling,
            };
            builder.cover(at, roof, underside);
        }
    }

    fn roof(&self, at: Spot) -> i16 {
        let axis = match self.ridge {
            Ridge::EastWest => 1,
            Ridge::NorthSouth => 0,
        };
        let [from, to] = self.corners;
        let from_eaves = (at[axis] - from[axis]).min(to[axis] - 1 - at[axis]);
        self.floor + self.eaves + self.pitch * from_eaves as i16
    }

    fn is_wall(&self, at: Spot) -> bool {
        let [from, to] = self.corners;
        (0..2).any(|axis| at[axis] == from[axis] || at[axis] == to[axis] - 1)
    }

    /// Whether it is in the middle of the side with the door.
    fn is_door(&self, at: Spot) -> bool {
        let [from, to] = self.corners;
        let (along, is_on_side) = match self.door {
            Toward::North => (0, at[1] == from[1]),
            Toward::South => (0, at[1] == to[1] - 1),
            Toward::West => (1, at[0] == from[0]),
            Toward::East => (1, at[0] == to[0] - 1),
        };
        let middle = (from[along] + to[along]) / 2;
        is_on_side && (at[along] - middle).abs() <= DOOR_HALF_WIDTH
    }
}
