//! `*.msh`: a model of rigid nodes, an NRes of numbered chunks (dossier section 7).
//!
//! Nodes (Res1) name slots by state and level of detail, slots (Res2) name batches and triangle descriptors,
//! batches (Res13) name indices, indices name vertices. Geometry is in the space of its node, right-handed, z up,
//! world units. In: the bytes of a file, or the entry of an archive that holds one. Out: the typed chunks and
//! the archive that they came from; [`Msh::write`] gives an untouched file back byte for byte.
//!
//! A value that was read keeps one promise: every index leads to something that exists or to nothing, parents
//! stand before their children, every vertex stream is as long as the positions, and every track can be
//! sampled. The strict reader refuses a file that breaks it, the tolerant one drops what is broken and says so,
//! and the writer refuses a value that has been edited out of it.
//!
//! Deliberately absent: sampling of the animation and queries (`sim`), materials and the scene (`level_scene`).

mod bounds;
mod build;
mod check;
mod codec;
mod format;
mod hall_way;
mod lookup;
mod material;
mod names;
mod nested;
mod quaternions;
mod range_max;
mod rules;
#[cfg(test)]
mod tests;

use bitflags::bitflags;
use ironlands_assets_core::flag_fields;
use ironlands_assets_core::format::Format;
use ironlands_assets_core::record::Record;

pub use self::build::{
    DraftBatch, DraftError, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft,
    stored_rotation,
};
pub use self::hall_way::{HALL_WAY, HallFlags, HallLink, HallPlace, HallWay};
pub use self::lookup::SlotTriangle;
pub use self::material::{MaterialReading, MaterialRow, RowSource};
pub use self::nested::model_entries;
pub use self::quaternions::QuaternionFit;
use super::msh_animation::{MshAnimation, QuaternionOrder};
use super::nres::NRes;
pub use super::packing::{
    pack_face_normal, pack_normal, pack_uv, unpack_face_normal, unpack_normal, unpack_uv,
};
use super::record::Row;
pub use super::slots::{NONE, Slot, SlotHeader};

const FORMAT: &str = Msh::NAME;

/// Loose models are known by this ending, whatever they lack.
pub(crate) const ENDING: &str = ".msh";

/// Type of the entries of archives that are models.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"MESH");

/// States of a node, its stages of damage: 0 is intact.
pub const N_STATES: usize = 3;

/// Slots of a state: levels of detail, of which 0 is the finest, and [`OWN_VIEW`].
pub const N_LODS: usize = 5;

/// What a unit's own view draws, in the place of a level of detail: the inside of a cockpit. Not seen from outside.
pub const OWN_VIEW: usize = 4;

/// The lightmap row of a batch without lightmap.
pub const NO_LIGHTMAP: u8 = 0xFF;

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each (dossier section 7.11).
    ///
    /// Never waived: a missing required chunk, a cut header of type 2, and what the archive itself never waives.
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
        /// Indices and ranges may point outside their table. A range becomes empty, an index [`NONE`].
        const BROKEN_LINKS = 1 << 4;
        /// Bounds of a slot may be infinite or NaN. They become those of all vertices.
        const BOUNDS = 1 << 5;
        /// Node names may be cut, unterminated or followed by more bytes. What can be read is kept.
        const NAMES = 1 << 6;
        /// Animation may break its rules. A node whose track does loses its map and stands at its last key.
        const ANIMATION = 1 << 7;
    }
}

impl Tolerance {
    /// No leniency; all known retail files pass.
    pub const STRICT: Self = Self::empty();
}

