//! Sniffs what a path is and opens it as a level of its world.
//!
//! In: a path as a user gives it. Out: a [`Level`]: a validated scene to draw, the typed files behind it, and
//! what it had to do without; or an error that says what was found there and what would have done.

pub(crate) mod near;
mod search;
mod sniff;
#[cfg(test)]
mod tests;

use crate::parkan::game_files;
use std::io;
use std::path::{Path, PathBuf};

use ironlands_scene::{Scene, SceneError};
use thiserror::Error;

use self::near::did_you_mean;
pub use self::sniff::{Sniffed, folders_below, sniff};
use crate::bytes::{Finding, FormatError};
use crate::evil_islands;
use crate::evil_islands::figure_file::FigureFile;
use crate::evil_islands::zone::Zone;
use crate::lineage2::level::GeodataLevel;
use crate::lineage2::{self, FolderError, GeodataFormat, RegionId};
pub use crate::parkan::level::MissionChoice;
use crate::parkan::level::ParkanLevel;
use crate::parkan::level_scene;
use crate::parkan::model_file::ModelFile;
use crate::parkan::msh::model_entries;
use crate::parkan::placement::LevelMission;
use crate::parkan::texm::PixelOptions;
use crate::source::level::SourceLevel;
use crate::source::{self, bsp::FaceSet, is_model_file};
use crate::text::decode_cp1251;
use crate::vfs::VfsError;

/// An opened level.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// What is drawn; it has passed [`Scene::validate`].
    pub scene: Scene,
    /// The files that it was made of, for questions and conversions.
    pub files: LevelFiles,
    /// What it had to do without, of the files and of the scene.
    pub findings: Vec<Finding>,
}

/// The typed files of a level, by world.
#[derive(Debug, Clone, PartialEq)]
pub enum LevelFiles {
    /// Parkan: Iron Strategy.
    Parkan(Box<ParkanLevel>),
    /// One model of Parkan: Iron Strategy, alone.
    ParkanModel(Box<ModelFile>),
    /// A map of the Source engine.
    Source(Box<SourceLevel>),
    /// A zone of Evil Islands.
    EvilIslands(Box<Zone>),
    /// One figure of Evil Islands, alone.
    Figure(Box<FigureFile>),
    /// Regions of Lineage II geodata, by their paths: they are too many to be read here.
    Geodata(Box<GeodataLevel>),
}

impl LevelFiles {
    /// What the checks of all files find. Regions of geodata are not read by opening a level, so they have none here;
    /// [`inspect`](crate::inspect) reads and checks them.
    pub fn check(&self) -> Vec<Finding> {
        match self {
            Self::Parkan(level) => level.check(),
            Self::ParkanModel(model) => model.check(),
            Self::Source(level) => level.check(),
            Self::EvilIslands(zone) => zone.check(),
            Self::Figure(figure) => figure.check(),
            Self::Geodata(_) => Vec::new(),
        }
    }
}

/// How a level is read where its files leave a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenOptions {
    /// Factor of all heights of a Parkan level (Q-M1); finite and above 0, 1 = as stored.
    pub height_scale: f32,
    /// Readings of texture formats whose channel order is not certain.
    pub pixels: PixelOptions,
    /// Which mission's objects stand in the level.
    pub mission: MissionChoice,
    /// Folders and archives of a game, for what a Source map or a zone of Evil Islands names and does not bring.
    pub assets: Vec<PathBuf>,
    /// Which faces and light of a Source map are shown; `None` is the set that the map was made for.
    pub face_set: Option<FaceSet>,
    /// Dexterity, strength, height of a figure alone; `None` is what suits it.
    pub complection: Option<[f32; 3]>,
    /// Names without extension of the first and the second texture of a figure alone; empty is what suits it.
    pub textures: Vec<String>,
    /// Which files of a folder of geodata count, where a region has several.
    pub geodata_format: Option<GeodataFormat>,
    /// Height of the sea over geodata, in its own units; no file has any. `None` is no sea.
    pub water_level: Option<f32>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            height_scale: 1.0,
            pixels: PixelOptions::default(),
            mission: MissionChoice::default(),
            assets: Vec::new(),
            face_set: None,
            complection: None,
            textures: Vec::new(),
            geodata_format: None,
            water_level: None,
        }
    }
}

