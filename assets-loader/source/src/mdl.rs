//! `*.mdl`: a studio model's bones, materials and parts. Its vertices are in the [`vvd`](super::vvd), its faces in the
//! [`vtx`](super::vtx). Dossier section 10.5. Model axes and units, +Z up.
//!
//! What moves a model is kept as bytes: [`motion`] reads animations and sequences from them, [`flexes`] what moves its
//! face; procedural bones are not read.

#[cfg(test)]
mod tests;

mod eyes;
pub mod flexes;
mod format;
pub mod motion;
mod parts;
mod records;
pub(crate) mod tables;

pub use eyes::{Eyeball, MeshEye, eyes};
pub(crate) use format::{
    beside, describe_attachments, describe_motion, describe_opened, inspect_among,
    material_references,
};
pub use parts::{Attachment, HitBox, HitBoxSet, Parts};
pub use records::{Bone, MdlBodyPart, MdlMesh, MdlModel, MdlTexture, TextureFolder};

use super::bsp::{MAX_COORDINATE, is_place};
use super::studio_file::{File, Image, PlainRow, Row, Table, Text};
use ironlands_assets_core::bytes::{Finding, FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::format::Format;

pub(super) const FORMAT: &str = Mdl::NAME;
/// First bytes of every file.
const MAGIC: &[u8] = b"IDST";
/// Versions that are read.
pub(super) const VERSIONS: std::ops::RangeInclusive<i32> = 44..=49;

/// A model file, versions 44 to 49.
#[derive(Debug, Clone, PartialEq)]
pub struct Mdl {
    /// What it is.
    pub header: MdlHeader,
    /// Bones, parents first.
    pub bones: Table<Bone>,
    /// Textures.
    pub textures: Table<MdlTexture>,
    /// Folders below `materials/` in which textures are looked for, in order.
    pub texture_folders: Table<TextureFolder>,
    /// Skin after skin: for each reference a texture.
    pub skin_references: Table<u16>,
    /// Body parts.
    pub body_parts: Table<MdlBodyPart>,
    /// What it is made of, as in `wood`.
    pub surface_property: Text,
    n_skin_references: i32,
    n_skins: i32,
    image: Vec<u8>,
}

/// The fields of the header that are no tables.
#[derive(Debug, Clone, PartialEq)]
pub struct MdlHeader {
    /// Version, 44 to 49.
    pub version: i32,
    /// That of the model's other files.
    pub checksum: u32,
    /// Path below `models/`, NUL padded.
    pub name: [u8; 64],
    /// Where its eyes are.
    pub eye_position: [f32; 3],
    /// Where its light is sampled.
    pub illumination_position: [f32; 3],
    /// Smallest and largest corner of what it collides with.
    pub hull: [[f32; 3]; 2],
    /// Smallest and largest corner of what is drawn; zero = the hull.
    pub view_bounds: [[f32; 3]; 2],
    /// 0x10 static prop, 0x4 opaque, 0x8 translucent in two passes.
    pub flags: u32,
    /// Counts and offsets of controllers, hitboxes, animations and sequences.
    pub unknown_a4: [u8; 40],
    /// Counts and offsets of attachments, nodes, flexes, chains, mouths and poses.
    pub unknown_f0: [u8; 68],
    /// Offset and length of key values; locks.
    pub unknown_138: [u8; 16],
    /// Mass in kilograms.
    pub mass: f32,
    /// Contents (section 7.2).
    pub contents: u32,
    /// Included models; animation blocks.
    pub unknown_150: [u8; 40],
    /// Light from one direction, 0 to 255; 0 = as usual.
    pub constant_directional_light: u8,
    /// Finest level of detail that is used.
    pub root_lod: u8,
    /// Number of levels of detail that may be the root.
    pub n_allowed_root_lods: u8,
    /// Scales, flex controllers and the second header.
    pub unknown_17b: [u8; 29],
}

impl Mdl {
    pub(super) const HEADER_SIZE: usize = 408;

    /// Reads a whole file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let file = File::new(FORMAT, data);
        let mut r = Reader::new(FORMAT, data);
        r.expect("magic", MAGIC)?;
        let mut header = MdlHeader::read_identity(&mut r, data.len())?;
        let bones = file.take_table(&mut r, "bones", Bone::SIZE, 0)?;
        header.unknown_a4 = r.array("sequences")?;
        let textures = file.take_table(&mut r, "textures", MdlTexture::SIZE, 0)?;
        let texture_folders = file.take_table(&mut r, "texture folders", TextureFolder::SIZE, 0)?;
        let skins_at = r.clone();
        let n_skin_references = r.i32("skin reference count")?;
        let n_skins = r.i32("skin count")?;
        let skin_offset = r.i32("skins")?;
        let n_rows = n_skin_references.checked_mul(n_skins);
        let n_rows = n_rows.filter(|_| n_skins >= 0).unwrap_or(-1);
        let skin_references = file.table(&skins_at, "skins", (n_rows, 2), (0, skin_offset))?;
        let body_parts = file.take_table(&mut r, "body parts", MdlBodyPart::SIZE, 0)?;
        header.unknown_f0 = r.array("attachments and flexes")?;
        let surface_property = file.take_text(&mut r, "surface property", 0)?;
        header.read_rest(&mut r)?;
        Ok(Self {
            header,
            bones,
            textures,
            texture_folders,
            skin_references,
            body_parts,
            surface_property,
            n_skin_references,
            n_skins,
            image: data.to_vec(),
        })
    }

    /// The bytes of the file.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            header,
            bones,
            textures,
            texture_folders,
            skin_references,
            body_parts,
            surface_property,
            n_skin_references,
            n_skins,
            image,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(MAGIC);
        header.write_identity(&mut w, image.len())?;
        bones.write_place(&mut w);
        w.bytes(&header.unknown_a4);
        textures.write_place(&mut w);
        texture_folders.write_place(&mut w);
        w.i32(*n_skin_references);
        w.i32(*n_skins);
        w.i32(skin_references.offset());
        body_parts.write_place(&mut w);
        w.bytes(&header.unknown_f0);
        w.i32(surface_property.offset());
        header.write_rest(&mut w);
        let mut image = Image::new(FORMAT, image);
        image.put(0, &w.finish());
        image.put_table(bones, 0)?;
        image.put_table(textures, 0)?;
        image.put_table(texture_folders, 0)?;
        image.put_table(skin_references, 0)?;
        image.put_table(body_parts, 0)?;
        Ok(image.finish())
    }

    /// The whole file as it was read.
    fn image(&self) -> &[u8] {
        &self.image
    }

    /// For each skin the texture of each reference.
    pub fn skins(&self) -> impl Iterator<Item = &[u16]> {
        let n_references = usize::try_from(self.n_skin_references).unwrap_or(0);
        self.skin_references.chunks(n_references.max(1))
    }

    /// Key values as text, up to a NUL; empty where there are none, or where they do not lie in the file.
    pub fn key_values(&self) -> &[u8] {
        let mut r = Reader::new(FORMAT, &self.header.unknown_138);
        let mut number = || usize::try_from(r.i32("key values").ok()?).ok();
        let place = number().zip(number());
        let end = place.and_then(|(start, length)| start.checked_add(length));
        let text = place
            .zip(end)
            .and_then(|((start, _), end)| self.image.get(start..end));
        text.and_then(|it| it.split(|byte| *byte == 0).next())
            .unwrap_or_default()
    }

    /// Whether anything of it is drawn: files of animations alone have no meshes, and no vertices beside them.
    pub fn has_meshes(&self) -> bool {
        let mut models = self.body_parts.iter().flat_map(|part| part.models.iter());
        models.any(|model| !model.meshes.is_empty())
    }

    /// Tables that are kept as bytes and reach out of the file: what moves a model, and what hangs on it.
    pub fn check_tables(&self) -> Vec<Finding> {
        tables::check(&self.header, self.image.len())
    }

    /// What is unusual about the file.
    pub fn check(&self) -> Vec<Finding> {
        let skins = (&self.skin_references[..], self.textures.len());
        tables::check_numbers(FORMAT, skins, self.bones.iter().map(|it| it.parent))
    }
}

