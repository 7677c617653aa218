//! The `mdl` of a drafted static prop.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "offsets in a file in memory that is being written"
)]

use glam::Vec3;

use super::StudioDraft;
use crate::mdl::{self, Mdl, MdlBodyPart, MdlMesh, MdlModel, MdlTexture};
use ironlands_assets_core::bytes::{FormatError, Writer};

const VERSION: i32 = 48;
const STATIC_PROP: u32 = 0x10;
const CONTENTS_SOLID: u32 = 1;
/// Vertices of the finest level of detail hang on the bone.
const BONE_HAS_VERTICES: u32 = 0x400;
const NAME_SIZE: usize = 64;
const HITBOX_SET_SIZE: usize = 12;
/// Animation 255: nothing moves.
const NO_ANIMATION: [u8; 4] = [255, 0, 0, 0];

/// A model file under construction: offsets are filled in when what they lead to is written.
pub(super) struct MdlDraft<'a> {
    draft: &'a StudioDraft,
    w: Writer,
    /// Texts that stand at the end: the field that leads there, where the offset counts from, the text.
    texts: Vec<(usize, usize, &'a str)>,
    bounds: [Vec3; 2],
}

impl<'a> MdlDraft<'a> {
    pub(super) fn new(draft: &'a StudioDraft) -> Self {
        let positions = draft.meshes.iter().flat_map(|mesh| &mesh.positions);
        let positions = || positions.clone().map(|position| Vec3::from(*position));
        let bounds = [
            positions().reduce(Vec3::min).unwrap_or_default(),
            positions().reduce(Vec3::max).unwrap_or_default(),
        ];
        Self {
            draft,
            w: Writer::new(mdl::FORMAT),
            texts: Vec::new(),
            bounds,
        }
    }

    pub(super) fn build(mut self, checksum: u32) -> Result<Vec<u8>, FormatError> {
        self.header(checksum)?;
        self.bone();
        self.hitbox();
        self.animation();
        self.sequence();
        self.lead(364, 0);
        self.w.bytes(&[0]); // The only bone is the first by name.
        self.w.pad_to(4);
        self.textures();
        self.body_part()?;
        for (field, from, text) in std::mem::take(&mut self.texts) {
            let offset = self.at() - from;
            self.w.patch_u32(field, offset as u32);
            self.w.bytes(text.as_bytes());
            self.w.u8(0);
        }
        self.w.pad_to(4);
        let len = self.at();
        self.w.patch_u32(76, len as u32);
        Ok(self.w.finish())
    }

    fn at(&self) -> usize {
        self.w.offset() as usize
    }

    /// Has the field at `field`, which counts from `from`, lead to what is written next.
    fn lead(&mut self, field: usize, from: usize) {
        let offset = self.at() - from;
        self.w.patch_u32(field, offset as u32);
    }

    /// Appends an offset, from `from`, of a text.
    fn text(&mut self, from: usize, text: &'a str) {
        self.texts.push((self.at(), from, text));
        self.w.i32(0);
    }

    fn i32s(&mut self, numbers: &[i32]) {
        for number in numbers {
            self.w.i32(*number);
        }
    }

    fn zeros(&mut self, n_words: usize) {
        self.w.bytes(&vec![0; n_words * 4]);
    }

    fn f32s(&mut self, numbers: &[f32]) {
        for number in numbers {
            self.w.f32(*number);
        }
    }

    /// A text in a field of 64 bytes.
    fn name_field(&mut self, name: &str) {
        self.w.bytes(name.as_bytes());
        self.w.bytes(&vec![0; NAME_SIZE - name.len()]);
    }

    /// All 408 bytes; offsets are filled in later.
    fn header(&mut self, checksum: u32) -> Result<(), FormatError> {
        let draft = self.draft;
        let [mins, maxs] = self.bounds;
        self.w.bytes(b"IDST");
        self.w.i32(VERSION);
        self.w.u32(checksum);
        self.name_field(&draft.name);
        self.zeros(1 + 3);
        self.w.f32x3(((mins + maxs) * 0.5).to_array());
        self.w.f32x3(mins.to_array());
        self.w.f32x3(maxs.to_array());
        self.zeros(6);
        self.w.u32(STATIC_PROP);
        // Bones, controllers, hitbox sets, animations, sequences, their versions: counts and offsets.
        self.i32s(&[1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0]);
        self.w.count("textures", draft.textures.len())?;
        self.w.i32(0);
        self.w
            .count("texture folders", draft.texture_folders.len())?;
        self.w.i32(0);
        self.w.count("skin references", draft.textures.len())?;
        self.w.count("skins", draft.more_skins.len() + 1)?;
        self.w.i32(0);
        self.i32s(&[1, 0]);
        self.zeros(17);
        self.text(0, &draft.surface_property);
        self.zeros(4);
        self.w.f32(draft.mass);
        self.w.u32(CONTENTS_SOLID);
        self.zeros(18);
        debug_assert_eq!(self.at(), Mdl::HEADER_SIZE);
        Ok(())
    }

