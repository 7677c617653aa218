//! A studio model put together from its three files, or two, and drafted into three. Dossier section 10.5.
//!
//! Model axes are the engine's: right-handed, +Z up, level units. Triangles are counter-clockwise seen from the front;
//! the files have them clockwise, and this is where they are turned.

mod assemble;
mod assemble_vtmb;
mod draft;
mod draft_mdl;
mod draft_tracks;
mod open;
#[cfg(any(test, feature = "fixtures"))]
pub mod sample;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use glam::{Mat3, Quat, Vec3};
use ironlands_scene::{Affine, Joint, ModelNode, SkinVertex};

use self::assemble::Assembly;
use self::assemble_vtmb::VtmbAssembly;
pub(crate) use self::open::{AnyMdl, MODEL_ENDING};
pub use self::open::{ModelError, OpenFile};
use super::mdl::Mdl;
use super::mdl::motion::SequenceLayer;
use super::vhv::Vhv;
use super::vtmb_mdl::VtmbMdl;
use super::vtmb_vtx::VtmbVtx;
use super::vtx::Vtx;
use super::vvd::Vvd;
use ironlands_assets_core::bytes::FormatError;

/// Flag of a model whose bones never move.
const STATIC_PROP: u32 = 0x10;

/// A model ready to be drawn, all of its body parts in one list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudioModel {
    /// Name that the model calls itself, mostly its path below `models/`.
    pub name: String,
    /// Checksum that its three files (and its baked light) share.
    pub checksum: u32,
    /// Flags of the header: 0x10 static prop, 0x4 opaque, 0x8 translucent in two passes.
    pub flags: u32,
    /// Its bones, parents before children.
    pub bones: Vec<StudioBone>,
    /// All meshes of all choices of all body parts, in file order.
    pub meshes: Vec<StudioMesh>,
    /// What a body number chooses from.
    pub body_parts: Vec<BodyChoices>,
    /// Switch points of the coarser levels of detail: the wider, the smaller the model is in the picture. Above 0.
    pub lod_switches: Vec<f32>,
    /// For each skin the texture of each reference.
    pub skins: Vec<Vec<usize>>,
    /// Names of textures, as written.
    pub textures: Vec<String>,
    /// For each level of detail, the finest first, names that it has in place of those of `textures`, by their numbers; those
    /// after the last replace nothing.
    pub lod_textures: Vec<BTreeMap<usize, String>>,
    /// Folders below `materials/` in which the textures are looked for, in order.
    pub texture_folders: Vec<String>,
    /// Smallest and largest corner of what it collides with.
    pub hull: [[f32; 3]; 2],
    /// Smallest and largest corner of what is drawn; both zero where the hull is meant.
    pub view_bounds: [[f32; 3]; 2],
    /// Where light is sampled.
    pub illumination_position: [f32; 3],
    /// Name of what it is made of, as in `wood`.
    pub surface_property: String,
    /// Key values as text, which say what doors sound like and what pieces it breaks into; may be empty.
    pub key_values: Vec<u8>,
}

/// A bone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudioBone {
    /// Its name.
    pub name: String,
    /// The bone that carries it; `None` for a root.
    pub parent: Option<usize>,
    /// Its place at rest, below its parent.
    pub parent_from_bone: Affine,
    /// Where the vertices of the model are on the bone, in the pose that it was modeled in.
    pub bone_from_model: Affine,
}

/// A body part: one of its models is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BodyChoices {
    /// Its name.
    pub name: String,
    /// `(body / base) % models` is shown.
    pub base: u32,
    /// Names of the models to choose from.
    pub names: Vec<String>,
}

/// A mesh: one material, one list of triangles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudioMesh {
    /// Body part that it belongs to.
    pub body_part: usize,
    /// Model of the body part that it belongs to.
    pub model: usize,
    /// Reference into a skin.
    pub material: usize,
    /// Places.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates, v down.
    pub uvs: Vec<[f32; 2]>,
    /// Of an eye, how the picture of the iris is laid at each vertex; empty for other meshes.
    pub iris_uvs: Vec<[f32; 2]>,
    /// For each vertex the bones that carry it.
    pub skin: Vec<SkinVertex>,
    /// Triangles, counter-clockwise seen from the front.
    pub indices: Vec<u32>,
    /// The same at each coarser level of detail of the model; may be empty.
    pub coarser: Vec<Vec<u32>>,
    /// For each baked color of the mesh the vertex that it belongs to.
    pub color_vertices: Vec<u32>,
}

