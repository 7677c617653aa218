//! Sixteen f32 in two registers.
#![allow(
    unsafe_code,
    reason = "intrinsics of instructions that `SimdLevel::run` knows to be there; measured in README.md"
)]

use super::four_avx::FourAvx;
use super::portable::SET_BITS;
use super::{Kernel, LaneMask, N_LANES, PackedCorners, SimdVector, corners_of};
use std::arch::x86_64::*;

/// Runs a kernel compiled for AVX2.
#[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

#[derive(Clone, Copy)]
struct Avx2([__m256; 2]);

// The instructions of all methods are there: only kernels call them, and a kernel meets this type only within `run`,
// which is compiled for, and only called with, AVX2 and all that it names.
impl SimdVector for Avx2 {
    type Places = [__m256i; 2];
    type Flags = [__m256i; 2];
    /// In bytes, so that one instruction picks sixteen.
    type CornerFlags = [__m128i; 3];
    type Four = FourAvx;
    const N_F64: usize = 4;
    const PICKS_AT_ONCE: bool = true;

    #[inline(always)]
    fn load(values: &[f32; N_LANES]) -> Self {
        let (low, high) = values.split_at(8);
        // SAFETY: AVX2 and FMA are there within `run`; reads eight floats of each half, at any alignment.
        Self(unsafe {
            [
                _mm256_loadu_ps(low.as_ptr()),
                _mm256_loadu_ps(high.as_ptr()),
            ]
        })
    }

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        Self([unsafe { _mm256_set1_ps(value) }; 2])
    }

    #[inline(always)]
    fn places(corners: &[PackedCorners; N_LANES]) -> [[__m256i; 2]; 3] {
        let (low, high) = corners.split_at(8);
        // What is above four bits is of no effect.
        // SAFETY: AVX2 and FMA are there within `run`; reads eight words of each half, at any alignment.
        unsafe {
            let low = _mm256_cvtepu16_epi32(_mm_loadu_si128(low.as_ptr().cast()));
            let high = _mm256_cvtepu16_epi32(_mm_loadu_si128(high.as_ptr().cast()));
            [
                [low, high],
                [_mm256_srli_epi32::<4>(low), _mm256_srli_epi32::<4>(high)],
                [_mm256_srli_epi32::<8>(low), _mm256_srli_epi32::<8>(high)],
            ]
        }
    }

    #[inline(always)]
    fn pick(self, places: [__m256i; 2]) -> Self {
        let [low, high] = places;
        Self([self.pick_half(low), self.pick_half(high)])
    }

    #[inline(always)]
    fn pick_corners(values: &[f32; N_LANES], corners: PackedCorners) -> FourAvx {
        let [a, b, c] = corners_of(corners);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        FourAvx(unsafe {
            let picked = _mm_setr_ps(values[a], values[b], values[c], values[0]);
            _mm256_cvtps_pd(picked)
        })
    }

    #[inline(always)]
    fn are_beside([x, y]: [&[f32; N_LANES]; 2], corners: PackedCorners, point: [f32; 2]) -> bool {
        // In f64, as they are picked for other steps: each of them is some instructions.
        Self::pick_corners(x, corners).is_beside(f64::from(point[0]))
            | Self::pick_corners(y, corners).is_beside(f64::from(point[1]))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        Self(unsafe { [_mm256_add_ps(a, c), _mm256_add_ps(b, d)] })
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        Self(unsafe { [_mm256_sub_ps(a, c), _mm256_sub_ps(b, d)] })
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        Self(unsafe { [_mm256_mul_ps(a, c), _mm256_mul_ps(b, d)] })
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        Self(unsafe { [_mm256_div_ps(a, c), _mm256_div_ps(b, d)] })
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        let ([a, b], [c, d], [e, f]) = (self.0, factor.0, addend.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        Self(unsafe { [_mm256_fmadd_ps(a, c, e), _mm256_fmadd_ps(b, d, f)] })
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, subtrahend: Self) -> Self {
        let ([a, b], [c, d], [e, f]) = (self.0, factor.0, subtrahend.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        Self(unsafe { [_mm256_fmsub_ps(a, c, e), _mm256_fmsub_ps(b, d, f)] })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        Self(unsafe { [_mm256_min_ps(a, c), _mm256_min_ps(b, d)] })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        Self(unsafe { [_mm256_max_ps(a, c), _mm256_max_ps(b, d)] })
    }

    #[inline(always)]
    fn is_below(self, other: Self) -> LaneMask {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        let (low, high) = unsafe {
            (
                _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, c)),
                _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(b, d)),
            )
        };
        (low | high << 8) as LaneMask
    }

    #[inline(always)]
    fn is_at_most(self, other: Self) -> LaneMask {
        !other.is_below(self)
    }

    #[inline(always)]
    fn least(self) -> f32 {
        let [low, high] = self.0;
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        unsafe {
            let eight = _mm256_min_ps(low, high);
            let four = _mm_min_ps(
                _mm256_castps256_ps128(eight),
                _mm256_extractf128_ps::<1>(eight),
            );
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            let one = _mm_min_ss(two, _mm_shuffle_ps::<1>(two, two));
            _mm_cvtss_f32(one)
        }
    }

    #[inline(always)]
    fn number_lanes(first: u32, mask: LaneMask, out: &mut [u32; N_LANES]) {
        // SAFETY: AVX2 is there within `run`; registers alone.
        let [low, high] = unsafe {
            let [low, high] = set_bits(mask);
            let behind = _mm256_set1_epi32(first.wrapping_add(8) as i32);
            [
                _mm256_add_epi32(low, _mm256_set1_epi32(first as i32)),
                _mm256_add_epi32(high, behind),
            ]
        };
        store_compressed(low, high, mask, out);
    }

    #[inline(always)]
    fn compress_numbers(values: &[u32; N_LANES], mask: LaneMask, out: &mut [u32; N_LANES]) {
        let (low, high) = values.split_at(8);
        // SAFETY: AVX2 is there within `run`; reads eight words of each half, at any alignment.
        let [low, high] = unsafe {
            let [low_places, high_places] = set_bits(mask);
            [
                _mm256_permutevar8x32_epi32(_mm256_loadu_si256(low.as_ptr().cast()), low_places),
                _mm256_permutevar8x32_epi32(_mm256_loadu_si256(high.as_ptr().cast()), high_places),
            ]
        };
        store_compressed(low, high, mask, out);
    }

    #[inline(always)]
    fn compress(self, mask: LaneMask, out: &mut [f32; N_LANES]) {
        let [low, high] = self.0;
        // SAFETY: AVX2 is there within `run`; registers alone.
        let [low, high] = unsafe {
            let [low_places, high_places] = set_bits(mask);
            [
                _mm256_permutevar8x32_ps(low, low_places),
                _mm256_permutevar8x32_ps(high, high_places),
            ]
        };
        let n_low = (mask as u8).count_ones() as usize;
        // SAFETY: as `store_compressed`.
        unsafe {
            let out = out.as_mut_ptr();
            _mm256_storeu_ps(out, low);
            _mm256_storeu_ps(out.add(n_low), high);
        }
    }

    #[inline(always)]
    fn store(self) -> [f32; N_LANES] {
        let mut values = [0.0; N_LANES];
        let (low, high) = values.split_at_mut(8);
        // SAFETY: AVX2 and FMA are there within `run`; writes eight floats of each half, at any alignment.
        unsafe {
            _mm256_storeu_ps(low.as_mut_ptr(), self.0[0]);
            _mm256_storeu_ps(high.as_mut_ptr(), self.0[1]);
        }
        values
    }

    #[inline(always)]
    fn no_flags() -> [__m256i; 2] {
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        unsafe { [_mm256_setzero_si256(); 2] }
    }

    #[inline(always)]
    fn add_flag_below(self, other: Self, [low, high]: [__m256i; 2], flag: u8) -> [__m256i; 2] {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: AVX2 and FMA are there within `run`; registers alone.
        unsafe {
            let flag = _mm256_set1_epi32(i32::from(flag));
            let in_low = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LT_OQ>(a, c));
            let in_high = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LT_OQ>(b, d));
            [
                _mm256_or_si256(low, _mm256_and_si256(in_low, flag)),
                _mm256_or_si256(high, _mm256_and_si256(in_high, flag)),
            ]
        }
    }

    #[inline(always)]
    fn pick_flags([low, high]: [__m256i; 2], corners: &[PackedCorners; N_LANES]) -> [__m128i; 3] {
        let (corners_low, corners_high) = corners.split_at(8);
        // SAFETY: AVX2 is there within `run`; reads eight words of each half, at any alignment.
        unsafe {
            // Packing takes four of each half in turn.
            let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(low, high));
            let flags = _mm_packus_epi16(
                _mm256_castsi256_si128(words),
                _mm256_extracti128_si256::<1>(words),
            );
            let low = _mm_loadu_si128(corners_low.as_ptr().cast());
            let high = _mm_loadu_si128(corners_high.as_ptr().cast());
            let byte = _mm_set1_epi16(0xFF);
            let four_bits = _mm_set1_epi8(0xF);
            let first_two = _mm_packus_epi16(_mm_and_si128(low, byte), _mm_and_si128(high, byte));
            let places = [
                _mm_and_si128(first_two, four_bits),
                _mm_and_si128(_mm_srli_epi16::<4>(first_two), four_bits),
                _mm_packus_epi16(_mm_srli_epi16::<8>(low), _mm_srli_epi16::<8>(high)),
            ];
            [
                _mm_shuffle_epi8(flags, places[0]),
                _mm_shuffle_epi8(flags, places[1]),
                _mm_shuffle_epi8(flags, places[2]),
            ]
        }
    }

    #[inline(always)]
    fn have_common_flag([a, b, c]: [__m128i; 3]) -> LaneMask {
        // SAFETY: AVX2 is there within `run`; registers alone.
        not_zero(unsafe { _mm_and_si128(_mm_and_si128(a, b), c) })
    }

    #[inline(always)]
    fn have_flag([a, b, c]: [__m128i; 3]) -> LaneMask {
        // SAFETY: AVX2 is there within `run`; registers alone.
        not_zero(unsafe { _mm_or_si128(_mm_or_si128(a, b), c) })
    }
}

