//! The records that the tables of a model file are made of.

use super::{File, FormatError, Image, Reader, Record, Table, Text, Writer};

/// A bone.
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: Text,
    /// Parent; -1 = none.
    pub parent: i32,
    /// Controllers.
    pub controllers: [i32; 6],
    /// Place below its parent.
    pub position: [f32; 3],
    /// Turn below its parent: x, y, z, w.
    pub quaternion: [f32; 4],
    /// The same turn about x, y, z, in radians.
    pub rotation: [f32; 3],
    /// Scales of its animations.
    pub unknown_48: [u8; 24],
    /// From the model to the bone at rest: three rows of four.
    pub bone_from_model: [[f32; 4]; 3],
    /// Alignment.
    pub unknown_90: [u8; 16],
    /// Flags.
    pub flags: u32,
    /// Procedure, physics, surface property, contents.
    pub unknown_a4: [u8; 52],
}

/// A texture.
#[derive(Debug, Clone, PartialEq)]
pub struct MdlTexture {
    /// Its name, without folder and extension.
    pub name: Text,
    /// Flags.
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
    /// Radius.
    pub radius: f32,
    /// Meshes.
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
#[derive(Debug, Clone, PartialEq)]
pub struct MdlMesh {
    /// Reference into a skin.
    pub material: i32,
    /// Where its model stands, from here.
    pub model_offset: i32,
    /// Number of vertices.
    pub n_vertices: i32,
    /// First vertex of its model.
    pub first_vertex: i32,
    /// Flexes and the kind of its material.
    pub unknown_10: [u8; 16],
    /// Its number.
    pub id: i32,
    /// Its middle.
    pub center: [f32; 3],
    /// Nothing known.
    pub unknown_30: [u8; 4],
    /// Vertices in each level of detail.
    pub lod_vertex_counts: [i32; 8],
    /// Nothing known.
    pub unknown_54: [u8; 32],
}

impl Bone {
    pub(in super::super) const SIZE: usize = 216;
}

impl Record for Bone {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let name = file.take_text(r, "bone name", at)?;
        let parent = r.i32("bone parent")?;
        let mut controllers = [0; 6];
        for controller in &mut controllers {
            *controller = r.i32("bone controller")?;
        }
        let mut bone = Self {
            name,
            parent,
            controllers,
            position: r.f32x3("bone position")?,
            quaternion: f32x4(r, "bone quaternion")?,
            rotation: r.f32x3("bone rotation")?,
            unknown_48: r.array("bone scales")?,
            bone_from_model: [[0.0; 4]; 3],
            unknown_90: [0; 16],
            flags: 0,
            unknown_a4: [0; 52],
        };
        for row in &mut bone.bone_from_model {
            *row = f32x4(r, "bone pose")?;
        }
        bone.unknown_90 = r.array("bone alignment")?;
        bone.flags = r.u32("bone flags")?;
        bone.unknown_a4 = r.array("bone physics")?;
        Ok(bone)
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) {
        let Self {
            name,
            parent,
            controllers,
            position,
            quaternion,
            rotation,
            unknown_48,
            bone_from_model,
            unknown_90,
            flags,
            unknown_a4,
        } = self;
        w.i32(name.offset());
        w.i32(*parent);
        for controller in controllers {
            w.i32(*controller);
        }
        w.f32x3(*position);
        for component in quaternion {
            w.f32(*component);
        }
        w.f32x3(*rotation);
        w.bytes(unknown_48);
        for component in bone_from_model.iter().flatten() {
            w.f32(*component);
        }
        w.bytes(unknown_90);
        w.u32(*flags);
        w.bytes(unknown_a4);
    }
}

fn f32x4(r: &mut Reader<'_>, field: &'static str) -> Result<[f32; 4], FormatError> {
    let [x, y, z] = r.f32x3(field)?;
    Ok([x, y, z, r.f32(field)?])
}

impl MdlTexture {
    pub(in super::super) const SIZE: usize = 64;
}

impl Record for MdlTexture {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        Ok(Self {
            name: file.take_text(r, "texture name", at)?,
            flags: r.u32("texture flags")?,
            unknown_08: r.array("texture")?,
        })
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) {
        let Self {
            name,
            flags,
            unknown_08,
        } = self;
        w.i32(name.offset());
        w.u32(*flags);
        w.bytes(unknown_08);
    }
}

impl TextureFolder {
    pub(in super::super) const SIZE: usize = 4;
}

impl Record for TextureFolder {
    fn read(r: &mut Reader<'_>, file: &File<'_>, _: usize) -> Result<Self, FormatError> {
        let path = file.take_text(r, "texture folder", 0)?;
        Ok(Self { path })
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) {
        let Self { path } = self;
        w.i32(path.offset());
    }
}

impl MdlBodyPart {
    pub(in super::super) const SIZE: usize = 16;
}

impl Record for MdlBodyPart {
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

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) {
        let Self { name, models, base } = self;
        w.i32(name.offset());
        w.i32(models.count());
        w.i32(*base);
        w.i32(models.offset());
        image.put_table(models, at);
    }
}

impl MdlModel {
    pub(in super::super) const SIZE: usize = 148;
}

impl Record for MdlModel {
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

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) {
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
        image.put_table(meshes, at);
    }
}

impl MdlMesh {
    pub(in super::super) const SIZE: usize = 116;
}

impl Record for MdlMesh {
    fn read(r: &mut Reader<'_>, _: &File<'_>, _: usize) -> Result<Self, FormatError> {
        let mut mesh = Self {
            material: r.i32("mesh material")?,
            model_offset: r.i32("mesh model")?,
            n_vertices: r.i32("mesh vertex count")?,
            first_vertex: r.i32("mesh first vertex")?,
            unknown_10: r.array("mesh flexes")?,
            id: r.i32("mesh id")?,
            center: r.f32x3("mesh center")?,
            unknown_30: r.array("mesh")?,
            lod_vertex_counts: [0; 8],
            unknown_54: [0; 32],
        };
        for count in &mut mesh.lod_vertex_counts {
            *count = r.i32("mesh lod vertex count")?;
        }
        mesh.unknown_54 = r.array("mesh")?;
        Ok(mesh)
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) {
        let Self {
            material,
            model_offset,
            n_vertices,
            first_vertex,
            unknown_10,
            id,
            center,
            unknown_30,
            lod_vertex_counts,
            unknown_54,
        } = self;
        for word in [material, model_offset, n_vertices, first_vertex] {
            w.i32(*word);
        }
        w.bytes(unknown_10);
        w.i32(*id);
        w.f32x3(*center);
        w.bytes(unknown_30);
        for count in lod_vertex_counts {
            w.i32(*count);
        }
        w.bytes(unknown_54);
    }
}
