//! Options of Parkan levels: the mission whose objects stand in them, and their heights.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_core::vfs::folders_below;
use ironlands_assets_parkan::game_files;
use ironlands_assets_parkan::level::MissionChoice;
use ironlands_assets_parkan::msh_animation::QuaternionOrder;
use ironlands_assets_parkan::placement::LevelMission;
use ironlands_world_kind::OpenError;
use ironlands_world_kind::console::{finite_number, input_path};

use super::ParkanError;
use super::recognize::is_mission;

/// How deep below a folder missions are looked for: `MISSIONS/campaign/campaign.01/mission.01` below the game root.
const MAX_DEPTH: usize = 5;
/// Folders above a mission that may be the game root.
const MAX_STEPS_TO_ROOT: usize = 8;

/// How a level of Parkan is opened.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Parkan")]
pub struct ParkanOptions {
    /// Mission whose objects are placed in the level: a data.tma file or its folder. By default, the first mission that
    /// is played on the level. Without --level, the level of the mission is opened.
    #[arg(long, value_name = "PATH", value_parser = input_path(), conflicts_with = "bare", group = "subject")]
    pub mission: Option<PathBuf>,

    /// Show the level without the objects of any mission.
    #[arg(long)]
    pub bare: bool,

    /// Factor for all heights, for levels whose heights are stored 32 times too large (use 0.03125); 1 by default.
    #[arg(long, value_name = "FACTOR", value_parser = finite_number, allow_negative_numbers = true)]
    pub height_scale: Option<f32>,

    /// Order of the numbers of quaternions in models. By default, the one with which a model fits its own box; `info`
    /// prints which that is.
    #[arg(long, value_name = "ORDER")]
    pub quaternions: Option<Quaternions>,
}

/// The orders, as options spell them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Quaternions {
    /// w, x, y, z, as the game has it.
    Wxyz,
    /// x, y, z, w.
    Xyzw,
}

impl From<Quaternions> for QuaternionOrder {
    fn from(order: Quaternions) -> Self {
        match order {
            Quaternions::Wxyz => Self::Wxyz,
            Quaternions::Xyzw => Self::Xyzw,
        }
    }
}

impl ParkanOptions {
    /// Factor of all heights (Q-M1), 1 = as stored.
    pub(super) fn height_scale(&self) -> Result<f32, OpenError> {
        let value = self.height_scale.unwrap_or(1.0);
        match value.is_finite() && value > 0.0 {
            true => Ok(value),
            false => Err(OpenError::from_world(ParkanError::BadHeightScale { value })),
        }
    }

    /// Whose objects stand in the level.
    pub(super) fn mission(&self) -> Result<MissionChoice, OpenError> {
        Ok(match (&self.mission, self.bare) {
            (Some(path), _) => {
                check_mission(path)?;
                MissionChoice::At(path.clone())
            }
            (None, true) => MissionChoice::Bare,
            (None, false) => MissionChoice::First,
        })
    }
}

/// Refuses a folder that is no mission if there are missions below it.
fn check_mission(path: &Path) -> Result<(), OpenError> {
    if !path.is_dir() || is_mission(path) {
        return Ok(());
    }
    let missions = folders_below(path, MAX_DEPTH, &is_mission);
    if missions.is_empty() {
        return Ok(());
    }
    Err(OpenError::from_world(ParkanError::MissionsBelow {
        path: path.to_owned(),
        missions: missions.iter().map(|it| it.display().to_string()).collect(),
    }))
}

/// The level that a mission is played on: its `Land.msh`, found from the folders above the mission.
///
/// `path` is a `data.tma` or the folder that holds it. A game root whose `DATA` folder has another name is found, too.
///
/// # Errors
/// See [`OpenError`]: the mission cannot be read, or names a level that is not there.
pub fn level_of_mission(path: &Path) -> Result<PathBuf, OpenError> {
    check_mission(path)?;
    let LevelMission {
        path: file,
        mission,
    } = LevelMission::open(path).map_err(|error| OpenError::from_vfs(path, error))?;
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
    Err(OpenError::FileMissing {
        path: path.to_owned(),
        reason: format!("its level {base} is not in any folder above it"),
    })
}
