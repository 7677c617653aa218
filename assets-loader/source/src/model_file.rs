//! A studio model by itself: its files, wherever they lie, and what is drawn of it.
//!
//! In: the path of an `*.mdl`, on disk or in a VPK, and folders of the game. Out: a model with its motions, and a scene
//! that it alone stands in.

mod appearances;
mod collision;
mod face;
mod hit_boxes;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironlands_scene::{
    AmbientCube, DirectLight, Instance, Mesh, Model, ModelIdx, ModelNode, Scene, Spawn,
};

pub use self::face::Face;
use crate::game_files::GameFiles;
use crate::level_scene::{self, Appearance};
use crate::materials::Materials;
use crate::mdl::Parts;
use crate::mdl::flexes::Flexes;
use crate::phy::Phy;
use crate::place::Place;
use crate::studio_model::{AnyMdl, ModelError, OpenFile, StudioMesh, StudioModel, bones_at_rest};
use crate::studio_motion::StudioMotion;
use crate::vmt::LightRange;
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::vfs::VfsError;

const FORMAT: &str = "mdl";
/// The folder that paths of models begin with.
const MODELS: &str = "models";
/// Where it is looked at from: the front, the left and above.
const VIEW_FROM: [f32; 3] = [0.82, 0.45, 0.35];

/// A clear day: the sky is brighter than the ground, and the sun stands to the left of who looks. Linear.
const SURROUNDINGS: AmbientCube = AmbientCube([
    [0.16, 0.17, 0.19],
    [0.16, 0.17, 0.19],
    [0.16, 0.17, 0.19],
    [0.16, 0.17, 0.19],
    [0.24, 0.27, 0.32],
    [0.10, 0.09, 0.08],
]);
const SUN: DirectLight = DirectLight {
    direction_to_light: [0.48, 0.6, 0.64],
    color: [0.8, 0.76, 0.68],
    style: None,
};

/// A model with its motions.
#[derive(Debug)]
pub struct ModelFile {
    /// What is drawn.
    pub model: StudioModel,
    /// What moves it.
    pub motion: Arc<StudioMotion>,
    /// The skins and bodies that it can be shown in; as many as a scene's model has states.
    pub appearances: Vec<Appearance>,
    /// Which of them is shown at first.
    pub state: u8,
    /// What hangs on its bones.
    pub parts: Parts,
    /// What shapes its face.
    pub flexes: Flexes,
    /// What it collides with, if there is a file for that.
    pub collision: Option<Phy>,
    files: GameFiles,
    /// What it had to do without.
    pub findings: Vec<Finding>,
}

impl ModelFile {
    /// Opens a model, with its other files beside it, in the folder above its `models`, in the VPK that it is in, or in
    /// `assets`.
    ///
    /// # Errors
    /// A file that cannot be read or breaks the rules of its format, or files that are missing or do not fit each other.
    /// Sequences and materials that are missing or broken are findings.
    pub fn open(path: &Path, assets: &[PathBuf], appearance: Appearance) -> Result<Self, VfsError> {
        let invalid = |error: FormatError| VfsError::Invalid {
            file: path.to_owned(),
            error: Box::new(error),
        };
        let place = Place::from_path(path, MODELS);
        let files = place.game_files(assets)?;
        let data = place.read(&files)?;
        let open = |name: &str| place.open(&files, name);
        let missing = |file: String| place.missing(file);
        let opened = StudioModel::open_file(&place.name, &data, &open);
        let (model, mdl) = opened.map_err(|error| match error {
            ModelError::Missing { path } => missing(path),
            ModelError::Broken { error, .. } => invalid(*error),
            ModelError::Unreadable { path, reason } => missing(format!("{path}: {reason}")),
        })?;
        let motion = Arc::new(StudioMotion::open_any(&place.name, &mdl, &open));
        let mut findings = motion.findings.clone();
        let collision = open_collision(&place.name, &open, &mut findings);
        let (parts, flexes) = parts_and_flexes(&mdl, &mut findings);
        let appearances = appearances::of_model(&model, appearance, &mut findings);
        let state = appearances::state_of(&model, &appearances, appearance);
        Ok(Self {
            model,
            motion,
            appearances,
            state: state.unwrap_or(0),
            parts,
            flexes,
            collision,
            files,
            findings,
        })
    }

