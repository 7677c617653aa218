//! Routes over areals: A* over the portals between them, then the funnel algorithm through those of the route.
//!
//! A portal is the part that two linked edges share. The search goes straight from the start to the middle of a
//! portal, on to the middle of the next, and from the last to the goal, and takes the cheapest such route. Its areals
//! are a corridor, and the path that is returned is the shortest in it ([`super::funnel`]).

use super::links::NONE;
use super::{ArealFilter, ArealIndex};
use crate::portals::Portal;
use crate::triangulate::Gate;
use glam::{DVec2, Vec2, Vec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Options of a route query; the default admits all areals, at the cost of their length.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RouteOptions<'a> {
    /// Areals that a route may pass; its ends are looked up among them too.
    pub filter: ArealFilter<'a>,
    /// What they cost.
    pub costs: ClassCosts<'a>,
}

/// Cost of a unit of length by the class of the areal. Areals whose factor is negative or not finite are closed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassCosts<'a> {
    /// `class_id` and factor; the first entry of a class counts. Searched linearly.
    pub by_class: &'a [(u32, f32)],
    /// Factor of all other classes.
    pub others: f32,
}

/// A route from one point to another. Empty for none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ArealRoute {
    /// Areals of the route, from that of the start to that of the goal.
    pub areals: Vec<u32>,
    /// Portals of the route; the k-th leads from `areals[k]` to `areals[k + 1]`.
    pub portals: Vec<RoutePortal>,
    /// The path: start, corners, goal, in the ground plane, world units. Straight pieces between them stay in
    /// the closed outlines of the areals of the route.
    pub path: Vec<Vec2>,
    /// Length of the path, world units.
    pub length: f32,
    /// Cost of the route over the middles of the portals, which the search has minimized.
    pub cost: f32,
}

/// The edge that a route crosses between two areals, seen in its direction; world units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoutePortal {
    /// Left end.
    pub left: Vec3,
    /// Right end.
    pub right: Vec3,
}

/// Scratch memory of route searches. One that has been used for an index allocates nothing for it any more, once
/// it has seen its longest route.
#[derive(Debug, Clone, Default)]
pub struct RouteSearch {
    /// By portal.
    reached: Vec<Reached>,
    /// Number of the current search; what an earlier one reached does not count.
    serial: u32,
    frontier: BinaryHeap<Reverse<Candidate>>,
    /// Portals of the route that was found.
    pub(super) way: Vec<u32>,
    pub(super) gates: Vec<Gate>,
    pub(super) climb: Vec<Gate>,
}

/// What is known of a portal during a search.
#[derive(Debug, Clone, Copy)]
struct Reached {
    cost: f64,
    /// Portal before it; [`NONE`] after the start.
    before: u32,
    /// The search that reached it.
    serial: u32,
    is_settled: bool,
}

/// A portal to look at next: the least estimate first, of equals the lowest portal. The estimate is kept as its
/// bits, which are in the same order as long as it is not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    estimate_bits: u64,
    portal: u32,
    /// The route ends behind the portal, and the estimate is its cost.
    is_end: bool,
}

/// The ends of a search.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub from: Vec2,
    pub to: Vec2,
    pub start_areal: u32,
    pub goal_areal: u32,
}

impl ArealIndex {
    /// The route from one point of the ground plane to another, world units, over all areals; `None` if a point is
    /// in no areal or no links lead there. See [`find_route`](Self::find_route).
    pub fn route(&self, from: Vec2, to: Vec2) -> Option<ArealRoute> {
        let mut route = ArealRoute::default();
        let mut search = RouteSearch::default();
        self.find_route(from, to, &RouteOptions::default(), &mut search, &mut route)
            .then_some(route)
    }

    /// Finds the cheapest route over the middles of portals, and the shortest path through its areals. Whether there
    /// is one; without one `route` is empty.
    ///
    /// Of equally cheap routes always the same: portals are settled by estimated cost, of equals by index (areal,
    /// then edge). Links are used in their own direction; those that the outlines contradict, whose edges share no
    /// part, lead nowhere. Areals whose outline crosses itself are no part of a route.
    ///
    /// The search costs some words a portal, once for a `search` and an index, and time by the portals that lie
    /// about as near to the straight line as the route.
    pub fn find_route(
        &self,
        from: Vec2,
        to: Vec2,
        options: &RouteOptions,
        search: &mut RouteSearch,
        route: &mut ArealRoute,
    ) -> bool {
        route.clear();
        let (Some(start_areal), Some(goal_areal)) = (
            self.areal_at_filtered(from, &options.filter),
            self.areal_at_filtered(to, &options.filter),
        ) else {
            return false;
        };
        if !self.portals.may_join(start_areal, goal_areal) {
            return false;
        }
        let ends = Ends {
            from,
            to,
            start_areal,
            goal_areal,
        };
        let Some(cost) = search.run(self, options, &ends) else {
            return false;
        };
        if !self.straighten(&ends, search, route) {
            route.clear();
            return false;
        }
        route.cost = cost as f32;
        route.areals.push(start_areal);
        for &portal in &search.way {
            let portal = self.portals.get(portal);
            route.areals.push(portal.to_areal);
            route.portals.push(RoutePortal {
                left: self.outlines.vertex(portal.left),
                right: self.outlines.vertex(portal.right),
            });
        }
        true
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "hot; `begin` makes an entry for each portal"
)]
impl RouteSearch {
    /// Leaves the portals of the cheapest route in `way`; returns its cost.
    fn run(&mut self, index: &ArealIndex, options: &RouteOptions, ends: &Ends) -> Option<f64> {
        let Ends {
            start_areal,
            goal_areal,
            ..
        } = *ends;
        let (from, to) = (ends.from.as_dvec2(), ends.to.as_dvec2());
        self.begin(index.portals.len());
        let factor = |areal: u32| options.factor(index, areal);
        let (start_factor, goal_factor) = (factor(start_areal)?, factor(goal_areal)?);
        if start_areal == goal_areal {
            return Some(from.distance(to) * start_factor);
        }
        let goal = Goal {
            point: to,
            least_factor: options.costs.least(),
        };
        self.enter(index, (start_areal, NONE), (from, 0.0, start_factor), &goal);
        while let Some(Reverse(candidate)) = self.frontier.pop() {
            let portal_idx = candidate.portal;
            if candidate.is_end {
                self.trace(portal_idx);
                return Some(f64::from_bits(candidate.estimate_bits));
            }
            let known = &mut self.reached[portal_idx as usize];
            if std::mem::replace(&mut known.is_settled, true) {
                continue; // a costlier route to it, found earlier
            }
            let cost = known.cost;
            let portal = index.portals.get(portal_idx);
            if portal.to_areal == goal_areal {
                let cost = cost + portal.middle.distance(to) * goal_factor;
                if goal_factor <= goal.least_factor {
                    self.trace(portal_idx);
                    return Some(cost);
                }
                // A detour out of the goal's areal and back may be cheaper than the path through it.
                self.frontier.push(Reverse(Candidate {
                    estimate_bits: cost.to_bits(),
                    portal: portal_idx,
                    is_end: true,
                }));
            }
            if let Some(factor) = factor(portal.to_areal) {
                let entry = (portal.middle, cost, factor);
                self.enter(index, (portal.to_areal, portal_idx), entry, &goal);
            }
        }
        None
    }

