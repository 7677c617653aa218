//! Liquids: one mesh over the ground, a cluster a sector (dossier section 10.6).

use std::collections::BTreeMap;

use ironlands_scene::{MaterialIdx, Mesh};

use super::Surfaces;
use super::ground::{add_cluster, add_tile};
use super::tile_looks::{Liquid, TileLooks};
use crate::land::{Land, Layer, tile_triangles};

/// The mesh of all liquids; `None` without any.
pub(super) fn mesh(
    land: &Land<'_>,
    looks: &mut TileLooks<'_>,
    surfaces: &mut Surfaces,
) -> Option<Mesh> {
    let mut mesh = Mesh {
        name: "liquids".to_owned(),
        ..Mesh::default()
    };
    for sector in land.sectors() {
        let Some(layer) = sector.sec.liquid_layer() else {
            continue;
        };
        let positions = land.positions(sector.place, &layer.vertices[..]);
        let mut triangles = BTreeMap::<MaterialIdx, Vec<u32>>::new();
        let mut used = Vec::new();
        for tile in sector.tiles(Layer::Liquid) {
            let Some(material) = layer.material_at(tile.place()) else {
                continue;
            };
            let look = looks.of_liquid(tile.tile, Liquid { material }, surfaces);
            let places = add_tile(&mut mesh, land, &tile, &positions, &layer.vertices[..]);
            used.extend(tile.vertices().map(|place| positions[place]));
            let corners = tile_triangles().into_iter().flatten().map(|at| places[at]);
            triangles.entry(look).or_default().extend(corners);
        }
        add_cluster(&mut mesh, sector.place, &used, triangles);
    }
    mesh.uv_sets[1].resize(mesh.positions.len(), [0.0; 2]);
    (!mesh.indices.is_empty()).then_some(mesh)
}
