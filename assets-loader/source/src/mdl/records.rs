//! The records that the tables of a model file are made of.

use super::{File, FormatError, Image, PlainRow, Reader, Row, Table, Text, Writer};
use ironlands_assets_core::record::{Field, Record};

/// A bone.
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: Text,
    /// Parent; -1 = none.
    pub parent: i32,
    /// Controllers of position and rotation about x, y, z; -1 = none.
    pub controllers: [i32; 6],
    /// Place below its parent.
    pub position: [f32; 3],
    /// Turn below its parent: x, y, z, w.
    pub quaternion: [f32; 4],
    /// The same turn about x, y, z, in radians.
    pub rotation: [f32; 3],
    /// What numbers of animations are multiplied by: those of its place, and those of its turn.
    pub animation_scales: [[f32; 3]; 2],
    /// From the model to the bone at rest: three rows of four.
    pub bone_from_model: [[f32; 4]; 3],
    /// Alignment.
    pub unknown_90: [u8; 16],
    /// How the bone is used; kept as it is.
    pub flags: u32,
    /// Procedure, physics, surface property, contents.
    pub unknown_a4: [u8; 52],
}

/// A texture.
#[derive(Debug, Clone, PartialEq)]
pub struct MdlTexture {
    /// Its name, without folder and extension.
    pub name: Text,
    /// Kept as they are.
    pub flags: u32,
    /// Nothing known.
    pub unknown_08: [u8; 56],
}

/// A folder in which textures are looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureFolder {
    /// Path below `materials/`, mostly with a slash at its end.
    pub path: Text,
}

/// A body part: one of its models is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct MdlBodyPart {
    /// Its name.
    pub name: Text,
    /// Models to choose from.
    pub models: Table<MdlModel>,
    /// `(body / base) % models` is shown.
    pub base: i32,
}

/// A model of a body part.
#[derive(Debug, Clone, PartialEq)]
pub struct MdlModel {
    /// Its name, NUL padded.
    pub name: [u8; 64],
    /// Type.
    pub kind: i32,
    /// Radius of its bounding sphere.
    pub radius: f32,
    /// One for each material.
    pub meshes: Table<MdlMesh>,
    /// Number of vertices.
    pub n_vertices: i32,
    /// Place of its first vertex among all, in bytes of 48 a vertex.
    pub vertex_offset: i32,
    /// Place of its first tangent among all, in bytes of 16 a tangent.
    pub tangent_offset: i32,
    /// Attachments and eyeballs.
    pub unknown_5c: [u8; 56],
}

/// A mesh: what a model has in one material.
#[derive(Debug, Clone, PartialEq, Record)]
pub struct MdlMesh {
    /// Reference into a skin.
    #[field("mesh material")]
    pub material: i32,
    /// Where its model stands, from here.
    #[field("mesh model")]
    pub model_offset: i32,
    /// Vertices at the finest level of detail.
    #[field("mesh vertex count")]
    pub n_vertices: i32,
    /// First vertex of its model.
    #[field("mesh first vertex")]
    pub first_vertex: i32,
    /// Flexes and the kind of its material.
    #[field("mesh flexes")]
    pub unknown_10: [u8; 16],
    /// Its number within the model.
    #[field("mesh id")]
    pub id: i32,
    /// Its middle.
    #[field("mesh center")]
    pub center: [f32; 3],
    /// Nothing known.
    #[field("mesh")]
    pub unknown_30: [u8; 4],
    /// Vertices in each level of detail.
    #[field("mesh lod vertex count")]
    pub lod_vertex_counts: [i32; 8],
    /// Nothing known.
    #[field("mesh")]
    pub unknown_54: [u8; 32],
}

impl Bone {
    pub(in super::super) const SIZE: usize = 216;

    /// What numbers of animations are multiplied by: those of its place, and those of its turn.
    pub(super) fn scales(&self) -> ([f32; 3], [f32; 3]) {
        let [place, turn] = self.animation_scales;
        (place, turn)
    }
}

