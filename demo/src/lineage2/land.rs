//! The land before people came: sea, coast, river, hills and mountains, as heights of a grid.
//!
//! In: nothing. Out: [`Land`], which knows the height of the ground at any place of both regions. Places are points east
//! and south of the north-west corner; heights are points above the sea.
//! Deliberately absent: cells, and all that was built.

use rayon::prelude::*;

use super::course::{Course, Places};
use super::terraces;
use crate::curve::distance;
use crate::noise::{ENDLESS, bump, fbm, mix, ridged, smoothstep};

/// Points from one height of the grid to the next.
const STEP: f64 = 64.0;
/// Heights of the grid, of two regions of 32,768 points.
const SIZE: [usize; 2] = [1025, 513];
/// How far the river shapes the land.
const VALLEY: f64 = 2600.0;

/// Points that the river runs through, from the northern edge to the sea.
const RIVER: [[f64; 2]; 13] = [
    [40800.0, -600.0],
    [40500.0, 2600.0],
    [42600.0, 5600.0],
    [41900.0, 9000.0],
    [38200.0, 11200.0],
    [34900.0, 13500.0],
    [31600.0, 15300.0],
    [27300.0, 15200.0],
    [24100.0, 16500.0],
    [23344.0, 18500.0],
    [23344.0, 20600.0],
    [24300.0, 23400.0],
    [25600.0, 28500.0],
];

/// Where the coast lies, every 4096 points from west to east.
const COAST: [f64; 17] = [
    20900.0, 21900.0, 24100.0, 24300.0, 22000.0, 22000.0, 23800.0, 26000.0, 25200.0, 26900.0,
    28700.0, 27300.0, 26300.0, 28100.0, 29900.0, 28600.0, 27600.0,
];

/// Islands: where, how wide, how high.
const ISLANDS: [([f64; 2], f64, f64); 4] = [
    ([7200.0, 28300.0], 2300.0, 200.0),
    ([10900.0, 30600.0], 1000.0, 110.0),
    ([33600.0, 30300.0], 1600.0, 190.0),
    ([46800.0, 31100.0], 900.0, 90.0),
];

/// Hills: where, how wide, how high. Gentle enough to be stored flat.
const HILLS: [([f64; 2], f64, f64); 7] = [
    (BEACON_HILL, 4600.0, 620.0),
    ([17600.0, 11500.0], 7000.0, 700.0),
    ([33500.0, 6500.0], 5600.0, 420.0),
    ([31500.0, 21500.0], 4800.0, 250.0),
    ([61500.0, 22500.0], 4800.0, 330.0),
    ([6300.0, 6100.0], 10500.0, 620.0),
    ([3500.0, 15500.0], 4200.0, 260.0),
];

/// The ridge that the tunnel goes through, from north to south.
const RIDGE: [[f64; 2]; 6] = [
    [48200.0, 2500.0],
    [50700.0, 6500.0],
    [51500.0, 11000.0],
    [51200.0, 15000.0],
    [52600.0, 19500.0],
    [52300.0, 24500.0],
];

/// How far its foot reaches.
const RIDGE_REACH: f64 = 4200.0;

/// Middle of the hill with the beacon.
pub const BEACON_HILL: [f64; 2] = [60300.0, 8600.0];
/// How wide the shelf is, and how high the deep sea's floor lies above the sea.
const SHELF: f64 = 1400.0;
const DEEP: f64 = -1180.0;
/// Middle of the lake.
const LAKE: [f64; 2] = [57700.0, 15700.0];

/// Heights of both regions.
pub struct Land {
    heights: Vec<f64>,
    /// How broken the ground is, 0 to 1.
    cliffs: Vec<f64>,
}

impl Land {
    /// Makes all of it.
    pub fn new() -> Self {
        let places = Places {
            step: STEP,
            first: 0.0,
            size: SIZE,
        };
        let river = Course::new(&RIVER);
        let n_stations = river.stations().len() as f64;
        let by_river = river.beside(&places, VALLEY);
        let by_ridge = Course::new(&RIDGE).beside(&places, RIDGE_REACH);
        let (heights, cliffs) = (0..SIZE[0] * SIZE[1])
            .into_par_iter()
            .map(|index| {
                let [x, y] = [index % SIZE[0], index / SIZE[0]].map(|k| k as f64 * STEP);
                let ridge = by_ridge.get(&index).map_or(f64::MAX, |it| it.distance);
                let (dry, cliff) = dry_land(x, y, ridge);
                let height = match by_river.get(&index) {
                    Some(it) => with_river(dry, it.distance, it.at / n_stations),
                    None => dry,
                };
                (height, cliff)
            })
            .unzip();
        Self { heights, cliffs }
    }