/// A model: typed chunks, and the archive that they came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Msh {
    /// Type 1: the nodes, parents before children.
    pub nodes: NodeTable,
    /// Type 2: header of hull corners, sphere and capsule of the whole model.
    pub header: SlotHeader,
    /// Type 2: slots.
    pub slots: Vec<Slot>,
    /// Type 3: vertex positions.
    pub positions: Vec<[f32; 3]>,
    /// Type 4: packed normals, x y z w; [`unpack_normal`].
    pub normals: Option<Vec<[i8; 4]>>,
    /// Type 5: packed UV0; [`unpack_uv`].
    pub uv0: Option<Vec<[i16; 2]>>,
    /// Type 6: vertex indices, counted from the base vertex of their batch.
    pub indices: Vec<u16>,
    /// Type 7: descriptors of triangles, for collision and picking.
    pub triangles: Option<Vec<TriDesc>>,
    /// Types 8 and 19. A model without keys, map and frame count has neither chunk, unless the archive has it.
    pub animation: MshAnimation,
    /// Type 10: a name per node, raw bytes in CP1251; empty = none.
    pub names: Option<Vec<Vec<u8>>>,
    /// Type 13: batches.
    pub batches: Vec<Batch>,
    /// Type 15: extra vertex stream of unknown meaning.
    pub unknown_15: Option<Vec<[u8; 8]>>,
    /// Type 16: perhaps tangent and bitangent, packed like normals; in no known file.
    pub tangents: Option<Vec<[[i8; 4]; 2]>>,
    /// Type 18: texture coordinates for lightmaps, packed as UV0.
    pub lightmap_uv: Option<Vec<[i16; 2]>>,
    /// Type 20, where its size and attr1 fit light probes; other chunks of that type stay in the archive.
    pub probes: Option<Vec<LightProbe>>,
    /// The archive: chunk order, names, types 9 and 17 and unknown chunks are kept in it. What the fields above
    /// say (payloads, attr1, and attr2 of type 19) is not repeated in it; [`Msh::write`] fills it in.
    pub container: NRes,
    /// The order to read quaternions in whatever the box of the model says; `None` after reading. Not of the file.
    pub quaternions: Option<QuaternionOrder>,
}

/// The type 1 chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeTable {
    /// Records of 38 bytes.
    Nodes(Vec<Node>),
    /// Records of 24 bytes that no one can read: one known file, `MTCHECK.MSH`, copied through. Such a model is
    /// shown as all its batches, untransformed.
    Stride24(Vec<[u8; 24]>),
}

/// Type 1 record (38 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct Node {
    /// Word 0.
    #[field("node flags")]
    pub flags: NodeFlags,
    /// Word 1: parent node, [`NONE`] = root.
    #[field("node parent")]
    pub parent: u16,
    /// Word 2: first word of the node's block in type 19, [`NONE`] = no map.
    #[field("node map start")]
    pub map_start: u16,
    /// Word 3: key in type 8 that holds where the map does not say otherwise, [`NONE`] = no keys.
    #[field("node fallback key")]
    pub fallback_key: u16,
    /// Slot by `state * 5 + lod`, [`NONE`] = none.
    #[field("node slot")]
    pub slots: [u16; N_STATES * N_LODS],
}

impl Row for Node {}

/// A node that no one can read.
impl Row for [u8; 24] {
    const NAME: &'static str = "node of 24 bytes";
}

impl Row for Batch {}

impl Row for TriDesc {}

impl Row for LightProbe {}

/// Eight bytes of unknown meaning.
impl Row for [u8; 8] {
    const NAME: &'static str = "extra vertex record";
}

/// Two packed vectors.
impl Row for [[i8; 4]; 2] {
    const NAME: &'static str = "packed tangents";
}

flag_fields!(NodeFlags: u16, BatchFlags: u16);

bitflags! {
    /// Word 0 of a node. Bits without a name are kept.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub struct NodeFlags: u16 {
        /// Inside of a building.
        const INTERIOR = 0x0001;
        /// Bounds are not gathered below this node.
        const STOP_BOUNDS = 0x0004;
        /// Children do not count.
        const WITHOUT_CHILDREN = 0x0010;
        /// A cockpit: its geometry is in [`OWN_VIEW`] only.
        const COCKPIT = 0x0020;
        /// Casts no shadow.
        const NO_SHADOW = 0x0040;
        /// Stays drawn when it is destroyed.
        const STAYS_DRAWN = 0x0100;
        /// Damage to this node is fatal.
        const FATAL_DAMAGE = 0x0200;
        /// Shares the life of its parent.
        const INHERIT_LIFE_RATIO = 0x0400;
        /// The name is searched for "central".
        const CHECK_CENTRAL_NAME = 0x0800;

        const _ = !0;
    }
}

