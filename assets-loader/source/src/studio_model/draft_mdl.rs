//! The `mdl` of a drafted model.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "offsets in a file in memory that is being written"
)]

use glam::Vec3;

use super::draft_tracks::{self, turn_scales};
use super::{DraftBone, DraftSequence, FrameStorage, STATIC_PROP, StudioDraft};
use crate::mdl::{self, Mdl, MdlBodyPart, MdlMesh, MdlModel, MdlTexture};
use ironlands_assets_core::bytes::{FormatError, Writer};
use ironlands_assets_core::record::Record;

const VERSION: i32 = 48;
/// The version that has animations that are stored frame by frame, and the flag of these.
const VERSION_WITH_FRAMES: i32 = 49;
const FRAME_BY_FRAME: i32 = 0x40;
/// Flags of a sequence; an animation that adds has that, too.
const LOOPS: i32 = 0x1;
const ADDS: i32 = 0x4;
const HAS_LOCAL_LAYERS: i32 = 0x200;
const CONTENTS_SOLID: u32 = 1;
/// Vertices of the finest level of detail hang on the bone.
const BONE_HAS_VERTICES: u32 = 0x400;
const NAME_SIZE: usize = 64;
const HITBOX_SET_SIZE: usize = 12;
const ANIMATION_SIZE: usize = 100;
const SEQUENCE_SIZE: usize = 212;
/// Bytes of an animation, in which it says where its sections are and how many frames they have.
const SECTIONS_AT: usize = 80;
/// Bytes of a sequence, in which it says how many layers it has, where these are, and where the weights of its bones are.
const LAYERS_AT: usize = 148;
const WEIGHTS_AT: usize = 156;

