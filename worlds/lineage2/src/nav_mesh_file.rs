//! Navigation meshes as files for Detour.

use ironlands_assets_lineage2::CELL_SIZE;
use ironlands_assets_lineage2::nav_mesh_set::{
    DetailMesh, DetourLink, NavBounds, NavGrid, NavMeshSet, NavPolygon, NavTile, NavTileHeader,
    OffMeshConnection, PORTAL,
};
use ironlands_sim_geodata::nav_mesh::{
    NAV_TILE_CELLS, NavMesh, NavMeshNeighbor, NavMeshPolygon, NavMeshTile,
};
use std::collections::HashMap;
use thiserror::Error;

/// Side of a tile in points.
const TILE_SIZE: i32 = NAV_TILE_CELLS as i32 * CELL_SIZE;
/// Bits of a reference that number tile and polygon, at most: Detour wants ten for itself.
const MAX_REFERENCE_BITS: u32 = 22;
/// How high characters are, in points.
const WALKABLE_HEIGHT: f32 = 46.0;
/// How far polygons may be from the ends of connections, which lie on them.
const CONNECTION_RADIUS: f32 = 4.0;
/// Flags of polygons: those of RecastDemo for walking and jumping.
const WALK: u16 = 1;
const JUMP: u16 = 8;
/// Area and type of polygons of connections: RecastDemo's area for jumps.
const JUMP_AREA: u8 = 1 << 6 | 5;
/// Both ways.
const BOTH_WAYS: u8 = 1;
/// The side of a connection that ends in its tile.
const SAME_TILE: u8 = 255;

/// A mesh does not fit into a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{n_tiles} tiles of up to {n_polygons} polygons have more than 2^{MAX_REFERENCE_BITS} references; choose a smaller box, as a quarter of the region"
)]
pub struct TooManyPolygons {
    /// Tiles.
    pub n_tiles: usize,
    /// Polygons and connections of the largest tile.
    pub n_polygons: usize,
}

/// The file of a mesh.
///
/// # Errors
/// If its polygons cannot be numbered.
pub fn nav_mesh_set(mesh: &NavMesh) -> Result<NavMeshSet, TooManyPolygons> {
    let n_tiles = mesh.tiles.len();
    let sizes = mesh.tiles.iter();
    let sizes = sizes.map(|tile| tile.polygons.len() + tile.connections.len());
    let n_polygons = sizes.max().unwrap_or_default();
    let bits = |n: usize| n.next_power_of_two().trailing_zeros();
    let (tile_bits, polygon_bits) = (bits(n_tiles), bits(n_polygons));
    let too_many = TooManyPolygons {
        n_tiles,
        n_polygons,
    };
    if tile_bits + polygon_bits > MAX_REFERENCE_BITS {
        return Err(too_many);
    }
    let tiles = (0_u32..).zip(&mesh.tiles).map(|(number, tile)| {
        let reference = 1 << (tile_bits + polygon_bits) | number << polygon_bits;
        let tile = tile_of(mesh, tile);
        // Their places have 16 bits, those of polygons one less.
        let is_numbered = tile.vertices.len() <= usize::from(u16::MAX)
            && tile.polygons.len() < usize::from(PORTAL);
        is_numbered.then_some((reference, tile)).ok_or(too_many)
    });
    Ok(NavMeshSet {
        grid: NavGrid {
            origin: [mesh.corner.0 as f32, 0.0, mesh.corner.1 as f32],
            tile_width: TILE_SIZE as f32,
            tile_height: TILE_SIZE as f32,
            max_tiles: n_tiles as u32,
            max_polygons: n_polygons as u32,
        },
        tiles: tiles.collect::<Result<_, _>>()?,
    })
}

/// A point as Detour has it.
fn detour_point((x, y, z): (i32, i32, f32)) -> [f32; 3] {
    [x as f32, z, y as f32]
}

fn tile_of(mesh: &NavMesh, tile: &NavMeshTile) -> NavTile {
    let mut file = NavTile::default();
    let mut vertices = Vertices::default();
    let mut n_links = 3 * tile.connections.len() + tile.n_returning;
    for polygon in &tile.polygons {
        let stored = stored_polygon(polygon, &mut vertices);
        let neighbors = polygon.neighbors.iter();
        n_links += neighbors
            .filter(|it| **it != NavMeshNeighbor::Nothing)
            .count();
        let n_triangles = polygon.corners.len() as u8 - 2;
        file.details.push(DetailMesh {
            first_triangle: file.detail_triangles.len() as u32,
            n_triangles,
            ..DetailMesh::default()
        });
        file.detail_triangles
            .extend((0..n_triangles).map(|at| fan_triangle(at, n_triangles)));
        file.polygons.push(stored);
    }
    file.vertices = vertices.all;
    let corner = |place: u16, origin: i32| origin + i32::from(place) * TILE_SIZE;
    let (x, y) = (
        corner(tile.place.0, mesh.corner.0),
        corner(tile.place.1, mesh.corner.1),
    );
    let heights = || file.vertices.iter().map(|vertex| vertex[1]);
    let low = heights().fold(f32::INFINITY, f32::min).floor();
    let high = heights().fold(f32::NEG_INFINITY, f32::max).ceil();
    file.header = NavTileHeader {
        place: [tile.place.0.into(), tile.place.1.into(), 0],
        user_id: 0,
        first_connection: file.polygons.len() as u32,
        walkable_height: WALKABLE_HEIGHT,
        walkable_radius: 0.0,
        walkable_climb: tile.climb.into(),
        low: [x as f32, low, y as f32],
        high: [(x + TILE_SIZE) as f32, high, (y + TILE_SIZE) as f32],
        tree_steps: 1.0,
    };
    file.tree = tree_over(&file);
    for connection in &tile.connections {
        let first = file.vertices.len() as u16;
        let ends = [connection.start, connection.end].map(detour_point);
        file.vertices.extend(ends);
        file.connections.push(OffMeshConnection {
            start: ends[0],
            end: ends[1],
            radius: CONNECTION_RADIUS,
            polygon: file.polygons.len() as u16,
            flags: match connection.is_both_ways {
                true => BOTH_WAYS,
                false => 0,
            },
            side: side_of(&file.header, ends[1]),
            user_id: 0,
        });
        file.polygons.push(NavPolygon {
            vertices: [first, first + 1, 0, 0, 0, 0],
            flags: JUMP,
            n_vertices: 2,
            area_and_type: JUMP_AREA,
            ..NavPolygon::default()
        });
    }
    file.links = vec![DetourLink::default(); n_links];
    file
}

