//! Paths over ground that is loaded as needed, with zones that are known or made as needed.
//!
//! A query goes through stages, so that none costs more than necessary:
//! 1. an exact search over a few cells decides most near ones, and starts that one cannot get away from
//! 2. zones decide whether there is a path at all: at once where they were stored in a file; else a path plan over them
//!    is searched for in turns with the basin of the goal, until one of them ends
//! 3. the exact search continues, for the shortest path
//! 4. if that takes too long, the path plan is refined

#[cfg(test)]
mod tests;

use super::basin::{Basin, Known};
use super::exact::{Found, MAX_ROUGH_FACTOR, Task, cost_of, go_on, search};
use super::lazy_geodata::LazyGeodata;
use super::path_plan::{PathPlan, Walked, plan_path};
use super::pull::pull;
use super::request::{PathEnd, PathOptions, PathRequest, WalkPath, goal_of, without_loops};
use super::search::PathSearch;
use super::tile::TILE_CELLS;
use super::zone_cache::{LazyZones, ZoneCache};
use super::zone_graph::ZoneGraph;
use crate::step::{GroundPosition, Steps};
use crate::{GeoPoint, GeodataError, NoDataRule};
use std::sync::atomic::Ordering;

/// Cells of the first exact search: some milliseconds.
const FIRST_CELLS: u32 = 1 << 15;
/// Of what is left of a budget, the exact search takes so much before a path plan is refined.
const EXACT_SHARE: u32 = 4;

/// Finds paths over ground that is loaded as needed.
pub struct PathGuide<'a, 'g> {
    ground: &'a mut LazyGeodata<'g>,
    zones: &'a mut ZoneCache,
    /// Cells of the first exact search.
    pub(super) first_cells: u32,
    /// Of what is left of a budget, the exact search takes so much before a path plan is refined.
    pub(super) exact_share: u32,
}

/// A query in progress.
struct PathQuery<'a> {
    start: GroundPosition,
    goal: GroundPosition,
    options: &'a PathOptions<'a>,
    /// Cells that may still be looked at.
    budget: u32,
}

/// The result of a query.
struct PathResult {
    end: PathEnd,
    way: Vec<GroundPosition>,
    is_shortest: bool,
}

impl<'a, 'g> PathGuide<'a, 'g> {
    /// Zones of this ground, for whose step rule paths are found. Where cells without a region are open ground, zones
    /// say nothing, and exact searches alone are made.
    pub fn new(ground: &'a mut LazyGeodata<'g>, zones: &'a mut ZoneCache) -> Self {
        Self {
            ground,
            zones,
            first_cells: FIRST_CELLS,
            exact_share: EXACT_SHARE,
        }
    }

    /// Finds a path. An unreachable goal is recognized without visiting all reachable cells; see
    /// [`WalkPath::n_expanded`]. The path is the cheapest unless that takes more than a quarter of the budget;
    /// then it is one over zones, which costs some hundredths more ([`WalkPath::is_shortest`]).
    ///
    /// # Errors
    /// If a point is outside of all regions or there is none.
    pub fn find(
        &mut self,
        request: &PathRequest,
        options: &PathOptions<'_>,
        scratch: &mut PathSearch,
    ) -> Result<WalkPath, GeodataError> {
        let mut query = PathQuery {
            start: self.stand(request.from)?,
            goal: self.stand(request.to)?,
            options,
            budget: options.budget,
        };
        let PathResult {
            end,
            way,
            is_shortest,
        } = self.solve(&mut query, scratch);
        let to = goal_of(request, end, &way);
        let profile = *self.zones.profile();
        Ok(WalkPath {
            end,
            points: pull(self.ground.geodata(), &profile, &way, request.from, to),
            cells: way.iter().map(|stand| (stand.cell, stand.z)).collect(),
            cost: cost_of(&way),
            n_expanded: options.budget - query.budget,
            is_shortest,
        })
    }

    fn stand(&mut self, at: GeoPoint) -> Result<GroundPosition, GeodataError> {
        let cell = at.cell()?;
        self.ground.ensure_region(cell.region());
        let mut steps = Steps::new(self.ground.geodata(), *self.zones.profile());
        steps.stand(cell, at.z).ok_or(GeodataError::NoData {
            region: cell.region(),
        })
    }

    fn solve(&mut self, query: &mut PathQuery<'_>, scratch: &mut PathSearch) -> PathResult {
        if self.zones.profile().no_data == NoDataRule::Open {
            // What is not loaded would be open ground.
            self.ground.ensure_all();
            let found = self.exact(query, scratch, query.budget, Stage::First);
            return PathResult::exact(found, scratch);
        }
        let found = self.exact(query, scratch, self.first_cells, Stage::First);
        if !matches!(found, Found::OutOfBudget(_)) || query.budget == 0 {
            return PathResult::exact(found, scratch);
        }
        let plan = match self.plan_path(query) {
            Ok(plan) => plan,
            Err(end) => {
                return PathResult {
                    end,
                    ..PathResult::exact(found, scratch)
                };
            }
        };
        let share = query.budget / self.exact_share;
        let found = self.exact(query, scratch, share, Stage::Next);
        match found {
            Found::OutOfBudget(_) => self.walk(&plan, query, scratch),
            found => PathResult::exact(found, scratch),
        }
    }

