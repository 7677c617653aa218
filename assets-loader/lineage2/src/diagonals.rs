//! Which diagonals are open, from the sides of a cell and of its neighbors. Dossier section 3.3.

use super::cell::{Cell, Nswe};
use super::region::{BLOCKS_PER_SIDE, Block, CELLS_PER_BLOCK_SIDE, Region};

/// A neighbor's layer counts if it is less than this far above.
const REACH: i32 = 48;

/// The region with all diagonals recomputed: one is open if both ways around its corner are, by the sides of the cell
/// and of its two neighbors there. Of a neighbor the highest layer below `height + 48` counts; there is none
/// outside of the region, so its outermost cells have no diagonals outward.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "cells of a region, 2048 a side"
)]
pub fn derive_diagonals(region: &Region) -> Region {
    let mut derived = region.clone();
    for (index, block) in derived.blocks_mut().iter_mut().enumerate() {
        let first_x = index / BLOCKS_PER_SIDE * CELLS_PER_BLOCK_SIDE;
        let first_y = index % BLOCKS_PER_SIDE * CELLS_PER_BLOCK_SIDE;
        let at = |cell: usize| {
            (
                first_x + cell / CELLS_PER_BLOCK_SIDE,
                first_y + cell % CELLS_PER_BLOCK_SIDE,
            )
        };
        match block {
            Block::Flat(_) => {}
            Block::Complex(cells) => {
                for (cell, layer) in cells.iter_mut().enumerate() {
                    layer.nswe = with_diagonals(region, at(cell), *layer);
                }
            }
            Block::Multilayer(multilayer) => {
                let n_layers: Vec<usize> = multilayer.columns().map(<[Cell]>::len).collect();
                let cells = n_layers.iter().enumerate();
                let cells = cells.flat_map(|(cell, &n)| std::iter::repeat_n(cell, n));
                for (layer, cell) in multilayer.all_layers_mut().iter_mut().zip(cells) {
                    layer.nswe = with_diagonals(region, at(cell), *layer);
                }
            }
        }
    }
    derived
}

#[expect(
    clippy::arithmetic_side_effects,
    reason = "an `i32` holds sums and differences of 16-bit heights"
)]
fn with_diagonals(region: &Region, (x, y): (usize, usize), layer: Cell) -> Nswe {
    let sides = layer.nswe.sides();
    let limit = i32::from(layer.height) + REACH;
    let sides_at = |x: Option<usize>, y: Option<usize>| {
        let (Some(x), Some(y)) = (x, y) else {
            return Nswe::empty();
        };
        let below = region.with_layers(x, y, |layers| {
            let below = layers
                .iter()
                .filter(|layer| i32::from(layer.height) < limit);
            // Of equal heights the first one counts, as in the order of the file.
            below.rev().max_by_key(|layer| layer.height).copied()
        });
        below.flatten().map_or(Nswe::empty(), |layer| layer.nswe)
    };
    let east = || sides_at(x.checked_add(1), Some(y));
    let west = || sides_at(x.checked_sub(1), Some(y));
    let south = || sides_at(Some(x), y.checked_add(1));
    let north = || sides_at(Some(x), y.checked_sub(1));
    let mut nswe = sides;
    for (diagonal, in_x, in_y) in Nswe::DIAGONALS {
        if !sides.contains(in_x | in_y) {
            continue;
        }
        let beside_x = if in_x == Nswe::EAST { east() } else { west() };
        let beside_y = if in_y == Nswe::SOUTH {
            south()
        } else {
            north()
        };
        if beside_x.contains(in_y) && beside_y.contains(in_x) {
            nswe |= diagonal;
        }
    }
    nswe
}