/// Why a path could not be opened as a level. Each prints as one whole sentence, its cause included.
#[derive(Debug, Error)]
pub enum LevelError {
    /// Nothing is there.
    #[error("{} does not exist{}", path.display(), did_you_mean(near))]
    NotFound {
        /// The path as asked for.
        path: PathBuf,
        /// Paths that exist and differ little, nearest first.
        near: Vec<String>,
    },
    /// Something is there that is no level, or none that can be opened yet.
    #[error("{} is {found}; expected {EXPECTED}", path.display())]
    NotALevel {
        /// The path as asked for.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// A folder was given that is no level and holds several. They do not print with it: there may be hundreds.
    #[error("{} holds {} levels, of which one can be opened", path.display(), levels.len())]
    SeveralLevels {
        /// The path as asked for.
        path: PathBuf,
        /// All levels in and below it.
        levels: Vec<PathBuf>,
    },
    /// An archive was given where one of its models is meant.
    #[error("{} is an archive; its models are opened one by one, as in {}", path.display(), models.join(", "))]
    ArchiveOfModels {
        /// The path as asked for.
        path: PathBuf,
        /// Paths of some of its models.
        models: Vec<String>,
    },
    /// A model of the Source engine, or one of its files, was to be shown alone.
    #[error("{}: Source models cannot be shown alone yet", path.display())]
    SourceModel {
        /// The path as asked for.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        error: io::Error,
    },
    /// A file that the level cannot do without is broken.
    #[error("{}: {error}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Box<FormatError>,
    },
    /// A file that the level cannot do without is missing.
    #[error("{}: {reason}", path.display())]
    FileMissing {
        /// The level.
        path: PathBuf,
        /// Which file, and where it was looked for.
        reason: String,
    },
    /// The height scale would make the level flat, endless or upside down.
    #[error("a height scale of {value} is not a number above 0")]
    BadHeightScale {
        /// The scale as asked for.
        value: f32,
    },
    /// The height of the sea is no number.
    #[error("a water level of {value} is not a number")]
    BadWaterLevel {
        /// The height as asked for.
        value: f32,
    },
    /// A region of geodata has two files and no one said which format counts.
    #[error("region {id} is in both {} and {}; one of their formats must be chosen", first.display(), second.display())]
    RegionTwice {
        /// The region.
        id: RegionId,
        /// One of its files.
        first: PathBuf,
        /// Another.
        second: PathBuf,
    },
    /// The files hold numbers that no scene can be made of.
    #[error("{}: {error}", path.display())]
    InvalidScene {
        /// The level.
        path: PathBuf,
        /// The broken item.
        error: SceneError,
    },
}

/// Folders above a mission that may be the game root: `MISSIONS/campaign/campaign.01/mission.01` below it.
const MAX_STEPS_TO_ROOT: usize = 8;

/// Most models of an archive that are named as examples.
const MAX_MODELS_NAMED: usize = 5;

const EXPECTED: &str = "a folder with Land.msh, or such a file, or a Source map (*.bsp), or a zone of Evil Islands (*.mpr), or a region of Lineage II geodata, as 22_16.l2j, or a folder of them";

