//! What an edit does to the layers of its cells.

use super::area::Area;
use super::fill::{FilledLayers, beside};
use ironlands_assets_lineage2::{Cell, GeoCell, MAX_STORED_HEIGHT, MIN_STORED_HEIGHT, Nswe};

/// Heights are multiples of this in all formats.
const HEIGHT_STEP: i32 = 8;

/// An edit of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Moves layers up, or down where `by` is negative.
    Raise {
        /// Cells.
        area: Area,
        /// Layers of each.
        layers: LayerChoice,
        /// Points.
        by: i32,
    },
    /// Moves layers to a height.
    Level {
        /// Cells.
        area: Area,
        /// Layers of each.
        layers: LayerChoice,
        /// Points.
        height: i32,
    },
    /// Moves layers to the mean of those around them, nine cells in all.
    Smooth {
        /// Cells.
        area: Area,
        /// Layers of each.
        layers: LayerChoice,
    },
    /// Adds a layer where none is at that height.
    AddLayer {
        /// Cells.
        area: Area,
        /// Points.
        height: i32,
        /// Its open sides.
        sides: Nswe,
    },
    /// Removes layers; the last one of a cell stays.
    RemoveLayer {
        /// Cells.
        area: Area,
        /// Layers of each.
        layers: LayerChoice,
    },
    /// Opens sides.
    Open {
        /// Cells.
        area: Area,
        /// Layers of each.
        layers: LayerChoice,
        /// The sides.
        sides: Nswe,
    },
    /// Closes sides.
    Close {
        /// Cells.
        area: Area,
        /// Layers of each.
        layers: LayerChoice,
        /// The sides.
        sides: Nswe,
    },
    /// Copies all layers of a rectangle to another place, of which `to` is the corner with the lowest x and y.
    Paste {
        /// What is copied.
        from: Area,
        /// x and y.
        to: (i32, i32),
    },
}

/// Which layers of a cell an edit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LayerChoice {
    /// All.
    #[default]
    All,
    /// That nearest to a height, if it is not farther than `reach`.
    Near {
        /// Points.
        z: i32,
        /// Points.
        reach: i32,
    },
}

impl Edit {
    /// The cells that it changes; of a paste those that are copied.
    pub fn area(&self) -> &Area {
        match self {
            Self::Raise { area, .. }
            | Self::Level { area, .. }
            | Self::Smooth { area, .. }
            | Self::AddLayer { area, .. }
            | Self::RemoveLayer { area, .. }
            | Self::Open { area, .. }
            | Self::Close { area, .. }
            | Self::Paste { from: area, .. } => area,
        }
    }

    /// The layers of each cell that it changes, unless its area is a fill.
    pub fn layers(&self) -> LayerChoice {
        match self {
            Self::Raise { layers, .. }
            | Self::Level { layers, .. }
            | Self::Smooth { layers, .. }
            | Self::RemoveLayer { layers, .. }
            | Self::Open { layers, .. }
            | Self::Close { layers, .. } => *layers,
            Self::AddLayer { .. } | Self::Paste { .. } => LayerChoice::All,
        }
    }
}

impl LayerChoice {
    /// The places of the chosen layers in a column.
    pub(crate) fn of(self, column: &[Cell]) -> Vec<usize> {
        let distance = |at: usize, z: i32| i32::from(column[at].height).abs_diff(z);
        match self {
            Self::All => (0..column.len()).collect(),
            Self::Near { z, reach } => {
                let nearest = (0..column.len()).min_by_key(|at| distance(*at, z));
                let is_near = |at: &usize| distance(*at, z) <= reach.unsigned_abs();
                nearest.filter(is_near).into_iter().collect()
            }
        }
    }
}

/// What an edit changes: cells, and layers of each.
pub(super) enum Selection {
    /// Cells of a shape, x-major, with a choice of layers.
    Cells(Vec<GeoCell>, LayerChoice),
    /// Layers of a fill.
    Layers(FilledLayers),
}

impl Selection {
    /// x-major.
    pub(super) fn cells(&self) -> Vec<GeoCell> {
        match self {
            Self::Cells(cells, _) => cells.clone(),
            Self::Layers(layers) => layers.keys().copied().collect(),
        }
    }

    /// The places of the chosen layers in the column of a cell.
    pub(super) fn places(&self, cell: GeoCell, column: &[Cell]) -> Vec<usize> {
        match self {
            Self::Cells(_, choice) => choice.of(column),
            Self::Layers(layers) => {
                let heights = layers.get(&cell);
                let has = |at: &usize| heights.is_some_and(|it| it.contains(&column[*at].height));
                (0..column.len()).filter(has).collect()
            }
        }
    }
}

/// The layer nearest to a height; of two that are as near, the first.
pub(super) fn nearest_to(column: &[Cell], z: i32) -> Option<Cell> {
    let distance = |layer: &&Cell| i32::from(layer.height).abs_diff(z);
    column.iter().min_by_key(distance).copied()
}

/// A height that every format can hold: a multiple of 8 in the range of a cell.
pub(super) fn stored_height(z: i32) -> i16 {
    let low = i32::from(MIN_STORED_HEIGHT);
    let high = i32::from(MAX_STORED_HEIGHT);
    let height = z.clamp(low, high).div_euclid(HEIGHT_STEP) * HEIGHT_STEP;
    i16::try_from(height).expect("clamped to 16 bits")
}

/// The mean height of the layers nearest to one, in the cells around it and its own.
pub(super) fn smoothed(
    cell: GeoCell,
    height: i16,
    column_of: &mut impl FnMut(GeoCell) -> Option<Vec<Cell>>,
) -> i16 {
    /// Layers that are farther are another floor.
    const REACH: u16 = 64;
    let (mut sum, mut n_cells) = (0, 0);
    for dx in -1..=1_i32 {
        for dy in -1..=1_i32 {
            let Some(beside) = beside(cell, dx, dy) else {
                continue;
            };
            let column = column_of(beside).unwrap_or_default();
            let nearest = nearest_to(&column, i32::from(height)).map(|layer| layer.height);
            if let Some(nearest) = nearest.filter(|other| other.abs_diff(height) <= REACH) {
                sum += i32::from(nearest);
                n_cells += 1;
            }
        }
    }
    // Its own is always among them; to the nearest step, not down.
    stored_height((sum + n_cells * HEIGHT_STEP / 2).div_euclid(n_cells.max(1)))
}
