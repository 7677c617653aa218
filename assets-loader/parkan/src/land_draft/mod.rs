//! Terrain and areals as they are made: faces of tiles to `Land.msh`, convex polygons to `Land.map`.
//!
//! In: what each tile shows at both levels of detail, loose faces, or heights on a grid with surface masks. Out: typed files, numbered as the retail files
//! number them: slots of the finest level of detail before those of the coarse one, the faces of a slot by
//! their materials, neighbors linked.
//!
//! Deliberately absent: what a landscape should look like.

mod areal_grid;
mod areals;
mod faces;
mod heights;
mod merge;
mod picture;
#[cfg(test)]
mod tests;
mod walkable;

use std::collections::HashMap;

pub use self::areals::{ArealDraft, GridPoint};
pub use self::faces::LooseFace;
pub use self::heights::{GridSize, HeightLand, Liquid, SurfaceLayer};
pub use self::merge::{Polygon, convex_polygons};
pub use self::picture::{AREAL_CONVERSIONS, LAND_CONVERSIONS};
use crate::face_mask::FaceFlags;
use crate::land_msh::{Face, LandMsh, NONE, Node, Slot, SlotHeader, face_normal, pack_face_normal};

/// Levels of detail that a draft has.
pub const N_LODS: usize = 2;

/// What the tiles of a terrain show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LandDraft {
    /// Tiles in x; the tiles are x-major.
    pub cells_x: u32,
    /// Faces of each tile, at the finest level of detail and at the coarse one.
    pub lods: [Vec<Vec<DraftFace>>; N_LODS],
}

/// A face, counterclockwise as seen from above.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DraftFace {
    /// Its surface mask.
    pub flags: FaceFlags,
    /// Row of `Land1.wea`.
    pub first_material: u8,
    /// Another, or [`NO_MATERIAL`](crate::land_msh::NO_MATERIAL).
    pub second_material: u8,
    /// Its corners.
    pub corners: [LandVertex; 3],
}

/// A corner of a face, as the file stores it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LandVertex {
    /// World units.
    pub position: [f32; 3],
    /// As [`pack_normal`](crate::land_msh::pack_normal) packs it.
    pub normal: [i8; 4],
    /// As [`pack_uv`](crate::land_msh::pack_uv) packs them.
    pub uv0: [i16; 2],
    /// Of the microtexture.
    pub micro_uv: [i16; 2],
    /// Opacity of the second material.
    pub second_weight: f32,
}

/// Why something cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LandDraftError {
    /// The format numbers with 16 bits.
    #[error("{value} {what} are more than the format can number")]
    TooMany {
        /// What is too many.
        what: &'static str,
        /// How many there are.
        value: usize,
    },
    /// The levels of detail have not the same tiles, or the columns do not divide them.
    #[error("{tiles:?} tiles at the levels of detail in {cells_x} columns")]
    Tiles {
        /// Tiles at each level of detail.
        tiles: [usize; N_LODS],
        /// Columns.
        cells_x: u32,
    },
    /// An areal map has one areal or more.
    #[error("there is no ground to walk on")]
    NoAreals,
    /// A grid and what lies on it have not the same size.
    #[error("{what}: {found} values, the grid has {expected}")]
    GridSize {
        /// What lies on it.
        what: String,
        /// Its values.
        found: usize,
        /// Corners of the grid.
        expected: usize,
    },
    /// A number that makes no terrain.
    #[error("{what} is {value}")]
    BadNumber {
        /// What it is.
        what: &'static str,
        /// In words.
        value: String,
    },
}

/// What of a vertex makes it another one: its tile, the materials of its faces, and all that is stored of it.
type VertexKey = (usize, [u8; 2], [u32; 3], [i8; 4], [i16; 2], [i16; 2], u32);

impl LandDraft {
    /// Numbers everything.
    ///
    /// # Errors
    /// More vertices, faces or tiles than 16 bits number, or levels of detail of other tiles.
    pub fn build(&self) -> Result<LandMsh, LandDraftError> {
        let [fine, coarse] = &self.lods;
        let n_tiles = fine.len();
        let columns = u32::try_from(n_tiles)
            .ok()
            .and_then(|n| n.checked_rem(self.cells_x));
        if coarse.len() != n_tiles || columns != Some(0) {
            return Err(LandDraftError::Tiles {
                tiles: [n_tiles, coarse.len()],
                cells_x: self.cells_x,
            });
        }
        let mut build = Build {
            land: empty(self.cells_x, n_tiles)?,
            vertices: HashMap::new(),
        };
        for tiles in &self.lods {
            let first = build.land.faces.len();
            for (tile, faces) in tiles.iter().enumerate() {
                build.add_slot(tile, faces)?;
            }
            let faces: Vec<usize> = (first..build.land.faces.len()).collect();
            build.land.link_open_edges(&faces);
        }
        let mut land = build.land;
        land.recompute_bounds();
        Ok(land)
    }
}

