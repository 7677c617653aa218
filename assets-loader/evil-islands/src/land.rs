//! The sectors of a zone as one grid: where its vertices are, what its tiles show, how high the ground is.
//!
//! Dossier sections 10.2 to 10.5 and 12.3. World axes are the file's: x along columns, y along rows, z up, meters.
//! Every sector has its own border vertices, which its neighbors repeat; nothing here joins them.
#![cfg_attr(
    not(test),
    expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "rows and columns within a sector, and sectors within a zone, which hold tables of fixed sizes"
    )
)]

#[cfg(test)]
mod tests;

use super::mp::{AnimatedTiles, Mp};
use super::sec::{LiquidLayer, SIDE, Sec, TILES_PER_SIDE, Tile, VERTICES_PER_SIDE, Vertex};

/// Pixels at each side of a tile that are not shown (section 10.5).
pub const TILE_BORDER: f32 = 8.0;
/// Rows and columns of tiles in an atlas.
pub const TILES_PER_ATLAS_SIDE: u8 = 8;
/// Vertices along a side of a tile, which covers two by two cells.
pub const VERTICES_PER_TILE_SIDE: usize = 3;
/// Sizes of atlas and tile in pixels where a zone has none that make sense: those of the game.
const USUAL_SIZES: [u32; 2] = [512, 64];
/// Cells around the one over which a point lies whose triangles may reach under it: shifts are half a meter.
const REACH_IN_CELLS: i64 = 1;

/// Name of the file of a sector in the archive of a zone.
pub fn sector_file_name(zone: &str, [x, y]: [u32; 2]) -> String {
    format!("{zone}{x:03}{y:03}.sec")
}

/// Name of an atlas of a zone, without extension.
pub fn atlas_name(zone: &str, number: u32) -> String {
    format!("{zone}{number:03}")
}

/// The land of a zone.
#[derive(Debug, Clone, Copy)]
pub struct Land<'a> {
    mp: &'a Mp,
    sectors: &'a [Option<Box<Sec>>],
}

/// The two surfaces of a sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// What is walked on.
    Ground,
    /// What lies over it.
    Liquid,
}

/// A sector and where it is.
#[derive(Debug, Clone, Copy)]
pub struct PlacedSector<'a> {
    /// Column and row of the sector.
    pub place: [u32; 2],
    /// Its file.
    pub sec: &'a Sec,
}

/// A tile and where it is in its sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedTile {
    /// Row of tiles, `0..16`, along y.
    pub row: usize,
    /// Column of tiles, `0..16`, along x.
    pub col: usize,
    /// What it shows.
    pub tile: Tile,
}

impl<'a> Land<'a> {
    /// The land of a header and its sectors, row after row: that at x, y is `sectors[y * x_sectors + x]`. Sectors
    /// that are not there are `None`, or beyond the end.
    pub fn new(mp: &'a Mp, sectors: &'a [Option<Box<Sec>>]) -> Self {
        Self { mp, sectors }
    }

