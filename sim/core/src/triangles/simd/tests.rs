//! Every operation of every instruction set that this processor has, against plain arrays.

use super::*;
use std::array::from_fn;

type Numbers = [f32; N_LANES];

/// Common, tiny, huge, signed zero, infinite; no NaN.
const VALUES: [f32; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    3.25,
    1e-3,
    -7e5,
    1.0e-40,
    -1.0e-45,
    f32::MIN_POSITIVE,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
];

/// Each value beside each other one, as two operands.
fn pairs() -> impl Iterator<Item = [Numbers; 2]> {
    (0..VALUES.len()).map(|shift| {
        let value = |i: usize| VALUES[i % VALUES.len()];
        [from_fn(value), from_fn(|i| value(i + shift))]
    })
}

fn available() -> impl Iterator<Item = SimdLevel> {
    let all = SimdLevel::ALL.into_iter();
    all.filter(|level| level.is_available())
}

/// What lanes make of two operands.
#[derive(Debug)]
struct Results {
    sum: Numbers,
    difference: Numbers,
    product: Numbers,
    /// a * b + a and a * b - a.
    product_and_a: Numbers,
    product_less_a: Numbers,
    least: Numbers,
    most: Numbers,
    below: LaneMask,
    at_most: LaneMask,
    picked: Numbers,
    same: Numbers,
}

struct AllOperations {
    a: Numbers,
    b: Numbers,
    bytes: [u8; N_LANES],
}

impl Kernel for AllOperations {
    type Output = Results;

    #[inline(always)]
    fn run<L: SimdVector>(self) -> Results {
        let Self { a, b, bytes } = self;
        let [places, ..] = L::places(&bytes.map(PackedCorners::from));
        let (a, b) = (L::load(&a), L::load(&b));
        Results {
            sum: a.add(b).store(),
            difference: a.sub(b).store(),
            product: a.mul(b).store(),
            product_and_a: a.mul_add(b, a).store(),
            product_less_a: a.mul_sub(b, a).store(),
            least: a.min(b).store(),
            most: a.max(b).store(),
            below: a.is_below(b),
            at_most: a.is_at_most(b),
            picked: a.pick(places).store(),
            same: L::splat(b.store()[3]).store(),
        }
    }
}

/// Equal to the bit, but for which NaN it is.
#[track_caller]
fn assert_bits(lanes: Numbers, plain: Numbers, what: &str) {
    for (lane, (lanes, plain)) in lanes.into_iter().zip(plain).enumerate() {
        let is_same = lanes.to_bits() == plain.to_bits() || lanes.is_nan() && plain.is_nan();
        assert!(is_same, "{what}, lane {lane}: {lanes}, not {plain}");
    }
}

#[test]
fn every_operation_does_to_each_lane_what_plain_numbers_do() {
    for (turn, [a, b]) in pairs().enumerate() {
        // All bytes, high and low ones in turn, so that both halves of a register are picked from in every lane.
        let bytes: [u8; N_LANES] = from_fn(|i| (i * 37 + turn * 91) as u8);
        for set in available() {
            let results = set.run(AllOperations { a, b, bytes });
            let what = |operation: &str| format!("{set:?}, {operation}, {a:?} {b:?}");
            assert_bits(results.sum, from_fn(|i| a[i] + b[i]), &what("add"));
            assert_bits(results.difference, from_fn(|i| a[i] - b[i]), &what("sub"));
            assert_bits(results.product, from_fn(|i| a[i] * b[i]), &what("mul"));
            let is_fused = !matches!(set, SimdLevel::Portable | SimdLevel::Simd128);
            let product_and = |i: usize, addend: f32| match is_fused {
                true => a[i].mul_add(b[i], addend),
                false => a[i] * b[i] + addend,
            };
            let product_and_a = from_fn(|i| product_and(i, a[i]));
            assert_bits(results.product_and_a, product_and_a, &what("mul_add"));
            let product_less_a = from_fn(|i| product_and(i, -a[i]));
            assert_bits(results.product_less_a, product_less_a, &what("mul_sub"));
            let least = from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] });
            assert_bits(results.least, least, &what("min"));
            let most = from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] });
            assert_bits(results.most, most, &what("max"));
            let picked = bytes.map(|byte| a[usize::from(byte) % N_LANES]);
            assert_bits(results.picked, picked, &what("pick"));
            assert_bits(results.same, [b[3]; N_LANES], &what("splat"));
            for lane in 0..N_LANES {
                let is_below = results.below >> lane & 1 != 0;
                assert_eq!(is_below, a[lane] < b[lane], "{}", what("is_below"));
                let is_at_most = results.at_most >> lane & 1 != 0;
                assert_eq!(is_at_most, a[lane] <= b[lane], "{}", what("is_at_most"));
            }
        }
    }
}

