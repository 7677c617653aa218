//! Triangles to convex polygons, best first.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "points of polygons and polygons of a list, by their own numbers; coordinates are 16 bits"
)]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::GridPoint;

/// Largest perimeter squared over area of a union; a square has 16, a strip of six squares about 33.
const MAX_SLIMNESS: f64 = 34.0;

/// A convex outline on the half-quad grid, counter-clockwise; points may lie on straight edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polygon {
    /// Outline.
    pub points: Vec<GridPoint>,
    /// What ground it is.
    pub class: u32,
}

impl Polygon {
    /// Edges in order, each from its first point to its second.
    pub fn edges(&self) -> impl Iterator<Item = (GridPoint, GridPoint)> + '_ {
        let n = self.points.len();
        (0..n).map(move |i| (self.points[i], self.points[(i + 1) % n]))
    }

    /// Twice the area in half quads squared.
    fn double_area(&self) -> i64 {
        self.edges()
            .map(|(p, q)| wide(p[0]) * wide(q[1]) - wide(q[0]) * wide(p[1]))
            .sum()
    }

    fn perimeter(&self) -> f64 {
        let length = |(p, q): (GridPoint, GridPoint)| {
            let (dx, dy) = (
                (wide(q[0]) - wide(p[0])) as f64,
                (wide(q[1]) - wide(p[1])) as f64,
            );
            (dx * dx + dy * dy).sqrt()
        };
        self.edges().map(length).sum()
    }

    /// The union with a polygon that shares one run of edges; `None` if it would not be convex.
    fn union(&self, other: &Self) -> Option<Self> {
        let theirs: BTreeSet<_> = other.edges().collect();
        let shared: Vec<bool> = self
            .edges()
            .map(|(p, q)| theirs.contains(&(q, p)))
            .collect();
        let n = self.points.len();
        let run_ends: Vec<usize> = (0..n)
            .filter(|i| shared[*i] && !shared[(*i + 1) % n])
            .collect();
        let [run_end] = run_ends[..] else {
            return None;
        };
        let n_shared = shared.iter().filter(|s| **s).count();
        let ours = (0..n - n_shared).map(|i| self.points[(run_end + 1 + i) % n]);
        let leave = self.points[(run_end + 1 + n - n_shared) % n];
        let m = other.points.len();
        let start = other.points.iter().position(|point| *point == leave)?;
        let theirs = (0..m - n_shared).map(|i| other.points[(start + i) % m]);
        let points: Vec<GridPoint> = ours.chain(theirs).collect();
        let union = Self {
            points,
            class: self.class,
        };
        union.is_convex().then_some(union)
    }

    fn is_convex(&self) -> bool {
        let n = self.points.len();
        (0..n).all(|i| {
            turn(
                self.points[i],
                self.points[(i + 1) % n],
                self.points[(i + 2) % n],
            ) >= 0
        })
    }
}

fn wide(c: u16) -> i64 {
    i64::from(c)
}

/// Positive for a turn to the left at `q`, 0 for straight on.
fn turn(p: GridPoint, q: GridPoint, r: GridPoint) -> i64 {
    (wide(q[0]) - wide(p[0])) * (wide(r[1]) - wide(q[1]))
        - (wide(q[1]) - wide(p[1])) * (wide(r[0]) - wide(q[0]))
}

/// Merges polygons of one class while the union is convex and at most `max_area` quarters of a quad large.
pub fn convex_polygons(triangles: Vec<Polygon>, max_area: i64) -> Vec<Polygon> {
    let mut merge = Merge::new(triangles, max_area);
    while let Some(Reverse((_, a, b))) = merge.open.pop() {
        let (Some(first), Some(second)) = (&merge.polygons[a], &merge.polygons[b]) else {
            continue;
        };
        if let Some(union) = first.union(second) {
            merge.polygons[a] = None;
            merge.polygons[b] = None;
            merge.add(union);
        }
    }
    let merged: Vec<Polygon> = merge.polygons.into_iter().flatten().collect();
    without_idle_points(merged)
}

