//! Exact decisions in the ground plane.

use glam::{DVec2, Vec2};

/// Twice the area of the triangle `a`, `b`, `c`, positive if `c` lies left of `a` -> `b`. The sign is right, zero
/// included, for all finite points; the value is rounded.
#[inline]
pub(super) fn orient(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let [a, b, c] = [a, b, c].map(Vec2::as_dvec2);
    let left = (b.x - a.x) * (c.y - a.y);
    let right = (b.y - a.y) * (c.x - a.x);
    let det = left - right;
    // Each difference, product and the last difference err by half an epsilon at most. A product that is zero
    // is exact, as a difference of f32 is zero only between equals.
    let is_certain = det.abs() > 2.0 * f64::EPSILON * (left.abs() + right.abs());
    if is_certain || left == 0.0 || right == 0.0 {
        det
    } else {
        orient_exactly(a, b, c)
    }
}

/// The same by the six products that are left when the brackets are opened: a product of two f32 fits an f64, and
/// their sum is kept as parts of falling size that do not overlap.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "each of six terms adds a part at most"
)]
#[cold]
fn orient_exactly(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let terms = [
        b.x * c.y,
        -(b.x * a.y),
        -(a.x * c.y),
        -(b.y * c.x),
        b.y * a.x,
        a.y * c.x,
    ];
    let mut parts = [0.0; 6];
    let mut n_parts = 0;
    for term in terms {
        let mut sum = term;
        let mut n_kept = 0;
        for i in 0..n_parts {
            let (rounded, rest) = two_sum(sum, parts[i]);
            if rest != 0.0 {
                parts[n_kept] = rest;
                n_kept += 1;
            }
            sum = rounded;
        }
        parts[n_kept] = sum;
        n_parts = n_kept + 1;
    }
    let largest = parts[..n_parts].iter().rev().find(|part| **part != 0.0);
    largest.copied().unwrap_or(0.0)
}

/// A sum and what its rounding lost.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_rounded = sum - a;
    let a_rounded = sum - b_rounded;
    (sum, (a - a_rounded) + (b - b_rounded))
}

/// The point of a closed segment that is nearest to `p`; the same bits for either order of its ends.
pub(super) fn closest_on_segment(p: DVec2, a: Vec2, b: Vec2) -> DVec2 {
    let (a, b) = in_order(a, b);
    let (a, b) = (a.as_dvec2(), b.as_dvec2());
    let along = b - a;
    let t = (p - a).dot(along) / along.length_squared();
    if t >= 1.0 {
        b
    } else if t > 0.0 {
        a + along * t
    } else {
        a // also where both ends are one point, and `t` is no number
    }
}

/// Two points by x, then y.
pub(super) fn in_order(a: Vec2, b: Vec2) -> (Vec2, Vec2) {
    if (a.x, a.y) <= (b.x, b.y) {
        (a, b)
    } else {
        (b, a)
    }
}

/// Vertices that links join may lie as far apart as this, by the largest coordinate: some steps of an f32, as
/// where a corner was rounded onto a longer edge, and far less than anything that walks.
pub(super) fn weld_distance(points: &[Vec2]) -> f64 {
    let largest = points
        .iter()
        .map(|point| point.abs().max_element())
        .fold(0.0, f32::max);
    f64::from(largest) / 65536.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientation_is_right_where_doubles_are_not_enough() {
        // One step of an f32 beside a line through far points and near zero.
        let tiny = f32::from_bits(1);
        let (a, b) = (Vec2::new(-1e30, -1e30), Vec2::new(1e30, 1e30));
        for (c, sign) in [
            (Vec2::new(0.0, tiny), 1.0),
            (Vec2::new(tiny, 0.0), -1.0),
            (Vec2::splat(tiny), 0.0),
            (Vec2::splat(3.0), 0.0),
            (Vec2::new(3.0, 3.0_f32.next_up()), 1.0),
        ] {
            let value = orient(a, b, c);
            let found = if value == 0.0 { 0.0 } else { value.signum() };
            assert_eq!(found, sign, "{c}");
            assert_eq!(orient(b, a, c) > 0.0, sign < 0.0, "{c}, reversed");
        }
    }

    #[test]
    fn orientation_agrees_with_whole_numbers() {
        let mut state = 1_u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            (state >> 33) % n
        };
        for _ in 0..100_000 {
            // On or beside the line y = 3x, so far apart that differences do not fit an f64.
            let mut points = [[0_i128; 2]; 3].map(|_| {
                let x = i128::from(random(1 << 22)) << random(36);
                let x = if random(2) == 0 { x } else { -x };
                [x, 3 * x]
            });
            points[2][1] += i128::from(random(3)) - 1;
            let [a, b, c] = points.map(|[x, y]| Vec2::new(x as f32, y as f32));
            let whole = |v: Vec2| [v.x as i128, v.y as i128];
            let ([ax, ay], [bx, by], [cx, cy]) = (whole(a), whole(b), whole(c));
            let plain = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
            let found = orient(a, b, c);
            let sign = |positive, negative| i32::from(positive) - i32::from(negative);
            let expected = sign(plain > 0, plain < 0);
            assert_eq!(sign(found > 0.0, found < 0.0), expected, "{a} {b} {c}");
        }
    }
}