    /// One bone that leaves the model where it is.
    fn bone(&mut self) {
        self.lead(160, 0);
        let at = self.at();
        self.text(at, "static_prop");
        self.i32s(&[-1; 7]);
        self.zeros(3);
        self.f32s(&[0.0, 0.0, 0.0, 1.0]);
        self.zeros(3 + 6);
        for row in 0..3 {
            let mut cells = [0.0; 4];
            cells[row] = 1.0;
            self.f32s(&cells);
        }
        self.f32s(&[0.0, 0.0, 0.0, 1.0]);
        self.w.u32(BONE_HAS_VERTICES);
        self.zeros(3);
        let surface_property = self.draft.surface_property.as_str();
        self.text(at, surface_property);
        self.w.u32(CONTENTS_SOLID);
        self.zeros(8);
    }

    /// A set of one hitbox around everything.
    fn hitbox(&mut self) {
        self.lead(176, 0);
        let set = self.at();
        self.text(set, "default");
        self.i32s(&[1, HITBOX_SET_SIZE as i32]);
        self.zeros(2);
        let [mins, maxs] = self.bounds;
        self.w.f32x3(mins.to_array());
        self.w.f32x3(maxs.to_array());
        self.zeros(9);
    }

    /// An animation of one frame in which nothing moves.
    fn animation(&mut self) {
        self.lead(184, 0);
        let at = self.at();
        self.w.i32(-(at as i32));
        self.text(at, "@idle");
        self.w.f32(30.0);
        self.i32s(&[0, 1]);
        self.zeros(9);
        self.i32s(&[100]);
        self.zeros(10);
        self.w.bytes(&NO_ANIMATION);
    }

    /// A sequence of that animation.
    fn sequence(&mut self) {
        self.lead(192, 0);
        let at = self.at();
        self.w.i32(-(at as i32));
        self.text(at, "idle");
        self.text(at, "");
        self.i32s(&[0, -1, 0, 0, 0]);
        let [mins, maxs] = self.bounds;
        self.w.f32x3(mins.to_array());
        self.w.f32x3(maxs.to_array());
        // One blend, whose animation is named after the record.
        self.i32s(&[1, 212, 0, 1, 1, -1, -1]);
        self.zeros(5);
        self.f32s(&[0.2, 0.2]);
        self.zeros(25);
        self.i32s(&[0]);
    }

    /// Textures, folders and skins.
    fn textures(&mut self) {
        let draft = self.draft;
        self.lead(208, 0);
        for texture in &draft.textures {
            let at = self.at();
            self.text(at, texture);
            self.zeros(15);
        }
        self.lead(216, 0);
        for folder in &draft.texture_folders {
            self.text(0, folder);
        }
        self.lead(228, 0);
        let first: Vec<usize> = (0..draft.textures.len()).collect();
        for texture in [&first].into_iter().chain(&draft.more_skins).flatten() {
            self.w.u16(*texture as u16);
        }
        self.w.pad_to(4);
    }

    /// One body part of one model.
    fn body_part(&mut self) -> Result<(), FormatError> {
        let draft = self.draft;
        self.lead(236, 0);
        let at = self.at();
        self.text(at, "body");
        self.i32s(&[1, 1, MdlBodyPart::SIZE as i32]);
        let model = self.at();
        self.name_field("body");
        self.w.i32(0);
        let [mins, maxs] = self.bounds;
        self.w.f32(mins.abs().max(maxs.abs()).length());
        self.w.count("meshes", draft.meshes.len())?;
        self.w.i32(MdlModel::SIZE as i32);
        let n_vertices = draft.meshes.iter().map(|mesh| mesh.positions.len()).sum();
        self.w.count("model vertex count", n_vertices)?;
        self.zeros(16);
        let mut first_vertex = 0;
        for (index, mesh) in draft.meshes.iter().enumerate() {
            let at = self.at();
            self.w.count("mesh material", mesh.material)?;
            self.w.i32(model as i32 - at as i32);
            self.w.count("mesh vertex count", mesh.positions.len())?;
            self.w.count("mesh first vertex", first_vertex)?;
            self.zeros(4);
            self.w.count("mesh id", index)?;
            let positions = mesh.positions.iter().map(|position| Vec3::from(*position));
            let sum = positions.fold(Vec3::ZERO, |sum, position| sum + position);
            self.w
                .f32x3((sum / mesh.positions.len().max(1) as f32).to_array());
            self.zeros(1);
            for _ in 0..8 {
                self.w
                    .count("mesh lod vertex count", mesh.positions.len())?;
            }
            self.zeros(8);
            debug_assert_eq!(self.at() - at, MdlMesh::SIZE);
            first_vertex += mesh.positions.len();
        }
        Ok(())
    }
}

const _: () = assert!(MdlTexture::SIZE == 64, "a text and 15 words");
