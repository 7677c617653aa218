//! A* over cells and layers: the cheapest path by the step rule. Dossier sections 5.2 and 5.3.

use super::frontier::MAX_RISE;
use super::lazy_geodata::RegionSet;
use super::search::{NONE, PathSearch};
use crate::step::{GroundPosition, Steps};
use ironlands_sim_regions::{GeoCell, Nswe, RegionId};
use std::sync::atomic::{AtomicBool, Ordering};

/// Cost of a step along an axis.
pub(super) const AXIAL: u32 = 10;
/// Cost of a diagonal step.
pub(super) const DIAGONAL: u32 = 14;

/// A step costs at most this many times its length: a diagonal one away from the goal must not leave the frontier.
pub(super) const MAX_ROUGH_FACTOR: u32 = MAX_RISE / DIAGONAL - 1;

/// How many cells are looked at between two looks at whether to stop.
const CELLS_PER_LOOK: u32 = 1024;

/// What a search is about besides its ends.
pub(super) struct Task<'a> {
    pub goal: GroundPosition,
    /// How much a step into a cell with a closed side costs, in lengths.
    pub rough_factor: u32,
    /// Cells that may still be looked at.
    pub budget: &'a mut u32,
    pub cancel: Option<&'a AtomicBool>,
    /// Regions that are there but not loaded: the search waits at them.
    pub pending: RegionSet,
}

/// How a search ends; nodes are those of its scratch memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// At the goal.
    Way(u32),
    /// The goal cannot be reached within the area; the nearest node to it.
    None(u32),
    /// The budget is used up; the nearest node.
    OutOfBudget(u32),
    /// It was canceled; the nearest node.
    Canceled(u32),
    /// It came to this region, which is not loaded.
    Pending(RegionId),
}

/// The cheapest path from a position to a goal over cells of an area.
pub(super) fn search(
    scratch: &mut PathSearch,
    steps: &mut Steps<'_>,
    start: &GroundPosition,
    task: &mut Task<'_>,
    is_in_area: impl Fn(GeoCell) -> bool,
) -> Found {
    scratch.begin();
    let first = scratch.node(start);
    let far = octile(start.cell, task.goal.cell);
    scratch.reach(first, start, 0, NONE);
    scratch.frontier.begin(far);
    scratch.frontier.push(far, first, 0);
    scratch.nearest = (far, first);
    go_on(scratch, steps, task, is_in_area)
}

/// Continues with a search that a budget or a region that was not loaded ended, to the same goal.
pub(super) fn go_on(
    scratch: &mut PathSearch,
    steps: &mut Steps<'_>,
    task: &mut Task<'_>,
    is_in_area: impl Fn(GeoCell) -> bool,
) -> Found {
    let goal = task.goal;
    let mut until_look = CELLS_PER_LOOK;
    while let Some((node, cost)) = scratch.frontier.pop() {
        // A cheaper path was found after this one was queued.
        if cost != scratch.get(node).cost {
            continue;
        }
        let stand = scratch.stand(node);
        if stand.cell == goal.cell && stand.layer == goal.layer {
            return Found::Way(node);
        }
        let pending = task.pending.beside(stand.cell);
        if *task.budget == 0 || pending.is_some() {
            // A resumed search begins with it.
            let estimate = cost + octile(stand.cell, goal.cell);
            scratch.frontier.push(estimate, node, cost);
            return match pending {
                Some(region) if *task.budget > 0 => Found::Pending(region),
                _ => Found::OutOfBudget(scratch.nearest.1),
            };
        }
        *task.budget -= 1;
        until_look -= 1;
        if until_look == 0 {
            until_look = CELLS_PER_LOOK;
            if task
                .cancel
                .is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            {
                return Found::Canceled(scratch.nearest.1);
            }
        }
        for (direction, next) in steps.neighbors(&stand).into_iter().enumerate() {
            let Some(next) = next.filter(|next| is_in_area(next.cell)) else {
                continue;
            };
            let length = if direction < 4 { AXIAL } else { DIAGONAL };
            let factor = if next.nswe == Nswe::ALL_SIDES {
                1
            } else {
                task.rough_factor
            };
            let cost = cost + length * factor;
            let to = scratch.node(&next);
            if cost < scratch.get(to).cost {
                let left = octile(next.cell, goal.cell);
                scratch.reach(to, &next, cost, node);
                scratch.frontier.push(cost + left, to, cost);
                if left < scratch.nearest.0 {
                    scratch.nearest = (left, to);
                }
            }
        }
    }
    Found::None(scratch.nearest.1)
}

/// The least that a path between two cells can cost: as if all were open.
#[inline]
pub(super) fn octile(a: GeoCell, b: GeoCell) -> u32 {
    let (dx, dy) = (u32::from(a.x.abs_diff(b.x)), u32::from(a.y.abs_diff(b.y)));
    AXIAL * dx.max(dy) + (DIAGONAL - AXIAL) * dx.min(dy)
}

/// What a path costs, step by step.
pub(super) fn cost_of(way: &[GroundPosition]) -> u32 {
    way.windows(2)
        .map(|pair| octile(pair[0].cell, pair[1].cell))
        .sum()
}
