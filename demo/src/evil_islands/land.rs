//! The island as the files of a zone's land: vertices that follow banks and cliffs, tiles, and water over both.
//!
//! Deliberately absent: the objects on the land.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_evil_islands::mp::{AnimatedTiles, Material, Mp};
use ironlands_assets_evil_islands::res::{NamesOrder, ResArchive};
use ironlands_assets_evil_islands::sec::{
    LiquidLayer, Liquids, NO_LIQUID, Sec, TILES_PER_SIDE, Tile as TileWord, Vertex,
};
use rayon::prelude::*;

use super::ZONE;
use super::island::{
    FIELD, Ground, Island, JOINS, N_SECTORS, N_TILES, SEA, SECTOR_SIZE, SIZE, corners_of, grounds,
    road_tiles,
};
use super::tiles::{
    N_LAND_ATLASES, N_PHASES, N_WATER_TILES, PER_ATLAS, Placed, Tile, Water, first_phase, join,
    road,
};
use crate::noise::{hash2, mix, smoothstep, unit};
use crate::textures::Rgb;

/// Height of the greatest altitude that a vertex can have.
const MAX_ALTITUDE: f32 = 64.0;
/// Vertices along a side of the map.
const N_VERTICES: usize = SIZE + 1;
/// Meters that a vertex is moved aside at most. Neighbors that move straight toward each other still do not meet.
const MAX_SHIFT: f64 = 0.42;

/// The land of the island, ready to be cut into sectors.
pub struct Land {
    island: Island,
    /// Of the ground, row by row from the south.
    vertices: Vec<Vertex>,
    /// Of the water.
    surface: Vec<Vertex>,
    tiles: Vec<TileWord>,
    liquids: Vec<(TileWord, i16)>,
}

impl Land {
    pub fn new() -> Self {
        let island = Island::new();
        let mut shifts = grid(N_VERTICES, |x, y| shift(&island, x, y));
        unfold(&mut shifts);
        let vertices: Vec<Vertex> = grid(N_VERTICES, |x, y| {
            vertex(&island, [x, y], shifts[y * N_VERTICES + x])
        });
        let surface: Vec<Vertex> = grid(N_VERTICES, |x, y| {
            let height = island.water(x as f64, y as f64);
            Vertex::draft([0.0; 2], height as f32, MAX_ALTITUDE, [0.0, 0.0, 1.0])
        });
        let tiles = tiles(&grounds(&island));
        let mut land = Self {
            island,
            vertices,
            surface,
            tiles,
            liquids: Vec::new(),
        };
        land.liquids = grid(N_TILES, |x, y| land.liquid(x, y));
        land
    }

    pub fn island(&self) -> &Island {
        &self.island
    }

    /// Height of the stored ground near a point, as far as vertices stand where the grid has them.
    pub fn height(&self, x: f64, y: f64) -> f64 {
        let last = (SIZE - 1) as f64;
        let (column, row) = (x.floor().clamp(0.0, last), y.floor().clamp(0.0, last));
        let (fx, fy) = (x - column, y - row);
        let at = |dx: usize, dy: usize| {
            let i = (row as usize + dy) * N_VERTICES + column as usize + dx;
            f64::from(self.vertices[i].height(MAX_ALTITUDE))
        };
        // The cell is split from its south-west to its north-east corner.
        if fx > fy {
            at(0, 0) + (at(1, 0) - at(0, 0)) * fx + (at(1, 1) - at(1, 0)) * fy
        } else {
            at(0, 0) + (at(1, 1) - at(0, 1)) * fx + (at(0, 1) - at(0, 0)) * fy
        }
    }

    /// Its color on a map, at parts of its side to the east and to the north.
    pub fn color(&self, east: f64, north: f64) -> Rgb {
        let [x, y] = [east, north].map(|c| c * SIZE as f64);
        let (z, water) = (self.height(x, y), self.island.water(x, y));
        if z < water {
            let deep = smoothstep(0.0, 4.0, water - z);
            return [0, 1, 2].map(|k| mix([96.0, 152.0, 158.0][k], [26.0, 74.0, 108.0][k], deep));
        }
        let tile = (y as usize / 2).min(N_TILES - 1) * N_TILES + (x as usize / 2).min(N_TILES - 1);
        let number = usize::from(self.tiles[tile].number());
        let color = match Tile::all()[number].ground_type() {
            0 => [96.0, 124.0, 60.0],
            1 | 7 => [150.0, 122.0, 86.0],
            3 => [206.0, 184.0, 138.0],
            5 => [112.0, 92.0, 56.0],
            9 => [236.0, 240.0, 246.0],
            11 => [134.0, 128.0, 72.0],
            _ => [128.0, 120.0, 110.0],
        };
        // Lit from the north-west.
        let [nx, ny, _] = self.island.normal(x, y);
        color.map(|c| c * (1.0 + 0.45 * (ny - nx)))
    }

