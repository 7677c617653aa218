//! The ground in rectangles of cells that lead to each other and lie on a plane.

use super::NAV_TILE_CELLS;
use super::ground::{EAST, Ground, NONE, SOUTH, opposite};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// A plane over the middles of cells.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Plane {
    /// Height at the middle of cell 0, 0 of the rectangle, and what it rises in x and y per cell.
    z: f64,
    rise: (f64, f64),
}

/// A rectangle of layers of cells.
#[derive(Debug)]
pub(super) struct Rectangle {
    /// Its first cell, and cells in x and y.
    pub first: (usize, usize),
    pub size: (usize, usize),
    pub plane: Plane,
    /// x-major.
    pub layers: Vec<u32>,
}

/// All rectangles, and the one of each layer.
pub(super) struct Partition {
    /// Those of each tile one after another, tiles x-major.
    pub rectangles: Vec<Rectangle>,
    /// Where those of each tile begin, and the end.
    pub tile_starts: Vec<usize>,
    pub of_layer: Vec<u32>,
}

impl Plane {
    /// The height at a lattice corner, in cells from the first corner of the rectangle.
    pub(super) fn at_corner(&self, x: f64, y: f64) -> f64 {
        self.z + self.rise.0 * (x - 0.5) + self.rise.1 * (y - 0.5)
    }

    /// The height at the middle of a cell of the rectangle.
    pub(super) fn at_cell(&self, x: usize, y: usize) -> f64 {
        self.at_corner(x as f64 + 0.5, y as f64 + 0.5)
    }
}

impl Rectangle {
    /// The layer at a cell of the box that is in it.
    pub(super) fn layer(&self, x: usize, y: usize) -> u32 {
        self.layers[(x - self.first.0) * self.size.1 + y - self.first.1]
    }

    /// The height of its plane at the middle of a cell of the box.
    pub(super) fn height_at_cell(&self, x: usize, y: usize) -> f64 {
        self.plane.at_cell(x - self.first.0, y - self.first.1)
    }

    /// The height of its plane at a lattice corner of the box.
    pub(super) fn height_at_corner(&self, x: usize, y: usize) -> f64 {
        let along = |at: usize, first: usize| at as f64 - first as f64;
        let (first_x, first_y) = self.first;
        self.plane.at_corner(along(x, first_x), along(y, first_y))
    }
}

pub(super) fn partition(ground: &Ground, max_error: u16) -> Partition {
    let taken: Vec<AtomicBool> = ground.z.iter().map(|_| AtomicBool::new(false)).collect();
    let (n_x, n_y) = ground.n_tiles();
    let of_tiles: Vec<Vec<Rectangle>> = (0..n_x * n_y)
        .into_par_iter()
        .map(|tile| of_tile(ground, max_error, (tile / n_y, tile % n_y), &taken))
        .collect();
    let mut tile_starts = vec![0];
    let mut rectangles = Vec::new();
    for of_tile in of_tiles {
        rectangles.extend(of_tile);
        tile_starts.push(rectangles.len());
    }
    let mut of_layer = vec![NONE; ground.z.len()];
    for (number, rectangle) in (0_u32..).zip(&rectangles) {
        for layer in &rectangle.layers {
            of_layer[*layer as usize] = number;
        }
    }
    Partition {
        rectangles,
        tile_starts,
        of_layer,
    }
}

fn of_tile(
    ground: &Ground,
    max_error: u16,
    tile: (usize, usize),
    taken: &[AtomicBool],
) -> Vec<Rectangle> {
    let side = usize::from(NAV_TILE_CELLS);
    let first = (tile.0 * side, tile.1 * side);
    let end = (
        (first.0 + side).min(ground.width),
        (first.1 + side).min(ground.height),
    );
    let mut rectangles = Vec::new();
    for x in first.0..end.0 {
        for y in first.1..end.1 {
            for layer in ground.layers(x, y) {
                if taken[layer as usize].load(Ordering::Relaxed) {
                    continue;
                }
                let grower = Grower {
                    ground,
                    max_error,
                    end,
                    taken,
                    first: (x, y),
                    columns: vec![vec![layer]],
                    plane: Plane {
                        z: f64::from(ground.z[layer as usize]),
                        rise: (0.0, 0.0),
                    },
                };
                let rectangle = grower.grow();
                for layer in &rectangle.layers {
                    taken[*layer as usize].store(true, Ordering::Relaxed);
                }
                rectangles.push(rectangle);
            }
        }
    }
    rectangles
}

/// A rectangle that grows to the east and south.
struct Grower<'a> {
    ground: &'a Ground,
    max_error: u16,
    /// Behind the last cell of the tile.
    end: (usize, usize),
    taken: &'a [AtomicBool],
    first: (usize, usize),
    /// Layers from north to south, from west to east.
    columns: Vec<Vec<u32>>,
    plane: Plane,
}

