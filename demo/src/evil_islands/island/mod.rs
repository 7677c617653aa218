//! The island as its makers thought of it: heights, water and what grows where, at any point.
//!
//! In: nothing. Out: [`Island`], which describes a point given in meters east and north of the map's corner.
//! Deliberately absent: vertices, tiles and everything of the format.

mod ground;
mod river;

pub use ground::{Ground, JOINS, corners_of, grounds, road_tiles};
pub use river::River;

pub use crate::curve::distance;
use crate::noise::{ENDLESS, bump, fbm, mix, ridged, smoothstep};

/// Sectors along a side of the map.
pub const N_SECTORS: usize = 4;
/// Meters along a side of a sector, and cells.
pub const SECTOR_SIZE: usize = 32;
/// Meters along a side of the map, and cells.
pub const SIZE: usize = N_SECTORS * SECTOR_SIZE;
/// Tiles along a side of the map.
pub const N_TILES: usize = SIZE / 2;
/// Height of the sea.
pub const SEA: f64 = 6.0;
/// Middle of the village square.
pub const SQUARE: [f64; 2] = [90.0, 51.0];
/// Height of the village and of the road to it.
pub const VILLAGE_HEIGHT: f64 = 9.6;
/// Where the road crosses the river: the middle of the bridge.
pub const BRIDGE: [f64; 2] = [66.56, 51.0];
/// Tiles of the field, east and north of the map's corner: the first of each and the one beyond the last.
pub const FIELD: [[usize; 2]; 2] = [[21, 28], [27, 31]];
/// Corners of the roads, in tiles; each road runs from tile to tile along one axis at a time.
pub const ROADS: [&[[usize; 2]]; 3] = [
    &[
        [10, 20],
        [13, 20],
        [13, 17],
        [17, 17],
        [17, 22],
        [19, 22],
        [19, 25],
        [30, 25],
    ],
    &[[35, 25], [41, 25]],
    &[[45, 29], [45, 33], [50, 33], [50, 35]],
];

/// The island.
pub struct Island {
    pub river: River,
}

impl Island {
    pub fn new() -> Self {
        Self {
            river: River::new(),
        }
    }

    /// Meters inland from the shore, as a round island would have it; negative in the sea.
    pub fn inland(&self, x: f64, y: f64) -> f64 {
        let (dx, dy) = ((x - 64.0) / 56.0, (y - 71.5) / 50.5);
        let (dx2, dy2) = (dx * dx, dy * dy);
        let round = (dx2 * dx2 + dy2 * dy2).sqrt().sqrt();
        let ragged = 4.5 * fbm(0x15A, x * 0.045, y * 0.045, 4, ENDLESS);
        let bay = 9.0 * bump((distance([x, y], [73.0, 18.0]) / 17.0).min(1.0));
        52.0 * (1.0 - round) + ragged - bay
    }

    /// Height of the ground.
    pub fn height(&self, x: f64, y: f64) -> f64 {
        let dry = self.village_and_roads(x, y, self.wild(x, y));
        let from = self.river.nearest(x, y);
        let off = from.distance - from.half_width;
        if off < 0.0 {
            let across = from.distance / from.half_width;
            return (from.surface - 1.35 + 1.0 * across * across).min(dry);
        }
        // A bank rises from the water's edge, a meadow from the bank to the wild ground; none lies below the water.
        let inland = smoothstep(-2.0, 6.0, self.inland(x, y));
        let bank = from.surface - 0.35 + 0.75 * smoothstep(0.0, 1.2, off) * inland + 0.06 * off;
        // Beside the bridge the road comes close to the water.
        let beside = ((y - BRIDGE[1]).abs() - 1.5).max((x - BRIDGE[0]).abs() - 16.0);
        let hold = smoothstep(0.6, mix(4.2, 11.0, smoothstep(0.0, 7.0, beside)), off);
        let above = dry.max(mix(dry, from.surface + 0.4 + 0.05 * off, inland));
        let kept = if inland > 0.0 {
            mix(dry, above, inland)
        } else {
            dry
        };
        mix(bank.min(kept + 0.2), kept, hold)
    }

    /// Steepness of the ground, rise over run.
    pub fn slope(&self, x: f64, y: f64) -> f64 {
        let [dx, dy] = self.gradient(x, y, 1.0);
        (dx * dx + dy * dy).sqrt()
    }

    /// Unit normal of the ground.
    pub fn normal(&self, x: f64, y: f64) -> [f64; 3] {
        let [dx, dy] = self.gradient(x, y, 0.8);
        let length = (dx * dx + dy * dy + 1.0).sqrt();
        [-dx / length, -dy / length, 1.0 / length]
    }

    /// Height of the water over, or under, a point.
    pub fn water(&self, x: f64, y: f64) -> f64 {
        let from = self.river.nearest(x, y);
        let beside = smoothstep(from.half_width + 9.0, from.half_width + 5.0, from.distance);
        mix(SEA, from.surface, beside)
    }

