//! Which areal holds a point: one cell of the file's grid, then an exact test.

use super::{ArealFilter, ArealIndex};
use crate::cells::CellLists;
use glam::Vec2;
use rayon::prelude::*;

/// Queries that one rayon task takes at least.
const MIN_QUERIES_PER_TASK: usize = 1024;

impl ArealIndex {
    /// The areal that holds a point of the ground plane, world units. Outlines are closed and of either winding,
    /// convex or not. Of several, the first in the list of the point's cell; if none there holds it, the lowest
    /// index of all. `None` if no areal holds it, and for a non-finite point.
    #[inline]
    pub fn areal_at(&self, point: Vec2) -> Option<u32> {
        self.first_holding(point, |_| true)
    }

    /// [`areal_at`](Self::areal_at) as if the areals that the filter rejects were not there.
    pub fn areal_at_filtered(&self, point: Vec2, filter: &ArealFilter) -> Option<u32> {
        self.first_holding(point, |areal| filter.accepts(self, areal))
    }

    /// [`areal_at`](Self::areal_at) for many points on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn areal_at_batch(&self, points: &[Vec2], areals: &mut [Option<u32>]) {
        assert_eq!(points.len(), areals.len(), "one result per point");
        areals
            .par_iter_mut()
            .zip(points)
            .with_min_len(MIN_QUERIES_PER_TASK)
            .for_each(|(areal, &point)| *areal = self.areal_at(point));
    }

    #[inline]
    fn first_holding(&self, point: Vec2, accepts: impl Fn(u32) -> bool) -> Option<u32> {
        if !point.is_finite() {
            return None;
        }
        let first_in = |cells: &CellLists| {
            let mut entries = cells.at(point);
            let is_it = |&(areal, is_whole): &(u32, bool)| {
                accepts(areal) && (is_whole || self.outlines.contains(areal, point))
            };
            entries.find(is_it).map(|(areal, _)| areal)
        };
        let found = first_in(&self.file_cells);
        if found.is_some() || self.file_cells_are_complete {
            return found;
        }
        // Our own lists make a wrong mapping of the file's grid harmless.
        first_in(&self.own_cells)
    }
}
