//! What covers the ground, at the corners of the quads: a chain of classes, so that neighbors always join.

use super::{HeightField, Plan, RoadMap};
use crate::noise::{ENDLESS, fbm};

/// A kind of ground. Only neighbors in this chain meet within a quad, except below the water.
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
        levels = evened_out(&levels, n);
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
        bare_seabed(&mut levels, n, |i| {
            let is_road = limit[i] == 1;
            seabed_level(plan, heights, i % n, i / n).filter(|_| !is_road)
        });
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
        () if rocky > 0.57 => 3,
        () if dry > 0.30 => 2,
        () => 1,
    }
}

/// The level of a corner that reaches below the water, which has no plants: rock or sand. `None` for dry ground.
fn seabed_level(plan: &Plan, heights: &HeightField, cx: usize, cy: usize) -> Option<i32> {
    let quad = plan.quad_size();
    let (x, y) = (cx as f64 * quad, cy as f64 * quad);
    let reach = quad / 2.0;
    let around = [
        (0.0, 0.0),
        (reach, 0.0),
        (-reach, 0.0),
        (0.0, reach),
        (0.0, -reach),
    ];
    let is_wet = |(dx, dy): (f64, f64)| heights.sample(x + dx, y + dy) < plan.water_level;
    let is_cliff = steepest_near(plan, heights, x, y) > 0.66;
    around
        .into_iter()
        .any(is_wet)
        .then_some(if is_cliff { 3 } else { 0 })
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
            let lowest = neighbors(i, n)
                .map(|k| limit[k])
                .min()
                .unwrap_or(i32::MAX - 8);
            limit[i] = limit[i].min(lowest + 1);
        }
    }
    limit
}

/// The median around each corner inland, so that areas are large and their borders plain.
fn evened_out(levels: &[i32], n: usize) -> Vec<i32> {
    let median = |i: usize| {
        let mut around: Vec<i32> = neighbors(i, n).map(|k| levels[k]).collect();
        around.push(levels[i]);
        around.sort_unstable();
        match around[0] {
            0 => levels[i],
            _ => around[around.len() / 2],
        }
    };
    (0..levels.len()).map(median).collect()
}

/// Raises corners until all eight neighbors of each are at most one step above it.
fn raise_until_joined(levels: &mut [i32], n: usize) {
    loop {
        let mut changed = false;
        for i in 0..levels.len() {
            let highest = neighbors(i, n).map(|k| levels[k]).max().unwrap_or(0);
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

/// Gives lone corners the class around them where that keeps all neighbors joined.
fn remove_specks(levels: &mut [i32], n: usize) {
    for i in 0..levels.len() {
        let around: Vec<i32> = neighbors(i, n).map(|k| levels[k]).collect();
        let low = around.iter().copied().min().unwrap_or(levels[i]);
        let high = around.iter().copied().max().unwrap_or(levels[i]);
        let alone = !around.contains(&levels[i]);
        if alone && high - low <= 1 {
            levels[i] = low;
        }
    }
}

/// Changes one corner of each quad whose classes meet only across its diagonals: such a quad would need a texture
/// of its own for an insignificant shape.
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
                    && neighbors(*k, n).all(|m| (levels[m] - level).abs() <= 1)
            };
            let other = |k: usize| a + b - levels[k];
            if let Some(k) = quad.into_iter().find(|k| fits(k, other(*k))) {
                levels[k] = other(k);
            }
        }
    }
}

/// Takes grass and heath from the sea floor, where rock that stands in the sea has drawn them. Any two classes may
/// meet there; where a quad would have a third, its corners go back to what they were.
fn bare_seabed(levels: &mut [i32], n: usize, seabed: impl Fn(usize) -> Option<i32>) {
    let before = levels.to_vec();
    let seabed: Vec<Option<i32>> = (0..levels.len()).map(seabed).collect();
    for (level, seabed) in levels.iter_mut().zip(&seabed) {
        if let (1 | 2, Some(bare)) = (*level, seabed) {
            *level = *bare;
        }
    }
    // Each round only brings corners nearer to rock, or back; both come to an end.
    for bring_back in [false, true] {
        loop {
            let mut changed = false;
            for i in (0..n * (n - 1)).filter(|i| i % n < n - 1) {
                let quad = [i, i + 1, i + n + 1, i + n];
                if can_be_drawn(quad.map(|k| levels[k])) {
                    continue;
                }
                for k in quad.into_iter().filter(|k| seabed[*k].is_some()) {
                    let level = if bring_back { before[k] } else { 3 };
                    let is_plant = matches!(before[k], 1 | 2);
                    changed |= is_plant && levels[k] != level;
                    if is_plant {
                        levels[k] = level;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }
}

/// Whether a quad's corners, in order around it, have at most two classes that meet along a line.
fn can_be_drawn([a, b, c, d]: [i32; 4]) -> bool {
    let (low, high) = (a.min(b).min(c).min(d), a.max(b).max(c).max(d));
    let two = [a, b, c, d].iter().all(|level| [low, high].contains(level));
    two && (a == b || a != c || b != d)
}

fn neighbors(i: usize, n: usize) -> impl Iterator<Item = usize> {
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
    fn no_quad_has_more_than_two_classes_and_roads_lie_on_grass() {
        for plan in [bay(), archipelago()] {
            let n = plan.n_quads();
            let land = Landscape::new(plan);
            for quad in 0..n * n {
                let (qx, qy) = (quad % n, quad / n);
                let corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
                    .map(|(dx, dy)| land.classes.at(qx + dx, qy + dy));
                let (low, high) = (corners.iter().min().unwrap(), corners.iter().max().unwrap());
                assert!(
                    corners.iter().all(|c| [low, high].contains(&c)),
                    "quad {qx} {qy}: {corners:?}"
                );
                let is_wet = [(0, 0), (1, 0), (0, 1), (1, 1)]
                    .into_iter()
                    .any(|(dx, dy)| {
                        seabed_level(&land.plan, &land.heights, qx + dx, qy + dy).is_some()
                    });
                assert!(
                    *high as u8 - *low as u8 <= 1 || is_wet,
                    "quad {qx} {qy}: {corners:?}"
                );
                if land.roads.link(qx, qy).is_some() {
                    assert_eq!(corners, [Class::Grass; 4], "road quad {qx} {qy}");
                }
            }
        }
    }

    #[test]
    fn hardly_anything_grows_below_the_water() {
        for plan in [bay(), archipelago()] {
            let land = Landscape::new(plan);
            let n = land.plan.n_quads() + 1;
            let quad = land.plan.quad_size();
            let is_overgrown = |i: &usize| {
                let (cx, cy) = (i % n, i / n);
                let z = land.heights.sample(cx as f64 * quad, cy as f64 * quad);
                let class = land.classes.at(cx, cy);
                z < land.plan.water_level && matches!(class, Class::Grass | Class::Heath)
            };
            let n_overgrown = (0..n * n).filter(is_overgrown).count();
            // Some stay where cliffs and meadows meet at the shore: there no other classes can be joined.
            assert!(n_overgrown * 60 < n * n, "{n_overgrown} of {n} x {n}");
        }
    }
}
