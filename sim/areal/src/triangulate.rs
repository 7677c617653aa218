//! Areals that are not convex, cut into triangles, so that a path through one is a path over their sides.
//!
//! Ears are cut off one at a time. Each ear hangs on what it was cut from, so the triangles of an areal are a tree, and
//! between two of them there is one path.

use super::lists::{list_of, range_of};
use super::outlines::Outlines;
use super::plane::orient;
use glam::Vec2;

/// Work on all areals together, at most: vertices or triangles held against each other. Some tenths of a second.
const MAX_WORK: u64 = 1 << 24;
/// The root of a tree has no parent.
const NO_PARENT: u32 = u32::MAX;

/// How a path may run inside of each areal.
#[derive(Debug, Clone)]
pub(super) struct Interiors {
    shapes: Vec<Shape>,
    /// Triangles of areal `a` are `triangles[starts[a]..starts[a + 1]]`; the last is the root.
    triangles: Vec<Triangle>,
    starts: Vec<u32>,
}

/// What an outline is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A straight line between two of its points stays inside.
    Convex,
    /// It has triangles.
    Concave,
    /// It crosses itself, holds nothing, or was too much work: no path is known in it.
    Unknown,
}

/// A triangle of an areal, counter-clockwise.
#[derive(Debug, Clone, Copy)]
struct Triangle {
    /// Vertices among all. The side from the last to the first leads to the parent, except in the root.
    corners: [u32; 3],
    parent: u32,
    depth: u32,
}

/// A segment that a path crosses, seen in the direction of the path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gate {
    pub left: Vec2,
    pub right: Vec2,
}

/// Where a path enters or leaves an areal.
#[derive(Debug, Clone, Copy)]
pub(super) enum Opening {
    Point(Vec2),
    /// By an edge among all.
    Edge(u32),
}

impl Interiors {
    pub fn new(outlines: &Outlines) -> Self {
        let mut interiors = Self {
            shapes: Vec::with_capacity(outlines.n_areals()),
            triangles: Vec::new(),
            starts: vec![0],
        };
        let mut work = 0;
        for areal in 0..outlines.n_areals() as u32 {
            let shape = interiors.add(areal, outlines, &mut work);
            interiors.shapes.push(shape);
            interiors.starts.push(interiors.triangles.len() as u32);
        }
        interiors
    }

    /// That of an areal that is not there is not known.
    pub fn shape(&self, areal: u32) -> Shape {
        let shape = self.shapes.get(areal as usize);
        shape.copied().unwrap_or(Shape::Unknown)
    }

    fn add(&mut self, areal: u32, outlines: &Outlines, work: &mut u64) -> Shape {
        if outlines.bounds(areal).is_none() {
            return Shape::Unknown;
        }
        let ring = counter_clockwise(areal, outlines);
        if is_convex(&ring, outlines) {
            return Shape::Convex;
        }
        *work = work.saturating_add((ring.len() as u64).saturating_pow(2));
        if *work > MAX_WORK {
            return Shape::Unknown;
        }
        let first = self.triangles.len();
        match cut_ears(&ring, outlines, work) {
            Some(mut triangles) if are_apart(&triangles, outlines) => {
                for triangle in &mut triangles {
                    if triangle.parent != NO_PARENT {
                        // An outline of n vertices has less than n triangles, so an index holds all.
                        triangle.parent = triangle.parent.saturating_add(first as u32);
                    }
                }
                self.triangles.extend(triangles);
                Shape::Concave
            }
            _ => Shape::Unknown,
        }
    }

