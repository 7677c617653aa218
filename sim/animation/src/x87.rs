//! What the original's floating point unit does, in portable Rust (dossier section 8.2).
//!
//! The control word sets 24-bit significands and rounding to nearest even. Additions, products, quotients
//! and roots of f32 values are then plain f32 operations. Sine, cosine and arctangent ignore that setting: their
//! results have 64 bits and are rounded to 24 by the operation that consumes them. Each function of [`exact`] is
//! therefore such a pair, one rounding at its end, computed in integers.
//!
//! That is slow, so [`arcs`](super::arcs) first evaluates [`polynomial`]s in f64 whose error has a bound. Where
//! all reals within the bound round to one f32, that is the result, whatever the last bits of the f64 were;
//! elsewhere, some once in a hundred thousand, `exact` decides.

pub(super) mod exact;
#[expect(
    clippy::arithmetic_side_effects,
    reason = "hot; exponents and digits of numbers of 80 bits"
)]
mod extended;
#[expect(
    clippy::indexing_slicing,
    reason = "hot; lanes of arrays of one length"
)]
pub(super) mod polynomial;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; as many terms as the series has"
)]
mod series;

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
