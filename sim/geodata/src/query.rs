//! Queries of every kind as values, so that one batch mixes them.

use super::column::no_data;
use super::path::{
    LazyGeodata, PathGuide, PathOptions, PathRequest, PathSearch, StoredZones, WalkPath, ZoneCache,
};
use super::step::Steps;
use super::{
    BlockedBy, Flight, GeoPoint, Geodata, GeodataError, GroundLayer, Profile, SpotOptions,
    StraightWalk, StraightWalkEnd, Swim, Viewer,
};
use ironlands_sim_regions::GeoCell;
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// Queries that a thread takes from a batch in turn.
const QUERIES_PER_TASK: usize = 64;

/// The eight steps from a cell: north first, clockwise.
pub const STEPS_CLOCKWISE: [(i32, i32); 8] = [
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
];

/// A query of any kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GeoQuery {
    /// The cell of a point.
    Cell(GeoPoint),
    /// The nearest layer, and those next to it.
    Height(GeoPoint),
    /// All layers.
    Layers(GeoPoint),
    /// Where each of the eight steps leads, from the middle of the cell.
    Steps(GeoPoint, Profile),
    /// [`Geodata::straight_walk`].
    StraightWalk {
        /// Start.
        from: GeoPoint,
        /// Target.
        to: GeoPoint,
        /// Step rule.
        profile: Profile,
    },
    /// [`Geodata::line_of_sight_both_ways`].
    LineOfSight {
        /// One of the two.
        from: Viewer,
        /// The other.
        to: Viewer,
        /// How lines of sight go.
        profile: Profile,
    },
    /// A path over zones or without.
    Path {
        /// Start and goal.
        request: PathRequest,
        /// Step rule.
        profile: Profile,
        /// See [`PathOptions::budget`].
        budget: u32,
        /// See [`PathOptions::rough_factor`].
        rough_factor: u32,
    },
    /// [`Geodata::fall`].
    Fall(GeoPoint),
    /// [`Geodata::snap_spawn`].
    SnapSpawn {
        /// The spawn.
        spawn: GeoPoint,
        /// Maximum vertical distance.
        reach: i32,
    },
    /// [`Geodata::random_spot`].
    RandomSpot {
        /// Center of the circle.
        middle: GeoPoint,
        /// Radius, step rule, number of tries.
        options: SpotOptions,
        /// The same seed gives the same place.
        seed: u64,
    },
    /// [`Geodata::swim`].
    Swim {
        /// Start.
        from: GeoPoint,
        /// Target.
        to: GeoPoint,
    },
    /// [`Geodata::fly`].
    Fly {
        /// Start.
        from: GeoPoint,
        /// Target.
        to: GeoPoint,
        /// Required clearance above the line.
        height: i32,
    },
}

/// The result of a [`GeoQuery`], of the same kind.
#[derive(Debug, Clone, PartialEq)]
pub enum GeoQueryResult {
    /// The cell.
    Cell(GeoCell),
    /// Layers near a height.
    Height(NearLayers),
    /// From the ground up.
    Layers(GeoCell, Vec<GroundLayer>),
    /// Where steps lead.
    Steps(StepsFrom),
    /// How it ends.
    StraightWalk(StraightWalk),
    /// Both ways of a line of sight.
    LineOfSight {
        /// Whether `from` sees `to`.
        there: bool,
        /// Whether `to` sees `from`.
        back: bool,
    },
    /// The path.
    Path(Box<WalkPath>),
    /// The ground, and how far below it is.
    Fall(Option<(GeoPoint, i32)>),
    /// The ground, if it is near.
    SnapSpawn(Option<GeoPoint>),
    /// The place.
    RandomSpot(GeoPoint),
    /// How it ends.
    Swim(Swim),
    /// How it ends.
    Fly(Flight),
}

/// The layer nearest to a height, and the next ones below and above that layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearLayers {
    /// Where.
    pub cell: GeoCell,
    /// The nearest one.
    pub nearest: GroundLayer,
    /// The next below it.
    pub below: Option<GroundLayer>,
    /// The next above it.
    pub above: Option<GroundLayer>,
}

