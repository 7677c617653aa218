//! `Land.msh`: terrain geometry, an NRes of nine chunks (dossier section 4).
//!
//! World axes x, y ground, z up; right-handed; world units. In: bytes. Out: the typed chunks and the archive
//! that they came from; [`LandMsh::write`] gives an untouched file back byte for byte.
//!
//! A value that was read keeps one promise that all users of it rely on: every face names vertices that
//! exist, every neighbor, slot range and node word names something that exists or nothing, and every vertex
//! stream is as long as the positions. The strict reader refuses a file that breaks it, the tolerant one
//! empties what is broken and says so, and the writer refuses a value that has been edited out of it.
//!
//! Deliberately absent: queries (`sim`), and what materials look like (`level_scene`).

mod bounds;
mod check;
mod codec;
mod derived;
mod edges;
mod fits;
mod format;
mod links;
mod materials;
#[cfg(test)]
mod tests;
mod tiles;

use bitflags::bitflags;
use ironlands_assets_core::format::Format;
use ironlands_assets_core::record::Record;

pub use self::derived::face_normal;
pub use self::edges::EdgeOrder;
pub use self::materials::MaterialBorders;
pub use self::tiles::TileGrid;
use super::face_mask::FaceFlags;
use super::nres::NRes;
pub use super::packing::{
    pack_face_normal, pack_normal, pack_uv, unpack_face_normal, unpack_normal, unpack_uv,
};
use super::record::Row;
pub use super::slots::{NONE, Slot, SlotHeader};

const FORMAT: &str = LandMsh::NAME;

/// Flags of a type 11 record that begins a batch.
pub const KEY_FLAGS_BATCH_START: u8 = 0x58;

/// Flags of any other type 11 record.
pub const KEY_FLAGS: u8 = 0x48;

/// [`Face::second_material`] of a face that has one material.
pub const NO_MATERIAL: u8 = 0xFF;

/// Height of the water where no face is water, in world units.
pub const NO_WATER_LEVEL: f32 = -1.0;

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each (dossier sections 0.2 and 4).
    ///
    /// Never waived: a missing required chunk, a column count that does not divide the tiles, faces without
    /// any vertex, and what the archive itself never waives.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// The archive may break the rules that NRes can waive: sort table, alignment, unterminated names.
        const CONTAINER = 1 << 0;
        /// attr1 of a chunk may contradict its size. The size is believed.
        const ATTRIBUTES = 1 << 1;
        /// A chunk may end inside a record. The part record is dropped.
        const PART_RECORDS = 1 << 2;
        /// A vertex stream may be shorter or longer than the positions. It is cut, or filled with neutral
        /// values: normals up, zero elsewhere.
        const STREAM_LENGTHS = 1 << 3;
        /// Type 11 may hold fewer than two records.
        const FEW_FACE_KEYS = 1 << 4;
        /// Indices may point outside their table. A node word or neighbor becomes [`NONE`], a slot becomes
        /// empty, and a face collapses into one of its vertices, which no one draws or hits.
        const BROKEN_LINKS = 1 << 5;
    }
}

impl Tolerance {
    /// No leniency; all known retail files pass.
    pub const STRICT: Self = Self::empty();
}

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
    /// Type 18: packed UV of the microtexture, divided by 1024.
    pub micro_uv: Vec<[i16; 2]>,
    /// Type 14: opacity of the second material, `0.0..=1.0`, exactly 1 at vertices of no face that has one; optional.
    pub second_weights: Option<Vec<f32>>,
    /// Type 11: one record per face, in slot order: the order in which a slot's faces are drawn.
    pub face_keys: Vec<FaceKey>,
    /// Type 21: faces of both levels of detail.
    pub faces: Vec<Face>,
    /// The archive: chunk order, attributes, names and unknown chunks are kept in it. What the fields above
    /// say (payloads, attr1, and attr2 of type 1) is not repeated in it; [`LandMsh::write`] fills it in.
    pub container: NRes,
}

/// Type 1 record (38 bytes): the slots of one tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct Node {
    /// Meaning unknown for terrain; written 0, 0xFFFF, 0xFFFF, 0xFFFF.
    #[field("node header")]
    pub header: [u16; 4],
    /// Slot by level of detail, 0xFFFF = none; `[0]` finest.
    #[field("node slot")]
    pub slots: [u16; 15],
}

/// Type 11 record (4 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct FaceKey {
    /// Face; the records of a slot name each of its faces once.
    #[field("face key")]
    pub face: u16,
    /// 0x48, or 0x58 at the first of each run of faces with the same two materials.
    #[field("face key flags")]
    pub flags: u8,
    /// 0, in known maps 0x80 on a few; without effect.
    #[field("face key byte 3")]
    pub unknown_3: u8,
}

/// Type 21 record (28 bytes): TerrainFace28.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct Face {
    /// Full surface mask.
    #[field("face flags")]
    pub flags: FaceFlags,
    /// Row of Land1.wea: the first material.
    #[field("face materialId")]
    pub first_material: u8,
    /// Row of Land1.wea as well: the second material, which is drawn over the first; [`NO_MATERIAL`] = none.
    #[field("face auxByte")]
    pub second_material: u8,
    /// 0xFFFF in inspected maps.
    #[field("face unk06")]
    pub unknown_06: u16,
    /// Vertex indices.
    #[field("face vertex")]
    pub vertices: [u16; 3],
    /// Neighbor faces, 0xFFFF = none.
    #[field("face neighbor")]
    pub neighbors: [u16; 3],
    /// Face normal times 32767.
    #[field("face normal")]
    pub normal: [i16; 3],
    /// Three 2-bit values: index of the shared edge in each neighbor, 3 = none.
    #[field("face edgeClass")]
    pub edge_class: u8,
    /// Unknown, 0 in synthetic maps.
    #[field("face unk27")]
    pub unknown_1b: u8,
}

impl Row for Node {}

impl Row for FaceKey {}

impl Row for Face {}

impl Face {
    /// The three 2-bit values of `edge_class`: for each neighbor the index of the shared edge in it, 3 = none.
    pub fn edge_classes(&self) -> [u8; 3] {
        [0, 2, 4].map(|shift| (self.edge_class >> shift) & 3)
    }

    /// Packs three edge classes, each `0..=3`; higher bits of a class are cut off.
    #[must_use]
    pub fn with_edge_classes(self, classes: [u8; 3]) -> Self {
        let [a, b, c] = classes.map(|class| class & 3);
        Self {
            edge_class: a | b << 2 | c << 4,
            ..self
        }
    }
}
