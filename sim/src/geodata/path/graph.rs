//! All tiles as a graph of zones, and which of them lead to which.

use super::scc::strong_components;
use super::zones::{self, Departure, Exit, TILE_CELLS, TILES_PER_SIDE, TileId, TileZones};
use crate::geodata::step::{Stand, neighbour};
use crate::geodata::{GeoPoint, Geodata, GeodataError, Profile};
use ironlands_assets_loader::lineage2::{GeoCell, RegionId};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// No tile.
const NO_TILE: u32 = u32::MAX;

/// The zones of all loaded regions for one profile. Immutable; belongs to the geodata that it was built from.
#[derive(Debug, Clone)]
pub struct NavGraph {
    profile: Profile,
    generation: u64,
    tiles: Vec<TileEntry>,
    /// Place in `tiles` by tile.
    places: Box<[u32]>,
    /// Component of each zone; a zone that leads to another has no lower one. Empty until asked for after an edit.
    components: Arc<[u32]>,
    n_components: u32,
}

#[derive(Debug, Clone)]
struct TileEntry {
    id: TileId,
    /// Number of its first zone among all.
    first_zone: u32,
    zones: Arc<TileZones>,
}

/// What a graph holds and takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NavMemory {
    /// Zones of all tiles.
    pub n_zones: usize,
    /// Steps between them that are kept.
    pub n_exits: usize,
    /// Sets of zones that lead to each other; 0 where they are not known.
    pub n_components: usize,
    /// Bytes of all that.
    pub n_bytes: usize,
}

impl NavGraph {
    /// The graph of all loaded regions, on all threads; a second or two a region on one.
    pub fn new(geodata: &Geodata, profile: &Profile) -> Self {
        let tiles: Vec<TileId> = geodata.regions().flat_map(tiles_of).collect();
        let old = Self {
            profile: *profile,
            generation: geodata.generation(),
            tiles: Vec::new(),
            places: vec![NO_TILE; (TILES_PER_SIDE * TILES_PER_SIDE) as usize].into(),
            components: Arc::from([]),
            n_components: 0,
        };
        old.rebuilt(geodata, &tiles).with_components()
    }

    /// The graph after edits of the blocks that hold these cells: only their tiles and those around are built anew.
    ///
    /// Components are left out until [`with_components`](Self::with_components); without them reachability is found
    /// by a flood over zones, and is as exact.
    #[must_use]
    pub fn with_changes(
        &self,
        geodata: &Geodata,
        changed: impl IntoIterator<Item = GeoCell>,
    ) -> Self {
        let mut tiles = BTreeSet::new();
        for cell in changed {
            let first = TileId::of(cell).first_cell();
            for dx in [-1, 0, 1] {
                for dy in [-1, 0, 1] {
                    let side = i32::from(TILE_CELLS);
                    tiles.extend(neighbour(first, dx * side, dy * side).map(TileId::of));
                }
            }
        }
        let tiles: Vec<TileId> = tiles.into_iter().collect();
        self.rebuilt(geodata, &tiles)
    }

    fn rebuilt(&self, geodata: &Geodata, tiles: &[TileId]) -> Self {
        let built = tiles
            .par_iter()
            .map(|&tile| (tile, zones::build(geodata, self.profile, tile)));
        let built: Vec<_> = built.collect();
        let new: HashMap<TileId, &TileZones> = built
            .iter()
            .filter_map(|(tile, built)| Some((*tile, &built.as_ref()?.0)))
            .collect();
        let zone_of = |departure: &Departure| {
            let tile = TileId::of(departure.to);
            let zones = new
                .get(&tile)
                .copied()
                .or_else(|| Some(&*self.entry(tile)?.zones))?;
            zones.zone(departure.to, departure.to_layer)
        };
        let finished: HashMap<TileId, Arc<TileZones>> = built
            .par_iter()
            .filter_map(|(tile, built)| {
                let (zones, departures) = built.as_ref()?;
                Some((*tile, Arc::new(zones.with_exits(departures, zone_of))))
            })
            .collect();
        let mut all: Vec<(TileId, Arc<TileZones>)> = self
            .tiles
            .iter()
            .filter(|entry| !tiles.contains(&entry.id))
            .map(|entry| (entry.id, entry.zones.clone()))
            .chain(finished)
            .collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        let mut graph = Self {
            profile: self.profile,
            generation: geodata.generation(),
            tiles: Vec::with_capacity(all.len()),
            places: vec![NO_TILE; self.places.len()].into(),
            components: Arc::from([]),
            n_components: 0,
        };
        let mut first_zone = 0;
        for (id, zones) in all {
            graph.places[id.0 as usize] = graph.tiles.len() as u32;
            let n_zones = zones.n_zones();
            graph.tiles.push(TileEntry {
                id,
                first_zone,
                zones,
            });
            first_zone += n_zones;
        }
        graph
    }

