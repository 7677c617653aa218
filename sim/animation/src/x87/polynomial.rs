//! First values in f64, and how far they may be off.
//!
//! The coefficients are those of the polynomials through the Chebyshev nodes of the range, rounded to f64. The
//! bounds hold for every f32 in it, which tests check one at a time, with room for the operations that follow.

use std::array::from_fn;

/// Relative error of [`sin_cos`]'s sine times an f32.
pub const SIN_ERROR: f64 = 1.0 / (1_u64 << 49) as f64;
/// Absolute error of its cosine.
pub const COS_ERROR: f64 = 1.0 / (1_u64 << 47) as f64;
/// Relative error of [`acos_and_sine`]'s arccosine.
pub const ACOS_ERROR: f64 = 1.0 / (1_u64 << 45) as f64;
/// Relative error of an inverse sine that is made from both.
pub const SCALE_ERROR: f64 = 1.0 / (1_u64 << 45) as f64;

/// Error of a cosine less an f32, which far from the ends of an arc may be larger than the cosine.
#[inline]
pub fn cos_difference_error(difference: f64) -> f64 {
    (1.0 + difference.abs()) * COS_ERROR
}

/// Sine divided by the angle, by powers of the angle's square in `0.0..1.6^2`.
const SIN_BY_ANGLE: [f64; 8] = [
    0.9999999999999999,
    -0.166666666666659,
    0.00833333333327031,
    -0.00019841269821563803,
    2.7557316196951203e-6,
    -2.5051855725591112e-8,
    1.6047346685219307e-10,
    -7.364331601251411e-13,
];

/// Cosine, by the same powers.
const COS: [f64; 8] = [
    0.9999999999999974,
    -0.4999999999998699,
    0.04166666666559901,
    -0.001388888885550302,
    2.480158217260709e-5,
    -2.755689103752547e-7,
    2.085692697176502e-9,
    -1.0990931883159662e-11,
];

/// Arccosine divided by the sine of it, by powers of the cosine in `0.0..1.0`.
const ACOS_BY_SINE: [f64; 18] = [
    1.5707963267948852,
    -0.9999999999926265,
    0.7853981625976229,
    -0.6666666320724917,
    0.5890478281593086,
    -0.5333221493525683,
    0.4907686702653815,
    -0.4564438863323231,
    0.4261015600144312,
    -0.39374714425754975,
    0.35058737615340607,
    -0.2884869604061464,
    0.20823404646036894,
    -0.12448643281518097,
    0.057855853118530226,
    -0.019304093122532152,
    0.004073073462242428,
    -0.00040559867476415066,
];

/// Sines and cosines of angles in `-1.6..1.6`.
#[inline]
pub fn sin_cos<const N: usize>(angle: [f64; N]) -> [[f64; N]; 2] {
    let square = angle.map(|angle| angle * angle);
    let ratio = evaluate(&SIN_BY_ANGLE, square);
    [from_fn(|i| ratio[i] * angle[i]), evaluate(&COS, square)]
}

/// Arccosines of f32 values in `0.0..1.0`, and the sines of them.
#[inline]
pub fn acos_and_sine<const N: usize>(cosine: [f64; N]) -> [[f64; N]; 2] {
    let sine = cosine.map(|cosine| ((1.0 - cosine) * (1.0 + cosine)).sqrt());
    let ratio = evaluate(&ACOS_BY_SINE, cosine);
    [from_fn(|i| ratio[i] * sine[i]), sine]
}

/// Horner's scheme, all lanes step by step.
#[inline]
fn evaluate<const N: usize, const TERMS: usize>(
    coefficients: &[f64; TERMS],
    x: [f64; N],
) -> [f64; N] {
    let (last, others) = coefficients.split_last().expect("a term");
    others.iter().rev().fold([*last; N], |sum, coefficient| {
        from_fn(|i| sum[i] * x[i] + coefficient)
    })
}
