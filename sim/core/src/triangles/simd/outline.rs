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

/// [`faces_around_origin`] without permutations of numbers: first the faces all of whose corners are on one side of the
/// origin are left out, by flags of a byte each, then the few others that the origin is not within.
#[inline(always)]
pub(super) fn faces_around_origin_one_by_one<L: SimdVector>(
    x: L,
    y: L,
    corners: &[PackedCorners; N_LANES],
    slack: Slack,
    winding: Winding,
) -> LaneMask {
    let (low, high) = (L::splat(-slack.position), L::splat(slack.position));
    let sides = x.add_flag_below(low, L::no_flags(), 1);
    let sides = high.add_flag_below(x, sides, 2);
    let sides = y.add_flag_below(low, sides, 4);
    let sides = high.add_flag_below(y, sides, 8);
    let mut near = !L::have_common_flag(L::pick_flags(sides, corners));
    let (x, y) = (x.store(), y.store());
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
