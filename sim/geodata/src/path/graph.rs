//! All tiles as a graph of zones, and which of them lead to which.

use super::exits::{Departure, ZoneExits};
use super::hubs::Classes;
use super::tile::{TILE_CELLS, TILES_PER_SIDE, TileId};
use super::zone_graph::{Place, ZoneGraph, ZoneKey, ZoneStep, leads};
use super::zones::{self, TileZones};
use crate::step::{GroundPosition, Steps, neighbor};
use crate::{GeoPoint, Geodata, GeodataError, Profile};
use ironlands_sim_regions::zones::{ZoneClass, ZoneTile};
use ironlands_sim_regions::{GeoCell, RegionId};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const NO_TILE: u32 = u32::MAX;

/// The zones of all loaded regions for one profile. Immutable; keeps the geodata that it was built from.
#[derive(Debug, Clone)]
pub struct NavGraph {
    profile: Profile,
    /// What it was built from: steps from zones of single cells are computed from it.
    geodata: Geodata,
    tiles: Vec<TileEntry>,
    /// Place in `tiles` by tile.
    places: Box<[u32]>,
    /// Which zones lead to which. Nothing is known after an edit, until requested.
    classes: Classes,
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
    /// Steps between them that are kept; those from single cells are not.
    pub n_exits: usize,
    /// Sets of zones that lead to each other; 0 where they are not known.
    pub n_components: usize,
    /// Bytes of all that; the geodata that it was built from is counted there.
    pub n_bytes: usize,
}

impl NavGraph {
    /// The graph of all loaded regions, on all threads; a quarter of a second a region on one.
    pub fn new(geodata: &Geodata, profile: &Profile) -> Self {
        let never = AtomicBool::new(false);
        Self::build(geodata, profile, &never).expect("never canceled")
    }

    /// [`new`](Self::new), which ends soon with nothing once `cancel` is set.
    pub fn build(geodata: &Geodata, profile: &Profile, cancel: &AtomicBool) -> Option<Self> {
        let tiles: Vec<TileId> = geodata.regions().flat_map(tiles_of).collect();
        let old = Self {
            profile: *profile,
            geodata: geodata.clone(),
            tiles: Vec::new(),
            places: vec![NO_TILE; (TILES_PER_SIDE * TILES_PER_SIDE) as usize].into(),
            classes: Classes::default(),
        };
        let graph = old.rebuilt(geodata, &tiles, cancel)?.with_components();
        (!cancel.load(Ordering::Relaxed)).then_some(graph)
    }

