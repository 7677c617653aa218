//! Parkan: Iron Strategy as a kind of world.

mod examples;
mod options;
mod recognize;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironlands_assets_core::format::FormatSet;
use ironlands_assets_core::near;
use ironlands_assets_core::vfs::VfsError;
use ironlands_assets_parkan::effect_file::EffectFile;
use ironlands_assets_parkan::formats::FORMATS;
use ironlands_assets_parkan::fxid;
use ironlands_assets_parkan::game_files;
use ironlands_assets_parkan::level::{MissionChoice, ParkanLevel};
use ironlands_assets_parkan::level_scene;
use ironlands_assets_parkan::model_file::ModelFile;
use ironlands_assets_parkan::msh::model_entries;
use ironlands_assets_parkan::msh_animation::QuaternionOrder;
use ironlands_assets_parkan::placement::LevelMission;
use ironlands_assets_parkan::texm::PixelOptions;
use ironlands_exchange::conversion::{LevelExport, ModelExport, ModelImport};
use ironlands_world_kind::{
    EffectWorld, Example, Level, LevelPlace, OpenError, Opened, Opener, Recognized, WorldKind,
};
use thiserror::Error;

use self::examples::EXAMPLES;
pub use self::options::{ParkanOptions, level_of_mission};
use self::recognize::{LevelFiles, level_files};
use crate::drives::Drives;
use crate::exchange::land::LAND_EXPORTS;
use crate::exchange::{MODEL_EXPORTS, MODEL_IMPORTS};
use crate::{ModelWorld, ParkanWorld, ParkanWorldError};

/// Most models of an archive that are named as examples.
const MAX_MODELS_NAMED: usize = 5;

/// Parkan: Iron Strategy, for the registry.
#[derive(Debug, Clone, Copy)]
pub struct Parkan;

/// Why something of this world could not be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParkanError {
    /// An archive was given where one of its models is meant.
    #[error("{} is an archive; its models are opened one at a time, as in {}", path.display(), models.join(", "))]
    ArchiveOfModels {
        /// The requested path.
        path: PathBuf,
        /// Paths of some of its models.
        models: Vec<String>,
    },
    /// The height scale would make the level flat, endless or upside down.
    #[error("a height scale of {value} is not a number above 0")]
    BadHeightScale {
        /// The requested scale.
        value: f32,
    },
    /// A folder was given that is no mission and holds some.
    #[error("{} is no mission; below it are missions such as {}", path.display(), missions.join(", "))]
    MissionsBelow {
        /// The requested path.
        path: PathBuf,
        /// Some of the missions.
        missions: Vec<String>,
    },
}

impl WorldKind for Parkan {
    type Options = ParkanOptions;

    const NAME: &'static str = "Parkan";
    const EXPECTED: &'static str = "a Parkan level (Land.msh, or a folder with it)";
    const FORMATS: FormatSet = FORMATS;
    const INSTALL_FOLDERS: &'static [&'static str] = &[
        "Parkan Iron Strategy",
        "Parkan - Iron Strategy",
        "Parkan. Iron Strategy",
        "Iron Strategy",
        "Железная Стратегия",
    ];
    const LEVEL_OPTIONS: &'static [&'static str] =
        &["--mission", "--bare", "--height-scale", "--quaternions"];
    const EXAMPLES: &'static [Example] = EXAMPLES;

    fn level_exports() -> &'static [LevelExport] {
        LAND_EXPORTS
    }

    fn model_exports() -> &'static [ModelExport] {
        MODEL_EXPORTS
    }

    fn model_imports() -> &'static [ModelImport] {
        MODEL_IMPORTS
    }

    fn level_place(name: &str) -> Option<LevelPlace> {
        recognize::is_land_msh(name).then_some(LevelPlace::Folder)
    }

    fn is_model_name(name: &str) -> bool {
        name.to_ascii_lowercase().ends_with(".msh")
    }

    fn recognize(path: &Path) -> io::Result<Option<Recognized>> {
        recognize::recognize(path)
    }

    fn open(path: &Path, _: &[PathBuf], options: &ParkanOptions) -> Result<Opened, OpenError> {
        let level = open_level(path, options)?;
        let world = world_of(&level.files).map_err(OpenError::invalid_world(path))?;
        Ok(level.opened(Arc::new(world)))
    }

    fn open_model(
        path: &Path,
        _: &[PathBuf],
        options: &ParkanOptions,
    ) -> Result<Option<Opened>, OpenError> {
        if recognize::is_effect(path) {
            let effect = open_effect(path)?;
            let file = &effect.files;
            let drives = Drives(file.drives());
            let world = EffectWorld::new(drives, file.bounds(), file.length_secs());
            return Ok(Some(effect.opened(Arc::new(world))));
        }
        let found = recognize::recognize(path).ok().flatten();
        match found.map(|found| found.opener) {
            Some(Opener::Model) => {}
            Some(Opener::Nothing) => return refuse_archive(path),
            _ => return Ok(None),
        }
        let model = open_model(path, options)?;
        let world = ModelWorld::new(&model.files.level_objects());
        let world = world.map_err(OpenError::invalid_world(path))?;
        Ok(Some(model.opened(Arc::new(world))))
    }

    fn level_of_options(options: &ParkanOptions) -> Result<Option<PathBuf>, OpenError> {
        options.mission.as_deref().map(level_of_mission).transpose()
    }
}

