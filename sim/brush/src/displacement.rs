//! Displacements: grids of triangles that are solid from their front (section 7.6).

use super::body_tree::Slabs;
use super::map::DisplacementGrid;
use super::motion::{Best, Motion, Stop};
use super::triangle::{RayAtTriangles, intersect_triangle};
use glam::{DVec3, Vec3};

/// Beside the gap, what keeps rounding from leaving a box out.
const MARGIN: f64 = 0.125;

#[derive(Debug, Clone)]
pub(super) struct Displacement {
    pub texinfo: i32,
    pub contents: i32,
    /// Element of its first triangle.
    pub first_element: u32,
    /// For rays and for boxes.
    is_solid: [bool; 2],
    positions: Vec<[f32; 3]>,
    /// Counter-clockwise seen from the front; two for each cell, row by row.
    triangles: Vec<[u16; 3]>,
    /// By triangle; empty = none is.
    is_removed: Vec<bool>,
    /// Boxes around all cells, around each quarter of them and so on down to two by two: level after level, row by
    /// row.
    boxes: Vec<[Vec3; 2]>,
    /// Cells a row: 4, 8 or 16.
    n_cells: usize,
}

impl Displacement {
    /// `None` if it is no grid.
    pub fn new(grid: &DisplacementGrid, first_element: u32) -> Option<Self> {
        let n_cells = grid.n_cells;
        let n_positions = n_cells.checked_add(1)?.checked_pow(2)?;
        let n_triangles = n_cells.checked_pow(2)?.checked_mul(2)?;
        let mut corners = grid.triangles.iter().flatten();
        let is_grid = [4, 8, 16].contains(&n_cells)
            && grid.positions.len() == n_positions
            && grid.triangles.len() == n_triangles
            && corners.all(|&corner| usize::from(corner) < n_positions);
        if !is_grid {
            return None;
        }
        let mut displacement = Self {
            texinfo: grid.texinfo,
            contents: grid.contents.bits(),
            first_element,
            is_solid: [grid.stops_rays, grid.stops_boxes],
            is_removed: grid.is_removed.clone(),
            positions: grid.positions.clone(),
            triangles: grid.triangles.clone(),
            boxes: Vec::new(),
            n_cells,
        };
        displacement.boxes = displacement.boxes();
        Some(displacement)
    }

    pub fn n_triangles(&self) -> usize {
        self.triangles.len()
    }

    /// Corners of a triangle, counter-clockwise seen from the front.
    pub fn corners(&self, triangle: usize) -> Option<[[f32; 3]; 3]> {
        let corners = self.triangles.get(triangle)?;
        let positions = corners.map(|corner| self.positions.get(usize::from(corner)));
        let [Some(a), Some(b), Some(c)] = positions else {
            return None;
        };
        Some([*a, *b, *c])
    }

    pub fn bounds(&self) -> [DVec3; 2] {
        let all = self.boxes.first().copied().unwrap_or_default();
        all.map(Vec3::as_dvec3)
    }

    /// Tests a motion against all triangles that it comes near.
    pub fn intersect<const RAY: bool>(&self, motion: &Motion, own_idx: u32, best: &mut Best) {
        let [for_rays, for_boxes] = self.is_solid;
        let is_solid = if RAY { for_rays } else { for_boxes };
        if self.contents & motion.mask == 0 || !is_solid {
            return;
        }
        let walk = Walk {
            slabs: Slabs {
                start: motion.start,
                inverse: motion.delta.recip(),
                margin: motion.half + MARGIN,
            },
            ray: if RAY {
                RayAtTriangles::new(motion)
            } else {
                None
            },
            motion,
            own_idx,
        };
        if RAY && walk.ray.is_none() {
            return; // a point that does not move goes through nothing
        }
        self.visit::<RAY>(&walk, best, [0, 0], 1);
    }

    /// A box of a level of `size` by `size` boxes, and what is in it. At most four levels deep.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "hot; `boxes` has made every level of 4, 8 or 16 cells a row"
    )]
    fn visit<const RAY: bool>(
        &self,
        walk: &Walk,
        best: &mut Best,
        [row, column]: [usize; 2],
        size: usize,
    ) {
        let around = &self.boxes[first_of_level(size) + row * size + column];
        let around = around.map(Vec3::as_dvec3);
        if !walk.slabs.overlaps(&around, best.fraction) {
            return;
        }
        let quarters = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[i, j]| [2 * row + i, 2 * column + j]);
        for [row, column] in quarters {
            if 2 * size < self.n_cells {
                self.visit::<RAY>(walk, best, [row, column], 2 * size);
            } else {
                self.intersect_cell::<RAY>(walk, best, row * self.n_cells + column);
            }
        }
    }

    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "hot; a grid of n by n cells has two triangles for each, whose corners are targets its vertices"
    )]
    fn intersect_cell<const RAY: bool>(&self, walk: &Walk, best: &mut Best, cell: usize) {
        for triangle in [2 * cell, 2 * cell + 1] {
            if self.is_removed.get(triangle).is_some_and(|&it| it) {
                continue;
            }
            let corners = self.triangles[triangle].map(|i| self.positions[usize::from(i)]);
            let met = match &walk.ray {
                Some(ray) if RAY => ray.intersect(walk.motion, &corners),
                _ => intersect_triangle(walk.motion, &corners),
            };
            best.take(met.meeting, || Stop::Triangle {
                displacement: walk.own_idx,
                triangle: triangle as u32,
                normal: met.normal,
                dist: met.dist,
            });
        }
    }

    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "a grid has 4, 8 or 16 cells a row and a vertex a row more"
    )]
    fn boxes(&self) -> Vec<[Vec3; 2]> {
        let side = self.n_cells + 1;
        let mut boxes = Vec::new();
        let mut size = 1;
        while size < self.n_cells {
            let step = self.n_cells / size;
            for i in 0..size * size {
                let (row, column) = (i / size * step, i % size * step);
                let rows = (row..=row + step).flat_map(|row| {
                    let first = row * side + column;
                    &self.positions[first..=first + step]
                });
                let corners = rows.map(|&position| Vec3::from_array(position));
                let empty = [Vec3::INFINITY, Vec3::NEG_INFINITY];
                boxes.push(corners.fold(empty, |[min, max], it| [min.min(it), max.max(it)]));
            }
            size *= 2;
        }
        boxes
    }
}

/// A motion through one displacement.
struct Walk<'a> {
    motion: &'a Motion,
    slabs: Slabs,
    ray: Option<RayAtTriangles>,
    own_idx: u32,
}

/// Boxes before those of a level of `size` by `size`.
#[expect(clippy::arithmetic_side_effects, reason = "of at most 16 cells a row")]
fn first_of_level(size: usize) -> usize {
    (size * size - 1) / 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> DisplacementGrid {
        DisplacementGrid {
            n_cells: 4,
            positions: vec![[0.0; 3]; 25],
            triangles: vec![[0, 1, 24]; 32],
            ..DisplacementGrid::default()
        }
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        assert!(Displacement::new(&grid(), 0).is_some());
        let damage: [fn(&mut DisplacementGrid); 6] = [
            |grid| grid.n_cells = 0,
            |grid| grid.n_cells = 5,
            |grid| grid.n_cells = usize::MAX,
            |grid| grid.positions.truncate(24),
            |grid| grid.triangles.truncate(31),
            |grid| grid.triangles[31][2] = 25,
        ];
        for (i, damage) in damage.into_iter().enumerate() {
            let mut grid = grid();
            damage(&mut grid);
            assert!(Displacement::new(&grid, 0).is_none(), "{i}");
        }
    }
}
