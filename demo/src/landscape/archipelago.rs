//! Map02: islands around a volcano, as large as the format can hold.

use super::{Limits, Plan};
use crate::noise::{ENDLESS, bump, fbm, mix, ridged, smoothstep};

/// A level at the format's own limit: 32 x 32 tiles, more than 60,000 vertices.
pub fn archipelago() -> Plan {
    Plan {
        n_tiles: 32,
        quads_per_tile: 4,
        water_level: 20.0,
        peak: 170.0,
        seed: 0x2B17,
        height,
        roads: &[&[
            [0.36, 0.40],
            [0.40, 0.33],
            [0.50, 0.32],
            [0.60, 0.36],
            [0.66, 0.46],
            [0.64, 0.56],
        ]],
        snow_line: 92.0,
        limits: Limits {
            // All that the format numbers, but for what buildings need that cut the land.
            n_faces: 65_200,
            n_vertices: 65_535,
        },
    }
}

fn height(plan: &Plan, u: f64, v: f64) -> f64 {
    let seed = plan.seed;
    let warp_u = u + 0.055 * fbm(seed + 10, u * 5.0, v * 5.0, 4, ENDLESS);
    let warp_v = v + 0.055 * fbm(seed + 20, u * 5.0, v * 5.0, 4, ENDLESS);
    let rim = smoothstep(0.0, 0.10, u.min(v).min(1.0 - u).min(1.0 - v));
    let islets = islets(seed, warp_u, warp_v) * rim;
    let base = volcano_base(warp_u, warp_v);
    let land = base.max(islets) + 0.3 * base.min(islets);
    let inland = 2381.0 * 0.16 * (land - 0.36);
    let water = plan.water_level;
    if inland < 0.0 {
        let floor = 17.0 + 3.0 * fbm(seed + 30, u * 16.0, v * 16.0, 3, ENDLESS);
        let depth = -inland * 0.15;
        return water - floor * depth / (floor * 0.6 + depth);
    }
    let beach = 12.0 * inland / (inland + 130.0);
    let hills = (9.0 * fbm(seed + 40, u * 13.0, v * 13.0, 4, ENDLESS) + 4.0).max(-1.0);
    let crags = ridged(seed + 50, warp_u * 10.0, warp_v * 10.0, 5, ENDLESS);
    let high = smoothstep(0.62, 1.0, land) * islets_weight(warp_u, warp_v);
    let rocks = stacks(high * (14.0 + 64.0 * crags));
    water + beach + hills * smoothstep(25.0, 120.0, inland) + rocks + volcano(seed, warp_u, warp_v)
}

/// Center and reach of the small islands, in fractions of the side.
const ISLANDS: [[f64; 3]; 15] = [
    [0.17, 0.80, 0.120],
    [0.10, 0.66, 0.055],
    [0.33, 0.84, 0.075],
    [0.46, 0.88, 0.050],
    [0.72, 0.83, 0.130],
    [0.86, 0.73, 0.085],
    [0.88, 0.52, 0.060],
    [0.83, 0.30, 0.125],
    [0.93, 0.20, 0.060],
    [0.66, 0.13, 0.090],
    [0.48, 0.16, 0.070],
    [0.29, 0.17, 0.140],
    [0.12, 0.14, 0.070],
    [0.11, 0.41, 0.110],
    [0.22, 0.53, 0.050],
];

/// Small islands, 0..1.
fn islets(seed: u32, u: f64, v: f64) -> f64 {
    let coast = 0.14 * fbm(seed + 60, u * 11.0, v * 11.0, 3, ENDLESS);
    let hill = |[cu, cv, reach]: [f64; 3]| {
        let (du, dv) = (u - cu, v - cv);
        let rise = bump(((du * du + dv * dv).sqrt() / (1.35 * reach)).min(1.0));
        rise * (0.55 + 3.6 * reach)
    };
    ISLANDS.into_iter().map(hill).fold(0.0, f64::max) * (1.0 + coast) + 0.4 * coast.min(0.0)
}

/// The plain around the volcano, 0..1.
fn volcano_base(u: f64, v: f64) -> f64 {
    let (du, dv) = (u - 0.52, v - 0.47);
    smoothstep(0.27, 0.10, (du * du + dv * dv).sqrt())
}

/// Crags stand on the small islands, not on the plain of the large one.
fn islets_weight(u: f64, v: f64) -> f64 {
    1.0 - volcano_base(u, v)
}

/// A cone with a crater and gullies down its sides.
fn volcano(seed: u32, u: f64, v: f64) -> f64 {
    let (du, dv) = (u - 0.52, v - 0.49);
    let distance = (du * du + dv * dv).sqrt();
    let cone = (1.0 - distance / 0.125).max(0.0);
    let gullies = ridged(seed + 70, u * 15.0, v * 15.0, 4, ENDLESS);
    let flank = 150.0 * cone * (0.45 + 0.55 * cone) * mix(0.72, 1.12, gullies);
    let crater = 62.0 * smoothstep(0.030, 0.012, distance);
    flank - crater
}

/// Steps with cliffs between them.
fn stacks(height: f64) -> f64 {
    let level = height / 17.0;
    let step = level.floor();
    mix(
        height,
        (step + smoothstep(0.25, 0.8, level - step)) * 17.0,
        0.7,
    )
}
