//! Numbers as the x87 registers hold them, in integers: sign, exponent, 64-bit significand.

use super::series;

/// A finite register value: `significand * 2^exponent`. The top bit of the significand is set, or it is zero.
///
/// The exponent has no limits here; the unit's has 15 bits, more than any chain of these operations uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extended {
    pub(super) is_negative: bool,
    pub(super) exponent: i32,
    pub(super) significand: u64,
}

impl From<f32> for Extended {
    /// Exact. The value must be finite.
    fn from(value: f32) -> Self {
        let bits = value.to_bits();
        let (fraction, biased) = (bits & 0x007F_FFFF, (bits >> 23 & 0xFF) as i32);
        let significand = if biased == 0 {
            fraction
        } else {
            fraction | 0x0080_0000
        };
        Self::rounded(
            value.is_sign_negative(),
            u128::from(significand),
            biased.max(1) - 150,
            24,
        )
    }
}

impl Extended {
    /// Significant bits of a register.
    const N_BITS: u32 = 64;
    /// Significant bits that arithmetic keeps under the engine's control word.
    const N_ARITHMETIC_BITS: u32 = 24;

    pub(super) const ONE: Self = Self {
        is_negative: false,
        exponent: -63,
        significand: 1 << 63,
    };

    /// `magnitude * 2^exponent`, rounded to nearest even at 64 bits.
    pub(super) fn register(is_negative: bool, magnitude: u128, exponent: i32) -> Self {
        Self::rounded(is_negative, magnitude, exponent, Self::N_BITS)
    }

    /// FMUL.
    pub(super) fn times_24(self, other: Self) -> Self {
        let product = u128::from(self.significand) * u128::from(other.significand);
        let is_negative = self.is_negative != other.is_negative;
        let exponent = self.exponent + other.exponent;
        Self::rounded(is_negative, product, exponent, Self::N_ARITHMETIC_BITS)
    }

    /// FDIV of one by this. Not for zero.
    pub(super) fn reciprocal_24(self) -> Self {
        const DIVIDEND: u128 = 1 << 127;
        let divisor = u128::from(self.significand);
        // A bit below the quotient says whether there is a remainder, which is all that rounding needs.
        let is_inexact = !DIVIDEND.is_multiple_of(divisor);
        let quotient = ((DIVIDEND / divisor) << 1) | u128::from(is_inexact);
        let exponent = -128 - self.exponent;
        Self::rounded(
            self.is_negative,
            quotient,
            exponent,
            Self::N_ARITHMETIC_BITS,
        )
    }

    /// FSUB.
    pub(super) fn minus_24(self, other: Self) -> Self {
        let other = Self {
            is_negative: !other.is_negative,
            ..other
        };
        let (large, small) = if self.magnitude_key() >= other.magnitude_key() {
            (self, other)
        } else {
            (other, self)
        };
        if small.significand == 0 {
            let magnitude = u128::from(large.significand);
            return Self::rounded(large.is_negative, magnitude, large.exponent, 24);
        }
        // One bit for the carry above, 63 bits below for what is shifted out; the lowest collects the rest.
        let aligned = u128::from(small.significand) << 63;
        let distance = large.exponent.abs_diff(small.exponent).min(127);
        let shifted = aligned >> distance;
        let shifted = shifted | u128::from(shifted << distance != aligned);
        let top = u128::from(large.significand) << 63;
        let sum = if large.is_negative == small.is_negative {
            top + shifted
        } else {
            top - shifted
        };
        let is_negative = large.is_negative && sum != 0;
        let exponent = large.exponent - 63;
        Self::rounded(is_negative, sum, exponent, Self::N_ARITHMETIC_BITS)
    }

    /// FSIN: as if pi had 66 bits; an operand of 2^63 and more is left as it is. The operand has 24 bits.
    pub(super) fn sin(self) -> Self {
        match series::Reduced::new(self) {
            Some(reduced) => reduced.sin(),
            None => self,
        }
    }

    /// FCOS, like [`sin`](Self::sin).
    pub(super) fn cos(self) -> Self {
        match series::Reduced::new(self) {
            Some(reduced) => reduced.cos(),
            None if self.is_beyond_trigonometry() => self,
            None => Self::ONE,
        }
    }

    /// 2^63 and more: FSIN and FCOS refuse such operands.
    pub(super) fn is_beyond_trigonometry(self) -> bool {
        self.significand != 0 && self.exponent >= 0
    }

    /// FSTP of 32 bits, for a value of 24 bits.
    pub(super) fn to_f32(self) -> f32 {
        // Exact in f64: what lies outside its exponents is zero or infinite as an f32 either way.
        let exponent = (self.exponent + 40).clamp(-1000, 900);
        let power = f64::from_bits(((exponent + 1023) as u64) << 52);
        let magnitude = (self.significand >> 40) as f64 * power;
        let value = if self.is_negative {
            -magnitude
        } else {
            magnitude
        };
        value as f32
    }

    /// Orders magnitudes; zero is below all others.
    fn magnitude_key(self) -> (bool, i32, u64) {
        (self.significand != 0, self.exponent, self.significand)
    }

    /// `magnitude * 2^exponent`, rounded to nearest even at `n_bits` significant bits.
    fn rounded(is_negative: bool, magnitude: u128, exponent: i32, n_bits: u32) -> Self {
        if magnitude == 0 {
            return Self {
                is_negative,
                exponent: 0,
                significand: 0,
            };
        }
        const HALF: u128 = 1 << 127;
        let shift = magnitude.leading_zeros();
        let magnitude = magnitude << shift;
        let n_dropped = 128 - n_bits;
        let kept = magnitude >> n_dropped;
        let rest = magnitude << n_bits;
        let rounds_up = rest > HALF || (rest == HALF && kept & 1 == 1);
        let kept = kept + u128::from(rounds_up);
        let shift_back = kept.leading_zeros();
        Self {
            is_negative,
            exponent: exponent - shift as i32 + n_dropped as i32 + 64 - shift_back as i32,
            significand: (kept << shift_back >> 64) as u64,
        }
    }
}
