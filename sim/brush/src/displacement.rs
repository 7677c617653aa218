//! Displacements: grids of triangles that are solid from their front (section 7.6).

use super::map::DisplacementGrid;
use super::motion::{Best, Motion, Stop};
use super::triangle::{RayAtTriangles, intersect_triangle};
use ironlands_sim_core::bvh::{Bounds, BoxRay, Bvh};

/// Beside the gap, what keeps rounding from leaving a box out.
const MARGIN: f32 = 0.125;

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
        Some(Self {
            texinfo: grid.texinfo,
            contents: grid.contents.bits(),
            first_element,
            is_solid: [grid.stops_rays, grid.stops_boxes],
            is_removed: grid.is_removed.clone(),
            positions: grid.positions.clone(),
            triangles: grid.triangles.clone(),
        })
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

    /// Around all places where triangles of a cell may stop the center of a box, but for half the size of that box.
    /// Empty if nothing is solid there.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "a cell is one of 256 at most"
    )]
    fn cell_bounds(&self, cell: usize) -> Bounds {
        let is_there = |triangle: &usize| !self.is_removed.get(*triangle).is_some_and(|&it| it);
        let triangles = [2 * cell, 2 * cell + 1].into_iter();
        let triangles = triangles.filter(|it| self.is_solid.contains(&true) && is_there(it));
        let triangles = triangles.filter_map(|it| self.corners(it));
        let is_finite =
            |corners: &[[f32; 3]; 3]| corners.as_flattened().iter().all(|v| v.is_finite());
        let corners = triangles.filter(is_finite).flatten();
        let points = corners.map(Bounds::from_point);
        let around = points.fold(Bounds::EMPTY, |all, point| all.join(&point));
        Bounds {
            min: around.min.map(|v| (v - MARGIN).next_down()),
            max: around.max.map(|v| (v + MARGIN).next_up()),
        }
    }

    /// Tests a motion against the two triangles of a cell. Of triangles that stop it at the same share of it, the one
    /// with the lowest number does.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "hot; a grid of n by n cells has two triangles for each, whose corners are among its vertices"
    )]
    fn intersect<const RAY: bool>(
        &self,
        walk: &Walk<'_>,
        best: &mut Best,
        [own_idx, cell]: [u32; 2],
    ) {
        let [for_rays, for_boxes] = self.is_solid;
        let is_solid = if RAY { for_rays } else { for_boxes };
        if self.contents & walk.motion.mask == 0 || !is_solid {
            return;
        }
        for triangle in [2 * cell, 2 * cell + 1] {
            if self.is_removed.get(triangle as usize).is_some_and(|&it| it) {
                continue;
            }
            let corners = self.triangles[triangle as usize].map(|i| self.positions[usize::from(i)]);
            let met = match &walk.ray {
                Some(ray) if RAY => ray.intersect(walk.motion, &corners),
                _ => intersect_triangle(walk.motion, &corners),
            };
            let own = self.first_element + triangle;
            let is_before = |_, other: &Stop| match *other {
                Stop::Triangle { element, .. } => own < element,
                _ => false,
            };
            best.take(met.meeting, is_before, || Stop::Triangle {
                displacement: own_idx,
                element: own,
                normal: met.normal,
                dist: met.dist,
            });
        }
    }
}

/// A motion through displacements.
struct Walk<'a> {
    motion: &'a Motion,
    ray: Option<RayAtTriangles>,
}

/// The cells of all displacements, under a tree of boxes.
#[derive(Debug, Clone, Default)]
pub(super) struct DisplacementCells {
    /// Displacement and cell.
    cells: Vec<[u32; 2]>,
    bvh: Bvh,
}

impl DisplacementCells {
    pub fn new(displacements: &[Displacement]) -> Self {
        let all = displacements.iter().zip(0..);
        let cells = all.flat_map(|(displacement, i)| {
            let n_cells = displacement.n_triangles() / 2;
            (0..n_cells).map(move |cell| ([i, cell as u32], displacement.cell_bounds(cell)))
        });
        let solid = cells.filter(|(_, bounds)| bounds.min <= bounds.max);
        let (cells, bounds): (Vec<_>, Vec<_>) = solid.unzip();
        let mut bvh = Bvh::default();
        bvh.build(&bounds);
        Self { cells, bvh }
    }

    /// Tests a motion against all triangles that it comes near, as far as it is known to get.
    #[expect(
        clippy::indexing_slicing,
        reason = "hot; the tree is made of the cells of these displacements"
    )]
    pub fn cast<const RAY: bool>(
        &self,
        displacements: &[Displacement],
        motion: &Motion,
        ray: &BoxRay,
        best: &mut Best,
    ) {
        if self.cells.is_empty() {
            return;
        }
        let walk = Walk {
            motion,
            ray: if RAY {
                RayAtTriangles::new(motion)
            } else {
                None
            },
        };
        if RAY && walk.ray.is_none() {
            return; // a point that does not move goes through nothing
        }
        self.bvh.cast_ray(ray, best.fraction as f32, |i| {
            let cell = self.cells[i];
            displacements[cell[0] as usize].intersect::<RAY>(&walk, best, cell);
            best.fraction as f32
        });
    }
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