    /// The model as the only thing of a scene, in the light of a clear day, and what moves its face.
    pub fn to_scene(&self) -> (Scene, Face, Vec<Finding>) {
        let mut findings = Vec::new();
        let mut materials = Materials::new(&self.files, LightRange::Ldr);
        let mut material = |mesh: &StudioMesh, skin: i32, lod: usize| {
            level_scene::material_alone(&self.model, mesh, (skin, lod), &mut materials)
        };
        let parts = level_scene::lay_out(&self.model, &self.appearances, None, &mut material);
        let made = materials.finish();
        findings.extend(made.findings);
        findings.extend(made.missing.findings());
        let name = self.model.name.clone();
        let mut scene = Scene {
            name: name.clone(),
            textures: made.textures,
            materials: made.materials,
            ..Scene::default()
        };
        let Some(parts) = parts else {
            let message = format!("{name}: nothing of it is drawn");
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
            return (scene, Face::default(), findings);
        };
        let (face, morph_targets) = Face::new(&self.flexes, &self.model, &parts.first_vertices);
        let sphere = parts.bounds;
        scene.spawns = vec![Spawn::model_view(sphere.center, sphere.radius, VIEW_FROM)];
        scene.models = vec![Model {
            name: name.clone(),
            nodes: self.nodes(),
            joints: self.model.joints(),
            pieces: parts.pieces,
            mesh: Mesh {
                skin: parts.skin,
                morph_targets,
                ..parts.mesh
            },
            lod_sizes: parts.lod_sizes,
            bounds: sphere,
        }];
        scene.instances = vec![Instance {
            name,
            model: ModelIdx(0),
            state: self.state,
            light: Some(SURROUNDINGS),
            direct_lights: vec![SUN],
            ..Instance::default()
        }];
        if !self.parts.hit_box_sets.is_empty() {
            let bones = bones_at_rest(&self.model.bones);
            scene
                .overlays
                .extend(hit_boxes::overlays(&self.parts, &bones));
        }
        if let Some(phy) = &self.collision {
            let layer = collision::overlay(phy, &self.model.bones, &mut findings);
            scene.overlays.push(layer);
        }
        (scene, face, findings)
    }

    /// What each state is, in words; none if there is only one.
    pub fn state_names(&self) -> Vec<String> {
        appearances::names(&self.model, &self.appearances)
    }

    /// Bones, and after them attachments.
    fn nodes(&self) -> Vec<ModelNode> {
        let attachments = self.parts.attachments.iter().map(|it| ModelNode {
            name: it.name.clone(),
            parent: u32::try_from(it.bone).ok(),
            parent_from_node: it.bone_from_attachment,
        });
        self.model.nodes().chain(attachments).collect()
    }
}

/// What hangs on the bones of a model, and what shapes its face.
fn parts_and_flexes(mdl: &AnyMdl, findings: &mut Vec<Finding>) -> (Parts, Flexes) {
    let mut warn = |what: &str, error: FormatError| {
        let message = format!("{what}: {error}");
        findings.push(Finding::new(Severity::Warning, FORMAT, message).at(error.offset));
    };
    let parts = match mdl {
        AnyMdl::Source(mdl) => Parts::read(mdl),
        AnyMdl::Vtmb(mdl) => mdl.parts(),
    };
    let parts = parts.unwrap_or_else(|error| {
        warn("its hit boxes and attachments are not shown", error);
        Parts::default()
    });
    let flexes = match mdl {
        AnyMdl::Source(mdl) => Flexes::read(mdl),
        AnyMdl::Vtmb(mdl) => mdl.flexes(),
    };
    let flexes = flexes.unwrap_or_else(|error| {
        warn("its face does not move", error);
        Flexes::default()
    });
    (parts, flexes)
}

/// `NAME.phy`, which most models have.
fn open_collision(path: &str, open: OpenFile<'_>, findings: &mut Vec<Finding>) -> Option<Phy> {
    let name = format!("{}.phy", path.strip_suffix(".mdl").unwrap_or(path));
    let read = open(&name).and_then(|data| {
        let phy = data.map(|data| Phy::read(&data)).transpose();
        phy.map_err(|error| error.to_string())
    });
    read.unwrap_or_else(|error| {
        let message = format!("{name}: {error}");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
        None
    })
}

impl PartialEq for ModelFile {
    fn eq(&self, other: &Self) -> bool {
        self.model == other.model
            && self.motion == other.motion
            && self.appearances == other.appearances
            && self.state == other.state
    }
}
