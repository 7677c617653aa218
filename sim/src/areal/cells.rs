//! Grids that narrow the choice of areals: that of the file, and our own over all outlines.

use super::{ArealError, Outline};
use glam::Vec2;
use ironlands_assets_loader::parkan::land_map::LandMap;

/// Cells a side of our own grid, at most; as many as known files have.
const MAX_CELLS: u32 = 128;
/// Entries an areal of our own grid, at most; beyond it cells are made larger.
const ENTRIES_PER_AREAL: u64 = 64;

/// Lists of areals by cell, end to end.
#[derive(Debug, Clone)]
pub(super) struct CellLists {
    min: Vec2,
    max: Vec2,
    n: [u32; 2],
    /// List of cell `x * n[1] + y` is `areals[starts[cell]..starts[cell + 1]]`.
    starts: Vec<u32>,
    areals: Vec<u32>,
}

impl CellLists {
    /// The lists of the file, laid over a rectangle.
    pub fn of_file(map: &LandMap, (min, max): (Vec2, Vec2)) -> Result<Self, ArealError> {
        let LandMap {
            cells_x,
            cells_y,
            ref cells,
            ref areals,
            ..
        } = *map;
        if cells.len() as u64 != u64::from(cells_x) * u64::from(cells_y) {
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
        let lists = cells.iter().map(|list| list.iter().copied().map(u32::from));
        Ok(Self {
            min,
            max,
            n: [cells_x, cells_y],
            starts: Vec::new(),
            areals: Vec::new(),
        }
        .with_lists(lists))
    }

    /// Every outline in all cells that its bounds touch, ascending.
    pub fn over(outlines: &[Outline]) -> Self {
        let sound = || {
            outlines
                .iter()
                .enumerate()
                .filter(|(_, outline)| outline.min.cmple(outline.max).all())
        };
        let min = sound()
            .map(|(_, outline)| outline.min)
            .reduce(Vec2::min)
            .unwrap_or(Vec2::ZERO);
        let max = sound()
            .map(|(_, outline)| outline.max)
            .reduce(Vec2::max)
            .unwrap_or(Vec2::ZERO);
        let mut side = (outlines.len() as f64)
            .sqrt()
            .ceil()
            .clamp(1.0, f64::from(MAX_CELLS)) as u32;
        let mut grid = Self {
            min,
            max,
            n: [side; 2],
            starts: Vec::new(),
            areals: Vec::new(),
        };
        // Many outlines over everything: a hostile file could ask for areals x cells entries.
        while side > 1 && grid.n_entries(sound()) > ENTRIES_PER_AREAL * outlines.len() as u64 {
            side = side.div_ceil(2);
            grid.n = [side; 2];
        }
        let mut lists = vec![Vec::new(); side as usize * side as usize];
        for (areal, outline) in sound() {
            let ([low_x, low_y], [high_x, high_y]) =
                (grid.cell_of(outline.min), grid.cell_of(outline.max));
            for x in low_x..=high_x {
                for y in low_y..=high_y {
                    lists[grid.cell_index([x, y])].push(areal as u32);
                }
            }
        }
        grid.with_lists(lists)
    }

    /// Smallest and largest x, y.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        (self.min, self.max)
    }

    /// List of the cell of a finite point; points outside use the nearest cell (dossier section 5.4).
    pub fn at(&self, point: Vec2) -> &[u32] {
        if self.areals.is_empty() {
            return &[];
        }
        let cell = self.cell_index(self.cell_of(point));
        &self.areals[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    fn with_lists(
        mut self,
        lists: impl IntoIterator<Item = impl IntoIterator<Item = u32>>,
    ) -> Self {
        self.starts.push(0);
        for list in lists {
            self.areals.extend(list);
            self.starts.push(self.areals.len() as u32);
        }
        self
    }

    fn n_entries<'a>(&self, outlines: impl Iterator<Item = (usize, &'a Outline)>) -> u64 {
        let cells_of = |outline: &Outline| {
            let ([low_x, low_y], [high_x, high_y]) =
                (self.cell_of(outline.min), self.cell_of(outline.max));
            u64::from(high_x - low_x + 1) * u64::from(high_y - low_y + 1)
        };
        outlines.map(|(_, outline)| cells_of(outline)).sum()
    }

    /// Never falls while a coordinate grows, rounding included: a point within the bounds of an outline is in a
    /// cell between those of their corners, and no margin is needed.
    fn cell_of(&self, point: Vec2) -> [u32; 2] {
        [0, 1].map(|axis| {
            let extent = f64::from(self.max[axis]) - f64::from(self.min[axis]);
            let share = (f64::from(point[axis]) - f64::from(self.min[axis])) / extent;
            // A float cast saturates and makes 0 of the NaN of an empty extent.
            let cell = (share * f64::from(self.n[axis])) as u32;
            cell.min(self.n[axis] - 1)
        })
    }

    fn cell_index(&self, [x, y]: [u32; 2]) -> usize {
        x as usize * self.n[1] as usize + y as usize
    }
}
