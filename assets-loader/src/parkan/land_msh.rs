//! `Land.msh`: terrain geometry, an NRes of nine chunks (dossier section 4).
//!
//! World axes x, y ground, z up; right-handed; world units.

use super::face_mask::FaceFlags;
use super::nres::NRes;

/// A terrain: typed chunks, and the archive that they came from.
#[derive(Debug, Clone, PartialEq)]
pub struct LandMsh {
    /// Type 1 attr2: number of tiles in x; tiles are x-major, `tile = cx * cells_y + cy`.
    pub cells_x: u32,
    /// Type 1: one node per tile.
    pub nodes: Vec<Node>,
    /// Type 2: header of hull corners, sphere and capsule.
    pub header: SlotHeader,
    /// Type 2: slots.
    pub slots: Vec<Slot>,
    /// Type 3: vertex positions.
    pub positions: Vec<[f32; 3]>,
    /// Type 4: packed normals, x y z w, divided by 127.
    pub normals: Vec<[i8; 4]>,
    /// Type 5: packed UV0, divided by 1024.
    pub uv0: Vec<[i16; 2]>,
    /// Type 18: microtexture mapping, probably i16 u v divided by 1024.
    pub micro_uv: Vec<[i16; 2]>,
    /// Type 14: auxiliary stream of unknown meaning; optional.
    pub unknown_14: Option<Vec<[u8; 4]>>,
    /// Type 11: one record per face, in slot order.
    pub face_keys: Vec<FaceKey>,
    /// Type 21: faces of both levels of detail.
    pub faces: Vec<Face>,
    /// The archive: chunk order, attributes, names and unknown chunks are kept in it.
    pub container: NRes,
}

/// Type 1 record (38 bytes): the slots of one tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Meaning unknown for terrain; written 0, 0xFFFF, 0xFFFF, 0xFFFF.
    pub header: [u16; 4],
    /// Slot by level of detail, 0xFFFF = none; `[0]` finest.
    pub slots: [u16; 15],
}

/// Header of type 2 (0x8C bytes).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlotHeader {
    /// Eight corners of the hull; the first is the minimum and the origin of the tile grid.
    pub corners: [[f32; 3]; 8],
    /// Centre of the bounding sphere.
    pub sphere_center: [f32; 3],
    /// Radius of the bounding sphere.
    pub sphere_radius: f32,
    /// Bottom point of the capsule.
    pub capsule_a: [f32; 3],
    /// Top point of the capsule.
    pub capsule_b: [f32; 3],
    /// Radius of the capsule.
    pub capsule_radius: f32,
}

/// Type 2 record (68 bytes): the faces and bounds of one tile at one level of detail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slot {
    /// First face in type 21 and first record in type 11.
    pub tri_start: u16,
    /// Number of faces.
    pub tri_count: u16,
    /// Not used by terrain.
    pub batch_start: u16,
    /// Not used by terrain.
    pub batch_count: u16,
    /// Smallest corner of the bounds.
    pub aabb_min: [f32; 3],
    /// Largest corner of the bounds.
    pub aabb_max: [f32; 3],
    /// Centre of the bounding sphere.
    pub sphere_center: [f32; 3],
    /// Radius of the bounding sphere.
    pub sphere_radius: f32,
    /// Raw words at 0x30, 0x34, 0x38, 0x3C, 0x40.
    pub unknown_30: [u32; 5],
}

/// Type 11 record (4 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaceKey {
    /// Face lookup key, in known maps the face index.
    pub key: u16,
    /// 0x0048, or 0x0058 where a batch begins.
    pub flags: u16,
}

/// Type 21 record (28 bytes): TerrainFace28.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Face {
    /// Full surface mask.
    pub flags: FaceFlags,
    /// Row of Land2.wea: the base material.
    pub base_material: u8,
    /// Row of Land1.wea: the overlay material, 0xFF = none.
    pub overlay_material: u8,
    /// 0xFFFF in inspected maps.
    pub unknown_06: u16,
    /// Vertex indices.
    pub vertices: [u16; 3],
    /// Neighbour faces, 0xFFFF = none.
    pub neighbors: [u16; 3],
    /// Face normal times 32767.
    pub normal: [i16; 3],
    /// Three 2-bit values: index of the shared edge in each neighbour, 3 = none.
    pub edge_class: u8,
    /// Unknown, 0 in synthetic maps.
    pub unknown_1b: u8,
}
