//! `*.mdl` of version 2531: a model of Vampire: The Masquerade - Bloodlines. Bones, materials, parts and vertices are in it;
//! its faces are in the [`vtx`](super::vtmb_vtx).
//!
//! Layout: two public readers of the game's models. Tables and their rows are where Crowbar (`SourceMdlFile2531`) and
//! twiglard's importer both have them; what the numbers of packed vertices mean, and which fields the header begins with,
//! is from the latter alone, which was written from the game's own code and tried on all of its models.
//!
//! Springs and cloth are kept as bytes and not read.

mod flexes;
mod format;
pub mod motion;
mod parts;
mod records;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
mod vertices;

pub(crate) use format::inspect_among;
pub use records::{VtmbBodyPart, VtmbBone, VtmbMesh, VtmbModel, VtmbTexture};
pub use vertices::{CompressedVertex, PackedVertex, SkinnedVertex, Vertex, VertexList};

use self::motion::{
    VtmbAnimation, VtmbBoneController, VtmbIncludedModel, VtmbPoseParameter, VtmbSequence,
    VtmbSequenceGroup,
};
use super::mdl::TextureFolder;
use super::mdl::tables::{self, Place};
use super::studio_file::{File, Image, Table, Text};
use ironlands_assets_core::bytes::{
    Finding, FormatError, FormatErrorKind, Reader, Severity, Writer,
};
use ironlands_assets_core::format::Format;

const FORMAT: &str = VtmbMdl::NAME;
/// First bytes of every file: those of any studio model, and the version.
const MAGIC: &[u8] = b"IDST";
const VERSION: i32 = 2531;

/// Tables of the header that are kept as bytes: name, where they stand in their part of it, bytes of a row.
const HIT_BOX_SETS_AT: usize = 256;
const HIT_BOXES: [Place; 1] = [("hitbox sets", 0, 12)];
const PARTS_AT: usize = 328;
const PARTS: [Place; 6] = [
    ("attachments", 0, 60),
    ("flex descriptions", 16, 4),
    ("flex controllers", 24, 20),
    ("flex rules", 32, 12),
    ("chains", 40, 16),
    ("mouths", 48, 20),
];
const SPRINGS_AT: usize = 396;
const SPRINGS: [Place; 1] = [("spring bones", 0, 28)];

/// A model file.
#[derive(Debug, Clone, PartialEq)]
pub struct VtmbMdl {
    /// What it is.
    pub header: VtmbHeader,
    /// Bones, parents first.
    pub bones: Table<VtmbBone>,
    /// What a game turns bones by.
    pub bone_controllers: Table<VtmbBoneController>,
    /// Animations.
    pub animations: Table<VtmbAnimation>,
    /// Sequences.
    pub sequences: Table<VtmbSequence>,
    /// Groups of sequences.
    pub sequence_groups: Table<VtmbSequenceGroup>,
    /// Textures.
    pub textures: Table<VtmbTexture>,
    /// Folders below `materials/` in which textures are looked for, in order.
    pub texture_folders: Table<TextureFolder>,
    /// Skin after skin: for each reference a texture.
    pub skin_references: Table<u16>,
    /// Body parts.
    pub body_parts: Table<VtmbBodyPart>,
    /// What animations are blended by.
    pub pose_parameters: Table<VtmbPoseParameter>,
    /// Further models whose sequences this one has, too.
    pub included_models: Table<VtmbIncludedModel>,
    /// What it is made of, as in `wood`; may be empty.
    pub surface_property: Text,
    n_skin_references: i32,
    n_skins: i32,
    image: Vec<u8>,
}

/// The fields of the header that are no tables.
#[derive(Debug, Clone, PartialEq)]
pub struct VtmbHeader {
    /// That of the model's other files.
    pub checksum: u32,
    /// Path below `models/`, NUL padded.
    pub name: [u8; 128],
    /// Bytes of the file; some have more behind that.
    pub length: u32,
    /// Almost always 0.5 each.
    pub unknown_90: [f32; 3],
    /// Where its eyes are.
    pub eye_position: [f32; 3],
    /// Where its light is sampled: the middle of the box of its first sequence.
    pub illumination_position: [f32; 3],
    /// Smallest and largest corner of what it collides with.
    pub hull: [[f32; 3]; 2],
    /// Smallest and largest corner of what is drawn; zero = the hull.
    pub view_bounds: [[f32; 3]; 2],
    /// 0x10 static prop, 0x4 opaque, 0x8 translucent in two passes.
    pub flags: u32,
    /// Shortest and longest time in seconds that lips take from one shape to the next.
    pub phoneme_times_secs: [f32; 2],
    /// Count and offset of hitbox sets.
    pub unknown_100: [u8; 8],
    /// Nothing known.
    pub unknown_118: [u8; 4],
    /// Counts and offsets of attachments, transitions, flexes, chains and mouths.
    pub unknown_148: [u8; 56],
    /// Count and offset of springs.
    pub unknown_18c: [u8; 8],
    /// Almost always 0, 0, 1.
    pub unknown_19c: [u8; 12],
}

