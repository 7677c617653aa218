//! Water: ripples that close on themselves in time and in two tiles of space.

use super::cloth::Place;
use crate::noise::{mix, smoothstep, wave};
use crate::textures::Rgb;

/// Pictures in a round of the animation.
pub const N_PHASES: usize = 8;
/// Tiles along a side after which water repeats.
const PERIOD: usize = 2;
/// Tiles of one kind of water in all their phases.
pub const N_WATER_TILES: usize = PERIOD * PERIOD * N_PHASES;

/// The two waters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Water {
    River,
    Sea,
}

/// Waves: whole periods east and north over the two tiles, and rounds in time.
const RIPPLES: [([f64; 2], f64); 9] = [
    ([3.0, 1.0], 1.0),
    ([-2.0, 3.0], 1.0),
    ([4.0, -2.0], -1.0),
    ([1.0, 5.0], 1.0),
    ([5.0, 3.0], 1.0),
    ([-5.0, 4.0], -1.0),
    ([6.0, -1.0], 1.0),
    ([2.0, 7.0], 1.0),
    ([-7.0, 3.0], 1.0),
];

/// Color and opacity (0 to 1) over the color of the water's material.
pub fn at(water: Water, phase: usize, cell: [usize; 2], place: Place) -> (Rgb, f64) {
    let u = (cell[0] as f64 + place[0]) / PERIOD as f64;
    let v = (cell[1] as f64 + place[1]) / PERIOD as f64;
    let time = phase as f64 / N_PHASES as f64;
    let (low, slant) = match water {
        Water::River => (2, 1.0),
        Water::Sea => (0, 0.0),
    };
    let (mut height, mut variance) = (0.0, 0.0);
    for (i, ([ku, kv], speed)) in RIPPLES.iter().enumerate().skip(low) {
        let weight = 1.0 / (ku * ku + kv * kv).sqrt();
        // Bent a little, so that no crest is a straight line.
        let bend = 0.11 * wave(2.0 * u - v + 0.3 * i as f64) + slant * 0.07 * wave(u + 3.0 * v);
        let phase = ku * u + kv * v + speed * time + 0.37 * i as f64 + bend;
        height += weight * wave(phase);
        variance += weight * weight / 2.0;
    }
    let height = height / variance.sqrt();
    let swell = smoothstep(-1.6, 1.9, height);
    let crest = smoothstep(1.5, 2.6, height);
    let (dark, light, foam) = match water {
        Water::River => ([40.0, 88.0, 88.0], [104.0, 148.0, 138.0], 0.22),
        Water::Sea => ([20.0, 68.0, 94.0], [72.0, 130.0, 150.0], 0.3),
    };
    let color = [0, 1, 2].map(|k| mix(mix(dark[k], light[k], swell), 236.0, foam * crest));
    (color, 0.12 + 0.4 * swell + 0.2 * crest)
}

/// All tiles of a water in the order of its atlas: for each place of the period all phases.
pub fn tiles(water: Water) -> impl Iterator<Item = (Water, usize, [usize; 2])> {
    let cells = (0..PERIOD * PERIOD).map(|k| [k % PERIOD, k / PERIOD]);
    cells.flat_map(move |cell| (0..N_PHASES).map(move |phase| (water, phase, cell)))
}

/// Place in its atlas of the first phase of the tile at these tile coordinates.
pub fn first_phase(water: Water, x: usize, y: usize) -> usize {
    let base = match water {
        Water::River => 0,
        Water::Sea => N_WATER_TILES,
    };
    base + (y % PERIOD * PERIOD + x % PERIOD) * N_PHASES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn water_goes_on_across_tiles_and_closes_in_time() {
        for water in [Water::River, Water::Sea] {
            for k in 0..20 {
                let t = f64::from(k) / 20.0;
                let edges = [
                    (([0, 0], [1.0, t]), ([1, 0], [0.0, t])),
                    (([1, 1], [1.0, t]), ([0, 1], [0.0, t])),
                    (([1, 1], [t, 1.0]), ([1, 0], [t, 0.0])),
                ];
                for ((a, at_a), (b, at_b)) in edges {
                    let ((a, _), (b, _)) = (at(water, 3, a, at_a), at(water, 3, b, at_b));
                    assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-6), "{a:?} {b:?}");
                }
            }
            let (first, _) = at(water, 0, [0, 1], [0.3, 0.6]);
            let (round, _) = at(water, N_PHASES, [0, 1], [0.3, 0.6]);
            assert!((0..3).all(|k| (first[k] - round[k]).abs() < 1e-6));
        }
    }
}