    /// The archive `*.mpr`: the header of the zone and its sectors.
    pub fn archive(&self) -> Result<Vec<u8>, FormatError> {
        let mut entries = vec![(format!("{ZONE}.mp").into_bytes(), header().write()?)];
        for y in 0..N_SECTORS {
            for x in 0..N_SECTORS {
                let name = format!("{ZONE}{x:03}{y:03}.sec");
                entries.push((name.into_bytes(), self.sector(x, y).write()?));
            }
        }
        ResArchive::draft(entries, NamesOrder::Insertion).write()
    }

    fn sector(&self, sector_x: usize, sector_y: usize) -> Sec {
        let on_grid = |row: usize, column: usize| {
            (sector_y * SECTOR_SIZE + row) * N_VERTICES + sector_x * SECTOR_SIZE + column
        };
        let on_tiles = |row: usize, column: usize| {
            (sector_y * TILES_PER_SIDE + row) * N_TILES + sector_x * TILES_PER_SIDE + column
        };
        let liquid = |tile: usize| {
            let (row, column) = (tile / TILES_PER_SIDE, tile % TILES_PER_SIDE);
            self.liquids[on_tiles(row, column)]
        };
        let land = |liquids| {
            Sec::draft(
                |row, column| self.vertices[on_grid(row, column)],
                |row, column| self.tiles[on_tiles(row, column)],
                liquids,
            )
        };
        let n_tiles = TILES_PER_SIDE * TILES_PER_SIDE;
        if (0..n_tiles).all(|tile| liquid(tile).1 == NO_LIQUID) {
            return land(Liquids::None);
        }
        let water = Sec::draft(
            |row, column| self.surface[on_grid(row, column)],
            |row, column| self.liquids[on_tiles(row, column)].0,
            Liquids::None,
        );
        land(Liquids::Layer(LiquidLayer {
            vertices: water.vertices,
            tiles: water.tiles,
            materials: Box::new(std::array::from_fn(|tile| liquid(tile).1)),
        }))
    }

    /// Water over a tile, if any of its ground lies below it.
    fn liquid(&self, tile_x: usize, tile_y: usize) -> (TileWord, i16) {
        let (x, y) = (2 * tile_x, 2 * tile_y);
        let is_wet = (0..9).any(|k| {
            let i = (y + k / 3) * N_VERTICES + x + k % 3;
            self.vertices[i].altitude < self.surface[i].altitude
        });
        if !is_wet {
            return (TileWord::default(), NO_LIQUID);
        }
        let (east, north) = (x as f64 + 1.0, y as f64 + 1.0);
        let from = self.island.river.nearest(east, north);
        // From the one water to the other in steps, which show less than one edge.
        let out = match from.distance < from.half_width + 6.0 {
            true => ((32.0 - north) / 12.0).clamp(0.0, 1.0),
            false => 1.0,
        };
        let material = (out * f64::from(SEA_MATERIAL) + 0.5).floor() as i16;
        let water = match 2 * material < SEA_MATERIAL {
            true => Water::River,
            false => Water::Sea,
        };
        let index = first_phase(water, tile_x, tile_y);
        (
            TileWord::new(index as u8, N_LAND_ATLASES as u8, 0),
            material,
        )
    }
}

const RIVER_MATERIAL: i16 = 0;
/// Those between the two are of the mouth of the river.
const SEA_MATERIAL: i16 = 5;

/// What holds for the whole zone.
fn header() -> Mp {
    let liquid = |step: i16| {
        let t = f64::from(step) / f64::from(SEA_MATERIAL);
        let between = |river: f64, sea: f64| mix(river, sea, t) as f32;
        Material {
            kind: 3,
            diffuse: [
                between(0.20, 0.06),
                between(0.40, 0.27),
                between(0.38, 0.40),
                between(0.72, 0.84),
            ],
            self_illumination: between(0.06, 0.10),
            wave_multiplier: between(0.5, 1.5),
            warp_speed: between(1.0, 0.4),
            unknown_20: [0; 12],
        }
    };
    let tiles = Tile::all();
    let n_land = N_LAND_ATLASES * PER_ATLAS;
    let land = (0..n_land).map(|k| tiles.get(k).unwrap_or(&tiles[0]).ground_type());
    let water = (0..PER_ATLAS).map(|_| 6);
    let n_animated = 2 * N_WATER_TILES / N_PHASES;
    Mp {
        max_altitude: MAX_ALTITUDE,
        x_sectors: N_SECTORS as u32,
        y_sectors: N_SECTORS as u32,
        n_textures: N_LAND_ATLASES as u32 + 1,
        texture_size: 512,
        tile_size: 64,
        materials: (RIVER_MATERIAL..=SEA_MATERIAL).map(liquid).collect(),
        ground_types: land.chain(water).collect(),
        animated_tiles: (0..n_animated)
            .map(|k| AnimatedTiles {
                first: (n_land + k * N_PHASES) as u16,
                count: N_PHASES as u16,
            })
            .collect(),
        trailing: Vec::new(),
    }
}

