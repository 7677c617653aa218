//! The path plan: a rough path over zones, and the exact one along it.
//!
//! The plan is A* over zones: each is entered once, where that is cheapest if the ground were open; so
//! a plan across a continent looks at some thousand zones. Then it is refined leg by leg: an exact search to the exit
//! after the next one, over the tiles of these zones alone, of which the first half is kept. Every leg exists,
//! because what is left of the leg before leads to where it goes.

use super::exact::{Found, Task, octile, search};
use super::lazy_geodata::RegionSet;
use super::request::PathEnd;
use super::search::{KeyHasher, PathSearch};
use super::tile::TileId;
use super::zone_graph::{Place, ZoneGraph, ZoneKey};
use crate::step::{GroundPosition, Steps};
use ironlands_sim_regions::GeoCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::BuildHasherDefault;

/// Zones from that of the start to that of the goal, and the exits that lead from each to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct PathPlan {
    /// Tiles of the zones.
    tiles: Vec<TileId>,
    /// Cell and layer where each step to the next zone begins; one less.
    exits: Vec<(GeoCell, u8)>,
}

/// A zone that a plan reached.
#[derive(Clone, Copy)]
struct Entered {
    cost: u32,
    at: GeoCell,
    layer: u8,
    /// Zone that led here, and cell and layer where that was left; the zone itself for the first.
    before: ZoneKey,
    exit: (GeoCell, u8),
}

/// How the refinement of a plan ended.
pub(super) enum Walked {
    /// At the goal.
    Way(Vec<GroundPosition>),
    /// A leg is blocked: the graph is older than the ground.
    Blocked,
    OutOfBudget(Vec<GroundPosition>),
    Canceled(Vec<GroundPosition>),
}

/// The cheapest plan. `must_stop` is called before each zone that is looked at, and may end the search.
///
/// # Errors
/// How it ended without a plan.
pub(super) fn plan_path<G: ZoneGraph>(
    graph: &mut G,
    start: &Place,
    goal: &Place,
    mut must_stop: impl FnMut(&mut G) -> Option<PathEnd>,
) -> Result<PathPlan, PathEnd> {
    let (first, last) = (start.zone, goal.zone);
    let mut entered = HashMap::<ZoneKey, Entered, BuildHasherDefault<KeyHasher>>::default();
    let mut open = BinaryHeap::new();
    let begin = Entered {
        cost: 0,
        at: start.cell,
        layer: start.layer,
        before: first,
        exit: (start.cell, start.layer),
    };
    entered.insert(first, begin);
    open.push(Reverse((octile(start.cell, goal.cell), first, 0)));
    let mut steps_out = Vec::new();
    while let Some(Reverse((_, zone, cost))) = open.pop() {
        let here = entered[&zone];
        if cost != here.cost {
            continue;
        }
        if zone == last {
            return Ok(trace(&entered, first, last));
        }
        if let Some(end) = must_stop(graph) {
            return Err(end);
        }
        let place = Place {
            zone,
            cell: here.at,
            layer: here.layer,
        };
        graph.steps_out(&place, &mut steps_out);
        for leave in &steps_out {
            let next = leave.to;
            if graph.leads_to(next.zone, last) == Some(false) {
                continue;
            }
            // A file of zones can describe a path longer than any over real ground.
            let cost = cost
                .saturating_add(octile(here.at, leave.from))
                .saturating_add(octile(leave.from, next.cell));
            if entered
                .get(&next.zone)
                .is_none_or(|known| cost < known.cost)
            {
                let there = Entered {
                    cost,
                    at: next.cell,
                    layer: next.layer,
                    before: zone,
                    exit: (leave.from, leave.from_layer),
                };
                entered.insert(next.zone, there);
                let estimate = cost.saturating_add(octile(next.cell, goal.cell));
                open.push(Reverse((estimate, next.zone, cost)));
            }
        }
    }
    Err(PathEnd::Unreachable)
}

fn trace(
    entered: &HashMap<ZoneKey, Entered, BuildHasherDefault<KeyHasher>>,
    first: ZoneKey,
    last: ZoneKey,
) -> PathPlan {
    let mut plan = PathPlan::default();
    let mut zone = last;
    loop {
        let here = entered[&zone];
        plan.tiles.push(TileId::from_cell(here.at));
        if zone == first {
            break;
        }
        plan.exits.push(here.exit);
        zone = here.before;
    }
    plan.tiles.reverse();
    plan.exits.reverse();
    plan
}

