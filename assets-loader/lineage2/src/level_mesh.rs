//! Regions as triangles, for other programs: every cell level, and walls where cells that go on in each other differ in
//! height.
//!
//! Out: a [`LandMesh`] per region in engine axes, and colors by height. Cells of one height in a row are one rectangle.
//! Rectangles share their corners, so vertices have no normals: faces are flat. What triangles cannot express is absent:
//! open sides, and the lower heights of flat blocks. So are walls between one region and the next.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "cells and blocks of a region, whose numbers are known"
)]

use glam::Vec3;
use ironlands_scene::{Addressing, PixelFormat, Texture};

use super::cell::Cell;
use super::grid::{CELL_SIZE, CELLS_PER_REGION_SIDE};
use super::picture::{RAMP, ramp};
use super::region::{BLOCKS_PER_SIDE, Block, MAX_LAYERS, Region};

/// Pixels of the texture that colors heights.
const N_COLORS: u32 = 512;
/// Runs of a row that may still go on, looked at from the last: as many as there are layers.
const MOST_OPEN_RUNS: usize = MAX_LAYERS;

/// The triangles of a region.
#[derive(Debug, Clone, PartialEq)]
pub struct LandMesh {
    /// The region's name, as `20_18`.
    pub name: String,
    /// Vertices in engine axes, each once.
    pub positions: Vec<[f32; 3]>,
    /// Three vertices a triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
}

impl LandMesh {
    /// Triangulates a region.
    pub fn from_region(region: &Region) -> Self {
        let mut builder = Builder::from_region(region);
        builder.add_tops();
        builder.add_walls();
        Self {
            name: region.id.to_string(),
            positions: builder.positions,
            indices: builder.indices,
        }
    }
}

/// Colors from the lowest to the highest height of maps, as one row; see [`color_coordinates`].
pub fn height_colors() -> Texture {
    let (low, high) = ramp_ends();
    let color = |at: u32| {
        let share = f32::from(at as u16) / (N_COLORS - 1) as f32;
        let [r, g, b] = ramp((low + (high - low) * share) as i16);
        [r as u8, g as u8, b as u8, 255]
    };
    Texture {
        name: "heights".to_owned(),
        width: N_COLORS,
        height: 1,
        format: PixelFormat::Rgba8,
        n_layers: 1,
        mips: vec![(0..N_COLORS).flat_map(color).collect()],
        addressing: Addressing::Clamp,
    }
}

/// Where [`height_colors`] has the color of a height.
pub fn color_coordinates(height: f32) -> [f32; 2] {
    let (low, high) = ramp_ends();
    let share = ((height - low) / (high - low)).clamp(0.0, 1.0);
    let n = N_COLORS as f32;
    [(share * (n - 1.0) + 0.5) / n, 0.5]
}

fn ramp_ends() -> (f32, f32) {
    let [(low, _), .., (high, _)] = RAMP;
    (f32::from(low), f32::from(high))
}

/// Cells of one height in a row from north to south.
#[derive(Clone, Copy)]
struct Run {
    x: usize,
    y: usize,
    n: usize,
    height: i16,
}