    fn gradient(&self, x: f64, y: f64, reach: f64) -> [f64; 2] {
        let rise = |dx: f64, dy: f64| {
            (self.height(x + dx, y + dy) - self.height(x - dx, y - dy)) / (2.0 * reach)
        };
        [rise(reach, 0.0), rise(0.0, reach)]
    }

    /// The island before people came and the river ran.
    fn wild(&self, x: f64, y: f64) -> f64 {
        let inland = self.inland(x, y);
        let shore = SEA + mix(-4.6, 2.6, smoothstep(-15.0, 15.0, inland));
        let rolling = 1.7 * fbm(0x207, x * 0.04, y * 0.04, 4, ENDLESS);
        let hilly = smoothstep(2.0, 16.0, inland);
        let hills = mountain(x, y) + table(x, y) + knolls(x, y);
        let low = shore + hilly * (1.2 + rolling);
        low + hills * smoothstep(-2.0, 7.0, inland)
    }

    /// Level ground for the village, and even ground along the roads.
    fn village_and_roads(&self, x: f64, y: f64, wild: f64) -> f64 {
        let hold = smoothstep(22.0, 11.0, distance([x, y], SQUARE));
        let level = mix(wild, VILLAGE_HEIGHT, hold);
        // The road to the bridge runs level from bank to square.
        let off = [(x - 66.0).abs() - 18.0, (y - BRIDGE[1]).abs() - 1.0].map(|c| c.max(0.0));
        let beside = (off[0] * off[0] + off[1] * off[1]).sqrt();
        mix(level, VILLAGE_HEIGHT, smoothstep(9.0, 1.5, beside))
    }
}

/// The mountain in the north-west: ridges, terraces and a peak.
fn mountain(x: f64, y: f64) -> f64 {
    let (wx, wy) = (
        x + 4.0 * fbm(0x301, x * 0.05, y * 0.05, 3, ENDLESS),
        y + 4.0 * fbm(0x302, x * 0.05, y * 0.05, 3, ENDLESS),
    );
    let far = distance([wx, wy], [33.0, 95.0]) / 35.0;
    let rise = smoothstep(1.0, 0.0, far);
    let crest = ridged(0x303, x * 0.042, y * 0.042, 4, ENDLESS);
    let smooth = 31.0 * rise * mix(rise, 1.0, 0.35) + 17.0 * rise * (crest - 0.35);
    terraced(smooth.max(0.0), 7.5, 0.32)
}

/// The table mountain in the north-east: steep toward the valley, gentle toward the sea.
fn table(x: f64, y: f64) -> f64 {
    let off = [x - 101.0, y - 98.0];
    let far = (off[0] * off[0] + off[1] * off[1]).sqrt();
    let edge = 21.0 + 4.0 * fbm(0x311, x * 0.07, y * 0.07, 3, ENDLESS);
    // 1 toward the south-west, 0 toward the north-east.
    let valley = 0.5 - 0.5 * (off[0] + off[1]) / (1.5 * far.max(1.0));
    let run = mix(17.0, 5.0, valley.clamp(0.0, 1.0));
    let top = 13.5 + 1.6 * fbm(0x312, x * 0.06, y * 0.06, 3, ENDLESS);
    top * smoothstep(edge, edge - run, far)
}

/// Low round hills under the forest.
fn knolls(x: f64, y: f64) -> f64 {
    let knoll = |at: [f64; 2], radius: f64, height: f64| {
        height * bump((distance([x, y], at) / radius).min(1.0))
    };
    knoll([27.0, 40.0], 21.0, 7.0)
        + knoll([44.0, 33.0], 13.0, 2.6)
        + knoll([107.0, 66.0], 13.0, 3.0)
}

/// Steps of this height, as far as `share` (0 none, 1 flat steps with cliffs between).
fn terraced(height: f64, step: f64, share: f64) -> f64 {
    let floor = (height / step).floor();
    let within = height / step - floor;
    let stepped = step * (floor + smoothstep(0.28, 0.72, within));
    mix(height, stepped, share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn river_runs_in_its_bed_until_the_sea() {
        let island = Island::new();
        for k in 0..200 {
            let y = 26.0 + 0.38 * f64::from(k);
            for x in (10..118).map(f64::from) {
                let from = island.river.nearest(x, y);
                let off = from.distance - from.half_width;
                if off > 1.5 && off < 4.5 && island.inland(x, y) > 12.0 {
                    let above = island.height(x, y) - from.surface;
                    assert!(above > 0.02, "{x} {y}: {above} above the water");
                }
                if off < -0.5 {
                    assert!(island.height(x, y) < from.surface - 0.2, "{x} {y} is dry");
                }
            }
        }
    }

    #[test]
    fn sea_is_all_around() {
        let island = Island::new();
        for k in 0..=SIZE {
            let (k, end) = (k as f64, SIZE as f64);
            for [x, y] in [[k, 0.0], [k, end], [0.0, k], [end, k]] {
                assert!(island.height(x, y) < SEA - 0.5, "{x} {y}");
            }
        }
    }
}
