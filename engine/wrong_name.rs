//! What a path is that was given with the wrong option, so that the right one can be told.

use std::path::Path;

use ironlands::assets_loader::evil_islands::figure::Figure;
use ironlands::assets_loader::evil_islands::figure_file::FigureFile;
use ironlands::assets_loader::level::{LevelError, folders_below, open_model_file};
use ironlands::assets_loader::parkan::placement::mission_file;

use crate::error::AppError;

/// How deep below a folder missions are looked for: `MISSIONS/campaign/campaign.01/mission.01` below the game root.
const MAX_DEPTH: usize = 5;

/// Why a path is no level: it is a model or a mission, or else what the loader says.
pub fn no_level(path: &Path, error: LevelError) -> AppError {
    if matches!(error, LevelError::RegionTwice { .. }) {
        return AppError::LevelRegionTwice(error);
    }
    if !matches!(
        error,
        LevelError::NotFound { .. } | LevelError::NotALevel { .. }
    ) {
        return AppError::OpenLevel(error);
    }
    let at = path.to_owned();
    if is_mission(path) {
        return AppError::MissionNotLevel { path: at };
    }
    let is_model = FigureFile::is_figure(path) && Figure::open(path).is_ok();
    if is_model || open_model_file(path).is_ok() {
        AppError::ModelNotLevel { path: at }
    } else {
        AppError::OpenLevel(error)
    }
}

/// Refuses a folder that is no mission if there are missions below it.
///
/// # Errors
/// [`AppError::MissionsBelow`].
pub fn check_mission(path: &Path) -> Result<(), AppError> {
    if !path.is_dir() || is_mission(path) {
        return Ok(());
    }
    let missions = folders_below(path, MAX_DEPTH, &is_mission);
    if missions.is_empty() {
        return Ok(());
    }
    let missions: Vec<String> = missions.iter().map(|it| it.display().to_string()).collect();
    Err(AppError::MissionsBelow {
        path: path.to_owned(),
        missions: missions.join(", "),
    })
}

/// A folder with a mission's file, or that file.
fn is_mission(path: &Path) -> bool {
    let file = mission_file(path);
    let name = file.file_name().unwrap_or_default();
    name.eq_ignore_ascii_case("data.tma") && file.is_file()
}
