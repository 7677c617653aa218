//! The land of a zone as faces, eight a tile.

use ironlands_assets_evil_islands::land::{Land, Layer, PlacedSector, PlacedTile, tile_triangles};
use ironlands_assets_evil_islands::sec::{NO_LIQUID, Tile, Vertex};
use ironlands_sim_core::triangles::Face;

use super::{GROUND, LIQUID};

/// Triangles of a tile.
pub(super) const FACES_PER_TILE: usize = 8;

/// What eight faces in a row are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LandTile {
    /// Column and row of its sector.
    pub sector: [u32; 2],
    /// Place among the tiles of its sector.
    pub place: usize,
    /// What it shows.
    pub tile: Tile,
    /// Ground or liquid.
    pub layer: Layer,
    /// Of a liquid, as stored; [`NO_LIQUID`] of ground.
    pub material: i16,
}

/// Vertices, faces, and what each eight of these are: first all ground, then all liquids.
pub(super) fn land_tiles(land: &Land<'_>) -> (Vec<[f32; 3]>, Vec<Option<Face>>, Vec<LandTile>) {
    let mut parts = Parts::default();
    for sector in land.sectors() {
        parts.add(
            land,
            &sector,
            Layer::Ground,
            &sector.sec.vertices[..],
            |_| NO_LIQUID,
        );
    }
    for sector in land.sectors() {
        if let Some(layer) = sector.sec.liquid_layer() {
            let material_of = |tile: &PlacedTile| {
                let material = layer.materials.get(tile.place());
                material.copied().unwrap_or(NO_LIQUID)
            };
            parts.add(
                land,
                &sector,
                Layer::Liquid,
                &layer.vertices[..],
                material_of,
            );
        }
    }
    (parts.positions, parts.faces, parts.tiles)
}

#[derive(Default)]
struct Parts {
    positions: Vec<[f32; 3]>,
    faces: Vec<Option<Face>>,
    tiles: Vec<LandTile>,
}

impl Parts {
    #[expect(clippy::indexing_slicing, reason = "a tile has nine corners")]
    fn add(
        &mut self,
        land: &Land<'_>,
        sector: &PlacedSector<'_>,
        layer: Layer,
        vertices: &[Vertex],
        material_of: impl Fn(&PlacedTile) -> i16,
    ) {
        let first = self.positions.len() as u32;
        self.positions
            .extend(land.positions(sector.place, vertices));
        for placed in sector.tiles(layer) {
            let corners = placed
                .vertices()
                .map(|vertex| first.saturating_add(vertex as u32));
            self.faces.extend(tile_triangles().map(|triangle| {
                Some(Face {
                    corners: triangle.map(|corner| corners[corner]),
                    mask: match layer {
                        Layer::Ground => GROUND,
                        Layer::Liquid => LIQUID,
                    },
                    material: placed.tile.0,
                })
            }));
            self.tiles.push(LandTile {
                sector: sector.place,
                place: placed.place(),
                tile: placed.tile,
                layer,
                material: material_of(&placed),
            });
        }
    }
}