/// A value for every place of a square grid, row by row.
fn grid<T: Send>(n: usize, at: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    let all = (0..n * n).into_par_iter();
    all.map(|i| at(i % n, i / n)).collect()
}

/// A vertex of the ground, moved aside.
fn vertex(island: &Island, [column, row]: [usize; 2], shift: [f64; 2]) -> Vertex {
    // As stored, so that the height is that of the place where the vertex will be.
    let stored = shift.map(|c| (c * 254.0 + 0.5).floor() / 254.0);
    let at = [column as f64 + stored[0], row as f64 + stored[1]];
    Vertex::draft(
        stored.map(|c| c as f32),
        island.height(at[0], at[1]) as f32,
        MAX_ALTITUDE,
        island.normal(at[0], at[1]).map(|c| c as f32),
    )
}

/// Takes back half of the way of vertices, where it would lay a triangle on its back or make a sliver of it.
fn unfold(shifts: &mut [[f64; 2]]) {
    /// Twice the area of an unmoved triangle is 1.
    const LEAST: f64 = 0.2;
    for _ in 0..8 {
        for cell in 0..SIZE * SIZE {
            let (column, row) = (cell % SIZE, cell / SIZE);
            let first = row * N_VERTICES + column;
            let corners = [first, first + 1, first + N_VERTICES, first + N_VERTICES + 1];
            let place = |k: usize| {
                let [dx, dy] = shifts[corners[k]];
                [(k % 2) as f64 + dx, (k / 2) as f64 + dy]
            };
            let [a, b, d, e] = [0, 1, 2, 3].map(place);
            if area(d, a, e).min(area(e, a, b)) < LEAST {
                for corner in corners {
                    shifts[corner] = shifts[corner].map(|c| c / 2.0);
                }
            }
        }
    }
}

/// Twice the area of a triangle; negative if it runs clockwise.
fn area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// How far a vertex is moved: to the foot of a bank or its edge, along the shore, and about on steep rock.
fn shift(island: &Island, column: usize, row: usize) -> [f64; 2] {
    if [column, row].iter().any(|c| *c == 0 || *c == SIZE) {
        return [0.0; 2];
    }
    let (x, y) = (column as f64, row as f64);
    let from = island.river.nearest(x, y);
    let off = from.distance - from.half_width;
    // The water's edge, and where the bank's slope ends.
    for line in [0.0, 1.25] {
        let to_line = line - off;
        if to_line.abs() < 0.5 && y > 26.0 {
            return limited(from.outward.map(|c| c * to_line));
        }
    }
    let above = island.height(x, y) - SEA;
    let slope = island.slope(x, y);
    if above.abs() < 0.5 * slope && slope < 1.2 {
        let [nx, ny, nz] = island.normal(x, y);
        // Along the steepest way to where the ground meets the sea.
        let run = above / (slope * slope * nz);
        return limited([nx * run, ny * run]);
    }
    let steep = smoothstep(0.7, 1.4, slope);
    let about = |axis: u32| 2.0 * unit(hash2(0x5F + axis, x as i32, y as i32)) - 1.0;
    limited([0, 1].map(|axis| 0.38 * steep * about(axis)))
}

fn limited(shift: [f64; 2]) -> [f64; 2] {
    shift.map(|c| c.clamp(-MAX_SHIFT, MAX_SHIFT))
}