struct Builder<'a> {
    region: &'a Region,
    corner_heights: CornerHeights,
    /// Of each of them the vertex that has it, once there is one.
    vertices: Vec<Option<u32>>,
    positions: Vec<[f32; 3]>,
    indices: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn from_region(region: &'a Region) -> Self {
        let corner_heights = CornerHeights::from_region(region);
        Self {
            region,
            vertices: vec![None; corner_heights.heights.len()],
            corner_heights,
            positions: Vec::new(),
            indices: Vec::new(),
        }
    }

    /// The ground itself, row after row.
    fn add_tops(&mut self) {
        let region = self.region;
        for x in 0..BLOCKS_PER_SIDE {
            self.add_flat_tops(x);
        }
        for x in 0..CELLS_PER_REGION_SIDE {
            let mut runs: Vec<Run> = Vec::new();
            for y in 0..CELLS_PER_REGION_SIDE {
                let block = &region.blocks()[(x >> 3) * BLOCKS_PER_SIDE + (y >> 3)];
                if matches!(block, Block::Flat(_)) {
                    continue;
                }
                let cell = (x & 7) * 8 + (y & 7);
                block.with_layers(cell, |layers| {
                    for layer in layers {
                        let height = layer.height;
                        let is_next = |run: &&mut Run| run.height == height && run.y + run.n == y;
                        match runs.iter_mut().rev().take(MOST_OPEN_RUNS).find(is_next) {
                            Some(run) => run.n += 1,
                            None => runs.push(Run { x, y, n: 1, height }),
                        }
                    }
                });
            }
            runs.into_iter().for_each(|run| self.add_top(run, 1));
        }
    }

    /// Flat blocks of one height in a row of blocks.
    fn add_flat_tops(&mut self, x: usize) {
        let row = &self.region.blocks()[x * BLOCKS_PER_SIDE..][..BLOCKS_PER_SIDE];
        let mut run: Option<Run> = None;
        for (y, block) in row.iter().enumerate() {
            let Block::Flat(flat) = block else {
                run.take().into_iter().for_each(|run| self.add_top(run, 8));
                continue;
            };
            match &mut run {
                Some(run) if run.height == flat.high() => run.n += 8,
                _ => {
                    let begun = Run {
                        x: 8 * x,
                        y: 8 * y,
                        n: 8,
                        height: flat.high(),
                    };
                    let ended = run.replace(begun);
                    ended.into_iter().for_each(|run| self.add_top(run, 8));
                }
            }
        }
        run.into_iter().for_each(|run| self.add_top(run, 8));
    }

    fn add_top(&mut self, run: Run, width: usize) {
        let Run { x, y, n, height } = run;
        let corners = [
            (x, y + n, height),
            (x + width, y + n, height),
            (x + width, y, height),
            (x, y, height),
        ];
        self.add_rectangle(corners, Vec3::Z);
    }

    /// Walls along each line between two rows of cells.
    fn add_walls(&mut self) {
        for line in 1..CELLS_PER_REGION_SIDE {
            self.add_walls_along(Line::NorthSouth(line));
            self.add_walls_along(Line::WestEast(line));
        }
    }

    /// Walls along one line; equal ones in a row are one.
    fn add_walls_along(&mut self, line: Line) {
        let mut open: Vec<Wall> = Vec::new();
        let mut steps = Vec::new();
        for along in 0..=CELLS_PER_REGION_SIDE {
            steps.clear();
            if along < CELLS_PER_REGION_SIDE {
                self.add_steps(line.cells(along), &mut steps);
            }
            let ended = |wall: &mut Wall| !steps.contains(&wall.step);
            for wall in open.extract_if(.., ended) {
                let corners = line.corners(wall.start, along);
                self.add_wall(corners, wall.step);
            }
            for step in &steps {
                if !open.iter().any(|wall| wall.step == *step) {
                    open.push(Wall {
                        step: *step,
                        start: along,
                    });
                }
            }
        }
    }

    /// Heights of two neighbors that go on in each other: those that are nearest to each other, and the lowest ones.
    fn add_steps(&self, [a, b]: [(usize, usize); 2], steps: &mut Vec<[i16; 2]>) {
        let block = |(x, y): (usize, usize)| (x >> 3) * BLOCKS_PER_SIDE + (y >> 3);
        let is_flat = |at: usize| matches!(self.region.blocks()[at], Block::Flat(_));
        if block(a) == block(b) && is_flat(block(a)) {
            return;
        }
        self.region.with_layers(a.0, a.1, |a| {
            self.region.with_layers(b.0, b.1, |b| {
                for from in a.iter().map(|layer| layer.height) {
                    let to = nearest(b, from);
                    if from != to && nearest(a, to) == from {
                        steps.push([from, to]);
                    }
                }
                let lowest = [a, b].map(|layers| layers.iter().map(|it| it.height).min());
                if let [Some(from), Some(to)] = lowest
                    && from != to
                    && !steps.contains(&[from, to])
                {
                    steps.push([from, to]);
                }
            });
        });
    }

    fn add_wall(&mut self, [start, end]: [(usize, usize); 2], [a, b]: [i16; 2]) {
        let corners = [
            (start.0, start.1, a.min(b)),
            (end.0, end.1, a.min(b)),
            (end.0, end.1, a.max(b)),
            (start.0, start.1, a.max(b)),
        ];
        // It faces the lower side, which is that of larger numbers if the first height is the upper one.
        let sign = if a > b { 1.0 } else { -1.0 };
        let normal = match start.0 == end.0 {
            true => Vec3::X * sign,
            false => Vec3::NEG_Y * sign,
        };
        self.add_rectangle(corners, normal);
    }

    /// Two triangles, counter-clockwise around the normal.
    fn add_rectangle(&mut self, corners: [(usize, usize, i16); 4], normal: Vec3) {
        let mut corners = corners.map(|(x, y, height)| self.vertex(x, y, height));
        let [a, b, c, _] = corners.map(|it| Vec3::from(self.positions[it as usize]));
        if (b - a).cross(c - a).dot(normal) < 0.0 {
            corners.reverse();
        }
        let [a, b, c, d] = corners;
        self.indices.extend([a, b, c, a, c, d]);
    }

    /// The vertex at a corner of cells, at the height of one of them.
    fn vertex(&mut self, x: usize, y: usize, height: i16) -> u32 {
        let at = self.corner_heights.index(x, y, height);
        if let Some(known) = self.vertices[at] {
            return known;
        }
        // Fewer than corners and heights, which are fewer than 2^32.
        let vertex = self.positions.len() as u32;
        self.vertices[at] = Some(vertex);
        let (west, north) = self.region.id.corner();
        // Cells of a region, and points of 32 regions, are far below 2^24.
        let along = |first: i32, at: usize| (first + at as i32 * CELL_SIZE) as f32;
        let position = [along(west, x), -along(north, y), f32::from(height)];
        self.positions.push(position);
        vertex
    }
}

