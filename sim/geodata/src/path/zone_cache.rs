//! Zones of the tiles that a search reaches: from a store, else built on demand.

use super::exits::Departure;
use super::lazy_geodata::LazyGeodata;
use super::store::{StoredZoneError, StoredZones};
use super::tile::{TILE_CELLS, TileId};
use super::zone_graph::{Place, ZoneGraph, ZoneKey, ZoneStep};
use super::zones::{self, BuiltTile, TileZones};
use crate::Profile;
use crate::step::{Steps, neighbor};
use ironlands_sim_regions::GeoCell;
use ironlands_sim_regions::zones::ZoneClass;
use rayon::prelude::*;
use std::collections::HashMap;
use std::error::Error;
use std::fmt;

/// Tiles that are kept from query to query, at most: some 5 kB each, and a continent has about as many.
const MAX_TILES: usize = 1 << 15;

/// Zones that are known so far, for one step rule and one set of regions, which must not change.
#[derive(Debug)]
pub struct ZoneCache {
    profile: Profile,
    store: Option<Box<dyn StoredZones>>,
    /// Opens the store once zones are needed.
    open_store: StoreOpener,
    tiles: HashMap<TileId, CachedTile>,
    damage: Option<StoredZoneError>,
}

/// A store, if it can be opened.
type OpenStore = dyn FnOnce() -> Option<Box<dyn StoredZones>> + Send;

#[derive(Default)]
struct StoreOpener(Option<Box<OpenStore>>);

impl fmt::Debug for StoreOpener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StoreOpener")
            .field(&self.0.is_some())
            .finish()
    }
}

#[derive(Debug)]
enum CachedTile {
    /// No region is there.
    Nothing,
    /// Without exits to other tiles.
    Built(Box<BuiltTile>),
    Ready(ReadyTile),
}

#[derive(Debug)]
struct ReadyTile {
    zones: TileZones,
    /// One for each zone or one for all; none where the store has no such tile.
    classes: Box<[u32]>,
}

impl CachedTile {
    fn zones(&self) -> Option<&TileZones> {
        match self {
            Self::Nothing => None,
            Self::Built(built) => Some(&built.zones),
            Self::Ready(tile) => Some(&tile.zones),
        }
    }
}

impl ZoneCache {
    /// Nothing is known. Zones come from `store` where there is one; it must be for this rule and these regions.
    pub fn new(profile: &Profile, store: Option<Box<dyn StoredZones>>) -> Self {
        Self {
            profile: *profile,
            store,
            open_store: StoreOpener::default(),
            tiles: HashMap::new(),
            damage: None,
        }
    }

    /// What steps it is for.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Zones come from what `open` has, which is called when zones are needed for the first time: to look at a file
    /// and at all regions that it was made from is more than most queries need.
    #[must_use]
    pub fn with_store_from<Store: StoredZones + 'static>(
        self,
        open: impl FnOnce() -> Option<Store> + Send + 'static,
    ) -> Self {
        let open = || open().map(|store| Box::new(store) as Box<dyn StoredZones>);
        Self {
            open_store: StoreOpener(Some(Box::new(open))),
            ..self
        }
    }

    /// The first error that was found in the store. Damaged tiles are built from the regions instead.
    pub fn store_error(&self) -> Option<&(dyn Error + Send + Sync)> {
        self.damage.as_deref()
    }

    /// To call before a query of zones.
    pub(super) fn begin(&mut self) {
        if let Some(open) = self.open_store.0.take() {
            self.store = open();
        }
        if self.tiles.len() > MAX_TILES {
            self.tiles.clear();
        }
    }
}

/// A cache and the ground that it is filled from, for one query.
pub(super) struct LazyZones<'a, 'g> {
    pub cache: &'a mut ZoneCache,
    pub ground: &'a mut LazyGeodata<'g>,
    /// Places that were looked at to make zones.
    pub n_looked: u32,
}

impl LazyZones<'_, '_> {
    /// Has the tile in the cache, at least without its exits to others.
    fn load(&mut self, tiles: impl IntoIterator<Item = TileId>) {
        let new = tiles
            .into_iter()
            .filter(|tile| !self.cache.tiles.contains_key(tile));
        let mut missing = Vec::new();
        for tile in new.collect::<Vec<_>>() {
            match self.stored(tile) {
                Some(stored) => {
                    self.cache.tiles.insert(tile, CachedTile::Ready(stored));
                }
                None => missing.push(tile),
            }
        }
        for tile in &missing {
            self.ground.ensure_around(tile.first_cell(), TILE_CELLS);
        }
        let (geodata, profile) = (self.ground.geodata(), self.cache.profile);
        let built: Vec<_> = missing
            .par_iter()
            .map(|&tile| (tile, zones::build(geodata, profile, tile)))
            .collect();
        for (tile, built) in built {
            let tile_of = match built {
                None => CachedTile::Nothing,
                Some(built) => {
                    self.n_looked = self.n_looked.saturating_add(built.n_nodes);
                    CachedTile::Built(Box::new(built))
                }
            };
            self.cache.tiles.insert(tile, tile_of);
        }
    }

