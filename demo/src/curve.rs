//! Smooth curves through points of the plane, and how a point lies to them.

/// A place on the smooth curve through `points`: `t`, 0 to 1, of the way from point `piece` to the next.
pub fn through(points: &[[f64; 2]], piece: usize, t: f64) -> [f64; 2] {
    let last = points.len() as i64 - 1;
    let point = |i: i64| points[i.clamp(0, last) as usize];
    between([-1, 0, 1, 2].map(|i| point(piece as i64 + i)), t)
}

/// A place on the smooth curve through four points: `t`, 0 to 1, of the way from the second to the third.
pub fn between<const N: usize>(around: [[f64; N]; 4], t: f64) -> [f64; N] {
    std::array::from_fn(|axis| {
        let [a, b, c, d] = around.map(|p| p[axis]);
        let (t2, t3) = (t * t, t * t * t);
        0.5 * (2.0 * b
            + (c - a) * t
            + (2.0 * a - 5.0 * b + 4.0 * c - d) * t2
            + (3.0 * b - a - 3.0 * c + d) * t3)
    })
}

/// Squared distance of a point to a line between two others, and where along it the nearest point lies, 0 to 1.
pub fn to_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> (f64, f64) {
    let along = [b[0] - a[0], b[1] - a[1]];
    let from = [p[0] - a[0], p[1] - a[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let t = ((from[0] * along[0] + from[1] * along[1]) / length.max(1e-12)).clamp(0.0, 1.0);
    let off = [from[0] - t * along[0], from[1] - t * along[1]];
    (off[0] * off[0] + off[1] * off[1], t)
}

/// Length of the way between two points of the plane.
pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (a[0] - b[0], a[1] - b[1]);
    (dx * dx + dy * dy).sqrt()
}