    /// The graph after edits of the blocks that hold these cells: only their tiles and those around are rebuilt.
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
            let first = TileId::from_cell(cell).first_cell();
            for dx in [-1, 0, 1] {
                for dy in [-1, 0, 1] {
                    let side = i32::from(TILE_CELLS);
                    tiles.extend(neighbor(first, dx * side, dy * side).map(TileId::from_cell));
                }
            }
        }
        let tiles: Vec<TileId> = tiles.into_iter().collect();
        let never = AtomicBool::new(false);
        self.rebuilt(geodata, &tiles, &never)
            .expect("never canceled")
    }

    fn rebuilt(&self, geodata: &Geodata, tiles: &[TileId], cancel: &AtomicBool) -> Option<Self> {
        let built = tiles.par_iter().map(|&tile| {
            let is_wanted = !cancel.load(Ordering::Relaxed);
            is_wanted.then(|| (tile, zones::build(geodata, self.profile, tile)))
        });
        let built: Vec<_> = built.collect::<Option<_>>()?;
        let new: HashMap<TileId, &TileZones> = built
            .iter()
            .filter_map(|(tile, built)| Some((*tile, &built.as_ref()?.zones)))
            .collect();
        let zone_of = |departure: &Departure| {
            let tile = TileId::from_cell(departure.to);
            let zones = new
                .get(&tile)
                .copied()
                .or_else(|| Some(&*self.entry(tile)?.zones))?;
            zones.zone(departure.to, departure.to_layer)
        };
        let exits: Vec<Option<ZoneExits>> = built
            .par_iter()
            .map(|(_, built)| {
                let built = built.as_ref()?;
                Some(built.zones.all_exits(&built.departures, zone_of))
            })
            .collect();
        let finished = built
            .into_iter()
            .zip(exits)
            .filter_map(|((tile, built), exits)| {
                let mut zones = built?.zones;
                zones.set_exits(exits?);
                Some((tile, Arc::new(zones)))
            });
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
            geodata: geodata.clone(),
            tiles: Vec::with_capacity(all.len()),
            places: vec![NO_TILE; self.places.len()].into(),
            classes: Classes::default(),
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
        Some(graph)
    }

    /// The same with what leads to what, so that most reachability queries cost two reads.
    #[must_use]
    pub fn with_components(mut self) -> Self {
        let edges: Vec<(Vec<u32>, Vec<u32>)> = self
            .tiles
            .par_iter()
            .map(|entry| self.edges(entry))
            .collect();
        let n_zones: usize = edges.iter().map(|(ends, _)| ends.len()).sum();
        // Where the steps from each zone end, all tiles one after another.
        let mut firsts = Vec::with_capacity(n_zones + 1);
        let mut all = Vec::with_capacity(edges.iter().map(|(_, edges)| edges.len()).sum());
        firsts.push(0);
        for (ends, edges) in edges {
            let before = all.len() as u32;
            firsts.extend(ends.iter().map(|end| before + end));
            all.extend(edges);
        }
        self.classes = Classes::new(&firsts, &all);
        self
    }

    /// Ends of the lists of steps from each zone of a tile, and the zones that these lead to.
    fn edges(&self, entry: &TileEntry) -> (Vec<u32>, Vec<u32>) {
        let (mut ends, mut edges) = (Vec::new(), Vec::new());
        let mut steps = Steps::new(&self.geodata, self.profile);
        let mut steps_out = Vec::new();
        let n_zones = entry.zones.n_zones();
        let wide = (0..n_zones).take_while(|&zone| !entry.zones.is_single(zone));
        for zone in wide {
            let exits = entry.zones.exits(zone).iter();
            edges.extend(exits.filter_map(|exit| {
                let to = self.entry(TileId::from_cell(exit.to(entry.id)))?;
                Some(to.first_zone + exit.to_zone)
            }));
            ends.push(edges.len() as u32);
        }
        let first_single = entry.first_zone + ends.len() as u32;
        for (zone, (cell, layer)) in (first_single..).zip(entry.zones.singles(entry.id)) {
            let zone = ZoneKey::from(zone);
            self.steps_out(&Place { zone, cell, layer }, &mut steps, &mut steps_out);
            let start = edges.len();
            for leave in &steps_out {
                // All zones of a graph are numbered with 32 bits.
                let to = leave.to.zone as u32;
                if !edges[start..].contains(&to) {
                    edges.push(to);
                }
            }
            ends.push(edges.len() as u32);
        }
        (ends, edges)
    }

    /// Whether a path leads from one point to the other, by the ground nearest to each. Exact: a search that never
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
            .nearest_layer(from.0, from.1)
            .map(|layer| self.place(from.0, layer.index))?;
        let to = geodata
            .nearest_layer(to.0, to.1)
            .map(|layer| self.place(to.0, layer.index))?;
        Ok(match (from, to) {
            (Some(from), Some(to)) => self.leads(&from, &to),
            _ => false,
        })
    }

    /// Whether zones lead from one to another.
    pub(super) fn leads(&self, from: &Place, to: &Place) -> bool {
        leads(&mut NavZones::new(self), from, to)
    }

    /// Where a stand is.
    pub(super) fn place_of(&self, stand: &GroundPosition) -> Option<Place> {
        self.place(stand.cell, stand.layer)
    }

    fn place(&self, cell: GeoCell, layer: u8) -> Option<Place> {
        let entry = self.entry(TileId::from_cell(cell))?;
        let zone = entry.first_zone + entry.zones.zone(cell, layer)?;
        Some(Place {
            zone: zone.into(),
            cell,
            layer,
        })
    }

    /// Puts the steps out of the zone of a place into `leaves`, in place of what was there.
    fn steps_out(&self, place: &Place, steps: &mut Steps<'_>, steps_out: &mut Vec<ZoneStep>) {
        steps_out.clear();
        let Some(entry) = self.entry(TileId::from_cell(place.cell)) else {
            return;
        };
        let zone = place.zone as u32 - entry.first_zone;
        if !entry.zones.is_single(zone) {
            steps_out.extend(entry.zones.exits(zone).iter().filter_map(|exit| {
                let cell = exit.to(entry.id);
                let end = self.entry(TileId::from_cell(cell))?;
                Some(ZoneStep {
                    from: exit.from(entry.id),
                    from_layer: exit.from_layer,
                    to: Place {
                        zone: (end.first_zone + exit.to_zone).into(),
                        cell,
                        layer: end.zones.layer_in(cell, exit.to_zone)?,
                    },
                })
            }));
            return;
        }
        let Some(stand) = steps.stand_on(place.cell, place.layer) else {
            return;
        };
        let ends = steps.neighbors(&stand).into_iter().flatten();
        steps_out.extend(ends.filter_map(|end| {
            Some(ZoneStep {
                from: place.cell,
                from_layer: place.layer,
                to: self.place_of(&end)?,
            })
        }));
    }

    /// All tiles by number, ascending, to be kept as [`StoredZones`](super::StoredZones). Classes must be known, and
    /// edits are kept like all else.
    pub fn zone_tiles(&self) -> impl Iterator<Item = (u32, ZoneTile)> {
        self.tiles.iter().map(|entry| {
            let first = entry.first_zone as usize;
            let classes = self.classes.of_zone.iter().skip(first);
            let classes: Vec<u32> = classes
                .take(entry.zones.n_zones() as usize)
                .copied()
                .collect();
            (entry.id.0, entry.zones.to_stored(&classes))
        })
    }

    /// What zones of each class reach, to be kept beside the tiles.
    pub fn zone_classes(&self) -> &[ZoneClass] {
        &self.classes.classes
    }

    /// What steps it was built for.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Which geodata it was built from; an edit makes another.
    pub fn generation(&self) -> u64 {
        self.geodata.generation()
    }

    /// What it holds and takes.
    pub fn memory(&self) -> NavMemory {
        let mut memory = NavMemory {
            n_components: self.classes.n_components as usize,
            n_bytes: size_of_val(&*self.places) + self.classes.n_bytes(),
            ..NavMemory::default()
        };
        for entry in &self.tiles {
            let n_zones = entry.zones.n_zones();
            memory.n_zones += n_zones as usize;
            memory.n_exits += entry.zones.n_exits();
            memory.n_bytes += size_of::<TileEntry>() + entry.zones.n_bytes();
        }
        memory
    }

    fn entry(&self, tile: TileId) -> Option<&TileEntry> {
        self.tiles.get(*self.places.get(tile.0 as usize)? as usize)
    }
}

