use super::{
    Arcs, CHORD_LIMIT, PLAIN_ANGLES, angles_and_scales, exact, exact_circle_weights, polynomial,
};
use crate::tests::random::Random;
use rayon::prelude::*;

/// What the f64 operations after a polynomial and the error of `libm`, below 2^-52, take of a bound.
const ROOM: f64 = 1.0 / (1_u64 << 51) as f64;

#[test]
fn polynomials_keep_their_bounds_on_a_sample() {
    assert_polynomials(1009);
}

#[test]
#[ignore = "long: every angle that the polynomials serve"]
fn polynomials_keep_their_bounds_for_all_angles() {
    assert_polynomials(1);
}

/// Against `libm`, at each `step`th f32.
fn assert_polynomials(step: usize) {
    let range = PLAIN_ANGLES.start.to_bits()..PLAIN_ANGLES.end.to_bits();
    let errors = range.into_par_iter().step_by(step).map(|bits| {
        let angle = f64::from(f32::from_bits(bits));
        let [[sin], [cos]] = polynomial::sin_cos([angle]);
        let (right_sin, right_cos) = libm::sincos(angle);
        [(sin / right_sin - 1.0).abs(), (cos - right_cos).abs()]
    });
    let largest = |a: [f64; 2], b: [f64; 2]| std::array::from_fn(|i| f64::max(a[i], b[i]));
    let [sin, cos] = errors.reduce(|| [0.0; 2], largest);
    assert!(sin < polynomial::SIN_ERROR - ROOM, "sine: 2^{}", sin.log2());
    assert!(
        cos < polynomial::COS_ERROR - ROOM,
        "cosine: 2^{}",
        cos.log2()
    );
}

#[test]
fn arcs_are_correctly_rounded_on_a_sample() {
    assert_arcs(2003);
}

#[test]
#[ignore = "long: every cosine from 2^-26 on"]
fn arcs_are_correctly_rounded_for_all_cosines() {
    assert_arcs(1);
}

fn assert_arcs(step: usize) {
    const SMALLEST: f32 = 1.0 / (1 << 26) as f32;
    let range = SMALLEST.to_bits()..(1.0 - CHORD_LIMIT).to_bits();
    let wrong = range.into_par_iter().step_by(step).find_any(|bits| {
        let cosine = f32::from_bits(*bits);
        let ([angle], [scale]) = angles_and_scales([cosine]);
        let right_angle = rounded_beyond_doubt(libm::acos(f64::from(cosine)));
        let right_scale = rounded_beyond_doubt(1.0 / libm::sin(f64::from(angle)));
        angle != right_angle.unwrap_or_else(|| exact::acos(cosine))
            || scale != right_scale.unwrap_or_else(|| exact::inverse_sin(angle))
    });
    assert_eq!(wrong.map(f32::from_bits), None);
}

/// What `libm` says, unless a number with another f32 is as near as its error.
fn rounded_beyond_doubt(value: f64) -> Option<f32> {
    let (below, above) = ((value * (1.0 - ROOM)) as f32, (value * (1.0 + ROOM)) as f32);
    (below == above).then_some(below)
}

#[test]
fn fast_weights_are_the_exact_ones_on_a_sample() {
    assert_eq!(compare_with_exact(1, 100_000, 4).n_different, 0);
}

#[test]
#[ignore = "long: 10 million random weights and a million hard ones"]
fn fast_weights_are_the_exact_ones_for_ten_millions() {
    let seeds = (1..=100_u64).into_par_iter();
    let comparisons: Vec<_> = seeds
        .map(|seed| compare_with_exact(seed, 100_000, 200))
        .collect();
    let sum = |count: fn(&Comparison) -> u64| comparisons.iter().map(count).sum::<u64>();
    assert_eq!(sum(|c| c.n_different), 0, "of {}", sum(|c| c.n_compared));
    assert!(sum(|c| c.n_compared) > 11_000_000);
    // The hard ones are hard: there the f64 values decide nothing.
    assert!(sum(|c| c.n_in_doubt) > 100_000);
}

#[derive(Default)]
struct Comparison {
    n_compared: u64,
    n_different: u64,
    n_in_doubt: u64,
}

