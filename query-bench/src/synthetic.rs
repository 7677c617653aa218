//! Terrain from a seed, as large as one likes: 2048 by 2048 units of hills with 320 houses on them.
//!
//! The same number of cells a side gives the same triangles on every machine that computes IEEE f32.

use crate::Mesh;
use crate::random::Random;
use glam::Vec2;

/// Side of the world, world units.
pub const SIDE: f32 = 2048.0;
const SEED: u64 = 0x0117_1A2D_5EED_0002;
const N_HOUSES: usize = 320;
/// Of eight houses, this many have a gable roof; the others are boxes.
const N_GABLES_OF_8: usize = 3;
/// How far vertices are moved, in cells.
const MOVED_CELLS: f32 = 0.2;

/// How the vertices of the ground lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Moved at random by up to 0.2 cells, diagonals at random, houses: nothing that a grid could make use of.
    Moved,
    /// On the grid, every diagonal from the cell's +x corner to its +y corner, no houses: what a height field holds.
    Regular,
}

/// A terrain of `n_cells` by `n_cells` cells of two triangles each; houses add 3,680 triangles.
pub fn terrain(n_cells: usize, layout: Layout) -> Mesh {
    let mut random = Random(SEED);
    let mut mesh = ground(n_cells, layout, &mut random);
    if layout == Layout::Moved {
        for house in 0..N_HOUSES {
            add_house(&mut mesh, house % 8 < N_GABLES_OF_8, &mut random);
        }
    }
    mesh
}

/// Height of the hills, world units: value noise, five octaves from 512 units down.
pub fn height(x: f32, y: f32) -> f32 {
    let octaves = (0..5_u32).map(|octave| {
        let scale = (1_u32 << octave) as f32;
        value_noise(octave, Vec2::new(x, y) * (scale / 512.0)) * 80.0 / scale
    });
    octaves.sum()
}

fn ground(n_cells: usize, layout: Layout, random: &mut Random) -> Mesh {
    let (n_side, cell) = (n_cells + 1, SIDE / n_cells as f32);
    let mut mesh = Mesh::default();
    for y in 0..n_side {
        for x in 0..n_side {
            let mut point = Vec2::new(x as f32, y as f32);
            let is_inner = |k: usize| k > 0 && k < n_cells;
            if layout == Layout::Moved {
                let by = Vec2::splat(MOVED_CELLS);
                let inner = Vec2::new(is_inner(x).into(), is_inner(y).into());
                point += random.point(-by, by) * inner;
            }
            let Vec2 { x, y } = point * cell;
            mesh.positions.push([x, y, height(x, y)]);
        }
    }
    for y in 0..n_cells {
        for x in 0..n_cells {
            let low = (y * n_side + x) as u32;
            let high = low + n_side as u32;
            let is_rising = layout == Layout::Moved && random.below(2) == 1;
            mesh.triangles.extend(if is_rising {
                [[low, low + 1, high + 1], [low, high + 1, high]]
            } else {
                [[low, low + 1, high], [low + 1, high + 1, high]]
            });
        }
    }
    mesh
}

/// Walls on a rectangle of any heading, sunk into the ground, under a flat roof or a gable.
fn add_house(mesh: &mut Mesh, has_gable: bool, random: &mut Random) {
    let margin = Vec2::splat(32.0);
    let center = random.point(margin, Vec2::splat(SIDE) - margin);
    let along = random.heading() * random.between(5.0, 12.0);
    let across = along.normalize().perp() * random.between(4.0, 9.0);
    let corners = [
        center - along - across,
        center + along - across,
        center + along + across,
        center - along + across,
    ];
    let heights = corners.map(|corner| height(corner.x, corner.y));
    let floor = heights.into_iter().fold(f32::INFINITY, f32::min) - 0.5;
    let eaves = floor + random.between(6.0, 14.0);

    let first = mesh.positions.len() as u32;
    let mut add = |corner: Vec2, z: f32| mesh.positions.push(corner.extend(z).to_array());
    corners.iter().for_each(|&corner| add(corner, floor));
    corners.iter().for_each(|&corner| add(corner, eaves));
    let ridge = eaves + random.between(2.0, 5.0);
    if has_gable {
        add(center - along, ridge);
        add(center + along, ridge);
    }
    let walls = (0..4).flat_map(|k| {
        let next = (k + 1) % 4;
        [[k, next, next + 4], [k, next + 4, k + 4]]
    });
    let roof: &[[u32; 3]] = if has_gable {
        &[
            [4, 5, 9],
            [4, 9, 8],
            [5, 6, 9],
            [6, 7, 8],
            [6, 8, 9],
            [7, 4, 8],
        ]
    } else {
        &[[4, 5, 6], [4, 6, 7]]
    };
    let triangles = walls.chain(roof.iter().copied());
    mesh.triangles
        .extend(triangles.map(|triangle| triangle.map(|k| first + k)));
}

/// In `-1..1`, smooth, one value for each point of a lattice of whole numbers.
fn value_noise(octave: u32, at: Vec2) -> f32 {
    let (cell, within) = (at.floor(), at - at.floor());
    let smooth = within * within * (3.0 - 2.0 * within);
    let value = |x: f32, y: f32| {
        let (x, y) = ((cell.x + x) as i32 as u32, (cell.y + y) as i32 as u32);
        let seed = SEED ^ u64::from(octave) << 58 ^ u64::from(x) << 29 ^ u64::from(y);
        Random(seed).between(-1.0, 1.0)
    };
    let row = |y: f32| value(0.0, y) + (value(1.0, y) - value(0.0, y)) * smooth.x;
    row(0.0) + (row(1.0) - row(0.0)) * smooth.y
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn houses_and_cells_are_counted() {
        let mesh = terrain(128, Layout::Moved);
        assert_eq!(
            (mesh.positions.len(), mesh.triangles.len()),
            (19_441, 36_448)
        );
        assert_eq!(terrain(128, Layout::Regular).triangles.len(), 32_768);
    }

    #[test]
    fn the_ground_looks_up_and_covers_the_square() {
        let mesh = terrain(32, Layout::Moved);
        let plan_area = |[a, b, c]: [Vec3; 3]| {
            let [a, b, c] = [a, b, c].map(Vec3::truncate);
            (b - a).perp_dot(c - a) / 2.0
        };
        let areas: Vec<f32> = mesh.corners().take(2 * 32 * 32).map(plan_area).collect();
        assert!(areas.iter().all(|&area| area > 0.0));
        let sum: f64 = areas.into_iter().map(f64::from).sum();
        assert!((sum - f64::from(SIDE * SIDE)).abs() < 1.0, "{sum}");
    }

    /// Seen from outside, every edge of a house's hull that two triangles share is traversed in both directions.
    #[test]
    fn houses_are_wound_one_way() {
        for has_gable in [false, true] {
            let mut mesh = Mesh::default();
            add_house(&mut mesh, has_gable, &mut Random(1));
            let edges: Vec<[u32; 2]> = mesh
                .triangles
                .iter()
                .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                .collect();
            for edge in &edges {
                assert_eq!(edges.iter().filter(|other| *other == edge).count(), 1);
                let [a, b] = *edge;
                assert!(
                    edges.contains(&[b, a]) || a.max(b) < 4,
                    "{has_gable} {edge:?}"
                );
            }
        }
    }
}