impl PathPlan {
    /// Tiles that the walk along it goes over, some of them more than once.
    pub(super) fn tiles(&self) -> &[TileId] {
        &self.tiles
    }

    /// Where the walk looks from zone `from`: the start of the exit after the next one, or the goal.
    fn target(&self, index: usize, goal: &GroundPosition) -> GroundPosition {
        match self.exits.get(index) {
            Some(&(cell, layer)) => GroundPosition {
                cell,
                layer,
                ..*goal
            },
            None => *goal,
        }
    }

    /// The exact path along the plan.
    pub(super) fn walk(
        &self,
        scratch: &mut PathSearch,
        steps: &mut Steps<'_>,
        start: &GroundPosition,
        task: &mut Task<'_>,
    ) -> Walked {
        let goal = task.goal;
        let mut way = vec![*start];
        // Tiles of what is left of the leg before.
        let mut left: Vec<TileId> = Vec::new();
        for next in 1..=self.exits.len().max(1) {
            let at = *way.last().unwrap_or(start);
            let is_last = next >= self.exits.len();
            let target = self.target(next, &goal);
            let first = next.saturating_sub(2);
            let ahead = self
                .tiles
                .iter()
                .skip(first)
                .take(next - first + 1 + usize::from(is_last));
            let mut tiles: Vec<TileId> = ahead.chain(&left).copied().collect();
            tiles.sort_unstable();
            tiles.dedup();
            let mut leg = Task {
                goal: target,
                rough_factor: task.rough_factor,
                budget: &mut *task.budget,
                cancel: task.cancel,
                pending: RegionSet::default(),
            };
            let in_tiles = |cell: GeoCell| tiles.binary_search(&TileId::from_cell(cell)).is_ok();
            let found = search(scratch, steps, &at, &mut leg, in_tiles);
            let node = match found {
                Found::Way(node) => node,
                Found::None(node) | Found::OutOfBudget(node) | Found::Canceled(node) => {
                    way.extend(scratch.trace(node).into_iter().skip(1));
                    return match found {
                        Found::OutOfBudget(_) => Walked::OutOfBudget(way),
                        Found::Canceled(_) => Walked::Canceled(way),
                        Found::Way(_) | Found::None(_) | Found::Pending(_) => Walked::Blocked,
                    };
                }
                // All regions along a plan are loaded before.
                Found::Pending(_) => return Walked::Blocked,
            };
            let leg = scratch.trace(node);
            let n_kept = if is_last {
                leg.len()
            } else {
                leg.len().div_ceil(2)
            };
            way.extend(&leg[1..n_kept]);
            left.clear();
            left.extend(
                leg[n_kept..]
                    .iter()
                    .map(|stand| TileId::from_cell(stand.cell)),
            );
            left.sort_unstable();
            left.dedup();
            if is_last {
                break;
            }
        }
        Walked::Way(way)
    }
}

#[cfg(test)]
mod tests {
    use super::super::zone_graph::ZoneStep;
    use super::*;

    /// A chain of zones that lie at opposite corners of the grid in turn.
    struct Chain {
        n_zones: u64,
    }

    impl ZoneGraph for Chain {
        fn place(&mut self, _: GeoCell, _: u8) -> Option<Place> {
            None
        }

        fn steps_out(&mut self, place: &Place, steps_out: &mut Vec<ZoneStep>) {
            let zone = place.zone + 1;
            steps_out.clear();
            steps_out.extend((zone < self.n_zones).then(|| ZoneStep {
                from: place.cell,
                from_layer: 0,
                to: in_chain(zone),
            }));
        }

        fn leads_to(&mut self, _: ZoneKey, _: ZoneKey) -> Option<bool> {
            None
        }
    }

    fn in_chain(zone: u64) -> Place {
        let at = if zone.is_multiple_of(2) { 0 } else { u16::MAX };
        Place {
            zone,
            cell: GeoCell { x: at, y: at },
            layer: 0,
        }
    }

    /// A hostile file of zones can describe one.
    #[test]
    fn a_plan_longer_than_costs_can_count_is_found() {
        let n_zones = 2 * u64::from(u32::MAX / octile(in_chain(0).cell, in_chain(1).cell));
        let (start, goal) = (in_chain(0), in_chain(n_zones - 1));
        let found = plan_path(&mut Chain { n_zones }, &start, &goal, |_| None);
        let n_tiles = found.map(|plan| plan.tiles.len() as u64);
        assert_eq!(n_tiles, Ok(n_zones));
    }
}