impl Row for Bone {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        Ok(Self {
            name: file.take_text(r, "bone name", at)?,
            parent: r.i32("bone parent")?,
            controllers: Field::read(r, "bone controller", ())?,
            position: r.f32x3("bone position")?,
            quaternion: Field::read(r, "bone quaternion", ())?,
            rotation: r.f32x3("bone rotation")?,
            animation_scales: Field::read(r, "bone scale", ())?,
            bone_from_model: Field::read(r, "bone pose", ())?,
            unknown_90: r.array("bone alignment")?,
            flags: r.u32("bone flags")?,
            unknown_a4: r.array("bone physics")?,
        })
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) -> Result<(), FormatError> {
        let Self {
            name,
            parent,
            controllers,
            position,
            quaternion,
            rotation,
            animation_scales,
            bone_from_model,
            unknown_90,
            flags,
            unknown_a4,
        } = self;
        w.i32(name.offset());
        w.i32(*parent);
        controllers.write(w, "bone controller", ())?;
        w.f32x3(*position);
        Field::write(quaternion, w, "bone quaternion", ())?;
        w.f32x3(*rotation);
        animation_scales.write(w, "bone scale", ())?;
        bone_from_model.write(w, "bone pose", ())?;
        w.bytes(unknown_90);
        w.u32(*flags);
        w.bytes(unknown_a4);
        Ok(())
    }
}

impl MdlTexture {
    pub(in super::super) const SIZE: usize = 64;
}

impl Row for MdlTexture {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        Ok(Self {
            name: file.take_text(r, "texture name", at)?,
            flags: r.u32("texture flags")?,
            unknown_08: r.array("texture")?,
        })
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) -> Result<(), FormatError> {
        let Self {
            name,
            flags,
            unknown_08,
        } = self;
        w.i32(name.offset());
        w.u32(*flags);
        w.bytes(unknown_08);
        Ok(())
    }
}

impl TextureFolder {
    pub(in super::super) const SIZE: usize = 4;
}

impl Row for TextureFolder {
    fn read(r: &mut Reader<'_>, file: &File<'_>, _: usize) -> Result<Self, FormatError> {
        let path = file.take_text(r, "texture folder", 0)?;
        Ok(Self { path })
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) -> Result<(), FormatError> {
        let Self { path } = self;
        w.i32(path.offset());
        Ok(())
    }
}

impl MdlBodyPart {
    pub(in super::super) const SIZE: usize = 16;
}

impl Row for MdlBodyPart {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let name = file.take_text(r, "body part name", at)?;
        let at_count = r.clone();
        let n_models = r.i32("models")?;
        let base = r.i32("body part base")?;
        let offset = r.i32("models")?;
        let place = (n_models, MdlModel::SIZE);
        let models = file.table(&at_count, "models", place, (at, offset))?;
        Ok(Self { name, models, base })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self { name, models, base } = self;
        w.i32(name.offset());
        w.i32(models.count());
        w.i32(*base);
        w.i32(models.offset());
        image.put_table(models, at)?;
        Ok(())
    }
}

impl MdlModel {
    pub(in super::super) const SIZE: usize = 148;
}

impl Row for MdlModel {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        Ok(Self {
            name: r.array("model name")?,
            kind: r.i32("model type")?,
            radius: r.f32("model radius")?,
            meshes: file.take_table(r, "meshes", MdlMesh::SIZE, at)?,
            n_vertices: r.i32("model vertex count")?,
            vertex_offset: r.i32("model vertices")?,
            tangent_offset: r.i32("model tangents")?,
            unknown_5c: r.array("model attachments")?,
        })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self {
            name,
            kind,
            radius,
            meshes,
            n_vertices,
            vertex_offset,
            tangent_offset,
            unknown_5c,
        } = self;
        w.bytes(name);
        w.i32(*kind);
        w.f32(*radius);
        meshes.write_place(w);
        for word in [n_vertices, vertex_offset, tangent_offset] {
            w.i32(*word);
        }
        w.bytes(unknown_5c);
        image.put_table(meshes, at)?;
        Ok(())
    }
}

impl PlainRow for MdlMesh {}
