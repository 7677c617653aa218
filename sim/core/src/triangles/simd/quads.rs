//! Sixteen f32 in four registers of four, by the crate `fearless_simd`: NEON, and the simd128 of WebAssembly. All
//! that the program is compiled for, so there is nothing to choose at run time, and no `unsafe` code.

use super::outline::{self, Slack, Winding};
use super::portable::Portable;
use super::{Kernel, LaneMask, N_LANES, PackedCorners, SimdVector};
use fearless_simd::prelude::*;
use fearless_simd::{Level, f32x4, u8x16, u16x8, u32x4};

#[cfg(target_arch = "aarch64")]
type Here = fearless_simd::Neon;
#[cfg(target_arch = "wasm32")]
type Here = fearless_simd::WasmSimd128;

/// Runs a kernel on registers of four.
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Quads>()
}

/// The proof that the instructions are there, which takes no time: the program is compiled for them.
#[inline(always)]
fn here() -> Here {
    #[cfg(target_arch = "aarch64")]
    let here = Level::baseline().as_neon();
    #[cfg(target_arch = "wasm32")]
    let here = Level::baseline().as_wasm_simd128();
    here.expect("this file is compiled for targets that have them")
}

type F32s = f32x4<Here>;
type U8s = u8x16<Here>;
type U32s = u32x4<Here>;

/// First the first bytes of four words, then their second ones, third and fourth.
const BY_RANK: [u8; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];

#[derive(Clone, Copy)]
struct Quads([F32s; 4]);

impl Quads {
    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(F32s, F32s) -> F32s) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    /// The first bytes of all lanes, their second ones, third and fourth: a byte of any lane can be picked out of each
    /// by one instruction.
    #[inline(always)]
    fn bytes(self) -> [U8s; 4] {
        let by_rank = U8s::simd_from(here(), BY_RANK);
        let [a, b, c, d] = self.0.map(|quad| -> U32s {
            let bytes = quad.to_bytes().swizzle_dyn(by_rank);
            bytes.bitcast()
        });
        let (a_and_c, b_and_d) = (a.interleave(c), b.interleave(d));
        let (first, second) = a_and_c.0.interleave(b_and_d.0);
        let (third, fourth) = a_and_c.1.interleave(b_and_d.1);
        [first, second, third, fourth].map(|bytes| bytes.to_bytes())
    }

    /// The other way round.
    #[inline(always)]
    fn from_bytes([first, second, third, fourth]: [U8s; 4]) -> Self {
        let words = |low: U8s, high: U8s| -> [u16x8<Here>; 2] {
            let (a, b) = low.interleave(high);
            [a.bitcast(), b.bitcast()]
        };
        let [low, high] = [words(first, second), words(third, fourth)];
        let [(a, b), (c, d)] = [0, 1].map(|i| low[i].interleave(high[i]));
        Self([a, b, c, d].map(|words| words.bitcast()))
    }
}

impl SimdVector for Quads {
    /// A byte each.
    type Places = U8s;
    /// A byte of each word for each quad.
    type Flags = U32s;
    type CornerFlags = [U8s; 3];
    type Four = [f64; 4];
    const N_F64: usize = 2;
    const PICKS_AT_ONCE: bool = false;

