//! What polygons lead to: edges within a tile, portals between tiles, and connections for all else.

use super::ground::{EAST, Ground, NONE, SOUTH, opposite};
use super::outline::{Edge, Outline, Side, beside};
use super::rectangles::Partition;
use super::{NAV_TILE_CELLS, NavMeshConnection, NavMeshNeighbor, NavMeshPolygon, NavMeshTile};
use crate::Profile;
use std::collections::{BTreeMap, BTreeSet};

/// The largest climb of a tile, where steps up have no limit.
const MAX_CLIMB: i32 = 64;

/// A rectangle and one of its edges.
type EdgeKey = (u32, usize);

/// A line between tiles and a part of it: whether it is a row, its number, and where the part begins.
type Span = (bool, usize, usize);

/// Edges of two tiles that lead to each other.
#[derive(Debug, Clone, Copy)]
struct Pair {
    sides: [EdgeKey; 2],
    is_portal: bool,
}

struct Linker<'a> {
    ground: &'a Ground,
    partition: &'a Partition,
    outlines: &'a [Outline],
    /// Of each tile.
    climbs: Vec<u16>,
    /// The first polygon of each rectangle in its tile.
    first_polygons: Vec<u32>,
}

pub(super) fn tiles(
    ground: &Ground,
    partition: &Partition,
    outlines: &[Outline],
    profile: &Profile,
) -> Vec<NavMeshTile> {
    let mut first_polygons = Vec::with_capacity(outlines.len());
    for bounds in partition.tile_starts.windows(2) {
        let mut n = 0;
        for outline in &outlines[bounds[0]..bounds[1]] {
            first_polygons.push(n);
            n += outline.parts.len() as u32;
        }
    }
    let linker = Linker {
        ground,
        partition,
        outlines,
        climbs: climbs(ground, partition, profile),
        first_polygons,
    };
    let pairs = linker.pairs();
    let connections = linker.connections(&pairs);
    linker.all(&pairs, connections)
}

/// The climb of each tile: a step, or less where two floors are nearer.
fn climbs(ground: &Ground, partition: &Partition, profile: &Profile) -> Vec<u16> {
    let (n_x, n_y) = ground.n_tiles();
    let most = f64::from(profile.max_up.clamp(1, MAX_CLIMB));
    let mut climbs = vec![most; n_x * n_y];
    for x in 0..ground.width {
        for y in 0..ground.height {
            let layers = ground.layers(x, y);
            if layers.len() < 2 {
                continue;
            }
            let height = |layer: u32| {
                let rectangle = partition.of_layer[layer as usize] as usize;
                partition.rectangles[rectangle].height_at_cell(x, y)
            };
            let climb = &mut climbs[tile_of(ground, x, y)];
            for layer in layers.start + 1..layers.end {
                let gap = height(layer) - height(layer - 1);
                *climb = climb.min(gap - 1.0);
            }
        }
    }
    let whole = climbs
        .into_iter()
        .map(|climb| climb.floor().max(1.0) as u16);
    whole.collect()
}

fn tile_of(ground: &Ground, x: usize, y: usize) -> usize {
    let side = usize::from(NAV_TILE_CELLS);
    x / side * ground.n_tiles().1 + y / side
}

