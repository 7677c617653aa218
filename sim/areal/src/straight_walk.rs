//! A straight walk over areals: which it passes, where it crosses from one to the next, and where it is stopped.
//!
//! A walk stays in an areal as long as the closed outline holds it, along a border too. Where it leaves, it looks
//! for a continuation over the links of the edges that meet in that very point: directly, or around a vertex.

use super::links::NONE;
use super::plane::{in_order, orient, weld_distance};
use super::{ArealFilter, ArealIndex};
use glam::{DVec2, Vec2};
use std::cell::Cell;

/// Areals around one point that a walk looks at, at most; where more meet, it is stopped.
const MAX_AROUND: usize = 32;
/// Edges that a walk looks at, at most, by the edges that there are: hostile outlines may wind along it.
const LOOKS_PER_EDGE: u64 = 16;

/// A step of a walk from one areal into the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArealCrossing {
    /// Areal that the walk leaves.
    pub areal: u32,
    /// The edge of that areal whose link it follows.
    pub edge: u32,
    /// Areal that it enters. Around a vertex it may leave it in the same point.
    pub to_areal: u32,
    /// Share of the walk, `0.0..=1.0`; never falls from crossing to crossing.
    pub t: f64,
    /// Where it crosses, world units.
    pub point: Vec2,
}

/// How a walk ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StraightWalkEnd {
    /// It reached its goal, in this areal.
    Reached {
        /// Index of the areal.
        areal: u32,
    },
    /// It came to an edge that is not linked to where it continues.
    Blocked {
        /// The areal that it cannot leave.
        areal: u32,
        /// The edge of that areal; of several the lowest.
        edge: u32,
        /// Share of the walk, `0.0..=1.0`.
        t: f64,
        /// Where it is stopped, world units.
        point: Vec2,
    },
    /// Its start is in no areal, not in the areal that was given, or an end is not finite.
    Outside,
    /// Outlines wind around it so often that it was given up.
    TooLong,
}

/// A part of a walk on which it crosses no vertex and no edge of one areal.
struct Stretch {
    /// Share of the walk; infinity if it crosses nothing more.
    end: f64,
    is_inside: bool,
    /// The edge among all that it crosses at its end, if it crosses nothing else there; otherwise [`NONE`].
    crossed: u32,
}

/// An edge as a walk meets it.
struct Meeting {
    /// The edge among all.
    edge: u32,
    /// Where it crosses the vertices that lie on its line; NaN for one that does not.
    at_begin: f64,
    at_end: f64,
    /// Where it passes from one side of the edge to the other; NaN if it does not. A vertex on the line counts as
    /// right of it, so that two edges that meet there pass together or not at all.
    passes: f64,
}

/// An areal that is looked at around a point.
#[derive(Clone, Copy)]
struct Around {
    areal: u32,
    /// Place in the list of the areal before it, and the edge between them.
    before: usize,
    edge: u32,
}

/// A walk in progress.
struct Walk<'a> {
    index: &'a ArealIndex,
    filter: &'a ArealFilter<'a>,
    line: Line,
    looks_left: Cell<u64>,
}

struct Line {
    from: Vec2,
    to: Vec2,
    along: DVec2,
}

impl ArealIndex {
    /// Walks straight from one point of the ground plane to another, world units, from the areal that
    /// [`areal_at_filtered`](Self::areal_at_filtered) finds; calls `visit` at each crossing, in order. Links are used
    /// in their own direction, and those to areals that the filter rejects are closed.
    ///
    /// Decisions are exact for all finite points, as far as order along the walk is that of `f64`. Between linked
    /// areals a gap of `1/65536` of the largest coordinate is stepped over. Outlines may be non-convex: one that
    /// the walk leaves and enters again is passed twice, if links lead there. Of areals that overlap only those
    /// are entered that a link leads to. Allocates nothing; the cost grows with the edges of the areals passed.
    pub fn straight_walk(
        &self,
        from: Vec2,
        to: Vec2,
        filter: &ArealFilter,
        visit: impl FnMut(&ArealCrossing),
    ) -> StraightWalkEnd {
        match self.areal_at_filtered(from, filter) {
            Some(start) if to.is_finite() => self.walk_in(start, from, to, filter, visit),
            _ => StraightWalkEnd::Outside,
        }
    }

