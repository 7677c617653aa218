//! The sea beyond a zone: where its edge is a coast, the water there continues to the horizon.
//!
//! No file says so. A zone ends where its sectors end, and without this its sea would be a sheet with four edges.

use std::collections::BTreeMap;

use ironlands_scene::{PassKind, Water};

use super::Surfaces;
use super::tile_looks::{Liquid, TileLooks};
use crate::land::{Land, Layer, PlacedSector, PlacedTile};
use crate::sec::{TILES_PER_SIDE, Tile, VERTICES_PER_SIDE};

/// Meters along a side of a tile.
const TILE_SIDE: f32 = 2.0;
/// Share of the tiles at the edge that must lie under water of one height: the longest side of a zone that has the sea on
/// one side only, or a little less where land reaches into it. A river that leaves the zone covers far less.
const LEAST_SHARE: f32 = 0.2;

/// A tile of water as it is drawn: what it shows, and its material.
type WaterLook = (u16, usize);

/// The sea, if there is one.
pub(super) fn sea(
    land: &Land<'_>,
    looks: &mut TileLooks<'_>,
    surfaces: &mut Surfaces,
) -> Option<Water> {
    let mut n_tiles: BTreeMap<u16, BTreeMap<WaterLook, usize>> = BTreeMap::new();
    for sector in land.sectors() {
        for (altitude, look) in water_at_the_edge(land, &sector, looks) {
            *n_tiles
                .entry(altitude)
                .or_default()
                .entry(look)
                .or_default() += 1;
        }
    }
    let count = |looks: &BTreeMap<WaterLook, usize>| looks.values().sum::<usize>();
    let (altitude, of_sea) = n_tiles.iter().max_by_key(|(_, looks)| count(looks))?;
    let [x, y] = [land.mp().x_sectors, land.mp().y_sectors].map(|n| n as usize * TILES_PER_SIDE);
    if (count(of_sea) as f32) < LEAST_SHARE * (2 * (x + y)) as f32 {
        return None;
    }
    let ((number, material), _) = of_sea.iter().max_by_key(|(_, n)| **n)?;
    Some(Water {
        level: f32::from(*altitude) / f32::from(u16::MAX) * land.mp().max_altitude,
        material: looks.of_sea(
            Tile(*number),
            Liquid {
                material: *material,
            },
            surfaces,
        ),
        uv_per_unit: TILE_SIDE.recip(),
        level_min: [0.0; 2],
        level_max: land.size(),
    })
}

/// Height and look of the tiles of water of a sector that lie at the edge of the zone.
fn water_at_the_edge<'a>(
    land: &Land<'a>,
    sector: &PlacedSector<'a>,
    looks: &TileLooks<'_>,
) -> Vec<(u16, WaterLook)> {
    let Some(layer) = sector.sec.liquid_layer() else {
        return Vec::new();
    };
    let last = [land.mp().x_sectors, land.mp().y_sectors].map(|n| n.saturating_sub(1));
    let is_at_edge = |tile: &PlacedTile| {
        let along = [tile.col, tile.row].into_iter().enumerate();
        along.into_iter().any(|(axis, at)| {
            (at == 0 && sector.place[axis] == 0)
                || (at + 1 == TILES_PER_SIDE && sector.place[axis] == last[axis])
        })
    };
    let tiles = sector.tiles(Layer::Liquid).filter(is_at_edge);
    let water = tiles.filter_map(|tile| {
        let material = layer.material_at(tile.place())?;
        let number = tile.tile.number();
        let is_water = looks.liquid_kind(number, Liquid { material }) == PassKind::Water;
        let middle = (2 * tile.row + 1) * VERTICES_PER_SIDE + 2 * tile.col + 1;
        let altitude = layer.vertices.get(middle)?.altitude;
        is_water.then_some((altitude, (number, material)))
    });
    water.collect()
}
