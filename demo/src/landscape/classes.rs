//! What covers the ground, at the corners of the quads: a chain of classes, so that neighbours always join.

use super::{HeightField, Plan, RoadMap};
use crate::noise::{ENDLESS, fbm};

/// A kind of ground. Only neighbours in this chain meet within a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Beach and sea floor.
    Sand,
    /// Meadow; roads run here.
    Grass,
    /// Dry grass and heather on hills and foothills.
    Heath,
    /// Cliffs and scree.
    Rock,
    /// Tops of mountains.
    Snow,
}

impl Class {
    /// The chain, lowest first.
    pub const ALL: [Self; 5] = [Self::Sand, Self::Grass, Self::Heath, Self::Rock, Self::Snow];

    fn from_level(level: i32) -> Self {
        Self::ALL[level.clamp(0, 4) as usize]
    }
}

/// Classes at the `(n_quads + 1)²` quad corners.
pub struct ClassField {
    n: usize,
    classes: Vec<Class>,
}

impl ClassField {
    /// Chooses classes by height, slope and noise, then evens them out until no quad spans more than one step.
    pub fn new(plan: &Plan, heights: &HeightField, roads: &RoadMap) -> Self {
        let n = plan.n_quads() + 1;
        let mut levels: Vec<i32> = (0..n * n)
            .map(|i| wished_level(plan, heights, i % n, i / n))
            .collect();
        let limit = road_limit(n, roads);
        for (level, limit) in levels.iter_mut().zip(&limit) {
            *level = (*level).min(*limit);
            if *limit == 1 {
                *level = 1;
            }
        }
        raise_until_joined(&mut levels, n);
        remove_specks(&mut levels, n);
        part_diagonals(&mut levels, n, &limit);
        ClassField {
            n,
            classes: levels.into_iter().map(Class::from_level).collect(),
        }
    }

    /// Class at a quad corner.
    pub fn at(&self, cx: usize, cy: usize) -> Class {
        self.classes[cy * self.n + cx]
    }
}

fn wished_level(plan: &Plan, heights: &HeightField, cx: usize, cy: usize) -> i32 {
    let quad = plan.quad_size();
    let (x, y) = (cx as f64 * quad, cy as f64 * quad);
    let above = heights.sample(x, y) - plan.water_level;
    let slope = steepest_near(plan, heights, x, y);
    let noise = fbm(plan.seed + 200, x / 130.0, y / 130.0, 3, ENDLESS);
    if above > plan.snow_line + 9.0 * noise && slope < 1.5 {
        return 4;
    }
    if above < 1.9 + 0.9 * noise {
        return if slope > 1.0 { 3 } else { 0 };
    }
    let rocky = slope + (above / plan.snow_line - 0.55).max(0.0) * 0.6 + 0.12 * noise;
    let dry = slope * 0.7 + 0.55 * above / plan.snow_line + 0.42 * noise;
    match () {
        () if rocky > 0.66 => 3,
        () if dry > 0.30 => 2,
        () => 1,
    }
}

/// Steepest ground around a quad corner, so that a cliff between corners is seen by them.
fn steepest_near(plan: &Plan, heights: &HeightField, x: f64, y: f64) -> f64 {
    let reach = plan.quad_size() * 0.3;
    let size = plan.world_size();
    let around = [(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
    let slope = |(dx, dy): (f64, f64)| {
        let (x, y) = (
            (x + dx * reach).clamp(0.0, size),
            (y + dy * reach).clamp(0.0, size),
        );
        heights.slope(x, y, reach)
    };
    around.into_iter().map(slope).fold(0.0, f64::max)
}

/// Highest level at each corner so that the corners of road quads are grass: one more for each step away.
fn road_limit(n: usize, roads: &RoadMap) -> Vec<i32> {
    let mut limit = vec![i32::MAX - 8; n * n];
    for (qx, qy) in roads.quads() {
        for (cx, cy) in [(qx, qy), (qx + 1, qy), (qx, qy + 1), (qx + 1, qy + 1)] {
            limit[cy * n + cx] = 1;
        }
    }
    for _ in 0..5 {
        for i in 0..n * n {
            let lowest = neighbours(i, n)
                .map(|k| limit[k])
                .min()
                .unwrap_or(i32::MAX - 8);
            limit[i] = limit[i].min(lowest + 1);
        }
    }
    limit
}

/// Raises corners until all eight neighbours of each are at most one step above it.
fn raise_until_joined(levels: &mut [i32], n: usize) {
    loop {
        let mut changed = false;
        for i in 0..levels.len() {
            let highest = neighbours(i, n).map(|k| levels[k]).max().unwrap_or(0);
            if levels[i] < highest - 1 {
                levels[i] = highest - 1;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Gives lone corners the class around them where that keeps all neighbours joined.
fn remove_specks(levels: &mut [i32], n: usize) {
    for i in 0..levels.len() {
        let around: Vec<i32> = neighbours(i, n).map(|k| levels[k]).collect();
        let low = around.iter().copied().min().unwrap_or(levels[i]);
        let high = around.iter().copied().max().unwrap_or(levels[i]);
        let alone = !around.contains(&levels[i]);
        if alone && high - low <= 1 {
            levels[i] = low;
        }
    }
}

/// Changes one corner of each quad whose classes meet only across its diagonals: such a quad would need a texture
/// of its own for a shape that nobody would miss.
fn part_diagonals(levels: &mut [i32], n: usize, limit: &[i32]) {
    for _ in 0..8 {
        for i in (0..n * (n - 1)).filter(|i| i % n < n - 1) {
            let quad = [i, i + 1, i + n + 1, i + n];
            let [a, b, c, d] = quad.map(|k| levels[k]);
            if a != c || b != d || a == b {
                continue;
            }
            let fits = |k: &usize, level: i32| {
                level <= limit[*k]
                    && limit[*k] > 1
                    && neighbours(*k, n).all(|m| (levels[m] - level).abs() <= 1)
            };
            let other = |k: usize| a + b - levels[k];
            if let Some(k) = quad.into_iter().find(|k| fits(k, other(*k))) {
                levels[k] = other(k);
            }
        }
    }
}

fn neighbours(i: usize, n: usize) -> impl Iterator<Item = usize> {
    let (x, y) = ((i % n) as i32, (i / n) as i32);
    let inside = 0..n as i32;
    (-1..=1)
        .flat_map(move |dy| (-1..=1).map(move |dx| (x + dx, y + dy)))
        .filter(move |(nx, ny)| (*nx, *ny) != (x, y) && inside.contains(nx) && inside.contains(ny))
        .map(move |(nx, ny)| ny as usize * n + nx as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::{Landscape, archipelago, bay};

    #[test]
    fn no_quad_spans_more_than_two_classes_and_roads_lie_on_grass() {
        for plan in [bay(), archipelago()] {
            let n = plan.n_quads();
            let land = Landscape::new(plan);
            for quad in 0..n * n {
                let (qx, qy) = (quad % n, quad / n);
                let corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
                    .map(|(dx, dy)| land.classes.at(qx + dx, qy + dy));
                let (low, high) = (corners.iter().min().unwrap(), corners.iter().max().unwrap());
                assert!(*high as u8 - *low as u8 <= 1, "quad {qx} {qy}: {corners:?}");
                if land.roads.link(qx, qy).is_some() {
                    assert_eq!(corners, [Class::Grass; 4], "road quad {qx} {qy}");
                }
            }
        }
    }
}
