//! The records that the tables of a model file are made of.

use glam::Quat;

use super::vertices::VertexList;
use crate::mdl::motion::BonePose;
use crate::studio_file::{File, Image, PlainRow, Row, Table, Text};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::{Field, Record};

/// Bone flag: animations turn it in the space of the model.
const TURNS_IN_MODEL: u32 = 0x2;

/// A bone.
#[derive(Debug, Clone, PartialEq)]
pub struct VtmbBone {
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
    /// What numbers of animations are multiplied by: three of its place, and four of its turn.
    pub animation_scales: [f32; 7],
    /// From the model to the bone at rest: three rows of four.
    pub bone_from_model: [[f32; 4]; 3],
    /// How the bone is used; kept as it is. 0x2: animations turn it in the space of the model.
    pub flags: u32,
    /// Procedure, physics, surface property, contents.
    pub unknown_8c: [u8; 20],
}

/// A texture.
#[derive(Debug, Clone, PartialEq)]
pub struct VtmbTexture {
    /// Its name, without folder and extension.
    pub name: Text,
    /// Nothing known.
    pub unknown_04: [u8; 16],
}

/// A body part: one of its models is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct VtmbBodyPart {
    /// Its name.
    pub name: Text,
    /// Models to choose from.
    pub models: Table<VtmbModel>,
    /// `(body / base) % models` is shown.
    pub base: i32,
}

/// A model of a body part.
#[derive(Debug, Clone, PartialEq)]
pub struct VtmbModel {
    /// Its name, NUL padded.
    pub name: [u8; 128],
    /// Type.
    pub kind: i32,
    /// Radius of its bounding sphere.
    pub radius: f32,
    /// One for each material.
    pub meshes: Table<VtmbMesh>,
    /// Its vertices.
    pub vertices: VertexList,
    /// Where tangents stand, from here; 16 bytes a vertex, which are kept as bytes.
    pub tangent_offset: i32,
    /// What numbers of packed places are added to.
    pub place_offset: [f32; 3],
    /// What numbers of packed places are multiplied by.
    pub place_scale: [f32; 3],
    /// Attachments, eyeballs and cloth.
    pub unknown_b8: [u8; 40],
}

/// A mesh: what a model has in one material.
#[derive(Debug, Clone, PartialEq, Record)]
pub struct VtmbMesh {
    /// Reference into a skin.
    #[field("mesh material")]
    pub material: i32,
    /// Where its model stands, from here.
    #[field("mesh model")]
    pub model_offset: i32,
    /// Number of vertices.
    #[field("mesh vertex count")]
    pub n_vertices: i32,
    /// First vertex of its model.
    #[field("mesh first vertex")]
    pub first_vertex: i32,
    /// Flexes, the kind of its material, cloth.
    #[field("mesh")]
    pub unknown_10: [u8; 44],
}

impl VtmbBone {
    pub(super) const SIZE: usize = 160;

    /// Where it is below its parent at rest.
    pub fn at_rest(&self) -> BonePose {
        BonePose {
            position: self.position.into(),
            rotation: Self::unit(self.quaternion),
        }
    }

    /// Whether animations turn it in the space of the model, not in that of its parent. Its place is below its parent.
    pub fn turns_in_model(&self) -> bool {
        self.flags & TURNS_IN_MODEL != 0
    }

    /// A turn of files, which is a unit quaternion up to rounding; none if it has no length.
    pub(super) fn unit(quaternion: [f32; 4]) -> Quat {
        let turn = Quat::from_array(quaternion);
        match turn.length_squared().is_normal() {
            true => turn.normalize(),
            false => Quat::IDENTITY,
        }
    }
}

impl Row for VtmbBone {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        Ok(Self {
            name: file.take_text(r, "bone name", at)?,
            parent: r.i32("bone parent")?,
            controllers: Field::read(r, "bone controller", ())?,
            position: r.f32x3("bone position")?,
            quaternion: Field::read(r, "bone quaternion", ())?,
            animation_scales: Field::read(r, "bone scale", ())?,
            bone_from_model: Field::read(r, "bone pose", ())?,
            flags: r.u32("bone flags")?,
            unknown_8c: r.array("bone")?,
        })
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) -> Result<(), FormatError> {
        let Self {
            name,
            parent,
            controllers,
            position,
            quaternion,
            animation_scales,
            bone_from_model,
            flags,
            unknown_8c,
        } = self;
        w.i32(name.offset());
        w.i32(*parent);
        Field::write(controllers, w, "bone controller", ())?;
        w.f32x3(*position);
        Field::write(quaternion, w, "bone quaternion", ())?;
        Field::write(animation_scales, w, "bone scale", ())?;
        Field::write(bone_from_model, w, "bone pose", ())?;
        w.u32(*flags);
        w.bytes(unknown_8c);
        Ok(())
    }
}

impl VtmbTexture {
    pub(super) const SIZE: usize = 20;
}

impl Row for VtmbTexture {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        Ok(Self {
            name: file.take_text(r, "texture name", at)?,
            unknown_04: r.array("texture")?,
        })
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) -> Result<(), FormatError> {
        let Self { name, unknown_04 } = self;
        w.i32(name.offset());
        w.bytes(unknown_04);
        Ok(())
    }
}

impl VtmbBodyPart {
    pub(super) const SIZE: usize = 16;
}

impl Row for VtmbBodyPart {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let name = file.take_text(r, "body part name", at)?;
        let at_count = r.clone();
        let n_models = r.i32("models")?;
        let base = r.i32("body part base")?;
        let offset = r.i32("models")?;
        let place = (n_models, VtmbModel::SIZE);
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

impl VtmbModel {
    pub(super) const SIZE: usize = 224;
}

impl Row for VtmbModel {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let name = r.array("model name")?;
        let kind = r.i32("model type")?;
        let radius = r.f32("model radius")?;
        let meshes = file.take_table(r, "meshes", VtmbMesh::SIZE, at)?;
        let at_vertices = r.clone();
        let n_vertices = r.i32("model vertices")?;
        let vertex_offset = r.i32("model vertices")?;
        let tangent_offset = r.i32("model tangents")?;
        let at_kind = r.clone();
        let vertex_kind = r.i32("vertex kind")?;
        let vertices = VertexList::read(
            file,
            (&at_vertices, &at_kind),
            (vertex_kind, n_vertices),
            (at, vertex_offset),
        )?;
        Ok(Self {
            name,
            kind,
            radius,
            meshes,
            vertices,
            tangent_offset,
            place_offset: r.f32x3("vertex offset")?,
            place_scale: r.f32x3("vertex scale")?,
            unknown_b8: r.array("model")?,
        })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self {
            name,
            kind,
            radius,
            meshes,
            vertices,
            tangent_offset,
            place_offset,
            place_scale,
            unknown_b8,
        } = self;
        w.bytes(name);
        w.i32(*kind);
        w.f32(*radius);
        meshes.write_place(w);
        vertices.write_place(w);
        w.i32(*tangent_offset);
        w.i32(vertices.kind());
        w.f32x3(*place_offset);
        w.f32x3(*place_scale);
        w.bytes(unknown_b8);
        image.put_table(meshes, at)?;
        vertices.put(image, at)
    }
}

impl PlainRow for VtmbMesh {}