impl VtmbMdl {
    const HEADER_SIZE: usize = 424;

    /// Whether a file is one of these, by its first bytes.
    pub fn is_one(head: &[u8]) -> bool {
        head.strip_prefix(MAGIC)
            .is_some_and(|rest| rest.starts_with(&VERSION.to_le_bytes()))
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// Another magic or version, a length beyond the file, tables and texts that do not lie in it or share their bytes
    /// many times, vertices of an unknown kind.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let file = File::new(FORMAT, data);
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        let mut header = VtmbHeader::read_identity(&mut r, data.len())?;
        let bones = file.take_table(&mut r, "bones", VtmbBone::SIZE, 0)?;
        let bone_controllers =
            file.take_table(&mut r, "bone controllers", VtmbBoneController::SIZE, 0)?;
        header.unknown_100 = r.array("hitbox sets")?;
        let animations = file.take_table(&mut r, "animations", VtmbAnimation::SIZE, 0)?;
        let sequences = file.take_table(&mut r, "sequences", VtmbSequence::SIZE, 0)?;
        header.unknown_118 = r.array("sequences")?;
        let sequence_groups =
            file.take_table(&mut r, "sequence groups", VtmbSequenceGroup::SIZE, 0)?;
        let textures = file.take_table(&mut r, "textures", VtmbTexture::SIZE, 0)?;
        let texture_folders = file.take_table(&mut r, "texture folders", TextureFolder::SIZE, 0)?;
        let skins_at = r.clone();
        let n_skin_references = r.i32("skin reference count")?;
        let n_skins = r.i32("skin count")?;
        let skin_offset = r.i32("skins")?;
        let n_rows = n_skin_references.checked_mul(n_skins);
        let n_rows = n_rows.filter(|_| n_skins >= 0).unwrap_or(-1);
        let skin_references = file.table(&skins_at, "skins", (n_rows, 2), (0, skin_offset))?;
        let body_parts = file.take_table(&mut r, "body parts", VtmbBodyPart::SIZE, 0)?;
        header.unknown_148 = r.array("attachments and flexes")?;
        let pose_parameters =
            file.take_table(&mut r, "pose parameters", VtmbPoseParameter::SIZE, 0)?;
        let surface_property = match r.clone().i32("surface property")? {
            0 => r.i32("surface property").map(|_| Text::default())?,
            _ => file.take_text(&mut r, "surface property", 0)?,
        };
        header.unknown_18c = r.array("spring bones")?;
        let included_models =
            file.take_table(&mut r, "included models", VtmbIncludedModel::SIZE, 0)?;
        header.unknown_19c = r.array("end of the header")?;
        Ok(Self {
            header,
            bones,
            bone_controllers,
            animations,
            sequences,
            sequence_groups,
            textures,
            texture_folders,
            skin_references,
            body_parts,
            pose_parameters,
            included_models,
            surface_property,
            n_skin_references,
            n_skins,
            image: data.to_vec(),
        })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// None: what was read can be written.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            header,
            bones,
            bone_controllers,
            animations,
            sequences,
            sequence_groups,
            textures,
            texture_folders,
            skin_references,
            body_parts,
            pose_parameters,
            included_models,
            surface_property,
            n_skin_references,
            n_skins,
            image,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        header.write_identity(&mut w);
        bones.write_place(&mut w);
        bone_controllers.write_place(&mut w);
        w.bytes(&header.unknown_100);
        animations.write_place(&mut w);
        sequences.write_place(&mut w);
        w.bytes(&header.unknown_118);
        sequence_groups.write_place(&mut w);
        textures.write_place(&mut w);
        texture_folders.write_place(&mut w);
        w.i32(*n_skin_references);
        w.i32(*n_skins);
        w.i32(skin_references.offset());
        body_parts.write_place(&mut w);
        w.bytes(&header.unknown_148);
        pose_parameters.write_place(&mut w);
        w.i32(surface_property.offset());
        w.bytes(&header.unknown_18c);
        included_models.write_place(&mut w);
        w.bytes(&header.unknown_19c);
        let mut image = Image::new(FORMAT, image);
        image.put(0, &w.finish());
        image.put_table(bones, 0)?;
        image.put_table(bone_controllers, 0)?;
        image.put_table(animations, 0)?;
        image.put_table(sequences, 0)?;
        image.put_table(sequence_groups, 0)?;
        image.put_table(textures, 0)?;
        image.put_table(texture_folders, 0)?;
        image.put_table(skin_references, 0)?;
        image.put_table(body_parts, 0)?;
        image.put_table(pose_parameters, 0)?;
        image.put_table(included_models, 0)?;
        Ok(image.finish())
    }

