//! Sine, cosine and arccosine with the operation that consumes them, in integers: right for every operand.

use super::extended::Extended;
use super::series;
use std::f64::consts::FRAC_PI_2;

/// Arccosine of `0.0..1.0`, correctly rounded.
pub fn acos(cosine: f32) -> f32 {
    let near = libm::acos(f64::from(cosine)) as f32;
    let (below, above) = (near.next_down(), near.next_up());
    let middle = |other: f32| (f64::from(near) + f64::from(other)) / 2.0;
    // Cosine falls where arccosine is, so the exact angle lies above a middle if its cosine is smaller.
    if !series::cosine_is_above(middle(below), cosine) {
        below
    } else if middle(above) < FRAC_PI_2 && series::cosine_is_above(middle(above), cosine) {
        above
    } else {
        near
    }
}

/// `1 / sin(angle)`.
pub fn inverse_sin(angle: f32) -> f32 {
    Extended::from(angle).sin().reciprocal_24().to_f32()
}

/// `sin(a * angle) * factor`; NaN unless `a` is finite.
pub fn sin_times(a: f32, angle: f32, factor: f32) -> f32 {
    if !a.is_finite() {
        return f32::NAN;
    }
    let angle = Extended::from(a).times_24(Extended::from(angle));
    angle.sin().times_24(Extended::from(factor)).to_f32()
}

/// `cos(a * angle) - term`; NaN unless `a` is finite, whatever the term.
pub fn cos_minus(a: f32, angle: f32, term: f32) -> f32 {
    if !a.is_finite() {
        return f32::NAN;
    }
    if !term.is_finite() {
        return -term;
    }
    let angle = Extended::from(a).times_24(Extended::from(angle));
    angle.cos().minus_24(Extended::from(term)).to_f32()
}