#[test]
fn every_place_can_be_picked_into_every_lane() {
    let a: Numbers = from_fn(|i| i as f32 + 0.5);
    for set in available() {
        for place in 0..N_LANES {
            let bytes = [place as u8; N_LANES];
            let results = set.run(AllOperations { a, b: a, bytes });
            assert_bits(results.picked, [a[place]; N_LANES], &format!("{set:?}"));
        }
    }
}

#[test]
fn nan_is_below_nothing_and_loses_or_wins_as_the_second_operand() {
    for set in available() {
        for lane in 0..N_LANES {
            let (mut with_nan, number) = ([2.0; N_LANES], [1.0; N_LANES]);
            with_nan[lane] = f32::NAN;
            for (a, b, at_lane) in [(with_nan, number, 1.0), (number, with_nan, f32::NAN)] {
                let bytes = [0; N_LANES];
                let results = set.run(AllOperations { a, b, bytes });
                assert_eq!(results.below >> lane & 1, 0, "{set:?}");
                assert_eq!(results.at_most >> lane & 1, 1, "{set:?}");
                // The second operand, at all levels alike: results may depend on it.
                let at = |numbers: Numbers| numbers[lane].to_bits();
                let expected = f32::to_bits(at_lane);
                let is_nan = at_lane.is_nan();
                for found in [at(results.least), at(results.most)] {
                    assert!(
                        found == expected || is_nan && f32::from_bits(found).is_nan(),
                        "{set:?}"
                    );
                }
                let other = (lane + 1) % N_LANES;
                assert_eq!(results.least[other], 1.0);
                assert_eq!(results.most[other], 2.0);
            }
        }
    }
}

struct Compress<'a> {
    values: &'a [u32; N_LANES],
    mask: LaneMask,
}

impl Kernel for Compress<'_> {
    type Output = [[u32; N_LANES]; 3];

    #[inline(always)]
    fn run<L: SimdVector>(self) -> Self::Output {
        let (mut compressed, mut lanes, mut numbers) = ([0; N_LANES], [0.0; N_LANES], [0; N_LANES]);
        L::compress_numbers(self.values, self.mask, &mut compressed);
        L::load(&self.values.map(|value| value as f32)).compress(self.mask, &mut lanes);
        L::number_lanes(70, self.mask, &mut numbers);
        [compressed, lanes.map(|value| value as u32), numbers]
    }
}

#[test]
fn compressed_values_keep_their_order() {
    let values = from_fn(|i| 1000 + i as u32 * 7);
    for set in available() {
        for mask in 0..=LaneMask::MAX {
            let [compressed, lanes, numbers] = set.run(Compress {
                values: &values,
                mask,
            });
            let kept = (0..N_LANES).filter(|lane| mask >> lane & 1 != 0);
            for (n, lane) in kept.enumerate() {
                assert_eq!(compressed[n], values[lane], "{set:?} {mask:#x}");
                assert_eq!(lanes[n], values[lane], "{set:?} {mask:#x}");
                assert_eq!(numbers[n], 70 + lane as u32, "{set:?} {mask:#x}");
            }
        }
    }
}

/// Flags of vertices that are below 5 or above 10, at three corners each.
struct Flags<'a> {
    vertices: &'a Numbers,
    corners: [PackedCorners; N_LANES],
}

impl Kernel for Flags<'_> {
    type Output = [LaneMask; 2];

    #[inline(always)]
    fn run<L: SimdVector>(self) -> Self::Output {
        let vertices = L::load(self.vertices);
        let flags = vertices.add_flag_below(L::splat(5.0), L::no_flags(), 1);
        let flags = L::splat(10.0).add_flag_below(vertices, flags, 32);
        let flags = L::pick_flags(flags, &self.corners);
        [L::have_common_flag(flags), L::have_flag(flags)]
    }
}

#[test]
fn flags_are_those_of_three_picked_lanes() {
    let vertices: Numbers = from_fn(|i| i as f32);
    for set in available() {
        for turn in 0..64 {
            let corner = |k: usize, i: usize| (i * 7 + turn * (k + 3) + k * 5) % N_LANES;
            let corners = from_fn(|i| {
                (corner(0, i) | corner(1, i) << 4 | corner(2, i) << 8) as PackedCorners
            });
            let [common, any] = set.run(Flags {
                vertices: &vertices,
                corners,
            });
            for (lane, &corners) in corners.iter().enumerate() {
                let at = corners_of(corners);
                assert_eq!(at, [0, 1, 2].map(|k| corner(k, lane)));
                let all_beside = at.iter().all(|&v| v < 5) || at.iter().all(|&v| v > 10);
                let some_beside = at.iter().any(|&v| !(5..=10).contains(&v));
                assert_eq!(common >> lane & 1 != 0, all_beside, "{set:?} {at:?}");
                assert_eq!(any >> lane & 1 != 0, some_beside, "{set:?} {at:?}");
            }
        }
    }
}