    fn stored(&mut self, tile: TileId) -> Option<ReadyTile> {
        match self.cache.store.as_ref()?.tile(tile.0)? {
            Ok(stored) => Some(ReadyTile {
                classes: stored.classes.as_slice().into(),
                zones: TileZones::from_stored(stored),
            }),
            Err(damage) => {
                self.cache.damage.get_or_insert(damage);
                None
            }
        }
    }

    /// The zones of a tile, without its exits to others if they were not requested before.
    fn zones(&mut self, tile: TileId) -> Option<&TileZones> {
        self.load([tile]);
        self.cache.tiles.get(&tile)?.zones()
    }

    /// The zones of a tile with all exits.
    fn ready(&mut self, tile: TileId) -> Option<&TileZones> {
        self.load([tile]);
        if let Some(CachedTile::Built(_)) = self.cache.tiles.get(&tile) {
            let first = tile.first_cell();
            let side = i32::from(TILE_CELLS);
            let offsets = [side.saturating_neg(), 0, side];
            let around = offsets.map(|dx| offsets.map(|dy| (dx, dy)));
            let around = around.as_flattened().iter();
            self.load(
                around.filter_map(|&(dx, dy)| neighbor(first, dx, dy).map(TileId::from_cell)),
            );
            let tiles = &self.cache.tiles;
            let zone_of = |departure: &Departure| {
                let end = tiles.get(&TileId::from_cell(departure.to))?.zones()?;
                end.zone(departure.to, departure.to_layer)
            };
            let exits = match tiles.get(&tile) {
                Some(CachedTile::Built(built)) => built.zones.all_exits(&built.departures, zone_of),
                _ => return None,
            };
            if let Some(CachedTile::Built(built)) = self.cache.tiles.remove(&tile) {
                let mut zones = built.zones;
                zones.set_exits(exits);
                let classes = Box::default();
                let ready = ReadyTile { zones, classes };
                self.cache.tiles.insert(tile, CachedTile::Ready(ready));
            }
        }
        self.cache.tiles.get(&tile)?.zones()
    }

    fn class(&mut self, zone: ZoneKey) -> Option<ZoneClass> {
        let (tile, zone) = split(zone);
        self.cache.store.as_ref()?;
        self.load([tile]);
        let Some(CachedTile::Ready(tile)) = self.cache.tiles.get(&tile) else {
            return None;
        };
        let number = match *tile.classes {
            [one] => one,
            ref classes => *classes.get(zone as usize)?,
        };
        self.cache.store.as_ref()?.class(number)
    }

    /// Steps from a zone that is a single cell.
    fn leave_single(&mut self, place: &Place, steps_out: &mut Vec<ZoneStep>) {
        self.ground.ensure_around(place.cell, 1);
        let mut steps = Steps::new(self.ground.geodata(), self.cache.profile);
        let Some(stand) = steps.stand_on(place.cell, place.layer) else {
            return;
        };
        for end in steps.neighbors(&stand).into_iter().flatten() {
            if let Some(to) = self.place(end.cell, end.layer) {
                steps_out.push(ZoneStep {
                    from: place.cell,
                    from_layer: place.layer,
                    to,
                });
            }
        }
    }
}

impl ZoneGraph for LazyZones<'_, '_> {
    fn place(&mut self, cell: GeoCell, layer: u8) -> Option<Place> {
        let tile = TileId::from_cell(cell);
        let zone = self.zones(tile)?.zone(cell, layer)?;
        Some(Place {
            zone: key(tile, zone),
            cell,
            layer,
        })
    }

    fn steps_out(&mut self, place: &Place, steps_out: &mut Vec<ZoneStep>) {
        steps_out.clear();
        let (tile, zone) = split(place.zone);
        let Some(zones) = self.ready(tile) else {
            return;
        };
        if zones.is_single(zone) {
            self.leave_single(place, steps_out);
            return;
        }
        let exits = zones.exits(zone).to_vec();
        for exit in exits {
            let cell = exit.to(tile);
            let end = TileId::from_cell(cell);
            let layer = self
                .zones(end)
                .and_then(|zones| zones.layer_in(cell, exit.to_zone));
            if let Some(layer) = layer {
                steps_out.push(ZoneStep {
                    from: exit.from(tile),
                    from_layer: exit.from_layer,
                    to: Place {
                        zone: key(end, exit.to_zone),
                        cell,
                        layer,
                    },
                });
            }
        }
    }

    fn leads_to(&mut self, from: ZoneKey, to: ZoneKey) -> Option<bool> {
        self.class(from)?.leads_to(self.class(to)?)
    }
}

fn key(tile: TileId, zone: u32) -> ZoneKey {
    u64::from(tile.0) << 32 | u64::from(zone)
}

fn split(zone: ZoneKey) -> (TileId, u32) {
    // Put together by `key`.
    (TileId((zone >> 32) as u32), zone as u32)
}