/// Opens a level with its typed files.
///
/// # Errors
/// See [`OpenError`]. What the level can do without is no error but a finding.
pub fn open_level(path: &Path, options: &ParkanOptions) -> Result<Level<ParkanLevel>, OpenError> {
    let height_scale = options.height_scale()?;
    let mission = options.mission()?;
    let quaternions = options.quaternions.map(QuaternionOrder::from);
    let LevelFiles { folder, base } = files_of_level(path)?;
    let level = ParkanLevel::open(&folder, &base, height_scale, &mission, quaternions)
        .map_err(|error| OpenError::from_vfs(path, error))?;
    let scene = level_scene::to_scene(&level, PixelOptions::default());
    let findings = level.findings.clone();
    Level::new(path, level, &findings, scene)
}

/// The files of a level without a mission.
pub(crate) fn open_bare_level(path: &Path) -> Result<ParkanLevel, OpenError> {
    let LevelFiles { folder, base } = files_of_level(path)?;
    ParkanLevel::open(&folder, &base, 1.0, &MissionChoice::Bare, None)
        .map_err(|error| OpenError::from_vfs(path, error))
}

fn files_of_level(path: &Path) -> Result<LevelFiles, OpenError> {
    level_files(path).ok_or_else(|| OpenError::FileMissing {
        path: path.to_owned(),
        reason: "there is no Land.msh".to_owned(),
    })
}

/// What is queried of a level.
///
/// # Errors
/// Its numbers make no terrain, areal map or animation.
pub fn world_of(level: &ParkanLevel) -> Result<ParkanWorld, ParkanWorldError> {
    let world = ParkanWorld::new(
        level.ground(),
        level.land_map.as_ref(),
        level.material_wear.as_ref(),
        level.microtexture_wear.as_ref(),
    )?;
    let (emitters, _) = level.level_effects.emitters(&level.materials);
    let drives = emitters.into_iter().map(|it| it.drive).collect();
    let world = world.with_level_objects(&level.level_objects)?;
    let sources = level.cut_land.as_ref().map(|it| it.sources.clone());
    let world = match &level.mission {
        Some(LevelMission { mission, .. }) => world.with_mission(mission),
        None => world,
    };
    Ok(world
        .with_effects(drives)
        .with_face_sources(sources.unwrap_or_default()))
}

/// Opens one model with its typed files: a `*.msh` file, or an entry of an archive, as in `bases.rlb/WALKER.MSH`.
///
/// # Errors
/// See [`OpenError`]. What the model can do without, such as a material, is no error but a finding.
pub fn open_model(path: &Path, options: &ParkanOptions) -> Result<Level<ModelFile>, OpenError> {
    let mut model = ModelFile::open(path).map_err(|error| {
        let near = near_entries(path, &error);
        match near.is_empty() {
            true => OpenError::from_vfs(path, error),
            false => OpenError::NotFound {
                path: path.to_owned(),
                near,
            },
        }
    })?;
    model.msh.quaternions = options.quaternions.map(QuaternionOrder::from);
    let scene = model.to_scene(PixelOptions::default());
    let findings = model.findings.clone();
    Level::new(path, model, &findings, (scene, Vec::new()))
}

/// Opens one effect, an entry of an archive, as in `effects.rlb/SMOKE`.
///
/// # Errors
/// See [`OpenError`]. What the effect can do without, such as a material, is no error but a finding.
pub fn open_effect(path: &Path) -> Result<Level<EffectFile>, OpenError> {
    let effect = EffectFile::open(path).map_err(|error| OpenError::from_vfs(path, error))?;
    let scene = effect.to_scene(PixelOptions::default());
    let findings = effect.findings.clone();
    Level::new(path, effect, &findings, (scene, Vec::new()))
}

/// Of an archive of models one must be named; another file is none.
fn refuse_archive(path: &Path) -> Result<Option<Opened>, OpenError> {
    match models_in(path) {
        models if models.is_empty() => Ok(None),
        models => Err(OpenError::from_world(ParkanError::ArchiveOfModels {
            path: path.to_owned(),
            models,
        })),
    }
}

/// Some models and effects of an archive, as paths to open them by; none if the path is no archive.
fn models_in(path: &Path) -> Vec<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = game_files::of_folder(recognize::folder_of(path));
    let Ok(archive) = folder.and_then(|vfs| game_files::nres(&vfs, &name)) else {
        return Vec::new();
    };
    let models = model_entries(&archive).filter_map(|idx| archive.entries.get(idx));
    let effects = archive
        .entries
        .iter()
        .filter(|it| it.type_id == fxid::TYPE_ID);
    let entries = models.chain(effects);
    let paths = entries.map(|entry| path.join(&*entry.name_text()).display().to_string());
    paths.take(MAX_MODELS_NAMED).collect()
}

/// Entries that may have been meant, if it is an entry that is missing.
fn near_entries(path: &Path, error: &VfsError) -> Vec<String> {
    let VfsError::EntryMissing { archive, entry } = error else {
        return Vec::new();
    };
    let folder = archive.parent().unwrap_or(archive);
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let archive = game_files::of_folder(folder).and_then(|vfs| game_files::nres(&vfs, &name));
    let entries = archive.iter().flat_map(|archive| &archive.entries);
    let names = entries.map(|entry| entry.name_text().into_owned());
    near::nearest(entry, names)
        .into_iter()
        .map(|name| path.with_file_name(name).display().to_string())
        .collect()
}
