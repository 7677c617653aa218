//! Seeded noise that gives the same bits on every machine: integer hashing, and only `+ - * /` and `sqrt` on
//! `f64`. No function of a platform's maths library is called anywhere in this crate.

/// Directions of the lattice gradients: unit vectors all around, from Pythagorean triples.
const GRADIENTS: [[f64; 2]; 16] = [
    [1.0, 0.0],
    [0.9231, 0.3846],
    [0.7241, 0.6897],
    [0.3846, 0.9231],
    [0.0, 1.0],
    [-0.3846, 0.9231],
    [-0.6897, 0.7241],
    [-0.9231, 0.3846],
    [-1.0, 0.0],
    [-0.9231, -0.3846],
    [-0.7241, -0.6897],
    [-0.3846, -0.9231],
    [0.0, -1.0],
    [0.3846, -0.9231],
    [0.6897, -0.7241],
    [0.9231, -0.3846],
];

/// Mixes a seed and two lattice coordinates into 32 well-spread bits.
pub fn hash2(seed: u32, x: i32, y: i32) -> u32 {
    let mut h = seed.wrapping_mul(0x9E37_79B9) ^ 0x85EB_CA6B;
    for word in [x as u32, y as u32] {
        h ^= word
            .wrapping_mul(0xCC9E_2D51)
            .rotate_left(15)
            .wrapping_mul(0x1B87_3593);
        h = h.rotate_left(13).wrapping_mul(5).wrapping_add(0xE654_6B64);
    }
    h ^= h >> 16;
    h = h.wrapping_mul(0x85EB_CA6B);
    h ^= h >> 13;
    h = h.wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

/// A hash as a number in `0.0..1.0`.
pub fn unit(hash: u32) -> f64 {
    f64::from(hash >> 8) / 16_777_216.0
}

/// A counter-based random sequence.
pub struct Rng {
    seed: u32,
    count: i32,
}

impl Rng {
    pub fn new(seed: u32) -> Self {
        Self { seed, count: 0 }
    }

    /// The next number, `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        self.count += 1;
        unit(hash2(self.seed, self.count, 0x5EED))
    }

    /// The next number, `low..high`.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// 0 at `edge0`, 1 at `edge1` (either order), smooth between, constant outside.
pub fn smoothstep(edge0: f64, edge1: f64, x: f64) -> f64 {
    let t = ((x - edge0) / (edge1 - edge0)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Linear mix: `a` at 0, `b` at 1.
pub fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// A smooth hill: 1 at 0, 0 from ±1 outward.
pub fn bump(t: f64) -> f64 {
    let s = (1.0 - t * t).max(0.0);
    s * s
}

/// A wave of period 1 and range -1..1, close to a sine.
pub fn wave(t: f64) -> f64 {
    let t = t - t.floor();
    let half = if t < 0.5 { t } else { t - 0.5 };
    let arch = 16.0 * half * (0.5 - half);
    if t < 0.5 { arch } else { -arch }
}

/// Gradient noise with lattice cells of size 1, about -1..1. It repeats after `period` cells in both axes.
pub fn gradient(seed: u32, x: f64, y: f64, period: i32) -> f64 {
    let (cell_x, cell_y) = (x.floor(), y.floor());
    let (fx, fy) = (x - cell_x, y - cell_y);
    let corner = |dx: i32, dy: i32| {
        let lattice_x = (cell_x as i32 + dx).rem_euclid(period);
        let lattice_y = (cell_y as i32 + dy).rem_euclid(period);
        let direction = GRADIENTS[(hash2(seed, lattice_x, lattice_y) >> 28) as usize];
        direction[0] * (fx - f64::from(dx)) + direction[1] * (fy - f64::from(dy))
    };
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (wx, wy) = (fade(fx), fade(fy));
    let low = mix(corner(0, 0), corner(1, 0), wx);
    let high = mix(corner(0, 1), corner(1, 1), wx);
    1.5 * mix(low, high, wy)
}

/// The period of noise that need not repeat.
pub const ENDLESS: i32 = 1 << 20;

/// Fractal sum of gradient noise, about -1..1; each octave doubles the frequency and halves the weight.
pub fn fbm(seed: u32, x: f64, y: f64, octaves: u32, period: i32) -> f64 {
    let (mut sum, mut weight, mut total, mut scale) = (0.0, 1.0, 0.0, 1.0);
    for octave in 0..octaves {
        let period = period.saturating_mul(1 << octave);
        sum += weight * gradient(seed + octave, x * scale, y * scale, period);
        total += weight;
        weight *= 0.5;
        scale *= 2.0;
    }
    sum / total
}

/// Ridged fractal: sharp crests at 1, broad valleys toward 0. Detail gathers on the crests.
pub fn ridged(seed: u32, x: f64, y: f64, octaves: u32, period: i32) -> f64 {
    let (mut sum, mut weight, mut total, mut scale, mut gain) = (0.0, 1.0, 0.0, 1.0, 1.0);
    for octave in 0..octaves {
        let period = period.saturating_mul(1 << octave);
        let crest = 1.0 - gradient(seed + octave, x * scale, y * scale, period).abs();
        let crest = crest * crest * gain;
        sum += weight * crest;
        total += weight;
        gain = (crest * 1.6).clamp(0.0, 1.0);
        weight *= 0.5;
        scale *= 2.0;
    }
    (sum / total).clamp(0.0, 1.0)
}

/// Distances to the nearest and second nearest of scattered points, one a lattice cell, and the hash of the
/// nearest. It repeats after `period` cells.
pub fn cellular(seed: u32, x: f64, y: f64, period: i32) -> (f64, f64, u32) {
    let (cell_x, cell_y) = (x.floor() as i32, y.floor() as i32);
    let (mut first, mut second, mut id) = (f64::MAX, f64::MAX, 0);
    for dx in -1..=1 {
        for dy in -1..=1 {
            let (cx, cy) = (cell_x + dx, cell_y + dy);
            let hash = hash2(seed, cx.rem_euclid(period), cy.rem_euclid(period));
            let px = f64::from(cx) + unit(hash) - x;
            let py = f64::from(cy) + unit(hash.rotate_left(16).wrapping_mul(0x9E37_79B1)) - y;
            let distance = px * px + py * py;
            if distance < first {
                (second, first, id) = (first, distance, hash);
            } else if distance < second {
                second = distance;
            }
        }
    }
    (first.sqrt(), second.sqrt(), id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periodic_noise_repeats_exactly() {
        for i in 0..50 {
            // Multiples of 1/8 and a shift by whole cells are exact in binary, so the bits must agree.
            let (x, y) = (f64::from(i) / 8.0, f64::from(i * 7 % 31) / 8.0);
            assert_eq!(gradient(3, x, y, 4), gradient(3, x + 4.0, y - 8.0, 4));
            assert_eq!(cellular(3, x, y, 4).2, cellular(3, x - 4.0, y + 4.0, 4).2);
        }
    }

    #[test]
    fn wave_runs_through_its_quarter_points() {
        for (t, expected) in [
            (0.0, 0.0),
            (0.25, 1.0),
            (0.5, 0.0),
            (0.75, -1.0),
            (-0.25, -1.0),
            (1.25, 1.0),
        ] {
            assert_eq!(wave(t), expected, "{t}");
        }
    }

    #[test]
    fn noise_stays_in_its_range_and_varies() {
        let values: Vec<f64> = (0..4000)
            .map(|i| fbm(9, f64::from(i) * 0.37, f64::from(i) * 0.11, 4, ENDLESS))
            .collect();
        let (low, high) = values
            .iter()
            .fold((0.0f64, 0.0f64), |(l, h), v| (l.min(*v), h.max(*v)));
        assert!(
            (-1.2..-0.4).contains(&low) && (0.4..1.2).contains(&high),
            "{low} {high}"
        );
    }
}
