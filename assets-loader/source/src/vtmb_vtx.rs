//! `*.vtx` of version 107: the faces of models of Vampire: The Masquerade - Bloodlines, whose MDL is of
//! version 2531.
//!
//! Layout: two public readers that agree, Crowbar (`SourceVtxFile107`) and twiglard's importer of the game. Body parts,
//! models and levels of detail are as in the [`vtx`](super::vtx) of version 7; what is below them has smaller counts.
//! Changes of bones and materials of levels of detail are kept as bytes.

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

use super::studio_file::{File, Image, PlainRow, Row, Table};
use super::vtx::{LodMesh, VtxBodyPart, size};
use super::vvd::expect_version;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::report::Report;

const FORMAT: &str = VtmbVtx::NAME;
const VERSION: i32 = 107;

/// The faces of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct VtmbVtx {
    /// Size of the cache, most bones of a strip, of a triangle and of a vertex; kept.
    pub unknown_04: [u8; 12],
    /// That of the model's other files.
    pub checksum: u32,
    /// Levels of detail.
    pub n_lods: i32,
    /// Where the materials of coarser levels of detail stand, which are kept as bytes.
    pub material_replacements_offset: i32,
    /// As many as the model file has, in its order.
    pub body_parts: Table<VtxBodyPart<VtmbMesh>>,
    image: Vec<u8>,
}

/// A mesh of a level of detail.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VtmbMesh {
    /// Groups by how their vertices are skinned.
    pub strip_groups: Table<VtmbStripGroup>,
    /// As stored.
    pub flags: i16,
}

/// Vertices and faces that are drawn in one state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VtmbStripGroup {
    /// 1 flexes, 2 skinned by the card, 4 cloth, 8 vertices with bones, 0x10 vertices without.
    pub flags: u8,
    /// Nothing known.
    pub unknown_07: u8,
    /// The vertices that the indices refer to.
    pub vertices: GroupVertices,
    /// Numbers of vertices of the group.
    pub indices: Table<u16>,
    /// Ranges of `indices`.
    pub strips: Table<VtmbStrip>,
}

/// Vertices of a group, as its flags say.
#[derive(Debug, Clone, PartialEq)]
pub enum GroupVertices {
    /// Numbers of vertices of the mesh.
    Plain(Table<u16>),
    /// The same, with bones.
    WithBones(Table<VtmbVertex>),
}

/// A vertex with bones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct VtmbVertex {
    /// Which bones of the vertex there are; the vertex of the model file says so, too.
    #[field("strip group vertex bones")]
    pub unknown_00: [u8; 10],
    /// Number of the vertex in its mesh.
    #[field("strip group vertex")]
    pub mesh_vertex: u16,
}

/// Some of the faces of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct VtmbStrip {
    /// Indices from `first_index` on.
    #[field("strip index count")]
    pub n_indices: i16,
    /// First index of the group.
    #[field("strip first index")]
    pub first_index: i16,
    /// Vertices from `first_vertex` on.
    #[field("strip vertex count")]
    pub n_vertices: i16,
    /// First vertex of the group.
    #[field("strip first vertex")]
    pub first_vertex: i16,
    /// Most bones that a vertex of it has.
    #[field("strip bone count")]
    pub n_bones: u8,
    /// 1 triangle list, 2 triangle strip.
    #[field("strip flags")]
    pub flags: u8,
    /// Number and offset of changes of bones, which are kept as bytes.
    #[field("bone state changes")]
    pub unknown_0a: [u8; 6],
}

impl Format for VtmbVtx {
    type Context = ();

    const NAME: &'static str = "vtmb_vtx";
    const EXTENSIONS: &'static [&'static str] = &["vtx"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        let is_vtx = name.ends_with(".vtx") && head.starts_with(&VERSION.to_le_bytes());
        is_vtx.then_some(Match::Name)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("version", VERSION);
        report.fact("checksum", format!("{:08x}", self.checksum));
        report.fact("levels of detail", self.n_lods);
        report.fact("body parts", self.body_parts.len());
    }
}

impl VtmbVtx {
    /// Reads a whole file.
    ///
    /// # Errors
    /// Another version, tables that do not lie in the file or share their bytes many times, a group of vertices both with
    /// and without bones, or of neither.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let file = File::new(FORMAT, data);
        let mut r = Reader::new(FORMAT, data);
        expect_version(&mut r, VERSION)?;
        Ok(Self {
            unknown_04: r.array("sizes of caches")?,
            checksum: r.u32("checksum")?,
            n_lods: r.i32("lod count")?,
            material_replacements_offset: r.i32("material replacements")?,
            body_parts: file.take_table(&mut r, "body parts", size::BODY_PART, 0)?,
            image: data.to_vec(),
        })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// None: what was read can be written.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            unknown_04,
            checksum,
            n_lods,
            material_replacements_offset,
            body_parts,
            image,
        } = self;
        let mut image = Image::new(FORMAT, image);
        let mut w = Writer::new(FORMAT);
        w.i32(VERSION);
        w.bytes(unknown_04);
        w.u32(*checksum);
        w.i32(*n_lods);
        w.i32(*material_replacements_offset);
        body_parts.write_place(&mut w);
        image.put(0, &w.finish());
        image.put_table(body_parts, 0)?;
        Ok(image.finish())
    }
}