/// Bytes that are not zero.
#[inline(always)]
fn not_zero(bytes: __m128i) -> LaneMask {
    // SAFETY: AVX2 is there within `run`; registers alone.
    let zeros = unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128())) };
    !(zeros as LaneMask)
}

/// Positions of the set bits of each half, lowest first.
#[inline(always)]
fn set_bits(mask: LaneMask) -> [__m256i; 2] {
    let [low, high] = mask.to_le_bytes();
    // SAFETY: AVX2 is there within `run`; reads the eight bytes of each row, at any alignment.
    unsafe {
        [
            _mm256_cvtepu8_epi32(_mm_loadl_epi64(SET_BITS[usize::from(low)].as_ptr().cast())),
            _mm256_cvtepu8_epi32(_mm_loadl_epi64(SET_BITS[usize::from(high)].as_ptr().cast())),
        ]
    }
}

/// Writes the halves of a register that were compressed each by itself.
#[inline(always)]
fn store_compressed(low: __m256i, high: __m256i, mask: LaneMask, out: &mut [u32; N_LANES]) {
    let n_low = (mask as u8).count_ones() as usize;
    // SAFETY: AVX2 is there within `run`; writes eight words from the first on, then eight from a place that is eight
    // at most, so that all are among the sixteen of `out`; at any alignment.
    unsafe {
        let out = out.as_mut_ptr();
        _mm256_storeu_si256(out.cast(), low);
        _mm256_storeu_si256(out.add(n_low).cast(), high);
    }
}

impl Avx2 {
    #[inline(always)]
    fn pick_half(self, places: __m256i) -> __m256 {
        let [low, high] = self.0;
        // SAFETY: AVX2 is there within `run`; registers alone. The permutation looks at three bits; the fourth, moved
        // to the sign, chooses the half.
        unsafe {
            let from_low = _mm256_permutevar8x32_ps(low, places);
            let from_high = _mm256_permutevar8x32_ps(high, places);
            let is_high = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(places));
            _mm256_blendv_ps(from_low, from_high, is_high)
        }
    }
}
