//! Grids that narrow the choice of areals: that of the file, and our own over all outlines.

use super::lists::list_of;
use super::outlines::Outlines;
use super::{ArealError, ArealMap};
use glam::{DVec2, Vec2};

/// Cells a side of our own grid, at most; as many as known files have.
const MAX_CELLS: u32 = 128;
/// Entries an areal of our own grid, at most; beyond it cells are made larger.
const ENTRIES_PER_AREAL: u64 = 64;
/// Entries of our own grid, at most, however many areals there are.
const MAX_ENTRIES: u64 = 1 << 28;
/// Cells an areal that the file's grid is split into, at least.
const CELLS_PER_AREAL: u64 = 16;
/// Entries a cell of the split grid that are worth their memory; beyond them it keeps the lists of the file.
const ENTRIES_PER_CELL: u64 = 16;
/// Edges that are held against cells while the file's grid is prepared, at most; about a tenth of a second.
const MAX_EDGE_TESTS: u64 = 1 << 25;
/// Bit of an entry: the areal holds the whole cell.
const WHOLE: u32 = 1 << 31;

/// A rectangle cut into cells. All of the plane is in some cell: what lies outside is in the nearest one (dossier
/// section 5.4). A rectangle without a finite extent has one cell in that axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    min: Vec2,
    max: Vec2,
    n: [u32; 2],
    /// Cells a unit, by axis; 0 where there is one cell only.
    scale: [f64; 2],
}

/// Lists of areals by cell, end to end.
#[derive(Debug, Clone)]
pub(super) struct CellLists {
    grid: Grid,
    /// Entries of cell `x * n[1] + y` are `entries[starts[cell]..starts[cell + 1]]`.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

/// What the lists of the file's grid say.
pub(super) struct FileCells {
    pub lists: CellLists,
    /// Whether each list names every areal that has a part of the cell: those of the file first, in its order, then
    /// the others, ascending. Otherwise they are the file's own lists.
    pub are_complete: bool,
}

/// How a cell lies to an areal.
enum Cover {
    Apart,
    Partly,
    Whole,
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; there are two axes with a cell at least, and cells come from `cell_of`"
)]
impl Grid {
    fn new((min, max): (Vec2, Vec2), n: [u32; 2]) -> Self {
        let scale = [0, 1].map(|axis| {
            let extent = f64::from(max[axis]) - f64::from(min[axis]);
            if extent > 0.0 && extent.is_finite() {
                f64::from(n[axis]) / extent
            } else {
                0.0
            }
        });
        Self { min, max, n, scale }
    }

    /// Cell of a finite point. Never falls while a coordinate grows, rounding included: a point within the bounds
    /// of an outline is in a cell between those of their corners, and no margin is needed.
    #[inline]
    pub fn cell_of(&self, point: Vec2) -> [u32; 2] {
        [0, 1].map(|axis| {
            let from_min = f64::from(point[axis]) - f64::from(self.min[axis]);
            // A float cast saturates and makes 0 of the NaN of an infinite corner.
            let cell = (from_min * self.scale[axis]) as u32;
            cell.min(self.n[axis] - 1)
        })
    }

    /// Cells in x and y.
    pub fn n_cells(&self) -> [u32; 2] {
        self.n
    }

    /// Where cell `cell` begins in an axis.
    pub fn border(&self, axis: usize, cell: u32) -> f64 {
        f64::from(self.min[axis]) + f64::from(cell) / self.scale[axis]
    }

    /// Smallest and largest x, y.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        (self.min, self.max)
    }

    #[inline]
    fn index(&self, [x, y]: [u32; 2]) -> usize {
        x as usize * self.n[1] as usize + y as usize
    }

    /// Number of cells.
    fn n_all(&self) -> u64 {
        n_all(self.n)
    }

    /// Number of cells that a rectangle touches.
    fn n_touched(&self, (min, max): (Vec2, Vec2)) -> u64 {
        let ([low_x, low_y], [high_x, high_y]) = (self.cell_of(min), self.cell_of(max));
        u64::from(high_x - low_x + 1) * u64::from(high_y - low_y + 1)
    }

    /// Cells that a rectangle touches.
    fn touched(&self, (min, max): (Vec2, Vec2)) -> impl Iterator<Item = [u32; 2]> {
        let ([low_x, low_y], [high_x, high_y]) = (self.cell_of(min), self.cell_of(max));
        (low_x..=high_x).flat_map(move |x| (low_y..=high_y).map(move |y| [x, y]))
    }

    /// Corners of a cell; the outer cells have no end.
    fn corners(&self, cell: [u32; 2]) -> (DVec2, DVec2) {
        let low = [0, 1].map(|axis| match cell[axis] {
            0 => f64::NEG_INFINITY,
            _ => self.border(axis, cell[axis]),
        });
        let high = [0, 1].map(|axis| {
            if cell[axis] + 1 == self.n[axis] {
                f64::INFINITY
            } else {
                self.border(axis, cell[axis] + 1)
            }
        });
        (low.into(), high.into())
    }

    /// How a cell lies to an areal, with a margin that no rounding exceeds: all points of a cell that is apart or
    /// whole get the same result from [`Outlines::contains`].
    fn cover(&self, cell: [u32; 2], outlines: &Outlines, areal: u32) -> Cover {
        let Some((min, max)) = outlines.bounds(areal) else {
            return Cover::Apart;
        };
        let (low, high) = self.corners(cell);
        let is_finite = low.is_finite() && high.is_finite();
        let grid_corners = [self.min, self.max].map(|corner| corner.abs().max_element());
        let largest =
            (min.abs().max(max.abs()).max_element()).max(grid_corners[0].max(grid_corners[1]));
        let margin = DVec2::splat(f64::from(largest) * 1e-6);
        let (low, high) = (low - margin, high + margin);
        let mut edges = outlines.edges(areal);
        if edges.any(|(_, a, b)| segment_meets_box(a.as_dvec2(), b.as_dvec2(), low, high)) {
            return Cover::Partly;
        }
        // No border in the cell, so one point speaks for all. An outer cell is never inside of an outline.
        if is_finite && outlines.contains(areal, ((low + high) * 0.5).as_vec2()) {
            Cover::Whole
        } else {
            Cover::Apart
        }
    }
}

