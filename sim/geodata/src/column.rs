//! The layers of a cell and which of them is meant. Dossier section 4.1.

use super::pack::Layer;
use super::world::{GeoPoint, Geodata, GeodataError};
use ironlands_sim_regions::{GeoCell, Nswe};
use rayon::prelude::*;

/// Points that one rayon task takes at least.
const MIN_POINTS_PER_TASK: usize = 4096;

/// Ground in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GroundLayer {
    /// Its height; of a flat block the upper one.
    pub z: i32,
    /// Where one may leave it.
    pub nswe: Nswe,
    /// Its place in the cell, 0 the lowest.
    pub index: u8,
}

impl Geodata {
    /// The layer nearest to `z`, whichever side it is on; of two that are as near, the upper one.
    ///
    /// # Errors
    /// If there is no region.
    pub fn nearest_layer(&self, cell: GeoCell, z: i32) -> Result<GroundLayer, GeodataError> {
        self.layer_where(cell, |block, at| Some(block.nearest(at, z)))
            .and_then(|layer| layer.ok_or(no_data(cell)))
    }

    /// The highest layer below `z`, not at it.
    ///
    /// # Errors
    /// If there is no region.
    pub fn layer_below(&self, cell: GeoCell, z: i32) -> Result<Option<GroundLayer>, GeodataError> {
        self.layer_at_or_below(cell, z.saturating_sub(1))
    }

    /// The lowest layer above `z`, not at it.
    ///
    /// # Errors
    /// If there is no region.
    pub fn layer_above(&self, cell: GeoCell, z: i32) -> Result<Option<GroundLayer>, GeodataError> {
        self.layer_at_or_above(cell, z.saturating_add(1))
    }

    /// The highest layer at or below `z`: `getNextLowerZ` of common servers, which return `z` for none.
    ///
    /// # Errors
    /// If there is no region.
    pub fn layer_at_or_below(
        &self,
        cell: GeoCell,
        z: i32,
    ) -> Result<Option<GroundLayer>, GeodataError> {
        self.layer_where(cell, |block, at| block.highest_up_to(at, z))
    }

    /// The lowest layer at or above `z`: `getNextHigherZ` of common servers, which return `z` for none.
    ///
    /// # Errors
    /// If there is no region.
    pub fn layer_at_or_above(
        &self,
        cell: GeoCell,
        z: i32,
    ) -> Result<Option<GroundLayer>, GeodataError> {
        self.layer_where(cell, |block, at| block.lowest_from(at, z))
    }

    /// The highest layer less than 64 above `z`, else the lowest of all: the height of L2-Scripts.
    ///
    /// # Errors
    /// If there is no region.
    pub fn near_lower_64(&self, cell: GeoCell, z: i32) -> Result<GroundLayer, GeodataError> {
        let layer = self.layer_where(cell, |block, at| {
            let below = block.highest_up_to(at, z.saturating_add(63));
            below.or_else(|| block.lowest_from(at, i32::MIN))
        })?;
        layer.ok_or(no_data(cell))
    }

    /// All layers of a cell, from the ground up.
    ///
    /// # Errors
    /// If there is no region.
    pub fn layers(&self, cell: GeoCell) -> Result<Vec<GroundLayer>, GeodataError> {
        let block = self.block(cell).ok_or(no_data(cell))?;
        let at = u32::from(cell.cell_index());
        let mut layers = Vec::new();
        block.layers_up(at, |Layer { z, index }| {
            let nswe = block.nswe(at, index);
            layers.push(GroundLayer { z, nswe, index });
            true
        });
        Ok(layers)
    }

    /// Height of the layer nearest to a point; all that most queries need.
    ///
    /// # Errors
    /// If the point is outside of all regions or there is none.
    #[inline]
    pub fn height(&self, at: GeoPoint) -> Result<i32, GeodataError> {
        let cell = at.cell()?;
        let block = self.block(cell).ok_or(no_data(cell))?;
        Ok(block.nearest(u32::from(cell.cell_index()), at.z).z)
    }

    /// [`height`](Self::height) of many points on all threads; `None` for an error.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn height_batch(&self, points: &[GeoPoint], heights: &mut [Option<i32>]) {
        assert_eq!(points.len(), heights.len(), "one height a point");
        heights
            .par_iter_mut()
            .zip(points)
            .with_min_len(MIN_POINTS_PER_TASK)
            .for_each(|(height, &point)| *height = self.height(point).ok());
    }

    fn layer_where(
        &self,
        cell: GeoCell,
        which: impl FnOnce(&super::pack::BlockView<'_>, u32) -> Option<Layer>,
    ) -> Result<Option<GroundLayer>, GeodataError> {
        let block = self.block(cell).ok_or(no_data(cell))?;
        let at = u32::from(cell.cell_index());
        Ok(which(&block, at).map(|Layer { z, index }| GroundLayer {
            z,
            nswe: block.nswe(at, index),
            index,
        }))
    }
}

pub(super) fn no_data(cell: GeoCell) -> GeodataError {
    GeodataError::NoData {
        region: cell.region(),
    }
}
