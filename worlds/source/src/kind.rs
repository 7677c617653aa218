//! Source engine maps as a kind of world.

mod examples;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use glam::Vec3;
use ironlands_assets_core::bytes::Reader;
use ironlands_assets_core::format::FormatSet;
use ironlands_assets_core::vfs::{self, path_in_archive};
use ironlands_assets_source::bsp::FaceSet;
use ironlands_assets_source::bsp::game_lump::StaticProp;
use ironlands_assets_source::formats::FORMATS;
use ironlands_assets_source::is_model_file;
use ironlands_assets_source::level::{SourceLevel, model_key};
use ironlands_assets_source::level_scene::{Appearance, Owners, to_scene_with_owners};
use ironlands_assets_source::model_file::ModelFile;
use ironlands_assets_source::particle_file::{ParticleFile, is_particle_file};
use ironlands_exchange::conversion::{LevelExport, ModelExport};
use ironlands_sim_brush::{PropHull, PropSolid};
use ironlands_world_kind::{
    EffectWorld, Example, Level, LevelPlace, OpenError, Opened, Opener, Recognized, SameClock,
    WorldKind,
};

use self::examples::EXAMPLES;
use crate::SourceWorld;
use crate::exchange::{LEVEL_EXPORTS, MODEL_EXPORTS};
use crate::game::Game;
use crate::light_paths::light_paths;
use crate::model_world::{ModelWorld, sheet_of};

const MAP_EXTENSION: &str = "bsp";

/// Source engine maps, for the registry.
#[derive(Debug, Clone, Copy)]
pub struct Source;

/// How a map is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Source maps")]
pub struct SourceOptions {
    /// Lightmaps to show, for a Source map that has both kinds; by default those that the map was made for.
    #[arg(long, value_enum, value_name = "RANGE")]
    pub light: Option<LightRange>,

    /// Game whose rules a walker and the entities of a Source map follow; by default that of the map's folder.
    #[arg(long, value_enum, value_name = "GAME")]
    pub game: Option<Game>,

    /// Send an input to the entities of a name or class of a Source map when it begins, as TARGET:INPUT or
    /// TARGET:INPUT:PARAMETER; can be given several times.
    #[arg(long, value_name = "TARGET:INPUT", value_parser = parse_input)]
    pub input: Vec<EntityInput>,

    /// With --model of a PCF file: name of the particle system to show; by default the first that no other begins.
    #[arg(long, value_name = "NAME")]
    pub system: Option<String>,

    /// With --model: number of the skin to show.
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub skin: i32,

    /// With --model: number that chooses what is shown of each body part.
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    pub body: u32,
}

/// An input that is sent to entities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityInput {
    /// Name or class of the entities.
    pub target: String,
    /// The input.
    pub input: String,
    /// What is sent with it.
    pub parameter: String,
}

fn parse_input(text: &str) -> Result<EntityInput, String> {
    let mut parts = text.splitn(3, ':').map(str::to_owned);
    match (parts.next(), parts.next()) {
        (Some(target), Some(input)) if !target.is_empty() && !input.is_empty() => Ok(EntityInput {
            target,
            input,
            parameter: parts.next().unwrap_or_default(),
        }),
        _ => Err("expected TARGET:INPUT, such as door1:Open".to_owned()),
    }
}

/// The range of lightmaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LightRange {
    /// Low dynamic range.
    Ldr,
    /// High dynamic range.
    Hdr,
}

impl WorldKind for Source {
    type Options = SourceOptions;

