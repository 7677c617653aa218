//! Displacements: grids of triangles that are solid from their front (section 7.6).

use super::BrushWorldError;
use super::crowd::Slabs;
use super::motion::{Best, Motion, Stop};
use super::triangle::{RayAtTriangles, meet_triangle};
use glam::{DVec3, Vec3};
use ironlands_assets_source::bsp::{DisplacementGrid, Map};

/// Bits of `min_tess` where its bit 31 is set (section 5.1).
const HAS_FLAGS: u32 = 1 << 31;
const NO_BOXES: u32 = 0x4;
const NO_RAYS: u32 = 0x8;
/// Tag of a triangle that is not there (section 5.3).
const TAG_REMOVED: u16 = 0x20;
/// Bits of which contents must have one; a displacement without any is solid.
const VISIBLE_OR_CLIP: i32 = 0x3_00FF;
const SOLID: i32 = 1;
/// Beside the gap, what keeps rounding from leaving a box out.
const MARGIN: f64 = 0.125;

/// One displacement.
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
    pub fn new(map: &Map, disp_info: usize, first_element: u32) -> Result<Self, BrushWorldError> {
        let grid = DisplacementGrid::new(map, disp_info).map_err(|source| {
            BrushWorldError::Displacement {
                disp_info,
                source: Box::new(source),
            }
        })?;
        let info = map.disp_infos.get(disp_info);
        let (min_tess, contents) = info.map_or((0, 0), |it| (it.min_tess, it.contents));
        let flags = match min_tess as u32 {
            word if word & HAS_FLAGS != 0 => word,
            _ => 0,
        };
        let contents = match contents {
            contents if contents & VISIBLE_OR_CLIP == 0 => contents | SOLID,
            contents => contents,
        };
        let triangles = grid.triangles();
        let triangles: Vec<_> = triangles.iter().map(|it| it.map(|i| i as u16)).collect();
        let n_cells = grid.side.saturating_sub(1);
        let is_removed = grid.tags.iter().map(|tag| tag & TAG_REMOVED != 0);
        let mut displacement = Self {
            texinfo: map.faces.get(grid.face).map_or(-1, |face| face.texinfo),
            contents,
            first_element,
            is_solid: [flags & NO_RAYS == 0, flags & NO_BOXES == 0],
            is_removed: is_removed.collect(),
            positions: grid.positions,
            triangles,
            boxes: Vec::new(),
            n_cells,
        };
        displacement.boxes = displacement.boxes();
        Ok(displacement)
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
    pub fn meet<const RAY: bool>(&self, motion: &Motion, own_idx: u32, best: &mut Best) {
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
        if !walk.slabs.meets(&around, best.fraction) {
            return;
        }
        let quarters = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[i, j]| [2 * row + i, 2 * column + j]);
        for [row, column] in quarters {
            if 2 * size < self.n_cells {
                self.visit::<RAY>(walk, best, [row, column], 2 * size);
            } else {
                self.meet_cell::<RAY>(walk, best, row * self.n_cells + column);
            }
        }
    }

    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "hot; a grid of n by n cells has two triangles for each, whose corners are among its vertices"
    )]
    fn meet_cell<const RAY: bool>(&self, walk: &Walk, best: &mut Best, cell: usize) {
        for triangle in [2 * cell, 2 * cell + 1] {
            if self.is_removed.get(triangle).is_some_and(|&it| it) {
                continue;
            }
            let corners = self.triangles[triangle].map(|i| self.positions[usize::from(i)]);
            let met = match &walk.ray {
                Some(ray) if RAY => ray.meet(walk.motion, &corners),
                _ => meet_triangle(walk.motion, &corners),
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

/// A motion on its way through one displacement.
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