    /// The same with components, so that most answers about reachability cost two reads.
    #[must_use]
    pub fn with_components(mut self) -> Self {
        let tile_of_zone: Vec<u32> = self
            .tiles
            .iter()
            .zip(0..)
            .flat_map(|(entry, tile)| std::iter::repeat_n(tile, entry.zones.n_zones() as usize))
            .collect();
        let edge = |zone: u32, k: u32| {
            let entry = &self.tiles[tile_of_zone[zone as usize] as usize];
            let exit = entry.zones.exits(zone - entry.first_zone).get(k as usize)?;
            self.end_of(entry.id, exit)
        };
        let (components, n_components) = strong_components(tile_of_zone.len(), edge);
        self.components = components.into();
        self.n_components = n_components;
        self
    }

    /// Whether a way leads from one point to the other, by the ground nearest to each. Exact: a search that never
    /// gave up would find one.
    ///
    /// # Errors
    /// If a point is outside of all regions or there is none.
    pub fn is_reachable(
        &self,
        geodata: &Geodata,
        from: GeoPoint,
        to: GeoPoint,
    ) -> Result<bool, GeodataError> {
        let (from, to) = (
            from.cell().map(|cell| (cell, from.z))?,
            to.cell().map(|cell| (cell, to.z))?,
        );
        let from = geodata
            .nearest(from.0, from.1)
            .map(|layer| self.zone(from.0, layer.index))?;
        let to = geodata
            .nearest(to.0, to.1)
            .map(|layer| self.zone(to.0, layer.index))?;
        Ok(match (from, to) {
            (Some(from), Some(to)) => self.leads(from, to),
            _ => false,
        })
    }

    /// Whether zones lead from one to another.
    pub(super) fn leads(&self, from: u32, to: u32) -> bool {
        if from == to {
            return true;
        }
        let component = |zone: u32| self.components.get(zone as usize).copied();
        let goal = component(to);
        // Ways lead from higher components to lower ones.
        if component(from) < goal {
            return false;
        }
        if component(from) == goal && goal.is_some() {
            return true;
        }
        let mut seen = std::collections::HashSet::from([from]);
        let mut open = vec![from];
        while let Some(zone) = open.pop() {
            let (entry, exits) = self.exits(zone);
            for exit in exits {
                let Some(next) = self.end_of(entry, exit) else {
                    continue;
                };
                let is_there = next == to || (goal.is_some() && component(next) == goal);
                if is_there {
                    return true;
                }
                if component(next) >= goal && seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    }

    /// Whether no zone of a lower component than `zone`'s can lead to `goal`.
    pub(super) fn may_lead(&self, zone: u32, goal: u32) -> bool {
        let component = |zone: u32| self.components.get(zone as usize);
        component(zone) >= component(goal)
    }

    /// The zone of a stand.
    pub(super) fn zone_of(&self, stand: &Stand) -> Option<u32> {
        self.zone(stand.cell, stand.layer)
    }

    fn zone(&self, cell: GeoCell, layer: u8) -> Option<u32> {
        let entry = self.entry(TileId::of(cell))?;
        Some(entry.first_zone + entry.zones.zone(cell, layer)?)
    }

    /// The tile of a zone, and its exits.
    pub(super) fn exits(&self, zone: u32) -> (TileId, &[Exit]) {
        let after = self.tiles.partition_point(|entry| entry.first_zone <= zone);
        // Tiles without a zone do not exist, so the one before begins at or below it.
        let entry = &self.tiles[after - 1];
        (entry.id, entry.zones.exits(zone - entry.first_zone))
    }

    /// The zone that an exit of a tile leads to.
    pub(super) fn end_of(&self, tile: TileId, exit: &Exit) -> Option<u32> {
        let entry = self.entry(TileId::of(exit.to(tile)))?;
        Some(entry.first_zone + exit.to_zone)
    }

    /// What steps it was built for.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Which geodata it was built from; an edit makes another.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// What it holds and takes.
    pub fn memory(&self) -> NavMemory {
        let mut memory = NavMemory {
            n_components: self.n_components as usize,
            n_bytes: size_of_val(&*self.places) + size_of_val(&*self.components),
            ..NavMemory::default()
        };
        for entry in &self.tiles {
            let n_zones = entry.zones.n_zones();
            memory.n_zones += n_zones as usize;
            memory.n_exits += (0..n_zones)
                .map(|zone| entry.zones.exits(zone).len())
                .sum::<usize>();
            memory.n_bytes += size_of::<TileEntry>() + entry.zones.n_bytes();
        }
        memory
    }

    fn entry(&self, tile: TileId) -> Option<&TileEntry> {
        self.tiles.get(*self.places.get(tile.0 as usize)? as usize)
    }
}

/// The tiles of a region.
fn tiles_of(region: RegionId) -> impl Iterator<Item = TileId> {
    let first = region.first_cell();
    let n = 2048 / TILE_CELLS;
    (0..n * n).map(move |tile| {
        TileId::of(GeoCell {
            x: first.x + tile / n * TILE_CELLS,
            y: first.y + tile % n * TILE_CELLS,
        })
    })
}