/// Where the eight steps from a cell lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepsFrom {
    /// Where they begin.
    pub cell: GeoCell,
    /// Height there.
    pub z: i32,
    /// Height that each leads to, in the order of [`STEPS_CLOCKWISE`].
    pub ends: [Result<i32, BlockedBy>; 8],
}

/// Where the zones of path queries come from. Zones that are not stored are made for each query, so that its result
/// does not depend on the queries before it.
pub trait ZoneSource: Send + Sync {
    /// The stored zones of a step rule, of the same regions as the queries.
    fn stored(&self, profile: &Profile) -> Option<Box<dyn StoredZones>>;
}

/// No zones are stored.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoStoredZones;

impl ZoneSource for NoStoredZones {
    fn stored(&self, _: &Profile) -> Option<Box<dyn StoredZones>> {
        None
    }
}

/// Scratch memory and zones of queries: one for each thread.
pub struct QueryContext<'a> {
    source: Arc<dyn ZoneSource>,
    cancel: Option<&'a AtomicBool>,
    search: PathSearch,
    /// One a step rule; whether it is filled from a store.
    zones: Vec<(ZoneCache, bool)>,
}

/// Contexts that threads take and give back.
pub struct QueryContexts<'a> {
    source: Arc<dyn ZoneSource>,
    cancel: Option<&'a AtomicBool>,
    unused: Mutex<Vec<QueryContext<'a>>>,
}

impl<'a> QueryContexts<'a> {
    /// None yet. Once `cancel` is set, paths end soon.
    pub fn new(source: Arc<dyn ZoneSource>, cancel: Option<&'a AtomicBool>) -> Self {
        Self {
            source,
            cancel,
            unused: Mutex::default(),
        }
    }

    /// Runs a function with a context that no other thread has.
    pub fn with<T>(&self, run: impl FnOnce(&mut QueryContext<'a>) -> T) -> T {
        let unused = || self.unused.lock().unwrap_or_else(PoisonError::into_inner);
        let context = unused().pop();
        let mut context =
            context.unwrap_or_else(|| QueryContext::new(self.source.clone(), self.cancel));
        let result = run(&mut context);
        unused().push(context);
        result
    }
}

impl<'a> QueryContext<'a> {
    /// Without memory yet. Once `cancel` is set, paths end soon.
    pub fn new(source: Arc<dyn ZoneSource>, cancel: Option<&'a AtomicBool>) -> Self {
        Self {
            source,
            cancel,
            search: PathSearch::default(),
            zones: Vec::new(),
        }
    }

    fn zones(&mut self, profile: &Profile) -> (&mut ZoneCache, &mut PathSearch) {
        let known = |(zones, _): &(ZoneCache, bool)| zones.profile() == profile;
        let at = self.zones.iter().position(known).unwrap_or_else(|| {
            let stored = self.source.stored(profile);
            let is_stored = stored.is_some();
            self.zones
                .push((ZoneCache::new(profile, stored), is_stored));
            self.zones.len().saturating_sub(1)
        });
        let (zones, is_stored) = &mut self.zones[at];
        if !*is_stored {
            *zones = ZoneCache::new(profile, None);
        }
        (zones, &mut self.search)
    }
}

impl Geodata {
    /// The layer nearest to a point, and the next ones below and above that layer.
    ///
    /// # Errors
    /// If the point is outside of all regions or there is none.
    pub fn near_layers(&self, at: GeoPoint) -> Result<NearLayers, GeodataError> {
        let cell = at.cell()?;
        let nearest = self.nearest_layer(cell, at.z)?;
        Ok(NearLayers {
            cell,
            nearest,
            below: self.layer_below(cell, nearest.z)?,
            above: self.layer_above(cell, nearest.z)?,
        })
    }

    /// Where the eight steps from the cell of a point lead, on the layer nearest to it.
    ///
    /// # Errors
    /// If the point is outside of all regions or there is none.
    pub fn steps_from(&self, at: GeoPoint, profile: &Profile) -> Result<StepsFrom, GeodataError> {
        let cell = at.cell()?;
        let mut steps = Steps::new(self, *profile);
        let start = steps.stand(cell, at.z).ok_or(no_data(cell))?;
        let ends = STEPS_CLOCKWISE.map(|(dx, dy)| steps.step(&start, dx, dy).map(|end| end.z));
        let z = start.z;
        Ok(StepsFrom { cell, z, ends })
    }

