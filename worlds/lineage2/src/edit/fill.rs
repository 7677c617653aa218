//! The ground that is connected to a point: what a fill changes.

use super::operation::nearest_to;
use super::session::EditError;
use ironlands_assets_lineage2::{Cell, GeoCell, Nswe};
use std::collections::{BTreeMap, BTreeSet};

/// Where a fill begins and what ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fill {
    /// x and y.
    pub from: (i32, i32),
    /// It begins on the layer nearest to this height.
    pub z: i32,
    /// Neighbors whose heights differ by more are not connected. In points.
    pub max_step: i32,
    /// Layers that it may have; one with more is refused.
    pub limit: usize,
}

/// Layers by their cells and heights.
pub(super) type FilledLayers = BTreeMap<GeoCell, BTreeSet<i16>>;

/// Each side with the neighbor behind it and the side that leads back.
const SIDES: [(Nswe, (i32, i32), Nswe); 4] = [
    (Nswe::EAST, (1, 0), Nswe::WEST),
    (Nswe::WEST, (-1, 0), Nswe::EAST),
    (Nswe::SOUTH, (0, 1), Nswe::NORTH),
    (Nswe::NORTH, (0, -1), Nswe::SOUTH),
];

impl Fill {
    /// All layers that are connected to the first one, in steps to the four neighbors of a cell.
    ///
    /// Two layers are connected if both their sides are open, each is the nearest to the other in its cell, and their
    /// heights differ by no more than the largest step. So a fill from any of its layers is the same.
    ///
    /// `column_of` returns the layers of a cell from high to low.
    pub(super) fn layers(
        &self,
        first: GeoCell,
        mut column_of: impl FnMut(GeoCell) -> Result<Option<Vec<Cell>>, EditError>,
    ) -> Result<FilledLayers, EditError> {
        let column = column_of(first)?.ok_or(EditError::NoRegion)?;
        let Some(layer) = nearest_to(&column, self.z) else {
            return Ok(FilledLayers::new());
        };
        let mut filled = FilledLayers::new();
        filled.entry(first).or_default().insert(layer.height);
        let mut n_filled = 1_usize;
        let mut open = vec![(first, layer)];
        while let Some((cell, layer)) = open.pop() {
            if n_filled > self.limit {
                return Err(EditError::FillTooLarge { limit: self.limit });
            }
            let column = column_of(cell)?.unwrap_or_default();
            for (side, (dx, dy), back) in SIDES {
                let Some(beside) = beside(cell, dx, dy).filter(|_| layer.nswe.contains(side))
                else {
                    continue;
                };
                let next = column_of(beside)?;
                let next = next.and_then(|next| nearest_to(&next, i32::from(layer.height)));
                let is_connected = |next: &Cell| {
                    let step = layer.height.abs_diff(next.height);
                    let returns = nearest_to(&column, i32::from(next.height));
                    next.nswe.contains(back)
                        && i64::from(step) <= i64::from(self.max_step)
                        && returns.is_some_and(|it| it.height == layer.height)
                };
                let Some(next) = next.filter(is_connected) else {
                    continue;
                };
                if filled.entry(beside).or_default().insert(next.height) {
                    n_filled += 1;
                    open.push((beside, next));
                }
            }
        }
        Ok(filled)
    }
}

/// A neighbor; `None` over the edge of the grid.
pub(super) fn beside(cell: GeoCell, dx: i32, dy: i32) -> Option<GeoCell> {
    let along = |at: u16, d: i32| u16::try_from(i32::from(at) + d).ok();
    Some(GeoCell {
        x: along(cell.x, dx)?,
        y: along(cell.y, dy)?,
    })
}