/// Corners of cells along a side of a region.
const CORNERS_PER_SIDE: usize = CELLS_PER_REGION_SIDE + 1;

/// The heights of the cells around each corner of cells, which are all that vertices have there.
struct CornerHeights {
    /// Where the heights of each corner begin, and the end of the last; from north to south, then from west to east.
    starts: Vec<u32>,
    /// Of each corner in ascending order, each once.
    heights: Vec<i16>,
}

impl CornerHeights {
    fn from_region(region: &Region) -> Self {
        let mut starts = Vec::with_capacity(CORNERS_PER_SIDE * CORNERS_PER_SIDE + 1);
        let (mut heights, mut around) = (Vec::new(), Vec::new());
        for x in 0..CORNERS_PER_SIDE {
            for y in 0..CORNERS_PER_SIDE {
                // Four cells of at most 255 layers at each corner are fewer than 2^32.
                starts.push(heights.len() as u32);
                for cell_x in x.saturating_sub(1)..=x {
                    for cell_y in y.saturating_sub(1)..=y {
                        region.with_layers(cell_x, cell_y, |layers| {
                            around.extend(layers.iter().map(|layer| layer.height));
                        });
                    }
                }
                around.sort_unstable();
                around.dedup();
                heights.append(&mut around);
            }
        }
        starts.push(heights.len() as u32);
        Self { starts, heights }
    }

    /// Index of a height among all of them.
    fn index(&self, x: usize, y: usize, height: i16) -> usize {
        let corner = x * CORNERS_PER_SIDE + y;
        let [start, end] = [corner, corner + 1].map(|it| self.starts[it] as usize);
        start + self.heights[start..end].partition_point(|it| *it < height)
    }
}

/// A line between two rows of cells, by its number from the west or the north.
#[derive(Clone, Copy)]
enum Line {
    NorthSouth(usize),
    WestEast(usize),
}

impl Line {
    /// The cells at its two sides, that of smaller numbers first.
    fn cells(self, along: usize) -> [(usize, usize); 2] {
        match self {
            Self::NorthSouth(x) => [(x - 1, along), (x, along)],
            Self::WestEast(y) => [(along, y - 1), (along, y)],
        }
    }

    /// Ends of a part of it.
    fn corners(self, start: usize, end: usize) -> [(usize, usize); 2] {
        match self {
            Self::NorthSouth(x) => [(x, start), (x, end)],
            Self::WestEast(y) => [(start, y), (end, y)],
        }
    }
}

/// A wall that is not ended yet: the heights at its two sides, and where it begins.
struct Wall {
    step: [i16; 2],
    start: usize,
}

