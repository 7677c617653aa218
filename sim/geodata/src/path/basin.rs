//! All positions from which a goal can be reached, found backward, cell by cell.
//!
//! Goals that cannot be reached mostly lie in small basins: a closed yard, a roof. One that is found whole, without the
//! start in it, shows that the goal cannot be reached.

use super::lazy_geodata::LazyGeodata;
use super::search::KeyHasher;
use crate::Profile;
use crate::pack::BlockView;
use crate::step::{DIRECTIONS, GroundPosition, Steps, neighbor};
use ironlands_sim_regions::{GeoCell, Nswe};
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;

/// What is known of a basin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// There may be more of it.
    Part,
    /// It is known whole, and the start is not in it.
    WithoutStart,
    /// The start is in it.
    WithStart,
}

/// A part of the basin of a goal, which grows.
#[derive(Debug)]
pub(super) struct Basin {
    start: (GeoCell, u8),
    /// Cells of each layer of a block, a bit each.
    cells: HashMap<u64, u64, BuildHasherDefault<KeyHasher>>,
    /// Places whose surroundings were not looked at.
    open: VecDeque<(GeoCell, u8)>,
    known: Known,
    n_cells: u32,
}

impl Basin {
    pub(super) fn new(start: &GroundPosition, goal: &GroundPosition) -> Self {
        let mut basin = Self {
            start: (start.cell, start.layer),
            cells: HashMap::default(),
            open: VecDeque::new(),
            known: Known::Part,
            n_cells: 0,
        };
        basin.add(goal.cell, goal.layer);
        basin
    }

    /// Cells whose surroundings were looked at.
    pub(super) fn n_cells(&self) -> u32 {
        self.n_cells
    }

    /// Searches until this number of cells are done in all, or there is nothing more to know.
    pub(super) fn grow(
        &mut self,
        ground: &mut LazyGeodata<'_>,
        profile: Profile,
        n_cells: u32,
    ) -> Known {
        let mut stands = Vec::new();
        while self.known == Known::Part && self.n_cells < n_cells {
            // A load makes another geodata.
            let geodata = ground.geodata().clone();
            let mut steps = Steps::new(&geodata, profile);
            while self.known == Known::Part && self.n_cells < n_cells {
                let Some(&(cell, layer)) = self.open.front() else {
                    self.known = Known::WithoutStart;
                    break;
                };
                if let Some(region) = ground.pending().beside(cell) {
                    ground.ensure_region(region);
                    break;
                }
                self.open.pop_front();
                self.n_cells += 1;
                self.look_around(&mut steps, cell, layer, &mut stands);
            }
        }
        self.known
    }

    /// Adds all places from which a step leads to a layer of a cell.
    fn look_around(
        &mut self,
        steps: &mut Steps<'_>,
        cell: GeoCell,
        layer: u8,
        stands: &mut Vec<GroundPosition>,
    ) {
        for (dx, dy) in DIRECTIONS {
            let Some(from) = neighbor(cell, -dx, -dy) else {
                continue;
            };
            stands_of(steps, from, stands);
            for stand in stands.iter() {
                if !self.has(from, stand.layer)
                    && steps
                        .step(stand, dx, dy)
                        .is_ok_and(|end| end.layer == layer)
                {
                    self.add(from, stand.layer);
                }
            }
        }
    }

    fn has(&self, cell: GeoCell, layer: u8) -> bool {
        let cells = self.cells.get(&key(cell, layer));
        cells.is_some_and(|cells| cells >> cell.cell_index() & 1 != 0)
    }

    fn add(&mut self, cell: GeoCell, layer: u8) {
        *self.cells.entry(key(cell, layer)).or_default() |= 1 << cell.cell_index();
        self.open.push_back((cell, layer));
        if (cell, layer) == self.start {
            self.known = Known::WithStart;
        }
    }
}

/// A layer of a block.
fn key(cell: GeoCell, layer: u8) -> u64 {
    u64::from(cell.x >> 3) << 32 | u64::from(cell.y >> 3) << 16 | u64::from(layer)
}

/// All layers of a cell, in place of what was there.
fn stands_of(steps: &mut Steps<'_>, cell: GeoCell, stands: &mut Vec<GroundPosition>) {
    stands.clear();
    let at = u32::from(cell.cell_index());
    match steps.block(cell) {
        None => {}
        Some(BlockView::Flat { high, .. }) => stands.push(GroundPosition {
            cell,
            z: i32::from(*high),
            layer: 0,
            nswe: Nswe::ALL_SIDES,
        }),
        Some(block) => block.layers_up(at, |layer| {
            stands.push(GroundPosition {
                cell,
                z: layer.z,
                layer: layer.index,
                nswe: block.nswe(at, layer.index),
            });
            true
        }),
    }
}
