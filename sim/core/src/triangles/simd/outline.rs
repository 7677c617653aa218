//! Faces seen along an axis: which of them the origin of the plane is within.

use super::{LaneMask, N_LANES, PackedCorners, SimdVector, corners_of};

/// What rounding may move numbers by.
#[derive(Clone, Copy)]
pub(crate) struct Slack {
    /// Coordinates, in sum with what they are compared with.
    pub position: f32,
    /// Edge functions of faces near the origin; endless, where products of their coordinates may overflow.
    pub edge: f32,
}

/// Which way the corners of faces go around them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Winding {
    /// Counter-clockwise, all of them.
    CounterClockwise,
    Any,
}

/// Lanes whose three edge functions about the origin do not differ in sign by more than the slack.
#[inline(always)]
pub(super) fn faces_around_origin<L: SimdVector>(
    x: L,
    y: L,
    corners: &[PackedCorners; N_LANES],
    slack: Slack,
    winding: Winding,
) -> LaneMask {
    let [a, b, c] = L::places(corners);
    let (ax, bx, cx) = (x.pick(a), x.pick(b), x.pick(c));
    let (ay, by, cy) = (y.pick(a), y.pick(b), y.pick(c));
    let u = cx.mul_sub(by, cy.mul(bx));
    let v = ax.mul_sub(cy, ay.mul(cx));
    let w = bx.mul_sub(ay, by.mul(ax));
    // Over a face that is counter-clockwise none is above zero, over another one none below it.
    let around = u.max(v).max(w).is_at_most(L::splat(slack.edge));
    match winding {
        Winding::CounterClockwise => around,
        Winding::Any => around | L::splat(-slack.edge).is_at_most(u.min(v).min(w)),
    }
}

/// [`faces_around_origin`] without a permutation of registers, which plain code would do number by number: first the
/// faces all of whose corners are on one side of the origin are left out, by flags of a byte each.
#[inline(always)]
pub(super) fn faces_around_origin_one_by_one(
    x: &[f32; N_LANES],
    y: &[f32; N_LANES],
    corners: &[PackedCorners; N_LANES],
    slack: Slack,
    winding: Winding,
) -> LaneMask {
    let mut sides = [0_u8; N_LANES];
    for (i, sides) in sides.iter_mut().enumerate() {
        *sides = u8::from(x[i] < -slack.position)
            | u8::from(x[i] > slack.position) << 1
            | u8::from(y[i] < -slack.position) << 2
            | u8::from(y[i] > slack.position) << 3;
    }
    let mut near = 0;
    for (lane, &corners) in corners.iter().enumerate() {
        let [a, b, c] = corners_of(corners);
        near |= LaneMask::from(sides[a] & sides[b] & sides[c] == 0) << lane;
    }
    let mut around = 0;
    while near != 0 {
        let lane = near.trailing_zeros() as usize % N_LANES;
        near &= near - 1;
        let [a, b, c] = corners_of(corners[lane]);
        let edge = |p: usize, q: usize| x[p] * y[q] - y[p] * x[q];
        let (u, v, w) = (edge(c, b), edge(a, c), edge(b, a));
        // NaN is beyond nothing.
        let is_beyond = (u > slack.edge) | (v > slack.edge) | (w > slack.edge);
        let is_below = (u < -slack.edge) | (v < -slack.edge) | (w < -slack.edge);
        let is_around = !is_beyond | (winding == Winding::Any) & !is_below;
        around |= LaneMask::from(is_around) << lane;
    }
    around
}
