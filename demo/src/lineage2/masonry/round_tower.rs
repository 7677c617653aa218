//! A round tower with a winding ramp, a platform on top, and a roof over it.

use crate::lineage2::ground_builder::{GroundBuilder, Spot, cells};

/// Radius of the pillar in the middle, and thickness of the wall, in cells.
const PILLAR: f64 = 1.6;
const WALL: f64 = 2.0;
/// Thickness of the ramp and of the platform.
const FLOOR: i16 = 16;
/// Height of a door, and from the platform to the roof.
const DOOR: i16 = 88;
const LANTERN: i16 = 112;
/// Which part of a turn the platform takes. The ramp comes up in the rest, and has headroom where it passes below.
const PLATFORM: f64 = 0.3;

/// A tower with a winding ramp.
#[derive(Debug, Clone, Copy)]
pub struct RoundTower {
    /// Its middle cell.
    pub middle: Spot,
    /// Cells from its middle to the outside of its wall.
    pub radius: i32,
    /// Height of its floor.
    pub floor: i16,
    pub n_turns: i16,
    /// How much a turn of the ramp rises.
    pub turn: i16,
    /// How much the roof rises from cell to cell.
    pub pitch: i16,
}

impl RoundTower {
    /// Builds it on the ground below.
    pub fn build(&self, builder: &mut GroundBuilder) {
        let reach = self.radius + 2;
        let [x, y] = self.middle;
        let square = [[x - reach, y - reach], [x + reach + 1, y + reach + 1]];
        let radius = f64::from(self.radius);
        for at in cells(square) {
            let distance_to_middle = self.distance_to_middle(at);
            if distance_to_middle > radius + 1.5 {
                continue;
            }
            if distance_to_middle > radius {
                // A balcony around the platform.
                let ground = builder.top(at);
                builder.level(at, ground);
                builder.cover(at, self.platform(), self.platform() - FLOOR);
                continue;
            }
            builder.level(at, self.floor);
            if distance_to_middle < PILLAR {
                builder.level(at, self.roof(distance_to_middle));
                continue;
            }
            if distance_to_middle > radius - WALL {
                if self.is_door(at) {
                    builder.cover(at, self.platform(), self.floor + DOOR);
                } else {
                    builder.level(at, self.platform());
                }
            } else {
                self.add_ramp(builder, at);
            }
            let eaves = self.platform() + LANTERN - 8;
            builder.cover(at, self.roof(distance_to_middle), eaves);
        }
        let all = || cells(square).filter(|at| self.distance_to_middle(*at) <= radius + 1.5);
        builder.rail(all(), [self.floor + 1, self.platform()]);
    }

    /// Height of the platform.
    pub fn platform(&self) -> i16 {
        self.floor + self.n_turns * self.turn
    }

    fn roof(&self, distance_to_middle: f64) -> i16 {
        let from_rim = (f64::from(self.radius) - distance_to_middle)
            .max(0.0)
            .floor();
        self.platform() + LANTERN + self.pitch * from_rim as i16
    }

    /// The ramp in a cell: once a turn; and the platform over its last part.
    fn add_ramp(&self, builder: &mut GroundBuilder, at: Spot) {
        let turned = self.turned(at);
        for turn in 0..self.n_turns {
            let rise = f64::from(self.turn) * (f64::from(turn) + turned);
            let top = self.floor + (rise / 8.0).floor() as i16 * 8;
            match turn {
                0 => builder.level(at, top),
                _ => builder.cover(at, top, top - FLOOR),
            }
        }
        if turned < PLATFORM {
            builder.cover(at, self.platform(), self.platform() - FLOOR);
        }
    }

    fn distance_to_middle(&self, at: Spot) -> f64 {
        let [dx, dy] = [0, 1].map(|axis| f64::from(at[axis] - self.middle[axis]));
        (dx * dx + dy * dy).sqrt()
    }

    /// How far a cell has turned around the middle from the door on, 0 to 1.
    fn turned(&self, at: Spot) -> f64 {
        let [dx, dy] = [0, 1].map(|axis| f64::from(at[axis] - self.middle[axis]));
        // From the middle of the first row of cells on, so that a row begins the turn.
        let angle = libm::atan2(dy + 0.5, dx) / std::f64::consts::TAU;
        angle - angle.floor()
    }

    /// The door is in the east, where the ramp begins.
    fn is_door(&self, at: Spot) -> bool {
        let [dx, dy] = [0, 1].map(|axis| at[axis] - self.middle[axis]);
        dx > 0 && (0..3).contains(&dy)
    }
}