    #[inline(always)]
    fn load(values: &[f32; N_LANES]) -> Self {
        let (quads, _) = values.as_chunks::<4>();
        Self(std::array::from_fn(|i| {
            F32s::load_array_ref(here(), &quads[i])
        }))
    }

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([F32s::splat(here(), value); 4])
    }

    #[inline(always)]
    fn places(corners: &[PackedCorners; N_LANES]) -> [U8s; 3] {
        let (halves, _) = corners.as_chunks::<8>();
        let [low, high] = [0, 1].map(|i| u16x8::load_array_ref(here(), &halves[i]));
        [0, 4, 8].map(|shift| {
            let place = |packed: u16x8<Here>| (packed >> shift) & 15;
            here().narrow_u16x8(place(low), place(high))
        })
    }

    #[inline(always)]
    fn pick(self, places: U8s) -> Self {
        Self::from_bytes(self.bytes().map(|bytes| bytes.swizzle_dyn(places)))
    }

    #[inline(always)]
    fn pick_corners(values: &[f32; N_LANES], corners: PackedCorners) -> [f64; 4] {
        Portable::pick_corners(values, corners)
    }

    #[inline(always)]
    fn are_beside(plane: [&[f32; N_LANES]; 2], corners: PackedCorners, point: [f32; 2]) -> bool {
        Portable::are_beside(plane, corners, point)
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

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        let product_and = |i: usize| self.0[i].mul_add(factor.0[i], addend.0[i]);
        Self(std::array::from_fn(product_and))
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, subtrahend: Self) -> Self {
        let product_less = |i: usize| self.0[i].mul_sub(factor.0[i], subtrahend.0[i]);
        Self(std::array::from_fn(product_less))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, min)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, max)
    }

    #[inline(always)]
    fn is_below(self, other: Self) -> LaneMask {
        let [a, b, c, d] = std::array::from_fn(|i| self.0[i].simd_lt(other.0[i]));
        let (low, high) = (here().combine_mask32x4(a, b), here().combine_mask32x4(c, d));
        here().combine_mask32x8(low, high).to_bitmask() as LaneMask
    }

    #[inline(always)]
    fn is_at_most(self, other: Self) -> LaneMask {
        !other.is_below(self)
    }

    #[inline(always)]
    fn least(self) -> f32 {
        let [a, b, c, d] = self.0;
        min(min(a, b), min(c, d)).reduce_min()
    }

    #[inline(always)]
    fn compress(self, mask: LaneMask, out: &mut [f32; N_LANES]) {
        let mut bits = [0; N_LANES];
        compress(self.0.map(|quad| quad.bitcast()), mask, &mut bits);
        *out = bits.map(f32::from_bits);
    }

    #[inline(always)]
    fn store(self) -> [f32; N_LANES] {
        let mut values = [0.0; N_LANES];
        for (quad, out) in self.0.into_iter().zip(values.as_chunks_mut::<4>().0) {
            quad.store_array(out);
        }
        values
    }

    #[inline(always)]
    fn no_flags() -> U32s {
        U32s::splat(here(), 0)
    }

    #[inline(always)]
    fn add_flag_below(self, other: Self, flags: U32s, flag: u8) -> U32s {
        let quads = self.0.into_iter().zip(other.0).enumerate();
        quads.fold(flags, |flags, (i, (a, b))| {
            let is_below: U32s = a.simd_lt(b).to_vector().bitcast();
            flags | is_below & U32s::splat(here(), u32::from(flag) << (8 * i))
        })
    }

    #[inline(always)]
    fn pick_flags(flags: U32s, corners: &[PackedCorners; N_LANES]) -> [U8s; 3] {
        let by_rank = U8s::simd_from(here(), BY_RANK);
        let flags = flags.to_bytes().swizzle_dyn(by_rank);
        Self::places(corners).map(|places| flags.swizzle_dyn(places))
    }

    #[inline(always)]
    fn have_common_flag([a, b, c]: [U8s; 3]) -> LaneMask {
        (a & b & c).simd_ne(U8s::splat(here(), 0)).to_bitmask() as LaneMask
    }

    #[inline(always)]
    fn have_flag([a, b, c]: [U8s; 3]) -> LaneMask {
        (a | b | c).simd_ne(U8s::splat(here(), 0)).to_bitmask() as LaneMask
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
        Portable::number_lanes(first, mask, out);
    }

    #[inline(always)]
    fn compress_numbers(values: &[u32; N_LANES], mask: LaneMask, out: &mut [u32; N_LANES]) {
        let quads = values.as_chunks::<4>().0;
        let quad = |i: usize| u32x4::load_array_ref(here(), &quads[i]);
        compress(std::array::from_fn(quad), mask, out);
    }
}

/// Writes the lanes of a mask, lowest first: four from each quad, whatever their number is, so that there is no branch.
#[inline(always)]
fn compress(quads: [U32s; 4], mask: LaneMask, out: &mut [u32; N_LANES]) {
    let mut n = 0;
    for (i, quad) in quads.into_iter().enumerate() {
        let lanes = usize::from(mask >> (4 * i)) % 16;
        let order = U8s::load_array_ref(here(), &LANES_FIRST[lanes]);
        out[n..n + 4].copy_from_slice(quad.swizzle_dyn(order).as_slice());
        n += lanes.count_ones() as usize;
    }
}

/// As [`SimdVector::min`], which says what becomes of a NaN: not what the instruction of this name does.
#[inline(always)]
fn min(a: F32s, b: F32s) -> F32s {
    #[cfg(target_arch = "wasm32")]
    return std::arch::wasm32::f32x4_pmin(b.into(), a.into()).simd_into(here());
    #[cfg(not(target_arch = "wasm32"))]
    a.simd_lt(b).select(a, b)
}

/// As [`SimdVector::max`].
#[inline(always)]
fn max(a: F32s, b: F32s) -> F32s {
    #[cfg(target_arch = "wasm32")]
    return std::arch::wasm32::f32x4_pmax(b.into(), a.into()).simd_into(here());
    #[cfg(not(target_arch = "wasm32"))]
    a.simd_gt(b).select(a, b)
}

/// For each mask of four lanes, where the bytes of its lanes are, lowest first; then anything.
static LANES_FIRST: [[u8; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut byte, mut n) = (0, 0);
        while byte < 16 {
            if mask >> (byte / 4) & 1 != 0 {
                table[mask][n] = byte;
                n += 1;
            }
            byte += 1;
        }
        mask += 1;
    }
    table
};
