//! The river: a curve over the ground, how wide it is and how high it stands, from its spring to the sea.

use super::SEA;
use crate::curve::{through, to_segment};
use crate::noise::{mix, smoothstep};

/// Points that the middle of the river runs through, from the spring: east and north, meters.
const COURSE: [[f64; 2]; 12] = [
    [50.0, 106.0],
    [56.0, 97.0],
    [64.0, 91.0],
    [67.0, 82.0],
    [61.0, 73.0],
    [61.5, 65.0],
    [66.0, 57.0],
    [66.0, 45.0],
    [61.5, 36.0],
    [65.0, 27.0],
    [72.0, 17.0],
    [75.0, 2.0],
];
/// Straight pieces between two of those points.
const N_PIECES: usize = 32;

/// A place on the middle of the river.
#[derive(Debug, Clone, Copy)]
struct Station {
    at: [f64; 2],
    half_width: f64,
    surface: f64,
}

/// Where a point lies, as the river sees it.
#[derive(Debug, Clone, Copy)]
pub struct FromRiver {
    /// Meters to the middle of the river.
    pub distance: f64,
    /// Unit vector away from the middle.
    pub outward: [f64; 2],
    /// Meters from the middle to either bank, at the nearest place.
    pub half_width: f64,
    /// Height of the water there.
    pub surface: f64,
}

/// The river of the island.
pub struct River {
    stations: Vec<Station>,
}

impl River {
    pub fn new() -> Self {
        let n = (COURSE.len() - 1) * N_PIECES;
        let stations = (0..=n).map(|k| {
            let at = on_course(k);
            let t = k as f64 / n as f64;
            let mouth = smoothstep(0.72, 0.95, t);
            Station {
                at,
                half_width: mix(1.3, 2.3, smoothstep(0.0, 0.4, t)) + 2.4 * mouth,
                surface: surface(t),
            }
        });
        Self {
            stations: stations.collect(),
        }
    }

    /// How a point lies to the nearest place of the river.
    pub fn nearest(&self, x: f64, y: f64) -> FromRiver {
        let mut best = (f64::MAX, 0, 0.0);
        for (k, ends) in self.stations.windows(2).enumerate() {
            let (squared, t) = to_segment([x, y], ends[0].at, ends[1].at);
            if squared < best.0 {
                best = (squared, k, t);
            }
        }
        let (squared, k, t) = best;
        let (a, b) = (self.stations[k], self.stations[k + 1]);
        let on = |of: fn(&Station) -> f64| mix(of(&a), of(&b), t);
        let distance = squared.sqrt();
        let away = [
            x - on(|station| station.at[0]),
            y - on(|station| station.at[1]),
        ];
        FromRiver {
            distance,
            outward: away.map(|c| c / distance.max(1e-9)),
            half_width: on(|station| station.half_width),
            surface: on(|station| station.surface),
        }
    }
}

/// Height of the water along the river: two rapids, and level with the sea before it reaches it.
fn surface(t: f64) -> f64 {
    let fall = 2.6 * smoothstep(0.02, 0.16, t)
        + 1.8 * smoothstep(0.2, 0.34, t)
        + 2.0 * smoothstep(0.36, 0.62, t)
        + 1.0 * smoothstep(0.62, 0.78, t);
    SEA + 7.4 - fall
}

/// A smooth curve through the points of the course.
fn on_course(k: usize) -> [f64; 2] {
    let t = (k % N_PIECES) as f64 / N_PIECES as f64;
    through(&COURSE, k / N_PIECES, t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evil_islands::island::BRIDGE;

    #[test]
    fn water_runs_downhill_to_the_sea() {
        let river = River::new();
        let mut last = f64::MAX;
        for station in &river.stations {
            assert!(station.surface <= last, "{station:?}");
            last = station.surface;
        }
        assert!((last - SEA).abs() < 1e-9, "{last}");
    }

    #[test]
    fn nearest_place_is_the_one_beside_a_point() {
        let river = River::new();
        let beside = river.nearest(BRIDGE[0] + 4.0, BRIDGE[1]);
        assert!((beside.distance - 4.0).abs() < 0.1, "{beside:?}");
        assert!(beside.outward[0] > 0.99, "{beside:?}");
    }
}
