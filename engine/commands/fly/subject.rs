//! What is to be opened: a level, a mission on it, or a model alone.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ironlands::assets_loader::level::{MissionChoice, OpenOptions, level_of_mission};
use ironlands::assets_loader::source::bsp::FaceSet;

use super::numbers::parse_finite;
use super::strays::{Stray, of_other_games};
use crate::cli::input_path;
use crate::error::AppError;
use crate::level::{Game, Subject};
use crate::wrong_name::check_mission;

/// Where the demo has its figures, in the folder that it was built in.
const DEMO_FIGURES: &str = "DATA/EVIL_ISLANDS";

/// What is to be opened.
#[derive(Debug, Args)]
pub struct SubjectArgs {
    /// Level to open, such as DATA/MAPS/Map01.
    #[arg(long, value_name = "PATH", value_parser = input_path(), required_unless_present_any = ["model", "mission"])]
    level: Option<PathBuf>,

    /// Model to view by itself: a file, an archive entry such as bases.rlb/WALKER.MSH or figures.res/unhufe.mod, or the
    /// name of a figure in --assets or in the demo, such as unhuma.
    #[arg(long, value_name = "FILE", value_parser = input_path(), conflicts_with_all = ["level", "mission", "bare", "height_scale", "mode"])]
    model: Option<PathBuf>,

    /// Mission whose objects are placed in the level: a data.tma file or its folder. By default, the first mission that
    /// is played on the level. Without --level, the level of the mission is opened.
    #[arg(long, value_name = "PATH", value_parser = input_path(), conflicts_with = "bare")]
    mission: Option<PathBuf>,

    /// Show the level without the objects of any mission.
    #[arg(long)]
    bare: bool,

    /// Factor for all heights, for Parkan levels whose heights are stored 32 times too large (use 0.03125).
    #[arg(
        long,
        value_name = "FACTOR",
        default_value_t = 1.0,
        value_parser = parse_finite,
        allow_negative_numbers = true
    )]
    height_scale: f32,

    #[command(flatten)]
    source: SourceArgs,
}

/// What Source maps leave open.
#[derive(Debug, Clone, Args)]
pub struct SourceArgs {
    /// Game folder with textures and models that a level refers to but does not contain; its *_dir.vpk archives are
    /// searched too. Can be given several times; the first folder that has a file is used.
    #[arg(long, value_name = "DIR", value_parser = input_path())]
    assets: Vec<PathBuf>,

    /// Lightmaps to show, for a Source map that has both kinds; by default those that the map was made for.
    #[arg(long, value_enum, value_name = "RANGE")]
    light: Option<LightArg>,
}

/// How far stored light reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LightArg {
    /// Low dynamic range.
    Ldr,
    /// High dynamic range.
    Hdr,
}

impl SourceArgs {
    /// How to open a Source map, and all else as usual.
    pub fn options(&self) -> OpenOptions {
        OpenOptions {
            assets: self.assets.clone(),
            face_set: self.light.map(|light| match light {
                LightArg::Ldr => FaceSet::Ldr,
                LightArg::Hdr => FaceSet::Hdr,
            }),
            ..OpenOptions::default()
        }
    }
}

impl SubjectArgs {
    /// Options that were given and mean nothing to a game.
    pub fn strays(&self, game: Game) -> Vec<Stray> {
        let SourceArgs { assets, light } = &self.source;
        let options: [(_, _, &[Game]); 5] = [
            ("--mission", self.mission.is_some(), &[Game::Parkan]),
            ("--bare", self.bare, &[Game::Parkan]),
            ("--height-scale", self.height_scale != 1.0, &[Game::Parkan]),
            (
                "--assets",
                !assets.is_empty(),
                &[Game::Source, Game::EvilIslands],
            ),
            ("--light", light.is_some(), &[Game::Source]),
        ];
        of_other_games(&options, game)
    }

    /// What to open, and how.
    ///
    /// # Errors
    /// If a mission alone is to be opened and its level is not found, and for a folder above missions.
    pub fn subject(&self) -> Result<(Subject, OpenOptions), AppError> {
        if let Some(mission) = &self.mission {
            check_mission(mission)?;
        }
        let subject = match (&self.model, &self.level, &self.mission) {
            (Some(model), ..) => Subject::Model(model.clone()),
            (None, Some(level), _) => Subject::Level(level.clone()),
            (None, None, Some(mission)) => {
                Subject::Level(level_of_mission(mission).map_err(AppError::LevelOfMission)?)
            }
            (None, None, None) => unreachable!("the command line requires one of them"),
        };
        let mission = match (&self.mission, self.bare) {
            (Some(path), _) => MissionChoice::At(path.clone()),
            (None, true) => MissionChoice::Bare,
            (None, false) => MissionChoice::First,
        };
        let mut options = OpenOptions {
            height_scale: self.height_scale,
            mission,
            ..self.source.options()
        };
        if options.assets.is_empty() && self.model.is_some() {
            // Names of figures are looked up in the demo's where no game is named.
            let demo = Path::new(DEMO_FIGURES);
            options
                .assets
                .extend(demo.is_dir().then(|| demo.to_owned()));
        }
        Ok((subject, options))
    }
}
