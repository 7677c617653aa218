//! The ground of a sector as one picture: its tiles side by side, without their borders.
//!
//! Why not draw from the atlases: at a distance, and along the line of sight, a filter takes from all around, which in
//! an atlas is another tile. A picture of the whole sector has all its levels and needs one draw call. It is stored in
//! blocks, 0.4 MB a sector at 48 pixels a tile.

use std::collections::HashMap;

use ironlands_scene::{Addressing, PixelFormat, Texture};

use super::atlases::{Atlases, Picture};
use super::blocks::pack;
use crate::sec::{N_TILES, TILES_PER_SIDE, Tile};
use ironlands_assets_core::mips::{MipChain, level_size, levels};

/// Pixels along a side of a tile, as of the game's tiles: 64 without 8 at each side. Even its third level is made of
/// whole blocks.
const TILE_SIDE: usize = 48;
/// Levels that are put together from blocks of tiles.
const N_BLOCK_LEVELS: usize = 3;
/// Bytes of a block.
const BLOCK: usize = 8;

/// Paints sectors; each tile, as it is turned, is cut and packed once.
pub(super) struct Painter<'a> {
    atlases: &'a Atlases<'a>,
    tiles: HashMap<Tile, PackedTile>,
}

/// A tile ready to be put into pictures.
struct PackedTile {
    /// Blocks of the first levels.
    levels: [Vec<u8>; N_BLOCK_LEVELS],
    /// Pixels of the level after these.
    next: Picture,
}

impl<'a> Painter<'a> {
    pub(super) fn new(atlases: &'a Atlases<'a>) -> Self {
        Self {
            atlases,
            tiles: HashMap::new(),
        }
    }

    /// The picture of a sector's tiles, which must be all of them: rows go along y, columns along x.
    pub(super) fn paint(&mut self, name: String, tiles: &[Tile; N_TILES]) -> Texture {
        for tile in tiles {
            let atlases = self.atlases;
            self.tiles
                .entry(*tile)
                .or_insert_with(|| PackedTile::new(atlases, *tile));
        }
        let packed = || tiles.iter().map(|tile| &self.tiles[tile]);
        let mut mips: Vec<Vec<u8>> = (0..N_BLOCK_LEVELS)
            .map(|level| {
                let side = (TILE_SIDE >> level) / 4;
                let tiles = packed().map(|it| it.levels[level].as_chunks::<BLOCK>().0);
                side_by_side(tiles, side).concat()
            })
            .collect();
        let side = TILE_SIDE >> N_BLOCK_LEVELS;
        let next = side_by_side(packed().map(|it| &it.next.pixels[..]), side);
        let size = (side * TILES_PER_SIDE) as u32;
        let smaller = levels(&next, [size; 2], MipChain::Full);
        mips.extend((0..).zip(&smaller).map(|(level, pixels)| {
            let size = level_size(size, size, level);
            pack(pixels, size.map(|side| side as usize))
        }));
        let size = (TILE_SIDE * TILES_PER_SIDE) as u32;
        Texture {
            name,
            width: size,
            height: size,
            format: PixelFormat::Bc1,
            n_layers: 1,
            mips,
            addressing: Addressing::Clamp,
        }
    }
}

impl PackedTile {
    fn new(atlases: &Atlases<'_>, tile: Tile) -> Self {
        let level = |level: usize| atlases.visible(tile, TILE_SIDE >> level);
        Self {
            levels: std::array::from_fn(|number| {
                let Picture { side, pixels } = level(number);
                pack(&pixels, [side; 2])
            }),
            next: level(N_BLOCK_LEVELS),
        }
    }
}

/// Squares of `side` by `side` items, one for each tile of a sector, as one square.
fn side_by_side<'a, T: Copy + 'a>(tiles: impl Iterator<Item = &'a [T]>, side: usize) -> Vec<T> {
    let tiles: Vec<&[T]> = tiles.collect();
    let mut all = Vec::with_capacity(tiles.len() * side * side);
    for row_of_tiles in tiles.chunks(TILES_PER_SIDE) {
        for row in 0..side {
            for tile in row_of_tiles {
                all.extend_from_slice(&tile[row * side..][..side]);
            }
        }
    }
    all
}
