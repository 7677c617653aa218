//! What light falls on: opaque brushes of the world, displacements, and bodies in place of props, in a tree of boxes.

use crate::source_map::MapPlan;
use crate::source_map::brushes::{Brush, Side, flags};
use crate::source_map::level::Level;
use crate::vector::{Plane, Vec3, add, bounds, cross, dot, main_axis, normalized, scale, sub};

/// Name of the material of lamps' glass.
const GLASS: &str = "ironlands/glow";

/// What a ray met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// In lengths of the direction.
    pub t: f64,
    /// What was hit.
    pub what: Met,
}

/// What a ray met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// The sky.
    Sky,
    /// A brush of the world, and its side.
    Side(usize, usize),
    /// A displacement.
    Displacement(usize),
    /// A body in place of a prop.
    Prop,
}

enum Shape {
    /// Planes with what is hit there.
    Convex(Vec<(Plane, Met)>),
    /// Corners, counter-clockwise; met from either side.
    Triangle([Vec3; 3], Met),
}

struct BoxNode {
    bounds: [Vec3; 2],
    /// Range of `order` for a node without children.
    items: std::ops::Range<usize>,
    /// The second child; the first follows its parent.
    second: usize,
}

/// Bodies in a tree of boxes.
pub struct Casters {
    shapes: Vec<Shape>,
    order: Vec<usize>,
    nodes: Vec<BoxNode>,
}

impl Casters {
    /// All of a level.
    pub fn new(plan: &MapPlan, level: &Level) -> Self {
        let mut shapes = Vec::new();
        let mut boxes = Vec::new();
        let world = &level.brushes[level.models[0].brushes.clone()];
        for (at, prepared) in world.iter().enumerate() {
            if !prepared.brush.is_solid() || shines(plan, &prepared.brush) {
                continue;
            }
            let met = |(side, look): (usize, &Side)| {
                let is_sky = plan.materials[look.material].flags & flags::SKY != 0;
                let met = if is_sky {
                    Met::Sky
                } else {
                    Met::Side(at, side)
                };
                (look.plane, met)
            };
            shapes.push(Shape::Convex(
                prepared.brush.sides.iter().enumerate().map(met).collect(),
            ));
            boxes.push(prepared.bounds);
        }
        for brush in &plan.shadow_casters {
            let sides = brush.sides.iter().map(|side| (side.plane, Met::Prop));
            shapes.push(Shape::Convex(sides.collect()));
            boxes.push(Brush::polygons(brush).1);
        }
        for (at, displacement) in plan.displacements.iter().enumerate() {
            let points = displacement.points();
            for corners in displacement.triangles() {
                let corners = corners.map(|corner| points[corner]);
                shapes.push(Shape::Triangle(corners, Met::Displacement(at)));
                boxes.push(bounds(corners));
            }
        }
        let mut casters = Self {
            order: (0..shapes.len()).collect(),
            shapes,
            nodes: Vec::new(),
        };
        casters.divide(0..casters.order.len(), &boxes);
        casters
    }

    fn divide(&mut self, items: std::ops::Range<usize>, boxes: &[[Vec3; 2]]) {
        let around = bounds(self.order[items.clone()].iter().flat_map(|i| boxes[*i]));
        let at = self.nodes.len();
        self.nodes.push(BoxNode {
            bounds: [around[0].map(|c| c - 0.01), around[1].map(|c| c + 0.01)],
            items: items.clone(),
            second: 0,
        });
        if items.len() <= 2 {
            return;
        }
        let size = sub(around[1], around[0]);
        let axis = main_axis(size);
        let middle = |i: &usize| boxes[*i][0][axis] + boxes[*i][1][axis];
        self.order[items.clone()].sort_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.cmp(b)));
        let half = items.start + items.len() / 2;
        self.nodes[at].items = 0..0;
        self.divide(items.start..half, boxes);
        self.nodes[at].second = self.nodes.len();
        self.divide(half..items.end, boxes);
    }

    /// The nearest thing on the way.
    pub fn hit(&self, origin: Vec3, direction: Vec3, t_max: f64) -> Option<Hit> {
        let inverse = direction.map(|c| 1.0 / c);
        let mut best: Option<Hit> = None;
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let node = &self.nodes[at];
            let nearest = best.map_or(t_max, |hit| hit.t);
            if !meets_box(&node.bounds, origin, inverse, nearest) {
                continue;
            }
            if node.second != 0 {
                open.extend([node.second, at + 1]);
                continue;
            }
            for item in &self.order[node.items.clone()] {
                let nearest = best.map_or(t_max, |hit| hit.t);
                let hit = self.shapes[*item].hit(origin, direction);
                best = hit.filter(|hit| hit.t < nearest).or(best);
            }
        }
        best
    }

    /// Whether anything but the sky stands between two points.
    pub fn is_blocked(&self, from: Vec3, to: Vec3) -> bool {
        self.hit(from, sub(to, from), 1.0)
            .is_some_and(|hit| hit.what != Met::Sky)
    }

    /// Whether the sky is seen in a direction.
    pub fn sees_sky(&self, from: Vec3, direction: Vec3) -> bool {
        self.hit(from, direction, f64::MAX)
            .is_some_and(|hit| hit.what == Met::Sky)
    }

    /// Whether a point lies in something solid. Under a prop there is ground, and it is dark.
    pub fn is_inside(&self, point: Vec3) -> bool {
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let node = &self.nodes[at];
            let [low, high] = node.bounds;
            if (0..3).any(|k| point[k] < low[k] || point[k] > high[k]) {
                continue;
            }
            if node.second != 0 {
                open.extend([node.second, at + 1]);
                continue;
            }
            let is_in = |item: &usize| match &self.shapes[*item] {
                Shape::Convex(sides) => !is_prop(sides) && holds(sides, point),
                Shape::Triangle(..) => false,
            };
            if self.order[node.items.clone()].iter().any(is_in) {
                return true;
            }
        }
        false
    }
}

