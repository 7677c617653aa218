//! Evil Islands as a kind of world.

mod camera_path;
mod examples;
mod sheet;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::FormatSet;
use ironlands_assets_core::vfs::{Vfs, VfsError, path_in_archive};
use ironlands_assets_evil_islands::figure::Figure;
use ironlands_assets_evil_islands::figure_file::FigureFile;
use ironlands_assets_evil_islands::formats::FORMATS;
use ironlands_assets_evil_islands::level_scene;
use ironlands_assets_evil_islands::zone::{LAND_EXTENSION, MAP_EXTENSION, Zone};
use ironlands_exchange::conversion::{ModelExport, ModelImport};
use ironlands_scene::CameraPath;
use ironlands_world_kind::console::parse_three;
use ironlands_world_kind::{
    Example, Level, LevelPlace, OpenError, Opened, Opener, Recognized, WorldKind,
};

pub use self::camera_path::CameraZero;
use self::examples::EXAMPLES;
pub use self::sheet::{rig_of, sheet_of};
use crate::exchange::{MODEL_EXPORTS, MODEL_IMPORTS};
use crate::{EvilIslandsWorld, FigureWorld};

/// Where the demo has its figures, in the folder that it was built in: names of figures are looked up there where no
/// game is named.
const DEMO_FIGURES: &str = "DATA/EVIL_ISLANDS";

/// Evil Islands, for the registry.
#[derive(Debug, Clone, Copy)]
pub struct EvilIslands;

/// How a zone or a figure is opened.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Evil Islands")]
pub struct EvilIslandsOptions {
    /// With --model: dexterity, strength and height of a figure, usually 0 to 1; by default 0.5,0.5,0.5 for units, else
    /// 0,0,0.
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_three, allow_hyphen_values = true)]
    pub complection: Option<[f32; 3]>,

    /// With --model: names of the textures of a figure's two slots; by default chosen by its name.
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',')]
    pub textures: Vec<String>,

    /// Axis that the camera of a path faces before its rotation is applied.
    #[arg(long, value_enum, value_name = "AXIS", allow_hyphen_values = true)]
    pub camera_zero: Option<CameraZero>,
}

impl WorldKind for EvilIslands {
    type Options = EvilIslandsOptions;

    const NAME: &'static str = "Evil Islands";
    const EXPECTED: &'static str = "an Evil Islands zone (*.mpr)";
    const FORMATS: FormatSet = FORMATS;
    const INSTALL_FOLDERS: &'static [&'static str] = &[
        "Evil Islands",
        "Evil Islands - Curse of the Lost Soul",
        "Evil Islands Curse of the Lost Soul",
        "Проклятые Земли",
    ];
    const USES_ASSETS: bool = true;
    const MODEL_OPTIONS: &'static [&'static str] = &["--complection", "--textures"];
    const EXAMPLES: &'static [Example] = EXAMPLES;
    const CAMERA_PATHS: &'static [&'static str] = &["cam"];

    fn model_exports() -> &'static [ModelExport] {
        MODEL_EXPORTS
    }

    fn model_imports() -> &'static [ModelImport] {
        MODEL_IMPORTS
    }

    fn level_place(name: &str) -> Option<LevelPlace> {
        has_extension(Path::new(name), LAND_EXTENSION).then_some(LevelPlace::File)
    }

    fn is_model_name(name: &str) -> bool {
        name.to_ascii_lowercase().ends_with(".mod")
    }

    fn recognize(path: &Path) -> io::Result<Option<Recognized>> {
        let is_there = path.is_file() || path_in_archive(path).is_some();
        if !is_there {
            return Ok(None);
        }
        // A damaged archive is still one: opening it says what is wrong with it.
        if land_of(path).is_some() {
            let zone = Recognized::new(Opener::Level, "a zone of Evil Islands");
            return Ok(Some(zone));
        }
        if has_extension(path, MAP_EXTENSION) {
            let description = format!(
                "the objects of a zone of Evil Islands; there is no *.{LAND_EXTENSION} of its name beside it"
            );
            return Ok(Some(Recognized::new(Opener::Nothing, description)));
        }
        let is_figure = FigureFile::is_figure(path) && Figure::open(path).is_ok();
        Ok(is_figure.then(|| Recognized::new(Opener::Model, "a figure of Evil Islands")))
    }

    fn open(path: &Path, assets: &[PathBuf], _: &EvilIslandsOptions) -> Result<Opened, OpenError> {
        let zone = open_zone(path, assets)?;
        let world = EvilIslandsWorld::new(&zone.files, &zone.scene);
        let world = world.map_err(OpenError::invalid_world(path))?;
        Ok(zone.opened(Arc::new(world)))
    }

    fn open_model(
        path: &Path,
        assets: &[PathBuf],
        options: &EvilIslandsOptions,
    ) -> Result<Option<Opened>, OpenError> {
        let is_name = !path.exists() && path_in_archive(path).is_none();
        if !is_name && !FigureFile::is_figure(path) {
            return Ok(None);
        }
        let demo = [PathBuf::from(DEMO_FIGURES)];
        let assets = match assets {
            [] if Path::new(DEMO_FIGURES).is_dir() => &demo[..],
            assets => assets,
        };
        let opened = FigureFile::open(path, assets, &options.textures, options.complection);
        let figure = match opened {
            Ok(figure) => figure,
            Err(VfsError::Io { .. }) if is_name => return Ok(None),
            Err(error) => return Err(OpenError::from_vfs(path, error)),
        };
        let (scene, of_scene) = figure.to_scene();
        let findings = figure.findings.clone();
        let level = Level::new(path, figure, &findings, (scene, of_scene))?;
        let figure = &level.files;
        let world = FigureWorld::new(rig_of(figure), figure.complection, &level.scene);
        let sheet = sheet_of(figure);
        Ok(Some(Opened {
            model: Some(sheet),
            editor: None,
            ..level.opened(Arc::new(world))
        }))
    }

    fn camera_path(
        data: &[u8],
        name: &str,
        options: &EvilIslandsOptions,
    ) -> Result<Option<(CameraPath, Vec<Finding>)>, FormatError> {
        camera_path::read(data, name, options.camera_zero.unwrap_or_default()).map(Some)
    }

    fn write_camera_path(path: &CameraPath) -> Option<(&'static str, Vec<u8>)> {
        Some(("cam", camera_path::write(path)?))
    }
}

/// Opens a zone with its typed files. `assets` are folders and archives of its game.
///
/// # Errors
/// See [`OpenError`]. What the zone can do without is no error but a finding.
pub fn open_zone(path: &Path, assets: &[PathBuf]) -> Result<Level<Zone>, OpenError> {
    let land = land_of(path).unwrap_or_else(|| path.to_owned());
    let zone = Zone::open(&land, assets).map_err(|error| OpenError::from_vfs(path, error))?;
    let scene = level_scene::to_scene(&zone);
    let findings = zone.findings.clone();
    Level::new(path, zone, &findings, scene)
}

/// The archive of a zone's land: the path itself, or the land beside a map that has its name.
fn land_of(path: &Path) -> Option<PathBuf> {
    if has_extension(path, LAND_EXTENSION) {
        return Some(path.to_owned());
    }
    if !has_extension(path, MAP_EXTENSION) {
        return None;
    }
    let name = path.with_extension(LAND_EXTENSION);
    let name = name.file_name()?.to_string_lossy().into_owned();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let land = Vfs::from_folder(folder).and_then(|vfs| vfs.find_file(&name));
    // As the user wrote it, as far as that is known.
    Some(folder.join(land.ok()?.file_name()?))
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case(wanted)
}
