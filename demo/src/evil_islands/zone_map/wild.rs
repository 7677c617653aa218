//! The wilderness: a forest of trees, no two alike, firs on the slopes, and stones.

use super::{Plan, Thing};
use crate::evil_islands::island::{FIELD, SEA, SQUARE, distance, road_tiles};
use crate::noise::{hash2, unit};

/// Lets it grow.
pub fn grow(plan: &mut Plan<'_>) {
    let mut taken: Vec<[f64; 2]> = Vec::new();
    let oaks = Stand {
        seed: 0xA0,
        west_south: [15.0, 25.0],
        east_north: [58.0, 50.0],
        n: 26,
        apart: 4.2,
        heights: [SEA + 1.6, 20.0],
        steepest: 0.6,
    };
    for (k, at) in oaks.places(plan, &mut taken).into_iter().enumerate() {
        oak(plan, 0xA1, k, at);
    }
    for (k, at) in [
        [84.0, 66.5],
        [108.5, 45.5],
        [92.5, 43.5],
        [72.0, 60.5],
        [94.0, 31.5],
        [76.5, 34.0],
        [111.0, 60.0],
    ]
    .into_iter()
    .enumerate()
    {
        taken.push(at);
        oak(plan, 0xA2, k, at);
    }
    let slopes = [
        ([14.0, 64.0], [58.0, 112.0], 22),
        ([84.0, 70.0], [116.0, 116.0], 14),
        ([60.0, 92.0], [84.0, 118.0], 10),
    ];
    for (number, (west_south, east_north, n)) in slopes.into_iter().enumerate() {
        let firs = Stand {
            seed: 0xB0 + number as u32,
            west_south,
            east_north,
            n,
            apart: 3.4,
            heights: [SEA + 2.0, 30.0],
            steepest: 0.95,
        };
        for (k, at) in firs.places(plan, &mut taken).into_iter().enumerate() {
            fir(plan, 0xB8 + number as u32, k, at);
        }
    }
    stones(plan, &mut taken);
    let sea = plan.above([74.0, 12.0], 1.0);
    plan.sound("Sea", sea, 60, &["sea01.wav", "sea02.wav"]);
    let forest = plan.above([32.0, 38.0], 6.0);
    plan.sound("Birds", forest, 35, &["bird01.wav", "bird02.wav"]);
}

/// Where plants of a kind may stand.
struct Stand {
    seed: u32,
    west_south: [f64; 2],
    east_north: [f64; 2],
    n: usize,
    /// Meters between two.
    apart: f64,
    heights: [f64; 2],
    steepest: f64,
}

impl Stand {
    /// Places that suit, found by trying; they are taken then.
    fn places(&self, plan: &Plan<'_>, taken: &mut Vec<[f64; 2]>) -> Vec<[f64; 2]> {
        let island = plan.land.island();
        let roads: Vec<[f64; 2]> = road_tiles()
            .into_iter()
            .flatten()
            .map(|tile| tile.map(|c| 2.0 * c as f64 + 1.0))
            .collect();
        let [east, north] = FIELD.map(|ends| ends.map(|tile| 2.0 * tile as f64));
        let suits = |at: [f64; 2], taken: &[[f64; 2]]| {
            let [x, y] = at;
            let from = island.river.nearest(x, y);
            let z = plan.land.height(x, y);
            let is_in_field =
                x > east[0] - 2.0 && x < east[1] + 2.0 && y > north[0] - 3.0 && y < north[1] + 2.0;
            from.distance > from.half_width + 2.6
                && island.inland(x, y) > 4.0
                && (self.heights[0]..self.heights[1]).contains(&z)
                && island.slope(x, y) < self.steepest
                && distance(at, SQUARE) > 21.0
                && !is_in_field
                && taken.iter().all(|other| distance(at, *other) > self.apart)
                && roads.iter().all(|road| distance(at, *road) > 2.6)
        };
        let mut found = Vec::new();
        for k in 0..60 * self.n as i32 {
            let share = |axis: i32| unit(hash2(self.seed, k, axis));
            let at = [0, 1].map(|axis| {
                let (low, high) = (self.west_south[axis], self.east_north[axis]);
                low + (high - low) * share(axis as i32)
            });
            if found.len() < self.n && suits(at, taken) {
                taken.push(at);
                found.push(at);
            }
        }
        found
    }
}

/// Numbers of one plant, 0 to 1.
fn traits(seed: u32, k: usize) -> [f64; 4] {
    [0, 1, 2, 3].map(|axis| unit(hash2(seed, k as i32, axis)))
}

fn oak(plan: &mut Plan<'_>, seed: u32, k: usize, at: [f64; 2]) {
    let [wide, thick, high, turned] = traits(seed, k);
    let leaves = if k % 6 == 4 { "oak01" } else { "oak00" };
    let tree = Thing {
        name: "Oak",
        template: "nafltr01",
        textures: ["bark00", leaves],
        complection: [0.15 + 0.85 * wide, thick, 0.1 + 0.9 * high],
    };
    plan.put(&tree, at, 360.0 * turned).position[2] = -0.1;
}

fn fir(plan: &mut Plan<'_>, seed: u32, k: usize, at: [f64; 2]) {
    let [wide, thick, high, turned] = traits(seed, k);
    let tree = Thing {
        name: "Fir",
        template: "nafltr02",
        textures: ["bark00", "fir00"],
        complection: [0.8 * wide, 0.8 * thick, high],
    };
    plan.put(&tree, at, 360.0 * turned).position[2] = -0.2;
}

/// Boulders by the river, on the beach and below the cliffs.
fn stones(plan: &mut Plan<'_>, taken: &mut Vec<[f64; 2]>) {
    let beds = [
        ([52.0, 20.0], [92.0, 34.0], 9, [SEA - 0.7, SEA + 2.5]),
        ([52.0, 56.0], [78.0, 100.0], 9, [SEA + 1.0, 18.0]),
        ([80.0, 68.0], [112.0, 80.0], 5, [SEA + 1.0, 20.0]),
        ([40.0, 66.0], [60.0, 84.0], 5, [SEA + 1.0, 26.0]),
    ];
    let mut number = 0;
    for (bed, (west_south, east_north, n, heights)) in beds.into_iter().enumerate() {
        let island = plan.land.island();
        let enough = number + n as usize;
        for k in 0..40 * n {
            let share = |axis: i32| unit(hash2(0xC0 + bed as u32, k, axis));
            let at = [0, 1].map(|axis: usize| {
                let (low, high): (f64, f64) = (west_south[axis], east_north[axis]);
                low + (high - low) * share(axis as i32)
            });
            let [x, y] = at;
            let z = plan.land.height(x, y);
            let from = island.river.nearest(x, y);
            let is_free = taken.iter().all(|other| distance(at, *other) > 2.5);
            let is_beside = from.distance > from.half_width - 0.6 && distance(at, SQUARE) > 20.0;
            if is_free && is_beside && (heights[0]..heights[1]).contains(&z) && number < enough {
                taken.push(at);
                number += 1;
                let [wide, deep, high, turned] = traits(0xC8, number);
                let stone = Thing {
                    name: "Stone",
                    template: "nast01",
                    textures: ["stone00", "stone00"],
                    complection: [wide * wide, deep * deep, 0.8 * high * high],
                };
                plan.put(&stone, at, 360.0 * turned).position[2] = -0.1;
            }
        }
    }
}