/// Vertices of a tile, each once.
#[derive(Default)]
struct Vertices {
    all: Vec<[f32; 3]>,
    places: HashMap<[u32; 3], u16>,
}

impl Vertices {
    fn place(&mut self, vertex: [f32; 3]) -> u16 {
        let next = self.all.len() as u16;
        let place = self.places.entry(vertex.map(f32::to_bits)).or_insert(next);
        if *place == next {
            self.all.push(vertex);
        }
        *place
    }
}

fn stored_polygon(polygon: &NavMeshPolygon, vertices: &mut Vertices) -> NavPolygon {
    let mut stored = NavPolygon {
        flags: WALK,
        n_vertices: polygon.corners.len() as u8,
        ..NavPolygon::default()
    };
    let n = polygon.corners.len();
    for (at, (corner, neighbor)) in polygon.corners.iter().zip(&polygon.neighbors).enumerate() {
        stored.vertices[at] = vertices.place(detour_point(*corner));
        stored.neighbors[at] = match neighbor {
            NavMeshNeighbor::Nothing => 0,
            NavMeshNeighbor::Polygon(other) => *other as u16 + 1,
            NavMeshNeighbor::Portal => {
                let next = polygon.corners[(at + 1) % n];
                PORTAL | portal_side(*corner, next)
            }
        };
    }
    stored
}

/// The side of a tile that a clockwise edge lies on: 0 for x+, 2 for z+, 4 for x-, 6 for z-.
fn portal_side(from: (i32, i32, f32), to: (i32, i32, f32)) -> u16 {
    match (to.0 - from.0, to.1 - from.1) {
        // To the south along the east side, and so on.
        (0, 1..) => 0,
        (..0, _) => 2,
        (0, _) => 4,
        _ => 6,
    }
}

/// A triangle of the fan around the first vertex. Two bits a side say whether it is one of the polygon.
fn fan_triangle(at: u8, n_triangles: u8) -> [u8; 4] {
    let mut flags = 1 << 2;
    if at == 0 {
        flags |= 1;
    }
    if at + 1 == n_triangles {
        flags |= 1 << 4;
    }
    [0, at + 1, at + 2, flags]
}

/// Which neighbor of a tile a point lies in, counted from x+ over z+.
fn side_of(header: &NavTileHeader, point: [f32; 3]) -> u8 {
    let beyond = |axis: usize| {
        i8::from(point[axis] >= header.high[axis]) - i8::from(point[axis] < header.low[axis])
    };
    match (beyond(0), beyond(2)) {
        (1, 0) => 0,
        (1, 1) => 1,
        (0, 1) => 2,
        (-1, 1) => 3,
        (-1, 0) => 4,
        (-1, -1) => 5,
        (0, -1) => 6,
        (1, -1) => 7,
        _ => SAME_TILE,
    }
}

/// A tree over the polygons of a tile, in the order in which it is walked: each node before those in it.
fn tree_over(file: &NavTile) -> Vec<NavBounds> {
    let bounds = (0_i32..).zip(&file.polygons).map(|(index, polygon)| {
        let corners = || {
            let places = polygon.corners().iter();
            places.map(|place| file.vertices[usize::from(*place)])
        };
        let along = |axis: usize| corners().map(move |corner| corner[axis]);
        let steps = |at: f32, axis: usize| at - file.header.low[axis];
        let axes = [0, 1, 2];
        NavBounds {
            low: axes
                .map(|axis| steps(along(axis).fold(f32::INFINITY, f32::min), axis).floor() as u16),
            high: axes.map(|axis| {
                steps(along(axis).fold(f32::NEG_INFINITY, f32::max), axis).ceil() as u16
            }),
            index,
        }
    });
    let mut leaves: Vec<NavBounds> = bounds.collect();
    let mut tree = Vec::with_capacity(2 * leaves.len());
    add_nodes(&mut leaves, &mut tree);
    tree
}

/// Adds a node over leaves, then those of its halves.
fn add_nodes(leaves: &mut [NavBounds], tree: &mut Vec<NavBounds>) {
    match leaves {
        [] => {}
        [leaf] => tree.push(*leaf),
        _ => {
            let axes = [0, 1, 2];
            let mut node = NavBounds {
                low: axes.map(|axis| leaves.iter().map(|it| it.low[axis]).min().unwrap_or(0)),
                high: axes.map(|axis| leaves.iter().map(|it| it.high[axis]).max().unwrap_or(0)),
                index: 0,
            };
            let longest = axes
                .into_iter()
                .max_by_key(|axis| node.high[*axis] - node.low[*axis]);
            let axis = longest.unwrap_or(0);
            leaves.sort_by_key(|leaf| leaf.low[axis]);
            let place = tree.len();
            tree.push(node);
            let (first, second) = leaves.split_at_mut(leaves.len() / 2);
            add_nodes(first, tree);
            add_nodes(second, tree);
            node.index = -((tree.len() - place) as i32);
            tree[place] = node;
        }
    }
}