    /// [`straight_walk`](Self::straight_walk) from a given areal, which must hold `from` and be seen by the filter.
    pub fn straight_walk_from(
        &self,
        start: u32,
        from: Vec2,
        to: Vec2,
        filter: &ArealFilter,
        visit: impl FnMut(&ArealCrossing),
    ) -> StraightWalkEnd {
        let is_inside = (start as usize) < self.n_areals()
            && from.is_finite()
            && to.is_finite()
            && filter.accepts(self, start)
            && self.outlines.contains(start, from);
        if is_inside {
            self.walk_in(start, from, to, filter, visit)
        } else {
            StraightWalkEnd::Outside
        }
    }

    /// A walk between finite points from an areal that holds the first of them.
    fn walk_in(
        &self,
        start: u32,
        from: Vec2,
        to: Vec2,
        filter: &ArealFilter,
        mut visit: impl FnMut(&ArealCrossing),
    ) -> StraightWalkEnd {
        if from == to {
            return StraightWalkEnd::Reached { areal: start };
        }
        let walk = Walk {
            index: self,
            filter,
            line: Line {
                from,
                to,
                along: to.as_dvec2() - from.as_dvec2(),
            },
            looks_left: Cell::new(
                LOOKS_PER_EDGE.saturating_mul(self.outlines.n_vertices().saturating_add(64) as u64),
            ),
        };
        walk.run(start, &mut visit)
    }

