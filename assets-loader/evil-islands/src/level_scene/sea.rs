//! The sea beyond a zone: where its edge is a coast, the water there continues to the horizon.
//!
//! No file says so. A zone ends where its sectors end, and without this its sea would be a sheet with four edges.

use std::collections::BTreeMap;

use ironlands_scene::{PassKind, SeaBed, Water};

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

/// A tile of water at the edge of a zone.
struct EdgeTile {
    /// Of its surface.
    altitude: u16,
    look: WaterLook,
    /// The ground below it.
    ground: Tile,
    /// Height of that ground in meters.
    ground_height: f32,
}

/// The sea, if there is one.
pub(super) fn sea(
    land: &Land<'_>,
    looks: &mut TileLooks<'_>,
    surfaces: &mut Surfaces,
) -> Option<Water> {
    let sectors = land.sectors();
    let mut tiles: Vec<EdgeTile> = sectors
        .flat_map(|sector| water_at_the_edge(land, &sector, looks))
        .collect();
    let altitude = most_frequent(tiles.iter().map(|tile| tile.altitude))?;
    tiles.retain(|tile| tile.altitude == altitude);
    let [x, y] = [land.mp().x_sectors, land.mp().y_sectors].map(|n| n as usize * TILES_PER_SIDE);
    if (tiles.len() as f32) < LEAST_SHARE * (2 * (x + y)) as f32 {
        return None;
    }
    let (number, material) = most_frequent(tiles.iter().map(|tile| tile.look))?;
    let level = f32::from(altitude) / f32::from(u16::MAX) * land.mp().max_altitude;
    Some(Water {
        level,
        material: looks.of_sea(Tile(number), Liquid { material }, surfaces),
        uv_per_unit: TILE_SIDE.recip(),
        level_min: [0.0; 2],
        level_max: land.size(),
        bed: bed(&tiles, level, looks),
    })
}

/// The most frequent of them, of equally frequent ones the largest.
fn most_frequent<T: Ord>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts = BTreeMap::<T, usize>::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.map(|(value, _)| value)
}

/// The ground below the sea as it is on average at the edge; `None` if it does not lie below.
fn bed(tiles: &[EdgeTile], level: f32, looks: &TileLooks<'_>) -> Option<SeaBed> {
    let n_tiles = tiles.len() as f32;
    let heights = tiles.iter().map(|tile| tile.ground_height);
    let depth = level - heights.sum::<f32>() / n_tiles;
    let colors = tiles.iter().map(|tile| looks.ground_color(tile.ground));
    let color = colors.fold([0.0; 3], |sum: [f32; 3], color| {
        std::array::from_fn(|channel| sum[channel] + color[channel] / n_tiles)
    });
    (depth > 0.0 && depth.is_finite()).then_some(SeaBed { color, depth })
}

/// The tiles of water of a sector that lie at the edge of the zone.
fn water_at_the_edge<'a>(
    land: &Land<'a>,
    sector: &PlacedSector<'a>,
    looks: &TileLooks<'_>,
) -> Vec<EdgeTile> {
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
        let ground = sector.sec.vertices.get(middle)?;
        is_water.then_some(EdgeTile {
            altitude: layer.vertices.get(middle)?.altitude,
            look: (number, material),
            ground: *sector.sec.tiles.get(tile.place())?,
            ground_height: ground.height(land.mp().max_altitude),
        })
    });
    water.collect()
}
