//! Roads on the quad grid: each quad of a road is entered and left through the middles of its sides.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{HeightField, Plan};
use crate::noise::{ENDLESS, fbm};

/// Sides of a quad that a road runs through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Link(pub u8);

impl Link {
    /// Unit steps to the north, east, south and west; bit k of a link stands for step k.
    const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

    /// Sides of a quad.
    pub const NORTH: usize = 0;
    /// See [`Self::NORTH`].
    pub const EAST: usize = 1;
    /// See [`Self::NORTH`].
    pub const SOUTH: usize = 2;
    /// See [`Self::NORTH`].
    pub const WEST: usize = 3;

    /// Whether the road turns from a side to the next.
    pub fn is_bend(self) -> bool {
        [0b0011, 0b0110, 0b1100, 0b1001].contains(&self.0)
    }

    /// Whether the road runs through side `k`.
    pub fn has(self, side: usize) -> bool {
        self.0 >> side & 1 == 1
    }
}

/// The roads of a level.
#[derive(Default)]
pub struct RoadMap {
    /// Quads with a road, by (x, y).
    links: BTreeMap<(usize, usize), Link>,
    /// Each road's quads in order.
    paths: Vec<Vec<(usize, usize)>>,
}

impl RoadMap {
    /// Finds a way of gentle slope through each road's way points.
    pub fn lay(plan: &Plan, heights: &HeightField) -> Self {
        let mut roads = Self::default();
        let n = plan.n_quads();
        let to_quad = |p: &[f64; 2]| {
            let index = |t: f64| ((t * n as f64) as usize).min(n - 1);
            (index(p[0]), index(p[1]))
        };
        for way_points in plan.roads {
            let mut path = Vec::new();
            for pair in way_points.windows(2) {
                let leg = shortest_way(plan, heights, to_quad(&pair[0]), to_quad(&pair[1]), &roads);
                path.extend(leg.into_iter().skip(usize::from(!path.is_empty())));
            }
            roads.add(without_spurs(&path));
        }
        let leaving: Vec<_> = roads
            .links
            .keys()
            .copied()
            .filter(|(_, y)| *y == n - 1)
            .collect();
        for quad in leaving {
            // A road that reaches the northern edge of the level runs on over it.
            roads.links.entry(quad).or_default().0 |= 1;
        }
        roads
    }

    /// What runs through a quad; nothing: `None`.
    pub fn link(&self, qx: usize, qy: usize) -> Option<Link> {
        self.links.get(&(qx, qy)).copied()
    }

    /// Quads with a road, in a fixed order.
    pub fn quads(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.links.keys().copied()
    }

    fn add(&mut self, path: Vec<(usize, usize)>) {
        for pair in path.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let step = (b.0 as i32 - a.0 as i32, b.1 as i32 - a.1 as i32);
            let side = Link::STEPS
                .iter()
                .position(|s| *s == step)
                .expect("a path takes unit steps");
            self.links.entry(a).or_default().0 |= 1 << side;
            self.links.entry(b).or_default().0 |= 1 << ((side + 2) % 4);
        }
        self.paths.push(path);
    }

    /// Points along the middle of every road, with the smoothed height of the ground there.
    pub fn center_lines(&self, heights: &HeightField) -> Vec<[f64; 3]> {
        let quad = heights_quad(heights);
        let mut points = Vec::new();
        for path in &self.paths {
            let center =
                |(x, y): (usize, usize)| [(x as f64 + 0.5) * quad, (y as f64 + 0.5) * quad];
            let mut line: Vec<[f64; 3]> = Vec::new();
            for pair in path.windows(2) {
                let (a, b) = (center(pair[0]), center(pair[1]));
                for i in 0..4 {
                    let t = f64::from(i) / 4.0;
                    let (x, y) = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t);
                    line.push([x, y, heights.sample(x, y)]);
                }
            }
            for _ in 0..60 {
                let z: Vec<f64> = line.iter().map(|p| p[2]).collect();
                for (i, point) in line.iter_mut().enumerate() {
                    let before = z[i.saturating_sub(1)];
                    let after = z[(i + 1).min(z.len() - 1)];
                    point[2] = (before + 2.0 * z[i] + after) / 4.0;
                }
            }
            points.extend(line);
        }
        points
    }
}

fn heights_quad(heights: &HeightField) -> f64 {
    heights.step() * HeightField::STEPS_PER_QUAD as f64
}

