//! Map01: a valley between snowy mountains that opens to a bay in the south.

use super::{Limits, Plan};
use crate::noise::{ENDLESS, bump, fbm, mix, ridged, smoothstep};

/// A level of true retail size: 16 x 16 tiles, about 10,000 vertices.
pub fn bay() -> Plan {
    Plan {
        n_tiles: 16,
        quads_per_tile: 3,
        water_level: 12.0,
        peak: 94.5,
        seed: 0x1A0D,
        height,
        roads: &[
            &[
                [0.27, 0.36],
                [0.41, 0.39],
                [0.53, 0.52],
                [0.50, 0.66],
                [0.60, 0.80],
                [0.57, 0.995],
            ],
            &[[0.76, 0.37], [0.53, 0.52]],
        ],
        snow_line: 54.0,
        limits: Limits {
            n_faces: 8_600,
            n_vertices: 10_800,
        },
    }
}

fn height(plan: &Plan, u: f64, v: f64) -> f64 {
    let seed = plan.seed;
    let warp_u = u + 0.030 * fbm(seed + 10, u * 5.0, v * 5.0, 4, ENDLESS);
    let warp_v = v + 0.030 * fbm(seed + 20, u * 5.0, v * 5.0, 4, ENDLESS);
    let inland = inland(seed, warp_u, warp_v);
    let ground = lowland(plan, u, v, inland);
    let ring = mountain_ring(seed, u, v, warp_u, warp_v) * smoothstep(-20.0, 110.0, inland);
    let crags = ridged(seed + 40, warp_u * 5.5, warp_v * 5.5, 5, ENDLESS);
    let massif = ring * (12.0 + 72.0 * crags * mix(0.8, 1.2, smoothstep(0.25, 0.95, v)));
    let raised = ground + benches(massif, fbm(seed + 50, u * 9.0, v * 9.0, 2, ENDLESS));
    raised + table_mountain(seed, u, v, warp_u, warp_v) + seaside_rocks(seed, u, v, inland)
}

/// World units from the shore, positive on land.
fn inland(seed: u32, u: f64, v: f64) -> f64 {
    let sides = 2.0 * u - 1.0;
    let coast = 0.315 - 0.20 * sides * sides + 0.02 * fbm(seed + 30, u * 7.0, 3.5, 3, ENDLESS);
    let headland = 0.15 * bump((u - 0.70) / 0.10);
    let mainland = v - coast + headland;
    let (du, dv) = (u - 0.40, (v - 0.115) * 1.35);
    let island = 0.062 - (du * du + dv * dv).sqrt();
    1190.0 * mainland.max(island)
}

/// Sea floor, beach and rolling plain.
fn lowland(plan: &Plan, u: f64, v: f64, inland: f64) -> f64 {
    let water = plan.water_level;
    if inland < 0.0 {
        let floor = 9.0 + 2.5 * fbm(plan.seed + 60, u * 9.0, v * 9.0, 3, ENDLESS);
        let depth = -inland * 0.11;
        return water - floor * depth / (floor * 0.6 + depth);
    }
    let beach = 9.0 * inland / (inland + 75.0);
    let hills = fbm(plan.seed + 70, u * 6.5, v * 6.5, 4, ENDLESS);
    water + beach + (hills * 15.0 + 4.0).max(-1.5) * smoothstep(40.0, 210.0, inland)
}

/// How much of a place belongs to the mountains in the north, east and west, 0..1. A pass leads out in the north.
fn mountain_ring(seed: u32, u: f64, v: f64, warp_u: f64, warp_v: f64) -> f64 {
    let rough = 0.05 * fbm(seed + 80, u * 4.0, v * 4.0, 3, ENDLESS);
    let side = |distance: f64, reach: f64| smoothstep(reach, 0.02, distance + rough);
    let north = side(1.0 - warp_v, 0.36);
    let ring = north.max(side(warp_u, 0.27)).max(side(1.0 - warp_u, 0.25));
    let pass = 0.575 + 0.03 * fbm(seed + 90, v * 5.0, 0.5, 2, ENDLESS);
    ring * (1.0 - 0.96 * bump((u - pass) / 0.115) * smoothstep(0.55, 0.75, v))
}

/// Breaks even slopes into steps with cliffs between them.
fn benches(height: f64, noise: f64) -> f64 {
    let rise = 19.0;
    let level = height / rise + 0.35 * noise;
    let step = level.floor();
    let stepped = (step + smoothstep(0.42, 0.80, level - step) - 0.35 * noise) * rise;
    mix(height, stepped, 0.75 * smoothstep(4.0, 16.0, height))
}

/// Two lone flat-topped rocks in the plain, before the mountains of the west.
fn table_mountain(seed: u32, u: f64, v: f64, warp_u: f64, warp_v: f64) -> f64 {
    let rough = 0.010 * fbm(seed + 100, u * 22.0, v * 22.0, 2, ENDLESS);
    let crags = ridged(seed + 120, u * 16.0, v * 16.0, 3, ENDLESS);
    let rock = |cu: f64, cv: f64, size: f64, height: f64| {
        let (du, dv) = (warp_u - cu, (warp_v - cv) * 1.2);
        let distance = (du * du + dv * dv).sqrt() / size + rough / size;
        let walls = smoothstep(1.0, 0.72, distance);
        let foot = smoothstep(1.9, 0.8, distance);
        height * (walls * mix(0.62, 0.95, crags) + 0.24 * foot)
    };
    rock(0.315, 0.535, 0.074, 46.0).max(rock(0.425, 0.515, 0.040, 34.0))
}

/// Rocks at the end of the headland, on the island and in the sea before the western beach.
fn seaside_rocks(seed: u32, u: f64, v: f64, inland: f64) -> f64 {
    let rock = |cu: f64, cv: f64, reach: f64| {
        let (du, dv) = (u - cu, v - cv);
        bump(((du * du + dv * dv).sqrt() / reach).min(1.0))
    };
    let crags = 0.6 + 0.6 * ridged(seed + 110, u * 14.0, v * 14.0, 3, ENDLESS);
    let stack = |cu: f64, cv: f64, reach: f64| smoothstep(0.0, 0.8, rock(cu, cv, reach));
    let stacks = 33.0 * stack(0.335, 0.229, 0.023) + 27.0 * stack(0.374, 0.241, 0.017);
    let hills = 26.0 * rock(0.705, 0.135, 0.055) + 17.0 * rock(0.41, 0.12, 0.045);
    (hills * smoothstep(12.0, 60.0, inland) + stacks) * crags
}
