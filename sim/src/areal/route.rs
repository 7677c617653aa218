//! Routes over areals: A* over the portals between them.
//!
//! A portal is a linked outline edge. A route runs straight from the start to the middle of a portal, on to the
//! middle of the next, and from the last to the goal; its length is that of this line in the ground plane, and
//! the route with the least is the answer. It is a plan over areals, not a path to walk blindly: a straight line
//! may leave an areal that is not convex.

use super::{ArealError, ArealIndex};
use glam::{DVec2, DVec3, Vec2, Vec3};
use ironlands_assets_loader::parkan::land_map::{Areal, EdgeLink};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashSet};

/// A way from one point to another.
#[derive(Debug, Clone, PartialEq)]
pub struct ArealRoute {
    /// Areals on the way, from that of the start to that of the goal.
    pub areals: Vec<u32>,
    /// Middles of the portals; the k-th leads from `areals[k]` to `areals[k + 1]`. World units.
    pub portals: Vec<Vec3>,
    /// Length of start, portals, goal in the ground plane; world units.
    pub length: f32,
}

/// All portals, those of one areal together and in edge order.
#[derive(Debug, Clone)]
pub(super) struct Portals {
    portals: Vec<Portal>,
    /// Portals of areal `a` are `portals[starts[a]..starts[a + 1]]`.
    starts: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Portal {
    to_areal: u32,
    middle: DVec3,
}

impl ArealIndex {
    /// The shortest route from one point of the ground plane to another, world units. Of equally short ones
    /// always the same: portals are settled by estimated length, of equals by index (areal, then edge).
    /// `None` if a point is in no areal or no links lead there.
    ///
    /// Links are used in their own direction. Allocates a few words a portal.
    pub fn route(&self, from: Vec2, to: Vec2) -> Option<ArealRoute> {
        let start_areal = self.areal_at(from)?;
        let goal_areal = self.areal_at(to)?;
        if start_areal == goal_areal {
            let length = from.as_dvec2().distance(to.as_dvec2()) as f32;
            return Some(ArealRoute {
                areals: vec![start_areal],
                portals: Vec::new(),
                length,
            });
        }
        let search = Search::new(&self.portals, to.as_dvec2());
        let (way, length) = search.run(start_areal, from.as_dvec2(), goal_areal)?;
        let portals = || way.iter().map(|&portal| &self.portals.portals[portal]);
        Some(ArealRoute {
            areals: std::iter::once(start_areal)
                .chain(portals().map(|portal| portal.to_areal))
                .collect(),
            portals: portals().map(|portal| portal.middle.as_vec3()).collect(),
            length: length as f32,
        })
    }
}

impl Portals {
    pub fn new(areals: &[Areal]) -> Result<Self, ArealError> {
        let mut portals = Vec::new();
        let mut starts = vec![0];
        for (areal_idx, areal) in areals.iter().enumerate() {
            let (n_links, n_vertices) = (areal.edge_links.len(), areal.vertices.len());
            if n_links != n_vertices {
                return Err(ArealError::LinkCount {
                    areal: areal_idx,
                    n_links,
                    n_vertices,
                });
            }
            for (edge_idx, &link) in areal.edge_links.iter().enumerate() {
                if link.areal != -1 {
                    portals.push(Portal::new(areals, areal_idx, edge_idx, link)?);
                }
            }
            starts.push(portals.len());
        }
        Ok(Self { portals, starts })
    }

    /// Areals behind the portals of one, in edge order, each once.
    pub fn neighbours(&self, areal: u32) -> Vec<u32> {
        let mut known = HashSet::new();
        let portals = &self.portals[self.of_areal(areal)];
        let areals = portals.iter().map(|portal| portal.to_areal);
        areals.filter(|areal| known.insert(*areal)).collect()
    }

    fn of_areal(&self, areal: u32) -> std::ops::Range<usize> {
        self.starts[areal as usize]..self.starts[areal as usize + 1]
    }
}

/// One search: what is reached and what is next.
struct Search<'a> {
    portals: &'a Portals,
    to: DVec2,
    reached: Vec<Reached>,
    frontier: BinaryHeap<Reverse<Candidate>>,
}

/// What is known of a portal during a search.
#[derive(Clone, Copy)]
struct Reached {
    length: f64,
    /// Portal before it; `NO_PORTAL` after the start.
    before: usize,
    is_settled: bool,
}

