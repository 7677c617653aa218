//! What Detour makes of a file, without any of its speed; and what cells lead to, for comparison.

use ironlands_assets_lineage2::GeoCell;
use ironlands_assets_lineage2::nav_mesh_set::{NavMeshSet, NavPolygon, NavTile, PORTAL};
use ironlands_sim_geodata::{GeoPoint, Geodata, Profile, STEPS_CLOCKWISE};
use std::collections::{HashMap, HashSet};

/// A polygon: its tile, and its place there.
pub type PolygonKey = (usize, usize);

pub struct Detour {
    tiles: Vec<NavTile>,
    links: HashMap<PolygonKey, Vec<PolygonKey>>,
}

/// Where the neighbors of a tile are, by the number of a side.
const OFFSETS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

impl Detour {
    pub fn new(file: &NavMeshSet) -> Self {
        let mut detour = Self {
            tiles: file.tiles.iter().map(|(_, tile)| tile.clone()).collect(),
            links: HashMap::new(),
        };
        let places = (0..).zip(&detour.tiles);
        let places: HashMap<[i32; 3], usize> = places
            .map(|(number, tile)| (tile.header.place, number))
            .collect();
        for tile in 0..detour.tiles.len() {
            detour.link_tile(tile, &places);
        }
        detour
    }

    fn link_tile(&mut self, number: usize, places: &HashMap<[i32; 3], usize>) {
        let beside = |tile: &NavTile, side: usize| {
            let [x, y, layer] = tile.header.place;
            let (dx, dy) = OFFSETS[side];
            places.get(&[x + dx, y + dy, layer]).copied()
        };
        let mut links = Vec::new();
        let tile = &self.tiles[number];
        for (at, polygon) in tile.polygons.iter().enumerate() {
            let key = (number, at);
            for (edge, neighbor) in polygon.neighbors.iter().enumerate() {
                match *neighbor {
                    0 => {}
                    neighbor if neighbor & PORTAL == 0 => {
                        links.push((key, (number, usize::from(neighbor) - 1)));
                    }
                    neighbor => {
                        let side = usize::from(neighbor & !PORTAL);
                        let other = beside(tile, side).expect("a tile behind a portal");
                        let found = self.portals(number, polygon, edge, other, side);
                        assert_eq!(found.len(), 1, "one polygon behind a portal");
                        links.extend(found.into_iter().map(|it| (key, (other, it))));
                    }
                }
            }
        }
        for connection in &tile.connections {
            let end_tile = match connection.side {
                255 => number,
                side => beside(tile, side.into()).expect("a tile at the end"),
            };
            let start = (number, self.polygon_near(number, connection.start));
            let end = (end_tile, self.polygon_near(end_tile, connection.end));
            let between = (number, usize::from(connection.polygon));
            assert!(self.tiles[number].polygons[between.1].is_connection());
            links.extend([(start, between), (between, end)]);
            if connection.flags & 1 != 0 {
                links.extend([(end, between), (between, start)]);
            }
        }
        // There is room for all of them.
        for (from, to) in links {
            self.links.entry(from).or_default().push(to);
        }
    }

    /// Polygons of another tile whose portals overlap an edge and are within twice the climb of it at an end.
    fn portals(
        &self,
        own: usize,
        polygon: &NavPolygon,
        edge: usize,
        other: usize,
        side: usize,
    ) -> Vec<usize> {
        let wanted = PORTAL | ((side + 4) % 8) as u16;
        let (own, other) = (&self.tiles[own], &self.tiles[other]);
        let ends = |tile: &NavTile, polygon: &NavPolygon, edge: usize| {
            let corners = polygon.corners();
            let corner = |at: usize| tile.vertices[usize::from(corners[at % corners.len()])];
            let along = if side == 0 || side == 4 { 2 } else { 0 };
            let (a, b) = (corner(edge), corner(edge + 1));
            match a[along] < b[along] {
                true => [(a[along], a[1]), (b[along], b[1])],
                false => [(b[along], b[1]), (a[along], a[1])],
            }
        };
        let ours = ends(own, polygon, edge);
        let mut found = Vec::new();
        for (at, candidate) in other.polygons.iter().enumerate() {
            for (edge, neighbor) in candidate.neighbors.iter().enumerate() {
                if *neighbor == wanted {
                    let theirs = ends(other, candidate, edge);
                    if overlaps(ours, theirs, 2.0 * other.header.walkable_climb) {
                        found.push(at);
                    }
                }
            }
        }
        found
    }

    /// The only polygon that is over or under a point by no more than the climb.
    fn polygon_near(&self, tile: usize, [x, height, z]: [f32; 3]) -> usize {
        let climb = self.tiles[tile].header.walkable_climb;
        let near = self.heights(tile, x, z);
        let near = near.filter(|(_, own)| (own - height).abs() <= climb);
        let near: Vec<usize> = near.map(|(at, _)| at).collect();
        // The middle of a cell may lie on a cut; either polygon of the rectangle is as good.
        assert!(
            (1..=3).contains(&near.len()),
            "{near:?} at {x}, {height}, {z}"
        );
        near[0]
    }

