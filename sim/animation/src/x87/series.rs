//! Sine and cosine in fixed point, some 120 bits: more than any rounding here can distinguish.

use super::extended::Extended;

/// One, with 126 bits after the point.
const ONE: u128 = 1 << 126;
/// Half of the unit's own pi, which has 66 bits, with 65 bits after the point.
const HALF_PI_66: u128 = 0x3_243F_6A88_85A3_08D3;
/// Terms of the series: the next one is below 2^-126 up to an angle of pi/2.
const N_TERMS: usize = 19;
/// The series of the cosine, `1 - z/(1*2) + z^2/(1*2*3*4) - ...` for the square `z` of an angle: what each term is
/// of the one before.
const COSINE: [u128; N_TERMS] = inverse_products(1);
/// That of sine divided by angle, `1 - z/(2*3) + z^2/(2*3*4*5) - ...`.
const SINE_BY_ANGLE: [u128; N_TERMS] = inverse_products(2);

/// An angle less whole quarter turns: at most an eighth of a turn, either way.
pub(super) struct Reduced {
    is_negative: bool,
    /// Quarter turns, modulo 4.
    quarter: u8,
    /// What is left has the other sign than the angle.
    rest_is_negative: bool,
    /// 65 bits after the point.
    rest: u128,
}

impl Reduced {
    /// `None` where the sine is the angle itself: below 2^-41 and from 2^63 on.
    pub(super) fn new(angle: Extended) -> Option<Self> {
        // An angle has 24 bits; the lowest of them is to have a place in the fixed point number.
        let shift = u32::try_from(angle.exponent + 40 + 65).ok()?;
        if angle.significand == 0 || angle.is_beyond_trigonometry() {
            return None;
        }
        let angle_fixed = u128::from(angle.significand >> 40) << shift;
        let n_quarters = (angle_fixed + HALF_PI_66 / 2) / HALF_PI_66;
        let rest = angle_fixed.wrapping_sub(n_quarters * HALF_PI_66) as i128;
        Some(Self {
            is_negative: angle.is_negative,
            quarter: (n_quarters & 3) as u8,
            rest_is_negative: rest < 0,
            rest: rest.unsigned_abs(),
        })
    }

    pub(super) fn sin(&self) -> Extended {
        let flips = self.is_negative != (self.quarter >= 2);
        if self.quarter.is_multiple_of(2) {
            self.rest_sin(flips != self.rest_is_negative)
        } else {
            self.rest_cos(flips)
        }
    }

    pub(super) fn cos(&self) -> Extended {
        let flips = self.quarter == 1 || self.quarter == 2;
        if self.quarter.is_multiple_of(2) {
            self.rest_cos(flips)
        } else {
            self.rest_sin(flips != self.rest_is_negative)
        }
    }

    fn rest_sin(&self, is_negative: bool) -> Extended {
        let fixed = self.rest << 61;
        let ratio = alternating(multiply(fixed, fixed), &SINE_BY_ANGLE);
        // The ratio of sine to angle is near one, so the product keeps the angle's relative precision.
        let shift = self.rest.leading_zeros() % 128;
        let product = high_half(self.rest << shift, ratio);
        Extended::register(is_negative, product, -63 - shift as i32)
    }

    fn rest_cos(&self, is_negative: bool) -> Extended {
        let fixed = self.rest << 61;
        Extended::register(
            is_negative,
            alternating(multiply(fixed, fixed), &COSINE),
            -126,
        )
    }
}

/// Whether the cosine of an angle in `0.0..pi/2` is above a number in `0.0..1.0`. The angle is exact in f32 or one
/// bit more.
pub(super) fn cosine_is_above(angle: f64, number: f32) -> bool {
    let fixed = |value: f64| (value * ONE as f64) as u128;
    let angle = fixed(angle);
    alternating(multiply(angle, angle), &COSINE) > fixed(f64::from(number))
}

/// An alternating series at the square of an angle.
fn alternating(square: u128, factors: &[u128; N_TERMS]) -> u128 {
    let factors = factors.iter().rev();
    factors.fold(ONE, |sum, factor| {
        ONE - multiply(multiply(square, sum), *factor)
    })
}

/// `1/(k(k+1))`, `1/((k+2)(k+3))`, ...
const fn inverse_products(first: u128) -> [u128; N_TERMS] {
    let mut inverses = [0; N_TERMS];
    let (mut k, mut term) = (first, 0);
    while term < N_TERMS {
        inverses[term] = ONE / (k * (k + 1));
        k += 2;
        term += 1;
    }
    inverses
}

/// Product of two numbers with 126 bits after the point; below 4.
fn multiply(a: u128, b: u128) -> u128 {
    high_half(a, b) << 2
}

/// The upper 128 bits of a product.
fn high_half(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low) = (a >> 64, a & LOW);
    let (b_high, b_low) = (b >> 64, b & LOW);
    let middle = a_high * b_low + ((a_low * b_low) >> 64);
    let middle_low = a_low * b_high + (middle & LOW);
    a_high * b_high + (middle >> 64) + (middle_low >> 64)
}
