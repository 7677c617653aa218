//! What a path is that was given with the wrong option or with none, so that the right one can be told.

use std::path::{MAIN_SEPARATOR, Path};

use ironlands::assets_loader::evil_islands::figure::Figure;
use ironlands::assets_loader::evil_islands::figure_file::FigureFile;
use ironlands::assets_loader::level::{LevelError, Sniffed, folders_below, open_model_file, sniff};
use ironlands::assets_loader::parkan::placement::mission_file;
use ironlands::assets_loader::vfs::as_on_disk;

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
    if is_model(path) {
        AppError::ModelNotLevel { path: at }
    } else {
        AppError::OpenLevel(error)
    }
}

/// What to type for a path that was given without an option or a command; `None` for what looks like no path.
pub fn what_to_type(typed: &Path) -> Option<String> {
    let path = as_on_disk(typed);
    let quoted = match path.to_string_lossy() {
        text if text.contains(char::is_whitespace) => format!("\"{text}\""),
        text => text.into_owned(),
    };
    let is_in_archive = !path.exists() && path.ancestors().any(Path::is_file);
    if !path.exists() && !is_in_archive {
        let is_path = typed.to_string_lossy().contains(['/', MAIN_SEPARATOR, '.']);
        return is_path.then(|| {
            format!("{quoted} does not exist; a level is opened by `ironlands --level PATH`")
        });
    }
    let (what, command) = match sniff(&path) {
        _ if is_mission(&path) => ("a mission", "--mission"),
        Ok(
            Sniffed::ParkanLevel { .. }
            | Sniffed::SourceBsp { .. }
            | Sniffed::EvilIslandsZone { .. }
            | Sniffed::GeodataRegion
            | Sniffed::GeodataFolder { .. },
        ) => ("a level", "--level"),
        Ok(Sniffed::OtherFolder { levels_below }) if !levels_below.is_empty() => {
            ("a folder with levels", "--level")
        }
        _ if is_model(&path) => ("a model", "--model"),
        _ => ("no level, model or mission", "info"),
    };
    Some(format!(
        "{quoted} is {what}: type `ironlands {command} {quoted}`"
    ))
}

fn is_model(path: &Path) -> bool {
    let is_figure = FigureFile::is_figure(path) && Figure::open(path).is_ok();
    is_figure || open_model_file(path).is_ok()
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