/// The nearest height of some layers, of which there is at least one.
fn nearest(layers: &[Cell], height: i16) -> i16 {
    let heights = layers.iter().map(|layer| layer.height);
    heights
        .min_by_key(|it| it.abs_diff(height))
        .unwrap_or(height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_regions::{id, open};
    use crate::{Flat, Multilayer};

    fn n_rectangles(mesh: &LandMesh) -> usize {
        mesh.indices.len() / 6
    }

    /// Area of the triangles that face one side.
    fn area(mesh: &LandMesh, normal: Vec3) -> f32 {
        let area = |triangle: &[u32]| {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(mesh.positions[triangle[i] as usize]));
            let across = (b - a).cross(c - a) * 0.5;
            // All faces stand along the axes.
            match across.dot(normal) == across.length() {
                true => across.length(),
                false => 0.0,
            }
        };
        mesh.indices.chunks_exact(3).map(area).sum()
    }

    #[test]
    fn flat_ground_is_a_row_of_rectangles_in_the_right_place() {
        let mesh = LandMesh::from_region(&Region::flat(id(), -3000));
        assert_eq!(n_rectangles(&mesh), BLOCKS_PER_SIDE);
        // Region 17_25: dossier section 1.5.
        let positions = || mesh.positions.iter().copied().map(Vec3::from);
        let low = Vec3::new(-98_304.0, -262_144.0, -3000.0);
        let high = Vec3::new(-65_536.0, -229_376.0, -3000.0);
        assert_eq!(positions().fold(Vec3::INFINITY, Vec3::min), low);
        assert_eq!(positions().fold(Vec3::NEG_INFINITY, Vec3::max), high);
        assert_eq!(area(&mesh, Vec3::Z), 32_768.0 * 32_768.0);
    }

    #[test]
    fn every_side_of_a_plate_is_one_wall_that_faces_outward() {
        let mut region = Region::flat(id(), 0);
        let at = 9 * BLOCKS_PER_SIDE + 9;
        region.blocks_mut()[at] = Block::Complex(Box::new([open(100); 64]));
        let mesh = LandMesh::from_region(&region);
        for normal in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y] {
            assert_eq!(area(&mesh, normal), 128.0 * 100.0, "{normal:?}");
        }
        // The row with the plate is parted in two, and the plate is 8 rows.
        assert_eq!(n_rectangles(&mesh), BLOCKS_PER_SIDE + 1 + 8 + 4);
        // The same of a flat block, whose plate is one.
        region.blocks_mut()[at] = Block::Flat(Flat::from_height(100));
        assert_eq!(
            n_rectangles(&LandMesh::from_region(&region)),
            BLOCKS_PER_SIDE + 2 + 4
        );
    }

    /// A deck over ground that continues: nothing stands in the way under it.
    #[test]
    fn nothing_closes_the_way_under_a_bridge() {
        let mut region = Region::flat(id(), 0);
        let deck = [open(200), open(0)];
        let block = Multilayer::new((0..64).map(|_| &deck[..])).unwrap();
        region.blocks_mut()[9 * BLOCKS_PER_SIDE + 9] = Block::Multilayer(Box::new(block));
        let mesh = LandMesh::from_region(&region);
        assert_eq!(area(&mesh, Vec3::X), 0.0);
        let top = area(&mesh, Vec3::Z);
        assert_eq!(top, 32_768.0 * 32_768.0 + 128.0 * 128.0);
    }

    #[test]
    fn rectangles_share_the_corners_in_which_they_meet() {
        let mut region = Region::flat(id(), 0);
        // A chess board: every corner inside of the block has both heights.
        let cells = std::array::from_fn(|at| open(if at % 2 == at / 8 % 2 { 0 } else { 800 }));
        region.blocks_mut()[9 * BLOCKS_PER_SIDE + 9] = Block::Complex(Box::new(cells));
        let plain = LandMesh::from_region(&Region::flat(id(), 0));
        let mesh = LandMesh::from_region(&region);
        let mut unlike = mesh
            .positions
            .iter()
            .map(|it| it.map(f32::to_bits))
            .collect::<Vec<_>>();
        unlike.sort_unstable();
        unlike.dedup();
        assert_eq!(unlike.len(), mesh.positions.len());
        let n_of_block = mesh.positions.len() - plain.positions.len();
        // 81 corners at two heights, less what the upper cells do not touch and the plain has.
        assert!(n_of_block <= 2 * 81, "{n_of_block}");
        let n_upper = mesh.positions.iter().filter(|it| it[2] == 800.0).count();
        assert_eq!(n_upper, 81 - 2);
    }
}
