//! One model with the material table beside it: a loose `*.msh`, or an entry of an archive (dossier sections 1.5,
//! 7.1 and 10.4).

#[cfg(test)]
mod tests;

use crate::game_files;
use std::path::{Path, PathBuf};

use ironlands_scene::{Affine, Instance, ModelIdx, Scene, Spawn};

use super::level_objects::{LevelComponent, LevelModel, LevelObject, LevelObjects};
use super::material_scene::to_texture;
use super::material_table::{MaterialResolver, MaterialTable, WearRows};
use super::model_scene::{BatchMaterials, FirstNode, check_rows, to_model};
use super::msh::Msh;
use super::open::{open_model, open_wear, optional};
use super::texm::PixelOptions;
use super::wear::Wear;
use ironlands_assets_core::bytes::Finding;
use ironlands_assets_core::vfs::VfsError;

/// What the name of the table beside a model ends in.
const WEAR_EXTENSION: &str = "wea";
/// Where a model is looked at from.
pub(super) const VIEW_FROM: [f32; 3] = [0.80, -0.50, 0.33];

/// A model, and what its materials are.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelFile {
    /// Name without its extension.
    pub name: String,
    /// The file, or the archive and the entry in it, as in `bases.rlb/WALKER.MSH`.
    pub path: PathBuf,
    /// The model.
    pub msh: Msh,
    /// The material table of the same name beside it.
    pub wear: Option<Wear>,
    /// What the rows of the table name in `Material.lib`, `Textures.lib` and `LightMap.lib`.
    pub materials: MaterialTable,
    /// Which of the materials each row names.
    pub rows: WearRows,
    /// What it had to do without, and what was tolerated.
    pub findings: Vec<Finding>,
}

impl ModelFile {
    /// Opens a model: a file, or a path that leads through an archive into it. Names are found in any case below
    /// the file system's own folders; libraries are looked for as they are for levels.
    ///
    /// # Errors
    /// There is no such file or entry, or it is broken beyond all tolerance.
    pub fn open(path: &Path) -> Result<Self, VfsError> {
        let (folder, name) = split(path);
        let wear_name = with_extension(&name, WEAR_EXTENSION);
        let mut vfs = game_files::of_level(folder)?;
        // A name on disk may be none that game data could spell.
        if path.is_file() {
            vfs.pin(&name, path);
            if let Some(wear) = wear_beside(path) {
                vfs.pin(&wear_name, &wear);
            }
        }
        let mut findings = Vec::new();
        let msh = open_model(&vfs, &name, &mut findings)?;
        let wear = open_wear(&vfs, &wear_name, &mut findings);
        let wear = optional(wear, &mut findings);
        let mut resolver = MaterialResolver::new(&vfs);
        let rows = wear.as_ref().map(|wear| resolver.wear(wear));
        let (materials, unresolved) = resolver.finish();
        findings.extend(unresolved);
        let n_rows = wear.as_ref().map_or(0, |wear| wear.materials.len());
        findings.extend(check_rows(&name, &msh, n_rows));
        let stem = path.file_stem().unwrap_or_default();
        Ok(Self {
            name: stem.to_string_lossy().into_owned(),
            path: path.to_owned(),
            msh,
            wear,
            materials,
            rows: rows.unwrap_or_default(),
            findings,
        })
    }

    /// What the checks of the model, its table and its materials find, each by name.
    pub fn check(&self) -> Vec<Finding> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let wear_name = with_extension(&name, WEAR_EXTENSION);
        let in_model = self.msh.check().into_iter().map(|it| it.in_part(&name));
        let in_wear = self.wear.iter().flat_map(Wear::check);
        let in_wear = in_wear.map(|it| it.in_part(&wear_name));
        in_model
            .chain(in_wear)
            .chain(self.materials.check())
            .collect()
    }

    /// The model alone, at the origin, with light and sky and nothing else. The scene passes [`Scene::validate`].
    ///
    /// `pixels` reads texture formats whose channel order is not certain.
    pub fn to_scene(&self, pixels: PixelOptions) -> Scene {
        let mut materials = BatchMaterials::new(&self.materials, 0);
        let mut material_of = materials.of_model(&self.msh, &self.rows);
        let model = to_model(&self.name, &self.msh, FirstNode::Own, &mut material_of);
        drop(material_of);
        let spawn = Spawn::model_view(model.bounds.center, model.bounds.radius, VIEW_FROM);
        let textures = self.materials.textures.iter();
        Scene {
            name: self.name.clone(),
            textures: textures.map(|it| to_texture(it, pixels)).collect(),
            materials: materials.finish(),
            models: vec![model],
            instances: vec![Instance {
                name: self.name.clone(),
                model: ModelIdx(0),
                ..Instance::default()
            }],
            sun: super::level_scene::sun(),
            spawns: vec![spawn],
            ..Scene::default()
        }
    }

    /// The model as the only thing that stands in a level, at the origin.
    pub fn level_objects(&self) -> LevelObjects {
        LevelObjects {
            basements: Vec::new(),
            models: vec![LevelModel {
                name: self.name.clone(),
                msh: self.msh.clone().into(),
                rows: self.rows.clone(),
                first_node: FirstNode::Own,
            }],
            objects: vec![LevelObject {
                name: self.name.clone(),
                world_from_object: Affine::IDENTITY,
                components: vec![LevelComponent {
                    model: 0,
                    attached_to: None,
                }],
                movement: None,
            }],
        }
    }
}

/// The folder to open, and the name from there on: a path may lead through a file, into an archive.
pub(super) fn split(path: &Path) -> (&Path, String) {
    let file = path.ancestors().find(|part| part.is_file()).unwrap_or(path);
    let folder = folder_of(file);
    let name = path.strip_prefix(folder).unwrap_or(path);
    (folder, name.to_string_lossy().into_owned())
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The material table beside a model, in any ASCII case: the exact name, else the first in byte order.
fn wear_beside(model: &Path) -> Option<PathBuf> {
    let exact = model.with_extension(WEAR_EXTENSION);
    if exact.is_file() {
        return Some(exact);
    }
    let folder = folder_of(model);
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    let wanted = exact.file_name()?;
    let name = names
        .filter(|name| name.eq_ignore_ascii_case(wanted))
        .min()?;
    Some(folder.join(name))
}

fn with_extension(name: &str, extension: &str) -> String {
    let path = Path::new(name).with_extension(extension);
    path.to_string_lossy().into_owned()
}
