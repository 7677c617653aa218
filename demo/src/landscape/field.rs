//! The fine height field that mesh, normals, classes and areals are sampled from.

use rayon::prelude::*;

use super::{Plan, RoadMap};
use crate::noise::{mix, smoothstep};

/// Heights on a regular grid, eight steps to a quad.
pub struct HeightField {
    /// Samples along each side.
    n: usize,
    /// World units between samples.
    step: f64,
    /// World z, row by row from the south.
    z: Vec<f64>,
}

impl HeightField {
    /// Grid steps along a quad's side.
    pub const STEPS_PER_QUAD: usize = 8;

    /// Samples the plan's height and scales what is above the water so that the highest point is the peak.
    pub fn new(plan: &Plan) -> Self {
        let n = plan.n_quads() * Self::STEPS_PER_QUAD + 1;
        let last = (n - 1) as f64;
        let mut z: Vec<f64> = (0..n * n)
            .into_par_iter()
            .map(|i| (plan.height)(plan, (i % n) as f64 / last, (i / n) as f64 / last))
            .collect();
        let low = z.iter().copied().fold(f64::MAX, f64::min);
        let high = z.iter().copied().fold(f64::MIN, f64::max);
        let water = plan.water_level;
        for z in &mut z {
            *z = if *z > water {
                water + (*z - water) * (plan.peak - water) / (high - water)
            } else {
                water - (water - *z) * water / (water - low)
            };
        }
        let step = plan.world_size() / last;
        Self { n, step, z }
    }

    /// World units between samples.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// World z at a sample.
    pub fn at(&self, ix: usize, iy: usize) -> f64 {
        self.z[iy * self.n + ix]
    }

    /// World z at any point, bilinear; outside, that of the nearest edge.
    pub fn sample(&self, x: f64, y: f64) -> f64 {
        let last = (self.n - 1) as f64;
        let (gx, gy) = (
            (x / self.step).clamp(0.0, last),
            (y / self.step).clamp(0.0, last),
        );
        let ix = (gx.floor() as usize).min(self.n - 2);
        let iy = (gy.floor() as usize).min(self.n - 2);
        let (fx, fy) = (gx - ix as f64, gy - iy as f64);
        let south = mix(self.at(ix, iy), self.at(ix + 1, iy), fx);
        let north = mix(self.at(ix, iy + 1), self.at(ix + 1, iy + 1), fx);
        mix(south, north, fy)
    }

    /// Unit normal at a point from central differences over `reach` world units to each side.
    pub fn normal(&self, x: f64, y: f64, reach: f64) -> [f64; 3] {
        let [dx, dy] = self.gradient(x, y, reach);
        let length = (dx * dx + dy * dy + 1.0).sqrt();
        [-dx / length, -dy / length, 1.0 / length]
    }

    /// Steepness (rise over run) at a point.
    pub fn slope(&self, x: f64, y: f64, reach: f64) -> f64 {
        let [dx, dy] = self.gradient(x, y, reach);
        (dx * dx + dy * dy).sqrt()
    }

    fn gradient(&self, x: f64, y: f64, reach: f64) -> [f64; 2] {
        let size = self.step * (self.n - 1) as f64;
        let difference = |low: [f64; 2], high: [f64; 2], run: f64| {
            (self.sample(high[0], high[1]) - self.sample(low[0], low[1])) / run
        };
        let (west, east) = ((x - reach).max(0.0), (x + reach).min(size));
        let (south, north) = ((y - reach).max(0.0), (y + reach).min(size));
        [
            difference([west, y], [east, y], east - west),
            difference([x, south], [x, north], north - south),
        ]
    }

    /// Cuts the roads into the ground: even across, gently rising along.
    pub fn flatten_along(&mut self, roads: &RoadMap) {
        let quad = self.step * Self::STEPS_PER_QUAD as f64;
        let lanes = roads.center_lines(self);
        if lanes.is_empty() {
            return;
        }
        let (n, step) = (self.n, self.step);
        let flattened: Vec<f64> = (0..n * n)
            .into_par_iter()
            .map(|i| {
                let (x, y) = ((i % n) as f64 * step, (i / n) as f64 * step);
                let (mut weight, mut level) = (0.0, 0.0);
                let mut nearest = f64::MAX;
                for [px, py, pz] in &lanes {
                    let squared = (px - x) * (px - x) + (py - y) * (py - y);
                    if squared < 4.0 * quad * quad {
                        let w = 1.0 / (squared + 4.0);
                        weight += w * w;
                        level += w * w * pz;
                        nearest = nearest.min(squared);
                    }
                }
                if weight == 0.0 {
                    return self.z[i];
                }
                let hold = smoothstep(1.5 * quad, 0.35 * quad, nearest.sqrt());
                mix(self.z[i], level / weight, hold)
            })
            .collect();
        self.z = flattened;
    }
}