    /// Whether a [`straight_walk`](Self::straight_walk) reaches its goal.
    pub fn is_straight_walk_free(&self, from: Vec2, to: Vec2, filter: &ArealFilter) -> bool {
        matches!(
            self.straight_walk(from, to, filter, |_| {}),
            StraightWalkEnd::Reached { .. }
        )
    }
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; what is counted in a list of fixed size stays below that"
)]
impl Walk<'_> {
    fn run(&self, start: u32, visit: &mut impl FnMut(&ArealCrossing)) -> StraightWalkEnd {
        let mut areal = start;
        let mut t = 0.0;
        let mut stretch = self.stretch(areal, t);
        while self.looks_left.get() > 0 {
            if stretch.is_inside {
                if stretch.end >= 1.0 {
                    return StraightWalkEnd::Reached { areal };
                }
                t = stretch.end;
                if self.is_closed(stretch.crossed) {
                    return self.blocked_at(areal, stretch.crossed, t);
                }
                stretch = match self.straight_on(areal, &stretch, visit) {
                    Some((next, next_stretch)) => {
                        areal = next;
                        next_stretch
                    }
                    None => self.stretch(areal, t),
                };
                continue;
            }
            match self.next_areal(areal, t, visit) {
                Some((next, next_t)) if next_t >= 1.0 => {
                    return StraightWalkEnd::Reached { areal: next };
                }
                Some(next) => (areal, t) = next,
                None => return self.blocked(areal, t),
            }
            stretch = self.stretch(areal, t);
        }
        StraightWalkEnd::TooLong
    }

    /// The part of the walk after `t` up to the next vertex or edge of an areal. It is inside if the line beyond
    /// passes the outline an odd number of times, or if an edge runs along it.
    fn stretch(&self, areal: u32, t: f64) -> Stretch {
        let mut end = f64::INFINITY;
        let mut crossed = NONE;
        let mut is_inside = false;
        let mut runs_along = false;
        self.for_each_meeting(areal, |meeting| {
            for met in [meeting.at_begin, meeting.passes] {
                if met > t && met <= end {
                    let is_alone = met < end && meeting.is_across();
                    crossed = if is_alone { meeting.edge } else { NONE };
                    end = met;
                }
            }
            is_inside ^= meeting.passes > t;
            // Comparisons with NaN are false: this is for edges on the line of the walk.
            let (low, high) = (
                meeting.at_begin.min(meeting.at_end),
                meeting.at_begin.max(meeting.at_end),
            );
            runs_along |= meeting.is_along() && low <= t && high > t;
        });
        Stretch {
            end,
            is_inside: is_inside || runs_along,
            crossed,
        }
    }

    /// The areal behind the only edge at the end of a stretch, if the walk continues in it. What
    /// [`way_on`](Self::way_on) would find, for less.
    fn straight_on(
        &self,
        areal: u32,
        stretch: &Stretch,
        visit: &mut impl FnMut(&ArealCrossing),
    ) -> Option<(u32, Stretch)> {
        if stretch.crossed == NONE {
            return None;
        }
        let to_areal = self.index.links.edge_link(stretch.crossed).to_areal;
        if to_areal == areal || !self.can_enter(to_areal) {
            return None;
        }
        let next = self.stretch(to_areal, stretch.end);
        if !next.is_inside {
            return None;
        }
        visit(&self.crossing(areal, stretch.crossed, to_areal, stretch.end));
        Some((to_areal, next))
    }

    /// Whether an edge leads nowhere. If a walk crosses nothing else there, it ends: all that
    /// [`next_areal`](Self::next_areal) would find, for less.
    fn is_closed(&self, edge: u32) -> bool {
        edge != NONE && !self.can_enter(self.index.links.edge_link(edge).to_areal)
    }

    fn can_enter(&self, to_areal: u32) -> bool {
        to_areal != NONE
            && self.index.outlines.bounds(to_areal).is_some()
            && self.filter.accepts(self.index, to_areal)
    }

    fn crossing(&self, areal: u32, edge: u32, to_areal: u32, t: f64) -> ArealCrossing {
        ArealCrossing {
            areal,
            edge: self.index.own_edge(areal, edge),
            to_areal,
            t,
            point: self.line.at(t),
        }
    }

    /// The areal in which the walk continues from where it leaves another at `t`, and where in it that begins: over
    /// the links of edges that meet there, the fewest links first, of equals in edge order.
    fn next_areal(
        &self,
        areal: u32,
        t: f64,
        visit: &mut impl FnMut(&ArealCrossing),
    ) -> Option<(u32, f64)> {
        let start = Around {
            areal,
            before: 0,
            edge: NONE,
        };
        let mut around = [start; MAX_AROUND];
        let mut n_around = 1;
        let mut next = 0;
        while next < n_around {
            let known = n_around;
            let here = around[next].areal;
            self.for_each_meeting(here, |meeting| {
                let to_areal = self.index.links.edge_link(meeting.edge).to_areal;
                let is_new = meeting.is_at(t)
                    && n_around < MAX_AROUND
                    && around[..n_around].iter().all(|it| it.areal != to_areal)
                    && self.can_enter(to_areal);
                if is_new {
                    around[n_around] = Around {
                        areal: to_areal,
                        before: next,
                        edge: meeting.edge,
                    };
                    n_around += 1;
                }
            });
            for found in known..n_around {
                if let Some(begin) = self.goes_on_in(around[found].areal, t) {
                    self.report_crossings(&around, found, t, visit);
                    return Some((around[found].areal, begin));
                }
            }
            next += 1;
        }
        None
    }

    /// Where the walk is inside of an areal from `t` on, or after a gap that is no wider than what links weld.
    fn goes_on_in(&self, areal: u32, t: f64) -> Option<f64> {
        let stretch = self.stretch(areal, t);
        if stretch.is_inside {
            return Some(t);
        }
        let gap = (stretch.end - t) * self.line.along.length();
        let is_small = gap <= weld_distance(&[self.line.from, self.line.to]);
        let is_beyond = || stretch.end >= 1.0 || self.stretch(areal, stretch.end).is_inside;
        (is_small && is_beyond()).then_some(stretch.end)
    }

    /// Reports the crossings that lead to an areal around a point.
    fn report_crossings(
        &self,
        around: &[Around],
        last: usize,
        t: f64,
        visit: &mut impl FnMut(&ArealCrossing),
    ) {
        let mut chain = [0; MAX_AROUND];
        let mut n_links = 0;
        let mut place = last;
        while place != 0 {
            chain[n_links] = place;
            n_links += 1;
            place = around[place].before;
        }
        for &place in chain[..n_links].iter().rev() {
            let Around {
                areal: to_areal,
                before,
                edge,
            } = around[place];
            visit(&self.crossing(around[before].areal, edge, to_areal, t));
        }
    }

    fn blocked(&self, areal: u32, t: f64) -> StraightWalkEnd {
        let mut edge = NONE;
        self.for_each_meeting(areal, |meeting| {
            if edge == NONE && meeting.is_at(t) {
                edge = meeting.edge;
            }
        });
        self.blocked_at(areal, edge, t)
    }

    fn blocked_at(&self, areal: u32, edge: u32, t: f64) -> StraightWalkEnd {
        StraightWalkEnd::Blocked {
            areal,
            edge: self.index.own_edge(areal, edge),
            t,
            point: self.line.at(t),
        }
    }

    fn for_each_meeting(&self, areal: u32, mut visit: impl FnMut(&Meeting)) {
        let line = &self.line;
        let vertices = self.index.outlines.outline(areal);
        let looks_left = self.looks_left.get();
        self.looks_left
            .set(looks_left.saturating_sub(vertices.len() as u64));
        let Some(first) = vertices.first() else {
            return;
        };
        let first_side = line.side(first.truncate());
        let mut begin_side = first_side;
        let edges = self.index.outlines.edges(areal);
        for (i, (edge, a, b)) in edges.enumerate() {
            let end_side = if i + 1 == vertices.len() {
                first_side
            } else {
                line.side(b)
            };
            if begin_side == 0.0 || end_side == 0.0 || (begin_side > 0.0) != (end_side > 0.0) {
                visit(&line.meeting(edge, (a, begin_side), (b, end_side)));
            }
            begin_side = end_side;
        }
    }
}