/// Opens a path as a level. A folder that is no level but holds exactly one, in or below it, opens that.
///
/// # Errors
/// See [`LevelError`]. What the level can do without is no error but a finding.
pub fn open(path: &Path, options: &OpenOptions) -> Result<Level, LevelError> {
    let OpenOptions {
        height_scale,
        pixels,
        ref mission,
        ref assets,
        face_set,
        complection: _,
        textures: _,
        geodata_format,
        water_level,
    } = *options;
    if !(height_scale.is_finite() && height_scale > 0.0) {
        return Err(LevelError::BadHeightScale {
            value: height_scale,
        });
    }
    if let Some(value) = water_level.filter(|level| !level.is_finite()) {
        return Err(LevelError::BadWaterLevel { value });
    }
    if is_model_file(path) && path.is_file() {
        return Err(LevelError::SourceModel {
            path: path.to_owned(),
        });
    }
    match sniff(path)? {
        Sniffed::ParkanLevel { folder, base } => {
            let level = ParkanLevel::open(&folder, &base, height_scale, mission)
                .map_err(|error| LevelError::of_vfs(path, error))?;
            let (scene, scene_findings) = level_scene::to_scene(&level, pixels);
            Ok(Level {
                scene: validated(path, scene)?,
                findings: joined(&level.findings, scene_findings),
                files: LevelFiles::Parkan(Box::new(level)),
            })
        }
        Sniffed::SourceBsp { .. } => {
            let level = SourceLevel::open(path, assets, face_set)
                .map_err(|error| LevelError::of_vfs(path, error))?;
            let (scene, scene_findings) = source::level_scene::to_scene(&level);
            Ok(Level {
                scene: validated(path, scene)?,
                findings: joined(&level.findings, scene_findings),
                files: LevelFiles::Source(Box::new(level)),
            })
        }
        Sniffed::EvilIslandsZone { land } => {
            let zone =
                Zone::open(&land, assets).map_err(|error| LevelError::of_vfs(path, error))?;
            let (scene, scene_findings) = evil_islands::level_scene::to_scene(&zone);
            Ok(Level {
                scene: validated(path, scene)?,
                findings: joined(&zone.findings, scene_findings),
                files: LevelFiles::EvilIslands(Box::new(zone)),
            })
        }
        Sniffed::GeodataRegion | Sniffed::GeodataFolder { .. } => {
            let level = GeodataLevel::open(path, geodata_format, water_level)
                .map_err(LevelError::of_folder)?;
            Ok(Level {
                scene: validated(path, lineage2::level_scene::to_scene(&level))?,
                findings: Vec::new(),
                files: LevelFiles::Geodata(Box::new(level)),
            })
        }
        Sniffed::OtherFolder { levels_below } if !levels_below.is_empty() => {
            match levels_below.as_slice() {
                [level] => open(level, options),
                _ => Err(LevelError::SeveralLevels {
                    path: path.to_owned(),
                    levels: levels_below,
                }),
            }
        }
        other => Err(LevelError::NotALevel {
            path: path.to_owned(),
            found: other.to_string(),
        }),
    }
}

fn validated(path: &Path, scene: Scene) -> Result<Scene, LevelError> {
    match scene.validate() {
        Ok(()) => Ok(scene),
        Err(error) => Err(LevelError::InvalidScene {
            path: path.to_owned(),
            error,
        }),
    }
}

fn joined(of_files: &[Finding], of_scene: Vec<Finding>) -> Vec<Finding> {
    of_files.iter().cloned().chain(of_scene).collect()
}

/// Opens one model to look at: a `*.msh` file, or an entry of an archive, as in `bases.rlb/WALKER.MSH`; a `*.mod` file,
/// such a member, as in `figures.res/unhufe.mod`, or the name of a figure in `options.assets`.
///
/// # Errors
/// See [`LevelError`]. What the model can do without, such as a material, is no error but a finding.
pub fn open_model(path: &Path, options: &OpenOptions) -> Result<Level, LevelError> {
    let is_in_game = !path.exists() && !path.ancestors().any(Path::is_file);
    if is_in_game || FigureFile::is_figure(path) {
        let opened = FigureFile::open(
            path,
            &options.assets,
            &options.textures,
            options.complection,
        );
        match opened {
            Ok(figure) => return figure_alone(path, figure),
            Err(VfsError::Io { .. }) if is_in_game => {}
            Err(error) => return Err(LevelError::of_vfs(path, error)),
        }
    }
    let model = open_model_file(path)?;
    Ok(Level {
        scene: validated(path, model.to_scene(options.pixels))?,
        findings: model.findings.clone(),
        files: LevelFiles::ParkanModel(Box::new(model)),
    })
}

