//! The path queries.

use super::exact::{Found, MAX_ROUGH_FACTOR, Task, cost_of, octile, search};
use super::graph::{NavGraph, NavZones};
use super::lazy_geodata::RegionSet;
use super::path_plan::{Walked, plan_path};
use super::pull::pull;
use super::search::PathSearch;
use crate::step::{GroundPosition, Steps};
use crate::{GeoPoint, Geodata, GeodataError, NoDataRule, Profile};
use ironlands_sim_regions::GeoCell;
use rayon::prelude::*;
use std::sync::atomic::AtomicBool;

/// Where one is and where one wants to go. Both are on the ground nearest to them in height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathRequest {
    /// Start.
    pub from: GeoPoint,
    /// Goal.
    pub to: GeoPoint,
}

/// Options of a path query.
#[derive(Debug, Clone, Copy)]
pub struct PathOptions<'a> {
    /// Cells that may be looked at; the same on every machine, unlike time.
    pub budget: u32,
    /// A step into a cell with a closed side costs this factor times its length, so that paths keep away from walls. 1
    /// is the shortest path; 3 is what common servers take, 17 the most.
    pub rough_factor: u32,
    /// Ends that are nearer than this, in cells of straight distance, are searched for exactly before zones are
    /// queried.
    pub exact_cells: u32,
    /// Set it, and searches end soon with what they have.
    pub cancel: Option<&'a AtomicBool>,
}

/// Cells that a path may look at unless one says otherwise, in the window as on the command line.
pub const DEFAULT_BUDGET: u32 = 20_000_000;

impl Default for PathOptions<'_> {
    fn default() -> Self {
        Self {
            budget: DEFAULT_BUDGET,
            rough_factor: 1,
            exact_cells: 96,
            cancel: None,
        }
    }
}

/// How a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PathEnd {
    /// At the goal.
    Reached,
    /// No path leads there.
    #[default]
    Unreachable,
    /// The budget was used up first.
    OutOfBudget,
    /// It was canceled.
    Canceled,
}

/// A path, or the best part of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WalkPath {
    /// Whether it arrives. If not, the path leads to where the search came nearest to the goal.
    pub end: PathEnd,
    /// Start, corners, goal. From each a straight walk reaches the next.
    pub points: Vec<GeoPoint>,
    /// The path from cell to cell before string pulling, with the height of each.
    pub cells: Vec<(GeoCell, i32)>,
    /// What that path costs, 10 and 14 a step, without [`PathOptions::rough_factor`].
    pub cost: u32,
    /// Cells that were looked at, also to make zones that were not known and to find the basin of the goal. Nothing
    /// that a graph or a file of zones contributed counts.
    pub n_expanded: u32,
    /// Whether it arrives and none is cheaper. A path over zones may be a little longer.
    pub is_shortest: bool,
}

/// Paths over a ground, with or without a graph of its zones.
#[derive(Debug, Clone, Copy)]
pub struct PathFinder<'a> {
    geodata: &'a Geodata,
    profile: Profile,
    graph: Option<&'a NavGraph>,
}

impl<'a> PathFinder<'a> {
    /// Exact searches alone.
    pub fn exact(geodata: &'a Geodata, profile: &Profile) -> Self {
        Self {
            geodata,
            profile: *profile,
            graph: None,
        }
    }

    /// Exact searches for near goals, path plans over zones for far ones. The graph should be built from this
    /// geodata; where it was not, a path is still walkable, but one may be missed.
    pub fn new(geodata: &'a Geodata, graph: &'a NavGraph) -> Self {
        Self {
            geodata,
            profile: *graph.profile(),
            graph: Some(graph),
        }
    }

    /// Finds a path.
    ///
    /// An exact search gives the cheapest. A path over zones costs more: in all tests at most a tenth on the mean, and
    /// with the default options half in the worst case. What is near is searched exactly, for a path plan of a short
    /// detour around a corner can cost nearly twice as much: keep [`PathOptions::exact_cells`] above 0, or raise it
    /// where cost counts.
    ///
    /// # Errors
    /// If a point is outside of all regions or there is none.
    pub fn find(
        &self,
        request: &PathRequest,
        options: &PathOptions<'_>,
        scratch: &mut PathSearch,
    ) -> Result<WalkPath, GeodataError> {
        let mut steps = Steps::new(self.geodata, self.profile);
        let start = self.ground(&mut steps, request.from)?;
        let goal = self.ground(&mut steps, request.to)?;
        let mut budget = options.budget;
        let (end, way, is_shortest) =
            self.way(&mut steps, &start, &goal, options, &mut budget, scratch);
        let to = goal_of(request, end, &way);
        Ok(WalkPath {
            end,
            points: pull(self.geodata, &self.profile, &way, request.from, to),
            cells: way.iter().map(|stand| (stand.cell, stand.z)).collect(),
            cost: cost_of(&way),
            n_expanded: options.budget - budget,
            is_shortest,
        })
    }