impl Shape {
    fn hit(&self, origin: Vec3, direction: Vec3) -> Option<Hit> {
        match self {
            Self::Convex(sides) => hit_convex(sides, origin, direction),
            Self::Triangle(corners, what) => {
                let t = hit_triangle(corners, origin, direction)?;
                Some(Hit { t, what: *what })
            }
        }
    }
}

/// Whether a brush is the glass of a lamp: what shines lets its own light out.
fn shines(plan: &MapPlan, brush: &Brush) -> bool {
    let mut materials = brush.sides.iter().map(|side| side.material);
    materials.all(|material| plan.materials[material].name == GLASS)
}

fn is_prop(sides: &[(Plane, Met)]) -> bool {
    sides.iter().all(|(_, met)| *met == Met::Prop)
}

fn holds(sides: &[(Plane, Met)], point: Vec3) -> bool {
    sides.iter().all(|(plane, _)| plane.distance(point) <= 0.0)
}

/// Where a ray enters. One that starts inside meets nothing, but a prop at once: what it stands on lies in its shadow.
fn hit_convex(sides: &[(Plane, Met)], origin: Vec3, direction: Vec3) -> Option<Hit> {
    if is_prop(sides) && holds(sides, origin) {
        let what = Met::Prop;
        return Some(Hit { t: 0.0, what });
    }
    let (mut enter, mut leave, mut what) = (0.0, f64::MAX, None);
    for (plane, met) in sides {
        let distance = plane.distance(origin);
        let speed = dot(plane.normal, direction);
        if distance > 0.0 {
            if speed >= 0.0 {
                return None;
            }
            let t = distance / -speed;
            if t > enter {
                (enter, what) = (t, Some(*met));
            }
        } else if speed > 0.0 {
            leave = f64::min(leave, -distance / speed);
        }
    }
    let what = what?;
    (enter < leave).then_some(Hit { t: enter, what })
}

fn hit_triangle([a, b, c]: &[Vec3; 3], origin: Vec3, direction: Vec3) -> Option<f64> {
    let (ab, ac) = (sub(*b, *a), sub(*c, *a));
    let p = cross(direction, ac);
    let determinant = dot(ab, p);
    if determinant.abs() < 1e-9 {
        return None;
    }
    let from_a = sub(origin, *a);
    let u = dot(from_a, p) / determinant;
    let q = cross(from_a, ab);
    let v = dot(direction, q) / determinant;
    let t = dot(ac, q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 1e-6).then_some(t)
}

fn meets_box([low, high]: &[Vec3; 2], origin: Vec3, inverse: Vec3, t_max: f64) -> bool {
    let (mut enter, mut leave) = (0.0_f64, t_max);
    for k in 0..3 {
        if inverse[k].is_infinite() {
            if origin[k] < low[k] || origin[k] > high[k] {
                return false;
            }
            continue;
        }
        let (a, b) = (
            (low[k] - origin[k]) * inverse[k],
            (high[k] - origin[k]) * inverse[k],
        );
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    enter <= leave
}

/// Directions around +Z, as many as light from there falls on what faces +Z: fixed, and evenly spread.
pub fn cosine_directions(n: usize) -> Vec<Vec3> {
    // The golden angle.
    let turn = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..n)
        .map(|i| {
            let share = (i as f64 + 0.5) / n as f64;
            let (radius, angle) = (share.sqrt(), turn * i as f64);
            [
                radius * libm::cos(angle),
                radius * libm::sin(angle),
                (1.0 - share).sqrt(),
            ]
        })
        .collect()
}

/// A direction around +Z, turned so that +Z becomes `normal`.
pub fn turned(direction: Vec3, normal: Vec3) -> Vec3 {
    let side = if normal[2].abs() > 0.9 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    let u = normalized(cross(side, normal));
    let v = cross(normal, u);
    add(
        add(scale(u, direction[0]), scale(v, direction[1])),
        scale(normal, direction[2]),
    )
}
