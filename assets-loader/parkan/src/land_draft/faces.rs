//! Terrain as faces: a finished terrain becomes a draft, loose faces are cut along the borders of tiles, and what
//! can be walked on becomes areals.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "axes; tiles and columns of a grid, which faces have been compared with first"
)]

use std::cmp::Ordering;

use super::{DraftFace, LandDraft, LandDraftError, LandVertex, N_LODS};
use crate::land_msh::{LandMsh, SlotHeader, TileGrid, face_normal};

/// How far beyond its cell a face of a tile may reach, in cells, before it is cut.
const OVERHANG: f64 = 0.01;
/// Most tiles that all faces may reach into together: sound faces reach into a few each.
const MAX_PARTS: usize = 1 << 20;

/// A face, and the tile that it is known to belong to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LooseFace {
    /// The face.
    pub face: DraftFace,
    /// `None` if only its place decides.
    pub tile: Option<usize>,
}

impl LandDraft {
    /// What the tiles of a terrain show. Links, bounds and normals of faces are not in a draft, nor are faces that no tile
    /// shows and levels of detail beyond [`N_LODS`].
    pub fn from_land(land: &LandMsh) -> Self {
        let tiles = |lod: usize| {
            let faces = |tile: usize| {
                let slot = land.tile_slot(tile, lod);
                let faces = slot.map_or(&[][..], |slot| land.slot_faces(slot));
                faces.iter().map(|face| draft_face(land, face)).collect()
            };
            (0..land.nodes.len()).map(faces).collect()
        };
        Self {
            cells_x: land.cells_x,
            lods: [tiles(0), tiles(1)],
        }
    }

    /// Puts faces into tiles. A face that reaches from its tile into another is cut along the border, so that each part
    /// lies in one tile; both faces of an edge are cut at the same points of it.
    ///
    /// # Errors
    /// Cells without extent, faces outside of the grid, or so large that they reach into far too many tiles.
    pub fn from_faces(
        grid: &TileGrid,
        lods: &[Vec<LooseFace>; N_LODS],
    ) -> Result<Self, LandDraftError> {
        let [cells_x, cells_y] = grid.cells;
        let is_size = |size: f32| size.is_finite() && size > 0.0;
        let is_place = grid.origin.iter().all(|it| it.is_finite());
        let has_cells = cells_x > 0 && cells_y > 0 && grid.cell_size.into_iter().all(is_size);
        if !(is_place && has_cells) {
            return Err(LandDraftError::BadNumber {
                what: "the grid of tiles",
                value: format!("{:?} of {:?}", grid.cells, grid.cell_size),
            });
        }
        let n_tiles = cells_x as usize * cells_y as usize;
        super::to_u16("slots", n_tiles.saturating_mul(N_LODS))?;
        let mut draft = Self {
            cells_x,
            lods: [0, 1].map(|_| vec![Vec::new(); n_tiles]),
        };
        let mut n_left = MAX_PARTS;
        for (tiles, faces) in draft.lods.iter_mut().zip(lods) {
            for loose in faces {
                place_face(grid, loose, tiles, &mut n_left)?;
            }
        }
        Ok(draft)
    }

    /// As [`build`](Self::build), on a grid that the faces need not fill: those of the first tile say how large a tile is,
    /// and the header where the first begins.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_on(&self, grid: &TileGrid) -> Result<LandMsh, LandDraftError> {
        let mut land = self.build()?;
        if land.grid().as_ref() == Some(grid) {
            return Ok(land);
        }
        let (low, high) = grid.cell_bounds([0, 0]);
        if let Some(slot) = land.slots.first_mut() {
            let ([.., z0], [.., z1]) = (slot.aabb_min, slot.aabb_max);
            slot.aabb_min = [low[0], low[1], z0];
            slot.aabb_max = [high[0], high[1], z1];
        }
        let last = grid.cells.map(|n| n.saturating_sub(1));
        let (_, far) = grid.cell_bounds(last);
        let heights = land.positions.iter().map(|[.., z]| *z);
        let z0 = heights.clone().reduce(f32::min).unwrap_or_default();
        let z1 = heights.reduce(f32::max).unwrap_or_default();
        land.header = SlotHeader::from_box([low[0], low[1], z0], [far[0], far[1], z1]);
        Ok(land)
    }
}

fn draft_face(land: &LandMsh, face: &crate::land_msh::Face) -> DraftFace {
    DraftFace {
        flags: face.flags,
        first_material: face.first_material,
        second_material: face.second_material,
        corners: face.vertices.map(|vertex| {
            let idx = usize::from(vertex);
            // Streams are as long as the positions.
            LandVertex {
                position: land.positions[idx],
                normal: land.normals[idx],
                uv0: land.uv0[idx],
                micro_uv: land.micro_uv[idx],
                second_weight: land.second_weight(vertex),
            }
        }),
    }
}

