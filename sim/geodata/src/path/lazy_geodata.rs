//! Geodata whose regions are loaded when a search reaches them.

use crate::step::neighbor;
use crate::{Geodata, RegionPack};
use ironlands_sim_regions::{CELLS_PER_REGION_SIDE, GeoCell, RegionId};
use std::sync::Arc;

/// Regions by number, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RegionSet([u64; 16]);

impl RegionSet {
    pub(super) fn insert(&mut self, id: RegionId) {
        self.0[id.index() / 64] |= 1 << (id.index() % 64);
    }

    fn remove(&mut self, id: RegionId) {
        self.0[id.index() / 64] &= !(1 << (id.index() % 64));
    }

    fn has(&self, id: RegionId) -> bool {
        self.0[id.index() / 64] >> (id.index() % 64) & 1 != 0
    }

    fn is_empty(&self) -> bool {
        self.0 == [0; 16]
    }

    /// A region of the set that a step from a cell may lead to.
    #[inline]
    pub(super) fn beside(&self, cell: GeoCell) -> Option<RegionId> {
        const LAST: u16 = CELLS_PER_REGION_SIDE as u16 - 1;
        let is_rim = |at: u16| at & LAST == 0 || at & LAST == LAST;
        if !is_rim(cell.x) && !is_rim(cell.y) {
            return None;
        }
        self.around(cell, 1)
    }

    /// A region of the set within a square of cells or right beside it.
    fn around(&self, first: GeoCell, side: u16) -> Option<RegionId> {
        let side = i32::from(side);
        let corners = [(-1, -1), (side, -1), (-1, side), (side, side)];
        let cells = corners.into_iter().filter_map(|(dx, dy)| {
            // Over the edge of the grid nothing is; what is beside that corner still counts.
            neighbor(first, dx, dy)
                .or_else(|| neighbor(first, dx.max(0), dy))
                .or_else(|| neighbor(first, dx, dy.max(0)))
        });
        let mut regions = cells.chain([first]).map(GeoCell::region);
        regions.find(|&region| self.has(region))
    }
}

/// Loaded regions, and a function that loads others.
pub struct LazyGeodata<'a> {
    geodata: Geodata,
    pending: RegionSet,
    /// Not needed where nothing is pending.
    load: Option<&'a mut dyn FnMut(RegionId) -> Option<Arc<RegionPack>>>,
    n_loaded: usize,
}

impl<'a> LazyGeodata<'a> {
    /// Starts without any region. `load` is called at most once for each of these regions, when a search reaches it;
    /// where it has none, no region is.
    pub fn new(
        regions: impl IntoIterator<Item = RegionId>,
        load: &'a mut dyn FnMut(RegionId) -> Option<Arc<RegionPack>>,
    ) -> Self {
        let mut pending = RegionSet::default();
        regions.into_iter().for_each(|id| pending.insert(id));
        Self {
            geodata: Geodata::default(),
            pending,
            load: Some(load),
            n_loaded: 0,
        }
    }

    /// What is loaded.
    pub fn geodata(&self) -> &Geodata {
        &self.geodata
    }

    /// Regions that were loaded.
    pub fn n_loaded(&self) -> usize {
        self.n_loaded
    }

    pub(super) fn pending(&self) -> RegionSet {
        self.pending
    }

    /// Loads a region if it is there and was not loaded.
    pub(super) fn ensure_region(&mut self, id: RegionId) {
        if !self.pending.has(id) {
            return;
        }
        self.pending.remove(id);
        if let Some(pack) = self.load.as_mut().and_then(|load| load(id)) {
            self.geodata = self.geodata.with_region(id, pack);
            self.n_loaded += 1;
        }
    }

    /// Loads what a square of cells and the steps out of it touch.
    pub(super) fn ensure_around(&mut self, first: GeoCell, side: u16) {
        if self.pending.is_empty() {
            return;
        }
        while let Some(id) = self.pending.around(first, side) {
            self.ensure_region(id);
        }
    }

    /// Loads all.
    pub(super) fn ensure_all(&mut self) {
        let ids = (0..32).flat_map(|x| (0..32).filter_map(move |y| RegionId::new(x, y)));
        ids.for_each(|id| self.ensure_region(id));
    }
}

/// Geodata that is completely loaded.
impl From<&Geodata> for LazyGeodata<'_> {
    fn from(geodata: &Geodata) -> Self {
        Self {
            geodata: geodata.clone(),
            pending: RegionSet::default(),
            load: None,
            n_loaded: 0,
        }
    }
}
