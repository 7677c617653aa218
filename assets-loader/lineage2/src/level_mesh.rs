//! Regions as triangles, for other programs: every cell level, and walls where cells that go on in each other differ in
//! height.
//!
//! Out: a [`Scene`] with a mesh per region in engine axes, and colors by height. Cells of one height in a row are one
//! rectangle. What triangles cannot express is absent: open sides, and the lower heights of flat blocks. So are walls between
//! one region and the next.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "cells and blocks of a region, whose numbers are known"
)]

use glam::Vec3;
use ironlands_scene::{
    Aabb, Addressing, Batch, Cluster, Material, MaterialIdx, Mesh, Pass, PixelFormat, Scene,
    Texture, TextureIdx,
};

use super::cell::Cell;
use super::grid::{CELL_SIZE, CELLS_PER_REGION_SIDE};
use super::picture::{RAMP, ramp};
use super::region::{BLOCKS_PER_SIDE, Block, MAX_LAYERS, Region};

/// Pixels of the texture that colors heights.
const N_COLORS: u32 = 512;
/// Runs of a row that may still go on, looked at from the last: as many as there are layers.
const MOST_OPEN_RUNS: usize = MAX_LAYERS;

/// Meshes of regions while they are gathered.
#[derive(Debug, Clone, Default)]
pub struct LandMeshes {
    meshes: Vec<Mesh>,
}

impl LandMeshes {
    /// Adds a region.
    pub fn add(&mut self, region: &Region) {
        let mut builder = Builder::from_region(region);
        builder.add_tops();
        builder.add_walls();
        self.meshes.push(builder.finish());
    }

    /// Vertices of all regions.
    pub fn n_vertices(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.positions.len()).sum()
    }

    /// The scene of all regions that were added.
    pub fn into_scene(self, name: &str) -> Scene {
        let pass = Pass {
            texture: Some(TextureIdx(0)),
            ..Pass::default()
        };
        Scene {
            name: name.to_owned(),
            meshes: self.meshes,
            materials: vec![Material {
                name: "land".to_owned(),
                passes: vec![pass],
            }],
            textures: vec![height_colors()],
            ..Scene::default()
        }
    }
}

/// Colors from the lowest to the highest height of maps, as one row.
fn height_colors() -> Texture {
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
    mesh: Mesh,
}