    /// For each skin the texture of each reference.
    pub fn skins(&self) -> impl Iterator<Item = &[u16]> {
        let n_references = usize::try_from(self.n_skin_references).unwrap_or(0);
        self.skin_references.chunks(n_references.max(1))
    }

    /// Whether anything of it is drawn: files of animations alone have no meshes.
    pub fn has_meshes(&self) -> bool {
        let mut models = self.body_parts.iter().flat_map(|part| part.models.iter());
        models.any(|model| !model.meshes.is_empty())
    }

    /// What is unusual about the file.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = self.check_tables();
        let skins = (&self.skin_references[..], self.textures.len());
        let parents = self.bones.iter().map(|it| it.parent);
        findings.extend(tables::check_numbers(FORMAT, skins, parents));
        let models = self.body_parts.iter().flat_map(|part| part.models.iter());
        let n_wild = models.map(VtmbModel::n_without_normal).sum::<usize>();
        if n_wild > 0 {
            let message =
                format!("{n_wild} vertices name normals that are not there; they point up");
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        }
        findings
    }

    /// Tables that are kept as bytes and reach out of the file.
    fn check_tables(&self) -> Vec<Finding> {
        let VtmbHeader {
            unknown_100,
            unknown_148,
            unknown_18c,
            ..
        } = &self.header;
        let parts: [(usize, &[u8], &[Place]); 3] = [
            (HIT_BOX_SETS_AT, unknown_100, &HIT_BOXES),
            (PARTS_AT, unknown_148, &PARTS),
            (SPRINGS_AT, unknown_18c, &SPRINGS),
        ];
        tables::check_parts(FORMAT, &parts, self.image.len())
    }
}

impl VtmbHeader {
    /// Reads the part between the magic and the bones.
    fn read_identity(r: &mut Reader<'_>, file_len: usize) -> Result<Self, FormatError> {
        let at = r.clone();
        let version = r.i32("version")?;
        if version != VERSION {
            let what = format!("version {version}");
            return Err(at.error("version", FormatErrorKind::Unsupported { what }));
        }
        let checksum = r.u32("checksum")?;
        let name = r.array("name")?;
        let at = r.clone();
        let length = r.u32("file length")?;
        if length as usize > file_len || (length as usize) < VtmbMdl::HEADER_SIZE {
            let expected = format!("{} to {file_len}", VtmbMdl::HEADER_SIZE);
            return Err(at.unexpected("file length", expected, length));
        }
        Ok(Self {
            checksum,
            name,
            length,
            unknown_90: r.f32x3("header")?,
            eye_position: r.f32x3("eye position")?,
            illumination_position: r.f32x3("illumination position")?,
            hull: [r.f32x3("hull min")?, r.f32x3("hull max")?],
            view_bounds: [r.f32x3("view min")?, r.f32x3("view max")?],
            flags: r.u32("flags")?,
            phoneme_times_secs: [r.f32("phoneme time")?, r.f32("phoneme time")?],
            unknown_100: [0; 8],
            unknown_118: [0; 4],
            unknown_148: [0; 56],
            unknown_18c: [0; 8],
            unknown_19c: [0; 12],
        })
    }

    fn write_identity(&self, w: &mut Writer) {
        w.i32(VERSION);
        w.u32(self.checksum);
        w.bytes(&self.name);
        w.u32(self.length);
        w.f32x3(self.unknown_90);
        w.f32x3(self.eye_position);
        w.f32x3(self.illumination_position);
        for corner in self.hull.iter().chain(&self.view_bounds) {
            w.f32x3(*corner);
        }
        w.u32(self.flags);
        for time_secs in self.phoneme_times_secs {
            w.f32(time_secs);
        }
    }
}
