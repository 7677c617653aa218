//! What is kept of each region for far tiles: squares of 512 points, and of larger ones made of those.

use super::columns::{Columns, Sheet, StepGrid};
use super::peaks::{Cliffs, Peaks, Square, peaks};
use super::steps_of_world;
use crate::Geodata;
use ironlands_sim_regions::tiles::{LandMark, N_LEVELS};
use ironlands_sim_regions::{GeoCell, RegionId};
use rayon::prelude::*;

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
    regions: Vec<Option<Box<Summary>>>,
}

/// A region; squares are x-major from the north-west, as cells are.
#[derive(Debug, Clone)]
struct Summary {
    /// What is seen, finest level first.
    levels: [Vec<Square>; N_KEPT],
    /// Smallest and largest height of all layers in each of the finest squares.
    own: Vec<[i16; 2]>,
    /// Layers of the cell that has most of them.
    n_layers: u8,
    /// The same with the four squares beside it: nothing in it and no wall at its sides is outside of this.
    solid: Vec<[i16; 2]>,
}

impl Summaries {
    pub fn new(geodata: &Geodata) -> Self {
        let ids: Vec<RegionId> = geodata.regions().collect();
        let made: Vec<_> = ids
            .par_iter()
            .with_max_len(1)
            .map(|&id| (id, Box::new(Summary::new(geodata, id))))
            .collect();
        let mut regions = vec![None; N_REGIONS * N_REGIONS];
        for (id, summary) in made {
            regions[id.index()] = Some(summary);
        }
        let mut summaries = Self { regions };
        for id in ids {
            let solid = summaries.solid_of(id);
            if let Some(summary) = &mut summaries.regions[id.index()] {
                summary.solid = solid;
            }
        }
        summaries
    }

    /// Smallest and largest height of all.
    pub fn z_range(&self) -> Option<[i16; 2]> {
        let ranges = self.regions.iter().flatten().flat_map(|it| &it.own);
        ranges.copied().reduce(around)
    }

    /// Smallest and largest height of all that a ray can meet in the 32 x 32 cells around a cell and at their sides;
    /// `None` where no region is.
    #[inline]
    pub fn solid(&self, cell: GeoCell) -> Option<[i16; 2]> {
        let summary = self.regions[cell.region().index()].as_ref()?;
        let along = |at: u16| usize::from(at >> FINEST) % N_SQUARES;
        Some(summary.solid[along(cell.x) * N_SQUARES + along(cell.y)])
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

    fn solid_of(&self, id: RegionId) -> Vec<[i16; 2]> {
        let squares = (0..N_SQUARES).flat_map(|x| (0..N_SQUARES).map(move |y| (x, y)));
        let (first_x, first_y) = (
            usize::from(id.x()) * N_SQUARES,
            usize::from(id.y()) * N_SQUARES,
        );
        let of_square = |(x, y): (usize, usize)| {
            let (x, y) = (first_x + x, first_y + y);
            let beside = [
                Some((x, y)),
                Some((x + 1, y)),
                Some((x, y + 1)),
                x.checked_sub(1).map(|x| (x, y)),
                y.checked_sub(1).map(|y| (x, y)),
            ];
            let ranges = beside.into_iter().flatten();
            ranges
                .filter_map(|(x, y)| self.own(x, y))
                .reduce(around)
                .unwrap_or([i16::MIN, i16::MAX])
        };
        squares.map(of_square).collect()
    }

    /// Of a square by its place in the world.
    fn own(&self, x: usize, y: usize) -> Option<[i16; 2]> {
        let (region_x, region_y) = (x / N_SQUARES, y / N_SQUARES);
        if region_x >= N_REGIONS || region_y >= N_REGIONS {
            return None;
        }
        let summary = self.regions[region_x * N_REGIONS + region_y].as_ref()?;
        Some(summary.own[x % N_SQUARES * N_SQUARES + y % N_SQUARES])
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
        let peaks = peaks(geodata, &grid);
        let mut finest = Vec::with_capacity(peaks.len());
        let mut own = Vec::with_capacity(peaks.len());
        for x in 0..N_SQUARES {
            for y in 0..N_SQUARES {
                // Rows of the grid come from the south.
                let peaks = &peaks[(N_SQUARES - 1 - y) * N_SQUARES + x];
                finest.extend(peaks.square());
                own.extend(peaks.range());
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
            own,
            n_layers,
            solid: Vec::new(),
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
