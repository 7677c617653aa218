//! A flight over the island: up the river from the sea, around the mountain, and back to the village.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_evil_islands::cam::{Cam, CamRecord};

use crate::curve;
use crate::models::turn::Turn;
use crate::vector::Vec3;

/// Seconds between two records.
const STEP_SECS: f64 = 0.5;

/// Seconds, where the camera is then, and what it looks at. Meters.
const STATIONS: [(f64, Vec3, Vec3); 9] = [
    (0.0, [86.0, 4.0, 15.0], [66.0, 60.0, 12.0]),
    (4.0, [78.0, 22.0, 14.0], [66.0, 60.0, 10.0]),
    (8.0, [70.0, 37.0, 12.5], [66.0, 56.0, 10.0]),
    (12.0, [60.0, 58.0, 17.0], [56.0, 88.0, 18.0]),
    (16.0, [58.0, 78.0, 27.0], [36.0, 98.0, 34.0]),
    (20.0, [66.0, 100.0, 40.0], [40.0, 92.0, 34.0]),
    (24.0, [92.0, 100.0, 38.0], [74.0, 62.0, 10.0]),
    (28.0, [112.0, 70.0, 24.0], [88.0, 50.0, 11.0]),
    (32.0, [104.0, 47.0, 14.5], [88.0, 51.5, 10.5]),
];

/// The bytes of the flight.
pub fn file() -> Result<Vec<u8>, FormatError> {
    let end = STATIONS[STATIONS.len() - 1].0;
    let n = (end / STEP_SECS) as usize;
    let records = (0..=n).map(|step| record(step as f64 * STEP_SECS));
    Cam::draft(records.collect()).write()
}

/// The camera at a time. Unturned it looks along -Y, as the figures do.
fn record(secs: f64) -> CamRecord {
    let position = at(secs, |station| station.1);
    let target = at(secs, |station| station.2);
    let to = [0, 1, 2].map(|k| target[k] - position[k]);
    let yaw = libm::atan2(to[0], -to[1]).to_degrees();
    let down = libm::atan2(-to[2], (to[0] * to[0] + to[1] * to[1]).sqrt()).to_degrees();
    let turn = Turn::degrees(2, yaw).times(Turn::degrees(0, down));
    CamRecord {
        time: (secs as f32).to_bits(),
        step: (STEP_SECS as f32).to_bits(),
        position: position.map(|c| c as f32),
        rotation: turn.0.map(|c| c as f32),
    }
}

/// A place on the smooth way through all stations.
fn at(secs: f64, of: impl Fn(&(f64, Vec3, Vec3)) -> Vec3) -> Vec3 {
    let last = STATIONS.len() - 1;
    let piece = (0..last).rfind(|k| STATIONS[*k].0 <= secs).unwrap_or(0);
    let (from, to) = (STATIONS[piece].0, STATIONS[piece + 1].0);
    let t = (secs - from) / (to - from);
    let station = |k: usize| of(&STATIONS[k.min(last)]);
    let around = [
        station(piece.saturating_sub(1)),
        station(piece),
        station(piece + 1),
        station(piece + 2),
    ];
    curve::between(around, t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camera_looks_at_its_target() {
        let record = record(8.0);
        assert_eq!(record.position, STATIONS[2].1.map(|c| c as f32));
        let turn = Turn(record.rotation.map(f64::from));
        let ahead = turn.apply([0.0, -1.0, 0.0]);
        let (from, to) = (STATIONS[2].1, STATIONS[2].2);
        let way = crate::vector::normalized([0, 1, 2].map(|k| to[k] - from[k]));
        assert!(
            (0..3).all(|k| (ahead[k] - way[k]).abs() < 1e-6),
            "{ahead:?}"
        );
        let up = turn.apply([0.0, 0.0, 1.0]);
        assert!(up[2] > 0.9, "{up:?}");
    }
}