/// Type 13 record (20 bytes): triangles of one material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct Batch {
    /// How it is drawn.
    #[field("batch flags")]
    pub flags: BatchFlags,
    /// At 2: the material in one reading, its table in the other; see [`MaterialReading`].
    #[field("batch material")]
    pub material_02: u16,
    /// At 4: the row of the WEAR table in one reading, unknown in the other.
    #[field("batch WEAR row")]
    pub wear_row: u8,
    /// At 5: the row of the table's lightmaps, [`NO_LIGHTMAP`] = none; see [`Batch::lightmap`].
    #[field("batch lightmap")]
    pub lightmap_row: u8,
    /// At 6: of a portal the node that is seen through it, else [`NONE`].
    #[field("batch node beyond the portal")]
    pub beyond_portal: u16,
    /// Number of indices; three make a triangle.
    #[field("batch indexCount")]
    pub index_count: u16,
    /// First index in type 6.
    #[field("batch indexStart")]
    pub index_start: u32,
    /// At 14: number of vertices.
    #[field("batch vertex count")]
    pub n_vertices: u16,
    /// Vertex that index 0 stands for.
    #[field("batch baseVertex")]
    pub base_vertex: u32,
}

bitflags! {
    /// Word 0 of a batch, as one source names its bits. Bits without a name are kept.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub struct BatchFlags: u16 {
        /// Submitted at once, in a special way.
        const IMMEDIATE = 0x0001;
        /// Both sides are drawn.
        const TWO_SIDED = 0x0002;
        /// Goes through the phases of its material.
        const MATERIAL_PHASES = 0x0004;
        /// An opening between inside and outside, through which [`Batch::beyond_portal`] is seen.
        const PORTAL = 0x0008;
        /// Not drawn, together with `PORTAL`.
        const SUPPRESSED = 0x0020;
        /// Drawn with what is seen through; all portals are.
        const SEE_THROUGH = 0x0100;
        /// Point lights are emulated.
        const EMULATE_POINT_LIGHTS = 0x0800;
        /// Has a lightmap.
        const LIGHTMAP = 0x2000;
        /// Facing decides early whether it is drawn.
        const FACING_EARLY_OUT = 0x4000;

        const _ = !0;
    }
}

/// Type 7 record (16 bytes): what is known of a triangle beside its vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct TriDesc {
    /// Filter bits, details unknown.
    #[field("descriptor triFlags")]
    pub flags: u16,
    /// Neighbor descriptors, [`NONE`] = none.
    #[field("descriptor link")]
    pub links: [u16; 3],
    /// Normal times 32767; [`unpack_face_normal`].
    #[field("descriptor normal")]
    pub normal: [i16; 3],
    /// Three 2-bit selectors in the lowest bits, see [`TriDesc::selectors`]; the other bits are unknown.
    #[field("descriptor selPacked")]
    pub packed_selectors: u16,
}

/// Type 20 record (48 bytes), as one source reads it.
#[derive(Debug, Clone, Copy, PartialEq, Record)]
pub struct LightProbe {
    /// The piece (node) that it belongs to.
    #[field("probe piece")]
    pub piece: i32,
    /// Position in the space of the piece.
    #[field("probe position")]
    pub position: [f32; 3],
    /// Direction of the light.
    #[field("probe direction")]
    pub direction: [f32; 3],
    /// Color, four components.
    #[field("probe color")]
    pub color: [f32; 4],
    /// Intensity; the original multiplies it by 3.
    #[field("probe intensity")]
    pub intensity: f32,
}

impl NodeTable {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        match self {
            Self::Nodes(nodes) => nodes.len(),
            Self::Stride24(records) => records.len(),
        }
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nodes; empty for the records that no one can read.
    pub fn as_slice(&self) -> &[Node] {
        match self {
            Self::Nodes(nodes) => nodes,
            Self::Stride24(_) => &[],
        }
    }
}

impl TriDesc {
    /// The three selectors; stored 3 means none.
    pub fn selectors(&self) -> [Option<u8>; 3] {
        [0, 2, 4].map(|shift| {
            let selector = (self.packed_selectors >> shift & 3) as u8;
            (selector != 3).then_some(selector)
        })
    }

    /// Packs three selectors, each none or `0..=2`; higher bits of a selector are cut off, unknown bits are kept.
    #[must_use]
    pub fn with_selectors(self, selectors: [Option<u8>; 3]) -> Self {
        let [a, b, c] = selectors.map(|selector| u16::from(selector.unwrap_or(3) & 3));
        Self {
            packed_selectors: self.packed_selectors & !0x3F | a | b << 2 | c << 4,
            ..self
        }
    }
}
