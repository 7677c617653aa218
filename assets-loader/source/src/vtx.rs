//! `*.vtx`: the faces of a studio model, cut into what graphics cards of their time took at once. Dossier section 10.5.
//!
//! Body parts, models and meshes are those of the [`mdl`](super::mdl), in order; each model has its levels of detail.

#[cfg(test)]
mod tests;

use super::studio_file::{File, Image, PlainRow, Row, Table, Text};
use super::vvd::expect_version;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::record::{Field, Record};
use ironlands_assets_core::report::Report;

const FORMAT: &str = Vtx::NAME;
const VERSION: i32 = 7;

/// The faces of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Vtx {
    /// Vertices that the compiler took a card's cache to hold.
    pub vertex_cache_size: i32,
    /// Most bones of a strip.
    pub max_bones_per_strip: u16,
    /// Most bones of a triangle.
    pub max_bones_per_triangle: u16,
    /// Most bones of a vertex.
    pub max_bones_per_vertex: i32,
    /// That of the model's other files.
    pub checksum: u32,
    /// Levels of detail.
    pub n_lods: i32,
    /// For each level of detail the textures that it has of its own; none if offset 0 names no table.
    pub replacements: Table<VtxReplacements>,
    /// As many as the model file has, in its order.
    pub body_parts: Table<VtxBodyPart>,
    layout: StripLayout,
    image: Vec<u8>,
}

/// How long the records of strips are; nothing in the file says it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum StripLayout {
    /// 25 bytes a group, 27 a strip.
    #[default]
    Short,
    /// 8 bytes more each, for subdivision: models of version 49 from Alien Swarm on.
    Long,
}

/// What a level of detail is drawn with in place of textures of the model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VtxReplacements {
    /// In file order; the first of a texture counts.
    pub textures: Table<VtxReplacement>,
}

/// A texture of a level of detail.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VtxReplacement {
    /// Number of the texture of the model that it replaces.
    pub texture: i16,
    /// Its name, which is looked for in the folders of the model.
    pub name: Text,
}

/// A body part, with meshes of either version.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VtxBodyPart<M = VtxMesh> {
    /// Models to choose from.
    pub models: Table<VtxModel<M>>,
}

/// A model of a body part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VtxModel<M = VtxMesh> {
    /// Levels of detail, the finest first.
    pub lods: Table<VtxLod<M>>,
}

/// A level of detail of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VtxLod<M = VtxMesh> {
    /// As many as the model has, in its order.
    pub meshes: Table<M>,
    /// How far away it comes into use; -1 = only for shadows.
    pub switch_point: f32,
}

/// A mesh of a level of detail.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VtxMesh {
    /// Groups by how their vertices are skinned.
    pub strip_groups: Table<StripGroup>,
    /// 1 teeth, 2 eyes.
    pub flags: u8,
}

/// Vertices and faces that are drawn in one state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StripGroup {
    /// The vertices that the indices refer to.
    pub vertices: Table<VtxVertex>,
    /// Numbers of vertices of the group.
    pub indices: Table<u16>,
    /// Ranges of `indices`.
    pub strips: Table<Strip>,
    /// 1 flexes, 2 skinned by the card, 4 delta flexes.
    pub flags: u8,
    /// Number and offset of topology indices, which are kept as bytes; only in the long layout.
    pub topology: Option<[i32; 2]>,
}

/// Some of the faces of a group.
#[derive(Debug, Clone, Default, PartialEq, Record)]
#[record(layout = StripLayout)]
pub struct Strip {
    /// Indices from `first_index` on.
    #[field("strip index count")]
    pub n_indices: i32,
    /// First index of the group.
    #[field("strip first index")]
    pub first_index: i32,
    /// Vertices from `first_vertex` on.
    #[field("strip vertex count")]
    pub n_vertices: i32,
    /// First vertex of the group.
    #[field("strip first vertex")]
    pub first_vertex: i32,
    /// Most bones that a vertex of it has.
    #[field("strip bone count")]
    pub n_bones: i16,
    /// 1 triangle list, 2 triangle strip.
    #[field("strip flags")]
    pub flags: u8,
    /// Number and offset of changes of bones, which are kept as bytes.
    #[field("bone state changes")]
    pub bone_state_changes: [i32; 2],
    /// As that of the group.
    #[field("topology", sized)]
    pub topology: Option<[i32; 2]>,
}

/// A vertex of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct VtxVertex {
    /// Which weights of the vertex the bones have.
    #[field("strip group vertex")]
    pub weight_indices: [u8; 3],
    /// Bones that move the vertex, at most 3.
    #[field("strip group vertex")]
    pub n_bones: u8,
    /// Number of the vertex in its mesh.
    #[field("strip group vertex")]
    pub mesh_vertex: u16,
    /// The bones, of which `n_bones` count.
    #[field("strip group vertex")]
    pub bones: [i8; 3],
}

/// The mesh of a level of detail, which versions store differently.
pub(super) trait LodMesh: Row {
    /// Bytes of a mesh.
    const SIZE: usize;
}

