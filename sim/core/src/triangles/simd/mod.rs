//! Sixteen numbers at once, by the best instructions that the processor has.
//!
//! Everything that decides a result is computed in f64, the same way everywhere: by plain code, or for a single height
//! four numbers at once ([`Four`]), each step rounded as the plain one is. What runs on [`SimdVector`] only says which
//! faces and which boxes cannot matter, with a margin for its own rounding. So there the instruction sets may round
//! differently, and the results are the same to the bit.
//!
//! Why by hand: the corners of sixteen faces are picked out of sixteen vertices by a permutation of registers,
//! which no compiler finds by itself; with it, a height takes a quarter of the time (`README.md`, "SIMD levels").

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod boxes;
mod four;
#[cfg(target_arch = "x86_64")]
mod four_avx;
mod outline;
mod portable;
mod prefetch;
#[cfg(any(
    all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    ),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod quads;

pub(crate) use boxes::{Line, Sides, max};
pub(crate) use four::Four;
pub(crate) use outline::{Slack, Winding};
pub(crate) use prefetch::prefetch;

/// Lanes of one value.
pub(crate) const N_LANES: usize = 16;

/// Faces that are decided on at once: as many f64 as the widest register holds.
pub(crate) const N_F64: usize = 8;

/// Three positions below sixteen in four bits each, the first the lowest; above them none.
pub(crate) type PackedCorners = u16;

/// One bit a lane, lane 0 the lowest.
pub(crate) type LaneMask = u16;

/// The three positions.
#[inline(always)]
pub(crate) fn corners_of(packed: PackedCorners) -> [usize; 3] {
    [packed, packed >> 4, packed >> 8].map(|corner| usize::from(corner) % N_LANES)
}

/// Sixteen f32, and what queries do with them.
///
/// # Safety of implementations
/// An instance is only made inside [`SimdLevel::run`], after the processor was checked.
pub(crate) trait SimdVector: Copy {
    /// Sixteen positions below sixteen.
    type Places: Copy;
    /// Sixteen sets of flags.
    type Flags: Copy;
    /// By corner, flags of sixteen faces.
    type CornerFlags: Copy;
    /// Four f64.
    type Four: Four;
    /// How many f64 a register holds.
    const N_F64: usize;
    /// Whether [`pick`](Self::pick) takes a few instructions rather than some for each lane.
    const PICKS_AT_ONCE: bool;

    fn load(values: &[f32; N_LANES]) -> Self;
    fn splat(value: f32) -> Self;
    /// By corner, positions for [`pick`](Self::pick).
    fn places(corners: &[PackedCorners; N_LANES]) -> [Self::Places; 3];
    /// Lane `i` becomes lane `places[i]`.
    fn pick(self, places: Self::Places) -> Self;
    /// The values at three corners; any of the values behind them.
    fn pick_corners(values: &[f32; N_LANES], corners: PackedCorners) -> Self::Four;
    /// Whether the bounds of three corners leave out a point of the plane.
    fn are_beside(plane: [&[f32; N_LANES]; 2], corners: PackedCorners, point: [f32; 2]) -> bool;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// `self * factor + addend`, rounded once where there is an instruction for it, else twice.
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// `self * factor - subtrahend`, rounded as [`mul_add`](Self::mul_add).
    fn mul_sub(self, factor: Self, subtrahend: Self) -> Self;
    /// Where either is NaN, either.
    fn min(self, other: Self) -> Self;
    /// Where either is NaN, either.
    fn max(self, other: Self) -> Self;
    /// `self < other`; false where either is NaN.
    fn is_below(self, other: Self) -> LaneMask;
    /// `self <= other`; true where either is NaN.
    fn is_at_most(self, other: Self) -> LaneMask;
    /// The least lane, where none is NaN.
    fn least(self) -> f32;
    /// Writes the lanes of a mask, lowest first; what is behind them is unspecified.
    fn compress(self, mask: LaneMask, out: &mut [f32; N_LANES]);
    fn store(self) -> [f32; N_LANES];
    /// No flag in any lane.
    fn no_flags() -> Self::Flags;
    /// Adds a flag, a power of two below 64, where `self < other`.
    fn add_flag_below(self, other: Self, flags: Self::Flags, flag: u8) -> Self::Flags;
    /// The flags at the three corners of faces.
    fn pick_flags(flags: Self::Flags, corners: &[PackedCorners; N_LANES]) -> Self::CornerFlags;
    /// Where all three corners have a flag in common.
    fn have_common_flag(flags: Self::CornerFlags) -> LaneMask;
    /// Where any of the three corners has a flag.
    fn have_flag(flags: Self::CornerFlags) -> LaneMask;
    /// Which boxes a line enters before it leaves them, up to a reach, and where it enters each. `near` are the sides at
    /// which it enters, `far` the others.
    #[inline(always)]
    fn enter_boxes(near: Sides, far: Sides, line: &Line, reach: f32) -> (LaneMask, Self) {
        boxes::enter_boxes(near, far, line, reach)
    }
    /// Squares of the distances of a point from boxes that are wider by a slack.
    #[inline(always)]
    fn squares_to_boxes(low: Sides, high: Sides, point: [f32; 3], slack: f32) -> Self {
        boxes::squares_to_boxes(low, high, point, slack)
    }
    /// Lanes of faces that the origin of the plane may be within, and maybe others, but few. `x` and `y` are those of
    /// vertices, `corners` which of them the faces have.
    #[inline(always)]
    fn faces_around_origin(
        x: Self,
        y: Self,
        corners: &[PackedCorners; N_LANES],
        slack: Slack,
        winding: Winding,
    ) -> LaneMask {
        outline::faces_around_origin(x, y, corners, slack, winding)
    }
    /// Writes `first` + lane for each lane of a mask, lowest first; what is behind them is unspecified.
    fn number_lanes(first: u32, mask: LaneMask, out: &mut [u32; N_LANES]);
    /// [`compress`](Self::compress) for other numbers.
    fn compress_numbers(values: &[u32; N_LANES], mask: LaneMask, out: &mut [u32; N_LANES]);
}

