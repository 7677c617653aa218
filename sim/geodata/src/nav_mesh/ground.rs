//! The ground of a box: layers of cells by numbers, and where steps lead.

use super::{MAX_LAYERS, NAV_TILE_CELLS, NavMeshError, NavMeshOptions};
use crate::Geodata;
use crate::step::{DIRECTIONS, GroundPosition, Steps};
use ironlands_sim_regions::GeoCell;
use rayon::prelude::*;

/// No layer.
pub(super) const NONE: u32 = u32::MAX;

/// Directions of steps along axes, in the order of [`DIRECTIONS`].
pub(super) const EAST: usize = 0;
pub(super) const WEST: usize = 1;
pub(super) const SOUTH: usize = 2;
pub(super) const NORTH: usize = 3;

/// The direction back.
pub(super) fn opposite(direction: usize) -> usize {
    direction ^ 1
}

/// Layers are numbered cell after cell, x-major, and from the lowest up.
pub(super) struct Ground {
    first: GeoCell,
    /// Cells in x and y.
    pub width: usize,
    pub height: usize,
    /// The number of the first layer of each cell, and of the end.
    starts: Vec<u32>,
    /// Heights.
    pub z: Vec<i16>,
    /// Layers that the four steps along axes lead to.
    pub steps: [Vec<u32>; 4],
    /// Diagonal steps to what two steps along axes do not lead to.
    pub diagonals: Vec<(u32, u32)>,
}

/// What is known of a row of cells from north to south.
#[derive(Default)]
struct Row {
    targets: [Vec<u32>; 4],
    diagonals: Vec<(u32, u32)>,
}

impl Ground {
    pub(super) fn new(geodata: &Geodata, options: &NavMeshOptions) -> Result<Self, NavMeshError> {
        let NavMeshOptions { first, last, .. } = *options;
        let side = |first: u16, last: u16| usize::from(last.saturating_sub(first)) + 1;
        let (width, height) = (side(first.x, last.x), side(first.y, last.y));
        let heights: Vec<Vec<Vec<i16>>> = (0..width)
            .into_par_iter()
            .map(|x| {
                let mut steps = Steps::new(geodata, options.profile);
                let cells = (0..height).map(|y| heights_of(&mut steps, cell_at(first, x, y)));
                cells.collect()
            })
            .collect();
        let n_layers: usize = heights.iter().flatten().map(Vec::len).sum();
        match n_layers {
            0 => return Err(NavMeshError::Empty),
            n if n > MAX_LAYERS => return Err(NavMeshError::TooLarge),
            _ => {}
        }
        let mut starts = vec![0];
        let mut z = Vec::with_capacity(n_layers);
        for of_cell in heights.into_iter().flatten() {
            z.extend(of_cell);
            starts.push(z.len() as u32);
        }
        let mut ground = Self {
            first,
            width,
            height,
            starts,
            z,
            steps: [const { Vec::new() }; 4],
            diagonals: Vec::new(),
        };
        let rows: Vec<Row> = (0..width)
            .into_par_iter()
            .map(|x| ground.row(geodata, options, x))
            .collect();
        for row in rows {
            for (all, of_row) in ground.steps.iter_mut().zip(row.targets) {
                all.extend(of_row);
            }
            ground.diagonals.extend(row.diagonals);
        }
        Ok(ground)
    }

    fn row(&self, geodata: &Geodata, options: &NavMeshOptions, x: usize) -> Row {
        let mut steps = Steps::new(geodata, options.profile);
        let mut row = Row::default();
        for y in 0..self.height {
            let cell = cell_at(self.first, x, y);
            for number in self.layers(x, y) {
                let layer = (number - self.starts[x * self.height + y]) as u8;
                let from = steps.stand_on(cell, layer).expect("a layer that is there");
                let ends = steps.neighbors(&from);
                let number_of = |end: &Option<GroundPosition>| {
                    end.as_ref().map_or(NONE, |end| self.number(end))
                };
                for (targets, end) in row.targets.iter_mut().zip(&ends) {
                    targets.push(number_of(end));
                }
                for (at, end) in ends.iter().enumerate().skip(4) {
                    let to = number_of(end);
                    if to != NONE && !leads_by_axes(&mut steps, &from, &ends, at) {
                        row.diagonals.push((number, to));
                    }
                }
            }
        }
        row
    }