/// Puts a face, or what the borders cut it into, into its tiles.
fn place_face(
    grid: &TileGrid,
    loose: &LooseFace,
    tiles: &mut [Vec<DraftFace>],
    n_left: &mut usize,
) -> Result<(), LandDraftError> {
    let LooseFace { face, tile } = loose;
    let [cells_x, cells_y] = grid.cells.map(|n| n as usize);
    let ranges = [0, 1].map(|axis| cells_of(grid, face, axis));
    let [Some(columns), Some(rows)] = ranges else {
        let [x, y, _] = face.corners[0].position;
        return Err(LandDraftError::BadNumber {
            what: "a face outside of the tiles",
            value: format!("at {x} {y}"),
        });
    };
    if let Some(tile) = tile.filter(|tile| *tile < tiles.len()) {
        let cell = [tile / cells_y, tile % cells_y];
        if is_within(grid, face, cell) {
            tiles[tile].push(*face);
            return Ok(());
        }
    }
    let n_parts = (columns[1] - columns[0] + 1) * (rows[1] - rows[0] + 1);
    *n_left = n_left.checked_sub(n_parts).ok_or(LandDraftError::TooMany {
        what: "parts of faces in tiles",
        value: MAX_PARTS,
    })?;
    debug_assert!(columns[1] < cells_x && rows[1] < cells_y);
    let mut rest = face.corners.to_vec();
    for column in columns[0]..=columns[1] {
        let strip = take_below(&mut rest, 0, column, columns[1], grid);
        let mut strip_rest = strip;
        for row in rows[0]..=rows[1] {
            let part = take_below(&mut strip_rest, 1, row, rows[1], grid);
            push_fan(&part, face, &mut tiles[column * cells_y + row]);
        }
    }
    Ok(())
}

/// The first and the last column (or row) that a face reaches into; `None` outside of the grid and for what is no place.
/// A border that is only touched does not count.
fn cells_of(grid: &TileGrid, face: &DraftFace, axis: usize) -> Option<[usize; 2]> {
    let values = face.corners.map(|corner| f64::from(corner.position[axis]));
    if values.iter().any(|it| !it.is_finite()) {
        return None;
    }
    let size = f64::from(grid.cell_size[axis]);
    let cells = values.map(|it| (it - f64::from(grid.origin[axis])) / size);
    let low = cells.into_iter().fold(f64::INFINITY, f64::min);
    let high = cells.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let n_cells = f64::from(grid.cells[axis]);
    if low < -OVERHANG || high > n_cells + OVERHANG {
        return None;
    }
    let last = grid.cells[axis] as usize - 1;
    // The casts saturate.
    let first = ((low + OVERHANG / 10.0).floor() as usize).min(last);
    let end = ((high - OVERHANG / 10.0).floor().max(0.0) as usize).min(last);
    Some([first, end.max(first)])
}

fn is_within(grid: &TileGrid, face: &DraftFace, cell: [usize; 2]) -> bool {
    let (low, high) = grid.cell_bounds(cell.map(|it| it as u32));
    face.corners.iter().all(|corner| {
        (0..2).all(|axis| {
            let slack = f64::from(grid.cell_size[axis]) * OVERHANG;
            let value = f64::from(corner.position[axis]);
            value >= f64::from(low[axis]) - slack && value <= f64::from(high[axis]) + slack
        })
    })
}

/// Cuts off what of a convex outline lies below the end of a cell; all of it for the last one.
fn take_below(
    rest: &mut Vec<LandVertex>,
    axis: usize,
    cell: usize,
    last: usize,
    grid: &TileGrid,
) -> Vec<LandVertex> {
    if cell == last {
        return std::mem::take(rest);
    }
    let mut cell_idx = [0, 0];
    cell_idx[axis] = cell as u32;
    let (_, high) = grid.cell_bounds(cell_idx);
    let border = high[axis];
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for (idx, from) in rest.iter().enumerate() {
        let to = rest[(idx + 1) % rest.len()];
        let side = |vertex: &LandVertex| vertex.position[axis].total_cmp(&border);
        match side(from) {
            Ordering::Less => below.push(*from),
            Ordering::Greater => above.push(*from),
            Ordering::Equal => {
                below.push(*from);
                above.push(*from);
            }
        }
        let sides = [side(from), side(&to)];
        if sides == [Ordering::Less, Ordering::Greater]
            || sides == [Ordering::Greater, Ordering::Less]
        {
            let cut = between(from, &to, axis, border);
            below.push(cut);
            above.push(cut);
        }
    }
    *rest = above;
    below
}

/// The point of an edge where an axis has a value. The same whichever way the edge runs.
fn between(a: &LandVertex, b: &LandVertex, axis: usize, value: f32) -> LandVertex {
    let (a, b) = match a.position[axis] <= b.position[axis] {
        true => (a, b),
        false => (b, a),
    };
    let [from, to, value_64] = [a.position[axis], b.position[axis], value].map(f64::from);
    let t = (value_64 - from) / (to - from);
    let lerp = |a: f64, b: f64| a + (b - a) * t;
    let mut position = [0, 1, 2].map(|k| lerp(a.position[k].into(), b.position[k].into()) as f32);
    position[axis] = value;
    // The casts of what lies between two such numbers lose nothing.
    let uv =
        |a: [i16; 2], b: [i16; 2]| [0, 1].map(|k| lerp(a[k].into(), b[k].into()).round() as i16);
    LandVertex {
        position,
        normal: [0, 1, 2, 3].map(|k| lerp(a.normal[k].into(), b.normal[k].into()).round() as i8),
        uv0: uv(a.uv0, b.uv0),
        micro_uv: uv(a.micro_uv, b.micro_uv),
        second_weight: lerp(a.second_weight.into(), b.second_weight.into()) as f32,
    }
}

/// A convex outline as triangles; those without area are left out.
fn push_fan(outline: &[LandVertex], face: &DraftFace, faces: &mut Vec<DraftFace>) {
    let Some((first, rest)) = outline.split_first() else {
        return;
    };
    for pair in rest.windows(2) {
        let corners = [*first, pair[0], pair[1]];
        if face_normal(corners.map(|it| it.position)).is_some() {
            faces.push(DraftFace { corners, ..*face });
        }
    }
}