    /// An exact search over at most this number of cells.
    fn exact(
        &mut self,
        query: &mut PathQuery<'_>,
        scratch: &mut PathSearch,
        n_cells: u32,
        mut stage: Stage,
    ) -> Found {
        let mut allowed = n_cells.min(query.budget);
        let before = allowed;
        let found = loop {
            let geodata = self.ground.geodata().clone();
            let mut steps = Steps::new(&geodata, *self.zones.profile());
            let mut task = query.task(&mut allowed, self.ground);
            let found = match stage {
                Stage::First => search(scratch, &mut steps, &query.start, &mut task, |_| true),
                Stage::Next => go_on(scratch, &mut steps, &mut task, |_| true),
            };
            stage = Stage::Next;
            match found {
                Found::Pending(region) => self.ground.ensure_region(region),
                found => break found,
            }
        };
        query.budget -= before - allowed;
        found
    }

    /// A path plan over zones.
    ///
    /// # Errors
    /// How it ended without one: no path leads there, or the budget is used up, or it was canceled.
    fn plan_path(&mut self, query: &mut PathQuery<'_>) -> Result<PathPlan, PathEnd> {
        self.zones.begin();
        let profile = *self.zones.profile();
        let mut zones = LazyZones {
            cache: &mut *self.zones,
            ground: &mut *self.ground,
            n_looked: 0,
        };
        let places = [query.start, query.goal].map(|it| zones.place(it.cell, it.layer));
        // Both ends are on the ground, so they are in zones.
        let [Some(start), Some(goal)] = places else {
            return Err(PathEnd::Unreachable);
        };
        let known = zones.leads_to(start.zone, goal.zone);
        if known == Some(false) {
            return Err(PathEnd::Unreachable);
        }
        let mut basin = Basin::new(&query.start, &query.goal);
        let mut n_zones = 0_u32;
        let (budget, cancel) = (query.budget, query.options.cancel);
        let mut n_used = 0;
        let found = plan_path(&mut zones, &start, &goal, |zones| {
            n_zones += 1;
            let n_ahead = zones.n_looked.saturating_add(n_zones);
            n_used = n_ahead.saturating_add(basin.n_cells());
            if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return Some(PathEnd::Canceled);
            }
            if n_used >= budget {
                return Some(PathEnd::OutOfBudget);
            }
            let is_open = known.is_none() && basin.n_cells() < n_ahead;
            let n_cells = n_ahead.min(budget - n_used + basin.n_cells());
            let is_closed =
                is_open && basin.grow(zones.ground, profile, n_cells) == Known::WithoutStart;
            is_closed.then_some(PathEnd::Unreachable)
        });
        let n_looked = zones.n_looked.saturating_add(n_zones);
        query.budget -= n_looked.saturating_add(basin.n_cells()).min(budget);
        found
    }

    fn walk(
        &mut self,
        plan: &PathPlan,
        query: &mut PathQuery<'_>,
        scratch: &mut PathSearch,
    ) -> PathResult {
        for tile in plan.tiles() {
            self.ground.ensure_around(tile.first_cell(), TILE_CELLS);
        }
        let geodata = self.ground.geodata().clone();
        let mut steps = Steps::new(&geodata, *self.zones.profile());
        let mut budget = query.budget;
        let mut task = query.task(&mut budget, self.ground);
        let walked = plan.walk(scratch, &mut steps, &query.start, &mut task);
        query.budget = budget;
        let (end, way) = match walked {
            Walked::Way(way) => (PathEnd::Reached, way),
            Walked::OutOfBudget(way) => (PathEnd::OutOfBudget, way),
            Walked::Canceled(way) => (PathEnd::Canceled, way),
            // Zones that are wrong about the ground: the file was damaged and its checksums say nothing of it.
            Walked::Blocked => {
                let found = self.exact(query, scratch, query.budget, Stage::First);
                return PathResult::exact(found, scratch);
            }
        };
        PathResult {
            end,
            way: without_loops(way),
            is_shortest: false,
        }
    }
}

/// Whether a search begins or continues.
#[derive(Debug, Clone, Copy)]
enum Stage {
    First,
    Next,
}

impl PathQuery<'_> {
    fn task<'b>(&'b self, budget: &'b mut u32, ground: &LazyGeodata<'_>) -> Task<'b> {
        Task {
            goal: self.goal,
            rough_factor: self.options.rough_factor.clamp(1, MAX_ROUGH_FACTOR),
            budget,
            cancel: self.options.cancel,
            pending: ground.pending(),
        }
    }
}

impl PathResult {
    fn exact(found: Found, scratch: &PathSearch) -> Self {
        let (end, node) = match found {
            Found::Way(node) => (PathEnd::Reached, node),
            Found::None(node) => (PathEnd::Unreachable, node),
            Found::OutOfBudget(node) => (PathEnd::OutOfBudget, node),
            Found::Canceled(node) => (PathEnd::Canceled, node),
            // Loaded, and gone on with.
            Found::Pending(_) => (PathEnd::OutOfBudget, scratch.nearest.1),
        };
        Self {
            end,
            way: scratch.trace(node),
            is_shortest: end == PathEnd::Reached,
        }
    }
}