struct Build {
    land: LandMsh,
    vertices: HashMap<VertexKey, u16>,
}

fn empty(cells_x: u32, n_tiles: usize) -> Result<LandMsh, LandDraftError> {
    let node = |tile: usize| {
        let mut slots = [NONE; 15];
        for (lod, slot) in slots.iter_mut().take(N_LODS).enumerate() {
            let idx = n_tiles.saturating_mul(lod).saturating_add(tile);
            *slot = to_u16("slots", idx)?;
        }
        Ok(Node {
            header: [0, NONE, NONE, NONE],
            slots,
        })
    };
    Ok(LandMsh {
        cells_x,
        nodes: (0..n_tiles).map(node).collect::<Result<_, _>>()?,
        header: SlotHeader::from_box([0.0; 3], [0.0; 3]),
        slots: Vec::new(),
        positions: Vec::new(),
        normals: Vec::new(),
        uv0: Vec::new(),
        micro_uv: Vec::new(),
        second_weights: Some(Vec::new()),
        face_keys: Vec::new(),
        faces: Vec::new(),
        container: LandMsh::new_container(),
    })
}

impl Build {
    fn add_slot(&mut self, tile: usize, faces: &[DraftFace]) -> Result<(), LandDraftError> {
        let first = self.land.faces.len();
        let mut faces: Vec<&DraftFace> = faces.iter().collect();
        faces.sort_by_key(|face| {
            let is_water = face.flags.contains(FaceFlags::WATER);
            (is_water, face.first_material, face.second_material)
        });
        for face in faces {
            self.add_face(tile, face)?;
        }
        let end = self.land.faces.len();
        let keys = self.land.batch_keys(first..end);
        self.land.face_keys.extend(keys);
        let start = to_u16("faces", first)?;
        let count = to_u16("faces of a tile", end.saturating_sub(first))?;
        let slot = Slot::from_box(start, count, [0.0; 3], [0.0; 3]);
        self.land.slots.push(slot);
        Ok(())
    }

    fn add_face(&mut self, tile: usize, face: &DraftFace) -> Result<(), LandDraftError> {
        let DraftFace {
            flags,
            first_material,
            second_material,
            corners,
        } = *face;
        let mut vertices = [0; 3];
        for (vertex, corner) in vertices.iter_mut().zip(corners) {
            *vertex = self.vertex(tile, [first_material, second_material], corner)?;
        }
        let normal = face_normal(corners.map(|corner| corner.position));
        // One more face than a number can name would be named by "none".
        to_u16("faces", self.land.faces.len().saturating_add(1))?;
        let face = Face {
            flags,
            first_material,
            second_material,
            unknown_06: NONE,
            vertices,
            neighbors: [NONE; 3],
            normal: pack_face_normal(normal.unwrap_or([0.0, 0.0, 1.0])),
            edge_class: 0,
            unknown_1b: 0,
        };
        self.land.faces.push(face.with_edge_classes([3; 3]));
        Ok(())
    }

    /// The vertex of a tile that is stored so, made on first use.
    fn vertex(
        &mut self,
        tile: usize,
        materials: [u8; 2],
        vertex: LandVertex,
    ) -> Result<u16, LandDraftError> {
        let LandVertex {
            position,
            normal,
            uv0,
            micro_uv,
            second_weight,
        } = vertex;
        let place = position.map(f32::to_bits);
        let weight = second_weight.to_bits();
        let key = (tile, materials, place, normal, uv0, micro_uv, weight);
        if let Some(known) = self.vertices.get(&key) {
            return Ok(*known);
        }
        let land = &mut self.land;
        let number = to_u16("vertices", land.positions.len())?;
        to_u16("vertices", land.positions.len().saturating_add(1))?;
        land.positions.push(position);
        land.normals.push(normal);
        land.uv0.push(uv0);
        land.micro_uv.push(micro_uv);
        land.second_weights
            .get_or_insert_default()
            .push(second_weight);
        self.vertices.insert(key, number);
        Ok(number)
    }
}

fn to_u16(what: &'static str, value: usize) -> Result<u16, LandDraftError> {
    u16::try_from(value).map_err(|_| LandDraftError::TooMany { what, value })
}