    /// Height of the ground.
    pub fn height(&self, x: f64, y: f64) -> f64 {
        let smooth = sample(&self.heights, x, y);
        let cliff = sample(&self.cliffs, x, y);
        if cliff <= 0.0 {
            return smooth;
        }
        let rough = 22.0 * fbm(0x201, x / 90.0, y / 90.0, 2, ENDLESS);
        stepped(smooth + rough * cliff, 230.0, cliff)
    }
}

/// A value of the grid between its places.
fn sample(values: &[f64], x: f64, y: f64) -> f64 {
    let place = |at: f64, n: usize| ((at / STEP).max(0.0) as usize).min(n - 2);
    let (column, row) = (place(x, SIZE[0]), place(y, SIZE[1]));
    let (fx, fy) = (x / STEP - column as f64, y / STEP - row as f64);
    let at = |dx: usize, dy: usize| values[(row + dy) * SIZE[0] + column + dx];
    mix(mix(at(0, 0), at(1, 0), fx), mix(at(0, 1), at(1, 1), fx), fy)
}

/// Height without the river, and how broken the ground is.
fn dry_land(x: f64, y: f64, from_ridge: f64) -> (f64, f64) {
    let inland = inland(x, y, 5);
    if inland < 0.0 {
        return (sea_bed(x, y, -inland), 0.0);
    }
    let hilly = smoothstep(300.0, 5200.0, inland);
    let rolling = 200.0 * fbm(0x202, x / 6500.0, y / 6500.0, 3, ENDLESS);
    let plain = 26.0 + 0.075 * inland.min(900.0) + hilly * (150.0 + rolling);
    let rounded = |(middle, radius, height): ([f64; 2], f64, f64)| {
        height * bump((distance([x, y], middle) / radius).min(1.0))
    };
    let hills: f64 = HILLS.into_iter().chain(ISLANDS).map(rounded).sum();
    let shore = headland(x, y) * 190.0 * smoothstep(0.0, 150.0, inland);
    let shore = shore * smoothstep(3600.0, 500.0, inland);
    let (massif, massif_cliff) = massif(x, y);
    let (ridge, ridge_cliff) = ridge(x, y, from_ridge);
    let land = plain + shore + hills * smoothstep(0.0, 1800.0, inland) + massif + ridge;
    let ragged = 700.0 * fbm(0x203, x / 1700.0, y / 1700.0, 3, ENDLESS);
    let lake = smoothstep(2400.0, 1500.0, distance([x, y], LAKE) + ragged);
    let cliff = massif_cliff.max(ridge_cliff);
    (mix(terraces::hillside(x, y, land), -90.0, lake), cliff)
}

/// The sea's bed so far out: a beach, a shelf that is gentle enough to be stored flat, and a drop to the deep, where the
/// game's own regions have their sea floor too (dossier section 1.4).
fn sea_bed(x: f64, y: f64, out: f64) -> f64 {
    let smooth = -inland(x, y, 2);
    let far = mix(out, smooth.max(0.0), smoothstep(0.0, 1300.0, out));
    let shelf = 26.0 - 0.14 * far;
    let deep = DEEP + 60.0 * fbm(0x204, x / 5200.0, y / 5200.0, 2, ENDLESS);
    mix(shelf, deep, smoothstep(SHELF, SHELF + 60.0, far))
}