impl LodMesh for VtxMesh {
    const SIZE: usize = size::MESH;
}

/// Bytes of the records.
pub(super) mod size {
    use super::StripLayout;

    pub const HEADER: usize = 36;
    pub const REPLACEMENTS: usize = 8;
    pub const REPLACEMENT: usize = 6;
    pub const BODY_PART: usize = 8;
    pub const MODEL: usize = 8;
    pub const LOD: usize = 12;
    pub const MESH: usize = 9;

    pub fn strip_group(layout: StripLayout) -> usize {
        match layout {
            StripLayout::Short => 25,
            StripLayout::Long => 33,
        }
    }
}

impl Format for Vtx {
    type Context = ();

    const NAME: &'static str = "vtx";
    const EXTENSIONS: &'static [&'static str] = &["vtx"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _: &[u8]) -> Option<Match> {
        name.ends_with(".vtx").then_some(Match::Extension)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("checksum", format!("{:08x}", self.checksum));
        report.fact("levels of detail", self.n_lods);
        report.fact("body parts", self.body_parts.len());
        for (lod, replacements) in self.replacements.iter().enumerate() {
            for VtxReplacement { texture, name } in &replacements.textures {
                let name = name.text();
                report.fact(
                    "own texture",
                    format!("{name} in place of number {texture} at level {lod}"),
                );
            }
        }
    }
}

impl Vtx {
    /// Reads a whole file of version 7.
    ///
    /// The layout of strips is the one that makes sense: the short one, unless its strips do not use up the indices of
    /// their groups and those of the long one do. A file of one group and one strip a mesh is the same in both.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let short = Self::read_layout(data, StripLayout::Short);
        if short.as_ref().is_ok_and(Self::strips_use_up_groups) {
            return short;
        }
        match Self::read_layout(data, StripLayout::Long) {
            Ok(long) if short.is_err() || long.strips_use_up_groups() => Ok(long),
            _ => short,
        }
    }

    fn read_layout(data: &[u8], layout: StripLayout) -> Result<Self, FormatError> {
        let file = File::new(FORMAT, data).with_strips(layout);
        let mut r = Reader::new(FORMAT, data);
        expect_version(&mut r, VERSION)?;
        let vertex_cache_size = r.i32("vertex cache size")?;
        let max_bones_per_strip = r.u16("max bones per strip")?;
        let max_bones_per_triangle = r.u16("max bones per triangle")?;
        let max_bones_per_vertex = r.i32("max bones per vertex")?;
        let checksum = r.u32("checksum")?;
        let n_lods = r.i32("lod count")?;
        let at_replacements = r.clone();
        let offset = r.i32("material replacements")?;
        let n_rows = if offset == 0 { 0 } else { n_lods };
        let replacements = file.table(
            &at_replacements,
            "material replacements",
            (n_rows, size::REPLACEMENTS),
            (0, offset),
        )?;
        Ok(Self {
            vertex_cache_size,
            max_bones_per_strip,
            max_bones_per_triangle,
            max_bones_per_vertex,
            checksum,
            n_lods,
            replacements,
            body_parts: file.take_table(&mut r, "body parts", size::BODY_PART, 0)?,
            layout,
            image: data.to_vec(),
        })
    }

    /// The bytes of the file.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            vertex_cache_size,
            max_bones_per_strip,
            max_bones_per_triangle,
            max_bones_per_vertex,
            checksum,
            n_lods,
            replacements,
            body_parts,
            layout: _,
            image,
        } = self;
        let mut image = Image::new(FORMAT, image);
        let mut w = Writer::new(FORMAT);
        w.i32(VERSION);
        w.i32(*vertex_cache_size);
        w.u16(*max_bones_per_strip);
        w.u16(*max_bones_per_triangle);
        w.i32(*max_bones_per_vertex);
        w.u32(*checksum);
        w.i32(*n_lods);
        w.i32(replacements.offset());
        body_parts.write_place(&mut w);
        image.put(0, &w.finish());
        image.put_table(replacements, 0)?;
        image.put_table(body_parts, 0)?;
        Ok(image.finish())
    }

    /// How long the records of strips are.
    pub fn layout(&self) -> StripLayout {
        self.layout
    }

    /// What is unusual about the file.
    pub fn check(&self) -> Vec<Finding> {
        let groups = self.strip_groups().enumerate();
        let odd = groups.filter(|(_, group)| !group.is_used_up());
        let reported = odd.map(|(index, group)| {
            let n_indices = group.indices.len();
            format!("the strips of group {index} do not use up its {n_indices} indices")
        });
        reported
            .map(|message| Finding::new(Severity::Warning, FORMAT, message))
            .collect()
    }

    fn strips_use_up_groups(&self) -> bool {
        self.strip_groups().all(StripGroup::is_used_up)
    }

    fn strip_groups(&self) -> impl Iterator<Item = &StripGroup> {
        let models = self.body_parts.iter().flat_map(|part| &part.models);
        let meshes = models
            .flat_map(|model| &model.lods)
            .flat_map(|lod| &lod.meshes);
        meshes.flat_map(|mesh| &mesh.strip_groups)
    }
}