fn n_all([n_x, n_y]: [u32; 2]) -> u64 {
    u64::from(n_x).saturating_mul(n_y.into())
}

/// Whether a segment has a point in a closed box; if in doubt, yes.
fn segment_meets_box(a: DVec2, b: DVec2, low: DVec2, high: DVec2) -> bool {
    if a.max(b).cmplt(low).any() || a.min(b).cmpgt(high).any() {
        return false;
    }
    let (half, along) = ((high - low) * 0.5, b - a);
    let from_middle = along.perp_dot((low + high) * 0.5 - a).abs();
    let is_beside = from_middle > along.x.abs() * half.y + along.y.abs() * half.x;
    !is_beside // infinite boxes make NaN, which is doubt
}

impl CellLists {
    /// The file's grid over a rectangle, its lists completed from the outlines where that is not out of proportion.
    pub fn from_file(
        map: &ArealMap,
        bounds: (Vec2, Vec2),
        outlines: &Outlines,
    ) -> Result<FileCells, ArealError> {
        check_cells(map)?;
        let (split, n_split) = split_of(map);
        let grid = Grid::new(bounds, n_split);
        let mut n_entries = 0;
        let mut n_edge_tests = 0_u64;
        for (areal, bounds) in outlines.valid() {
            let n_touched = grid.n_touched(bounds);
            n_entries = n_touched.saturating_add(n_entries);
            n_edge_tests = n_edge_tests
                .saturating_add(n_touched.saturating_mul(outlines.outline(areal).len() as u64));
        }
        let enough_of_areals = ENTRIES_PER_AREAL.saturating_mul(outlines.n_areals() as u64);
        let enough_of_cells = ENTRIES_PER_CELL.saturating_mul(grid.n_all());
        let enough = enough_of_areals.saturating_add(enough_of_cells);
        let are_complete = n_entries <= enough && n_edge_tests <= MAX_EDGE_TESTS;
        let lists = if are_complete {
            Self::from_pairs(grid, &grid.pairs(outlines)).in_order_of(map, split)
        } else {
            let grid = Grid::new(bounds, [map.cells_x, map.cells_y]);
            let lists = map.cells.iter();
            Self::from_lists(grid, lists.map(|list| list.iter().copied().map(u32::from)))
        };
        Ok(FileCells {
            lists,
            are_complete,
        })
    }

