//! Distances and moments of contact by plain search, in f64: no cases are distinguished, no formula is shared with the
//! index. All functions searched are convex.

use glam::DVec3;

/// Enough halvings by two thirds for f64.
const STEPS: usize = 64;

/// The least value of a convex function on `0.0..=1.0`, and where.
fn least(value: impl Fn(f64) -> f64) -> (f64, f64) {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..STEPS {
        let third = (high - low) / 3.0;
        if value(low + third) <= value(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    let at_ends = [0.0, 1.0, (low + high) / 2.0].map(|at| (value(at), at));
    at_ends
        .into_iter()
        .fold(at_ends[0], |a, b| if b.0 < a.0 { b } else { a })
}

/// From a point to a segment.
pub fn to_segment(point: DVec3, a: DVec3, b: DVec3) -> f64 {
    let way = b - a;
    if way == DVec3::ZERO {
        return point.distance(a);
    }
    let along = (point - a).dot(way) / way.dot(way);
    point.distance(a + way * along.clamp(0.0, 1.0))
}

/// From a point to a triangle: the nearest of the segments across it that run along one side.
pub fn to_triangle(point: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    least(|s| to_segment(point, a.lerp(b, s), a.lerp(c, s))).0
}

/// From a segment to a triangle: zero if it goes through, else from its ends, or from an edge.
pub fn segment_to_triangle(p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let volume = |o: DVec3, u: DVec3, v: DVec3, w: DVec3| (u - o).dot((v - o).cross(w - o));
    let sides = [volume(p, a, b, c), volume(q, a, b, c)];
    let turns = [(a, b), (b, c), (c, a)].map(|(u, v)| volume(p, q, u, v));
    let same = turns.iter().all(|t| *t > 0.0) || turns.iter().all(|t| *t < 0.0);
    if same && sides[0] * sides[1] < 0.0 {
        return 0.0;
    }
    let edges = [(a, b), (b, c), (c, a)];
    let of_edges = edges.map(|(u, v)| least(|s| to_segment(u.lerp(v, s), p, q)).0);
    let ends = [p, q].map(|end| to_triangle(end, [a, b, c]));
    of_edges
        .into_iter()
        .chain(ends)
        .fold(f64::INFINITY, f64::min)
}

/// The first moment in `0.0..=1.0` at which a convex distance is `radius`; infinite if never.
pub fn first_within(distance: impl Fn(f64) -> f64, radius: f64) -> f64 {
    if distance(0.0) <= radius {
        return 0.0;
    }
    let (closest, at) = least(&distance);
    if closest > radius {
        return f64::INFINITY;
    }
    let (mut outside, mut inside) = (0.0, at);
    for _ in 0..STEPS {
        let middle = (outside + inside) / 2.0;
        if distance(middle) <= radius {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}
