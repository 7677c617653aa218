//! Bit for bit against the real x87 unit. A NaN equals a NaN.

use super::random::Random;
use crate::arcs::{Arcs, angles_and_scales};
use crate::blend::{dot, interpolate};
use crate::sampler::lerp;
use crate::{unit, x87};
use rayon::prelude::*;

/// Times that the unit takes in one go.
const BATCH: u32 = 4096;

#[test]
fn frame_numbers_are_those_of_the_unit_on_a_sample() {
    // A step that is odd and no multiple of anything: 1.3 million times of all sizes.
    let sample = (0..=u32::MAX).step_by(3301);
    // All around the ties of small frames, where the rounding shows.
    let ties = (-4..200_i32).flat_map(|half| {
        let bits = (half as f32 * 0.5).to_bits();
        bits.wrapping_sub(3)..=bits.saturating_add(3)
    });
    assert_eq!(n_different_frames(sample.chain(ties)), 0);
}

#[test]
#[ignore = "long: all 2^32 times"]
fn frame_numbers_are_those_of_the_unit_for_all_times() {
    let batches = (0..=u32::MAX / BATCH).into_par_iter();
    let n_different = batches.map(|batch| {
        let first = batch * BATCH;
        n_different_frames(first..=first + (BATCH - 1))
    });
    assert_eq!(n_different.sum::<u64>(), 0);
}

#[test]
fn interpolations_are_those_of_the_unit_on_a_sample() {
    assert_eq!(compare_interpolations(100_000), Differences::default());
}

#[test]
#[ignore = "long: 10 million interpolations"]
fn interpolations_are_those_of_the_unit_for_ten_millions() {
    assert_eq!(compare_interpolations(10_000_000), Differences::default());
}

fn n_different_frames(times: impl Iterator<Item = u32>) -> u64 {
    let times: Vec<f32> = times.map(f32::from_bits).collect();
    let frames = unit::stored_frames(&times);
    let pairs = times.iter().zip(&frames);
    let is_different = |(t, frame): &(&f32, &i64)| x87::frame_number(**t) != **frame as u32;
    pairs.filter(is_different).count() as u64
}

/// Results that differ from those of the unit, and their bits that do.
#[derive(Debug, Default, PartialEq, Eq)]
struct Differences {
    n_results: u64,
    n_bits: u64,
}

impl Differences {
    fn add(&mut self, ours: f32, theirs: f32) {
        if ours.is_nan() && theirs.is_nan() {
            return;
        }
        let n_bits = (ours.to_bits() ^ theirs.to_bits()).count_ones();
        self.n_results += u64::from(n_bits != 0);
        self.n_bits += u64::from(n_bits);
    }
}

/// Samples between random keys: quotient, position and rotation.
fn compare_interpolations(n: u32) -> Differences {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let mut differences = Differences::default();
    for _ in 0..n {
        let (from, to) = (random.rotation(), random.rotation());
        // Half of the pairs are neighbors, as keys of a clip are.
        let near = std::array::from_fn(|i| from[i] + (to[i] - from[i]) * 0.05);
        let to = if random.next() & 1 == 0 { to } else { near };
        let from_time = (random.next() % 1000) as f32;
        let to_time = from_time + 1.0 + (random.next() % 60) as f32;
        let t = from_time + (to_time - from_time) * random.unit();
        let a = (t - from_time) / (to_time - from_time);
        differences.add(a, unit::quotient(t, from_time, to_time));

        let (p, q) = (random.unit() * 200.0 - 100.0, random.unit() * 200.0 - 100.0);
        differences.add(lerp([p; 3], [q - p; 3], a)[0], unit::lerp(p, q, a));

        let theirs = interpolate_by_unit(from, to, a);
        for (ours, theirs) in interpolate(from, to, a).into_iter().zip(theirs) {
            differences.add(ours, theirs);
        }
    }
    differences
}

fn interpolate_by_unit(from: [f32; 4], to: [f32; 4], a: f32) -> [f32; 4] {
    let cosine = unit::dot(from, to);
    let (w0, w1) = match cosine.abs() {
        // One subtraction each, which `quotient` has shown to be the unit's.
        near if 1.0 - near <= f32::from_bits(0x3727_C5AC) => (1.0 - a, a),
        apart => unit::circle_weights(apart, a),
    };
    let w1 = if cosine < 0.0 { -w1 } else { w1 };
    std::array::from_fn(|i| unit::mix(w0, from[i], w1, to[i]))
}

/// Times far outside the keys, which `Compat::Exact` follows: the reduction by the unit's 66-bit pi, angles too
/// large for it, and angles too small to bend.
#[test]
fn extrapolations_are_those_of_the_unit() {
    let mut random = Random(77);
    let mut differences = Differences::default();
    for _ in 0..200_000 {
        let cosine = random.unit() * 0.9999;
        // Any sign, any size of a normal number up to 2^100, where no weight overflows.
        let exponent = 27 + random.next() % 200;
        let bits = (random.next() & 0x807F_FFFF) | (exponent << 23);
        let a = f32::from_bits(bits);
        add_weights(&mut differences, cosine, a);
    }
    for a in [
        0.0,
        -0.0,
        1.0,
        -1.0,
        5e-11,
        2_147_483_648.0,
        5e18,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ] {
        for cosine in [0.0, 1e-30, 1e-7, 0.5, 0.707_106_77, 0.999_98] {
            add_weights(&mut differences, cosine, a);
        }
    }
    assert_eq!(differences, Differences::default());
}

fn add_weights(differences: &mut Differences, cosine: f32, a: f32) {
    let [[w0, w1]] = Arcs::new([cosine]).weights([a]);
    let (unit_w0, unit_w1) = unit::circle_weights(cosine, a);
    differences.add(w0, unit_w0);
    differences.add(w1, unit_w1);
}

/// What the choice of section 8.4 is worth: how often the stored angle differs from one that a library computes
/// without widening the precision. It is a difference of the models, so it must show.
#[test]
fn an_arccosine_with_24_bit_steps_would_show() {
    let mut random = Random(5);
    let n = 100_000;
    let is_different = |_: &u32| {
        let cosine = random.unit() * 0.9999;
        let ([angle], _) = angles_and_scales([cosine]);
        angle != unit::acos_under_engine_word(cosine)
    };
    let n_different = (0..n).filter(is_different).count();
    assert!(n_different > 1000, "{n_different} of {n}");
}

#[test]
fn dot_products_are_those_of_the_unit() {
    let mut random = Random(9);
    let mut differences = Differences::default();
    for _ in 0..100_000 {
        let (a, b) = (random.rotation(), random.rotation());
        differences.add(dot(a, b), unit::dot(a, b));
    }
    assert_eq!(differences, Differences::default());
}