/// The path without the stretches that it walks to a way point and back again.
fn without_spurs(path: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for quad in path {
        if kept.len() >= 2 && kept[kept.len() - 2] == *quad {
            kept.pop();
        } else {
            kept.push(*quad);
        }
    }
    kept
}

/// Dijkstra over quads and directions of arrival: long slopes, steep ground, wet ground and needless turns cost.
fn shortest_way(
    plan: &Plan,
    heights: &HeightField,
    from: (usize, usize),
    to: (usize, usize),
    built: &RoadMap,
) -> Vec<(usize, usize)> {
    let n = plan.n_quads() as i32;
    let quad = plan.quad_size();
    let height =
        |x: i32, y: i32| heights.sample((f64::from(x) + 0.5) * quad, (f64::from(y) + 0.5) * quad);
    let mut best: BTreeMap<(i32, i32, usize), u64> = BTreeMap::new();
    let mut came_from: BTreeMap<(i32, i32, usize), (i32, i32, usize)> = BTreeMap::new();
    let start = (from.0 as i32, from.1 as i32, 4);
    let goal = (to.0 as i32, to.1 as i32);
    let mut open = BinaryHeap::from([Reverse((0u64, start))]);
    best.insert(start, 0);
    while let Some(Reverse((cost, at))) = open.pop() {
        if (at.0, at.1) == goal {
            return trace_back(&came_from, at);
        }
        if best[&at] < cost {
            continue;
        }
        for (side, (dx, dy)) in Link::STEPS.into_iter().enumerate() {
            let next = (at.0 + dx, at.1 + dy, side);
            let turned_back = at.2 < 4 && (at.2 + 2) % 4 == side;
            if next.0 < 1 || next.1 < 1 || next.0 > n - 2 || next.1 > n - 1 || turned_back {
                continue;
            }
            let (here, there) = (height(at.0, at.1), height(next.0, next.1));
            let rise = (there - here).abs() / quad;
            let wet = there < plan.water_level + 2.5;
            let shared = built.link(next.0 as usize, next.1 as usize).is_some();
            let whim = 3.0
                * fbm(
                    plan.seed + 300,
                    f64::from(next.0) / 4.0,
                    f64::from(next.1) / 4.0,
                    2,
                    ENDLESS,
                )
                .max(-0.45);
            let effort =
                1.8 + whim + 30.0 * rise * rise + 9.0 * rise + if wet { 40.0 } else { 0.0 };
            let turn = if at.2 < 4 && at.2 != side { 0.15 } else { 0.0 };
            let step = if shared { 0.3 * effort } else { effort } + turn;
            let total = cost + (step * 4096.0) as u64;
            if best.get(&next).is_none_or(|known| total < *known) {
                best.insert(next, total);
                came_from.insert(next, at);
                open.push(Reverse((total, next)));
            }
        }
    }
    Vec::new()
}

fn trace_back(
    came_from: &BTreeMap<(i32, i32, usize), (i32, i32, usize)>,
    mut at: (i32, i32, usize),
) -> Vec<(usize, usize)> {
    let mut path = vec![(at.0 as usize, at.1 as usize)];
    while let Some(before) = came_from.get(&at) {
        at = *before;
        path.push((at.0 as usize, at.1 as usize));
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::landscape::{Landscape, bay};

    #[test]
    fn a_way_there_and_back_is_no_road() {
        let there_and_back = [(0, 0), (1, 0), (1, 1), (1, 2), (1, 1), (1, 0), (2, 0)];
        assert_eq!(without_spurs(&there_and_back), [(0, 0), (1, 0), (2, 0)]);
    }

    #[test]
    fn roads_go_on_where_they_leave_a_quad() {
        let land = Landscape::new(bay());
        let n = land.plan.n_quads() as i32;
        assert!(land.roads.quads().count() > 50);
        for (qx, qy) in land.roads.quads() {
            let link = land.roads.link(qx, qy).unwrap();
            for (side, (dx, dy)) in Link::STEPS.into_iter().enumerate() {
                let (x, y) = (qx as i32 + dx, qy as i32 + dy);
                if link.has(side) && (0..n).contains(&y) {
                    let next = land.roads.link(x as usize, y as usize).unwrap_or_default();
                    assert!(next.has((side + 2) % 4), "from {qx} {qy} to {x} {y}");
                }
            }
        }
    }
}
