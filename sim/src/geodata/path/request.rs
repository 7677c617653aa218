//! Paths as one asks for them.

use super::exact::{Found, MAX_ROUGH_FACTOR, Task, cost_of, octile, search};
use super::graph::NavGraph;
use super::plan::{Walked, plan};
use super::pull::pull;
use super::search::PathSearch;
use crate::geodata::step::{Stand, Steps};
use crate::geodata::{GeoPoint, Geodata, GeodataError, Profile};
use ironlands_assets_loader::lineage2::GeoCell;
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

/// What is asked of a path besides its ends.
#[derive(Debug, Clone, Copy)]
pub struct PathOptions<'a> {
    /// Cells that may be looked at; the same on every machine, unlike time.
    pub budget: u32,
    /// A step into a cell with a closed side costs so many times its length, so that paths keep away from walls. 1 is
    /// the shortest way; 3 is what common servers take, 17 the most.
    pub rough_factor: u32,
    /// Ends that are nearer than this, in cells as the crow flies, are searched for exactly before zones are asked.
    pub exact_cells: u32,
    /// Set it, and searches end soon with what they have.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for PathOptions<'_> {
    fn default() -> Self {
        Self {
            budget: 4_000_000,
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
    /// No way leads there.
    #[default]
    Unreachable,
    /// The budget was used up first.
    OutOfBudget,
    /// It was asked to stop.
    Cancelled,
}

/// A path, or the best part of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WalkPath {
    /// Whether it arrives. If not, the path leads to where the search came nearest to the goal.
    pub end: PathEnd,
    /// Start, corners, goal. From each a straight walk reaches the next.
    pub points: Vec<GeoPoint>,
    /// The way from cell to cell that was pulled taut, with the height of each.
    pub cells: Vec<(GeoCell, i32)>,
    /// What that way costs, 10 and 14 a step, without [`PathOptions::rough_factor`].
    pub cost: u32,
    /// Cells that were looked at.
    pub n_expanded: u32,
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

    /// Exact searches for what is near, plans over zones for what is far. The graph should be built from this
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
    /// An exact search gives the cheapest. A planned one costs more: in all tests at most a tenth on the mean, and with
    /// the default options half in the worst case. What is near is searched exactly, for a plan of a short way around
    /// a corner can cost nearly twice as much: keep [`PathOptions::exact_cells`] above 0, or raise it where cost counts.
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
        let (end, way) = self.way(&mut steps, &start, &goal, options, &mut budget, scratch);
        let to = match end {
            PathEnd::Reached => request.to,
            PathEnd::Unreachable | PathEnd::OutOfBudget | PathEnd::Cancelled => {
                way.last()
                    .map_or(request.from, |last| match last.cell == start.cell {
                        true => request.from,
                        false => GeoPoint::of_cell(last.cell, last.z),
                    })
            }
        };
        Ok(WalkPath {
            end,
            points: pull(self.geodata, &self.profile, &way, request.from, to),
            cells: way.iter().map(|stand| (stand.cell, stand.z)).collect(),
            cost: cost_of(&way),
            n_expanded: options.budget - budget,
        })
    }

    /// [`find`](Self::find) for many requests on all threads, each task with its own scratch memory.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn find_all(
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

    fn ground(&self, steps: &mut Steps<'_>, at: GeoPoint) -> Result<Stand, GeodataError> {
        let cell = at.cell()?;
        steps.stand(cell, at.z).ok_or(GeodataError::NoData {
            region: cell.region(),
        })
    }

    fn way(
        &self,
        steps: &mut Steps<'_>,
        start: &Stand,
        goal: &Stand,
        options: &PathOptions<'_>,
        budget: &mut u32,
        scratch: &mut PathSearch,
    ) -> (PathEnd, Vec<Stand>) {
        // An older graph may not know of what was opened since.
        let graph = self
            .graph
            .filter(|graph| graph.generation() == self.geodata.generation());
        if let Some(graph) = graph {
            let places = graph.place_of(start).zip(graph.place_of(goal));
            if !places.is_some_and(|(from, to)| graph.leads(&from, &to)) {
                return (PathEnd::Unreachable, vec![*start]);
            }
        }
        let mut task = Task {
            goal: *goal,
            rough_factor: options.rough_factor.clamp(1, MAX_ROUGH_FACTOR),
            budget,
            cancel: options.cancel,
        };
        let is_near = octile(start.cell, goal.cell) / super::exact::AXIAL <= options.exact_cells;
        if let Some(graph) = self.graph
            && !is_near
            && let Some(plan) = plan(graph, steps, start, goal)
        {
            match plan.walk(scratch, steps, start, &mut task) {
                Walked::Way(way) => return (PathEnd::Reached, without_loops(way)),
                Walked::OutOfBudget(way) => return (PathEnd::OutOfBudget, without_loops(way)),
                Walked::Cancelled(way) => return (PathEnd::Cancelled, without_loops(way)),
                // A leg is blocked that was open when the graph was built.
                Walked::Blocked => {}
            }
        }
        match search(scratch, steps, start, &mut task, |_| true) {
            Found::Way(node) => (PathEnd::Reached, scratch.trace(node)),
            Found::None(node) => (PathEnd::Unreachable, scratch.trace(node)),
            Found::OutOfBudget(node) => (PathEnd::OutOfBudget, scratch.trace(node)),
            Found::Cancelled(node) => (PathEnd::Cancelled, scratch.trace(node)),
        }
    }
}

/// A way that comes to the same place twice goes on from there at once.
fn without_loops(way: Vec<Stand>) -> Vec<Stand> {
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
