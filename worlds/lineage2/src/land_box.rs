//! A box of land as triangles at a level of detail, for other programs: the tiles that are drawn, cut at the box.
//!
//! Out: a [`LandMesh`] per region, or one for all of a level whose tiles are larger. Each step is level, and walls stand
//! between those that differ. What only hides gaps between tiles of different levels is absent: skirts, and the edge of
//! the loaded land.
#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "cells, tiles and levels of one world, and two axes"
    )
)]

use std::collections::{BTreeMap, HashMap};

use ironlands_assets_lineage2::GeoCell;
use ironlands_assets_lineage2::level_mesh::LandMesh;
use ironlands_assets_lineage2::level_scene::{
    LandMark, N_LEVELS, REGION_LEVEL, STEPS_PER_TILE, region_tile, tile_tree,
};
use ironlands_scene::{Facet, Facing, TileKey, TileShape, TileTree};
use ironlands_sim_geodata::land::Land;

/// Cells along a side of the world.
const CELLS_PER_WORLD_SIDE: u32 = (STEPS_PER_TILE as u32) << (N_LEVELS - 1);

/// A rectangle of cells at a level of detail.
#[derive(Debug, Clone, Copy)]
pub struct LandBox {
    /// Its north-western cell.
    pub first: GeoCell,
    /// Its south-eastern cell.
    pub last: GeoCell,
    /// 0 shows each cell, each further level squares of twice the side; less than [`N_LEVELS`].
    pub level: u8,
}

impl LandBox {
    /// The meshes of its land, one after the other.
    pub fn meshes(self, land: &Land) -> impl Iterator<Item = LandMesh> {
        let tree = tile_tree(&[]);
        let area = self.area(&tree);
        self.keys(land).into_iter().map(move |(name, keys)| {
            let mut builder = Builder::new(area);
            for key in keys {
                let (corner, _) = tree.square_of(key);
                for facet in &land.tile(key, TileShape::Plateaus).facets {
                    builder.add(facet, corner, tree.step_of(self.level));
                }
            }
            LandMesh {
                name,
                positions: builder.positions,
                indices: builder.indices,
            }
        })
    }

    /// Smallest x and y, then the largest, in engine axes.
    fn area(self, tree: &TileTree) -> [[f32; 2]; 2] {
        let x = |cell: u32| tree.corner[0] + cell as f32 * tree.step;
        let y = |cell: u32| tree.corner[1] + (CELLS_PER_WORLD_SIDE - cell) as f32 * tree.step;
        let (first, last) = (self.first, self.last);
        [
            [x(u32::from(first.x)), y(u32::from(last.y) + 1)],
            [x(u32::from(last.x) + 1), y(u32::from(first.y))],
        ]
    }

    /// Its tiles that have land, by the name of their mesh.
    fn keys(self, land: &Land) -> BTreeMap<String, Vec<TileKey>> {
        let side = u32::from(STEPS_PER_TILE) << self.level;
        let row = |cell: u16| (CELLS_PER_WORLD_SIDE - 1 - u32::from(cell)) / side;
        let columns = u32::from(self.first.x) / side..=u32::from(self.last.x) / side;
        let rows = row(self.last.y)..=row(self.first.y);
        let mut keys: BTreeMap<String, Vec<TileKey>> = BTreeMap::new();
        for id in land.geodata().regions() {
            let region = region_tile(id);
            if self.level > REGION_LEVEL {
                let key = region.at_level(self.level);
                let tiles = keys.entry("land".to_owned()).or_default();
                if columns.contains(&key.x) && rows.contains(&key.y) && !tiles.contains(&key) {
                    tiles.push(key);
                }
                continue;
            }
            let n = 1_u32 << (REGION_LEVEL - self.level);
            let tiles = (0..n).flat_map(|x| (0..n).map(move |y| (x, y)));
            let tiles = tiles.map(|(x, y)| TileKey {
                level: self.level,
                x: region.x * n + x,
                y: region.y * n + y,
            });
            let tiles = tiles.filter(|key| columns.contains(&key.x) && rows.contains(&key.y));
            keys.insert(id.to_string(), tiles.collect());
        }
        keys.retain(|_, tiles| !tiles.is_empty());
        keys
    }
}

/// A mesh while it grows; rectangles share their corners.
struct Builder {
    area: [[f32; 2]; 2],
    /// By the bits of their positions.
    vertices: HashMap<[u32; 3], u32>,
    positions: Vec<[f32; 3]>,
    indices: Vec<u32>,
}

impl Builder {
    fn new(area: [[f32; 2]; 2]) -> Self {
        Self {
            area,
            vertices: HashMap::new(),
            positions: Vec::new(),
            indices: Vec::new(),
        }
    }