/// What [`StudioModel::draft`] makes files of: one body part and one level of detail.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudioDraft {
    /// Path below `models/`, with extension.
    pub name: String,
    /// Names of textures; meshes refer to them by number.
    pub textures: Vec<String>,
    /// Folders below `materials/` that end with a slash.
    pub texture_folders: Vec<String>,
    /// Further skins: for each reference a texture. The first skin is the textures in order.
    pub more_skins: Vec<Vec<usize>>,
    /// Name of what it is made of.
    pub surface_property: String,
    /// Mass in kilograms.
    pub mass: f32,
    /// Its meshes.
    pub meshes: Vec<DraftMesh>,
    /// Its bones, parents before children; none for a static prop, which has one that never moves.
    pub bones: Vec<DraftBone>,
    /// What its bones do; none is one frame at rest.
    pub sequences: Vec<DraftSequence>,
}

/// A bone of a [`StudioDraft`]; at rest it is not turned.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DraftBone {
    /// Its name.
    pub name: String,
    /// The bone that carries it.
    pub parent: Option<usize>,
    /// Where it is, from its parent.
    pub place: [f32; 3],
}

/// A sequence of a [`StudioDraft`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DraftSequence {
    /// Its name.
    pub name: String,
    /// What it is for, as in `ACT_IDLE`; may be empty.
    pub activity: String,
    /// Frames in a second.
    pub fps: f32,
    /// Whether it starts again at its end.
    pub loops: bool,
    /// For each frame the turn of each bone about x, y and z, in radians; at least one frame.
    pub frames: Vec<Vec<[f32; 3]>>,
    /// How its frames are stored.
    pub storage: FrameStorage,
    /// Whether it adds to another motion, and is none by itself.
    pub adds: bool,
    /// How much it moves each bone, 0 to 1; empty = all of them in full.
    pub weights: Vec<f32>,
    /// What it lays over itself.
    pub layers: Vec<SequenceLayer>,
}

/// How the frames of a [`DraftSequence`] are stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FrameStorage {
    /// Bone after bone, numbers in runs.
    #[default]
    Runs,
    /// Frame after frame, which makes the model one of version 49.
    Frames {
        /// Frames of a section; 0 = all in one place.
        section_frames: usize,
    },
}

/// Part of a [`StudioDraft`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DraftMesh {
    /// Texture.
    pub material: usize,
    /// Places.
    pub positions: Vec<[f32; 3]>,
    /// Unit normals, one for each place.
    pub normals: Vec<[f32; 3]>,
    /// Texture coordinates, one for each place, v down.
    pub uvs: Vec<[f32; 2]>,
    /// Triangles, counter-clockwise seen from the front.
    pub indices: Vec<u32>,
    /// The bone that carries it.
    pub bone: usize,
}

/// The three files of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StudioFiles {
    /// `NAME.mdl`.
    pub mdl: Vec<u8>,
    /// `NAME.vvd`.
    pub vvd: Vec<u8>,
    /// `NAME.dx90.vtx`.
    pub vtx: Vec<u8>,
}

/// Where bones are at rest, in the space of the model.
pub fn bones_at_rest(bones: &[StudioBone]) -> Vec<Affine> {
    let mut places: Vec<Affine> = Vec::new();
    for bone in bones {
        let parent = bone.parent.and_then(|parent| places.get(parent));
        let place = match parent {
            Some(parent) => parent.times(&bone.parent_from_bone),
            None => bone.parent_from_bone,
        };
        places.push(place);
    }
    places
}

/// A turn and a place as a matrix.
pub fn placed(turn: Quat, place: Vec3) -> Affine {
    let turn = Mat3::from_quat(turn);
    let row = |axis: Vec3, place: f32| [axis.x, axis.y, axis.z, place];
    Affine([
        row(turn.row(0), place.x),
        row(turn.row(1), place.y),
        row(turn.row(2), place.z),
    ])
}

impl StudioModel {
    /// Puts a model together from the bytes of its three files.
    ///
    /// # Errors
    /// A file that cannot be read, and all that [`Self::assemble`] refuses.
    pub fn read(mdl: &[u8], vvd: &[u8], vtx: &[u8]) -> Result<Self, FormatError> {
        Self::assemble(&Mdl::read(mdl)?, &Vvd::read(vvd)?, &Vtx::read(vtx)?)
    }

    /// Puts a model together from its three files.
    ///
    /// # Errors
    /// Files of different models (checksums, counts of parts, models and meshes), and numbers of vertices, textures
    /// and faces that lead nowhere or claim the same things many times.
    pub fn assemble(mdl: &Mdl, vvd: &Vvd, vtx: &Vtx) -> Result<Self, FormatError> {
        Assembly::new(mdl, vvd, vtx)?.assemble()
    }

    /// Puts a model of Vampire: The Masquerade - Bloodlines together from its two files.
    ///
    /// # Errors
    /// As of [`Self::assemble`].
    pub fn assemble_vtmb(mdl: &VtmbMdl, vtx: &VtmbVtx) -> Result<Self, FormatError> {
        VtmbAssembly::new(mdl, vtx)?.assemble()
    }

