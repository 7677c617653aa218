//! Courses of the river and of roads: curves over both regions, and which places lie beside them.

use std::collections::BTreeMap;

use crate::curve::{distance, through, to_segment};
use crate::noise::mix;

/// Points from one station of a course to the next, about.
const SPACING: f64 = 96.0;

/// A curve as a row of stations.
pub struct Course {
    stations: Vec<[f64; 2]>,
}

/// How a place lies to a course.
#[derive(Debug, Clone, Copy)]
pub struct Beside {
    /// Points to the nearest place of the course.
    pub distance: f64,
    /// Where that is, counted in stations.
    pub at: f64,
}

/// Places of a regular grid.
#[derive(Debug, Clone, Copy)]
pub struct Places {
    /// Points from one to the next.
    pub step: f64,
    /// Where the first is, in both axes.
    pub first: f64,
    /// How many there are to the east and to the south.
    pub size: [usize; 2],
}

impl Course {
    /// The smooth curve through points.
    pub fn new(points: &[[f64; 2]]) -> Self {
        let mut stations = Vec::new();
        for (piece, ends) in points.windows(2).enumerate() {
            let n = (distance(ends[0], ends[1]) / SPACING).ceil().max(1.0);
            stations.extend((0..n as usize).map(|k| through(points, piece, k as f64 / n)));
        }
        stations.extend(points.last());
        Self { stations }
    }

    /// All stations, from the first point to the last.
    pub fn stations(&self) -> &[[f64; 2]] {
        &self.stations
    }

    /// A value of stations, between two of them.
    pub fn value(values: &[f64], at: f64) -> f64 {
        let last = values.len() - 1;
        let low = (at.floor() as usize).min(last);
        mix(values[low], values[(low + 1).min(last)], at - at.floor())
    }

    /// The places of a grid that lie less than `reach` points away, by their numbers, row after row.
    pub fn beside(&self, places: &Places, reach: f64) -> BTreeMap<usize, Beside> {
        let mut found = BTreeMap::new();
        for (station, ends) in self.stations.windows(2).enumerate() {
            let [xs, ys] = [0, 1].map(|axis| {
                let (a, b) = (ends[0][axis], ends[1][axis]);
                let number = |at: f64| ((at - places.first) / places.step).max(0.0) as usize;
                let end = number(a.max(b) + reach) + 1;
                number(a.min(b) - reach)..end.min(places.size[axis])
            });
            for y in ys {
                for x in xs.clone() {
                    let at = [x, y].map(|number| places.first + number as f64 * places.step);
                    let (squared, t) = to_segment(at, ends[0], ends[1]);
                    if squared >= reach * reach {
                        continue;
                    }
                    let beside = Beside {
                        distance: squared.sqrt(),
                        at: station as f64 + t,
                    };
                    found
                        .entry(y * places.size[0] + x)
                        .and_modify(|known: &mut Beside| {
                            if beside.distance < known.distance {
                                *known = beside;
                            }
                        })
                        .or_insert(beside);
                }
            }
        }
        found
    }
}
