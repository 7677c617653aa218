//! Land and water, measured from the stored tables.

use std::collections::BTreeSet;

use ironlands_assets_evil_islands::land::Layer;
use ironlands_assets_evil_islands::sec::Tile;

use super::zone;

const N_TILES: usize = 64;

/// Tiles of the ground by column and row of the whole map.
fn tiles() -> Vec<Tile> {
    let land = zone().land();
    let mut tiles = vec![Tile(0); N_TILES * N_TILES];
    for sector in land.sectors() {
        let [sector_x, sector_y] = sector.place.map(|c| c as usize);
        for placed in sector.tiles(Layer::Ground) {
            let (row, column) = (placed.place() / 16, placed.place() % 16);
            tiles[(sector_y * 16 + row) * N_TILES + sector_x * 16 + column] = placed.tile;
        }
    }
    tiles
}

/// All atlases of the land as pixels of level 0, in stored rows.
fn atlases() -> Vec<Vec<[u8; 4]>> {
    zone()
        .atlases
        .iter()
        .map(|atlas| {
            let pixels = atlas.as_ref().unwrap().level_rgba(0).unwrap();
            pixels.as_chunks().0.to_vec()
        })
        .collect()
}

/// The color that a tile shows at a place in it, 0 to 1 east and north: the document's table of rotations and its 8
/// pixels of margin, tile row 0 in the last rows.
fn shown(atlases: &[Vec<[u8; 4]>], tile: Tile, [east, north]: [f64; 2]) -> [f64; 3] {
    let (s, t) = match tile.rotation() {
        0 => (east, north),
        1 => (1.0 - north, east),
        2 => (1.0 - east, 1.0 - north),
        _ => (north, 1.0 - east),
    };
    let (column, row) = (f64::from(tile.index() % 8), f64::from(tile.index() / 8));
    let x = column * 64.0 + 8.0 + 48.0 * s;
    let y = (8.0 - row) * 64.0 - 8.0 - 48.0 * t;
    let pixel = |x: usize, y: usize| {
        let [r, g, b, _] = atlases[usize::from(tile.texture())][y * 512 + x];
        [r, g, b].map(f64::from)
    };
    // Bilinear, as textures are drawn.
    let (x, y) = (x - 0.5, y - 0.5);
    let (left, top) = (x.floor(), y.floor());
    let (fx, fy) = (x - left, y - top);
    let mut color = [0.0; 3];
    for (dx, dy, weight) in [
        (0, 0, (1.0 - fx) * (1.0 - fy)),
        (1, 0, fx * (1.0 - fy)),
        (0, 1, (1.0 - fx) * fy),
        (1, 1, fx * fy),
    ] {
        let of = pixel(left as usize + dx, top as usize + dy);
        for k in 0..3 {
            color[k] += weight * of[k];
        }
    }
    color
}

#[test]
fn tiles_show_no_seams() {
    let (tiles, atlases) = (tiles(), atlases());
    let (mut sum, mut n, mut worst) = (0.0, 0.0, (0.0, 0));
    for at in 0..N_TILES * N_TILES {
        let (x, y) = (at % N_TILES, at / N_TILES);
        let mut border = |other: usize, here: fn(f64) -> [f64; 2], there: fn(f64) -> [f64; 2]| {
            let mut step = 0.0;
            for k in 0..24 {
                let along = (f64::from(k) + 0.5) / 24.0;
                let a = shown(&atlases, tiles[at], here(along));
                let b = shown(&atlases, tiles[other], there(along));
                step += (0..3).map(|k| (a[k] - b[k]).abs()).sum::<f64>() / (3.0 * 24.0);
            }
            sum += step;
            n += 1.0;
            if step > worst.0 {
                worst = (step, at);
            }
        };
        if x + 1 < N_TILES {
            border(at + 1, |t| [1.0, t], |t| [0.0, t]);
        }
        if y + 1 < N_TILES {
            border(at + N_TILES, |t| [t, 1.0], |t| [t, 0.0]);
        }
    }
    // Blocks of four pixels are stored with two colors each, which differ a little on both sides of a border.
    assert!(sum / n < 5.0, "a mean step of {}", sum / n);
    assert!(worst.0 < 16.0, "a step of {} at tile {}", worst.0, worst.1);
}