    /// Adds what is in the box of a facet, whose lower and upper edges are level.
    fn add(&mut self, facet: &Facet, corner: [f32; 2], step: f32) {
        let is_upright = facet.facing != Facing::Up;
        let mark = LandMark::from_number(facet.mark);
        let is_wall = mark.is_some_and(|it| it >= LandMark::WallOpen && it != LandMark::WallNoData);
        if is_upright && !is_wall {
            return;
        }
        let [low, high] = self.area;
        let mut ends = [[0.0; 2]; 2];
        for axis in 0..2 {
            let start = corner[axis] + f32::from(facet.at[axis]) * step;
            let end = start + f32::from(facet.size[axis]) * step;
            ends[0][axis] = start.max(low[axis]);
            ends[1][axis] = end.min(high[axis]);
            let is_outside = match facet.size[axis] {
                0 => ends[0][axis] > ends[1][axis],
                _ => ends[0][axis] >= ends[1][axis],
            };
            if is_outside {
                return;
            }
        }
        let [[x0, y0], [x1, y1]] = ends;
        let [bottom, _, top, _] = facet.z.map(f32::from);
        let corners = match facet.facing {
            Facing::Up => [[x0, y0, top], [x1, y0, top], [x1, y1, top], [x0, y1, top]],
            // Seen from where they face, the first end is on the left.
            Facing::East | Facing::South => [
                [x0, y0, bottom],
                [x1, y1, bottom],
                [x1, y1, top],
                [x0, y0, top],
            ],
            Facing::West | Facing::North => [
                [x1, y1, bottom],
                [x0, y0, bottom],
                [x0, y0, top],
                [x1, y1, top],
            ],
        };
        let [a, b, c, d] = corners.map(|at| self.vertex(at));
        self.indices.extend([a, b, c, a, c, d]);
    }

    fn vertex(&mut self, position: [f32; 3]) -> u32 {
        let next = self.positions.len() as u32;
        let vertex = *self
            .vertices
            .entry(position.map(f32::to_bits))
            .or_insert(next);
        if vertex == next {
            self.positions.push(position);
        }
        vertex
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironlands_sim_geodata::Profile;
    use ironlands_sim_geodata::test_world::{cell, random};

    /// Triangles of a level over cells 5 to 90 of both axes.
    fn triangles(land: &Land, level: u8) -> Vec<[glam::Vec3; 3]> {
        let (first, last) = (cell(5, 5), cell(90, 90));
        let meshes = LandBox { first, last, level }.meshes(land);
        let of = |mesh: LandMesh| {
            let corner = |at: u32| glam::Vec3::from(mesh.positions[at as usize]);
            let triangles = mesh.indices.as_chunks::<3>().0.iter();
            triangles.map(|at| at.map(corner)).collect::<Vec<_>>()
        };
        meshes.flat_map(of).collect()
    }

    #[test]
    fn triangles_fill_the_box_at_the_heights_of_its_cells() {
        let geodata = random(7).geodata();
        let land = Land::new(geodata.clone(), Profile::PTS);
        let mut area = 0.0;
        for corners in triangles(&land, 0) {
            for at in corners {
                assert!((80.0..=1456.0).contains(&at.x) && (-1456.0..=-80.0).contains(&at.y));
            }
            let [a, b, c] = corners;
            let across = (b - a).cross(c - a);
            if across.z == 0.0 {
                continue;
            }
            assert!(across.z > 0.0, "{corners:?} is seen from below");
            area += across.z / 2.0;
            let middle = (a + b + c) / 3.0;
            let [x, y] = [middle.x, -middle.y].map(|it| (it / 16.0).floor() as u16);
            let layers = geodata.layers(cell(x, y)).unwrap();
            assert!(
                layers.iter().any(|it| it.z as f32 == a.z),
                "{corners:?}, {layers:?}"
            );
        }
        let cells = (5..=90).flat_map(|x| (5..=90).map(move |y| cell(x, y)));
        let n_layers: usize = cells.map(|it| geodata.layers(it).unwrap().len()).sum();
        assert_eq!(area, n_layers as f32 * 256.0);
    }

    #[test]
    fn coarser_levels_have_fewer_triangles_in_the_same_box() {
        let land = Land::new(random(7).geodata(), Profile::PTS);
        let mut before = usize::MAX;
        for level in 0..6 {
            let triangles = triangles(&land, level);
            assert!(
                triangles.len() < before,
                "{level}: {} of {before}",
                triangles.len()
            );
            assert!(!triangles.is_empty(), "{level}");
            let inside = |at: &glam::Vec3| at.x >= 80.0 && at.x <= 1456.0 && at.y >= -1456.0;
            assert!(triangles.iter().flatten().all(inside), "{level}");
            before = triangles.len();
        }
    }
}
