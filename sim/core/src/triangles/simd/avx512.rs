//! Sixteen f32 in one register.
#![allow(
    unsafe_code,
    reason = "intrinsics of instructions that `SimdLevel::run` knows to be there; measured in README.md"
)]

use super::four_avx::{self, FourAvx};
use super::{Kernel, LaneMask, N_LANES, PackedCorners, SimdVector};
use std::arch::x86_64::*;

/// Runs a kernel compiled for AVX-512 F.
#[target_feature(enable = "avx512f,fma,popcnt,bmi1,bmi2,lzcnt")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512>()
}

#[derive(Clone, Copy)]
struct Avx512(__m512);

// The instructions of all methods are there: only kernels call them, and a kernel meets this type only within `run`,
// which is compiled for, and only called with, AVX-512 F and all that it names.
impl SimdVector for Avx512 {
    type Places = __m512i;
    type Flags = __m512i;
    type CornerFlags = [__m512i; 3];
    type Four = FourAvx;
    const N_F64: usize = 8;
    const PICKS_AT_ONCE: bool = true;

    #[inline(always)]
    fn load(values: &[f32; N_LANES]) -> Self {
        // SAFETY: AVX-512 F is there within `run`; reads the 16 floats of `values`, at any alignment.
        Self(unsafe { _mm512_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn places(corners: &[PackedCorners; N_LANES]) -> [__m512i; 3] {
        // The permutation looks at four bits.
        // SAFETY: AVX-512 F is there within `run`; reads the 16 words of `corners`, at any alignment.
        unsafe {
            let corners = _mm512_cvtepu16_epi32(_mm256_loadu_si256(corners.as_ptr().cast()));
            [
                corners,
                _mm512_srli_epi32::<4>(corners),
                _mm512_srli_epi32::<8>(corners),
            ]
        }
    }

    #[inline(always)]
    fn pick(self, places: __m512i) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_permutexvar_ps(places, self.0) })
    }

    #[inline(always)]
    fn pick_corners(values: &[f32; N_LANES], corners: PackedCorners) -> FourAvx {
        // SAFETY: AVX2 is there within `run`; registers alone.
        FourAvx(unsafe { _mm256_cvtps_pd(pick_three(values, corners)) })
    }

    #[inline(always)]
    fn are_beside([x, y]: [&[f32; N_LANES]; 2], corners: PackedCorners, point: [f32; 2]) -> bool {
        four_avx::are_beside([pick_three(x, corners), pick_three(y, corners)], point)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, addend.0) })
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, subtrahend: Self) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_fmsub_ps(self.0, factor.0, subtrahend.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn is_below(self, other: Self) -> LaneMask {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn is_at_most(self, other: Self) -> LaneMask {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        unsafe { _mm512_cmp_ps_mask::<_CMP_NGT_UQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn least(self) -> f32 {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        unsafe { _mm512_reduce_min_ps(self.0) }
    }

    #[inline(always)]
    fn number_lanes(first: u32, mask: LaneMask, out: &mut [u32; N_LANES]) {
        // SAFETY: AVX-512 F is there within `run`; writes the 16 words of `out`, at any alignment.
        unsafe {
            let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let all = _mm512_add_epi32(lanes, _mm512_set1_epi32(first as i32));
            let some = _mm512_maskz_compress_epi32(mask, all);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), some);
        }
    }

    #[inline(always)]
    fn compress_numbers(values: &[u32; N_LANES], mask: LaneMask, out: &mut [u32; N_LANES]) {
        // SAFETY: AVX-512 F is there within `run`; reads and writes 16 words of each array, at any alignment.
        unsafe {
            let values = _mm512_loadu_si512(values.as_ptr().cast());
            let some = _mm512_maskz_compress_epi32(mask, values);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), some);
        }
    }

    #[inline(always)]
    fn compress(self, mask: LaneMask, out: &mut [f32; N_LANES]) {
        // SAFETY: AVX-512 F is there within `run`; writes the 16 floats of `out`, at any alignment.
        unsafe { _mm512_storeu_ps(out.as_mut_ptr(), _mm512_maskz_compress_ps(mask, self.0)) }
    }

    #[inline(always)]
    fn store(self) -> [f32; N_LANES] {
        let mut values = [0.0; N_LANES];
        // SAFETY: AVX-512 F is there within `run`; writes the 16 floats of `values`, at any alignment.
        unsafe { _mm512_storeu_ps(values.as_mut_ptr(), self.0) };
        values
    }

    #[inline(always)]
    fn no_flags() -> __m512i {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn add_flag_below(self, other: Self, flags: __m512i, flag: u8) -> __m512i {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        unsafe {
            let flag = _mm512_set1_epi32(i32::from(flag));
            _mm512_mask_or_epi32(flags, self.is_below(other), flags, flag)
        }
    }

    #[inline(always)]
    fn pick_flags(flags: __m512i, corners: &[PackedCorners; N_LANES]) -> [__m512i; 3] {
        let [a, b, c] = Self::places(corners);
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        unsafe {
            [
                _mm512_permutexvar_epi32(a, flags),
                _mm512_permutexvar_epi32(b, flags),
                _mm512_permutexvar_epi32(c, flags),
            ]
        }
    }

    #[inline(always)]
    fn have_common_flag([a, b, c]: [__m512i; 3]) -> LaneMask {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        unsafe { _mm512_test_epi32_mask(_mm512_and_si512(a, b), c) }
    }

    #[inline(always)]
    fn have_flag([a, b, c]: [__m512i; 3]) -> LaneMask {
        // SAFETY: AVX-512 F is there within `run`; registers alone.
        unsafe {
            let any = _mm512_or_si512(_mm512_or_si512(a, b), c);
            _mm512_test_epi32_mask(any, any)
        }
    }
}

/// The values at three corners, and one more.
#[inline(always)]
fn pick_three(values: &[f32; N_LANES], corners: PackedCorners) -> __m128 {
    // SAFETY: AVX-512 F is there within `run`; reads the 16 floats of `values`, at any alignment.
    unsafe {
        let corners = _mm_set1_epi32(i32::from(corners));
        let places = _mm_srlv_epi32(corners, _mm_setr_epi32(0, 4, 8, 12));
        let values = _mm512_loadu_ps(values.as_ptr());
        let picked = _mm512_permutexvar_ps(_mm512_castsi128_si512(places), values);
        _mm512_castps512_ps128(picked)
    }
}