impl MdlHeader {
    /// Refuses a header whose box or sample of light lies outside of any map.
    pub(super) fn refuse_wild_places(&self) -> Result<(), FormatError> {
        let [min, max] = self.hull;
        let places = [
            ("illumination position", 92, self.illumination_position),
            ("hull min", 104, min),
            ("hull max", 116, max),
        ];
        match places.iter().find(|(_, _, place)| !is_place(*place)) {
            None => Ok(()),
            Some((field, offset, place)) => {
                let expected = format!("coordinates up to {MAX_COORDINATE}");
                let r = Reader::nested(FORMAT, &[], *offset);
                Err(r.unexpected(*field, expected, format!("{place:?}")))
            }
        }
    }

    /// Reads the part between the magic and the bones.
    fn read_identity(r: &mut Reader<'_>, file_len: usize) -> Result<Self, FormatError> {
        let at = r.clone();
        let version = r.i32("version")?;
        if !VERSIONS.contains(&version) {
            let what = format!("version {version}");
            return Err(at.error("version", FormatErrorKind::Unsupported { what }));
        }
        let checksum = r.u32("checksum")?;
        let name = r.array("name")?;
        let at = r.clone();
        let len = r.i32("file length")?;
        if usize::try_from(len).ok() != Some(file_len) {
            return Err(at.unexpected("file length", file_len.to_string(), len));
        }
        Ok(Self {
            version,
            checksum,
            name,
            eye_position: r.f32x3("eye position")?,
            illumination_position: r.f32x3("illumination position")?,
            hull: [r.f32x3("hull min")?, r.f32x3("hull max")?],
            view_bounds: [r.f32x3("view min")?, r.f32x3("view max")?],
            flags: r.u32("flags")?,
            unknown_a4: [0; 40],
            unknown_f0: [0; 68],
            unknown_138: [0; 16],
            mass: 0.0,
            contents: 0,
            unknown_150: [0; 40],
            constant_directional_light: 0,
            root_lod: 0,
            n_allowed_root_lods: 0,
            unknown_17b: [0; 29],
        })
    }