impl GroupVertices {
    /// For each vertex of the group its number in the mesh.
    pub fn mesh_vertices(&self) -> Vec<u16> {
        match self {
            Self::Plain(vertices) => vertices.to_vec(),
            Self::WithBones(vertices) => vertices.iter().map(|it| it.mesh_vertex).collect(),
        }
    }

    /// Where they stand, as stored.
    fn offset(&self) -> i32 {
        match self {
            Self::Plain(vertices) => vertices.offset(),
            Self::WithBones(vertices) => vertices.offset(),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Plain(vertices) => vertices.len(),
            Self::WithBones(vertices) => vertices.len(),
        }
    }
}

impl Default for GroupVertices {
    fn default() -> Self {
        Self::Plain(Table::default())
    }
}

impl LodMesh for VtmbMesh {
    const SIZE: usize = 8;
}

impl Row for VtmbMesh {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let at_count = r.clone();
        let n_groups = r.i16("strip groups")?;
        let flags = r.i16("mesh flags")?;
        let offset = r.i32("strip groups")?;
        let place = (n_groups.into(), VtmbStripGroup::SIZE);
        Ok(Self {
            strip_groups: file.table(&at_count, "strip groups", place, (at, offset))?,
            flags,
        })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self {
            strip_groups,
            flags,
        } = self;
        w.i16(w.checked_count("strip groups", strip_groups.len())?);
        w.i16(*flags);
        w.i32(strip_groups.offset());
        image.put_table(strip_groups, at)?;
        Ok(())
    }
}

impl VtmbStripGroup {
    const SIZE: usize = 20;
    /// Flags of the two kinds of vertices.
    const WITH_BONES: u8 = 0x08;
    const PLAIN: u8 = 0x10;
}

impl Row for VtmbStripGroup {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let at_counts = r.clone();
        let n_vertices = i32::from(r.i16("strip group vertices")?);
        let n_indices = i32::from(r.i16("strip group indices")?);
        let n_strips = i32::from(r.i16("strips")?);
        let at_flags = r.clone();
        let flags = r.u8("strip group flags")?;
        let unknown_07 = r.u8("strip group")?;
        let offsets = [
            r.i32("strip group vertices")?,
            r.i32("strip group indices")?,
            r.i32("strips")?,
        ];
        let [at_vertices, at_indices, at_strips] = offsets.map(|offset| (at, offset));
        let field = "strip group vertices";
        let vertices = match flags & (Self::WITH_BONES | Self::PLAIN) {
            Self::WITH_BONES => {
                let place = (n_vertices, VtmbVertex::SIZE);
                GroupVertices::WithBones(file.table(&at_counts, field, place, at_vertices)?)
            }
            kind if kind == Self::PLAIN || n_vertices == 0 => {
                let place = (n_vertices, size_of::<u16>());
                GroupVertices::Plain(file.table(&at_counts, field, place, at_vertices)?)
            }
            _ => {
                let expected = "vertices either with bones or without";
                return Err(at_flags.unexpected("strip group flags", expected, flags));
            }
        };
        let place = (n_indices, size_of::<u16>());
        let indices = file.table(&at_counts, "strip group indices", place, at_indices)?;
        let place = (n_strips, VtmbStrip::SIZE);
        Ok(Self {
            flags,
            unknown_07,
            vertices,
            indices,
            strips: file.table(&at_counts, "strips", place, at_strips)?,
        })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self {
            flags,
            unknown_07,
            vertices,
            indices,
            strips,
        } = self;
        w.i16(w.checked_count("strip group vertices", vertices.len())?);
        w.i16(w.checked_count("strip group indices", indices.len())?);
        w.i16(w.checked_count("strips", strips.len())?);
        w.u8(*flags);
        w.u8(*unknown_07);
        w.i32(vertices.offset());
        w.i32(indices.offset());
        w.i32(strips.offset());
        match vertices {
            GroupVertices::Plain(vertices) => image.put_table(vertices, at)?,
            GroupVertices::WithBones(vertices) => image.put_table(vertices, at)?,
        }
        image.put_table(indices, at)?;
        image.put_table(strips, at)?;
        Ok(())
    }
}

impl PlainRow for VtmbVertex {}
impl PlainRow for VtmbStrip {}