impl Meeting {
    /// Whether it passes between two vertices.
    fn is_across(&self) -> bool {
        self.at_begin.is_nan() && self.at_end.is_nan()
    }

    fn is_along(&self) -> bool {
        !self.at_begin.is_nan() && !self.at_end.is_nan()
    }

    fn is_at(&self, t: f64) -> bool {
        let is_within = self.is_along()
            && self.at_begin.min(self.at_end) <= t
            && t <= self.at_begin.max(self.at_end);
        self.at_begin == t || self.at_end == t || self.passes == t || is_within
    }
}

impl Line {
    /// Positive on the left.
    #[inline]
    fn side(&self, vertex: Vec2) -> f64 {
        orient(self.from, self.to, vertex)
    }

    fn meeting(&self, edge: u32, (a, a_side): (Vec2, f64), (b, b_side): (Vec2, f64)) -> Meeting {
        let on_line = |vertex: Vec2, side: f64| {
            if side == 0.0 {
                let from_start = vertex.as_dvec2() - self.from.as_dvec2();
                from_start.dot(self.along) / self.along.length_squared()
            } else {
                f64::NAN
            }
        };
        let (at_begin, at_end) = (on_line(a, a_side), on_line(b, b_side));
        let passes = if (a_side > 0.0) == (b_side > 0.0) {
            f64::NAN
        } else if a_side == 0.0 {
            at_begin
        } else if b_side == 0.0 {
            at_end
        } else {
            // From both sides of a border it is the same to the bit.
            let (a, b) = in_order(a, b);
            let (start, goal) = (orient(a, b, self.from), orient(a, b, self.to));
            start / (start - goal)
        };
        Meeting {
            edge,
            at_begin,
            at_end,
            passes,
        }
    }

    fn at(&self, t: f64) -> Vec2 {
        (self.from.as_dvec2() + self.along * t).as_vec2()
    }
}

impl ArealIndex {
    /// An edge among all as its areal counts it.
    fn own_edge(&self, areal: u32, edge: u32) -> u32 {
        edge.saturating_sub(self.outlines.vertices_of(areal).start as u32)
    }
}