    /// The number of a layer; [`NONE`] outside of the box.
    fn number(&self, at: &GroundPosition) -> u32 {
        let along = |at: u16, first: u16, n: usize| {
            let along = usize::from(at.checked_sub(first)?);
            (along < n).then_some(along)
        };
        let x = along(at.cell.x, self.first.x, self.width);
        let y = along(at.cell.y, self.first.y, self.height);
        match (x, y) {
            (Some(x), Some(y)) => {
                let layers = self.layers(x, y);
                let number = layers.start + u32::from(at.layer);
                if layers.contains(&number) {
                    number
                } else {
                    NONE
                }
            }
            _ => NONE,
        }
    }

    /// The numbers of the layers of a cell.
    pub(super) fn layers(&self, x: usize, y: usize) -> std::ops::Range<u32> {
        let at = x * self.height + y;
        self.starts[at]..self.starts[at + 1]
    }

    /// The distance of a layer to the next one of its cell.
    pub(super) fn gap(&self, x: usize, y: usize, number: u32) -> u16 {
        let layers = self.layers(x, y);
        let z = |number: u32| self.z[number as usize];
        let beside = [number.checked_sub(1), number.checked_add(1)];
        let beside = beside
            .into_iter()
            .flatten()
            .filter(|it| layers.contains(it));
        let gaps = beside.map(|other| z(other).abs_diff(z(number)));
        gaps.min().unwrap_or(u16::MAX)
    }

    /// The middle of a cell, in points.
    pub(super) fn center(&self, x: usize, y: usize) -> (i32, i32) {
        cell_at(self.first, x, y).center()
    }

    /// The north-west corner of a cell, in points; also of one behind the last.
    pub(super) fn corner(&self, x: usize, y: usize) -> (i32, i32) {
        let (west, north) = self.first.corner();
        let along = |first: i32, n: usize| first + n as i32 * ironlands_sim_regions::CELL_SIZE;
        (along(west, x), along(north, y))
    }

    /// The cell of a layer.
    pub(super) fn cell_of(&self, number: u32) -> (usize, usize) {
        let at = self.starts.partition_point(|start| *start <= number) - 1;
        (at / self.height, at % self.height)
    }

    /// Tiles in x and y.
    pub(super) fn n_tiles(&self) -> (usize, usize) {
        let side = usize::from(NAV_TILE_CELLS);
        (self.width.div_ceil(side), self.height.div_ceil(side))
    }
}

fn cell_at(first: GeoCell, x: usize, y: usize) -> GeoCell {
    GeoCell {
        x: first.x + x as u16,
        y: first.y + y as u16,
    }
}

fn heights_of(steps: &mut Steps<'_>, cell: GeoCell) -> Vec<i16> {
    let layers = (0..=u8::MAX).map_while(|layer| steps.stand_on(cell, layer));
    layers.map(|stand| stand.z as i16).collect()
}

/// Whether two steps along axes lead to where a diagonal one does.
fn leads_by_axes(
    steps: &mut Steps<'_>,
    from: &GroundPosition,
    ends: &[Option<GroundPosition>; 8],
    at: usize,
) -> bool {
    let (dx, dy) = DIRECTIONS[at];
    let in_x = &ends[if dx > 0 { EAST } else { WEST }];
    let in_y = &ends[if dy > 0 { SOUTH } else { NORTH }];
    if let (Some(in_x), Some(in_y)) = (in_x, in_y)
        && in_x.z == from.z
        && in_y.z == from.z
    {
        // What is within reach is the same.
        return true;
    }
    let wanted = ends[at].map(|end| (end.cell, end.layer));
    let mut leads = |beside: &Option<GroundPosition>, dx, dy| {
        let Some(beside) = beside else {
            return false;
        };
        let end = steps.step(beside, dx, dy).ok();
        end.map(|end| (end.cell, end.layer)) == wanted
    };
    leads(in_x, 0, dy) || leads(in_y, dx, 0)
}