    fn write_identity(&self, w: &mut Writer, file_len: usize) -> Result<(), FormatError> {
        w.i32(self.version);
        w.u32(self.checksum);
        w.bytes(&self.name);
        w.count("file length", file_len)?;
        w.f32x3(self.eye_position);
        w.f32x3(self.illumination_position);
        for corner in self.hull.iter().chain(&self.view_bounds) {
            w.f32x3(*corner);
        }
        w.u32(self.flags);
        Ok(())
    }

    /// Reads what follows the surface property.
    fn read_rest(&mut self, r: &mut Reader<'_>) -> Result<(), FormatError> {
        self.unknown_138 = r.array("key values")?;
        self.mass = r.f32("mass")?;
        self.contents = r.u32("contents")?;
        self.unknown_150 = r.array("included models")?;
        self.constant_directional_light = r.u8("constant directional light")?;
        self.root_lod = r.u8("root lod")?;
        self.n_allowed_root_lods = r.u8("allowed root lods")?;
        self.unknown_17b = r.array("end of the header")?;
        Ok(())
    }

    fn write_rest(&self, w: &mut Writer) {
        w.bytes(&self.unknown_138);
        w.f32(self.mass);
        w.u32(self.contents);
        w.bytes(&self.unknown_150);
        w.u8(self.constant_directional_light);
        w.u8(self.root_lod);
        w.u8(self.n_allowed_root_lods);
        w.bytes(&self.unknown_17b);
    }
}