#[test]
fn all_kinds_of_ground_and_all_rotations_are_laid() {
    let zone = zone();
    let tiles = tiles();
    let kinds: BTreeSet<u32> = tiles
        .iter()
        .map(|tile| zone.mp.ground_types[usize::from(tile.number())])
        .collect();
    // Grass, ground, sand, rock, field, road, snow, dry grass.
    for kind in [0, 1, 3, 4, 5, 7, 9, 11] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    let rotations: BTreeSet<u8> = tiles.iter().map(|tile| tile.rotation()).collect();
    assert_eq!(rotations.len(), 4);
    let roads: BTreeSet<(u16, u8)> = tiles
        .iter()
        .filter(|tile| zone.mp.ground_types[usize::from(tile.number())] == 7)
        .map(|tile| (tile.number(), tile.rotation()))
        .collect();
    assert!(roads.len() >= 8, "{roads:?}");
}

#[test]
fn river_and_sea_lie_over_lower_ground() {
    let zone = zone();
    let land = zone.land();
    let mut n_tiles = [0; 6];
    for sector in land.sectors() {
        let Some(layer) = sector.sec.liquid_layer() else {
            continue;
        };
        for placed in sector.tiles(Layer::Liquid) {
            let Some(material) = layer.material_at(placed.place()) else {
                continue;
            };
            n_tiles[material] += 1;
            let is_wet = placed
                .vertices()
                .iter()
                .any(|at| layer.vertices[*at].altitude > sector.sec.vertices[*at].altitude);
            assert!(is_wet, "tile {} of {:?}", placed.place(), sector.place);
            assert!(
                land.animation_of(placed.tile.number())
                    .is_some_and(|it| it.count == 8)
            );
        }
    }
    assert!(n_tiles[0] > 100 && n_tiles[5] > 800, "{n_tiles:?}");
    let [river, sea] = [zone.mp.materials[0], zone.mp.materials[5]];
    assert_ne!(river.diffuse, sea.diffuse);
    assert!(sea.wave_multiplier > river.wave_multiplier);
    assert!(river.warp_speed > sea.warp_speed);
    assert!(river.self_illumination > 0.0);
}

#[test]
fn vertices_are_moved_and_lit_by_their_own_slopes() {
    let zone = zone();
    let land = zone.land();
    let (mut n_moved, mut n_compared, mut n_close) = (0, 0, 0);
    for sector in land.sectors() {
        let vertices = &sector.sec.vertices;
        n_moved += vertices.iter().filter(|it| it.shift != [0, 0]).count();
        for row in 1..32_usize {
            for column in 1..32_usize {
                let at = |row: usize, column: usize| {
                    land.position(sector.place, [row, column], &vertices[row * 33 + column])
                };
                let sub = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|k| a[k] - b[k]);
                let east = sub(at(row, column + 1), at(row, column - 1));
                let north = sub(at(row + 1, column), at(row - 1, column));
                let normal = [
                    east[1] * north[2] - east[2] * north[1],
                    east[2] * north[0] - east[0] * north[2],
                    east[0] * north[1] - east[1] * north[0],
                ];
                let stored = vertices[row * 33 + column].normal.unpack();
                let dot: f32 = (0..3).map(|k| normal[k] * stored[k]).sum();
                let length = normal.iter().map(|c| c * c).sum::<f32>().sqrt();
                n_compared += 1;
                n_close += usize::from(dot / length > 0.9);
            }
        }
    }
    assert!(n_moved > 1500, "{n_moved}");
    assert!(n_close * 100 > n_compared * 95, "{n_close} of {n_compared}");
}