/// A computation for SIMD vectors of any level. Implementations of `run` are `#[inline(always)]`, so that they are
/// compiled once for each instruction set.
pub(crate) trait Kernel {
    type Output;

    fn run<L: SimdVector>(self) -> Self::Output;
}

/// Instruction sets that queries are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// What every processor of the platform has.
    Portable,
    /// x86-64 with AVX2 and FMA.
    Avx2,
    /// x86-64 with AVX-512 F.
    Avx512,
    /// AArch64 with NEON (Advanced SIMD), as nearly every target of it has.
    Neon,
    /// WebAssembly with simd128, if the program is compiled for it.
    Simd128,
}

impl SimdLevel {
    /// All levels of all processors, of each processor the best last.
    pub const ALL: [Self; 5] = [
        Self::Portable,
        Self::Avx2,
        Self::Avx512,
        Self::Neon,
        Self::Simd128,
    ];

    /// The best that this processor has.
    pub fn detect() -> Self {
        let mut best_first = Self::ALL.into_iter().rev();
        best_first
            .find(|level| level.is_available())
            .unwrap_or(Self::Portable)
    }

    /// Whether this processor has them.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && has_companions(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f") && has_companions(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
            Self::Neon => cfg!(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            )),
            Self::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
        }
    }

    /// Computes with these instructions, which must be [available](Self::is_available).
    // Always in place: a kernel would be copied else, numbers that were written singly by larger reads, and each of
    // these waits for all that came before.
    #[inline(always)]
    #[allow(
        unsafe_code,
        reason = "a function compiled for a SIMD level that the processor was checked for"
    )]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        debug_assert!(self.is_available(), "{self:?}");
        match self {
            // SAFETY: an index takes only instructions that are available (`TriangleIndex::with_simd_level`).
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { avx512::run(kernel) },
            // SAFETY: as for AVX-512 F.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { avx2::run(kernel) },
            #[cfg(any(
                all(
                    target_arch = "aarch64",
                    target_feature = "neon",
                    target_endian = "little"
                ),
                all(target_arch = "wasm32", target_feature = "simd128")
            ))]
            Self::Neon | Self::Simd128 => quads::run(kernel),
            _ => portable::run(kernel),
        }
    }
}

/// What `avx2::run` and `avx512::run` are compiled for besides: processors that have the wide registers have these too,
/// but a virtual machine may hide any of them.
#[cfg(target_arch = "x86_64")]
fn has_companions() -> bool {
    is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

#[cfg(test)]
mod tests;
