//! What the original's floating point unit does, in portable Rust (dossier section 8.2).
//!
//! The control word asks for 24-bit significands and rounding to nearest even. Additions, products, quotients
//! and roots of f32 values are then plain f32 operations. Sine, cosine and arctangent ignore that setting: their
//! results have 64 bits and are rounded to 24 by the operation that consumes them. Each function here is
//! therefore such a pair, one rounding at its end.
//!
//! `libm` in f64 gives a first value and a bound on its error. Where all reals within the bound round to one
//! f32, that is the answer, whatever the last bits of the f64 were; elsewhere [`Extended`] computes in integers.

mod extended;
mod series;

use self::extended::Extended;

/// Relative error of an f64 evaluation here, generously: `libm` stays below 2^-52, and one operation follows.
const RELATIVE_ERROR: f64 = 1.0 / (1_u64 << 49) as f64;
/// Angles that the f64 evaluation serves. Above, the 66-bit pi of the unit shows; below, exact ties do.
const PLAIN_ANGLES: std::ops::Range<f32> = 9.5e-7..1.6;

/// The frame that a time belongs to: `t - 0.5`, stored by FISTP as 64 bits, of which the low 32 count.
///
/// NaN and values beyond 64 bits store the integer indefinite, whose low half is 0.
pub fn frame_number(t: f32) -> u32 {
    const LIMIT: f32 = (1_u64 << 63) as f32;
    let x = t - 0.5;
    let stored = if (-LIMIT..LIMIT).contains(&x) {
        x.round_ties_even() as i64
    } else {
        i64::MIN
    };
    stored as u64 as u32
}

/// Arccosine of `0.0..1.0`, correctly rounded.
///
/// The dossier takes it as good to 64 bits before it is stored (section 8.4, Q-K2).
pub fn acos(cosine: f32) -> f32 {
    let angle = libm::acos(f64::from(cosine));
    let error = angle.abs() * RELATIVE_ERROR;
    settle(angle, error).unwrap_or_else(|| {
        let (below, above) = ((angle - error) as f32, (angle + error) as f32);
        let middle = (f64::from(below) + f64::from(above)) / 2.0;
        // Cosine falls where arccosine is, so the exact angle lies above the middle if its cosine is smaller.
        if series::cosine_is_above(middle, cosine) {
            above
        } else {
            below
        }
    })
}

/// `1 / sin(angle)`.
pub fn inverse_sin(angle: f32) -> f32 {
    plain(angle)
        .and_then(|angle| {
            let value = 1.0 / libm::sin(angle);
            settle(value, value.abs() * RELATIVE_ERROR)
        })
        .unwrap_or_else(|| Extended::from(angle).sin().reciprocal_24().to_f32())
}

/// `sin(a * angle) * factor`; NaN unless `a` is finite.
pub fn sin_times(a: f32, angle: f32, factor: f32) -> f32 {
    if !a.is_finite() {
        return f32::NAN;
    }
    plain(a * angle)
        .and_then(|angle| {
            let value = libm::sin(angle) * f64::from(factor);
            settle(value, value.abs() * RELATIVE_ERROR)
        })
        .unwrap_or_else(|| {
            let angle = Extended::from(a).times_24(Extended::from(angle));
            angle.sin().times_24(Extended::from(factor)).to_f32()
        })
}

/// `cos(a * angle) - term`; NaN unless `a` is finite, whatever the term.
pub fn cos_minus(a: f32, angle: f32, term: f32) -> f32 {
    if !a.is_finite() {
        return f32::NAN;
    }
    if !term.is_finite() {
        return -term;
    }
    plain(a * angle)
        .and_then(|angle| {
            let value = libm::cos(angle) - f64::from(term);
            // The cosine is at most 1; the difference may be far smaller than the cosine's error asks.
            settle(value, (1.0 + value.abs()) * RELATIVE_ERROR)
        })
        .unwrap_or_else(|| {
            let angle = Extended::from(a).times_24(Extended::from(angle));
            angle.cos().minus_24(Extended::from(term)).to_f32()
        })
}

/// An angle that the f64 evaluation serves.
fn plain(angle: f32) -> Option<f64> {
    PLAIN_ANGLES
        .contains(&angle.abs())
        .then_some(f64::from(angle))
}

/// The f32 that every real within `error` of `value` rounds to, if there is one and it is normal.
fn settle(value: f64, error: f64) -> Option<f32> {
    let (below, above) = ((value - error) as f32, (value + error) as f32);
    (below.is_normal() && below == above).then_some(below)
}