    /// A step from the cell of a point, on the layer nearest to it, to a neighbor: `dx` and `dy` are -1, 0 or 1, not
    /// both 0. How it ends, and the middle of the cell that it leads to; of the cell itself where it is blocked.
    ///
    /// # Errors
    /// If the point is outside of all regions or there is none.
    pub fn step(
        &self,
        from: GeoPoint,
        dx: i32,
        dy: i32,
        profile: &Profile,
    ) -> Result<(StraightWalkEnd, GeoPoint), GeodataError> {
        let cell = from.cell()?;
        let mut steps = Steps::new(self, *profile);
        let start = steps.stand(cell, from.z).ok_or(no_data(cell))?;
        Ok(match steps.step(&start, dx, dy) {
            Ok(end) => (
                StraightWalkEnd::Reached,
                GeoPoint::from_cell(end.cell, end.z),
            ),
            Err(why) => (
                StraightWalkEnd::Blocked(why),
                GeoPoint::from_cell(cell, start.z),
            ),
        })
    }

    /// Runs a query of any kind.
    ///
    /// # Errors
    /// If a point is outside of all regions or there is none.
    pub fn query(
        &self,
        query: &GeoQuery,
        context: &mut QueryContext<'_>,
    ) -> Result<GeoQueryResult, GeodataError> {
        Ok(match *query {
            GeoQuery::Cell(at) => GeoQueryResult::Cell(at.cell()?),
            GeoQuery::Height(at) => GeoQueryResult::Height(self.near_layers(at)?),
            GeoQuery::Layers(at) => {
                let cell = at.cell()?;
                GeoQueryResult::Layers(cell, self.layers(cell)?)
            }
            GeoQuery::Steps(at, profile) => GeoQueryResult::Steps(self.steps_from(at, &profile)?),
            GeoQuery::StraightWalk { from, to, profile } => {
                GeoQueryResult::StraightWalk(self.straight_walk(from, to, &profile)?)
            }
            GeoQuery::LineOfSight { from, to, profile } => {
                let [there, back] = self.line_of_sight_both_ways(&from, &to, &profile)?;
                GeoQueryResult::LineOfSight { there, back }
            }
            GeoQuery::Path {
                request,
                profile,
                budget,
                rough_factor,
            } => {
                let options = PathOptions {
                    budget,
                    rough_factor,
                    cancel: context.cancel,
                    ..PathOptions::default()
                };
                let (zones, search) = context.zones(&profile);
                let mut ground = LazyGeodata::from(self);
                let path = PathGuide::new(&mut ground, zones).find(&request, &options, search)?;
                GeoQueryResult::Path(Box::new(path))
            }
            GeoQuery::Fall(from) => GeoQueryResult::Fall(self.fall(from)?),
            GeoQuery::SnapSpawn { spawn, reach } => {
                GeoQueryResult::SnapSpawn(self.snap_spawn(spawn, reach)?)
            }
            GeoQuery::RandomSpot {
                middle,
                options,
                mut seed,
            } => GeoQueryResult::RandomSpot(self.random_spot(middle, &options, &mut seed)?),
            GeoQuery::Swim { from, to } => GeoQueryResult::Swim(self.swim(from, to)?),
            GeoQuery::Fly { from, to, height } => GeoQueryResult::Fly(self.fly(from, to, height)?),
        })
    }

    /// [`query`](Self::query) of many, of any kinds, on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn query_batch(
        &self,
        queries: &[GeoQuery],
        contexts: &QueryContexts<'_>,
        results: &mut [Result<GeoQueryResult, GeodataError>],
    ) {
        assert_eq!(queries.len(), results.len(), "one result per query");
        results
            .par_chunks_mut(QUERIES_PER_TASK)
            .zip(queries.par_chunks(QUERIES_PER_TASK))
            .for_each(|(results, queries)| {
                contexts.with(|context| {
                    for (result, query) in results.iter_mut().zip(queries) {
                        *result = self.query(query, context);
                    }
                });
            });
    }
}