impl StripGroup {
    /// Whether its strips take its indices one after the other, to the last.
    fn is_used_up(&self) -> bool {
        let mut next = 0_i64;
        let in_order = self.strips.iter().all(|strip| {
            let is_next = i64::from(strip.first_index) == next && strip.n_indices >= 0;
            next = next.saturating_add(strip.n_indices.into());
            is_next
        });
        in_order && next == self.indices.len() as i64
    }
}

impl Row for VtxReplacements {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let textures = file.take_table(r, "replaced textures", size::REPLACEMENT, at)?;
        Ok(Self { textures })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self { textures } = self;
        textures.write_place(w);
        image.put_table(textures, at)?;
        Ok(())
    }
}

impl Row for VtxReplacement {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        Ok(Self {
            texture: r.i16("replaced texture")?,
            name: file.take_text(r, "replacement", at)?,
        })
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) -> Result<(), FormatError> {
        let Self { texture, name } = self;
        w.i16(*texture);
        w.i32(name.offset());
        Ok(())
    }
}

impl<M: LodMesh> Row for VtxBodyPart<M> {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let models = file.take_table(r, "models", size::MODEL, at)?;
        Ok(Self { models })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self { models } = self;
        models.write_place(w);
        image.put_table(models, at)?;
        Ok(())
    }
}

impl<M: LodMesh> Row for VtxModel<M> {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let lods = file.take_table(r, "lods", size::LOD, at)?;
        Ok(Self { lods })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self { lods } = self;
        lods.write_place(w);
        image.put_table(lods, at)?;
        Ok(())
    }
}

impl<M: LodMesh> Row for VtxLod<M> {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        Ok(Self {
            meshes: file.take_table(r, "meshes", M::SIZE, at)?,
            switch_point: r.f32("lod switch point")?,
        })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self {
            meshes,
            switch_point,
        } = self;
        meshes.write_place(w);
        w.f32(*switch_point);
        image.put_table(meshes, at)?;
        Ok(())
    }
}

impl Row for VtxMesh {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let group_size = size::strip_group(file.strip_layout());
        Ok(Self {
            strip_groups: file.take_table(r, "strip groups", group_size, at)?,
            flags: r.u8("mesh flags")?,
        })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self {
            strip_groups,
            flags,
        } = self;
        strip_groups.write_place(w);
        w.u8(*flags);
        image.put_table(strip_groups, at)?;
        Ok(())
    }
}

impl Row for StripGroup {
    fn read(r: &mut Reader<'_>, file: &File<'_>, at: usize) -> Result<Self, FormatError> {
        let strip_size = <Strip as Record>::size(file.strip_layout());
        Ok(Self {
            vertices: file.take_table(r, "strip group vertices", VtxVertex::SIZE, at)?,
            indices: file.take_table(r, "strip group indices", 2, at)?,
            strips: file.take_table(r, "strips", strip_size, at)?,
            flags: r.u8("strip group flags")?,
            topology: Field::read(r, "topology", file.strip_layout())?,
        })
    }

    fn write(&self, w: &mut Writer, image: &mut Image, at: usize) -> Result<(), FormatError> {
        let Self {
            vertices,
            indices,
            strips,
            flags,
            topology,
        } = self;
        vertices.write_place(w);
        indices.write_place(w);
        strips.write_place(w);
        w.u8(*flags);
        for word in topology.iter().flatten() {
            w.i32(*word);
        }
        image.put_table(vertices, at)?;
        image.put_table(indices, at)?;
        image.put_table(strips, at)?;
        Ok(())
    }
}

impl Row for Strip {
    fn read(r: &mut Reader<'_>, file: &File<'_>, _: usize) -> Result<Self, FormatError> {
        Record::read(r, file.strip_layout())
    }

    fn write(&self, w: &mut Writer, _: &mut Image, _: usize) -> Result<(), FormatError> {
        let layout = match self.topology {
            None => StripLayout::Short,
            Some(_) => StripLayout::Long,
        };
        Record::write(self, w, layout)
    }
}

/// The number and the offset of topology indices, which only the long layout has.
impl Field<StripLayout> for Option<[i32; 2]> {
    fn size(layout: StripLayout) -> usize {
        match layout {
            StripLayout::Short => 0,
            StripLayout::Long => 8,
        }
    }

    fn read(
        r: &mut Reader<'_>,
        name: &'static str,
        layout: StripLayout,
    ) -> Result<Self, FormatError> {
        match layout {
            StripLayout::Short => Ok(None),
            StripLayout::Long => Field::read(r, name, ()).map(Some),
        }
    }

    fn write(&self, w: &mut Writer, name: &'static str, _: StripLayout) -> Result<(), FormatError> {
        self.iter().try_for_each(|place| place.write(w, name, ()))
    }
}

impl PlainRow for VtxVertex {}
