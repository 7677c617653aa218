//! A line and a point against sixteen boxes, lane by lane: the steps of [`SimdVector`]'s methods of these names for
//! levels whose registers are too few to hold sixteen of each number.

use super::{LaneMask, N_LANES, SimdVector};

/// A line against boxes. Where it crosses a plane across an axis is the plane's coordinate, times `inverse` of the axis,
/// plus `enter` or `leave`.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    pub inverse: [f32; 3],
    pub enter: [f32; 3],
    pub leave: [f32; 3],
    /// Nothing is entered before.
    pub begin: f32,
}

/// Coordinates of one side of boxes, by axis.
pub(crate) type Sides<'a> = [&'a [f32; N_LANES]; 3];

#[inline(always)]
pub(super) fn enter_boxes<L: SimdVector>(
    near: Sides,
    far: Sides,
    line: &Line,
    reach: f32,
) -> (LaneMask, L) {
    let Line {
        inverse,
        enter,
        leave,
        begin,
    } = *line;
    let [x, y, z] = [
        L::splat(inverse[0]),
        L::splat(inverse[1]),
        L::splat(inverse[2]),
    ];
    let enter_x = L::load(near[0]).mul_add(x, L::splat(enter[0]));
    let enter_y = L::load(near[1]).mul_add(y, L::splat(enter[1]));
    let enter_z = L::load(near[2]).mul_add(z, L::splat(enter[2]));
    let leave_x = L::load(far[0]).mul_add(x, L::splat(leave[0]));
    let leave_y = L::load(far[1]).mul_add(y, L::splat(leave[1]));
    let leave_z = L::load(far[2]).mul_add(z, L::splat(leave[2]));
    let enter = enter_x.max(enter_y).max(enter_z.max(L::splat(begin)));
    let leave = leave_x.min(leave_y).min(leave_z.min(L::splat(reach)));
    (!leave.is_below(enter), enter)
}

#[inline(always)]
pub(super) fn enter_boxes_by_lane(
    near: Sides,
    far: Sides,
    line: &Line,
    reach: f32,
) -> (LaneMask, [f32; N_LANES]) {
    let Line {
        inverse,
        enter,
        leave,
        begin,
    } = *line;
    let (mut enters, mut leaves) = ([0.0; N_LANES], [0.0; N_LANES]);
    for i in 0..N_LANES {
        let enter = |axis: usize| near[axis][i] * inverse[axis] + enter[axis];
        let leave = |axis: usize| far[axis][i] * inverse[axis] + leave[axis];
        enters[i] = max(max(enter(0), enter(1)), max(enter(2), begin));
        leaves[i] = min(min(leave(0), leave(1)), min(leave(2), reach));
    }
    (!below(&leaves, &enters), enters)
}

#[inline(always)]
pub(super) fn squares_to_boxes<L: SimdVector>(
    low: Sides,
    high: Sides,
    point: [f32; 3],
    slack: f32,
) -> L {
    let (zero, slack) = (L::splat(0.0), L::splat(slack));
    let mut squares = zero;
    for axis in 0..3 {
        let point = L::splat(point[axis]);
        let below = L::load(low[axis]).sub(point);
        let above = point.sub(L::load(high[axis]));
        let gap = below.max(above).sub(slack).max(zero);
        squares = squares.add(gap.mul(gap));
    }
    squares
}

#[inline(always)]
pub(super) fn squares_to_boxes_by_lane(
    low: Sides,
    high: Sides,
    point: [f32; 3],
    slack: f32,
) -> [f32; N_LANES] {
    let mut squares = [0.0; N_LANES];
    for (i, square) in squares.iter_mut().enumerate() {
        let gap = |axis: usize| {
            let (below, above) = (low[axis][i] - point[axis], point[axis] - high[axis][i]);
            max(max(below, above) - slack, 0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        *square = x * x + y * y + z * z;
    }
    squares
}

/// As [`SimdVector::is_below`].
#[inline(always)]
pub(super) fn below(a: &[f32; N_LANES], b: &[f32; N_LANES]) -> LaneMask {
    let bits = (0..N_LANES).map(|i| u16::from(a[i] < b[i]) << i);
    bits.fold(0, |mask, bit| mask | bit)
}

/// As [`SimdVector::max`]; unlike `f32::max` one instruction.
#[inline(always)]
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// As [`SimdVector::min`].
#[inline(always)]
pub(super) fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
