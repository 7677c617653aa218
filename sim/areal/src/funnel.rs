//! The shortest path through the areals of a route, by the funnel algorithm.
//!
//! The path through the corridor crosses gates: portals, and in areals that are not convex the sides of their
//! triangles. Between two gates all is convex, so a line that crosses each gate leaves no areal, and the shortest
//! is found by a funnel: the two lines from the last corner that see the farthest through all gates so far.

use super::plane::orient;
use super::route::{ArealRoute, Ends, RouteSearch};
use super::triangulate::{Gate, Opening, Shape};
use super::{ArealFilter, ArealIndex, StraightWalkEnd};
use glam::Vec2;

impl ArealIndex {
    /// Writes path and length of the route that a search has found. False if the line is not known to stay inside.
    pub(super) fn straighten(
        &self,
        ends: &Ends,
        search: &mut RouteSearch,
        route: &mut ArealRoute,
    ) -> bool {
        let Ends {
            from,
            to,
            start_areal,
            ..
        } = *ends;
        // Portals lead to areals of known shape only, so this is one whose outline crosses itself, alone.
        if self.interiors.shape(start_areal) == Shape::Unknown {
            let mut is_left = false;
            let end = self
                .straight_walk_from(start_areal, from, to, &ArealFilter::ALL, |_| is_left = true);
            if is_left || !matches!(end, StraightWalkEnd::Reached { .. }) {
                return false;
            }
        }
        self.gates(ends, search);
        pull_string(from, to, &search.gates, &mut route.path);
        let pieces = route.path.iter().zip(route.path.iter().skip(1));
        let length: f64 = pieces
            .map(|(from, to)| from.as_dvec2().distance(to.as_dvec2()))
            .sum();
        route.length = length as f32;
        true
    }

    /// All gates of the route.
    fn gates(&self, ends: &Ends, search: &mut RouteSearch) {
        let RouteSearch {
            way, gates, climb, ..
        } = search;
        gates.clear();
        let mut areal = ends.start_areal;
        let mut entry = Opening::Point(ends.from);
        for &portal in way.iter() {
            let portal = self.portals.get(portal);
            let doors = (entry, Opening::Edge(portal.edge));
            self.interiors
                .gates_between(&self.outlines, areal, doors, climb, gates);
            gates.push(portal.gate(&self.outlines));
            areal = portal.to_areal;
            entry = Opening::Edge(portal.to_edge);
        }
        let doors = (entry, Opening::Point(ends.to));
        self.interiors
            .gates_between(&self.outlines, areal, doors, climb, gates);
    }
}

/// The shortest line from one point to another through gates, in order: start, corners, goal. Corners on a straight
/// piece may be among them.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "places of gates that are there"
)]
fn pull_string(from: Vec2, to: Vec2, gates: &[Gate], path: &mut Vec<Vec2>) {
    path.push(from);
    let goal = Gate {
        left: to,
        right: to,
    };
    let (mut apex, mut left, mut right) = (from, from, from);
    // The gates that left and right belong to.
    let (mut left_at, mut right_at) = (0, 0);
    let mut i = 0;
    while i <= gates.len() {
        let gate = gates.get(i).unwrap_or(&goal);
        if orient(apex, right, gate.right) >= 0.0 {
            if apex == right
                || orient(apex, left, gate.right) < 0.0
                || are_opposite(apex, left, gate.right)
            {
                (right, right_at) = (gate.right, i);
            } else {
                // All of the gate is left of the funnel.
                turn_at(left, path);
                (apex, right) = (left, left);
                i = left_at + 1;
                continue;
            }
        }
        if orient(apex, left, gate.left) <= 0.0 {
            if apex == left
                || orient(apex, right, gate.left) > 0.0
                || are_opposite(apex, right, gate.left)
            {
                (left, left_at) = (gate.left, i);
            } else {
                turn_at(right, path);
                (apex, left) = (right, right);
                i = right_at + 1;
                continue;
            }
        }
        i += 1;
    }
    turn_at(to, path);
}

/// Whether two points lie on a line with the apex and to both sides of it: a corner that stands in a gate sees it
/// under half a turn, which is open still.
fn are_opposite(apex: Vec2, a: Vec2, b: Vec2) -> bool {
    let [to_a, to_b] = [a, b].map(|point| point.as_dvec2() - apex.as_dvec2());
    orient(apex, a, b) == 0.0 && to_a.dot(to_b) < 0.0
}

fn turn_at(corner: Vec2, path: &mut Vec<Vec2>) {
    if path.last() != Some(&corner) {
        path.push(corner);
    }
}
