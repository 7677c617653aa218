//! Roads on low banks, over land that was made even for them.

use std::collections::{BTreeMap, BTreeSet};

use super::CELL;
use super::course::{Beside, Course, Places};
use super::ground_builder::{DEPTH, WIDTH};
use super::land::Land;
use crate::noise::{mix, smoothstep};

/// Half the width of a road, of a road with its shoulders, and of what was made even, points.
const HALF_WIDTH: f64 = 44.0;
const SHOULDER: f64 = 62.0;
const REACH: f64 = 420.0;
/// How high a road and its shoulders lie above the land, points: so that the game's builder cannot store them flat.
const BANK: f64 = 40.0;
const SHOULDER_BANK: f64 = 16.0;
/// No road lies lower above the sea.
const MIN_HEIGHT: f64 = 44.0;
/// How often heights along a road are smoothed.
const N_SMOOTHINGS: usize = 60;

/// A road: the points that it runs through, each with the height of its surface above the sea where that is given.
type Road = &'static [([f64; 2], Option<f64>)];

/// Height of the town's streets above the sea.
const TOWN: Option<f64> = Some(140.0);

const ROADS: [Road; 8] = [
    // From the harbour to the southern gate.
    &[([17504.0, 21560.0], Some(44.0)), ([17504.0, 20000.0], TOWN)],
    // From the eastern gate over the bridge.
    &[([19240.0, 18496.0], TOWN), ([22500.0, 18496.0], TOWN)],
    // Over the border to the hamlet and the tunnel.
    &[
        ([24190.0, 18496.0], TOWN),
        ([26600.0, 18900.0], None),
        ([29200.0, 20000.0], None),
        ([32200.0, 19000.0], None),
        ([35600.0, 16900.0], None),
        ([39600.0, 16300.0], None),
        ([43200.0, 14900.0], None),
        ([46400.0, 15000.0], None),
        ([48600.0, 14600.0], None),
        ([49640.0, 14504.0], Some(230.0)),
    ],
    // From the tunnel around the lake to the beacon.
    &[
        ([53200.0, 14504.0], Some(230.0)),
        ([54600.0, 13900.0], None),
        ([56700.0, 12700.0], None),
        ([59500.0, 12800.0], None),
        ([62000.0, 11400.0], None),
        ([62300.0, 9300.0], None),
        ([61300.0, 8300.0], None),
        ([60304.0, 8608.0], None),
    ],
    // From the northern gate to the fields.
    &[
        ([17504.0, 16860.0], Some(204.0)),
        ([17504.0, 15960.0], Some(158.0)),
    ],
    // From the western gate to the edge of the world.
    &[
        ([15760.0, 18496.0], TOWN),
        ([13200.0, 18700.0], None),
        ([10400.0, 19600.0], None),
        ([7200.0, 19000.0], None),
        ([3600.0, 17800.0], None),
        ([-200.0, 17400.0], None),
    ],
    // From the hamlet to the north.
    &[
        ([46000.0, 14990.0], None),
        ([45200.0, 12800.0], None),
        ([45900.0, 9800.0], None),
        ([45300.0, 6200.0], None),
        ([46300.0, 2800.0], None),
        ([46100.0, -200.0], None),
    ],
    // From the hamlet to the cove.
    &[
        ([46700.0, 15000.0], None),
        ([47300.0, 17800.0], None),
        ([46200.0, 21000.0], None),
        ([47200.0, 23600.0], None),
        ([47900.0, 25300.0], None),
    ],
];

/// All roads: what they make of the land beside them.
pub struct Roads {
    roads: Vec<(BTreeMap<usize, Beside>, Vec<f64>)>,
}

impl Roads {
    /// Lays them over the land.
    pub fn new(land: &Land) -> Self {
        let places = Places {
            step: CELL,
            first: CELL / 2.0,
            size: [WIDTH as usize, DEPTH as usize],
        };
        let roads = ROADS.iter().map(|road| {
            let points: Vec<[f64; 2]> = road.iter().map(|(at, _)| *at).collect();
            let course = Course::new(&points);
            let heights = heights(land, &course, road);
            (course.beside(&places, REACH), heights)
        });
        Self {
            roads: roads.collect(),
        }
    }

    /// Numbers of all cells beside a road.
    pub fn cells(&self) -> BTreeSet<usize> {
        let cells = self.roads.iter().flat_map(|(beside, _)| beside.keys());
        cells.copied().collect()
    }

    /// Height of a cell, by its number, whose land has a height.
    pub fn height(&self, cell: usize, land: f64) -> f64 {
        let mut height = land;
        let mut bank: f64 = 0.0;
        for (beside, heights) in &self.roads {
            let Some(it) = beside.get(&cell) else {
                continue;
            };
            let road = Course::value(heights, it.at);
            height = mix(height, road, smoothstep(REACH, SHOULDER, it.distance));
            bank = bank.max(match it.distance {
                off if off < HALF_WIDTH => BANK,
                off if off < SHOULDER => SHOULDER_BANK,
                _ => 0.0,
            });
        }
        height + bank
    }
}

/// Heights of the stations: even, and as given where they are.
fn heights(land: &Land, course: &Course, road: Road) -> Vec<f64> {
    let stations = course.stations();
    let given: Vec<Option<f64>> = stations
        .iter()
        .map(|station| {
            let point = road.iter().find(|(at, _)| at == station);
            point.and_then(|(_, surface)| surface.map(|surface| surface - BANK))
        })
        .collect();
    let mut heights: Vec<f64> = stations
        .iter()
        .zip(&given)
        .map(|([x, y], given)| given.unwrap_or(land.height(*x, *y).max(MIN_HEIGHT)))
        .collect();
    for _ in 0..N_SMOOTHINGS {
        let before = heights.clone();
        for (k, height) in heights.iter_mut().enumerate() {
            let around = [k.saturating_sub(1), (k + 1).min(before.len() - 1)];
            let mean = 0.25 * (before[around[0]] + before[around[1]]) + 0.5 * before[k];
            *height = given[k].unwrap_or(mean);
        }
    }
    heights
}