/// A model file under construction: offsets are filled in when what they lead to is written.
pub(super) struct MdlDraft<'a> {
    draft: &'a StudioDraft,
    w: Writer,
    /// Texts that stand at the end: the field that leads there, where the offset counts from, the text.
    texts: Vec<(usize, usize, String)>,
    bounds: [Vec3; 2],
    bones: Vec<DraftBone>,
    sequences: Vec<DraftSequence>,
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
            bones: match draft.bones.is_empty() {
                true => vec![DraftBone {
                    name: "static_prop".to_owned(),
                    ..DraftBone::default()
                }],
                false => draft.bones.clone(),
            },
            sequences: match draft.sequences.is_empty() {
                true => vec![DraftSequence {
                    name: "idle".to_owned(),
                    fps: 30.0,
                    frames: vec![vec![[0.0; 3]; draft.bones.len().max(1)]],
                    ..DraftSequence::default()
                }],
                false => draft.sequences.clone(),
            },
        }
    }

    pub(super) fn build(mut self, checksum: u32) -> Result<Vec<u8>, FormatError> {
        self.header(checksum)?;
        let scales = turn_scales(self.bones.len(), &self.sequences);
        self.write_bones(&scales);
        self.hitbox();
        self.write_animations(&scales);
        self.write_sequences()?;
        self.bones_by_name();
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
    fn text(&mut self, from: usize, text: &str) {
        self.texts.push((self.at(), from, text.to_owned()));
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
        let has_frames = |it: &DraftSequence| it.storage != FrameStorage::Runs;
        self.w.i32(match self.sequences.iter().any(has_frames) {
            true => VERSION_WITH_FRAMES,
            false => VERSION,
        });
        self.w.u32(checksum);
        self.name_field(&draft.name);
        self.zeros(1 + 3);
        self.w.f32x3(((mins + maxs) * 0.5).to_array());
        self.w.f32x3(mins.to_array());
        self.w.f32x3(maxs.to_array());
        self.zeros(6);
        self.w.u32(match draft.bones.is_empty() {
            true => STATIC_PROP,
            false => 0,
        });
        // Bones, controllers, hitbox sets, animations, sequences, their versions: counts and offsets.
        self.w.count("bones", self.bones.len())?;
        self.i32s(&[0, 0, 0, 1, 0]);
        for _ in 0..2 {
            self.w.count("sequences", self.sequences.len())?;
            self.w.i32(0);
        }
        self.zeros(2);
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

    /// Bones that are not turned at rest.
    fn write_bones(&mut self, scales: &[[f32; 3]]) {
        self.lead(160, 0);
        let mut places: Vec<Vec3> = Vec::new();
        for (bone, scale) in self.bones.clone().into_iter().zip(scales) {
            let at = self.at();
            let from_parent = Vec3::from(bone.place);
            let place = bone.parent.map_or(Vec3::ZERO, |it| places[it]) + from_parent;
            places.push(place);
            self.text(at, &bone.name);
            self.w.i32(bone.parent.map_or(-1, |it| it as i32));
            self.i32s(&[-1; 6]);
            self.f32s(&bone.place);
            self.f32s(&[0.0, 0.0, 0.0, 1.0]);
            self.zeros(3 + 3);
            self.f32s(scale);
            for row in 0..3 {
                let mut cells = [0.0; 4];
                cells[row] = 1.0;
                // Not -0.
                cells[3] = 0.0 - place[row];
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
    }

    /// Numbers of the bones, by name.
    fn bones_by_name(&mut self) {
        self.lead(364, 0);
        let mut numbers: Vec<usize> = (0..self.bones.len()).collect();
        numbers.sort_by_key(|&it| &self.bones[it].name);
        for number in numbers {
            self.w.u8(number as u8);
        }
        self.w.pad_to(4);
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

    /// An animation for each sequence, then their tracks or frames.
    fn write_animations(&mut self, scales: &[[f32; 3]]) {
        self.lead(184, 0);
        let sequences = self.sequences.clone();
        let first = self.at();
        for sequence in &sequences {
            let at = self.at();
            self.w.i32(-(at as i32));
            self.text(at, &format!("@{}", sequence.name));
            self.w.f32(sequence.fps);
            let is_frame_by_frame = sequence.storage != FrameStorage::Runs;
            let flags =
                i32::from(sequence.adds) * ADDS + i32::from(is_frame_by_frame) * FRAME_BY_FRAME;
            self.i32s(&[flags, sequence.frames.len() as i32]);
            self.zeros(9 + 1 + 10);
        }
        for (number, sequence) in sequences.iter().enumerate() {
            let record = first + number * ANIMATION_SIZE;
            match sequence.storage {
                FrameStorage::Runs => {
                    self.lead(record + 56, record);
                    self.w.bytes(&draft_tracks::tracks(sequence, scales));
                }
                FrameStorage::Frames { section_frames: 0 } => {
                    self.lead(record + 56, record);
                    self.w.bytes(&draft_tracks::frames(&sequence.frames));
                }
                FrameStorage::Frames { section_frames } => {
                    self.write_sections(record, &sequence.frames, section_frames);
                }
            }
        }
    }

    /// The sections of an animation whose record is at `record`, then the frames of each: with the first one of the next, as
    /// compilers do it, and the last frame alone in the last one.
    fn write_sections(&mut self, record: usize, frames: &[Vec<[f32; 3]>], section_frames: usize) {
        self.lead(record + SECTIONS_AT, record);
        self.w
            .patch_u32(record + SECTIONS_AT + 4, section_frames as u32);
        let table = self.at();
        let last = frames.len() - 1;
        let n_sections = frames.len() / section_frames + 2;
        self.zeros(2 * n_sections);
        for section in 0..n_sections {
            self.lead(table + section * 8 + 4, record);
            let first = (section * section_frames).min(last);
            let end = (first + section_frames).min(last);
            self.w.bytes(&draft_tracks::frames(&frames[first..=end]));
        }
    }

    /// The sequences, then the number of the animation that each has.
    fn write_sequences(&mut self) -> Result<(), FormatError> {
        self.lead(192, 0);
        let sequences = self.sequences.clone();
        let first = self.at();
        let [mins, maxs] = self.bounds;
        for sequence in &sequences {
            let at = self.at();
            self.w.i32(-(at as i32));
            self.text(at, &sequence.name);
            self.text(at, &sequence.activity);
            let weight = i32::from(!sequence.activity.is_empty());
            let has_local_layers = sequence.layers.iter().any(|it| it.is_local());
            let flags = i32::from(sequence.loops) * LOOPS
                + i32::from(sequence.adds) * ADDS
                + i32::from(has_local_layers) * HAS_LOCAL_LAYERS;
            self.i32s(&[flags, -1, weight, 0, 0]);
            self.w.f32x3(mins.to_array());
            self.w.f32x3(maxs.to_array());
            self.i32s(&[1, 0, 0, 1, 1, -1, -1]);
            self.zeros(5);
            self.f32s(&[0.2, 0.2]);
            self.zeros(25);
        }
        for number in 0..sequences.len() {
            let record = first + number * SEQUENCE_SIZE;
            self.lead(record + 60, record);
            self.w.count("sequence animation", number)?;
        }
        for (number, sequence) in sequences.iter().enumerate() {
            let record = first + number * SEQUENCE_SIZE;
            if !sequence.layers.is_empty() {
                self.w
                    .patch_u32(record + LAYERS_AT, sequence.layers.len() as u32);
                self.lead(record + LAYERS_AT + 4, record);
            }
            for layer in &sequence.layers {
                Record::write(layer, &mut self.w, ())?;
            }
        }
        self.write_weights(first, &sequences);
        Ok(())
    }

    /// How much sequences move bones; those that move all in full share one list. A static prop goes without weights.
    fn write_weights(&mut self, first: usize, sequences: &[DraftSequence]) {
        if self.draft.bones.is_empty() {
            return;
        }
        let lists = sequences.iter().map(|it| &it.weights).enumerate();
        let (full, own): (Vec<_>, Vec<_>) = lists.partition(|(_, weights)| weights.is_empty());
        for (number, _) in &full {
            let record = first + number * SEQUENCE_SIZE;
            self.lead(record + WEIGHTS_AT, record);
        }
        self.f32s(&vec![1.0; self.bones.len()]);
        for (number, weights) in own {
            let record = first + number * SEQUENCE_SIZE;
            self.lead(record + WEIGHTS_AT, record);
            self.f32s(weights);
        }
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
