//! The grid of a displacement (dossier sections 5.4 and 5.5).

mod tessellation;

use std::collections::HashMap;
use std::ops::Range;

use glam::Vec3;

use super::file::FORMAT;
use super::map::{DispInfo, DispVert, Map};
use ironlands_assets_core::bytes::{FormatError, Reader};
use tessellation::Tessellation;

/// Distance within which vertices of two displacements are one.
const WELD_DISTANCE: f32 = 0.01;
/// Largest alpha.
const MAX_ALPHA: f32 = 255.0;

/// Bits of `min_tess` that say that its others are flags, and that the displacement has layers in lump 63.
const HAS_LAYERS: u32 = 0x8000_0000 | 0x4000_0000;

/// Vertices of a displacement, row by row: row `i`, column `j` is number `i * side + j`.
#[derive(Debug, Clone, PartialEq)]
pub struct DisplacementGrid {
    /// Index of the displacement.
    pub disp_info: usize,
    /// Index of its face.
    pub face: usize,
    /// Vertices a row, and rows: 5, 9 or 17.
    pub side: usize,
    /// Corners of the face, clockwise from the front: row 0 column 0, last row column 0, last row last column, row 0
    /// last column.
    pub corners: [[f32; 3]; 4],
    /// Places in file axes.
    pub positions: Vec<[f32; 3]>,
    /// Places before they were displaced: texture coordinates come from these.
    pub flat_positions: Vec<[f32; 3]>,
    /// Weight of the blend texture, 0 to 1.
    pub weights: Vec<f32>,
    /// How much there is of each of four layers (lump 63); empty where the map does not say.
    pub layers: Vec<[f32; 4]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Tags of the triangles (section 5.3), in the order of [`Self::triangles`]; empty in version 17.
    pub tags: Vec<u16>,
    /// A bit for each vertex that is drawn (`allowedVerts`).
    pub allowed: [u32; 10],
}

impl DisplacementGrid {
    /// The grid of one displacement, with the normals of its own triangles; [`Self::all`] makes those of several meet.
    ///
    /// Errors: what [`Map::read`] refuses, so only in a map that was changed since.
    pub fn new(map: &Map, disp_info: usize) -> Result<Self, FormatError> {
        let has_layers = map.disp_infos.get(disp_info).is_some_and(has_layers);
        let layers = has_layers.then(|| layer_ranges(map).nth(disp_info));
        let layers = layers.flatten();
        Self::with_layers(map, disp_info, layers.unwrap_or_default())
    }

    /// `layers`: where they are in lump 63.
    fn with_layers(map: &Map, disp_info: usize, layers: Range<usize>) -> Result<Self, FormatError> {
        let parts = Parts::new(map, disp_info)
            .ok_or_else(|| refuse(disp_info, "a face of four edges, vertices and triangles"))?;
        let side = parts.side;
        let mut grid = Self {
            disp_info,
            face: parts.disp.map_face as usize,
            side,
            corners: parts.corners,
            positions: Vec::with_capacity(parts.verts.len()),
            flat_positions: Vec::with_capacity(parts.verts.len()),
            weights: Vec::with_capacity(parts.verts.len()),
            layers: (map.disp_multi_blend.get(layers))
                .map_or_else(Vec::new, |all| all.iter().map(|it| it.blend).collect()),
            normals: Vec::new(),
            tags: parts.tags.to_vec(),
            allowed: parts.disp.allowed_verts,
        };
        let [c0, c1, c2, c3] = parts.corners.map(Vec3::from_array);
        let last = side.saturating_sub(1) as f32;
        for (i, row) in parts.verts.chunks(side).enumerate() {
            let along = i as f32 / last;
            let (from, to) = (c0.lerp(c1, along), c3.lerp(c2, along));
            for (j, vert) in row.iter().enumerate() {
                let flat = from.lerp(to, j as f32 / last);
                let position = flat + Vec3::from_array(vert.vector) * vert.dist;
                grid.flat_positions.push(flat.to_array());
                grid.positions.push(position.to_array());
                grid.weights.push((vert.alpha / MAX_ALPHA).clamp(0.0, 1.0));
            }
        }
        grid.normals = grid.own_normals();
        Ok(grid)
    }