    /// Whether it was compiled to have no bones that move.
    pub(crate) fn is_static_prop(&self) -> bool {
        self.flags & STATIC_PROP != 0
    }

    /// Its bones as nodes, at rest.
    pub fn nodes(&self) -> impl Iterator<Item = ModelNode> {
        self.bones.iter().map(|bone| ModelNode {
            name: bone.name.clone(),
            parent: bone.parent.and_then(|it| u32::try_from(it).ok()),
            parent_from_node: bone.parent_from_bone,
        })
    }

    /// Its bones as joints that carry its vertices.
    pub fn joints(&self) -> Vec<Joint> {
        let bones = (0..).zip(&self.bones);
        let joints = bones.map(|(node, bone)| Joint {
            node,
            node_from_mesh: bone.bone_from_model,
        });
        joints.collect()
    }

    /// The meshes that a body number shows, with their places in `meshes`.
    pub fn meshes_of(&self, body: u32) -> impl Iterator<Item = (usize, &StudioMesh)> {
        let is_shown = move |mesh: &StudioMesh| {
            let part = self.body_parts.get(mesh.body_part);
            part.is_some_and(|part| part.choice(body) == Some(mesh.model))
        };
        let meshes = self.meshes.iter().enumerate();
        meshes.filter(move |(_, mesh)| is_shown(mesh))
    }

    /// Paths of the material of a reference at a level of detail, to be tried in order; a skin that is not there is skin 0.
    ///
    /// Lower case, with forward slashes and extension, as in `materials/models/props/crate.vmt`.
    pub fn material_paths(&self, skin: i32, reference: usize, lod: usize) -> Vec<String> {
        let skin = usize::try_from(skin)
            .ok()
            .and_then(|skin| self.skins.get(skin));
        let skin = skin.or_else(|| self.skins.first());
        let number = skin.and_then(|skin| skin.get(reference));
        let own = self.lod_textures.get(lod);
        let texture = number.and_then(|number| {
            let own = own.and_then(|own| own.get(number));
            own.or_else(|| self.textures.get(*number))
        });
        let Some(texture) = texture else {
            return Vec::new();
        };
        let path = |folder: &String| {
            let name = format!("{folder}/{texture}")
                .replace('\\', "/")
                .to_lowercase();
            let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty()).collect();
            format!("materials/{}.vmt", parts.join("/"))
        };
        self.texture_folders.iter().map(path).collect()
    }

    /// Baked light of each vertex of each mesh, linear, where 1 is white; `None` if the file is of another model.
    ///
    /// Of light from three directions it is the mean.
    pub fn baked_colors(&self, vhv: &Vhv) -> Option<Vec<Vec<[f32; 3]>>> {
        let finest: Vec<_> = vhv.meshes.iter().filter(|mesh| mesh.lod == 0).collect();
        if vhv.checksum != self.checksum || finest.len() != self.meshes.len() {
            return None;
        }
        let n_colors = vhv.n_colors_per_vertex();
        let pairs = self.meshes.iter().zip(finest);
        let colors = pairs.map(|(mesh, baked)| {
            if mesh.color_vertices.len().checked_mul(n_colors)? != baked.colors.len() {
                return None;
            }
            let mut colors = vec![[0.0; 3]; mesh.positions.len()];
            for (vertex, baked) in mesh
                .color_vertices
                .iter()
                .zip(baked.colors.chunks(n_colors))
            {
                let sum = baked
                    .iter()
                    .fold(Vec3::ZERO, |sum, color| sum + Vec3::from(color.linear()));
                *colors.get_mut(*vertex as usize)? = (sum / n_colors as f32).to_array();
            }
            Some(colors)
        });
        colors.collect()
    }

    /// The files of a model: version 48, or 49 where frames are stored one after the other; one body part, one level of detail.
    ///
    /// # Errors
    /// More than 65,536 vertices or triangles that the files cannot name, and what [`Self::assemble`] would refuse.
    pub fn draft(draft: &StudioDraft) -> Result<StudioFiles, FormatError> {
        draft::build(draft)
    }
}

impl StudioMesh {
    /// Triangles of each level of detail, the finest first.
    pub fn lods(&self) -> impl Iterator<Item = &[u32]> {
        let coarser = self.coarser.iter().map(Vec::as_slice);
        std::iter::once(self.indices.as_slice()).chain(coarser)
    }
}

impl BodyChoices {
    /// The model that a body number shows.
    pub fn choice(&self, body: u32) -> Option<usize> {
        let choice = body.checked_div(self.base).unwrap_or(0);
        usize::try_from(choice).ok()?.checked_rem(self.names.len())
    }
}
