//! Four f64 at once: one face, its corners or its axes beside each other.
//!
//! Unlike [`SimdVector`](super::SimdVector) they decide: every instruction set computes the same, to the bit.

/// Four f64, of which the first three count; the fourth changes nothing.
pub(crate) trait Four: Copy {
    fn splat(value: f64) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    /// `[b, c, a]` of `[a, b, c]`; the fourth stays.
    fn turned(self) -> Self;
    /// The first one.
    fn first(self) -> f64;
    /// `(b + c) + a` of `[a, b, c]`.
    fn sum(self) -> f64;
    /// Rows of columns; behind each, one of their numbers.
    fn transposed(columns: [Self; 3]) -> [Self; 3];
    /// Whether one is below zero and one above.
    fn has_both_signs(self) -> bool;
    fn to_f32(self) -> [f32; 4];
}

impl Four for [f64; 4] {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        [value; 4]
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] - other[i])
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] * other[i])
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] / other[i])
    }

    #[inline(always)]
    fn turned(self) -> Self {
        let [a, b, c, d] = self;
        [b, c, a, d]
    }

    #[inline(always)]
    fn first(self) -> f64 {
        self[0]
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        (self[1] + self[2]) + self[0]
    }

    #[inline(always)]
    fn transposed([x, y, z]: [Self; 3]) -> [Self; 3] {
        [0, 1, 2].map(|i| [x[i], y[i], z[i], 0.0])
    }

    #[inline(always)]
    fn has_both_signs(self) -> bool {
        crate::ray_triangle::has_both_signs([self[0], self[1], self[2]])
    }

    #[inline(always)]
    fn to_f32(self) -> [f32; 4] {
        self.map(|value| value as f32)
    }
}