    /// The grids of all displacements in file order. Where vertices meet, within 0.01 units, they share one normal.
    ///
    /// Errors as in [`Self::new`].
    pub fn all(map: &Map) -> Result<Vec<Self>, FormatError> {
        let layers = layer_ranges(map).enumerate();
        let mut grids = layers
            .map(|(disp_info, layers)| Self::with_layers(map, disp_info, layers))
            .collect::<Result<Vec<_>, _>>()?;
        share_normals(&mut grids);
        Ok(grids)
    }

    /// Triangles that are drawn: those of [`Self::triangles`] in another order, but toward coarser neighbors fewer and
    /// larger ones, so that edges meet.
    pub fn drawn_triangles(&self) -> Vec<[u32; 3]> {
        Tessellation::new(self.side, &self.allowed).triangles()
    }

    /// Triangles that are collided with, as indices of vertices, counter-clockwise seen from the front: two for each cell, row
    /// by row.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let side = u32::try_from(self.side).unwrap_or(0);
        let n_cells = side.saturating_sub(1);
        let cells = (0..n_cells).flat_map(|i| (0..n_cells).map(move |j| (i, j)));
        cells
            .flat_map(|(i, j)| {
                let corner = i.saturating_mul(side).saturating_add(j);
                let right = corner.saturating_add(1);
                let above = corner.saturating_add(side);
                let across = above.saturating_add(1);
                // The diagonal turns from cell to cell; rows are odd, so vertices alternate like a chessboard.
                if corner & 1 == 1 {
                    [[corner, right, above], [right, across, above]]
                } else {
                    [[corner, across, above], [corner, right, across]]
                }
            })
            .collect()
    }

    /// Smallest and largest corner of the box around all vertices.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        let mut positions = self.positions.iter().copied().map(Vec3::from_array);
        let Some(first) = positions.next() else {
            return [[0.0; 3]; 2];
        };
        let (mins, maxs) = positions.fold((first, first), |(mins, maxs), position| {
            (mins.min(position), maxs.max(position))
        });
        [mins.to_array(), maxs.to_array()]
    }

    /// Average of the normals of the triangles around each vertex; that of the face where they cancel out.
    fn own_normals(&self) -> Vec<[f32; 3]> {
        let mut sums = vec![Vec3::ZERO; self.positions.len()];
        let point = |index: u32| {
            let position = self.positions.get(index as usize);
            Vec3::from_array(position.copied().unwrap_or_default())
        };
        for triangle in self.triangles() {
            let [a, b, c] = triangle.map(point);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            for corner in triangle {
                if let Some(sum) = sums.get_mut(corner as usize) {
                    *sum += normal;
                }
            }
        }
        let [c0, c1, _, c3] = self.corners.map(Vec3::from_array);
        let flat = (c3 - c0).cross(c1 - c0).normalize_or(Vec3::Z);
        sums.iter()
            .map(|sum| sum.normalize_or(flat).to_array())
            .collect()
    }

    /// Vertices on the four edges.
    fn border(&self) -> impl Iterator<Item = usize> {
        let side = self.side;
        let last = side.saturating_sub(1);
        (0..self.positions.len()).filter(move |index| {
            let row = index.checked_div(side).unwrap_or(0);
            let column = index.checked_rem(side).unwrap_or(0);
            row == 0 || row == last || column == 0 || column == last
        })
    }
}

/// What the lumps say about a displacement.
struct Parts<'a> {
    disp: &'a DispInfo,
    side: usize,
    corners: [[f32; 3]; 4],
    verts: &'a [DispVert],
    tags: &'a [u16],
}

