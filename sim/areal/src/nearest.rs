//! The nearest areal: rings of cells around the point, until the rest is farther than what is found.

use super::plane::closest_on_segment;
use super::{ArealFilter, ArealIndex};
use crate::cells::Grid;
use glam::{DVec2, Vec2};

/// An areal near a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestAreal {
    /// Index of the areal.
    pub areal: u32,
    /// Distance in the ground plane, world units; 0 inside.
    pub distance: f32,
    /// The point of the areal's border that is nearest; inside, the query point.
    pub point: Vec2,
}

/// The best so far.
struct Best {
    distance_squared: f64,
    /// `u32::MAX` for none.
    areal: u32,
    point: DVec2,
}

impl ArealIndex {
    /// The areal nearest to a point of the ground plane, at most `max_distance` world units away, inclusive. Inside
    /// of an areal it is the one that [`areal_at_filtered`](Self::areal_at_filtered) finds; of equally near ones the
    /// lowest index. Areals that hold nothing and those that the filter rejects are not there.
    ///
    /// `None` if there is none so near, for a non-finite point, and for a negative or NaN distance. Looks at cells
    /// in rings around the point, so the cost grows with the distance to the result.
    pub fn nearest_areal(
        &self,
        point: Vec2,
        max_distance: f32,
        filter: &ArealFilter,
    ) -> Option<NearestAreal> {
        if !point.is_finite() || max_distance.is_nan() || max_distance < 0.0 {
            return None;
        }
        if let Some(areal) = self.areal_at_filtered(point, filter) {
            return Some(NearestAreal {
                areal,
                distance: 0.0,
                point,
            });
        }
        let mut best = Best {
            distance_squared: f64::from(max_distance).powi(2),
            areal: u32::MAX,
            point: point.as_dvec2(),
        };
        let grid = self.own_cells.grid();
        let center = grid.cell_of(point);
        let mut ring = 0;
        // Equally far cells may hold an areal of lower index.
        while let Some(beyond) = grid.distance_squared_beyond(point, center, ring)
            && beyond <= best.distance_squared
        {
            grid.for_each_in_ring(center, ring, |cell| {
                for (areal, _) in self.own_cells.in_cell(cell) {
                    if self.is_first_met_in(cell, center, areal) && filter.accepts(self, areal) {
                        self.improve(&mut best, point, areal);
                    }
                }
            });
            ring = u32::saturating_add(ring, 1);
        }
        (best.areal != u32::MAX).then(|| NearestAreal {
            areal: best.areal,
            distance: best.distance_squared.sqrt() as f32,
            point: best.point.as_vec2(),
        })
    }

    /// An areal is in many cells, one of which is the first that rings reach.
    #[expect(clippy::indexing_slicing, reason = "there are two axes")]
    fn is_first_met_in(&self, cell: [u32; 2], center: [u32; 2], areal: u32) -> bool {
        let grid = self.own_cells.grid();
        self.outlines.bounds(areal).is_some_and(|(min, max)| {
            let (low, high) = (grid.cell_of(min), grid.cell_of(max));
            [0, 1].map(|axis| center[axis].clamp(low[axis], high[axis])) == cell
        })
    }

    fn improve(&self, best: &mut Best, point: Vec2, areal: u32) {
        let p = point.as_dvec2();
        let Some((min, max)) = self.outlines.bounds(areal) else {
            return;
        };
        let in_bounds = p.clamp(min.as_dvec2(), max.as_dvec2());
        if p.distance_squared(in_bounds) > best.distance_squared {
            return;
        }
        for (_, a, b) in self.outlines.edges(areal) {
            // The line is no farther than its segment: a look without a division, with far more slack than rounding.
            let (along, from_a) = (b.as_dvec2() - a.as_dvec2(), p - a.as_dvec2());
            let off = along.perp_dot(from_a);
            let enough = best.distance_squared * (1.0 + 1e-5) + from_a.length_squared() * 1e-20;
            if off * off > along.length_squared() * enough {
                continue;
            }
            let nearest = closest_on_segment(p, a, b);
            let distance_squared = p.distance_squared(nearest);
            let is_lower = distance_squared == best.distance_squared && areal < best.areal;
            if distance_squared < best.distance_squared || is_lower {
                *best = Best {
                    distance_squared,
                    areal,
                    point: nearest,
                };
            }
        }
    }
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "there are two axes, and few enough cells that a ring around all of them still has a number"
)]
impl Grid {
    /// No more than the squared distance from a point to what lies in cells `ring` or more steps from a cell, and
    /// `None` if there are no such cells.
    fn distance_squared_beyond(&self, point: Vec2, center: [u32; 2], ring: u32) -> Option<f64> {
        if ring == 0 {
            return Some(0.0);
        }
        let n = self.n_cells();
        let (min, max) = self.bounds();
        let p = point.as_dvec2();
        // Cells are rounded; this is far more than that, and far less than a cell.
        let margin = 1e-9 * f64::from(min.abs().max(max.abs()).max_element());
        let to_bounds = (p - p.clamp(min.as_dvec2(), max.as_dvec2())).abs();
        let mut least = None;
        for axis in [0, 1] {
            let across = (to_bounds[1 - axis] - margin).max(0.0);
            let mut offer = |to_strip: f64| {
                let to_strip = (to_strip - margin).max(0.0);
                let distance_squared = to_strip * to_strip + across * across;
                least =
                    Some(least.map_or(distance_squared, |least: f64| least.min(distance_squared)));
            };
            if center[axis] >= ring {
                offer(p[axis] - self.border(axis, center[axis] - ring + 1));
            }
            if center[axis] + ring < n[axis] {
                offer(self.border(axis, center[axis] + ring) - p[axis]);
            }
        }
        least
    }

    /// All cells that are exactly `ring` steps from a cell, diagonals counting as one.
    fn for_each_in_ring(&self, center: [u32; 2], ring: u32, mut visit: impl FnMut([u32; 2])) {
        let n = self.n_cells();
        let low = center.map(|c| c.saturating_sub(ring));
        let high = [0, 1].map(|axis| (center[axis] + ring).min(n[axis] - 1));
        for x in low[0]..=high[0] {
            let is_side = x.abs_diff(center[0]) == ring;
            let (first, last) = (center[1].wrapping_sub(ring), center[1] + ring);
            if is_side {
                (low[1]..=high[1]).for_each(|y| visit([x, y]));
            } else {
                // A row below the first wraps to far beyond the last.
                let ends = [first, last].into_iter().filter(|y| *y < n[1]);
                ends.for_each(|y| visit([x, y]));
            }
        }
    }
}