    /// Adds the sides between the triangles at two openings of an areal, in the order of the path. None where the path
    /// may be straight. `climb` is scratch memory.
    #[expect(
        clippy::indexing_slicing,
        reason = "both climb over triangles of one tree, and meet at its root at the latest"
    )]
    pub fn gates_between(
        &self,
        outlines: &Outlines,
        areal: u32,
        (from, to): (Opening, Opening),
        climb: &mut Vec<Gate>,
        gates: &mut Vec<Gate>,
    ) {
        if self.shape(areal) != Shape::Concave {
            return;
        }
        let mut here = self.triangle_at(outlines, areal, from);
        let mut goal = self.triangle_at(outlines, areal, to);
        climb.clear();
        while here != goal {
            let (triangle, other) = (self.triangles[here as usize], self.triangles[goal as usize]);
            if triangle.depth >= other.depth {
                gates.push(triangle.gate_to_parent(outlines));
                here = triangle.parent;
            } else {
                let Gate { left, right } = other.gate_to_parent(outlines);
                climb.push(Gate {
                    left: right,
                    right: left,
                });
                goal = other.parent;
            }
        }
        gates.extend(climb.iter().rev());
    }

    /// The first triangle of an areal that has the edge or holds the point; the root if none does.
    fn triangle_at(&self, outlines: &Outlines, areal: u32, opening: Opening) -> u32 {
        let range = range_of(&self.starts, areal as usize);
        let mut triangles = list_of(&self.triangles, &self.starts, areal as usize).iter();
        let root = range.end.saturating_sub(1);
        let at_opening = triangles.position(|triangle| match opening {
            Opening::Point(point) => triangle.contains(outlines, point),
            Opening::Edge(edge) => triangle.has_edge(edge, outlines.end_of(areal, edge)),
        });
        at_opening.map_or(root, |place| range.start.saturating_add(place)) as u32
    }
}

impl Triangle {
    /// From a counter-clockwise triangle out over its side from `a` to `b`, `b` is left.
    fn gate_to_parent(&self, outlines: &Outlines) -> Gate {
        Gate {
            left: outlines.plan(self.corners[0]),
            right: outlines.plan(self.corners[2]),
        }
    }

    fn sides(&self) -> [[u32; 2]; 3] {
        let [a, b, c] = self.corners;
        [[a, b], [b, c], [c, a]]
    }

    fn plan(&self, outlines: &Outlines) -> [Vec2; 3] {
        self.corners.map(|corner| outlines.plan(corner))
    }

    fn contains(&self, outlines: &Outlines, point: Vec2) -> bool {
        let plan = self.plan(outlines);
        !is_flat(plan) && is_left_of_all(plan, point)
    }

    fn has_edge(&self, begin: u32, end: u32) -> bool {
        let mut sides = self.sides().into_iter();
        sides.any(|side| side == [begin, end] || side == [end, begin])
    }
}

/// Twice the area of an outline, positive if it runs counter-clockwise; not exact.
pub(super) fn double_area(areal: u32, outlines: &Outlines) -> f64 {
    let origin = outlines.outline(areal).first();
    let origin = origin.copied().unwrap_or_default().truncate().as_dvec2();
    let edges = outlines.edges(areal);
    edges
        .map(|(_, a, b)| (a.as_dvec2() - origin).perp_dot(b.as_dvec2() - origin))
        .sum()
}

/// Vertices of an areal, counter-clockwise.
fn counter_clockwise(areal: u32, outlines: &Outlines) -> Vec<u32> {
    let range = outlines.vertices_of(areal);
    let mut ring: Vec<_> = (range.start as u32..range.end as u32).collect();
    if double_area(areal, outlines) < 0.0 {
        ring.reverse();
    }
    ring
}

/// Whether it turns left only and runs around once: then in each axis it turns back twice.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "positions wrap around, and are used for an existing point only"
)]
fn is_convex(ring: &[u32], outlines: &Outlines) -> bool {
    let mut points: Vec<_> = ring.iter().map(|&vertex| outlines.plan(vertex)).collect();
    points.dedup(); // a doubled vertex would hide a turn
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let at = |i: usize| points[i % points.len()];
    let turns_left = |i: usize| orient(at(i), at(i + 1), at(i + 2)) >= 0.0;
    let n_turns_back = |axis: usize| {
        let steps = (0..points.len()).map(|i| at(i)[axis].partial_cmp(&at(i + 1)[axis]));
        let steps: Vec<_> = steps.flatten().filter(|step| step.is_ne()).collect();
        let next = steps.iter().cycle().skip(1);
        steps.iter().zip(next).filter(|(a, b)| a != b).count()
    };
    (0..points.len()).all(turns_left) && n_turns_back(0) <= 2 && n_turns_back(1) <= 2
}