impl<'a> Parts<'a> {
    fn new(map: &'a Map, disp_info: usize) -> Option<Self> {
        let disp = map.disp_infos.get(disp_info)?;
        let n_cells = match disp.power {
            2..=4 => 1_usize << disp.power,
            _ => return None,
        };
        let side = n_cells.checked_add(1)?;
        let first_vert = usize::try_from(disp.first_vert).ok()?;
        let end_vert = first_vert.checked_add(side.checked_mul(side)?)?;
        let verts = map.disp_verts.get(first_vert..end_vert)?;
        let first_tri = usize::try_from(disp.first_tri).ok()?;
        let end_tri = first_tri.checked_add(n_cells.checked_mul(n_cells)? << 1)?;
        let tags = map.disp_tris.get(first_tri..end_tri);
        let face = map.faces.get(disp.map_face as usize)?;
        let mut corners: [[f32; 3]; 4] = map.ring(face).try_into().ok()?;
        let start = Vec3::from_array(disp.start_position);
        let distances = corners.map(|corner| start.distance_squared(Vec3::from_array(corner)));
        let first = (0..4).min_by(|a, b| {
            let (a, b) = (distances.get(*a), distances.get(*b));
            a.partial_cmp(&b).unwrap_or(std::cmp::Ordering::Equal)
        })?;
        corners.rotate_left(first);
        Some(Self {
            disp,
            side,
            corners,
            verts,
            tags: tags.unwrap_or_default(),
        })
    }
}

fn has_layers(disp: &DispInfo) -> bool {
    disp.min_tess.cast_unsigned() & HAS_LAYERS == HAS_LAYERS
}

/// Where in lump 63 the layers of each displacement are; those that have none are nowhere.
pub(crate) fn layer_ranges(map: &Map) -> impl Iterator<Item = Range<usize>> {
    map.disp_infos.iter().scan(0_usize, |end, disp| {
        let power = u32::try_from(disp.power).ok().filter(|power| *power <= 4);
        let side = power.map_or(0, |power| (1_usize << power).saturating_add(1));
        let n_layers = if has_layers(disp) {
            side.saturating_mul(side)
        } else {
            0
        };
        let start = std::mem::replace(end, end.saturating_add(n_layers));
        Some(start..*end)
    })
}

/// Gives border vertices of several grids that stand in one place the same normal.
fn share_normals(grids: &mut [DisplacementGrid]) {
    let mut places = Places::default();
    let mut members = Vec::new();
    for (g, grid) in grids.iter().enumerate() {
        for index in grid.border() {
            let (Some(position), Some(normal)) =
                (grid.positions.get(index), grid.normals.get(index))
            else {
                continue;
            };
            let place = places.add(Vec3::from_array(*position), Vec3::from_array(*normal));
            members.push((g, index, place));
        }
    }
    for (g, index, place) in members {
        let normal = grids
            .get_mut(g)
            .and_then(|grid| grid.normals.get_mut(index));
        let sum = places.sums.get(place).map(|(_, sum)| *sum);
        if let (Some(normal), Some(sum)) = (normal, sum) {
            *normal = sum.normalize_or(Vec3::from_array(*normal)).to_array();
        }
    }
}

/// Places that are further from each other than [`WELD_DISTANCE`], so that only a few of them share a cell.
#[derive(Default)]
struct Places {
    sums: Vec<(Vec3, Vec3)>,
    cells: HashMap<[i64; 3], Vec<usize>>,
}

impl Places {
    /// The place that a position is at, whose sum of normals grows.
    fn add(&mut self, position: Vec3, normal: Vec3) -> usize {
        let cell = position
            .to_array()
            .map(|component| (component / WELD_DISTANCE).floor() as i64);
        for (place, (other, sum)) in around(cell)
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .filter_map(|place| Some((*place, self.sums.get(*place)?)))
        {
            if other.distance(position) <= WELD_DISTANCE {
                let sum = *sum + normal;
                if let Some(slot) = self.sums.get_mut(place) {
                    slot.1 = sum;
                }
                return place;
            }
        }
        let place = self.sums.len();
        self.sums.push((position, normal));
        self.cells.entry(cell).or_default().push(place);
        place
    }
}

/// A cell and its 26 neighbors.
fn around([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    let near = |at: i64| (-1..=1).map(move |step| at.saturating_add(step));
    near(x).flat_map(move |x| near(y).flat_map(move |y| near(z).map(move |z| [x, y, z])))
}

fn refuse(disp_info: usize, expected: &'static str) -> FormatError {
    Reader::new(FORMAT, &[]).unexpected(
        format!("displacement {disp_info}"),
        expected,
        "indices that lead nowhere",
    )
}