    /// What holds for all sectors.
    pub fn mp(&self) -> &'a Mp {
        self.mp
    }

    /// The sector in a column and row; `None` if it is not there.
    pub fn sector(&self, [x, y]: [u32; 2]) -> Option<&'a Sec> {
        if x >= self.mp.x_sectors || y >= self.mp.y_sectors {
            return None;
        }
        let place = u64::from(y) * u64::from(self.mp.x_sectors) + u64::from(x);
        let sector = self.sectors.get(usize::try_from(place).ok()?)?;
        sector.as_deref()
    }

    /// The sectors that are there, row after row.
    pub fn sectors(&self) -> impl Iterator<Item = PlacedSector<'a>> + use<'a> {
        let x_sectors = self.mp.x_sectors.max(1);
        let placed = (0u32..).zip(self.sectors);
        placed.filter_map(move |(at, sec)| {
            Some(PlacedSector {
                place: [at % x_sectors, at / x_sectors],
                sec: sec.as_deref()?,
            })
        })
    }

    /// Length and width in meters.
    pub fn size(&self) -> [f32; 2] {
        [self.mp.x_sectors, self.mp.y_sectors].map(|n| n as f32 * SIDE as f32)
    }

    /// Where a vertex of a sector is. `row` and `col` are in `0..=32`.
    pub fn position(&self, sector: [u32; 2], [row, col]: [usize; 2], vertex: &Vertex) -> [f32; 3] {
        let [x_shift, y_shift] = vertex.offset();
        // Whole meters first, so that neighbors put the vertices that they share at the same place.
        let meters =
            |sector: u32, cell: usize| (u64::from(sector) * SIDE as u64) as f32 + cell as f32;
        [
            meters(sector[0], col) + x_shift,
            meters(sector[1], row) + y_shift,
            vertex.height(self.mp.max_altitude),
        ]
    }

    /// Where all vertices of a layer of a sector are, row after row.
    pub fn positions(&self, sector: [u32; 2], vertices: &[Vertex]) -> Vec<[f32; 3]> {
        let grid = (0..).map(|at| [at / VERTICES_PER_SIDE, at % VERTICES_PER_SIDE]);
        let placed = grid.zip(vertices);
        placed
            .map(|(place, vertex)| self.position(sector, place, vertex))
            .collect()
    }

    /// Where a corner of a tile, or the middle of a side or of the tile, lies in its atlas: `row` and `col` count
    /// vertices of the tile, `0..=2` (section 10.5). v = 0 is the first stored row of pixels.
    pub fn tile_uv(&self, tile: Tile, [row, col]: [usize; 2]) -> [f32; 2] {
        let [texture_size, tile_size] = self.atlas_sizes();
        let (t, s) = match tile.rotation() {
            0 => (row, col),
            1 => (col, 2 - row),
            2 => (2 - row, 2 - col),
            _ => (2 - col, row),
        };
        let [low, high] = tile_rect(tile.index(), texture_size, tile_size);
        let [s, t] = [s, t].map(|half| half as f32 / 2.0);
        let lerp = |from: f32, to: f32, part: f32| from + (to - from) * part;
        [lerp(low[0], high[0], s), lerp(high[1], low[1], t)]
    }

    /// As [`Self::tile_uv`], in a picture of the tile alone with its border, as it is stored.
    pub fn uv_in_tile(&self, rotation: u8, [row, col]: [usize; 2]) -> [f32; 2] {
        let [texture_size, tile_size] = self.atlas_sizes();
        // The first tile lies in the first column and the last stored row.
        let [u, v] = self.tile_uv(Tile::new(0, 0, rotation), [row, col]);
        let below = f32::from(TILES_PER_ATLAS_SIDE - 1) * tile_size;
        [u * texture_size, v * texture_size - below].map(|pixels| pixels / tile_size)
    }

    /// Pixels along a side of an atlas and of a tile; those of the game where the header's make no sense.
    pub fn atlas_sizes(&self) -> [f32; 2] {
        let Mp {
            texture_size,
            tile_size,
            ..
        } = *self.mp;
        let makes_sense = texture_size > 0 && tile_size > 0 && tile_size <= texture_size;
        let sizes = match makes_sense {
            true => [texture_size, tile_size],
            false => USUAL_SIZES,
        };
        sizes.map(|pixels| pixels as f32)
    }

    /// The animation that a tile is a phase of, by its global number.
    pub fn animation_of(&self, number: u16) -> Option<AnimatedTiles> {
        let number = u32::from(number);
        let is_in = |tiles: &&AnimatedTiles| {
            let first = u32::from(tiles.first);
            (first..first + u32::from(tiles.count)).contains(&number)
        };
        let animated = self.mp.animated_tiles.iter();
        animated.filter(|it| it.count > 1).find(is_in).copied()
    }

    /// Height of the ground at a place in meters, that of the highest where it is folded; `None` beside the land and
    /// where a sector is missing. In f64, then rounded.
    pub fn height_at(&self, [x, y]: [f32; 2]) -> Option<f32> {
        if !(x.is_finite() && y.is_finite()) {
            return None;
        }
        // The casts saturate; no sector is out there.
        let [cell_x, cell_y] = [x, y].map(|v| v.floor() as i64);
        let around =
            |cell: i64| cell.saturating_sub(REACH_IN_CELLS)..=cell.saturating_add(REACH_IN_CELLS);
        let cells = around(cell_y).flat_map(|row| around(cell_x).map(move |col| [row, col]));
        let triangles = cells.filter_map(|cell| self.cell_triangles(cell)).flatten();
        let heights = triangles.filter_map(|triangle| height_on(triangle, [x, y]));
        heights.reduce(f64::max).map(|height| height as f32)
    }

    /// The two triangles of a cell of the ground, by its row and column in the zone.
    fn cell_triangles(&self, [row, col]: [i64; 2]) -> Option<[[[f32; 3]; 3]; 2]> {
        let side = SIDE as i64;
        let sector_of = |cell: i64| u32::try_from(cell.div_euclid(side)).ok();
        let place = [sector_of(col)?, sector_of(row)?];
        let sec = self.sector(place)?;
        let [row, col] = [row, col].map(|cell| cell.rem_euclid(side) as usize);
        let corners = CELL_TRIANGLES.map(|triangle| {
            triangle.map(|[down, right]| {
                let at = [row + down, col + right];
                let vertex = &sec.vertices[at[0] * VERTICES_PER_SIDE + at[1]];
                self.position(place, at, vertex)
            })
        });
        Some(corners)
    }
}