    /// Polygons on the ground over and under a point, with their heights there.
    fn heights(&self, tile: usize, x: f32, z: f32) -> impl Iterator<Item = (usize, f32)> {
        let tile = &self.tiles[tile];
        let polygons = tile.polygons.iter().enumerate();
        polygons.filter_map(move |(at, polygon)| {
            let detail = tile.details.get(at)?;
            let within = |axis: usize, value: f32| {
                let corners = polygon.corners().iter();
                let along = corners.map(|corner| tile.vertices[usize::from(*corner)][axis]);
                along.clone().fold(f32::INFINITY, f32::min) <= value
                    && value <= along.fold(f32::NEG_INFINITY, f32::max)
            };
            if !within(0, x) || !within(2, z) {
                return None;
            }
            let first = detail.first_triangle as usize;
            let triangles = &tile.detail_triangles[first..][..usize::from(detail.n_triangles)];
            let mut heights = triangles.iter().filter_map(|triangle| {
                let corner = |place: u8| {
                    let vertex = polygon.corners()[usize::from(place)];
                    tile.vertices[usize::from(vertex)].map(f64::from)
                };
                let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(corner);
                let cross = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
                    (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])
                };
                let point = [f64::from(x), 0.0, f64::from(z)];
                let area = cross(a, b, c);
                let shares = [cross(point, b, c), cross(a, point, c), cross(a, b, point)];
                let is_inside = area > 0.0 && shares.iter().all(|share| *share >= 0.0);
                let sum = shares[0] * a[1] + shares[1] * b[1] + shares[2] * c[1];
                is_inside.then_some((sum / area) as f32)
            });
            Some((at, heights.next()?))
        })
    }

    /// The polygon under a point of the ground: the nearest in height.
    pub fn polygon_at(&self, point: GeoPoint) -> Option<PolygonKey> {
        let (x, z) = (point.x as f32, point.y as f32);
        let holds = |tile: &NavTile| {
            let (low, high) = (tile.header.low, tile.header.high);
            (low[0]..high[0]).contains(&x) && (low[2]..high[2]).contains(&z)
        };
        let tile = self.tiles.iter().position(holds)?;
        let distance = |(_, height): &(usize, f32)| (height - point.z as f32).abs();
        let nearest = self
            .heights(tile, x, z)
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some((tile, nearest.0))
    }

    /// All polygons that a way leads to.
    pub fn polygons_from(&self, start: PolygonKey) -> HashSet<PolygonKey> {
        let mut found = HashSet::from([start]);
        let mut open = vec![start];
        while let Some(polygon) = open.pop() {
            for next in self.links.get(&polygon).into_iter().flatten() {
                if found.insert(*next) {
                    open.push(*next);
                }
            }
        }
        found
    }
}

/// Detour's test of two edges on a border, each from its lower end: along it, and height.
fn overlaps(a: [(f32, f32); 2], b: [(f32, f32); 2], reach: f32) -> bool {
    const SHRINK: f32 = 0.01;
    let low = (a[0].0 + SHRINK).max(b[0].0 + SHRINK);
    let high = (a[1].0 - SHRINK).min(b[1].0 - SHRINK);
    if low > high {
        return false;
    }
    let height = |edge: [(f32, f32); 2], at: f32| {
        let rise = (edge[1].1 - edge[0].1) / (edge[1].0 - edge[0].0);
        edge[0].1 + rise * (at - edge[0].0)
    };
    let [at_low, at_high] = [low, high].map(|at| height(b, at) - height(a, at));
    at_low * at_high < 0.0 || at_low.abs() <= reach || at_high.abs() <= reach
}

/// All layers that steps lead to within a box, by their cells and heights.
pub fn cells_from(
    geodata: &Geodata,
    start: GeoPoint,
    (first, last): (GeoCell, GeoCell),
    profile: &Profile,
) -> HashSet<(GeoCell, i32)> {
    let start = (start.cell().unwrap(), start.z);
    let mut found = HashSet::from([start]);
    let mut open = vec![start];
    while let Some((cell, z)) = open.pop() {
        let steps = geodata.steps_from(GeoPoint::from_cell(cell, z), profile);
        let steps = STEPS_CLOCKWISE.iter().zip(steps.unwrap().ends);
        for ((dx, dy), end) in steps {
            let Ok(z) = end else {
                continue;
            };
            let next = GeoCell {
                x: (i32::from(cell.x) + dx) as u16,
                y: (i32::from(cell.y) + dy) as u16,
            };
            let is_inside =
                (first.x..=last.x).contains(&next.x) && (first.y..=last.y).contains(&next.y);
            if is_inside && found.insert((next, z)) {
                open.push((next, z));
            }
        }
    }
    found
}
