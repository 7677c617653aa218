//! Where one can pass from areal to areal: the parts that linked edges share.

use super::links::{Links, NONE};
use super::lists::{list_of, range_of};
use super::outlines::Outlines;
use super::plane::{closest_on_segment, weld_distance};
use super::triangulate::{Gate, Interiors, Shape, double_area};
use glam::{DVec2, Vec2};

/// All portals, those of one areal together and in edge order.
#[derive(Debug, Clone)]
pub(super) struct Portals {
    portals: Vec<Portal>,
    /// Portals of areal `a` are `portals[starts[a]..starts[a + 1]]`.
    starts: Vec<u32>,
    /// By areal: what no portal joins, in either direction, has different numbers.
    islands: Vec<u32>,
}

/// An exit of an areal. Links that the outlines contradict make none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portal {
    pub to_areal: u32,
    /// The edge among all that it leaves by.
    pub edge: u32,
    /// The edge among all that it enters by.
    pub to_edge: u32,
    /// Vertices at its ends, seen in the direction of leaving.
    pub left: u32,
    pub right: u32,
    pub middle: DVec2,
}

impl Portals {
    pub fn new(outlines: &Outlines, links: &Links, interiors: &Interiors) -> Self {
        let mut portals = Vec::new();
        let mut starts = vec![0];
        for areal in 0..outlines.n_areals() as u32 {
            if interiors.shape(areal) != Shape::Unknown {
                let is_clockwise = double_area(areal, outlines) < 0.0;
                for edge in outlines.vertices_of(areal) {
                    let edge = edge as u32;
                    let end = outlines.end_of(areal, edge);
                    let portal = Portal::new(outlines, links, interiors, [edge, end], areal);
                    portals.extend(portal.map(|portal| portal.turned(is_clockwise)));
                }
            }
            starts.push(portals.len() as u32);
        }
        let islands = islands(&portals, &starts);
        Self {
            portals,
            starts,
            islands,
        }
    }

    pub fn len(&self) -> usize {
        self.portals.len()
    }

    /// Whether there may be a route from an areal to another. If not, there is none.
    #[expect(clippy::indexing_slicing, reason = "an island for each areal")]
    pub fn may_join(&self, a: u32, b: u32) -> bool {
        self.islands[a as usize] == self.islands[b as usize]
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "hot; numbers of portals come from `of_areal` alone"
    )]
    pub fn get(&self, portal: u32) -> &Portal {
        &self.portals[portal as usize]
    }

    /// Portals of an areal with their indices.
    pub fn in_areal(&self, areal: u32) -> impl Iterator<Item = (u32, &Portal)> {
        let range = range_of(&self.starts, areal as usize);
        let portals = list_of(&self.portals, &self.starts, areal as usize);
        (range.start as u32..).zip(portals)
    }
}

impl Portal {
    /// The portal of an edge that is given by its two vertices, for an areal that runs counter-clockwise.
    fn new(
        outlines: &Outlines,
        links: &Links,
        interiors: &Interiors,
        [edge, end]: [u32; 2],
        areal: u32,
    ) -> Option<Self> {
        let link = links.edge_link(edge);
        let to_areal = link.to_areal;
        let is_way =
            to_areal != NONE && to_areal != areal && interiors.shape(to_areal) != Shape::Unknown;
        if !is_way {
            return None;
        }
        let shared_with = |to_edge: u32| {
            let to_end = outlines.end_of(to_areal, to_edge);
            let ends = shared_part(outlines, [edge, end], [to_edge, to_end])?;
            Some((to_edge, ends))
        };
        let (to_edge, [first, last]) = if link.to_edge == NONE {
            let mut edges = outlines.vertices_of(to_areal);
            edges.find_map(|edge| shared_with(edge as u32))?
        } else {
            shared_with(link.to_edge)?
        };
        // The middle is that of the same two points from the other side, to the bit.
        let middle = (outlines.plan(first).as_dvec2() + outlines.plan(last).as_dvec2()) * 0.5;
        Some(Self {
            to_areal,
            edge,
            to_edge,
            left: last,
            right: first,
            middle,
        })
    }

    fn turned(self, is_clockwise: bool) -> Self {
        let Self { left, right, .. } = self;
        if is_clockwise {
            Self {
                left: right,
                right: left,
                ..self
            }
        } else {
            self
        }
    }

    pub fn gate(&self, outlines: &Outlines) -> Gate {
        Gate {
            left: outlines.plan(self.left),
            right: outlines.plan(self.right),
        }
    }
}

/// The island of each areal, named by its lowest areal.
#[expect(
    clippy::indexing_slicing,
    reason = "portals lead to areals that are there, and an areal's island is an areal"
)]
fn islands(portals: &[Portal], starts: &[u32]) -> Vec<u32> {
    let n_areals = starts.len().saturating_sub(1) as u32;
    let mut islands: Vec<u32> = (0..n_areals).collect();
    fn lowest(islands: &mut [u32], mut areal: u32) -> u32 {
        while islands[areal as usize] != areal {
            // Path halving, for later searches.
            islands[areal as usize] = islands[islands[areal as usize] as usize];
            areal = islands[areal as usize];
        }
        areal
    }
    for areal in 0..n_areals {
        for portal in list_of(portals, starts, areal as usize) {
            let [a, b] = [areal, portal.to_areal].map(|areal| lowest(&mut islands, areal));
            islands[a.max(b) as usize] = a.min(b);
        }
    }
    (0..n_areals)
        .map(|areal| lowest(&mut islands, areal))
        .collect()
}

/// The vertices at the ends of what two edges share, in the direction of the first; `None` if they share no more
/// than a point. A long edge may border on several short ones, and corners on it may be rounded off it.
fn shared_part(outlines: &Outlines, own: [u32; 2], other: [u32; 2]) -> Option<[u32; 2]> {
    let [a, b] = own.map(|vertex| outlines.plan(vertex));
    let along = b.as_dvec2() - a.as_dvec2();
    let place = |point: Vec2| (point.as_dvec2() - a.as_dvec2()).dot(along);
    let [c, d] = other.map(|vertex| outlines.plan(vertex));
    let [low, high] = if place(c) <= place(d) {
        other
    } else {
        [other[1], other[0]]
    };
    // At equal places either vertex will do; their own is taken.
    let first = if place(outlines.plan(low)) > 0.0 {
        low
    } else {
        own[0]
    };
    let last = if place(outlines.plan(high)) < place(b) {
        high
    } else {
        own[1]
    };
    let ends = [first, last].map(|vertex| outlines.plan(vertex));
    let weld = weld_distance(&[a, b, c, d]);
    let is_on = |point: Vec2, [a, b]: [Vec2; 2]| {
        let point = point.as_dvec2();
        point.distance(closest_on_segment(point, a, b)) <= weld
    };
    let is_shared = ends
        .iter()
        .all(|&end| is_on(end, [a, b]) && is_on(end, [c, d]));
    (is_shared && place(ends[0]) < place(ends[1])).then_some([first, last])
}