impl PlacedSector<'_> {
    /// Its tiles of a layer, row after row; of liquids those that there are.
    pub fn tiles(&self, layer: Layer) -> impl Iterator<Item = PlacedTile> + '_ {
        let liquid = self.sec.liquid_layer();
        let tiles = match layer {
            Layer::Ground => Some(&self.sec.tiles),
            Layer::Liquid => liquid.map(|it| &it.tiles),
        };
        let tiles = (0..).zip(tiles.into_iter().flat_map(|tiles| tiles.iter()));
        tiles
            .filter(move |(at, _)| match layer {
                Layer::Ground => true,
                Layer::Liquid => liquid.is_some_and(|it| it.material_at(*at).is_some()),
            })
            .map(|(at, tile)| PlacedTile {
                row: at / TILES_PER_SIDE,
                col: at % TILES_PER_SIDE,
                tile: *tile,
            })
    }
}

impl PlacedTile {
    /// Its place among the tiles of its sector.
    pub fn place(&self) -> usize {
        self.row * TILES_PER_SIDE + self.col
    }

    /// Places of its nine vertices among those of its sector, row after row.
    pub fn vertices(&self) -> [usize; 9] {
        std::array::from_fn(|at| {
            let row = 2 * self.row + at / VERTICES_PER_TILE_SIDE;
            let col = 2 * self.col + at % VERTICES_PER_TILE_SIDE;
            row * VERTICES_PER_SIDE + col
        })
    }
}

impl LiquidLayer {
    /// Index of the material of a tile; `None` where there is no liquid.
    pub fn material_at(&self, tile: usize) -> Option<usize> {
        let material = self.materials.get(tile)?;
        usize::try_from(*material).ok()
    }
}

/// The two triangles of a cell as rows and columns of its corners, counter-clockwise from above: it is split from its
/// first corner to the opposite one (section 10.4).
pub const CELL_TRIANGLES: [[[usize; 2]; 3]; 2] =
    [[[1, 0], [0, 0], [1, 1]], [[1, 1], [0, 0], [0, 1]]];

/// The eight triangles of a tile as places among its nine vertices, cell after cell, row after row.
pub fn tile_triangles() -> [[usize; 3]; 8] {
    std::array::from_fn(|at| {
        let cell = at / 2;
        let [row, col] = [cell / 2, cell % 2];
        CELL_TRIANGLES[at % 2]
            .map(|[down, right]| (row + down) * VERTICES_PER_TILE_SIDE + col + right)
    })
}

/// The part of an atlas that a tile shows: smallest and largest u, v. The first row of tiles is stored last.
fn tile_rect(index: u8, texture_size: f32, tile_size: f32) -> [[f32; 2]; 2] {
    let last = TILES_PER_ATLAS_SIDE - 1;
    let col = f32::from(index % TILES_PER_ATLAS_SIDE);
    let row_from_end = f32::from(last.saturating_sub(index / TILES_PER_ATLAS_SIDE));
    let low = [col, row_from_end].map(|at| (at * tile_size + TILE_BORDER) / texture_size);
    let high = [col, row_from_end].map(|at| ((at + 1.0) * tile_size - TILE_BORDER) / texture_size);
    [low, high]
}

/// Height of a triangle at a place; `None` beside it, and where it stands on edge. Its edges count as its own.
fn height_on(triangle: [[f32; 3]; 3], [x, y]: [f32; 2]) -> Option<f64> {
    let [a, b, c] = triangle.map(|corner| corner.map(f64::from));
    let point = [f64::from(x), f64::from(y)];
    let cross = |from: [f64; 3], to: [f64; 3], at: [f64; 2]| {
        (to[0] - from[0]) * (at[1] - from[1]) - (at[0] - from[0]) * (to[1] - from[1])
    };
    let area = cross(a, b, [c[0], c[1]]);
    if area == 0.0 {
        return None;
    }
    let weights = [cross(b, c, point), cross(c, a, point), cross(a, b, point)];
    let weights = weights.map(|part| part / area);
    let is_inside = weights.iter().all(|weight| *weight >= 0.0);
    is_inside.then(|| weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2])
}
