//! The vertices of a model: with bones, or packed in one of two ways and carried by the first bone.
//!
//! A packed normal is a direction of a table in the game's code. Its directions lie on rings about the axis from the
//! south pole to the north pole, in equal steps of latitude; on a ring they begin at +X and lie in equal steps, too. How
//! many each ring has follows no formula.

use std::f32::consts::{PI, TAU};

use super::VtmbModel;
use crate::studio_file::{File, Image, PlainRow, Table};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::record::Record;

/// Directions of each ring that 16 bits choose from: 5314 in all.
const FINE_RINGS: [u8; 65] = [
    1, 8, 16, 20, 28, 32, 40, 44, 52, 56, 60, 68, 72, 76, 84, 88, 92, 96, 100, 104, 108, 112, 116,
    116, 120, 124, 124, 124, 128, 128, 128, 128, 128, 128, 128, 128, 128, 124, 124, 124, 120, 116,
    116, 112, 108, 104, 100, 96, 92, 88, 84, 76, 72, 68, 60, 56, 52, 44, 40, 32, 28, 20, 16, 8, 1,
];
/// Those that 8 bits choose from: 202 in all.
const COARSE_RINGS: [u8; 13] = [1, 8, 12, 20, 24, 24, 24, 24, 24, 20, 12, 8, 1];
/// Bytes of a direction in the finer table, in which the stored number is an offset.
const DIRECTION_SIZE: u16 = 12;
/// Most bones of a vertex.
const MAX_BONES: u8 = 5;

/// Vertices of one of three kinds.
#[derive(Debug, Clone, PartialEq)]
pub enum VertexList {
    /// With bones.
    Skinned(Table<SkinnedVertex>),
    /// With numbers of 16 bits.
    Packed(Table<PackedVertex>),
    /// With numbers of 8 bits.
    Compressed(Table<CompressedVertex>),
}

/// A vertex with bones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct SkinnedVertex {
    /// Weights of the first three bones in parts of 255; the fourth has the rest.
    #[field("vertex weights")]
    pub weights: [u8; 3],
    /// How many of the bones count, modulo 5.
    #[field("vertex bone count")]
    pub n_bones: u8,
    /// Bones that carry it.
    #[field("vertex bone")]
    pub bones: [i16; 4],
    /// Its place.
    #[field("vertex position")]
    pub position: [f32; 3],
    /// Its unit normal.
    #[field("vertex normal")]
    pub normal: [f32; 3],
    /// Texture coordinates, v down.
    #[field("vertex uv")]
    pub uv: [f32; 2],
}

/// A vertex of 12 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct PackedVertex {
    /// Its place, see [`VtmbModel::place_scale`].
    #[field("vertex position")]
    pub position: [u16; 3],
    /// Byte of the table of directions.
    #[field("vertex normal")]
    pub normal: u16,
    /// Texture coordinates in parts of 65535, v down.
    #[field("vertex uv")]
    pub uv: [u16; 2],
}

/// A vertex of 8 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct CompressedVertex {
    /// Its place in parts of 255, see [`VtmbModel::place_scale`].
    #[field("vertex position")]
    pub position: [u8; 3],
    /// Row of the table of directions.
    #[field("vertex normal")]
    pub normal: u8,
    /// Texture coordinates in parts of 65535, v down.
    #[field("vertex uv")]
    pub uv: [u16; 2],
}

/// A vertex of any kind, unpacked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Vertex {
    /// Its place in the model.
    pub position: [f32; 3],
    /// Its normal; up if the file names one that there is none of.
    pub normal: [f32; 3],
    /// Texture coordinates, v down.
    pub uv: [f32; 2],
    /// Bones that carry it, with weights; those of weight 0 do not.
    pub bones: [(i16, f32); 4],
}

impl VertexList {
    const SKINNED: i32 = 0;
    const PACKED: i32 = 1;
    const COMPRESSED: i32 = 2;

    /// Reads `n` vertices of a kind. The readers are at the number and at the kind, for errors.
    pub(super) fn read(
        file: &File<'_>,
        (at_count, at_kind): (&Reader<'_>, &Reader<'_>),
        (kind, n): (i32, i32),
        place: (usize, i32),
    ) -> Result<Self, FormatError> {
        const FIELD: &str = "model vertices";
        match kind {
            Self::SKINNED => {
                let size = (n, SkinnedVertex::SIZE);
                file.table(at_count, FIELD, size, place).map(Self::Skinned)
            }
            Self::PACKED => {
                let size = (n, PackedVertex::SIZE);
                file.table(at_count, FIELD, size, place).map(Self::Packed)
            }
            Self::COMPRESSED => {
                let size = (n, CompressedVertex::SIZE);
                file.table(at_count, FIELD, size, place)
                    .map(Self::Compressed)
            }
            _ => {
                let what = format!("vertices of kind {kind}");
                Err(at_kind.error("vertex kind", FormatErrorKind::Unsupported { what }))
            }
        }
    }

