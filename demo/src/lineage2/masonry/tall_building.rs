//! A building of several floors under a flat roof, joined by flights of stairs that wind along its walls.

use super::Toward;
use crate::lineage2::ground_builder::{GroundBuilder, Spot, cells};

/// Cells of a wall and of the width of a flight.
const WALL: i32 = 2;
const FLIGHT: i32 = 3;
/// Thickness of floors and stairs.
const FLOOR: i16 = 16;
/// Height of a door.
const DOOR: i16 = 88;

/// Whether one can fall off a roof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parapet {
    /// Rails all around, and turrets at the corners.
    Crenellated,
    /// None: who jumps does not come back that way.
    Open,
}

/// A building of several floors.
#[derive(Debug, Clone, Copy)]
pub struct TallBuilding {
    /// North-west corner, and the corner beyond the last cell.
    pub corners: [Spot; 2],
    /// Height of the lowest floor.
    pub floor: i16,
    pub n_floors: i16,
    /// From floor to floor.
    pub floor_height: i16,
    pub door: Toward,
    pub parapet: Parapet,
}

impl TallBuilding {
    /// Builds it on the ground below.
    pub fn build(&self, builder: &mut GroundBuilder) {
        for at in cells(self.corners) {
            if !self.is_wall(at) {
                builder.level(at, self.floor);
                self.fill_cell(builder, at);
            } else if self.is_door(at) {
                builder.level(at, self.floor);
                builder.cover(at, self.roof(), self.floor + DOOR);
            } else {
                builder.level(at, self.roof());
            }
        }
        let [from, to] = self.corners;
        let inside = [from.map(|c| c + WALL), to.map(|c| c - WALL)];
        builder.rail(cells(inside), [self.floor + 1, self.roof()]);
        if self.parapet == Parapet::Crenellated {
            self.add_turrets(builder);
            builder.rail(cells(self.corners), [self.roof(), self.roof()]);
        }
    }

    /// Height of the roof, on which the last flight ends.
    pub fn roof(&self) -> i16 {
        self.floor + self.n_floors * self.floor_height
    }

    /// Floors and flights of a cell inside.
    fn fill_cell(&self, builder: &mut GroundBuilder, at: Spot) {
        for flight in 0..self.n_floors {
            let above = self.floor + (flight + 1) * self.floor_height;
            let top = match self.on_flight(at, flight) {
                Some(share) => {
                    let rise = f64::from(self.floor_height) * share;
                    above - self.floor_height + (rise / 8.0).round() as i16 * 8
                }
                None => above,
            };
            builder.cover(at, top, top - FLOOR);
        }
    }

    /// How far up a flight a cell is, above 0 and below 1; `None` beside it. Each flight runs along another wall.
    fn on_flight(&self, at: Spot, flight: i16) -> Option<f64> {
        let [from, to] = self.corners;
        let from = from.map(|c| c + WALL);
        let to = to.map(|c| c - WALL - 1);
        let (off, along, n) = match Toward::ALL[flight as usize % 4] {
            Toward::North => (at[1] - from[1], at[0] - from[0], to[0] - from[0]),
            Toward::East => (to[0] - at[0], at[1] - from[1], to[1] - from[1]),
            Toward::South => (to[1] - at[1], to[0] - at[0], to[0] - from[0]),
            Toward::West => (at[0] - from[0], to[1] - at[1], to[1] - from[1]),
        };
        let n_steps = n + 1 - 2 * FLIGHT;
        let step = along - FLIGHT;
        let is_on = (0..FLIGHT).contains(&off) && (0..n_steps).contains(&step);
        is_on.then(|| f64::from(step + 1) / f64::from(n_steps + 1))
    }

    fn add_turrets(&self, builder: &mut GroundBuilder) {
        let [from, to] = self.corners;
        for x in [from[0], to[0] - 3] {
            for y in [from[1], to[1] - 3] {
                for at in cells([[x, y], [x + 3, y + 3]]) {
                    if self.is_wall(at) {
                        builder.level(at, self.roof() + 56);
                    }
                }
            }
        }
    }

    fn is_wall(&self, at: Spot) -> bool {
        let [from, to] = self.corners;
        (0..2).any(|axis| at[axis] < from[axis] + WALL || at[axis] >= to[axis] - WALL)
    }

    /// Whether it is in the middle of the wall with the door.
    fn is_door(&self, at: Spot) -> bool {
        let [from, to] = self.corners;
        let (along, is_on_side) = match self.door {
            Toward::North => (0, at[1] < from[1] + WALL),
            Toward::South => (0, at[1] >= to[1] - WALL),
            Toward::West => (1, at[0] < from[0] + WALL),
            Toward::East => (1, at[0] >= to[0] - WALL),
        };
        is_on_side && (at[along] - (from[along] + to[along]) / 2).abs() <= 1
    }
}
