//! How a rope hangs between two points.

/// A rope whose ends are less than this part of its length apart across is one that hangs down and comes up again.
const NARROW: f64 = 1e-4;
/// One that is longer than its way by less than this part is straight.
const TAUT: f64 = 1e-6;

/// Points along a rope of this length from the origin to `way`, its ends among them: pieces of equal length. One that is
/// too short is straight.
pub(super) fn hanging(way: [f32; 3], length: f32, n_pieces: usize) -> Vec<[f32; 3]> {
    let [x, y, z] = way.map(f64::from);
    let length = f64::from(length);
    let across = x.hypot(y);
    let distance = across.hypot(z);
    let shares = (0..=n_pieces).map(|at| at as f64 / n_pieces as f64);
    let place = |[share, z]: [f64; 2]| [share * x, share * y, z].map(|it| it as f32);
    if length <= distance * (1.0 + TAUT) {
        return shares.map(|share| place([share, share * z])).collect();
    }
    if across < NARROW * length {
        return shares
            .map(|share| place([share, folded(z, length, share)]))
            .collect();
    }
    let curve = Catenary::new(across, z, length);
    shares
        .map(|share| {
            let [across_at, z] = curve.at(share * length);
            place([across_at / across, z])
        })
        .collect()
}

/// The height at a share of a rope between a point and one right above or below it.
fn folded(z: f64, length: f64, share: f64) -> f64 {
    // Down to the fold, then up by what is left.
    let down = 0.5 * (length - z);
    let come = share * length;
    if come <= down {
        -come
    } else {
        come - 2.0 * down
    }
}

/// `height = scale * cosh((across - middle) / scale) + offset`.
struct Catenary {
    scale: f64,
    middle: f64,
    offset: f64,
}

impl Catenary {
    /// From the origin to a point that is above 0 across from it.
    fn new(across: f64, z: f64, length: f64) -> Self {
        // sinh(t) / t = r with t = across / (2 scale); the left side rises from 1.
        let ratio = (length * length - z * z).sqrt() / across;
        let [mut low, mut high] = [0.0_f64, 1.0];
        while high.sinh() / high < ratio && high < 60.0 {
            high *= 2.0;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if middle > 0.0 && middle.sinh() / middle < ratio {
                low = middle;
            } else {
                high = middle;
            }
        }
        let half = 0.5 * (low + high);
        let scale = across / (2.0 * half);
        let middle = 0.5 * across - scale * (z / (2.0 * scale * half.sinh())).asinh();
        Self {
            scale,
            middle,
            offset: -scale * (middle / scale).cosh(),
        }
    }

    /// Across and height at a length of it from its beginning.
    fn at(&self, come: f64) -> [f64; 2] {
        let Self {
            scale,
            middle,
            offset,
        } = self;
        let turn = (come / scale - (middle / scale).sinh()).asinh();
        [middle + scale * turn, scale * turn.cosh() + offset]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(points: &[[f32; 3]]) -> Vec<f32> {
        let pieces = points.windows(2);
        pieces
            .map(|pair| {
                let [a, b] = [pair[0], pair[1]];
                let squares = (0..3).map(|axis: usize| (b[axis] - a[axis]).powi(2));
                squares.sum::<f32>().sqrt()
            })
            .collect()
    }

    /// A chain of equal links that hang from both ends, let go until it rests: each link keeps its length by moving its
    /// two ends.
    fn relaxed(way: [f32; 3], length: f32, n: usize) -> Vec<[f32; 3]> {
        let link = f64::from(length) / n as f64;
        let way = way.map(f64::from);
        let mut points: Vec<[f64; 3]> = (0..=n)
            .map(|at| way.map(|it| it * at as f64 / n as f64))
            .collect();
        let mut before = points.clone();
        for step in 0..20_000 {
            let gravity = if step < 15_000 { 0.02 } else { 0.0005 };
            for at in 1..n {
                let here = points[at];
                for axis in 0..3 {
                    let fall = if axis == 2 { gravity } else { 0.0 };
                    points[at][axis] += 0.9 * (here[axis] - before[at][axis]) - fall;
                }
                before[at] = here;
            }
            for _ in 0..20 {
                for at in 0..n {
                    let [a, b] = [points[at], points[at + 1]];
                    let gap = [0, 1, 2].map(|axis: usize| b[axis] - a[axis]);
                    let now = gap.iter().map(|it| it * it).sum::<f64>().sqrt();
                    let [wa, wb] = [f64::from(at > 0), f64::from(at + 1 < n)];
                    let pull = (now - link) / now / (wa + wb).max(1.0);
                    for axis in 0..3 {
                        points[at][axis] += wa * pull * gap[axis];
                        points[at + 1][axis] -= wb * pull * gap[axis];
                    }
                }
            }
        }
        let points = points.into_iter();
        points.map(|it| it.map(|axis| axis as f32)).collect()
    }

    #[test]
    fn ropes_begin_and_end_where_they_should_and_are_as_long() {
        for (way, length) in [
            ([100.0, 0.0, 0.0], 140.0),
            ([30.0, -40.0, 60.0], 90.0),
            ([5.0, 0.0, -20.0], 400.0),
            ([0.0, 0.0, 50.0], 80.0),
            ([0.0, 0.0, -50.0], 80.0),
            ([100.0, 0.0, 0.0], 100.0),
        ] {
            let points = hanging(way, length, 64);
            for axis in 0..3 {
                assert!(points[0][axis].abs() < 1e-2, "{way:?}: {:?}", points[0]);
                let off = points[64][axis] - way[axis];
                assert!(off.abs() < 1e-2, "{way:?}: {:?}", points[64]);
            }
            // Chords are a little shorter than the curve.
            let total: f32 = lengths(&points).iter().sum();
            assert!((total - length).abs() < 0.01 * length, "{way:?}: {total}");
        }
    }

    #[test]
    fn too_short_ropes_are_straight() {
        let points = hanging([10.0, 20.0, 30.0], 5.0, 2);
        assert_eq!(points, [[0.0; 3], [5.0, 10.0, 15.0], [10.0, 20.0, 30.0]]);
    }

    #[test]
    fn ropes_hang_as_chains_do() {
        for (way, length) in [([60.0, 0.0, 0.0], 90.0), ([40.0, 30.0, -25.0], 75.0)] {
            let n = 24;
            let [curve, chain] = [hanging(way, length, n), relaxed(way, length, n)];
            for (a, b) in curve.iter().zip(&chain) {
                let off = lengths(&[*a, *b])[0];
                // Of the chain, whose links are straight and give a little.
                assert!(off < 0.015 * length, "{a:?} {b:?}");
            }
        }
    }
}