impl Comparison {
    fn add(&mut self, a: f32, cosine: f32, angle: f32, scale: f32) {
        let arcs = Arcs {
            cosine: [cosine],
            angle: [angle],
            scale: [scale],
        };
        let [fast] = arcs.weights([a]);
        let exact = exact_circle_weights(a, cosine, angle, scale);
        self.n_compared += 1;
        self.n_different += u64::from(fast.map(f32::to_bits) != exact.map(f32::to_bits));
        let [[sin], [cos]] = polynomial::sin_cos([f64::from(a * angle)]);
        let far = sin * f64::from(scale);
        let near = cos - f64::from(fast[1] * cosine);
        let is_in_doubt = |value: f64, error: f64| (value - error) as f32 != (value + error) as f32;
        self.n_in_doubt += u64::from(
            is_in_doubt(far, far * polynomial::SIN_ERROR)
                || is_in_doubt(near, polynomial::cos_difference_error(near)),
        );
    }
}

/// Random arcs at all places, beyond their ends, and near the second, where the first weight cancels; then
/// products that are next to the middle of two f32.
fn compare_with_exact(seed: u64, n_random: u32, n_hard_angles: u32) -> Comparison {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut comparison = Comparison::default();
    for i in 0..n_random {
        let cosine = 0.9999 - random.unit() * 0.9999 / (1 << (i % 7)) as f32;
        let ([angle], [scale]) = angles_and_scales([cosine]);
        let distance = random.unit() / (1 << (i % 20)) as f32;
        let a = match i % 3 {
            0 => distance,
            1 => 1.0 - distance,
            _ => (random.unit() - 0.5) * 300.0 * distance,
        };
        comparison.add(a, cosine, angle, scale);
    }
    for _ in 0..n_hard_angles {
        let angle = random.unit() * 1.5 + 1e-6;
        for factor in hard_factors(f64::from(angle).sin()) {
            // Of the size that scales have, and a first weight of any size.
            let scale = factor / (1 << (20 + random.next() % 4)) as f32;
            comparison.add(1.0, random.unit(), angle, scale);
        }
    }
    comparison
}

/// Whole numbers of 24 bits whose product with `value` is next to the middle of two f32, or to one of them.
///
/// A number is a large step and a small one; for each large step the small one is looked up that leads closest
/// to a half. Of all pairs some 50 come as close as is needed here.
fn hard_factors(value: f64) -> Vec<f32> {
    const CLOSE: f64 = 1.0 / (1 << 18) as f64;
    const N_SMALL: u32 = 1 << 12;
    let exponent = value.log2().floor();
    let unit = value / exponent.exp2();
    let mut small: Vec<_> = (0..N_SMALL)
        .map(|j| ((unit * f64::from(j)).fract(), j))
        .collect();
    small.sort_by(|a, b| a.0.total_cmp(&b.0));
    let large = (1 << 23..1 << 24_u32).step_by(N_SMALL as usize);
    let factors = large.flat_map(|large| {
        let wanted = (1.5 - (unit * f64::from(large)).fract()).fract();
        let above = small.partition_point(|(fraction, _)| *fraction < wanted);
        let neighbors = &small[above.saturating_sub(1)..small.len().min(above + 1)];
        let close = neighbors
            .iter()
            .filter(move |(fraction, _)| (fraction - wanted).abs() < CLOSE);
        close.map(move |(_, j)| (large + j) as f32)
    });
    factors.collect()
}

#[test]
fn a_lane_returns_what_it_returns_alone() {
    let mut random = Random(21);
    let specials = [
        0.0,
        -0.0,
        1.0,
        -3.5,
        1e-7,
        5e18,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    for round in 0..10_000 {
        // Chords, broken ones and circles beside each other.
        let cosine: [f32; 8] = std::array::from_fn(|_| match random.next() % 8 {
            0 => 1.0 - random.unit() * 1e-5,
            1 => f32::NAN,
            _ => random.unit(),
        });
        let a = std::array::from_fn(|lane| match random.next() % 8 {
            0 => specials[(round + lane) % specials.len()],
            _ => random.unit(),
        });
        let together = Arcs::new(cosine).weights(a);
        let singles = cosine.map(|cosine| Arcs::new([cosine]));
        let joined = Arcs::join(singles.each_ref()).weights(a);
        for lane in 0..8 {
            let [alone] = singles[lane].weights([a[lane]]);
            let bits = |weights: [f32; 2]| {
                weights.map(|w| if w.is_nan() { 0x7FC0_0000 } else { w.to_bits() })
            };
            let about = format!("{} at {}", cosine[lane], a[lane]);
            assert_eq!(bits(together[lane]), bits(alone), "{about}");
            assert_eq!(bits(joined[lane]), bits(alone), "{about}");
        }
    }
}
