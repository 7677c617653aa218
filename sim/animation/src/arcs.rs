//! Weights of two rotations for interpolation from one to the other, for several pairs at a time (dossier section 8.4).
//!
//! Each step is done for all `N` lanes before the next, which compilers turn into vector code. A lane gives,
//! bit for bit, what it gives alone: the operations of the dossier in its order, and what needs sine, cosine
//! and arccosine as [`x87`](super::x87) says.

#[cfg(test)]
mod tests;

use super::x87::{exact, polynomial};
use std::array::from_fn;
use std::ops::Range;

/// 9.9999997e-6: the chord takes the place of a circle whose cosine is no further from one.
const CHORD_LIMIT: f32 = f32::from_bits(0x3727_C5AC);
/// Parts of an arc that [`polynomial::sin_cos`] serves. Above, the 66-bit pi of the unit shows; below, exact ties.
const PLAIN_ANGLES: Range<f32> = 9.5e-7..1.6;

/// The arcs between `N` pairs of rotations. They depend on the pairs alone, so keys keep theirs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arcs<const N: usize> {
    /// Of the angle between both.
    cosine: [f32; N],
    /// Radians; 0 where both are so close that the chord takes the place of the arc.
    angle: [f32; N],
    /// `1 / sin(angle)`.
    scale: [f32; N],
}

/// What both rotations weigh in a mix.
pub(super) type Weights = [f32; 2];

impl<const N: usize> Arcs<N> {
    /// Pairs that are close.
    pub(super) const CHORDS: Self = Self {
        cosine: [0.0; N],
        angle: [0.0; N],
        scale: [0.0; N],
    };

    /// Arcs between quaternions whose dot products are these, at least 0.
    #[inline]
    pub(super) fn new(cosine: [f32; N]) -> Self {
        // False for NaN, which the original's compare takes for below.
        let is_apart = cosine.map(|cosine| 1.0 - cosine > CHORD_LIMIT);
        let cosine = from_fn(|i| if is_apart[i] { cosine[i] } else { 0.0 });
        let (angle, scale) = angles_and_scales(cosine);
        Self {
            cosine,
            angle: from_fn(|i| if is_apart[i] { angle[i] } else { 0.0 }),
            scale,
        }
    }

    /// Each in a lane of its own.
    #[inline]
    pub(super) fn join(arcs: [&Arcs<1>; N]) -> Self {
        Self {
            cosine: arcs.map(|arc| arc.cosine[0]),
            angle: arcs.map(|arc| arc.angle[0]),
            scale: arcs.map(|arc| arc.scale[0]),
        }
    }

    /// Weights at the fraction `a`: on a circle `w1 = sin(a * angle) * scale` and `w0 = cos(a * angle) - w1 * cosine`.
    #[inline]
    pub(super) fn weights(&self, a: [f32; N]) -> [Weights; N] {
        let part: [f32; N] = from_fn(|i| a[i] * self.angle[i]);
        let [sin, cos] = polynomial::sin_cos(part.map(f64::from));
        let far: [f64; N] = from_fn(|i| sin[i] * f64::from(self.scale[i]));
        let w1 = Rounded::new(far, far.map(|far| far * polynomial::SIN_ERROR));
        let near: [f64; N] = from_fn(|i| cos[i] - f64::from(w1.value[i] * self.cosine[i]));
        let w0 = Rounded::new(near, near.map(polynomial::cos_difference_error));

        let is_chord = self.angle.map(|angle| angle == 0.0);
        let in_doubt: [u32; N] = from_fn(|i| {
            let is_plain = PLAIN_ANGLES.contains(&part[i].abs());
            let in_doubt = w0.doubt[i] | w1.doubt[i] | u32::from(!is_plain);
            if is_chord[i] { 0 } else { in_doubt }
        });
        let w0: [f32; N] = from_fn(|i| if is_chord[i] { 1.0 - a[i] } else { w0.value[i] });
        let w1: [f32; N] = from_fn(|i| if is_chord[i] { a[i] } else { w1.value[i] });
        let mut weights = from_fn(|i| [w0[i], w1[i]]);
        for lane in lanes_in(in_doubt) {
            let (cosine, angle) = (self.cosine[lane], self.angle[lane]);
            weights[lane] = exact_circle_weights(a[lane], cosine, angle, self.scale[lane]);
        }
        weights
    }
}

/// Arccosines of `0.0..1.0`, correctly rounded, and the inverse sines of them.
///
/// The dossier takes the arccosine as good to 64 bits before it is stored (section 8.4, Q-K2).
#[inline]
pub(super) fn angles_and_scales<const N: usize>(cosine: [f32; N]) -> ([f32; N], [f32; N]) {
    let wide = cosine.map(f64::from);
    let [estimate, sine] = polynomial::acos_and_sine(wide);
    let angle = Rounded::new(estimate, estimate.map(|v| v * polynomial::ACOS_ERROR));
    let scale: [f64; N] = from_fn(|i| {
        // The sine of the rounded angle, which is less than 2^-23 away from the estimate.
        let step = f64::from(angle.value[i]) - estimate[i];
        1.0 / (sine[i] + step * (wide[i] - 0.5 * step * sine[i]))
    });
    let scale = Rounded::new(scale, scale.map(|v| v * polynomial::SCALE_ERROR));
    let in_doubt: [u32; N] = from_fn(|i| angle.doubt[i] | scale.doubt[i]);
    let (mut angle, mut scale) = (angle.value, scale.value);
    for lane in lanes_in(in_doubt) {
        angle[lane] = exact::acos(cosine[lane]);
        scale[lane] = exact::inverse_sin(angle[lane]);
    }
    (angle, scale)
}

/// The weights of a circle, whatever the numbers are.
#[cold]
#[inline(never)]
fn exact_circle_weights(a: f32, cosine: f32, angle: f32, scale: f32) -> Weights {
    let w1 = exact::sin_times(a, angle, scale);
    [exact::cos_minus(a, angle, w1 * cosine), w1]
}

/// Numbers that are known up to an error, rounded.
struct Rounded<const N: usize> {
    value: [f32; N],
    /// 0 where every real within the error rounds to the value.
    doubt: [u32; N],
}

impl<const N: usize> Rounded<N> {
    /// The errors must be well above the smallest normal f32, so that no value without doubt is below it.
    #[inline]
    fn new(value: [f64; N], error: [f64; N]) -> Self {
        let below: [f32; N] = from_fn(|i| (value[i] - error[i]) as f32);
        let above: [f32; N] = from_fn(|i| (value[i] + error[i]) as f32);
        Self {
            value: below,
            doubt: from_fn(|i| below[i].to_bits() ^ above[i].to_bits()),
        }
    }
}

/// The lanes whose word is not 0, of which there mostly are none: one test for all comes first.
#[inline]
fn lanes_in<const N: usize>(words: [u32; N]) -> impl Iterator<Item = usize> {
    let any = words.iter().fold(0, |any, word| any | word);
    let n_lanes = if any == 0 { 0 } else { N };
    (0..n_lanes).filter(move |lane| words[*lane] != 0)
}