const NO_PORTAL: usize = usize::MAX;

impl<'a> Search<'a> {
    fn new(portals: &'a Portals, to: DVec2) -> Self {
        let unknown = Reached {
            length: f64::INFINITY,
            before: NO_PORTAL,
            is_settled: false,
        };
        let reached = vec![unknown; portals.portals.len()];
        Self {
            portals,
            to,
            reached,
            frontier: BinaryHeap::new(),
        }
    }

    /// The portals of the shortest way between two different areals, and its length.
    fn run(mut self, start: u32, from: DVec2, goal: u32) -> Option<(Vec<usize>, f64)> {
        self.enter(start, from, 0.0, NO_PORTAL);
        while let Some(Reverse(Candidate { portal, estimate })) = self.frontier.pop() {
            if std::mem::replace(&mut self.reached[portal].is_settled, true) {
                continue; // a longer way to it, found earlier
            }
            let Portal { to_areal, middle } = self.portals.portals[portal];
            if to_areal == goal {
                return Some((self.way_to(portal), estimate)); // nothing is left to estimate
            }
            self.enter(
                to_areal,
                middle.truncate(),
                self.reached[portal].length,
                portal,
            );
        }
        None
    }

    /// Offers the portals of an areal that is entered at a point, `length` behind the start.
    fn enter(&mut self, areal: u32, entry: DVec2, length: f64, before: usize) {
        for portal in self.portals.of_areal(areal) {
            let middle = self.portals.portals[portal].middle.truncate();
            let length = length + entry.distance(middle);
            let known = &mut self.reached[portal];
            let is_better =
                length < known.length || (length == known.length && before < known.before);
            if is_better && !known.is_settled {
                *known = Reached {
                    length,
                    before,
                    is_settled: false,
                };
                let estimate = length + middle.distance(self.to);
                self.frontier.push(Reverse(Candidate { estimate, portal }));
            }
        }
    }

    fn way_to(&self, last: usize) -> Vec<usize> {
        let before = |&portal: &usize| {
            Some(self.reached[portal].before).filter(|&before| before != NO_PORTAL)
        };
        let mut way: Vec<_> = std::iter::successors(Some(last), before).collect();
        way.reverse();
        way
    }
}

impl Portal {
    fn new(
        areals: &[Areal],
        areal: usize,
        edge: usize,
        link: EdgeLink,
    ) -> Result<Self, ArealError> {
        let out_of_range = ArealError::LinkOutOfRange {
            areal,
            edge,
            to_areal: link.areal,
            to_edge: link.edge,
        };
        let Some((to_areal, target)) = usize::try_from(link.areal)
            .ok()
            .and_then(|i| Some((i, areals.get(i)?)))
        else {
            return Err(out_of_range);
        };
        let own = edge_of(&areals[areal], edge);
        // A link may name the areal alone.
        if link.edge == -1 {
            return Ok(Self {
                to_areal: to_areal as u32,
                middle: middle_of(own),
            });
        }
        let to_edge = usize::try_from(link.edge)
            .ok()
            .filter(|&edge| edge < target.vertices.len());
        let other = edge_of(target, to_edge.ok_or(out_of_range)?);
        // A long edge may border on several short ones: the shorter of the two is what they share. Of equals the
        // lower areal's is taken, so that the way back passes the same point.
        let (own_length, other_length) = (own[0].distance(own[1]), other[0].distance(other[1]));
        let is_own = own_length < other_length || (own_length == other_length && areal <= to_areal);
        Ok(Self {
            to_areal: to_areal as u32,
            middle: middle_of(if is_own { own } else { other }),
        })
    }
}

/// Ends of the edge from vertex `edge` to the next.
fn edge_of(areal: &Areal, edge: usize) -> [DVec3; 2] {
    let vertex =
        |i: usize| DVec3::from_array(areal.vertices[i % areal.vertices.len()].map(f64::from));
    [vertex(edge), vertex(edge + 1)]
}

fn middle_of([a, b]: [DVec3; 2]) -> DVec3 {
    (a + b) / 2.0
}

/// A portal to look at next: the least estimate first, of equals the lowest portal.
#[derive(Clone, Copy)]
struct Candidate {
    estimate: f64,
    portal: usize,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.estimate
            .total_cmp(&other.estimate)
            .then(self.portal.cmp(&other.portal))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}
