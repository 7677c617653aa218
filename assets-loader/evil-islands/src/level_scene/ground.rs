//! The ground: one mesh, a cluster a sector, each with its own picture; animated tiles lie beside it.

use std::collections::BTreeMap;

use ironlands_scene::{Aabb, Batch, Cluster, Material, MaterialIdx, Mesh, Pass};

use super::Surfaces;
use super::atlases::Atlases;
use super::painting::Painter;
use super::tile_looks::TileLooks;
use crate::land::{Land, Layer, PlacedSector, PlacedTile, tile_triangles};
use crate::sec::{SIDE, VERTICES_PER_SIDE, Vertex};

/// The mesh of all sectors that are there.
pub(super) fn mesh(
    land: &Land<'_>,
    atlases: &Atlases<'_>,
    looks: &mut TileLooks<'_>,
    surfaces: &mut Surfaces,
) -> Mesh {
    let mut mesh = Mesh {
        name: "ground".to_owned(),
        ..Mesh::default()
    };
    let mut painter = Painter::new(atlases);
    for sector in land.sectors() {
        let [x, y] = sector.place;
        let name = format!("sector {x} {y}");
        let painting = painter.paint(name.clone(), &sector.sec.tiles);
        let painting = surfaces.add_texture(painting);
        let material = surfaces.add_material(Material {
            name,
            passes: vec![Pass {
                texture: Some(painting),
                ..Pass::default()
            }],
        });
        add_sector(&mut mesh, land, &sector, material, &mut |tile| {
            looks.of_ground(tile.tile, surfaces)
        });
    }
    mesh
}

/// Adds a sector. `look_of` returns the material of its own that a tile has, if any.
fn add_sector(
    mesh: &mut Mesh,
    land: &Land<'_>,
    sector: &PlacedSector<'_>,
    material: MaterialIdx,
    look_of: &mut dyn FnMut(&PlacedTile) -> Option<MaterialIdx>,
) {
    let first_vertex = mesh.positions.len();
    let vertices = &sector.sec.vertices;
    let positions = land.positions(sector.place, &vertices[..]);
    mesh.positions.extend_from_slice(&positions);
    mesh.normals.extend(vertices.iter().map(unit_normal));
    let part = |at: usize| at as f32 / SIDE as f32;
    let uvs =
        (0..vertices.len()).map(|at| [part(at % VERTICES_PER_SIDE), part(at / VERTICES_PER_SIDE)]);
    mesh.uv_sets[0].extend(uvs);
    let mut triangles = BTreeMap::<MaterialIdx, Vec<u32>>::new();
    for tile in sector.tiles(Layer::Ground) {
        let own = look_of(&tile);
        let places: [u32; 9] = match own {
            None => tile.vertices().map(|place| (first_vertex + place) as u32),
            Some(_) => add_tile(mesh, land, &tile, &positions, &vertices[..]),
        };
        let corners = tile_triangles().into_iter().flatten().map(|at| places[at]);
        triangles
            .entry(own.unwrap_or(material))
            .or_default()
            .extend(corners);
    }
    mesh.uv_sets[1].resize(mesh.positions.len(), [0.0; 2]);
    add_cluster(mesh, sector.place, &positions, triangles);
}

/// Adds vertices of a tile that shows a picture of its own; where they are.
pub(super) fn add_tile(
    mesh: &mut Mesh,
    land: &Land<'_>,
    tile: &PlacedTile,
    positions: &[[f32; 3]],
    vertices: &[Vertex],
) -> [u32; 9] {
    let first = mesh.positions.len() as u32;
    for (at, place) in tile.vertices().into_iter().enumerate() {
        mesh.positions.push(positions[place]);
        mesh.normals.push(unit_normal(&vertices[place]));
        let uv = land.uv_in_tile(tile.tile.rotation(), [at / 3, at % 3]);
        mesh.uv_sets[0].push(uv);
    }
    std::array::from_fn(|at| first + at as u32)
}

/// Adds a cluster of triangles, a batch a material; nothing without any.
pub(super) fn add_cluster(
    mesh: &mut Mesh,
    sector: [u32; 2],
    positions: &[[f32; 3]],
    triangles: BTreeMap<MaterialIdx, Vec<u32>>,
) {
    let first_batch = mesh.batches.len() as u32;
    for (material, indices) in triangles {
        mesh.batches.push(Batch {
            first_index: mesh.indices.len() as u32,
            n_indices: indices.len() as u32,
            material,
        });
        mesh.indices.extend(indices);
    }
    let batches = first_batch..mesh.batches.len() as u32;
    if let Some(bounds) = Aabb::around(positions).filter(|_| !batches.is_empty()) {
        mesh.clusters.push(Cluster {
            bounds,
            cell: sector.map(|it| it as i32),
            lods: vec![batches],
            cells: Vec::new(),
        });
    }
}

/// A normal of unit length; up where the stored one has none.
fn unit_normal(vertex: &Vertex) -> [f32; 3] {
    let normal = glam::Vec3::from_array(vertex.normal.unpack());
    normal.try_normalize().unwrap_or(glam::Vec3::Z).to_array()
}