/// Points from the coast, which is the more ragged the more octaves it has; negative in the sea.
fn inland(x: f64, y: f64, octaves: u32) -> f64 {
    let piece = (x / 4096.0).clamp(0.0, 15.999);
    let (low, t) = (piece.floor() as usize, piece - piece.floor());
    let coast = mix(COAST[low], COAST[low + 1], smoothstep(0.0, 1.0, t));
    // The harbour's bay is as people made it.
    let tamed = smoothstep(1300.0, 3800.0, distance([x, y], [17500.0, 22000.0]));
    let ragged = 1500.0 * fbm(0x205, x / 4300.0, y / 4300.0, octaves, ENDLESS);
    let mainland = coast + ragged * mix(0.04, 1.0, tamed) - y;
    let islands = ISLANDS.map(|(middle, radius, _)| {
        radius - distance([x, y], middle) + 0.8 * ragged * (radius / 1800.0).min(1.0)
    });
    islands.into_iter().fold(mainland, f64::max)
}

/// How much of a cliff the coast is: nothing at the harbour and at river mouths.
fn headland(x: f64, y: f64) -> f64 {
    let tamed = smoothstep(2600.0, 6000.0, distance([x, y], [19500.0, 22500.0]));
    tamed * smoothstep(0.02, 0.35, fbm(0x206, x / 6000.0, y / 6000.0, 2, ENDLESS))
}

/// The mountain in the north-west: ridges and bands of cliffs, with ways up between them.
fn massif(x: f64, y: f64) -> (f64, f64) {
    let warp = |seed| 900.0 * fbm(seed, x / 2600.0, y / 2600.0, 3, ENDLESS);
    let (wx, wy) = (x + warp(0x207), y + warp(0x208));
    let far = distance([wx, wy], [6300.0, 6100.0]) / 3900.0;
    if far >= 1.0 {
        return (0.0, 0.0);
    }
    let rise = smoothstep(1.0, 0.0, far);
    let crest = ridged(0x209, wx / 2900.0, wy / 2900.0, 4, ENDLESS);
    let height = 900.0 * rise * mix(rise, 1.0, 0.4) + 1300.0 * rise * (crest - 0.2);
    let passes = smoothstep(-0.15, 0.2, fbm(0x20A, x / 1300.0, y / 1300.0, 2, ENDLESS));
    (height.max(0.0), 0.9 * passes * smoothstep(0.15, 0.45, rise))
}

/// The ridge in the east, on a broad foot.
fn ridge(x: f64, y: f64, from_ridge: f64) -> (f64, f64) {
    if from_ridge >= RIDGE_REACH {
        return (0.0, 0.0);
    }
    let ends = smoothstep(2500.0, 7500.0, y) * smoothstep(24500.0, 18500.0, y);
    let foot = 190.0 * smoothstep(RIDGE_REACH, 800.0, from_ridge);
    let width = 1200.0 + 900.0 * fbm(0x20B, x / 2400.0, y / 2400.0, 3, ENDLESS);
    let rise = smoothstep(width, 0.0, from_ridge);
    let crest = ridged(0x20C, x / 2600.0, y / 2600.0, 4, ENDLESS);
    let height = ends * (foot + rise * (380.0 + 900.0 * crest));
    (height, 0.75 * smoothstep(0.3, 0.6, rise * ends))
}

/// The same with the river's bed and valley, at a distance from its middle and so far along it, 0 to 1.
fn with_river(dry: f64, distance_to_middle: f64, along: f64) -> f64 {
    let half_width =
        mix(250.0, 390.0, smoothstep(0.1, 0.5, along)) + 700.0 * smoothstep(0.86, 0.98, along);
    let off = distance_to_middle - half_width;
    if off < 0.0 {
        return dry.min(mix(-40.0, -120.0, smoothstep(0.0, -80.0, off)));
    }
    // A bank, a meadow, the wild ground; none lies below the water but the sea's bed.
    let bank = -40.0 + 84.0 * smoothstep(0.0, 80.0, off) + 0.06 * off;
    let hold = smoothstep(VALLEY - 200.0, 120.0, off);
    let land = mix(dry, bank.min(dry.max(bank - 30.0)), hold);
    if dry < 0.0 { dry.min(land) } else { land }
}

/// Steps of a height, as far as `share`: ledges with cliffs between.
fn stepped(height: f64, step: f64, share: f64) -> f64 {
    let floor = (height / step).floor();
    let within = height / step - floor;
    let ledge = 0.24 * within + 0.76 * smoothstep(0.43, 0.57, within);
    mix(height, step * (floor + ledge), share)
}