    fn begin(&mut self, n_portals: usize) {
        let unknown = Reached {
            cost: f64::INFINITY,
            before: NONE,
            serial: 0,
            is_settled: false,
        };
        self.frontier.clear();
        self.way.clear();
        self.serial = self.serial.wrapping_add(1);
        if self.serial == 0 || self.reached.len() != n_portals {
            self.reached.clear();
            self.reached.resize(n_portals, unknown);
            self.serial = 1;
        }
    }

    /// Offers the portals of an areal that is entered at a point by a portal, or at the start.
    fn enter(
        &mut self,
        index: &ArealIndex,
        (areal, before): (u32, u32),
        (entry, cost, factor): (DVec2, f64, f64),
        goal: &Goal,
    ) {
        let came_by = (before != NONE).then(|| index.portals.get(before));
        for (portal_idx, portal) in index.portals.in_areal(areal) {
            // Back by the portal that it came by: never cheaper, and for a start in its middle no dearer.
            if came_by.is_some_and(|it| it.middle == portal.middle && it.edge == portal.to_edge) {
                continue;
            }
            let cost = cost + entry.distance(portal.middle) * factor;
            let known = &mut self.reached[portal_idx as usize];
            let is_known = known.serial == self.serial;
            let is_better = !is_known
                || (!known.is_settled
                    && (cost < known.cost || (cost == known.cost && before < known.before)));
            if is_better {
                *known = Reached {
                    cost,
                    before,
                    serial: self.serial,
                    is_settled: false,
                };
                self.frontier.push(Reverse(Candidate {
                    estimate_bits: (cost + goal.estimate(portal)).to_bits(),
                    portal: portal_idx,
                    is_end: false,
                }));
            }
        }
    }

    fn trace(&mut self, last: u32) {
        let mut portal = last;
        while portal != NONE {
            self.way.push(portal);
            portal = self.reached[portal as usize].before;
        }
        self.way.reverse();
    }
}

/// What a search is after.
struct Goal {
    point: DVec2,
    least_factor: f64,
}

impl Goal {
    /// The least that remains to be paid behind a portal. It never falls by more than a step costs, so a settled portal is
    /// never reached cheaper.
    fn estimate(&self, portal: &Portal) -> f64 {
        portal.middle.distance(self.point) * self.least_factor
    }
}

impl RouteOptions<'_> {
    /// Cost of a unit of length in an areal; `None` if it is closed.
    fn factor(&self, index: &ArealIndex, areal: u32) -> Option<f64> {
        if !self.filter.accepts(index, areal) {
            return None;
        }
        let class_id = index.class_id(areal)?;
        let mut by_class = self.costs.by_class.iter();
        let own = by_class.find(|(class, _)| *class == class_id);
        let factor = own.map_or(self.costs.others, |(_, factor)| *factor);
        is_open(&factor).then_some(f64::from(factor))
    }
}

impl ClassCosts<'_> {
    /// The least factor of an areal that is not closed; 0 if all are.
    fn least(&self) -> f64 {
        let factors = self.by_class.iter().map(|(_, factor)| *factor);
        let open = factors.chain([self.others]).filter(is_open);
        open.reduce(f32::min).map_or(0.0, f64::from)
    }
}

fn is_open(factor: &f32) -> bool {
    factor.is_finite() && *factor >= 0.0
}

impl Default for ClassCosts<'_> {
    /// All cost their length.
    fn default() -> Self {
        Self {
            by_class: &[],
            others: 1.0,
        }
    }
}

impl ArealRoute {
    /// Whether it leads anywhere.
    pub fn is_some(&self) -> bool {
        !self.areals.is_empty()
    }

    /// Makes it none, and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.areals.clear();
        self.portals.clear();
        self.path.clear();
        self.length = 0.0;
        self.cost = 0.0;
    }
}

impl RoutePortal {
    /// The point that the search passes.
    pub fn middle(&self) -> Vec3 {
        ((self.left.as_dvec3() + self.right.as_dvec3()) * 0.5).as_vec3()
    }
}