    const NAME: &'static str = "Source maps";
    const EXPECTED: &'static str = "a Source map (*.bsp)";
    const FORMATS: FormatSet = FORMATS;
    const INSTALL_FOLDERS: &'static [&'static str] = &[
        "Half-Life 2",
        "Half-Life 2 Deathmatch",
        "Half-Life 1 Source Deathmatch",
        "Counter-Strike Source",
        "Counter-Strike Global Offensive",
        "Day of Defeat Source",
        "Team Fortress 2",
        "Portal",
        "Portal 2",
        "Left 4 Dead",
        "Left 4 Dead 2",
        "GarrysMod",
        "Black Mesa",
        "Source SDK Base 2013 Singleplayer",
        "Source SDK Base 2013 Multiplayer",
    ];
    const USES_ASSETS: bool = true;
    const LEVEL_OPTIONS: &'static [&'static str] = &["--light", "--game", "--input"];
    const MODEL_OPTIONS: &'static [&'static str] = &["--skin", "--body", "--system"];
    const EXAMPLES: &'static [Example] = EXAMPLES;

    fn level_exports() -> &'static [LevelExport] {
        LEVEL_EXPORTS
    }

    fn model_exports() -> &'static [ModelExport] {
        MODEL_EXPORTS
    }

    fn level_place(name: &str) -> Option<LevelPlace> {
        has_map_extension(Path::new(name)).then_some(LevelPlace::File)
    }

    fn recognize(path: &Path) -> io::Result<Option<Recognized>> {
        if !path.is_file() {
            return Ok(None);
        }
        let model = match path {
            path if is_model_file(path) => Some("a Source engine model"),
            path if is_particle_file(path) => Some("a file of Source engine particle systems"),
            _ => None,
        };
        if let Some(description) = model {
            return Ok(Some(Recognized::new(Opener::Model, description)));
        }
        let head = vfs::read_head(path, 8).map_err(io::Error::other)?;
        let mut r = Reader::new("level", &head);
        let is_map = r.array::<4>("magic").is_ok_and(|magic| magic == *b"VBSP");
        // A map of another engine: opening it says of which.
        if !is_map && !has_map_extension(path) {
            return Ok(None);
        }
        let version = r.u32("version").ok().filter(|_| is_map);
        let description = match version {
            Some(version) => format!("a Source engine level (VBSP version {version})"),
            None => "a map that is none of the Source engine".to_owned(),
        };
        Ok(Some(Recognized::new(Opener::Level, description)))
    }

    fn open(path: &Path, assets: &[PathBuf], options: &SourceOptions) -> Result<Opened, OpenError> {
        let (level, owners) = open_with_owners(path, assets, options)?;
        let SourceLevel { map, entities, .. } = &level.files;
        let game = options.game.unwrap_or_else(|| Game::from_map_path(path));
        let props = prop_hulls(&level.files);
        let shown = (&level.scene, &owners);
        let world = SourceWorld::for_scene(map, entities, &props, game, shown)
            .map_err(OpenError::invalid_world(path))?
            .with_inputs(&options.input);
        Ok(level.opened(Arc::new(world)))
    }

    fn is_model_name(name: &str) -> bool {
        is_model_file(Path::new(name)) || is_particle_file(Path::new(name))
    }

    fn open_model(
        path: &Path,
        assets: &[PathBuf],
        options: &SourceOptions,
    ) -> Result<Option<Opened>, OpenError> {
        let is_there = path.is_file() || path_in_archive(path).is_some();
        if is_there && is_particle_file(path) {
            return open_particles(path, assets, options).map(Some);
        }
        if !is_there || !is_model_file(path) {
            return Ok(None);
        }
        let appearance = Appearance {
            skin: options.skin,
            body: options.body,
        };
        let file = ModelFile::open(path, assets, appearance)
            .map_err(|error| OpenError::from_vfs(path, error))?;
        let (scene, face, of_scene) = file.to_scene();
        let findings = file.findings.clone();
        let level = Level::new(path, file, &findings, (scene, of_scene))?;
        let world = ModelWorld::new(&level.files, face, &level.scene);
        let sheet = sheet_of(&level.files);
        Ok(Some(Opened {
            model: Some(sheet),
            ..level.opened(Arc::new(world))
        }))
    }
}

/// Opens a particle system alone.
fn open_particles(
    path: &Path,
    assets: &[PathBuf],
    options: &SourceOptions,
) -> Result<Opened, OpenError> {
    let file = ParticleFile::open(path, assets, options.system.as_deref())
        .map_err(|error| OpenError::from_vfs(path, error))?;
    let scene = file.to_scene();
    let findings = file.findings.clone();
    let level = Level::new(path, file, &findings, (scene, Vec::new()))?;
    let file = &level.files;
    let world = EffectWorld::new(SameClock, file.bounds(), file.length_secs());
    Ok(level.opened(Arc::new(world)))
}

/// Opens a map with its typed files. `assets` are folders and archives of its game.
///
/// # Errors
/// See [`OpenError`]. What the map can do without is no error but a finding.
pub fn open_level(
    path: &Path,
    assets: &[PathBuf],
    options: &SourceOptions,
) -> Result<Level<SourceLevel>, OpenError> {
    let (level, _) = open_with_owners(path, assets, options)?;
    Ok(level)
}

fn open_with_owners(
    path: &Path,
    assets: &[PathBuf],
    options: &SourceOptions,
) -> Result<(Level<SourceLevel>, Owners), OpenError> {
    let face_set = options.light.map(|light| match light {
        LightRange::Ldr => FaceSet::Ldr,
        LightRange::Hdr => FaceSet::Hdr,
    });
    let level = SourceLevel::open(path, assets, face_set)
        .map_err(|error| OpenError::from_vfs(path, error))?;
    let (scene, of_scene, owners) = to_scene_with_owners(&level, &light_paths(&level));
    let findings = level.findings.clone();
    let level = Level::new(path, level, &findings, (scene, of_scene))?;
    Ok((level, owners))
}

/// The boxes of static props whose models were found; a model's box is scaled with it.
pub fn prop_hulls(level: &SourceLevel) -> Vec<PropHull> {
    let hull = |(number, prop): (u32, &StaticProp)| {
        let path = level.static_props.models.get(usize::from(prop.model))?;
        let model = level.models.get(&model_key(&path.path()))?;
        let [mins, maxs] = model
            .hull
            .map(|corner| Vec3::from(corner) * Vec3::from(prop.scale));
        Some(PropHull {
            prop: number,
            origin: prop.origin.into(),
            angles: prop.angles.into(),
            mins,
            maxs,
            solid: PropSolid::from_file(prop.solid),
        })
    };
    let props = (0..).zip(&level.static_props.props);
    props.filter_map(hull).collect()
}

fn has_map_extension(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case(MAP_EXTENSION)
}