fn figure_alone(path: &Path, figure: FigureFile) -> Result<Level, LevelError> {
    let (scene, scene_findings) = figure.to_scene();
    Ok(Level {
        scene: validated(path, scene)?,
        findings: joined(&figure.findings, scene_findings),
        files: LevelFiles::Figure(Box::new(figure)),
    })
}

/// As [`open_model`] for a `*.msh`, without a scene.
///
/// # Errors
/// See [`LevelError`].
pub fn open_model_file(path: &Path) -> Result<ModelFile, LevelError> {
    let is_there = path.exists() || path.ancestors().any(Path::is_file);
    if !is_there {
        return Err(LevelError::NotFound {
            path: path.to_owned(),
            near: near::near_paths(path),
        });
    }
    if is_model_file(path) {
        return Err(LevelError::SourceModel {
            path: path.to_owned(),
        });
    }
    ModelFile::open(path).map_err(|error| {
        let path_asked_for = path.to_owned();
        let near = near_entries(path, &error);
        let models = models_in(path);
        if !near.is_empty() {
            let path = path_asked_for;
            LevelError::NotFound { path, near }
        } else if !models.is_empty() {
            let path = path_asked_for;
            LevelError::ArchiveOfModels { path, models }
        } else {
            LevelError::of_vfs(path, error)
        }
    })
}

/// Some models of an archive, as paths to open them by; none if the path is no archive.
fn models_in(path: &Path) -> Vec<String> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Ok(archive) = game_files::of_folder(folder).and_then(|vfs| game_files::nres(&vfs, &name))
    else {
        return Vec::new();
    };
    let entries = model_entries(&archive).filter_map(|idx| archive.entries.get(idx));
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

/// The level that a mission is played on: its `Land.msh`, found from the folders above the mission.
///
/// `path` is a `data.tma` or the folder that holds it. A game root whose `DATA` folder has another name is found, too.
///
/// # Errors
/// See [`LevelError`]: the mission cannot be read, or names a level that is not there.
pub fn level_of_mission(path: &Path) -> Result<PathBuf, LevelError> {
    let LevelMission {
        path: file,
        mission,
    } = LevelMission::open(path).map_err(|error| LevelError::of_vfs(path, error))?;
    let base = decode_cp1251(&mission.land_base);
    let below_data = base.split_once(['/', '\\']).map(|(_, rest)| rest);
    let file = file.canonicalize().unwrap_or(file);
    let roots = file.ancestors().skip(1).take(MAX_STEPS_TO_ROOT);
    for root in roots {
        let Ok(vfs) = game_files::of_folder(root) else {
            continue;
        };
        for base in [Some(&*base), below_data].into_iter().flatten() {
            if let Ok(land) = vfs.find_file(&format!("{base}.msh")) {
                return Ok(land);
            }
        }
    }
    Err(LevelError::FileMissing {
        path: path.to_owned(),
        reason: format!("its level {base} is not in any folder above it"),
    })
}

impl LevelError {
    fn of_folder(error: FolderError) -> Self {
        match error {
            FolderError::Io { path, error } => Self::Io { path, error },
            FolderError::Format { path, error } => Self::Format { path, error },
            FolderError::Duplicate { id, first, second } => Self::RegionTwice { id, first, second },
            FolderError::Name { path } => Self::NotALevel {
                path,
                found: "a file whose name is none of a region".to_owned(),
            },
            FolderError::NoRegion { path, format } => {
                let found = match format {
                    Some(format) => format!("geodata without any *{format}"),
                    None => "a folder without regions".to_owned(),
                };
                Self::NotALevel { path, found }
            }
        }
    }

    fn of_vfs(level: &Path, error: VfsError) -> Self {
        match error {
            VfsError::Invalid { file, error } => Self::Format { path: file, error },
            VfsError::Io { path, error } => Self::Io { path, error },
            error @ (VfsError::FileMissing { .. }
            | VfsError::EntryMissing { .. }
            | VfsError::EntryEmpty { .. }
            | VfsError::PathRefused { .. }) => Self::FileMissing {
                path: level.to_owned(),
                reason: error.to_string(),
            },
        }
    }
}