impl Linker<'_> {
    fn edge(&self, (rectangle, edge): EdgeKey) -> &Edge {
        &self.outlines[rectangle as usize].edges[edge]
    }

    fn tile(&self, rectangle: u32) -> usize {
        let (x, y) = self.partition.rectangles[rectangle as usize].first;
        tile_of(self.ground, x, y)
    }

    /// Pairs of edges between tiles by their parts of lines. Those of which Detour would make other links are no portals.
    fn pairs(&self) -> BTreeMap<Span, Vec<Pair>> {
        let mut pairs = BTreeMap::<Span, Vec<Pair>>::new();
        for (number, outline) in (0_u32..).zip(self.outlines) {
            for (place, edge) in outline.edges.iter().enumerate() {
                // Each pair once, from the west or the north.
                let is_first = edge.direction == EAST || edge.direction == SOUTH;
                if !edge.leaves_tile || !edge.leads_back || !is_first {
                    continue;
                }
                let back = &self.outlines[edge.target as usize].edges;
                let is_back =
                    |it: &Edge| it.direction == opposite(edge.direction) && it.from == edge.from;
                let Some(back) = back.iter().position(is_back) else {
                    continue;
                };
                let span = (edge.direction == SOUTH, edge.line, edge.from);
                pairs.entry(span).or_default().push(Pair {
                    sides: [(number, place), (edge.target, back)],
                    is_portal: true,
                });
            }
        }
        for of_span in pairs.values_mut() {
            self.choose_portals(of_span);
        }
        pairs
    }

    /// Of the pairs of a span, leaves those as portals that link to each other and to nothing else.
    fn choose_portals(&self, pairs: &mut [Pair]) {
        for at in 0..pairs.len() {
            let Pair { sides: [a, b], .. } = pairs[at];
            let climbs = [a, b].map(|side| self.climbs[self.tile(side.0)]);
            let (low, high) = (climbs[0].min(climbs[1]), climbs[0].max(climbs[1]));
            let mut is_portal = self.nearest(a, b) <= 2.0 * f64::from(low) - 0.5;
            for other in pairs.iter().enumerate().filter(|(other, _)| *other != at) {
                let (
                    _,
                    Pair {
                        sides: [c, d],
                        is_portal: is_other,
                    },
                ) = other;
                let reach = 2.0 * f64::from(high) + 0.5;
                let is_linked = self.nearest(a, *d) <= reach || self.nearest(*c, b) <= reach;
                is_portal &= !(*is_other && is_linked);
            }
            pairs[at].is_portal = is_portal;
        }
    }

    /// The smaller distance of the heights of two edges at the ends of their span; 0 if they cross.
    fn nearest(&self, a: EdgeKey, b: EdgeKey) -> f64 {
        let rectangle = |side: EdgeKey| &self.partition.rectangles[side.0 as usize];
        let distances = self.edge(a).ends().map(|(x, y)| {
            rectangle(a).height_at_corner(x, y) - rectangle(b).height_at_corner(x, y)
        });
        match distances[0] * distances[1] < 0.0 {
            true => 0.0,
            false => distances[0].abs().min(distances[1].abs()),
        }
    }

    /// Ways between rectangles that are no edges, by the tile in which they begin and that in which they end.
    fn connections(
        &self,
        pairs: &BTreeMap<Span, Vec<Pair>>,
    ) -> Vec<(usize, usize, NavMeshConnection)> {
        let mut connections = Vec::new();
        let mut add = |from: u32, to: u32, cells: [(usize, usize); 2], is_both_ways| {
            let point = |number: u32, (x, y): (usize, usize)| {
                let height = self.partition.rectangles[number as usize].height_at_cell(x, y);
                let (x, y) = self.ground.center(x, y);
                (x, y, height as f32)
            };
            let connection = NavMeshConnection {
                start: point(from, cells[0]),
                end: point(to, cells[1]),
                is_both_ways,
            };
            connections.push((self.tile(from), self.tile(to), connection));
        };
        for pair in pairs.values().flatten().filter(|pair| !pair.is_portal) {
            let [a, b] = pair.sides;
            let cells = [a, b].map(|side| self.edge(side).middle_cell());
            add(a.0, b.0, cells, true);
        }
        let mut linked = BTreeSet::new();
        for (number, outline) in (0_u32..).zip(self.outlines) {
            for edge in outline.edges.iter().filter(|edge| edge.target != NONE) {
                linked.insert((number, edge.target));
                if edge.leaves_tile && !edge.leads_back {
                    let cell = edge.middle_cell();
                    let beside = beside(cell, edge.direction);
                    add(number, edge.target, [cell, beside], false);
                }
            }
        }
        for (from, to) in &self.ground.diagonals {
            let rectangle = |layer: u32| self.partition.of_layer[layer as usize];
            let ends = (rectangle(*from), rectangle(*to));
            if ends.0 != ends.1 && linked.insert(ends) {
                let cells = [*from, *to].map(|layer| self.ground.cell_of(layer));
                add(ends.0, ends.1, cells, false);
            }
        }
        connections
    }

    fn all(
        &self,
        pairs: &BTreeMap<Span, Vec<Pair>>,
        connections: Vec<(usize, usize, NavMeshConnection)>,
    ) -> Vec<NavMeshTile> {
        let portals = pairs.values().flatten().filter(|pair| pair.is_portal);
        let portals: BTreeSet<EdgeKey> = portals.flat_map(|pair| pair.sides).collect();
        let n_y = self.ground.n_tiles().1;
        let mut tiles: Vec<NavMeshTile> = (self.climbs.iter().enumerate())
            .map(|(tile, climb)| NavMeshTile {
                place: ((tile / n_y) as u16, (tile % n_y) as u16),
                climb: *climb,
                polygons: self.polygons(tile, &portals),
                connections: Vec::new(),
                n_returning: 0,
            })
            .collect();
        for (from, to, connection) in connections {
            tiles[from].connections.push(connection);
            tiles[to].n_returning += usize::from(connection.is_both_ways);
        }
        tiles.retain(|tile| !tile.polygons.is_empty());
        tiles
    }

    fn polygons(&self, tile: usize, portals: &BTreeSet<EdgeKey>) -> Vec<NavMeshPolygon> {
        let starts = &self.partition.tile_starts;
        let rectangles = starts[tile]..starts[tile + 1];
        let polygons = rectangles.flat_map(|number| {
            let parts = self.outlines[number].parts.iter();
            parts.map(move |part| {
                let rectangle = &self.partition.rectangles[number];
                let corners = part.iter().map(|((x, y), _)| {
                    let height = rectangle.height_at_corner(*x, *y) as f32;
                    let (x, y) = self.ground.corner(*x, *y);
                    (x, y, height)
                });
                let neighbors = part
                    .iter()
                    .map(|(_, side)| self.neighbor(number as u32, *side, portals));
                NavMeshPolygon {
                    corners: corners.collect(),
                    neighbors: neighbors.collect(),
                }
            })
        });
        polygons.collect()
    }

    fn neighbor(&self, number: u32, side: Side, portals: &BTreeSet<EdgeKey>) -> NavMeshNeighbor {
        let place = match side {
            Side::Polygon(part) => {
                let polygon = self.first_polygons[number as usize] + part as u32;
                return NavMeshNeighbor::Polygon(polygon);
            }
            Side::Edge(place) => place,
        };
        let edge = self.edge((number, place));
        if edge.target == NONE {
            return NavMeshNeighbor::Nothing;
        }
        if edge.leaves_tile {
            return match portals.contains(&(number, place)) {
                true => NavMeshNeighbor::Portal,
                false => NavMeshNeighbor::Nothing,
            };
        }
        let outline = &self.outlines[edge.target as usize];
        let part = outline.part_behind(edge);
        NavMeshNeighbor::Polygon(self.first_polygons[edge.target as usize] + part as u32)
    }
}