struct Least<'a>(&'a Numbers);

impl Kernel for Least<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: SimdVector>(self) -> f32 {
        L::load(self.0).least()
    }
}

#[test]
fn the_least_lane_may_be_any() {
    for set in available() {
        for lane in 0..N_LANES {
            let mut values: Numbers = from_fn(|i| 5.0 + i as f32);
            for least in [-3.5, 4.0, f32::NEG_INFINITY] {
                values[lane] = least;
                assert_eq!(set.run(Least(&values)), least, "{set:?} lane {lane}");
            }
        }
        assert_eq!(set.run(Least(&[f32::INFINITY; N_LANES])), f32::INFINITY);
    }
}

#[test]
fn the_best_instructions_are_available() {
    assert!(SimdLevel::detect().is_available());
    assert!(SimdLevel::Portable.is_available());
}

/// What [`Four`] makes of two operands, and of corners.
struct Fours {
    a: [f64; 4],
    b: [f64; 4],
    values: Numbers,
    corners: PackedCorners,
}

#[derive(Debug, PartialEq)]
struct OfFour {
    firsts: [f64; 6],
    sums: [f64; 4],
    have_both_signs: [bool; 2],
    rounded: [f32; 3],
    picked: [f32; 3],
    rows: [[f32; 3]; 3],
}

impl Kernel for Fours {
    type Output = OfFour;

    #[inline(always)]
    fn run<L: SimdVector>(self) -> OfFour {
        let Self {
            a,
            b,
            values,
            corners,
        } = self;
        // Of any kind of four, by what every one has.
        let four =
            |v: [f64; 4]| L::Four::transposed(v.map(L::Four::splat)[..3].try_into().unwrap())[0];
        let (a, b) = (four(a), four(b));
        let three = |v: L::Four| {
            let [x, y, z, _] = v.to_f32();
            [x, y, z]
        };
        OfFour {
            firsts: [
                a.first(),
                a.turned().first(),
                a.turned().turned().first(),
                a.sub(b).first(),
                a.mul(b).first(),
                a.div(b).first(),
            ],
            sums: [a.sum(), a.sub(b).sum(), a.mul(b).sum(), a.div(b).sum()],
            have_both_signs: [a.has_both_signs(), a.mul(b).has_both_signs()],
            rounded: three(a),
            picked: three(L::pick_corners(&values, corners)),
            rows: L::Four::transposed([a, b, a.mul(b)]).map(three),
        }
    }
}

#[test]
fn fours_are_the_same_on_every_set_and_as_plain_numbers() {
    let numbers = [0.0, -0.0, 1.0, -1.5, 1e-300, -3.7e12, 0.1];
    let values: Numbers = from_fn(|i| i as f32 - 7.5);
    for turn in 0..numbers.len().pow(3) {
        let n = numbers.len();
        let a = [0, 1, 2, 2].map(|k| numbers[turn / n.pow(k) % n]);
        let b = [1, 2, 0, 0].map(|k| numbers[(turn / n.pow(k) + 3) % n] + 0.25);
        let corners = (turn * 0x137 % 0x1000) as PackedCorners;
        let sum = |v: [f64; 4]| (v[1] + v[2]) + v[0];
        let with = |f: fn(f64, f64) -> f64| [0, 1, 2, 3].map(|i| f(a[i], b[i]));
        let both_signs =
            |v: [f64; 4]| v[..3].iter().any(|&v| v < 0.0) && v[..3].iter().any(|&v| v > 0.0);
        let three = |v: [f64; 4]| [v[0] as f32, v[1] as f32, v[2] as f32];
        let [difference, product, quotient] =
            [with(|a, b| a - b), with(|a, b| a * b), with(|a, b| a / b)];
        let expected = OfFour {
            firsts: [a[0], a[1], a[2], difference[0], product[0], quotient[0]],
            sums: [sum(a), sum(difference), sum(product), sum(quotient)],
            have_both_signs: [both_signs(a), both_signs(product)],
            rounded: three(a),
            picked: [corners, corners >> 4, corners >> 8].map(|c| values[usize::from(c) % 16]),
            rows: [0, 1, 2].map(|i| [a[i] as f32, b[i] as f32, product[i] as f32]),
        };
        for set in available() {
            let fours = Fours {
                a,
                b,
                values,
                corners,
            };
            assert_eq!(set.run(fours), expected, "{set:?} {a:?} {b:?}");
        }
    }
}