struct Merge {
    /// Polygons by number; merged ones are gone.
    polygons: Vec<Option<Polygon>>,
    /// The polygon on the left of each directed edge.
    owners: BTreeMap<(GridPoint, GridPoint), usize>,
    /// Pairs that may be merged, most compact union first.
    open: BinaryHeap<Reverse<(u64, usize, usize)>>,
    max_area: i64,
}

impl Merge {
    fn new(triangles: Vec<Polygon>, max_area: i64) -> Self {
        let mut merge = Self {
            polygons: Vec::new(),
            owners: BTreeMap::new(),
            open: BinaryHeap::new(),
            max_area,
        };
        for triangle in triangles {
            merge.add(triangle);
        }
        merge
    }

    fn add(&mut self, polygon: Polygon) {
        let index = self.polygons.len();
        let mut around = BTreeSet::new();
        for (p, q) in polygon.edges() {
            self.owners.insert((p, q), index);
            around.extend(self.owners.get(&(q, p)).copied());
        }
        for other in around {
            let Some(neighbor) = &self.polygons[other] else {
                continue;
            };
            // A quarter of a quad is 2 in units of twice the area.
            let area = polygon.double_area() + neighbor.double_area();
            if neighbor.class != polygon.class || area > 2 * self.max_area {
                continue;
            }
            if let Some(union) = neighbor.union(&polygon) {
                let perimeter = union.perimeter();
                let slimness = 2.0 * perimeter * perimeter / area as f64;
                if slimness <= MAX_SLIMNESS {
                    self.open
                        .push(Reverse(((slimness * 4096.0) as u64, other, index)));
                }
            }
        }
        self.polygons.push(Some(polygon));
    }
}

/// Removes points within straight edges that face one neighbor, or nothing, on both sides of the point. Both
/// neighbors lose the same points, so that edges still match one to one.
fn without_idle_points(polygons: Vec<Polygon>) -> Vec<Polygon> {
    let mut owners = BTreeMap::new();
    for (index, polygon) in polygons.iter().enumerate() {
        for edge in polygon.edges() {
            owners.insert(edge, index);
        }
    }
    let across = |p: GridPoint, q: GridPoint| owners.get(&(q, p)).copied();
    let simplified = |polygon: &Polygon| {
        let (points, n) = (&polygon.points, polygon.points.len());
        let is_needed = |i: &usize| {
            let (before, here, after) = (points[(i + n - 1) % n], points[*i], points[(i + 1) % n]);
            turn(before, here, after) != 0 || across(before, here) != across(here, after)
        };
        let points = (0..n).filter(is_needed).map(|i| points[i]).collect();
        Polygon {
            points,
            class: polygon.class,
        }
    };
    polygons.iter().map(simplified).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: u16, y: u16) -> Vec<Polygon> {
        let corners = [[x, y], [x + 2, y], [x + 2, y + 2], [x, y + 2]];
        (0..4)
            .map(|k| Polygon {
                points: vec![corners[k], corners[(k + 1) % 4], [x + 1, y + 1]],
                class: 1,
            })
            .collect()
    }

    #[test]
    fn a_row_of_squares_becomes_one_rectangle() {
        let merged = convex_polygons([square(0, 0), square(2, 0), square(4, 0)].concat(), 100);
        assert_eq!(merged.len(), 1);
        let mut points = merged[0].points.clone();
        points.sort_unstable();
        assert_eq!(points, [[0, 0], [0, 2], [6, 0], [6, 2]]);
    }

    #[test]
    fn an_angle_stays_in_convex_parts_that_cover_it() {
        let merged = convex_polygons([square(0, 0), square(2, 0), square(0, 2)].concat(), 100);
        assert!(merged.len() > 1 && merged.iter().all(Polygon::is_convex));
        // Three squares of 2 x 2 half quads.
        assert_eq!(merged.iter().map(Polygon::double_area).sum::<i64>(), 2 * 12);
    }

    #[test]
    fn the_area_limit_holds() {
        let merged = convex_polygons([square(0, 0), square(2, 0), square(4, 0)].concat(), 4);
        assert!(merged.iter().all(|polygon| polygon.double_area() <= 8));
        assert_eq!(merged.iter().map(Polygon::double_area).sum::<i64>(), 2 * 12);
    }
}
