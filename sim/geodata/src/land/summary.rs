//! What is kept of each region for far tiles: squares of 512 points, and of larger ones made of those.

use super::bounds::{Bounds, BoundsBuilder};
use super::columns::{Columns, Sheet, StepGrid};
use super::peaks::{Cliffs, Peaks, Square, peaks_and_ends};
use super::steps_of_world;
use crate::Geodata;
use ironlands_sim_regions::tiles::{LandMark, N_LEVELS};
use ironlands_sim_regions::{GeoCell, RegionId};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The finest level that is kept: squares of 32 x 32 cells.
pub(super) const FINEST: u8 = 5;
/// Squares of that level along a side of a region.
const N_SQUARES: usize = 64;
/// Levels that are kept.
const N_KEPT: usize = (N_LEVELS - FINEST) as usize;
/// Regions along a side of the grid.
const N_REGIONS: usize = 32;

/// By number of the region.
#[derive(Debug, Clone)]
pub(super) struct Summaries {
    regions: Vec<Option<Arc<Summary>>>,
}

/// A region; squares are x-major from the north-west, as cells are.
#[derive(Debug, Clone)]
struct Summary {
    /// What is seen, finest level first.
    levels: [Vec<Square>; N_KEPT],
    /// Smallest and largest height of all layers.
    z_range: Option<[i16; 2]>,
    /// Layers of the cell that has most of them.
    n_layers: u8,
    /// What rays pass over or below.
    bounds: Bounds,
}

impl Summaries {
    pub fn new(geodata: &Geodata) -> Self {
        let ids: Vec<RegionId> = geodata.regions().collect();
        let made: Vec<_> = ids
            .par_iter()
            .with_max_len(1)
            .map(|&id| (id, Arc::new(Summary::new(geodata, id))))
            .collect();
        let mut regions = vec![None; N_REGIONS * N_REGIONS];
        for (id, summary) in made {
            regions[id.index()] = Some(summary);
        }
        Self { regions }
    }

    /// The same with some regions looked at again.
    pub fn updated(&self, geodata: &Geodata, ids: &BTreeSet<RegionId>) -> Self {
        let made: Vec<_> = ids
            .par_iter()
            .map(|&id| {
                let is_there = geodata.has_region(id);
                (id, is_there.then(|| Arc::new(Summary::new(geodata, id))))
            })
            .collect();
        let mut regions = self.regions.clone();
        for (id, summary) in made {
            regions[id.index()] = summary;
        }
        Self { regions }
    }

    /// Smallest and largest height of all.
    pub fn z_range(&self) -> Option<[i16; 2]> {
        let regions = self.regions.iter().flatten();
        regions.filter_map(|it| it.z_range).reduce(around)
    }

    /// What a ray can hit in the region of a cell; `None` where no region is.
    #[inline]
    pub fn bounds(&self, cell: GeoCell) -> Option<&Bounds> {
        let summary = self.regions[cell.region().index()].as_ref()?;
        Some(&summary.bounds)
    }

    /// Layers of the cell that has most of them.
    pub fn n_layers(&self) -> u8 {
        let regions = self.regions.iter().flatten();
        regions.map(|it| it.n_layers).max().unwrap_or(0)
    }

    /// The columns of a tile of one of the levels that are kept, of whose squares `push` adds what is shown.
    pub fn columns(&self, grid: &StepGrid, push: impl Fn(&Square, &mut Vec<Sheet>)) -> Columns {
        let mut columns = Columns::empty(grid.side);
        let kept = usize::from(grid.level - FINEST);
        let side = N_SQUARES >> kept;
        let n_steps = steps_of_world(grid.level);
        for index in 0..grid.side * grid.side {
            let x = grid.first[0] + (index % grid.side) as i32;
            let y = n_steps - 1 - (grid.first[1] + (index / grid.side) as i32);
            let is_in_world = (0..n_steps).contains(&x) && (0..n_steps).contains(&y);
            if !is_in_world {
                continue;
            }
            let (x, y) = (x as usize, y as usize);
            if let Some(summary) = &self.regions[x / side * N_REGIONS + y / side] {
                let square = &summary.levels[kept][x % side * side + y % side];
                columns.set(index, |sheets| push(square, sheets));
            }
        }
        columns
    }
}

