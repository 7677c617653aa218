//! Atlases: tiles painted side by side, each with a margin.

use rayon::prelude::*;

use super::cloth::{Place, SEEN};
use super::paint::Palette;
use super::{N_LAND_ATLASES, PER_ATLAS, Tile, Water, water};
use crate::textures::{Canvas, Rgb};

/// Pixels along the side of an atlas.
pub const ATLAS_SIZE: usize = 512;
/// Pixels along the side of a tile with its margin.
pub const TILE_SIZE: usize = 64;
const PER_ROW: usize = ATLAS_SIZE / TILE_SIZE;
const MARGIN: f64 = 8.0;

/// A picture of 8 by 8 tiles.
pub struct Atlas {
    pub canvas: Canvas,
    /// Whether its opacity counts: that of water does.
    pub has_alpha: bool,
}

/// All atlases: those of the land, then that of the water.
pub fn atlases() -> Vec<Atlas> {
    let palette = Palette::new();
    let tiles = Tile::all();
    let land = |atlas: usize| {
        let first = atlas * PER_ATLAS;
        // What is left over of an atlas shows its first tile.
        let tile = |index: usize| *tiles.get(first + index).unwrap_or(&tiles[0]);
        Atlas {
            canvas: paint(|index, place| (palette.at(tile(index), place), 1.0)),
            has_alpha: false,
        }
    };
    let mut atlases: Vec<Atlas> = (0..N_LAND_ATLASES).map(land).collect();
    let waters: Vec<_> = water::tiles(Water::River)
        .chain(water::tiles(Water::Sea))
        .collect();
    atlases.push(Atlas {
        canvas: paint(|index, place| {
            let (water, phase, cell) = waters[index];
            water::at(water, phase, cell, place)
        }),
        has_alpha: true,
    });
    atlases
}

/// Paints 64 tiles. Row 0 of tiles lies in the last rows of the picture; north is up in each.
fn paint(color: impl Fn(usize, Place) -> (Rgb, f64) + Sync) -> Canvas {
    let pixels: Vec<(Rgb, f64)> = (0..ATLAS_SIZE * ATLAS_SIZE)
        .into_par_iter()
        .map(|i| {
            let (x, y) = (i % ATLAS_SIZE, i / ATLAS_SIZE);
            let (column, row) = (x / TILE_SIZE, PER_ROW - 1 - y / TILE_SIZE);
            let within = |c: usize| ((c % TILE_SIZE) as f64 + 0.5 - MARGIN) / SEEN;
            color(row * PER_ROW + column, [within(x), 1.0 - within(y)])
        })
        .collect();
    let (rgb, alpha) = pixels.into_iter().unzip();
    Canvas {
        n: ATLAS_SIZE,
        rgb,
        alpha,
    }
}