/// The tiles of the ground.
fn tiles(grounds: &[Ground]) -> Vec<TileWord> {
    let all = Tile::all();
    let mut placed: Vec<Placed> = (0..N_TILES * N_TILES)
        .map(|i| {
            let (x, y) = (i % N_TILES, i / N_TILES);
            let corners = corners_of(x, y).map(|corner| grounds[corner]);
            of_corners(corners, hash2(0x711E, x as i32, y as i32))
        })
        .collect();
    for way in road_tiles() {
        for (k, [x, y]) in way.iter().enumerate() {
            let before = k.checked_sub(1).map(|k| way[k]);
            let sides = [before, way.get(k + 1).copied()]
                .into_iter()
                .flatten()
                .fold([false; 4], |sides, other| through(sides, [*x, *y], other));
            placed[y * N_TILES + x] = road(sides, hash_bits(*x, *y) as u8);
        }
    }
    lay_field(&mut placed);
    let word = |placed: Placed| {
        let number = all.iter().position(|tile| *tile == placed.tile);
        let number = number.expect("every placed tile lies in an atlas");
        let (atlas, index) = (number / PER_ATLAS, number % PER_ATLAS);
        TileWord::new(index as u8, atlas as u8, placed.rotation)
    };
    placed.into_iter().map(word).collect()
}

fn hash_bits(x: usize, y: usize) -> u32 {
    hash2(0x0AD, x as i32, y as i32) >> 24
}

/// Opens the side toward a neighbor: west, east, south, north.
fn through(mut sides: [bool; 4], [x, y]: [usize; 2], other: [usize; 2]) -> [bool; 4] {
    let side = match (other[0].cmp(&x), other[1].cmp(&y)) {
        (std::cmp::Ordering::Less, _) => 0,
        (std::cmp::Ordering::Greater, _) => 1,
        (_, std::cmp::Ordering::Less) => 2,
        _ => 3,
    };
    sides[side] = true;
    sides
}

/// The tile for a tile's corners; `hash` chooses among pictures that fit.
fn of_corners(corners: [Ground; 4], hash: u32) -> Placed {
    let first = corners[0];
    let Some(other) = corners.into_iter().find(|ground| *ground != first) else {
        let n = u32::from(Tile::n_plain(first));
        let rotation = match first {
            // Ripples that ran along x on one tile and along y on the next would show the grid of tiles.
            Ground::Sand => 2 * (hash & 1),
            _ => hash & 3,
        };
        return Placed {
            tile: Tile::Plain(first, (hash >> 8 & 0xFFFF).rem_euclid(n) as u8),
            rotation: rotation as u8,
        };
    };
    let pair = JOINS
        .iter()
        .position(|(a, b)| [*a, *b] == [first, other] || [*a, *b] == [other, first])
        .expect("grounds that meet have been settled");
    let above = JOINS[pair].1;
    join(
        pair as u8,
        corners.map(|ground| ground == above),
        (hash >> 8) as u8,
    )
}

/// The plowed field; its pictures fit unturned.
fn lay_field(placed: &mut [Placed]) {
    let [east, north] = FIELD;
    for y in north[0]..north[1] {
        for x in east[0]..east[1] {
            let ends = [
                x == east[0],
                x + 1 == east[1],
                y == north[0],
                y + 1 == north[1],
            ];
            placed[y * N_TILES + x] = Placed {
                tile: Tile::Field(ends),
                rotation: 0,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evil_islands::tiles::Road;

    #[test]
    fn no_cell_folds_over() {
        let land = Land::new();
        let place = |column: usize, row: usize| {
            let vertex = land.vertices[row * N_VERTICES + column];
            let [dx, dy] = vertex.offset().map(f64::from);
            [column as f64 + dx, row as f64 + dy]
        };
        let mut n_moved = 0;
        for row in 0..SIZE {
            for column in 0..SIZE {
                let a = place(column, row);
                let b = place(column + 1, row);
                let (d, e) = (place(column, row + 1), place(column + 1, row + 1));
                assert!(area(d, a, e) > 0.0 && area(e, a, b) > 0.0, "{column} {row}");
                n_moved += usize::from(a != [column as f64, row as f64]);
            }
        }
        assert!(n_moved > 1000, "{n_moved} vertices were moved");
    }

    #[test]
    fn all_kinds_of_tiles_lie_on_the_land() {
        let land = Land::new();
        let all = Tile::all();
        let mut seen: Vec<(usize, u8)> = land
            .tiles
            .iter()
            .map(|tile| (usize::from(tile.number()), tile.rotation()))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        let has = |wanted: Tile, rotation: u8| {
            seen.iter()
                .any(|(number, turned)| all[*number] == wanted && *turned == rotation)
        };
        let curves = (0..4)
            .filter(|k| has(Tile::Road(Road::Curve, 0), *k) || has(Tile::Road(Road::Curve, 1), *k));
        assert_eq!(curves.count(), 4, "roads turn all ways");
        assert!(has(Tile::Field([false; 4]), 0));
        for material in [RIVER_MATERIAL, SEA_MATERIAL] {
            let n = land.liquids.iter().filter(|(_, m)| *m == material).count();
            assert!(n > 30, "{n} tiles of material {material}");
        }
    }
}