    /// [`find`](Self::find) for many requests on all threads, each task with its own scratch memory.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn find_batch(
        &self,
        requests: &[PathRequest],
        options: &PathOptions<'_>,
        paths: &mut [Result<WalkPath, GeodataError>],
    ) {
        assert_eq!(requests.len(), paths.len(), "one path a request");
        paths.par_iter_mut().zip(requests).for_each_init(
            PathSearch::default,
            |scratch, (path, request)| {
                *path = self.find(request, options, scratch);
            },
        );
    }

    fn ground(&self, steps: &mut Steps<'_>, at: GeoPoint) -> Result<GroundPosition, GeodataError> {
        let cell = at.cell()?;
        steps.stand(cell, at.z).ok_or(GeodataError::NoData {
            region: cell.region(),
        })
    }

    fn way(
        &self,
        steps: &mut Steps<'_>,
        start: &GroundPosition,
        goal: &GroundPosition,
        options: &PathOptions<'_>,
        budget: &mut u32,
        scratch: &mut PathSearch,
    ) -> (PathEnd, Vec<GroundPosition>, bool) {
        let graph = self.graph;
        // An older graph may not know of what was opened since, and none knows of paths where no region is.
        let knows_all = graph.is_some_and(|graph| {
            graph.generation() == self.geodata.generation()
                && self.profile.no_data == NoDataRule::Blocked
        });
        let places = graph.and_then(|graph| graph.place_of(start).zip(graph.place_of(goal)));
        if let Some(graph) = graph.filter(|_| knows_all)
            && !places.is_some_and(|(from, to)| graph.leads(&from, &to))
        {
            return (PathEnd::Unreachable, vec![*start], false);
        }
        let mut task = Task {
            goal: *goal,
            rough_factor: options.rough_factor.clamp(1, MAX_ROUGH_FACTOR),
            budget,
            cancel: options.cancel,
            pending: RegionSet::default(),
        };
        let is_near = octile(start.cell, goal.cell) / super::exact::AXIAL <= options.exact_cells;
        if let Some(graph) = graph.filter(|_| !is_near)
            && let Some((from, to)) = places
            && let Ok(plan) = plan_path(&mut NavZones::new(graph), &from, &to, |_| None)
        {
            let path_over_zones = |end, way| (end, without_loops(way), false);
            match plan.walk(scratch, steps, start, &mut task) {
                Walked::Way(way) => return path_over_zones(PathEnd::Reached, way),
                Walked::OutOfBudget(way) => return path_over_zones(PathEnd::OutOfBudget, way),
                Walked::Canceled(way) => return path_over_zones(PathEnd::Canceled, way),
                // A leg is blocked that was open when the graph was built.
                Walked::Blocked => {}
            }
        }
        let (end, node) = match search(scratch, steps, start, &mut task, |_| true) {
            Found::Way(node) => (PathEnd::Reached, node),
            Found::None(node) => (PathEnd::Unreachable, node),
            Found::OutOfBudget(node) => (PathEnd::OutOfBudget, node),
            Found::Canceled(node) => (PathEnd::Canceled, node),
            // All that is there is loaded.
            Found::Pending(_) => (PathEnd::OutOfBudget, scratch.nearest.1),
        };
        (end, scratch.trace(node), end == PathEnd::Reached)
    }
}

/// Where a path leads: to the goal, or to where the search came nearest to it.
pub(super) fn goal_of(request: &PathRequest, end: PathEnd, way: &[GroundPosition]) -> GeoPoint {
    let start = way.first().map(|first| first.cell);
    match (end, way.last()) {
        (PathEnd::Reached, _) => request.to,
        (_, Some(last)) if Some(last.cell) != start => GeoPoint::from_cell(last.cell, last.z),
        _ => request.from,
    }
}

/// Cuts the loops out of a path that visits a position twice.
pub(super) fn without_loops(way: Vec<GroundPosition>) -> Vec<GroundPosition> {
    let mut last_at = std::collections::HashMap::new();
    for (index, stand) in way.iter().enumerate() {
        last_at.insert((stand.cell, stand.layer), index);
    }
    let mut straight = Vec::with_capacity(way.len());
    let mut index = 0;
    while let Some(stand) = way.get(index) {
        straight.push(*stand);
        index = last_at[&(stand.cell, stand.layer)] + 1;
    }
    straight
}
