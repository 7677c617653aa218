//! How far sixteen faces are away at least, in f32.

use super::simd::{LaneMask, SimdVector};

/// Coordinates beyond this would overflow in products of eight.
const FARTHEST: f32 = 4096.0;
/// What one rounding moves a number by, of the number.
const UNIT: f32 = f32::EPSILON / 2.0;
/// `1 + g` for [`above`], and the rounding of some steps.
const GROWTH: f32 = 1.001;
/// The root of `1 + 1 / g`, or more, for `g = 1 / 1024`.
const ERROR_GROWTH: f32 = 32.1;

/// Which faces are farther from the origin than their reaches, squares of distances; none for which f32 cannot decide.
/// Corners by axis, then by corner, rounded once.
///
/// The origin is beside the plane of a face by `h`, and beside one of its edges, within the plane, by `s`: it is `h² +
/// s²` away, or more where a vertex is the nearest. Errors are counted in units of the last place, where `m` is the
/// largest coordinate: 4 m for an edge, 48 m² for the normal, 240 m³ for its product with a corner, 320 m³ for the
/// outward direction of an edge, 1312 m⁴ for that one's product with a corner.
#[inline(always)]
pub(super) fn are_beyond<L: SimdVector>(corners: &[[L; 3]; 3], reaches: L) -> LaneMask {
    let [a, b, c] = transposed(corners);
    let edges = [sub(b, a), sub(c, b), sub(a, c)];
    let normal = cross(edges[0], edges[1]);
    let zero = L::splat(0.0);
    let mut m = zero;
    for corner in [a, b, c] {
        for along in corner {
            m = m.max(along).max(zero.sub(along));
        }
    }
    let m2 = m.mul(m);
    let m3 = m2.mul(m);
    let h = dot(normal, a);
    let h = below(h.max(zero.sub(h)), m3, 256.0);
    let normal_squared = above(dot(normal, normal), m2, 96.0);
    let mut beside = zero;
    for (edge, corner) in edges.into_iter().zip([a, b, c]) {
        let outward = cross(edge, normal);
        let s = below(zero.sub(dot(outward, corner)), m2.mul(m2), 2048.0);
        beside = beside.max(s.mul(s).div(above(dot(outward, outward), m3, 576.0)));
    }
    let squares = h.mul(h).div(normal_squared).add(beside);
    reaches.is_below(squares) & m.is_below(L::splat(FARTHEST))
}

/// A number less an error, or zero.
#[inline(always)]
fn below<L: SimdVector>(value: L, scale: L, n_units: f32) -> L {
    value
        .sub(scale.mul(L::splat(n_units * UNIT)))
        .max(L::splat(0.0))
}

/// More than the square of a length that has an error: `(v + e)² <= v² (1 + g) + e² (1 + 1 / g)`.
#[inline(always)]
fn above<L: SimdVector>(squared: L, scale: L, n_units: f32) -> L {
    let error = scale.mul(L::splat(n_units * UNIT * ERROR_GROWTH));
    squared.mul(L::splat(GROWTH)).add(error.mul(error))
}

#[inline(always)]
fn transposed<L: SimdVector>([x, y, z]: &[[L; 3]; 3]) -> [[L; 3]; 3] {
    [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]
}

#[inline(always)]
fn sub<L: SimdVector>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])]
}

#[inline(always)]
fn cross<L: SimdVector>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [
        a[1].mul(b[2]).sub(a[2].mul(b[1])),
        a[2].mul(b[0]).sub(a[0].mul(b[2])),
        a[0].mul(b[1]).sub(a[1].mul(b[0])),
    ]
}

#[inline(always)]
fn dot<L: SimdVector>(a: [L; 3], b: [L; 3]) -> L {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}