impl<'a> Builder<'a> {
    fn from_region(region: &'a Region) -> Self {
        let mesh = Mesh {
            name: region.id.to_string(),
            ..Mesh::default()
        };
        Self { region, mesh }
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
        let corner = |x, y| self.point(x, y, height);
        let corners = [
            corner(x, y + n),
            corner(x + width, y + n),
            corner(x + width, y),
            corner(x, y),
        ];
        self.add_rectangle(corners, [0.0, 0.0, 1.0]);
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
            self.point(start.0, start.1, a.min(b)),
            self.point(end.0, end.1, a.min(b)),
            self.point(end.0, end.1, a.max(b)),
            self.point(start.0, start.1, a.max(b)),
        ];
        // It faces the lower side, which is that of larger numbers if the first height is the upper one.
        let sign = if a > b { 1.0 } else { -1.0 };
        let normal = match start.0 == end.0 {
            true => [sign, 0.0, 0.0],
            false => [0.0, -sign, 0.0],
        };
        self.add_rectangle(corners, normal);
    }

    /// A corner of cells in engine axes.
    fn point(&self, x: usize, y: usize, height: i16) -> Vec3 {
        let (west, north) = self.region.id.corner();
        // Cells of a region, and points of 32 regions, are far below 2^24.
        let along = |first: i32, at: usize| (first + at as i32 * CELL_SIZE) as f32;
        Vec3::new(along(west, x), -along(north, y), f32::from(height))
    }

    /// Two triangles, counter-clockwise around the normal.
    fn add_rectangle(&mut self, mut corners: [Vec3; 4], normal: [f32; 3]) {
        let [a, b, c, _] = corners;
        if (b - a).cross(c - a).dot(normal.into()) < 0.0 {
            corners.reverse();
        }
        // A region has at most 2^22 cells of 255 layers in theory, and some millions of rectangles in fact.
        let first = self.mesh.positions.len() as u32;
        let (low, high) = ramp_ends();
        for corner in corners {
            let share = ((corner.z - low) / (high - low)).clamp(0.0, 1.0);
            let n = N_COLORS as f32;
            self.mesh.positions.push(corner.to_array());
            self.mesh.normals.push(normal);
            self.mesh.uv_sets[0].push([(share * (n - 1.0) + 0.5) / n, 0.5]);
            self.mesh.uv_sets[1].push([0.0; 2]);
        }
        self.mesh
            .indices
            .extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }

    fn finish(self) -> Mesh {
        let mut mesh = self.mesh;
        let positions = || mesh.positions.iter().copied().map(Vec3::from);
        let bounds = Aabb {
            min: positions().fold(Vec3::INFINITY, Vec3::min).to_array(),
            max: positions().fold(Vec3::NEG_INFINITY, Vec3::max).to_array(),
        };
        mesh.batches = vec![Batch {
            first_index: 0,
            n_indices: mesh.indices.len() as u32,
            material: MaterialIdx(0),
        }];
        mesh.clusters = vec![Cluster {
            bounds,
            cell: [0; 2],
            lods: std::iter::once(0..1).collect(),
            cells: Vec::new(),
        }];
        mesh
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

    fn mesh_of(region: &Region) -> Mesh {
        let mut meshes = LandMeshes::default();
        meshes.add(region);
        let mut scene = meshes.into_scene("land");
        scene.validate().unwrap();
        scene.meshes.remove(0)
    }

    fn n_rectangles(mesh: &Mesh) -> usize {
        mesh.indices.len() / 6
    }

    /// Area of the triangles whose normals point to one side.
    fn area(mesh: &Mesh, normal: [f32; 3]) -> f32 {
        let triangles = mesh
            .indices
            .chunks_exact(3)
            .filter(|triangle| mesh.normals[triangle[0] as usize] == normal);
        let area = |triangle: &[u32]| {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(mesh.positions[triangle[i] as usize]));
            let across = (b - a).cross(c - a);
            assert!(across.dot(normal.into()) > 0.0, "counter-clockwise");
            across.length() * 0.5
        };
        triangles.map(area).sum()
    }

    #[test]
    fn flat_ground_is_a_row_of_rectangles_in_the_right_place() {
        let mesh = mesh_of(&Region::flat(id(), -3000));
        assert_eq!(n_rectangles(&mesh), BLOCKS_PER_SIDE);
        // Region 17_25: dossier section 1.5.
        assert_eq!(
            mesh.clusters[0].bounds.min,
            [-98_304.0, -262_144.0, -3000.0]
        );
        assert_eq!(
            mesh.clusters[0].bounds.max,
            [-65_536.0, -229_376.0, -3000.0]
        );
        assert_eq!(area(&mesh, [0.0, 0.0, 1.0]), 32_768.0 * 32_768.0);
    }

    #[test]
    fn every_side_of_a_plate_is_one_wall_that_faces_outward() {
        let mut region = Region::flat(id(), 0);
        let at = 9 * BLOCKS_PER_SIDE + 9;
        region.blocks_mut()[at] = Block::Complex(Box::new([open(100); 64]));
        let mesh = mesh_of(&region);
        for normal in [
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, -1.0, 0.0],
        ] {
            assert_eq!(area(&mesh, normal), 128.0 * 100.0, "{normal:?}");
        }
        // The row with the plate is parted in two, and the plate is 8 rows.
        assert_eq!(n_rectangles(&mesh), BLOCKS_PER_SIDE + 1 + 8 + 4);
        // The same of a flat block, whose plate is one.
        region.blocks_mut()[at] = Block::Flat(Flat::from_height(100));
        assert_eq!(n_rectangles(&mesh_of(&region)), BLOCKS_PER_SIDE + 2 + 4);
    }

    /// A deck over ground that continues: nothing stands in the way under it.
    #[test]
    fn nothing_closes_the_way_under_a_bridge() {
        let mut region = Region::flat(id(), 0);
        let deck = [open(200), open(0)];
        let block = Multilayer::new((0..64).map(|_| &deck[..])).unwrap();
        region.blocks_mut()[9 * BLOCKS_PER_SIDE + 9] = Block::Multilayer(Box::new(block));
        let mesh = mesh_of(&region);
        assert_eq!(area(&mesh, [1.0, 0.0, 0.0]), 0.0);
        let top = area(&mesh, [0.0, 0.0, 1.0]);
        assert_eq!(top, 32_768.0 * 32_768.0 + 128.0 * 128.0);
    }
}