impl Grower<'_> {
    fn grow(mut self) -> Rectangle {
        let (mut can_east, mut can_south) = (true, true);
        while can_east || can_south {
            can_east = can_east && self.grow_east();
            can_south = can_south && self.grow_south();
        }
        Rectangle {
            first: self.first,
            size: (self.columns.len(), self.columns[0].len()),
            plane: self.plane,
            layers: self.columns.concat(),
        }
    }

    fn grow_east(&mut self) -> bool {
        let last = self.columns.last().expect("at least one");
        if self.first.0 + self.columns.len() >= self.end.0 {
            return false;
        }
        let Some(column) = self.beside(last, EAST, SOUTH) else {
            return false;
        };
        self.columns.push(column);
        match self.fitted(true) {
            Some(plane) => {
                self.plane = plane;
                true
            }
            None => {
                self.columns.pop();
                false
            }
        }
    }

    fn grow_south(&mut self) -> bool {
        if self.first.1 + self.columns[0].len() >= self.end.1 {
            return false;
        }
        let last = self.columns.iter().map(|column| column[column.len() - 1]);
        let last: Vec<u32> = last.collect();
        let Some(row) = self.beside(&last, SOUTH, EAST) else {
            return false;
        };
        for (column, layer) in self.columns.iter_mut().zip(row) {
            column.push(layer);
        }
        match self.fitted(false) {
            Some(plane) => {
                self.plane = plane;
                true
            }
            None => {
                for column in &mut self.columns {
                    column.pop();
                }
                false
            }
        }
    }

    /// The layers beside a line of them that are free, and lead back and to each other; `None` if one does not.
    fn beside(&self, line: &[u32], out: usize, along: usize) -> Option<Vec<u32>> {
        let steps = &self.ground.steps;
        let leads_both_ways = |a: u32, b: u32, direction: usize| {
            steps[direction][a as usize] == b && steps[opposite(direction)][b as usize] == a
        };
        let mut found: Vec<u32> = Vec::with_capacity(line.len());
        for &layer in line {
            let next = steps[out][layer as usize];
            if next == NONE
                || self.taken[next as usize].load(Ordering::Relaxed)
                || !leads_both_ways(layer, next, out)
                || found
                    .last()
                    .is_some_and(|last| !leads_both_ways(*last, next, along))
            {
                return None;
            }
            found.push(next);
        }
        Some(found)
    }

    /// The plane of all columns; `None` if it is too far from one. The last column or row is new.
    fn fitted(&self, is_column: bool) -> Option<Plane> {
        let z = |layer: u32| f64::from(self.ground.z[layer as usize]);
        if self.plane.rise == (0.0, 0.0) && self.is_level(is_column) {
            return Some(self.plane);
        }
        let (n_x, n_y) = (self.columns.len() as f64, self.columns[0].len() as f64);
        let middle = ((n_x - 1.0) / 2.0, (n_y - 1.0) / 2.0);
        let mut sums = (0.0, 0.0);
        for (x, column) in self.columns.iter().enumerate() {
            for (y, layer) in column.iter().enumerate() {
                sums.0 += (x as f64 - middle.0) * z(*layer);
                sums.1 += (y as f64 - middle.1) * z(*layer);
            }
        }
        // Sums of squares of distances to the middle.
        let spread = |n: f64| n * (n * n - 1.0) / 12.0;
        let rise = |sum: f64, along: f64, across: f64| match along > 1.0 {
            true => sum / (spread(along) * across),
            false => 0.0,
        };
        let rise = (rise(sums.0, n_x, n_y), rise(sums.1, n_y, n_x));
        let plain = Plane { z: 0.0, rise };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (x, column) in self.columns.iter().enumerate() {
            for (y, layer) in column.iter().enumerate() {
                let offset = z(*layer) - plain.at_cell(x, y);
                (low, high) = (low.min(offset), high.max(offset));
            }
        }
        let plane = Plane {
            z: f64::midpoint(low, high),
            rise,
        };
        let fits = self.columns.iter().enumerate().all(|(x, column)| {
            column.iter().enumerate().all(|(y, layer)| {
                let error = (z(*layer) - plane.at_cell(x, y)).abs();
                error <= self.allowed(x, y, *layer)
            })
        });
        fits.then_some(plane)
    }

    /// Whether the new column or row is as high as all others, which are level.
    fn is_level(&self, is_column: bool) -> bool {
        let z = |layer: u32| f64::from(self.ground.z[layer as usize]);
        match is_column {
            true => {
                let column = self.columns.last().expect("at least one");
                column.iter().all(|layer| z(*layer) == self.plane.z)
            }
            false => {
                let mut row = self.columns.iter().map(|column| column[column.len() - 1]);
                row.all(|layer| z(layer) == self.plane.z)
            }
        }
    }

    /// How far the plane may be from a layer: floors above each other keep their order.
    fn allowed(&self, x: usize, y: usize, layer: u32) -> f64 {
        let gap = self.ground.gap(self.first.0 + x, self.first.1 + y, layer);
        let by_floors = f64::from(gap.saturating_sub(1)) / 2.0;
        by_floors.min(f64::from(self.max_error)) + 1e-6
    }
}
