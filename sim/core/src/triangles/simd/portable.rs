//! Lanes as plain arrays: whatever the compiler makes of loops over sixteen.

use super::boxes::{self, Line, Sides};
use super::outline::{self, Slack, Winding};
use super::{Kernel, LaneMask, N_LANES, PackedCorners, SimdVector, corners_of};

/// Runs a kernel on plain arrays. In a function of its own: if its callers saved its registers, the other SIMD
/// levels would pay for that in every query.
#[inline(never)]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Portable>()
}

#[derive(Clone, Copy)]
pub(super) struct Portable([f32; N_LANES]);

impl Portable {
    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl SimdVector for Portable {
    type Places = [u8; N_LANES];
    type Flags = [u8; N_LANES];
    type CornerFlags = [[u8; N_LANES]; 3];
    type Four = [f64; 4];
    const N_F64: usize = 2;
    const PICKS_AT_ONCE: bool = false;

    #[inline(always)]
    fn load(values: &[f32; N_LANES]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; N_LANES])
    }

    #[inline(always)]
    fn places(corners: &[PackedCorners; N_LANES]) -> [Self::Places; 3] {
        [0, 4, 8].map(|shift| corners.map(|corners| (corners >> shift) as u8))
    }

    #[inline(always)]
    fn pick(self, places: Self::Places) -> Self {
        // The rest of the division is no change, and spares sixteen bounds checks.
        Self(places.map(|place| self.0[usize::from(place) % N_LANES]))
    }

    #[inline(always)]
    fn pick_corners(values: &[f32; N_LANES], corners: PackedCorners) -> [f64; 4] {
        let [a, b, c] = corners_of(corners);
        [values[a], values[b], values[c], values[0]].map(f64::from)
    }

    #[inline(always)]
    fn are_beside([x, y]: [&[f32; N_LANES]; 2], corners: PackedCorners, point: [f32; 2]) -> bool {
        let [a, b, c] = corners_of(corners);
        let are_beside = |along: &[f32; N_LANES], point: f32| {
            (along[a] < point) & (along[b] < point) & (along[c] < point)
                | (along[a] > point) & (along[b] > point) & (along[c] > point)
        };
        are_beside(x, point[0]) | are_beside(y, point[1])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.with(other, |a, b| a / b)
    }

    // Rounded twice: without an instruction a fused product takes a call for each lane.
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self.mul(factor).add(addend)
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, subtrahend: Self) -> Self {
        self.mul(factor).sub(subtrahend)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, boxes::min)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, boxes::max)
    }

    #[inline(always)]
    fn is_below(self, other: Self) -> LaneMask {
        boxes::below(&self.0, &other.0)
    }

    #[inline(always)]
    fn is_at_most(self, other: Self) -> LaneMask {
        !other.is_below(self)
    }

    #[inline(always)]
    fn least(self) -> f32 {
        self.0.into_iter().fold(f32::INFINITY, f32::min)
    }

    #[inline(always)]
    fn compress(self, mask: LaneMask, out: &mut [f32; N_LANES]) {
        compress(&self.0, mask, out);
    }

    #[inline(always)]
    fn store(self) -> [f32; N_LANES] {
        self.0
    }

    #[inline(always)]
    fn no_flags() -> [u8; N_LANES] {
        [0; N_LANES]
    }

    #[inline(always)]
    fn add_flag_below(self, other: Self, flags: [u8; N_LANES], flag: u8) -> [u8; N_LANES] {
        std::array::from_fn(|i| flags[i] | (u8::from(self.0[i] < other.0[i]) * flag))
    }

    #[inline(always)]
    fn pick_flags(flags: [u8; N_LANES], corners: &[PackedCorners; N_LANES]) -> [[u8; N_LANES]; 3] {
        Self::places(corners).map(|places| places.map(|place| flags[usize::from(place) % N_LANES]))
    }

    #[inline(always)]
    fn have_common_flag([a, b, c]: [[u8; N_LANES]; 3]) -> LaneMask {
        let bits = (0..N_LANES).map(|i| u16::from(a[i] & b[i] & c[i] != 0) << i);
        bits.fold(0, |mask, bit| mask | bit)
    }

    #[inline(always)]
    fn have_flag([a, b, c]: [[u8; N_LANES]; 3]) -> LaneMask {
        let bits = (0..N_LANES).map(|i| u16::from((a[i] | b[i] | c[i]) != 0) << i);
        bits.fold(0, |mask, bit| mask | bit)
    }

    #[inline(always)]
    fn enter_boxes(near: Sides, far: Sides, line: &Line, reach: f32) -> (LaneMask, Self) {
        let (hit, enters) = boxes::enter_boxes_by_lane(near, far, line, reach);
        (hit, Self(enters))
    }

    #[inline(always)]
    fn squares_to_boxes(low: Sides, high: Sides, point: [f32; 3], slack: f32) -> Self {
        Self(boxes::squares_to_boxes_by_lane(low, high, point, slack))
    }

    #[inline(always)]
    fn faces_around_origin(
        x: Self,
        y: Self,
        corners: &[PackedCorners; N_LANES],
        slack: Slack,
        winding: Winding,
    ) -> LaneMask {
        outline::faces_around_origin_one_by_one(x, y, corners, slack, winding)
    }

    #[inline(always)]
    fn number_lanes(first: u32, mask: LaneMask, out: &mut [u32; N_LANES]) {
        // By eights, whatever their number is: no branch.
        let [low, high] = mask.to_le_bytes();
        for (number, lane) in out.iter_mut().zip(&SET_BITS[usize::from(low)]) {
            *number = first + u32::from(*lane);
        }
        let behind = &mut out[low.count_ones() as usize..];
        for (number, lane) in behind.iter_mut().zip(&SET_BITS[usize::from(high)]) {
            *number = first + 8 + u32::from(*lane);
        }
    }

    #[inline(always)]
    fn compress_numbers(values: &[u32; N_LANES], mask: LaneMask, out: &mut [u32; N_LANES]) {
        compress(values, mask, out);
    }
}

/// Writes the values of a mask's lanes, lowest lane first.
#[inline(always)]
fn compress<T: Copy>(values: &[T; N_LANES], mut mask: LaneMask, out: &mut [T; N_LANES]) {
    for out in out {
        if mask == 0 {
            break;
        }
        *out = values[mask.trailing_zeros() as usize % N_LANES];
        mask &= mask - 1;
    }
}

/// Positions of the set bits of each byte, lowest first.
pub(super) static SET_BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 != 0 {
                table[mask][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
};