impl Summary {
    fn new(geodata: &Geodata, id: RegionId) -> Self {
        let side = N_SQUARES as i32;
        let first = [
            i32::from(id.x()) * side,
            steps_of_world(FINEST) - (i32::from(id.y()) + 1) * side,
        ];
        let grid = StepGrid {
            level: FINEST,
            first,
            side: N_SQUARES,
        };
        let mut bounds = BoundsBuilder::new(geodata, id);
        let peaks = peaks_and_ends(geodata, &grid, |corner, block, ends| {
            bounds.add(corner, block, ends);
        });
        let mut finest = Vec::with_capacity(peaks.len());
        for x in 0..N_SQUARES {
            for y in 0..N_SQUARES {
                // Rows of the grid come from the south.
                let peaks = &peaks[(N_SQUARES - 1 - y) * N_SQUARES + x];
                finest.extend(peaks.square());
            }
        }
        let n_layers = peaks.iter().map(Peaks::n_layers).max().unwrap_or(0);
        let mut levels = [const { Vec::new() }; N_KEPT];
        levels[0] = finest;
        for kept in 1..N_KEPT {
            levels[kept] = halved(&levels[kept - 1], N_SQUARES >> kept);
        }
        Self {
            levels,
            z_range: peaks.iter().filter_map(Peaks::range).reduce(around),
            n_layers,
            bounds: bounds.finish(),
        }
    }
}

/// Squares twice as large, `side` along a side.
fn halved(finer: &[Square], side: usize) -> Vec<Square> {
    let squares = (0..side).flat_map(|x| (0..side).map(move |y| (x, y)));
    let merged = squares.map(|(x, y)| {
        let at = |dx: usize, dy: usize| finer[(2 * x + dx) * 2 * side + 2 * y + dy];
        merge([[at(0, 0), at(0, 1)], [at(1, 0), at(1, 1)]])
    });
    merged.collect()
}

/// Four squares as one: `[west, east]`, each `[north, south]`.
fn merge(squares: [[Square; 2]; 2]) -> Square {
    let ground = merge_sheets(squares.map(|column| column.map(|square| square.ground)));
    let top = merge_sheets(squares.map(|column| column.map(|square| *square.highest())));
    Square {
        ground,
        top: (top.z > ground.z).then_some(top),
    }
}

/// As high as the highest of four.
fn merge_sheets(sheets: [[Sheet; 2]; 2]) -> Sheet {
    let [[north_west, south_west], [north_east, south_east]] = sheets;
    let higher = |a: Sheet, b: Sheet| if b.z > a.z { b } else { a };
    let highest = higher(
        higher(north_west, south_west),
        higher(north_east, south_east),
    );
    // A side is open where half of it is: one of its two squares. East 1, west 2, south 4, north 8.
    let open = |a: Sheet, b: Sheet, side: u8| (a.open_sides | b.open_sides) & side;
    Sheet {
        open_sides: open(north_east, south_east, 1)
            | open(north_west, south_west, 2)
            | open(south_west, south_east, 4)
            | open(north_west, north_east, 8),
        mark: most_common(sheets.as_flattened()),
        cliffs: merge_cliffs(sheets.map(|column| column.map(|sheet| sheet.cliffs))),
        ..highest
    }
}

fn merge_cliffs(squares: [[Cliffs; 2]; 2]) -> Cliffs {
    let [[north_west, south_west], [north_east, south_east]] = squares;
    let inside = squares.as_flattened().iter().map(|it| it.inside).max();
    let between = [
        north_west.east,
        south_west.east,
        north_west.south,
        north_east.south,
    ];
    Cliffs {
        inside: between.into_iter().chain(inside).max().unwrap_or(0),
        east: north_east.east.max(south_east.east),
        south: south_west.south.max(south_east.south),
    }
}

/// What most squares are; of two the one that is more.
fn most_common(squares: &[Sheet]) -> LandMark {
    let n_of = |mark: LandMark| squares.iter().filter(|it| it.mark == mark).count();
    let marks = squares.iter().map(|it| it.mark);
    marks
        .max_by_key(|&mark| (n_of(mark), mark))
        .unwrap_or(LandMark::Flat)
}

fn around(a: [i16; 2], b: [i16; 2]) -> [i16; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}