    /// Every outline in all cells that its bounds touch, ascending.
    pub fn from_outlines(outlines: &Outlines) -> Self {
        let bounds = outlines.valid().map(|(_, bounds)| bounds);
        let bounds = bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let n_areals = outlines.n_areals();
        let mut side = (n_areals as f64)
            .sqrt()
            .ceil()
            .clamp(1.0, f64::from(MAX_CELLS)) as u32;
        let grid_of = |side| Grid::new(bounds.unwrap_or_default(), [side; 2]);
        let n_entries = |grid: Grid| -> u64 {
            let touched = outlines.valid().map(|(_, bounds)| grid.n_touched(bounds));
            touched.sum()
        };
        // Many outlines over everything: a hostile file could require areals x cells entries.
        let enough = ENTRIES_PER_AREAL.saturating_mul(n_areals as u64);
        let enough = enough.min(MAX_ENTRIES);
        while side > 1 && n_entries(grid_of(side)) > enough {
            side = side.div_ceil(2);
        }
        let grid = grid_of(side);
        let valid = outlines.valid();
        let pairs = valid.flat_map(|(areal, bounds)| {
            grid.touched(bounds)
                .map(move |cell| (grid.index(cell), areal))
        });
        Self::from_pairs(grid, &pairs.collect::<Vec<_>>())
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Entries of the cell of a finite point: areals, and whether each holds the whole cell.
    #[inline]
    pub fn at(&self, point: Vec2) -> impl Iterator<Item = (u32, bool)> {
        self.in_cell(self.grid.cell_of(point))
    }

    /// Entries of a cell.
    #[inline]
    pub fn in_cell(&self, cell: [u32; 2]) -> impl Iterator<Item = (u32, bool)> {
        let entries = self.entries_of(self.grid.index(cell));
        entries
            .iter()
            .map(|entry| (entry & !WHOLE, entry & WHOLE != 0))
    }

    #[inline]
    fn entries_of(&self, cell: usize) -> &[u32] {
        list_of(&self.entries, &self.starts, cell)
    }

    /// Lists of pairs of cell and entry; those of one cell keep their order.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "the pairs are of the grid's own cells, which are counted first; their number is limited"
    )]
    fn from_pairs(grid: Grid, pairs: &[(usize, u32)]) -> Self {
        let n_cells = grid.n_all() as usize;
        let mut starts = vec![0_u32; n_cells + 1];
        for (cell, _) in pairs {
            starts[cell + 1] += 1;
        }
        for cell in 0..n_cells {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut entries = vec![0; pairs.len()];
        for &(cell, entry) in pairs {
            entries[next[cell] as usize] = entry;
            next[cell] += 1;
        }
        Self {
            grid,
            starts,
            entries,
        }
    }

    fn from_lists(grid: Grid, lists: impl Iterator<Item = impl IntoIterator<Item = u32>>) -> Self {
        let mut starts = vec![0];
        let mut entries = Vec::new();
        for list in lists {
            entries.extend(list);
            starts.push(entries.len() as u32);
        }
        Self {
            grid,
            starts,
            entries,
        }
    }

    /// The same ascending lists with what the file lists first, in its order; `split` parts a side are one cell of
    /// the file.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "the file has a list for each cell of its grid, of which this one is `split` times as fine"
    )]
    fn in_order_of(&self, map: &ArealMap, split: u32) -> Self {
        let mut is_taken = Vec::new();
        let n_y = self.grid.n[1] as usize;
        let split = split as usize;
        let lists = (0..self.starts.len() - 1).map(|cell| {
            let [x, y] = [cell / n_y, cell % n_y];
            let listed = &map.cells[x / split * (n_y / split) + y / split];
            let known = self.entries_of(cell);
            is_taken.clear();
            is_taken.resize(known.len(), false);
            let mut list = Vec::with_capacity(known.len());
            for &areal in listed {
                let place = known.binary_search_by_key(&u32::from(areal), |entry| entry & !WHOLE);
                if let Ok(i) = place
                    && !std::mem::replace(&mut is_taken[i], true)
                {
                    list.push(known[i]);
                }
            }
            let others = known
                .iter()
                .zip(&is_taken)
                .filter(|(_, is_taken)| !**is_taken);
            list.extend(others.map(|(entry, _)| *entry));
            list
        });
        Self::from_lists(self.grid, lists)
    }
}

impl Grid {
    /// Cell and entry of every areal in every cell that it has a part of, areals ascending.
    fn pairs(&self, outlines: &Outlines) -> Vec<(usize, u32)> {
        let mut pairs = Vec::new();
        for (areal, bounds) in outlines.valid() {
            for cell in self.touched(bounds) {
                match self.cover(cell, outlines, areal) {
                    Cover::Apart => {}
                    Cover::Partly => pairs.push((self.index(cell), areal)),
                    Cover::Whole => pairs.push((self.index(cell), areal | WHOLE)),
                }
            }
        }
        pairs
    }
}

/// Parts a side that each cell of the file is split into, so that most are whole or apart, and the cells that this
/// makes in x and y. A power of two: a part lies in its cell to the bit.
fn split_of(map: &ArealMap) -> (u32, [u32; 2]) {
    let n_wanted = CELLS_PER_AREAL.saturating_mul(map.areals.len() as u64);
    let mut split = 1_u32;
    let mut n = [map.cells_x, map.cells_y];
    while n_all(n) < n_wanted
        && let [Some(x), Some(y)] = n.map(|n| n.checked_mul(2))
    {
        (split, n) = (split.saturating_mul(2), [x, y]);
    }
    (split, n)
}

/// Whether the grid has as many lists as cells, and the lists name existing areals.
fn check_cells(map: &ArealMap) -> Result<(), ArealError> {
    let ArealMap {
        cells_x,
        cells_y,
        ref cells,
        ref areals,
    } = *map;
    if cells.len() as u64 != n_all([cells_x, cells_y]) || cells.is_empty() {
        return Err(ArealError::CellCount {
            n_lists: cells.len(),
            cells_x,
            cells_y,
        });
    }
    let n_areals = areals.len();
    for (cell, list) in cells.iter().enumerate() {
        if let Some(&areal) = list.iter().find(|&&areal| usize::from(areal) >= n_areals) {
            return Err(ArealError::CellArealOutOfRange {
                cell,
                areal,
                n_areals,
            });
        }
    }
    Ok(())
}