/// Whether no two triangles have a part in common. Then what they cover is what the outline holds, and no edge runs
/// through one: it is a side of another.
fn are_apart(triangles: &[Triangle], outlines: &Outlines) -> bool {
    // A side that all of the other is right of or on; a flat triangle covers nothing.
    let is_beside = |a: [Vec2; 3], b: [Vec2; 3]| {
        let [p, q, r] = a;
        let mut sides = [(p, q), (q, r), (r, p)].into_iter();
        sides.any(|(from, to)| b.iter().all(|&it| orient(from, to, it) <= 0.0))
    };
    let solid: Vec<_> = triangles
        .iter()
        .map(|triangle| triangle.plan(outlines))
        .filter(|it| !is_flat(*it))
        .collect();
    solid.iter().enumerate().all(|(i, &a)| {
        let mut earlier = solid.iter().take(i);
        earlier.all(|&b| is_beside(a, b) || is_beside(b, a))
    })
}

/// Cuts ears off a counter-clockwise ring until nothing is left; `None` if it finds no ear, or too much work.
/// Parents come after their children and count from 0.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a ring that turns has three vertices at least; places in it are those of `next` and `before`"
)]
fn cut_ears(ring: &[u32], outlines: &Outlines, work: &mut u64) -> Option<Vec<Triangle>> {
    let n = ring.len();
    let at = |i: usize| outlines.plan(ring[i]);
    let mut next: Vec<usize> = (0..n).map(|i| (i + 1) % n).collect();
    let mut before: Vec<usize> = (0..n).map(|i| (i + n - 1) % n).collect();
    // The ear that was cut off the side from a vertex to the next.
    let mut ear_at: Vec<Option<usize>> = vec![None; n];
    let mut triangles: Vec<Triangle> = Vec::with_capacity(n - 2);
    let mut middle = 0;
    let mut n_refused = 0;
    while triangles.len() < n - 2 {
        let n_left = n - triangles.len();
        let (a, b) = (before[middle], next[middle]);
        *work += n_left as u64;
        if *work > MAX_WORK || n_refused > 2 * n_left {
            return None;
        }
        let is_blocked = || {
            let others = std::iter::successors(Some(next[b]), |i| Some(next[*i]));
            let mut others = others.take_while(|i| *i != a).map(at);
            others.any(|point| is_in_ear([at(a), at(middle), at(b)], point))
        };
        let turn = orient(at(a), at(middle), at(b));
        // A flat ear is the last resort, for doubled vertices and spikes.
        let is_ear = (turn > 0.0 && !is_blocked()) || (turn == 0.0 && n_refused > n_left);
        if !is_ear {
            n_refused += 1;
            middle = b;
            continue;
        }
        n_refused = 0;
        let ear = triangles.len();
        for child in [ear_at[a], ear_at[middle]].into_iter().flatten() {
            triangles[child].parent = ear as u32;
        }
        if n_left == 3
            && let Some(child) = ear_at[b]
        {
            triangles[child].parent = ear as u32;
        }
        triangles.push(Triangle {
            corners: [ring[a], ring[middle], ring[b]],
            parent: NO_PARENT,
            depth: 0,
        });
        ear_at[a] = Some(ear);
        next[a] = b;
        before[b] = a;
        middle = b;
    }
    for i in (0..triangles.len()).rev() {
        if let Some(parent) = triangles.get(triangles[i].parent as usize) {
            triangles[i].depth = parent.depth + 1;
        }
    }
    Some(triangles)
}

/// Whether a vertex lies in a closed ear and is none of its corners.
fn is_in_ear(ear: [Vec2; 3], point: Vec2) -> bool {
    !ear.contains(&point) && is_left_of_all(ear, point)
}

fn is_flat([a, b, c]: [Vec2; 3]) -> bool {
    orient(a, b, c) == 0.0
}

/// Whether a point is left of or on all sides of a triangle: in it, if it has area and is counter-clockwise.
fn is_left_of_all([a, b, c]: [Vec2; 3], point: Vec2) -> bool {
    orient(a, b, point) >= 0.0 && orient(b, c, point) >= 0.0 && orient(c, a, point) >= 0.0
}
