//! Four f64 in one register.
#![allow(
    unsafe_code,
    reason = "intrinsics of instructions that `SimdLevel::run` knows to be there; measured in README.md"
)]

use super::Four;
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(super) struct FourAvx(pub __m256d);

// The instructions of all methods are there: only kernels call them, and a kernel meets this type only within `run` of
// `avx2` or `avx512`, which is compiled for, and only called with, AVX2 at least.
impl Four for FourAvx {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: AVX2 is there within `run`; registers alone.
        Self(unsafe { _mm256_set1_pd(value) })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: AVX2 is there within `run`; registers alone.
        Self(unsafe { _mm256_sub_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: AVX2 is there within `run`; registers alone.
        Self(unsafe { _mm256_mul_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: AVX2 is there within `run`; registers alone.
        Self(unsafe { _mm256_div_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn turned(self) -> Self {
        // SAFETY: AVX2 is there within `run`; registers alone.
        Self(unsafe { _mm256_permute4x64_pd::<0b11_00_10_01>(self.0) })
    }

    #[inline(always)]
    fn first(self) -> f64 {
        // SAFETY: AVX2 is there within `run`; registers alone.
        unsafe { _mm256_cvtsd_f64(self.0) }
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        // SAFETY: AVX2 is there within `run`; registers alone.
        unsafe {
            let first = _mm256_castpd256_pd128(self.0);
            let second = _mm_unpackhi_pd(first, first);
            let third = _mm256_extractf128_pd::<1>(self.0);
            _mm_cvtsd_f64(_mm_add_sd(_mm_add_sd(second, third), first))
        }
    }

    #[inline(always)]
    fn transposed([x, y, z]: [Self; 3]) -> [Self; 3] {
        // SAFETY: AVX2 is there within `run`; registers alone.
        unsafe {
            let x_and_y = _mm256_unpacklo_pd(x.0, y.0);
            let second = _mm256_unpackhi_pd(x.0, y.0);
            let second_z = _mm256_permute_pd::<0b0101>(z.0);
            [
                _mm256_permute2f128_pd::<0x20>(x_and_y, z.0),
                _mm256_permute2f128_pd::<0x20>(second, second_z),
                _mm256_permute2f128_pd::<0x31>(x_and_y, z.0),
            ]
            .map(Self)
        }
    }

    #[inline(always)]
    fn has_both_signs(self) -> bool {
        // SAFETY: AVX2 is there within `run`; registers alone.
        unsafe {
            // Nearly always all signs are alike; of zeros they say nothing.
            let signs = _mm256_movemask_pd(self.0) & 7;
            if signs == 0 || signs == 7 {
                return false;
            }
            let zero = _mm256_setzero_pd();
            let below = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, zero));
            let above = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, zero));
            (below & 7 != 0) & (above & 7 != 0)
        }
    }

    #[inline(always)]
    fn to_f32(self) -> [f32; 4] {
        let mut values = [0.0; 4];
        // SAFETY: AVX2 is there within `run`; writes the four floats of `values`, at any alignment.
        unsafe { _mm_storeu_ps(values.as_mut_ptr(), _mm256_cvtpd_ps(self.0)) };
        values
    }
}

impl FourAvx {
    /// Whether the first three are all below a value, or all above.
    #[inline(always)]
    pub fn is_beside(self, value: f64) -> bool {
        // SAFETY: AVX2 is there within `run`; registers alone.
        let (below, above) = unsafe {
            let value = _mm256_set1_pd(value);
            (
                _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, value)),
                _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(self.0, value)),
            )
        };
        (below & 7 == 7) | (above & 7 == 7)
    }
}

/// Whether the bounds of three corners, which are the first three numbers, leave out a point of the plane.
#[inline(always)]
pub(super) fn are_beside([x, y]: [__m128; 2], point: [f32; 2]) -> bool {
    // SAFETY: AVX2 is there within `run` of `avx2` or `avx512`, the only callers; registers alone.
    let (below, above) = unsafe {
        let corners = _mm256_set_m128(y, x);
        let point = _mm256_set_m128(_mm_set1_ps(point[1]), _mm_set1_ps(point[0]));
        (
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(corners, point)),
            _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(corners, point)),
        )
    };
    // Three set bits and one more carry into the fourth, along each axis.
    let carry = |sides: i32| (sides & 0x77) + 0x11;
    (carry(below) | carry(above)) & 0x88 != 0
}