    /// The number that stands for the kind.
    pub(super) fn kind(&self) -> i32 {
        match self {
            Self::Skinned(_) => Self::SKINNED,
            Self::Packed(_) => Self::PACKED,
            Self::Compressed(_) => Self::COMPRESSED,
        }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        match self {
            Self::Skinned(vertices) => vertices.len(),
            Self::Packed(vertices) => vertices.len(),
            Self::Compressed(vertices) => vertices.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn write_place(&self, w: &mut Writer) {
        match self {
            Self::Skinned(vertices) => vertices.write_place(w),
            Self::Packed(vertices) => vertices.write_place(w),
            Self::Compressed(vertices) => vertices.write_place(w),
        }
    }

    pub(super) fn put(&self, image: &mut Image, at: usize) -> Result<(), FormatError> {
        match self {
            Self::Skinned(vertices) => image.put_table(vertices, at),
            Self::Packed(vertices) => image.put_table(vertices, at),
            Self::Compressed(vertices) => image.put_table(vertices, at),
        }
    }
}

impl VtmbModel {
    /// A vertex of the model; `None` beyond the last.
    pub fn vertex(&self, index: usize) -> Option<Vertex> {
        let unpacked = |position, normal: Option<_>, uv: [u16; 2]| Vertex {
            position: self.unpacked(position),
            normal: normal.unwrap_or([0.0, 0.0, 1.0]),
            uv: uv.map(|it| f32::from(it) / f32::from(u16::MAX)),
            bones: [(0, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)],
        };
        match &self.vertices {
            VertexList::Skinned(vertices) => vertices.get(index).map(skinned),
            VertexList::Packed(vertices) => {
                let vertex = vertices.get(index)?;
                let position = vertex.position.map(f32::from);
                Some(unpacked(position, fine_direction(vertex.normal), vertex.uv))
            }
            VertexList::Compressed(vertices) => {
                let vertex = vertices.get(index)?;
                let position = vertex.position.map(|it| f32::from(it) / f32::from(u8::MAX));
                let normal = direction(&COARSE_RINGS, vertex.normal.into());
                Some(unpacked(position, normal, vertex.uv))
            }
        }
    }

    /// Vertices whose normal the table of directions does not have.
    pub(super) fn n_without_normal(&self) -> usize {
        match &self.vertices {
            VertexList::Skinned(_) => 0,
            VertexList::Packed(vertices) => {
                let normals = vertices.iter().map(|it| fine_direction(it.normal));
                normals.filter(Option::is_none).count()
            }
            VertexList::Compressed(vertices) => {
                let normals = vertices
                    .iter()
                    .map(|it| direction(&COARSE_RINGS, it.normal.into()));
                normals.filter(Option::is_none).count()
            }
        }
    }

    fn unpacked(&self, position: [f32; 3]) -> [f32; 3] {
        let [x, y, z] = position;
        let [from_x, from_y, from_z] = self.place_offset;
        let [scale_x, scale_y, scale_z] = self.place_scale;
        [
            from_x + x * scale_x,
            from_y + y * scale_y,
            from_z + z * scale_z,
        ]
    }
}

fn skinned(vertex: &SkinnedVertex) -> Vertex {
    let [a, b, c] = vertex.weights.map(f32::from);
    let weights = [a, b, c, 255.0 - a - b - c];
    let n_bones = usize::from(vertex.n_bones.checked_rem(MAX_BONES).unwrap_or(0));
    let mut bones = [(0, 0.0); 4];
    let named = vertex.bones.into_iter().zip(weights).take(n_bones);
    for (bone, (index, weight)) in bones.iter_mut().zip(named) {
        *bone = (index, (weight / 255.0).max(0.0));
    }
    Vertex {
        position: vertex.position,
        normal: vertex.normal,
        uv: vertex.uv,
        bones,
    }
}

/// The direction at a byte of the finer table; `None` where none begins.
pub(super) fn fine_direction(offset: u16) -> Option<[f32; 3]> {
    let row = offset.checked_div(DIRECTION_SIZE)?;
    let is_row = offset.is_multiple_of(DIRECTION_SIZE);
    is_row.then(|| direction(&FINE_RINGS, row.into())).flatten()
}

/// A direction of a table; `None` beyond its last.
fn direction(rings: &[u8], row: usize) -> Option<[f32; 3]> {
    let mut left = row;
    for (ring, n) in rings.iter().enumerate() {
        match left.checked_sub(usize::from(*n)) {
            Some(rest) => left = rest,
            None => {
                let latitude = PI * ring as f32 / rings.len().saturating_sub(1) as f32;
                let azimuth = TAU * left as f32 / f32::from(*n);
                let (radius, down) = latitude.sin_cos();
                let (y, x) = azimuth.sin_cos();
                return Some([radius * x, radius * y, -down]);
            }
        }
    }
    None
}

impl PlainRow for SkinnedVertex {}
impl PlainRow for PackedVertex {}
impl PlainRow for CompressedVertex {}