/// A graph and the scratch memory of one reader.
pub(super) struct NavZones<'a> {
    graph: &'a NavGraph,
    steps: Steps<'a>,
}

impl<'a> NavZones<'a> {
    pub(super) fn new(graph: &'a NavGraph) -> Self {
        Self {
            steps: Steps::new(&graph.geodata, graph.profile),
            graph,
        }
    }
}

impl ZoneGraph for NavZones<'_> {
    fn place(&mut self, cell: GeoCell, layer: u8) -> Option<Place> {
        self.graph.place(cell, layer)
    }

    fn steps_out(&mut self, place: &Place, steps_out: &mut Vec<ZoneStep>) {
        self.graph.steps_out(place, &mut self.steps, steps_out);
    }

    fn leads_to(&mut self, from: ZoneKey, to: ZoneKey) -> Option<bool> {
        self.graph.classes.leads_to(from as usize, to as usize)
    }
}

/// The tiles of a region.
fn tiles_of(region: RegionId) -> impl Iterator<Item = TileId> {
    let first = region.first_cell();
    let n = 2048 / TILE_CELLS;
    (0..n * n).map(move |tile| {
        TileId::from_cell(GeoCell {
            x: first.x + tile / n * TILE_CELLS,
            y: first.y + tile % n * TILE_CELLS,
        })
    })
}
